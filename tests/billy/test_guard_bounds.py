"""Lens guard between the other lenses: never above open, equal to it in the end, and never above fair on average."""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from solver.deals import count_deals, list_deals
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.guard.computation import mover_decides_again
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position
from solver.solve import solve

GAME: Any = BlastingBilly()
SMALL = (Deck("JB", 0, 2, True, 2), Deck("JB", 0, 3, True, 2), Deck("J", 0, 5, True, 2), Deck("JB", 1, 4, True, 2))
LARGE = (
    Deck("JBC", 0, 4, True, 3),
    Deck("JB", 0, 7, True, 3),
    Deck("JBCG", 1, 4, True, 2),
    Deck("JBCGD", 0, 2, True, 2),
)


def random_position(
    rng: Random, decks: tuple[Deck, ...], *, players: int, pile: int, turns_left: int, most_deals: int
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
            turns_left=turns_left,
            deck=deck,
            removed=rng.randint(0, min(2, spare)),
            rng=rng,
            covered=rng.random() < 0.4,
        )
        position = observe(state, state.to_move)
        if 1 < count_deals(hidden_pools(position)) <= most_deals:
            return position


def moves_of(position: Position, lens: str, objective: str) -> dict[Hashable, Fraction]:
    """The exact value of every move; the others play as a team."""
    others = "coalition" if len(position.players) > 2 and lens == "open" else None
    solution = solve(GAME, position, lens=lens, objective=objective, others=others, exact=True)
    assert (solution.lens, solution.exact) == (lens, True)
    found = {}
    for each in solution.moves:
        assert each.value.fraction is not None
        found[each.move] = each.value.fraction
    return found


def objectives(players: int) -> tuple[str, ...]:
    return ("win", "margin") if players == 2 else ("win",)


@pytest.mark.parametrize(("players", "number"), [(2, 30), (3, 30)])
def test_on_the_movers_last_turn_seeing_is_worth_nothing(players: int, number: int) -> None:
    rng, left, varied = Random(17 + players), Counter[int](), 0
    for _ in range(number):
        turns = rng.randint(1, players)
        position = random_position(rng, LARGE, players=players, pile=0, turns_left=turns, most_deals=3_000)
        assert not mover_decides_again(position)
        for objective in objectives(players):
            seen = moves_of(position, "open", objective)
            assert moves_of(position, "guard", objective) == seen, format_position(position)
            varied += len(set(seen.values())) > 1
        left[turns] += 1
    assert min(left[turns] for turns in range(1, players + 1)) >= 5
    assert varied >= 10


@pytest.mark.parametrize(("players", "pile", "number"), [(2, 1, 8), (2, 2, 6), (3, 1, 8)])
def test_no_move_guarantees_more_than_it_is_worth_in_lens_open(players: int, pile: int, number: int) -> None:
    rng, below = Random(37 * players + pile), Counter[str]()
    for _ in range(number):
        position = random_position(rng, SMALL, players=players, pile=pile, turns_left=players, most_deals=200)
        for objective in objectives(players):
            seen, guaranteed = moves_of(position, "open", objective), moves_of(position, "guard", objective)
            assert guaranteed.keys() == seen.keys()
            for move, value in guaranteed.items():
                assert value <= seen[move], (format_position(position), move)
                below[objective] += value < seen[move]
    assert min(below[objective] for objective in objectives(players)) >= 1


FAIR_DECKS = (
    Deck("JB", 0, 1, True, 2),
    Deck("JB", 1, 2, True, 2),
    Deck("JBC", 1, 2, False, 2),
    Deck("J", 0, 4, True, 2),
)


@pytest.mark.parametrize("objective", ["win", "margin"])
@pytest.mark.parametrize("deck", FAIR_DECKS, ids=Deck.describe)
@pytest.mark.parametrize("pile", [0, 1])
def test_the_root_is_worth_at_least_the_mean_of_what_every_holding_can_guarantee(
    pile: int, deck: Deck, objective: str
) -> None:
    """In lens guard the others see more, so no holding can get less in equilibrium than it can guarantee there."""
    for number in range(2):
        rng = Random(f"{pile} {deck} {number}")
        state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=deck, removed=pile, rng=rng)
        position = observe(state, state.to_move)
        public = observe(position, None)
        views: Counter[Position] = Counter()
        for deal in list_deals(GAME.hidden(public)):
            views[observe(GAME.fill(public, deal), position.to_move)] += 1
        guaranteed = sum(
            (times * max(moves_of(view, "guard", objective).values()) for view, times in views.items()), Fraction(0)
        )
        value = solve(GAME, position, lens="fair", objective=objective, exact=True).value.fraction
        assert value is not None
        assert value >= guaranteed / views.total()
