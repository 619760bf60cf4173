"""The certificate against a twin that lists all pure plans in fractions, and plans that it must refuse."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.certificate import BrokenPlanError, certify, certify_whole, check_plan, round_plan, worth_against
from solver.errors import ImpossibleError, TooLargeError
from solver.methods.best_response import answer, as_plan, exploitability, float_game
from solver.sequence_form import Plan, SequenceGame
from tests.sequence_games import (
    SideMaker,
    inflow,
    matrix_game,
    naive_interval,
    naive_value,
    payoff,
    poker,
    pure_plans,
    random_game,
)

seeds = st.integers(0, 10**9)


def random_plans(game: SequenceGame, seed: int) -> tuple[Plan, Plan]:
    source = np.random.default_rng(seed)
    plans = [
        as_plan(side, source.random(side.sequences) * (source.random(side.sequences) < 0.7)) for side in game.sides
    ]
    return plans[0], plans[1]


@given(seeds, st.sampled_from((1, 9, 10**6, 10**13)))
@settings(deadline=None, max_examples=60)
def test_an_interval_is_what_the_plans_guarantee_against_every_pure_plan(seed: int, largest: int) -> None:
    game = random_game(seed, largest=largest)
    proof = certify(game, random_plans(game, seed))
    weights = [
        [Fraction(int(weight), denominator) for weight in plan]
        for plan, denominator in zip(proof.plans, proof.denominators, strict=True)
    ]
    assert (proof.interval.low, proof.interval.high) == naive_interval(game, (weights[0], weights[1]))
    assert proof.interval.low <= naive_value(game) <= proof.interval.high


def naive_worths(game: SequenceGame, plan: list[int]) -> list[int]:
    """What each sequence of side 0 is worth against a plan, times its denominator and the scale, set after set."""
    side = game.sides[0]
    worth = [
        sum(int(game.payoffs[k]) * plan[game.columns[k]] for k in range(game.row_starts[row], game.row_starts[row + 1]))
        for row in range(side.sequences)
    ]
    for i in reversed(range(side.sets)):
        best = max(worth[side.starts[i] : side.starts[i + 1]])
        for link in range(side.parent_starts[i], side.parent_starts[i + 1]):
            worth[side.parents[link]] += int(side.weights[link]) * best
    return worth


@given(seeds, st.sampled_from((1, 10**13, 10**60)))
@settings(deadline=None, max_examples=40)
def test_what_single_sequences_are_worth_is_what_follows_them(seed: int, factor: int) -> None:
    game = random_game(seed)
    proof = certify(game, random_plans(game, seed))
    plan, denominator = [int(weight) * factor for weight in proof.plans[1]], proof.denominators[1] * factor
    chosen = [*range(game.sides[0].sequences)][::2]
    expected = [Fraction(naive_worths(game, plan)[sequence], denominator * game.scale) for sequence in chosen]
    assert worth_against(game, plan, denominator, chosen) == expected


@given(seeds, st.integers(100, 3000))
@settings(deadline=None, max_examples=30)
def test_numbers_of_any_length_prove_the_same(seed: int, bits: int) -> None:
    game = random_game(seed)
    proof = certify(game, random_plans(game, seed))
    factor = 3 ** (bits * 5 // 8)
    plans = [np.array([int(weight) * factor for weight in plan], object) for plan in proof.plans]
    longer = certify_whole(game, (plans[0], plans[1]), (proof.denominators[0] * factor, proof.denominators[1] * factor))
    assert longer.interval == proof.interval


@given(seeds)
@settings(deadline=None, max_examples=60)
def test_best_responses_in_floats_are_those_of_the_twin(seed: int) -> None:
    game = random_game(seed)
    plans = random_plans(game, seed)
    exact = [Fraction(float(weight)) for weight in plans[0]], [Fraction(float(weight)) for weight in plans[1]]
    low, high = naive_interval(game, exact)
    assert exploitability(game, plans) == pytest.approx((float(low), float(high)), rel=1e-9, abs=1e-9)
    for side, end in ((1, low), (0, high)):
        response = answer(float_game(game), side, plans[1 - side])
        assert response.value == pytest.approx(float(end), rel=1e-9, abs=1e-9)
        chosen = np.zeros(game.sides[side].sequences)
        chosen[response.best] = 1
        whole = [round(weight) for weight in as_plan(game.sides[side], chosen)]
        assert whole in pure_plans(game.sides[side])
        pair = (whole, exact[1]) if side == 0 else (exact[0], whole)
        assert float(payoff(game, *pair)) == pytest.approx(float(end), rel=1e-9, abs=1e-9)


@given(seeds, st.integers(0, 30))
@settings(deadline=None, max_examples=60)
def test_rounded_plans_are_flows_close_to_the_plan(seed: int, bits: int) -> None:
    side = random_game(seed).sides[0]
    plan = as_plan(side, np.random.default_rng(seed).random(side.sequences))
    rounded = round_plan(side, plan, bits)
    check_plan(side, rounded, 2**bits)
    for i in range(side.sets):
        span = slice(side.starts[i], side.starts[i + 1])
        flow = (int(side.mass[i]) << bits) + inflow(side, i, rounded.tolist()) - int(side.mass[i])
        total = plan[span].sum()
        if total:
            assert np.abs(rounded[span] - flow * plan[span] / total).max() < 1 + 1e-6


def test_a_share_is_rounded_to_the_largest_remainder() -> None:
    side = matrix_game([[0], [0], [0]]).sides[0]
    # of eight eighths: 2.24, 2.56 and 3.2, so the one that is left goes to the second
    assert round_plan(side, np.array([0.28, 0.32, 0.4]), 3).tolist() == [2, 3, 3]


def test_a_plan_of_nothing_is_rounded_to_a_plan_all_the_same() -> None:
    side = matrix_game([[0], [0]]).sides[0]
    check_plan(side, round_plan(side, np.zeros(2), 5), 32)
    check_plan(side, round_plan(side, np.array([np.nan, -1.0]), 5), 32)


def merged() -> SideMaker:
    """Set 0 with two moves; set 1 gathers a mass of 1 and both of them, the second twice."""
    maker = SideMaker()
    maker.add(2, mass=1)
    maker.add(2, mass=1, parents=[(0, 1), (1, 2)])
    return maker


@pytest.mark.parametrize(
    ("plan", "wrong"),
    [([1, 2, 4, 4], None), ([1, 2, 4, 3], 1), ([1, 1, 3, 3], 0), ([4, -1, 5, 0], 0), ([0, 3, 10, -1], 1)],
)
def test_a_plan_is_refused_at_the_set_where_it_goes_wrong(plan: list[int], wrong: int | None) -> None:
    side = merged().side()
    for factor in (1, 10**30):
        weights = [weight * factor for weight in plan]
        if wrong is None:
            check_plan(side, weights, 3 * factor)
        else:
            with pytest.raises(BrokenPlanError) as caught:
                check_plan(side, weights, 3 * factor)
            assert caught.value.set_number == wrong


def test_sums_that_wrap_around_do_not_pass_for_right_ones() -> None:
    side = matrix_game([[0], [0], [0], [0]]).sides[0]
    with pytest.raises(BrokenPlanError):
        check_plan(side, np.array([2**62, 2**62, 2**62, 2**62 + 1], np.int64), 1)


@pytest.mark.parametrize(("plan", "denominator"), [([1], 1), ([1, 0], 0), ([1, 0], -1), ([1, 0, 0], 1)])
def test_plans_of_the_wrong_length_and_bad_denominators_are_refused(plan: list[int], denominator: int) -> None:
    with pytest.raises(ImpossibleError):
        check_plan(matrix_game([[0], [0]]).sides[0], plan, denominator)


def test_a_certificate_is_not_given_for_a_plan_that_takes_more_than_flows_in() -> None:
    game = matrix_game([[1, -1], [-1, 1]])
    with pytest.raises(BrokenPlanError, match=r"at set 0 the moves' weights add up to 3, but 2 flows in"):
        certify_whole(game, ([2, 1], [1, 1]), (2, 2))


def test_kuhns_published_plans_prove_his_value() -> None:
    # Kuhn (1950): player 1 never bets first with alpha = 0 and calls with the queen at 1/3; player 2 calls with the
    # queen at 1/3 and bets the jack at 1/3. The value is -1/18.
    game = poker(3)
    check, bet, fold, call = 0, 1, 0, 1
    first = np.zeros(12, np.int64)
    second = np.zeros(12, np.int64)
    for card in range(3):
        first[2 * card + check] = 3
        second[2 * card : 2 * card + 2] = [(2, 1), (3, 0), (0, 3)][card]
        second[6 + 2 * card + fold] = (3, 2, 0)[card]
        second[6 + 2 * card + call] = (0, 1, 3)[card]
    facing = game.sides[0].starts[3:6]
    for card, start in enumerate(facing):
        first[start + fold], first[start + call] = [(3, 0), (2, 1), (0, 3)][card]
    assert bet == call
    proof = certify_whole(game, (first, second), (3, 3))
    assert proof.interval.low == proof.interval.high == Fraction(-1, 18)


def test_payoffs_that_leave_no_room_are_said_to_be_too_large() -> None:
    game = matrix_game([[2**60, 0], [0, 1]])
    with pytest.raises(TooLargeError):
        certify(game, (np.array([0.5, 0.5]), np.array([0.5, 0.5])))
