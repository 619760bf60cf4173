"""Means over sampled deals, each with the half-width of its 95% interval."""

from typing import TYPE_CHECKING

import numpy as np

from solver.solution import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

PICKING = 4
"""One deal in so many picks what is worth telling."""
NORMAL = 1.959963984540054


def mean(values: "NDArray[np.float64]", spread: float) -> Value:
    """The interval is never narrower than what values too rare to have been seen could do."""
    number = len(values)
    if number < 2:
        return Value.about(float(values.sum()), spread)
    normal = NORMAL * float(values.std(ddof=1)) / number**0.5
    return Value.about(float(values.mean()), min(spread, max(normal, 3 * spread / number)))


def share(holds: "NDArray[np.bool_]") -> Value:
    """How often something holds."""
    return mean(holds.astype(np.float64), 1.0)
