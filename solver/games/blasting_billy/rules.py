"""Playing Blasting Billy: from the shuffle to the last turn, with every card known."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import NamedTuple

from solver.cards import Card, back_of, without
from solver.game import CHANCE, OVER
from solver.games.blasting_billy.deck import TYPES, Deck
from solver.games.blasting_billy.table import (
    VERBS,
    Move,
    State,
    end_turn,
    play_card,
    take_card,
)


class Draw(NamedTuple):
    """A chance event: the card drawn, and the type that lies on top of the pile afterwards, if one shows."""

    card: Card
    top: int | None


Event = Move | Draw


def shuffled(players: tuple[str, ...], deck: Deck, *, removed: int, rng: Random, covered: bool = False) -> State:
    """The deal of a new game: some cards out, full hands, the rest a pile. The first player begins."""
    cards = list(deck.cards)
    rng.shuffle(cards)
    out, cards = cards[:removed], cards[removed:]
    hands = []
    for _ in players:
        hands.append(tuple(sorted(cards[: deck.hand])))
        del cards[: deck.hand]
    empty = ((),) * len(TYPES)
    return State(
        players=players,
        deck=deck,
        hands=tuple(hands),
        loots=(empty,) * len(players),
        billy=empty,
        dumped=(),
        removed=tuple(sorted(out)),
        top=None if covered or not cards else back_of(cards[0]),
        to_move=0,
        pile=tuple(sorted(cards)),
    )


def turn(state: State) -> int:
    """The player to move, or CHANCE while they draw, or OVER."""
    if state.to_move is None:
        return OVER
    return CHANCE if state.drawing else state.to_move


def moves(state: State) -> tuple[Move, ...]:
    """Every hand card can be given, claimed or dumped."""
    if state.to_move is None or state.drawing:
        return ()
    return tuple(Move(verb, card) for card in state.hands[state.to_move] for verb in VERBS)


def chances(state: State) -> tuple[tuple[Draw, int], ...]:
    """What can be drawn and what can then lie on top, weighted by the number of cards it may be."""
    if not state.drawing:
        return ()
    drawable = [card for card in state.pile if state.top is None or back_of(card) == state.top]
    result: list[tuple[Draw, int]] = []
    for card in drawable:
        rest = without(state.pile, card)
        if state.top is None or not rest:
            result.append((Draw(card, None), 1))
        else:
            tops = Counter(back_of(other) for other in rest)
            result.extend((Draw(card, top), number) for top, number in sorted(tops.items()))
    return tuple(result)


def play(state: State, event: Event) -> State:
    """The state after a legal move or a draw."""
    if isinstance(event, Draw):
        drawn = replace(take_card(state, event.card), pile=without(state.pile, event.card), top=event.top)
        return end_turn(replace(drawn, drawing=False))
    laid = play_card(state, event.verb, event.card, event.card)
    return replace(laid, drawing=True) if laid.pile else end_turn(laid)
