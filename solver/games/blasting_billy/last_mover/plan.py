"""Which types are put together in what order when deals are counted for the last mover of three or more.

A move changes one type. So the types are split such that the moves' types are on the side that asks, and the table of
the other types is made once for all moves. One split serves moves in two types.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import comb, gcd, prod
from typing import TypeVar

from solver.games.blasting_billy.last_mover.halves import MODULI, Counting, Work
from solver.games.blasting_billy.last_mover.parts import Group, Outline, Part, Reach, make_part
from solver.games.blasting_billy.last_mover.type_classes import Classes
from solver.shortcuts import Size
from solver.watch import Progress, Watch

UNMOVED = -1
"""In place of a move's number: no card is played in any type."""
BETWEEN_REPORTS = 0.1
"""Seconds."""
QUICK = 1e7
"""So many pairs are counted sooner than a better split is found."""

STATE_BYTES = 150
"""With the slots that states are merged in."""

SomeGroup = TypeVar("SomeGroup", bound=Outline)


@dataclass(frozen=True, slots=True)
class Split:
    """The types that ask, the types that are asked, and the moves it serves."""

    asking: tuple[int, ...]
    asked: tuple[int, ...]
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """The parts of a split in one case: for every move those that ask, and the parts that are asked."""

    asking: list[tuple[int, list[Part]]]
    asked: list[Part]
    nothing: Reach

    def asking_reach(self, start: int = 0) -> Reach:
        """What those that ask, from a place on, can do, whatever the move."""
        places = range(start, len(self.asking[0][1]))
        each = (reduce(Reach.__or__, (parts[place].reach for _, parts in self.asking)) for place in places)
        return sum(each, start=self.nothing)

    def asked_reach(self, start: int = 0) -> Reach:
        return sum((part.reach for part in self.asked[start:]), start=self.nothing)


class Victories:
    """Counts, for each move, how many players win together with the mover."""

    def __init__(self, unmoved: Sequence[Classes], moves: Sequence[tuple[int, Classes]], mover: int) -> None:
        """`moves` are the place of a type in `unmoved` and what becomes of it."""
        self._opponents = len(next(iter(unmoved[0]))) - 1
        self._types = tuple(range(len(unmoved)))
        self._moves = [place for place, _ in moves]
        classes = {(place, UNMOVED): each for place, each in enumerate(unmoved)}
        classes |= {(place, number): each for number, (place, each) in enumerate(moves)}
        self._divisors = {key: gcd(*each.values()) for key, each in classes.items()}
        self._moduli = self._enough_moduli(classes)
        self._parts = {
            safe: {
                key: make_part(_divided(each, self._divisors[key]), mover, self._moduli, safe=safe)
                for key, each in classes.items()
            }
            for safe in (True, False)
        }
        self._splits, self._work = self._plan()

    @property
    def size(self) -> Size:
        work, residues = self._work, len(self._moduli)
        seconds = 2e-4 * work.steps + residues * (4e-9 * work.pairs + 2e-9 * work.cells + 4e-8 * work.look_ups)
        return Size(f"{_in_words(work.pairs)} pairs of states", seconds, work.memory)

    def run(self, watch: Watch) -> dict[int, list[int]]:
        """For each move (-1: none), the number of deals in which the mover is one of 1, 2, ... winners."""
        totals: dict[int, dict[tuple[int, int], list[int]]] = defaultdict(
            lambda: defaultdict(lambda: [0] * len(self._moduli))
        )
        tick = _Ticker(watch, self._work.pairs)
        for split, safe in product(self._splits, (True, False)):
            counting = Counting(self._opponents, self._moduli, safe=safe, tick=tick)
            sides = self._sides(split, counting, safe)
            if sides is not None:
                for (move, residue, can_tie, allowed), ways in _count(counting, sides).items():
                    totals[move][can_tie, allowed][residue] += ways
        return {move: self._winners(move, totals[move]) for move in (UNMOVED, *range(len(self._moves)))}

    def _enough_moduli(self, classes: Mapping[tuple[int, int], Classes]) -> tuple[int, ...]:
        """So many that no number is taken for another: a count, or one that adds up all choices of tied opponents."""
        most: int = 2**self._opponents
        for place in self._types:
            variants = [key for key in classes if key[0] == place]
            most *= max(sum(classes[key].values()) // self._divisors[key] for key in variants)
        sets = (MODULI[:number] for number in range(1, len(MODULI) + 1))
        return next(moduli for moduli in sets if prod(modulus or 1 << 64 for modulus in moduli) > most)

    def _plan(self) -> tuple[tuple[Split, ...], Work]:
        """A good way to serve all moves: the best by a rough guess, or by a closer look where that is worth it."""
        covers = list(self._covers(frozenset(self._moves), first=True))
        splits = min(covers, key=lambda each: sum(map(self._guess, each)))
        work = self._work_of(splits)
        if work.pairs > QUICK:
            known = {split: self._work_of((split,)) for split in {split for cover in covers for split in cover}}
            splits = min(covers, key=lambda each: sum(known[split].pairs for split in each))
            work = sum((known[split] for split in splits), start=Work())
        return splits, work

    def _covers(self, types: frozenset[int], *, first: bool) -> Iterator[tuple[Split, ...]]:
        """Ways to serve all moves in these types; the first split also serves no move at all."""
        if not types and not first:
            yield ()
            return
        one = min(types, default=0)
        for other in self._types:
            asking = tuple(sorted({one, other}))
            asked = tuple(sorted(set(self._types).difference(asking), key=self._size_of))
            moves = [number for number, place in enumerate(self._moves) if place in types.intersection(asking)]
            split = Split(asking, asked, (UNMOVED, *moves) if first else tuple(moves))
            for others in self._covers(types.difference(asking), first=False):
                yield (split, *others)

    def _size_of(self, place: int) -> int:
        return sum(part.size for parts in self._parts.values() if (part := parts[place, UNMOVED]))

    def _guess(self, split: Split) -> int:
        """Roughly how many pairs of states there would be if none were merged."""
        return prod(map(self._size_of, split.asked)) + 20 * len(split.moves) * prod(map(self._size_of, split.asking))

    def _work_of(self, splits: Sequence[Split]) -> Work:
        work = Work()
        for split in splits:
            for safe in (True, False):
                counting = Counting(self._opponents, self._moduli, safe=safe)
                sides = self._sides(split, counting, safe)
                if sides is not None:
                    work += _work(counting, sides)
        return work

    def _key(self, place: int, move: int) -> tuple[int, int]:
        moved = move != UNMOVED and self._moves[move] == place
        return place, move if moved else UNMOVED

    def _sides(self, split: Split, counting: Counting, safe: bool) -> Sides | None:
        """None where the case cannot be."""
        parts = self._parts[safe]
        asked = [part for place in split.asked if (part := parts[place, UNMOVED])]
        asking = [
            (move, [part for place in split.asking if (part := parts[self._key(place, move)])]) for move in split.moves
        ]
        asking = [(move, each) for move, each in asking if len(each) == len(split.asking)]
        return Sides(asking, asked, counting.nothing) if asking and len(asked) == len(split.asked) else None

    def _winners(self, move: int, totals: Mapping[tuple[int, int], Sequence[int]]) -> list[int]:
        """From counts by who is allowed to tie to counts by who does.

        Write x for each tie that there is. Where d opponents can tie, allowing u of them (for all choices of the u) and
        forbidding the others is counted by the coefficient of x^u (1 - x)^(d - u).
        """
        scale = prod(self._divisors[self._key(place, move)] for place in self._types)
        winners = [0] * (self._opponents + 1)
        for (can_tie, allowed), residues in totals.items():
            number = scale * _whole(residues, self._moduli)
            for extra in range(can_tie - allowed + 1):
                winners[allowed + extra] += (-1) ** extra * comb(can_tie - allowed, extra) * number
        return winners


class _Ticker:
    """Looks at the watch at every tick, and tells how far it is now and then."""

    def __init__(self, watch: Watch, pairs: float) -> None:
        self._watch = watch
        self._pairs = pairs
        self._done = 0.0
        self._told = -1.0

    def __call__(self, pairs: float) -> None:
        self._watch.check()
        self._done += pairs
        if self._watch.seconds - self._told > BETWEEN_REPORTS:
            self._told = self._watch.seconds
            self._watch.tell(Progress("counting deals", min(1.0, self._done / self._pairs)))


Merge = Callable[[SomeGroup, Group, Reach], SomeGroup | None]


def _merge_all(
    merge: Merge[SomeGroup], start: SomeGroup, parts: Sequence[Part], reaches: Sequence[Reach]
) -> list[SomeGroup]:
    """All groups of the parts together; after each part, what can still happen is its reach."""
    groups = [start]
    for part, reach in zip(parts, reaches, strict=True):
        merged = (merge(one, other, reach) for one in groups for other in part.groups)
        groups = [group for group in merged if group is not None]
    return groups


def _prepare(
    merge: Merge[SomeGroup], start: SomeGroup, sides: Sides
) -> tuple[list[tuple[int, SomeGroup]], list[SomeGroup]]:
    """The groups that ask, by move, and those that are asked but for their last part."""
    places = len(sides.asking[0][1])
    after_asking = [sides.asking_reach(place + 1) + sides.asked_reach() for place in range(places)]
    after_asked = [sides.asked_reach(place + 1) + sides.asking_reach() for place in range(len(sides.asked) - 1)]
    askers = [(move, group) for move, parts in sides.asking for group in _merge_all(merge, start, parts, after_asking)]
    return askers, _merge_all(merge, start, sides.asked[:-1], after_asked)


def _count(counting: Counting, sides: Sides) -> Mapping[tuple[int, int, int, int], int]:
    askers, groups = _prepare(counting.merge, counting.unit, sides)
    total: dict[tuple[int, int, int, int], int] = defaultdict(int)
    for one in groups:
        for other in sides.asked[-1].groups if sides.asked else (counting.unit,):
            for key, number in counting.count(one, other, askers, sides.asking_reach()).items():
                total[key] += number
    return total


def _work(counting: Counting, sides: Sides) -> Work:
    """What `_count` would have to do, without looking at any pair."""
    work = Work()

    def outline(one: Outline, other: Outline, reach: Reach) -> Outline | None:
        nonlocal work
        found = counting.outline(one, other, reach)
        if found is None:
            return None
        group = found[0]
        work += Work(pairs=one.size * other.size, steps=1, memory=STATE_BYTES * group.size)
        return group

    start: Outline = counting.unit
    askers, groups = _prepare(outline, start, sides)
    for one in groups:
        for other in sides.asked[-1].groups if sides.asked else (counting.unit,):
            work += counting.work(one, other, askers, sides.asking_reach())
    return work


def _divided(classes: Classes, divisor: int) -> Classes:
    return {row: number // divisor for row, number in classes.items()}


def _whole(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """The number with these residues: the Chinese remainder theorem."""
    modulus = moduli[0] or 1 << 64
    value = residues[0] % modulus
    for residue, prime in zip(residues[1:], moduli[1:], strict=True):
        value += modulus * ((residue - value) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return value


def _in_words(number: float) -> str:
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:.1f} {name}"
    return f"{number:,.0f}"
