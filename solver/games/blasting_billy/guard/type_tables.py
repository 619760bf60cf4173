"""The states that one type's cards can be in at a public node, and how they change with what the mover sees.

Types do not mix: what the mover sees is about one type at a time, so the deals that fit a public history are all
combinations of one state of each type. A type's state is what can still matter of it to anybody: the cards of this
type in the others' hands (those with a turn left) and in the pile as bits by face, and every column as in the search
kernel: its total (SHOT or SAFE where only that matters), its cards (not Billy's), and its last card while dynamite can
still come onto it.
The mover's own hand is public to both sides and stands apart.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solver.games.blasting_billy.deck import DYNAMITE

if TYPE_CHECKING:
    from numpy.typing import NDArray

State = tuple[int, ...]
"""Each player's cards, the pile's, each player's column, Billy's column."""

SHOT = 128
"""The total of a column that Billy shoots whatever happens: more than SAFE with all of a type's cards."""
SAFE = 64
"""Billy's total where he shoots no column but those: more than all of a type's cards."""
GONE = -1
"""In a map: this state does not fit what was seen."""


class TypeTable:
    """The states of one type, and which players have laid a card in their column of it. Equal tables are one."""

    __slots__ = ("kind", "laid", "states")

    def __init__(self, kind: int, laid: tuple[bool, ...], states: tuple[State, ...]) -> None:
        self.kind = kind
        self.laid = laid
        self.states = states

    @property
    def size(self) -> int:
        return len(self.states)

    @property
    def players(self) -> int:
        return len(self.laid)

    def held(self, player: int) -> int:
        """How many cards of the type a player other than the mover holds; everybody sees that."""
        return self.states[0][player].bit_count()

    @property
    def piled(self) -> int:
        return self.states[0][self.players].bit_count()

    def faces_held(self, place: int) -> list[int]:
        """The faces that any state has in a hand, or in the pile (the place after the last player's)."""
        together = 0
        for state in self.states:
            together |= state[place]
        return faces(together)


class Change(NamedTuple):
    """A table after an event, and where each state went: [state, which of the cards]."""

    table: TypeTable
    places: "NDArray[np.intp]"


class TypeTables:
    """Tables and their changes, each worked out once. `work` counts the states gone through."""

    def __init__(self, mover: int) -> None:
        self._mover = mover
        self._tables: dict[tuple[int, tuple[bool, ...], tuple[State, ...]], TypeTable] = {}
        self._changes: dict[tuple[object, ...], Change] = {}
        self.work = 0

    def table(self, kind: int, laid: tuple[bool, ...], states: Iterable[State]) -> TypeTable:
        key = (kind, laid, tuple(states))
        return self._tables.setdefault(key, TypeTable(*key))

    def settle(self, table: TypeTable, turns: tuple[bool, ...], *, own: int, plays: int) -> Change:
        """Forget what can no longer matter, given who has a turn to come, the mover's own cards of the type as bits,
        and how many turns are to come: hands without a turn, last cards that dynamite cannot reach, and exact totals
        where it is certain whether Billy shoots.
        """

        def settled(state: State) -> tuple[State | None]:
            return (self._settled(state, turns, own, plays),)

        return self._change(("settle", table, turns, own, plays), table, table.laid, settled)

    def _settled(self, state: State, turns: tuple[bool, ...], own: int, plays: int) -> State:
        players = len(turns)
        hands = [cards if turn else 0 for cards, turn in zip(state, turns, strict=False)]
        pile, columns, billy = state[players], list(state[players + 1 : -1]), state[-1] & 0xFF00FF
        holding = [cards | pile for cards in hands]
        if turns[self._mover]:
            holding[self._mover] |= own
        live = reduce(or_, holding)
        if live >> DYNAMITE:
            columns = [
                column if cards >> DYNAMITE else column & 0xFFFF for column, cards in zip(columns, holding, strict=True)
            ]
            return (*hands, pile, *columns, billy)
        billy &= 0xFF
        most = sum(faces(live)[-plays:])
        columns = [column & 0xFF00 | SHOT if column & 0xFF > billy + most else column & 0xFFFF for column in columns]
        if all(column & SHOT or (column & 0xFF) + most <= billy for column in columns):
            billy = SAFE
        return (*hands, pile, *columns, billy)

    def lay(self, table: TypeTable, player: int, verb: str, *, shown: int | None) -> Change:
        """Another player lays a card, each of those held, or only the one that is shown."""
        laid = _claimed(table.laid, player) if verb == "claim" else table.laid

        def after(state: State) -> list[State | None]:
            return [
                _lay(_put(state, player, state[player] & ~(1 << face)), player, verb, face)
                if shown is None or shown == face
                else None
                for face in faces(state[player])
            ]

        return self._change(("lay", table, player, verb, shown), table, laid, after)

    def lay_own(self, table: TypeTable, verb: str, face: int) -> Change:
        """The mover lays a card."""
        laid = _claimed(table.laid, self._mover) if verb == "claim" else table.laid

        def after(state: State) -> tuple[State | None]:
            return (_lay(state, self._mover, verb, face),)

        return self._change(("own", table, verb, face), table, laid, after)

    def draw(self, table: TypeTable, player: int) -> Change:
        """Another player draws a card of the type, each of those in the pile."""
        pile = table.players

        def after(state: State) -> list[State | None]:
            return [
                _put(_put(state, pile, state[pile] & ~(1 << face)), player, state[player] | 1 << face)
                for face in faces(state[pile])
            ]

        return self._change(("draw", table, player), table, table.laid, after)

    def draw_own(self, table: TypeTable, face: int) -> Change:
        """The mover draws a card of the type and sees it."""
        pile = table.players

        def after(state: State) -> tuple[State | None]:
            return (_put(state, pile, state[pile] & ~(1 << face)) if state[pile] >> face & 1 else None,)

        return self._change(("draw", table, "own", face), table, table.laid, after)

    def _change(
        self,
        key: tuple[object, ...],
        table: TypeTable,
        laid: tuple[bool, ...],
        after: "Callable[[State], Iterable[State | None]]",
    ) -> Change:
        known = self._changes.get(key)
        if known is None:
            numbers: dict[State, int] = {}
            places = [
                [GONE if new is None else numbers.setdefault(new, len(numbers)) for new in after(state)]
                for state in table.states
            ]
            self.work += sum(map(len, places))
            known = Change(self.table(table.kind, laid, numbers), np.array(places, np.intp))
            self._changes[key] = known
        return known


def faces(bits: int) -> list[int]:
    """The faces of a set of cards."""
    return [face for face in range(DYNAMITE + 1) if bits >> face & 1]


def place(column: int, face: int) -> int:
    """The column with a card laid on it; dynamite goes off as it is laid."""
    if face < DYNAMITE:
        return (column & 0xFFFF) + face + 256 + (face << 16)
    return (column & 0xFFFF) - (column >> 16) - (256 if column & 0xFF00 else 0)


def _lay(state: State, player: int, verb: str, face: int) -> State:
    if verb == "dump":
        return state
    spot = len(state) - 1 if verb == "give" else len(state) // 2 + player
    return _put(state, spot, place(state[spot], face))


def _put(state: State, index: int, entry: int) -> State:
    return (*state[:index], entry, *state[index + 1 :])


def _claimed(laid: tuple[bool, ...], player: int) -> tuple[bool, ...]:
    return (*laid[:player], True, *laid[player + 1 :])
