"""All deals at once, by a game's own search of single deals: those that nothing can tell apart are looked at once."""

from fractions import Fraction

from solver.shortcuts import DealSearch, Size
from solver.solution import MoveValue, Value
from solver.watch import Progress, Watch

BATCH = 1024
HOPELESS = 1e9
"""Seconds for all deals one by one, beyond which their classes are not even counted."""


class Enumeration:
    """Every class of deals, weighted by how many it stands for."""

    def __init__(self, search: DealSearch, deals: int) -> None:
        self._search = search
        self._deals = deals

    def load(self) -> None:
        pass  # its batches are short, and time for compiling does not count

    @property
    def size(self) -> Size:
        """By classes, unless there are so many deals that merging them could not help."""
        if self._deals * self._search.class_seconds > HOPELESS:
            return Size(f"{self._deals:,} deals", self._deals * self._search.class_seconds)
        classes = self._search.classes
        return Size(f"{classes:,} classes of deals", classes * self._search.class_seconds)

    def run(self, watch: Watch) -> tuple[MoveValue, ...]:
        search, names = self._search, self._search.share_names
        everyone = range(len(search.moves))
        totals = [0] * len(search.moves)
        endings = [[0] * len(names) for _ in everyone]
        done = 0
        for deals, numbers in search.all_classes(BATCH):
            watch.check()
            watch.tell(Progress("going through all deals", done / max(1, search.classes)))
            values = search.values(deals, everyone)
            shares = search.exact_shares(deals, everyone)
            weights = [int(number) for number in numbers]
            for move in everyone:
                totals[move] += _weigh(weights, values[:, move].tolist())
                for share in range(len(names)):
                    endings[move][share] += _weigh(weights, shares[:, move, share].tolist())
            done += len(weights)
        whole = self._deals * search.scale
        return tuple(
            MoveValue(
                move,
                Value.exactly(Fraction(total, whole)),
                {name: number / whole for name, number in zip(names, ending, strict=True)},
            )
            for move, total, ending in zip(search.moves, totals, endings, strict=True)
        )


def _weigh(weights: list[int], values: list[int]) -> int:
    """Whole numbers of any size: there may be more deals than fit a machine word."""
    return sum(weight * value for weight, value in zip(weights, values, strict=True))
