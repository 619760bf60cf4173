"""Estimates keep their promises: intervals cover, worse moves are dropped, the same seed gives the same answer."""

from collections.abc import Hashable, Sequence
from math import comb
from statistics import fmean, variance
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.intervals import half_width
from solver.methods.sampling import DOUBT, Estimate, Race, Tally, sample_shares
from solver.watch import Watch


class Urn:
    """An evaluator whose moves win (1), draw (0) or lose (-1) with known chances, on common luck."""

    scale = 2
    spread = 2.0
    seconds = 1e-6
    share_names = ("win", "loss")

    def __init__(self, *chances: tuple[float, float]) -> None:
        self._chances = chances
        self.tried = np.zeros(len(chances), int)

    @property
    def moves(self) -> Sequence[Hashable]:
        return [f"move {number}" for number in range(len(self._chances))]

    @property
    def means(self) -> list[float]:
        return [win - loss for win, loss in self._chances]

    def draw(self, rng: np.random.Generator, number: int) -> NDArray[np.float64]:
        return rng.random(number)

    def values(self, deals: Any, moves: Sequence[int]) -> NDArray[np.int64]:
        self.tried[list(moves)] += len(deals)
        rows = [(deals < self._chances[m][0]).astype(int) - (deals > 1 - self._chances[m][1]) for m in moves]
        return self.scale * np.stack(rows, axis=1).astype(np.int64)

    def shares(self, deals: Any, moves: Sequence[int]) -> NDArray[np.float64]:
        results = self.values(deals, moves)
        return np.stack((results > 0, results < 0), axis=2).astype(np.float64)


class Apart(Urn):
    """The same with luck of its own for every move."""

    def draw(self, rng: np.random.Generator, number: int) -> NDArray[np.float64]:
        return rng.random((number, len(self.moves)))

    def values(self, deals: Any, moves: Sequence[int]) -> NDArray[np.int64]:
        return np.concatenate([Urn.values(self, deals[:, move], [move]) for move in moves], axis=1)


def race(urn: Urn, *, samples: int | None = None, seed: int = 0, budget: float | None = None) -> Estimate:
    return Race(urn, samples=samples, seed=seed, watch=Watch(budget), tell=lambda *_: None).run()


def test_intervals_contain_the_truth_about_as_often_as_they_say() -> None:
    """Also where the best move was separated early, which is when naive intervals fail."""
    covered, looks = 0, 0
    for seed in range(400):
        urn = Urn((0.5, 0.4), (0.45, 0.4), (0.2, 0.7))
        estimate = race(urn, seed=seed, samples=1_000) if seed % 2 else race(urn, seed=seed, budget=5.0)
        for found in estimate.moves:
            looks += 1
            truth = urn.means[list(urn.moves).index(found.move)]
            covered += abs(found.value.number - truth) <= found.value.error
    assert 0.93 < covered / looks < 0.985


def test_a_move_that_is_clearly_worse_is_dropped_and_the_best_one_is_named() -> None:
    urn = Urn((0.6, 0.3), (0.1, 0.8), (0.2, 0.7))
    estimate = race(urn, seed=3, budget=30.0)
    assert estimate.best == ("move 0",)
    assert estimate.moves[0].move == "move 0"
    equal = Urn((0.6, 0.3), (0.6, 0.3), (0.1, 0.8))
    assert set(race(equal, samples=20_000).best) == {"move 0", "move 1"}
    assert equal.tried[2] < equal.tried[0]


def test_a_dropped_move_never_comes_first() -> None:
    """Its mean comes from fewer deals, and may be a lucky one."""
    for seed in range(60):
        urn = Urn((0.6, 0.35), (0.58, 0.35), *[(0.2, 0.75)] * 12)
        estimate = race(urn, samples=8_000, seed=seed)
        stayed = {f"move {number}" for number in np.flatnonzero(urn.tried == urn.tried.max())}
        assert len(stayed) < 14
        assert estimate.moves[0].move in stayed
        assert estimate.best[0] == estimate.moves[0].move
        assert set(estimate.best) <= stayed


def test_the_value_of_the_best_move_allows_for_its_having_been_picked() -> None:
    covered = 0
    for seed in range(300):
        estimate = race(Apart(*[(0.4, 0.4)] * 9), samples=1_000, seed=seed)
        covered += abs(estimate.value.number) <= estimate.value.error
    assert covered / 300 > 0.93


def test_the_same_seed_and_number_give_the_same_estimate() -> None:
    def chances() -> Urn:
        return Urn((0.5, 0.4), (0.49, 0.4), (0.3, 0.3))

    first, again, other = (race(chances(), samples=3_000, seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first.moves != other.moves
    assert first.sampled == 3_000


@pytest.mark.parametrize("samples", [1, 2, 3, 63, 64, 65, 1_000])
def test_as_many_deals_are_looked_at_as_were_asked_for(samples: int) -> None:
    urn = Urn((0.5, 0.4), (0.2, 0.7))
    estimate = race(urn, samples=samples)
    assert estimate.sampled == samples
    assert urn.tried[0] == samples + 1  # one to have everything compiled
    assert 0 < estimate.reported <= samples


def test_values_that_never_differed_still_have_an_error() -> None:
    urn = Urn((1.0, 0.0), (0.0, 1.0))
    estimate = race(urn, samples=1_000)
    for found in estimate.moves:
        assert found.value.error >= 3 * urn.spread / estimate.reported  # the rule of three
    assert race(urn, samples=1).moves[0].value.error == urn.spread


def test_a_tally_equals_the_textbook() -> None:
    rng = np.random.default_rng(5)
    values = rng.uniform(-1, 1, size=(500, 2))
    tally = Tally(2, spread=2.0)
    for part in np.array_split(values, 7):
        tally.add([0, 1], part)
    for move in range(2):
        column = values[:, move].tolist()
        assert tally.mean(move) == pytest.approx(fmean(column))
        assert tally.half_width(move) == pytest.approx(half_width(500, variance(column), 2.0, DOUBT))
    differences = (values[:, 0] - values[:, 1]).tolist()
    width = half_width(500, variance(differences), 4.0, 0.5)
    assert tally.separates(0, 1, 0.5) == (fmean(differences) > width)
    assert tally.separates(1, 0, 0.5) == (-fmean(differences) > width)


@pytest.mark.parametrize("number", [10, 24, 48, 96, 192, 750])
def test_an_interval_covers_shares_of_any_size(number: int) -> None:
    """Computed from the binomial distribution, not simulated: the normal interval falls to 88% here."""
    for share in (0.005, 0.01, 0.026, 0.066, 0.105, 0.21, 0.35, 0.5, 0.8, 0.97):
        covered = 0.0
        for hits in range(number + 1):
            mean = hits / number
            error = half_width(number, mean * (1 - mean) * number / (number - 1), 1.0, DOUBT)
            if abs(mean - share) <= error:
                covered += comb(number, hits) * share**hits * (1 - share) ** (number - hits)
        assert covered > 0.945


def test_moves_are_compared_on_the_deals_both_were_tried_on() -> None:
    tally = Tally(2, spread=1.0)
    tally.add([0, 1], np.tile([[0.0, 1.0]], (200, 1)))
    tally.add([0], np.ones((10_000, 1)))
    assert tally.mean(0) > 0.97
    assert tally.separates(1, 0, DOUBT)
    assert not tally.separates(0, 1, DOUBT)


def test_a_stop_ends_the_race_with_what_there_is() -> None:
    urn = Urn((0.5, 0.4), (0.5, 0.4))
    watch = Watch()
    told: list[int] = []

    def tell(estimate: Estimate, done: float) -> None:
        told.append(estimate.sampled)
        if estimate.sampled > 500:
            watch.stop()

    estimate = Race(urn, samples=None, seed=0, watch=watch, tell=tell).run()
    assert told == sorted(told)
    assert estimate.sampled == told[-1]


def test_shares_are_means_over_deals() -> None:
    urn = Urn((0.5, 0.4), (0.2, 0.7))
    shares, number = sample_shares(urn, most=2_000, seed=1, watch=Watch())
    assert number == 2_000
    assert shares == pytest.approx(np.array([[0.5, 0.4], [0.2, 0.7]]), abs=0.05)
    stopped = Watch()
    stopped.stop()
    assert sample_shares(urn, most=2_000, seed=1, watch=stopped)[1] > 0
