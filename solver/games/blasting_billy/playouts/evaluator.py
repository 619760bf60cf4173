"""Sensible play to the end of the game, from any stage: what is left where no search reaches.

Flat Monte Carlo: a deal and an order of the pile are drawn, each move is tried on the same deal, and then everybody
plays as `greedy` does, by what they themselves have seen. The estimates are biased: players of flesh may do better.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import HIDDEN, back_of, is_hidden
from solver.games.blasting_billy.deck import worth
from solver.games.blasting_billy.playouts.greedy import know, list_pile, manners
from solver.games.blasting_billy.rules import choices
from solver.games.blasting_billy.search.layout import HAND, Layout
from solver.games.blasting_billy.search.lines import SHARE_NAMES, Lines, write_reply
from solver.games.blasting_billy.table import Move, Position
from solver.shortcuts import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Masks = NDArray[np.int64]

SHARES_SCALE = 60
"""A victory can be shared by two to five players: all these shares are whole sixtieths."""
PLY_SECONDS = 1.6e-7
"""Of one turn in one playout; each player at the table adds `SEAT_SECONDS`."""
SEAT_SECONDS = 2e-8


@dataclass(frozen=True, slots=True)
class Batch:
    """Deals drawn at random, each with an order of the pile."""

    faces: "NDArray[np.int8]"
    """[deal, type, slot], as in a layout."""
    piles: "NDArray[np.int8]"
    """[deal, draw]: the cards of the pile in the order in which they are drawn."""

    def __len__(self) -> int:
        return len(self.faces)


class Playouts:
    """An evaluator that plays every deal to the end."""

    share_names = SHARE_NAMES

    def __init__(self, question: Question) -> None:
        position: Position = question.position
        self.moves: Sequence[Move] = choices(position)
        self._position = position
        self._objective = question.objective
        self._layout = Layout(position)
        self._knowers = know(self._layout)
        assert position.to_move is not None
        self._mover = position.to_move
        self._players = len(position.players)

    @property
    def scale(self) -> int:
        return 1 if self._players == 2 else SHARES_SCALE

    @property
    def spread(self) -> float:
        if self._objective == "margin":
            return float(sum(map(worth, self._position.deck.cards)))
        return 2.0 if self._players == 2 else 1.0

    @property
    def seconds(self) -> float:
        turn = PLY_SECONDS + SEAT_SECONDS * self._players
        return turn * len(self.moves) * (self._position.size + self._players)

    def draw(self, rng: np.random.Generator, number: int) -> Batch:
        """Uniform deals; the pile's order is uniform too, with a card of the type that shows on top."""
        faces = self._layout.sample(rng, number)
        piles = list_pile(self._layout, faces)
        below = 0 if self._position.top is None else 1
        piles[:, below:] = rng.permuted(piles[:, below:], axis=1)
        return Batch(faces, piles)

    def values(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.int64]":
        winners, _, points, _, _ = self._play(deals, moves)
        mine = winners >> self._mover & 1
        found: NDArray[np.int64]
        if self._objective == "margin":
            found = points[..., self._mover] - points[..., 1 - self._mover]
        elif self._players == 2:
            found = mine - (winners >> 1 - self._mover & 1)
        else:
            together = np.zeros_like(winners)
            for seat in range(self._players):
                together += winners >> seat & 1
            found = mine * (SHARES_SCALE // np.maximum(1, together))
        return found

    def shares(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.float64]":
        return self.lines(deals, moves).shares(self._mover)

    def lines(self, deals: Batch, moves: Sequence[int]) -> Lines:
        """How the playouts went that `values` counts."""
        winners, shot, _, replies, _ = self._play(deals, moves)
        played = replies >= 0
        return Lines(winners, shot, np.where(played, replies // 3, -1), np.where(played, replies % 3, -1))

    def trace(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.int64]":
        """All moves of the playouts: [deal, move, turn], written as `write_reply` does."""
        return self._play(deals, moves, traced=True)[4]

    def _play(
        self, deals: Batch, moves: Sequence[int], *, traced: bool = False
    ) -> "tuple[Masks, Masks, Masks, Masks, Masks]":
        from solver.games.blasting_billy.playouts._playout_kernel import play_out

        zones, hand, weights = self._layout.zones, self._position.deck.hand, manners(self._players)
        roots = self._roots(deals, moves)
        return play_out(deals.faces, deals.piles, zones, self._knowers, roots, self._mover, hand, weights, traced)

    def _roots(self, deals: Batch, moves: Sequence[int]) -> "NDArray[np.int64]":
        """[deal, move]: the moves as numbers. A forgotten card is the first of its kind, which any of them may be."""
        roots = np.empty((len(deals), len(moves)), np.int64)
        for column, number in enumerate(moves):
            move = self.moves[number]
            roots[:, column] = write_reply(move)
            if is_hidden(move.card):
                kind = back_of(move.card)
                zones, faces = self._layout.zones[kind], self._layout.faces[kind]
                slot = np.flatnonzero((zones == HAND + self._mover) & (faces == HIDDEN))[0]
                roots[:, column] -= 3 * (HIDDEN - deals.faces[:, kind, slot].astype(np.int64))
        return roots
