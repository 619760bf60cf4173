"""Deals that no remaining choice can tell apart, merged: each class once, with the number of deals it stands for.

What can still matter of a type's hidden cards: who that has a turn left holds which, which lie in the pile, and of a
column its total, for a loot its number of cards, and its last card while dynamite can still be laid on it. Types do
not mix, so each type is merged by itself and all combinations are classes.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import face_of, make_card
from solver.deals import count_pool, list_pool
from solver.errors import TooLargeError
from solver.games.blasting_billy.deck import DYNAMITE
from solver.games.blasting_billy.search.layout import BILLY, BOX, HAND, LOOT, PILE, HiddenType, Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_STAGES = 30_000
"""A type with more stages than this while it is being merged is not merged."""
MOST_PLAIN = 200_000
"""Deals of a type that are listed one by one where they cannot be merged."""
MOST_CLASSES = 10**8
"""Once there are more classes than this, types that are left are not merged either: nobody will go through them."""

Column = tuple[int, int, int]
"""Total, number of cards, and the worth of the last card."""
Stage = tuple[tuple[int, ...], tuple[object, ...]]
"""The faces that are left to lay, and what matters of those laid."""
Ways = dict[Stage, tuple[int, tuple[tuple[int, tuple[int, ...]], ...]]]
"""In how many ways each stage is reached, and one of them: faces by cell."""


class _TooManyError(Exception):
    """Too many stages."""


class DealClasses:
    """The classes of a layout's deals."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @cached_property
    def number(self) -> int:
        """How many classes there are; where a type was not merged, each of its deals counts."""
        return prod(
            count_pool(hidden.pool) if merged is None else len(merged[1])
            for hidden, merged in zip(self._layout.hidden, self._merged, strict=True)
        )

    @cached_property
    def _merged(self) -> "list[tuple[NDArray[np.int8], list[int]] | None]":
        """The classes of each type with hidden cards; small types are merged first."""
        types, classes = self._layout.hidden, 1
        sizes = [count_pool(hidden.pool) for hidden in types]
        result: list[tuple[NDArray[np.int8], list[int]] | None] = [None] * len(types)
        for number in sorted(range(len(types)), key=sizes.__getitem__):
            if classes <= MOST_CLASSES:
                found = _TypeClasses(self._layout, types[number]).listed()
                if found is None and sizes[number] <= MOST_PLAIN:
                    found = _list_plainly(types[number])
                result[number] = found
                classes *= sizes[number] if found is None else len(found[1])
        return result

    def batches(self, most: int) -> "Iterator[tuple[NDArray[np.int8], NDArray[np.int64]]]":
        """All classes in batches of at most so many: one deal of each, and how many it stands for."""
        layout = self._layout
        listed = [merged for merged in self._merged if merged is not None]
        if len(listed) < len(layout.hidden) or self.number >= 2**62:
            raise TooLargeError(f"the hidden cards can lie in {self.number:,} ways that matter: too many to list")
        sizes = tuple(len(weights) for _, weights in listed)
        kind = object if prod(max(weights) for _, weights in listed) >= 2**62 else np.int64
        for first in range(0, self.number, most):
            indices = np.arange(first, min(first + most, self.number))
            deals = np.empty((len(indices), *layout.faces.shape), np.int8)
            deals[:] = layout.faces
            numbers = np.ones(len(indices), kind)
            places = np.unravel_index(indices, sizes) if sizes else ()
            for hidden, (rows, weights), place in zip(layout.hidden, listed, places, strict=True):
                deals[:, hidden.kind, hidden.slots] = rows[place]
                numbers *= np.array(weights, kind)[place]
            yield deals, numbers


def _list_plainly(hidden: HiddenType) -> "tuple[NDArray[np.int8], list[int]]":
    """Every deal of a type as a class of its own."""
    rows = [[face_of(card) for cell in deal for card in cell] for deal in list_pool(hidden.pool)]
    return np.array(rows, np.int8), [1] * len(rows)


class _TypeClasses:
    """The classes of one type: cells are filled one after the other, and stages that are alike are merged."""

    def __init__(self, layout: Layout, hidden: HiddenType) -> None:
        self._hidden = hidden
        self._zones = layout.zones[hidden.kind]
        self._faces = layout.faces[hidden.kind]
        position = layout.position
        self._active = [position.size > 0 or len(hand) == position.deck.hand for hand in position.hands]
        self._cells = sorted(range(len(hidden.cells)), key=self._turn)

    def _zone(self, cell: int) -> int:
        return int(self._zones[self._hidden.cells[cell][0]])

    def _plays(self, zone: int) -> bool:
        """Whether it is the hand of a player with a turn left."""
        return zone < LOOT and self._active[zone - HAND]

    def _turn(self, cell: int) -> tuple[int, int]:
        """First what decides whether dynamite can come, then columns, then what no longer matters."""
        zone = self._zone(cell)
        group = 0 if self._plays(zone) or zone == PILE else 1 if LOOT <= zone <= BILLY else 3 if zone == BOX else 2
        return group, cell

    def listed(self) -> "tuple[NDArray[np.int8], list[int]] | None":
        """A row of faces for the open slots of each class, and its number of deals; None: too many."""
        ways: Ways = {(tuple(sorted(map(int, self._hidden.unseen))), ()): (1, ())}
        try:
            for cell in self._cells:
                ways = self._fill(ways, cell)
        except _TooManyError:
            return None
        rows = [[face for _, faces in sorted(laid) for face in faces] for _, laid in ways.values()]
        return np.array(rows, np.int8), [number for number, _ in ways.values()]

    def _fill(self, ways: Ways, cell: int) -> Ways:
        kind, pool, size = self._hidden.kind, self._hidden.pool, len(self._hidden.cells[cell])
        known = any(statement.cell == cell for statement in pool.statements)
        result: Ways = {}
        for (left, matters), (number, laid) in ways.items():
            for faces in combinations(left, size):
                if known and not pool.allows(cell, tuple(make_card(kind, face) for face in faces)):
                    continue
                rest = tuple(face for face in left if face not in faces)
                stage = (rest, self._after(matters, cell, faces))
                before = result.get(stage)
                if before is None:
                    result[stage] = number, (*laid, (cell, faces))
                else:
                    result[stage] = before[0] + number, before[1]
            if len(result) > MOST_STAGES:
                raise _TooManyError
        return result

    def _after(self, matters: tuple[object, ...], cell: int, faces: tuple[int, ...]) -> tuple[object, ...]:
        zone = self._zone(cell)
        if self._plays(zone) or zone == PILE:
            return (*matters, (zone, faces))
        if not LOOT <= zone <= BILLY:
            return matters
        *others, held = matters if matters and self._begun(cell) else (*matters, None)
        return (*others, self._lay(matters, held, cell, faces[0]))

    def _begun(self, cell: int) -> bool:
        """Whether an earlier open slot belongs to the same column."""
        return any(self._zone(other) == self._zone(cell) for other in range(cell))

    def _lay(self, matters: tuple[object, ...], held: object, cell: int, face: int) -> Column:
        """The column up to its next open slot, or all of it without what can no longer matter."""
        zone, slot = self._zone(cell), self._hidden.cells[cell][0]
        slots = [other for other in range(len(self._zones)) if self._zones[other] == zone]
        if isinstance(held, tuple):
            column: Column = held
        else:
            column = (0, 0, 0)
            for other in slots[: slots.index(slot)]:
                column = _place(column, int(self._faces[other]))
        column = _place(column, face)
        for other in slots[slots.index(slot) + 1 :]:
            if other in self._hidden.slots:
                return column
            column = _place(column, int(self._faces[other]))
        total, cards, last = column
        return total, 0 if zone == BILLY else cards, last if self._dynamite_can_come(matters, zone) else 0

    def _dynamite_can_come(self, matters: tuple[object, ...], zone: int) -> bool:
        """Whether the type's dynamite may still be laid on a column: from the pile, or from a hand."""
        found = [int(spot) for spot, face in zip(self._zones, self._faces, strict=True) if face == DYNAMITE]
        for entry in matters:
            if isinstance(entry, tuple) and len(entry) == 2 and DYNAMITE in entry[1]:
                found.append(entry[0])
        owner = zone - LOOT + HAND
        return any(spot == PILE or (self._plays(spot) and (zone == BILLY or spot == owner)) for spot in found)


def _place(column: Column, face: int) -> Column:
    total, cards, last = column
    return (total - last, max(0, cards - 1), 0) if face == DYNAMITE else (total + face, cards + 1, face)
