"""The smaller game has the value of the whole one, and its plans, carried back, guarantee there what they did."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.certificate import certify, certify_whole, round_plan
from solver.methods.best_response import as_plan, exploitability
from solver.methods.equilibrium import find_equilibrium
from solver.reduction import Reduction, reduce_game
from solver.sequence_form import Plan, SequenceGame, Side, make_game
from solver.watch import Watch
from tests.sequence_games import SideMaker, matrix_game, naive_value, numbers, poker, random_game

seeds = st.integers(0, 10**9)


def random_plan(side: Side, seed: int) -> Plan:
    return as_plan(side, np.random.default_rng(seed).choice([0.0, 1.0, 2.5], side.sequences))


def sizes(game: SequenceGame) -> tuple[int, int, int]:
    """Sequences of both sides, and payoffs."""
    return game.sides[0].sequences, game.sides[1].sequences, game.nonzeros


def doubled(game: SequenceGame, seed: int) -> SequenceGame:
    """The game twice behind a chance event that nobody's plans need to tell apart, sets and sequences mixed up."""
    rng, makers, places = Random(seed), (SideMaker(), SideMaker()), []
    for side, maker in zip(game.sides, makers, strict=True):
        place: dict[tuple[int, int], int] = {}
        for i in range(side.sets):
            span = range(side.starts[i], side.starts[i + 1])
            for copy in (0, 1):
                links = range(side.parent_starts[i], side.parent_starts[i + 1])
                parents = [(place[copy, int(side.parents[k])], int(side.weights[k])) for k in links]
                first = maker.add(len(span), mass=int(side.mass[i]), parents=parents)
                order = rng.sample(span, len(span))
                place.update({(copy, s): first + n for n, s in enumerate(order)})
        places.append(place)
    rows = game.rows.tolist()
    entries = [
        (places[0][one, row], places[1][other, column], payoff)
        for row, column, payoff in zip(rows, game.columns.tolist(), game.payoffs.tolist(), strict=True)
        for one in (0, 1)
        for other in (0, 1)
    ]
    table = numbers([part for entry in entries for part in entry]).reshape(-1, 3)
    return make_game((makers[0].side(), makers[1].side()), table[:, 0], table[:, 1], table[:, 2], 4 * game.scale)


@given(seeds)
@settings(deadline=None, max_examples=80)
def test_the_smaller_game_has_the_same_value(seed: int) -> None:
    game = random_game(seed)
    small = reduce_game(game).game
    assert sum(sizes(small)) <= sum(sizes(game))
    assert naive_value(small) == naive_value(game)


@given(seeds, seeds)
@settings(deadline=None, max_examples=80)
def test_plans_carried_back_guarantee_exactly_what_they_did(seed: int, other: int) -> None:
    game = doubled(random_game(seed), other)
    reduction = reduce_game(game)
    plans = tuple(random_plan(side, other + n) for n, side in enumerate(reduction.game.sides))
    low, high = exploitability(reduction.game, (plans[0], plans[1]))
    wide = reduction.widen((plans[0], plans[1]))
    assert exploitability(game, wide) == pytest.approx((low, high), rel=1e-9, abs=1e-9)
    certify(game, wide)  # which refuses what cannot be played
    bits = (20, 23)
    whole = tuple(round_plan(side, plan, b) for side, plan, b in zip(reduction.game.sides, plans, bits, strict=True))
    denominators = (1 << bits[0], 1 << bits[1])
    expected = certify_whole(reduction.game, (whole[0], whole[1]), denominators).interval
    carried = reduction.widen_whole((whole[0], whole[1]), denominators)
    assert certify_whole(game, carried, denominators).interval == expected


@given(seeds, seeds)
@settings(deadline=None, max_examples=40)
def test_what_is_there_twice_is_merged(seed: int, other: int) -> None:
    game = random_game(seed)
    single, double = reduce_game(game).game, reduce_game(doubled(game, other)).game
    assert sizes(double) == sizes(single)


def one_against(side: Side, rows: list[list[int]]) -> SequenceGame:
    """A side's sequences with their payoffs against the moves of a set of the other side."""
    other = SideMaker()
    other.add(len(rows[0]), mass=1)
    entries = numbers([part for r, row in enumerate(rows) for c, pays in enumerate(row) for part in (r, c, pays)])
    table = entries.reshape(-1, 3)
    return make_game((side, other.side()), table[:, 0], table[:, 1], table[:, 2], 1)


def test_a_sequence_that_never_pays_more_is_dropped_and_of_equal_ones_the_first_stays() -> None:
    reduction = reduce_game(matrix_game([[1, -1], [0, -1], [-1, 1], [1, -1]]))
    assert sizes(reduction.game) == (2, 2, 4)
    plan, _ = reduction.widen((np.array([0.25, 0.75]), np.array([0.5, 0.5])))
    assert plan.tolist() == [0.25, 0.0, 0.75, 0.0]


def test_a_sequence_that_pays_less_at_once_stays_if_it_leads_elsewhere() -> None:
    maker = SideMaker()
    first = maker.add(2, mass=1)
    maker.add(2, parents=[(first, 1)])
    game = one_against(maker.side(), [[-1, -1], [0, 0], [5, 0], [0, 5]])
    assert naive_value(reduce_game(game).game) == naive_value(game) == Fraction(3, 2)  # half of 5, less 1


def test_forced_sequences_are_played_by_what_leads_to_them() -> None:
    maker = SideMaker()
    first = maker.add(2, mass=1)
    forced = maker.add(1, parents=[(first, 1)])
    maker.add(1, parents=[(forced, 3)])
    reduction = reduce_game(one_against(maker.side(), [[0, 0], [4, 0], [1, 0], [0, 1]]))
    assert sizes(reduction.game)[0] == 2
    plan, _ = reduction.widen((np.array([0.5, 0.5]), np.array([1.0, 0.0])))
    assert plan.tolist() == [0.5, 0.5, 0.5, 1.5]


def test_a_game_without_a_choice_ends_up_with_nothing_to_choose() -> None:
    reduction: Reduction = reduce_game(matrix_game([[2, 1], [1, 0]]))
    assert sizes(reduction.game)[:2] == (1, 1)
    assert naive_value(reduction.game) == 1


@pytest.mark.parametrize("seed", range(12))
def test_what_is_found_in_the_smaller_game_is_proved_in_the_whole_one(seed: int) -> None:
    game = doubled(random_game(seed), seed)
    found = find_equilibrium(game, exact=True, watch=Watch(60))
    again = certify_whole(game, found.certificate.plans, found.certificate.denominators)
    assert again.interval.low == again.interval.high == naive_value(random_game(seed))


def test_poker_keeps_its_published_value() -> None:
    small = reduce_game(poker(3)).game  # Kuhn (1950)
    assert sum(sizes(small)) < sum(sizes(poker(3)))
    assert naive_value(small) == Fraction(-1, 18)
