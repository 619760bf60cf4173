"""How good it is for the mover that two groups of types meet: all pairs of their shapes, valued from the end."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from solver.games.blasting_billy.factored import _pairs_kernel as kernel
from solver.games.blasting_billy.factored._shapes_kernel import ENDS
from solver.games.blasting_billy.factored.option_trees import Course
from solver.games.blasting_billy.factored.shapes import Group
from solver.watch import Watch

Ints = NDArray[np.int32]
Table = NDArray[np.int32]
"""Thresholds of pairs of shapes: [row, column, threshold]."""
Tables = tuple[Table, Table]
"""Of a stage: `by_row` and `by_column`, as the kernel has them."""


class Blocks:
    """A group's shapes by stage and number of plays, with their places in these blocks."""

    def __init__(self, group: Group) -> None:
        self.group = group
        number = len(group.start) - 1
        begin = group.start[:-1]
        stages, plays = group.pool[begin], group.pool[begin + 1]
        self.passed = np.zeros(number, np.int32)
        inner = np.arange(number) >= ENDS
        self.passed[inner] = group.pool[begin[inner] + 2]
        self.spot = np.zeros(number, np.int32)
        self.pass_spot = np.zeros(number, np.int32)
        self._members: dict[tuple[int, int], Ints] = {}
        self._passes: dict[tuple[int, int], Ints] = {}
        self._end = int(stages[0])
        self.spot[:ENDS] = np.arange(ENDS)
        for stage in range(self._end):
            at_stage = np.flatnonzero((stages == stage) & inner)
            for played in np.unique(plays[at_stage]):
                block = at_stage[plays[at_stage] == played].astype(np.int32)
                passes, places = np.unique(self.passed[block], return_inverse=True)
                self._members[stage, int(played)] = block
                self._passes[stage, int(played)] = passes.astype(np.int32)
                self.spot[block] = np.arange(len(block), dtype=np.int32)
                self.pass_spot[block] = places.astype(np.int32)

    def block(self, stage: int, plays: int) -> Ints:
        """The shapes of a stage with so many plays behind them; at the end all that there are."""
        if stage == self._end:
            return np.arange(ENDS, dtype=np.int32)
        return self._members.get((stage, plays), np.zeros(0, np.int32))

    def passing(self, stage: int, plays: int) -> Ints:
        """What these can become by passing."""
        return self._passes.get((stage, plays), np.zeros(0, np.int32))

    def outcome(self, shapes: Ints, number: int) -> Ints:
        """What shapes at a stage of chance become in one of its outcomes."""
        return self.group.pool[self.group.start[shapes] + 2 + number]


PIECE = 128
"""Rows of the first tables that are made at a time."""

Plays = tuple[int, int]
"""How many turns were played in the row's and in the column's group."""


def reachable(course: Course) -> list[set[Plays]]:
    """For each stage, how the turns before it can be spread over two groups. Doing nothing is played in neither."""
    stages: list[set[Plays]] = [{(0, 0)}]
    for stage in range(course.stages):
        turn = course.turn_at(stage)
        now = stages[-1]
        if turn is None:
            stages.append(now)
            continue
        after = {(row + 1, column) for row, column in now} | {(row, column + 1) for row, column in now}
        stages.append(after | now if course.is_last(turn) else after)
    return stages


def joint_size(one: Group, other: Group, course: Course) -> int:
    """How many pairs of shapes, of all stages, two groups can meet in at most."""
    numbers = []
    for group in (one, other):
        begin = group.start[ENDS:-1]
        numbers.append(Counter(zip(group.pool[begin].tolist(), group.pool[begin + 1].tolist(), strict=True)))
    return sum(
        numbers[0][stage, row] * numbers[1][stage, column]
        for stage, plays in enumerate(reachable(course)[: course.stages])
        for row, column in plays
    )


class Pairs:
    """The tables of all stages, from the last turn to the first."""

    def __init__(self, rows: Blocks, columns: Blocks, course: Course) -> None:
        self._rows, self._columns, self._course = rows, columns, course
        self._stages = reachable(course)

    def work(self) -> tuple[int, int]:
        """The number of entries in the tables of the first stage, used up as they are made, and in all the others."""
        sizes = [0] * self._course.stages
        for stage in range(self._course.stages):
            if self._course.turn_at(stage) is not None:
                for row, column in self._stages[stage]:
                    sizes[stage] += len(self._rows.block(stage, row)) * len(self._columns.passing(stage, column))
                    sizes[stage] += len(self._rows.passing(stage, row)) * len(self._columns.block(stage, column))
        return sizes[0], sum(sizes[1:])

    def count_reached(self, watch: Watch) -> list[int]:
        """For each threshold, the number of ways in which it is reached, of all in which the two groups can stand.

        The tables of the first stage are by far the largest: they are made and used up piece by piece.
        """
        later: dict[Plays, Tables] = {}
        for stage in range(self._course.stages - 1, 0, -1):
            if self._course.turn_at(stage) is not None:
                later = {plays: self._tables(stage, plays, later, watch) for plays in self._stages[stage]}
        rows = self._rows
        one, other = rows.group, self._columns.group
        above = ways_above(other)
        passes = rows.passing(0, 0)
        pass_rows, pass_columns = rows.pass_spot[one.tops], self._columns.pass_spot[other.tops]
        played = self._values(1, (1, 0), rows.block(1, 1), self._columns.passing(0, 0), later)
        reached = [0] * (2 * self._course.outcomes)
        for first in range(0, len(passes), PIECE):
            by_column = self._by_column(0, (0, 0), passes[first : first + PIECE], later)
            numbers = np.flatnonzero((pass_rows >= first) & (pass_rows < first + PIECE))
            for begin in range(0, len(numbers), PIECE):
                watch.check()
                piece = numbers[begin : begin + PIECE]
                by_row = self._by_row(0, (0, 0), one.tops[piece], played, later)
                exact, rough = kernel.count_reached(
                    piece.astype(np.int64),
                    int(self._course.signs[0]),
                    by_row,
                    by_column,
                    pass_rows[piece] - first,
                    pass_columns,
                    one.totals,
                    one.ways,
                    one.cut,
                    other.totals,
                    above,
                    other.cut,
                )
                for number, (remainder, about) in enumerate(zip(exact.tolist(), rough.tolist(), strict=True)):
                    reached[number] += whole(remainder, about)
        return reached

    def _tables(self, stage: int, plays: Plays, later: dict[Plays, Tables], watch: Watch) -> Tables:
        """What a turn played in the row's group is worth, and one played in the column's."""
        watch.check()
        row, column = plays
        rows = self._rows
        played = self._values(
            stage + 1,
            (row + 1, column),
            rows.block(stage + 1, row + 1),
            self._columns.passing(stage, column),
            later,
        )
        return (
            self._by_row(stage, plays, rows.block(stage, row), played, later),
            self._by_column(stage, plays, rows.passing(stage, row), later),
        )

    def _by_row(self, stage: int, plays: Plays, shapes: Ints, played: Table, later: dict[Plays, Tables]) -> Table:
        """For these shapes of the row's block; `played` are the values after a play of theirs."""
        rows = self._rows
        idle = played[:0]
        if self._is_last(stage):
            passed = self._columns.passing(stage, plays[1])
            idle = self._values(stage + 1, plays, rows.passed[shapes], passed, later)
        return kernel.best_option(
            shapes, rows.group.pool, rows.group.start, rows.spot, int(self._course.signs[stage]), played, idle
        )

    def _by_column(self, stage: int, plays: Plays, passed: Ints, later: dict[Plays, Tables]) -> Table:
        """For these shapes that the row's group has after passing."""
        row, column = plays
        columns = self._columns
        played = flip(self._values(stage + 1, (row, column + 1), passed, columns.block(stage + 1, column + 1), later))
        sign = int(self._course.signs[stage])
        block = columns.block(stage, column)
        return flip(
            kernel.best_option(block, columns.group.pool, columns.group.start, columns.spot, sign, played, played[:0])
        )

    def _is_last(self, stage: int) -> bool:
        turn = self._course.turn_at(stage)
        return turn is not None and self._course.is_last(turn)

    def _values(self, stage: int, plays: Plays, a: Ints, b: Ints, later: dict[Plays, Tables]) -> Table:
        """The thresholds of all pairs of these shapes at a stage."""
        if stage == self._course.stages:
            return np.asarray(kernel.end_thresholds()[np.ix_(a, b)])
        rows, columns = self._rows, self._columns
        if self._course.turn_at(stage) is None:
            first, second = (
                self._values(stage + 1, plays, rows.outcome(a, number), columns.outcome(b, number), later)
                for number in range(self._course.outcomes)
            )
            return kernel.merge_values(first, second)
        return kernel.turn_values(
            rows.spot[a],
            rows.pass_spot[a],
            columns.spot[b],
            columns.pass_spot[b],
            int(self._course.signs[stage]),
            *later[plays],
        )


def flip(table: Table) -> Table:
    """Rows for columns."""
    return kernel.flip(np.ascontiguousarray(table).view(np.int64)).view(np.int32)


def ways_above(group: Group) -> NDArray[np.int64]:
    """For every total of every top, in how many ways it is reached or passed."""
    above: NDArray[np.int64] = group.ways[::-1].cumsum()[::-1]
    ends = np.append(above, 0)[group.cut[1:]]
    return np.asarray(above - np.repeat(ends, np.diff(group.cut)), np.int64)


def whole(remainder: int, rough: float) -> int:
    """The whole number near `rough` that leaves this remainder modulo 2**64."""
    return remainder + round((int(rough) - remainder) / 2**64) * 2**64
