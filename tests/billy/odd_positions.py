"""Small positions for lens fair that play hardly ever reaches: cards laid out at random, most of them unseen."""

from functools import cache
from itertools import product
from random import Random

from solver.cards import Card, back_of
from solver.games.blasting_billy.deck import TYPES, Deck, is_dynamite
from solver.games.blasting_billy.fair.computation import FairComputation
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import SEATS
from solver.games.blasting_billy.table import Laid, Position, State
from solver.methods.equilibrium import find_equilibrium
from solver.watch import Watch
from tests.billy.fair_positions import count_deals, histories

MOST = 5_000
"""Histories that are built and solved in half a second."""

DECKS = {
    "five types": (Deck("JBCGD", 0, 2, True, 1), Deck("JBCGD", 1, 3, True, 1)),
    "one type": (Deck("J", 0, 10, True, 1), Deck("J", 0, 10, True, 2), Deck("J", 0, 10, True, 3)),
    "high values": (Deck("JB", 0, 10, True, 1), Deck("JBC", 8, 10, True, 1), Deck("JB", 8, 10, True, 2)),
}
PLACES = {
    "columns": ("given 0", "given 1"),
    "dumps": ("dumped 0", "dumped 1"),
    "mixed": ("given 0", "given 1", "dumped 0", "dumped 1", "first 0", "first 1", "removed"),
}
"""Where the cards lie that are neither in a hand nor in the pile."""
ODD = list(product(DECKS, PLACES, range(3)))


@cache
def odd_position(deck: str, places: str, number: int) -> tuple[Position, str]:
    """A position seen by its mover, and what is played for, with something at stake: the first of its kind has one last
    turn left, the second two, the third a pile."""
    rng = Random(f"{deck} {places} {number}")
    while True:
        state = lay_out(rng.choice(DECKS[deck]), rng.choices(PLACES[places], k=rng.randint(1, 6)), number, rng)
        if state is not None:
            position = observe(state, state.to_move)
            objective = rng.choice(("win", "margin"))
            if count_deals(position) > 1 and 100 < histories(position) <= MOST:
                game = FairComputation(position, objective).build(Watch()).game
                if find_equilibrium(game, exact=True, watch=Watch()).certificate.interval.low:
                    return position, objective


def lay_out(deck: Deck, spare: list[str], number: int, rng: Random) -> State | None:
    """A card at each place, dynamite first; what is left over lies in loots, the first of each face down."""
    cards = sorted(deck.cards, key=lambda card: (not is_dynamite(card) or rng.random() < 0.3, rng.random()))
    places = ["hand 0"] * deck.hand + ["hand 1"] * (deck.hand - (number == 0))
    places += ["pile"] * (rng.randint(1, 2) if number == 2 else 0) + spare
    if len(places) > len(cards):
        return None
    rng.shuffle(places)
    lying: dict[str, list[Card]] = {place: [] for place in (*places, "hand 1", "pile", "removed")}
    loots: tuple[list[list[Card]], ...] = tuple([[] for _ in TYPES] for _ in range(2))
    billy: list[list[Laid]] = [[] for _ in TYPES]
    dumped: list[Laid] = []
    for card, place in zip(cards, places, strict=False):
        what, _, player = place.partition(" ")
        column = loots[int(player or 0)][back_of(card)]
        if what == "dumped":
            dumped.append(Laid(card, int(player)))
        elif what == "first" and not column:
            column.append(card)
        elif what in ("first", "given"):
            billy[back_of(card)].append(Laid(card, int(player)))
        else:
            lying[place].append(card)
    for card in cards[len(places) :]:
        columns = [loot[back_of(card)] for loot in loots]
        rng.choice([column for column in columns if column] or columns).append(card)
    pile = tuple(sorted(lying["pile"]))
    return State(
        players=SEATS[:2],
        deck=deck,
        hands=(tuple(sorted(lying["hand 0"])), tuple(sorted(lying["hand 1"]))),
        loots=tuple(tuple(map(tuple, loot)) for loot in loots),
        billy=tuple(map(tuple, billy)),
        dumped=tuple(sorted(dumped)),
        removed=tuple(sorted(lying["removed"])),
        top=back_of(rng.choice(pile)) if pile and rng.random() < 0.5 else None,
        to_move=0,
        pile=pile,
    )
