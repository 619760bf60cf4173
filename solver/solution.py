"""The frozen answer to a question about a position: values, how they were obtained, and how sure they are."""

from collections.abc import Collection, Hashable, Mapping
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
class Reply:
    """What the opponent does after a move, in words as the mover sees it happen, and how often."""

    words: str
    frequency: Fraction


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
    replies: tuple[Reply, ...] | None = None
    """In lens fair, what the opponent then does, most frequent first; none where no turn follows. None: not asked."""


@dataclass(frozen=True, slots=True)
class OpenCards:
    """What lens open says, exactly, of moves that lens guard or fair has valued."""

    best: tuple[Hashable, ...]
    """The moves that look best with open cards."""
    value: Value
    """How good they look."""
    misleads: bool
    """Every one of them is certainly worse, in the lens asked for, than the best move there."""


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
    open: OpenCards | None = None
    """In lens guard and fair: the moves that look best in lens open, if those were found at once."""
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


def may_be_best(moves: tuple[MoveValue, ...]) -> tuple[Hashable, ...]:
    """The moves that may be the best: as high as the first, as far as both errors let one tell."""
    if not moves:
        return ()
    top = moves[0].value
    return tuple(
        each.move
        for each in moves
        if (
            each.value.rank == top.rank
            if each.value.fraction is not None and top.fraction is not None
            else each.value.number + each.value.error >= top.number - top.error
        )
    )


def compare_open(opened: tuple[MoveValue, ...], best: Collection[Hashable]) -> OpenCards:
    """What lens open says, by its exact values, beside the moves that are or may be the best in another lens."""
    ordered = order_moves(list(opened))
    looks_best = tied_for_best(ordered)
    return OpenCards(looks_best, ordered[0].value, misleads(looks_best, best))


def misleads(looks_best: Collection[Hashable], best: Collection[Hashable]) -> bool:
    """Whether what looks best is certainly not: no move of it is among those that are or may be the best."""
    return set(looks_best).isdisjoint(best)
