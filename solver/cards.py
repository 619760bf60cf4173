"""Cards as small integers: a back that everyone sees and a face that may be hidden.

`back * 16 + face` orders cards by back, then by face, with the hidden face last: the canonical order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.errors import NotationError, quote

Card = int

HIDDEN = 15
"""The face of a card whose value is not known, written `?`."""


def make_card(back: int, face: int) -> Card:
    return back * 16 + face


def back_of(card: Card) -> int:
    return card >> 4


def face_of(card: Card) -> int:
    return card & 15


def is_hidden(card: Card) -> bool:
    return card & 15 == HIDDEN


def hide(card: Card) -> Card:
    """The same card seen from behind."""
    return card | HIDDEN


def without(cards: Sequence[Card], card: Card) -> tuple[Card, ...]:
    """The cards with one copy of `card` taken out."""
    index = cards.index(card)
    return (*cards[:index], *cards[index + 1 :])


@dataclass(frozen=True, slots=True)
class CardNames:
    """How a game's cards are written: a letter for the back, then the face or `?`."""

    backs: str
    faces: tuple[str, ...]

    def parse(self, text: str) -> Card:
        back = self.backs.find(text[:1]) if text else -1
        face = text[1:]
        if back >= 0 and face == "?":
            return make_card(back, HIDDEN)
        if back >= 0 and face in self.faces:
            return make_card(back, self.faces.index(face))
        raise NotationError(
            f"{quote(text)} is not a card: write a type ({' '.join(self.backs)}) and a value "
            f"({self.faces[0]} to {self.faces[-2]}, {self.faces[-1]}, or ? where it is not known), "
            f"such as {self.backs[0]}{self.faces[-2]} or {self.backs[0]}?"
        )

    def format(self, card: Card) -> str:
        return self.format_back(card) + self.format_face(card)

    def format_back(self, card: Card) -> str:
        return self.backs[back_of(card)]

    def format_face(self, card: Card) -> str:
        return "?" if is_hidden(card) else self.faces[face_of(card)]
