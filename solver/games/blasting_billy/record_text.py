"""Records as text: one line for each thing that is set up, and then one for each turn."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from solver.cards import Card
from solver.errors import NotationError, located, quote
from solver.games.blasting_billy.cards_text import (
    format_cards,
    format_counted,
    parse_card,
    parse_cards,
    parse_type,
)
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, TYPES, Deck
from solver.games.blasting_billy.facts import Fact, format_fact, parse_fact
from solver.games.blasting_billy.hidden import count_pile
from solver.games.blasting_billy.legality import check_position, has_real_setup
from solver.games.blasting_billy.position_text import parse_position
from solver.games.blasting_billy.record import Record, Turn, check_all_known, hidden_top, take_turn
from solver.games.blasting_billy.setup_text import RECORD_WORDS, check_names, make_deck
from solver.games.blasting_billy.table import VERBS, Laid, Move, Position
from solver.texts import said_lines

Loader = Callable[[str], str]
"""Gives the text of a file that a record names."""

_TURN_HELP = "a turn is such as ann give J7 draws B4 top G"
_DECK_HELP = "write such as deck types=JB values=0-3 dynamite=true hand=2"


def parse_record(text: str, load: Loader) -> Record:
    """Read a record; raise an error with the line where it cannot be read or cannot have happened."""
    header: dict[str, tuple[int, list[str]]] = {}
    hands: dict[str, tuple[int, list[str]]] = {}
    body: list[tuple[int, list[str]]] = []
    begun = False
    for number, words in said_lines(text):
        begun = begun or words[0] not in RECORD_WORDS
        if begun or words[0] == "fact":
            body.append((number, words))
            continue
        with located(f"line {number}"):
            known = header
            word = words[0]
            if word == "hand":
                if len(words) < 2:
                    raise NotationError('"hand": write such as hand ann J7 C! D3')
                known, word = hands, words[1]
            if word in known:
                raise NotationError(f"{quote(' '.join(words))} comes a second time (first in line {known[word][0]})")
            known[word] = (number, words)
    record = _Header(header, hands, load).start()
    return _parse_body(record, body)


@dataclass
class _Header:
    """The lines before the first turn, by their first word."""

    lines: dict[str, tuple[int, list[str]]]
    hands: dict[str, tuple[int, list[str]]]
    load: Loader
    players: tuple[str, ...] = ()

    def start(self) -> Record:
        if "from" in self.lines:
            return self._from_file()
        if "players" not in self.lines:
            raise NotationError("the players are missing: write a line such as players ann bob")
        number, words = self.lines["players"]
        with located(f"line {number}"):
            self.players = check_names(words[1:])
        deck = self._deck()
        removed = tuple(sorted(self._cards("removed", deck)))
        for name, (number, _) in self.hands.items():
            if name not in self.players:
                raise NotationError(f"line {number}: {quote(name)} is not at the table: {', '.join(self.players)} are")
        hands = tuple(tuple(sorted(self._hand(name, deck))) for name in self.players)
        all_eyes, me = self._me(self.players)
        empty = ((),) * len(TYPES)
        bare = Position(
            players=self.players,
            deck=deck,
            hands=hands,
            loots=(empty,) * len(self.players),
            billy=empty,
            dumped=(),
            removed=removed,
            top=self._top(deck),
            to_move=self._seat("starts") or 0,
            me=me,
            size=0,
        )
        size = sum(max(0, count_pile(bare, kind)) for kind in TYPES)
        start = replace(bare, size=size)
        self._check(start)
        return Record(start, all_eyes=all_eyes)

    def _check(self, start: Position) -> None:
        full = start.deck.hand
        for name, hand in zip(start.players, start.hands, strict=True):
            if len(hand) != full:
                number = self.hands[name][0]
                raise NotationError(
                    f"line {number}: {name} holds {len(hand)} cards, but a game begins with {full} in every hand"
                )
        check_position(start, real_setup="deck" not in self.lines)

    def _from_file(self) -> Record:
        number, words = self.lines["from"]
        with located(f"line {number}"):
            if len(words) != 2:
                raise NotationError(f"{quote(' '.join(words))}: write such as from x.toml")
            for other in self.lines:
                if other not in ("game", "from", "me"):
                    raise NotationError(f"from takes the set-up from {quote(words[1])}: leave the {other} line out")
            if self.hands:
                raise NotationError(f"from takes the hands from {quote(words[1])}: leave the hand lines out")
            with located(words[1]):
                start = parse_position(self.load(words[1]))
        all_eyes, me = self._me(start.players)
        if "me" in self.lines and not all_eyes and me != start.me:
            raise NotationError(f"line {self.lines['me'][0]}: the position in {words[1]} is not seen by that player")
        return Record(start, all_eyes=all_eyes, source=words[1])

    def _deck(self) -> Deck:
        if "deck" not in self.lines:
            return REAL_DECK
        number, words = self.lines["deck"]
        options: dict[str, str | bool | int] = {}
        with located(f"line {number}"):
            for word in words[1:]:
                key, _, value = word.partition("=")
                if key in options or key not in ("types", "values", "dynamite", "hand"):
                    raise NotationError(f"{quote(word)} is not a deck option: {_DECK_HELP}")
                if key == "dynamite" and value in ("true", "false"):
                    options[key] = value == "true"
                elif key == "hand" and value.isdecimal() and len(value) <= 3:
                    options[key] = int(value)
                elif key in ("types", "values"):
                    options[key] = value
                else:
                    raise NotationError(f"{quote(word)}: {_DECK_HELP}")
            return make_deck(**options)  # type: ignore[arg-type]

    def _cards(self, word: str, deck: Deck) -> list[Card]:
        if word not in self.lines:
            return []
        number, words = self.lines[word]
        with located(f"line {number}"):
            return parse_cards(" ".join(words[1:]), deck, self.players)

    def _hand(self, name: str, deck: Deck) -> list[Card]:
        if name not in self.hands:
            raise NotationError(f"the hand of {name} is missing: write a line such as hand {name} J? J? G?")
        number, words = self.hands[name]
        with located(f"line {number}"):
            return parse_cards(" ".join(words[2:]), deck, self.players)

    def _me(self, players: tuple[str, ...]) -> tuple[bool, int | None]:
        if "me" in self.lines and self.lines["me"][1][1:] == ["*"] and "*" not in players:
            return True, None
        self.players = players
        return False, self._seat("me")

    def _seat(self, word: str) -> int | None:
        if word not in self.lines:
            return None
        number, words = self.lines[word]
        if len(words) != 2 or words[1] not in self.players:
            text = quote(" ".join(words))
            raise NotationError(f"line {number}: {text}: name one of {', '.join(self.players)}")
        return self.players.index(words[1])

    def _top(self, deck: Deck) -> int | None:
        if "top" not in self.lines:
            return None
        number, words = self.lines["top"]
        with located(f"line {number}"):
            return parse_type(" ".join(words[1:]), deck)


def _parse_body(record: Record, body: list[tuple[int, list[str]]]) -> Record:
    """Turns and facts, each read at the position it happens in."""
    position = record.start
    entries: list[Turn | Fact] = []
    for number, words in body:
        with located(f"line {number}"):
            entry: Turn | Fact
            if words[0] == "fact":
                entry = parse_fact(" ".join(words[1:]), position.players)
            else:
                entry = parse_turn(words, position)
                position = take_turn(replace(position, facts=()), entry)
            entries.append(entry)
    whole = replace(record, entries=tuple(entries), lines=tuple(number for number, _ in body))
    if any(isinstance(entry, Fact) for entry in entries) or record.start.facts:
        whole.replay()
    if whole.all_eyes:
        check_all_known(whole)
    return whole


def parse_turn(words: list[str], position: Position) -> Turn:
    """A turn's line: who, what, and what was drawn."""
    text = quote(" ".join(words))
    if words[0] not in position.players:
        if words[0] in RECORD_WORDS:
            raise NotationError(f"{text}: {words[0]} lines come before the first turn (only facts may come later)")
        names = ", ".join(position.players)
        raise NotationError(f"{text}: {quote(words[0])} is not at the table ({names} are); {_TURN_HELP}")
    rest = words[3:]
    if len(words) < 3 or words[1] not in VERBS:
        raise NotationError(f"{text}: say give, claim or dump and a card; {_TURN_HELP}")
    drawn, top = None, None
    if rest[:1] == ["draws"] and len(rest) > 1:
        drawn = hidden_top(position) if rest[1] == "?" else parse_card(rest[1], position.deck)
        if drawn is None and position.size:
            raise NotationError(f"{text}: no top was showing, so say which type was drawn, such as draws J?")
        if drawn is None:
            raise NotationError(f"{text}: the pile is empty, so nothing is drawn")
        rest = rest[2:]
    if rest[:1] == ["top"] and len(rest) > 1:
        top = parse_type(rest[1], position.deck)
        rest = rest[2:]
    if rest:
        raise NotationError(f"{text}: {quote(' '.join(rest))} is not understood; {_TURN_HELP}")
    move = Move(words[1], parse_card(words[2], position.deck))
    return Turn(position.players.index(words[0]), move, drawn, top)


def format_record(record: Record) -> str:
    """The record's canonical text."""
    start = record.start
    players, deck = start.players, start.deck
    lines = ["game blasting-billy"]
    me = "*" if record.all_eyes else None if start.me is None else players[start.me]
    if record.source is not None:
        lines.append(f"from {record.source}")
    if record.source is None and not has_real_setup(start):
        dynamite = str(deck.dynamite).lower()
        lines.append(f"deck types={deck.types} values={deck.low}-{deck.high} dynamite={dynamite} hand={deck.hand}")
    if record.source is None:
        lines.append(f"players {' '.join(players)}")
    if me is not None and (record.source is None or record.all_eyes):
        lines.append(f"me {me}")
    if record.source is None:
        if start.to_move:
            lines.append(f"starts {players[start.to_move]}")
        if start.removed:
            lines.append(f"removed {format_counted((Laid(card, None) for card in start.removed), players)}")
        lines += [f"hand {name} {format_cards(hand)}" for name, hand in zip(players, start.hands, strict=True)]
        if start.top is not None:
            lines.append(f"top {NAMES.backs[start.top]}")
    for entry in record.entries:
        lines.append(format_turn(entry, players) if isinstance(entry, Turn) else f"fact {format_fact(entry, players)}")
    return "\n".join(lines) + "\n"


def format_turn(turn: Turn, players: tuple[str, ...]) -> str:
    text = f"{players[turn.player]} {turn.move.verb} {NAMES.format(turn.move.card)}"
    if turn.drawn is not None:
        text += f" draws {NAMES.format(turn.drawn)}"
    if turn.top is not None:
        text += f" top {NAMES.backs[turn.top]}"
    return text
