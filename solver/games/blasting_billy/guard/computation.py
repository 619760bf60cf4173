"""Lens guard for Blasting Billy: the mover sees only their own cards, the others see every card and are one team.

Each root move becomes a game in sequence form, far smaller than the deals: see `classes`.
"""

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import is_hidden
from solver.deals import count_deals
from solver.errors import IllegalError, TooLargeError
from solver.games.blasting_billy.deck import TYPES
from solver.games.blasting_billy.guard.preflight import GuardSize, count_work, too_large
from solver.games.blasting_billy.guard.public_tree import Branch, PublicTree, Spot
from solver.games.blasting_billy.guard.type_tables import GONE, State, TypeTables, place
from solver.games.blasting_billy.hidden import hidden_pools
from solver.games.blasting_billy.rules import choices
from solver.games.blasting_billy.search.deal_classes import DealClasses
from solver.games.blasting_billy.search.layout import ABSENT, BILLY, HAND, LOOT, PILE, Layout
from solver.games.blasting_billy.table import Move, Position
from solver.watch import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.sequence_form import SequenceGame
    from solver.shortcuts import Question

MOST_DEALS = 1 << 56
"""Weights have to be whole numbers that fit, chances of draws included."""
MOST_LISTED = 1 << 16
"""Deals of one type that are looked at in one go."""
MOST_STATES = 2 * 10**8
"""More joint states than this at the root are not even counted."""


def mover_decides_again(position: Position) -> bool:
    """Whether the mover has another turn. If not, nothing is left to guard: the values are those of lens open."""
    return position.size > 0


def prepare_guard(question: "Question") -> "GuardComputation":
    """The computation for a question in which its own player is to move."""
    position: Position = question.position
    moves = choices(position)
    assert position.to_move is not None
    if any(map(is_hidden, position.hands[position.to_move])):
        mover = position.players[position.to_move]
        raise IllegalError(
            f"lens guard is about what {mover} can do with cards that {mover} knows: write the value of every card "
            f"in {mover}'s hand, or ask for lens open"
        )
    return GuardComputation(position, question.objective, moves)


class _Start:
    """The root: a table of states for each type, and how many deals each state stands for."""

    def __init__(self, position: Position) -> None:
        self._layout = Layout(position)
        self._position = position
        mover = position.to_move
        assert mover is not None
        self._mover = mover
        self.players = len(position.players)
        self.tables = TypeTables(mover)
        self.masses: list[NDArray[np.int64]] = []
        turns = position.size + self.players
        self.tree = PublicTree(self.tables, mover=mover, players=self.players, turns=turns)
        kinds = [kind for kind in TYPES if (self._layout.zones[kind] != ABSENT).any()]
        listed = [self._states(kind) for kind in kinds]
        tables = [
            self.tables.table(kind, tuple(bool(loot[kind]) for loot in position.loots), found)
            for kind, found in zip(kinds, listed, strict=True)
        ]
        hand = tuple(sorted(position.hands[mover]))
        self.spot, places = self.tree.settled(Spot(turns, tuple(tables), hand, position.top))
        for table, found, place_of in zip(self.spot.tables, listed, places, strict=True):
            mass = np.zeros(table.size, np.int64)
            np.add.at(mass, place_of, np.array(list(found.values()), np.int64))
            self.masses.append(mass)

    def mass_after(self, branch: Branch) -> "NDArray[np.int64]":
        """For each joint state after the first move and draw, how many deals lead there."""
        result = np.ones(1, np.int64)
        for table, mass, places in zip(branch.spot.tables, self.masses, branch.indices(0, 0), strict=True):
            fits = places != GONE
            after = np.zeros(table.size, np.int64)
            np.add.at(after, places[fits], mass[fits])
            result = np.multiply.outer(result, after).reshape(-1)
        return result

    def _states(self, kind: int) -> dict[State, int]:
        """The type's states and how many of its deals each stands for."""
        part = copy(self._layout)
        part.hidden = tuple(hidden for hidden in part.hidden if hidden.kind == kind)
        result: dict[State, int] = {}
        for deals, numbers in DealClasses(part).batches(MOST_LISTED):
            for row, number in zip(deals[:, kind].tolist(), numbers.tolist(), strict=True):
                state = self._state(kind, row)
                result[state] = result.get(state, 0) + number
        return result

    def _state(self, kind: int, row: list[int]) -> State:
        hands, columns, pile = [0] * self.players, [0] * (self.players + 1), 0
        for zone, face in zip(self._layout.zones[kind].tolist(), row, strict=True):
            if HAND <= zone < LOOT:
                hands[zone - HAND] |= 1 << face
            elif LOOT <= zone < BILLY:
                columns[zone - LOOT] = place(columns[zone - LOOT], face)
            elif zone == BILLY:
                columns[-1] = place(columns[-1], face)
            elif zone == PILE:
                pile |= 1 << face
        hands[self._mover] = 0
        return (*hands, pile, *columns)


class GuardComputation:
    """What every root move guarantees, prepared but not yet begun."""

    def __init__(self, position: Position, objective: str, moves: tuple[Move, ...]) -> None:
        self._position = position
        self._moves = moves
        self._margin = objective == "margin"
        self._deals = count_deals(hidden_pools(position))

    @cached_property
    def size(self) -> GuardSize:
        """Found in well under a second; infinite where even counting would take longer."""
        if self._deals > MOST_DEALS or _fewest_states(self._position) > MOST_STATES:
            return too_large(self._deals)
        start = self._start
        if start is None or start.spot.states > MOST_STATES:
            return too_large(self._deals)
        return count_work(start.tree, start.tables, start.spot, self._moves, self._deals)

    @cached_property
    def _start(self) -> _Start | None:
        try:
            return _Start(self._position)
        except TooLargeError:
            return None

    def load(self) -> None:
        """Have the kernels compiled, or loaded from where they were kept, before time counts."""
        from solver.games.blasting_billy.guard import classes

        classes.load()

    def games(self, watch: Watch) -> "Iterator[tuple[Move, SequenceGame]]":
        """The game in sequence form after each root move, in canonical order: side 0 is the mover."""
        from solver.games.blasting_billy.guard.classes import Merging
        from solver.games.blasting_billy.guard.sequences import MASS, Flow, GameBuilder

        if not mover_decides_again(self._position):
            raise IllegalError("the mover has no further turn: lens guard is the same as lens open")
        if self.size.states == float("inf") or self._start is None:
            raise TooLargeError(f"lens guard: {self.size.words}")
        start = self._start
        merging = Merging(start.tree, self._setting, watch)
        for move in self._moves:
            builder = GameBuilder(watch)
            for branch in start.tree.move_own(start.spot, [move]).branches:
                node = merging.node(branch.spot)
                flow = np.zeros(len(node.rows), np.int64)
                np.add.at(flow, node.classes, start.mass_after(branch))
                numbers = np.flatnonzero(flow)
                builder.add(node, Flow(numbers, np.full(len(numbers), MASS), flow[numbers]), branch.chance)
            yield move, builder.game(self._deals * self._unit)

    @property
    def _unit(self) -> int:
        from solver.games.blasting_billy.search._table_kernel import SHARE

        return SHARE if len(self._position.players) > 2 else 1

    @property
    def _setting(self) -> tuple[int, int, int, int]:
        from solver.games.blasting_billy.search._table_kernel import COALITION, MARGIN, WIN

        players, mover = len(self._position.players), self._position.to_move
        assert mover is not None
        if players > 2:
            return players, mover, COALITION, 0
        return (players, mover, MARGIN, -1000) if self._margin else (players, mover, WIN, -1)


def _fewest_states(position: Position) -> int:
    """How many states there are at least: ways to fill the others' hands and the pile. Facts are left aside."""
    ways = 1
    for pool in hidden_pools(position):
        left = len(pool.cards)
        if not pool.statements:
            for cell in pool.cells:
                if ".hand." in cell.name or cell.name.startswith("pile."):
                    ways *= comb(left, cell.size)
                    left -= cell.size
    return ways
