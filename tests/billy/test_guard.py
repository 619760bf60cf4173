"""Lens guard against its slow twin, the reference answers and lens open."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from solver.deals import count_deals
from solver.errors import IllegalError, ImpossibleError, TooLargeError
from solver.games.blasting_billy.deck import REAL_DECK, Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.guard.computation import GuardComputation, mover_decides_again, prepare_guard
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Move, Position
from solver.methods.equilibrium import find_equilibrium
from solver.sequence_form import Interval
from solver.shortcuts import Question
from solver.solve import solve
from solver.watch import Watch
from tests.billy.naive_guard import guard_values
from tests.billy.samples import facts_about, with_facts
from tests.naive import read

REFERENCE = Path(__file__).parent.parent / "reference"
GAME = BlastingBilly()
PAIRS = (Deck("JB", 0, 2, True, 2), Deck("JB", 0, 3, True, 2), Deck("J", 0, 5, True, 2), Deck("JBC", 0, 1, True, 2))
TRIPLES = (Deck("JB", 0, 3, True, 3), Deck("JG", 1, 5, False, 3))

NOTHING_HIDDEN = """
game = "blasting-billy"
players = ["ann", "bob"]
me = "ann"
to_move = "ann"
removed = "B0"

[hands]
ann = "J0"
bob = "J?"

[pile]
size = 1
top = "B"

[deck]
types = "JB"
values = "0-1"
dynamite = false
hand = 1
"""


def prepare(position: Position, objective: str = "win") -> GuardComputation:
    others = None if len(position.players) == 2 else "coalition"
    return prepare_guard(Question(position=position, objective=objective, others=others))


def guaranteed(position: Position, objective: str = "win", *, exact: bool = False) -> dict[str, Interval]:
    """A proved interval for each move."""
    return {
        GAME.format_event(move): find_equilibrium(game, watch=Watch(), exact=exact, target=1e-9).certificate.interval
        for move, game in prepare(position, objective).games(Watch())
    }


def open_values(position: Position) -> dict[str, Fraction]:
    others = "coalition" if len(position.players) > 2 else None
    solution = solve(GAME, position, lens="open", others=others, exact=True)
    found = {}
    for each in solution.moves:
        assert isinstance(each.move, Move)
        assert each.value.fraction is not None
        found[GAME.format_event(each.move)] = each.value.fraction
    return found


def random_position(
    rng: Random, decks: tuple[Deck, ...], players: int, pile: int, most_deals: int, *, covered: bool = False
) -> Position:
    """A position seen by its mover, reached by random play, with something hidden but not too much."""
    while True:
        deck = rng.choice(decks)
        spare = len(deck.cards) - players * deck.hand - pile
        if spare < 0:
            continue
        state, _ = play_randomly(
            players=players,
            pile=pile,
            turns_left=players,
            deck=deck,
            removed=rng.randint(0, min(2, spare)),
            rng=rng,
            covered=covered,
        )
        position = observe(state, state.to_move)
        if 1 < count_deals(hidden_pools(position)) <= most_deals:
            return position


def differ(position: Position, objective: str) -> float:
    """The largest distance between what is proved and what the slow twin says."""
    found = guaranteed(position, objective)
    expected = guard_values(read(format_position(position)), objective)
    assert found.keys() == expected.keys()
    assert all(interval.width <= 1e-7 for interval in found.values())
    return max(abs(float(interval.low) - expected[move]) for move, interval in found.items())


@pytest.mark.parametrize("covered", [False, True])
@pytest.mark.parametrize(
    ("players", "pile", "decks", "most_deals", "number"),
    [(2, 1, PAIRS, 80, 8), (2, 2, PAIRS, 20, 3), (2, 1, TRIPLES, 24, 3), (3, 1, PAIRS, 30, 3), (3, 2, PAIRS, 4, 1)],
)
def test_guaranteed_values_are_those_of_the_slow_twin(
    players: int, pile: int, decks: tuple[Deck, ...], most_deals: int, number: int, covered: bool
) -> None:
    rng = Random(f"{players} {pile} {decks} {covered}")
    for _ in range(number):
        position = random_position(rng, decks, players, pile, most_deals, covered=covered)
        for objective in ("win", "margin") if players == 2 else ("win",):
            assert differ(position, objective) < 1e-7, format_position(position)


def test_a_pile_that_lets_the_mover_decide_twice_more_gives_the_values_of_the_slow_twin() -> None:
    position = random_position(Random(5), (Deck("JB", 0, 2, True, 1),), 2, 3, 6)
    assert differ(position, "win") < 1e-7
    assert differ(position, "margin") < 1e-7


def test_facts_are_heeded_as_the_slow_twin_heeds_them() -> None:
    rng, seen = Random(8), 0
    while seen < 6:
        position = random_position(rng, PAIRS, 2, 1, 60)
        text = with_facts(position, facts_about(position, rng, 2))
        try:
            known = parse_position(text)
        except ImpossibleError:
            continue
        if known.facts and count_deals(hidden_pools(known)) < count_deals(hidden_pools(position)):
            seen += 1
            found, expected = guaranteed(known), guard_values(read(text), "win")
            assert all(abs(float(found[move].low) - value) < 1e-7 for move, value in expected.items()), text


def test_an_own_card_given_and_forgotten_is_part_of_the_deal() -> None:
    text = (REFERENCE / "small-4.toml").read_text().replace("J!@bob", "J?@bob")
    found, expected = guaranteed(parse_position(text)), guard_values(read(text), "win")
    assert all(abs(float(found[move].low) - value) < 1e-7 for move, value in expected.items())


def test_a_forgotten_card_in_the_movers_hand_is_refused_in_words() -> None:
    text = (REFERENCE / "small-4.toml").read_text().replace("B! B1", "B? B1")
    with pytest.raises(IllegalError, match="every card in bob's hand"):
        prepare(parse_position(text))


@pytest.mark.parametrize("name", ["small-1.toml", "small-4.toml"])
def test_reference_answers_are_met(name: str) -> None:
    answers = json.loads((REFERENCE / "answers.json").read_text())
    expected = next(each for each in answers if each["position"] == name and each["lens"] == "guard")
    position = parse_position((REFERENCE / name).read_text())
    assert prepare(position).measure(Watch()).deals == expected["deals"]
    found = guaranteed(position)
    assert found.keys() == expected["moves_float"].keys()
    for move, value in expected["moves_float"].items():
        assert float(found[move].low) == pytest.approx(value, abs=1e-8)  # answers.json has nine digits
        assert float(found[move].high) == pytest.approx(value, abs=1e-8)


def test_where_nothing_is_hidden_seeing_is_worth_nothing() -> None:
    position = parse_position(NOTHING_HIDDEN)
    assert count_deals(hidden_pools(position)) == 1
    expected = open_values(position)
    assert {move: interval.low for move, interval in guaranteed(position, exact=True).items()} == expected


@pytest.mark.parametrize("players", [2, 3])
def test_without_a_further_turn_of_the_mover_the_slow_twin_agrees_with_lens_open(players: int) -> None:
    rng = Random(players)
    for _ in range(5):
        position = random_position(rng, PAIRS, players, 0, 60)
        assert not mover_decides_again(position)
        expected = open_values(position)
        found = guard_values(read(format_position(position)), "win")
        assert found == pytest.approx({move: float(value) for move, value in expected.items()}, abs=1e-9)


def test_the_mover_decides_again_exactly_while_there_is_a_pile() -> None:
    for pile, expected in ((0, False), (1, True), (2, True)):
        state, _ = play_randomly(
            players=2, pile=pile, turns_left=2, deck=Deck("JB", 0, 3, True, 2), removed=1, rng=Random(pile)
        )
        position = observe(state, state.to_move)
        assert mover_decides_again(position) is expected
        if not expected:
            with pytest.raises(IllegalError, match="lens open"):
                next(prepare(position).games(Watch()))


def test_every_deal_reaches_the_team_and_moves_come_in_canonical_order() -> None:
    position = random_position(Random(3), PAIRS, 2, 1, 200)
    games = list(prepare(position).games(Watch()))
    assert tuple(move for move, _ in games) == GAME.choices(position)
    for _, game in games:
        assert game.sides[1].mass.sum() >= count_deals(hidden_pools(position))  # a deal may be drawn from in many ways
        assert game.sides[0].mass.sum() == 1


def test_a_position_of_the_real_deck_with_a_full_pile_is_too_large_at_once() -> None:
    state, _ = play_randomly(players=4, pile=20, turns_left=4, deck=REAL_DECK, removed=0, rng=Random(1))
    computation = prepare(observe(state, state.to_move))
    assert computation.measure(Watch()).seconds == float("inf")
    with pytest.raises(TooLargeError, match="too many states"):
        next(computation.games(Watch()))
