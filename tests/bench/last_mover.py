"""How long the last mover's exact values take on real decks, for two to five players.

    .venv/bin/python tests/bench/last_mover.py [POSITIONS]

Seconds are for all moves of a position, with everything from reading the classes of the types to the shares; kernels
are compiled before. `random` positions come from random play. In `sensible` ones low cards tend to be claimed, one
column of each type, and high ones to be given, so that more players are safe and more is left to count.
"""

import resource
import sys
import time
from random import Random
from statistics import median

from solver.cards import back_of, face_of
from solver.deals import count_deals
from solver.games.blasting_billy.deck import DYNAMITE, REAL_DECK, removed_at_setup
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.last_mover.computation import prepare_last_mover
from solver.games.blasting_billy.random_play import SEATS, play_randomly
from solver.games.blasting_billy.rules import chances, moves, play, shuffled
from solver.games.blasting_billy.table import Move, Position, State
from solver.shortcuts import Question
from solver.watch import Watch


def random_position(players: int, seed: int) -> Position:
    state, _ = play_randomly(
        players=players,
        pile=0,
        turns_left=1,
        deck=REAL_DECK,
        removed=removed_at_setup(players),
        rng=Random(seed),
    )
    return observe(state, state.to_move)


def sensible_position(players: int, seed: int) -> Position:
    rng = Random(seed)
    state = shuffled(SEATS[:players], REAL_DECK, removed=removed_at_setup(players), rng=rng)
    while state.pile or sum(len(hand) == REAL_DECK.hand for hand in state.hands) > 1:
        events = chances(state) if state.drawing else [(move, _wish(state, move)) for move in moves(state)]
        state = play(state, rng.choices([event for event, _ in events], [weight for _, weight in events])[0])
    return observe(state, state.to_move)


def _wish(state: State, move: Move) -> int:
    assert state.to_move is not None
    value, started = face_of(move.card), bool(state.loots[state.to_move][back_of(move.card)])
    if move.verb == "give":
        return 1 if value == DYNAMITE else 1 + value
    if move.verb == "claim":
        return 1 if value > 6 else 3 if started else 16
    return 7 if value == DYNAMITE else 1


def seconds(position: Position) -> tuple[float, float]:
    """How long it took, and how long the size said that counting would take."""
    begin = time.perf_counter()
    computation = prepare_last_mover(Question(position=position, objective="win", others=None))
    assert computation is not None
    expected = computation.size.seconds
    computation.run(Watch())
    return time.perf_counter() - begin, expected


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    begin = time.perf_counter()
    seconds(random_position(3, 0))
    seconds(sensible_position(5, 1))
    print(f"imports and kernels: {time.perf_counter() - begin:.1f} s")
    print(f"{'':<10}{'players':>8}{'median':>10}{'worst':>10}{'foretold':>10}{'deals':>20}{'memory':>10}")
    for name, make in (("random", random_position), ("sensible", sensible_position)):
        for players in range(2, 6):
            positions = [make(players, seed) for seed in range(number)]
            deals = sorted(count_deals(hidden_pools(position)) for position in positions)
            times = [seconds(position) for position in positions]
            worst, foretold = max(times)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{name:<10}{players:>8}{median(taken for taken, _ in times):>8.3f} s{worst:>8.3f} s{foretold:>8.3f} s"
                f"{deals[0]:>10.0e} -{deals[-1]:>8.0e}{memory:>7.0f} MB"
            )


if __name__ == "__main__":
    main()
