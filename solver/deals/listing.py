"""Deals one by one: all of them in a defined order, or some of them at random."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import TypeVar

from solver.deals.filling import Filling
from solver.deals.pools import Deal, Pool, PoolDeal
from solver.errors import ImpossibleError

Choice = TypeVar("Choice")


def list_pool(pool: Pool) -> Iterator[PoolDeal]:
    """All ways to fill the pool's cells, in lexicographic order of the cells' cards."""
    yield from _fill_from(pool, 0, tuple(sorted(pool.cards)))


def _fill_from(pool: Pool, cell: int, left: tuple[int, ...]) -> Iterator[PoolDeal]:
    if cell == len(pool.cells):
        yield ()
        return
    for cards in combinations(left, pool.cells[cell].size):
        if pool.allows(cell, cards):
            rest = tuple(card for card in left if card not in cards)
            for others in _fill_from(pool, cell + 1, rest):
                yield (cards, *others)


def list_deals(pools: Sequence[Pool]) -> Iterator[Deal]:
    """All deals, the last pool changing fastest. See `count_deals` before asking for all of them."""
    return product(*(tuple(list_pool(pool)) for pool in pools))


class Sampler:
    """Draws deals uniformly, independently of each other."""

    def __init__(self, pools: Sequence[Pool], rng: Random) -> None:
        self._fillings = tuple(Filling(pool) for pool in pools)
        self._rng = rng
        for filling in self._fillings:
            if not filling.before[-1].get(filling.end):
                raise ImpossibleError(f"no deal of the hidden {filling.pool.name} cards fits")

    def draw(self) -> Deal:
        return tuple(self._draw_pool(filling) for filling in self._fillings)

    def _draw_pool(self, filling: Filling) -> PoolDeal:
        """Lay card by card, each choice weighted by the number of ways to go on, then split the bins."""
        bins: list[list[int]] = [[] for _ in filling.bins]
        stage = filling.start
        for laid, card in enumerate(filling.pool.cards):
            steps = filling.steps(stage, card)
            ways = [filling.after[laid + 1].get(after, 0) for _, after in steps]
            index, stage = _pick(self._rng, steps, ways)
            bins[index].append(card)
        cells: list[tuple[int, ...]] = [()] * len(filling.pool.cells)
        for cards, merged in zip(bins, filling.bins, strict=True):
            self._rng.shuffle(cards)
            for cell, size in zip(merged.cells, merged.sizes, strict=True):
                cells[cell] = tuple(sorted(cards[:size]))
                del cards[:size]
        return tuple(cells)


def _pick(rng: Random, choices: Sequence[Choice], ways: Sequence[int]) -> Choice:
    """One of the choices, as often as it has ways. Whole numbers of any size, so no rounding."""
    number = rng.randrange(sum(ways))
    for choice, share in zip(choices, ways, strict=True):
        if number < share:
            return choice
        number -= share
    raise AssertionError("the number is below the sum of all ways")
