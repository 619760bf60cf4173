"""The assignments of one type's hidden cards, merged where nothing that is still to come can tell them apart.

What counts of the cards on the table is each column's total and number of cards, and its last card as long as dynamite
may still be laid on it. Hidden cards are laid slot by slot, and after every slot what has become the same is merged:
the order inside Billy's column and the whole box vanish on the way.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card, back_of, face_of, is_hidden
from solver.deals.pools import Pool
from solver.games.blasting_billy.deck import DYNAMITE, NAMES
from solver.games.blasting_billy.hidden import count_pile, hidden_pools
from solver.games.blasting_billy.table import Move, Position

Ints = NDArray[np.int32]

MINE, OTHERS, BILLYS = 0, 3, 6
"""Where a column's fields begin: total, number of cards (players only), last card."""


@dataclass(frozen=True, slots=True)
class Assignments:
    """One type between two players, a row for each merged assignment.

    Fields of `columns`: total, number and last card of the mover's column, the same of the other's, total and last card
    of Billy's. `faces`: the cards that can still be played: the other's hand, then the pile in the order its cards will
    be drawn, then the mover's hand, whose cards are `own`. `ways` are in proportion to the number of deals.
    """

    columns: Ints
    faces: Ints
    ways: NDArray[np.int64]
    others_hand: int
    pile: int
    own: tuple[Card, ...]

    def after(self, move: Move) -> "Assignments":
        """The same once the mover has given, claimed or dumped one of their cards; it stays among the faces."""
        columns = self.columns.copy()
        if move.verb == "give":
            _lay(columns, BILLYS, np.full(len(columns), face_of(move.card), np.int32))
        elif move.verb == "claim":
            _lay(columns, MINE, np.full(len(columns), face_of(move.card), np.int32))
        return Assignments(columns, self.faces, self.ways, self.others_hand, self.pile, self.own)


NOTHING = Assignments(np.zeros((1, 8), np.int32), np.zeros((1, 0), np.int32), np.ones(1, np.int64), 0, 0, ())
"""A type in which there is nothing to do and nothing to have."""


def assign(position: Position, kind: int) -> Assignments:
    """All assignments of a type, with the numbers of ways to draw the pile's cards in order."""
    assert position.to_move is not None
    letter = NAMES.backs[kind]
    mine, other = position.to_move, 1 - position.to_move
    pool = next((pool for pool in hidden_pools(position) if pool.name == letter), Pool(letter, (), ()))
    laying = _Laying(pool)
    for number, card in enumerate(position.billy_cards(kind), 1):
        laying.lay(BILLYS, card, f"billy.{letter}.{number}")
    for seat, column in ((mine, MINE), (other, OTHERS)):
        for card in position.loots[seat][kind]:
            laying.lay(column, card, f"{position.players[seat]}.loot.{letter}")
    hand = [card for card in position.hands[other] if back_of(card) == kind]
    laying.hold(hand, f"{position.players[other]}.hand.{letter}")
    pile = count_pile(position, kind)
    for _ in range(pile):
        laying.draw(f"pile.{letter}")
    own = tuple(card for card in position.hands[mine] if back_of(card) == kind)
    return laying.result(own, len(hand), pile)


class _Laying:
    """Rows under way: which of the pool's cards are used (as bits), the columns, and the cards that can be played."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._faces = [face_of(card) for card in pool.cards]
        self._cells = {cell.name: number for number, cell in enumerate(pool.cells)}
        self._used = np.zeros(1, np.int64)
        self._columns = np.zeros((1, 8), np.int32)
        self._held = np.zeros((1, 0), np.int32)
        self._ways = np.ones(1, np.int64)

    def lay(self, column: int, card: Card, place: str) -> None:
        """The next card of a column."""
        if is_hidden(card):
            faces = self._pick(place)
            _lay(self._columns, column, faces)
            self._merge()
        else:
            _lay(self._columns, column, np.full(len(self._ways), face_of(card), np.int32))

    def hold(self, hand: Sequence[Card], place: str) -> None:
        """A hand, as a set: its hidden cards in rising order."""
        begin = self._held.shape[1]
        for card in hand:
            if is_hidden(card):
                faces = self._pick(place, rising=self._held.shape[1] > begin)
            else:
                faces = np.full(len(self._ways), face_of(card), np.int32)
                begin += 1
            self._held = np.column_stack((self._held, faces))
        for known in self._pool.statements:
            if not known.every and known.cell == self._cells.get(place):
                wanted = [face_of(card) for card in known.cards]
                self._keep(np.asarray(np.isin(self._held[:, begin:], wanted).any(axis=1)))
        self._merge()

    def draw(self, place: str) -> None:
        """The next card of the pile."""
        faces = self._pick(place)
        self._held = np.column_stack((self._held, faces))
        self._merge()

    def _pick(self, place: str, *, rising: bool = False) -> Ints:
        """Split every row by the card that the next hidden slot holds; with `rising`, above the one held before."""
        cell = self._cells[place]
        picks = []
        for number, card in enumerate(self._pool.cards):
            if not all(card in known.cards for known in self._pool.statements if known.cell == cell and known.every):
                continue
            fits = (self._used >> number) & 1 == 0
            if rising:
                fits &= self._held[:, -1] < self._faces[number]
            rows = np.flatnonzero(fits)
            picks.append((rows, np.full(len(rows), number)))
        rows = np.concatenate([rows for rows, _ in picks])
        numbers = np.concatenate([numbers for _, numbers in picks])
        self._used = self._used[rows] | (np.int64(1) << numbers)
        self._columns, self._held, self._ways = self._columns[rows], self._held[rows], self._ways[rows]
        return np.asarray(np.array(self._faces, np.int32)[numbers])

    def _keep(self, wanted: NDArray[np.bool_]) -> None:
        self._used, self._columns = self._used[wanted], self._columns[wanted]
        self._held, self._ways = self._held[wanted], self._ways[wanted]

    def _merge(self) -> None:
        fields = np.column_stack((self._used, self._columns, self._held)).astype(np.int64)
        first, self._ways = merge_rows(fields, self._ways)
        self._used, self._columns, self._held = self._used[first], self._columns[first], self._held[first]

    def result(self, own: tuple[Card, ...], others_hand: int, pile: int) -> Assignments:
        mine = np.tile(np.array([face_of(card) for card in own], np.int32), (len(self._ways), 1))
        faces = np.column_stack((self._held, mine)).astype(np.int32)
        threatened = (faces == DYNAMITE).any(axis=1)
        columns = self._columns.copy()
        for last in (MINE + 2, OTHERS + 2, BILLYS + 1):
            columns[~threatened, last] = 0
        first, ways = merge_rows(np.column_stack((columns, faces)).astype(np.int64), self._ways)
        columns, faces = np.ascontiguousarray(columns[first]), np.ascontiguousarray(faces[first])
        return Assignments(columns, faces, ways // np.gcd.reduce(ways), others_hand, pile, own)


def _lay(columns: Ints, at: int, faces: Ints) -> None:
    """Lay a card on a column in every row: dynamite leaves together with the card before it."""
    last = at + 1 if at == BILLYS else at + 2
    blast = faces == DYNAMITE
    columns[:, at] += np.where(blast, -columns[:, last], faces)
    if at != BILLYS:
        columns[:, at + 1] += np.where(blast, -(columns[:, at + 1] > 0).astype(np.int32), 1)
    columns[:, last] = np.where(blast, 0, faces)


def merge_rows(fields: NDArray[np.int64], ways: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Rows with equal fields as one: the number of a row that stands for each, and their ways added up."""
    order = np.lexsort(fields.T[::-1]) if fields.shape[1] else np.arange(len(fields))
    ordered = fields[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return order[starts], np.add.reduceat(ways[order], starts)
