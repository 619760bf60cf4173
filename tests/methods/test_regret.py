"""Regret minimisation against the twin in fractions and published values."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest

from solver.methods._regret_kernel import minimize
from solver.methods.best_response import exploitability, float_game
from solver.methods.exact_lp import prove
from solver.methods.regret import VARIANTS, _memory, minimize_regret
from solver.methods.sequence_lp import solve_lp
from solver.watch import Watch
from tests.sequence_games import matrix_game, naive_value, poker, random_game


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(12))
def test_every_variant_closes_in_on_the_value_of_the_twin(variant: str, seed: int) -> None:
    game = random_game(seed, sets=3)
    value = float(naive_value(game))
    found = minimize_regret(game, variant=variant, target=1e-3, watch=Watch(20))
    assert found.high - found.low <= 1e-3
    assert found.low - 1e-9 <= value <= found.high + 1e-9
    assert exploitability(game, found.plans) == pytest.approx((found.low, found.high), abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_leduc_poker_comes_out_as_published(variant: str) -> None:
    # -0.085606424078 is the value that OpenSpiel's sequence-form LP test states for Leduc poker
    game = poker(3, suits=2, sizes=(2, 4), raises=2)
    found = minimize_regret(game, variant=variant, target=1e-3, watch=Watch())
    assert found.low <= -0.085606424078 <= found.high
    assert found.high - found.low <= 1e-3


def naive_rounds(rows: list[list[int]], variant: str, rounds: int) -> list[list[float]]:
    """The averages of a matrix game, straight from the papers' formulas, alternating, beginning uniform."""
    matrix = np.array(rows, float)
    gains = matrix, -matrix.T
    alpha, beta, gamma, predict = VARIANTS[variant]
    plans = [np.full(len(gain), 1 / len(gain)) for gain in gains]
    regrets = [np.zeros(len(gain)) for gain in gains]
    sums = [np.zeros(len(gain)) for gain in gains]
    for t in range(1, rounds + 1):
        for side in (0, 1):
            worth = gains[side] @ plans[1 - side]
            latest = worth - plans[side] @ worth
            total = regrets[side] + latest
            up = 1.0 if alpha == inf else t**alpha / (t**alpha + 1)
            down = 0.0 if beta == inf else t**beta / (t**beta + 1)
            regrets[side] = np.where(total > 0, total * up, total * down)
            shares = np.maximum(regrets[side] + predict * latest, 0)
            plans[side] = shares / shares.sum() if shares.sum() > 0 else np.full(len(shares), 1 / len(shares))
            sums[side] += t**gamma * plans[side]
    return [(total / total.sum()).tolist() for total in sums]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_kernel_plays_the_rounds_of_the_papers(variant: str) -> None:
    rows = [[3, -1, 2], [-2, 4, 0]]
    prepared = float_game(matrix_game(rows))
    memories = _memory(prepared, 0), _memory(prepared, 1)
    weight = minimize(prepared.shapes, prepared.gains, memories, VARIANTS[variant], (1, 11, 0.0))
    minimize(prepared.shapes, prepared.gains, memories, VARIANTS[variant], (11, 26, weight))
    for memory, average in zip(memories, naive_rounds(rows, variant, 25), strict=True):
        assert memory[3] == pytest.approx(average, abs=1e-12)


def test_a_stopped_watch_still_gets_plans() -> None:
    watch = Watch()
    watch.stop()
    game = poker(3)
    found = minimize_regret(game, target=0, watch=watch)
    assert found.low <= -1 / 18 <= found.high
    assert exploitability(game, found.plans) == pytest.approx((found.low, found.high), abs=1e-12)


def test_the_end_of_the_time_is_no_error() -> None:
    game = random_game(5, sets=100)
    proof = prove(game, solve_lp(game, watch=Watch()), watch=Watch())
    assert proof is not None
    assert proof.interval.width == 0
    found = minimize_regret(game, target=0, watch=Watch(0.05))
    assert found.low < float(proof.interval.low) < found.high
    assert exploitability(game, found.plans) == pytest.approx((found.low, found.high), rel=1e-9)


def test_a_target_beyond_floats_is_not_pursued_for_ever() -> None:
    found = minimize_regret(matrix_game([[2, -1], [-1, 1]]), target=0, watch=Watch(60))
    # the value is (2 * 1 - 1) / (2 + 1 + 1 + 1), by the closed form for 2 x 2 games
    assert found.low == pytest.approx(1 / 5, abs=1e-6)


def test_progress_only_ever_narrows() -> None:
    told: list[tuple[float, float]] = []
    minimize_regret(poker(3), target=1e-6, watch=Watch(), tell=lambda low, high: told.append((low, high)))
    assert told
    assert all(a[0] <= b[0] and a[1] >= b[1] for a, b in pairwise(told))
