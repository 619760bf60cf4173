"""Best responses in whole numbers of any length. A number is a row of limbs in base 2^bits, lowest first: all limbs
but the highest are brought into 0 .. 2^bits - 1 before numbers are compared, and the highest carries the sign.

The caller chooses `bits` and the number of limbs such that no sum passes int64.
"""

from typing import Any

import numpy as np

from solver.kernels import compiled


@compiled
def _carry(number: Any, bits: int) -> None:
    for n in range(len(number) - 1):
        over = number[n] >> bits
        number[n] -= over << bits
        number[n + 1] += over


@compiled
def least_total(shape: Any, gains: Any, plan: Any, bits: int) -> Any:
    """The least that a side can hold the other's `plan` (a row of limbs a sequence) to, and the least that follows each
    of its own sequences, by flow; as limbs."""
    starts, mass, parent_starts, parents, weights = shape
    row_starts, columns, payoffs = gains
    limbs = plan.shape[1]
    worth = np.zeros((len(row_starts) - 1, limbs), np.int64)
    for row in range(len(row_starts) - 1):
        for k in range(row_starts[row], row_starts[row + 1]):
            for n in range(limbs):
                worth[row, n] += payoffs[k] * plan[columns[k], n]
    total = np.zeros(limbs, np.int64)
    for i in range(len(mass) - 1, -1, -1):
        best = starts[i]
        _carry(worth[best], bits)
        for s in range(starts[i] + 1, starts[i + 1]):
            _carry(worth[s], bits)
            for n in range(limbs - 1, -1, -1):
                if worth[s, n] != worth[best, n]:
                    if worth[s, n] < worth[best, n]:
                        best = s
                    break
        if mass[i]:
            for n in range(limbs):
                total[n] += mass[i] * worth[best, n]
            _carry(total, bits)
        for k in range(parent_starts[i], parent_starts[i + 1]):
            for n in range(limbs):
                worth[parents[k], n] += weights[k] * worth[best, n]
    return total, worth


@compiled
def largest_worth(shape: Any, worth: Any) -> float:
    """A bound on every number that `least_total` meets, where `worth` bounds what each sequence costs at once."""
    starts, mass, parent_starts, parents, weights = shape
    total = largest = 0.0
    for i in range(len(mass) - 1, -1, -1):
        value = 0.0
        for s in range(starts[i], starts[i + 1]):
            value = max(value, worth[s])
        largest = max(largest, value)
        total += mass[i] * value
        for k in range(parent_starts[i], parent_starts[i + 1]):
            worth[parents[k]] += weights[k] * value
    return max(total, largest)


@compiled
def round_flows(shape: Any, plan: Any, unit: int, rounded: Any) -> int:
    """Divide whole flows in the proportions of `plan`, from the first set to the last: each sequence gets its share
    rounded down, and what is left goes one by one to the largest remainders. Returns the first set whose flow passes
    2^52, where floats stop counting, or -1."""
    starts, mass, parent_starts, parents, weights = shape
    limit = 2.0**52
    for i in range(len(mass)):
        size = float(mass[i]) * unit
        for k in range(parent_starts[i], parent_starts[i + 1]):
            size += float(weights[k]) * rounded[parents[k]]
        if size >= limit:
            return i
        flow = mass[i] * unit
        for k in range(parent_starts[i], parent_starts[i + 1]):
            flow += weights[k] * rounded[parents[k]]
        begin, end = starts[i], starts[i + 1]
        total = 0.0
        for s in range(begin, end):
            if plan[s] > 0:
                total += plan[s]
        remainders = np.zeros(end - begin)
        left = flow
        for s in range(begin, end):
            share = 0.0
            if total > 0:
                share = flow * (plan[s] / total) if plan[s] > 0 else 0.0
            rounded[s] = min(int(share), left)
            left -= rounded[s]
            remainders[s - begin] = share - rounded[s]
        while left > 0:
            largest = np.argmax(remainders)
            given = 1 if remainders[largest] > 0 else left
            rounded[begin + largest] += given
            left -= given
            remainders[largest] -= 1.0
    return -1
