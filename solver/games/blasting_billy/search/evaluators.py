"""Perfect-information search of single deals, in lens open: after the first move everybody sees every card.

Only the order of the pile stays unknown to everyone (`StateSearch`), or is sampled with the deal and known as well
(`OrderSearch`, which reaches deeper piles and is biased).
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial, lcm
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import back_of, face_of
from solver.games.blasting_billy.deck import TYPES, worth
from solver.games.blasting_billy.rules import choices
from solver.games.blasting_billy.search.deal_classes import DealClasses
from solver.games.blasting_billy.search.layout import HAND, PILE, SLOTS, Layout
from solver.games.blasting_billy.search.lines import SHARE_NAMES, Lines
from solver.games.blasting_billy.table import VERBS, Move, Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.shortcuts import Question

UNORDERED = {
    (2, False): ((1e-6, 2.5e-6, 6e-6, 3e-5, 1.7e-4, 1.7e-3, 2.8e-2), 16.0),
    (3, False): ((3e-6, 1e-5, 2e-5, 2e-4, 3e-3), 15.0),
    (4, False): ((3e-6, 3e-5, 1e-4, 1e-3), 15.0),
    (5, False): ((3e-6, 4e-5, 1e-3), 15.0),
    (3, True): ((7e-6, 3e-5, 1e-4, 1e-3), 20.0),
    (4, True): ((3e-5, 1.7e-4, 1e-3), 20.0),
    (5, True): ((2e-4, 1.2e-3, 1.1e-2), 20.0),
}
"""By the number of players and whether they are rivals: seconds for piles from 0 on, and growth with each card more."""
ORDERED = {
    (2, False): ((1e-6, 2.5e-6, 6e-6, 3e-5, 7e-5), 2.4),
    (3, False): ((3e-6, 1e-5, 3e-5), 3.5),
    (4, False): ((3e-6, 3e-5, 1e-4), 4.5),
    (5, False): ((3e-6, 4e-5, 1.2e-3), 3.5),
    (3, True): ((7e-6, 3e-5, 1e-4), 5.0),
    (4, True): ((3e-5, 1.7e-4, 8e-4), 5.0),
    (5, True): ((2e-4, 1.2e-3, 8e-3), 7.0),
}
"""The same where the order of the pile is given."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Deals to look at."""

    faces: "NDArray[np.int8]"
    """[deal, type, slot], as in a layout."""
    orders: "NDArray[np.int64]"
    """[deal, draw]: the slots of the pile (12 * type + slot) in the order in which they are drawn. No column: the
    order is open, and all orders count."""
    picks: "NDArray[np.int64]"
    """[deal]: a number that decides which one of several forgotten cards is played where only one can be."""

    def __len__(self) -> int:
        return len(self.faces)


class _Search(ABC):
    """What both searches share: the question as numbers."""

    share_names = SHARE_NAMES

    def __init__(self, question: "Question") -> None:
        position: Position = question.position
        self._moves = choices(position)
        self._layout = Layout(position)
        self._mover = position.to_move
        self._players = len(position.players)
        self._pile = position.size
        self._hand = position.deck.hand
        self._margin = question.objective == "margin"
        self._rivals = self._players > 2 and question.others != "coalition"
        self._counts = [int(np.count_nonzero(self._layout.zones[kind] == PILE)) for kind in TYPES]
        self._top = -1 if position.top is None else position.top
        full = sum(len(hand) == position.deck.hand for hand in position.hands)
        self._left = position.size + self._players if position.size else full
        self._forgotten = lcm(*(len(self._slots(move)) for move in self._moves))

    @property
    def moves(self) -> Sequence[Hashable]:
        return self._moves

    @property
    def spread(self) -> float:
        low, high = self._bounds
        return float(high - low) / self._unit

    @property
    def scale(self) -> int:
        return self._forgotten * self._unit * self._orders

    @property
    @abstractmethod
    def _orders(self) -> int:
        """A multiple of every number of orders that a value can come over."""

    @property
    @abstractmethod
    def _given(self) -> int:
        """How many first draws of a batch with orders are taken from them."""

    @property
    def _unit(self) -> int:
        from solver.games.blasting_billy.search._table_kernel import SHARE

        return SHARE if self._players > 2 else 1

    @property
    def _bounds(self) -> tuple[int, int]:
        """The lowest and highest value. Nobody keeps more than half of a type's worth: Billy needs as much."""
        if self._margin:
            deck = self._layout.position.deck
            most = sum(sum(map(worth, deck.cards_of(kind))) // 2 for kind in TYPES)
            return -most, most
        return (0, self._unit) if self._players > 2 else (-1, 1)

    def draw(self, rng: np.random.Generator, number: int) -> Batch:
        """Uniform deals, each with an order of the pile; which order fits the type that shows."""
        faces = self._layout.sample(rng, number)
        slots = np.flatnonzero(self._layout.zones == PILE).tolist()
        first = [slot for slot in slots if slot // SLOTS == self._top][:1]  # each slot is as likely to be each card
        rest = np.tile(np.array([slot for slot in slots if slot not in first], np.int64), (number, 1))
        orders = np.concatenate([np.tile(np.array(first, np.int64), (number, 1)), rng.permuted(rest, axis=1)], axis=1)
        return Batch(faces, np.ascontiguousarray(orders), rng.integers(self._forgotten, size=number))

    def values(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.int64]":
        from solver.games.blasting_billy.search import _rivals_kernel, _search_kernel

        kernel = _rivals_kernel.rival_values if self._rivals else _search_kernel.deal_values
        plays, weights = self._plays(moves)
        found = np.zeros((len(deals), len(plays)), np.int64)
        given = self._given if deals.orders.shape[1] else 0
        turns = np.array([self._left, self._top, given, self._orders], np.int64)
        kernel(deals.faces, self._layout.zones, self._setting, turns, plays, deals.orders, found)
        return found @ weights

    def shares(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.float64]":
        """What one line of each drawn deal shows."""
        endings, _ = self._walk(deals, moves, deals.orders)
        return endings.astype(np.float64)

    def lines(self, deals: Batch, moves: Sequence[int]) -> Lines:
        """One line of best play of each drawn deal after each move."""
        from solver.games.blasting_billy.search._lines_kernel import REPLY, REPLY_VERB, SHOTS, WINNERS

        _, told = self._walk(deals, moves, deals.orders)
        shot = told[:, :, SHOTS : SHOTS + self._players]
        return Lines(told[:, :, WINNERS], shot, told[:, :, REPLY], told[:, :, REPLY_VERB])

    def _walk(
        self, deals: Batch, moves: Sequence[int], orders: "NDArray[np.int64]"
    ) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """What the walk counts and tells, by move: a forgotten card is the one that the deal picks."""
        endings, told = self._walk_plays(deals, moves, orders)
        chosen = self._chosen(deals, moves)
        each = np.arange(len(deals))[:, None]
        return endings[each, chosen], told[each, chosen]

    def _walk_plays(
        self, deals: Batch, moves: Sequence[int], orders: "NDArray[np.int64]"
    ) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        from solver.games.blasting_billy.search._lines_kernel import ENDINGS, TOLD, deal_walks

        plays, _ = self._plays(moves)
        endings = np.zeros((len(deals), len(plays), ENDINGS), np.int64)
        told = np.zeros((len(deals), len(plays), TOLD), np.int64)
        turns = np.array([self._left, self._top, self._given > 1, 0], np.int64)
        deal_walks(deals.faces, self._layout.zones, self._setting, turns, plays, orders, endings, told)
        return endings, told

    @cached_property
    def _setting(self) -> "NDArray[np.int64]":
        from solver.games.blasting_billy.search._table_kernel import COALITION, MARGIN, RIVALS, WIN

        many = RIVALS if self._rivals else COALITION
        goal = many if self._players > 2 else MARGIN if self._margin else WIN
        return np.array([self._players, self._mover, self._hand, goal, *self._bounds], np.int64)

    def _slots(self, move: Move) -> list[int]:
        """The mover's slots that a move can mean: one, or those of all forgotten cards of the type."""
        kind, face = back_of(move.card), face_of(move.card)
        layout, hand = self._layout, HAND + (self._mover or 0)
        fits = (layout.zones[kind] == hand) & (layout.faces[kind] == face)
        return [kind * SLOTS + int(slot) for slot in np.flatnonzero(fits)]

    def _plays(self, moves: Sequence[int]) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """Every slot and verb that the moves can mean, and how much each counts for each move: [play, move]."""
        plays, weights = list[tuple[int, int]](), list[list[int]]()
        for column, number in enumerate(moves):
            slots = self._slots(self._moves[number])
            for slot in slots:
                plays.append((slot, VERBS.index(self._moves[number].verb)))
                weights.append([self._forgotten // len(slots) * (other == column) for other in range(len(moves))])
        return np.array(plays, np.int64).reshape(-1, 2), np.array(weights, np.int64).reshape(-1, len(moves))

    def _chosen(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.int64]":
        """[deal, move]: the number of the play that the deal picks for a move."""
        numbers = [len(self._slots(self._moves[number])) for number in moves]
        firsts = np.cumsum([0, *numbers[:-1]], dtype=np.int64)
        return firsts[None, :] + deals.picks[:, None] % np.array(numbers, np.int64)[None, :]


class StateSearch(_Search):
    """The search that lens open means. Of deals drawn at random, the first draw is taken from the batch."""

    @property
    def seconds(self) -> float:
        return seconds_per_deal(self._players, self._pile, self._hand, rivals=self._rivals)

    @property
    def class_seconds(self) -> float:
        """Roughly how long a class of deals takes: all moves, all draws, values and shares."""
        return self.seconds * (4 + 3 * self._pile)

    @property
    def classes(self) -> int:
        return self._classes.number

    @cached_property
    def _classes(self) -> DealClasses:
        return DealClasses(self._layout)

    @property
    def _given(self) -> int:
        return 1 if self._pile else 0

    @cached_property
    def _orders(self) -> int:
        after = [factorial(self._pile - 1) if self._pile else 1]
        if self._top >= 0 and self._pile > 1:
            left = [number - (kind == self._top) for kind, number in enumerate(self._counts)]
            after = [number * factorial(self._pile - 2) for number in left if number]
        return lcm(self._all_orders, *after)

    @property
    def _all_orders(self) -> int:
        """How many orders of the pile there are at first."""
        if self._top < 0:
            return factorial(self._pile)
        return self._counts[self._top] * factorial(self._pile - 1)

    def all_classes(self, most: int) -> "Iterator[tuple[Batch, NDArray[np.int64]]]":
        for faces, numbers in self._classes.batches(most):
            yield Batch(faces, np.zeros((len(faces), 0), np.int64), np.zeros(len(faces), np.int64)), numbers

    def exact_shares(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.int64]":
        endings, _ = self._walk_plays(deals, moves, np.zeros((len(deals), 0), np.int64))
        _, weights = self._plays(moves)
        factor = self.scale // (self._forgotten * self._all_orders)
        counted: NDArray[np.int64] = np.einsum("dps,pm->dms", endings, weights) * factor
        return counted


class OrderSearch(_Search):
    """The search of deals whose pile lies in an order that everybody knows."""

    @property
    def seconds(self) -> float:
        return seconds_per_deal(self._players, self._pile, self._hand, rivals=self._rivals, ordered=True)

    @property
    def _given(self) -> int:
        return self._pile

    @property
    def _orders(self) -> int:
        return 1


def seconds_per_deal(players: int, pile: int, hand: int, *, rivals: bool, ordered: bool = False) -> float:
    """Roughly how long a deal takes with all moves: measured with the real deck on one core, then extrapolated."""
    known, growth = (ORDERED if ordered else UNORDERED)[players, rivals]
    deeper = max(0, pile - len(known) + 1)
    plies = (pile + players - 1) * (1.0 if rivals else 0.6)
    return float(known[min(pile, len(known) - 1)] * growth ** min(deeper, 60) * (hand / 3) ** plies)
