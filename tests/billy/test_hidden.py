"""How many deals a position leaves open."""

import json
from collections import Counter
from math import factorial, prod
from pathlib import Path
from random import Random

import pytest

from solver.cards import back_of, is_hidden
from solver.deals import count_deals, count_pool, list_deals
from solver.errors import ImpossibleError
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, removed_at_setup
from solver.games.blasting_billy.hidden import hidden_pools, observe, whole_pool
from solver.games.blasting_billy.position_text import parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position, State
from tests import naive
from tests.billy.samples import facts_about, small_positions, with_facts

REFERENCE = Path(__file__).parents[1] / "reference"
ANSWERS = json.loads((REFERENCE / "answers.json").read_text())
SHARDS = range(4)


@pytest.mark.parametrize("seed", SHARDS)
def test_small_positions_have_as_many_deals_as_the_twin_lists(seed: int) -> None:
    for text, position in small_positions(seed, 40, most_deals=1500, facts=False):
        expected = sum(1 for _ in naive.deals(naive.read(text)))
        assert count_deals(hidden_pools(position)) == expected, text
        assert sum(1 for _ in list_deals(hidden_pools(position))) == expected, text


@pytest.mark.parametrize("seed", SHARDS)
def test_small_positions_with_facts_have_as_many_deals_as_the_twin_lists(seed: int) -> None:
    fewer = 0
    for text, position in small_positions(seed + 100, 40, most_deals=1500, facts=True):
        expected = sum(1 for _ in naive.deals(naive.read(text)))
        assert count_deals(hidden_pools(position)) == expected, text
        assert sum(1 for _ in list_deals(hidden_pools(position))) == expected, text
        fewer += expected < sum(1 for _ in naive.deals({**naive.read(text), "facts": []}))
    assert fewer >= 10


def test_facts_are_refused_exactly_when_the_twin_finds_no_deal_and_what_is_named_is_enough_to_refuse_them() -> None:
    rng, refused = Random(5), 0
    for _, position in small_positions(300, 60, most_deals=400, facts=False):
        text = with_facts(position, facts_about(position, rng, 3))
        expected = sum(1 for _ in naive.deals(naive.read(text)))
        try:
            assert count_deals(hidden_pools(parse_position(text))) == expected > 0, text
        except ImpossibleError as error:
            refused += 1
            assert expected == 0, text
            named = [line.split('"')[1] for line in error.statements if line.startswith("the fact")]
            assert named, text
            assert not any(naive.deals(naive.read(with_facts(position, named)))), text
    assert 10 < refused < 50


@pytest.mark.parametrize("facts", [False, True])
def test_cards_seen_stated_as_facts_leave_as_many_deals_as_cards_seen(facts: bool) -> None:
    for text, position in small_positions(7, 25, most_deals=5000, facts=facts):
        for pool in hidden_pools(position):
            whole = whole_pool(position, NAMES.backs.index(pool.name))
            assert count_pool(whole) == count_pool(pool), text


def _closed_form(position: Position, state: State) -> int:
    """The product over types of n! over the factorials of the heaps nobody tells apart."""
    result = 1
    for kind in position.deck.kinds:
        box = [*(laid.card for laid in position.dumped), *position.removed]
        heaps = [sum(is_hidden(card) and back_of(card) == kind for card in cards) for cards in (*position.hands, box)]
        heaps.append(sum(back_of(card) == kind for card in state.pile))
        single = sum(is_hidden(card) for loot in position.loots for card in loot[kind])
        single += sum(is_hidden(card) for card in position.billy_cards(kind))
        result *= factorial(sum(heaps) + single) // prod(map(factorial, heaps))
    return result


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("pile", [0, 1, 5, 20])
def test_real_positions_have_as_many_deals_as_the_closed_form(players: int, pile: int) -> None:
    rng = Random(players * 100 + pile)
    removed = removed_at_setup(players)
    counts: Counter[int] = Counter()
    for _ in range(5):
        state, _ = play_randomly(
            players=players, pile=pile, turns_left=players, deck=REAL_DECK, removed=removed, rng=rng
        )
        for eyes in (None, *range(players)):
            position = observe(state, eyes)
            found = count_deals(hidden_pools(position))
            assert found == _closed_form(position, state)
            counts[found] += 1
    assert len(counts) > 5


@pytest.mark.parametrize(
    ("name", "deals"),
    [
        pytest.param(answer["position"], answer["deals"], id=f"{answer['position']}-{answer['lens']}")
        for answer in ANSWERS
        if "deals" in answer and answer["lens"] != "fair"
    ],
)
def test_reference_positions_have_the_deals_of_the_reference(name: str, deals: int) -> None:
    assert count_deals(hidden_pools(parse_position((REFERENCE / name).read_text()))) == deals
