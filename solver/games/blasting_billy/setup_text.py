"""The parts of a game's set-up that positions and records write alike: names of players, and the deck."""

import re
import unicodedata
from collections.abc import Sequence

from solver.errors import NotationError, quote
from solver.games.blasting_billy.deck import NAMES, PLAYERS, Deck

RECORD_WORDS = ("game", "players", "me", "removed", "hand", "top", "starts", "deck", "fact", "from")
"""The words that start a line of a record which is not a turn."""

_RESERVED = ("billy", "some", "every", *RECORD_WORDS)


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """The players in clockwise order, if two to five different people can be called so."""
    if len(names) not in PLAYERS:
        listed = quote(", ".join(names[:6])) if names else "none"
        raise NotationError(f"2 to 5 can play, but there are {len(names)} players: {listed}")
    for name in names:
        if not name:
            raise NotationError('"" is not a name: a name has at least one letter')
        if any(c.isspace() or c in '@.#"' or unicodedata.category(c) == "Cc" for c in name):
            raise NotationError(f'{quote(name)} is not a name: leave out white space and @ . # "')
        if name in _RESERVED:
            raise NotationError(f"{quote(name)} means something else in files: choose another name")
        if names.count(name) > 1:
            raise NotationError(f"two players are called {quote(name)}: give them different names")
    return tuple(names)


def make_deck(*, types: str = NAMES.backs, values: str = "0-10", dynamite: bool = True, hand: int = 3) -> Deck:
    """A deck from its written options."""
    if not types or len(set(types)) != len(types) or not set(types) <= set(NAMES.backs):
        raise NotationError(f"types = {quote(types)}: write some of {NAMES.backs}, each once, such as JB")
    span = re.fullmatch(r"(\d|10)-(\d|10)", values, re.ASCII)
    if not span or int(span[1]) > int(span[2]):
        raise NotationError(f"values = {quote(values)}: write lowest-highest within 0-10, such as 0-3")
    if not 1 <= hand <= 12:
        raise NotationError(f"hand = {quote(hand)}: 1 to 12 cards can be held")
    in_order = "".join(letter for letter in NAMES.backs if letter in types)
    return Deck(types=in_order, low=int(span[1]), high=int(span[2]), dynamite=dynamite, hand=hand)
