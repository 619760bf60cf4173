"""The mover's own information tree: what the mover does, draws and sees of the others.

Whatever the mover knows the team knows too. So the mover has one information set at each of these public nodes, and
the team's private knowledge there is which of the deals that fit it is real: one state of each type.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import Card, back_of, face_of, make_card, without
from solver.games.blasting_billy.guard.type_tables import GONE, Change, TypeTable, TypeTables
from solver.games.blasting_billy.table import VERBS, Move

if TYPE_CHECKING:
    from numpy.typing import NDArray

Chances = list[tuple[int, int | None, Fraction]]
"""The type drawn, the type that shows next, and the chance of each single card of the type to be drawn so."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A public node at the beginning of a turn. Where everything here is equal, so is all that can follow."""

    turns: int
    """How many turns are to come, this one included."""
    tables: tuple[TypeTable, ...]
    hand: tuple[Card, ...]
    """The mover's."""
    top: int | None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(table.size for table in self.tables)

    @property
    def states(self) -> int:
        """How many deals, merged, fit."""
        result = 1
        for table in self.tables:
            result *= table.size
        return result


@dataclass(frozen=True, slots=True)
class Branch:
    """Something the mover sees: a move, and a draw if there is one. It leads to another public node.

    The card laid is one of several in one axis (a type), the card drawn one of several in another or the same.
    """

    spot: Spot
    action: int
    """The number of the first move that looks like this; the next ones follow, one for each card it may be."""
    column: int
    """The number of the first draw that looks like this."""
    chance: Fraction
    """Of each card that may be drawn."""
    laid: tuple[int, "NDArray[np.intp]"]
    drawn: tuple[int, "NDArray[np.intp]"] | None
    settled: tuple["NDArray[np.intp]", ...]

    @property
    def cards(self) -> int:
        return int(self.laid[1].shape[1])

    @property
    def draws(self) -> int:
        return 1 if self.drawn is None else int(self.drawn[1].shape[1])

    def gather(self, grid: "NDArray[np.int32]", card: int, draw: int) -> "NDArray[np.int32]":
        """For every joint state before, what the grid of the states after says; GONE where it does not fit."""
        found = grid
        gone: list[tuple[int, NDArray[np.bool_]]] = []
        for axis, places in enumerate(self.indices(card, draw)):
            if len(places) != grid.shape[axis] or (places != np.arange(len(places))).any():
                found = np.take(found, places, axis=axis, mode="wrap")
                gone.append((axis, places == GONE))
        for axis, where in gone:
            if where.any():
                found[(slice(None),) * axis + (where,)] = GONE
        return found.reshape(-1)

    def indices(self, card: int, draw: int) -> "list[NDArray[np.intp]]":
        """For each axis, where its states go; GONE where they do not fit."""
        result = []
        for axis, settled in enumerate(self.settled):
            places = self.laid[1][:, card] if axis == self.laid[0] else None
            if self.drawn is not None and axis == self.drawn[0]:
                taken = self.drawn[1][:, draw]
                places = taken if places is None else _follow(places, taken)
            result.append(settled if places is None else _follow(places, settled))
        return result


@dataclass(frozen=True, slots=True)
class Turn:
    """A public node opened: how many moves its player has in every state, how many draws may follow each."""

    branches: tuple[Branch, ...]
    actions: int
    columns: int


class PublicTree:
    """Opens public nodes one by one."""

    def __init__(self, tables: TypeTables, *, mover: int, players: int, turns: int) -> None:
        self._tables = tables
        self._mover = mover
        self.players = players
        self._whole = turns
        """How many turns are to come at the root."""

    def seat(self, spot: Spot) -> int:
        """Whose turn it is."""
        return (self._mover + self._whole - spot.turns) % self.players

    def is_mover(self, spot: Spot) -> bool:
        return self.seat(spot) == self._mover

    def is_last(self, spot: Spot) -> bool:
        """Whether the turns to come are everybody's last, without a draw."""
        return spot.turns <= self.players

    def move_own(self, spot: Spot, moves: list[Move]) -> Turn:
        """The mover plays one of these and draws. A column is one thing the mover may see."""
        branches: list[Branch] = []
        kinds = [table.kind for table in spot.tables]
        for action, move in enumerate(moves):
            axis = kinds.index(back_of(move.card))
            laid = self._tables.lay_own(spot.tables[axis], move.verb, face_of(move.card))
            hand = without(spot.hand, move.card)
            after = _put(spot.tables, axis, laid.table)
            for kind, top, chance in self._chances(after, spot.top):
                drawn_axis = kinds.index(kind)
                for face in after[drawn_axis].faces_held(self.players):
                    drawn = self._tables.draw_own(after[drawn_axis], face)
                    tables = _put(after, drawn_axis, drawn.table)
                    held = tuple(sorted((*hand, make_card(kind, face))))
                    child, settled = self._settle(spot.turns - 1, tables, held, top)
                    branches.append(
                        Branch(
                            child,
                            action,
                            len(branches),
                            chance,
                            (axis, laid.places),
                            (drawn_axis, drawn.places),
                            settled,
                        )
                    )
        return Turn(tuple(branches), len(moves), len(branches))

    def move_other(self, spot: Spot) -> Turn:
        """One of the team plays, and draws if there is a pile. Every state has the same number of moves."""
        branches: list[Branch] = []
        seat, action, columns = self.seat(spot), 0, 1
        for axis, changes in self._plays(spot, seat):
            for laid in changes:
                after = _put(spot.tables, axis, laid.table)
                if self.is_last(spot):
                    child, settled = self._settle(spot.turns - 1, after, spot.hand, None)
                    branches.append(Branch(child, action, 0, Fraction(1), (axis, laid.places), None, settled))
                    continue
                column = 0
                for kind, top, chance in self._chances(after, spot.top):
                    drawn_axis = next(k for k, table in enumerate(after) if table.kind == kind)
                    drawn = self._tables.draw(after[drawn_axis], seat)
                    tables = _put(after, drawn_axis, drawn.table)
                    child, settled = self._settle(spot.turns - 1, tables, spot.hand, top)
                    place = (drawn_axis, drawn.places)
                    branches.append(Branch(child, action, column, chance, (axis, laid.places), place, settled))
                    column += branches[-1].draws
                columns = column
            action += changes[0].places.shape[1]
        return Turn(tuple(branches), action, columns)

    def _plays(self, spot: Spot, seat: int) -> Iterator[tuple[int, list[Change]]]:
        """What a player of the team may be seen to do: in which type, and one change for each face shown.

        At a last turn one dump is enough: which card it is only tells the mover something.
        """
        dumped = False
        for axis, table in enumerate(spot.tables):
            if not table.held(seat):
                continue
            for verb in VERBS:
                if verb == "claim" and table.laid[seat]:
                    shown = table.faces_held(seat)
                    yield axis, [self._tables.lay(table, seat, verb, shown=face) for face in shown]
                elif verb != "dump" or not self.is_last(spot):
                    yield axis, [self._tables.lay(table, seat, verb, shown=None)]
                elif not dumped:
                    dumped = True
                    change = self._tables.lay(table, seat, verb, shown=None)
                    yield axis, [Change(change.table, change.places[:, :1])]

    def _chances(self, tables: tuple[TypeTable, ...], top: int | None) -> Chances:
        """What may be drawn and show next. The pile's types are public, so only the card itself is a secret."""
        counts = {table.kind: table.piled for table in tables if table.piled}
        whole = sum(counts.values())
        if top is None:
            return [(kind, None, Fraction(1, whole)) for kind in counts]
        if whole == 1:
            return [(top, None, Fraction(1))]
        rest = {kind: number - (kind == top) for kind, number in counts.items()}
        return [(top, kind, Fraction(number, (whole - 1) * counts[top])) for kind, number in rest.items() if number]

    def settled(self, spot: Spot) -> "tuple[Spot, tuple[NDArray[np.intp], ...]]":
        """The node without what can no longer matter, and where the states of each type went."""
        return self._settle(spot.turns, spot.tables, spot.hand, spot.top)

    def _settle(
        self, turns: int, tables: tuple[TypeTable, ...], hand: tuple[Card, ...], top: int | None
    ) -> "tuple[Spot, tuple[NDArray[np.intp], ...]]":
        first = self._mover + self._whole - turns
        coming = {(first + number) % self.players for number in range(min(turns, self.players))}
        active = tuple(seat in coming for seat in range(self.players))
        changes = [self._tables.settle(table, active, own=_bits(hand, table.kind), plays=turns) for table in tables]
        spot = Spot(turns, tuple(change.table for change in changes), hand, top)
        return spot, tuple(change.places[:, 0] for change in changes)


def own_moves(spot: Spot) -> list[Move]:
    return [Move(verb, card) for card in spot.hand for verb in VERBS]


def last_moves(spot: Spot) -> list[Move | None]:
    """The mover's moves at the last turn: None is a dump, of whatever card."""
    return [None, *(Move(verb, card) for card in spot.hand for verb in ("give", "claim"))]


def _bits(hand: tuple[Card, ...], kind: int) -> int:
    return sum(1 << face_of(card) for card in hand if back_of(card) == kind)


def _follow(places: "NDArray[np.intp]", onward: "NDArray[np.intp]") -> "NDArray[np.intp]":
    """Two maps one after the other."""
    return np.where(places == GONE, GONE, onward[places])


def _put(tables: tuple[TypeTable, ...], axis: int, table: TypeTable) -> tuple[TypeTable, ...]:
    return (*tables[:axis], table, *tables[axis + 1 :])
