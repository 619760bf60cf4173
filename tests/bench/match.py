"""Whole games between players, on duplicate deals: who wins how often, with a 95% interval.

    .venv/bin/python tests/bench/match.py A B [--games N] [--seconds S] [--players N] [--processes N] [--seed N]

A and B are `random`, `greedy`, `playouts` (playouts alone, whatever the stage) or `program` (what the program
answers); `program/10` has a tenth of the seconds a move. Of three or more players one is A and the others are B. Each
deal is played once for every seat that A can have. Decisive games are those that exactly one player wins.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from random import Random

import numpy as np

from solver.cards import back_of
from solver.games.blasting_billy.deck import REAL_DECK, removed_at_setup
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.playouts import greedy
from solver.games.blasting_billy.playouts.evaluator import Playouts
from solver.games.blasting_billy.random_play import SEATS
from solver.games.blasting_billy.rules import Draw, choices, play, shuffled
from solver.games.blasting_billy.scoring import outcome
from solver.games.blasting_billy.table import Move, Position, State
from solver.shortcuts import Question
from solver.solve import solve

Player = Callable[[Position, Random], Move]


@dataclass(frozen=True)
class Match:
    """What is played: A's and B's names, and how."""

    first: str
    second: str
    players: int
    seconds: float


def play_randomly(position: Position, rng: Random) -> Move:
    return rng.choice(choices(position))


def ask_program(position: Position, rng: Random, seconds: float) -> Move:
    if len(choices(position)) == 1:
        return choices(position)[0]
    move = solve(BlastingBilly(), position, budget=seconds, seed=rng.getrandbits(32)).moves[0].move
    assert isinstance(move, Move)
    return move


def ask_playouts(position: Position, rng: Random, seconds: float) -> Move:
    """The best of the moves that survive: whenever a part of the time is over, the worse half is dropped."""
    evaluator = Playouts(Question(position=position, objective="win", others=None))
    generator = np.random.default_rng(rng.getrandbits(63))
    running, sums = list(range(len(evaluator.moves))), np.zeros(len(evaluator.moves))
    begin = time.perf_counter()
    rounds = max(1, (len(running) - 1).bit_length())
    for number in range(1, rounds + 1):
        while True:
            size = max(4, min(256, int(seconds / rounds / 4 / evaluator.seconds)))
            deals = evaluator.draw(generator, size)
            sums[running] += evaluator.values(deals, running).sum(axis=0)
            if time.perf_counter() - begin >= seconds * number / rounds:
                break
        running.sort(key=lambda move: -sums[move])
        del running[-(-len(running) // 2) :]
    return evaluator.moves[running[0]]


def make_player(name: str, seconds: float) -> Player:
    name, _, part = name.partition("/")
    seconds /= float(part or 1)
    players: dict[str, Player] = {
        "random": play_randomly,
        "greedy": greedy.choose,
        "playouts": lambda position, rng: ask_playouts(position, rng, seconds),
        "program": lambda position, rng: ask_program(position, rng, seconds),
    }
    return players[name]


def play_deal(match: Match, seed: int) -> list[tuple[int, ...]]:
    """The winners of one deal, A's seat first: one game for every seat of A."""
    start, order = _deal(match.players, Random(seed))
    results = []
    for seat in range(match.players):
        names = [match.first if other == seat else match.second for other in range(match.players)]
        table = [make_player(name, match.seconds) for name in names]
        results.append((seat, *_play_game(start, order, table, Random(seed * 10 + seat))))
    return results


def _deal(players: int, rng: Random) -> tuple[State, list[int]]:
    """A new game and the order of its pile."""
    start = shuffled(SEATS[:players], REAL_DECK, removed=removed_at_setup(players), rng=rng)
    order = list(start.pile)
    rng.shuffle(order)
    top = rng.choice([card for card in order if back_of(card) == start.top])
    order.remove(top)
    return start, [top, *order]


def _play_game(state: State, order: list[int], table: list[Player], rng: Random) -> tuple[int, ...]:
    left = list(order)
    while state.to_move is not None:
        state = play(state, table[state.to_move](observe(state, state.to_move), rng))
        if state.drawing:
            card = left.pop(0)
            state = play(state, Draw(card, back_of(left[0]) if left else None))
    return outcome(state).winners


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share."""
    if not games:
        return 0.0, 1.0
    share, z = wins / games, 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", metavar="A")
    parser.add_argument("second", metavar="B")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0, help="a move")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    match = Match(options.first, options.second, options.players, options.seconds)
    deals = -(-options.games // options.players)
    ends: Counter[str] = Counter()
    begin = time.perf_counter()
    with ProcessPoolExecutor(options.processes) as pool:
        seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + deals)
        for results in pool.map(play_deal, [match] * deals, seeds):
            for seat, *winners in results:
                alone = "A" if winners == [seat] else "B"
                ends[alone if len(winners) == 1 else "shared" if winners else "Billy"] += 1
    decisive = ends["A"] + ends["B"]
    low, high = interval(ends["A"], decisive)
    print(f"{match.first} against {match.second}, {match.players} players, {match.seconds:g} s a move")
    print("   ".join(f"{name} {ends[name]}" for name in ("A", "B", "shared", "Billy")))
    print(f"A wins {ends['A'] / max(1, decisive):.3f} of {decisive} decisive games, 95%: {low:.3f} to {high:.3f}")
    print(f"{time.perf_counter() - begin:.0f} seconds")


if __name__ == "__main__":
    main()
