"""Lists of cards as text: `J4@ann 3J? D!`, with counts in front and owners behind."""

import re
from collections.abc import Iterable, Sequence

from solver.cards import Card, is_hidden
from solver.errors import ImpossibleError, NotationError, quote
from solver.games.blasting_billy.deck import NAMES, Deck
from solver.games.blasting_billy.table import Laid

_COUNTED = re.compile(r"(?P<count>\d*)(?P<card>[^\d@][^@]*)(?:@(?P<owner>.*))?", re.ASCII)


def parse_card(text: str, deck: Deck) -> Card:
    """A card of this deck, or a hidden one of a type that is in it."""
    card = NAMES.parse(text)
    if text[0] not in deck.types or not (is_hidden(card) or card in deck.cards):
        raise NotationError(f"{quote(text)} is not in this deck ({deck.describe()})")
    return card


def parse_type(text: str, deck: Deck) -> int:
    if len(text) != 1 or text not in deck.types:
        raise NotationError(f"{quote(text)} is not a type: write one of {' '.join(deck.types)}")
    return NAMES.backs.index(text)


def parse_laid(text: str, deck: Deck, players: Sequence[str]) -> list[Laid]:
    """A list of cards, each possibly with a count and an owner."""
    result: list[Laid] = []
    for word in text.split():
        found = _COUNTED.fullmatch(word)
        if not found:
            raise NotationError(f"{quote(word)} is not a card: write such as J7, J!, J?, 3J? or J?@{players[0]}")
        card = parse_card(found["card"], deck)
        owner = found["owner"]
        if owner is not None and owner not in players:
            raise NotationError(f"{quote(word)}: {quote(owner)} is not at the table: {', '.join(players)} are")
        count = _parse_count(word, found["count"], card, deck)
        result.extend([Laid(card, None if owner is None else players.index(owner))] * count)
        if len(result) > len(deck.cards):
            raise ImpossibleError(f"more cards than the deck has ({len(deck.cards)}), at {quote(word)}")
    return result


def _parse_count(word: str, count: str, card: Card, deck: Deck) -> int:
    most = len(deck.cards_of(card >> 4))
    if not count:
        return 1
    if len(count) > 4 or not 1 <= int(count) <= most:
        raise NotationError(f"{quote(word)}: the count must be 1 to {most}, as many as the deck has of a type")
    if int(count) > 1 and not is_hidden(card):
        raise ImpossibleError(f"{quote(word)}: there is only one {NAMES.format(card)} in the deck")
    return int(count)


def parse_cards(text: str, deck: Deck, players: Sequence[str]) -> list[Card]:
    """A list of cards that have no owner beside the place they are in."""
    laid = parse_laid(text, deck, players)
    for card, owner in laid:
        if owner is not None:
            word = f"{NAMES.format(card)}@{players[owner]}"
            raise NotationError(f"{quote(word)}: only cards given to Billy or dumped have an owner behind them")
    return [card for card, _ in laid]


def format_cards(cards: Iterable[Card]) -> str:
    return " ".join(map(NAMES.format, cards))


def format_laid(laid: Iterable[Laid], players: Sequence[str]) -> str:
    return " ".join(NAMES.format(card) + ("" if owner is None else f"@{players[owner]}") for card, owner in laid)


def format_counted(laid: Iterable[Laid], players: Sequence[str]) -> str:
    """Cards with a count in front of those that are alike, in the order given."""
    counts: dict[str, int] = {}
    for one in laid:
        text = format_laid([one], players)
        counts[text] = counts.get(text, 0) + 1
    return " ".join(text if count == 1 else f"{count}{text}" for text, count in counts.items())
