"""The end of the game: dynamite goes off, Billy shoots, and what is left is compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from solver.cards import Card, back_of, is_hidden, make_card
from solver.errors import IllegalError, quote
from solver.games.blasting_billy.deck import DYNAMITE, TYPES, is_dynamite, worth
from solver.games.blasting_billy.table import Column, Table

OBJECTIVES = ("win", "margin")


def survivors(column: Sequence[Card]) -> Column:
    """What dynamite leaves of a column: it goes together with the card laid just before it, if there is one."""
    left: list[Card] = []
    for card in column:
        if not is_dynamite(card):
            left.append(card)
        elif left:
            left.pop()
    return tuple(left)


def total(column: Sequence[Card]) -> int:
    """What a column is worth after dynamite."""
    return sum(map(worth, survivors(column)))


def least_total(column: Sequence[Card], *, dynamite_seen: bool = False) -> int:
    """What a column is worth at least, whatever its hidden cards are.

    Unless the type's dynamite was seen elsewhere or in the column, it may be one of them and take a card along.
    """
    seen_parts = [_seen_worth(column)]
    if not dynamite_seen and not any(map(is_dynamite, column)):
        for place, card in enumerate(column):
            if is_hidden(card):
                dynamite = make_card(back_of(card), DYNAMITE)
                seen_parts.append(_seen_worth((*column[:place], dynamite, *column[place + 1 :])))
    return min(seen_parts)


def _seen_worth(column: Sequence[Card]) -> int:
    return sum(worth(card) for card in survivors(column) if not is_hidden(card))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won, and why."""

    shot: tuple[frozenset[int], ...]
    """For each player, the types in which Billy shot."""
    points: tuple[int, ...]
    """For each player, the worth of the columns not turned down."""
    winners: tuple[int, ...]
    """The players who share the victory; nobody: Billy wins."""


def outcome(table: Table) -> Outcome:
    """The result if the columns stay as they are."""
    seats = range(len(table.players))
    billy = [total(table.billy_cards(kind)) for kind in TYPES]
    left = [[survivors(column) for column in loot] for loot in table.loots]
    sums = [[sum(map(worth, column)) for column in columns] for columns in left]
    shot = [frozenset(kind for kind in TYPES if sums[seat][kind] > billy[kind]) for seat in seats]
    points = [sum(sums[seat][kind] for kind in TYPES if kind not in shot[seat]) for seat in seats]
    face_up = [sum(len(left[seat][kind]) for kind in TYPES if kind not in shot[seat]) for seat in seats]
    turned_down = [sum(len(left[seat][kind]) for kind in shot[seat]) for seat in seats]
    contenders = [seat for seat in seats if not shot[seat]] or list(seats)
    ranks = {seat: (points[seat], -face_up[seat], -turned_down[seat]) for seat in contenders}
    best = max(ranks.values())
    winners = tuple(seat for seat in contenders if ranks[seat] == best) if best[0] > 0 else ()
    return Outcome(shot=tuple(shot), points=tuple(points), winners=winners)


def payoffs(table: Table, objective: str) -> tuple[Fraction, ...]:
    """What each player gets from the columns as they are. Two players: zero-sum."""
    seats = range(len(table.players))
    check_objective(objective, len(seats))
    result = outcome(table)
    if objective == "win":
        shares = [Fraction(seat in result.winners, max(1, len(result.winners))) for seat in seats]
        return tuple(shares) if len(seats) > 2 else _difference(shares)
    anyone_safe = not all(result.shot)
    counted = [Fraction(0 if result.shot[seat] and anyone_safe else result.points[seat]) for seat in seats]
    return _difference(counted)


def check_objective(objective: str, players: int) -> None:
    """Raise an error unless so many players can play for it."""
    if objective not in OBJECTIVES:
        raise IllegalError(f"{quote(objective)} is not an objective: play for {' or '.join(OBJECTIVES)}")
    if objective == "margin" and players != 2:
        raise IllegalError(f"margin is for two players, and {players} play: use win")


def _difference(scores: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return scores[0] - scores[1], scores[1] - scores[0]
