"""Kernels of the factored method: option trees made into shapes, shapes of types combined, pairs of shapes valued.

A *shape* is what is left to decide in a type, or in a group of types, with the difference that stands already taken
out. It is a record of whole numbers `[stage, plays, pass, option, gain, option, gain, ...]`, where `pass` and the
options are shapes of the next stage and a gain is how far the option moves the difference; at a stage of chance
`[stage, plays, outcome, outcome, ...]`. Equal records have the same number, and the first sixteen shapes are the ends,
numbered by their flags. Records lie one after the other in `pool`, that of shape i at `start[i]:start[i + 1]`.
"""

import numpy as np
from numpy.typing import NDArray

from solver.kernels import compiled

Ints = NDArray[np.int32]

ENDS = 16
NEVER = 1 << 28
"""A threshold that no difference reaches; its negative is always reached. Gains cannot move it below LARGE."""
LARGE = 1 << 27
SCORE = 128
"""Points weigh SCORE squared, face-up cards SCORE, turned-down cards 1: one difference compares all three."""

PASS, GIVE, CLAIM = 0, 1, 2
DYNAMITE = 11


@compiled
def empty_shapes(stages: int) -> tuple[Ints, Ints, Ints]:
    """The shapes with nothing but the sixteen ends."""
    pool = np.zeros(1 << 12, np.int32)
    start = np.zeros(1 << 10, np.int32)
    for flags in range(ENDS):
        pool[2 * flags] = stages
        pool[2 * flags + 1] = flags
        start[flags + 1] = 2 * flags + 2
    return pool, start, np.full(1 << 12, -1, np.int32)


@compiled
def _roomier(pool: Ints, start: Ints, table: Ints, count: int, more: int) -> tuple[Ints, Ints, Ints]:
    """The same arrays with room for so many more numbers and records."""
    used = start[count]
    if used + more > pool.size:
        larger = np.zeros(2 * (used + more), np.int32)
        larger[:used] = pool[:used]
        pool = larger
    if count + more >= start.size:
        longer = np.zeros(2 * (count + more), np.int32)
        longer[: count + 1] = start[: count + 1]
        start = longer
    if 2 * (count + more) > table.size:
        size = table.size
        while size < 4 * (count + more):
            size *= 2
        table = np.full(size, -1, np.int32)
        for shape in range(ENDS, count):
            slot = _hash(pool, start[shape], start[shape + 1]) & (size - 1)
            while table[slot] >= 0:
                slot = (slot + 1) & (size - 1)
            table[slot] = shape
    return pool, start, table


@compiled
def _hash(pool: Ints, begin: int, end: int) -> np.int64:
    code = np.int64(1469598103934665603)
    for place in range(begin, end):
        code = (code ^ np.int64(pool[place])) * np.int64(1099511628211)
        code ^= (code >> 29) & np.int64(0x7FFFFFFFF)
    return code & np.int64(0x7FFFFFFFFFFFFFFF)


@compiled
def _number(pool: Ints, start: Ints, table: Ints, count: int, end: int) -> int:
    """The number of the record that stands at the end of the pool: an old one, or `count` if it is new."""
    begin = start[count]
    mask = table.size - 1
    slot = _hash(pool, begin, end) & mask
    while table[slot] >= 0:
        other = table[slot]
        first = start[other]
        if start[other + 1] - first == end - begin:
            same = True
            for step in range(end - begin):
                if pool[first + step] != pool[begin + step]:
                    same = False
                    break
            if same:
                return int(other)
        slot = (slot + 1) & mask
    table[slot] = count
    start[count + 1] = end
    return count


@compiled
def _add_option(pool: Ints, first: int, end: int, option: int, gain: int, sign: int) -> int:
    """Add an option to the record under way; of options that lead to one shape the mover keeps the better.

    Options stand in rising order of their shape. Returns the record's new end.
    """
    place = first
    while place < end and pool[place] < option:
        place += 2
    if place < end and pool[place] == option:
        if sign * gain > sign * pool[place + 1]:
            pool[place + 1] = gain
        return end
    for step in range(end - 1, place - 1, -1):
        pool[step + 2] = pool[step]
    pool[place] = option
    pool[place + 1] = gain
    return end + 2


@compiled
def shape_rows(
    columns: Ints, faces: Ints, nodes: Ints, kids: Ints, kid_start: Ints, signs: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    """The shape and the standing difference of every assignment (row) of a type, and the shapes.

    `columns`: sum, count and last card of the mover's and of the other's column, sum and last of Billy's. `faces`: the
    cards that may be played. `nodes`: stage, plays, parent, deed, player and card of every node of the option tree,
    parents first; `kids` are a node's children, the first of them passing. `signs` by stage: 1 the mover chooses, -1
    the other, 0 chance; the last stage is the end.
    """
    rows, number = columns.shape[0], nodes.shape[0]
    stages = signs.size - 1
    pool, start, table = empty_shapes(stages)
    count = ENDS
    longest = 0
    for node in range(number):
        longest += 4 + 2 * (kid_start[node + 1] - kid_start[node])
    now = np.zeros((number, 8), np.int32)
    shape = np.zeros(number, np.int32)
    base = np.zeros(number, np.int32)
    tops = np.zeros(rows, np.int32)
    bases = np.zeros(rows, np.int32)
    for row in range(rows):
        pool, start, table = _roomier(pool, start, table, count, longest)
        for field in range(8):
            now[0, field] = columns[row, field]
        for node in range(1, number):
            parent = nodes[node, 2]
            for field in range(8):
                now[node, field] = now[parent, field]
            deed = nodes[node, 3]
            if deed == PASS:
                continue
            face = faces[row, nodes[node, 5]]
            at = 6 if deed == GIVE else 3 * nodes[node, 4]
            last = at + 1 if deed == GIVE else at + 2
            if face == DYNAMITE:
                now[node, at] -= now[node, last]
                now[node, last] = 0
                if deed == CLAIM and now[node, at + 1] > 0:
                    now[node, at + 1] -= 1
            else:
                now[node, at] += face
                now[node, last] = face
                if deed == CLAIM:
                    now[node, at + 1] += 1
        for node in range(number - 1, -1, -1):
            stage = nodes[node, 0]
            if stage == stages:
                shape[node], base[node] = _end(now[node])
                continue
            end = start[count]
            pool[end] = stage
            pool[end + 1] = nodes[node, 1]
            first = kid_start[node]
            if signs[stage] == 0:
                end += 2
                for kid in range(first, kid_start[node + 1]):
                    pool[end] = shape[kids[kid]]
                    end += 1
                base[node] = base[kids[first]]
            else:
                passed = kids[first]
                base[node] = base[passed]
                pool[end + 2] = shape[passed]
                options = end + 3
                end = options
                for kid in range(first + 1, kid_start[node + 1]):
                    option = kids[kid]
                    gain = base[option] - base[passed]
                    end = _add_option(pool, options, end, shape[option], gain, signs[stage])
            found = _number(pool, start, table, count, end)
            if found == count:
                count += 1
            shape[node] = found
        tops[row] = shape[0]
        bases[row] = base[0]
    return tops, bases, pool[: start[count]].copy(), start[: count + 1].copy()


@compiled
def _end(column: Ints) -> tuple[int, int]:
    """The flags (mover shot, other shot, mover has points, other has points) and the difference of two columns."""
    flags = 0
    difference = 0
    for player in range(2):
        total, cards = column[3 * player], column[3 * player + 1]
        if total > column[6]:
            flags |= 1 << player
            score = -cards
        else:
            if total > 0:
                flags |= 4 << player
            score = total * SCORE * SCORE - cards * SCORE
        difference += score if player == 0 else -score
    return flags, difference


@compiled
def combine_shapes(
    pool_a: Ints, start_a: Ints, tops_a: Ints, pool_b: Ints, start_b: Ints, tops_b: Ints, signs: Ints
) -> tuple[Ints, Ints, Ints]:
    """The shapes of two groups of types taken together: a turn is played in the one or in the other.

    Returns the shape of every pair of tops, [a, b], and the shapes.
    """
    stages = signs.size - 1
    pairs = np.zeros((1 << 12, 2), np.int32)
    slots = np.full(1 << 13, -1, np.int32)
    found = 0
    for top_a in tops_a:
        for top_b in tops_b:
            pairs, slots = _roomier_pairs(pairs, slots, found)
            found = _add_pair(pairs, slots, found, top_a, top_b)
    visited = 0
    while visited < found:
        a, b = pairs[visited, 0], pairs[visited, 1]
        visited += 1
        if a < ENDS:
            continue
        begin_a, end_a, begin_b, end_b = start_a[a], start_a[a + 1], start_b[b], start_b[b + 1]
        pairs, slots = _roomier_pairs(pairs, slots, found + (end_a - begin_a) + (end_b - begin_b))
        if signs[pool_a[begin_a]] == 0:
            for step in range(2, end_a - begin_a):
                found = _add_pair(pairs, slots, found, pool_a[begin_a + step], pool_b[begin_b + step])
            continue
        passed_a, passed_b = pool_a[begin_a + 2], pool_b[begin_b + 2]
        found = _add_pair(pairs, slots, found, passed_a, passed_b)
        for place in range(begin_a + 3, end_a, 2):
            found = _add_pair(pairs, slots, found, pool_a[place], passed_b)
        for place in range(begin_b + 3, end_b, 2):
            found = _add_pair(pairs, slots, found, passed_a, pool_b[place])
    pool, start, table = empty_shapes(stages)
    count = ENDS
    shape = np.zeros(found, np.int32)
    for pair in range(found - 1, -1, -1):
        a, b = pairs[pair, 0], pairs[pair, 1]
        if a < ENDS:
            shape[pair] = a | b
            continue
        begin_a, end_a, begin_b, end_b = start_a[a], start_a[a + 1], start_b[b], start_b[b + 1]
        pool, start, table = _roomier(pool, start, table, count, (end_a - begin_a) + (end_b - begin_b) + 4)
        end = start[count]
        stage = pool_a[begin_a]
        pool[end] = stage
        pool[end + 1] = pool_a[begin_a + 1] + pool_b[begin_b + 1]
        if signs[stage] == 0:
            end += 2
            for step in range(2, end_a - begin_a):
                pool[end] = shape[_find_pair(pairs, slots, pool_a[begin_a + step], pool_b[begin_b + step])]
                end += 1
        else:
            passed_a, passed_b = pool_a[begin_a + 2], pool_b[begin_b + 2]
            pool[end + 2] = shape[_find_pair(pairs, slots, passed_a, passed_b)]
            options = end + 3
            end = options
            for place in range(begin_a + 3, end_a, 2):
                option = shape[_find_pair(pairs, slots, pool_a[place], passed_b)]
                end = _add_option(pool, options, end, option, pool_a[place + 1], signs[stage])
            for place in range(begin_b + 3, end_b, 2):
                option = shape[_find_pair(pairs, slots, passed_a, pool_b[place])]
                end = _add_option(pool, options, end, option, pool_b[place + 1], signs[stage])
        number = _number(pool, start, table, count, end)
        if number == count:
            count += 1
        shape[pair] = number
    tops = np.zeros((tops_a.size, tops_b.size), np.int32)
    for row in range(tops_a.size):
        for column in range(tops_b.size):
            tops[row, column] = shape[_find_pair(pairs, slots, tops_a[row], tops_b[column])]
    return tops, pool[: start[count]].copy(), start[: count + 1].copy()


@compiled
def _roomier_pairs(pairs: Ints, slots: Ints, wanted: int) -> tuple[Ints, Ints]:
    if wanted + 2 > pairs.shape[0]:
        more = np.zeros((2 * (wanted + 2), 2), np.int32)
        more[: pairs.shape[0]] = pairs
        pairs = more
    if 2 * (wanted + 2) > slots.size:
        old = slots
        size = slots.size
        while size < 4 * (wanted + 2):
            size *= 2
        slots = np.full(size, -1, np.int32)
        for pair in old:
            if pair >= 0:
                slot = _hash_pair(pairs[pair, 0], pairs[pair, 1]) & (size - 1)
                while slots[slot] >= 0:
                    slot = (slot + 1) & (size - 1)
                slots[slot] = pair
    return pairs, slots


@compiled
def _hash_pair(a: int, b: int) -> np.int64:
    code = (np.int64(a) * np.int64(0x1F3D5B79A7C5E3B1)) ^ (np.int64(b) * np.int64(0x2545F4914F6CDD1D))
    return (code ^ (code >> 31)) & np.int64(0x7FFFFFFFFFFFFFFF)


@compiled
def _slot_of(pairs: Ints, slots: Ints, a: int, b: int) -> np.int64:
    mask = slots.size - 1
    slot = _hash_pair(a, b) & mask
    while slots[slot] >= 0 and (pairs[slots[slot], 0] != a or pairs[slots[slot], 1] != b):
        slot = (slot + 1) & mask
    return slot


@compiled
def _add_pair(pairs: Ints, slots: Ints, found: int, a: int, b: int) -> int:
    slot = _slot_of(pairs, slots, a, b)
    if slots[slot] >= 0:
        return found
    pairs[found, 0], pairs[found, 1] = a, b
    slots[slot] = found
    return found + 1


@compiled
def _find_pair(pairs: Ints, slots: Ints, a: int, b: int) -> int:
    return int(slots[_slot_of(pairs, slots, a, b)])
