"""What lies on the table, and how cards move on it.

A `State` knows every card; a `Position` is what one player sees of it, with `?` for what is hidden. Both are
tables, so a card is played the same way on either: placing a card does not depend on knowing it.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from solver.cards import Card, back_of, without
from solver.games.blasting_billy.deck import Deck

if TYPE_CHECKING:
    from solver.games.blasting_billy.facts import Fact

VERBS = ("give", "claim", "dump")


class Laid(NamedTuple):
    """A card laid face down by a player, who knows it; the owner is None where nobody kept track."""

    card: Card
    owner: int | None


def laid_order(laid: Laid) -> tuple[Card, int]:
    """Canonical order: by card, then by owner, unowned last."""
    return laid.card, 99 if laid.owner is None else laid.owner


class Move(NamedTuple):
    """A player's move: what to do with which hand card."""

    verb: str
    card: Card


Column = tuple[Card, ...]
"""Cards of one type in the order they were laid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(ABC):
    """Everything on the table but the pile. Columns have an entry for each of the five types."""

    players: tuple[str, ...]
    deck: Deck
    hands: tuple[tuple[Card, ...], ...]
    loots: tuple[tuple[Column, ...], ...]
    billy: tuple[tuple[Laid, ...], ...]
    dumped: tuple[Laid, ...]
    removed: tuple[Card, ...]
    boxed: bool = False
    """Dumped and removed cards were not kept apart: those without an owner are all under `removed`."""
    top: int | None
    """The type of the pile's top card, if the pile has one and it can be seen."""
    to_move: int | None
    """Whose turn it is; None once the game is over."""

    @property
    @abstractmethod
    def pile_size(self) -> int: ...

    def billy_cards(self, kind: int) -> Column:
        return tuple(laid.card for laid in self.billy[kind])


@dataclass(frozen=True, slots=True, kw_only=True)
class State(Table):
    """A table with nothing hidden."""

    pile: tuple[Card, ...]
    """The cards left to draw, sorted: their order is nobody's knowledge."""
    drawing: bool = False
    """The player to move has played and now draws."""

    @property
    def pile_size(self) -> int:
        return len(self.pile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Table):
    """A table as the player `me` sees it (None: an onlooker). Hidden cards are `?`."""

    me: int | None
    size: int
    """How many cards the pile holds."""
    facts: tuple["Fact", ...] = ()

    @property
    def pile_size(self) -> int:
        return self.size


AnyTable = TypeVar("AnyTable", bound=Table)


def play_card(table: AnyTable, verb: str, held: Card, laid: Card) -> AnyTable:
    """The player to move lays a hand card. It is known as `held` in the hand and as `laid` from then on."""
    player = table.to_move
    assert player is not None
    kind = back_of(laid)
    changed = replace(table, hands=_put(table.hands, player, without(table.hands[player], held)))
    if verb == "give":
        column = (*table.billy[kind], Laid(laid, player))
        return replace(changed, billy=_put(table.billy, kind, column))
    if verb == "claim":
        loot = table.loots[player]
        return replace(changed, loots=_put(table.loots, player, _put(loot, kind, (*loot[kind], laid))))
    return replace(changed, dumped=tuple(sorted((*table.dumped, Laid(laid, player)), key=laid_order)))


def replace_in_hand(table: AnyTable, held: Card, shown: Card) -> AnyTable:
    """The player to move shows which card one in the hand is."""
    player = table.to_move
    assert player is not None
    hand = tuple(sorted((*without(table.hands[player], held), shown)))
    return replace(table, hands=_put(table.hands, player, hand))


def take_card(table: AnyTable, card: Card) -> AnyTable:
    """The player to move takes a card into the hand."""
    player = table.to_move
    assert player is not None
    hand = tuple(sorted((*table.hands[player], card)))
    return replace(table, hands=_put(table.hands, player, hand))


def end_turn(table: AnyTable) -> AnyTable:
    """The next player's turn. With an empty pile everyone still holding a full hand has one last turn."""
    assert table.to_move is not None
    following = (table.to_move + 1) % len(table.players)
    done = table.pile_size == 0 and len(table.hands[following]) < table.deck.hand
    return replace(table, to_move=None if done else following)


Entry = TypeVar("Entry")


def _put(entries: tuple[Entry, ...], index: int, entry: Entry) -> tuple[Entry, ...]:
    return (*entries[:index], entry, *entries[index + 1 :])
