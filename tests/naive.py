"""A slow, obvious twin of Blasting Billy, written from the rules alone, for tests to compare with.

A card is its text ("J7", "J!", "J?"); a position is a plain dict. Nothing here is clever, on purpose.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any

Position = dict[str, Any]
Deal = dict[str, tuple[str, ...]]

TYPES = "JBCGD"
VERBS = ("give", "claim", "dump")
CARD = re.compile(r"(\d*)([JBCGD])(\d+|!|\?)(?:@(.+))?")
FACT = re.compile(r"(?:(some|every)\s+)?(\S+?)\s*(!=|<=|>=|=|<|>)\s*(!|\d+)")


def rank(card: str) -> tuple[int, int]:
    """The sorting key: type in deck order, then value, then dynamite, then unknown."""
    value = card[1:]
    return TYPES.index(card[0]), {"!": 11, "?": 12}[value] if value in ("!", "?") else int(value)


def hidden(card: str) -> bool:
    """Whether only the back of the card is known."""
    return card[1:] == "?"


def survivors(column: Sequence[str]) -> list[str]:
    """The cards of one column left after dynamite: it takes the card played just before it along."""
    gone: set[int] = set()
    for place, card in enumerate(column):
        if card[1:] == "!":
            gone |= {place - 1, place}
    return [card for place, card in enumerate(column) if place not in gone]


def total(cards: Iterable[str]) -> int:
    """The sum of the values; dynamite has none."""
    return sum(int(card[1:]) for card in cards if card[1:] != "!")


@dataclass(frozen=True)
class Outcome:
    """Who was shot in what, the points in columns not turned down, and who won."""

    shot: dict[str, set[str]]
    points: dict[str, int]
    winners: list[str]
    billy_wins: bool


def score(billy: dict[str, list[str]], loots: dict[str, dict[str, list[str]]]) -> Outcome:
    """The final scoring, when every column has been turned up."""
    shot: dict[str, set[str]] = {}
    points: dict[str, int] = {}
    face_up: dict[str, int] = {}
    turned_down: dict[str, int] = {}
    for player, loot in loots.items():
        shot[player] = set()
        points[player] = face_up[player] = turned_down[player] = 0
        for kind, column in loot.items():
            cards = survivors(column)
            if total(cards) > total(survivors(billy.get(kind, []))):
                shot[player].add(kind)
                turned_down[player] += len(cards)
            else:
                points[player] += total(cards)
                face_up[player] += len(cards)

    contenders = [player for player in loots if not shot[player]] or list(loots)
    most = max(points[player] for player in contenders)
    if most == 0:
        return Outcome(shot=shot, points=points, winners=[], billy_wins=True)
    contenders = [player for player in contenders if points[player] == most]
    fewest = min(face_up[player] for player in contenders)
    contenders = [player for player in contenders if face_up[player] == fewest]
    fewest = min(turned_down[player] for player in contenders)
    contenders = [player for player in contenders if turned_down[player] == fewest]
    return Outcome(shot=shot, points=points, winners=contenders, billy_wins=False)


def win_payoffs(outcome: Outcome, players: Sequence[str]) -> list[Fraction]:
    """Objective win: two players play for +1, 0 or -1; more players for a share of the victory."""
    winners = outcome.winners
    if len(players) > 2:
        return [Fraction(1, len(winners)) if player in winners else Fraction(0) for player in players]
    if len(winners) != 1:
        return [Fraction(0), Fraction(0)]
    return [Fraction(1) if player in winners else Fraction(-1) for player in players]


def margin_payoffs(outcome: Outcome, players: Sequence[str]) -> list[Fraction]:
    """Objective margin, two players: own points minus the other's, none if only oneself was shot."""
    everyone_was_shot = all(outcome.shot[player] for player in players)
    first, second = (
        0 if outcome.shot[player] and not everyone_was_shot else outcome.points[player] for player in players
    )
    return [Fraction(first - second), Fraction(second - first)]


def expand(text: str) -> list[tuple[str, str | None]]:
    """The cards of a text such as "2J? C4@ann", each with its owner or None."""
    cards: list[tuple[str, str | None]] = []
    for word in text.split():
        match = CARD.fullmatch(word)
        if match is None:
            raise ValueError(f"not a card: {word!r}")
        count, kind, value, owner = match.groups()
        cards += [(kind + value, owner)] * int(count or 1)
    return cards


def numbers(text: str) -> list[int]:
    """The values of a deck: "0-3" or "1,2,5"."""
    values: set[int] = set()
    for part in text.split(","):
        low, _, high = part.strip().partition("-")
        values.update(range(int(low), int(high or low) + 1))
    return sorted(values)


def read(text: str) -> Position:
    """A position file as a plain dict, with counts expanded and columns apart by type."""
    table = tomllib.loads(text)
    deck = table.get("deck", {})
    types = sorted(deck.get("types", TYPES), key=TYPES.index)
    billy = expand(table.get("billy", ""))
    box = expand(table.get("box", ""))
    removed = expand(table.get("removed", ""))

    def owned(section: str, player: str) -> list[str]:
        return [card for card, _ in expand(table.get(section, {}).get(player, ""))]

    return {
        "players": table["players"],
        "me": table.get("me"),
        "to_move": table.get("to_move"),
        "billy": {kind: [pair for pair in billy if pair[0][0] == kind] for kind in types},
        "dumped": expand(table.get("dumped", "")) + [pair for pair in box if pair[1] is not None],
        "removed": [card for card, _ in removed] + [card for card, owner in box if owner is None],
        "hands": {player: owned("hands", player) for player in table["players"]},
        "loot": {
            player: {kind: [card for card in owned("loot", player) if card[0] == kind] for kind in types}
            for player in table["players"]
        },
        "pile_size": table.get("pile", {}).get("size", 0),
        "top": table.get("pile", {}).get("top"),
        "deck": {
            "types": "".join(types),
            "values": numbers(deck.get("values", "0-10")),
            "dynamite": deck.get("dynamite", True),
            "hand": deck.get("hand", 3),
        },
        "facts": table.get("facts", []),
    }


def places(position: Position) -> Iterator[tuple[str, str]]:
    """Every card outside the pile, as (name of its place, card)."""
    for player, hand in position["hands"].items():
        for card in hand:
            yield f"{player}.hand.{card[0]}", card
    for player, columns in position["loot"].items():
        for kind, column in columns.items():
            for card in column:
                yield f"{player}.loot.{kind}", card
    for kind, column in position["billy"].items():
        for number, (card, _) in enumerate(column, start=1):
            yield f"billy.{kind}.{number}", card
    for card in [card for card, _ in position["dumped"]] + position["removed"]:
        yield f"box.{card[0]}", card


def deals_of_type(position: Position, kind: str) -> list[Deal]:
    """All ways to lay the unseen cards of one type: every permutation, those that look alike once."""
    seen = [card for _, card in places(position)]
    values = [str(value) for value in position["deck"]["values"]]
    values += ["!"] if position["deck"]["dynamite"] else []
    unseen = [kind + value for value in values if kind + value not in seen]
    slots = [place for place, card in places(position) if card == kind + "?"]
    if len(slots) > len(unseen):
        return []
    slots += [f"pile.{kind}"] * (len(unseen) - len(slots))
    different: dict[tuple[tuple[str, tuple[str, ...]], ...], None] = {}
    for order in permutations(unseen):
        laid: dict[str, list[str]] = {}
        for place, card in zip(slots, order, strict=True):
            laid.setdefault(place, []).append(card)
        different[tuple((place, tuple(sorted(cards, key=rank))) for place, cards in laid.items())] = None
    return [dict(deal) for deal in different]


def deals(position: Position) -> Iterator[Deal]:
    """All consistent deals: what each place's hidden cards are, as a sorted tuple."""
    for parts in product(*(deals_of_type(position, kind) for kind in position["deck"]["types"])):
        deal = {place: cards for part in parts for place, cards in part.items()}
        filled = fill(position, deal)
        if len(filled["pile"]) != position["pile_size"]:
            continue
        if position["top"] is not None and position["top"] not in [card[0] for card in filled["pile"]]:
            continue
        if all(fact_holds(fact, filled) for fact in position["facts"]):
            yield deal


def fill(position: Position, deal: Deal) -> Position:
    """The position with every "?" replaced as the deal says, and with the cards of the pile."""
    waiting = {place: list(cards) for place, cards in deal.items()}

    def known(card: str, place: str) -> str:
        return waiting[place].pop(0) if hidden(card) else card

    return {
        **position,
        "billy": {
            kind: [
                (known(card, f"billy.{kind}.{number}"), owner) for number, (card, owner) in enumerate(column, start=1)
            ]
            for kind, column in position["billy"].items()
        },
        "dumped": [(known(card, f"box.{card[0]}"), owner) for card, owner in position["dumped"]],
        "removed": [known(card, f"box.{card[0]}") for card in position["removed"]],
        "hands": {
            player: [known(card, f"{player}.hand.{card[0]}") for card in hand]
            for player, hand in position["hands"].items()
        },
        "loot": {
            player: {
                kind: [known(card, f"{player}.loot.{kind}") for card in column] for kind, column in columns.items()
            }
            for player, columns in position["loot"].items()
        },
        "pile": [card for kind in position["deck"]["types"] for card in deal.get(f"pile.{kind}", ())],
    }


def cards_at(ref: str, filled: Position) -> list[str]:
    """The cards a fact speaks of: a hand's cards of a type, a face-down card, or one of Billy's."""
    parts = ref.split(".")
    if parts[0] == "billy":
        return [card for card, _ in filled["billy"].get(parts[1], [])][int(parts[2]) - 1 : int(parts[2])]
    player, where, kind = parts
    if where == "loot":
        return list(filled["loot"][player].get(kind, [])[:1])
    return [card for card in filled["hands"][player] if card[0] == kind]


def compares(card: str, op: str, value: str) -> bool:
    """Whether one card is as a fact says; dynamite fails every comparison with a number but "!="."""
    if op == "=":
        return card[1:] == value
    if op == "!=":
        return card[1:] != value
    if card[1:] == "!":
        return False
    number, bound = int(card[1:]), int(value)
    return {"<": number < bound, "<=": number <= bound, ">": number > bound, ">=": number >= bound}[op]


def fact_holds(fact: str, filled: Position) -> bool:
    """Whether a fact is true of a filled position."""
    match = FACT.fullmatch(fact.strip())
    if match is None:
        raise ValueError(f"not a fact: {fact!r}")
    quantifier, ref, op, value = match.groups()
    answers = [compares(card, op, value) for card in cards_at(ref, filled)]
    return all(answers) if quantifier == "every" else any(answers)


def must_draw(filled: Position) -> bool:
    """Whether the next event is the mover's draw: a card was played and the pile is not empty."""
    mover = filled["to_move"]
    return mover is not None and bool(filled["pile"]) and len(filled["hands"][mover]) < filled["deck"]["hand"]


def pass_turn(filled: Position) -> Position:
    """The turn goes clockwise; it is over when the pile is empty and the next had the last turn."""
    players = filled["players"]
    following = players[(players.index(filled["to_move"]) + 1) % len(players)]
    has_turn = len(filled["hands"][following]) == filled["deck"]["hand"]
    return {**filled, "to_move": following if has_turn else None}


def moves(filled: Position) -> list[str]:
    """The mover's moves in canonical order; none when a draw is due or the game is over."""
    if filled["to_move"] is None or must_draw(filled):
        return []
    return [f"{verb} {card}" for card in sorted(filled["hands"][filled["to_move"]], key=rank) for verb in VERBS]


def play(filled: Position, move: str) -> Position:
    """The position after a move, before the draw if there is one."""
    verb, card = move.split()
    mover, kind = filled["to_move"], card[0]
    hand = [other for other in filled["hands"][mover] if other != card]
    after = {**filled, "hands": {**filled["hands"], mover: hand}}
    if verb == "give":
        after["billy"] = {**filled["billy"], kind: [*filled["billy"][kind], (card, mover)]}
    elif verb == "claim":
        loot = filled["loot"][mover]
        after["loot"] = {**filled["loot"], mover: {**loot, kind: [*loot[kind], card]}}
    else:
        after["dumped"] = [*filled["dumped"], (card, mover)]
    return after if must_draw(after) else pass_turn(after)


def draws(filled: Position) -> list[tuple[str, str | None]]:
    """What a draw can bring: the card, and the type of the next top card where one shows."""
    results: list[tuple[str, str | None]] = []
    for card in filled["pile"]:
        rest = [other for other in filled["pile"] if other != card]
        if filled["top"] is None or not rest:
            next_tops: list[str | None] = [None]
        else:
            next_tops = [kind for kind in TYPES if kind in [other[0] for other in rest]]
        if filled["top"] in (None, card[0]):
            results += [(card, top) for top in next_tops]
    return results


def draw(filled: Position, card: str, top: str | None) -> Position:
    """The position after the mover drew the card and the next top showed."""
    mover = filled["to_move"]
    hands = {**filled["hands"], mover: [*filled["hands"][mover], card]}
    pile = [other for other in filled["pile"] if other != card]
    return pass_turn({**filled, "hands": hands, "pile": pile, "pile_size": len(pile), "top": top})


def histories(filled: Position, depth: int) -> int:
    """The number of different histories of exactly so many moves and draws."""
    if depth == 0:
        return 1
    if must_draw(filled):
        return sum(histories(draw(filled, card, top), depth - 1) for card, top in draws(filled))
    return sum(histories(play(filled, move), depth - 1) for move in moves(filled))


def final_score(filled: Position) -> Outcome:
    """The scoring if the game ended now."""
    return score({kind: [card for card, _ in column] for kind, column in filled["billy"].items()}, filled["loot"])


def beliefs(position: Position) -> dict[str, Any]:
    """Exact probabilities, by listing all deals: hidden cards, totals, who is shot if it ended now."""
    all_deals = list(deals(position))
    if not all_deals:
        raise ValueError("no deal is consistent with the position")
    one = Fraction(1, len(all_deals))
    types, players = position["deck"]["types"], position["players"]
    cards: dict[str, dict[str, Fraction]] = {}
    totals: dict[str, dict[str, Fraction]] = {}
    shot_now: dict[str, dict[str, Any]] = {
        player: {"any": Fraction(0), "types": {kind: Fraction(0) for kind in types}} for player in players
    }

    def add(chances: dict[str, dict[str, Fraction]], name: str, key: str, chance: Fraction) -> None:
        entry = chances.setdefault(name, {})
        entry[key] = entry.get(key, Fraction(0)) + chance

    for deal in all_deals:
        for place, values in deal.items():
            if not re.fullmatch(r"(box|pile)\.[^.]+", place):
                for card in values:
                    add(cards, place, card[1:], one / len(values))
        filled = fill(position, deal)
        for kind in types:
            billy = [card for card, _ in filled["billy"][kind]]
            add(totals, f"billy.{kind}", str(total(survivors(billy))), one)
            for player in players:
                add(totals, f"{player}.{kind}", str(total(survivors(filled["loot"][player][kind]))), one)
        for player, kinds in final_score(filled).shot.items():
            shot_now[player]["any"] += one if kinds else 0
            for kind in kinds:
                shot_now[player]["types"][kind] += one
    return {"cards": cards, "totals": totals, "shot_now": shot_now}
