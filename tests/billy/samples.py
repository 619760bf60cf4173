"""Tables and positions that several tests of Blasting Billy share."""

from collections.abc import Iterator, Sequence
from random import Random

from solver.cards import Card, back_of
from solver.deals import count_deals
from solver.errors import LastdrawError
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, TYPES, Deck
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.random_play import SEATS, play_randomly
from solver.games.blasting_billy.table import Laid, Position, State

SMALL_DECKS = (
    Deck("J", 0, 6, True, 2),
    Deck("J", 0, 5, True, 1),
    Deck("JB", 0, 3, True, 2),
    Deck("JB", 0, 4, True, 2),
    Deck("JG", 1, 5, False, 2),
    Deck("CD", 0, 5, True, 3),
    Deck("JBC", 0, 2, True, 2),
    Deck("BCG", 0, 3, True, 1),
    Deck("GD", 2, 6, True, 2),
)


def cards(text: str) -> tuple[Card, ...]:
    """Cards from their text."""
    return tuple(NAMES.parse(word) for word in text.split())


def columns(text: str) -> tuple[tuple[Card, ...], ...]:
    """Cards from their text, apart by type."""
    return tuple(tuple(card for card in cards(text) if back_of(card) == kind) for kind in TYPES)


def ending(billy: str, *loots: str) -> State:
    """A finished game with these columns; where the other cards are does not matter to the scoring."""
    return State(
        players=SEATS[: len(loots)],
        deck=REAL_DECK,
        hands=((),) * len(loots),
        loots=tuple(columns(loot) for loot in loots),
        billy=tuple(tuple(Laid(card, None) for card in column) for column in columns(billy)),
        dumped=(),
        removed=(),
        top=None,
        to_move=None,
        pile=(),
    )


def small_states(rng: Random, decks: Sequence[Deck] = SMALL_DECKS) -> Iterator[State]:
    """Endless states of small games, reached by random play, at any stage."""
    while True:
        deck, players = rng.choice(decks), rng.randint(2, 4)
        spare = len(deck.cards) - players * deck.hand
        if spare < 0:
            continue
        removed = rng.randint(0, min(3, spare))
        pile = rng.randint(0, min(4, spare - removed))
        turns_left = players if pile else rng.randint(0, players)
        state, _ = play_randomly(
            players=players,
            pile=pile,
            turns_left=turns_left,
            deck=deck,
            removed=removed,
            rng=rng,
            covered=rng.random() < 0.4,
        )
        yield state


def facts_about(position: Position, rng: Random, number: int) -> list[str]:
    """Random facts, true or not, about cards that are there."""
    found = []
    places = [f"billy.{NAMES.backs[k]}.{n}" for k in TYPES for n in range(1, len(position.billy[k]) + 1)]
    for seat, name in enumerate(position.players):
        places += [f"{name}.loot.{NAMES.backs[k]}" for k in TYPES if position.loots[seat][k]]
        places += [f"{q} {name}.hand.{letter}" for q in ("some", "every") for letter in position.deck.types]
    for _ in range(number):
        if rng.random() < 0.25:
            found.append(f"{rng.choice(places)} {rng.choice(('=', '!='))} !")
        else:
            value = rng.randint(position.deck.low, position.deck.high)
            found.append(f"{rng.choice(places)} {rng.choice(('=', '!=', '!=', '<', '<=', '>', '>='))} {value}")
    return found


def with_facts(position: Position, facts: Sequence[str]) -> str:
    """The position's text with facts written into it."""
    head, _, tail = format_position(position).partition("\n[hands]")
    listed = ", ".join(f'"{fact}"' for fact in facts)
    return f"{head}facts = [{listed}]\n\n[hands]{tail}"


def small_positions(seed: int, number: int, *, most_deals: int, facts: bool) -> list[tuple[str, Position]]:
    """Texts of small positions and what they are read as: through any eyes, each with facts if they can hold."""
    rng = Random(seed)
    result: list[tuple[str, Position]] = []
    for state in small_states(rng):
        if len(result) >= number:
            return result
        eyes = rng.choice((None, *range(len(state.players))))
        position = observe(state, eyes)
        pools = hidden_pools(position)
        if not 1 < count_deals(pools) <= most_deals or max(len(pool.cards) for pool in pools) > 7:
            continue
        text = format_position(position)
        if facts:
            text = with_facts(position, facts_about(position, rng, rng.randint(1, 4)))
        try:
            result.append((text, parse_position(text)))
        except LastdrawError:
            continue
    raise AssertionError("the states are endless")
