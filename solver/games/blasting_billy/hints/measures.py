"""Means over sampled deals, each with the half-width of its 95% interval."""

from typing import TYPE_CHECKING

import numpy as np

from solver.intervals import half_width
from solver.solution import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

PICKING = 4
"""One deal in so many picks what is worth telling."""
DOUBT = 0.05


def mean(values: "NDArray[np.float64]", spread: float) -> Value:
    """Of values that lie within `spread` of each other."""
    number = len(values)
    if number < 2:
        return Value.about(float(values.sum()), spread)
    return Value.about(float(values.mean()), half_width(number, float(values.var(ddof=1)), spread, DOUBT))


def share(holds: "NDArray[np.bool_]") -> Value:
    """How often something holds."""
    return mean(holds.astype(np.float64), 1.0)
