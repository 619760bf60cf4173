"""Two-player zero-sum games with hidden cards in sequence form: the one shape that every equilibrium method works on.

A *sequence* is a move at an information set. A *plan* gives every sequence the weight with which it is played: at an
information set I, the weights of its moves add up to what flows in,

    sum over moves a of x[I, a]  =  mass[I] + sum over parents s of weight * x[s].

With perfect recall and nothing merged, every set has one parent of weight 1 and the masses are chance's. Sets that
nothing can tell apart any more may be merged into one with many parents (or with a mass of several deals): the set of
plans stays a polytope of flows, so regret minimisation, best responses and linear programs work unchanged.

Side 0 receives x0 . A . x1 / scale and side 1 loses it. Everything is a whole number, so results can be proved.

After von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14 (1996).
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Plan = NDArray[np.float64]
"""The weight of every sequence of a side."""


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """One side's information sets. Set i has the sequences `starts[i]` up to `starts[i + 1]`, at least one.

    The parents of set i are the sequences `parents[parent_starts[i]:parent_starts[i + 1]]`, with `weights` of at least
    1; all of them belong to sets before i. A set with one move decides nothing: it only gathers what flows in.
    """

    starts: Numbers
    mass: Numbers
    parent_starts: Numbers
    parents: Numbers
    weights: Numbers

    @property
    def sets(self) -> int:
        return len(self.mass)

    @property
    def sequences(self) -> int:
        return int(self.starts[-1])

    @property
    def owners(self) -> Numbers:
        """The set that each sequence belongs to."""
        return np.repeat(np.arange(self.sets), np.diff(self.starts))

    @property
    def receivers(self) -> Numbers:
        """The set that each of `parents` leads to."""
        return np.repeat(np.arange(self.sets), np.diff(self.parent_starts))

    @property
    def arrays(self) -> tuple[Numbers, ...]:
        """The side as kernels take it."""
        parts = self.starts, self.mass, self.parent_starts, self.parents, self.weights
        return tuple(np.ascontiguousarray(part, np.int64) for part in parts)


@dataclass(frozen=True, eq=False, slots=True)
class SequenceGame:
    """Both sides and what side 0 gets: `payoffs[k]` in row r, column `columns[k]` for k from `row_starts[r]` up to
    `row_starts[r + 1]`; rows are the sequences of side 0, columns those of side 1."""

    sides: tuple[Side, Side]
    row_starts: Numbers
    columns: Numbers
    payoffs: Numbers
    scale: int

    @property
    def nonzeros(self) -> int:
        return len(self.payoffs)

    @property
    def rows(self) -> Numbers:
        """The row of each payoff."""
        return np.repeat(np.arange(len(self.row_starts) - 1), np.diff(self.row_starts))

    def transposed(self) -> "SequenceGame":
        """The same game with the sides exchanged: what side 0 gets is what side 1 got."""
        order = np.argsort(self.columns, kind="stable")
        counts = np.bincount(self.columns, minlength=self.sides[1].sequences)
        starts = np.concatenate(([0], np.cumsum(counts)))
        return SequenceGame((self.sides[1], self.sides[0]), starts, self.rows[order], -self.payoffs[order], self.scale)


@dataclass(frozen=True, slots=True)
class Interval:
    """A proved interval: the value of the game is not below `low` nor above `high`."""

    low: Fraction
    high: Fraction

    @property
    def width(self) -> Fraction:
        """What the two sides together could gain by answering the other's plan best (OpenSpiel's nash_conv)."""
        return self.high - self.low


def make_game(sides: tuple[Side, Side], rows: Numbers, columns: Numbers, payoffs: Numbers, scale: int) -> SequenceGame:
    """A game from single entries in any order; entries of one place add up, and zeros are left out."""
    width = sides[1].sequences
    places, inverse = np.unique(rows * width + columns, return_inverse=True)
    sums = np.zeros(len(places), np.int64)
    np.add.at(sums, inverse, payoffs)
    kept = sums != 0
    places, sums = places[kept], sums[kept]
    counts = np.bincount(places // width, minlength=sides[0].sequences)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return SequenceGame(sides, starts, places % width, sums, scale)
