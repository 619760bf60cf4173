"""Positions as TOML text."""

import json
import re
from collections.abc import Mapping
from typing import Any

from solver.cards import Card, back_of
from solver.errors import NotationError, brief, located, quote
from solver.games.blasting_billy.cards_text import (
    format_cards,
    format_counted,
    format_laid,
    parse_cards,
    parse_laid,
    parse_type,
)
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, TYPES, Deck
from solver.games.blasting_billy.facts import Fact, format_fact, parse_fact
from solver.games.blasting_billy.legality import check_position, has_real_setup
from solver.games.blasting_billy.setup_text import check_names, make_deck
from solver.games.blasting_billy.table import Column, Laid, Position, laid_order
from solver.texts import load_toml

_TOP_KEYS = ("game", "players", "me", "to_move", "billy", "dumped", "removed", "box", "facts")
_KEYS = (*_TOP_KEYS, "hands", "loot", "pile", "deck")


def parse_position(text: str) -> Position:
    """Read a position; raise an error where it cannot be read or cannot be."""
    data = load_toml(text)
    _check_keys(data, _KEYS, "")
    for key in ("players", "hands", "pile"):
        if key not in data:
            raise NotationError(f"{key} is missing: {_EXPECTED[key]}")
    players = _players(data["players"])
    deck = _deck(data)
    loose: list[Laid] = []
    if "box" in data:
        for key in ("dumped", "removed"):
            if key in data:
                raise NotationError(f"box stands for dumped and removed together: leave {key} out, or box")
        loose = _laid(data, "box", deck, players)
    dumped = [laid for laid in loose if laid.owner is not None] + _laid(data, "dumped", deck, players)
    removed = [laid.card for laid in loose if laid.owner is None]
    with located("removed"):
        removed += parse_cards(_text(data, "removed"), deck, players)
    pile = _table(data, "pile")
    _check_keys(pile, ("size", "top"), "pile.")
    position = Position(
        players=players,
        deck=deck,
        hands=_hands(data, deck, players),
        loots=_loots(data, deck, players),
        billy=_columns(_laid(data, "billy", deck, players)),
        dumped=tuple(sorted(dumped, key=laid_order)),
        removed=tuple(sorted(removed)),
        boxed="box" in data,
        top=_top(pile, deck),
        to_move=_seat(data, "to_move", players),
        me=_seat(data, "me", players),
        size=_size(pile),
        facts=_facts(data, players),
    )
    check_position(position, real_setup="deck" not in data)
    return position


_EXPECTED = {
    "players": 'write players = ["ann", "bob"], clockwise',
    "hands": 'write a table [hands] with a line for each player, such as ann = "J7 C! D3"',
    "pile": 'write a table [pile] with size = 4, and top = "B" if the top card\'s back is seen',
}


def _check_keys(data: Mapping[str, Any], allowed: tuple[str, ...], prefix: str) -> None:
    for key in data:
        if key not in allowed:
            raise NotationError(f"{quote(prefix + key)} is not a key here: {', '.join(allowed)} are")


def _typed(data: Mapping[str, Any], key: str, kind: type, wanted: str) -> Any:
    value = data[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise NotationError(f"{key} = {_toml_like(value)} should be {wanted}")
    return value


def _toml_like(value: object) -> str:
    """The value about as it was written, not too long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"{type(value).__name__} too large to print"
    return brief(text)


def _text(data: Mapping[str, Any], key: str) -> str:
    return str(_typed(data, key, str, 'cards in quotes, such as "J4 J?"')) if key in data else ""


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = _typed(data, key, dict, f"a table: [{key}] on a line of its own, its keys below")
    return table


def _players(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise NotationError(f'players = {_toml_like(value)} should be a list such as ["ann", "bob"]')
    with located("players"):
        return check_names(value)


def _deck(data: Mapping[str, Any]) -> Deck:
    if "deck" not in data:
        return REAL_DECK
    table = _table(data, "deck")
    with located("deck"):
        _check_keys(table, ("types", "values", "dynamite", "hand"), "deck.")
        wanted = {
            "types": (str, 'letters such as "JB"'),
            "values": (str, 'a range such as "0-3"'),
            "dynamite": (bool, "true or false"),
            "hand": (int, "a whole number"),
        }
        return make_deck(**{key: _typed(table, key, *wanted[key]) for key in table})


def _seat(data: Mapping[str, Any], key: str, players: tuple[str, ...]) -> int | None:
    if key not in data:
        return None
    name = _typed(data, key, str, "the name of a player in quotes")
    if name not in players:
        raise NotationError(f"{key} = {quote(name)} is not at the table: {', '.join(players)} are")
    return players.index(name)


def _by_player(data: Mapping[str, Any], key: str, players: tuple[str, ...]) -> Mapping[str, Any]:
    table = _table(data, key) if key in data else {}
    for name in table:
        if name not in players:
            raise NotationError(f"{key}: {quote(name)} is not at the table: {', '.join(players)} are")
    return table


def _hands(data: Mapping[str, Any], deck: Deck, players: tuple[str, ...]) -> tuple[tuple[Card, ...], ...]:
    table = _by_player(data, "hands", players)
    hands = []
    for name in players:
        if name not in table:
            raise NotationError(f"hands.{name} is missing: write the hand of every player, ? for hidden values")
        with located(f"hands.{name}"):
            hands.append(tuple(sorted(parse_cards(_text(table, name), deck, players))))
    return tuple(hands)


def _loots(data: Mapping[str, Any], deck: Deck, players: tuple[str, ...]) -> tuple[tuple[Column, ...], ...]:
    table = _by_player(data, "loot", players)
    loots = []
    for name in players:
        with located(f"loot.{name}"):
            cards = parse_cards(_text(table, name), deck, players)
        loots.append(tuple(tuple(card for card in cards if back_of(card) == kind) for kind in TYPES))
    return tuple(loots)


def _laid(data: Mapping[str, Any], key: str, deck: Deck, players: tuple[str, ...]) -> list[Laid]:
    with located(key):
        return parse_laid(_text(data, key), deck, players)


def _columns(laid: list[Laid]) -> tuple[tuple[Laid, ...], ...]:
    return tuple(tuple(one for one in laid if back_of(one.card) == kind) for kind in TYPES)


def _size(pile: Mapping[str, Any]) -> int:
    if "size" not in pile:
        raise NotationError("pile.size is missing: write how many cards are left to draw, such as size = 4")
    with located("pile"):
        size = int(_typed(pile, "size", int, "a whole number"))
        if size < 0:
            raise NotationError(f"size = {quote(size)} should be 0 or more")
        return size


def _top(pile: Mapping[str, Any], deck: Deck) -> int | None:
    with located("pile.top"):
        return parse_type(_typed(pile, "top", str, 'a type such as "B"'), deck) if "top" in pile else None


def _facts(data: Mapping[str, Any], players: tuple[str, ...]) -> tuple[Fact, ...]:
    texts = data.get("facts", [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise NotationError(f'facts = {_toml_like(texts)} should be a list such as ["bob.loot.J >= 5"]')
    with located("facts"):
        return tuple(parse_fact(text, players) for text in texts)


def format_position(position: Position) -> str:
    """The position's canonical text."""
    players = position.players
    removed = [Laid(card, None) for card in position.removed]
    lines = [
        'game = "blasting-billy"',
        f"players = [{', '.join(map(_string, players))}]",
    ]
    if position.me is not None:
        lines.append(f"me = {_string(players[position.me])}")
    if position.to_move is not None:
        lines.append(f"to_move = {_string(players[position.to_move])}")
    billy = (laid for column in position.billy for laid in column)
    lines.append(f"billy = {_string(format_laid(billy, players))}")
    if position.boxed:
        box = sorted((*position.dumped, *removed), key=laid_order)
        lines.append(f"box = {_string(format_counted(box, players))}")
    else:
        lines.append(f"dumped = {_string(format_laid(position.dumped, players))}")
        lines.append(f"removed = {_string(format_counted(removed, players))}")
    if position.facts:
        facts = (_string(format_fact(fact, players)) for fact in position.facts)
        lines.append(f"facts = [{', '.join(facts)}]")
    lines += ["", "[hands]"]
    lines += [f"{_key(n)} = {_string(format_cards(hand))}" for n, hand in zip(players, position.hands, strict=True)]
    lines += ["", "[loot]"]
    for name, loot in zip(players, position.loots, strict=True):
        lines.append(f"{_key(name)} = {_string(format_cards(card for column in loot for card in column))}")
    lines += ["", "[pile]", f"size = {position.size}"]
    if position.top is not None:
        lines.append(f'top = "{NAMES.backs[position.top]}"')
    if not has_real_setup(position):
        deck = position.deck
        lines += ["", "[deck]", f'types = "{deck.types}"', f'values = "{deck.low}-{deck.high}"']
        lines += [f"dynamite = {str(deck.dynamite).lower()}", f"hand = {deck.hand}"]
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _string(name)
