"""Best responses, and what a pair of plans can be exploited for, in floats: fast, and only as good as floats are.

`solver.certificate` does the same in whole numbers, and is what a proof rests on.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.methods._regret_kernel import gather, pour, respond
from solver.sequence_form import Numbers, Plan, SequenceGame, Side


@dataclass(frozen=True, eq=False, slots=True)
class FloatGame:
    """A game as the kernels take it. Payoffs are in the unit of the game's value."""

    shapes: tuple[Any, Any]
    gains: tuple[Any, Any]


@dataclass(frozen=True, eq=False, slots=True)
class Response:
    """A best answer: what side 0 gets then, the first best sequence of each set, and what each sequence is worth to
    the side that answers, with what follows."""

    value: float
    best: Numbers
    worth: NDArray[np.float64]


def float_game(game: SequenceGame) -> FloatGame:
    return FloatGame(
        (shape(game.sides[0]), shape(game.sides[1])),
        (_gains(game), _gains(game.transposed())),
    )


def shape(side: Side) -> tuple[NDArray[Any], ...]:
    """A side as the kernels take it."""
    return (
        np.ascontiguousarray(side.starts, np.int64),
        np.ascontiguousarray(side.mass, np.float64),
        np.ascontiguousarray(side.parent_starts, np.int64),
        np.ascontiguousarray(side.parents, np.int64),
        np.ascontiguousarray(side.weights, np.float64),
    )


def _gains(game: SequenceGame) -> tuple[NDArray[Any], ...]:
    return (
        np.ascontiguousarray(game.row_starts, np.int64),
        np.ascontiguousarray(game.columns, np.int32),
        np.ascontiguousarray(game.payoffs, np.float64) / float(game.scale),
    )


def answer(game: FloatGame, side: int, plan_of_other: Plan) -> Response:
    """How `side` answers the other's plan best."""
    starts, mass = game.shapes[side][:2]
    worth = np.empty(int(starts[-1]))
    best = np.empty(len(mass), np.int64)
    gather(game.gains[side], np.ascontiguousarray(plan_of_other, np.float64), worth)
    value = respond(game.shapes[side], worth, best)
    return Response(value if side == 0 else -value, best, worth)


def exploitability(game: SequenceGame | FloatGame, plans: tuple[Plan, Plan]) -> tuple[float, float]:
    """What side 0's plan guarantees and what side 1's plan concedes: the value lies between, up to rounding."""
    prepared = game if isinstance(game, FloatGame) else float_game(game)
    return answer(prepared, 1, plans[0]).value, answer(prepared, 0, plans[1]).value


def as_plan(side: Side, shares: NDArray[np.float64]) -> Plan:
    """The plan that divides what flows into each set in the proportions of `shares`: mends a plan that is slightly
    off, as linear programs return them. Negative shares count as zero."""
    plan = np.empty(side.sequences)
    pour(shape(side), np.ascontiguousarray(shares, np.float64), plan)
    return plan
