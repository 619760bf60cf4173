"""The flat tree and its sequence form: shape, information sets, what is refused."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.cards import HIDDEN
from solver.errors import IllegalError, TooLargeError
from solver.game import CHANCE, OVER, Game
from solver.games.blasting_billy import BlastingBilly
from solver.lens import FAIR, GUARD, OPEN, Lens
from solver.methods.best_response import exploitability
from solver.methods.sequence_lp import solve_lp
from solver.tree import BrokenGameError, Tree, build_tree
from solver.tree_sequences import to_sequence_game
from solver.watch import Stopped, Watch
from tests.more_toys import GOOFSPIEL, LIARS_DICE
from tests.toys import KUHN, LEDUC, Kuhn, Leduc, Position, State

REFERENCE = Path(__file__).parent / "reference"
ANSWERS: list[dict[str, Any]] = json.loads((REFERENCE / "answers.json").read_text(encoding="utf-8"))
BILLY = BlastingBilly()
STARTS: dict[str, str] = {
    "kuhn": "kuhn ann=? bob=?",
    "leduc": "leduc ann=? bob=?",
    "liars-dice": "liars-dice ann=? bob=?",
    "goofspiel": "goofspiel",
}


def read(name: str) -> Any:
    return BILLY.parse((REFERENCE / name).read_text(encoding="utf-8"))


def tree_of(game: Game[Any, Any, Any], lens: Lens = FAIR, start: str | None = None, **options: Any) -> Tree:
    position = game.parse(start or STARTS[game.name])
    return build_tree(game, position, lens=lens, objective=game.objectives[0], watch=Watch(), **options)


def billy_tree(name: str, lens: Lens, **options: Any) -> Tree:
    return build_tree(BILLY, read(name), lens=lens, objective="win", watch=Watch(), **options)


def value_of(tree: Tree) -> float:
    game = to_sequence_game(tree).game
    low, high = exploitability(game, solve_lp(game, watch=Watch()).plans)
    return (low + high) / 2


SMALL = pytest.mark.parametrize("game", [KUHN, LEDUC, GOOFSPIEL], ids=lambda game: game.name)


# A deal of Kuhn poker: nothing said, p, b, pp, pb, bp, bb, pbp, pbb. A betting round of Leduc: 6 decisions, 4 folds and
# 5 calls that end it; after each of those calls one of 4 boards and another round. Liar's dice: every set of the 12
# bids, and "liar" after all but the empty one. Goofspiel: the root, then bids one after the other, 4 4 3 3 2 2.
NODES = {
    "kuhn": 1 + 6 * 9,
    "leduc": 1 + 30 * (15 + 5 * 4 * 15),
    "liars-dice": 1 + 36 * (2**12 + 2**12 - 1),
    "goofspiel": 1 + 1 + 4 + 16 + 48 + 144 + 288 + 576,
}
# Kuhn: 3 cards, 2 chances to speak each. Leduc: 6 cards and 3 decisions a player in the first round; in the second,
# after 5 first rounds, 5 boards. Liar's dice: 6 faces, half of the 2^12 sets of bids.
SETS = {"kuhn": 3 * 2, "leduc": 6 * (3 + 5 * 5 * 3), "liars-dice": 6 * 2**11}


@pytest.mark.parametrize("game", [KUHN, LEDUC, LIARS_DICE, GOOFSPIEL], ids=lambda game: game.name)
def test_a_tree_has_as_many_nodes_and_sets_as_the_closed_form_says(game: Any) -> None:
    tree = tree_of(game)
    assert len(tree) == NODES[game.name]
    if game.name in SETS:
        assert [len(side.sights) for side in tree.sides] == [SETS[game.name]] * 2


def test_goofspiel_has_a_set_for_each_row_of_own_bids_and_winners() -> None:
    def seen(mine: Sequence[int], other: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(mine), tuple((a > b) - (a < b) for a, b in zip(mine, other, strict=True))

    sets = {
        seen(mine, other)
        for length in range(3)
        for mine in permutations(range(4), length)
        for other in permutations(range(4), length)
    }
    assert [len(side.sights) for side in tree_of(GOOFSPIEL).sides] == [len(sets)] * 2


@pytest.mark.parametrize(
    "answer", [answer for answer in ANSWERS if answer["lens"] == "fair"], ids=lambda a: a["position"]
)
def test_a_fair_tree_of_blasting_billy_has_the_nodes_counted_elsewhere(answer: dict[str, Any]) -> None:
    assert len(billy_tree(answer["position"], FAIR)) == answer["plain_tree_nodes"]  # tests/reference/answers.json


def test_dumped_cards_are_told_apart_from_removed_ones_only_where_their_owner_plays() -> None:
    assert billy_tree("fair-1.toml", FAIR).deals == 12 * 24  # J: 4!/2!; B: 4 cards in 4 different places
    assert billy_tree("fair-1.toml", GUARD).deals == 2 * 3  # bob sees J! J0 and B!: ann's J, ann's B, two B in the box


@SMALL
def test_children_stand_together_behind_their_parents(game: Any) -> None:
    tree = tree_of(game)
    assert tree.parents[0] == -1
    assert tree.firsts[-1] == len(tree)
    for node in range(len(tree)):
        children = range(tree.firsts[node], tree.firsts[node + 1])
        assert all(tree.parents[child] == node < child for child in children)
        assert (len(children) == 0) == (tree.turns[node] == OVER)


@SMALL
def test_every_node_of_a_set_offers_the_moves_of_the_set(game: Any) -> None:
    tree = tree_of(game)
    for node in np.flatnonzero(tree.turns >= 0):
        sets = tree.sides[tree.actors[node]]
        offered = sets.labels[sets.starts[tree.sets[node]] : sets.starts[tree.sets[node] + 1]]
        assert tree.labels[tree.firsts[node] : tree.firsts[node + 1]].tolist() == offered.tolist()


def test_chance_and_payoffs_of_the_sequence_form_add_up_to_play_at_random() -> None:
    for tree in (tree_of(LEDUC), billy_tree("fair-2.toml", FAIR), billy_tree("small-1.toml", GUARD)):
        sequences = to_sequence_game(tree)
        plans = [uniform_plan(side) for side in sequences.game.sides]
        found = (plans[0][sequences.game.rows] * sequences.game.payoffs * plans[1][sequences.game.columns]).sum()
        assert found / sequences.game.scale == pytest.approx(float(mean_payoff(tree)), abs=1e-12)


def uniform_plan(side: Any) -> Any:
    plan = np.zeros(side.sequences)
    for number in range(side.sets):
        parents = slice(side.parent_starts[number], side.parent_starts[number + 1])
        flow = side.mass[number] + (side.weights[parents] * plan[side.parents[parents]]).sum()
        moves = slice(side.starts[number], side.starts[number + 1])
        plan[moves] = flow / (moves.stop - moves.start)
    return plan


def mean_payoff(tree: Tree) -> Fraction:
    """What side 0 gets if every move is picked at random, node by node from the last."""
    values = [Fraction(0)] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        children = range(tree.firsts[node], tree.firsts[node + 1])
        if tree.turns[node] == OVER:
            values[node] = Fraction(int(tree.payoffs[node]), tree.scale)
        else:
            whole = sum(int(tree.weights[child]) for child in children)
            values[node] = sum((int(tree.weights[child]) * values[child] for child in children), Fraction(0)) / whole
    return values[0]


def test_frequencies_come_back_from_a_plan_and_are_even_where_it_does_not_lead() -> None:
    sequences = to_sequence_game(tree_of(KUHN))
    plan = np.zeros(12)
    plan[0::2] = 1.0  # whatever the card: pass, and pass again
    assert sequences.frequencies(0, plan).tolist() == [1.0, 0.0] * 6
    plan = np.zeros(12)
    plan[1:6:2] = 1.0  # bet: the second decision is never reached
    assert sequences.frequencies(0, plan).tolist() == [0.0, 1.0] * 3 + [0.5] * 6


def test_in_guard_the_mover_has_one_set_at_the_root_and_the_others_one_at_every_node() -> None:
    tree = billy_tree("small-1.toml", GUARD)
    roots = np.arange(tree.firsts[0], tree.firsts[1])
    assert tree.deals == 72  # tests/reference/answers.json
    assert set(tree.sets[roots].tolist()) == {0}
    others = tree.sets[tree.actors == 1]
    assert len(set(others.tolist())) == len(others)


def test_in_open_only_the_first_move_is_made_without_knowing() -> None:
    tree = billy_tree("small-1.toml", OPEN)
    mover = tree.sets[tree.actors == 0]
    assert len(set(mover.tolist())) == len(mover) - tree.deals + 1


MANY = [answer for answer in ANSWERS if answer.get("others") == "coalition"]
TWO = [answer for answer in ANSWERS if answer["position"] in ("small-1.toml", "small-4.toml")]


@pytest.mark.parametrize("answer", TWO + MANY, ids=lambda answer: f"{answer['position']}-{answer['lens']}")
def test_the_tree_after_each_first_move_has_the_value_found_elsewhere(answer: dict[str, Any]) -> None:
    lens = {"open": OPEN, "guard": GUARD}[answer["lens"]]
    for text, value in (answer.get("moves") or answer["moves_float"]).items():
        tree = billy_tree(answer["position"], lens, first=BILLY.parse_event(text))
        assert value_of(tree) == pytest.approx(float(Fraction(value)), abs=1e-8)  # tests/reference/answers.json


@pytest.mark.parametrize("answer", [a for a in ANSWERS if a["lens"] == "guard"], ids=lambda answer: answer["position"])
def test_the_whole_guard_tree_is_worth_its_best_first_move(answer: dict[str, Any]) -> None:
    best = max(answer["moves_float"].values())  # tests/reference/answers.json
    assert value_of(billy_tree(answer["position"], GUARD)) == pytest.approx(best, abs=1e-8)


def test_guard_gives_a_poker_player_what_a_known_card_guarantees() -> None:
    """By hand, with ann's card open to bob: the jack loses the ante and the king wins it. With the queen, betting
    loses 1/2 on average; passing and calling a bet with frequency c gets (min(1, 3c - 1) - 1 - c) / 2, best at 2/3."""
    values = [value_of(tree_of(KUHN, GUARD, f"kuhn ann={card} bob=?")) for card in "JQK"]
    assert values == pytest.approx([-1, -1 / 3, 1])


def test_a_set_shows_what_its_player_sees() -> None:
    position = read("fair-1.toml")
    tree = billy_tree("fair-1.toml", FAIR)
    assert position in tree.sides[0].sights
    assert all(sight.me == tree.mover for sight in tree.sides[0].sights)  # type: ignore[attr-defined]


class Forgetful(Leduc):
    """A player no longer sees their card once the board is open."""

    def observe(self, state: State, player: int | None) -> Position:
        seen = super().observe(state, player)
        return seen if self.turn(state) != OVER and not self._board(state.history) else self._without_hands(seen)

    def _without_hands(self, position: Position) -> Position:
        return replace(position, hands=(HIDDEN, HIDDEN))

    def choices(self, position: Position) -> Sequence[str]:
        return self.moves(State(position.hands, (), position.history))


def test_a_player_remembers_what_a_later_observation_no_longer_shows() -> None:
    forgetful, plain = tree_of(Forgetful()), tree_of(LEDUC)
    assert forgetful.sets.tolist() == plain.sets.tolist()


class Blind(Kuhn):
    """Nobody sees even their own card, so a set merges states that its player could tell apart."""

    def observe(self, state: State, player: int | None) -> Position:
        return Position((HIDDEN, HIDDEN), state.history)


class Deaf(Leduc):
    """The second player hears the first raise as a call, though it changes the moves."""

    def observe(self, state: State, player: int | None) -> Position:
        seen = super().observe(state, player)
        return replace(seen, history=("call",)) if state.history == ("raise",) else seen


class Generous(Kuhn):
    """Players see moves that they do not have."""

    def choices(self, position: Position) -> Sequence[str]:
        return (*super().choices(position), "pass")


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Blind(), "does not see so"),
        (Deaf(), "cannot tell two states apart that offer call, raise and fold, call, raise"),
        (Generous(), "sees the moves pass, bet, pass, but has pass, bet"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_game_whose_observations_do_not_fit_its_moves_is_caught(game: Any, why: str) -> None:
    with pytest.raises(BrokenGameError, match=why):
        tree_of(game)


def test_a_set_after_different_own_moves_is_caught() -> None:
    tree = tree_of(GOOFSPIEL)
    mine: list[Any] = [sight.mine for sight in tree.sides[0].sights]  # type: ignore[attr-defined]
    one, other = mine.index((1,)), mine.index((2,))
    sets = np.where((tree.actors == 0) & (tree.sets == other), one, tree.sets)
    with pytest.raises(BrokenGameError, match="different moves of their own"):
        to_sequence_game(replace(tree, sets=sets))


def test_a_tree_beyond_the_limit_is_refused_and_one_at_the_limit_is_not() -> None:
    assert len(tree_of(KUHN, limit=55)) == 55
    with pytest.raises(TooLargeError, match="6 deals has more than 54 nodes"):
        tree_of(KUHN, limit=54)
    with pytest.raises(TooLargeError, match="6 deals are too many"):
        tree_of(KUHN, limit=5)


def test_a_real_position_is_refused_before_its_deals_are_listed() -> None:
    with pytest.raises(TooLargeError, match="deals are too many to list"):
        billy_tree("real-pile2-1.toml", FAIR)


def test_growing_stops_when_told_to() -> None:
    watch = Watch()
    watch.stop()
    with pytest.raises(Stopped):
        build_tree(KUHN, KUHN.parse(STARTS["kuhn"]), lens=FAIR, objective="chips", watch=watch)


def test_what_a_lens_cannot_be_asked_is_refused() -> None:
    with pytest.raises(IllegalError, match="lens fair is for 2 players, not 3"):
        billy_tree("many-1.toml", FAIR)
    with pytest.raises(IllegalError, match="the game is over"):
        tree_of(KUHN, FAIR, "kuhn ann=? bob=? bet pass")
    with pytest.raises(IllegalError, match="not the turn"):
        tree_of(KUHN, GUARD)
    with pytest.raises(IllegalError, match="no move is first there"):
        tree_of(KUHN, FAIR, first="bet")
    with pytest.raises(IllegalError, match="is not an objective"):
        build_tree(KUHN, KUHN.parse(STARTS["kuhn"]), lens=FAIR, objective="fame", watch=Watch())


def test_a_card_that_the_mover_forgot_is_refused() -> None:
    text = (REFERENCE / "small-1.toml").read_text(encoding="utf-8")
    laid, held = (BILLY.parse(text.replace(*forgotten)) for forgotten in (("J3@bob", "J?@bob"), ("B! B0", "B! B?")))
    for position, lens in ((laid, GUARD), (held, GUARD), (held, OPEN)):
        with pytest.raises(IllegalError, match="bob has forgotten a card"):
            build_tree(BILLY, position, lens=lens, objective="win", watch=Watch())
    assert build_tree(BILLY, laid, lens=OPEN, objective="win", watch=Watch()).deals > 72


class Unfair(Kuhn):
    """The loser pays nothing."""

    def payoffs(self, state: State, objective: str) -> tuple[Fraction, ...]:
        return tuple(max(payoff, Fraction(0)) for payoff in super().payoffs(state, objective))


def test_what_is_not_zero_sum_has_no_fair_tree() -> None:
    with pytest.raises(IllegalError, match="not zero-sum"):
        tree_of(Unfair())


class Lottery(Kuhn):
    """Whoever speaks second then wins a prize out of three lots, weighted 1, 2 and 4."""

    def turn(self, state: State) -> int:
        lots = sum(event.startswith("lot") for event in state.history)
        spoken = super().turn(replace(state, history=state.history[: len(state.history) - lots]))
        return CHANCE if spoken == OVER and not lots else spoken

    def chances(self, state: State) -> Sequence[tuple[str, int]]:
        return [("lot1", 1), ("lot2", 2), ("lot3", 4)]

    def payoffs(self, state: State, objective: str) -> tuple[Fraction, ...]:
        won = Fraction(int(state.history[-1][3:]), 10)
        return won, -won


def test_weighted_chance_enters_the_sequence_form_exactly() -> None:
    sequences = to_sequence_game(tree_of(Lottery()))
    expected = Fraction(1 * 1 + 2 * 2 + 4 * 3, 7 * 10)  # the mean of the lots, whatever is played
    assert mean_payoff(sequences.tree) == expected
    assert set(sequences.game.payoffs.tolist()) == {expected * sequences.game.scale / 6}
