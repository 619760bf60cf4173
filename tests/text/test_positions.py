"""Positions as text: what is written is read back, and is written alike again."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import NotationError
from solver.games.blasting_billy.facts import format_fact, parse_fact
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.setup_text import check_names
from solver.games.blasting_billy.table import Laid, Position, laid_order
from solver.reading import read
from tests.text.sampling import ODD_NAMES, Game, games, names

FAIR = """game = "blasting-billy"
players = ["ann", "bob"]
me = "bob"
to_move = "bob"
billy = "B!@bob J?@ann"
dumped = "B?@ann"
removed = "1B?"

[hands]
ann = "B? J?"
bob = "J! J0"

[loot]
ann = ""
bob = ""

[deck]
types = "JB"
values = "0-2"
dynamite = true
hand = 2

[pile]
size = 0
"""
REAL = """game = "blasting-billy"
players = ["ann", "bob"]
me = "ann"
to_move = "ann"
billy = "C?@bob D1@ann C8@ann C!@ann B?@bob G1@ann B?@bob C1@ann G?@bob"
dumped = "B1@ann J?@bob D?@bob D?@bob D?@bob J!@ann B?@bob"
removed = "3J? 1B? 3C? 1G? 4D?"

[hands]
ann = "G7 J5 J9"
bob = "B? B? D?"

[loot]
ann = "C0 G10 B2 G2 G5 C9 D2 B9 B8 J10 D5 B10 G9"
bob = "J? B? G? G8 J0 C? G3 G4 C5 J3 J2"

[pile]
size = 2
top = "D"
"""
MANY = """game = "blasting-billy"
players = ["ann", "bob", "cas"]
me = "bob"
to_move = "bob"
billy = "B?@ann J?@ann"
dumped = ""
removed = ""

[hands]
ann = "B? J?"
bob = "B! J!"
cas = "B? J?"

[loot]
ann = ""
bob = "J1"
cas = "B?"

[deck]
types = "JB"
values = "0-3"
dynamite = true
hand = 2

[pile]
size = 0
"""


def stable(position: Position) -> str:
    """The position's text, once it is known to be read back as the same position and written alike."""
    text = format_position(position)
    assert parse_position(text) == position
    assert format_position(parse_position(text)) == text
    assert read(text)[1] == position
    return text


@settings(max_examples=100, deadline=None)
@given(games(), st.data())
def test_a_position_of_a_random_game_is_read_back_through_any_eyes(game: Game, data: st.DataObject) -> None:
    state, _ = game
    me = data.draw(st.none() | st.integers(0, len(state.players) - 1))
    stable(observe(state, me))


@settings(max_examples=80, deadline=None)
@given(games(), st.data())
def test_odd_names_are_read_back(game: Game, data: st.DataObject) -> None:
    state, _ = game
    called = data.draw(names(len(state.players)))
    stable(replace(observe(state, state.to_move), players=called))


ANY_CHARACTER = st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters='@.#"')


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(ANY_CHARACTER, min_size=1, max_size=8), min_size=3, max_size=3, unique=True))
def test_names_of_any_characters_are_read_back(called: list[str]) -> None:
    try:
        check_names(called)
    except NotationError as error:
        assert "means something else" in str(error)  # noqa: PT017
        return
    stable(replace(parse_position(MANY), players=tuple(called)))


@pytest.mark.parametrize(
    "name", ["some", "every", "billy", "game", "players", "me", "removed", "hand", "top", "starts"]
)
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    with pytest.raises(NotationError, match=f'"{name}"'):
        check_names(["ann", name])


@settings(max_examples=60, deadline=None)
@given(games(), st.booleans())
def test_the_box_stands_for_dumped_and_removed(game: Game, owners_known: bool) -> None:
    seen = observe(game[0], game[0].to_move)
    dumped = seen.dumped if owners_known else ()
    loose = () if owners_known else tuple(laid.card for laid in seen.dumped)
    boxed = replace(seen, boxed=True, dumped=dumped, removed=tuple(sorted((*seen.removed, *loose))))
    text = stable(boxed)
    assert "\nbox = " in text
    assert "removed = " not in text


@settings(max_examples=40, deadline=None)
@given(games())
def test_cards_whose_owner_nobody_kept_are_read_back(game: Game) -> None:
    seen = observe(game[0], None)
    billy = tuple(tuple(Laid(laid.card, None) for laid in column) for column in seen.billy)
    dumped = tuple(sorted((Laid(laid.card, None) for laid in seen.dumped), key=laid_order))
    stable(replace(seen, billy=billy, dumped=dumped))


@pytest.mark.parametrize("comparison", ["=", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("place", ["{0}.loot.J", "billy.D.12", "billy.B.1", "some {0}.hand.C", "every {0}.hand.G"])
def test_every_form_of_fact_round_trips(place: str, comparison: str) -> None:
    values = [*map(str, range(11)), *(["!"] if comparison in ("=", "!=") else [])]
    for name, value in product(("ann", *ODD_NAMES), values):
        text = f"{place.format(name)} {comparison} {value}"
        fact = parse_fact(text, ("zed", name))
        assert format_fact(fact, ("zed", name)) == text
        assert parse_fact(text.replace(f" {comparison} ", comparison), ("zed", name)) == fact


@pytest.mark.parametrize("comparison", ["<", "<=", ">", ">="])
def test_dynamite_is_not_compared_in_size(comparison: str) -> None:
    with pytest.raises(NotationError, match="dynamite"):
        parse_fact(f"billy.J.1 {comparison} !", ("ann", "bob"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bob",
        "bob.loot.J",
        "bob.loot.J =",
        "bob.loot.J 5",
        "bob.loot.J == 5",
        "bob.loot.J => 5",
        "bob.hand.J = 5",
        "some bob.loot.J = 5",
        "some billy.J.1 = 5",
        "billy.J.0 = 5",
        "billy.J = 5",
        "billy.J.x = 5",
        "bob.loot.X = 5",
        "eve.loot.J = 5",
        "bob.loot.J = J5",
        "bob.loot.J = -1",
        "bob.loot.J = 5 6",
        "any bob.hand.J = 5",
        "bob.loot.J = 5.0",
    ],
)
def test_what_is_not_a_fact_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_fact(text, ("ann", "bob"))
    assert f'"{text}"' in str(caught.value)


def test_facts_are_kept_in_a_position() -> None:
    facts = ["bob.loot.J >= 5", "billy.C.1 != !", "some bob.hand.B < 7", "every bob.hand.D = 4", "billy.C.2 = 8"]
    text = REAL.replace("[hands]", f"facts = {facts!r}\n[hands]".replace("'", '"'), 1)
    written = stable(parse_position(text))
    assert 'facts = ["bob.loot.J >= 5", "billy.C.1 != !", "some bob.hand.B < 7"' in written


def test_every_of_no_cards_holds() -> None:
    stable(parse_position(REAL.replace("[hands]", 'facts = ["every bob.hand.C = 3"]\n[hands]', 1)))


def test_mixed_order_and_counts_are_written_canonically() -> None:
    text = REAL.replace("3J? 1B? 3C? 1G? 4D?", "4D?  1G? J? 1J? 3C? 1B? 1J?").replace("G7 J5 J9", "J9 G7 1J5")
    written = format_position(parse_position(text))
    assert 'removed = "3J? B? 3C? G? 4D?"' in written
    assert 'ann = "J5 J9 G7"' in written
    assert 'billy = "B?@bob B?@bob C?@bob C8@ann C!@ann C1@ann G1@ann G?@bob D1@ann"' in written
    assert 'dumped = "J!@ann J?@bob B1@ann B?@bob D?@bob D?@bob D?@bob"' in written
    assert 'ann = "J10 B2 B9 B8 B10 C0 C9 G10 G2 G5 G9 D2 D5"' in written
    assert written == format_position(parse_position(REAL))


@pytest.mark.parametrize("text", [FAIR, REAL, MANY], ids=["fair", "real", "many"])
def test_positions_written_by_others_are_read(text: str) -> None:
    position = parse_position(text)
    written = stable(position)
    assert ("[deck]" in text) == ("[deck]" in written)


def test_line_ends_and_a_mark_of_byte_order_do_not_matter() -> None:
    assert parse_position(REAL.replace("\n", "\r\n")) == parse_position(REAL)


def test_missing_loot_and_columns_mean_there_are_none() -> None:
    text = MANY.replace('dumped = ""\nremoved = ""\n', "").replace('ann = ""\n', "")
    assert parse_position(text) == parse_position(MANY)
