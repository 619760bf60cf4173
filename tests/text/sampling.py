"""Random games, decks and names for the properties of texts."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from solver.games.blasting_billy.deck import REAL_DECK, Deck, removed_at_setup
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.record import Record
from solver.games.blasting_billy.table import State

Game = tuple[State, Record]

ODD_NAMES = (
    "Änne", "李", "{bob}", "[cas]", "a=b", "*", "back\\slash", "\\n", "🎲", "o'neil", "-", "=", "!", "?", "J7",
    "give", "draws", "true", "1", "2J?", "a,b", "[", "x" * 70, "%s", "e\u0301", "😀😀", "$", "--json", "loot", "hand2",
)  # fmt: skip


def play(seed: int, players: int, pile: int, deck: Deck, removed: int, left: int, covered: bool) -> Game:
    return play_randomly(
        players=players,
        pile=pile,
        turns_left=left,
        deck=deck,
        removed=removed,
        rng=Random(seed),
        covered=covered,
    )


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    types = "".join(sorted(draw(st.sets(st.sampled_from("JBCGD"), min_size=1)), key="JBCGD".index))
    low = draw(st.integers(0, 6))
    high = draw(st.integers(low + 2, 10))
    return Deck(types=types, low=low, high=high, dynamite=draw(st.booleans()), hand=draw(st.integers(1, 3)))


@st.composite
def games(draw: st.DrawFn, *, small: bool = False) -> Game:
    """A random game up to a random moment: the state, and the record that knows all."""
    real = not small and draw(st.booleans())
    deck = REAL_DECK if real else draw(decks())
    most = 3 if small else 5
    players = draw(st.integers(2, max(2, min(most, len(deck.cards) // deck.hand))))
    if players * deck.hand > len(deck.cards):
        deck = replace(deck, hand=1)
    room = len(deck.cards) - players * deck.hand
    removed = removed_at_setup(players) if real else draw(st.integers(0, room))
    pile = draw(st.integers(0, room - removed)) if draw(st.booleans()) else 0
    left = players if pile else draw(st.integers(0, players))
    return play(draw(st.integers(0, 10**6)), players, pile, deck, removed, left, draw(st.booleans()))


def names(players: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(ODD_NAMES), min_size=players, max_size=players, unique=True).map(tuple)


def rename(record: Record, called: tuple[str, ...]) -> Record:
    return replace(record, start=replace(record.start, players=called))
