"""Kernels of the factored method: the values of all pairs of shapes of two groups, and how often they are reached.

The value of a pair is a list of thresholds in rising order: so many of them as the total difference reaches, so good is
it for the mover. The shapes of a stage with equally many plays behind them form a block. At a stage, `by_row` tells
what a turn played in the row's group is worth, for every shape of the row's block and every shape that the column's
group can have once it has passed; `by_column` the other way round. A turn is played in either, so the value of a pair
(a, b) is the better, for whoever moves, of `by_row[a, pass b]` and `by_column[pass a, b]`.

`spot[shape]` is a shape's place in its block, `pass_spot[shape]` that of its passing among those of its block.
"""

import numpy as np
from numpy.typing import NDArray

from solver.games.blasting_billy.factored._shapes_kernel import ENDS, LARGE, NEVER
from solver.kernels import compiled

Ints = NDArray[np.int32]
Words = NDArray[np.int64]


TILE = 16


@compiled
def end_thresholds() -> Ints:
    """What the flags of both groups together decide: [row's flags, column's flags, threshold]."""
    result = np.zeros((ENDS, ENDS, 2), np.int32)
    for a in range(ENDS):
        for b in range(ENDS):
            flags = a | b
            shot, other_shot = flags & 1, flags >> 1 & 1
            points, other_points = flags >> 2 & 1, flags >> 3 & 1
            if shot == other_shot:
                value = 2 if points or other_points else 0
            elif shot:
                value = -1 if other_points else 0
            else:
                value = 1 if points else 0
            if value == 2:
                result[a, b, 0], result[a, b, 1] = 0, 1
            else:
                result[a, b, 0] = -NEVER if value >= 0 else NEVER
                result[a, b, 1] = -NEVER if value > 0 else NEVER
    return result


@compiled
def turn_values(
    spot_a: Ints, pass_a: Ints, spot_b: Ints, pass_b: Ints, sign: int, by_row: Ints, by_column: Ints
) -> Ints:
    """The thresholds of pairs at a turn of `sign`: [row, column], both given by their places in the tables."""
    result = np.empty((spot_a.size, spot_b.size, by_row.shape[2]), np.int32)
    for row in range(spot_a.size):
        played_row, passed_row = spot_a[row], pass_a[row]
        for column in range(spot_b.size):
            played_column, passed_column = spot_b[column], pass_b[column]
            for k in range(by_row.shape[2]):
                x, y = by_row[played_row, passed_column, k], by_column[passed_row, played_column, k]
                result[row, column, k] = min(x, y) if sign > 0 else max(x, y)
    return result


@compiled
def merge_values(first: Ints, second: Ints) -> Ints:
    """The thresholds of two outcomes, equally likely, together."""
    result = np.empty((first.shape[0], first.shape[1], 2 * first.shape[2]), np.int32)
    width = first.shape[2]
    for row in range(first.shape[0]):
        for column in range(first.shape[1]):
            i, j = 0, 0
            for k in range(2 * width):
                if j == width or (i < width and first[row, column, i] <= second[row, column, j]):
                    result[row, column, k] = first[row, column, i]
                    i += 1
                else:
                    result[row, column, k] = second[row, column, j]
                    j += 1
    return result


@compiled
def best_option(block: Ints, pool: Ints, start: Ints, spot: Ints, sign: int, values: Ints, idle: Ints) -> Ints:
    """For each shape of a block the best of its options, whose values stand in their rows of `values`.

    What doing nothing is worth stands in `idle`, a row for each; it is empty where something must be done.
    """
    cells = values.shape[1] * values.shape[2]
    flat = values.reshape(values.shape[0], cells)
    result = np.empty((block.size, values.shape[1], values.shape[2]), np.int32)
    flat_result = result.reshape(block.size, cells)
    flat_idle = idle.reshape(idle.shape[0], cells) if idle.shape[0] else flat
    for row in range(block.size):
        if idle.shape[0]:
            flat_result[row] = flat_idle[row]
        else:
            flat_result[row] = NEVER if sign > 0 else -NEVER
        for place in range(start[block[row]] + 3, start[block[row] + 1], 2):
            best, option, gain = flat_result[row], flat[spot[pool[place]]], pool[place + 1]
            if sign > 0:
                for cell in range(cells):
                    best[cell] = min(best[cell], np.int32(option[cell] - gain))
            else:
                for cell in range(cells):
                    best[cell] = max(best[cell], np.int32(option[cell] - gain))
    return result


@compiled
def flip(table: Words) -> Words:
    """Rows for columns, tile by tile, which a processor's cache prefers. A word of 64 bits holds two thresholds."""
    result = np.empty((table.shape[1], table.shape[0], table.shape[2]), np.int64)
    for top in range(0, table.shape[0], TILE):
        bottom = min(top + TILE, table.shape[0])
        for left in range(0, table.shape[1], TILE):
            for column in range(left, min(left + TILE, table.shape[1])):
                for row in range(top, bottom):
                    for k in range(table.shape[2]):
                        result[column, row, k] = table[row, column, k]
    return result


@compiled
def count_reached(
    numbers: Words,
    sign: int,
    by_row: Ints,
    by_column: Ints,
    pass_row: Ints,
    pass_column: Ints,
    totals_a: Words,
    ways_a: Words,
    cut_a: Words,
    totals_b: Words,
    above_b: Words,
    cut_b: Words,
) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """How many assignments reach how many thresholds, over the row's tops with these numbers and all of the column's.

    A row's totals (rising) with their ways are `totals_a[cut_a[i]:cut_a[i + 1]]`; a column's come with the number of
    ways to have at least that total. A sum for each threshold; it may pass 64 bits, so it is given modulo 2**64, and as
    a float to tell how often that was passed.
    """
    width = by_row.shape[2]
    exact, rough = np.zeros(width, np.uint64), np.zeros(width)
    for row in range(numbers.size):
        begin_a, end_a = cut_a[numbers[row]], cut_a[numbers[row] + 1]
        ways_row = np.int64(0)
        for place in range(begin_a, end_a):
            ways_row += ways_a[place]
        for column in range(pass_column.size):
            begin_b, end_b = cut_b[column], cut_b[column + 1]
            for k in range(width):
                x, y = by_row[row, pass_column[column], k], by_column[pass_row[row], column, k]
                threshold = min(x, y) if sign > 0 else max(x, y)
                if threshold >= LARGE or threshold > totals_a[end_a - 1] + totals_b[end_b - 1]:
                    break
                if threshold <= totals_a[begin_a] + totals_b[begin_b]:
                    exact[k] += np.uint64(ways_row) * np.uint64(above_b[begin_b])
                    rough[k] += float(ways_row) * float(above_b[begin_b])
                    continue
                ways, rough_ways = np.uint64(0), 0.0
                at = end_b
                for place in range(begin_a, end_a):
                    wanted = threshold - totals_a[place]
                    while at > begin_b and totals_b[at - 1] >= wanted:
                        at -= 1
                    if at < end_b:
                        ways += np.uint64(ways_a[place]) * np.uint64(above_b[at])
                        rough_ways += float(ways_a[place]) * float(above_b[at])
                exact[k] += ways
                rough[k] += rough_ways
    return exact, rough
