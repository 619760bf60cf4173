"""Positions reached by random play: from a real shuffle, through legal turns."""

from random import Random

from solver.errors import IllegalError
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.record import Record, Turn
from solver.games.blasting_billy.rules import Draw, chances, moves, play, shuffled
from solver.games.blasting_billy.table import Move, Position, State

SEATS = ("ann", "bob", "cas", "dee", "eve")


def play_randomly(
    *, players: int, pile: int, turns_left: int, deck: Deck, removed: int, rng: Random, covered: bool = False
) -> tuple[State, Record]:
    """Play random moves until the pile has so many cards and, if it is empty, so many last turns are to come.

    The record knows every value; the state is where it leads.
    """
    size = len(deck.cards) - removed - players * deck.hand
    if removed < 0:
        raise IllegalError(f"{removed} cards cannot be removed: 0 or more can")
    if size < 0:
        raise IllegalError(
            f"{players} hands of {deck.hand} and {removed} cards removed are more than the {len(deck.cards)} cards "
            f"of the deck ({deck.describe()})"
        )
    if not 0 <= pile <= size:
        raise IllegalError(f"a pile of {pile} cannot be: this game begins with {size} cards in the pile")
    if pile and turns_left != players:
        raise IllegalError("last turns are counted only once the pile is empty: leave them out, or say pile 0")
    state = shuffled(SEATS[:players], deck, removed=removed, rng=rng, covered=covered)
    start, turns = reveal(state), list[Turn]()
    while len(state.pile) > pile or (not state.pile and _last_turns(state) > turns_left):
        player = state.to_move
        assert player is not None
        move = rng.choice(moves(state))
        state = play(state, move)
        drawn = None
        if state.drawing:
            events, weights = zip(*chances(state), strict=True)
            drawn = rng.choices(events, weights)[0]
            state = play(state, drawn)
        turns.append(make_turn(player, move, drawn))
    return state, Record(start, tuple(turns), all_eyes=True)


def make_turn(player: int, move: Move, drawn: Draw | None) -> Turn:
    return Turn(player, move) if drawn is None else Turn(player, move, drawn.card, drawn.top)


def reveal(state: State) -> Position:
    """The position of somebody who sees every card but those in the pile."""
    return Position(
        players=state.players,
        deck=state.deck,
        hands=state.hands,
        loots=state.loots,
        billy=state.billy,
        dumped=state.dumped,
        removed=state.removed,
        boxed=state.boxed,
        top=state.top,
        to_move=state.to_move,
        me=None,
        size=len(state.pile),
    )


def _last_turns(state: State) -> int:
    return sum(len(hand) == state.deck.hand for hand in state.hands)
