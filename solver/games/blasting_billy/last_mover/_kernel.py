"""Numbers of deals put together from classes of types: merging pairs, prefix sums, and looking up bounds.

A state has a local number for each opponent; a table turns a pair of local numbers into that opponent's part of the
key of the pair, which is a sum of parts. A negative key says that the pair does not matter.

Numbers are kept as residues: by 2^64 (modulus 0, the machine's own arithmetic), or by primes below 2^31, whose
products are summed below the square of the prime.
"""

import numpy as np
from numpy.typing import NDArray

from solver.kernels import compiled

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

EMPTY = -1
SPREAD = np.uint64(0x9E3779B97F4A7C15)


@compiled
def find_slot(keys: Ints, key: int, shift: int) -> int:
    """Where the key is, or the empty slot where it belongs. A shift of 0: the key is its own place."""
    last = len(keys) - 1
    slot = np.int64(key)
    if shift:
        slot = np.int64((np.uint64(key) * SPREAD) >> np.uint64(shift))
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + 1) & last
    return int(slot)


@compiled
def move_slots(old_keys: Ints, old_sums: Words, keys: Ints, sums: Words, shift: int) -> None:
    """Everything into a larger table."""
    for old in range(len(old_keys)):
        if old_keys[old] != EMPTY:
            slot = find_slot(keys, old_keys[old], shift)
            keys[slot] = old_keys[old]
            for residue in range(len(sums)):
                sums[residue, slot] = old_sums[residue, old]


@compiled
def merge_pairs(
    ones: Ints,
    one_numbers: Words,
    others: Ints,
    other_numbers: Words,
    parts: Ints,
    rows: Ints,
    moduli: Words,
    keys: Ints,
    sums: Words,
    shift: int,
) -> int:
    """Add all pairs of states to the slots of their keys; the number of slots newly used."""
    opponents = ones.shape[1]
    starts = np.empty(opponents, np.int64)
    used = 0
    for one in range(len(ones)):
        for seat in range(opponents):
            starts[seat] = rows[seat, 0] + ones[one, seat] * rows[seat, 1]
        for other in range(len(others)):
            key = 0
            for seat in range(opponents):
                key += parts[starts[seat] + others[other, seat]]
            if key < 0:
                continue
            slot = find_slot(keys, key, shift)
            if keys[slot] == EMPTY:
                keys[slot] = key
                used += 1
            for residue in range(len(moduli)):
                product = one_numbers[residue, one] * other_numbers[residue, other]
                if moduli[residue] == 0:
                    sums[residue, slot] += product
                else:
                    sums[residue, slot] = (sums[residue, slot] + product) % moduli[residue]
    return used


@compiled
def scatter_pairs(
    ones: Ints,
    one_numbers: Words,
    others: Ints,
    other_numbers: Words,
    parts: Ints,
    rows: Ints,
    modulus: np.uint64,
    sums: Words,
) -> None:
    """Add all pairs of states to the cells of their keys; cells stay below the square of the modulus."""
    opponents = ones.shape[1]
    starts = np.empty(opponents, np.int64)
    square = modulus * modulus
    for one in range(len(ones)):
        for seat in range(opponents):
            starts[seat] = rows[seat, 0] + ones[one, seat] * rows[seat, 1]
        number = one_numbers[one]
        for other in range(len(others)):
            key = 0
            for seat in range(opponents):
                key += parts[starts[seat] + others[other, seat]]
            if key >= 0:
                total = sums[key] + number * other_numbers[other]
                if modulus and total >= square:
                    total -= square
                sums[key] = total


@compiled
def add_up(sums: Words, step: int, whole: int, start: int, stop: int, modulus: np.uint64) -> None:
    """Prefix sums along one axis, for a stretch of cells; after all axes a cell counts all that is nowhere above it.

    Neighbours on the axis are `step` cells apart, and a line of it lies within `whole` cells. On the first axis, whose
    step is 1, cells are first brought below the modulus.
    """
    place = start % whole
    for cell in range(start, stop):
        total = sums[cell]
        if modulus and step == 1:
            total %= modulus
        if place >= step:
            total += sums[cell - step]
            if modulus and total >= modulus:
                total -= modulus
        sums[cell] = total
        place += 1
        if place == whole:
            place = 0


@compiled
def look_up(
    states: Ints, numbers: Words, at_most: Ints, less: Ints, rows: Ints, sums: Words, modulus: np.uint64, found: Words
) -> None:
    """For every state, count what lies within its bounds in the table of prefix sums.

    `at_most` and `less` are the bounds' parts of the cell; where they differ for an opponent, there can be a tie.
    found[d, u] adds up what is found when d opponents can tie, of whom u are bounded by `at_most` and the others by
    `less`, over all choices of those u.
    """
    opponents = states.shape[1]
    steps = np.empty(opponents, np.int64)
    square = modulus * modulus
    for state in range(len(states)):
        cell = 0
        ties = 0
        for seat in range(opponents):
            bound = rows[seat, 0] + states[state, seat]
            cell += at_most[bound]
            if less[bound] != at_most[bound]:
                steps[ties] = less[bound] - at_most[bound]
                ties += 1
        if cell < 0:
            continue
        for choice in range(1 << ties):
            place = cell
            upper = ties
            for tie in range(ties):
                if choice >> tie & 1:
                    place += steps[tie]
                    upper -= 1
            if place >= 0:
                total = found[ties, upper] + numbers[state] * sums[place]
                if modulus and total >= square:
                    total -= square
                found[ties, upper] = total
