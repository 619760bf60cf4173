"""What can be done in one type from now on: the tree of options, the same for every assignment of hidden cards.

Turns alternate between the two players. In each, a player either passes in this type, because the card is played in
another one, or gives, claims or dumps a card of this type. On a player's last turn dumps are left out: they change
nothing, so doing nothing stands for them.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PASS, GIVE, CLAIM = 0, 1, 2


class Playable(NamedTuple):
    """A card that can be played: its number among the faces, whose it is (0: the mover), and from which turn on."""

    face: int
    player: int
    turn: int


@dataclass(frozen=True, slots=True)
class Course:
    """The turns to come after the mover's move, from 1: whose they are, and after which of them a draw is in doubt."""

    players: tuple[int, ...]
    outcomes: int = 1
    """How many ways the draw after the first turn can go; 1: it is certain."""

    @property
    def signs(self) -> NDArray[np.int32]:
        """Stage by stage: 1 the mover chooses, -1 the other, 0 chance; a last one for the end."""
        signs = [-1 if player else 1 for player in self.players]
        if self.outcomes > 1:
            signs.insert(1, 0)
        return np.array([*signs, 0], np.int32)

    def is_last(self, turn: int) -> bool:
        """Whether the player has no later turn."""
        return self.players[turn - 1] not in self.players[turn:]

    def turn_at(self, stage: int) -> int | None:
        """The turn at a stage; None at chance."""
        if self.outcomes > 1 and stage:
            return None if stage == 1 else stage
        return stage + 1

    @property
    def stages(self) -> int:
        return len(self.signs) - 1


@dataclass(frozen=True, slots=True)
class OptionTree:
    """Nodes, parents first: stage, plays made so far, parent, deed, player, card; and their children, passing first."""

    nodes: NDArray[np.int32]
    kids: NDArray[np.int32]
    kid_start: NDArray[np.int32]


class _Node(NamedTuple):
    stage: int
    plays: int
    deeds: tuple[tuple[int, int, int], ...]
    """What was laid in this type so far, in order: deed, player, card."""
    left: frozenset[Playable]
    """The cards that can be played later."""


def most_nodes(course: Course, held: frozenset[Playable], drawn: tuple[frozenset[Playable], ...]) -> int:
    """An upper bound on the size of the tree, to have before it is grown."""
    cards = held.union(*drawn)
    nodes = course.outcomes
    for turn, player in enumerate(course.players, 1):
        own = sum(card.player == player and card.turn <= turn for card in cards)
        nodes *= 1 + own * (2 if course.is_last(turn) else 3)
    return nodes


def grow(course: Course, held: frozenset[Playable], drawn: tuple[frozenset[Playable], ...]) -> OptionTree:
    """The tree of a type in which these cards are held, and these drawn in each outcome of the draws in doubt."""
    start = held if course.outcomes > 1 else held | drawn[0]
    root = _Node(0, 0, (), start)
    numbers = {root: 0}
    queue = [root]
    rows = [(0, 0, 0, PASS, 0, 0)]
    kids: list[list[int]] = []
    for number, node in enumerate(queue):
        children: list[int] = []
        for child in _children(course, node, drawn):
            if child not in numbers:
                numbers[child] = len(queue)
                queue.append(child)
                laid = child.deeds[-1] if len(child.deeds) > len(node.deeds) else (PASS, 0, 0)
                rows.append((child.stage, child.plays, number, *laid))
            children.append(numbers[child])
        kids.append(children)
    lengths = [0, *map(len, kids)]
    return OptionTree(
        np.array(rows, np.int32),
        np.array([kid for children in kids for kid in children], np.int32),
        np.cumsum(lengths).astype(np.int32),
    )


def _children(course: Course, node: _Node, drawn: tuple[frozenset[Playable], ...]) -> list[_Node]:
    """Passing first, then every option; at chance, the outcomes."""
    if node.stage == course.stages:
        return []
    turn = course.turn_at(node.stage)
    if turn is None:
        return [node._replace(stage=node.stage + 1, left=node.left | cards) for cards in drawn]
    player, last = course.players[turn - 1], course.is_last(turn)

    def after(left: frozenset[Playable], plays: int, deeds: tuple[tuple[int, int, int], ...]) -> _Node:
        kept = frozenset(card for card in left if not (last and card.player == player))
        return _Node(node.stage + 1, node.plays + plays, deeds, kept)

    children = [after(node.left, 0, node.deeds)]
    for card in sorted(node.left):
        if card.player == player and card.turn <= turn:
            rest = node.left - {card}
            for deed in (GIVE, CLAIM):
                children.append(after(rest, 1, (*node.deeds, (deed, player, card.face))))
            if not last:
                children.append(after(rest, 1, node.deeds))
    return children
