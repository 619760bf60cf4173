"""Playing Blasting Billy: from the shuffle to the last turn, with every card known."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import NamedTuple

from solver.cards import Card, back_of, is_hidden, without
from solver.errors import IllegalError
from solver.game import CHANCE, OVER
from solver.games.blasting_billy.deck import TYPES, Deck
from solver.games.blasting_billy.table import (
    VERBS,
    Move,
    Position,
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


def choices(position: Position) -> tuple[Move, ...]:
    """The moves of the player whose eyes these are, or an error that says whose turn it is instead.

    A forgotten card is played as `J?`.
    """
    if position.to_move is None:
        raise IllegalError("the game is over: there is no move to choose")
    mover = position.players[position.to_move]
    if position.me is None:
        raise IllegalError(f'it is the turn of {mover}, seen by an onlooker: say me = "{mover}" and what {mover} knows')
    if position.me != position.to_move:
        eyes = position.players[position.me]
        raise IllegalError(
            f"it is the turn of {mover}, but this is what {eyes} sees: moves are valued for {mover} only"
        )
    return tuple(Move(verb, card) for card in dict.fromkeys(position.hands[position.to_move]) for verb in VERBS)


def meanings(position: Position, state: State, choice: Event) -> tuple[Event, ...]:
    """The choice itself, or the same with each of the cards that a forgotten one may be in this state."""
    assert position.to_move is not None
    if isinstance(choice, Draw) or not is_hidden(choice.card):
        return (choice,)
    known = position.hands[position.to_move]
    kind = back_of(choice.card)
    forgotten = (card for card in state.hands[position.to_move] if back_of(card) == kind and card not in known)
    return tuple(Move(choice.verb, card) for card in forgotten)


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
