"""Counterfactual regret minimisation: both sides improve against each other, and their averages approach equilibrium.

Every set keeps a regret for each of its moves and plays in proportion to the positive ones. On flows with merged sets
this works as on trees: what a set is worth goes to all its parents, times their weights.

- `dcfr`: Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization", AAAI 2019.
- `cfr+`: Tammelin, "Solving large imperfect information games using CFR+", arXiv 1407.5042 (2014).
- `pcfr+`: Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell approachability", AAAI 2021.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray

from solver.methods._regret_kernel import minimize, pour
from solver.methods.best_response import FloatGame, exploitability, float_game
from solver.sequence_form import Plan, SequenceGame
from solver.watch import Watch

VARIANTS = {
    "dcfr": (1.5, 0.0, 2.0, 0.0),
    "cfr+": (inf, inf, 1.0, 0.0),
    "pcfr+": (inf, inf, 2.0, 1.0),
}
"""The powers of t that discount positive and negative regrets (infinite: kept whole, and cut off), the power of t with
which a round enters the average, and whether the last regret is expected to come again."""

DEFAULT = "pcfr+"

_CHUNK = 0.1
"""Seconds between two looks at the watch."""

_GROWTH = 1.25
"""The rounds between two looks at the result grow by this, so that looking takes a small part of the time."""

_PRECISION = 1e-13
"""An interval narrower than this part of the value is beyond floats."""

Memory = tuple[NDArray[np.float64], NDArray[np.float64], Plan, Plan]


@dataclass(frozen=True, eq=False, slots=True)
class RegretSolution:
    """The best plans met, and between what values they keep the game, up to rounding."""

    plans: tuple[Plan, Plan]
    low: float
    high: float


@dataclass(eq=False, slots=True)
class _Best:
    """For each side the plan that guarantees most so far; as guarantees hold apart, the two may be of other rounds."""

    game: FloatGame
    plans: list[Plan] = field(default_factory=list)
    ends: list[float] = field(default_factory=lambda: [-inf, inf])

    def meet(self, plans: tuple[Plan, Plan]) -> None:
        low, high = exploitability(self.game, plans)
        if not self.plans:
            self.plans = [plans[0].copy(), plans[1].copy()]
        if low > self.ends[0]:
            self.ends[0], self.plans[0] = low, plans[0].copy()
        if high < self.ends[1]:
            self.ends[1], self.plans[1] = high, plans[1].copy()


def minimize_regret(
    game: SequenceGame,
    *,
    target: float,
    watch: Watch,
    variant: str = DEFAULT,
    tell: Callable[[float, float], None] | None = None,
) -> RegretSolution:
    """Play rounds until both plans together can be exploited for at most `target`, or until the watch ends, which is
    no error. `tell` hears of every new interval."""
    prepared = float_game(game)
    memories = _memory(prepared, 0), _memory(prepared, 1)
    best = _Best(prepared)
    rounds, weight, pause, pace = 0, 0.0, 8, 0.0
    next_look = pause
    while True:
        limit = next_look if not pace else min(next_look, rounds + max(1, int(_CHUNK / pace)))
        begin = time.perf_counter()
        span = (rounds + 1, limit + 1, weight)
        weight = minimize(prepared.shapes, prepared.gains, memories, VARIANTS[variant], span)
        pace = (time.perf_counter() - begin) / (limit - rounds)
        rounds = limit
        over = watch.stopped or watch.remaining <= 0
        if rounds < next_look and not over:
            continue
        next_look = rounds + max(8, int(rounds * (_GROWTH - 1)))
        before = tuple(best.ends)
        best.meet((memories[0][3], memories[1][3]))
        best.meet((memories[0][2], memories[1][2]))
        low, high = best.ends
        if tell is not None and (low, high) != before:
            tell(low, high)
        if over or high - low <= max(target, _PRECISION * (abs(low) + abs(high))):
            return RegretSolution((best.plans[0], best.plans[1]), low, high)


def _memory(game: FloatGame, side: int) -> Memory:
    """Regrets, latest regrets, plan and average. The plan begins uniform, as the average of no rounds."""
    sequences = int(game.shapes[side][0][-1])
    plan = np.empty(sequences)
    pour(game.shapes[side], np.ones(sequences), plan)
    return np.zeros(sequences), np.zeros(sequences), plan, plan.copy()
