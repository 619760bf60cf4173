"""The team's best last replies to the mover's last move.

After the mover's last move nothing is left to chance and only the team decides, so what is left is a minimum over
everything the team can still lay. A card changes the parts of the score of its own type only: for each type there is
a list of entries, each saying which players lay something in this type (bits) and what every player's part then is.
Every player lays in at most one type; who lays in none dumps.
"""

import numpy as np
from numpy.typing import NDArray

from solver.games.blasting_billy.search._table_kernel import (
    COALITION,
    PLAYERS,
    ROW,
    SCORES,
    duel,
    share,
    winners,
)
from solver.kernels import compiled

Numbers = NDArray[np.int64]
Ids = NDArray[np.int32]


@compiled
def last_values(sizes: Numbers, starts: Numbers, entries: Numbers, setting: Numbers, found: Ids) -> None:
    """What the mover gets in every joint state when the team replies best.

    `sizes` are the states of each type; `starts` are where the entries of (type, state) begin, types one after the
    other; an entry is the bits of those who lay, then each player's part. The setting is players, mover, goal and the
    lowest value.
    """
    kinds, players, mover, goal, lowest = sizes.size, setting[0], setting[1], setting[2], setting[3]
    row = np.zeros(ROW, np.int64)
    row[PLAYERS] = players
    offsets = np.zeros(kinds, np.int64)
    for kind in range(1, kinds):
        offsets[kind] = offsets[kind - 1] + sizes[kind - 1]
    spots, ends = np.zeros(kinds, np.int64), np.zeros(kinds, np.int64)
    firsts = np.zeros(kinds, np.int64)
    used = np.zeros(kinds + 1, np.int64)
    sums = np.zeros((kinds + 1, players), np.int64)
    for joint in range(found.size):
        rest = joint
        for back in range(kinds):
            kind = kinds - 1 - back
            state = offsets[kind] + rest % sizes[kind]
            rest //= sizes[kind]
            firsts[kind], ends[kind] = starts[state], starts[state + 1]
        best = np.int64(1) << 40
        level = 0
        spots[0] = firsts[0]
        while level >= 0:
            if spots[level] == ends[level] or best == lowest:
                level -= 1
                continue
            entry = spots[level]
            spots[level] += 1
            if entries[entry, 0] & used[level]:
                continue
            used[level + 1] = used[level] | entries[entry, 0]
            for player in range(players):
                sums[level + 1, player] = sums[level, player] + entries[entry, 1 + player]
            if level + 1 < kinds:
                level += 1
                spots[level] = firsts[level]
                continue
            if goal == COALITION:
                for player in range(players):
                    row[SCORES + player] = sums[kinds, player]
                value = share(winners(row), mover)
            else:
                value = duel(sums[kinds, mover], sums[kinds, 1 - mover], goal)
            best = min(best, value)
        found[joint] = best
