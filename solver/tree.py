"""The tree of everything that can happen, for any game and lens: from all deals, by the game's rules alone.

Nodes stand in flat arrays level by level, so that the children of a node are neighbours. A chance event without an
alternative is no node: what it shows is seen on the way to the next. Information sets come from
the game's own observations: a player who sees only their own cards knows their moves and the sequence of what they
observed, and nothing else. So nobody forgets, whatever the game's last observation shows.
"""

from array import array
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, cast

import numpy as np

from solver.errors import IllegalError, LastdrawError, TooLargeError
from solver.game import CHANCE, OVER, Game
from solver.lens import Lens, Root, Sight, find_root, side_of
from solver.sequence_form import Numbers
from solver.watch import Progress, Watch

LIMIT = 2_000_000
"""Nodes that take one to two minutes."""
FORETOLD = 1.25
"""How many times too large the tree must be, judged by what the first deal leads to, to be given up at once: in another
game not all deals need lead to as much."""


class BrokenGameError(AssertionError):
    """A game whose observations and moves do not fit each other: a mistake in its rules, not in what a user wrote."""


@dataclass(frozen=True, eq=False, slots=True)
class Sets:
    """One side's information sets, each after the one its player was at before.

    Set i offers the moves `labels[starts[i]:starts[i + 1]]`; `sights[i]` is what its player observes there (None
    where that is everything).
    """

    starts: Numbers
    labels: Numbers
    sights: tuple[Hashable, ...]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Tree:
    """All histories. Node 0 is the root, where chance picks a deal; parents come before their children."""

    seats: tuple[str, ...]
    mover: int
    parents: Numbers
    turns: Numbers
    """Whose turn it is: a player, CHANCE or OVER."""
    sets: Numbers
    """The information set, by number within its side; -1 where nobody decides."""
    labels: Numbers
    """The event that leads to the node, by its number in `names`; -1 at the root and at deals."""
    weights: Numbers
    """How often chance takes this branch, compared with its siblings; 1 after a move."""
    payoffs: Numbers
    """What side 0 gets where the game is over, times `scale`."""
    scale: int
    firsts: Numbers
    """The first child of each node; the last number is the number of nodes. Node n has the children
    `firsts[n]` up to `firsts[n + 1]`."""
    names: tuple[str, ...]
    sides: tuple[Sets, Sets]

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def deals(self) -> int:
        return int(self.firsts[1] - self.firsts[0])

    @property
    def actors(self) -> Numbers:
        """The side whose turn it is, CHANCE or OVER."""
        return np.where(self.turns < 0, self.turns, np.where(self.turns == self.mover, 0, 1))

    @property
    def levels(self) -> list[int]:
        """Where each level begins, and the end."""
        found = [0, 1]
        while found[-1] < len(self):
            found.append(int(self.firsts[found[-1]]))
        return found


def build_tree(
    game: Game[Any, Any, Any],
    position: Any,
    *,
    lens: Lens,
    objective: str,
    watch: Watch,
    limit: int = LIMIT,
    first: Any = None,
) -> Tree:
    """All histories from a position; with `first`, a choice of the mover, only what follows it.

    A TooLargeError beyond `limit` nodes, and an IllegalError where the lens cannot be asked for.
    """
    game.check_objective(position, objective)
    root = find_root(game, position, lens=lens, limit=limit)
    if first is not None and lens.public:
        raise IllegalError(f"lens {lens.name} begins before the mover's cards are known: no move is first there")
    builder = _Builder(game, root, lens=lens, objective=objective, limit=limit)
    builder.grow(first, watch)
    return builder.finish()


class _Memories:
    """What players who see only their own cards remember, numbered: a memory, then an observation or an own move."""

    def __init__(self) -> None:
        self.sights: list[Hashable] = [None]
        self._seen: dict[tuple[int, Hashable], int] = {}
        self._moved: dict[tuple[int, int], int] = {}

    def see(self, memory: int, sight: Hashable) -> int:
        """Seeing the same again is not remembered apart: nothing happened that the player could notice."""
        if sight == self.sights[memory]:
            return memory
        return self._find(self._seen, (memory, sight), sight)

    def move(self, memory: int, label: int) -> int:
        return self._find(self._moved, (memory, label), None)

    def _find(self, known: dict[Any, int], key: Any, sight: Hashable) -> int:
        found = known.get(key)
        if found is None:
            found = known[key] = len(self.sights)
            self.sights.append(sight)
        return found


class _Builder:
    """Grows the tree depth first, deal by deal, so that few states are kept, and sorts it by levels at the end."""

    def __init__(self, game: Game[Any, Any, Any], root: Root, *, lens: Lens, objective: str, limit: int) -> None:
        self._game, self._root, self._objective, self._limit = game, root, objective, limit
        self._seats = game.seats(root.position)
        self._sights = lens.sights(len(self._seats), root.mover)
        self._watchers = [player for player, sight in enumerate(self._sights) if sight is Sight.OWN]
        self._public = lens.public
        self._memories = [_Memories() for _ in self._seats]
        self._parents, self._labels, self._weights = array("q"), array("q"), array("q")
        self._turns, self._sets, self._endings, self._depths = array("q"), array("q"), array("q"), array("q")
        self._events: dict[Any, int] = {}
        self._payoffs: dict[Fraction, int] = {}
        self._offers: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = ([], [])
        self._set_sights: tuple[list[Hashable], list[Hashable]] = ([], [])
        self._numbers: dict[tuple[int, int], int] = {}

    def grow(self, first: Any, watch: Watch) -> None:
        self._append(-1, -1, 1, 0)
        self._turns.append(CHANCE)
        self._sets.append(-1)
        self._endings.append(-1)
        for number, (state, memories) in enumerate(self._beginnings(first)):
            watch.check()
            watch.tell(Progress("building the tree", number / self._root.deals))
            if number == 1 and (nodes := len(self._parents) * self._root.deals) > FORETOLD * self._limit:
                raise self._too_large(f"about {nodes:,} nodes, where {self._limit:,} can be")
            stack: list[tuple[Any, Any, int, int, int, tuple[int, ...]]] = [(state, None, 0, 1, 1, memories)]
            while stack:
                before, event, parent, weight, depth, memories = stack.pop()
                state = before if event is None else self._game.play(before, event)
                node = len(self._parents)
                if not node & 4095:
                    watch.check()
                self._append(parent, -1 if event is None else self._label(event), weight, depth)
                turn, state, memories = self._settle(state, memories)
                self._turns.append(turn)
                if turn == OVER:
                    self._sets.append(-1)
                    self._endings.append(self._ending(state))
                    continue
                self._endings.append(-1)
                memories = self._see(state, memories)
                if turn == CHANCE:
                    self._sets.append(-1)
                    events = self._game.chances(state)
                else:
                    events = [(move, 1) for move in self._game.moves(state)]
                    offered = tuple(self._label(move) for move, _ in events)
                    self._sets.append(self._set(turn, memories, offered, first=depth == 1 and first is None))
                for event, share in reversed(events):
                    moved = self._move(memories, turn, self._label(event))
                    stack.append((state, event, node, share, depth + 1, moved))

    def _settle(self, state: Any, memories: tuple[int, ...]) -> tuple[int, Any, tuple[int, ...]]:
        """Whose turn it is once everything has happened that could not happen otherwise, such as the last draw."""
        while (turn := self._game.turn(state)) == CHANCE and len(chances := self._game.chances(state)) == 1:
            memories = self._see(state, memories)
            state = self._game.play(state, chances[0][0])
        return turn, state, memories

    def _beginnings(self, first: Any) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """The state of every deal with what each player remembers, after the first move if there is one."""
        mover, remembered = self._root.mover, None
        for number, state in enumerate(self._root.states(self._game)):
            if not self._public:
                known = self._known_to_mover(state)
                if number and known != remembered:
                    raise IllegalError(
                        f"{self._seats[mover]} has forgotten a card that a tree would show them at their next move: "
                        "write down what it is"
                    )
                remembered = known
            memories = (0,) * len(self._seats)
            if first is None:
                yield state, memories
            else:
                memories = self._move(self._see(state, memories), mover, self._label(first))
                yield self._game.play(state, first), memories

    def _known_to_mover(self, state: Any) -> Hashable:
        """What must be the same in all deals, since the mover knows the position: the moves, and where the mover
        goes on seeing only their own cards, all that they see."""
        if self._sights[self._root.mover] is Sight.OWN:
            return cast(Hashable, self._game.observe(state, self._root.mover))
        return tuple(self._game.moves(state))

    def _append(self, parent: int, label: int, weight: int, depth: int) -> None:
        if len(self._parents) >= self._limit:
            raise self._too_large(f"more than {self._limit:,} nodes")
        self._parents.append(parent)
        self._labels.append(label)
        self._weights.append(weight)
        self._depths.append(depth)

    def _too_large(self, nodes: str) -> TooLargeError:
        return TooLargeError(
            f"the tree of {self._root.deals:,} deals has {nodes}: take a position nearer the end, or a smaller deck"
        )

    def _label(self, event: Any) -> int:
        return self._events.setdefault(event, len(self._events))

    def _ending(self, state: Any) -> int:
        payoffs = self._game.payoffs(state, self._objective)
        if self._public and sum(payoffs, Fraction(0)):
            raise IllegalError("what one player gains the other must lose: this objective is not zero-sum")
        return self._payoffs.setdefault(payoffs[self._root.mover], len(self._payoffs))

    def _see(self, state: Any, memories: tuple[int, ...]) -> tuple[int, ...]:
        changed = list(memories)
        for player in self._watchers:
            changed[player] = self._memories[player].see(memories[player], self._game.observe(state, player))
        return tuple(changed)

    def _move(self, memories: tuple[int, ...], turn: int, label: int) -> tuple[int, ...]:
        if turn not in self._watchers:
            return memories
        moved = self._memories[turn].move(memories[turn], label)
        return (*memories[:turn], moved, *memories[turn + 1 :])

    def _set(self, player: int, memories: tuple[int, ...], offered: tuple[int, ...], *, first: bool) -> int:
        """The number of the information set: one for all nodes that the player remembers alike, and one for each
        node where the player sees everything."""
        side, sight = side_of(player, self._root.mover), self._sights[player]
        offers = self._offers[side]
        if sight is Sight.ALL or (sight is Sight.LATER and not first):
            return self._add(side, offered, None)
        key = player, memories[player]
        number = self._numbers.get(key)
        if number is None:
            seen = self._memories[player].sights[memories[player]]
            number = self._numbers[key] = self._add(side, offered, seen)
            if sight is Sight.OWN:
                self._check_choices(seen, offered)
        elif offers[number] != offered:
            raise BrokenGameError(
                f"{self._seats[player]} cannot tell two states apart that offer "
                f"{self._names(offers[number])} and {self._names(offered)}"
            )
        return number

    def _add(self, side: int, offered: tuple[int, ...], sight: Hashable) -> int:
        self._offers[side].append(offered)
        self._set_sights[side].append(sight)
        return len(self._offers[side]) - 1

    def _check_choices(self, seen: Any, offered: tuple[int, ...]) -> None:
        """What a player can choose follows from what the player sees."""
        try:
            choices: Sequence[Any] = self._game.choices(seen)
        except LastdrawError as error:
            raise BrokenGameError(f"a player to move does not see so: {error}") from error
        if tuple(map(self._label, choices)) != offered:
            texts = ", ".join(map(self._game.format_event, choices))
            raise BrokenGameError(f"a player sees the moves {texts}, but has {self._names(offered)}")

    def _names(self, offered: tuple[int, ...]) -> str:
        events = list(self._events)
        return ", ".join(self._game.format_event(events[label]) for label in offered)

    def finish(self) -> Tree:
        depths = np.frombuffer(self._depths, np.int64)
        order = np.argsort(depths, kind="stable")
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        parents, labels, weights, turns, sets, endings = (
            np.frombuffer(column, np.int64)[order]
            for column in (self._parents, self._labels, self._weights, self._turns, self._sets, self._endings)
        )
        parents[1:] = ranks[parents[1:]]
        scale = lcm(*(payoff.denominator for payoff in self._payoffs))
        values = np.array([*(int(payoff * scale) for payoff in self._payoffs), 0], np.int64)
        actors = np.where(turns == self._root.mover, 0, np.where(turns < 0, turns, 1))
        firsts = np.cumsum(np.concatenate(([1], np.bincount(parents[1:], minlength=len(parents)))))
        return Tree(
            seats=self._seats,
            mover=self._root.mover,
            parents=parents,
            turns=turns,
            sets=sets,
            labels=labels,
            weights=weights,
            payoffs=values[endings],
            scale=scale,
            firsts=firsts,
            names=tuple(map(self._game.format_event, self._events)),
            sides=(self._sort_sets(0, actors, sets), self._sort_sets(1, actors, sets)),
        )

    def _sort_sets(self, side: int, actors: Numbers, sets: Numbers) -> Sets:
        """Number a side's sets by their first nodes, so that each comes after those before it; `sets` is changed."""
        nodes = np.flatnonzero(actors == side)
        found, places = np.unique(sets[nodes], return_index=True)
        order = found[np.argsort(places)]
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        sets[nodes] = ranks[sets[nodes]]
        offers, sights = self._offers[side], self._set_sights[side]
        offered = [offers[number] for number in order]
        return Sets(
            np.cumsum([0, *map(len, offered)]),
            np.array([label for labels in offered for label in labels], np.int64),
            tuple(sights[number] for number in order),
        )
