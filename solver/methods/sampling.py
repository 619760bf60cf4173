"""Estimates from deals drawn at random, with intervals that may be believed.

All moves are tried on the same deals, so that luck cancels out of their differences. The first quarter of each
batch decides: which moves are so clearly worse that they are dropped, and when the best one is separated. The rest,
which had no say in that, is what is reported: its 95% intervals hold although the number of deals was not fixed
beforehand. The value of the best move has a wider interval, because it is the highest of several that vary.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.intervals import half_width
from solver.shortcuts import Evaluator
from solver.solution import MoveValue, Value, order_moves
from solver.watch import Watch

DOUBT = 0.05
"""One less the confidence of every interval."""
DECIDING = 4
"""One deal in so many decides."""
FIRST = 64
"""The size of the first batch; each later one is as large as all before it together."""
ENOUGH = 2048
"""No move is dropped before so many deals, or half of the time: all of them are to have a value worth telling."""
MOST_BATCHES = 20
"""More doublings than any budget allows."""
CHUNK_SECONDS = 0.1
CHUNK = 256
"""Deals looked at in one go where their number was fixed: the same seed must draw the same deals."""
RESERVED = 0.15
"""The part of the time kept for how games end, beside what moves are worth."""
MOST_SHARES = 4096


@dataclass(frozen=True, slots=True)
class Estimate:
    """What sampling has found so far: moves best first, those that may be best, and how many deals were looked at."""

    moves: tuple[MoveValue, ...]
    best: tuple[Hashable, ...]
    value: Value
    """Of the best move, allowing for its having been picked from all that are still in the race."""
    sampled: int
    reported: int
    """Those of them that the values come from."""


class Tally:
    """Running sums over deals. An entry [i, j] is about move i, over the deals that move j was tried on as well."""

    def __init__(self, moves: int, spread: float) -> None:
        self._spread = spread
        self.number, self._sums, self._squares, self._products = np.zeros((4, moves, moves))

    def add(self, moves: Sequence[int], values: NDArray[np.float64]) -> None:
        both = np.ix_(moves, moves)
        self.number[both] += len(values)
        self._sums[both] += values.sum(axis=0)[:, None]
        self._squares[both] += (values**2).sum(axis=0)[:, None]
        self._products[both] += values.T @ values

    def mean(self, move: int) -> float:
        return float(self._sums[move, move] / max(1.0, self.number[move, move]))

    def half_width(self, move: int, doubt: float = DOUBT) -> float:
        """Of the interval around the mean."""
        sums, squares = self._sums[move, move], self._squares[move, move]
        return _width(self.number[move, move], sums, squares, self._spread, doubt)

    def separates(self, better: int, worse: int, doubt: float) -> bool:
        """Whether the one is clearly ahead on the deals that both were tried on."""
        number = self.number[better, worse]
        ahead = self._sums[better, worse] - self._sums[worse, better]
        squares = self._squares[better, worse] + self._squares[worse, better] - 2 * self._products[better, worse]
        return bool(ahead > number * _width(number, ahead, squares, 2 * self._spread, doubt))


def _width(number: float, total: float, squares: float, spread: float, doubt: float) -> float:
    variance = max(0.0, squares - total * total / max(1.0, number)) / max(1.0, number - 1)
    return half_width(float(number), float(variance), spread, doubt)


class Race:
    """Moves tried on deals until the best one is separated, the deals are used up, or time is over."""

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        samples: int | None,
        seed: int,
        watch: Watch,
        tell: Callable[[Estimate, float], None],
    ) -> None:
        self._evaluator = evaluator
        self._samples = samples
        self._watch = watch
        self._tell = tell
        self._rng = np.random.default_rng(seed)
        self._running = list(range(len(evaluator.moves)))
        self._deciding = Tally(len(evaluator.moves), evaluator.spread)
        self._reported = Tally(len(evaluator.moves), evaluator.spread)
        self._sampled = 0
        with watch.uncounted():
            warm_up(evaluator)
        self._seconds = evaluator.seconds

    def run(self) -> Estimate:
        size = FIRST
        while not self._over():
            self._batch(size if self._samples is None else min(size, self._samples - self._sampled))
            if self._sampled >= ENOUGH or (self._samples is None and self._watch.seconds > self._watch.remaining):
                self._drop()
            if len(self._running) == 1 and self._samples is None:
                break
            size = self._sampled
        return self.estimate()

    def _over(self) -> bool:
        return self._late() or (self._samples is not None and self._sampled >= self._samples)

    def _late(self) -> bool:
        """Told to stop or out of time, once there is anything to tell."""
        return bool(self._reported.number.any()) and (self._watch.stopped or self._watch.remaining <= 0)

    def _batch(self, number: int) -> None:
        """Deciding deals first; in chunks, so that a stop is soon noticed."""
        deciding = -(-number // DECIDING) if number > 1 else 0
        for tally, part in ((self._deciding, deciding), (self._reported, number - deciding)):
            left = part
            while left and not self._late():
                chunk = min(left, self._chunk())
                deals = self._evaluator.draw(self._rng, chunk)
                begin = self._watch.seconds
                values = self._evaluator.values(deals, self._running) / self._evaluator.scale
                self._seconds = max(1e-7, (self._watch.seconds - begin) / chunk)
                tally.add(self._running, values)
                self._sampled += chunk
                left -= chunk
                self._tell(self.estimate(), self._done())

    def _chunk(self) -> int:
        return CHUNK if self._samples is not None else max(4, min(4096, int(CHUNK_SECONDS / self._seconds)))

    def _done(self) -> float:
        if self._samples is not None:
            return self._sampled / self._samples
        spent = self._watch.seconds
        return spent / max(spent, spent + self._watch.remaining)

    def _drop(self) -> None:
        """Give up moves that the deciding deals show to be worse than the best one."""
        leader = max(self._running, key=self._deciding.mean)
        doubt = DOUBT / (MOST_BATCHES * max(1, len(self._evaluator.moves) - 1))
        self._running = [move for move in self._running if not self._deciding.separates(leader, move, doubt)]

    def estimate(self) -> Estimate:
        """A move that was dropped never comes first: its mean, from fewer deals, may be a lucky one."""
        moves, tally = self._evaluator.moves, self._reported
        found = [
            MoveValue(move, Value.about(tally.mean(number), tally.half_width(number)))
            for number, move in enumerate(moves)
        ]
        leader = max(self._running, key=tally.mean)
        others = order_moves([each for number, each in enumerate(found) if number != leader])
        ordered = (found[leader], *others)
        doubt = DOUBT / max(1, len(moves) - 1)
        equal = {moves[number] for number in self._running if not tally.separates(leader, number, doubt)}
        best = tuple(each.move for each in ordered if each.move in equal)
        value = Value.about(tally.mean(leader), tally.half_width(leader, DOUBT / len(self._running)))
        return Estimate(ordered, best, value, self._sampled, int(tally.number.max()))


def warm_up(evaluator: Evaluator) -> None:
    """Have everything compiled."""
    deals = evaluator.draw(np.random.default_rng(0), 1)
    evaluator.values(deals, range(len(evaluator.moves)))


def sample_shares(evaluator: Evaluator, *, most: int, seed: int, watch: Watch) -> tuple[NDArray[np.float64], int]:
    """How games end after each move, [move, share], and from how many deals: as many as time allows, at least one."""
    rng = np.random.default_rng(seed)
    everyone = range(len(evaluator.moves))
    with watch.uncounted():
        evaluator.shares(evaluator.draw(np.random.default_rng(0), 1), everyone)
    total = np.zeros((len(everyone), len(evaluator.share_names)))
    number, chunk = 0, 1
    while not number or (number < most and not watch.stopped and watch.remaining > 0):
        chunk = min(2 * chunk, CHUNK, most - number)
        total += evaluator.shares(evaluator.draw(rng, chunk), everyone).sum(axis=0)
        number += chunk
    return total / number, number
