"""Lens guard at its limits: what is counted beforehand, weights that are too large to prove, and time that runs out."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from solver.certificate import certify
from solver.deals import count_deals
from solver.equilibria import _within_time
from solver.errors import TooLargeError
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.guard import computation
from solver.games.blasting_billy.guard.classes import Merging, Node
from solver.games.blasting_billy.guard.computation import GuardComputation, prepare_guard
from solver.games.blasting_billy.guard.preflight import MOST_WEIGHT, GuardSize
from solver.games.blasting_billy.guard.public_tree import Spot
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.position_text import parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position
from solver.sequence_form import SequenceGame, Side, make_game
from solver.shortcuts import Question
from solver.solve import solve
from solver.watch import Progress, Stopped, Watch

GAME = BlastingBilly()

LONG_COLUMNS = f"""
game = "blasting-billy"
players = ["ann", "bob"]
me = "ann"
to_move = "ann"
billy = "{"J? " * 8}{"B? " * 8}{"C? " * 7}"
removed = ""
facts = []

[hands]
ann = "C0"
bob = "J?"

[loot]
ann = ""
bob = "C?"

[pile]
size = 1
top = "B"

[deck]
types = "JBC"
values = "0-8"
dynamite = false
hand = 1
"""
"""Billy's columns are so high that he shoots nobody, and they lie in any order."""


def prepare(position: Position) -> GuardComputation:
    others = None if len(position.players) == 2 else "coalition"
    return prepare_guard(Question(position=position, objective="win", others=others))


def random_position(seed: int, deck: Deck, *, players: int = 2, pile: int = 1, removed: int = 1) -> Position:
    state, _ = play_randomly(
        players=players, pile=pile, turns_left=players, deck=deck, removed=removed, rng=Random(seed)
    )
    return observe(state, state.to_move)


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_deals_that_differ_in_nothing_that_matters_change_nothing(objective: str) -> None:
    known = parse_position(LONG_COLUMNS)
    text = LONG_COLUMNS.replace('billy = "', 'billy = "G? ').replace('removed = "', 'removed = "8G?')
    position = parse_position(text.replace("JBC", "JBCG"))
    assert count_deals(hidden_pools(position)) == 9 * count_deals(hidden_pools(known)) > 2**55
    solution = solve(GAME, position, lens="guard", objective=objective, exact=True)
    expected = solve(GAME, known, lens="guard", objective=objective, exact=True)
    assert [each.value for each in solution.moves] == [each.value for each in expected.moves]
    if objective == "margin":
        # Everybody claims all they can: ann the card of the pile, bob the one in his hand besides the one he has.
        assert {each.value.fraction for each in solution.moves} == {Fraction(4) - Fraction(4) - Fraction(9, 2)}


def test_deals_that_have_little_in_common_are_refused_before_anything_is_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = ", ".join(f'"billy.{kind}.{number} != {number}"' for kind in "JBCG" for number in range(1, 8))
    text = LONG_COLUMNS.replace("facts = []", f"facts = [{facts}]").replace("JBC", "JBCG")
    position = parse_position(text.replace('billy = "', f'billy = "{"G? " * 8}').replace('"C?"', '"C? G?"'))
    monkeypatch.delattr(GuardComputation, "games")
    with pytest.raises(TooLargeError, match=rf"{count_deals(hidden_pools(position)):,} deals: too many to prove"):
        solve(GAME, position, lens="guard", exact=True)


def test_as_many_deals_as_can_be_weighed_are_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    position = random_position(3, Deck("JB", 0, 3, True, 2), pile=3)
    weight = 6 * count_deals(hidden_pools(position))  # orders of the pile
    divisor = computation._Start(position, Watch()).divisor
    monkeypatch.setattr(computation, "MOST_WEIGHT", weight // divisor)
    assert prepare(position).measure(Watch()).seconds < float("inf")
    monkeypatch.setattr(computation, "MOST_WEIGHT", weight // divisor - 1)
    size = prepare(position).measure(Watch())
    assert (size.seconds, size.memory) == (float("inf"), float("inf"))
    assert "each with 6 orders of the pile: too many to prove" in size.words


def test_the_largest_weight_that_is_let_through_can_be_proved() -> None:
    """Deals of two kinds; the mover guesses which, and wins if that is right."""
    zeros, one = np.zeros(0, np.int64), np.ones(1, np.int64)
    masses = np.array([MOST_WEIGHT // 2 + 1, MOST_WEIGHT // 2 - 1])
    for first, second in (masses, np.array([MOST_WEIGHT, 1])):
        guesser = Side(np.array([0, 2]), one, np.array([0, 0]), zeros, zeros)
        chance = Side(np.array([0, 1, 2]), np.array([first, second]), np.array([0, 0, 0]), zeros, zeros)
        numbers = np.array([0, 1])
        game = make_game((guesser, chance), numbers, numbers, np.ones(2, np.int64), int(first + second))
        interval = certify(game, (np.array([1.0, 0.0]), np.array([float(first), float(second)]))).interval
        assert interval.low == interval.high == Fraction(int(first), int(first + second))


@pytest.mark.parametrize(
    ("deck", "players", "pile"),
    [(Deck("JB", 0, 7, True, 2), 2, 2), (Deck("JBC", 0, 4, True, 3), 2, 2), (Deck("JBCG", 1, 4, True, 2), 3, 1)],
)
def test_the_nodes_and_states_counted_are_those_that_are_merged(
    deck: Deck, players: int, pile: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    merged: set[Spot] = set()
    node = Merging.node

    def watched(self: Merging, spot: Spot) -> Node:
        merged.add(spot)
        return node(self, spot)

    monkeypatch.setattr(Merging, "node", watched)
    prepared = prepare(random_position(12, deck, players=players, pile=pile, removed=3))
    size = prepared.measure(Watch())
    sequences = [game.sides[1].sequences for _, game in prepared.games(Watch())]
    assert size.counted
    assert size.deals > 500
    assert (size.nodes, size.states) == (len(merged), sum(spot.states for spot in merged))
    assert max(sequences) < size.sequences  # fewer, as states are merged


@pytest.mark.parametrize("measured", [False, True])
def test_a_watch_that_says_stop_ends_measuring_and_building(measured: bool) -> None:
    prepared = prepare(random_position(1, Deck("JB", 0, 3, True, 2)))
    if measured:
        prepared.measure(Watch())
    watch = Watch()
    watch.stop()
    with pytest.raises(Stopped):
        next(prepared.games(watch))


def test_measuring_that_is_not_done_in_the_time_says_how_many_deals_there_are() -> None:
    with pytest.raises(TooLargeError, match=r"guard: [\d,]{20,} deals: even counting what follows needs a larger --b"):
        solve(GAME, parse_position(LONG_COLUMNS), lens="guard", watch=Watch(1e-6))


def test_what_is_foretold_to_take_far_longer_than_the_time_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardComputation, "measure", lambda *_: GuardSize("7 nodes", 200.0))
    monkeypatch.delattr(GuardComputation, "games")
    position = random_position(1, Deck("JB", 0, 3, True, 2))
    with pytest.raises(TooLargeError, match=r"7 nodes: about 200 seconds: --budget 40[01] would do"):
        solve(GAME, position, lens="guard", budget=20)


class TestTimeThatRunsOut:
    """While the game of the third move is built."""

    position = random_position(2, Deck("JB", 0, 3, True, 2))

    @pytest.fixture(autouse=True)
    def _ends(self, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
        built = getattr(request, "param", 2)
        games = GuardComputation.games

        def some(self: GuardComputation, watch: Watch) -> Iterator[tuple[Hashable, SequenceGame]]:
            yield from islice(games(self, watch), built)
            raise Stopped

        self.whole = {each.move: each.value for each in solve(GAME, self.position, lens="guard").moves}
        monkeypatch.setattr(GuardComputation, "games", some)

    def test_leaves_the_moves_that_were_proved(self) -> None:
        solution = solve(GAME, self.position, lens="guard", budget=60)
        assert solution.interrupted
        assert {each.move for each in solution.moves} == set(GAME.choices(self.position)[:2])
        assert all(each.value == self.whole[each.move] for each in solution.moves)

    def test_leaves_nothing_where_the_answer_has_to_be_exact(self) -> None:
        with pytest.raises(TooLargeError, match="not done in the time: give a larger --budget"):
            solve(GAME, self.position, lens="guard", budget=60, exact=True)

    @pytest.mark.parametrize("_ends", [0], indirect=True)
    def test_before_the_first_move_leaves_nothing(self) -> None:
        with pytest.raises(TooLargeError, match="not done in the time: give a larger --budget"):
            solve(GAME, self.position, lens="guard", budget=60)


def test_every_move_is_told_of_once_it_is_proved() -> None:
    told = list[Progress]()
    solve(GAME, TestTimeThatRunsOut.position, lens="guard", watch=Watch(None, told.append))
    so_far = [len(each.so_far.moves) for each in told if each.so_far is not None]
    assert so_far[:6] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.0, [4.0, 6.0, 12.0]), (3.0, [1.0, 1.5, 3.0]), (5.0, [7 / 12, 0.25, -0.75])],
)
def test_building_counts_in_a_moves_part_of_the_time(
    seconds: float, expected: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("solver.watch.time", SimpleNamespace(perf_counter=lambda: now[0]))

    def games() -> Iterator[tuple[Hashable, SequenceGame]]:
        for move in "abc":
            now[0] += seconds
            yield move, None  # type: ignore[misc]

    assert [part.remaining for _, _, part in _within_time(games(), 3, Watch(12.0))] == pytest.approx(expected)
