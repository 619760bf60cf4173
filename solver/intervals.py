"""Intervals around means of values that lie in a known range: the one formula for every error that is told."""

from math import sqrt
from statistics import NormalDist


def half_width(number: float, variance: float, spread: float, doubt: float) -> float:
    """So far the mean of `number` values may be from the truth, but for a chance of `doubt`.

    Wilson's interval for a share, carried over to values of any variance within `spread`, and made symmetric around
    the mean: unlike the textbook's it holds for few values and for rare ones, also those that were not seen.
    """
    if number < 2:
        return spread
    z = NormalDist().inv_cdf(1 - doubt / 2)
    shrunk = 1 + z * z / number
    shift = spread / 2 * z * z / number / shrunk
    return min(spread, shift + z / shrunk * sqrt(variance / number + (z * spread / (2 * number)) ** 2))
