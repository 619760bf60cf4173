"""Exact probabilities, compared with those the twin gets by listing every deal."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from solver.errors import ImpossibleError
from solver.games.blasting_billy.as_json import beliefs_json
from solver.games.blasting_billy.beliefs import believe
from solver.games.blasting_billy.position_text import parse_position
from tests import naive
from tests.billy.samples import facts_about, small_positions, with_facts

TABLE = """\
game = "blasting-billy"
players = ["ann", "bob"]
me = "ann"
to_move = "{mover}"
billy = "{billy}"
box = "{box}"

[hands]
ann = "{ann}"
bob = "{bob}"

[loot]
ann = "{ann_loot}"
bob = "{bob_loot}"

[pile]
size = {size}

[deck]
types = "{types}"
values = "0-6"
dynamite = true
hand = {hand}
"""

LONG = [
    {"billy": "J? J? J? J? J? J?", "ann": "J6", "bob": "J?"},
    {"billy": "J? J3 J? J? J0 J?", "ann": "J2", "bob": "J?"},
    {"billy": "J? J? J5 J? J! J?", "ann": "J6", "bob": "J?"},
    {"billy": "J! J? J? J? J5 J?", "ann": "J6", "bob": "J?"},
    {"billy": "J? J4 J? J? J1 J? J?", "ann": "B6", "bob": "B?", "types": "JB", "box": "B0 B1 B2 B3", "size": 3},
    {"billy": "J? J? J? J1 B? J6 J5", "ann": "B6", "bob": "J?", "types": "JB", "box": "2B? J?", "size": 4},
    {
        "billy": "J? J? J? J2 J? J1",
        "bob_loot": "J? J4",
        "ann": "B6",
        "bob": "B?",
        "types": "JB",
        "box": "B0 B1 B2 2B?",
        "size": 1,
    },
    {
        "billy": "J? J6 J? J0 J? J?",
        "bob_loot": "B? B3 B! B2",
        "ann_loot": "B1 B4",
        "ann": "J3",
        "bob": "J?",
        "types": "JB",
        "size": 2,
    },
    {
        "billy": "J? J6 J? J? B? B?",
        "bob_loot": "J? J3 B?",
        "ann_loot": "J0 B1 B4",
        "ann": "J4",
        "bob": "B?",
        "types": "JB",
        "size": 2,
    },
]


def _text(row: Mapping[str, Any]) -> str:
    blank = {"mover": "ann", "box": "", "ann_loot": "", "bob_loot": "", "size": 0, "types": "J", "hand": 1}
    return TABLE.format(**{**blank, **row})


def _fractions(odds: Mapping[str, Mapping[str, Any]]) -> dict[str, Fraction]:
    return {key: Fraction(entry["fraction"]) for key, entry in odds.items()}


def _assert_beliefs_as_listed(text: str) -> None:
    position, listed = parse_position(text), naive.read(text)
    found, expected = beliefs_json(believe(position), position), naive.beliefs(listed)
    assert found["deals"] == sum(1 for _ in naive.deals(listed)), text
    assert {ref: _fractions(odds) for ref, odds in found["cards"].items()} == expected["cards"], text
    assert {ref: _fractions(odds) for ref, odds in found["totals"].items()} == expected["totals"], text
    shot = {
        name: {"any": Fraction(entry["fraction"]), "types": _fractions(entry["types"])}
        for name, entry in found["shot_now"].items()
    }
    assert shot == expected["shot_now"], text
    for odds in (*found["cards"].values(), *found["totals"].values(), *found["pile"].values()):
        assert sum(_fractions(odds).values()) == 1, text
        assert all(entry["float"] == float(Fraction(entry["fraction"])) for entry in odds.values()), text
        assert all(chance > 0 for chance in _fractions(odds).values()), text


@pytest.mark.parametrize("seed", range(4))
def test_beliefs_are_those_of_listing_every_deal(seed: int) -> None:
    for text, _ in small_positions(seed + 200, 20, most_deals=800, facts=False):
        _assert_beliefs_as_listed(text)


@pytest.mark.parametrize("seed", range(4))
def test_beliefs_with_facts_are_those_of_listing_every_deal(seed: int) -> None:
    for text, _ in small_positions(seed + 300, 30, most_deals=800, facts=True):
        _assert_beliefs_as_listed(text)


@pytest.mark.parametrize("row", LONG)
def test_beliefs_about_a_long_column_are_those_of_listing_every_deal(row: Mapping[str, Any]) -> None:
    _assert_beliefs_as_listed(_text(row))


@pytest.mark.parametrize("row", LONG)
def test_beliefs_about_a_long_column_with_facts_are_those_of_listing_every_deal(row: Mapping[str, Any]) -> None:
    position, rng, done = parse_position(_text(row)), Random(11), 0
    while done < 2:
        text = with_facts(position, facts_about(position, rng, rng.randint(1, 3)))
        try:
            parse_position(text)
        except ImpossibleError:
            continue
        _assert_beliefs_as_listed(text)
        done += 1


def test_the_next_card_of_a_type_in_the_pile_is_as_likely_as_in_the_listed_deals() -> None:
    for text, position in small_positions(400, 15, most_deals=500, facts=True):
        deals = list(naive.deals(naive.read(text)))
        for kind, odds in beliefs_json(believe(position), position)["pile"].items():
            expected: dict[str, Fraction] = {}
            for deal in deals:
                cards = deal[f"pile.{kind}"]
                for card in cards:
                    expected[card[1:]] = expected.get(card[1:], Fraction(0)) + Fraction(1, len(cards) * len(deals))
            assert _fractions(odds) == expected, text
