"""One type's classes as the counting for the last mover takes them: numbered, and grouped by what the mover has."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.games.blasting_billy.last_mover._kernel import Ints, Words
from solver.games.blasting_billy.last_mover.type_classes import Classes

FAR = 1 << 40
"""Beyond any score: an opponent who cannot lose to the mover any more is FAR ahead, one who cannot win FAR behind."""
OUT = 1 - 2 * FAR
"""The standing of an opponent who is shot while the mover is safe."""
BEYOND = 4 * FAR
"""More than makes up for being FAR ahead: what an opponent loses in a type in which they are always shot."""


@dataclass(frozen=True, slots=True)
class Outline:
    """States that agree in the mover's standing. A state has a local number for each opponent."""

    shot: bool
    score: int
    standings: tuple[Ints, ...]
    """For each opponent, the standings that the local numbers stand for."""
    size: float
    """How many states there are, or an estimate from above."""


@dataclass(frozen=True, slots=True)
class Group(Outline):
    """The states themselves."""

    states: Ints
    """The local numbers: [state, opponent]."""
    numbers: Words
    """Residues of the numbers of deals: [modulus, state]."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What some types can do."""

    least: Ints
    """The least that each opponent gains on the mover (while the mover is safe: if not shot)."""
    most: Ints
    shoots: Ints
    """1 for each opponent who can be shot."""
    mover_most: int
    """The highest score the mover can have."""
    mover_shot: bool
    """Whether the mover can be shot."""

    def __add__(self, other: "Reach") -> "Reach":
        return Reach(
            self.least + other.least,
            self.most + other.most,
            self.shoots | other.shoots,
            self.mover_most + other.mover_most,
            self.mover_shot or other.mover_shot,
        )

    def __or__(self, other: "Reach") -> "Reach":
        """Where it may be the one or the other."""
        return Reach(
            np.minimum(self.least, other.least),
            np.maximum(self.most, other.most),
            self.shoots | other.shoots,
            max(self.mover_most, other.mover_most),
            self.mover_shot or other.mover_shot,
        )


@dataclass(frozen=True, slots=True)
class Part:
    """A type after one move in it or none, in one of the two cases."""

    groups: tuple[Group, ...]
    reach: Reach

    @property
    def size(self) -> int:
        return sum(len(group.states) for group in self.groups)


def make_part(classes: Classes, mover: int, moduli: Sequence[int], *, safe: bool) -> Part | None:
    """None where the case cannot be."""
    sorted_out: dict[int, dict[tuple[int, ...], int]] = defaultdict(lambda: defaultdict(int))
    for row, number in classes.items():
        own, others = row[mover], (*row[:mover], *row[mover + 1 :])
        if safe and own & 1:
            continue
        if safe:
            others = tuple(OUT if other & 1 else other for other in others)
        sorted_out[own][others] += number
    groups, reach = [], None
    for own, rows in sorted_out.items():
        table = np.array(list(rows), np.int64)
        columns = [np.unique(column, return_inverse=True) for column in table.T]
        numbers = [[number % (modulus or 1 << 64) for number in rows.values()] for modulus in moduli]
        groups.append(
            Group(
                shot=bool(own & 1),
                score=own >> 1,
                standings=tuple(standings for standings, _ in columns),
                size=len(rows),
                states=np.stack([states.astype(np.int64) for _, states in columns], 1),
                numbers=np.array(numbers, np.uint64),
            )
        )
        found = _reach(table, own, safe=safe)
        reach = found if reach is None else reach | found
    return None if reach is None else Part(tuple(groups), reach)


def _reach(table: Ints, own: int, *, safe: bool) -> Reach:
    gains = (table >> 1) - (own >> 1)
    counted = (table & 1 == 0) | (not safe)
    never = ~counted.any(axis=0)
    return Reach(
        np.where(never, -BEYOND, np.where(counted, gains, BEYOND).min(axis=0)),
        np.where(counted, gains, -BEYOND).max(axis=0),
        (table & 1).max(axis=0),
        own >> 1,
        bool(own & 1),
    )
