"""Counting the ways to fill a pool's cells, without listing them.

Cells that no statement (and no weight) tells apart are filled as one *bin*. Cards are then laid one after the
other, and all that matters of the cards already laid is how much room each bin has left and which "some card"
statements are still open: a few thousand stages for a pool that has 12! arrangements. The number of ways is an
int of any size; with weights it is a whole polynomial packed into one int, a field for each total.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod

from solver.cards import Card
from solver.deals.pools import Pool

Stage = tuple[int, ...]
"""The room left in each bin, and last the open `some` statements as bits."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Cells filled as one: the cards they may hold, and the `some` statements they can settle, as bits."""

    cells: tuple[int, ...]
    sizes: tuple[int, ...]
    allowed: frozenset[Card]
    settles: tuple[tuple[int, frozenset[Card]], ...]
    weight: int

    @property
    def room(self) -> int:
        return sum(self.sizes)

    @property
    def splits(self) -> int:
        """In how many ways the bin's cards can be split among its cells."""
        return factorial(self.room) // prod(map(factorial, self.sizes))


def make_bins(pool: Pool, weights: Sequence[int]) -> tuple[Bin, ...]:
    """The pool's cells, merged where statements and weights are the same."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    allowed: list[frozenset[Card]] = []
    settles: list[tuple[tuple[int, frozenset[Card]], ...]] = []
    for index in range(len(pool.cells)):
        known = [(bit, s) for bit, s in enumerate(pool.statements) if s.cell == index]
        may = frozenset(pool.cards).intersection(*(s.cards for _, s in known if s.every))
        must = tuple((1 << bit, s.cards) for bit, s in known if not s.every)
        allowed.append(may)
        settles.append(must)
        groups[(may, weights[index], index if must else None)].append(index)
    return tuple(
        Bin(
            cells=tuple(cells),
            sizes=tuple(pool.cells[index].size for index in cells),
            allowed=allowed[cells[0]],
            settles=settles[cells[0]],
            weight=weights[cells[0]],
        )
        for cells in groups.values()
    )


class Filling:
    """All ways to fill the cells of a pool; `weights` count how a card's worth in a cell adds to the total."""

    def __init__(
        self, pool: Pool, weights: Sequence[int] | None = None, worth: Mapping[Card, int] | None = None
    ) -> None:
        self.pool = pool
        self.bins = make_bins(pool, weights or (0,) * len(pool.cells))
        self._worth = {card: worth[card] if worth else 0 for card in pool.cards}
        open_bits = sum(1 << bit for bit, s in enumerate(pool.statements) if not s.every)
        self.start: Stage = (*(b.room for b in self.bins), open_bits)
        self.end: Stage = (0,) * (len(self.bins) + 1)
        self._field = factorial(len(pool.cards)).bit_length()
        lowest = min((b.weight for b in self.bins), default=0)
        highest = max((b.weight for b in self.bins), default=0)
        self._floor = {
            card: min(lowest * worth, highest * worth) for card, worth in self._worth.items()
        }  # each card's smallest part of a total, so that no shift is negative

    def steps(self, stage: Stage, card: Card) -> list[tuple[int, Stage]]:
        """The bins that can take the card at this stage, each with the stage that follows."""
        result = []
        for index, into in enumerate(self.bins):
            if stage[index] and card in into.allowed:
                after = list(stage)
                after[index] -= 1
                for bit, wanted in into.settles:
                    if card in wanted:
                        after[-1] &= ~bit
                result.append((index, tuple(after)))
        return result

    @cached_property
    def before(self) -> list[dict[Stage, int]]:
        """For each number of cards laid: the stages reached, and in how many ways (or their polynomials)."""
        layers: list[dict[Stage, int]] = [{self.start: 1}]
        for card in self.pool.cards:
            layer: dict[Stage, int] = defaultdict(int)
            worth, floor = self._worth[card], self._floor[card]
            shifts = [self._field * (b.weight * worth - floor) for b in self.bins]
            for stage, ways in layers[-1].items():
                for index, after in self.steps(stage, card):
                    layer[after] += ways << shifts[index]
            layers.append(layer)
        return layers

    @cached_property
    def after(self) -> list[dict[Stage, int]]:
        """For each number of cards laid: in how many ways the cards still to come complete each stage."""
        layers: list[dict[Stage, int]] = [{self.end: 1}]
        for position, card in reversed(list(enumerate(self.pool.cards))):
            later = layers[-1]
            layers.append(
                {
                    stage: sum(later.get(after, 0) for _, after in self.steps(stage, card))
                    for stage in self.before[position]
                }
            )
        return layers[::-1]

    @property
    def splits(self) -> int:
        return prod(b.splits for b in self.bins)

    def totals(self) -> dict[int, int]:
        """The number of ways by total, in rising order."""
        packed = self.before[-1].get(self.end, 0)
        total = sum(self._floor.values())
        mask = (1 << self._field) - 1
        result = {}
        while packed:
            if packed & mask:
                result[total] = (packed & mask) * self.splits
            packed >>= self._field
            total += 1
        return result
