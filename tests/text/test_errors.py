"""Wrong texts: each is refused with a message that quotes it and says where, and never with anything else."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import ImpossibleError, LastdrawError, NotationError
from solver.reading import read
from tests.text.test_positions import FAIR, MANY, REAL
from tests.text.test_records import EXAMPLE, SMALL

N, I = NotationError, ImpossibleError  # noqa: E741
DIGITS = "9" * 5000
HEX = "0x" + "f" * 5000


def put(old: str, new: str, text: str = FAIR) -> str:
    assert old in text
    return text.replace(old, new, 1)


def top(line: str, text: str = FAIR) -> str:
    """With another line among the top keys."""
    return put("\n[hands]", f"{line}\n\n[hands]", text)


def fact(text: str, position: str = REAL) -> str:
    return top(f'facts = ["{text}"]', position)


Case = tuple[str, type[LastdrawError], tuple[str, ...]]

BAD: dict[str, Case] = {
    "empty": ("", N, ("nothing in it",)),
    "white space": (" \n\t\n", N, ("nothing in it",)),
    "comments only": ("# one\n  # two\n", N, ("nothing in it",)),
    "a sentence": ("hello there\n", N, ("line 1", '"hello there"')),
    "not TOML": (put('me = "bob"', "me = bob"), N, ("line 3", '"me = bob"')),
    "an open string": (put('me = "bob"', 'me = "bob'), N, ("line 3", "not TOML")),
    "a key twice": (put('me = "bob"', 'me = "bob"\nme = "bob"'), N, ("line", "not TOML")),
    "a NUL": (put('me = "bob"', 'me = "b\0b"'), N, ("line 3", "not TOML")),
    "unknown key": (top("colour = 1"), N, ('"colour"',)),
    "unknown table": (FAIR + "[wall]\n", N, ('"wall"',)),
    "unknown key of the pile": (FAIR + "sizes = 0\n", N, ('"pile.sizes"',)),
    "unknown key of the deck": (put("hand = 2", "hand = 2\nhands = 2"), N, ('"deck.hands"',)),
    "no game": (put('game = "blasting-billy"\n', ""), N, ("game is missing",)),
    "no players": (put('players = ["ann", "bob"]\n', ""), N, ("players is missing",)),
    "no pile": (put("[pile]\nsize = 0\n", ""), N, ("pile is missing",)),
    "no size": (put("size = 0\n", ""), N, ("pile.size is missing",)),
    "no hand": (put('ann = "B? J?"\n', ""), N, ("hands.ann is missing",)),
    "no to_move": (put('to_move = "ann"\n', "", REAL), N, ("to_move is missing",)),
    "unknown game": (put("blasting-billy", "poker"), N, ('"poker"',)),
    "one player": (put('["ann", "bob"]', '["ann"]'), N, ("players", "2 to 5", '"ann"')),
    "six players": (put('["ann", "bob"]', '["a", "b", "c", "d", "e", "f"]'), N, ("players", "6 players")),
    "no player": (put('["ann", "bob"]', "[]"), N, ("players", "0 players")),
    "a name twice": (put('["ann", "bob"]', '["bob", "bob"]'), N, ("players", '"bob"')),
    "an empty name": (put('["ann", "bob"]', '["", "bob"]'), N, ("players", '""')),
    "a stranger's hand": (put('ann = "B? J?"', 'eve = "B? J?"'), N, ("hands", '"eve"')),
    "a stranger's loot": (put('ann = ""', 'eve = ""'), N, ("loot", '"eve"')),
    "a stranger gave": (put("J?@ann", "J?@eve"), N, ("billy", '"J?@eve"')),
    "a stranger dumped": (put("B?@ann", "B?@eve"), N, ("dumped", '"B?@eve"')),
    "a stranger's eyes": (put('me = "bob"', 'me = "eve"'), N, ("me", '"eve"')),
    "a stranger's turn": (put('to_move = "bob"', 'to_move = "eve"'), N, ("to_move", '"eve"')),
    "an owner in a hand": (put('ann = "B? J?"', 'ann = "B?@bob J?"'), N, ("hands.ann", '"B?@bob"')),
    "box and removed": (top('box = ""'), N, ("box",)),
    "a card not in the deck": (put("J! J0", "J! J7"), N, ("hands.bob", '"J7"')),
    "a type not in the deck": (put("J! J0", "J! C0"), N, ("hands.bob", '"C0"')),
    "a top not in the deck": (FAIR + 'top = "C"\n', N, ("pile.top", '"C"')),
    "a card twice": (put("J! J0", "J! B!"), I, ("B! is there twice", "hands.bob", "billy")),
    "a card twice in a hand": (put("J! J0", "J! J!"), I, ("J! is there twice", "hands.bob")),
    "too many of a type": (put('removed = "1B?"', 'removed = "4J?"'), I, ("type J", "4 in removed")),
    "a count too large": (put('"1B?"', '"999999999999J?"'), N, ("removed", '"999999999999J?"')),
    "a count of 0": (put('"1B?"', '"0J?"'), N, ("removed", '"0J?"')),
    "a face-up card hidden": (put("G8 J0", "G8 J?", REAL), N, ("loot.bob", "J?", "face up")),
    "removed too few": (put("4D?", "3D?", REAL), I, ("removed", "11", "12")),
    "a hand too large": (put('"B? B? D?"', '"B? B? D? C?"', put("size = 2", "size = 1", REAL)), I, ("hands.bob", "4")),
    "a hand too small": (put('"B? B? D?"', '"B? B?"', put("size = 2", "size = 3", REAL)), I, ("hands.bob", "2")),
    "last turns out of order": (
        put('removed = "1B?"', 'removed = "1B? J?"', put("J! J0", "J!")),
        I,
        ("hands", "bob 1"),
    ),
    "a hand too small at the end": (put('to_move = "bob"\n', ""), I, ("hands.ann", "2")),
    "to_move after the end": (
        put("J! J0", "J!", put('"B? J?"', '"B?"', put('"1B?"', '"1B? 2J?"'))),
        I,
        ("to_move", "bob"),
    ),
    "a pile that does not add up": (put("size = 2", "size = 3", REAL), I, ("size = 3", " J", " B", " C", " G", " D")),
    "an empty pile that is not": (put("size = 2\n", "size = 0\n", REAL), I, ("size = 0", "are 2")),
    "a top that cannot be there": (put('top = "D"', 'top = "J"', REAL), I, ('top = "J"',)),
    "a top of nothing": (FAIR + 'top = "J"\n', I, ('top = "J"', "empty")),
    "turns that do not go round": (put("B!@bob", "B!@ann"), I, ("turns", "ann 3")),
    "a negative size": (put("size = 0", "size = -1"), N, ("pile", "-1")),
    "a vast size": (put("size = 0", f"size = {10**30}"), I, ("pile", "1000000")),
    "a size of 5000 digits": (put("size = 0", f"size = {DIGITS}"), N, ("thousands of digits",)),
    "a size of 5000 hexadecimal digits": (put("size = 0", f"size = {HEX}"), LastdrawError, ("size",)),
    "a negative size of many bits": (put("size = 0", "size = -1" + "0" * 4000), N, ("size",)),
    "a hand of 5000 hexadecimal digits": (put("hand = 2", f"hand = {HEX}"), N, ("hand",)),
    "a name of 5000 hexadecimal digits": (put('me = "bob"', f"me = {HEX}"), N, ("me",)),
    "a game of 5000 hexadecimal digits": (put('"blasting-billy"', HEX), N, ("game",)),
    "deep arrays": (put('me = "bob"', "me = " + "[" * 9000 + "]" * 9000), N, ("nested too deeply",)),
    "deep tables": (put('me = "bob"', "me" + ".a" * 5000 + " = 1"), N, ("",)),
    "a deep game": (put('game = "blasting-billy"', "game" + ".a" * 5000 + " = 1"), N, ("",)),
    "a deep table": (put("[hands]", "[hands" + ".ann" * 5000 + "]"), N, ("",)),
    "deck types": (put('types = "JB"', 'types = "JX"'), N, ("deck", '"JX"')),
    "deck types twice": (put('types = "JB"', 'types = "JJ"'), N, ("deck", '"JJ"')),
    "deck values": (put('"0-2"', '"0-11"'), N, ("deck", '"0-11"')),
    "deck values backwards": (put('"0-2"', '"2-0"'), N, ("deck", '"2-0"')),
    "deck hand": (put("hand = 2", "hand = 0"), N, ("deck", '"0"')),
    "a fact of no words": (fact(""), N, ("facts", '""')),
    "a fact about a stranger": (fact("eve.loot.J = 1"), N, ("facts", '"eve"')),
    "a fact about no loot": (fact("bob.loot.D = 1"), N, ('"bob.loot.D = 1"', "claimed no D")),
    "a fact about no card of Billy's": (fact("billy.C.9 = 1"), N, ('"billy.C.9 = 1"',)),
    "a fact about a type not in the deck": (fact("every ann.hand.C = 1", FAIR), N, ('"every ann.hand.C = 1"',)),
    "a fact beyond the deck": (fact("bob.loot.J > 10"), I, ("bob.loot.J > 10",)),
    "a fact against a card seen": (fact("bob.loot.J = 5"), I, ("bob.loot.J = 5", "J5")),
    "a fact against itself": (
        fact('bob.loot.J > 6", "bob.loot.J < 6'),
        I,
        ("bob.loot.J > 6", "bob.loot.J < 6"),
    ),
    "some of no cards": (fact("some bob.hand.C != !"), I, ("some bob.hand.C != !",)),
    "two cards that are one": (fact('billy.B.1 = 4", "billy.B.2 = 4'), I, ("billy.B.1 = 4", "billy.B.2 = 4")),
    "a fact against an own card": (fact("some ann.hand.J < 5"), I, ("some ann.hand.J < 5",)),
    "more than a hand can hold": (
        fact('some bob.hand.B = 3", "some bob.hand.B = 4", "some bob.hand.B = 5'),
        I,
        ("bob.hand.B = 3", "bob.hand.B = 5"),
    ),
    "no players in a record": ("game blasting-billy\nme ann\n", N, ("players",)),
    "a record without a game": ("players ann bob\n", N, ("line 1", '"players ann bob"')),
    "a record of another game": ("game poker\n", N, ('"poker"',)),
    "a record of two games": ("game blasting billy\n", N, ("line 1", '"game blasting billy"')),
    "a record from nowhere": ("game blasting-billy\nfrom /no/such.toml\n", N, ("line 2", "/no/such.toml")),
    "a record from a folder": ("game blasting-billy\nfrom /\n", N, ("line 2",)),
    "a record from a NUL": ("game blasting-billy\nfrom a\0b\n", N, ("line 2",)),
}
KEYS = {
    "players": 'players = ["ann", "bob"]',
    "me": 'me = "bob"',
    "to_move": 'to_move = "bob"',
    "billy": 'billy = "B!@bob J?@ann"',
    "dumped": 'dumped = "B?@ann"',
    "removed": 'removed = "1B?"',
    "ann": 'ann = "B? J?"',
    "types": 'types = "JB"',
    "values": 'values = "0-2"',
    "dynamite": "dynamite = true",
    "hand": "hand = 2",
    "size": "size = 0",
    "game": 'game = "blasting-billy"',
}
ODD = (
    "1",
    "-2.5",
    "nan",
    "true",
    "[]",
    "[1]",
    '["J7"]',
    "{}",
    "{a = 1}",
    "1979-05-27",
    "07:32:00",
    "1979-05-27T07:32:00Z",
)
RIGHT = {("hand", "1"), ("size", "1"), ("dynamite", "true")}
"""Of the right type, if not of the right size."""
for key, line in KEYS.items():
    for value in ODD:
        if (key, value) not in RIGHT:
            BAD[f"{key} is {value}"] = (put(line, f"{key} = {value}"), N, (key,))
for key in ("hands", "loot", "pile", "deck"):
    for value in ("1", '"J7"', "true", "[]"):
        head, _, tail = FAIR.partition(f"\n[{key}]")
        rest = "\n[" + tail.partition("\n[")[2] if "\n[" in tail else ""
        BAD[f"{key} is {value}"] = (f"{key} = {value}\n{head}{rest}", N, (key,))
for value in ("1", '"x"', "[1]", "{}", "[[]]"):
    BAD[f"facts is {value}"] = (top(f"facts = {value}"), N, ("facts",))
for value in ("1", "[]", "true"):
    BAD[f"top is {value}"] = (put('top = "D"', f"top = {value}", REAL), N, ("pile", "top"))
    BAD[f"box is {value}"] = (put('dumped = "B?@ann"\nremoved = "1B?"', f"box = {value}"), N, ("box",))
for name in (
    "billy",
    "some",
    "every",
    "game",
    "fact",
    "deck",
    "from",
    "hand",
    "a b",
    "a.b",
    "a@b",
    "a#b",
    'a\\"b',
    "a\\tb",
    "\\u0000",
):
    shown = {"\\u0000": "\\x00"}.get(name, name.replace('\\"', '"'))
    BAD[f"a player called {name}"] = (put('["ann", "bob"]', f'["{name}", "bob"]'), N, ("players", f'"{shown}"'))
for word in ("J11", "X3", "J", "?", "7J7", "7", "J7x", "@ann", "J?@", "j0", "J-1"):
    for key, line in (("billy", '"B!@bob J?@ann"'), ("removed", '"1B?"'), ("hands.bob", '"J! J0"'), ("loot.ann", '""')):
        bad = put(
            f"ann = {line}" if key == "loot.ann" else line, f'ann = "{word}"' if key == "loot.ann" else f'"{word}"'
        )
        BAD[f"{word} in {key}"] = (bad, LastdrawError, (f"{key}: ", word.lstrip("7") if word == "7J7" else word))


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_text_is_refused_with_what_and_where(name: str) -> None:
    text, kind, fragments = BAD[name]
    with pytest.raises(LastdrawError) as caught:
        read(text)
    assert isinstance(caught.value, kind)
    message = str(caught.value)
    assert [part for part in fragments if part not in message] == []
    assert len(message.splitlines()) <= 12
    assert len(message) <= 1200


@pytest.mark.parametrize("text", [FAIR, REAL, MANY, EXAMPLE, SMALL], ids=["fair", "real", "many", "example", "small"])
def test_the_texts_that_are_made_wrong_here_are_right(text: str) -> None:
    assert read(text)[0].name == "blasting-billy"


@pytest.mark.parametrize("name", ["a fact against a card seen", "two cards that are one", "a fact against itself"])
def test_statements_that_contradict_each_other_are_two(name: str) -> None:
    with pytest.raises(ImpossibleError) as caught:
        read(BAD[name][0])
    assert len(caught.value.statements) == 2


def test_many_facts_are_refused_in_few_lines() -> None:
    many = '", "'.join(f"some bob.hand.B != {number}" for number in range(11)) + '", "every bob.hand.B = 0'
    with pytest.raises(ImpossibleError) as caught:
        read(fact(many))
    assert len(caught.value.statements) <= 2


CHARACTERS = "J?!@#\"'[]{}=.,\\\n\t 0179-_*éß李🎲\0\r\u2028\ufeff" + "".join(map(chr, range(33, 127)))


def mutate(text: str, rng: Random) -> str:
    """The text with a few chunks deleted, doubled, moved or replaced."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 5, 30)))
        chunk = text[start:end]
        other = rng.randrange(len(text) + 1)
        text = rng.choice(
            (
                text[:start] + text[end:],
                text[:end] + chunk + text[end:],
                text[:start] + "".join(rng.choices(CHARACTERS, k=rng.randint(1, 4))) + text[end:],
                text[:start] + text[other : other + 9] + text[end:],
                text[:start] + str(rng.choice((-1, 0, 3, 12, 10**20))) + text[end:],
            )
        )
    return text


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([FAIR, REAL, MANY, EXAMPLE, SMALL, fact("bob.loot.J >= 5")]))
def test_a_garbled_text_is_read_or_refused(seed: int, text: str) -> None:
    rng = Random(seed)
    for _ in range(10):
        garbled = mutate(text, rng)
        try:
            game, position = read(garbled)
            assert game.parse(game.format(position)) == position
        except LastdrawError as error:
            assert len(str(error).splitlines()) <= 12  # noqa: PT017


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"game blasting-billy\n{text}", f'game = "blasting-billy"\n{text}'):
        try:
            read(whole)
        except LastdrawError as error:
            assert len(str(error).splitlines()) <= 12  # noqa: PT017
