"""What a game may offer beyond its rules: faster ways to the same answers, asked for by capability.

A game that has them answers `HasShortcuts`, for lens open, or `HasEquilibria`, for lenses guard and fair. Nothing in
here changes what a value means.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from solver.solution import MoveValue, Reply
from solver.watch import Watch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.certificate import Certificate
    from solver.reduction import Reduction
    from solver.sequence_form import SequenceGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked in lens open of a position in which its own player is to move."""

    position: Any
    objective: str
    others: str | None
    """None where two play."""


PROGRAM = 200_000_000
"""Bytes that the program takes once its kernels are loaded, whatever the position."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large an exact computation will be: in words, and as an estimate of seconds and bytes. What the program takes
    itself comes on top."""

    words: str
    seconds: float
    memory: float = 0.0


class Computation(Protocol):
    """An exact computation that is prepared but not yet begun."""

    def load(self) -> None:
        """Have everything compiled, or loaded from where it was kept, before time counts."""
        ...

    @property
    def size(self) -> Size:
        """This may already take a second."""
        ...

    def run(self, watch: Watch) -> tuple[MoveValue, ...]:
        """Every legal move with its exact value, in canonical order; raises Stopped when the watch says so.

        Shares that it does not compute exactly are not there.
        """
        ...


class Evaluator(Protocol):
    """Looks at moves deal by deal. Values are whole numbers for the mover, over `scale`."""

    @property
    def moves(self) -> Sequence[Hashable]:
        """The mover's legal moves in canonical order."""
        ...

    @property
    def scale(self) -> int: ...

    @property
    def spread(self) -> float:
        """The largest possible value less the smallest."""
        ...

    @property
    def seconds(self) -> float:
        """Roughly how long one deal takes with all moves, once everything is compiled."""
        ...

    @property
    def share_names(self) -> tuple[str, ...]: ...

    def draw(self, rng: "np.random.Generator", number: int) -> Any:
        """A batch of deals, uniform and independent of each other (with whatever else is left to chance)."""
        ...

    def values(self, deals: Any, moves: Sequence[int]) -> "NDArray[np.int64]":
        """What the moves (by number) are worth in each deal of a batch: an array [deal, move]."""
        ...

    def shares(self, deals: Any, moves: Sequence[int]) -> "NDArray[np.float64]":
        """Unbiased estimates, from each deal of a batch, of how the game ends: [deal, move, share]."""
        ...


class DealSearch(Evaluator, Protocol):
    """An evaluator that can also go through all deals."""

    @property
    def classes(self) -> int:
        """How many deals are left once those that no remaining choice can tell apart are merged."""
        ...

    @property
    def class_seconds(self) -> float:
        """Roughly how long one of them takes with all moves, all draws and how games end."""
        ...

    def all_classes(self, most: int) -> "Iterator[tuple[Any, NDArray[np.int64]]]":
        """All merged deals in batches of at most so many, each with its number of deals."""
        ...

    def exact_shares(self, deals: Any, moves: Sequence[int]) -> "NDArray[np.int64]":
        """How the game ends, over `scale`, in each deal: [deal, move, share]. Chance is averaged exactly."""
        ...


@runtime_checkable
class HasShortcuts(Protocol):
    """A game with faster ways."""

    def factored(self, question: Question) -> Computation | None:
        """An exact computation that lists no joint deals, if there is one for this question."""
        ...

    def deal_search(self, question: Question) -> DealSearch | None:
        """Perfect-information search of single deals."""
        ...

    def order_search(self, question: Question) -> Evaluator | None:
        """The same with the pile's order sampled too, which both sides then see: biased, but reaches further."""
        ...

    def playouts(self, question: Question) -> Evaluator | None:
        """Sensible play to the end of the game, from any stage: biased."""
        ...


class FairGame(Protocol):
    """A position's equilibrium to be found: the game in sequence form, side 0 being the mover's."""

    @property
    def game(self) -> "SequenceGame": ...

    @property
    def reduction(self) -> "Reduction":
        """The same made smaller, to be solved."""
        ...

    def moves(self, certificate: "Certificate") -> tuple[MoveValue, ...]:
        """The moves of the mover's actual cards, in canonical order; none where those are not known."""
        ...

    def replies(self, certificate: "Certificate") -> Mapping[Hashable, tuple[Reply, ...]]:
        """What the opponent does after each of those moves, most frequent first; nothing where no turn follows."""
        ...


class FairWay(Protocol):
    """Lens fair, prepared but not yet begun."""

    @property
    def deals(self) -> int:
        """The public ones."""
        ...

    @property
    def growing(self) -> float:
        """Seconds, at most, that measuring takes: by closed form."""
        ...

    def measure(self, watch: Watch) -> Size:
        """This may take what `build` takes, and is then done with it; raises Stopped when the watch ends first."""
        ...

    def build(self, watch: Watch) -> FairGame: ...


class GuardWay(Protocol):
    """Lens guard, prepared but not yet begun."""

    def measure(self, watch: Watch) -> Size:
        """This may take seconds, and `games` is then spared them; raises Stopped when the watch ends first."""
        ...

    def load(self) -> None: ...

    def games(self, watch: Watch) -> "Iterator[tuple[Hashable, SequenceGame]]":
        """The game in sequence form after each move in canonical order, side 0 being the mover's."""
        ...


@runtime_checkable
class HasEquilibria(Protocol):
    """A game with fast ways to its games in sequence form."""

    def fair(self, position: Any, objective: str) -> FairWay:
        """An IllegalError where the equilibrium is not defined."""
        ...

    def guard(self, question: Question) -> GuardWay | None:
        """None where the mover has no further turn: the values are those of lens open."""
        ...
