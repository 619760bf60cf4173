"""Pools, and what the other tests of deals share: random small pools and their deals by brute force."""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.deals import Cell, Pool, PoolDeal, Statement, list_pool


def make_pool(cards: tuple[int, ...], sizes: tuple[int, ...], *statements: Statement) -> Pool:
    cells = tuple(Cell(f"cell {number}", size) for number, size in enumerate(sizes))
    return Pool("pool", cards, cells, statements)


def every(cell: int, *cards: int) -> Statement:
    return Statement(f"every card of cell {cell} is one of {cards}", cell, frozenset(cards))


def some(cell: int, *cards: int) -> Statement:
    return Statement(f"some card of cell {cell} is one of {cards}", cell, frozenset(cards), every=False)


@st.composite
def small_pools(draw: st.DrawFn, max_cards: int = 6, max_statements: int = 4) -> Pool:
    """Pools with cards in any order, empty cells, and statements that may name cards from elsewhere.

    Most statements can hold alone, so that it often takes several to contradict each other.
    """
    held = draw(st.integers(0, max_cards))
    cards = draw(st.lists(st.integers(0, 40), unique=True, min_size=held, max_size=held))
    number = draw(st.integers(1, 4))
    slots = [draw(st.integers(0, number - 1)) for _ in cards]
    sizes = tuple(map(slots.count, range(number)))
    statements = []
    for _ in range(draw(st.integers(0, max_statements))):
        cell = draw(st.integers(0, number - 1))
        known = draw(st.sampled_from([every, some] if sizes[cell] else [every, every, every, some]))
        elsewhere = draw(st.sampled_from([(), (), (), (41,)]))
        least = sizes[cell] if known is every else min(1, held)
        named = draw(st.permutations(cards))[: draw(st.integers(least, min(held, least + 2)))]
        statements.append(known(cell, *sorted((*named[len(elsewhere) :], *elsewhere))))
    return make_pool(tuple(cards), sizes, *statements)


def brute_force(pool: Pool) -> set[PoolDeal]:
    """Every order of the cards, cut into the cells, where each statement holds."""
    deals = set()
    for order in permutations(pool.cards):
        left = list(order)
        cut = [[left.pop() for _ in range(cell.size)] for cell in pool.cells]
        deals.add(tuple(tuple(sorted(cards)) for cards in cut))
    return {deal for deal in deals if all(holds(statement, deal) for statement in pool.statements)}


def holds(statement: Statement, deal: PoolDeal) -> bool:
    cards = set(deal[statement.cell])
    return cards <= statement.cards if statement.every else bool(cards & statement.cards)


@pytest.mark.parametrize("sizes", [(), (1,), (1, 1), (2, 2)])
def test_a_pool_whose_cells_do_not_hold_its_cards_is_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="3 cards do not fill"):
        make_pool((1, 2, 3), sizes)


def test_stating_adds_to_what_is_known_and_leaves_the_pool_as_it_was() -> None:
    pool = make_pool((1, 2, 3), (1, 2), every(0, 1, 2))
    more = pool.stating(some(1, 3), every(1, 2, 3))
    assert more == make_pool((1, 2, 3), (1, 2), every(0, 1, 2), some(1, 3), every(1, 2, 3))
    assert pool.statements == (every(0, 1, 2),)


@given(small_pools(max_cards=5))
@settings(max_examples=60, deadline=None)
def test_a_deal_is_possible_exactly_when_every_cell_allows_its_cards(pool: Pool) -> None:
    unknowing = make_pool(pool.cards, tuple(cell.size for cell in pool.cells))
    allowed = {
        deal for deal in brute_force(unknowing) if all(pool.allows(cell, cards) for cell, cards in enumerate(deal))
    }
    assert allowed == brute_force(pool)


@given(small_pools(max_cards=5))
@settings(max_examples=60, deadline=None)
def test_every_deal_of_a_pool_deals_each_card_once_and_fills_each_cell(pool: Pool) -> None:
    for deal in list_pool(pool):
        assert sorted(card for cards in deal for card in cards) == sorted(pool.cards)
        assert [len(cards) for cards in deal] == [cell.size for cell in pool.cells]


def test_an_empty_cell_satisfies_every_and_never_some() -> None:
    for cards, known in product([(), (1,), (1, 2)], [every, some]):
        pool = make_pool((1, 2), (0, 2), known(0, *cards))
        assert pool.allows(0, ()) == (known is every)
