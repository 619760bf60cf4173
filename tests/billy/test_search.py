"""The search of single deals equals its naive twin, deal by deal, and the answers computed elsewhere."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from solver.cards import Card, is_hidden
from solver.deals import count_deals
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, TYPES, Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import fill, hidden_pools, observe
from solver.games.blasting_billy.position_text import parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.rules import Draw, Event
from solver.games.blasting_billy.search.evaluators import Batch, OrderSearch, StateSearch
from solver.games.blasting_billy.search.layout import Layout
from solver.games.blasting_billy.search.lines import Lines
from solver.games.blasting_billy.table import VERBS, Move, Position, State
from solver.methods.minimax import Minimax
from solver.shortcuts import Question
from tests import naive, naive_search
from tests.billy.searching import (
    asked,
    cards_of,
    filled,
    goals,
    meanings,
    positions,
    size_of,
    solve_moves,
    totals,
    unordered,
)
from tests.naive_search import ENDINGS

REFERENCE = Path(__file__).parents[1] / "reference"


def check_deal_by_deal(position: Position, number: int) -> None:
    rng = np.random.default_rng(1)
    for objective, others in goals(position):
        search = StateSearch(Question(position=position, objective=objective, others=others))
        question, mover = asked(position, objective, others), position.to_move or 0
        everyone = range(len(search.moves))
        drawn = search.draw(rng, number)
        exact, sampled = search.values(unordered(drawn), everyone), search.values(drawn, everyone)
        shares = search.exact_shares(unordered(drawn), everyone)
        for deal in range(number):
            table = filled(position, drawn.faces[deal])
            for move, solved in enumerate(solve_moves(position, search, table, question)):
                assert Fraction(int(exact[deal, move]), search.scale) == solved.payoffs[mover]
                found = tuple(Fraction(int(number), search.scale) for number in shares[deal, move])
                assert found == solved.endings
            first = cards_of(drawn, deal)
            for move, solved in enumerate(solve_moves(position, search, table, question, first)):
                assert Fraction(int(sampled[deal, move]), search.scale) == solved.payoffs[mover]


@pytest.mark.parametrize("seed", range(4))
def test_search_equals_its_naive_twin_deal_by_deal(seed: int) -> None:
    for position in positions(seed, 50, largest=250):
        check_deal_by_deal(position, 2 if size_of(position) < 30 else 1)


def test_the_positions_searched_are_of_all_kinds() -> None:
    """Or equality with the twin would say less than it seems to."""
    found = [position for seed in range(4) for position in positions(seed, 50, largest=250)]
    assert Counter(len(position.players) for position in found).keys() == {2, 3, 4, 5}
    assert Counter(position.deck.hand for position in found).keys() == {1, 2, 3}
    assert {position.size for position in found} >= {0, 1, 2, 3}
    assert sum(position.top is None and position.size > 0 for position in found) >= 20
    assert sum(position.top is not None for position in found) >= 20
    assert sum(bool(position.facts) for position in found) >= 20
    assert sum(any(map(is_hidden, position.hands[position.me or 0])) for position in found) >= 20
    assert sum(len(set(map(len, position.hands))) > 1 for position in found) >= 20


@pytest.mark.parametrize("pile", [2, 3, 4])
def test_search_equals_its_naive_twin_on_larger_positions(pile: int) -> None:
    found = (each for each in positions(99, 400, largest=3_000) if each.size == pile and size_of(each) > 300)
    for position in islice(found, 2):
        check_deal_by_deal(position, 1)


def test_search_with_the_order_known_equals_its_naive_twin() -> None:
    rng = np.random.default_rng(2)
    for position in positions(11, 40, largest=250):
        for objective, others in goals(position):
            search = OrderSearch(Question(position=position, objective=objective, others=others))
            deals = search.draw(rng, 1)
            values = search.values(deals, range(len(search.moves)))
            table = {**filled(position, deals.faces[0]), "order": cards_of(deals, 0)}
            solved = solve_moves(position, search, table, asked(position, objective, others))
            expected = [each.payoffs[position.to_move or 0] for each in solved]
            assert [Fraction(int(value), search.scale) for value in values[0]] == expected


class Ordered(BlastingBilly):
    """The game with the pile in an order that everybody knows."""

    def __init__(self, order: Sequence[Card]) -> None:
        self._order = order

    def chances(self, state: State) -> tuple[tuple[Event, int], ...]:
        if not state.drawing:
            return ()
        card, *rest = self._order[len(self._order) - len(state.pile) :]
        return ((Draw(card, rest[0] >> 4 if rest and state.top is not None else None), 1),)


@pytest.mark.parametrize(
    ("players", "pile", "deck"),
    [(2, 4, Deck("JB", 0, 5, True, 2)), (2, 6, Deck("JBC", 0, 5, True, 1)), (3, 5, Deck("JBC", 0, 5, True, 1))],
)
def test_what_the_search_remembers_of_an_ordered_pile_is_right(players: int, pile: int, deck: Deck) -> None:
    """Longer piles than the naive twin reaches, against the search for any game."""
    for seed in range(2):
        state, _ = play_randomly(
            players=players,
            pile=pile,
            turns_left=players,
            deck=deck,
            removed=1,
            rng=Random(seed),
            covered=seed % 2 == 0,
        )
        position = observe(state, state.to_move)
        for objective, others in goals(position):
            search = OrderSearch(Question(position=position, objective=objective, others=others))
            deals, mover = search.draw(np.random.default_rng(seed), 1), position.to_move or 0
            game = Ordered([NAMES.parse(card) for card in cards_of(deals, 0)])
            minimax = Minimax(game, mover=mover, objective=objective, others=others)
            dealt = state_of(position, deals)
            expected = [minimax.payoffs(game.play(dealt, move))[mover] for move in search.moves]  # type: ignore[arg-type]
            values = search.values(deals, range(len(search.moves)))
            assert [Fraction(int(value), search.scale) for value in values[0]] == expected


def state_of(position: Position, deals: Batch) -> State:
    """The state of a batch's first deal."""
    cells = (
        tuple(
            tuple(sorted(hidden.kind * 16 + int(deals.faces[0, hidden.kind, slot]) for slot in cell))
            for cell in hidden.cells
        )
        for hidden in Layout(position).hidden
    )
    return fill(position, tuple(cells))


@pytest.mark.parametrize("kind", [StateSearch, OrderSearch])
def test_lines_and_shares_follow_best_play_along_the_drawn_order(kind: type[StateSearch] | type[OrderSearch]) -> None:
    rng = np.random.default_rng(3)
    for position in positions(12, 40, largest=150):
        for objective, others in goals(position):
            search = kind(Question(position=position, objective=objective, others=others))
            deals = search.draw(rng, 1)
            everyone = range(len(search.moves))
            lines, shares = search.lines(deals, everyone), search.shares(deals, everyone)
            table, question = filled(position, deals.faces[0]), asked(position, objective, others)
            for move in everyone:
                told = told_line(position, lines, move)
                possible = []
                for meaning in meanings(position, search.moves[move], table):
                    order, after = cards_of(deals, 0), naive.play(table, meaning)
                    if naive.must_draw(after):
                        shows = after["top"] is not None and len(order) > 1
                        after = naive.draw(after, order[0], order[1][0] if shows else None)
                        order = order[1:]
                    possible.append(naive_search.follow(after, question, order, seen=kind is OrderSearch))
                assert told in possible
                assert dict(zip(ENDINGS, shares[0, move], strict=True)) == endings_of(told, question.mover)


def told_line(position: Position, lines: Lines, move: int) -> naive_search.Line:
    """A line in the words of the naive twin."""
    players = position.players
    verb, card = int(lines.reply_verb[0, move]), int(lines.reply_card[0, move])
    shot = {
        name: {NAMES.backs[kind] for kind in TYPES if int(lines.shot[0, move, seat]) >> kind & 1}
        for seat, name in enumerate(players)
    }
    winners = {name for seat, name in enumerate(players) if int(lines.winners[0, move]) >> seat & 1}
    return naive_search.Line(winners, shot, None if card < 0 else f"{VERBS[verb]} {NAMES.format(card)}")


def endings_of(line: naive_search.Line, mover: str) -> dict[str, float]:
    return {
        "win": float(line.winners == {mover}),
        "shared": float(mover in line.winners and len(line.winners) > 1),
        "loss": float(bool(line.winners) and mover not in line.winners),
        "billy": float(not line.winners),
        "shot": float(bool(line.shot[mover])),
    }


ANSWERS = [
    answer
    for answer in json.loads((REFERENCE / "answers.json").read_text())
    if answer["lens"] == "open" and answer["position"].startswith(("small", "many"))
]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: f"{answer['position']}-{answer.get('others')}")
def test_reference_answers_hold(answer: dict[str, object]) -> None:
    position = parse_position((REFERENCE / str(answer["position"])).read_text())
    others = answer.get("others")
    values, _ = totals(position, str(answer["objective"]), None if others is None else str(others))
    moves = StateSearch(Question(position=position, objective="win", others=None)).moves
    game = BlastingBilly()
    found = {game.format_event(move): str(value) for move, value in zip(moves, values, strict=True)}  # type: ignore[arg-type]
    assert found == answer["moves"]
    assert count_deals(hidden_pools(position)) == answer["deals"]


def test_renaming_players_and_moving_known_cards_between_dumped_and_removed_changes_nothing() -> None:
    rng, moved = Random(7), 0
    for position in positions(61, 30, largest=10**6, deals=500, facts=0.0):
        if position.size > 2 or len(position.players) > 4:
            continue
        renamed = replace(position, players=("zoe", "yan", "xia", "wim", "vic")[: len(position.players)])
        seen = [laid for laid in position.dumped if laid.card & 15 != 15]
        gone = rng.sample(seen, min(2, len(seen)))
        thrown = replace(
            position,
            dumped=tuple(laid for laid in position.dumped if laid not in gone),
            removed=tuple(sorted((*position.removed, *(laid.card for laid in gone)))),
        )
        moved += len(gone)
        for objective, others in goals(position):
            expected = totals(position, objective, others)
            assert totals(renamed, objective, others) == expected
            assert totals(thrown, objective, others) == expected
    assert moved > 5


def test_renaming_types_changes_nothing_but_ties() -> None:
    """Two players and coalitions: which of two equally good moves comes first cannot change the value."""
    for position in positions(71, 40, largest=10**6, deals=500, facts=0.0):
        if position.size > 2 or len(position.players) > 4:
            continue
        renamed = rename_types(position)
        for objective, others in goals(position):
            if others != "rivals":
                mine = StateSearch(Question(position=position, objective=objective, others=others)).moves
                theirs = StateSearch(Question(position=renamed, objective=objective, others=others)).moves
                values = dict(zip(mine, totals(position, objective, others)[0], strict=True))
                again = dict(zip(theirs, totals(renamed, objective, others)[0], strict=True))
                assert {other_move(move): value for move, value in values.items()} == again


def other_card(card: Card) -> Card:
    """The card of the type at the other end of the deck."""
    return (4 - (card >> 4)) * 16 + (card & 15)


def other_move(move: object) -> Move:
    assert isinstance(move, Move)
    return Move(move.verb, other_card(move.card))


def rename_types(position: Position) -> Position:
    def each(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(map(other_card, cards))

    letters = {NAMES.backs[4 - NAMES.backs.index(letter)] for letter in position.deck.types}
    return replace(
        position,
        deck=replace(position.deck, types="".join(letter for letter in NAMES.backs if letter in letters)),
        hands=tuple(tuple(sorted(each(hand))) for hand in position.hands),
        loots=tuple(tuple(map(each, loot[::-1])) for loot in position.loots),
        billy=tuple(
            tuple(laid._replace(card=other_card(laid.card)) for laid in column) for column in position.billy[::-1]
        ),
        dumped=tuple(sorted(laid._replace(card=other_card(laid.card)) for laid in position.dumped)),
        removed=tuple(sorted(each(position.removed))),
        top=None if position.top is None else 4 - position.top,
    )


def test_the_same_deals_give_the_same_answers_alone_and_in_a_batch() -> None:
    state, _ = play_randomly(players=2, pile=3, turns_left=2, deck=REAL_DECK, removed=12, rng=Random(8))
    search = StateSearch(Question(position=observe(state, state.to_move), objective="win", others=None))
    deals = search.draw(np.random.default_rng(8), 20)
    everyone = range(len(search.moves))
    values, shares = search.values(deals, everyone), search.shares(deals, everyone)
    for deal in range(20):
        alone = slice(deal, deal + 1)
        one = Batch(deals.faces[alone], deals.orders[alone], deals.picks[alone])
        for move in everyone:
            assert search.values(one, [move])[0, 0] == values[deal, move]
            assert (search.shares(one, [move])[0, 0] == shares[deal, move]).all()


def test_deep_piles_are_prepared_at_once_and_said_to_take_long() -> None:
    state, _ = play_randomly(players=2, pile=40, turns_left=2, deck=REAL_DECK, removed=12, rng=Random(9))
    question = Question(position=observe(state, state.to_move), objective="win", others=None)
    search, ordered = StateSearch(question), OrderSearch(question)
    assert search.seconds > 1e20
    assert ordered.seconds > 1e6
    assert search.classes > 10**12
    assert search.scale > 0
    state, _ = play_randomly(players=2, pile=4, turns_left=2, deck=REAL_DECK, removed=12, rng=Random(9))
    question = Question(position=observe(state, state.to_move), objective="win", others=None)
    assert StateSearch(question).seconds < 1e-3
