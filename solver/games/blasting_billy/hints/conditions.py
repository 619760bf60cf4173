"""In which deals a move gains: the one hidden card or total that tells them best from the others."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import HIDDEN
from solver.games.blasting_billy.deck import DYNAMITE, TYPES
from solver.games.blasting_billy.hints.measures import PICKING, share
from solver.games.blasting_billy.search.layout import BILLY, HAND, LOOT, Layout
from solver.solution import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Faces = NDArray[np.int8]
    Numbers = NDArray[np.int64]
    Holds = NDArray[np.bool_]

FEWEST = 0.05
"""A condition that holds, or fails, more rarely is no kind of deal."""
TELLING = 0.3
"""The least correlation with the gain that is worth a sentence."""
NONE = -1
"""Stands for dynamite, or for no such card, where a number is compared."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What may be true of the hidden cards."""

    where: str
    """`card`: a card of a column; `hand`: some card held; `total`: a column as it stands; `above`: a player's column
    that is above Billy's as things stand."""
    player: int | None
    """None: Billy."""
    type: int
    place: int
    """Which card of the column, from 1."""
    compare: str
    """`>=` or `<=` the number, or `!` for dynamite; `>` where it says above."""
    number: int


@dataclass(frozen=True, slots=True)
class Separation:
    """A condition, how often it holds, and how often the move gains and loses where it holds and elsewhere."""

    condition: Condition
    share: Value
    better: Value
    worse: Value
    better_else: Value
    worse_else: Value


def separate(layout: Layout, cards: "Faces", ahead: "NDArray[np.float64]") -> Separation | None:
    """The most telling condition under which the move is ahead, if there is a telling one."""
    first = len(ahead) // PICKING
    gain = np.sign(ahead)
    best, strength = None, TELLING
    for condition, holds in conditions(layout, cards):
        found = correlation(holds[:first], gain[:first])
        if found > strength + 1e-9:
            best, strength = (condition, holds[first:]), found
    if best is None:
        return None
    (condition, holds), gain = best, gain[first:]
    if correlation(holds, gain) < TELLING or gain[holds].mean() <= 0:
        return None
    inside, outside = gain[holds], gain[~holds]
    return Separation(
        condition, share(holds), share(inside > 0), share(inside < 0), share(outside > 0), share(outside < 0)
    )


def correlation(holds: "Holds", gain: "NDArray[np.float64]") -> float:
    """Between a condition and the gain; 0 where there is too little of either."""
    often = float(holds.mean()) if len(holds) else 0.0
    if not FEWEST <= often <= 1 - FEWEST or not gain.std():
        return 0.0
    difference = float(gain[holds].mean() - gain[~holds].mean())
    return difference * sqrt(often * (1 - often)) / float(gain.std())


def conditions(layout: Layout, cards: "Faces") -> "Iterator[tuple[Condition, Holds]]":
    """Everything simple that can be said of the hidden cards, single cards first, with the deals in which it holds."""
    players = range(len(layout.position.players))
    for kind in TYPES:
        hidden, zones, places = layout.faces[kind] == HIDDEN, layout.zones[kind], layout.places[kind]
        for slot in np.flatnonzero(hidden & (zones >= LOOT) & (zones <= BILLY)).tolist():
            player = None if zones[slot] == BILLY else int(zones[slot]) - LOOT
            yield from _compared(("card", player, kind, int(places[slot]) + 1), cards[:, kind, slot].astype(np.int64))
        for seat in players:
            slots = np.flatnonzero(hidden & (zones == HAND + seat))
            if len(slots) and seat != layout.position.me:
                yield from _held(seat, kind, cards[:, kind, slots].astype(np.int64))
        billy = column_total(layout, cards, kind, BILLY)
        yield from _compared(("total", None, kind, 0), billy, dynamite=False)
        for seat in players:
            loot = column_total(layout, cards, kind, LOOT + seat)
            yield from _compared(("total", seat, kind, 0), loot, dynamite=False)
            yield Condition("above", seat, kind, 0, ">", 0), loot > billy
            yield Condition("above", seat, kind, 0, "<=", 0), loot <= billy


def _held(seat: int, kind: int, faces: "Numbers") -> "Iterator[tuple[Condition, Holds]]":
    yield Condition("hand", seat, kind, 0, "!", 0), (faces == DYNAMITE).any(axis=1)
    numbers = np.where(faces == DYNAMITE, NONE, faces)
    for bound in np.unique(numbers[numbers != NONE]).tolist():
        yield Condition("hand", seat, kind, 0, ">=", bound), (numbers >= bound).any(axis=1)
        yield Condition("hand", seat, kind, 0, "<=", bound), ((numbers <= bound) & (numbers != NONE)).any(axis=1)


def _compared(
    what: tuple[str, int | None, int, int], numbers: "Numbers", *, dynamite: bool = True
) -> "Iterator[tuple[Condition, Holds]]":
    known = numbers != DYNAMITE if dynamite else np.ones(len(numbers), np.bool_)
    if dynamite:
        yield Condition(*what, "!", 0), ~known
    for bound in np.unique(numbers[known]).tolist():
        yield Condition(*what, ">=", bound), known & (numbers >= bound)
        yield Condition(*what, "<=", bound), known & (numbers <= bound)


def column_total(layout: Layout, cards: "Faces", kind: int, zone: int) -> "Numbers":
    """What a column is worth in each deal as it stands, after dynamite."""
    slots = np.flatnonzero(layout.zones[kind] == zone)
    total = before = np.zeros(len(cards), np.int64)
    for slot in slots[np.argsort(layout.places[kind, slots], kind="stable")]:
        face = cards[:, kind, slot].astype(np.int64)
        explodes = face == DYNAMITE
        total = np.where(explodes, total - before, total + face)
        before = np.where(explodes, 0, face)
    return total
