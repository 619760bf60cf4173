"""Lens open's best moves beside those of lens guard and fair: found if that is quick, and when they mislead."""

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import solver.solve
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position
from solver.reading import read
from solver.solution import MoveValue, OpenCards, Value, compare_open, may_be_best, misleads
from solver.solution_json import solution_json
from solver.solve import solve
from solver.watch import Progress, Watch

GAME = BlastingBilly()
REFERENCE = Path(__file__).parent / "reference"
EXAMPLES = Path(__file__).parent.parent / "examples"


def position_of(file: Path) -> Position:
    position = read(file.read_text(encoding="utf-8"))[1]
    assert isinstance(position, Position)
    return position


SMALL = position_of(REFERENCE / "small-1.toml")


def exactly(**values: Fraction | int) -> tuple[MoveValue, ...]:
    return tuple(MoveValue(move, Value.exactly(Fraction(value))) for move, value in values.items())


@pytest.mark.parametrize(
    ("looks_best", "best", "expected"),
    [
        ("a", "b", True),
        ("a", "a", False),
        ("ab", "b", False),
        ("a", "ab", False),
        ("ab", "bc", False),
        ("ab", "cd", True),
        ("a", "bcd", True),
    ],
)
def test_open_misleads_if_none_of_its_best_moves_is_among_the_best(looks_best: str, best: str, expected: bool) -> None:
    assert misleads(tuple(looks_best), tuple(best)) is expected


def test_the_moves_that_look_best_are_all_that_tie_without_rounding() -> None:
    third, nearly = Fraction(1, 3), Fraction(1, 3) - Fraction(1, 10**30)
    assert compare_open(exactly(a=nearly, b=third, c=third), ("a",)) == OpenCards(
        ("b", "c"), Value.exactly(third), True
    )
    assert not compare_open(exactly(a=third, b=third, c=nearly), ("b",)).misleads


@pytest.mark.parametrize(("error", "expected"), [(0.04, True), (0.06, False)])
def test_intervals_that_touch_do_not_say_that_open_misleads(error: float, expected: bool) -> None:
    proved = tuple(MoveValue(move, Value.about(number, error)) for move, number in (("a", 0.5), ("b", 0.4)))
    assert misleads(("b",), may_be_best(proved)) is expected
    assert not misleads(("a",), may_be_best(proved))


def a_small_one(number: int, players: int = 2) -> Position:
    deck = Deck("JB", 0, 2 if players == 2 else 3, True, 2)
    rng = Random(number)
    state, _ = play_randomly(
        players=players, pile=number % 2, turns_left=players, deck=deck, removed=1 if players == 2 else 2, rng=rng
    )
    return observe(state, state.to_move)


@pytest.mark.parametrize("lens", ["guard", "fair"])
@pytest.mark.parametrize("number", range(8))
def test_what_looks_best_is_what_lens_open_finds(number: int, lens: str) -> None:
    position = a_small_one(number)
    solution, opened = solve(GAME, position, lens=lens, exact=True), solve(GAME, position, lens="open", exact=True)
    expected = OpenCards(opened.best, opened.value, set(opened.best).isdisjoint(solution.best))
    assert solution.open == expected
    assert opened.open is None


@pytest.mark.parametrize("number", range(4))
def test_a_team_is_looked_at_with_open_cards_as_a_coalition(number: int) -> None:
    position = a_small_one(number, players=3)
    solution = solve(GAME, position, lens="guard", budget=20)
    opened = solve(GAME, position, lens="open", others="coalition", exact=True)
    assert solution.open is not None
    assert (solution.open.best, solution.open.value) == (opened.best, opened.value)


def test_on_the_last_turn_guard_is_open_and_cannot_mislead() -> None:
    state, _ = play_randomly(players=2, pile=0, turns_left=1, deck=Deck("JB", 0, 3, True, 2), removed=2, rng=Random(3))
    solution = solve(GAME, observe(state, state.to_move), lens="guard")
    assert solution.open == OpenCards(solution.best, solution.value, False)


def test_auto_that_takes_fair_looks_at_open_cards_too() -> None:
    solution = solve(GAME, position_of(REFERENCE / "fair-1.toml"))
    assert solution.lens == "fair"
    assert solution.open is not None


def test_nothing_is_compared_where_no_move_is_valued() -> None:
    onlooker = observe(GAME.fill(SMALL, next(solver.list_deals(GAME.hidden(SMALL)))), None)
    solution = solve(GAME, onlooker, lens="fair")
    assert (solution.moves, solution.open) == ((), None)
    assert solution_json(GAME, solution)["open"] is None


def test_open_is_left_out_where_it_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver.solve, "OPEN_SECONDS", 1e-6)
    solution = solve(GAME, SMALL, lens="guard", exact=True)
    assert (solution.open, solution.interrupted, solution.value.fraction) == (None, False, Fraction(1, 8))


def stopping_at(task: str) -> tuple[Watch, list[Progress]]:
    """A watch that is told to stop when it hears of a task; and what was told then."""
    told: list[Progress] = []

    def hear(progress: Progress) -> None:
        if task in progress.task:
            told.append(progress)
            watch.stop()

    watch = Watch(report=hear)
    return watch, told


@pytest.mark.parametrize("lens", ["guard", "fair"])
def test_stopped_while_looking_at_open_cards_the_answer_of_the_lens_is_given(lens: str) -> None:
    watch, told = stopping_at("open cards")
    solution = solve(GAME, SMALL, lens=lens, exact=True, watch=watch)
    assert solution.interrupted
    assert solution.moves == solve(GAME, SMALL, lens=lens, exact=True).moves
    assert [progress.so_far is not None and progress.so_far.moves for progress in told] == [solution.moves]


def answer(position: Position, **asked: Any) -> dict[str, Any]:
    return solution_json(GAME, solve(GAME, position, **asked))


def test_the_object_tells_of_open_cards_in_lens_guard_and_fair_only() -> None:
    assert "open" not in answer(SMALL, lens="open")
    for lens in ("guard", "fair"):
        assert answer(SMALL, lens=lens)["open"] == {
            "best": ["dump B0"],
            "value": {"fraction": "5/18", "float": 5 / 18, "error": 0.0},
            "misleads": False,
        }


@pytest.mark.parametrize("lens", ["guard", "fair"])
def test_the_example_looks_best_with_open_cards_and_is_not(lens: str) -> None:
    solution = solve(GAME, position_of(EXAMPLES / "two-looks-best.toml"), lens=lens)
    assert solution.best == (GAME.parse_event("dump J3"),)
    assert solution.moves[0].value.fraction == Fraction(-1, 8)
    assert solution.open == OpenCards((GAME.parse_event("give J3"),), Value.exactly(Fraction(-1, 12)), True)
