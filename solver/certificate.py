"""Proof of an equilibrium's value, whoever found it and however: two plans in whole numbers over a denominator, and
what each guarantees against every answer. Nothing here trusts a solver, and nothing here is rounded.

A plan is accepted only if its weights are not negative and every set's flow adds up. Its guarantee is the other
side's best answer, which on flows is one pass over the sets. So the value of the game lies in the interval, and where
both ends are equal, it is that fraction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver._certificate_kernel import largest_worth, least_total, round_flows
from solver.errors import ImpossibleError, TooLargeError
from solver.sequence_form import Interval, Numbers, Plan, SequenceGame, Side

WholePlan = NDArray[Any]
"""Whole numbers, as int64 or as Python's: the weights of a plan times a denominator."""

_ROOM = 61
"""Sums are kept below 2 to this, two bits short of what int64 holds."""


class BrokenPlanError(ImpossibleError):
    """Weights that no player can play: `set_number` is the information set at which they go wrong."""

    def __init__(self, message: str, set_number: int) -> None:
        super().__init__(message)
        self.set_number = set_number


@dataclass(frozen=True, eq=False, slots=True)
class Certificate:
    """Plans for both sides, each over its denominator, and the interval they prove."""

    plans: tuple[WholePlan, WholePlan]
    denominators: tuple[int, int]
    interval: Interval


def certify(game: SequenceGame, plans: tuple[Plan, Plan]) -> Certificate:
    """Round plans in floats to whole numbers, as finely as possible, and prove what those guarantee."""
    rounded = [_round_finely(side, plan) for side, plan in zip(game.sides, plans, strict=True)]
    return certify_whole(game, (rounded[0][0], rounded[1][0]), (rounded[0][1], rounded[1][1]))


def certify_whole(
    game: SequenceGame,
    plans: tuple[WholePlan | Sequence[int], WholePlan | Sequence[int]],
    denominators: tuple[int, int],
) -> Certificate:
    """Prove what plans in whole numbers guarantee; a BrokenPlanError if one of them cannot be played."""
    whole = whole_plan(plans[0]), whole_plan(plans[1])
    for side, plan, denominator in zip(game.sides, whole, denominators, strict=True):
        check_plan(side, plan, denominator)
    against_0 = game.transposed()
    low, _ = _least(game.sides[1], _negated(against_0), whole[0])
    high = -_least(game.sides[0], _negated(game), whole[1])[0]
    interval = Interval(
        Fraction(low, denominators[0] * game.scale),
        Fraction(high, denominators[1] * game.scale),
    )
    return Certificate(whole, denominators, interval)


def worth_against(
    game: SequenceGame, plan: WholePlan | Sequence[int], denominator: int, sequences: Sequence[int]
) -> list[Fraction]:
    """What each of these sequences of side 0 is worth, by flow, if side 1 plays its plan and side 0 goes on as well as
    it can."""
    _, worth = _least(game.sides[0], _negated(game), whole_plan(plan), sequences)
    return [Fraction(-each, denominator * game.scale) for each in worth]


def whole_plan(plan: WholePlan | Sequence[int]) -> WholePlan:
    """Whole numbers as an array: int64 where they fit, Python's own otherwise."""
    if isinstance(plan, np.ndarray) and plan.dtype == np.int64:
        return plan
    values = np.array([int(weight) for weight in plan], object)
    fits = all(abs(weight) < 2**63 for weight in values)
    return values.astype(np.int64) if fits else values


def check_plan(side: Side, plan: WholePlan | Sequence[int], denominator: int) -> None:
    """Raise a BrokenPlanError unless no weight is negative and at every set the weights of the moves add up to what
    flows in: its mass times the denominator and what its parents bring."""
    weights = whole_plan(plan)
    if denominator < 1:
        raise ImpossibleError(f"{denominator} is not a denominator: give a whole number of at least 1")
    if len(weights) != side.sequences:
        raise ImpossibleError(f"the plan has {len(weights)} weights: it needs {side.sequences}, one for each sequence")
    for sequence in np.flatnonzero(weights < 0)[:1]:
        number = int(np.searchsorted(side.starts, sequence, side="right")) - 1
        raise BrokenPlanError(f"set {number} plays a move with the negative weight {weights[sequence]}", number)
    outflow, inflow = _flows(side, weights, denominator)
    for number in np.flatnonzero(outflow != inflow)[:1]:
        message = f"at set {number} the moves' weights add up to {outflow[number]}, but {inflow[number]} flows in"
        raise BrokenPlanError(message, int(number))


def _flows(side: Side, plan: WholePlan, denominator: int) -> tuple[WholePlan, WholePlan]:
    """What leaves and what enters each set, in int64 only where nothing can overflow."""
    largest = max(int(plan.max(initial=0)), 1)
    most = largest * (len(plan) + _total(side.weights)) + denominator * (_total(side.mass) + 1)
    if most >= 2**_ROOM:
        plan = plan.astype(object)
    kind = plan.dtype
    outflow = np.add.reduceat(plan, side.starts[:-1]) if side.sets else np.zeros(0, kind)
    inflow = side.mass.astype(kind) * denominator
    np.add.at(inflow, side.receivers, side.weights.astype(kind) * plan[side.parents])
    return outflow, inflow


def _total(values: Numbers) -> int:
    return int(values.astype(object).sum()) if len(values) else 0


def round_plan(side: Side, plan: Plan, bits: int) -> Numbers:
    """The plan in whole numbers over 2^bits: its moves' proportions, with flows that add up exactly."""
    rounded = np.zeros(side.sequences, np.int64)
    wrong = round_flows(side.arrays, np.ascontiguousarray(plan, np.float64), 1 << bits, rounded)
    if wrong >= 0:
        raise TooLargeError(f"the flow into set {wrong} is too large for {bits} bits: round to fewer")
    return rounded


def _round_finely(side: Side, plan: Plan) -> tuple[Numbers, int]:
    """As finely as the largest flow allows; a side with large masses gets a coarse denominator, but as many steps."""
    bits = max(0, 51 - int(side.mass.max(initial=0)).bit_length())
    while True:
        try:
            return round_plan(side, plan, bits), 1 << bits
        except TooLargeError:
            if bits <= 0:
                raise
            bits = max(bits - 3, 0)


def _negated(game: SequenceGame) -> tuple[Numbers, Numbers, Numbers]:
    """What each row sequence costs its side, against each column."""
    return game.row_starts, game.columns, -game.payoffs


def _least(
    side: Side, costs: tuple[Numbers, Numbers, Numbers], plan: WholePlan, sequences: Sequence[int] = ()
) -> tuple[int, list[int]]:
    """The least total cost of a plan of `side`, where the other plays `plan`; and the least that follows some of its
    sequences."""
    if not side.sets:
        return 0, []
    row_starts, _, payoffs = costs
    rows = np.repeat(np.arange(side.sequences), np.diff(row_starts))
    sums = np.zeros(side.sequences)  # floats of whole numbers, doubled below: no rounding reaches a factor of two
    np.add.at(sums, rows, np.abs(payoffs.astype(np.float64)))
    np.add.at(sums, side.parents, side.weights.astype(np.float64))
    widest = 2 * (float(sums.max(initial=0)) + float(side.mass.max(initial=0)) + 1)
    bits = (_ROOM - int(np.ceil(np.log2(widest)))) // 8 * 8
    if bits < 8:
        raise TooLargeError("the payoffs are too large to prove anything about: divide them by a common factor")
    largest = max(int(plan.max(initial=0)), 1)
    limbs = (largest.bit_length() + _growth(side, sums)) // bits + 2
    total, worth = least_total(side.arrays, costs, _limbs(plan, limbs, bits), bits)
    return _number(total, bits), [_number(worth[sequence], bits) for sequence in sequences]


def _number(limbs: Numbers, bits: int) -> int:
    return sum(int(limb) << (bits * n) for n, limb in enumerate(limbs))


def _growth(side: Side, sums: NDArray[np.float64]) -> int:
    """How many bits longer than a weight of the plan any worth can be: every set passes on at most the largest worth
    of its moves. In floats, doubled."""
    most = 2 * largest_worth(side.arrays, sums.copy())
    if not np.isfinite(most):
        raise TooLargeError("the flows of this game are too large to prove anything about")
    return int(np.ceil(np.log2(max(most, 1.0)))) + 1


def _limbs(plan: WholePlan, limbs: int, bits: int) -> NDArray[np.int64]:
    """Each weight as a row of limbs of `bits` (a multiple of 8) bits, lowest first."""
    if plan.dtype == np.int64:
        shifts = np.arange(0, min(limbs * bits, 63), bits)
        split = np.zeros((len(plan), limbs), np.int64)
        split[:, : len(shifts)] = (plan[:, None] >> shifts) & ((1 << bits) - 1)
        return split
    size = bits // 8
    raw = b"".join(int(weight).to_bytes(limbs * size, "little") for weight in plan)
    pieces = np.frombuffer(raw, np.uint8).reshape(len(plan), limbs, size)
    split = np.zeros((len(plan), limbs), np.int64)
    for n in range(size):
        split += pieces[:, :, n].astype(np.int64) << (8 * n)
    return split
