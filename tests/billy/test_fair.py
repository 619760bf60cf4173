"""Lens fair: the public tree against the tree of all histories, which shares no code with it."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import factorial, prod
from random import Random
from typing import Any

import pytest

from solver.certificate import certify
from solver.errors import IllegalError, TooLargeError
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.fair.computation import FairComputation
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position
from solver.lens import FAIR
from solver.methods.equilibrium import find_equilibrium
from solver.methods.regret import VARIANTS, minimize_regret
from solver.methods.sequence_lp import solve_lp
from solver.solve import solve
from solver.tree import build_tree
from solver.tree_sequences import to_sequence_game
from solver.watch import Watch
from tests.billy.fair_positions import KINDS, Kind, count_deals, histories, sample
from tests.billy.odd_positions import MOST, ODD, odd_position

GAME: Any = BlastingBilly()


def test_the_positions_compared_are_of_all_kinds() -> None:
    """Or the equality would say less than it seems to. With no pile, nothing is covered."""
    assert len(KINDS) >= 100
    seen = Counter((kind.pile, kind.covered, kind.hand, kind.objective) for kind in KINDS)
    sorts = [(0, False), *product((1, 2), (False, True))]
    expected = {(*sort, hand, objective) for sort, hand, objective in product(sorts, (2, 3), ("win", "margin"))}
    assert seen.keys() == expected - {(2, True, 3, "margin"), (2, False, 3, "win")}  # the largest ones, crosswise
    assert max(twins(sample(kind)) for kind in KINDS if not kind.pile) > 1


def twins(position: Position) -> int:
    """The orders of dumped cards that look alike: their owner knows which is which, the tree does not tell them apart
    since nothing depends on it."""
    return prod(factorial(number) for number in Counter(observe(position, None).dumped).values())


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_public_tree_has_the_value_of_the_tree_of_all_histories(kind: Kind) -> None:
    position = sample(kind)
    assert (position.size, position.deck.hand) == (kind.pile, kind.hand)
    assert (position.top is None) == (kind.covered or not kind.pile)
    computation = FairComputation(position, kind.objective)
    proof = find_equilibrium(computation.build(Watch()).game, watch=Watch(), exact=True).certificate.interval
    assert not proof.width
    tree = build_tree(GAME, position, lens=FAIR, objective=kind.objective, watch=Watch())
    assert (len(tree), tree.deals) == (histories(position), count_deals(position))
    assert computation.deals == tree.deals * twins(position)
    flat = to_sequence_game(tree).game
    program = certify(flat, solve_lp(flat, watch=Watch()).plans).interval
    assert program.low <= proof.low <= program.high
    assert program.width < 1e-9
    if kind.number == 1:
        assert find_equilibrium(flat, watch=Watch(), exact=True).certificate.interval == proof
    for variant in VARIANTS:
        learned = certify(flat, minimize_regret(flat, target=1e-2, variant=variant, watch=Watch()).plans).interval
        assert learned.low <= proof.low <= learned.high
        assert learned.width < 0.0101


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_positions_laid_out_at_random_have_the_value_of_the_tree_of_all_histories(odd: tuple[str, str, int]) -> None:
    position, objective = odd_position(*odd)
    game = FairComputation(position, objective).build(Watch()).game
    proof = find_equilibrium(game, watch=Watch(), exact=True).certificate.interval
    tree = build_tree(GAME, position, lens=FAIR, objective=objective, watch=Watch())
    assert len(tree) == histories(position) <= MOST
    flat = find_equilibrium(to_sequence_game(tree).game, watch=Watch(), exact=True).certificate.interval
    assert proof == flat
    assert not proof.width


def test_positions_laid_out_at_random_are_what_play_hardly_reaches() -> None:
    found = [odd_position(*odd) for odd in ODD]
    positions = [position for position, _ in found]
    assert {objective for _, objective in found} == {"win", "margin"}
    assert {(position.size > 0, position.top is None) for position in positions} == {
        (False, True), (True, True), (True, False)
    }  # fmt: skip
    assert max(len(column) for position in positions for column in position.billy) >= 4
    assert max(len(position.dumped) for position in positions) >= 5
    assert max(position.deck.high for position in positions) == 10
    assert {position.deck.hand for position in positions} >= {1, 2}
    assert all(position.deck.dynamite for position in positions)
    assert any(len(position.deck.kinds) == 5 for position in positions)
    assert any(not position.hands[1] for position in positions)


@pytest.mark.parametrize("kind", KINDS[::4], ids=str)
def test_moves_that_are_played_are_the_best_and_frequencies_add_up(kind: Kind) -> None:
    solution = solve(GAME, sample(kind), lens="fair", objective=kind.objective, exact=True)
    assert solution.exploitability == 0
    assert sum(found.frequency or 0.0 for found in solution.moves) == pytest.approx(1)
    best = solution.moves[0].value.fraction
    assert all(found.value.fraction == best for found in solution.moves if found.frequency)
    assert [found.move for found in solution.moves if found.value.fraction == best] == list(solution.best)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"boxed": True}, "box"),
        ({"to_move": None}, "over"),
        ({"players": ("ann", "bob", "cas")}, "two players"),
    ],
)
def test_what_has_no_equilibrium_is_refused_in_words(change: dict[str, object], says: str) -> None:
    position = sample(KINDS[0])
    with pytest.raises(IllegalError, match=says):
        GAME.fair(replace(position, **change), "win")  # type: ignore[arg-type]


def test_a_real_position_is_too_large_and_told_so_at_once() -> None:
    state, _ = play_randomly(players=2, pile=2, turns_left=2, deck=Deck(), removed=12, rng=Random(1))
    position = observe(state, state.to_move)
    assert GAME.fair(position, "win").measure(Watch()).seconds == float("inf")
    with pytest.raises(TooLargeError, match="private holdings"):
        solve(GAME, position, lens="fair")
