"""Minimax over all deals, for any game: draws are chance nodes, equal states are solved once.

Lens open: the mover moves without knowing the deal; after that everybody sees every card. A move's value is the
mean, over all deals, of the value of what follows.
"""

from fractions import Fraction
from typing import Any

from solver.deals import Deal, list_deals
from solver.game import CHANCE, OVER, Game
from solver.shortcuts import Size
from solver.solution import MoveValue, Value
from solver.watch import Progress, Watch

Payoffs = tuple[Fraction, ...]


class Minimax:
    """The values of states with nothing hidden, from the chair of `mover`.

    Two players are opponents. Of three or more, `rivals` each seek the most for themselves (ties: the least for the
    mover, then the first move), and a `coalition` of all others seeks the least for the mover.
    """

    def __init__(self, game: Game[Any, Any, Any], *, mover: int, objective: str, others: str | None) -> None:
        self._game = game
        self._mover = mover
        self._objective = objective
        self._coalition = others == "coalition"
        self._known: dict[Any, Payoffs] = {}

    def payoffs(self, state: Any) -> Payoffs:
        """What each player gets on average from here."""
        found = self._known.get(state)
        if found is None:
            found = self._known[state] = self._solve(state)
        return found

    def _solve(self, state: Any) -> Payoffs:
        game, turn = self._game, self._game.turn(state)
        if turn == OVER:
            return game.payoffs(state, self._objective)
        if turn == CHANCE:
            chances = game.chances(state)
            whole = sum(weight for _, weight in chances)
            followed = [(weight, self.payoffs(game.play(state, event))) for event, weight in chances]
            return tuple(
                Fraction(sum((weight * each[seat] for weight, each in followed), Fraction(0)) / whole)
                for seat in range(len(followed[0][1]))
            )
        return max((self.payoffs(game.play(state, move)) for move in game.moves(state)), key=self._wish(turn))

    def _wish(self, turn: int) -> Any:
        """What the player whose turn it is wants most; of equals, `max` takes the first."""
        if turn != self._mover and self._coalition:
            return lambda payoffs: -payoffs[self._mover]
        return lambda payoffs: (payoffs[turn], -payoffs[self._mover])


class Listing:
    """The exact computation for a game that offers no faster way: deal by deal."""

    def __init__(
        self, game: Game[Any, Any, Any], position: Any, *, mover: int, objective: str, others: str | None, deals: int
    ) -> None:
        self._game, self._position, self._deals = game, position, deals
        self._minimax = Minimax(game, mover=mover, objective=objective, others=others)
        self._mover = mover

    def load(self) -> None:
        pass  # nothing is compiled

    @property
    def size(self) -> Size:
        """Judged by the first deal."""
        watch = Watch()
        self._values(next(iter(list_deals(self._game.hidden(self._position)))))
        return Size(f"{self._deals:,} deals", self._deals * watch.seconds)

    def _values(self, deal: Deal) -> list[Fraction]:
        """What each choice is worth in a deal."""
        state = self._game.fill(self._position, deal)
        result = []
        for choice in self._game.choices(self._position):
            meanings = self._game.meanings(self._position, state, choice)
            total = sum(
                (self._minimax.payoffs(self._game.play(state, move))[self._mover] for move in meanings), Fraction(0)
            )
            result.append(total / len(meanings))
        return result

    def run(self, watch: Watch) -> tuple[MoveValue, ...]:
        choices = self._game.choices(self._position)
        sums = [Fraction(0)] * len(choices)
        for number, deal in enumerate(list_deals(self._game.hidden(self._position))):
            if number % 64 == 0:
                watch.check()
                watch.tell(Progress("going through all deals", number / self._deals))
            sums = [total + value for total, value in zip(sums, self._values(deal), strict=True)]
        return tuple(
            MoveValue(choice, Value.exactly(total / self._deals)) for choice, total in zip(choices, sums, strict=True)
        )
