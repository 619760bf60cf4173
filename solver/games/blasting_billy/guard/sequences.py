"""A sequence game from the classes of the public nodes that follow a move.

Side 0 is the mover: one set at each public node of the mover's, hanging on the mover's sequence before it. Side 1 is
the team: one set for each class of deals at each public node of the team's. Between them flows are only passed on;
where several meet in one class of a node of the mover's, a set with one move gathers them.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solver.errors import TooLargeError
from solver.games.blasting_billy.guard.classes import Choice, Leaf, Node, Reply
from solver.games.blasting_billy.guard.preflight import MOST_WEIGHT
from solver.sequence_form import SequenceGame, Side, make_game
from solver.watch import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.sequence_form import Numbers

MASS = -1
"""In a flow: not from a sequence, but from chance."""
ROOT = 0
"""The mover's sequence of having made the move in question."""
_NO_PAYOFFS = (np.zeros(0, np.int64),) * 3
"""Rows, columns and payoffs of a game in which nothing is won or lost."""


class Flow(NamedTuple):
    """What flows into the classes of a node: from which sequence of the team's, and how much of it."""

    classes: "Numbers"
    parents: "Numbers"
    weights: "Numbers"

    def gathered(self) -> "Flow":
        """The same with one entry for each class and parent, by class."""
        order = np.lexsort((self.parents, self.classes))
        classes, parents = self.classes[order], self.parents[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (classes[1:] != classes[:-1]) | (parents[1:] != parents[:-1])
        starts = np.flatnonzero(new)
        return Flow(classes[starts], parents[starts], np.add.reduceat(self.weights[order], starts))

    def where(self, kept: "NDArray[np.bool_]") -> "Flow":
        return Flow(self.classes[kept], self.parents[kept], self.weights[kept])


@dataclass(slots=True)
class _Sets:
    """The information sets of one side, as they come."""

    moves: "list[Numbers]" = field(default_factory=list)
    mass: "list[Numbers]" = field(default_factory=list)
    links: "list[Numbers]" = field(default_factory=list)
    parents: "list[Numbers]" = field(default_factory=list)
    weights: "list[Numbers]" = field(default_factory=list)
    sequences: int = 0

    def add(self, moves: "Numbers", flow: Flow) -> int:
        """Sets with so many moves each; the flow's classes are their numbers. Their first sequence is returned."""
        from_chance = flow.parents == MASS
        mass = np.zeros(len(moves), np.int64)
        np.add.at(mass, flow.classes[from_chance], flow.weights[from_chance])
        linked = flow.where(~from_chance)
        self.moves.append(moves)
        self.mass.append(mass)
        self.links.append(np.bincount(linked.classes, minlength=len(moves)))
        self.parents.append(linked.parents)
        self.weights.append(linked.weights)
        first = self.sequences
        self.sequences += int(moves.sum())
        return first

    def side(self) -> Side:
        return Side(
            starts=_starts(self.moves),
            mass=np.concatenate(self.mass),
            parent_starts=_starts(self.links),
            parents=np.concatenate(self.parents),
            weights=np.concatenate(self.weights),
        )


class GameBuilder:
    """Puts the sequence game of one root move together."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._own, self._team = _Sets(), _Sets()
        self._payoffs: list[tuple[Numbers, Numbers, Numbers, Fraction]] = []
        self._own.add(np.ones(1, np.int64), _from(MASS))

    def add(self, node: Node, flow: Flow, chance: Fraction, own: int = ROOT) -> None:
        """A public node and all that follows: what flows in, chance's part, and the mover's sequence before it."""
        flow = flow.gathered()
        if isinstance(node, Reply):
            self._add_reply(node, flow, chance, own)
        elif isinstance(node, Choice):
            self._add_choice(node, flow, chance, own)
        else:
            self._add_leaf(node, flow, chance, own)

    def _add_reply(self, node: Reply, flow: Flow, chance: Fraction, own: int) -> None:
        self._watch.check()
        classes, numbers = np.unique(flow.classes, return_inverse=True)
        rows = node.rows[classes]
        first = self._team.add((rows >= 0).sum(axis=1), flow._replace(classes=numbers))
        reached = node.actions[rows[rows >= 0]].astype(np.int64)
        sequences = np.repeat(np.arange(first, first + len(reached)), reached.shape[1])
        onward = Flow(reached.reshape(-1), sequences, np.ones(reached.size, np.int64)).gathered()
        for child in node.children:
            low, high = np.searchsorted(onward.classes, (child.first, child.first + len(child.node.rows)))
            if low < high:
                part = Flow(onward.classes[low:high] - child.first, onward.parents[low:high], onward.weights[low:high])
                self.add(child.node, part, chance * child.chance, own)

    def _add_choice(self, node: Choice, flow: Flow, chance: Fraction, own: int) -> None:
        first = self._own.add(np.array([node.actions]), _from(own))
        flow = self._gather(flow)
        for number, child in enumerate(node.children):
            reached = node.rows[flow.classes, number].astype(np.int64)
            fits = reached >= 0
            if fits.any():
                part = flow._replace(classes=reached - child.first).where(fits)
                self.add(child.node, part, chance * child.chance, first + child.action)

    def _add_leaf(self, node: Leaf, flow: Flow, chance: Fraction, own: int) -> None:
        flow = flow.where((node.rows[flow.classes] != 0).any(axis=1))
        moves = node.rows.shape[1]
        first = self._own.add(np.array([moves]), _from(own))
        if len(flow.classes):
            flow = self._gather(flow)
            values = node.rows[flow.classes] * flow.weights[:, None]
            rows = np.tile(np.arange(first, first + moves), len(values))
            columns = np.repeat(flow.parents, moves)
            kept = values.reshape(-1) != 0
            self._payoffs.append((rows[kept], columns[kept], values.reshape(-1)[kept], chance))

    def _gather(self, flow: Flow) -> Flow:
        """The flow with one parent a class, through sets of one move where there are several."""
        classes, numbers = np.unique(flow.classes, return_inverse=True)
        if len(classes) == len(numbers):
            return flow
        first = self._team.add(np.ones(len(classes), np.int64), flow._replace(classes=numbers))
        return Flow(classes, np.arange(first, first + len(classes)), np.ones(len(classes), np.int64))

    def game(self, scale: int) -> SequenceGame:
        """The game; payoffs are over `scale` besides the chances of draws. A TooLargeError where they do not fit."""
        whole = lcm(*(chance.denominator for *_, chance in self._payoffs))
        times = [int(whole * chance) for *_, chance in self._payoffs]
        most = sum(
            number * float(np.abs(values).sum()) for number, (_, _, values, _) in zip(times, self._payoffs, strict=True)
        )
        if most > MOST_WEIGHT:
            raise TooLargeError(f"lens guard: chances of draws in parts of {whole:,}: too fine to prove anything about")
        parts = [
            (rows, columns, values * number)
            for number, (rows, columns, values, _) in zip(times, self._payoffs, strict=True)
        ]
        rows, columns, payoffs = (np.concatenate(each) for each in zip(*(parts or [_NO_PAYOFFS]), strict=True))
        return make_game((self._own.side(), self._team.side()), rows, columns, payoffs, scale * whole)


def _from(parent: int) -> Flow:
    """All of what one parent brings, into one set."""
    return Flow(np.zeros(1, np.int64), np.array([parent]), np.ones(1, np.int64))


def _starts(counts: "list[Numbers]") -> "Numbers":
    result: Numbers = np.concatenate(([0], np.cumsum(np.concatenate(counts))))
    return result
