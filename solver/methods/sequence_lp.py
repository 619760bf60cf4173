"""The equilibrium as a linear program over sequences: the one door to HiGHS.

    maximise   sum over sets J of side 1 of mass[J] v[J]
    where      v[J] <= (A' x)[J, a] + sum over sets K fed by (J, a) of weight * v[K]     for every sequence of side 1
    and        sum over a of x[I, a] - sum over parents s of weight * x[s] = mass[I]     for every set of side 0
    and        x >= 0.

x is side 0's plan; the multipliers of the first rows are side 1's. After Koller, Megiddo and von Stengel, "Efficient
computation of equilibria for extensive two-person games", Games and Economic Behavior 14 (1996).
"""

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from solver.methods._regret_kernel import prune
from solver.methods.best_response import as_plan, shape
from solver.sequence_form import Numbers, Plan, SequenceGame, Side
from solver.watch import Stopped, Watch

Mask = NDArray[np.bool_]

_INTERIOR = 12_000
"""Sequences from which on the interior-point method with crossover to a basis is faster than the simplex method."""


@dataclass(frozen=True, eq=False, slots=True)
class Restriction:
    """A game in which only some sequences may be played, and which sequence of the whole game each of them is."""

    game: SequenceGame
    sequences: tuple[Numbers, Numbers]
    whole: SequenceGame

    def widen(self, side: int, plan: NDArray[Any]) -> NDArray[Any]:
        """The plan in the whole game: all other sequences get nothing."""
        widened = np.zeros(self.whole.sides[side].sequences, plan.dtype)
        widened[self.sequences[side]] = plan
        return widened


@dataclass(frozen=True, eq=False, slots=True)
class Basis:
    """Which columns (side 0's sequences, then side 1's sets) are basic, and which rows (side 1's sequences, then side
    0's sets) are not, which are those that hold with equality."""

    columns: Numbers
    rows: Numbers


@dataclass(frozen=True, eq=False, slots=True)
class LinearSolution:
    """Plans of the whole game in floats, and the basis of the restricted program."""

    plans: tuple[Plan, Plan]
    basis: Basis
    restriction: Restriction


def restrict(game: SequenceGame, keep: tuple[Mask, Mask] | None) -> Restriction:
    """The game in which only the sequences in `keep` are left; sets without any inflow go too. At a set that stays but
    keeps no sequence, the first one stays."""
    if keep is None:
        everything = np.arange(game.sides[0].sequences), np.arange(game.sides[1].sequences)
        return Restriction(game, everything, game)
    side_0, kept_0 = _restricted(game.sides[0], keep[0])
    side_1, kept_1 = _restricted(game.sides[1], keep[1])
    places = np.full(game.sides[0].sequences, -1), np.full(game.sides[1].sequences, -1)
    places[0][kept_0], places[1][kept_1] = np.arange(len(kept_0)), np.arange(len(kept_1))
    rows = game.rows
    left = (places[0][rows] >= 0) & (places[1][game.columns] >= 0)
    counts = np.bincount(places[0][rows[left]], minlength=len(kept_0))
    starts = np.concatenate(([0], np.cumsum(counts)))
    small = SequenceGame((side_0, side_1), starts, places[1][game.columns[left]], game.payoffs[left], game.scale)
    return Restriction(small, (kept_0, kept_1), game)


def _restricted(side: Side, keep: Mask) -> tuple[Side, Numbers]:
    left = keep.copy()
    alive = np.zeros(side.sets, np.bool_)
    prune(shape(side), left, alive)
    place = np.cumsum(left) - 1
    receivers = side.receivers
    links = alive[receivers] & left[side.parents]
    sizes = np.bincount(side.owners[left], minlength=side.sets)[alive]
    fed = np.bincount(receivers[links], minlength=side.sets)[alive]
    small = Side(
        np.concatenate(([0], np.cumsum(sizes))),
        side.mass[alive],
        np.concatenate(([0], np.cumsum(fed))),
        place[side.parents[links]],
        side.weights[links],
    )
    return small, np.flatnonzero(left)


@dataclass(frozen=True, eq=False, slots=True)
class Program:
    """The program's matrix by single entries in whole numbers (column, row, number), its right sides and its costs."""

    columns: Numbers
    rows: Numbers
    numbers: Numbers
    sides: Numbers
    costs: Numbers


def linear_program(game: SequenceGame) -> Program:
    """Columns: side 0's sequences, then side 1's sets. Rows: side 1's sequences (not above 0), then side 0's sets."""
    one, two = game.sides
    parts = (
        (game.rows, game.columns, -game.payoffs),
        (one.sequences + two.owners, np.arange(two.sequences), np.ones(two.sequences, np.int64)),
        (one.sequences + two.receivers, two.parents, -two.weights),
        (np.arange(one.sequences), two.sequences + one.owners, np.ones(one.sequences, np.int64)),
        (one.parents, two.sequences + one.receivers, -one.weights),
    )
    columns, rows, numbers = (np.concatenate([part[n] for part in parts]) for n in range(3))
    order = np.lexsort((rows, columns))
    return Program(
        columns[order],
        rows[order],
        numbers[order],
        np.concatenate((np.zeros(two.sequences, np.int64), one.mass)),
        np.concatenate((np.zeros(one.sequences, np.int64), two.mass)),
    )


def solve_lp(game: SequenceGame, *, watch: Watch, keep: tuple[Mask, Mask] | None = None) -> LinearSolution:
    """Both sides' plans by the simplex or the interior-point method; with `keep`, of the game in which only those
    sequences are left. Raises Stopped when the watch ends first."""
    watch.check()
    restriction = restrict(game, keep)
    small = restriction.game
    highs = _solved(small, watch)
    watch.check()
    solution = highs.getSolution()
    one, two = small.sides
    plan_0 = as_plan(one, np.array(solution.col_value)[: one.sequences])
    plan_1 = as_plan(two, -np.array(solution.row_dual)[: two.sequences])
    found = highs.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    basis = Basis(
        np.flatnonzero([status == basic for status in found.col_status]),
        np.flatnonzero([status != basic for status in found.row_status]),
    )
    plans = restriction.widen(0, plan_0), restriction.widen(1, plan_1)
    return LinearSolution(plans, basis, restriction)


def _solved(game: SequenceGame, watch: Watch) -> Any:
    """The program, solved. Masses are divided by their usual size and payoffs by the largest, so that tolerances mean
    something."""

    def interrupt(event: Any) -> None:
        if watch.stopped:
            event.interrupt()

    one, two = game.sides
    program = linear_program(game)
    numbers = program.numbers.astype(np.float64)
    paying = (program.columns < one.sequences) & (program.rows < two.sequences)
    numbers[paying] /= max(float(np.abs(game.payoffs).max(initial=0)), 1.0)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(program.costs), len(program.sides)
    lp.col_cost_ = -program.costs / _usual(two.mass)
    lp.col_lower_ = np.concatenate((np.zeros(one.sequences), np.full(two.sets, -highspy.kHighsInf)))
    lp.col_upper_ = np.full(lp.num_col_, highspy.kHighsInf)
    lp.row_upper_ = program.sides / _usual(one.mass)
    lp.row_lower_ = np.concatenate((np.full(two.sequences, -highspy.kHighsInf), lp.row_upper_[two.sequences :]))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate(([0], np.cumsum(np.bincount(program.columns, minlength=lp.num_col_))))
    lp.a_matrix_.index_ = program.rows
    lp.a_matrix_.value_ = numbers
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("primal_feasibility_tolerance", 1e-9)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-9)
    highs.cbSimplexInterrupt += interrupt
    highs.cbIpmInterrupt += interrupt
    highs.passModel(lp)
    for method in ("simplex",) if one.sequences + two.sequences < _INTERIOR else ("ipm", "simplex"):
        watch.check()
        highs.setOptionValue("solver", method)
        if watch.remaining < 1e9:
            highs.setOptionValue("time_limit", highs.getRunTime() + watch.remaining)
        highs.run()
        if highs.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            return highs
    raise Stopped


def _usual(mass: Numbers) -> float:
    """The geometric mean of the masses."""
    positive = mass[mass > 0].astype(np.float64)
    return float(np.exp(np.log(positive).mean())) if len(positive) else 1.0
