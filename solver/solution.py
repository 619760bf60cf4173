"""The frozen answer to a question about a position: values, how they were obtained, and how sure they are."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.certificate import Certificate


@dataclass(frozen=True, slots=True)
class Value:
    """A number: exact where `fraction` is there, otherwise an estimate with the half-width of its interval.

    The interval is rigorous where it was proved, and of 95% where deals were sampled.
    """

    fraction: Fraction | None
    number: float
    error: float = 0.0

    @staticmethod
    def exactly(fraction: Fraction) -> "Value":
        return Value(fraction, float(fraction))

    @staticmethod
    def about(number: float, error: float) -> "Value":
        return Value(None, number, error)

    @property
    def rank(self) -> Fraction | float:
        """What values are ordered by: never a rounded number where the exact one is known."""
        return self.number if self.fraction is None else self.fraction


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move, its value for the mover, and how often the game then ends how.

    The names of the shares are the game's. None, or a name that is not there: this method does not compute it.
    """

    move: Hashable
    value: Value
    shares: Mapping[str, float] | None = None
    frequency: float | None = None
    """In lens fair, how often the equilibrium found plays it with the mover's actual cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What the moves of a position are worth."""

    game: str
    lens: str
    objective: str
    others: str | None
    """How the others play where three or more do: `rivals` or `coalition`."""
    method: str
    """How it was found: `enumerated`, `factored`, `sampled`, `sampled-order`, `playouts`, `lp` or `cfr`."""
    exact: bool
    biased: bool = False
    """The method may be off by more than its sampling error, which is all that `error` speaks of."""
    deals: int
    """How many deals of the hidden cards fit."""
    sampled: int | None
    """How many of them, drawn at random, were looked at; None: all of them count."""
    shares_sampled: int | None = None
    """How many deals the shares come from where they were sampled; None: they are as exact as the values."""
    exact_shares: tuple[str, ...] = ()
    """Those that are exact although others were sampled."""
    moves: tuple[MoveValue, ...]
    """Best first; equal ones in canonical order."""
    best: tuple[Hashable, ...]
    """The moves that tie for the best, or that cannot be told from it."""
    seconds: float
    interrupted: bool = False
    """Stopped before it was done: this is what had been found."""

    picked: Value | None = None
    """The value of the best move where it is an estimate: picking it from several makes its interval wider. In lens
    fair, the value of the root, which is the mean over all cards that the mover may hold."""
    exploitability: float | None = None
    """In lens fair: what the two sides could gain together by answering the other's plan as well as possible."""
    certificates: "tuple[Certificate, ...]" = ()
    """The proof: in lens fair one of the root, in lens guard one for each move in canonical order."""

    @property
    def value(self) -> Value:
        """The value of the best move."""
        return self.moves[0].value if self.picked is None else self.picked


def order_moves(moves: list[MoveValue]) -> tuple[MoveValue, ...]:
    """Best first, ties as they stood."""
    return tuple(sorted(moves, key=lambda found: found.value.rank, reverse=True))


def tied_for_best(moves: tuple[MoveValue, ...]) -> tuple[Hashable, ...]:
    """The moves whose exact value is the highest."""
    return tuple(found.move for found in moves if found.value.rank == moves[0].value.rank)
