"""A game in sequence form made smaller without losing anything: plans of the smaller game are carried back.

Four things are done to either side in turn, until little changes: of two sequences of a set that lead on alike, one
that never pays more is dropped; a set with one sequence left is played by whatever leads to it; sets in which
everything pays and leads on alike become one; and what nothing flows into goes.

Nothing of this has to be believed: what a plan guarantees is proved in the game as it was.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver._reduction_kernel import divide, reached, shrink
from solver.certificate import WholePlan, whole_plan
from solver.sequence_form import Numbers, Plan, SequenceGame, Side

_WORTHWHILE = 0.97
"""Another round is played while the last one left at most so much of the game."""

_MOST = 8
"""Rounds."""


@dataclass(frozen=True, eq=False, slots=True)
class _Step:
    """What was done to one side."""

    side: int
    before: Side
    stands: Numbers
    """The sequence that each one stands for; -1 for those that are not needed."""
    forced: NDArray[np.bool_]
    """Whether a set has no choice any more."""
    places: Numbers
    """Where each sequence is in the smaller side; -1 for those that are not there."""

    def widen(self, plan: Plan) -> Plan:
        wide = np.zeros(self.before.sequences)
        small = np.ascontiguousarray(plan, np.float64)
        divide(self.before.arrays, self.stands, self.forced, self.places, small, wide)
        return wide

    def widen_whole(self, plan: WholePlan, denominator: int) -> WholePlan:
        """The same in whole numbers. Their proportions would need ever larger denominators, so sets that were merged
        take what is played from one stock, one set after the other."""
        side, stock = self.before, [int(weight) for weight in plan]
        starts, links = side.starts.tolist(), side.parent_starts.tolist()
        parents, weights = side.parents.tolist(), side.weights.tolist()
        stands, places = self.stands.tolist(), self.places.tolist()
        forced = self.forced.tolist()
        wide = [0] * side.sequences
        for i, mass in enumerate(side.mass.tolist()):
            flow = mass * denominator
            for k in range(links[i], links[i + 1]):
                flow += weights[k] * wide[parents[k]]
            if not flow:
                continue
            for s in range(starts[i], starts[i + 1]):
                if stands[s] < 0:
                    continue
                place = places[stands[s]]
                wide[s] = flow if forced[i] else min(flow, stock[place])
                flow -= wide[s]
                if not forced[i]:
                    stock[place] -= wide[s]
        return whole_plan(wide)


@dataclass(frozen=True, eq=False, slots=True)
class Reduction:
    """The smaller game, and the way back."""

    whole: SequenceGame
    game: SequenceGame
    steps: tuple[_Step, ...]

    def widen(self, plans: tuple[Plan, Plan]) -> tuple[Plan, Plan]:
        wide = list(plans)
        for step in reversed(self.steps):
            wide[step.side] = step.widen(wide[step.side])
        return wide[0], wide[1]

    def widen_whole(
        self, plans: tuple[WholePlan, WholePlan], denominators: tuple[int, int]
    ) -> tuple[WholePlan, WholePlan]:
        wide = list(plans)
        for step in reversed(self.steps):
            wide[step.side] = step.widen_whole(wide[step.side], denominators[step.side])
        return wide[0], wide[1]


def reduce_game(game: SequenceGame) -> Reduction:
    """The game as small as it gets in a few rounds."""
    steps: list[_Step] = []
    small, side, idle = game, 0, 0
    while len(steps) < _MOST and idle < 2:
        before = _size(small)
        small, step = _reduce(small, side)
        steps.append(step)
        small, side = small.transposed(), 1 - side
        idle = idle + 1 if _size(small) > _WORTHWHILE * before else 0
    if side:
        small = small.transposed()
    return Reduction(game, small, tuple(steps))


def _size(game: SequenceGame) -> int:
    return game.nonzeros + sum(side.sequences for side in game.sides)


def _reduce(game: SequenceGame, side_number: int) -> tuple[SequenceGame, _Step]:
    """The rows' side, which maximises, made smaller; `side_number` says which side of the original game it is."""
    side = game.sides[0]
    arrays = side.arrays
    rows = (
        np.ascontiguousarray(game.row_starts),
        np.ascontiguousarray(game.columns),
        np.ascontiguousarray(game.payoffs),
    )
    stands, merged, folded, made, kids = shrink(arrays, rows, game.sides[1].sequences)
    alive, masses = reached(arrays, stands, merged, folded, kids)
    owners = side.owners
    kept = np.flatnonzero(alive[owners] & (stands == np.arange(side.sequences)))
    places = np.full(side.sequences, -1)
    places[kept] = np.arange(len(kept))
    set_places = np.cumsum(alive) - 1
    sizes = np.bincount(set_places[owners[kept]], minlength=int(alive.sum()))
    spans, names, amounts = kids
    picked, counts = _ranges(spans[kept])
    givers = np.repeat(np.arange(len(kept)), counts)
    receivers = set_places[names[picked]]
    order = np.argsort(receivers, kind="stable")
    fed = np.bincount(receivers, minlength=len(sizes))
    small = Side(
        starts=np.concatenate(([0], np.cumsum(sizes))),
        mass=masses[alive],
        parent_starts=np.concatenate(([0], np.cumsum(fed))),
        parents=givers[order],
        weights=amounts[picked][order],
    )
    spans, names, amounts = made
    picked, counts = _ranges(spans[kept])
    starts = np.concatenate(([0], np.cumsum(counts)))
    reduced = SequenceGame((small, game.sides[1]), starts, names[picked], amounts[picked], game.scale)
    return reduced, _Step(side_number, side, stands, folded[merged], places)


def _ranges(spans: Numbers) -> tuple[Numbers, Numbers]:
    """All numbers within the spans, one span behind the other, and how many each has."""
    counts = spans[:, 1] - spans[:, 0]
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts - spans[:, 0], counts), counts
