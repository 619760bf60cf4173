"""The sequence form of a flat tree, and the way back from sequences to information sets and moves."""

from dataclasses import dataclass
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from solver.errors import TooLargeError
from solver.game import CHANCE, OVER
from solver.sequence_form import Numbers, Plan, SequenceGame, Side, make_game
from solver.tree import BrokenGameError, Tree

_ROOM = 2**61
"""Whole numbers stay below this, so that sums of payoffs fit int64."""


@dataclass(frozen=True, eq=False, slots=True)
class TreeSequences:
    """A tree's sequence form. Set i of the tree is set i + `offsets[side]` of the game, and so are its sequences: a
    side that may never move has one set more, the first, with a single sequence that stands for not having moved."""

    tree: Tree
    game: SequenceGame
    offsets: tuple[int, int]

    def frequencies(self, side: int, plan: Plan) -> Plan:
        """How often each move of the tree's sets is played where it can be; all alike in a set that is not reached."""
        starts = self.tree.sides[side].starts
        weights = np.clip(np.asarray(plan, np.float64)[self.offsets[side] :], 0.0, None)
        sizes = np.diff(starts)
        owners = np.repeat(np.arange(len(sizes)), sizes)
        totals = np.bincount(owners, weights, minlength=len(sizes))[owners]
        even = 1.0 / sizes[owners]
        return np.divide(weights, totals, out=even, where=totals > 0)


def to_sequence_game(tree: Tree) -> TreeSequences:
    """Both sides' sets, and what each pair of sequences is worth with chance's part in it.

    A BrokenGameError where a set does not remember its player's own moves, and a TooLargeError where chance's
    fractions have no common denominator that fits.
    """
    ends = tree.turns == OVER
    (offset0, side0, rows), (offset1, side1, columns) = (_make_side(tree, side, ends) for side in (0, 1))
    reach, whole = _chances(tree, ends)
    largest = int(np.abs(tree.payoffs).max(initial=0))
    if whole * max(largest, 1) >= _ROOM:
        raise TooLargeError(f"chance's fractions need the common denominator {whole:,}, which is too large")
    game = make_game((side0, side1), rows, columns, reach * tree.payoffs[ends], whole * tree.scale)
    return TreeSequences(tree, _shorten(game), (offset0, offset1))


def _make_side(tree: Tree, side: int, ends: NDArray[np.bool_]) -> tuple[int, Side, Numbers]:
    """A side, how far its numbers are shifted, and its last sequence at each end."""
    sets, last = tree.sides[side], _last_sequences(tree, side)
    nodes = np.flatnonzero(tree.actors == side)
    number = len(sets.starts) - 1
    parents = np.full(number, -1)
    parents[tree.sets[nodes]] = last[nodes]
    if (parents[tree.sets[nodes]] != last[nodes]).any():
        raise BrokenGameError("a player is in one information set after different moves of their own")
    offset = int(number == 0 or (last[ends] < 0).any())
    idle = np.zeros(offset, np.int64)
    followers = parents >= 0
    return (
        offset,
        Side(
            starts=np.concatenate((idle, sets.starts + offset)),
            mass=np.concatenate((idle + 1, np.where(followers, 0, 1))),
            parent_starts=np.concatenate((idle, [0], np.cumsum(followers))),
            parents=parents[followers] + offset,
            weights=np.ones(int(followers.sum()), np.int64),
        ),
        last[ends] + offset,
    )


def _last_sequences(tree: Tree, side: int) -> Numbers:
    """The side's last own move before each node; -1 where it has not moved."""
    moved, starts = tree.actors == side, tree.sides[side].starts
    last = np.full(len(tree), -1)
    for begin, end in zip(tree.levels[1:], tree.levels[2:], strict=False):
        parents = tree.parents[begin:end]
        last[begin:end] = last[parents]
        chosen = begin + np.flatnonzero(moved[parents])
        parents = tree.parents[chosen]
        last[chosen] = starts[tree.sets[parents]] + chosen - tree.firsts[parents]
    return last


def _chances(tree: Tree, ends: NDArray[np.bool_]) -> tuple[Numbers, int]:
    """Chance's probability of each end, as whole numbers over their common denominator.

    The denominators along a path multiply; there are few different ones, so they are numbered and kept exactly.
    """
    totals = np.zeros(len(tree), np.int64)
    np.add.at(totals, tree.parents[1:], tree.weights[1:])
    totals[tree.turns != CHANCE] = 1
    products, numbers = np.ones(len(tree), np.int64), np.zeros(len(tree), np.int64)
    denominators, known = [1], {1: 0}
    for begin, end in zip(tree.levels[1:], tree.levels[2:], strict=False):
        parents = tree.parents[begin:end]
        pairs, inverse = np.unique(np.stack((numbers[parents], totals[parents])), axis=1, return_inverse=True)
        for before, total in pairs.T.tolist():
            product = denominators[before] * total
            if known.setdefault(product, len(known)) == len(denominators):
                denominators.append(product)
        renumbered = np.array([known[denominators[before] * total] for before, total in pairs.T.tolist()])
        numbers[begin:end] = renumbered[inverse.ravel()]
        products[begin:end] = products[parents] * tree.weights[begin:end]
    whole = lcm(*(denominators[number] for number in np.unique(numbers[ends])))
    if whole >= _ROOM:
        raise TooLargeError(f"chance's fractions need the common denominator {whole:,}, which is too large")
    factors = np.array([whole // denominator if whole % denominator == 0 else 0 for denominator in denominators])
    return products[ends] * factors[numbers[ends]], whole


def _shorten(game: SequenceGame) -> SequenceGame:
    """The same game over the smallest scale."""
    common = gcd(game.scale, int(np.gcd.reduce(game.payoffs)) if len(game.payoffs) else 0)
    return SequenceGame(game.sides, game.row_starts, game.columns, game.payoffs // common, game.scale // common)
