"""Equal rows found by hashing, and numbered."""

from typing import Any

import numpy as np

from solver.kernels import compiled


@compiled
def intern_rows(rows: Any) -> Any:
    """Number different rows in the order they first occur: each row's number, and where each number first occurs."""
    size = 16
    while size < 2 * rows.shape[0]:
        size *= 2
    slots = np.full(size, -1, np.int32)
    numbers, firsts = np.empty(rows.shape[0], np.int32), np.empty(rows.shape[0], np.int64)
    found = 0
    for row in range(rows.shape[0]):
        mixed = np.uint64(1469598103934665603)
        for column in range(rows.shape[1]):
            mixed = (mixed ^ np.uint64(rows[row, column])) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        slot = np.int64(mixed & np.uint64(size - 1))
        while True:
            held = slots[slot]
            if held < 0:
                slots[slot] = found
                firsts[found] = row
                numbers[row] = found
                found += 1
                break
            first, equal = firsts[held], True
            for column in range(rows.shape[1]):
                if rows[first, column] != rows[row, column]:
                    equal = False
                    break
            if equal:
                numbers[row] = held
                break
            slot = (slot + 1) & (size - 1)
    return numbers, firsts[:found].copy()
