"""A position as arrays: a slot for each card of the deck, by type, and the hidden faces dealt into the open slots.

Every array has a row for each of the five types and `SLOTS` columns. The slots of a type stand in the order in which
deals are listed: hands by player, loots by player, Billy's column, the box, the pile. Cards of a column are in the
order in which they were laid. Slots beyond a reduced deck's cards are ABSENT.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import HIDDEN, back_of, face_of
from solver.deals import Pool, PoolDeal, Sampler, count_pool, list_pool
from solver.games.blasting_billy.deck import NAMES, TYPES
from solver.games.blasting_billy.hidden import hidden_pools, places
from solver.games.blasting_billy.table import Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLOTS = 12
"""The cards of a type."""

ABSENT = -1
"""The zone and face of a slot that a reduced deck has no card for; also the owner of a card nobody remembers."""
HAND = 0
"""The zone of player 0's hand; player p's is HAND + p."""
LOOT = 5
"""The zone of player 0's loot; player p's is LOOT + p."""
BILLY = 10
BOX = 11
"""Dumped and removed cards."""
PILE = 12

RAREST = 1 / 64
"""Deals that facts rule out are drawn and thrown away as long as at least so many of them fit."""
MOST_LISTED = 20_000


class Layout:
    """Where the cards of a position lie, and uniform deals of those that are hidden."""

    zones: "NDArray[np.int8]"
    """[type, slot]: HAND + p, LOOT + p, BILLY, BOX, PILE or ABSENT."""
    places: "NDArray[np.int8]"
    """[type, slot]: the card's number within its hand, column, box or pile, from 0."""
    owners: "NDArray[np.int8]"
    """[type, slot]: the player who knows a card: in the hand, in the loot, or whoever gave or dumped it; or ABSENT."""
    faces: "NDArray[np.int8]"
    """[type, slot]: 0 to 10, DYNAMITE, HIDDEN or ABSENT."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.zones, self.places, self.owners, self.faces = np.full((4, len(TYPES), SLOTS), ABSENT, np.int8)
        pools = {pool.name: pool for pool in hidden_pools(position)}
        hidden = []
        for kind in TYPES:
            cells = self._lay(kind)
            pool = pools.get(NAMES.backs[kind])
            if pool is not None:
                hidden.append(HiddenType(kind, pool, cells))
        self.hidden: tuple[HiddenType, ...] = tuple(hidden)
        """The types that have hidden cards."""

    def _lay(self, kind: int) -> tuple[tuple[int, ...], ...]:
        """Fill the row of a type; its open slots, by cell of the type's pool."""
        position, cells, slot = self.position, list[tuple[int, ...]](), 0
        for (zone, owners), place in zip(self._zones(kind), places(position, kind), strict=True):
            first = slot
            for number, (card, owner) in enumerate(zip(place.cards, owners, strict=True)):
                self.zones[kind, slot] = zone
                alone = zone >= LOOT and zone <= BILLY
                self.places[kind, slot] = self._laid_before(kind, zone, slot) if alone else number
                self.owners[kind, slot] = ABSENT if owner is None else owner
                self.faces[kind, slot] = face_of(card)
                slot += 1
            unseen = tuple(spot for spot in range(first, slot) if self.faces[kind, spot] == HIDDEN)
            if unseen:
                cells.append(unseen)
        return tuple(cells)

    def _laid_before(self, kind: int, zone: int, slot: int) -> int:
        return int(np.count_nonzero(self.zones[kind, :slot] == zone))

    def _zones(self, kind: int) -> Iterator[tuple[int, Sequence[int | None]]]:
        """The zone of each place of a type, and who knows its cards."""
        position = self.position
        for seat, hand in enumerate(position.hands):
            yield HAND + seat, [seat for card in hand if back_of(card) == kind]
        for seat, loot in enumerate(position.loots):
            for _ in loot[kind]:
                yield LOOT + seat, [seat]
        for laid in position.billy[kind]:
            yield BILLY, [laid.owner]
        dumped = [laid.owner for laid in position.dumped if back_of(laid.card) == kind]
        yield BOX, [*dumped, *(None for card in position.removed if back_of(card) == kind)]
        used = int(np.count_nonzero(self.zones[kind] != ABSENT))
        yield PILE, [None] * (len(position.deck.cards_of(kind)) - used)

    def sample(self, rng: np.random.Generator, number: int) -> "NDArray[np.int8]":
        """So many deals, uniform and independent: [deal, type, slot], with HIDDEN nowhere left.

        Within a hand, the box and the pile, every order of the hidden cards of a type is equally likely.
        """
        deals = np.empty((number, *self.faces.shape), np.int8)
        deals[:] = self.faces
        for hidden in self.hidden:
            deals[:, hidden.kind, hidden.slots] = hidden.sample(rng, number)
        return deals


class HiddenType:
    """The hidden cards of one type and the open slots they lie in."""

    def __init__(self, kind: int, pool: Pool, cells: tuple[tuple[int, ...], ...]) -> None:
        self.kind = kind
        self.pool = pool
        self.cells = cells
        """The open slots of each cell of the pool."""
        self.slots = np.array([slot for cell in cells for slot in cell], np.intp)
        """All open slots."""
        self.unseen = np.array([face_of(card) for card in pool.cards], np.int8)
        self._columns = _columns(cells)
        self._fitting = count_pool(pool) / count_pool(Pool(pool.name, pool.cards, pool.cells))
        self._listed: NDArray[np.int8] | None = None

    def sample(self, rng: np.random.Generator, number: int) -> "NDArray[np.int8]":
        """Faces for the open slots: [deal, open slot]."""
        if not self.pool.statements:
            return self._shuffle(rng, number)
        if self._fitting >= RAREST:
            return self._reject(rng, number)
        if count_pool(self.pool) <= MOST_LISTED:
            if self._listed is None:
                self._listed = self._rows(list_pool(self.pool))
            found = self._listed[rng.integers(len(self._listed), size=number)]
        else:
            sampler = Sampler((self.pool,), Random(int(rng.integers(2**63))))
            found = self._rows(sampler.draw()[0] for _ in range(number))
        for columns in self._columns:
            found[:, columns] = rng.permuted(found[:, columns], axis=1)
        return found

    def _shuffle(self, rng: np.random.Generator, number: int) -> "NDArray[np.int8]":
        return rng.permuted(np.tile(self.unseen, (number, 1)), axis=1)

    def _reject(self, rng: np.random.Generator, number: int) -> "NDArray[np.int8]":
        """Shuffles that break a statement are thrown away."""
        kept = [self.unseen[None, :][:0]]
        missing = number
        while missing:
            tried = self._shuffle(rng, int(1.1 * missing / self._fitting) + 8)
            fits = tried[self._fits(tried)][:missing]
            kept.append(fits)
            missing -= len(fits)
        return np.concatenate(kept)

    def _fits(self, rows: "NDArray[np.int8]") -> "NDArray[np.bool_]":
        result = np.ones(len(rows), np.bool_)
        for known in self.pool.statements:
            allowed = np.zeros(16, np.bool_)
            allowed[[face_of(card) for card in known.cards]] = True
            each = allowed[rows[:, self._columns[known.cell]]]
            result &= each.all(axis=1) if known.every else each.any(axis=1)
        return result

    def _rows(self, deals: "Iterator[PoolDeal]") -> "NDArray[np.int8]":
        return np.array([[face_of(card) for cell in deal for card in cell] for deal in deals], np.int8)


def _columns(cells: Sequence[Sequence[int]]) -> tuple[list[int], ...]:
    """The places of each cell's slots among all open slots."""
    result, first = [], 0
    for cell in cells:
        result.append(list(range(first, first + len(cell))))
        first += len(cell)
    return tuple(result)
