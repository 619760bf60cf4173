"""Deals of a public node that nothing can tell apart from here on, merged from the end of the game backwards.

At the mover's last turn a deal matters only by what each of the mover's moves is worth in it; before, by which
classes its moves and draws lead to. What is left is a small graph of classes: it no longer grows with the deals.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.cards import back_of, face_of
from solver.games.blasting_billy._rows_kernel import intern_rows
from solver.games.blasting_billy.guard import _guard_kernel as kernel
from solver.games.blasting_billy.guard.public_tree import PublicTree, Spot, Turn, last_moves, own_moves
from solver.games.blasting_billy.guard.type_tables import GONE, State, TypeTable, faces, place
from solver.games.blasting_billy.search._table_kernel import part
from solver.games.blasting_billy.table import Move
from solver.watch import Watch

Ids = NDArray[np.int32]
Bounds = tuple[Ids, Ids]
"""For each class, what the mover gets at least and at most, however the mover plays and whatever is drawn, when the
team plays well."""
HUGE = np.int32(1 << 30)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The mover's last turn: `rows` say what each move is worth in each class."""

    classes: Ids
    """[joint state]: its class."""
    rows: Ids

    @property
    def bounds(self) -> Bounds:
        return self.rows.min(axis=1), self.rows.max(axis=1)


@dataclass(frozen=True, slots=True)
class Child:
    """A public node that follows, the chance of what leads there, and the number its classes begin with."""

    node: "Node"
    chance: Fraction
    first: int
    action: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn of the mover before the last: `rows` say, for each class, the class in each child or GONE."""

    classes: Ids
    rows: Ids
    children: tuple[Child, ...]
    actions: int

    @property
    def bounds(self) -> Bounds:
        return _spread(self.rows, self.children)


@dataclass(frozen=True, slots=True)
class Reply:
    """A turn of the team: each class has actions (GONE beyond the last), each action leads to classes of children."""

    classes: Ids
    rows: Ids
    actions: Ids
    children: tuple[Child, ...]

    @property
    def bounds(self) -> Bounds:
        low, high = _spread(self.actions, self.children)
        there = self.rows != GONE
        return (
            np.where(there, low[self.rows], HUGE).min(axis=1),
            np.where(there, high[self.rows], HUGE).min(axis=1),
        )


Node = Leaf | Choice | Reply


class Merging:
    """Merges the states of public nodes. `setting` is players, mover, goal and the lowest value."""

    def __init__(self, tree: PublicTree, setting: tuple[int, int, int, int], watch: Watch) -> None:
        self._tree = tree
        self._setting = np.array(setting, np.int64)
        self._players, self._mover = setting[:2]
        self._watch = watch
        self._nodes: dict[Spot, Node] = {}
        self._entries = cache(self._find_entries)

    def node(self, spot: Spot) -> Node:
        known = self._nodes.get(spot)
        if known is None:
            self._watch.check()
            if not self._tree.is_mover(spot):
                known = self._reply(spot)
            elif self._tree.is_last(spot):
                known = self._leaf(spot)
            else:
                known = self._choice(spot)
            self._nodes[spot] = known
        return known

    def _leaf(self, spot: Spot) -> Leaf:
        columns: dict[bytes, Ids] = {}
        for move in last_moves(spot):
            self._watch.check()
            found = np.empty(spot.states, np.int32)
            tables = [self._entries(table, move if move and back_of(move.card) == table.kind else None, spot.turns)
                      for table in spot.tables]  # fmt: skip
            sizes = np.array(spot.shape, np.int64)
            starts = np.concatenate([counts for counts, _ in tables])
            starts = np.concatenate(([0], np.cumsum(starts)))
            entries = np.concatenate([listed for _, listed in tables])
            kernel.last_values(sizes, starts, entries, self._setting, found)
            columns.setdefault(found.tobytes(), found)
        rows = np.stack(_undominated(list(columns.values())), axis=1)
        classes, firsts = intern(rows)
        return Leaf(classes, rows[firsts])

    def _find_entries(
        self, table: TypeTable, move: Move | None, turns: int
    ) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """How many entries each state has after the mover's move, and all of them: as the kernel wants them."""
        order = [(self._mover + number) % self._players for number in range(1, turns)]
        counts, entries = [], []
        for state in table.states:
            columns = state[self._players + 1 :]
            if move is not None and move.verb != "dump":
                columns = _lay(columns, self._mover, move.verb, face_of(move.card))
            found = {(0, columns)}
            for seat in order:
                found |= {
                    (bits | 1 << seat, _lay(laid, seat, verb, face))
                    for bits, laid in found
                    for verb in ("give", "claim")
                    for face in faces(state[seat])
                }
            listed = sorted({(bits, *(part(column, laid[-1] & 255) for column in laid[:-1])) for bits, laid in found})
            counts.append(len(listed))
            entries.extend(listed)
        return np.array(counts, np.int64), np.array(entries, np.int64)

    def _choice(self, spot: Spot) -> Choice:
        turn = self._tree.move_own(spot, own_moves(spot))
        columns, children = self._open(spot, turn)
        rows = np.stack([columns[branch.action, branch.column] for branch in turn.branches], axis=1)
        classes, firsts = intern(rows)
        return Choice(classes, rows[firsts], children, turn.actions)

    def _reply(self, spot: Spot) -> Reply:
        turn = self._tree.move_other(spot)
        columns, children = self._open(spot, turn)
        groups = {(branch.column, branch.draws) for branch in turn.branches}
        chosen, listed = list[Ids](), list[Ids]()
        for action in range(turn.actions):
            self._watch.check()
            rows = np.stack([columns.pop((action, column)) for column in range(turn.columns)], axis=1)
            for first, draws in groups:
                rows[:, first : first + draws].sort(axis=1)
            ids, firsts = intern(rows)
            chosen.append(ids + sum(map(len, listed)))
            listed.append(rows[firsts])
        actions = np.concatenate(listed)
        ids, firsts = intern(actions)
        self._watch.check()
        rows = np.stack([ids[each] for each in chosen], axis=1)
        _sort_different(rows)
        self._watch.check()
        classes, reps = intern(rows)
        fewer = _pruned(rows[reps], actions[firsts], children, self._watch)
        onward, reps = intern(fewer)
        return Reply(onward[classes], fewer[reps], actions[firsts], children)

    def _open(self, spot: Spot, turn: Turn) -> "tuple[dict[tuple[int, int], Ids], tuple[Child, ...]]":
        """The class that every state goes to, by move and draw, numbered through all children; and the children."""
        columns: dict[tuple[int, int], Ids] = {}
        children, first = list[Child](), 0
        for branch in turn.branches:
            self._watch.check()
            node = self.node(branch.spot)
            grid = node.classes.reshape(branch.spot.shape)
            for card in range(branch.cards):
                for draw in range(branch.draws):
                    _enter(
                        columns, (branch.action + card, branch.column + draw), branch.gather(grid, card, draw), first
                    )
            children.append(Child(node, branch.chance, first, branch.action))
            first += len(node.rows)
        return columns, tuple(children)


def _enter(columns: "dict[tuple[int, int], Ids]", key: tuple[int, int], found: Ids, first: int) -> None:
    """Several branches share a column where a face shows: each fills in the states that fit it."""
    numbers = np.where(found == GONE, GONE, found + np.int32(first))
    known = columns.get(key)
    columns[key] = numbers if known is None else np.maximum(known, numbers)


def load() -> None:
    """Have the kernels compiled, or loaded."""
    intern(np.zeros((1, 1), np.int32))
    sizes, starts = np.ones(1, np.int64), np.array([0, 1], np.int64)
    entries, setting = np.zeros((1, 3), np.int64), np.array([2, 0, 0, -1], np.int64)
    kernel.last_values(sizes, starts, entries, setting, np.zeros(1, np.int32))


def intern(rows: Ids) -> "tuple[Ids, NDArray[np.int64]]":
    """Each row's class, and where each class first occurs."""
    ids, firsts = intern_rows(np.ascontiguousarray(rows))
    return ids, firsts


def _sort_different(rows: Ids) -> None:
    """Sort every row from high to low, in place; what occurs again is GONE and stands last."""
    rows *= -1
    rows.sort(axis=1)
    again = np.zeros(rows.shape, np.bool_)
    again[:, 1:] = rows[:, 1:] == rows[:, :-1]
    rows[again] = -GONE
    rows.sort(axis=1)
    rows *= -1


def _spread(rows: Ids, children: tuple[Child, ...]) -> Bounds:
    """The lowest and the highest bounds of what each row may lead to."""
    bounds = [child.node.bounds for child in children]
    low = np.concatenate([*(low for low, _ in bounds), [HUGE]])
    high = np.concatenate([*(high for _, high in bounds), [-HUGE]])  # GONE finds the last
    return low[rows].min(axis=1), high[rows].max(axis=1)


def _pruned(rows: Ids, actions: Ids, children: tuple[Child, ...], watch: Watch) -> Ids:
    """The team's moves in each class, without those that another one is never worse than.

    One is never worse where the mover gets at most what the mover gets at least after the other; or where both lead
    to the same last turn of the mover's, and it is not better for the mover with any move.
    """
    low, high = _spread(actions, children)
    leaves = _leaf_rows(actions, children)
    rows = rows.copy()
    for better in range(rows.shape[1]):
        watch.check()
        for worse in range(rows.shape[1]):
            one, other = rows[:, better], rows[:, worse]
            pairs = np.flatnonzero((one != GONE) & (other != GONE) & (one != other))
            one, other = one[pairs], other[pairs]
            never_worse = high[one] <= low[other]
            if leaves is not None:
                never_worse |= (leaves[one] <= leaves[other]).all(axis=1)
            rows[pairs[never_worse], worse] = GONE
    _sort_different(rows)
    return rows


def _leaf_rows(actions: Ids, children: tuple[Child, ...]) -> Ids | None:
    """What each action is worth with each last move of the mover's, and columns that only rows of one child share."""
    if actions.shape[1] > 1 or not all(isinstance(child.node, Leaf) for child in children):
        return None
    width = max(child.node.rows.shape[1] for child in children)
    parts = []
    for number, child in enumerate(children):
        rows = child.node.rows
        padded = np.zeros((len(rows), width + 2), np.int32)
        padded[:, : rows.shape[1]] = rows
        padded[:, width:] = number, -number
        parts.append(padded)
    result: Ids = np.concatenate(parts)[actions[:, 0]]
    return result


def _undominated(columns: "list[Ids]") -> "list[Ids]":
    """Without the moves that another one is never worse than; all of them are different."""
    return [
        column
        for number, column in enumerate(columns)
        if not any(other != number and (columns[other] >= column).all() for other in range(len(columns)))
    ]


def _lay(columns: State, seat: int, verb: str, face: int) -> State:
    spot = len(columns) - 1 if verb == "give" else seat
    return (*columns[:spot], place(columns[spot], face), *columns[spot + 1 :])
