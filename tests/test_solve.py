"""The front door: which method answers what, what is refused, and what becomes of budgets and stops."""

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import solver
from solver.asking import budget_for
from solver.errors import IllegalError, TooLargeError
from solver.games.blasting_billy.deck import REAL_DECK, Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.position_text import parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Move, Position
from solver.shortcuts import HasShortcuts
from solver.solution_json import solution_json
from solver.solve import solve
from solver.watch import Progress, Stopped, Watch
from tests import naive, naive_search
from tests.toys import KUHN

GAME = BlastingBilly()
REFERENCE = Path(__file__).parent / "reference"
SMALL = Deck("JB", 0, 4, True, 2)


def real(players: int, pile: int, *, turns: int | None = None, seed: int = 1) -> Position:
    removed = {2: 12, 3: 6}.get(players, 0)
    left = players if turns is None else turns
    rng = Random(seed)
    state, _ = play_randomly(players=players, pile=pile, turns_left=left, deck=REAL_DECK, removed=removed, rng=rng)
    return observe(state, state.to_move)


def small(pile: int, *, players: int = 2, seed: int = 3) -> Position:
    rng = Random(seed)
    state, _ = play_randomly(players=players, pile=pile, turns_left=players, deck=SMALL, removed=0, rng=rng)
    return observe(state, state.to_move)


@pytest.mark.parametrize(
    ("position", "method", "exact"),
    [
        (real(2, 0), "factored", True),
        (real(2, 1), "factored", True),
        (real(2, 2), "factored", True),
        (real(2, 0, turns=1), "factored", True),
        (real(3, 0, turns=1), "factored", True),
        (real(5, 0, turns=1), "factored", True),
        (small(0), "enumerated", True),
        (small(1, players=3), "enumerated", True),
        (real(2, 5), "sampled", False),
        (real(3, 1), "sampled", False),
        (real(2, 7), "sampled-order", False),
        (real(2, 30), "playouts", False),
        (real(5, 20), "playouts", False),
    ],
    ids=lambda value: f"{len(value.players)} players, pile {value.size}" if isinstance(value, Position) else None,
)
def test_the_method_that_says_most_in_the_time_is_taken(position: Position, method: str, exact: bool) -> None:
    solution = solve(GAME, position, lens="open", budget=None if exact else 2.0)
    assert (solution.method, solution.exact) == (method, exact)
    assert solution.biased == (method in ("sampled-order", "playouts"))
    assert (solution.sampled is None) == exact
    for found in solution.moves:
        assert (found.value.fraction is not None) == exact
        assert (found.value.error == 0.0) == exact
        if found.shares is None:
            assert not exact
            continue
        ends = [found.shares[name] for name in ("win", "shared", "loss", "billy")]
        assert sum(ends) == pytest.approx(1, abs=1e-9 if not solution.shares_sampled else 0.1)
    assert solution.best[0] in [found.move for found in solution.moves]
    if exact:
        values = [found.value.fraction for found in solution.moves if found.value.fraction is not None]
        assert values == sorted(values, reverse=True)
        assert solution.best == tuple(found.move for found in solution.moves if found.value == solution.value)


def test_factored_enumerated_and_sampled_agree() -> None:
    for seed in range(4):
        position = small(1, seed=seed)
        enumerated = solve(GAME, position, lens="open")
        computation = GAME.factored(solver.shortcuts.Question(position=position, objective="win", others=None))
        assert computation is not None
        factored = {found.move: found.value for found in computation.run(Watch())}
        assert {found.move: found.value for found in enumerated.moves} == factored
        sampled = solve(GAME, position, samples=3_000, seed=seed)
        for found in sampled.moves:
            fraction = factored[found.move].fraction
            assert fraction is not None
            assert abs(found.value.number - float(fraction)) < 3 * found.value.error


def test_exact_never_estimates() -> None:
    with pytest.raises(TooLargeError, match=r"deals fit; for exact values.*leave out --exact"):
        solve(GAME, real(2, 10), exact=True)
    with pytest.raises(TooLargeError, match="--budget"):
        solve(GAME, real(2, 3, seed=3), exact=True, budget=1.0)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"lens": "xray"}, "xray"),
        ({"objective": "glory"}, "glory"),
        ({"others": "friends"}, "friends"),
        ({"others": "rivals"}, "three or more"),
        ({"budget": 0.0}, "--budget"),
        ({"budget": float("nan")}, "--budget"),
        ({"budget": float("inf")}, "--budget"),
        ({"samples": 0}, "--samples"),
        ({"samples": 10**12}, "--samples"),
        ({"seed": -1}, "--seed"),
        ({"samples": 10, "exact": True}, "--exact"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_refused_with_a_reason(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(IllegalError, match=says):
        solve(GAME, real(2, 0), **asked)


def test_margin_is_for_two_players() -> None:
    with pytest.raises(IllegalError, match="margin is for two players, and 3 play"):
        solve(GAME, real(3, 0), objective="margin")
    values = [found.value.fraction for found in solve(GAME, small(0), lens="open", objective="margin").moves]
    assert all(isinstance(value, Fraction) for value in values)


def test_the_question_is_for_the_player_whose_turn_it_is() -> None:
    state, _ = play_randomly(players=2, pile=0, turns_left=2, deck=REAL_DECK, removed=12, rng=Random(0))
    mover = state.players[state.to_move or 0]
    for eyes in (None, 1 - (state.to_move or 0)):
        with pytest.raises(IllegalError, match=f"turn of {mover}"):
            solve(GAME, observe(state, eyes))
    over, _ = play_randomly(players=2, pile=0, turns_left=0, deck=REAL_DECK, removed=12, rng=Random(0))
    with pytest.raises(IllegalError, match="the game is over"):
        solve(GAME, observe(over, 0))


def test_a_small_budget_never_gives_up_what_can_be_searched() -> None:
    """Looking for an exact way may use up the time: a moment for sampling is left."""
    for pile in (1, 2, 3):
        solution = solve(GAME, real(2, pile, seed=2), budget=0.01)
        assert solution.method in ("factored", "sampled")
        assert solution.exact or (solution.sampled or 0) >= 64


def test_a_type_whose_deals_cannot_be_merged_is_no_obstacle() -> None:
    text = """
        game = "blasting-billy"
        players = ["ann", "bob", "cas"]
        me = "cas"
        to_move = "cas"
        removed = "5J?"
        hands = { ann = "J?", bob = "J?", cas = "J8" }
        loot = { ann = "J?", bob = "J?" }
        pile = { size = 2, top = "J" }
        deck = { types = "J", hand = 1 }
    """
    position = parse_position(text)
    solution = solve(GAME, position, lens="open", budget=600)
    assert (solution.method, solution.exact, solution.deals) == ("enumerated", True, 166_320)
    sampled = solve(GAME, position, samples=4_000)
    for found in sampled.moves:
        exact = next(other.value.number for other in solution.moves if other.move == found.move)
        assert abs(found.value.number - exact) < 2 * found.value.error


def test_ties_between_dumps_go_to_the_lowest_card() -> None:
    """Also where it was drawn last: how the game ends depends on it, as the naive twin shows."""
    text = """
        game = "blasting-billy"
        players = ["ann", "bob"]
        me = "bob"
        to_move = "bob"
        billy = "J8@ann"
        dumped = "J9@bob"
        removed = "J0 J1"
        hands = { ann = "J3 J7", bob = "J6 J10" }
        loot = { ann = "J5" }
        pile = { size = 3 }
        deck = { types = "J", hand = 2 }
    """
    position = parse_position(text)
    plain = naive.read(text)
    (deal,) = naive.deals(plain)
    table = naive.fill(plain, deal)
    for found in solve(GAME, position, lens="open").moves:
        assert isinstance(found.move, Move)
        after = naive.play(table, GAME.format_event(found.move))
        solved = naive_search.solve(after, naive_search.Question("bob", "win", None))
        assert found.value.fraction == solved.payoffs[1]
        assert found.shares == dict(zip(naive_search.ENDINGS, map(float, solved.endings), strict=True))


def test_it_is_said_how_the_others_really_play() -> None:
    assert solve(GAME, real(3, 1), others="coalition", samples=50).others == "coalition"
    assert solve(GAME, real(3, 1), samples=50).others == "rivals"
    assert solve(GAME, real(3, 30), others="coalition", budget=0.2).others == "rivals"
    assert solve(GAME, real(2, 30), budget=0.2).others is None


def test_samples_and_seed_fix_an_estimate() -> None:
    position = real(2, 4)

    def answer(seed: int) -> dict[str, Any]:
        return {**solution_json(GAME, solve(GAME, position, samples=300, seed=seed)), "seconds": 0}

    assert answer(5) == answer(5)
    assert answer(5)["moves"] != answer(6)["moves"]
    assert answer(5)["sampled"] == 300


def test_budgets() -> None:
    assert budget_for(None, samples=None, exact=False) == 30.0
    assert budget_for(7.0, samples=None, exact=False) == 7.0
    assert budget_for(None, samples=10, exact=False) is None
    assert budget_for(None, samples=None, exact=True) is None


def test_a_stop_gives_what_was_found() -> None:
    told: list[Progress] = []

    def hear(progress: Progress) -> None:
        told.append(progress)
        if progress.so_far is not None:
            watch.stop()

    watch = Watch(60.0, hear)
    solution = solve(GAME, real(2, 5), watch=watch)
    assert solution.interrupted
    assert not solution.exact
    assert told


def test_a_stop_during_exact_work_gives_the_estimate_made_before() -> None:
    """And its size was announced; short work is not worth an estimate, and leaves nothing when it is stopped."""
    told: list[str] = []

    def hear(progress: Progress) -> None:
        told.append(progress.task)
        if progress.task.startswith("working out"):
            watch.stop()

    watch = Watch(None, hear)
    solution = solve(GAME, real(2, 3, seed=3), exact=True, watch=watch)
    assert (solution.exact, solution.interrupted) == (False, True)
    assert solution.sampled is not None
    assert "pairs of shapes, about" in told[0]
    stopped = Watch()
    stopped.stop()
    with pytest.raises(Stopped):
        solve(GAME, real(2, 0), exact=True, watch=stopped)


def test_a_game_without_faster_ways_is_solved_deal_by_deal() -> None:
    assert not isinstance(KUHN, HasShortcuts)
    solution = solve(KUHN, KUHN.parse("kuhn ann=Q bob=?"))
    assert (solution.method, solution.exact, solution.best) == ("enumerated", True, ("pass",))
    assert solution_json(KUHN, solution)["moves"][0] == {
        "move": "pass",
        "value": {"fraction": "0", "float": 0.0, "error": 0.0},
    }


def test_the_library_in_three_lines() -> None:
    position = parse_position((REFERENCE / "real-pile0-5.toml").read_text(encoding="utf-8"))
    solution = solver.analyze(GAME, position)
    assert str(solution.value.fraction) == "1614546487/3333960000"
    assert [GAME.format_event(move) for move in solution.best if isinstance(move, Move)] == [
        "dump C!",
        "dump G1",
        "dump G6",
    ]
