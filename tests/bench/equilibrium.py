"""Lens fair beside OpenSpiel's CFR+ in C++, on the same positions: seconds to the same precision, and our memory.

    .venv/bin/python tests/bench/equilibrium.py [--smallest NODES] [--largest NODES] [--limit SECONDS]

Two types of cards and reduced decks, from random play; sizes are nodes of the tree of all histories. Our seconds are
from the position to a proved interval of at most the width above the column, or of none (`exact`); `grow` is the part
of it that grows the public tree. OpenSpiel's are from the `.efg` file that we write of the position (`load`: reading it
and making the solver) to a nash_conv of at most the same, which is the width of the interval that its average policies
guarantee. Writing the file and computing nash_conv are not counted; the latter is looked at whenever the rounds have
grown by a factor of 1.3, and more often near the goal. OpenSpiel is given up after the limit.

Seconds are of processor time on one core, so that a busy machine disturbs little. Kernels are loaded before, and
everything is measured in fresh processes. Memory is the most that a process held; `foretold` is what is said before the
work. Both must find the same values, or the run ends with an error.
"""

import argparse
import gc
import os
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import ParamSpec, TypeVar

import numpy as np

from solver.efg import write_efg
from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.fair.computation import FairComputation
from solver.games.blasting_billy.fair.public_root import PublicRoot
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.table import Position
from solver.kernels import seconds_compiling
from solver.lens import FAIR
from solver.methods.equilibrium import Equilibrium, find_equilibrium
from solver.methods.regret import minimize_regret
from solver.methods.sequence_lp import solve_lp
from solver.shortcuts import PROGRAM
from solver.tree import build_tree
from solver.watch import Watch

Given = ParamSpec("Given")
Found = TypeVar("Found")

SEEDS = {10_000: (64, 731, 1419), 100_000: (132, 18, 1554), 1_000_000: (696, 1512, 180), 1_900_000: (224, 723, 4754)}
"""Of the positions with about so many nodes, one for each size of the pile."""
TARGETS = (1e-3, 1e-6)
GROWTH = (1.03, 1.3)
"""The rounds of OpenSpiel between two looks at its nash_conv grow by a factor between these."""
SMALL = (*SEEDS[10_000], 582, 1059)
"""Seeds of small positions that together need the kernels."""
LONG_ENOUGH = 1.0
"""Seconds of repetitions after which their median counts."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True, kw_only=True)
class Ours:
    """One target: the game's size, the processor's seconds, and bytes."""

    public_nodes: int
    sequences: int
    payoffs: int
    grown: float
    seconds: float
    low: Fraction
    high: Fraction
    memory: int
    foretold: float


@dataclass(frozen=True, kw_only=True)
class Theirs:
    """Seconds to each target (None: not within the limit), and the last average policy's value for the mover."""

    nodes: int
    loaded: float
    seconds: tuple[float | None, ...]
    rounds: int
    gap: float
    value: float


def position_of(seed: int) -> tuple[Position, str]:
    """A position of two types, seen by its mover, and an objective."""
    rng = Random(seed)
    low = rng.randint(0, 2)
    high = rng.randint(low + 1, 10)
    hand = rng.choice((2, 3))
    deck = Deck("JB", low, high, rng.random() < 0.7, hand)
    removed, pile = rng.randint(0, 4), rng.choice((0, 1, 2))
    covered = rng.random() < 0.3
    state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=deck, removed=removed, rng=rng, covered=covered)
    return observe(state, state.to_move), "margin" if rng.random() < 0.3 else "win"


def solve_once(computation: FairComputation, target: float) -> tuple[Equilibrium, float, float]:
    """The equilibrium (a target of 0 is the exact value), the seconds of growing the tree, and all of them."""
    begin = time.process_time()
    computation.build(Watch())
    grown = time.process_time() - begin
    found = find_equilibrium(
        computation.build(Watch()).reduction, watch=Watch(), exact=not target, target=target or min(TARGETS)
    )
    return found, grown, time.process_time() - begin


def load_kernels() -> None:
    """Have every kernel compiled or loaded, those too that small games do without."""
    for seed in SMALL:
        computation = FairComputation(*position_of(seed))
        solve_once(computation, 0.0)
        game = computation.build(Watch()).game
        minimize_regret(game, target=1e-2, watch=Watch())
        kept = [np.ones(side.sequences, np.bool_) for side in game.sides]
        solve_lp(game, watch=Watch(), keep=(kept[0], kept[1]))


def measure_ours(seed: int, target: float) -> Ours:
    """In a process of its own. Short work is repeated; memory is that of the first time. A run in which a kernel had to
    be compiled all the same does not count."""
    load_kernels()
    position, objective = position_of(seed)
    gc.collect()
    memory = 0
    runs: list[tuple[float, float]] = []
    while sum(seconds for _, seconds in runs) < LONG_ENOUGH:
        compiling = seconds_compiling()
        computation = FairComputation(position, objective)
        found, grown, seconds = solve_once(computation, target)
        memory = memory or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if seconds_compiling() == compiling:
            runs.append((grown, seconds))
    built = computation.build(Watch())
    return Ours(
        public_nodes=built.tree.public_nodes,
        sequences=sum(side.sequences for side in built.game.sides),
        payoffs=built.game.nonzeros,
        grown=median(grown for grown, _ in runs),
        seconds=median(seconds for _, seconds in runs),
        low=found.certificate.interval.low,
        high=found.certificate.interval.high,
        memory=memory,
        foretold=computation.measure(Watch()).memory + PROGRAM,
    )


def measure_openspiel(seed: int, limit: float) -> Theirs:
    """In a process of its own, which writes the file before the clock starts."""
    import pyspiel

    position, objective = position_of(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        nodes = _write(position, objective, path)
        begin = time.process_time()
        game = pyspiel.load_game(f"efg_game(filename={path})")
        solver = pyspiel.CFRPlusSolver(game)
        loaded = seconds = time.process_time() - begin
    reached: dict[float, float] = {}
    rounds, next_look = 0, 8
    while True:
        begin, spent = time.process_time(), seconds
        while rounds < next_look and (seconds < limit or not rounds):
            solver.evaluate_and_update_policy()
            rounds += 1
            seconds = spent + time.process_time() - begin
        policy = solver.average_policy()
        gap = pyspiel.nash_conv(game, policy)
        reached |= {target: seconds for target in TARGETS if gap <= target and target not in reached}
        if len(reached) == len(TARGETS) or seconds >= limit:
            break
        ahead = gap / max(target for target in TARGETS if target not in reached)
        next_look = max(rounds + 1, int(rounds * min(max(ahead**0.5, GROWTH[0]), GROWTH[1])))
    assert position.to_move is not None
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)
    return Theirs(
        nodes=nodes,
        loaded=loaded,
        seconds=tuple(reached.get(target) for target in TARGETS),
        rounds=rounds,
        gap=gap,
        value=values[position.to_move],
    )


def _write(position: Position, objective: str, path: Path) -> int:
    tree = build_tree(BlastingBilly(), position, lens=FAIR, objective=objective, watch=Watch())
    with path.open("w", encoding="ascii") as file:
        write_efg(tree, file, title="bench")
    return len(tree)


def apart(function: Callable[Given, Found], *arguments: Given.args, **named: Given.kwargs) -> Found:
    """Call in a fresh process. This one stays small: a new process counts its starter's memory as its own peak."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments, **named).result()


def check_agreement(seed: int, nodes: int, exact: Ours, theirs: Theirs) -> None:
    if theirs.nodes != nodes:
        raise SystemExit(f"position {seed}: the tree has {theirs.nodes:,} nodes, and {nodes:,} were counted")
    slack = theirs.gap + 1e-9
    if not exact.low - slack <= theirs.value <= exact.high + slack:
        ours = str(exact.low) if exact.low == exact.high else f"{exact.low} to {exact.high}"
        raise SystemExit(f"position {seed}: OpenSpiel finds {theirs.value} (nash_conv {theirs.gap}), and we {ours}")


def show(seconds: float | None, limit: float) -> str:
    return f"{f'> {limit:g}':>9}" if seconds is None else f"{seconds:>9.3f}"


def show_memory(found: Ours) -> str:
    return f"{found.memory / 1e6:>9.1f}{found.foretold / found.memory:>8.2f}"


def compare(ours: float, theirs: float | None, limit: float) -> str:
    more = ">" if theirs is None else ""
    return f"{f'1:{more}{(limit if theirs is None else theirs) / ours:,.1f}':>11}"


def measure(seed: int, limit: float, openspiel: bool) -> str:
    """Prints the row of seconds, and returns that of memory."""
    position, objective = position_of(seed)
    nodes = PublicRoot(observe(position, None)).histories
    *near, exact = (apart(measure_ours, seed, target) for target in (*TARGETS, 0.0))
    place = f"{seed:>5}{position.size:>5}{position.deck.hand:>5}  {objective:<7}"
    row = f"{place}{nodes:>10,}{exact.public_nodes:>8,}{exact.sequences:>10,}{exact.payoffs:>10,}{exact.grown:>8.3f}"
    row += "".join(f"{found.seconds:>8.3f}" for found in (*near, exact)) + ("" if exact.low == exact.high else "?")
    print(row, end="", flush=True)
    if openspiel:
        theirs = apart(measure_openspiel, seed, limit)
        row = f"{theirs.loaded:>8.3f}" + "".join(show(seconds, limit) for seconds in theirs.seconds)
        row += "".join(
            compare(found.seconds, seconds, limit) for found, seconds in zip(near, theirs.seconds, strict=True)
        )
        print(f"{row}{theirs.rounds:>8,}{theirs.gap:>9.0e}", end="", flush=True)
        check_agreement(seed, nodes, exact, theirs)
    print(flush=True)
    memory = "".join(show_memory(found) for found in (*near, exact))
    return f"{place}{nodes:>10,}{exact.sequences:>10,}{exact.payoffs:>10,}{exact.foretold / 1e6:>10.1f}{memory}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smallest", type=int, default=0, metavar="NODES")
    parser.add_argument(
        "--largest", type=int, default=100_000, metavar="NODES", help=f"of {', '.join(map(str, SEEDS))}"
    )
    parser.add_argument("--limit", type=float, default=60.0, metavar="SECONDS", help="for OpenSpiel on each position")
    options = parser.parse_args()
    os.environ |= dict.fromkeys(THREADS, "1")
    openspiel = find_spec("pyspiel") is not None
    if not openspiel:
        print("OpenSpiel was not found: only lens fair is measured")
    place = f"{'seed':>5}{'pile':>5}{'hand':>5}  {'':<7}{'nodes':>10}"
    targets = "".join(f"{target:>8.0e}" for target in TARGETS)
    head = f"{place}{'public':>8}{'sequences':>10}{'payoffs':>10}{'grow':>8}{targets}{'exact':>8}"
    if openspiel:
        wide = [f"{target:.0e}" for target in TARGETS]
        head += f"{'load':>8}{wide[0]:>9}{wide[1]:>9}{wide[0]:>11}{wide[1]:>11}{'rounds':>8}{'gap':>9}"
        print(f"{'ours':>{len(place) + 60}}{'OpenSpiel':>26}{'ours:theirs':>22}{'OpenSpiel':>17}")
    print(head)
    seeds = [seed for size in SEEDS if options.smallest <= size <= options.largest for seed in SEEDS[size]]
    memory = [measure(seed, options.limit, openspiel) for seed in seeds]
    if openspiel:
        print("all values agree")
    targets = "".join(f"{title:>9}{'ratio':>8}" for title in (*(f"{target:.0e}" for target in TARGETS), "exact"))
    print("\nMB, and what was foretold as a multiple of it")
    print(f"{place}{'sequences':>10}{'payoffs':>10}{'foretold':>10}{targets}")
    print(*memory, sep="\n")


if __name__ == "__main__":
    main()
