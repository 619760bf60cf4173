"""What a game must answer: the one interface between game rules and everything that analyses them.

Three words, three types. A *position* is what one player sees and may hold hidden cards; a *deal* is one
assignment of the hidden cards; a *state* is a position with nothing hidden. So

    fill(position, deal) -> state       and       observe(state, player) -> position

lead back and forth between knowing and seeing, and every lens and method is built from these two and `play`.
Positions, states and events are frozen and hashable. An event is a player's move or a chance event.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Protocol, TypeVar

from solver.deals.pools import Deal, Pool

CHANCE = -1
"""The turn of nobody: one of `chances` happens."""

OVER = -2
"""Nobody's turn any more: `payoffs` are due."""

P = TypeVar("P", bound=Hashable)
S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)


class Game(Protocol[P, S, E]):
    """The rules of one hidden-card game. Players are numbered from 0 in the order they sit."""

    @property
    def name(self) -> str:
        """As it stands in files: `game = "blasting-billy"`."""
        ...

    @property
    def objectives(self) -> tuple[str, ...]:
        """What players may play for; the first is the default."""
        ...

    @property
    def share_names(self) -> tuple[str, ...]:
        """How a game can end for a player, as reports count it."""
        ...

    def agree(self, sampled: dict[str, float], known: Mapping[str, float]) -> dict[str, float]:
        """All shares, from sampled ones and from some that are known better."""
        ...

    def check_objective(self, position: P, objective: str) -> None:
        """Raise an IllegalError where this cannot be played for."""
        ...

    def parse(self, text: str, folder: Path = Path()) -> P:
        """Read a position from its text, or from a record that leads to it; raise a LastdrawError otherwise.

        Files that the text names are sought in `folder`.
        """
        ...

    def format(self, position: P) -> str:
        """The position's one canonical text."""
        ...

    def parse_event(self, text: str) -> E: ...

    def format_event(self, event: E) -> str: ...

    def seats(self, position: P) -> tuple[str, ...]:
        """The players' names in the order they sit."""
        ...

    def hidden(self, position: P) -> tuple[Pool, ...]:
        """The hidden cards and the cells they can lie in. Pools are independent of each other."""
        ...

    def fill(self, position: P, deal: Deal) -> S:
        """The state in which the hidden cards lie as dealt: one entry a pool of `hidden(position)`."""
        ...

    def observe(self, state: S, player: int | None) -> P:
        """What the player (None: an onlooker) sees and remembers; hidden cards are hidden again."""
        ...

    def choices(self, position: P) -> Sequence[E]:
        """The moves of the position's player, as that player sees them, in canonical order.

        An IllegalError that says whose turn it is where it is not theirs.
        """
        ...

    def meanings(self, position: P, state: S, choice: E) -> Sequence[E]:
        """The moves of the filled state that a choice may turn out to be, equally likely: itself, unless it is about a
        card that its player has forgotten."""
        ...

    def turn(self, state: S) -> int:
        """Who acts: a player, CHANCE or OVER."""
        ...

    def moves(self, state: S) -> Sequence[E]:
        """The legal moves of the player whose turn it is, in canonical order."""
        ...

    def chances(self, state: S) -> Sequence[tuple[E, int]]:
        """What can happen at CHANCE, each with a whole-number weight."""
        ...

    def play(self, state: S, event: E) -> S:
        """The state after a move or a chance event, which must be one of those offered."""
        ...

    def payoffs(self, state: S, objective: str) -> tuple[Fraction, ...]:
        """What each player gets when the game is OVER."""
        ...
