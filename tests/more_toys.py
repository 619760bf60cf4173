"""Liar's dice and goofspiel behind the `Game` interface, by the rules of OpenSpiel's `liars_dice` and `goofspiel`.

Liar's dice: one die each. Bids rise (a quantity, then a face); instead of bidding, a player may call the last bid a
lie. Sixes count as any face. Goofspiel: both bid a card of their hand for each prize, unseen; ties discard the prize,
and players learn only who won it. Both games are won or lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

from solver.cards import is_hidden
from solver.deals import Cell, Deal, Pool
from solver.errors import IllegalError, NotationError, quote
from solver.game import OVER, Game
from tests.toys import PLAYERS, Position, State, Toy


class LiarsDice(Toy):
    """`2x3` says that at least two dice show a three or a six."""

    name = "liars-dice"
    cards = ("1", "2", "3", "4", "5", "6")
    bids = tuple(f"{quantity}x{face}" for quantity, face in product((1, 2), cards))
    words = (*bids, "liar")

    def hidden(self, position: Position) -> tuple[Pool, ...]:
        faces = tuple(range(len(self.cards)))
        return tuple(
            Pool(player, faces, (Cell("die", 1), Cell("not rolled", len(faces) - 1)))
            for player, die in zip(PLAYERS, position.hands, strict=True)
            if is_hidden(die)
        )

    def fill(self, position: Position, deal: Deal) -> State:
        rolled = [die for (die,), _ in deal]
        first, second = (rolled.pop(0) if is_hidden(die) else die for die in position.hands)
        return State((first, second), (), position.history)

    def turn(self, state: State) -> int:
        return OVER if state.history[-1:] == ("liar",) else len(state.history) % 2

    def moves(self, state: State) -> Sequence[str]:
        if not state.history:
            return self.bids
        return (*self.bids[self.bids.index(state.history[-1]) + 1 :], "liar")

    def payoffs(self, state: State, objective: str) -> tuple[Fraction, ...]:
        quantity, face = state.history[-2].split("x")
        shown = sum(self.cards[die] in (face, self.cards[-1]) for die in state.hands)
        bidder = len(state.history) % 2
        won = Fraction(1 if (shown >= int(quantity)) == (bidder == 0) else -1)
        return won, -won


@dataclass(frozen=True, slots=True)
class Bids:
    """What both have bid so far; the first player bids first, unseen by the other."""

    bids: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Tricks:
    """What one player (None: an onlooker) sees: the own bids, and who won the prizes (0, 1, or -1 for a tie)."""

    me: int | None
    mine: tuple[int, ...]
    winners: tuple[int, ...]
    turn: int


class Goofspiel:
    """The prizes come from the highest down; the last card is played by itself."""

    name = "goofspiel"
    objectives = ("win",)
    share_names = ()

    def __init__(self, cards: int) -> None:
        self.cards = tuple(range(1, cards + 1))

    def agree(self, sampled: dict[str, float], known: Mapping[str, float]) -> dict[str, float]:
        return {**sampled, **known}

    def check_objective(self, position: Tricks, objective: str) -> None:
        if objective not in self.objectives:
            raise IllegalError(f"{quote(objective)} is not an objective: play to win")

    def parse(self, text: str, folder: Path = Path()) -> Tricks:
        if text != self.name:
            raise NotationError(f"{quote(text)} is not the start: write {self.name}")
        return Tricks(None, (), (), 0)

    def format(self, position: Tricks) -> str:
        return self.name if position == Tricks(None, (), (), 0) else repr(position)

    def parse_event(self, text: str) -> str:
        if text not in map(str, self.cards):
            raise NotationError(f"{quote(text)} is not a bid: write 1 to {self.cards[-1]}")
        return text

    def format_event(self, event: str) -> str:
        return event

    def seats(self, position: Tricks) -> tuple[str, ...]:
        return PLAYERS

    def hidden(self, position: Tricks) -> tuple[Pool, ...]:
        if position.winners or position.mine:
            raise IllegalError("only the start has no hidden bids")
        return ()

    def fill(self, position: Tricks, deal: Deal) -> Bids:
        return Bids(((), ()))

    def observe(self, state: Bids, player: int | None) -> Tricks:
        mine = () if player is None else state.bids[player]
        return Tricks(player, mine, tuple(map(_winner, *state.bids)), self.turn(state))

    def choices(self, position: Tricks) -> Sequence[str]:
        if position.me is None or position.me != position.turn:
            raise IllegalError("it is not the turn of the player whose eyes these are")
        return self._left(position.mine)

    def meanings(self, position: Tricks, state: Bids, choice: str) -> Sequence[str]:
        return (choice,)

    def turn(self, state: Bids) -> int:
        first, second = map(len, state.bids)
        return OVER if second == len(self.cards) - 1 else int(first > second)

    def moves(self, state: Bids) -> Sequence[str]:
        return self._left(state.bids[self.turn(state)])

    def chances(self, state: Bids) -> Sequence[tuple[str, int]]:
        return ()

    def play(self, state: Bids, event: str) -> Bids:
        first, second = state.bids
        bid = int(event)
        return Bids((first, (*second, bid)) if self.turn(state) else ((*first, bid), second))

    def payoffs(self, state: Bids, objective: str) -> tuple[Fraction, ...]:
        first, second = ((*bids, *map(int, self._left(bids))) for bids in state.bids)
        points = {-1: 0, 0: 0, 1: 0}
        for prize, winner in zip(reversed(self.cards), map(_winner, first, second), strict=True):
            points[winner] += prize
        lead = Fraction((points[0] > points[1]) - (points[0] < points[1]))
        return lead, -lead

    def _left(self, bids: Sequence[int]) -> tuple[str, ...]:
        return tuple(str(card) for card in self.cards if card not in bids)


def _winner(first: int, second: int) -> int:
    return -1 if first == second else int(second > first)


LIARS_DICE: Game[Position, State, str] = LiarsDice()
GOOFSPIEL: Game[Tricks, Bids, str] = Goofspiel(4)
