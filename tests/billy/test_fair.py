"""Lens fair: the public tree against the flat tree of all histories, which shares no code with it."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from solver.deals import list_deals
from solver.errors import IllegalError, TooLargeError
from solver.game import Game
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.fair.computation import FairComputation
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position, State
from solver.lens import FAIR
from solver.methods.equilibrium import find_equilibrium
from solver.methods.regret import minimize_regret
from solver.solution import Solution
from solver.solve import solve
from solver.tree import build_tree
from solver.tree_sequences import to_sequence_game
from solver.watch import Watch

GAME = BlastingBilly()
DECKS = (
    (Deck("JB", 0, 2, True, 2), 1, (0, 1)),
    (Deck("JB", 0, 3, True, 2), 3, (0, 1)),
    (Deck("J", 0, 5, True, 2), 1, (0, 1, 2)),
    (Deck("JB", 1, 2, True, 2), 1, (0, 1)),
    (Deck("JBC", 0, 1, True, 2), 2, (0, 1)),
    (Deck("JB", 0, 3, False, 3), 1, (0, 1)),
    (Deck("J", 0, 7, True, 3), 1, (0, 1)),
    (Deck("JB", 0, 1, True, 2), 0, (0, 1, 2)),
)
MOST_NODES = 60_000


def sample(number: int) -> tuple[Position, str]:
    """A position reached by random play, seen by its mover, and an objective."""
    rng = Random(number)
    deck, removed, piles = DECKS[number % len(DECKS)]
    state, _ = play_randomly(
        players=2,
        pile=rng.choice(piles),
        turns_left=2,
        deck=deck,
        removed=removed,
        rng=rng,
        covered=rng.random() < 0.4,
    )
    return observe(state, state.to_move), "margin" if rng.random() < 0.3 else "win"


def fair(position: Position, objective: str) -> Solution:
    return solve(GAME, position, lens="fair", objective=objective, exact=True)


@pytest.mark.parametrize("number", range(120))
def test_the_public_tree_has_the_value_of_the_tree_of_all_histories(number: int) -> None:
    position, objective = sample(number)
    game: Game[Position, State, object] = GAME  # type: ignore[assignment]
    try:
        tree = build_tree(game, position, lens=FAIR, objective=objective, watch=Watch(), limit=MOST_NODES)
    except TooLargeError:
        pytest.skip(f"more than {MOST_NODES} histories")
    flat = to_sequence_game(tree).game
    expected = find_equilibrium(flat, watch=Watch(), target=1e-9).certificate.interval
    built = FairComputation(position, objective).build(Watch())
    proof = find_equilibrium(built.game, watch=Watch(), exact=True).certificate
    assert not proof.interval.width
    assert expected.low <= proof.interval.low <= expected.high
    if len(set(observe(position, None).dumped)) == len(
        position.dumped
    ):  # the tree does not tell apart dumped cards that look alike
        assert FairComputation(position, objective).deals == tree.deals
    if number % 10:
        return
    learned = minimize_regret(flat, target=1e-3, watch=Watch(20))
    assert learned.low - 1e-9 <= proof.interval.low <= learned.high + 1e-9


@pytest.mark.parametrize("number", range(24))
def test_moves_that_are_played_are_the_best_and_frequencies_add_up(number: int) -> None:
    position, objective = sample(number)
    solution = fair(position, objective)
    assert solution.exploitability == 0
    assert sum(found.frequency or 0.0 for found in solution.moves) == pytest.approx(1)
    best = solution.moves[0].value.fraction
    assert all(found.value.fraction == best for found in solution.moves if found.frequency)
    assert [found.move for found in solution.moves if found.value.fraction == best] == list(solution.best)


@pytest.mark.parametrize("number", range(8))
def test_the_root_is_worth_at_least_the_mean_of_what_every_holding_can_guarantee(number: int) -> None:
    deck = Deck("JB", 0, 1, True, 2)
    state, _ = play_randomly(players=2, pile=number % 2, turns_left=2, deck=deck, removed=1, rng=Random(number))
    position = observe(state, state.to_move)
    views: Counter[Position] = Counter()
    deals = list(list_deals(GAME.hidden(observe(position, None))))
    for deal in deals:
        views[observe(GAME.fill(observe(position, None), deal), position.to_move)] += 1
    guaranteed = Fraction(0)
    for view, times in views.items():
        best = solve(GAME, view, lens="guard", exact=True).value.fraction
        assert best is not None
        guaranteed += times * best
    value = fair(position, "win").value.fraction
    assert value is not None
    assert value >= guaranteed / len(deals)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"boxed": True}, "box"),
        ({"to_move": None}, "over"),
        ({"players": ("ann", "bob", "cas")}, "two players"),
    ],
)
def test_what_has_no_equilibrium_is_refused_in_words(change: dict[str, object], says: str) -> None:
    position, _ = sample(0)
    with pytest.raises(IllegalError, match=says):
        GAME.fair(replace(position, **change), "win")  # type: ignore[arg-type]


def test_a_real_position_is_too_large_and_told_so_at_once() -> None:
    state, _ = play_randomly(players=2, pile=2, turns_left=2, deck=Deck(), removed=12, rng=Random(1))
    position = observe(state, state.to_move)
    assert GAME.fair(position, "win").size.seconds == float("inf")
    with pytest.raises(TooLargeError, match="private holdings"):
        solve(GAME, position, lens="fair")
