"""Games with published values, from their rules to a proved equilibrium."""

from fractions import Fraction
from typing import Any

import pytest

from solver.lens import FAIR
from solver.methods.equilibrium import find_equilibrium
from solver.methods.regret import minimize_regret
from solver.sequence_form import SequenceGame
from solver.tree import build_tree
from solver.tree_sequences import to_sequence_game
from solver.watch import Watch
from tests.more_toys import GOOFSPIEL, LIARS_DICE
from tests.test_tree import BILLY, STARTS, read
from tests.toys import KUHN, LEDUC


def sequence_game(game: Any, position: Any = None) -> SequenceGame:
    position = game.parse(STARTS[game.name]) if position is None else position
    tree = build_tree(game, position, lens=FAIR, objective=game.objectives[0], watch=Watch())
    return to_sequence_game(tree).game


# Kuhn poker: Kuhn, "A simplified two-person poker" (1950). Goofspiel treats both players alike, so it is worth nothing
# to either. Liar's dice: Neller and Lanctot, "An introduction to counterfactual regret minimization" (2013), as cited
# in OpenSpiel's sequence_form_lp_test.py, which has -0.027131782945736; that is -7/258 to all its digits.
LIARS_DICE_VALUE = Fraction(-7, 258)
EXACT = [(KUHN, Fraction(-1, 18)), (GOOFSPIEL, Fraction(0)), (LIARS_DICE, LIARS_DICE_VALUE)]
# tests/reference/answers.json
FAIR_POSITIONS = [("fair-1.toml", Fraction(1, 144)), ("fair-2.toml", Fraction(3, 16))]
# Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning" (2017), appendix E.2, as
# cited in OpenSpiel's sequence_form_lp_test.py.
LEDUC_VALUE = -0.085606424078


@pytest.mark.parametrize(("game", "value"), EXACT, ids=lambda part: getattr(part, "name", None))
def test_the_published_value_comes_out_exactly(game: Any, value: Fraction) -> None:
    found = find_equilibrium(sequence_game(game), exact=True, watch=Watch()).certificate.interval
    assert (found.low, found.high) == (value, value)


def test_leduc_poker_has_its_published_value() -> None:
    found = find_equilibrium(sequence_game(LEDUC), exact=True, watch=Watch()).certificate.interval
    assert found.low == found.high
    assert float(found.low) == pytest.approx(LEDUC_VALUE, abs=1e-12)


@pytest.mark.parametrize(("name", "value"), FAIR_POSITIONS)
def test_a_fair_position_of_blasting_billy_has_the_value_found_elsewhere(name: str, value: Fraction) -> None:
    found = find_equilibrium(sequence_game(BILLY, read(name)), exact=True, watch=Watch()).certificate.interval
    assert (found.low, found.high) == (value, value)


@pytest.mark.parametrize("game", [KUHN, LEDUC, LIARS_DICE], ids=lambda game: game.name)
def test_learning_from_regret_comes_to_the_published_value(game: Any) -> None:
    values = {KUHN.name: -1 / 18, LEDUC.name: LEDUC_VALUE, LIARS_DICE.name: float(LIARS_DICE_VALUE)}
    found = minimize_regret(sequence_game(game), target=1e-3, watch=Watch())
    assert found.high - found.low <= 1e-3
    assert found.low - 1e-9 <= values[game.name] <= found.high + 1e-9
