"""Groups of types as shapes: what is left to decide in them, and how the difference stands in how many ways."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.games.blasting_billy.factored import _shapes_kernel as kernel
from solver.games.blasting_billy.factored.assignments import Assignments, merge_rows
from solver.games.blasting_billy.factored.option_trees import OptionTree

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Group:
    """The shapes of some types together. `tops` are those of the first stage that occur; top i stands at the totals
    `totals[cut[i]:cut[i + 1]]`, rising, each in so many ways."""

    pool: Ints
    start: Ints
    tops: Ints
    totals: NDArray[np.int64]
    ways: NDArray[np.int64]
    cut: NDArray[np.int64]

    @property
    def all_ways(self) -> int:
        return int(self.ways.sum())


def shape_type(assignments: Assignments, tree: OptionTree, signs: Ints) -> Group:
    """One type as a group."""
    shapes, bases, pool, start = kernel.shape_rows(
        assignments.columns, assignments.faces, tree.nodes, tree.kids, tree.kid_start, signs
    )
    return _group(pool, start, shapes, bases.astype(np.int64), assignments.ways)


def combine(one: Group, other: Group, signs: Ints) -> Group:
    """Two groups as one: their totals add up."""
    tops, pool, start = kernel.combine_shapes(one.pool, one.start, one.tops, other.pool, other.start, other.tops, signs)
    row_of, column_of = (np.repeat(np.arange(len(g.tops)), np.diff(g.cut)) for g in (one, other))
    shapes = tops[np.ix_(row_of, column_of)].ravel()
    totals = (one.totals[:, None] + other.totals[None, :]).ravel()
    ways = (one.ways[:, None] * other.ways[None, :]).ravel()
    return _group(pool, start, shapes, totals, ways)


def _group(pool: Ints, start: Ints, shapes: Ints, totals: NDArray[np.int64], ways: NDArray[np.int64]) -> Group:
    first, merged = merge_rows(np.column_stack((shapes.astype(np.int64), totals)), ways)
    shapes, totals = shapes[first], totals[first]
    tops, begin = np.unique(shapes, return_index=True)
    cut = np.append(begin, len(shapes)).astype(np.int64)
    return Group(pool, start, tops.astype(np.int32), totals, merged, cut)
