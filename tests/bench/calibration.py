"""How often the 95% intervals of sampled estimates contain the exact value, on real positions where that is known.

    .venv/bin/python tests/bench/calibration.py [POSITIONS] [SAMPLES]

Two players, piles 0 to 2 in turn, from random play with the real deck. Half of the positions are stopped by the budget
or when the best move is separated, as `analyze` does; half look at a fixed number of deals. Moves of one position share
their deals, so the interval of the coverage is over positions, not over moves.
"""

import sys
from collections.abc import Sequence
from random import Random

from solver.games.blasting_billy.deck import REAL_DECK
from solver.games.blasting_billy.factored.computation import prepare_factored
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.search.evaluators import StateSearch
from solver.methods.sampling import Race
from solver.shortcuts import Question
from solver.watch import Watch


def covered(seed: int, samples: int) -> tuple[list[bool], float]:
    """For each move whether its interval contains its exact value; and the mean half-width."""
    pile = seed % 3
    rng = Random(10_000 + seed)
    state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=REAL_DECK, removed=12, rng=rng)
    question = Question(position=observe(state, state.to_move), objective="win", others=None)
    computation = prepare_factored(question)
    assert computation is not None
    exact = {found.move: found.value.number for found in computation.run(Watch())}
    budget, number = (0.05, None) if seed % 2 else (None, samples)
    race = Race(StateSearch(question), samples=number, seed=seed, watch=Watch(budget), tell=lambda *_: None)
    moves = race.run().moves
    inside = [abs(found.value.number - exact[found.move]) <= found.value.error for found in moves]
    return inside, sum(found.value.error for found in moves) / len(moves)


def report(name: str, results: Sequence[tuple[list[bool], float]]) -> None:
    rates = [sum(inside) / len(inside) for inside, _ in results]
    mean = sum(rates) / len(rates)
    spread = (sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1)) ** 0.5
    best = sum(inside[0] for inside, _ in results) / len(results)
    width = sum(half for _, half in results) / len(results)
    print(
        f"{name:<28} {len(results):>4} positions: {mean:.1%} of all moves' intervals hold "
        f"(±{1.96 * spread / len(rates) ** 0.5:.1%}), {best:.1%} of the best moves'; mean half-width {width:.3f}"
    )


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 240
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    results = [covered(seed, samples) for seed in range(number)]
    report("all", results)
    report("a fixed number of deals", results[0::2])
    report("stopped by race or budget", results[1::2])


if __name__ == "__main__":
    main()
