"""Positions for lens fair that are small enough for the tree of all histories, which is plain Python."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import factorial, inf, prod
from random import Random

from solver.cards import back_of
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.fair.computation import FairComputation
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import SEATS
from solver.games.blasting_billy.rules import chances, moves, play, shuffled
from solver.games.blasting_billy.table import Position, State
from solver.methods.equilibrium import find_equilibrium
from solver.methods.regret import minimize_regret
from solver.sequence_form import SequenceGame
from solver.watch import Watch

SMALL = 15_000
"""Histories that are built in about a second."""
LARGER = 60_000
"""With three cards in each hand and two in the pile, fewer leave nothing to play for."""


@dataclass(frozen=True)
class Kind:
    """What a position is like, and which of its kind it is."""

    pile: int
    hand: int
    covered: bool
    objective: str
    number: int

    def __str__(self) -> str:
        top = "covered" if self.covered else "visible"
        return f"pile {self.pile}, hand {self.hand}, {top}, {self.objective}, {self.number}"


NUMBERS = {(0, 2): 10, (0, 3): 9, (1, 2): 8, (1, 3): 4, (2, 2): 4, (2, 3): 1}
"""How many positions there are with so large a pile and hand, for each objective and for each sort of pile: of the
largest, for every second combination."""
KINDS = [
    Kind(pile, hand, covered, objective, number)
    for (pile, hand), numbers in NUMBERS.items()
    for covered, objective in product((False, True) if pile else (False,), ("win", "margin"))
    for number in range(numbers)
    if (pile, hand) != (2, 3) or covered == (objective == "win")
]

DECKS = {
    (0, 2): [("J", 1, 5, True), ("J", 1, 7, False), ("JB", 1, 4, False), ("JB", 1, 3, True), ("JBC", 1, 3, False)],
    (0, 3): [("J", 1, 7, False), ("JB", 1, 4, False), ("JBC", 0, 2, False), ("JBC", 1, 2, True), ("JB", 1, 3, True)],
    (1, 2): [("JB", 1, 3, True), ("JB", 1, 4, False), ("JBC", 1, 3, False), ("JBC", 1, 2, True)],
    (1, 3): [("JBC", 1, 3, False), ("JBC", 1, 2, True), ("JBCG", 1, 2, False), ("JB", 1, 3, True)],
    (2, 2): [("JB", 1, 2, True), ("JBC", 1, 2, False), ("JBCG", 1, 2, False), ("JBCGD", 1, 2, False)],
    (2, 3): [("JBCGD", 1, 2, False)],
}


MIXED = ((0, 2), (0, 3), (1, 2))
"""Piles and hands of which every second position, of one of the first two decks, is one where regret minimisation
takes a while, as it does if there is much to mix."""


@cache
def sample(kind: Kind) -> Position:
    """A position of its kind, seen by its mover, with more than one deal, not too many histories, and something at
    stake."""
    rng = Random(repr(kind))
    mixed = kind.number % 2 == 0 and (kind.pile, kind.hand) in MIXED
    decks = DECKS[kind.pile, kind.hand][: 2 if mixed else None]
    most = LARGER if (kind.pile, kind.hand) == (2, 3) else SMALL
    while True:
        deck = Deck(*rng.choice(decks), kind.hand)
        spare = len(deck.cards) - 2 * deck.hand - kind.pile
        state = play_openly(deck, kind.pile, rng.randint(0, min(2, spare)), rng, covered=kind.covered)
        position = observe(state, state.to_move)
        if count_deals(position) > 1 and histories(position) <= most:
            game = FairComputation(position, kind.objective).build(Watch()).game
            if mixed and first_width(game) > 1e-3:
                return position
            if not mixed and find_equilibrium(game, exact=True, watch=Watch()).certificate.interval.low:
                return position


def first_width(game: SequenceGame) -> float:
    """How far apart regret minimisation's two ends are when it first looks."""
    told: list[float] = []
    minimize_regret(game, target=inf, watch=Watch(), tell=lambda low, high: told.append(high - low))
    return told[0]


def play_openly(deck: Deck, pile: int, removed: int, rng: Random, *, covered: bool) -> State:
    """Random play until the pile has so many cards, mostly by moves that everybody sees: fewer cards stay hidden."""
    state = shuffled(SEATS[:2], deck, removed=removed, rng=rng, covered=covered)
    while len(state.pile) > pile:
        mover = state.to_move
        assert mover is not None
        shown = [move for move in moves(state) if move.verb == "claim" and state.loots[mover][back_of(move.card)]]
        state = play(state, rng.choice(shown if shown and rng.random() < 0.8 else moves(state)))
        if state.drawing:
            events, weights = zip(*chances(state), strict=True)
            state = play(state, rng.choices(events, weights)[0])
    return state


def count_deals(position: Position) -> int:
    """The public deals. Cards in one hand, in the pile or among the removed are in no order, nor are those of a type
    that one player dumped; cards in columns are."""
    shown = {card for loot in position.loots for column in loot for card in column[1:]}
    found = 1
    for kind in position.deck.kinds:
        unseen = [card for card in position.deck.cards_of(kind) if card not in shown]
        ordered = len(position.billy[kind]) + sum(bool(loot[kind]) for loot in position.loots)
        heaps = Counter(f"hand {seat}" for seat, hand in enumerate(position.hands) for c in hand if back_of(c) == kind)
        heaps += Counter(f"dumped by {laid.owner}" for laid in position.dumped if back_of(laid.card) == kind)
        heaps += Counter("removed" for card in position.removed if back_of(card) == kind)
        heaps["pile"] = len(unseen) - ordered - heaps.total()
        found *= factorial(len(unseen)) // prod(map(factorial, heaps.values()))
    return found


def pile_of(position: Position) -> Counter[int]:
    """How many cards of each type are in the pile."""
    hidden = [laid.card for column in position.billy for laid in column]
    hidden += [card for hand in position.hands for card in hand]
    hidden += [card for loot in position.loots for column in loot for card in column]
    hidden += [*(laid.card for laid in position.dumped), *position.removed]
    return Counter(map(back_of, position.deck.cards)) - Counter(map(back_of, hidden))


def histories(position: Position) -> int:
    """The nodes of the tree of all histories: a root, the deals, and after each deal as many as the turns allow."""
    full = sum(len(hand) == position.deck.hand for hand in position.hands)
    turns = position.size + 2 if position.size else full
    pile = tuple(sorted(pile_of(position).items()))
    return 1 + count_deals(position) * _histories(position.deck.hand, turns, pile, position.top)


@cache
def _histories(hand: int, turns: int, pile: tuple[tuple[int, int], ...], top: int | None) -> int:
    """The nodes from a turn on: it may be the first of them, and a draw is one only if it can go two ways."""
    if not turns:
        return 1
    if not pile:
        return 1 + 3 * hand * _histories(hand, turns - 1, pile, None)
    after, ways = 0, 0
    for kind, number in pile:
        if top in (None, kind):
            rest = tuple((other, left - (other == kind)) for other, left in pile if left > (other == kind))
            tops = [None] if top is None or not rest else [other for other, _ in rest]
            ways += number * len(tops)
            after += number * sum(_histories(hand, turns - 1, rest, following) for following in tops)
    return 1 + 3 * hand * ((ways > 1) + after)
