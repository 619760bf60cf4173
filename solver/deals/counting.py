"""How many deals there are, and exact probabilities over them. Every deal is equally likely."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import factorial, prod

from solver.cards import Card
from solver.deals.filling import Filling
from solver.deals.pools import Pool


def count_pool(pool: Pool) -> int:
    """The number of ways to fill one pool's cells as its statements allow."""
    if not pool.statements:
        return factorial(len(pool.cards)) // prod(factorial(cell.size) for cell in pool.cells)
    return sum(Filling(pool).totals().values())


def count_deals(pools: Iterable[Pool]) -> int:
    """The number of deals: pools are independent, so theirs multiply."""
    return prod(count_pool(pool) for pool in pools)


def count_totals(pool: Pool, weights: Sequence[int], worth: Mapping[Card, int]) -> dict[int, int]:
    """The number of ways to fill the pool by the sum of `weight of the cell * worth of the card`."""
    return Filling(pool, weights, worth).totals()


def marginals(pool: Pool) -> tuple[dict[Card, Fraction], ...]:
    """For each cell, the chance of each card to be the one picked at random from it (never 0; empty cells: {})."""
    filling = Filling(pool)
    ways = filling.before[-1].get(filling.end, 0)
    chances: list[dict[Card, Fraction]] = [{} for _ in filling.bins]
    for laid, card in enumerate(pool.cards):
        into = [0] * len(filling.bins)
        for stage, reached in filling.before[laid].items():
            for index, after in filling.steps(stage, card):
                into[index] += reached * filling.after[laid + 1].get(after, 0)
        for index, number in enumerate(into):
            if number:
                chances[index][card] = Fraction(number, ways * filling.bins[index].room)
    cells: list[dict[Card, Fraction]] = [{} for _ in pool.cells]
    for chance, merged in zip(chances, filling.bins, strict=True):
        for cell, size in zip(merged.cells, merged.sizes, strict=True):
            cells[cell] = dict(chance) if size else {}
    return tuple(cells)
