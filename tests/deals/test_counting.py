from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb

from hypothesis import given, settings
from hypothesis import strategies as st

from solver.deals import Pool, PoolDeal, count_deals, count_pool, count_totals, list_pool, marginals
from tests.deals.test_pools import brute_force, every, make_pool, small_pools, some

TWELVE = tuple(range(12))


def multinomial(sizes: Sequence[int]) -> int:
    """Choose each cell's cards from those still left."""
    ways, left = 1, sum(sizes)
    for size in sizes:
        ways *= comb(left, size)
        left -= size
    return ways


@st.composite
def sizes_of_twelve(draw: st.DrawFn) -> tuple[int, ...]:
    number = draw(st.integers(1, 6))
    slots = [draw(st.integers(0, number - 1)) for _ in TWELVE]
    return tuple(map(slots.count, range(number)))


@given(small_pools(max_cards=7))
@settings(max_examples=80, deadline=None)
def test_the_count_is_the_number_of_deals_listed_and_of_those_found_by_brute_force(pool: Pool) -> None:
    listed = list(list_pool(pool))
    assert count_pool(pool) == len(listed)
    assert set(listed) == brute_force(pool)


@given(sizes_of_twelve())
@settings(max_examples=50, deadline=None)
def test_twelve_cards_fall_in_as_many_ways_as_the_multinomial_says(sizes: tuple[int, ...]) -> None:
    assert count_pool(make_pool(TWELVE, sizes)) == multinomial(sizes)


@given(sizes_of_twelve())
@settings(max_examples=30, deadline=None)
def test_statements_that_say_nothing_leave_the_multinomial_as_it_is(sizes: tuple[int, ...]) -> None:
    held = [some(cell, *TWELVE) for cell, size in enumerate(sizes) if size]
    assert count_pool(make_pool(TWELVE, sizes, every(0, *TWELVE), *held)) == multinomial(sizes)


def test_a_card_known_to_lie_in_a_cell_takes_one_slot_of_it() -> None:
    # the other eleven cards fall freely: 11! / (2! 4! 5!)
    assert count_pool(make_pool(TWELVE, (3, 4, 5), some(0, 7))) == multinomial((2, 4, 5))


def test_a_cell_with_some_of_two_cards_is_all_fillings_less_those_with_neither() -> None:
    # C(12, 4) - C(10, 4) fillings of the cell, and C(8, 3) of the next
    pool = make_pool(TWELVE, (4, 3, 5), some(0, 2, 9))
    assert count_pool(pool) == (comb(12, 4) - comb(10, 4)) * comb(8, 3)


@given(st.lists(small_pools(max_cards=4, max_statements=2), max_size=3))
@settings(max_examples=40, deadline=None)
def test_the_deals_of_independent_pools_multiply(pools: list[Pool]) -> None:
    expected = 1
    for pool in pools:
        expected *= len(brute_force(pool))
    assert count_deals(pools) == expected


def enumerated_marginals(pool: Pool, deals: set[PoolDeal]) -> tuple[dict[int, Fraction], ...]:
    chances: list[dict[int, Fraction]] = [{} for _ in pool.cells]
    for deal in deals:
        for chance, cards in zip(chances, deal, strict=True):
            for card in cards:
                chance[card] = chance.get(card, Fraction(0)) + Fraction(1, len(cards) * len(deals))
    return tuple(chances)


@given(small_pools())
@settings(max_examples=80, deadline=None)
def test_marginals_are_the_shares_among_all_deals(pool: Pool) -> None:
    assert marginals(pool) == enumerated_marginals(pool, brute_force(pool))


@given(sizes_of_twelve())
@settings(max_examples=30, deadline=None)
def test_without_statements_every_card_is_as_likely_as_another_in_every_cell(sizes: tuple[int, ...]) -> None:
    even = dict.fromkeys(TWELVE, Fraction(1, 12))
    assert marginals(make_pool(TWELVE, sizes)) == tuple(even if size else {} for size in sizes)


@given(small_pools(), st.data())
@settings(max_examples=80, deadline=None)
def test_totals_are_counted_as_enumeration_counts_them_in_rising_order(pool: Pool, data: st.DataObject) -> None:
    weights = data.draw(st.tuples(*(st.integers(-3, 3) for _ in pool.cells)))
    worth = data.draw(st.fixed_dictionaries({card: st.integers(-6, 6) for card in pool.cards}))
    expected = Counter(
        sum(weight * worth[card] for weight, cards in zip(weights, deal, strict=True) for card in cards)
        for deal in brute_force(pool)
    )
    totals = count_totals(pool, weights, worth)
    assert totals == dict(expected)
    assert list(totals) == sorted(totals)


@given(sizes_of_twelve())
@settings(max_examples=20, deadline=None)
def test_the_totals_of_twelve_cards_add_up_to_the_multinomial(sizes: tuple[int, ...]) -> None:
    weights = [(-1) ** cell * cell for cell in range(len(sizes))]
    totals = count_totals(make_pool(TWELVE, sizes), weights, {card: card - 4 for card in TWELVE})
    assert sum(totals.values()) == multinomial(sizes)
