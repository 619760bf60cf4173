"""Lens guard for Blasting Billy: the mover sees only their own cards, the others see every card and are one team.

Each root move becomes a game in sequence form, far smaller than the deals: see `classes`.
"""

from collections.abc import Iterator
from copy import copy
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import is_hidden
from solver.deals import count_deals
from solver.errors import IllegalError, TooLargeError
from solver.games.blasting_billy.deck import TYPES
from solver.games.blasting_billy.guard.preflight import MOST_WEIGHT, GuardSize, count_work, too_large, too_many
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
    """The root: a table of states for each type, and in which proportions deals lie in them.

    Of each type the numbers of deals have a large common divisor, as cards that lie in one column may often be put
    in any order. They are divided by it: `divisor` is the product over all types.
    """

    def __init__(self, position: Position, watch: Watch) -> None:
        self._layout = Layout(position)
        self._position = position
        mover = position.to_move
        assert mover is not None
        self._mover = mover
        self.players = len(position.players)
        self.tables = TypeTables(mover)
        self.masses: list[NDArray[np.int64]] = []
        self.divisor = 1
        turns = position.size + self.players
        self.tree = PublicTree(self.tables, mover=mover, players=self.players, turns=turns)
        kinds = [kind for kind in TYPES if (self._layout.zones[kind] != ABSENT).any()]
        listed = [self._states(kind, watch) for kind in kinds]
        tables = [
            self.tables.table(kind, tuple(bool(loot[kind]) for loot in position.loots), found)
            for kind, found in zip(kinds, listed, strict=True)
        ]
        hand = tuple(sorted(position.hands[mover]))
        self.spot, places = self.tree.settled(Spot(turns, tuple(tables), hand, position.top))
        for table, found, place_of in zip(self.spot.tables, listed, places, strict=True):
            mass = np.zeros(table.size, np.int64)
            np.add.at(mass, place_of, np.array(list(found.values()), np.int64))
            divisor = int(np.gcd.reduce(mass))
            self.divisor *= divisor
            self.masses.append(mass // divisor)

    def mass_after(self, branch: Branch) -> "NDArray[np.int64]":
        """For each joint state after the first move and draw, how many deals lead there, divided by `divisor`."""
        result = np.ones(1, np.int64)
        for table, mass, places in zip(branch.spot.tables, self.masses, branch.indices(0, 0), strict=True):
            fits = places != GONE
            after = np.zeros(table.size, np.int64)
            np.add.at(after, places[fits], mass[fits])
            result = np.multiply.outer(result, after).reshape(-1)
        return result

    def _states(self, kind: int, watch: Watch) -> dict[State, int]:
        """The type's states and how many of its deals each stands for."""
        watch.check()
        part = copy(self._layout)
        part.hidden = tuple(hidden for hidden in part.hidden if hidden.kind == kind)
        result: dict[State, int] = {}
        for deals, numbers in DealClasses(part).batches(MOST_LISTED):
            watch.check()
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
        self._size: GuardSize | None = None
        self._start: _Start | None = None

    def measure(self, watch: Watch) -> GuardSize:
        """The states of every type are listed and the public tree is walked, which takes seconds where columns are
        long. Infinite where the game cannot be gone through, or where what it guarantees could not be proved.
        Raises Stopped when the watch ends first."""
        if self._size is None:
            self._size = self._measure(watch)
        return self._size

    def _measure(self, watch: Watch) -> GuardSize:
        if _fewest_states(self._position) > MOST_STATES:
            return too_large(self._deals)
        try:
            start = self._start = _Start(self._position, watch)
        except TooLargeError:
            return too_large(self._deals)
        if start.spot.states > MOST_STATES:
            return too_large(self._deals)
        orders = factorial(self._position.size)
        if self._deals // start.divisor * orders > MOST_WEIGHT:
            return too_many(self._deals, orders)
        return count_work(start.tree, start.tables, start.spot, self._moves, self._deals, watch)

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
        size, start = self.measure(watch), self._start
        if size.states == float("inf") or start is None:
            raise TooLargeError(f"lens guard: {size.words}")
        merging = Merging(start.tree, self._setting, watch)
        for move in self._moves:
            builder = GameBuilder(watch)
            for branch in start.tree.move_own(start.spot, [move]).branches:
                node = merging.node(branch.spot)
                flow = np.zeros(len(node.rows), np.int64)
                np.add.at(flow, node.classes, start.mass_after(branch))
                numbers = np.flatnonzero(flow)
                builder.add(node, Flow(numbers, np.full(len(numbers), MASS), flow[numbers]), branch.chance)
            yield move, builder.game(self._deals // start.divisor * self._unit)

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
