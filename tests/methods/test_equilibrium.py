"""The front door of the equilibrium methods: every path leads to the value of the twin, with a proof."""

from fractions import Fraction

import numpy as np
import pytest

from solver.certificate import certify_whole
from solver.methods import equilibrium
from solver.methods.equilibrium import find_equilibrium
from solver.watch import Stopped, Watch
from tests.sequence_games import naive_value, poker, random_game


def choose(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    if path != "lp":
        monkeypatch.setattr(equilibrium, "_SMALL", -1)
    if path == "generation":
        monkeypatch.setattr(equilibrium, "_WHOLE", -1)


@pytest.mark.parametrize("path", ["lp", "cfr first", "generation"])
@pytest.mark.parametrize("seed", range(25))
def test_every_path_proves_the_exact_value(monkeypatch: pytest.MonkeyPatch, path: str, seed: int) -> None:
    choose(monkeypatch, path)
    game = random_game(seed)
    found = find_equilibrium(game, exact=True, watch=Watch(60))
    assert found.exact
    assert found.certificate.interval.low == naive_value(game)
    again = certify_whole(game, found.certificate.plans, found.certificate.denominators)
    assert again.interval == found.certificate.interval


@pytest.mark.parametrize("path", ["lp", "cfr first", "generation"])
@pytest.mark.parametrize("seed", range(30, 45))
def test_every_path_reaches_the_target(monkeypatch: pytest.MonkeyPatch, path: str, seed: int) -> None:
    choose(monkeypatch, path)
    game = random_game(seed)
    found = find_equilibrium(game, target=1e-5, watch=Watch(60))
    interval = found.certificate.interval
    assert interval.width <= Fraction(1, 10**5)
    assert interval.low <= naive_value(game) <= interval.high


@pytest.mark.parametrize("path", ["lp", "cfr first", "generation"])
def test_larger_poker_has_one_exact_value_on_every_path(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    game = poker(4, suits=2, sizes=(2, 4), raises=1)
    expected = find_equilibrium(game.transposed(), exact=True, watch=Watch())
    choose(monkeypatch, path)
    found = find_equilibrium(game, exact=True, watch=Watch(100))
    assert found.exact
    assert expected.exact
    assert found.certificate.interval.low == -expected.certificate.interval.low


def test_kuhn_poker_is_worth_minus_one_eighteenth() -> None:
    found = find_equilibrium(poker(3), exact=True, watch=Watch())
    assert found.certificate.interval.low == found.certificate.interval.high == Fraction(-1, 18)  # Kuhn (1950)
    assert found.method == "lp"


def test_without_time_there_is_still_a_certified_interval() -> None:
    game = poker(3, suits=2, sizes=(2, 4), raises=2)
    stopped = Watch()
    stopped.stop()
    for watch in (Watch(0.0), stopped):
        found = find_equilibrium(game, exact=True, watch=watch)
        assert not found.exact
        assert found.method == "cfr"
        assert found.certificate.interval.low < Fraction(-85606, 10**6) < found.certificate.interval.high


def test_plans_that_regret_finds_and_programs_do_not_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def bad(*_: object, **__: object) -> None:
        raise Stopped

    monkeypatch.setattr(equilibrium, "solve_lp", bad)
    found = find_equilibrium(poker(3), target=1e-4, watch=Watch(60))
    assert found.method == "cfr"
    assert found.certificate.interval.width <= Fraction(1, 10**3)


def test_a_basis_that_fails_does_not_make_an_interval_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equilibrium, "prove", lambda *_, **__: None)
    found = find_equilibrium(poker(3), exact=True, watch=Watch(5))  # thirds, which no power of two divides
    assert not found.exact
    assert 0 < found.certificate.interval.width < Fraction(1, 10**9)


def test_progress_is_told_and_the_plans_are_those_certified() -> None:
    told: list[tuple[float, float]] = []
    game = poker(3)
    found = find_equilibrium(game, watch=Watch(), tell=lambda low, high: told.append((low, high)))
    assert told
    for plan, whole, denominator in zip(
        found.plans, found.certificate.plans, found.certificate.denominators, strict=True
    ):
        assert plan == pytest.approx(np.array([int(weight) / denominator for weight in whole]), abs=1e-9)
