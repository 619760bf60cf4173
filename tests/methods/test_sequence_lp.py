"""The linear program, and its exact solution, against the twin in fractions."""

import threading
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from solver.certificate import certify
from solver.methods import exact_lp
from solver.methods.best_response import exploitability
from solver.methods.exact_lp import common_fractions, exact_plans, prove
from solver.methods.sequence_lp import Basis, LinearSolution, restrict, solve_lp
from solver.sequence_form import SequenceGame
from solver.watch import Stopped, Watch
from tests.sequence_games import SideMaker, matrix_game, naive_value, poker, pure_plans, random_game

seeds = st.integers(0, 10**9)


@given(seeds)
@settings(deadline=None, max_examples=80)
def test_the_program_finds_the_value_of_the_twin_and_its_basis_proves_it(seed: int) -> None:
    game = random_game(seed)
    value = naive_value(game)
    linear = solve_lp(game, watch=Watch())
    low, high = exploitability(game, linear.plans)
    assert (low + high) / 2 == pytest.approx(float(value), rel=1e-8, abs=1e-8)
    assert high - low <= 1e-7 * (1 + abs(high))
    proof = prove(game, linear, watch=Watch())
    assert proof is not None
    assert proof.interval.low == proof.interval.high == value


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]), Fraction(0)),  # symmetric, so 0
        (matrix_game([[3, -1], [-2, 1]], 2), Fraction(1, 14)),  # (3 * 1 - 2) / 7, halved: the closed form
        (matrix_game([[0]]), Fraction(0)),
        (poker(3), Fraction(-1, 18)),  # Kuhn (1950)
        (poker(3).transposed(), Fraction(1, 18)),
    ],
)
def test_known_games_have_their_known_values(game: SequenceGame, value: Fraction) -> None:
    linear = solve_lp(game, watch=Watch())
    proof = prove(game, linear, watch=Watch())
    assert proof is not None
    assert proof.interval.low == proof.interval.high == value


def test_leduc_has_an_exact_value_that_rounds_to_the_published_one() -> None:
    # -0.085606424078 is the value that OpenSpiel's sequence-form LP test states for Leduc poker
    game = poker(3, suits=2, sizes=(2, 4), raises=2)
    proof = prove(game, solve_lp(game, watch=Watch()), watch=Watch())
    assert proof is not None
    assert proof.interval.width == 0
    assert float(proof.interval.low) == pytest.approx(-0.085606424078, abs=1e-12)


def test_the_interior_point_method_ends_in_a_basis_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.methods.sequence_lp._INTERIOR", 0)
    game = poker(3, suits=2, sizes=(2, 4), raises=1)
    linear = solve_lp(game, watch=Watch())
    monkeypatch.undo()
    value = certify(game, solve_lp(game, watch=Watch()).plans).interval.low
    assert exploitability(game, linear.plans) == pytest.approx((float(value), float(value)), abs=1e-9)
    assert prove(game, linear, watch=Watch()) is not None


@given(seeds)
@settings(deadline=None, max_examples=60)
def test_a_restricted_game_has_the_pure_plans_that_play_only_what_is_kept(seed: int) -> None:
    game = random_game(seed)
    source = np.random.default_rng(seed)
    keep = tuple(source.random(side.sequences) < 0.6 for side in game.sides)
    small = restrict(game, (keep[0], keep[1]))
    for number, side in enumerate(game.sides):
        kept = small.sequences[number]
        others = [s for s in range(side.sequences) if s not in kept]
        wanted = {tuple(plan) for plan in pure_plans(side) if not any(plan[s] for s in others)}
        widened = {
            tuple(small.widen(number, np.array(plan, np.int64)).tolist())
            for plan in pure_plans(small.game.sides[number])
        }
        assert widened == wanted


def test_a_part_of_the_game_does_not_prove_the_whole() -> None:
    game = matrix_game([[2, 0], [0, 1]])
    keep = np.array([True, False]), np.array([True, True])
    linear = solve_lp(game, watch=Watch(), keep=keep)
    assert prove(game, linear, watch=Watch()) is None
    candidate = exact_plans(linear, watch=Watch())
    assert candidate is not None
    assert candidate.interval.width > 0


def test_a_basis_that_is_not_optimal_proves_nothing() -> None:
    game = poker(3)
    linear = solve_lp(game, watch=Watch())
    columns, rows = linear.basis.columns, linear.basis.rows
    other = int(np.setdiff1d(np.arange(12 + 6), columns)[0])
    wrong = Basis(np.sort(np.append(columns[1:], other)), rows)
    claimed = LinearSolution(linear.plans, wrong, linear.restriction)
    assert prove(game, claimed, watch=Watch()) is None
    short = LinearSolution(linear.plans, Basis(columns[1:], rows), linear.restriction)
    assert prove(game, short, watch=Watch()) is None


def test_flint_solves_what_floats_do(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(11, sets=20)
    linear = solve_lp(game, watch=Watch())
    by_floats = prove(game, linear, watch=Watch())
    monkeypatch.setattr(exact_lp, "_refined", lambda *_: None)
    by_flint = prove(game, linear, watch=Watch())
    assert by_floats is not None
    assert by_flint is not None
    assert by_floats.interval == by_flint.interval
    assert by_floats.denominators == by_flint.denominators


def test_refinement_gets_every_bit_of_long_fractions() -> None:
    source = np.random.default_rng(1)
    size = 40
    matrix = source.integers(-9, 10, (size, size)) + 40 * np.eye(size, dtype=np.int64)
    right = source.integers(-9, 10, size)
    found = exact_lp._refined(csr_matrix(matrix), right, lambda b: np.linalg.solve(matrix, b), Watch())
    assert found is not None
    numerators, denominator = found
    assert denominator.bit_length() > 150
    for row, wanted in zip(matrix.tolist(), right.tolist(), strict=True):
        assert sum(a * int(n) for a, n in zip(row, numerators, strict=True)) == wanted * denominator


@given(st.lists(st.fractions(min_value=-50, max_value=50, max_denominator=10**6), min_size=1, max_size=5))
def test_fractions_are_recognised_from_their_digits(fractions: list[Fraction]) -> None:
    shift = 400
    digits = np.array([round(fraction * 2**shift) for fraction in fractions], object)
    found = common_fractions(digits, shift)
    assert found is not None
    assert [Fraction(int(n), found[1]) for n in found[0]] == fractions


def test_digits_of_no_short_fraction_are_not_recognised() -> None:
    root_of_two = isqrt(2 << 800)
    assert common_fractions(np.array([root_of_two], object), 400) is None


def test_a_stopped_watch_stops_the_program() -> None:
    watch = Watch()
    watch.stop()
    with pytest.raises(Stopped):
        solve_lp(poker(3), watch=watch)
    with pytest.raises(Stopped):
        prove(poker(3), solve_lp(poker(3), watch=Watch()), watch=watch)


def test_no_time_is_not_enough_for_a_large_program() -> None:
    with pytest.raises(Stopped):
        solve_lp(poker(6, suits=2, sizes=(2, 4), raises=2), watch=Watch(0.05))


def test_a_program_that_runs_can_be_stopped_from_another_thread() -> None:
    game = poker(8, suits=2, sizes=(2, 4), raises=2)
    watch = Watch()
    timer = threading.Timer(0.2, watch.stop)
    timer.start()
    with pytest.raises(Stopped):
        solve_lp(game, watch=watch)
    timer.join()


def test_a_set_that_nothing_flows_into_changes_nothing() -> None:
    maker = SideMaker()
    maker.add(2, mass=0)
    side = maker.side()
    game = SequenceGame((side, side), np.array([0, 1, 2]), np.array([0, 1]), np.array([5, 5]), 1)
    linear = solve_lp(game, watch=Watch())
    interval = certify(game, linear.plans).interval
    assert interval.low == interval.high == 0
