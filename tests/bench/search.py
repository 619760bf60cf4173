"""Deals searched in a second, beside a plain C++ twin of the same search on the same deals, which must agree.

    .venv/bin/python tests/bench/search.py [SECONDS A ROW]

Two players, the real deck, positions reached by random play. Both take turns on each position, so that a busy machine
slows both alike. `exact` goes through all draws, `sampled` takes the first one from the deal, `ordered` takes all of
them; there the kernels remember tables they have met, which the twin does not.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from solver.games.blasting_billy.deck import REAL_DECK
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.search._search_kernel import deal_values
from solver.games.blasting_billy.search.evaluators import Batch, OrderSearch, StateSearch
from solver.shortcuts import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

SOURCE = Path(__file__).with_suffix(".cpp")
POSITIONS = 6
EXACT_PER_SECOND = (10**6, 400_000, 130_000, 20_000, 1_700, 100)
SAMPLED_PER_SECOND = (10**6, 400_000, 170_000, 40_000, 7_000, 500)
ORDERED_PER_SECOND = {6: 4_000, 8: 800, 10: 100}
"""Roughly, to choose how many deals to look at."""


def compile_twin(folder: Path) -> Path | None:
    """The C++ twin, or nothing where there is no compiler."""
    compiler = shutil.which("g++")
    if compiler is None:
        return None
    program = folder / "search"
    subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-o", program, SOURCE], check=True)
    return program


def question(pile: int, seed: int) -> Question:
    state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=REAL_DECK, removed=12, rng=Random(seed))
    return Question(position=observe(state, state.to_move), objective="win", others=None)


def run_twin(
    program: Path, folder: Path, arguments: "list[NDArray[np.int64]]", shape: tuple[int, int]
) -> tuple["NDArray[np.int64]", float]:
    given, found = folder / "in", folder / "out"
    np.concatenate([np.asarray(part, np.int64).ravel() for part in arguments]).tofile(given)
    told = subprocess.run([program, given, found], check=True, capture_output=True, text=True)
    return np.fromfile(found, np.int64).reshape(shape), float(told.stdout)


def measure(
    search: StateSearch | OrderSearch, deals: Batch, program: Path | None, folder: Path
) -> tuple[float, float | None]:
    """Seconds that both take for all deals."""
    plays, _ = search._plays(range(len(search.moves)))
    given = search._given if deals.orders.shape[1] else 0
    turns = np.array([search._left, search._top, given, search._orders], np.int64)
    zones, found = search._layout.zones, np.zeros((len(deals), len(plays)), np.int64)
    begin = time.perf_counter()
    deal_values(deals.faces, zones, search._setting, turns, plays, deals.orders, found)
    own = time.perf_counter() - begin
    if program is None:
        return own, None
    sizes = np.array([len(deals), len(plays), deals.orders.shape[1]])
    parts = [search._setting, turns, sizes, zones, plays, deals.faces, deals.orders]
    values, seconds = run_twin(program, folder, parts, found.shape)
    if not np.array_equal(values, found):
        raise SystemExit("the C++ twin finds other values")
    return own, seconds


def row(name: str, pile: int, number: int, program: Path | None, folder: Path) -> None:
    rng = np.random.default_rng(pile)
    own, twin = 0.0, 0.0
    each = max(1, number // POSITIONS)
    for seed in range(POSITIONS):
        search = (OrderSearch if name == "ordered" else StateSearch)(question(pile, seed))
        deals = search.draw(rng, each)
        if name == "exact":
            deals = Batch(deals.faces, deals.orders[:, :0].copy(), deals.picks)
        mine, theirs = measure(search, deals, program, folder)
        own += mine
        twin += theirs or 0.0
    total = each * POSITIONS
    beside = f"{total / twin:>12,.0f}{twin / own:>8.0%}" if program else ""
    print(f"{name:<9}{pile:>5}{total / own:>12,.0f}{beside}", flush=True)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compile_twin(folder)
        if program is None:
            print("g++ was not found: only the compiled kernels are measured")
        warm = StateSearch(question(0, 0))
        measure(warm, warm.draw(np.random.default_rng(0), 1), None, folder)
        print(f"{'':<9}{'pile':>5}{'deals/s':>12}" + (f"{'C++':>12}{'ratio':>8}" if program else ""))
        for pile, speed in enumerate(EXACT_PER_SECOND):
            row("exact", pile, int(seconds * speed), program, folder)
        for pile, speed in enumerate(SAMPLED_PER_SECOND):
            row("sampled", pile, int(seconds * speed), program, folder)
        for pile, speed in ORDERED_PER_SECOND.items():
            row("ordered", pile, int(seconds * speed), program, folder)


if __name__ == "__main__":
    main()
