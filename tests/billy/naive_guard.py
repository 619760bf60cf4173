"""A slow, obvious twin of lens guard: the sequence form deal by deal, nothing merged, solved as a linear program.

The mover's information set is everything the mover has seen; the team's is the deal and everything that happened.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from tests.naive import (
    Position,
    deals,
    draw,
    draws,
    fill,
    final_score,
    margin_payoffs,
    moves,
    must_draw,
    play,
    win_payoffs,
)

Seen = tuple[Any, ...]
NOTHING = 0
"""The empty sequence of either side."""


@dataclass
class Sides:
    """Both sides' sets with the sequence before each, every sequence with its set, and what leaves are worth."""

    sets: tuple[dict[Seen, tuple[int, int]], dict[Seen, tuple[int, int]]] = field(default_factory=lambda: ({}, {}))
    sequences: tuple[dict[Seen, int], dict[Seen, int]] = field(default_factory=lambda: ({}, {}))
    leaves: dict[tuple[int, int], Fraction] = field(default_factory=dict)

    def sequence(self, side: int, seen: Seen, before: int, move: str) -> int:
        _, parent = self.sets[side].setdefault(seen, (len(self.sets[side]), before))
        assert parent == before, "perfect recall"
        return self.sequences[side].setdefault((seen, move), 1 + len(self.sequences[side]))


def guard_values(position: Position, objective: str) -> dict[str, float]:
    """What each root move guarantees the mover."""
    found = list(deals(position))
    return {move: _value(position, found, move, objective) for move in moves(fill(position, found[0]))}


def _value(position: Position, found: list[Any], move: str, objective: str) -> float:
    sides = Sides()
    for number, deal in enumerate(found):
        after = play(fill(position, deal), move)
        walk = _Walk(sides, position["to_move"], objective)
        walk.go(after, (), (number,), (NOTHING, NOTHING), Fraction(1, len(found)))
    return _solve(sides)


@dataclass
class _Walk:
    sides: Sides
    mover: str
    objective: str

    def go(self, filled: Position, seen: Seen, all_seen: Seen, before: tuple[int, int], chance: Fraction) -> None:
        turn, mine = filled["to_move"], filled["to_move"] == self.mover
        if turn is None:
            payoff = (win_payoffs if self.objective == "win" else margin_payoffs)(
                final_score(filled), filled["players"]
            )[filled["players"].index(self.mover)]
            self.sides.leaves[before] = self.sides.leaves.get(before, Fraction(0)) + chance * payoff
        elif must_draw(filled):
            options = []
            for card, top in draws(filled):
                rest = [other for other in filled["pile"] if other != card]
                options.append((card, top, 1 if top is None else sum(other[0] == top for other in rest)))
            whole = sum(weight for *_, weight in options)
            for card, top, weight in options:
                after = draw(filled, card, top)
                shown = card if mine else card[0]
                part = chance * Fraction(weight, whole)
                self.go(after, (*seen, shown, top), (*all_seen, card, top), before, part)
        else:
            for move in moves(filled):
                verb, card = move.split()
                face_up = verb == "claim" and filled["loot"][turn][card[0]]
                told: Seen = (move,) if mine or face_up else (verb, card[0])
                if mine:
                    sequence = self.sides.sequence(0, seen, before[0], move)
                    onward = (sequence, before[1])
                else:
                    sequence = self.sides.sequence(1, all_seen, before[1], move)
                    onward = (before[0], sequence)
                self.go(play(filled, move), (*seen, told), (*all_seen, move), onward, chance)


def _solve(sides: Sides) -> float:
    """Koller, Megiddo and von Stengel's linear program: the mover's plan x, and a price for each set of the team's."""
    own, team = _constraints(sides, 0), _constraints(sides, 1)
    rows, columns = zip(*sides.leaves, strict=True)
    payoffs = coo_matrix(([float(v) for v in sides.leaves.values()], (rows, columns)), (own.shape[1], team.shape[1]))
    nothing = coo_matrix((own.shape[0], team.shape[0]))
    start = np.zeros(own.shape[0])
    start[0] = 1.0
    goal = np.zeros(own.shape[1] + team.shape[0])
    goal[own.shape[1]] = -1.0
    solved = linprog(
        goal,
        A_ub=hstack([-payoffs.T, team.T]).tocsr(),
        b_ub=np.zeros(team.shape[1]),
        A_eq=hstack([own, nothing]).tocsr(),
        b_eq=start,
        bounds=[(0, None)] * own.shape[1] + [(None, None)] * team.shape[0],
        method="highs",
    )
    assert solved.status == 0, solved.message
    return float(-solved.fun)


def _constraints(sides: Sides, side: int) -> Any:
    """One row for the empty sequence, and one for each set: its sequences less the one before it."""
    entries = [(0, NOTHING, 1.0)]
    for number, before in sides.sets[side].values():
        entries.append((1 + number, before, -1.0))
    for (seen, _), sequence in sides.sequences[side].items():
        entries.append((1 + sides.sets[side][seen][0], sequence, 1.0))
    rows, columns, values = zip(*entries, strict=True)
    return coo_matrix((values, (rows, columns)), (1 + len(sides.sets[side]), 1 + len(sides.sequences[side])))
