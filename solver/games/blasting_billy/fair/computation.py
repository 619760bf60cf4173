"""Lens fair for Blasting Billy: the equilibrium of what is public, and what it says of the mover's actual cards."""

from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from solver.cards import Card, face_of, is_hidden
from solver.certificate import Certificate, worth_against
from solver.errors import IllegalError, TooLargeError
from solver.games.blasting_billy.deck import NAMES, is_dynamite
from solver.games.blasting_billy.fair import _tree_kernel as kernel
from solver.games.blasting_billy.fair.public_root import PublicRoot
from solver.games.blasting_billy.fair.public_tree import PublicTree
from solver.games.blasting_billy.fair.replies import replies_to
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.rules import choices
from solver.games.blasting_billy.table import VERBS, Move, Position
from solver.reduction import Reduction, reduce_game
from solver.sequence_form import SequenceGame
from solver.shortcuts import Size
from solver.solution import MoveValue, Reply, Value
from solver.watch import Watch

MOST_STATES = 10_000_000
"""Private states beyond which no tree is grown."""
MOST_PAIRS = 40_000_000
"""Pairs of private states at the leaves beyond which none is used."""
MOST_TURNS = 8
HOLDINGS = 20_000
"""Holdings of one player at the root beyond which they are not listed."""
GROWING = 4e-7
"""Seconds, at most, in which the public tree grows, for each history that it stands for."""
SEQUENCE_BYTES, PAYOFF_BYTES = 240, 70
"""Of memory for everything together: what is grown, made smaller, solved and proved."""
PROVING, SOLVING = 3e-6, 4e-5
"""Seconds, roughly, for each sequence and payoff: of the whole game, and of the game made smaller."""


class FairComputation:
    """The equilibrium of a position, prepared but not yet begun."""

    def __init__(self, position: Position, objective: str) -> None:
        self._position = position
        self._margin = objective == "margin"
        self.root = PublicRoot(observe(position, None))
        self._built: FairGame | None = None
        if self._eyes:
            for card in self._own_cards():
                if is_hidden(card):
                    raise IllegalError(
                        f"--lens fair needs every card that its player has seen, and {NAMES.format(card)} is "
                        "forgotten: write its value, or use open"
                    )

    @property
    def _eyes(self) -> bool:
        """Whether the position is seen by the player to move."""
        return self._position.me is not None and self._position.me == self._position.to_move

    def _own_cards(self) -> list[int]:
        position, me = self._position, self._position.me
        assert me is not None
        laid = [*(one for column in position.billy for one in column), *position.dumped]
        columns = (card for column in position.loots[me] for card in column[:1])
        return [*position.hands[me], *columns, *(one.card for one in laid if one.owner == me)]

    @property
    def deals(self) -> int:
        return self.root.deals

    @property
    def growing(self) -> float:
        """Seconds that growing the public tree takes at most; infinite where it is not begun."""
        hopeless = max(self._holdings) > HOLDINGS or self.root.turns > MOST_TURNS
        return float("inf") if hopeless else self.root.histories * GROWING

    @property
    def _holdings(self) -> tuple[int, int]:
        return self.root.count_holdings(0), self.root.count_holdings(1)

    def measure(self, watch: Watch) -> Size:
        """By closed form where that is hopeless; otherwise the public tree is grown and the game made smaller, as the
        sequences and payoffs that are left decide how long it takes. Raises Stopped when the watch ends first."""
        holdings = self._holdings
        turns = "1 turn" if self.root.turns == 1 else f"{self.root.turns} turns"
        words = f"{holdings[0]:,} and {holdings[1]:,} private holdings, {turns}"
        if self.growing == float("inf"):
            words = f"{words}, where at most {HOLDINGS:,} and {MOST_TURNS} can be gone through"
            return Size(words, float("inf"), float("inf"))
        words = f"{words}, {self.root.histories:,} histories"
        try:
            built = self.build(watch)
        except TooLargeError as error:
            return Size(f"{words}, {error}", float("inf"), float("inf"))
        sequences, payoffs = _count(built.game)
        memory = sequences * SEQUENCE_BYTES + payoffs * PAYOFF_BYTES
        seconds = (sequences + payoffs) * PROVING + sum(_count(built.reduction.game)) * SOLVING
        return Size(f"{words}, {built.words}", seconds, memory)

    def build(self, watch: Watch) -> "FairGame":
        """The whole game in sequence form; a TooLargeError where it turns out to be beyond all limits."""
        if self._built is None:
            tree = PublicTree(
                self.root, margin=self._margin, most_states=MOST_STATES, most_pairs=MOST_PAIRS, watch=watch
            )
            self._built = FairGame(self, tree)
        return self._built

    def moves(self, tree: PublicTree, certificate: Certificate) -> tuple[MoveValue, ...]:
        """Each move of the mover's actual cards: how often it is played, and what it is worth against the other's plan.

        That is known exactly; its error says how far the mover's own plan may be from a best one with these cards, as
        all that can be gained may be gained with them. No moves where the position is not seen by the player to move.
        """
        if not self._eyes:
            return ()
        level = tree.levels[0]
        first = level.first_set + self._own_state(tree)
        side = tree.game.sides[0]
        sequences = range(int(side.starts[first]), int(side.starts[first + 1]))
        plan, interval = certificate.plans[0], certificate.interval
        played = sum(int(plan[sequence]) for sequence in sequences)
        worth = worth_against(tree.game, certificate.plans[1], certificate.denominators[1], sequences)
        holdings = self.root.count_holdings(0)
        by_move: dict[Move, tuple[Fraction, Fraction]] = {}
        for sequence, value in zip(sequences, worth, strict=True):
            label = int(level.labels[sequence - level.first_sequence])
            move = Move(VERBS[label % 3], self.root.cards[label // 3])
            by_move[move] = (Fraction(int(plan[sequence]), played), value * holdings)
        error = min(float(interval.width * holdings), self._spread)
        return tuple(self._move_value(move, by_move, error) for move in choices(self._position))

    @property
    def _spread(self) -> float:
        """How far apart two payoffs can be."""
        points = sum(face_of(card) for card in self._position.deck.cards if not is_dynamite(card))
        return 2.0 * points if self._margin else 2.0

    def _move_value(self, move: Move, found: dict[Move, tuple[Fraction, Fraction]], error: float) -> MoveValue:
        """A dump that another one stands for is as good, and not needed."""
        frequency, worth = found.get(move, (Fraction(0), None))
        if worth is None:
            worth = next(each[1] for kept, each in found.items() if kept.verb == "dump")
        value = Value.about(float(worth), error) if error else Value.exactly(worth)
        return MoveValue(move, value, frequency=float(frequency))

    def replies(self, tree: PublicTree, certificate: Certificate) -> dict[Hashable, tuple[Reply, ...]]:
        """What the opponent's plan replies to each move of the mover's actual cards."""
        if not self._eyes:
            return {}
        plan, known = certificate.plans[1], self._mask(self._own_cards())
        return {move: replies_to(tree, plan, move, known) for move in choices(self._position)}

    def _mask(self, cards: Iterable[Card]) -> int:
        return sum(1 << self.root.cards.index(card) for card in cards)

    def _own_state(self, tree: PublicTree) -> int:
        """The number of the mover's private state among those of the root."""
        position, me = self._position, self._position.me
        assert me is not None
        hand, known = self._mask(position.hands[me]), self._mask(self._own_cards())
        firsts = [column[0] if column else None for column in position.loots[me]]
        states = tree.levels[0].listed.states
        fits = (states[:, kernel.HAND] == hand) & (states[:, kernel.KNOWN] == known)
        for kind, card in enumerate(firsts):
            first = (states[:, kernel.FIRSTS] >> (4 * kind)) & 15
            fits &= (first == kernel.NONE) if card is None else (first == face_of(card)) | (first == kernel.GONE)
        for kind in self._position.deck.kinds:
            faces = [face_of(one.card) for one in position.billy[kind] if one.owner == me]
            fits &= states[:, kernel.PARTS + kind] == self.root.part_of(0, kind, faces, known, hand)
        (number,) = np.flatnonzero(fits)
        return int(number)


class FairGame:
    """A position's public tree, and what an equilibrium of it says of the mover's actual cards."""

    def __init__(self, computation: FairComputation, tree: PublicTree) -> None:
        self._computation = computation
        self.tree = tree

    @property
    def game(self) -> SequenceGame:
        return self.tree.game

    @cached_property
    def reduction(self) -> Reduction:
        """The game made smaller, with the way back."""
        return reduce_game(self.game)

    @property
    def words(self) -> str:
        """How large it is."""
        sequences, payoffs = _count(self.game)
        left = _count(self.reduction.game)
        return (
            f"{self.tree.public_nodes:,} public nodes, {self.tree.private_states:,} private states, "
            f"{sequences:,} sequences and {payoffs:,} payoffs, of which {left[0]:,} and {left[1]:,} matter"
        )

    def moves(self, certificate: Certificate) -> tuple[MoveValue, ...]:
        return self._computation.moves(self.tree, certificate)

    def replies(self, certificate: Certificate) -> dict[Hashable, tuple[Reply, ...]]:
        return self._computation.replies(self.tree, certificate)


def _count(game: SequenceGame) -> tuple[int, int]:
    """Sequences and payoffs."""
    return sum(side.sequences for side in game.sides), game.nonzeros
