"""The exact value of every move of the player who moves last, in lens open: nothing is left to decide after it.

Backs are public, so types are independent of each other and each is counted by itself. What depends on all types is
put together from their classes, and the number of deals plays no part.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from solver.cards import back_of
from solver.games.blasting_billy import rules
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.hidden import hidden_pools
from solver.games.blasting_billy.last_mover.type_classes import POINT, Classes, TypeDeals
from solver.games.blasting_billy.scoring import check_objective
from solver.games.blasting_billy.table import Move, Position
from solver.shortcuts import Question, Size
from solver.solution import MoveValue, Value
from solver.watch import Watch

if TYPE_CHECKING:
    from solver.games.blasting_billy.last_mover.plan import Victories

UNMOVED = -1


def prepare_last_mover(question: Question) -> "LastMove | None":
    """The computation, if the mover's move is the very last of the game and the position is seen by the mover."""
    position = question.position
    if not isinstance(position, Position) or position.size or position.to_move is None:
        return None
    following = (position.to_move + 1) % len(position.players)
    if position.me != position.to_move or len(position.hands[following]) == position.deck.hand:
        return None
    check_objective(question.objective, len(position.players))
    return LastMove(position, question.objective)


class LastMove:
    """Every move of the last mover, by classes of deals."""

    def __init__(self, position: Position, objective: str) -> None:
        assert position.to_move is not None
        self._mover = position.to_move
        self._players = len(position.players)
        self._objective = objective
        self._choices = rules.choices(position)
        pools = {pool.name: pool for pool in hidden_pools(position)}
        kinds = position.deck.kinds
        deals = [TypeDeals(position, kind, pools.get(NAMES.backs[kind])) for kind in kinds]
        self._unmoved = [types.classes() for types in deals]
        self._moves: list[tuple[int, Classes]] = []
        self._variants: list[int] = []
        for choice in self._choices:
            place = kinds.index(back_of(choice.card))
            self._variants.append(self._variant(place, choice, deals[place]))

    def _variant(self, place: int, choice: Move, deals: TypeDeals) -> int:
        """The number of the first move that does the same, or of a new one."""
        if choice.verb == "dump":
            return UNMOVED
        classes = deals.classes(choice)
        if classes == self._unmoved[place]:
            return UNMOVED
        for number, known in enumerate(self._moves):
            if known == (place, classes):
                return number
        self._moves.append((place, classes))
        return len(self._moves) - 1

    @cached_property
    def _victories(self) -> "Victories":
        from solver.games.blasting_billy.last_mover.plan import Victories

        return Victories(self._unmoved, self._moves, self._mover)

    def load(self) -> None:
        pass  # two players need nothing compiled, and the kernels for more load in a moment

    @property
    def size(self) -> Size:
        if self._players == 2:
            states = sum(map(len, self._unmoved)) + sum(len(classes) for _, classes in self._moves)
            return Size(f"{states:,} classes", 0.05, 1e6)
        return self._victories.size

    def run(self, watch: Watch) -> tuple[MoveValue, ...]:
        watch.check()
        found = self._count(watch)
        endings = {number: self._ending(number, victories) for number, victories in found.items()}
        return tuple(
            MoveValue(choice, Value.exactly(endings[number][0]), endings[number][1])
            for choice, number in zip(self._choices, self._variants, strict=True)
        )

    def _count(self, watch: Watch) -> dict[int, list[int]]:
        """For each different move, the numbers of deals in which 1, 2, ... players win and the mover is one."""
        if self._players > 2:
            return self._victories.run(watch)
        from solver.games.blasting_billy.last_mover.pair import count_victories

        return count_victories(self._unmoved, self._moves, self._mover)

    def _ending(self, number: int, victories: Sequence[int]) -> "tuple[Fraction, dict[str, float]]":
        """The value of a move, and how often the game ends how."""
        types = [self._avoiding[place, UNMOVED] for place in range(len(self._unmoved))]
        if number != UNMOVED:
            place = self._moves[number][0]
            types[place] = self._avoiding[place, number]
        deals = prod(each.deals[0] for each in types)
        won, shared = victories[0], sum(victories[1:])
        billy = sum(weight * prod(each.deals[flags] for each in types) for flags, weight in self._billy_wins)
        lost = deals - won - shared - billy
        safe = prod(each.deals[1 << self._mover] for each in types)
        if self._objective == "margin":
            value = Fraction(_margin(types, self._mover), deals)
        elif self._players == 2:
            value = Fraction(won - lost, deals)
        else:
            value = sum((Fraction(ways, winners * deals) for winners, ways in enumerate(victories, 1)), Fraction(0))
        numbers = {"win": won, "shared": shared, "loss": lost, "billy": billy, "shot": deals - safe}
        return value, {name: ways / deals for name, ways in numbers.items()}

    @cached_property
    def _avoiding(self) -> "dict[tuple[int, int], _Avoiding]":
        found = {(place, UNMOVED): _Avoiding(classes, self._players) for place, classes in enumerate(self._unmoved)}
        for number, (place, classes) in enumerate(self._moves):
            found[place, number] = _Avoiding(classes, self._players)
        return found

    @cached_property
    def _billy_wins(self) -> list[tuple[int, int]]:
        """Billy's victories as a sum of flags to avoid, each with a weight.

        Billy wins when everyone is shot or has nothing, unless all are shot, for then all must have nothing. With S for
        not shot and N for nothing, a player is shot or has nothing in 1 - S + SN deals, is shot in 1 - S, and is shot
        with nothing in N - SN; multiplied out over the players, every term says what to avoid in every type.
        """
        weights: dict[int, int] = {}
        nothing, neither = 1 << self._players, 1 | 1 << self._players
        for sign, terms in (
            (1, {0: 1, 1: -1, neither: 1}),
            (-1, {0: 1, 1: -1}),
            (1, {nothing: 1, neither: -1}),
        ):
            for chosen in product(terms, repeat=self._players):
                flags = sum(flag << seat for seat, flag in enumerate(chosen))
                weights[flags] = weights.get(flags, 0) + sign * prod(terms[flag] for flag in chosen)
        return [(flags, weight) for flags, weight in weights.items() if weight]


class _Avoiding:
    """How many deals of a type avoid flags: bit p says that player p is shot, bit (players + p) that p has points."""

    def __init__(self, classes: Classes, players: int) -> None:
        self._classes = classes
        self._players = players
        everything = (1 << 2 * players) - 1
        self.deals = [0] * (everything + 1)
        for row, number in classes.items():
            flags = sum((own & 1) << seat | (own > 1) << (players + seat) for seat, own in enumerate(row))
            self.deals[everything ^ flags] += number
        for bit in range(2 * players):
            for flags in range(everything + 1):
                if not flags >> bit & 1:
                    self.deals[flags] += self.deals[flags | 1 << bit]

    def points(self, seat: int, unshot: int) -> int:
        """A player's points added up over the deals in which none of these players is shot."""
        return sum(
            number * -(-(row[seat] >> 1) // POINT)
            for row, number in self._classes.items()
            if not row[seat] & 1 and not any(own & 1 and unshot >> other & 1 for other, own in enumerate(row))
        )


def _margin(types: "Sequence[_Avoiding]", mover: int) -> int:
    """The mover's points less the other's, added up over all deals.

    Points count unless their owner is shot and the other is not: in all deals, less those in which the other is not
    shot, plus those in which neither is.
    """
    total = 0
    for seat, sign in ((mover, 1), (1 - mover, -1)):
        for unshot, weight in ((0, 1), (1 << 1 - seat, -1), (3, 1)):
            for place, each in enumerate(types):
                others = prod(other.deals[unshot] for other in (*types[:place], *types[place + 1 :]))
                total += sign * weight * each.points(seat, unshot) * others
    return total
