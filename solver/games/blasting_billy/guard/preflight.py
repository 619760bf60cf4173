"""How large lens guard will be, before anything large is allocated: the public tree is walked without its deals.

Trees that are too large even for that are estimated from random walks.
After Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975).
"""

from dataclasses import dataclass
from random import Random

from solver.games.blasting_billy.guard.public_tree import PublicTree, Spot, Turn, last_moves, own_moves
from solver.games.blasting_billy.guard.type_tables import TypeTables
from solver.games.blasting_billy.table import Move
from solver.shortcuts import Size
from solver.watch import Watch

MOST_WEIGHT = 1 << 51
"""Deals, each with every order of the pile, that may flow through the game once divided by what they have in common.
A proof needs every flow to be below 2 to the 52, which is as far as floats count."""
MOST_SPOTS = 2_500
"""Public nodes that are counted one by one."""
MOST_WORK = 150_000
"""States of single types that are gone through while counting."""
WALKS = 24
NODE_SECONDS = 4e-4
STATE_SECONDS = 3e-8
"""For a joint state, a move and a draw."""
NODE_BYTES = 2_000
STATE_BYTES = 12


@dataclass(frozen=True, slots=True)
class GuardSize(Size):
    """How large the computation is. States and sequences are counted before what is alike is merged."""

    deals: int = 0
    nodes: float = 0.0
    states: float = 0.0
    sequences: float = 0.0
    counted: bool = True
    """Whether this is a count; otherwise it is a rough estimate, or infinite where not even that was tried."""


def too_large(deals: int) -> GuardSize:
    """The size of what is not even counted."""
    endless = float("inf")
    words = f"{deals:,} deals: too many states of the hidden cards to go through"
    return GuardSize(words, endless, endless, deals, endless, endless, endless, counted=False)


def too_many(deals: int, orders: int) -> GuardSize:
    """The size of what could be gone through, but whose whole numbers would be too large for a proof."""
    endless = float("inf")
    each = f", each with {orders:,} orders of the pile" if orders > 1 else ""
    words = f"{deals:,} deals{each}: too many to prove anything about"
    return GuardSize(words, endless, endless, deals, endless, endless, endless, counted=False)


@dataclass(slots=True)
class _Count:
    nodes: float = 0.0
    states: float = 0.0
    sequences: float = 0.0
    steps: float = 0.0
    widest: float = 0.0

    def add(self, spot: Spot, turn: Turn | None, times: float = 1.0) -> None:
        actions = turn.actions if turn is not None else len(last_moves(spot))
        steps = spot.states * actions * (turn.columns if turn is not None else 4)
        self.nodes += times
        self.states += times * spot.states
        self.sequences += times * spot.states * actions
        self.steps += times * steps
        self.widest = max(self.widest, steps)

    def size(self, deals: int, *, walks: int = 0) -> GuardSize:
        """What was counted, or the mean of so many walks."""
        about, times = ("about ", 1 / walks) if walks else ("", 1.0)
        nodes, states, sequences = (times * part for part in (self.nodes, self.states, self.sequences))
        words = (
            f"{deals:,} deals; {about}{nodes:,.0f} nodes that the mover can tell apart, with {states:,.0f} states of "
            f"the hidden cards and {sequences:,.0f} replies"
        )
        seconds = nodes * NODE_SECONDS + times * self.steps * STATE_SECONDS
        memory = nodes * NODE_BYTES + states * STATE_BYTES + self.widest * STATE_BYTES
        return GuardSize(words, seconds, memory, deals, nodes, states, sequences, counted=not walks)


def count_work(
    tree: PublicTree, tables: TypeTables, root: Spot, moves: tuple[Move, ...], deals: int, watch: Watch
) -> GuardSize:
    """The size of all root moves together."""
    count = _Count()
    if _walk(tree, tables, root, moves, count, watch):
        return count.size(deals)
    count, rng, walks, work = _Count(), Random(0), 0, tables.work
    while walks < WALKS and tables.work - work < MOST_WORK:
        _probe(tree, root, moves, count, rng, watch)
        walks += 1
    return count.size(deals, walks=walks)


def _walk(
    tree: PublicTree, tables: TypeTables, root: Spot, moves: tuple[Move, ...], count: _Count, watch: Watch
) -> bool:
    """Whether all public nodes, equal ones once, could be counted."""
    seen: set[Spot] = set()
    waiting = [branch.spot for move in moves for branch in tree.move_own(root, [move]).branches]
    while waiting:
        spot = waiting.pop()
        if spot not in seen:
            watch.check()
            seen.add(spot)
            if len(seen) > MOST_SPOTS or tables.work > MOST_WORK:
                return False
            turn = _open(tree, spot)
            count.add(spot, turn)
            if turn is not None:
                waiting.extend(branch.spot for branch in turn.branches)
    return True


def _probe(tree: PublicTree, root: Spot, moves: tuple[Move, ...], count: _Count, rng: Random, watch: Watch) -> None:
    """One walk to the end, each node counted as often as it stands for others."""
    turn: Turn | None = tree.move_own(root, [rng.choice(moves)])
    times = float(len(moves))
    while turn is not None:
        watch.check()
        times *= len(turn.branches)
        spot = rng.choice(turn.branches).spot
        turn = _open(tree, spot)
        count.add(spot, turn, times)


def _open(tree: PublicTree, spot: Spot) -> Turn | None:
    if not tree.is_mover(spot):
        return tree.move_other(spot)
    return None if tree.is_last(spot) else tree.move_own(spot, own_moves(spot))
