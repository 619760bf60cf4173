from collections import Counter
from itertools import product
from math import sqrt
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.deals import Pool, Sampler, list_deals, list_pool
from tests.deals.test_pools import brute_force, every, make_pool, small_pools, some

FIVE = (3, 1, 4, 15, 9)
SIX = (2, 7, 1, 8, 28, 18)


@given(small_pools(max_cards=7))
@settings(max_examples=60, deadline=None)
def test_a_pool_is_listed_in_lexicographic_order_without_repeats(pool: Pool) -> None:
    listed = list(list_pool(pool))
    assert listed == sorted(set(listed))


@given(st.lists(small_pools(max_cards=4, max_statements=1), max_size=3))
@settings(max_examples=40, deadline=None)
def test_deals_are_listed_with_the_last_pool_changing_fastest(pools: list[Pool]) -> None:
    assert list(list_deals(pools)) == list(product(*(sorted(brute_force(pool)) for pool in pools)))


@given(st.lists(small_pools(max_cards=5), max_size=2), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_only_deals_that_are_listed_are_drawn(pools: list[Pool], seed: int) -> None:
    possible = [brute_force(pool) for pool in pools]
    assume(all(possible))
    sampler = Sampler(pools, Random(seed))
    for _ in range(10):
        drawn = sampler.draw()
        assert len(drawn) == len(pools)
        assert all(part in deals for part, deals in zip(drawn, possible, strict=True))


@pytest.mark.parametrize(
    "pools",
    [
        pytest.param([make_pool(FIVE, (2, 2, 1))], id="no statements"),
        pytest.param([make_pool(FIVE, (2, 0, 3), some(0, 3, 4))], id="some"),
        pytest.param([make_pool(FIVE, (1, 2, 2), every(0, 1, 9))], id="every, other cells as one"),
        pytest.param([make_pool(SIX, (2, 2, 2), every(0, 2, 7, 1), some(2, 28, 7))], id="some and every"),
        pytest.param([make_pool(SIX, (3, 2, 1), some(0, 2, 7), some(0, 8), some(1, 1, 2))], id="three some"),
        pytest.param([make_pool(FIVE, (5,), some(0, 1))], id="one cell"),
        pytest.param([make_pool(FIVE, (4, 1)), make_pool(SIX, (5, 1), every(1, 1, 8, 18))], id="two pools"),
    ],
)
def test_draws_are_uniform_over_the_deals_listed(pools: list[Pool]) -> None:
    deals = set(list_deals(pools))
    sampler = Sampler(pools, Random(20))
    each = 100
    drawn = Counter(sampler.draw() for _ in range(each * len(deals)))
    assert drawn.keys() <= deals
    # under uniformity chi-square has mean df and variance 2 df
    statistic = sum((drawn[deal] - each) ** 2 / each for deal in deals)
    freedom = len(deals) - 1
    assert statistic <= freedom + 6 * sqrt(2 * freedom)


def test_the_same_seed_draws_the_same_deals() -> None:
    pools = [make_pool(SIX, (2, 2, 2), some(0, 1, 2)), make_pool(FIVE, (2, 3))]
    first, second = Sampler(pools, Random(7)), Sampler(pools, Random(7))
    assert [first.draw() for _ in range(20)] == [second.draw() for _ in range(20)]
