"""Deals as arrays: drawn uniformly, and merged into classes that together are all deals."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from math import factorial
from random import Random

import numpy as np
import pytest

from solver.cards import is_hidden, make_card
from solver.deals import count_deals, list_deals
from solver.games.blasting_billy.deck import DYNAMITE, NAMES, TYPES, Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.search.evaluators import Batch, StateSearch
from solver.games.blasting_billy.search.layout import PILE, Layout
from solver.games.blasting_billy.table import Position
from solver.methods.minimax import Listing
from solver.shortcuts import Question
from solver.watch import Watch
from tests import naive, naive_search
from tests.billy.searching import asked, cards_of, goals, positions, solve_moves, totals


@pytest.mark.parametrize("seed", range(2))
def test_all_classes_together_equal_all_deals(seed: int) -> None:
    """Values against the search for any game, endings against the naive twin over every single deal."""
    game, merged = BlastingBilly(), 0
    for position in positions(20 + seed, 18, largest=100, deals=40, facts=0.4):
        number = count_deals(hidden_pools(position))
        for objective, others in goals(position):
            values, endings = totals(position, objective, others)
            search = StateSearch(Question(position=position, objective=objective, others=others))
            merged += search.classes < number
            found = Listing(
                game,
                position,
                mover=position.to_move or 0,
                objective=objective,
                others=others,
                deals=number,
            ).run(Watch())
            assert [each.value.fraction for each in found] == values
            assert [each.move for each in found] == list(search.moves)
            if number <= 12:
                assert endings == naive_endings(position, search, asked(position, objective, others))
    assert merged > 5


def naive_endings(
    position: Position, search: StateSearch, question: naive_search.Question
) -> list[tuple[Fraction, ...]]:
    text = naive.read(format_position(position))
    tables = [naive.fill(text, deal) for deal in naive.deals(text)]
    solved = [solve_moves(position, search, table, question) for table in tables]
    return [naive_search.average([(1, each) for each in column]).endings for column in zip(*solved, strict=True)]


def test_larger_positions_have_the_same_value_merged_and_unmerged() -> None:
    """Dynamite that can still come, columns with several hidden cards: classes against every deal, searched alike."""
    merged, found = 0, [*positions(31, 20, largest=10**6, deals=3_000, facts=0.5)]
    found += islice(filter(has_long_column, positions(32, 2_000, largest=10**6, deals=3_000, facts=0.0)), 25)
    for position in found:
        if position.size > 2 or len(position.players) > 3:
            continue
        for objective, others in goals(position):
            search = StateSearch(Question(position=position, objective=objective, others=others))
            everyone, layout = range(len(search.moves)), Layout(position)
            faces = np.array(list(all_rows(layout)), np.int8)
            empty = np.zeros((len(faces), 0), np.int64)
            values = search.values(Batch(faces, empty, np.zeros(len(faces), np.int64)), everyone)
            expected = [Fraction(int(total), len(faces) * search.scale) for total in values.sum(axis=0)]
            assert totals(position, objective, others)[0] == expected
            merged += search.classes < len(faces)
    assert merged > 20


def has_long_column(position: Position) -> bool:
    """Whether Billy has a column with several hidden cards, and its dynamite was not seen out of play."""
    seen = {laid.card for column in position.billy for laid in column}
    seen |= {laid.card for laid in position.dumped} | {c for loot in position.loots for column in loot for c in column}
    return position.size < 3 and any(
        sum(is_hidden(laid.card) for laid in column) > 1 and make_card(kind, DYNAMITE) not in seen
        for kind, column in enumerate(position.billy)
    )


def all_rows(layout: Layout) -> Iterator["np.ndarray[tuple[int, ...], np.dtype[np.int8]]"]:
    """Every deal of a layout."""
    for deal in list_deals(hidden_pools(layout.position)):
        faces = layout.faces.copy()
        for hidden, cells in zip(layout.hidden, deal, strict=True):
            for slots, cards in zip(hidden.cells, cells, strict=True):
                faces[hidden.kind, list(slots)] = [card & 15 for card in cards]
        yield faces


def chi_square(counts: Counter[bytes], outcomes: int) -> float:
    """How far the counts are from all being alike, in standard deviations of the statistic."""
    expected = counts.total() / outcomes
    statistic = sum((number - expected) ** 2 for number in counts.values()) / expected
    statistic += expected * (outcomes - len(counts))
    return float((statistic - (outcomes - 1)) / (2 * (outcomes - 1)) ** 0.5)


@pytest.mark.parametrize(("rarest", "listed"), [(0.0, 0), (2.0, 20_000), (2.0, 0)], ids=["reject", "list", "sampler"])
def test_sampled_deals_are_uniform(monkeypatch: pytest.MonkeyPatch, rarest: float, listed: int) -> None:
    """By every way of drawing: slot by slot, so that cards of one hand, of the box and of the pile are in no order."""
    monkeypatch.setattr("solver.games.blasting_billy.search.layout.RAREST", rarest)
    monkeypatch.setattr("solver.games.blasting_billy.search.layout.MOST_LISTED", listed)
    rng = np.random.default_rng(4)
    for position in positions_with_told_heaps():
        layout = Layout(position)
        outcomes = count_deals(hidden_pools(position)) * orders_within(layout)
        counts = Counter(row.tobytes() for row in layout.sample(rng, 20 * outcomes))
        possible = {row.tobytes() for row in all_rows(layout)}
        assert {sort_cells(layout, row) for row in counts} == {sort_cells(layout, row) for row in possible}
        assert len(counts) <= outcomes
        assert abs(chi_square(counts, outcomes)) < 4.5


@cache
def positions_with_told_heaps() -> list[Position]:
    """Positions with facts about a type of which several cards lie together in no order, and few deals."""

    def fits(position: Position) -> bool:
        layout = Layout(position)
        told = [hidden for hidden in layout.hidden if hidden.pool.statements]
        few = count_deals(hidden_pools(position)) * orders_within(layout) <= 400
        return few and any(len(cell) > 1 for hidden in told for cell in hidden.cells)

    return list(islice(filter(fits, positions(41, 500, largest=10**9, deals=60, facts=1.0)), 8))


def orders_within(layout: Layout) -> int:
    """In how many orders the cards of every cell can lie."""
    result = 1
    for hidden in layout.hidden:
        for cell in hidden.cells:
            result *= factorial(len(cell))
    return result


def sort_cells(layout: Layout, row: bytes) -> bytes:
    faces = np.frombuffer(row, np.int8).reshape(layout.faces.shape).copy()
    for hidden in layout.hidden:
        for cell in hidden.cells:
            faces[hidden.kind, list(cell)] = sorted(faces[hidden.kind, list(cell)])
    return faces.tobytes()


def test_drawn_orders_fit_the_top_and_are_uniform() -> None:
    """The drawn cards, first to last, are each as likely as the pile allows."""
    deck = Deck("JB", 0, 2, True, 1)
    state, _ = play_randomly(players=2, pile=3, turns_left=2, deck=deck, removed=0, rng=Random(5))
    position = observe(state, state.to_move)
    search = StateSearch(Question(position=position, objective="win", others=None))
    deals = search.draw(np.random.default_rng(5), 6_000)
    counts = Counter(deals.faces[deal].tobytes() + " ".join(cards_of(deals, deal)).encode() for deal in range(6_000))
    assert all(cards_of(deals, deal)[0][0] == NAMES.backs[position.top or 0] for deal in range(100))
    layout = Layout(position)
    drawn = sum(int(np.count_nonzero(layout.zones[kind] == PILE)) for kind in TYPES)
    assert drawn == 3
    outcomes = count_deals(hidden_pools(position)) * orders_within(layout) * factorial(drawn - 1)
    assert abs(chi_square(counts, outcomes)) < 4.5


def test_the_mean_over_drawn_deals_tends_to_the_exact_value() -> None:
    """The first draw and the next top are drawn as the rules weigh them."""
    found = (each for each in positions(51, 200, largest=10**4, deals=60) if each.size > 1)
    for position in islice(found, 6):
        for objective, others in goals(position):
            exact, endings = totals(position, objective, others)
            search = StateSearch(Question(position=position, objective=objective, others=others))
            everyone, number = range(len(search.moves)), 1_000
            deals = search.draw(np.random.default_rng(6), number)
            values = search.values(deals, everyone) / search.scale
            spread = values.std(axis=0) / number**0.5
            assert (np.abs(values.mean(axis=0) - [float(value) for value in exact]) <= 4.5 * spread + 0.01).all()
            shares = search.shares(deals, everyone).mean(axis=0)
            assert np.abs(shares - np.array(endings, np.float64)).max() < 4.5 * 0.5 / number**0.5
