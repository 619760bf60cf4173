"""The opponent's replies in lens fair, against a walk through every deal and every draw by the rules."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random

import numpy as np
import pytest

from solver.cards import back_of, face_of, without
from solver.certificate import Certificate, WholePlan, check_plan, whole_plan
from solver.deals import count_deals, list_deals
from solver.errors import IllegalError
from solver.game import CHANCE
from solver.games.blasting_billy.deck import NAMES, TYPES, Deck, is_dynamite
from solver.games.blasting_billy.fair import _tree_kernel as kernel
from solver.games.blasting_billy.fair.computation import FairComputation
from solver.games.blasting_billy.fair.public_tree import PublicTree
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.rules import Draw
from solver.games.blasting_billy.table import VERBS, Laid, Move, Position, State
from solver.sequence_form import Interval, Side
from solver.solution import Reply
from solver.solve import solve
from solver.watch import Watch

GAME = BlastingBilly()
DECKS = (
    (Deck("JB", 0, 2, True, 2), 1, (0, 1, 2)),
    (Deck("JB", 0, 2, False, 2), 1, (0, 1)),
    (Deck("JB", 0, 2, True, 1), 1, (3,)),
    (Deck("JBC", 0, 1, True, 2), 2, (0, 1)),
    (Deck("J", 0, 5, True, 2), 1, (0, 1, 2)),
)
MOST_DEALS = 60


def positions() -> Iterator[Position]:
    """Small ones reached by random play, seen by their mover."""
    for number in range(75):
        rng = Random(number)
        deck, removed, piles = DECKS[number % len(DECKS)]
        covered, pile = rng.random() < 0.5, rng.choice(piles)
        state, _ = play_randomly(
            players=2, pile=pile, turns_left=2, deck=deck, removed=removed, rng=rng, covered=covered
        )
        position = observe(state, state.to_move)
        if count_deals(GAME.hidden(position)) <= MOST_DEALS:
            yield position


POSITIONS = list(positions())


def told(position: Position, seed: int) -> tuple[PublicTree, WholePlan, dict[Hashable, tuple[Reply, ...]]]:
    """The replies that any plan of the opponent's makes, an equilibrium's or not."""
    built = FairComputation(position, "win").build(Watch())
    plan = some_plan(built.game.sides[1], Random(seed))
    return built.tree, plan, dict(built.replies(Certificate((plan, plan), (WHOLE, WHOLE), Interval(ZERO, ZERO))))


WHOLE, ZERO = 1000, Fraction(0)


def some_plan(side: Side, rng: Random) -> WholePlan:
    """What flows into each set, divided at random, with nothing for some of its moves."""
    plan: list[int] = []
    for number in range(side.sets):
        links = range(int(side.parent_starts[number]), int(side.parent_starts[number + 1]))
        flow = int(side.mass[number]) * WHOLE
        flow += sum(int(side.weights[link]) * plan[int(side.parents[link])] for link in links)
        moves = int(side.starts[number + 1] - side.starts[number])
        cuts = sorted(rng.choice((0, flow, rng.randint(0, flow))) for _ in range(moves - 1))
        plan += [end - begin for begin, end in pairwise((0, *cuts, flow))]
    whole = whole_plan(plan)
    check_plan(side, whole, WHOLE)
    return whole


def states_of(position: Position) -> Iterator[State]:
    """Every deal; the opponent knows which of the box's cards they dumped, so each way to part them is one."""
    for deal in list_deals(GAME.hidden(position)):
        state = GAME.fill(position, deal)
        for parted in product(*(list(_partings(state, kind)) for kind in TYPES)):
            dumped = [laid for laid in state.dumped if laid.owner == position.to_move]
            removed: list[int] = []
            for mine, out in parted:
                dumped += [Laid(card, 1 - (position.to_move or 0)) for card in mine]
                removed += out
            yield replace(state, dumped=tuple(sorted(dumped)), removed=tuple(sorted(removed)))


def _partings(state: State, kind: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    theirs = [laid.card for laid in state.dumped if laid.owner != state.to_move and back_of(laid.card) == kind]
    box = (*theirs, *(card for card in state.removed if back_of(card) == kind))
    for mine in combinations(box, len(theirs)):
        rest = box
        for card in mine:
            rest = without(rest, card)
        yield mine, rest


def after(state: State, move: Move) -> Iterator[tuple[State, Draw | None, Fraction]]:
    """What follows from a move, with the chance of each draw."""
    played = GAME.play(state, move)
    if GAME.turn(played) != CHANCE:
        yield played, None, Fraction(1)
        return
    chances = GAME.chances(played)
    whole = sum(weight for _, weight in chances)
    for draw, weight in chances:
        assert isinstance(draw, Draw)
        yield GAME.play(played, draw), draw, Fraction(weight, whole)


def seen_of(state: State, move: Move) -> int:
    """What everybody sees of a move, as the tree numbers it."""
    kind, player = back_of(move.card), state.to_move or 0
    shown = 3 + face_of(move.card) if state.loots[player][kind] else 2
    return kind * 15 + {"give": 0, "dump": 1, "claim": shown}[move.verb]


def information_set(tree: PublicTree, state: State, move: Move, draw: Draw | None) -> int:
    """The opponent's information set after a move and a draw, from what the opponent sees."""
    root, level = tree.levels[:2]
    drawn, top = (-1, None) if draw is None else (back_of(draw.card), draw.top)
    fits = (root.outcomes == seen_of(state, move)) & (root.drawn == drawn)
    fits &= level.nodes[:, kernel.TOP] == (-1 if top is None else top)
    (node,) = np.flatnonzero(fits)
    view = observe(state, 1 - (state.to_move or 0))
    begin, end = level.listed.starts[node], level.listed.starts[node + 1]
    rows = level.listed.states[level.listed.numbers[begin:end], kernel.KNOWN :]
    (place,) = np.flatnonzero((rows == private_state(tree, view)).all(axis=1))
    return int(level.first_set + begin + place)


def private_state(tree: PublicTree, view: Position) -> list[int]:
    """The row, from the known cards on, of a player who sees this before the other's move."""
    me, bits = view.me or 0, {card: 1 << bit for bit, card in enumerate(tree.root.cards)}
    firsts = [column[0] for column in view.loots[me] if column]
    laid = [one.card for column in (*view.billy, view.dumped) for one in column if one.owner == me]
    hand = sum(bits[card] for card in view.hands[me])
    known = hand + sum(bits[card] for card in (*firsts, *laid))
    first, parts = 0, []
    for kind in TYPES:
        column = view.loots[me][kind]
        first |= (first_face(column) if column else kernel.NONE) << (4 * kind)
        faces = [face_of(one.card) for one in view.billy[kind] if one.owner == me]
        parts.append(tree.root.part_of(1, kind, faces, known, hand))
    return [known, hand, first, *parts]


def first_face(column: tuple[int, ...]) -> int:
    """The face of the first card, or that an open dynamite has taken it along."""
    left: list[int] = []
    for card in column[1:]:
        if not is_dynamite(card):
            left.append(card)
        elif left:
            left.pop()
        else:
            return kernel.GONE
    return face_of(column[0])


def walked(tree: PublicTree, plan: WholePlan, position: Position, move: Move) -> dict[str, Fraction]:
    """How often the opponent replies how: the mean, over all deals and draws, of the plan at the set they lead to."""
    side, level = tree.game.sides[1], tree.levels[1]
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    states = list(states_of(position))
    for state in states:
        for following, draw, chance in after(state, move):
            number = information_set(tree, state, move, draw)
            sequences = range(int(side.starts[number]), int(side.starts[number + 1]))
            whole = sum(int(plan[sequence]) for sequence in sequences)
            for sequence in sequences:
                bit, verb = divmod(int(level.labels[sequence - level.first_sequence]), 3)
                words = words_of(following, Move(VERBS[verb], tree.root.cards[bit]))
                found[words] += chance * Fraction(int(plan[sequence]), whole) / len(states)
    return {words: frequency for words, frequency in found.items() if frequency}


def words_of(state: State, move: Move) -> str:
    if move.verb == "dump" and not state.pile:
        return "dump"
    if move.verb == "claim" and state.loots[state.to_move or 0][back_of(move.card)]:
        return f"claim {NAMES.format(move.card)}"
    return f"{move.verb} {NAMES.format_back(move.card)}"


def test_the_positions_are_of_every_kind() -> None:
    assert sum(position.size == 0 for position in POSITIONS) >= 10
    assert sum(position.size == 1 for position in POSITIONS) >= 10
    assert {(position.size, position.top is None) for position in POSITIONS if position.size} == {
        (size, covered) for size in (1, 2, 3) for covered in (True, False)
    }
    assert any(laid.owner != position.to_move for position in POSITIONS for laid in position.dumped)


@pytest.mark.parametrize("number", range(len(POSITIONS)))
def test_replies_are_the_mean_over_all_deals_and_draws_of_what_the_plan_does(number: int) -> None:
    position = POSITIONS[number]
    tree, plan, found = told(position, number)
    assert list(found) == list(GAME.choices(position))
    stands_for_all = Move("dump", min(position.hands[position.to_move or 0]))
    for move, replies in found.items():
        assert isinstance(move, Move)
        assert sum(reply.frequency for reply in replies) == 1
        frequencies = [reply.frequency for reply in replies]
        assert frequencies == sorted(frequencies, reverse=True)
        same = stands_for_all if move.verb == "dump" and not position.size else move
        assert {reply.words: reply.frequency for reply in replies} == walked(tree, plan, position, same)


def test_moves_that_look_alike_have_the_same_replies() -> None:
    position = next(each for each in POSITIONS if len(set(map(back_of, each.hands[each.to_move or 0]))) == 1)
    _, _, found = told(position, 5)
    by_verb = defaultdict(set)
    for move, replies in found.items():
        assert isinstance(move, Move)
        by_verb[move.verb].add(replies)
    assert len(by_verb["give"]) == len(by_verb["dump"]) == 1


def test_an_equilibrium_is_told_with_replies_only_if_asked() -> None:
    for position in POSITIONS[:5]:
        asked = solve(GAME, position, lens="fair", exact=True, replies=True)
        assert all(sum(reply.frequency for reply in found.replies or ()) == 1 for found in asked.moves)
        plain = solve(GAME, position, lens="fair", exact=True)
        assert tuple(replace(found, replies=None) for found in asked.moves) == plain.moves


def test_a_game_that_is_over_after_the_move_has_no_replies() -> None:
    state, _ = play_randomly(players=2, pile=0, turns_left=1, deck=DECKS[0][0], removed=1, rng=Random(1))
    solution = solve(GAME, observe(state, state.to_move), lens="fair", replies=True)
    assert {found.replies for found in solution.moves} == {()}


@pytest.mark.parametrize("lens", ["open", "guard"])
def test_replies_are_told_in_lens_fair_only(lens: str) -> None:
    with pytest.raises(IllegalError, match="--replies are told in lens fair"):
        solve(GAME, POSITIONS[0], lens=lens, replies=True)


def test_auto_tells_no_replies_where_it_takes_open() -> None:
    assert solve(GAME, POSITIONS[0], replies=True).moves[0].replies
    with pytest.raises(IllegalError, match="--lens auto takes open here: say --lens fair"):
        solve(GAME, POSITIONS[0], replies=True, samples=10)


def test_replies_need_the_eyes_of_the_mover() -> None:
    position = POSITIONS[0]
    onlooker = replace(observe(GAME.fill(position, next(list_deals(GAME.hidden(position)))), None))
    with pytest.raises(IllegalError, match="seen by an onlooker"):
        solve(GAME, onlooker, lens="fair", replies=True)
