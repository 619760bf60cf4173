"""What is known of a fair game before its tree is grown."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from solver.errors import IllegalError
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.fair.computation import HOLDINGS, MOST_TURNS, FairComputation
from solver.games.blasting_billy.fair.public_root import PublicRoot
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.position_text import parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.lens import FAIR
from solver.solve import solve
from solver.tree import build_tree
from solver.watch import Watch

GAME = BlastingBilly()


@pytest.mark.parametrize("covered", [False, True])
@pytest.mark.parametrize(
    ("pile", "turns", "deck"),
    [
        (0, 1, Deck("JB", 0, 2, True, 2)),
        (0, 2, Deck("J", 0, 5, True, 2)),
        (1, 2, Deck("JB", 0, 2, True, 2)),
        (2, 2, Deck("JB", 0, 1, True, 1)),
        (3, 2, Deck("JBC", 0, 1, False, 1)),
    ],
)
def test_there_are_as_many_histories_as_nodes_in_their_tree(pile: int, turns: int, deck: Deck, covered: bool) -> None:
    state, _ = play_randomly(
        players=2, pile=pile, turns_left=turns, deck=deck, removed=1, rng=Random(pile), covered=covered
    )
    tree = build_tree(GAME, observe(state, None), lens=FAIR, objective="win", watch=Watch())
    assert PublicRoot(observe(state, None)).histories == len(tree)


def test_cards_of_one_type_dumped_by_one_player_are_not_told_apart_in_histories() -> None:
    state, _ = play_randomly(players=2, pile=0, turns_left=1, deck=Deck("J", 0, 6, True, 2), removed=0, rng=Random(2))
    root = PublicRoot(observe(state, None))
    assert max(root.holding(player, 0).dumped for player in (0, 1)) > 1
    tree = build_tree(GAME, observe(state, None), lens=FAIR, objective="win", watch=Watch())
    assert root.histories == len(tree)


@pytest.mark.parametrize("pile", [1, 30])
def test_no_tree_is_begun_where_there_are_too_many_holdings_or_turns(pile: int) -> None:
    state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=Deck(), removed=12, rng=Random(3))
    computation = FairComputation(observe(state, state.to_move), "win")
    root = computation.root
    assert max(root.count_holdings(0), root.count_holdings(1)) > HOLDINGS or root.turns > MOST_TURNS
    size = computation.measure(Watch())
    assert computation.growing == size.seconds == size.memory == float("inf")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('ann = "B? J?"', 'ann = "B1 J?"', r"B1 in ann's hand is known: write B\?"),
        ('removed = "2J?"', 'removed = "J2 J?"', "J2 in removed"),
        ('billy = "J?@ann B?@ann"', 'billy = "J?@ann B3@ann"', "B3 that ann laid"),
    ],
)
def test_what_a_player_knows_but_never_saw_is_refused_and_auto_takes_open(old: str, new: str, says: str) -> None:
    text = (Path(__file__).parents[2] / "examples" / "two-see-through.toml").read_text(encoding="utf-8")
    assert old in text
    position = parse_position(text.replace(old, new))
    with pytest.raises(IllegalError, match=says):
        solve(GAME, position, lens="fair")
    assert solve(GAME, position).lens == "open"
    onlooker = observe(position, None)
    assert GAME.fair(replace(onlooker, hands=position.hands), "win").deals == GAME.fair(onlooker, "win").deals
