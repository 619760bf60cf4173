"""Positions in which the player to move moves last, for the tests of that move."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from solver.cards import back_of, face_of, hide
from solver.deals import count_deals
from solver.errors import LastdrawError
from solver.games.blasting_billy.deck import REAL_DECK, TYPES, Deck, is_dynamite, removed_at_setup
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.last_mover.computation import prepare_last_mover
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.random_play import SEATS, play_randomly
from solver.games.blasting_billy.table import Laid, Position, State
from solver.shortcuts import Question
from solver.solution import MoveValue
from solver.watch import Watch
from tests.billy.samples import SMALL_DECKS, facts_about, with_facts

TINY_DECKS = (
    Deck("JBC", 0, 1, True, 1),
    Deck("JBCG", 0, 1, False, 1),
    Deck("JBCGD", 0, 0, True, 1),
    Deck("JBCGD", 1, 1, True, 1),
    Deck("JBCG", 1, 2, False, 1),
    Deck("JBC", 1, 3, True, 3),
    Deck("JBCGD", 0, 1, True, 2),
    Deck("JBC", 0, 3, False, 2),
)


ALIKE_DECKS = (Deck("JBCGD", 1, 2, True, 1), Deck("JBCGD", 1, 3, False, 1), Deck("JBCGD", 1, 3, True, 2))


def ask(position: Position, objective: str = "win") -> Question:
    return Question(position=position, objective=objective, others="rivals" if len(position.players) > 2 else None)


def solve(position: Position, objective: str = "win") -> tuple[MoveValue, ...]:
    computation = prepare_last_mover(ask(position, objective))
    assert computation is not None
    return computation.run(Watch())


def last_turn(players: int, deck: Deck, removed: int, rng: Random) -> Position:
    """What the last mover of a random game sees."""
    state, _ = play_randomly(players=players, pile=0, turns_left=1, deck=deck, removed=removed, rng=rng)
    return observe(state, state.to_move)


def real_last_turn(players: int, seed: int) -> Position:
    return last_turn(players, REAL_DECK, removed_at_setup(players), Random(seed))


def forget(position: Position, rng: Random, often: float) -> Position:
    """Some of the mover's own cards that lie face down or are held are not remembered."""
    me = position.me
    assert me is not None
    hand = tuple(sorted(hide(card) if rng.random() < often else card for card in position.hands[me]))
    loot = tuple((*(hide(c) if rng.random() < often else c for c in col[:1]), *col[1:]) for col in position.loots[me])
    billy = tuple(
        tuple(Laid(hide(laid.card), laid.owner) if rng.random() < often else laid for laid in column)
        for column in position.billy
    )
    return replace(
        position,
        hands=(*position.hands[:me], hand, *position.hands[me + 1 :]),
        loots=(*position.loots[:me], loot, *position.loots[me + 1 :]),
        billy=billy,
    )


def box(position: Position) -> Position:
    """Dumped and removed cards are not kept apart."""
    cards = (*(laid.card for laid in position.dumped), *position.removed)
    return replace(position, boxed=True, dumped=(), removed=tuple(sorted(cards)))


def laid_out(players: int, deck: Deck, rng: Random, *, alike: bool) -> Position:
    """A last turn with low cards in the loots and high ones with Billy, so that many players are not shot.

    Nobody kept track of who gave what, some of it is known, and the rest is in the box. Where they begin alike, all
    players have the same points before other cards are laid.
    """
    cards = list(deck.cards)
    rng.shuffle(cards)
    loots: list[list[list[int]]] = [[[] for _ in TYPES] for _ in range(players)]
    billy: list[list[Laid]] = [[] for _ in TYPES]
    boxed = []
    if alike:
        for seat in range(players):
            one, *_, most = (card for card in deck.cards_of(seat) if not is_dynamite(card))
            loots[seat][seat].append(one)
            billy[seat].append(Laid(most, None))
            cards = [card for card in cards if card not in (one, most)]
    sizes = [deck.hand, *[deck.hand - 1] * (players - 1)]
    hands = [tuple(sorted(cards.pop() for _ in range(size))) for size in sizes]
    for card in cards:
        value = face_of(card) - deck.low
        where = rng.choices(("loot", "billy", "box"), (4 / (1 + value), 1 + 3 * value, 4 if alike else 1))[0]
        if where == "loot":
            rng.choice(loots)[back_of(card)].append(card)
        elif where == "billy":
            billy[back_of(card)].append(Laid(card, None))
        else:
            boxed.append(card)
    state = State(
        players=SEATS[:players],
        deck=deck,
        hands=tuple(hands),
        loots=tuple(tuple(map(tuple, loot)) for loot in loots),
        billy=tuple(map(tuple, billy)),
        dumped=(),
        removed=tuple(sorted(boxed)),
        boxed=True,
        top=None,
        to_move=0,
        pile=(),
    )
    seen = tuple(
        tuple(laid if rng.random() < 0.6 else Laid(hide(laid.card), None) for laid in column) for column in state.billy
    )
    return replace(observe(state, 0), billy=seen)


def small_last_turns(seed: int, *, most_deals: int) -> Iterator[Position]:
    """Positions of small games, as read from their texts: some with facts, forgotten cards or a box."""
    rng = Random(seed)
    while True:
        deck, players = rng.choice((*SMALL_DECKS, *TINY_DECKS)), rng.randint(2, 5)
        spare = len(deck.cards) - players * deck.hand
        if spare < 0:
            continue
        style = rng.random()
        if style < 0.25:
            position = laid_out(players, rng.choice(ALIKE_DECKS), rng, alike=True)
        elif style < 0.5:
            position = laid_out(players, deck, rng, alike=False)
        else:
            position = last_turn(players, deck, rng.randint(0, min(3, spare)), rng)
        if rng.random() < 0.5:
            position = forget(position, rng, 0.35)
        if rng.random() < 0.2:
            position = box(position)
        text = format_position(position)
        if rng.random() < 0.4:
            text = with_facts(position, facts_about(position, rng, rng.randint(1, 3)))
        try:
            position = parse_position(text)
        except LastdrawError:
            continue
        if count_deals(hidden_pools(position)) <= most_deals:
            yield position
