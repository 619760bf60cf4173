"""The cards of Blasting Billy: five types of valuables, each with the values 0 to 10 and one dynamite."""

from dataclasses import dataclass

from solver.cards import Card, CardNames, face_of, make_card

NAMES = CardNames(backs="JBCGD", faces=(*map(str, range(11)), "!"))
TYPES = range(5)
"""A type is its number in the order J B C G D, in reduced decks too."""

VALUABLES = ("jewelry", "banknotes", "coins", "gold", "diamonds")
DYNAMITE = 11
"""The face of a dynamite."""

PLAYERS = range(2, 6)
"""How many can play."""


def is_dynamite(card: Card) -> bool:
    return face_of(card) == DYNAMITE


def worth(card: Card) -> int:
    """The card's value; dynamite has none."""
    return 0 if is_dynamite(card) else face_of(card)


@dataclass(frozen=True, slots=True)
class Deck:
    """Which cards a game is played with, and how many are held. The default is the real deck."""

    types: str = NAMES.backs
    low: int = 0
    high: int = 10
    dynamite: bool = True
    hand: int = 3

    def cards_of(self, kind: int) -> tuple[Card, ...]:
        """All cards of a type, in canonical order."""
        if NAMES.backs[kind] not in self.types:
            return ()
        faces = (*range(self.low, self.high + 1), *([DYNAMITE] if self.dynamite else []))
        return tuple(make_card(kind, face) for face in faces)

    @property
    def kinds(self) -> tuple[int, ...]:
        """The types in this deck, as numbers."""
        return tuple(NAMES.backs.index(letter) for letter in self.types)

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(card for kind in TYPES for card in self.cards_of(kind))

    def describe(self) -> str:
        dynamite = "dynamite" if self.dynamite else "no dynamite"
        return f"types {self.types}, values {self.low}-{self.high}, {dynamite}"


REAL_DECK = Deck()


def removed_at_setup(players: int) -> int:
    """How many cards of the real deck go back into the box unseen."""
    return {2: 12, 3: 6}.get(players, 0)
