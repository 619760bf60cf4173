"""Exact analysis of real two-player positions: seconds and memory by the size of the pile, all moves, one core.

    .venv/bin/python tests/bench/factored.py [POSITIONS] [SECONDS]

Positions come from random play with the real deck. A position whose size says that it would take longer than SECONDS
(60) is not begun, and counted as not exact. Kernels are compiled before the first measurement.
"""

import resource
import sys
import time
from random import Random
from statistics import median

from solver.deals import count_deals
from solver.games.blasting_billy.deck import REAL_DECK
from solver.games.blasting_billy.factored.computation import prepare_factored
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position
from solver.shortcuts import Question
from solver.watch import Stopped, Watch


def position_of(pile: int, seed: int) -> Position:
    covered = seed % 4 == 3
    rng = Random(seed)
    state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=REAL_DECK, removed=12, rng=rng, covered=covered)
    return observe(state, state.to_move)


def measure(position: Position, limit: float) -> tuple[float | None, float]:
    """Seconds it took (None: not exact), and seconds foretold."""
    begin = time.perf_counter()
    computation = prepare_factored(Question(position=position, objective="win", others=None))
    assert computation is not None
    size = computation.size
    if size.seconds > limit or size.memory > 8e9:
        return None, size.seconds
    try:
        computation.run(Watch(3 * limit))
    except Stopped:
        return None, size.seconds
    return time.perf_counter() - begin, size.seconds


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    for pile in range(4):
        measure(position_of(pile, 1), limit)
    print(f"{'pile':>4} {'deals':>20} {'exact':>9} {'median':>9} {'worst':>9} {'peak so far':>12}")
    for pile in range(4):
        positions = [position_of(pile, seed) for seed in range(number)]
        times = [measure(position, limit)[0] for position in positions]
        done = [seconds for seconds in times if seconds is not None]
        deals = sorted(count_deals(hidden_pools(position)) for position in positions)
        middle = median(seconds if seconds is not None else float("inf") for seconds in times)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{pile:>4} {deals[0]:>9.0e} to {deals[-1]:.0e} {len(done):>4} of {number:<2} {middle:>7.2f} s "
            f"{max(done):>7.2f} s {peak:>9.1f} GB",
            flush=True,
        )


if __name__ == "__main__":
    main()
