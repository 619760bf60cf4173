"""Cards and moves as text."""

from itertools import product

import pytest

from solver.cards import HIDDEN, is_hidden, make_card
from solver.errors import ImpossibleError, NotationError
from solver.games.blasting_billy.cards_text import (
    format_cards,
    format_counted,
    format_laid,
    parse_card,
    parse_cards,
    parse_laid,
    parse_type,
)
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, Deck
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.rules import Draw
from solver.games.blasting_billy.table import VERBS, Laid, Move

LETTERS, FACES = "JBCGD", (*map(str, range(11)), "!", "?")
TEXTS = [letter + face for letter, face in product(LETTERS, FACES)]
BAD = (
    "",
    "J",
    "?",
    "!",
    "7",
    "J11",
    "J-1",
    "J07",
    "J 7",
    "X3",
    "j7",
    "7J7",
    "J7J",
    "J??",
    "J!!",
    "J７",
    "Ｊ7",
    "J7 ",
    "JJ",
)
TABLE = ("ann", "bob")


@pytest.mark.parametrize("text", TEXTS)
def test_every_card_round_trips(text: str) -> None:
    card = parse_card(text, REAL_DECK)
    assert NAMES.format(card) == text
    assert is_hidden(card) == (text[1] == "?")
    assert parse_cards(text, REAL_DECK, TABLE) == [card]


def test_text_order_of_all_cards_is_the_order_of_their_numbers() -> None:
    cards = [parse_card(text, REAL_DECK) for text in TEXTS]
    assert cards == sorted(cards)
    assert len(set(cards)) == 65


def test_the_real_deck_is_the_sixty_cards_with_a_value() -> None:
    assert format_cards(REAL_DECK.cards).split() == [text for text in TEXTS if "?" not in text]


@pytest.mark.parametrize("text", BAD)
def test_a_malformed_card_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(text, REAL_DECK)
    assert f'"{text}"' in str(caught.value)


@pytest.mark.parametrize(
    "text", ["J11", "X3", "J", "?", "7J7", "J?@", "J?@eve", "@ann", "J7@ann@bob", "0J?", "13J?", "-1J?"]
)
def test_a_malformed_word_in_a_list_is_an_error_that_quotes_its_card(text: str) -> None:
    with pytest.raises((NotationError, ImpossibleError)) as caught:
        parse_laid(f"J1 {text} B2", REAL_DECK, TABLE)
    quoted = str(caught.value)
    assert f'"{text}"' in quoted or f'"{text.lstrip("0123456789")}"' in quoted


@pytest.mark.parametrize("text", ["J4", "J!", "B1", "C?"])
def test_a_card_outside_a_small_deck_is_an_error(text: str) -> None:
    with pytest.raises(NotationError, match="is not in this deck"):
        parse_card(text, Deck(types="JB", low=2, high=3, dynamite=False))


@pytest.mark.parametrize(("verb", "text"), list(product(VERBS, TEXTS)))
def test_every_move_round_trips(verb: str, text: str) -> None:
    game = BlastingBilly()
    event = game.parse_event(f"{verb} {text}")
    assert event == Move(verb, NAMES.parse(text))
    assert game.format_event(event) == f"{verb} {text}"


@pytest.mark.parametrize("top", [None, *range(5)])
@pytest.mark.parametrize("text", ["J0", "B10", "C!", "D?"])
def test_every_draw_round_trips(text: str, top: int | None) -> None:
    game = BlastingBilly()
    draw = Draw(NAMES.parse(text), top)
    assert game.parse_event(game.format_event(draw)) == draw


@pytest.mark.parametrize(
    "text", ["", "give", "J7", "give J11", "take J7", "give J7 J8", "Give J7", "draws J7 top", "draws J7 top X"]
)
def test_a_malformed_move_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        BlastingBilly().parse_event(text)
    assert f'"{text}"' in str(caught.value)


def test_counts_and_owners_are_read_and_written() -> None:
    laid = parse_laid("3J? J4@ann 2B?@bob 1C?", REAL_DECK, TABLE)
    hidden = [make_card(kind, HIDDEN) for kind in range(5)]
    four = Laid(make_card(0, 4), 0)
    assert laid == [Laid(hidden[0], None)] * 3 + [four] + [Laid(hidden[1], 1)] * 2 + [Laid(hidden[2], None)]
    assert format_laid(laid, TABLE) == "J? J? J? J4@ann B?@bob B?@bob C?"
    assert format_counted(laid, TABLE) == "3J? J4@ann 2B?@bob C?"


def test_a_known_card_cannot_be_there_twice_by_its_count() -> None:
    with pytest.raises(ImpossibleError, match='"2J7"'):
        parse_laid("2J7", REAL_DECK, TABLE)
    assert parse_laid("1J7", REAL_DECK, TABLE) == [Laid(make_card(0, 7), None)]


def test_more_cards_than_the_deck_has_are_an_error() -> None:
    with pytest.raises(ImpossibleError, match="more cards than the deck has"):
        parse_laid("12J? " * 6, REAL_DECK, TABLE)


@pytest.mark.parametrize("text", ["", "JB", "X", "j", "0"])
def test_what_is_not_a_type_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(NotationError, match=f'"{text}"'):
        parse_type(text, REAL_DECK)
