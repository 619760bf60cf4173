"""What a player is sure of besides the cards they see: `bob.loot.J >= 5`, `some bob.hand.J = !`.

Every fact speaks of cards of one type in one place, so types stay independent of each other.
"""

import operator
import re
from dataclasses import dataclass, replace

from solver.cards import Card, back_of, face_of, is_hidden
from solver.errors import NotationError, quote
from solver.games.blasting_billy.deck import NAMES, is_dynamite
from solver.games.blasting_billy.table import Move, Position

COMPARISONS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_FACT = re.compile(
    r"(?:(?P<quantifier>some|every)\s+)?(?P<name>[^\s.@#\"]+)\.(?P<rest>[^\s.]+\.[^\s.=!<>]+)"
    r"\s*(?P<comparison>!=|<=|>=|=|<|>)\s*(?P<value>\S+)"
)
_HELP = (
    "write such as bob.loot.J >= 5 (the face-down first card), billy.J.2 = ! (the second card of Billy's "
    "J column), some bob.hand.J = 4 or every bob.hand.J < 7"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A comparison that holds for a player's face-down loot card, for one of Billy's cards, or in a hand."""

    quantifier: str
    """`some` or `every` for a hand, empty for a single card."""
    player: int | None
    """Whose hand or loot; None: Billy's column."""
    kind: int
    """The type of the cards."""
    slot: int
    """Which card of Billy's column, from 1; 0 elsewhere."""
    comparison: str
    value: int | None
    """A number; None: dynamite, which has none."""

    def holds(self, card: Card) -> bool:
        """Dynamite has no number: it is unequal to every number, and not larger or smaller than any."""
        if self.value is None:
            return is_dynamite(card) == (self.comparison == "=")
        if is_dynamite(card):
            return self.comparison == "!="
        return bool(COMPARISONS[self.comparison](face_of(card), self.value))

    def place(self, players: tuple[str, ...]) -> str:
        """The place it speaks of, as it is written."""
        letter = NAMES.backs[self.kind]
        if self.player is None:
            return f"billy.{letter}.{self.slot}"
        return f"{players[self.player]}.{'hand' if self.quantifier else 'loot'}.{letter}"


def parse_fact(text: str, players: tuple[str, ...]) -> Fact:
    found = _FACT.fullmatch(text.strip())
    if not found:
        raise NotationError(f"{quote(text)} is not a fact: {_HELP}")
    quantifier, name, rest = found["quantifier"] or "", found["name"], found["rest"].split(".")
    player, slot = None, 0
    if name == "billy":
        letter, number = rest
        if quantifier or not re.fullmatch(r"[1-9]\d?", number, re.ASCII):
            raise NotationError(f"{quote(text)}: name one of Billy's cards, counted from 1: billy.J.2 is his second J")
        slot = int(number)
    else:
        zone, letter = rest
        if name not in players:
            raise NotationError(f"{quote(text)}: {quote(name)} is not at the table: {', '.join(players)} are")
        if zone != ("hand" if quantifier else "loot"):
            raise NotationError(
                f"{quote(text)}: say {name}.loot.{letter} for the face-down card of a loot, and "
                f"some {name}.hand.{letter} or every {name}.hand.{letter} for cards in the hand"
            )
        player = players.index(name)
    if letter not in NAMES.backs or len(letter) != 1:
        raise NotationError(f"{quote(text)}: {quote(letter)} is not a type: {' '.join(NAMES.backs)} are")
    return Fact(
        quantifier=quantifier,
        player=player,
        kind=NAMES.backs.index(letter),
        slot=slot,
        comparison=found["comparison"],
        value=_parse_value(text, found["comparison"], found["value"]),
    )


def _parse_value(text: str, comparison: str, value: str) -> int | None:
    if value == "!":
        if comparison not in ("=", "!="):
            raise NotationError(f"{quote(text)}: dynamite has no number, so ! goes with = and != only")
        return None
    if not re.fullmatch(r"\d{1,3}", value, re.ASCII):
        raise NotationError(f"{quote(text)}: {quote(value)} is not a value: compare with 0 to 10 or !")
    return int(value)


def format_fact(fact: Fact, players: tuple[str, ...]) -> str:
    value = "!" if fact.value is None else str(fact.value)
    return f"{fact.quantifier} {fact.place(players)} {fact.comparison} {value}".strip()


def carry_facts(before: Position, move: Move, drawn: Card | None) -> tuple[Fact, ...]:
    """The facts that still hold, as far as they can be said, after a turn of the player to move.

    Facts on columns stay. A fact about a hand follows the card that is played where it must speak of it. Once a card
    of its type is drawn, `every` holds for the others only, so for `some`; and `some` lapses once the card it meant
    may have left the hand.
    """
    result: list[Fact] = []
    player, kind = before.to_move, back_of(move.card)
    for fact in before.facts:
        about_hand = fact.quantifier and fact.player == player
        if about_hand and fact.kind == kind:
            result.extend(_after_play(before, fact, move))
        else:
            result.append(fact)
    if drawn is None:
        return tuple(result)
    others = _held(before, back_of(drawn)) - (back_of(drawn) == kind)
    return tuple(after for fact in result for after in _after_draw(before, fact, drawn, others))


def _held(before: Position, kind: int) -> int:
    """How many cards of a type the mover holds."""
    assert before.to_move is not None
    return sum(back_of(card) == kind for card in before.hands[before.to_move])


def _after_draw(before: Position, fact: Fact, drawn: Card, others: int) -> list[Fact]:
    """What a fact becomes when the mover draws a card beside `others` of its type."""
    joins = fact.player == before.to_move and fact.kind == back_of(drawn)
    if not joins or fact.quantifier != "every":
        return [fact]
    return [replace(fact, quantifier="some")] if others else []


def _after_play(before: Position, fact: Fact, move: Move) -> list[Fact]:
    """What a fact about the mover's hand becomes when a card of its type is played from it."""
    assert fact.player is not None
    held = _held(before, fact.kind)
    speaks_of_it = fact.quantifier == "every" or held == 1
    result: list[Fact] = []
    if speaks_of_it and move.verb == "give":
        slot = len(before.billy[fact.kind]) + 1
        result.append(replace(fact, quantifier="", player=None, slot=slot))
    if speaks_of_it and move.verb == "claim" and not before.loots[fact.player][fact.kind]:
        result.append(replace(fact, quantifier=""))
    if held > 1:
        another_meant = not is_hidden(move.card) and not fact.holds(move.card)
        if fact.quantifier == "every" or another_meant:
            result.append(fact)
    return result
