"""A game turn by turn, as one player (or everyone) sees it; replaying it gives the position."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from solver.cards import HIDDEN, Card, back_of, hide, is_hidden, make_card
from solver.errors import IllegalError, ImpossibleError, NotationError, located
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.facts import Fact, carry_facts
from solver.games.blasting_billy.hidden import count_pile, observe
from solver.games.blasting_billy.legality import check_facts, spots
from solver.games.blasting_billy.table import Move, Position, end_turn, play_card, replace_in_hand, take_card


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's move, the card drawn (if the pile had one) and the type on top afterwards (if one showed)."""

    player: int
    move: Move
    drawn: Card | None = None
    top: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """Where a game started and what happened since: turns, and facts from when they were known."""

    start: Position
    entries: tuple[Turn | Fact, ...] = ()
    all_eyes: bool = False
    """Written with every value known (`me *`)."""
    source: str | None = None
    """The file of the position it starts from; None: it starts from the deal."""
    lines: tuple[int, ...] = ()
    """The line each entry was read from, for messages."""

    def positions(self) -> Iterator[Position]:
        """The position at the start and after each entry."""
        position = self.start
        yield position
        for number, entry in enumerate(self.entries):
            with located(f"line {self.lines[number]}" if self.lines else f"entry {number + 1}"):
                if isinstance(entry, Turn):
                    position = take_turn(position, entry)
                else:
                    position = replace(position, facts=(*position.facts, entry))
                if position.facts:
                    check_facts(position)
            yield position

    def replay(self) -> Position:
        """The position it leads to."""
        *_, last = self.positions()
        return last

    def seen_by(self, player: int) -> "Record":
        """A record with every value known, as one of its players would have written it."""
        entries: list[Turn | Fact] = []
        for before, entry in zip(self.positions(), self.entries, strict=False):
            if isinstance(entry, Turn) and entry.player != player:
                face_up = entry.move.verb == "claim" and before.loots[entry.player][back_of(entry.move.card)]
                move = entry.move if face_up else entry.move._replace(card=hide(entry.move.card))
                drawn = None if entry.drawn is None else hide(entry.drawn)
                entries.append(replace(entry, move=move, drawn=drawn))
            else:
                entries.append(entry)
        start = replace(observe(self.start, player), facts=self.start.facts)
        return Record(start, tuple(entries), source=self.source)


def check_all_known(record: Record) -> None:
    """A record written with all eyes hides nothing that players hold, play or draw."""
    position = record.replay()
    for _, card in spots(replace(position, removed=())):
        if is_hidden(card):
            raise NotationError(f"me * is for records with every value known, but there is a {NAMES.format(card)}")


def take_turn(position: Position, turn: Turn) -> Position:
    """The position after a turn, which must be legal as far as can be seen."""
    if position.to_move is None:
        raise IllegalError("the game is over: everyone has had the last turn")
    name = position.players[turn.player]
    if turn.player != position.to_move:
        raise IllegalError(f"it is the turn of {position.players[position.to_move]}, not of {name}")
    held, laid = _held_card(position, turn)
    if turn.move.verb == "claim" and position.loots[turn.player][back_of(laid)] and is_hidden(laid):
        text = NAMES.format(laid)
        raise IllegalError(f"claim {text}: a later card of a column lies face up, so write its value")
    if laid != held:
        _check_unseen(position, laid)
        check_facts(replace_in_hand(position, held, laid))
    after = play_card(position, turn.move.verb, held, laid)
    drawn = _drawn_card(position, turn)
    if drawn is not None:
        if not is_hidden(drawn):
            _check_unseen(after, drawn)
        after = replace(take_card(after, drawn), size=position.size - 1, top=turn.top)
        _check_top(after)
    facts = carry_facts(position, turn.move._replace(card=laid), drawn)
    return replace(end_turn(after), facts=facts)


def _held_card(position: Position, turn: Turn) -> tuple[Card, Card]:
    """The played card as it stood in the hand, and as it is known now: a hidden one may be shown by playing it."""
    hand, card = position.hands[turn.player], turn.move.card
    if card in hand:
        return card, card
    same_type = [held for held in hand if back_of(held) == back_of(card)]
    if not is_hidden(card) and hide(card) in hand:
        return hide(card), card
    if is_hidden(card) and len(same_type) == 1:
        return same_type[0], same_type[0]
    text, name = NAMES.format(card), position.players[turn.player]
    holds = " ".join(map(NAMES.format, hand)) or "no cards"
    if is_hidden(card) and same_type:
        raise IllegalError(f"{turn.move.verb} {text}: which of the cards is it? {name} holds {holds}")
    raise IllegalError(f"{turn.move.verb} {text}: {name} does not hold it, but holds {holds}")


def _drawn_card(position: Position, turn: Turn) -> Card | None:
    name, drawn = position.players[turn.player], turn.drawn
    if not position.size:
        if drawn is not None:
            raise IllegalError(f"{name} cannot draw: the pile is empty")
        if turn.top is not None:
            raise IllegalError(f"top {NAMES.backs[turn.top]}: the pile is empty")
        return None
    if drawn is None:
        raise IllegalError(
            f"{name} has to draw, the pile has {position.size} cards: add such as draws {_example(position)}"
        )
    if position.top is not None and back_of(drawn) != position.top:
        text, top = NAMES.format(drawn), NAMES.backs[position.top]
        raise IllegalError(f"draws {text}: a card of type {top} was on top of the pile")
    if not count_pile(position, back_of(drawn)):
        raise ImpossibleError(f"draws {NAMES.format(drawn)}: no {NAMES.format_back(drawn)} is left in the pile")
    return drawn


def _example(position: Position) -> str:
    return "J?" if position.top is None else f"{NAMES.backs[position.top]}?"


def _check_unseen(position: Position, card: Card) -> None:
    """A card that turns up must not have been seen elsewhere, and must be in the deck."""
    if any(card == other for _, other in spots(position)):
        raise ImpossibleError(f"{NAMES.format(card)} has been seen elsewhere: the deck has one")


def _check_top(position: Position) -> None:
    if position.top is not None and not count_pile(position, position.top):
        letter = NAMES.backs[position.top]
        raise ImpossibleError(f"top {letter}: no {letter} is left in the pile")


def hidden_top(position: Position) -> Card | None:
    """What `draws ?` means: a card of the type that was showing."""
    return None if position.top is None else make_card(position.top, HIDDEN)
