"""Hidden cards and where they can lie, for one pool of cards that are mixed only with each other.

In a game whose backs show the type, each type is a pool of its own: the hidden cards of one type lie in the
hidden slots of that type, every arrangement equally likely, whatever happens in the other types. Slots that
nobody tells apart (a hand's cards of one type, the pile) form one *cell*, filled with a set of cards.
"""

from dataclasses import dataclass, replace

from solver.cards import Card

PoolDeal = tuple[tuple[Card, ...], ...]
"""The cards of each cell of a pool, in the order of the cells; within a cell in rising order."""

Deal = tuple[PoolDeal, ...]
"""One assignment of all hidden cards: an entry for each pool."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Slots of a pool that nobody tells apart: `size` cards in no order."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Statement:
    """What is known of a cell, by number: `every` card in it (or, if not every, some card) is one of `cards`."""

    text: str
    cell: int
    cards: frozenset[Card]
    every: bool = True


@dataclass(frozen=True, slots=True)
class Pool:
    """Different cards, as many as the cells hold together, and what is known of where they lie."""

    name: str
    cards: tuple[Card, ...]
    cells: tuple[Cell, ...]
    statements: tuple[Statement, ...] = ()

    def __post_init__(self) -> None:
        if sum(cell.size for cell in self.cells) != len(self.cards):
            raise ValueError(f"pool {self.name}: {len(self.cards)} cards do not fill cells {self.cells}")

    def stating(self, *statements: Statement) -> "Pool":
        """The same pool with more known of it."""
        return replace(self, statements=self.statements + statements)

    def allows(self, cell: int, cards: tuple[Card, ...]) -> bool:
        """Whether the cell may be filled with exactly these cards, as far as statements on it go."""
        return all(
            all(card in known.cards for card in cards) if known.every else any(card in known.cards for card in cards)
            for known in self.statements
            if known.cell == cell
        )
