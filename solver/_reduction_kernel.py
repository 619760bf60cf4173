"""Making one side of a game in sequence form smaller without changing what the game is worth.

The side's sets are visited from the last to the first, so that what follows a sequence is known when its set is met.
What a sequence pays at once, with the forced sequences that follow it, is its *row*, a list of (column, payoff); the
sets that follow with a choice are its *kids*, a list of (set, weight). Both are sorted, so equal ones look equal.

Lists of all sequences are kept as (spans, names, amounts): sequence s has the entries `spans[s, 0]` up to
`spans[s, 1]`. A sparse sum is (sums, seen, touched).
"""

from typing import Any

import numpy as np

from solver.kernels import compiled


@compiled
def _room(array: Any, needed: int) -> Any:
    """The array, with room for so many entries."""
    if needed <= len(array):
        return array
    larger = np.empty(max(needed, 2 * len(array)), np.int64)
    larger[: len(array)] = array
    return larger


@compiled
def _followers(shape: Any, sequences: int) -> Any:
    """The sets that each sequence leads to, by number and weight: sequence s has those from `ends[s]` on."""
    _, mass, parent_starts, parents, weights = shape
    ends = np.zeros(sequences + 1, np.int64)
    for parent in parents:
        ends[parent + 1] += 1
    ends = np.cumsum(ends)
    following, times, filled = np.empty(len(parents), np.int64), np.empty(len(parents), np.int64), ends[:-1].copy()
    for i in range(len(mass)):
        for k in range(parent_starts[i], parent_starts[i + 1]):
            place = filled[parents[k]]
            following[place], times[place] = i, weights[k]
            filled[parents[k]] += 1
    return ends, following, times


@compiled
def _add(total: Any, number: int, place: int, amount: int) -> int:
    """Add to a sparse sum of so many places; returns how many there are then."""
    sums, seen, touched = total
    if not seen[place]:
        seen[place] = True
        sums[place] = 0
        touched[number] = place
        number += 1
    sums[place] += amount
    return number


@compiled
def _empty(total: Any, number: int, names: Any, amounts: Any, end: int) -> int:
    """Move a sparse sum of so many places to the end of a list, sorted and without zeros. Returns the new end."""
    sums, seen, touched = total
    order = touched[:number]
    for k in range(1, number):
        if order[k] < order[k - 1]:
            order = np.sort(order)
            break
    for place in order:
        seen[place] = False
        if sums[place] != 0:
            names[end], amounts[end] = place, sums[place]
            end += 1
    return end


@compiled
def _only(starts: Any, stands: Any, i: int) -> Any:
    """The sequence of a set in which one is left."""
    s = starts[i]
    while stands[s] < 0:
        s += 1
    return s


@compiled
def _gather(s: int, entries: Any, links: Any, known: Any, rows: Any, kids: Any, totals: Any) -> Any:
    """Sum up what a sequence pays and leads to, with the forced sequences behind it. Returns the places touched."""
    row_starts, columns, payoffs = entries
    ends, following, times = links
    starts, stands, merged, folded = known
    row_spans, row_names, row_amounts = rows
    kid_spans, kid_names, kid_amounts = kids
    pays, leads = 0, 0
    for k in range(row_starts[s], row_starts[s + 1]):
        pays = _add(totals[0], pays, columns[k], payoffs[k])
    for link in range(ends[s], ends[s + 1]):
        child, weight = merged[following[link]], times[link]
        if not folded[child]:
            leads = _add(totals[1], leads, child, weight)
            continue
        forced = _only(starts, stands, child)
        for k in range(row_spans[forced, 0], row_spans[forced, 1]):
            pays = _add(totals[0], pays, row_names[k], weight * row_amounts[k])
        for k in range(kid_spans[forced, 0], kid_spans[forced, 1]):
            leads = _add(totals[1], leads, kid_names[k], weight * kid_amounts[k])
    return pays, leads


@compiled
def _equal(lists: Any, one: int, other: int) -> bool:
    spans, names, amounts = lists
    a, b = spans[one, 0], spans[other, 0]
    size = spans[one, 1] - a
    if spans[other, 1] - b != size:
        return False
    for k in range(size):  # noqa: SIM110  a kernel has no all()
        if names[a + k] != names[b + k] or amounts[a + k] != amounts[b + k]:
            return False
    return True


@compiled
def _at_most(lists: Any, one: int, other: int) -> bool:
    """Whether a row pays nowhere more than the other."""
    spans, names, amounts = lists
    a, a_end, b, b_end = spans[one, 0], spans[one, 1], spans[other, 0], spans[other, 1]
    while a < a_end or b < b_end:
        if b == b_end or (a < a_end and names[a] < names[b]):
            if amounts[a] > 0:
                return False
            a += 1
        elif a == a_end or names[b] < names[a]:
            if amounts[b] < 0:
                return False
            b += 1
        else:
            if amounts[a] > amounts[b]:
                return False
            a += 1
            b += 1
    return True


@compiled
def _drop(span: Any, stands: Any, rows: Any, kids: Any) -> int:
    """Drop the sequences that lead on as another one does and never pay more; of equal ones, the first stays.
    Returns how many are left."""
    left = 0
    for s in range(span[1] - 1, span[0] - 1, -1):
        for t in range(span[0], span[1]):
            if s != t and stands[t] >= 0 and _equal(kids, s, t) and _at_most(rows, s, t):
                stands[s] = -1
                break
        if stands[s] >= 0:
            left += 1
    return left


@compiled
def _mix(lists: Any, s: int, mixed: Any) -> Any:
    spans, names, amounts = lists
    for k in range(spans[s, 0], spans[s, 1]):
        mixed = (mixed ^ np.uint64(names[k])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed = (mixed ^ np.uint64(amounts[k])) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return mixed


@compiled
def _match(span: Any, other: Any, left: int, hashes: Any, stands: Any, rows: Any, kids: Any) -> bool:
    """Let each sequence of a set stand for the equal one of the other set, if the sets are equal altogether."""
    matched, there = 0, 0
    for t in range(other[0], other[1]):
        there += stands[t] >= 0
    if there != left:
        return False
    for s in range(span[0], span[1]):
        if stands[s] < 0:
            continue
        for t in range(other[0], other[1]):
            if stands[t] == t and hashes[s] == hashes[t] and _equal(rows, s, t) and _equal(kids, s, t):
                stands[s] = t
                matched += 1
                break
    if matched == left:
        return True
    for s in range(span[0], span[1]):
        if stands[s] >= 0:
            stands[s] = s
    return False


@compiled
def shrink(shape: Any, entries: Any, width: int) -> Any:
    """One pass over a side that maximises, with `width` sequences on the other side; `entries` are its payoffs as
    (row_starts, columns, payoffs).

    Returns `stands` (the sequence that each one stands for, -1 for those that are not needed), `merged` (the set that
    each set was merged with), `folded` (whether a set's only sequence is played by whatever leads to it), rows, kids.
    """
    starts, mass, parent_starts, parents, _ = shape
    sets, sequences = len(mass), len(entries[0]) - 1
    links = _followers(shape, sequences)
    stands, merged, folded = np.arange(sequences), np.arange(sets), np.zeros(sets, np.bool_)
    known = starts, stands, merged, folded
    row_spans, kid_spans = np.zeros((sequences, 2), np.int64), np.zeros((sequences, 2), np.int64)
    row_names, row_amounts = np.empty(len(entries[1]) + 16, np.int64), np.empty(len(entries[1]) + 16, np.int64)
    kid_names, kid_amounts = np.empty(len(parents) + 16, np.int64), np.empty(len(parents) + 16, np.int64)
    row_total = np.zeros(width, np.int64), np.zeros(width, np.bool_), np.empty(width, np.int64)
    kid_total = np.zeros(sets, np.int64), np.zeros(sets, np.bool_), np.empty(sets, np.int64)
    hashes = np.zeros(sequences, np.uint64)
    size = 16
    while size < 2 * sets:
        size *= 2
    table = np.full(size, -1, np.int64)
    row_end, kid_end = 0, 0
    rows, kids = (row_spans, row_names, row_amounts), (kid_spans, kid_names, kid_amounts)
    for i in range(sets - 1, -1, -1):
        span = starts[i], starts[i + 1]
        row_begin, kid_begin = row_end, kid_end
        for s in range(span[0], span[1]):
            pays, leads = _gather(s, entries, links, known, rows, kids, (row_total, kid_total))
            row_names, row_amounts = _room(row_names, row_end + pays), _room(row_amounts, row_end + pays)
            kid_names, kid_amounts = _room(kid_names, kid_end + leads), _room(kid_amounts, kid_end + leads)
            rows, kids = (row_spans, row_names, row_amounts), (kid_spans, kid_names, kid_amounts)
            row_spans[s, 0], kid_spans[s, 0] = row_end, kid_end
            row_end = _empty(row_total, pays, row_names, row_amounts, row_end)
            kid_end = _empty(kid_total, leads, kid_names, kid_amounts, kid_end)
            row_spans[s, 1], kid_spans[s, 1] = row_end, kid_end
        left = _drop(span, stands, rows, kids)
        if left == 1 and mass[i] == 0:
            only = _only(starts, stands, i)
            load = row_spans[only, 1] - row_spans[only, 0] + kid_spans[only, 1] - kid_spans[only, 0]
            fed = parent_starts[i + 1] - parent_starts[i]
            folded[i] = fed * load <= load + fed + 1  # what it adds to all that lead to it, and what it takes itself
            if folded[i]:
                continue
        whole = np.uint64(left)
        for s in range(span[0], span[1]):
            if stands[s] >= 0:
                hashes[s] = _mix(kids, s, _mix(rows, s, np.uint64(1469598103934665603)) ^ np.uint64(7))
                whole += hashes[s] * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64((whole ^ (whole >> np.uint64(31))) & np.uint64(size - 1))
        while table[slot] >= 0:
            other = table[slot]
            if _match(span, (starts[other], starts[other + 1]), left, hashes, stands, rows, kids):
                merged[i] = other
                row_end, kid_end = row_begin, kid_begin
                break
            slot = (slot + 1) & (size - 1)
        if merged[i] == i:
            table[slot] = i
    return stands, merged, folded, rows, kids


@compiled
def reached(shape: Any, stands: Any, merged: Any, folded: Any, kids: Any) -> Any:
    """Which sets are left, those that something flows into and that are neither merged nor folded; and the masses of
    all sets, with those of the sets merged with them."""
    starts, mass, _, _, _ = shape
    spans, names, _ = kids
    alive, masses = np.zeros(len(mass), np.bool_), np.zeros(len(mass), np.int64)
    for i in range(len(mass)):
        masses[merged[i]] += mass[i]
    for i in range(len(mass)):
        if masses[i] > 0:
            alive[i] = True
        if alive[i]:
            for s in range(starts[i], starts[i + 1]):
                if stands[s] == s:
                    for k in range(spans[s, 0], spans[s, 1]):
                        alive[names[k]] = True
    return alive, masses


@compiled
def divide(shape: Any, stands: Any, forced: Any, places: Any, small: Any, plan: Any) -> None:
    """Carry a plan of the smaller side, `small`, back: merged sets play alike. `places` is where each sequence is in
    the smaller side, and `forced` says which sets have no choice."""
    starts, mass, parent_starts, parents, weights = shape
    for i in range(len(mass)):
        flow = mass[i]
        for k in range(parent_starts[i], parent_starts[i + 1]):
            flow += weights[k] * plan[parents[k]]
        total = 0.0
        for s in range(starts[i], starts[i + 1]):
            plan[s] = 0.0
            if stands[s] >= 0 and not forced[i] and places[stands[s]] >= 0:
                plan[s] = small[places[stands[s]]]
                total += plan[s]
        for s in range(starts[i], starts[i + 1]):
            plan[s] *= flow / total if total > 0 else 0.0
        if not total > 0:
            plan[_only(starts, stands, i)] = flow
