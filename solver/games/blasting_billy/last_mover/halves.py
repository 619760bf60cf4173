"""In how many deals the last mover of three or more wins, alone or with others, without listing joint deals.

With the mover's own standing fixed, an opponent loses to it by being shot or by a score that is not higher; so all that
matters of some types is a number for each opponent. The types are split into two halves. One becomes a table of prefix
sums, "in how many deals has nobody more than this", and the other half asks it for what the mover can afford.

There are two cases: the mover is *safe*, and an opponent who is shot is out; or *everyone* is shot, and all contend.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from solver.games.blasting_billy.last_mover._kernel import (
    EMPTY,
    Ints,
    Words,
    add_up,
    look_up,
    merge_pairs,
    move_slots,
    scatter_pairs,
)
from solver.games.blasting_billy.last_mover.parts import FAR, OUT, Group, Outline, Reach

NEVER = 1 << 60
"""In place of a standing that rules out the mover's victory."""
NOWHERE = -(1 << 50)
"""The part of a key that makes the key negative, whatever the others' parts."""

MODULI = (0, 2**31 - 1, 2**31 - 19, 2**31 - 61)
"""0 stands for 2^64. Together more than 12!^5, the number of deals with everything hidden, times a margin."""
CHUNK = 1 << 22
"""Pairs, cells or look-ups between two looks at the watch."""
BLOCK = 1 << 18
"""Pairs merged before the slots may have to grow."""
FEW = 1 << 12
"""So many slots are worth no trouble."""

Found = dict[tuple[int, int, int, int], int]
"""By asker, modulus, opponents who can tie, and those of them who are allowed to: see `look_up`."""


@dataclass(frozen=True, slots=True)
class Work:
    """How much there is to do: pairs of states, cells of tables with their axes, look-ups; and bytes at one time."""

    pairs: float = 0
    cells: float = 0
    look_ups: float = 0
    steps: int = 0
    memory: float = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(
            self.pairs + other.pairs,
            self.cells + other.cells,
            self.look_ups + other.look_ups,
            self.steps + other.steps,
            max(self.memory, other.memory),
        )


@dataclass(frozen=True, slots=True)
class Axis:
    """An opponent's two axes of a table: how high the score is, and whether (1) they are still unshot.

    Levels and flags of -1 are nowhere in the table.
    """

    lengths: tuple[int, int]
    level: Ints
    flag: Ints
    asked: list[tuple[Ints, Ints, Ints]]
    """For each asking group, by local number: the highest level allowed, the same without a tie, the highest flag."""


@dataclass(frozen=True, slots=True)
class Table:
    """Where pairs of two groups' states go in a table, and the bounds of those who ask."""

    lengths: list[int]
    parts: list[Ints]
    at_most: list[list[Ints]]
    less: list[list[Ints]]

    @property
    def cells(self) -> int:
        return prod(self.lengths)


class Counting:
    """Counts for one of the two cases."""

    def __init__(
        self, opponents: int, moduli: Sequence[int], *, safe: bool, tick: Callable[[float], None] = lambda pairs: None
    ) -> None:
        """`tick` is called several times a second with the number of pairs that were looked at since."""
        self._opponents = opponents
        self._moduli = np.array(moduli, np.uint64)
        self._safe = safe
        self._tick = tick

    @property
    def nothing(self) -> Reach:
        zeros = np.zeros(self._opponents, np.int64)
        return Reach(zeros, zeros, zeros, 0, False)

    @property
    def unit(self) -> Group:
        """No types at all."""
        return Group(
            shot=False,
            score=0,
            standings=(np.zeros(1, np.int64),) * self._opponents,
            size=1,
            states=np.zeros((1, self._opponents), np.int64),
            numbers=np.ones((len(self._moduli), 1), np.uint64),
        )

    def _join(self, one: Outline, other: Outline, seat: int, reach: Reach) -> Ints:
        """An opponent's standing for every pair of local numbers; what will come to the same is made the same."""
        left, right = one.standings[seat][:, None], other.standings[seat][None, :]
        scores, shot = (left >> 1) + (right >> 1), (left | right) & 1
        ahead = scores - (one.score + other.score)
        too_much, too_little = ahead + reach.least[seat] > 0, ahead + reach.most[seat] < 0
        stays_unshot = (shot == 0) & (reach.shoots[seat] == 0)
        joined: Ints
        if self._safe:
            joined = np.where(too_much, np.where(stays_unshot, NEVER, 2 * FAR), 2 * scores)
            return np.where(too_little | (shot == 1), OUT, joined)
        joined = np.where(too_little, -2 * FAR, 2 * scores) | shot
        return np.where(too_much | stays_unshot, NEVER, joined)

    def outline(self, one: Outline, other: Outline, reach: Reach) -> tuple[Outline, list[Ints]] | None:
        """Both groups' types together, `reach` being what the types still to come can do; and the parts of keys.

        None where the mover cannot win any more.
        """
        shot, score = one.shot or other.shot, one.score + other.score
        if score + reach.mover_most <= 0 or not (self._safe or shot or reach.mover_shot):
            return None
        standings: list[Ints] = []
        parts: list[Ints] = []
        step = 1
        for seat in range(self._opponents):
            joined = self._join(one, other, seat, reach)
            different = np.unique(joined)
            if different[-1] == NEVER:
                different = different[:-1]
            standings.append(different)
            parts.append(np.where(joined == NEVER, NOWHERE, np.searchsorted(different, joined) * step))
            step *= len(different)
        if not step:
            return None
        return Outline(shot, score, tuple(standings), min(one.size * other.size, step)), parts

    def merge(self, one: Group, other: Group, reach: Reach) -> Group | None:
        found = self.outline(one, other, reach)
        if found is None:
            return None
        outline, parts = found
        lengths = [len(standings) for standings in outline.standings]
        keys, numbers = self._merged(one, other, *_flat(parts), prod(lengths))
        states = np.empty((len(keys), self._opponents), np.int64)
        for seat, length in enumerate(lengths):
            keys, states[:, seat] = np.divmod(keys, length)
        return Group(outline.shot, outline.score, outline.standings, len(states), states, numbers)

    def _merged(self, one: Group, other: Group, parts: Ints, rows: Ints, cells: int) -> tuple[Ints, Words]:
        """The keys of all pairs with the sums of their numbers. Few possible keys are their own slots."""
        direct = cells <= max(FEW, 4 * min(len(one.states) * len(other.states), BLOCK))
        bits = 0
        keys, sums = self._slots(cells if direct else 1)
        used = 0
        for chunk in _chunks(len(one.states), BLOCK // len(other.states)):
            pairs = (chunk.stop - chunk.start) * len(other.states)
            self._tick(pairs)
            needed = 2 * (used + pairs)
            if not direct and needed > len(keys):
                bits = needed.bit_length()
                old, (keys, sums) = (keys, sums), self._slots(1 << bits)
                move_slots(*old, keys, sums, 64 - bits)
            used += merge_pairs(
                one.states[chunk], np.ascontiguousarray(one.numbers[:, chunk]), other.states, other.numbers,
                parts, rows, self._moduli, keys, sums, 64 - bits if bits else 0,
            )  # fmt: skip
        filled = np.flatnonzero(keys != EMPTY)
        return keys[filled], np.ascontiguousarray(sums[:, filled])

    def _slots(self, number: int) -> tuple[Ints, Words]:
        return np.full(number, EMPTY, np.int64), np.zeros((len(self._moduli), number), np.uint64)

    def _askers(self, one: Outline, other: Outline, askers: Sequence[tuple[int, Outline]]) -> list[int]:
        """Those with whom the mover has points, and is shot if that is the case."""
        shot, score = one.shot or other.shot, one.score + other.score
        return [
            place
            for place, (_, group) in enumerate(askers)
            if score + group.score > 0 and (self._safe or shot or group.shot)
        ]

    def work(self, one: Outline, other: Outline, askers: Sequence[tuple[int, Outline]], reach: Reach) -> Work:
        """What `count` would have to do."""
        asking = [askers[place][1] for place in self._askers(one, other, askers)]
        if not asking:
            return Work()
        table = self._table(one, other, asking, reach)
        if not table.cells:
            return Work()
        asked = sum(group.size for group in asking)
        return Work(one.size * other.size, table.cells * len(table.lengths), asked, 1 + len(asking), 8 * table.cells)

    def count(self, one: Group, other: Group, askers: Sequence[tuple[int, Group]], reach: Reach) -> Found:
        """The numbers of deals the mover wins, the two groups being asked by others: by the askers' own numbers."""
        found: Found = defaultdict(int)
        asking = [askers[place] for place in self._askers(one, other, askers)]
        table = self._table(one, other, [group for _, group in asking], reach) if asking else None
        if table is None or not table.cells:
            return found
        parts, rows = _flat(table.parts)
        bounds = [(*_flat(upper), _flat(lower)[0]) for upper, lower in zip(table.at_most, table.less, strict=True)]
        for place, modulus in enumerate(self._moduli):
            sums = np.zeros(table.cells, np.uint64)
            for chunk in _chunks(len(one.states), CHUNK // len(other.states)):
                self._tick((chunk.stop - chunk.start) * len(other.states) / len(self._moduli))
                scatter_pairs(
                    one.states[chunk], one.numbers[place, chunk], other.states, other.numbers[place], parts, rows,
                    modulus, sums,
                )  # fmt: skip
            self._add_up(sums, table.lengths, modulus)
            for (number, group), (upper, starts, lower) in zip(asking, bounds, strict=True):
                ties = np.zeros((self._opponents + 1, self._opponents + 1), np.uint64)
                for chunk in _chunks(len(group.states), CHUNK // 16):
                    self._tick(0)
                    look_up(group.states[chunk], group.numbers[place, chunk], upper, lower, starts, sums, modulus, ties)
                for can_tie, allowed in np.argwhere(ties).tolist():
                    found[number, place, can_tie, allowed] += int(ties[can_tie, allowed])
        return found

    def _add_up(self, sums: Words, lengths: Sequence[int], modulus: np.uint64) -> None:
        step = 1
        for length in lengths:
            if length > 1 or step == 1:
                for chunk in _chunks(len(sums), 4 * CHUNK):
                    self._tick(0)
                    add_up(sums, step, step * length, chunk.start, min(chunk.stop, len(sums)), modulus)
            step *= length

    def _table(self, one: Outline, other: Outline, asking: Sequence[Outline], reach: Reach) -> Table:
        lengths: list[int] = []
        parts: list[Ints] = []
        at_most: list[list[Ints]] = [[] for _ in asking]
        less: list[list[Ints]] = [[] for _ in asking]
        step = 1
        for seat in range(self._opponents):
            axis = self._axis(one, other, asking, seat, reach)
            wide = step * axis.lengths[0]
            parts.append(_cells(axis.level, axis.flag, step, wide))
            for place, (upper, lower, flag) in enumerate(axis.asked):
                at_most[place].append(_cells(upper, flag, step, wide))
                less[place].append(_cells(lower, flag, step, wide))
            lengths.extend(axis.lengths)
            step = wide * axis.lengths[1]
        return Table(lengths, parts, at_most, less)

    def _axis(self, one: Outline, other: Outline, asking: Sequence[Outline], seat: int, reach: Reach) -> Axis:
        """Only as many levels as those who ask can tell apart."""
        joined = self._join(one, other, seat, reach)
        scores = np.where(joined == NEVER, NEVER, joined >> 1)
        different = np.unique(scores)
        score = one.score + other.score
        limits = [score + group.score - (group.standings[seat] >> 1) for group in asking]
        upper = [np.searchsorted(different, limit, "right") - 1 for limit in limits]
        lower = [np.searchsorted(different, limit, "left") - 1 for limit in limits]
        cuts = np.unique(np.concatenate([*upper, *lower]))
        cuts = cuts[cuts >= 0]
        level = np.searchsorted(cuts, np.searchsorted(different, scores))
        level = np.where(level < len(cuts), level, -1)
        flags = [np.zeros_like(group.standings[seat]) for group in asking]
        flag = np.zeros_like(joined)
        number = 1
        if not self._safe:
            flag = 1 - (joined & 1)
            flags = [group.standings[seat] & 1 for group in asking]
            seen = np.unique(flag[level >= 0])
            if len(seen) == 1:
                flag, flags = flag - seen[0], [np.minimum(asked - seen[0], 0) for asked in flags]
            number = len(seen)
        asked = [
            (_rank(cuts, highest), _rank(cuts, untied), allowed)
            for highest, untied, allowed in zip(upper, lower, flags, strict=True)
        ]
        return Axis((len(cuts), number), level, flag, asked)


def _rank(cuts: Ints, index: Ints) -> Ints:
    return np.where(index < 0, -1, np.searchsorted(cuts, index))


def _cells(level: Ints, flag: Ints, step: int, wide: int) -> Ints:
    return np.where((level < 0) | (flag < 0), NOWHERE, level * step + flag * wide)


def _flat(tables: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Tables one after the other, and for each where it starts and how long its rows are."""
    rows: list[tuple[int, int]] = []
    start = 0
    for table in tables:
        rows.append((start, table.shape[-1]))
        start += table.size
    return np.concatenate([table.ravel() for table in tables]), np.array(rows, np.int64)


def _chunks(length: int, size: int) -> Iterator[slice]:
    step = max(1, size)
    return (slice(start, min(length, start + step)) for start in range(0, length, step))
