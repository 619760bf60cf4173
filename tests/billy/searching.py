"""Positions to search, and what the naive twin finds in their deals: shared by the tests of the search."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import factorial
from random import Random

import numpy as np

from solver.cards import hide, make_card
from solver.deals import count_deals
from solver.errors import LastdrawError
from solver.games.blasting_billy.deck import NAMES, Deck
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.search.evaluators import Batch, OrderSearch, StateSearch
from solver.games.blasting_billy.search.layout import Layout
from solver.games.blasting_billy.table import Move, Position
from solver.shortcuts import Question
from tests import naive, naive_search
from tests.billy.samples import facts_about, with_facts
from tests.naive_search import Solved

DECKS = (
    Deck("JB", 0, 4, True, 2),
    Deck("CD", 0, 6, True, 3),
    Deck("JBC", 0, 2, True, 2),
    Deck("BCG", 0, 3, True, 1),
    Deck("JBCGD", 0, 3, True, 1),
    Deck("JG", 1, 7, False, 2),
    Deck("JBCGD", 0, 10, True, 3),
    Deck("GD", 0, 10, True, 1),
)
GOALS = {2: (("win", None), ("margin", None)), 3: (("win", "rivals"), ("win", "coalition"))}


def goals(position: Position) -> Sequence[tuple[str, str | None]]:
    return GOALS[min(3, len(position.players))]


def size(players: int, hand: int, pile: int, turns: int) -> int:
    """Roughly how many lines the naive twin looks at for one move."""
    return int((3 * hand) ** (pile + turns - 1) * factorial(pile) / 2)


def size_of(position: Position) -> int:
    full = sum(len(hand) == position.deck.hand for hand in position.hands)
    return size(len(position.players), position.deck.hand, position.size, full)


def positions(seed: int, number: int, *, largest: int, deals: int = 10**30, facts: float = 0.2) -> Iterator[Position]:
    """Positions of the player to move, reached by random play; some with facts, some with forgotten cards."""
    rng = Random(seed)
    found = 0
    while found < number:
        deck, players = rng.choice(DECKS), rng.randint(2, 5)
        spare = len(deck.cards) - players * deck.hand
        removed = rng.randint(0, max(0, min(12, spare)))
        pile = rng.choice((0, 0, 1, 1, 2, 2, 3, 3, 4))
        turns = players if pile or rng.random() < 0.3 else rng.randint(1, players)
        if spare < removed + pile or size(players, deck.hand, pile, turns) > largest:
            continue
        state, _ = play_randomly(
            players=players,
            pile=pile,
            turns_left=turns,
            deck=deck,
            removed=removed,
            rng=rng,
            covered=rng.random() < 0.4,
        )
        position = observe(state, state.to_move)
        if rng.random() < 0.25:
            position = forget(position, rng)
        if count_deals(hidden_pools(position)) > deals:
            continue
        if rng.random() < facts:
            try:
                position = parse_position(with_facts(position, facts_about(position, rng, rng.randint(1, 3))))
            except LastdrawError:
                continue
        found += 1
        yield position


def forget(position: Position, rng: Random) -> Position:
    """The mover has forgotten some of the cards in the hand."""
    assert position.me is not None
    hand = tuple(sorted(hide(card) if rng.random() < 0.6 else card for card in position.hands[position.me]))
    hands = (*position.hands[: position.me], hand, *position.hands[position.me + 1 :])
    return replace(position, hands=hands)


def filled(position: Position, faces: "np.ndarray[tuple[int, ...], np.dtype[np.int8]]") -> naive.Position:
    """The naive position of one deal."""
    deal: naive.Deal = {}
    for hidden in Layout(position).hidden:
        for cell, slots in zip(hidden.pool.cells, hidden.cells, strict=True):
            cards = (make_card(hidden.kind, int(faces[hidden.kind, slot])) for slot in slots)
            deal[cell.name] = tuple(NAMES.format(card) for card in sorted(cards))
    return naive.fill(naive.read(format_position(position)), deal)


def meanings(position: Position, move: object, table: naive.Position) -> list[str]:
    """The moves of the naive twin that a move can mean in one deal."""
    assert isinstance(move, Move)
    card = NAMES.format(move.card)
    if not naive.hidden(card):
        return [f"{move.verb} {card}"]
    known = [NAMES.format(other) for other in position.hands[position.me or 0]]
    hand = table["hands"][table["to_move"]]
    return [f"{move.verb} {other}" for other in hand if other[0] == card[0] and other not in known]


def solve_moves(
    position: Position,
    search: StateSearch | OrderSearch,
    table: naive.Position,
    question: naive_search.Question,
    first: Sequence[str] = (),
) -> list[Solved]:
    """Every move in one deal, as the naive twin sees it, with the first draws given."""
    result = []
    for move in search.moves:
        parts = []
        for meaning in meanings(position, move, table):
            after = naive.play(table, meaning)
            if first and naive.must_draw(after):
                shows = after["top"] is not None and len(first) > 1
                after = naive.draw(after, first[0], first[1][0] if shows else None)
            parts.append((1, naive_search.solve(after, question)))
        result.append(naive_search.average(parts))
    return result


def unordered(deals: Batch) -> Batch:
    return Batch(deals.faces, deals.orders[:, :0].copy(), deals.picks)


def cards_of(deals: Batch, deal: int) -> list[str]:
    """The pile of a deal in the order in which it is drawn."""
    slots = deals.orders[deal].tolist()
    return [NAMES.format(make_card(slot // 12, int(deals.faces[deal, slot // 12, slot % 12]))) for slot in slots]


def asked(position: Position, objective: str, others: str | None) -> naive_search.Question:
    return naive_search.Question(position.players[position.to_move or 0], objective, others)


def totals(position: Position, objective: str, others: str | None) -> tuple[list[Fraction], list[tuple[Fraction, ...]]]:
    """The exact mean of every move's value and endings over all classes of deals."""
    search = StateSearch(Question(position=position, objective=objective, others=others))
    everyone = range(len(search.moves))
    values, endings, listed, number = [0] * len(everyone), np.zeros((len(everyone), 5), object), 0, 0
    for deals, numbers in search.all_classes(100):
        assert len(deals) <= 100
        listed += len(numbers)
        weights = [int(each) for each in numbers]
        number += sum(weights)
        found, shares = search.values(deals, everyone), search.exact_shares(deals, everyone)
        for deal, weight in enumerate(weights):
            for move in everyone:
                values[move] += weight * int(found[deal, move])
                endings[move] += np.array([weight * int(share) for share in shares[deal, move]], object)
    assert listed == search.classes
    assert number == count_deals(hidden_pools(position))
    whole = number * search.scale
    return [Fraction(value, whole) for value in values], [tuple(Fraction(e, whole) for e in row) for row in endings]
