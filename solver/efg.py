"""A tree as an `.efg` file, the extensive-form format that Gambit and OpenSpiel read.

Both read only part of what the format allows, so: spaces and no tabs, printable ASCII without quotes or double spaces,
every set's descriptor in full at every node and without a name, exact fractions with both numbers below 2^31, and
outcomes only at the ends, in full each time.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TextIO
from unicodedata import normalize

from solver.errors import TooLargeError
from solver.game import CHANCE, OVER
from solver.tree import Tree

LARGEST = 2**31
"""Numerators and denominators stay below it."""


def write_efg(tree: Tree, file: TextIO, *, title: str) -> None:
    """Write the tree node by node. Two players stand in the order they sit; of more, the mover and `others`."""
    order = (0, 1)
    names: Sequence[str] = (tree.seats[tree.mover], "others")
    if len(tree.seats) == 2:
        order, names = ((1, 0) if tree.mover else (0, 1)), tree.seats
    file.write(f"EFG 2 R {_quoted(title)} {{ {' '.join(map(_quoted, _distinct(names)))} }}\n\n")
    writer = _Nodes(tree, order)
    stack = [0]
    while stack:
        node = stack.pop()
        file.write(writer.line(node))
        stack.extend(range(int(tree.firsts[node + 1]) - 1, int(tree.firsts[node]) - 1, -1))


class _Nodes:
    """The line of each node; `order` says which side comes first in the file."""

    def __init__(self, tree: Tree, order: tuple[int, int]) -> None:
        self._tree, self._order = tree, order
        self._actors = tree.actors
        self._texts = tuple(map(_plain, tree.names))
        self._chances = 0
        self._outcomes: dict[int, str] = {}
        self._offers: tuple[dict[int, str], dict[int, str]] = ({}, {})

    def line(self, node: int) -> str:
        actor = int(self._actors[node])
        if actor == OVER:
            return self._end(int(self._tree.payoffs[node]))
        if actor == CHANCE:
            return self._chance(node)
        return self._decision(node, actor)

    def _end(self, payoff: int) -> str:
        found = self._outcomes.get(payoff)
        if found is None:
            exact = Fraction(payoff, self._tree.scale)
            texts = [str(exact if side == 0 else -exact) for side in self._order]
            _check_size(exact)
            found = f't "" {len(self._outcomes) + 1} "{texts[0]}" {{ {" ".join(texts)} }}\n'
            self._outcomes[payoff] = found
        return found

    def _chance(self, node: int) -> str:
        self._chances += 1
        children = range(int(self._tree.firsts[node]), int(self._tree.firsts[node + 1]))
        weights = [int(self._tree.weights[child]) for child in children]
        whole = sum(weights)
        labels = [self._tree.labels[child] for child in children]
        texts = [self._texts[label] if label >= 0 else f"deal {number}" for number, label in enumerate(labels, 1)]
        shares = [Fraction(weight, whole) for weight in weights]
        for share in shares:
            _check_size(share)
        branches = " ".join(f'"{text}" {share}' for text, share in zip(_distinct(texts), shares, strict=True))
        return f'c "" {self._chances} "" {{ {branches} }} 0\n'

    def _decision(self, node: int, side: int) -> str:
        number = int(self._tree.sets[node])
        found = self._offers[side].get(number)
        if found is None:
            sets = self._tree.sides[side]
            labels = sets.labels[sets.starts[number] : sets.starts[number + 1]]
            moves = " ".join(f'"{text}"' for text in _distinct([self._texts[label] for label in labels]))
            found = f'p "" {self._order.index(side) + 1} {number + 1} "" {{ {moves} }} 0\n'
            self._offers[side][number] = found
        return found


def _check_size(number: Fraction) -> None:
    if max(abs(number.numerator), number.denominator) >= LARGEST:
        raise TooLargeError(f"{number} has a number too large for programs that read .efg: at most {LARGEST - 1:,}")


def _plain(text: str) -> str:
    """Printable ASCII: accents dropped, everything else that is not as `?`, single spaces, no quotes or escapes."""
    letters = "".join(c for c in normalize("NFKD", " ".join(text.split())) if not 0x300 <= ord(c) < 0x370)
    shown = "".join(c if " " <= c <= "~" else "?" for c in letters)
    return shown.replace('"', "'").replace("\\", "/")


def _quoted(text: str) -> str:
    return f'"{_plain(text)}"'


def _distinct(texts: Iterable[str]) -> list[str]:
    """The texts, those that occurred before with a number behind."""
    seen: dict[str, int] = {}
    result = []
    for text in map(_plain, texts):
        unique = text
        while unique in seen:
            seen[text] += 1
            unique = f"{text} ({seen[text]})"
        seen[unique] = 1
        result.append(unique)
    return result
