"""The factored method equals going through all deals, as fractions; and the answers computed elsewhere."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from solver.cards import face_of, hide, is_hidden
from solver.deals import count_deals, list_pool
from solver.errors import LastdrawError
from solver.games.blasting_billy.deck import DYNAMITE, NAMES, REAL_DECK, Deck
from solver.games.blasting_billy.factored.assignments import assign
from solver.games.blasting_billy.factored.computation import Factored, possible_draws, prepare_factored
from solver.games.blasting_billy.factored.pairs import whole
from solver.games.blasting_billy.hidden import count_pile, fill, hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.rules import choices
from solver.games.blasting_billy.scoring import survivors, total
from solver.games.blasting_billy.search.evaluators import StateSearch
from solver.games.blasting_billy.table import Laid, Move, Position
from solver.shortcuts import Question
from solver.watch import Stopped, Watch
from tests import naive, naive_search
from tests.billy.samples import facts_about, with_facts
from tests.billy.searching import asked, totals

REFERENCE = Path(__file__).parents[1] / "reference"
DECKS = (
    Deck("JB", 0, 4, True, 2),
    Deck("JG", 1, 6, False, 2),
    Deck("JBC", 0, 2, True, 2),
    Deck("BCG", 0, 3, True, 1),
    Deck("J", 0, 8, True, 2),
    Deck("JBC", 0, 3, True, 3),
    Deck("CD", 0, 6, True, 3),
    Deck("JBCGD", 0, 2, True, 2),
)


MOST_DEALS = 700
"""Of the positions whose deals are gone through."""


def ask(position: Position, objective: str = "win") -> Question:
    return Question(position=position, objective=objective, others=None)


def values(position: Position) -> list[Fraction | None]:
    computation = prepare_factored(ask(position))
    assert computation is not None
    return [found.value.fraction for found in computation.run(Watch())]


def positions(
    seed: int, number: int, *, deals: int, piles: Sequence[int] = range(4), decks: Sequence[Deck] = DECKS
) -> Iterator[Position]:
    """Positions of two players with a turn to follow, some with facts, some with covered piles."""
    rng = Random(seed)
    while number:
        deck = rng.choice(decks)
        spare = len(deck.cards) - 2 * deck.hand
        removed, pile = rng.randint(0, min(6, spare)), rng.choice(piles)
        if removed + pile > spare:
            continue
        covered = rng.random() < 0.5
        state, _ = play_randomly(
            players=2, pile=pile, turns_left=2, deck=deck, removed=removed, rng=rng, covered=covered
        )
        position = observe(state, state.to_move)
        if rng.random() < 0.3:
            try:
                position = parse_position(with_facts(position, facts_about(position, rng, rng.randint(1, 3))))
            except LastdrawError:
                continue
        if count_deals(hidden_pools(position)) <= deals:
            number -= 1
            yield position


def real_position(pile: int, seed: int) -> Position:
    state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=REAL_DECK, removed=12, rng=Random(seed))
    return observe(state, state.to_move)


@pytest.mark.parametrize("seed", range(4))
def test_factored_equals_going_through_all_classes_of_deals(seed: int) -> None:
    for position in positions(seed, 50, deals=MOST_DEALS):
        expected, endings = totals(position, "win", None)
        computation = prepare_factored(ask(position))
        assert computation is not None
        for found, value, (win, _, loss, _, _) in zip(computation.run(Watch()), expected, endings, strict=True):
            assert found.value.fraction == value, format_position(position)
            if found.shares is not None:
                assert found.shares == {"win": float(win), "loss": float(loss)}


def test_the_positions_compared_are_of_all_kinds() -> None:
    """Or the equality would say less than it seems to."""
    found = [position for seed in range(4) for position in positions(seed, 50, deals=MOST_DEALS)]
    piles = Counter(position.size for position in found)
    assert all(piles[size] >= 15 for size in range(4))
    assert sum(position.top is None and position.size == 3 for position in found) >= 10
    assert sum(position.top is not None and position.size == 3 for position in found) >= 10
    assert sum(bool(position.facts) for position in found) >= 30
    assert {position.deck.hand for position in found} == {1, 2, 3}
    outcomes = Counter(len(draws.later) for position in found for draws in possible_draws(position))
    assert min(outcomes[1], outcomes[2]) >= 20


def brute_force(position: Position) -> list[Fraction]:
    """By the naive twin, deal by deal."""
    plain = naive.read(format_position(position))
    question = asked(position, "win", None)
    seat = position.to_move or 0
    sums: dict[str, Fraction] = {}
    number = 0
    for deal in naive.deals(plain):
        table = naive.fill(plain, deal)
        number += 1
        for move in naive.moves(table):
            solved = naive_search.solve(naive.play(table, move), question)
            sums[move] = sums.get(move, Fraction(0)) + solved.payoffs[seat]
    return [value / number for value in sums.values()]


@pytest.mark.parametrize(
    ("pile", "deck", "number"),
    [
        (0, Deck("JBC", 0, 3, True, 3), 8),
        (0, Deck("JB", 0, 4, True, 2), 12),
        (1, Deck("JBC", 0, 2, True, 2), 8),
        (2, Deck("BCG", 0, 3, True, 1), 8),
        (2, Deck("JB", 0, 4, True, 2), 1),
        (3, Deck("BCG", 0, 3, True, 1), 5),
    ],
)
def test_factored_equals_the_naive_twin(pile: int, deck: Deck, number: int) -> None:
    for position in positions(
        pile, number, deals=120 // pile if deck.hand == 1 else 200 // 4**pile, piles=[pile], decks=[deck]
    ):
        assert values(position) == brute_force(position), format_position(position)


def answers() -> list[tuple[str, dict[str, str]]]:
    rows = json.loads((REFERENCE / "answers.json").read_text(encoding="utf-8"))
    return [
        (row["position"], row["moves"])
        for row in rows
        if row["lens"] == "open" and row["objective"] == "win" and row.get("others") is None
    ]


@pytest.mark.parametrize(("name", "moves"), answers(), ids=[name for name, _ in answers()])
def test_factored_gives_the_answers_computed_elsewhere(name: str, moves: dict[str, str]) -> None:
    position = parse_position((REFERENCE / name).read_text(encoding="utf-8"))
    computation = prepare_factored(ask(position))
    if computation is None:
        assert len(position.hands[1 - (position.to_move or 0)]) < position.deck.hand
        return
    found = zip(map(format_move, choices(position)), map(str, values(position)), strict=True)
    assert dict(found) == moves


@pytest.mark.parametrize(("pile", "seed"), [(0, 1), (1, 4), (2, 16), (3, 7), (3, 13)])
def test_real_positions_agree_with_sampled_deals(pile: int, seed: int) -> None:
    position = real_position(pile, seed)
    exact = values(position)
    search = StateSearch(ask(position))
    number = 4_000 if pile < 3 else 1_500
    sampled = search.values(search.draw(np.random.default_rng(seed), number), range(len(search.moves))) / search.scale
    errors = 5 * sampled.std(axis=0) / number**0.5 + 1e-3
    for value, mean, error in zip(exact, sampled.mean(axis=0), errors, strict=True):
        assert value is not None
        assert abs(float(value) - mean) <= error


@pytest.mark.parametrize(("pile", "seed"), [(1, 1), (2, 5), (3, 7)])
def test_names_of_players_and_types_and_the_place_in_the_box_change_nothing(pile: int, seed: int) -> None:
    position = real_position(pile, seed)
    expected = values(position)
    assert values(replace(position, players=("zoë", "yan"))) == expected
    text = format_position(position)
    swapped = text.translate(str.maketrans("JD", "DJ"))
    renamed = parse_position(swapped)
    by_move = dict(zip(map(format_move, choices(position)), expected, strict=True))
    again = dict(zip(map(format_move, choices(renamed)), values(renamed), strict=True))
    assert {name.translate(str.maketrans("JD", "DJ")): value for name, value in by_move.items()} == again
    me = position.to_move
    own = next((laid for laid in position.dumped if laid.owner == me), None)
    swap = next((card for card in position.removed if own and card == hide(own.card)), None)
    if own is not None and swap is not None:
        dumped = tuple(Laid(hide(laid.card), me) if laid == own else laid for laid in position.dumped)
        removed = list(position.removed)
        removed[removed.index(swap)] = own.card
        assert values(replace(position, dumped=dumped, removed=tuple(sorted(removed)))) == expected


def format_move(move: Move) -> str:
    return f"{move.verb} {NAMES.format(move.card)}"


def listed_assignments(position: Position, kind: int) -> Counter[tuple[int, ...]]:
    """A slow twin of `assign`: every deal of the type, and every order of its cards in the pile."""
    mover = position.to_move or 0
    letter = NAMES.backs[kind]
    result: Counter[tuple[int, ...]] = Counter()
    pools = [pool for pool in hidden_pools(position) if pool.name == letter]
    others = [pool for pool in hidden_pools(position) if pool.name != letter]
    rest = tuple(next(list_pool(pool)) for pool in others)
    for deal in list_pool(pools[0]) if pools else [()]:
        by_name = {pool.name: dealt for pool, dealt in zip(others, rest, strict=True)}
        if pools:
            by_name[letter] = deal
        state = fill(position, tuple(by_name[pool.name] for pool in hidden_pools(position)))
        hand = [face_of(card) for card in state.hands[1 - mover] if card >> 4 == kind]
        known = [face_of(card) for card in position.hands[1 - mover] if card >> 4 == kind and not is_hidden(card)]
        hidden = sorted(face for face in hand if face not in known)
        own = [face_of(card) for card in state.hands[mover] if card >> 4 == kind]
        pile = [face_of(card) for card in state.pile if card >> 4 == kind]
        for order in permutations(pile):
            faces = (*known, *hidden, *order, *own)
            threatened = DYNAMITE in faces
            fields = []
            for seat in (mover, 1 - mover):
                column = state.loots[seat][kind]
                fields += [total(column), len(survivors(column)), last_of(column) if threatened else 0]
            billy = state.billy_cards(kind)
            fields += [total(billy), last_of(billy) if threatened else 0]
            result[(*fields, *faces)] += 1
    return result


def last_of(column: tuple[int, ...]) -> int:
    return face_of(column[-1]) if column and face_of(column[-1]) != DYNAMITE else 0


def test_assignments_equal_a_listing_of_deals_and_orders() -> None:
    for position in positions(30, 60, deals=3_000):
        for kind in position.deck.kinds:
            assignments = assign(position, kind)
            found = {
                (*map(int, columns), *map(int, faces)): int(ways)
                for columns, faces, ways in zip(assignments.columns, assignments.faces, assignments.ways, strict=True)
            }
            listed = listed_assignments(position, kind)
            assert found.keys() == listed.keys()
            scale = sum(listed.values()) // sum(found.values())
            assert {key: ways * scale for key, ways in found.items()} == dict(listed)


def test_draws_are_a_distribution_over_the_orders_of_the_piles_types() -> None:
    for position in positions(40, 80, deals=10**30):
        draws = list(possible_draws(position))
        assert sum(each.weight for each in draws) == 1
        counts = Counter({kind: count_pile(position, kind) for kind in position.deck.kinds})
        for each in draws:
            assert position.top is None or each.first == position.top
            for order in each.later:
                drawn = Counter(kind for kind, _ in order) + Counter([each.first] if each.first is not None else [])
                assert drawn == +counts
                labels = Counter(order)
                assert set(labels.values()) <= {1}
        if position.top is None and position.size == 3:
            assert all(len(each.later) == 2 for each in draws)


@pytest.mark.parametrize("number", [0, 1, 2**63, 2**64 - 1, 2**64, 2**64 + 5, 3**50, 10**30 + 7, 2**80 - 1])
def test_a_count_is_found_again_from_its_remainder_and_a_rounded_float(number: int) -> None:
    for relative in (-1e-12, 0.0, 1e-12):
        assert whole(number % 2**64, float(number) * (1 + relative)) == number


def test_what_does_not_apply_is_left_to_other_methods() -> None:
    position = real_position(1, 0)
    assert prepare_factored(ask(position, "margin")) is None
    assert prepare_factored(ask(real_position(4, 0))) is None
    mover = position.to_move or 0
    forgotten = tuple(tuple(map(hide, hand)) if seat == mover else hand for seat, hand in enumerate(position.hands))
    assert prepare_factored(ask(replace(position, hands=forgotten))) is None
    state, _ = play_randomly(players=2, pile=0, turns_left=1, deck=REAL_DECK, removed=12, rng=Random(0))
    assert prepare_factored(ask(observe(state, state.to_move))) is None


def test_the_size_is_told_before_and_a_stop_is_obeyed() -> None:
    small, large = Factored(real_position(1, 0)), Factored(real_position(3, 12))
    assert small.size.seconds < 5 < large.size.seconds
    assert "pairs of shapes" in large.size.words
    assert large.size.memory > 1e8
    watch = Watch()
    watch.stop()
    with pytest.raises(Stopped):
        large.run(watch)


def test_every_order_of_a_type_is_as_likely_as_any_other() -> None:
    """The weights of assignments add up to all deals times all orders of the pile, but for a common factor."""
    for seed in range(6):
        position = real_position(3, seed)
        pools = {pool.name: pool for pool in hidden_pools(position)}
        for kind in position.deck.kinds:
            ways = int(assign(position, kind).ways.sum())
            deals = count_deals([pools[NAMES.backs[kind]]]) if NAMES.backs[kind] in pools else 1
            assert deals * factorial(count_pile(position, kind)) % ways == 0
