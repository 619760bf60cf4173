from itertools import combinations

import pytest
from hypothesis import given, settings
from pysat.solvers import Solver

from solver.deals import Pool, Statement, count_pool, is_consistent, smallest_contradiction
from solver.deals.contradiction import encode
from tests.deals.test_pools import every, make_pool, small_pools, some

TWELVE = tuple(range(12))


def stating_only(pool: Pool, statements: tuple[Statement, ...]) -> Pool:
    return make_pool(pool.cards, tuple(cell.size for cell in pool.cells), *statements)


def count_models(pool: Pool) -> int:
    """The models of the clauses, statements taken as hard, that differ in where some card lies."""
    formula, lies = encode(pool)
    number = 0
    with Solver(bootstrap_with=formula.hard + formula.soft) as solver:
        while solver.solve():
            number += 1
            true = set(solver.get_model() or ())
            block = [-variable for row in lies for variable in row if variable in true]
            if not block:
                break
            solver.add_clause(block)
    return number


@given(small_pools())
@settings(max_examples=80, deadline=None)
def test_statements_are_consistent_exactly_when_some_deal_is_left(pool: Pool) -> None:
    assert is_consistent(pool) == (count_pool(pool) > 0)


@given(small_pools())
@settings(max_examples=60, deadline=None)
def test_the_clauses_have_as_many_models_as_the_pool_has_deals(pool: Pool) -> None:
    assert count_models(pool) == count_pool(pool)


@pytest.mark.parametrize(
    "pool",
    [
        make_pool(TWELVE, (2, 9, 1)),
        make_pool(TWELVE, (2, 9, 1), some(0, 3, 4)),
        make_pool(TWELVE, (4, 3, 5), every(0, 0, 1, 2, 3, 4, 5), every(1, 4, 5, 6, 7, 8), some(2, 0, 11)),
    ],
    ids=["no statements", "some", "some and every"],
)
def test_the_clauses_of_twelve_cards_have_as_many_models_as_the_pool_has_deals(pool: Pool) -> None:
    assert count_models(pool) == count_pool(pool)


@given(small_pools(max_statements=6))
@settings(max_examples=120, deadline=None)
def test_a_smallest_contradiction_is_one_and_no_fewer_statements_are(pool: Pool) -> None:
    found = smallest_contradiction(pool)
    assert bool(found) == (count_pool(pool) == 0)
    if found:
        assert count_pool(stating_only(pool, found)) == 0
        for fewer in combinations(pool.statements, len(found) - 1):
            assert count_pool(stating_only(pool, fewer)) > 0


@given(small_pools(max_statements=6))
@settings(max_examples=60, deadline=None)
def test_a_smallest_contradiction_keeps_the_order_of_the_pool(pool: Pool) -> None:
    found = smallest_contradiction(pool)
    assert found in combinations(pool.statements, len(found))


def test_three_cells_that_share_two_cards_contradict_each_other_and_no_bystander() -> None:
    sharing = [every(cell, 5, 6) for cell in (0, 1, 2)]
    pool = make_pool(TWELVE, (1, 1, 1, 9), some(3, 1), sharing[0], every(3, *TWELVE), *sharing[1:])
    assert smallest_contradiction(pool) == tuple(sharing)


def test_one_statement_is_preferred_to_two_that_contradict_each_other() -> None:
    alone = some(1, 99)
    pool = make_pool((1, 2, 3), (1, 2), every(0, 1), some(1, 1), alone)
    assert smallest_contradiction(pool) == (alone,)


def test_a_card_cannot_lie_in_two_cells() -> None:
    pool = make_pool(TWELVE, (4, 4, 4), some(0, 5), some(1, 6), some(2, 5))
    assert smallest_contradiction(pool) == (some(0, 5), some(2, 5))
