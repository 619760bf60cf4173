"""What pairs of private states are worth at the leaves of the public tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.blasting_billy.deck import DYNAMITE
from solver.games.blasting_billy.fair._tree_kernel import FIRSTS, KNOWN, LOOTS, PARTS, POINT, WEIGHT
from solver.kernels import compiled

Numbers = NDArray[np.int64]
POINTS, UP, DOWN, SHOT, SUMS = 0, 2, 4, 6, 8


@compiled
def count_pairs(lists: Any, other: Any) -> Any:
    """How many pairs of states, of one player's lists and of the other's, have no card in common at each node."""
    starts, listed, states = lists
    other_starts, other_listed, other_states = other
    pairs = np.zeros(len(starts) - 1, np.int64)
    for node in range(len(starts) - 1):
        for place in range(starts[node], starts[node + 1]):
            known = states[listed[place], KNOWN]
            for against in range(other_starts[node], other_starts[node + 1]):
                if not known & other_states[other_listed[against], KNOWN]:
                    pairs[node] += 1
    return pairs


@compiled
def worth(node: Numbers, player: int, state: Numbers, other: Numbers, margin: bool, sums: Numbers) -> Any:
    """What the player gets where the other is in state `other`. `sums` is room for points, cards face up, cards turned
    down and types with a shot, of both."""
    sums[:] = 0
    for kind in range(5):
        mine, theirs = state[PARTS + kind], other[PARTS + kind]
        billy = (mine & 63) + (theirs & 63)
        if (mine >> 6) & 15:
            billy -= (theirs >> (10 + 4 * (((mine >> 6) & 15) - 1))) & 15
        if (theirs >> 6) & 15:
            billy -= (mine >> (10 + 4 * (((theirs >> 6) & 15) - 1))) & 15
        for side in range(2):
            loot = node[LOOTS + 5 * (player ^ side) + kind]
            firsts = other[FIRSTS] if side else state[FIRSTS]
            first = (firsts >> (4 * kind)) & 15
            total, count = loot & 255, (loot >> 8) & 255
            if first < DYNAMITE:  # above it: a card taken along, or none
                total, count = total + first, count + 1
            if total > billy:
                sums[DOWN + side] += count
                sums[SHOT + side] += 1
            else:
                sums[POINTS + side] += total
                sums[UP + side] += count
    one_shot = (sums[SHOT] > 0) != (sums[SHOT + 1] > 0)
    safe = 1 if sums[SHOT] else 0
    if margin:
        if one_shot:
            sums[POINTS + 1 - safe] = 0
        return sums[POINTS] - sums[POINTS + 1]
    if one_shot:
        return 0 if sums[POINTS + safe] == 0 else 1 - 2 * safe
    if sums[POINTS] + sums[POINTS + 1] == 0:
        return 0
    ahead = ((sums[POINTS] - sums[POINTS + 1]) << 16) - ((sums[UP] - sums[UP + 1]) << 8) - (sums[DOWN] - sums[DOWN + 1])
    return 0 if ahead == 0 else 1 if ahead > 0 else -1


@compiled
def pay(here: Any, other: Any, player: int, margin: bool, most: int) -> Any:
    """What the player who moved last gets: for each listed state, the other's points and the weighted payoffs."""
    nodes, starts, listed, states = here
    other_starts, other_listed, other_states = other
    ends = np.zeros(len(listed) + 1, np.int64)
    columns = np.empty(most, np.int64)
    payoffs = np.empty(most, np.int64)
    sums = np.zeros(SUMS, np.int64)
    number = 0
    for leaf in range(len(nodes)):
        node = nodes[leaf]
        for place in range(starts[leaf], starts[leaf + 1]):
            state = states[listed[place]]
            for against in range(other_starts[leaf], other_starts[leaf + 1]):
                met = other_states[other_listed[against]]
                if state[KNOWN] & met[KNOWN]:
                    continue
                value = worth(node, player, state, met, margin, sums)
                if value:
                    columns[number] = met[POINT]
                    payoffs[number] = value * node[WEIGHT]
                    number += 1
            ends[place + 1] = number
    return ends, columns[:number].copy(), payoffs[:number].copy()
