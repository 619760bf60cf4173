"""A fair game as its public tree, grown level by level, and from it the game in sequence form.

At every public node each player has a list of private states. Whoever moves gets an information set for each of them;
what follows from all moves and draws is merged where it is equal, so a set may have many parents. Draws are chance's:
which card is drawn is a branching of the drawer's private states, which type is drawn and what lies on top next is one
of the public tree. Two states go together where they have no card in common, and all such pairs are equally likely.
"""

from dataclasses import dataclass
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from solver.errors import TooLargeError
from solver.games.blasting_billy._rows_kernel import intern_rows
from solver.games.blasting_billy.fair import _tree_kernel as kernel
from solver.games.blasting_billy.fair._payoff_kernel import count_pairs, pay
from solver.games.blasting_billy.fair.public_root import PublicRoot
from solver.sequence_form import SequenceGame, Side
from solver.watch import Progress, Watch

Numbers = NDArray[np.int64]
LARGEST = 2**55
"""The common denominator stays below it, so that no weight times points overflows."""


@dataclass(frozen=True, eq=False, slots=True)
class Listed:
    """The private states of one player at the nodes of a level, by their numbers in `states`."""

    starts: Numbers
    numbers: Numbers
    states: Numbers

    @property
    def arrays(self) -> tuple[Numbers, Numbers, Numbers]:
        """As kernels take them."""
        return self.starts, self.numbers, self.states


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A move of the public tree: the nodes before it, and how the nodes after it came about."""

    player: int
    nodes: Numbers
    listed: Listed
    """Of the player to move."""
    first_set: int
    first_sequence: int
    labels: NDArray[np.uint8]
    """Of each move: the card's bit * 3 + the verb."""
    outcomes: Numbers
    """Of each node of the next level: what everybody saw of the move, ..."""
    drawn: Numbers
    """... and the type drawn or -1."""


class _SideBuilder:
    """Collects a side's sets, level by level."""

    def __init__(self) -> None:
        self.sets, self.sequences, self._links = 0, 0, 0
        self._starts: list[Numbers] = []
        self._masses: list[Numbers] = []
        self._parent_ends: list[Numbers] = []
        self._parents: list[Numbers] = []

    def add(self, moves: Numbers, masses: Numbers, parent_counts: Numbers, parents: Numbers) -> int:
        """Sets with so many moves each; the number of the first of their sequences."""
        first = self.sequences
        self._starts.append(first + np.cumsum(moves) - moves)
        self._masses.append(masses)
        self._parent_ends.append(self._links + np.cumsum(parent_counts))
        self._parents.append(parents)
        self.sets += len(moves)
        self.sequences += int(moves.sum())
        self._links += len(parents)
        return first

    def side(self) -> Side:
        parents = np.concatenate(self._parents)
        return Side(
            starts=np.concatenate((*self._starts, [self.sequences])),
            mass=np.concatenate(self._masses),
            parent_starts=np.concatenate(([0], *self._parent_ends)),
            parents=parents,
            weights=np.ones(len(parents), np.int64),
        )


class PublicTree:
    """The whole tree, unless it turns out to have more private states, or more pairs of them at the leaves."""

    def __init__(self, root: PublicRoot, *, margin: bool, most_states: int, most_pairs: int, watch: Watch) -> None:
        self.root = root
        self._margin = margin
        self._most_states = most_states
        self._most_pairs = most_pairs
        self._watch = watch
        self._removed = np.array([root.removed[kind] for kind in range(5)], np.int64)
        self._deck = np.array(root.cards, np.int64), root.fuses, self._removed
        self._sides = (_SideBuilder(), _SideBuilder())
        self._scale = root.pairs
        self.levels: list[Level] = []
        self.public_nodes = 1
        self.private_states = 0
        self.game = self._grow()

    def _grow(self) -> SequenceGame:
        nodes = self.root.node()[None, :]
        players = [self._first(player) for player in (0, 1)]
        size = self.root.position.size
        for turn in range(self.root.turns):
            self._watch.check()
            self._watch.tell(Progress("growing the public tree", turn / (self.root.turns + 1)))
            nodes, players = self._move(nodes, players, turn % 2, max(0, size - turn))
        return self._pay(nodes, players)

    def _first(self, player: int) -> Listed:
        states, masses = self.root.states(player)
        self._count_states(len(states))
        none = np.zeros(0, np.int64)
        first = self._sides[player].add(np.ones_like(masses), masses, np.zeros_like(masses), none)
        states[:, kernel.POINT] = first + np.arange(len(states))
        return Listed(np.array([0, len(states)]), np.arange(len(states)), states)

    def _count_states(self, number: int) -> None:
        self.private_states += number
        if self.private_states > self._most_states:
            raise TooLargeError(
                f"more than {self._most_states:,} private states (found at {self.public_nodes:,} public nodes so far)"
            )

    def _move(self, nodes: Numbers, players: list[Listed], player: int, pile: int) -> tuple[Numbers, list[Listed]]:
        """One player's move, with the draw after it unless the pile is empty."""
        last, mine, theirs = pile == 0, players[player], players[1 - player]
        here, now = (nodes, *mine.arrays), (player, last)
        seen, moves = kernel.count_moves(here, now, self._deck)
        middle, origins, outcomes, drawn = _middles(nodes, seen, last)
        common = self._weigh_draws(nodes, origins, drawn, pile)
        middles = kernel.after_outcomes(nodes, (origins, outcomes, drawn), player, self._deck, common)
        labels = np.empty(int(moves.sum()), np.uint8)

        def emit(rows: Numbers, sequences: Numbers) -> int:
            return int(kernel.emit(here, now, self._deck, (middle, middles), (labels, rows, sequences)))

        none = np.empty((0, kernel.STATE), np.int64)
        number = emit(none, none[:, 0])
        self._count_states(0 if number <= self._most_states else number)
        rows, sequences = np.empty((number, kernel.STATE), np.int64), np.empty(number, np.int64)
        emit(rows, sequences)
        side = self._sides[player]
        first_set = side.sets
        points = mine.states[mine.numbers, kernel.POINT]
        first_sequence = side.add(moves, np.zeros_like(moves), np.ones_like(moves), points)
        made = self._merge(side, rows, first_sequence + sequences, len(middles))
        children, after = self._tops(middles, pile)
        shown = children[:, kernel.SHOWN] & ~nodes[origins[after], kernel.SHOWN]
        starts, numbers = kernel.pass_through(origins[after], shown, theirs.arrays)
        theirs_after = Listed(starts, numbers, theirs.states)
        mine_after = Listed(*_copies(made.starts, after), made.states)
        self.levels.append(Level(player, nodes, mine, first_set, first_sequence, labels, outcomes[after], drawn[after]))
        self.public_nodes += len(children)
        self._count_states(len(theirs_after.numbers) + len(mine_after.numbers) - len(made.states))
        return children, [mine_after, theirs_after] if player == 0 else [theirs_after, mine_after]

    def _weigh_draws(self, nodes: Numbers, origins: Numbers, drawn: Numbers, pile: int) -> int:
        """What the weights of all draws of this level are over, for each draw's own number of cards to divide."""
        if not pile:
            return 1
        there = (nodes[origins, kernel.PILE] >> (4 * drawn)) & 15
        common = lcm(*{int(number) for number in there + self._removed[drawn]})
        self._scale *= common * (pile if nodes[0, kernel.TOP] < 0 else 1)
        if self._scale * pile >= LARGEST:
            raise TooLargeError(f"chance's fractions need a common denominator of more than {LARGEST:,}")
        return common

    def _merge(self, side: _SideBuilder, rows: Numbers, sequences: Numbers, nodes: int) -> Listed:
        """The different ones of the rows as new states, node by node, each with the moves that lead to it."""
        numbers, firsts = intern_rows(rows)
        different = len(firsts)
        order = np.argsort(rows[firsts, 0], kind="stable")
        place_of = np.empty(different, np.int64)
        place_of[order] = np.arange(different)
        state_of = place_of[numbers]
        by_state = np.argsort(state_of, kind="stable")
        counts = np.bincount(state_of, minlength=different)
        ones = np.ones(different, np.int64)
        states = rows[firsts[order]]
        starts = np.concatenate(([0], np.cumsum(np.bincount(states[:, 0], minlength=nodes))))
        first = side.add(ones, np.zeros_like(ones), counts, sequences[by_state])
        states[:, kernel.POINT] = first + np.arange(different)
        self._count_states(different)
        return Listed(starts, np.arange(different), states)

    def _tops(self, middles: Numbers, pile: int) -> tuple[Numbers, Numbers]:
        """The nodes once the next top is seen, and for each the middle node it comes from."""
        if not pile or middles[0, kernel.TOP] < 0:
            return middles, np.arange(len(middles))
        if pile == 1:
            middles[:, kernel.TOP] = -1
            return middles, np.arange(len(middles))
        left = (middles[:, kernel.PILE, None] >> (4 * np.arange(5))) & 15
        after, tops = np.nonzero(left)
        children = middles[after]
        children[:, kernel.TOP] = tops
        children[:, kernel.WEIGHT] *= left[after, tops]
        self._scale *= pile - 1
        return children, after

    def _pay(self, nodes: Numbers, players: list[Listed]) -> SequenceGame:
        """The payoffs, listed for whoever moved last: their states belong to one leaf each."""
        last = (self.root.turns - 1) % 2
        mine, theirs = players[last], players[1 - last]
        products = int(np.sum(np.diff(mine.starts) * np.diff(theirs.starts)))
        if products > 25 * self._most_pairs:
            raise TooLargeError(f"{products:,} pairs of private states")
        pairs = int(count_pairs(mine.arrays, theirs.arrays).sum())
        if pairs > self._most_pairs:
            raise TooLargeError(f"{pairs:,} pairs of private states")
        divisor = gcd(int(np.gcd.reduce(nodes[:, kernel.WEIGHT])), self._scale)
        nodes[:, kernel.WEIGHT] //= divisor
        ends, columns, payoffs = pay((nodes, *mine.arrays), theirs.arrays, last, self._margin, pairs)
        sides = self._sides[0].side(), self._sides[1].side()
        first = int(mine.states[0, kernel.POINT])
        starts = np.zeros(sides[last].sequences + 1, np.int64)
        starts[first : first + len(ends)] = ends
        starts[first + len(ends) :] = ends[-1]
        scale = self._scale // divisor
        listed = SequenceGame((sides[last], sides[1 - last]), starts, columns, payoffs, scale)
        return listed if last == 0 else listed.transposed()


def _middles(nodes: Numbers, seen: NDArray[np.int8], last: bool) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The public nodes between a draw and the next top: where they come from, what was seen, which type was drawn; and
    their numbers by node and outcome (the first, if several types can be drawn)."""
    origins, outcomes = np.nonzero(seen)
    middle = np.full(seen.shape, -1, np.int64)
    if last:
        drawn = np.full(len(origins), -1)
        counts = np.ones(len(origins), np.int64)
    elif nodes[0, kernel.TOP] >= 0:
        drawn = nodes[origins, kernel.TOP]
        counts = np.ones(len(origins), np.int64)
    else:
        there = ((nodes[origins, kernel.PILE, None] >> (4 * np.arange(5))) & 15) > 0
        counts = there.sum(axis=1)
        drawn = np.ascontiguousarray(np.nonzero(there)[1])
    middle[origins, outcomes] = np.cumsum(counts) - counts
    return middle, np.repeat(origins, counts), np.repeat(outcomes, counts), drawn


def _copies(starts: Numbers, after: Numbers) -> tuple[Numbers, Numbers]:
    """The lists of the nodes `after`, one behind the other."""
    counts = np.diff(starts)[after]
    ends = np.concatenate(([0], np.cumsum(counts)))
    numbers = np.arange(ends[-1]) - np.repeat(ends[:-1] - starts[after], counts)
    return ends, numbers
