"""How often the opponent makes each reply in the equilibrium found, as the mover of these cards will see it happen.

After a move the opponent is at some public node, in one of several private states. Those that share no card with the
mover's are possible, and each counts by what flows into its information set (how many holdings it stands for) times
chance's weight of the node. Which card of its type the mover draws makes no difference: whatever the opponent holds, as
many are left to draw. So frequencies are the opponent's flows, added up and divided.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from solver.cards import back_of, face_of, make_card
from solver.certificate import WholePlan
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.fair import _tree_kernel as kernel
from solver.games.blasting_billy.fair.public_tree import Numbers, PublicTree
from solver.games.blasting_billy.table import VERBS, Move
from solver.solution import Reply

MOVER, OPPONENT = 0, 1


def replies_to(tree: PublicTree, plan: WholePlan, move: Move, known: int) -> tuple[Reply, ...]:
    """What the opponent's plan replies to a move at the root, most frequent first, over all that the opponent may hold
    and all draws; `known` are the cards that the mover knows, a bit each. None if no turn follows.

    In a last turn all dumps are alike, and the tree has one for all. So a reply there is a dump without a type, and
    every dump of the mover's is replied to as the one that stands for it is.
    """
    if tree.root.turns == 1:
        return ()
    flows: defaultdict[int, int] = defaultdict(int)
    root, level = tree.levels[:2]
    (after,) = np.nonzero(root.outcomes == _outcome_kept(tree, move))
    for node in after.tolist():
        weight = int(level.nodes[node, kernel.WEIGHT]) * _drawable(tree, int(root.drawn[node]))
        for outcome, flow in _flows(tree, plan, node, known):
            flows[outcome] += weight * flow
    whole = sum(flows.values())
    found = sorted((-flow, outcome) for outcome, flow in flows.items() if flow)
    last = tree.root.position.size <= 1
    return tuple(Reply(_words(outcome, last=last), Fraction(-negative, whole)) for negative, outcome in found)


def _outcome_kept(tree: PublicTree, move: Move) -> int:
    """What everybody sees of the mover's move, or of the dump that stands for it."""
    verb, kind = VERBS.index(move.verb), back_of(move.card)
    if move.verb == "dump" and tree.root.position.size == 0:
        kind = back_of(min(tree.root.position.hands[tree.root.seats[MOVER]]))
    return int(kernel.outcome_of(tree.levels[0].nodes[0], MOVER, verb, kind, face_of(move.card)))


def _drawable(tree: PublicTree, kind: int) -> int:
    """How many cards of the type drawn neither player knows."""
    return 1 if kind < 0 else tree.root.pile[kind] + tree.root.removed[kind]


def _flows(tree: PublicTree, plan: WholePlan, node: int, known: int) -> Iterator[tuple[int, int]]:
    """What is seen of the opponent's moves at one node, each with its flow, in the states without a known card."""
    level = tree.levels[1]
    begin, end = level.listed.starts[node : node + 2].tolist()
    states = level.listed.states[level.listed.numbers[begin:end]]
    starts = tree.game.sides[OPPONENT].starts[level.first_set + begin : level.first_set + end + 1]
    possible = np.repeat(states[:, kernel.KNOWN] & known == 0, np.diff(starts))
    labels = level.labels[starts[0] - level.first_sequence : starts[-1] - level.first_sequence]
    flows = plan[starts[0] : starts[-1]]
    return zip(_outcomes(tree)[labels[possible]].tolist(), flows[possible].tolist(), strict=True)


def _outcomes(tree: PublicTree) -> Numbers:
    """What is seen of each of the opponent's moves, by label; the mover's move before it changes nothing of that."""
    node = tree.levels[0].nodes[0]
    seen = [
        kernel.outcome_of(node, OPPONENT, verb, back_of(card), face_of(card))
        for card in tree.root.cards
        for verb in range(len(VERBS))
    ]
    return np.array(seen, np.int64)


def _words(outcome: int, *, last: bool) -> str:
    """`claim B7` where the value is seen, `claim B` where the card is laid face down."""
    kind, what = divmod(outcome, kernel.OUTCOMES // 5)
    letter = NAMES.backs[kind]
    if what == kernel.DUMPED:
        return "dump" if last else f"dump {letter}"
    if what == kernel.GIVEN:
        return f"give {letter}"
    if what == kernel.CLAIMED:
        return f"claim {letter}"
    return f"claim {NAMES.format(make_card(kind, what - kernel.CLAIMED - 1))}"
