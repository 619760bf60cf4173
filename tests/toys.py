"""Kuhn and Leduc poker: two published games, small enough to enumerate, that prove the `Game` interface.

Kuhn (1950): three cards, ante 1, one bet of 1. Leduc (Southey et al., 2005): three ranks in two suits, ante 1,
a round of betting with raises of 2, a board card, a round with raises of 4, at most two raises a round.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from solver.cards import HIDDEN, Card, is_hidden
from solver.deals import Cell, Deal, Pool, list_deals
from solver.errors import IllegalError, NotationError, located, quote
from solver.game import CHANCE, OVER, Game

PLAYERS = ("ann", "bob")


@dataclass(frozen=True, slots=True)
class Position:
    """The hands, hidden or not, and everything that happened in front of all."""

    hands: tuple[Card, Card]
    history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A position with nothing hidden: `rest` are the cards in nobody's hand nor on the board, rising."""

    hands: tuple[Card, Card]
    rest: tuple[Card, ...]
    history: tuple[str, ...] = ()


class Toy(ABC):
    """What the two games share: one hidden card each, public events, and the text of both."""

    name: str
    cards: tuple[str, ...]
    words: tuple[str, ...]
    objectives = ("chips",)
    share_names = ()

    def agree(self, sampled: dict[str, float], known: Mapping[str, float]) -> dict[str, float]:
        return {**sampled, **known}

    def check_objective(self, position: Position, objective: str) -> None:
        if objective not in self.objectives:
            raise IllegalError(f"{quote(objective)} is not an objective: play for chips")

    def parse(self, text: str, folder: Path = Path()) -> Position:
        name, *parts = text.split() or [""]
        if name != self.name or len(parts) < len(PLAYERS):
            raise NotationError(f"{quote(text)} is not a position: begin with {self.name} ann=? bob=?")
        hands = []
        for player, part in zip(PLAYERS, parts, strict=False):
            owner, _, card = part.partition("=")
            if owner != player:
                raise NotationError(f"{quote(part)} is not the hand of {player}: write {player}=?")
            with located(player):
                hands.append(HIDDEN if card == "?" else self._parse_card(card))
        history = tuple(map(self.parse_event, parts[len(PLAYERS) :]))
        position = Position((hands[0], hands[1]), history)
        self._check(position)
        return position

    def format(self, position: Position) -> str:
        hands = (
            f"{player}={'?' if is_hidden(card) else self.cards[card]}"
            for player, card in zip(PLAYERS, position.hands, strict=True)
        )
        return " ".join((self.name, *hands, *position.history))

    def parse_event(self, text: str) -> str:
        if text not in self.words:
            raise NotationError(f"{quote(text)} is not an event: write one of {' '.join(self.words)}")
        return text

    def format_event(self, event: str) -> str:
        return event

    def seats(self, position: Position) -> tuple[str, ...]:
        return PLAYERS

    def hidden(self, position: Position) -> tuple[Pool, ...]:
        seen = {*position.hands, *self._board(position.history)}
        unseen = tuple(card for card in range(len(self.cards)) if card not in seen)
        cells = [Cell(player, 1) for player, card in zip(PLAYERS, position.hands, strict=True) if is_hidden(card)]
        return (Pool("cards", unseen, (*cells, Cell("rest", len(unseen) - len(cells)))),)

    def fill(self, position: Position, deal: Deal) -> State:
        *dealt, rest = deal[0]
        cards = [card for (card,) in dealt]
        first, second = (cards.pop(0) if is_hidden(card) else card for card in position.hands)
        return State((first, second), tuple(sorted(rest)), position.history)

    def observe(self, state: State, player: int | None) -> Position:
        first, second = state.hands
        return Position((first if player == 0 else HIDDEN, second if player == 1 else HIDDEN), state.history)

    def choices(self, position: Position) -> Sequence[str]:
        state = State(position.hands, (), position.history)
        turn = self.turn(state)
        if turn < 0 or is_hidden(position.hands[turn]) or not is_hidden(position.hands[1 - turn]):
            raise IllegalError("it is not the turn of the player whose eyes these are")
        return self.moves(state)

    def meanings(self, position: Position, state: State, choice: str) -> Sequence[str]:
        return (choice,)

    @abstractmethod
    def turn(self, state: State) -> int: ...

    @abstractmethod
    def moves(self, state: State) -> Sequence[str]: ...

    def chances(self, state: State) -> Sequence[tuple[str, int]]:
        return [(self.cards[card], 1) for card in state.rest]

    def play(self, state: State, event: str) -> State:
        board = self._board((event,))
        rest = tuple(card for card in state.rest if card not in board)
        return State(state.hands, rest, (*state.history, event))

    def _board(self, history: Sequence[str]) -> tuple[Card, ...]:
        return tuple(self.cards.index(event) for event in history if event in self.cards)

    def _parse_card(self, text: str) -> Card:
        if text not in self.cards:
            raise NotationError(f"{quote(text)} is not a card: write one of {' '.join(self.cards)}, or ?")
        return self.cards.index(text)

    def _check(self, position: Position) -> None:
        """Deal the hidden cards in some way and replay the history."""
        known = [card for card in position.hands if not is_hidden(card)] + [*self._board(position.history)]
        if len(set(known)) < len(known):
            raise IllegalError(f"{quote(self.format(position))} shows a card twice")
        filled = self.fill(position, next(list_deals(self.hidden(position))))
        state = State(filled.hands, tuple(sorted((*filled.rest, *self._board(position.history)))))
        for event in position.history:
            turn = self.turn(state)
            offered = [card for card, _ in self.chances(state)] if turn == CHANCE else []
            offered += self.moves(state) if turn >= 0 else []
            if event not in offered:
                raise IllegalError(f"{quote(event)} cannot follow {quote(' '.join(state.history))}")
            state = self.play(state, event)


class Kuhn(Toy):
    name = "kuhn"
    cards = ("J", "Q", "K")
    words = ("pass", "bet")

    def turn(self, state: State) -> int:
        over = len(state.history) >= 2 and state.history != ("pass", "bet")
        return OVER if over else len(state.history) % 2

    def moves(self, state: State) -> Sequence[str]:
        return self.words

    def payoffs(self, state: State, objective: str) -> tuple[Fraction, ...]:
        bets = state.history.count("bet")
        if bets == 1:  # who did not pass it takes the other's ante
            winner, won = state.history.index("bet"), 1
        else:
            winner, won = int(state.hands[1] > state.hands[0]), 2 if bets else 1
        return (Fraction(won), Fraction(-won)) if winner == 0 else (Fraction(-won), Fraction(won))


class Leduc(Toy):
    """`call` without a raise to call is the check."""

    name = "leduc"
    cards = ("J1", "J2", "Q1", "Q2", "K1", "K2")
    words = ("fold", "call", "raise", *cards)
    raises = (2, 4)

    def turn(self, state: State) -> int:
        *_, betting = rounds = self._rounds(state.history)
        if betting[-1:] == ["fold"]:
            return OVER
        if len(betting) >= 2 and betting[-1] == "call":
            return CHANCE if len(rounds) == 1 else OVER
        return len(betting) % 2

    def moves(self, state: State) -> Sequence[str]:
        betting = self._rounds(state.history)[-1]
        fold = ["fold"] if betting[-1:] == ["raise"] else []
        more = ["raise"] if betting.count("raise") < 2 else []
        return [*fold, "call", *more]

    def payoffs(self, state: State, objective: str) -> tuple[Fraction, ...]:
        paid = [1, 1]
        rounds = self._rounds(state.history)
        for betting, size in zip(rounds, self.raises, strict=False):
            for number, event in enumerate(betting):
                if event != "fold":
                    paid[number % 2] = paid[1 - number % 2] + (size if event == "raise" else 0)
        if rounds[-1][-1] == "fold":
            lead = -1 if len(rounds[-1]) % 2 else 1  # who acted last has folded
        else:
            first, second = (self._strength(state, player) for player in (0, 1))
            lead = (first > second) - (first < second)
        won = Fraction(lead * min(paid))
        return (won, -won)

    def _strength(self, state: State, player: int) -> tuple[bool, int]:
        """A pair with the board beats any other hand; then the higher rank does."""
        (board,) = self._board(state.history)
        rank = state.hands[player] // 2
        return rank == board // 2, rank

    def _rounds(self, history: Sequence[str]) -> list[list[str]]:
        """The moves of each round begun; a board card begins the second."""
        rounds: list[list[str]] = [[]]
        for event in history:
            if event in self.cards:
                rounds.append([])
            else:
                rounds[-1].append(event)
        return rounds


KUHN: Game[Position, State, str] = Kuhn()
LEDUC: Game[Position, State, str] = Leduc()
