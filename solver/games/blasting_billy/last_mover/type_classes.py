"""How one type can turn out once the last card is played: classes of deals that score alike, and their numbers.

Types are independent of each other, so whatever depends on all of them is put together from these. Only the cards
in players' columns are listed one by one; Billy's total is counted by subset sums.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate
from math import factorial, prod

from solver.cards import Card, is_hidden
from solver.deals import Cell, Pool, Statement, count_totals
from solver.games.blasting_billy.deck import NAMES, is_dynamite, worth
from solver.games.blasting_billy.scoring import survivors
from solver.games.blasting_billy.table import Column, Move, Position

POINT = 1 << 12
FACE_UP = 1 << 6
"""A score is points * POINT - face-up cards * FACE_UP - turned-down cards: one comparison for all three."""

Standings = tuple[int, ...]
"""What each player has: twice the score, plus 1 for a player who was shot."""

Classes = dict[Standings, int]
"""All that can come of a type, with numbers of deals."""


class TypeDeals:
    """The deals of one type's hidden cards, for the player to move."""

    def __init__(self, position: Position, kind: int, pool: Pool | None) -> None:
        assert position.to_move is not None
        self._position = position
        self._kind = kind
        self._mover = position.to_move
        self._pool = pool or Pool(NAMES.backs[kind], (), ())
        self._numbers = {cell.name: number for number, cell in enumerate(self._pool.cells)}

    def classes(self, move: Move | None = None) -> Classes:
        """After a move in this type, or none. With a forgotten card, each deal counts once for every card it may be."""
        position, letter = self._position, NAMES.backs[self._kind]
        columns = [loot[self._kind] for loot in position.loots]
        billy = position.billy_cards(self._kind)
        slots = [
            self._numbers[f"{name}.loot.{letter}"]
            for name, column in zip(position.players, columns, strict=True)
            if column and is_hidden(column[0])
        ]
        hidden_at = [seat for seat, column in enumerate(columns) if column and is_hidden(column[0])]
        hand = None
        if move is not None and move.verb != "dump":
            if is_hidden(move.card):
                hand = self._numbers[f"{position.players[self._mover]}.hand.{letter}"]
            if move.verb == "give":
                billy = (*billy, move.card)
            else:
                columns[self._mover] = (*columns[self._mover], move.card)
        totals = _BillysTotals(self._pool, [*slots, hand] if hand is not None else slots, self._numbers)
        read = cache(_read_column)
        result: Classes = defaultdict(int)
        for firsts, played, left, facts in self._listed(slots, hand):
            laid = list(columns)
            for seat, card in zip(hidden_at, firsts, strict=True):
                laid[seat] = (card, *laid[seat][1:])
            given = billy
            if played is not None and move is not None:
                if move.verb == "give":
                    given = (*billy[:-1], played)
                else:
                    laid[self._mover] = (*laid[self._mover][:-1], played)
            _add_classes(result, [read(column) for column in laid], totals.below(given, left, facts))
        return dict(result)

    def _listed(
        self, slots: Sequence[int], hand: int | None
    ) -> Iterator[tuple[Column, Card | None, frozenset[Card], tuple[Statement, ...]]]:
        """Every way to fill cells of one card and to pick one from the hand cell, where there is one.

        Each with the cards left and what is still to be true of the other cells: where the card picked from the hand
        meets a `some` fact, the others of the hand need not.
        """
        pool = self._pool
        allowed = [[card for card in pool.cards if pool.allows(cell, (card,))] for cell in slots]
        about_others = tuple(known for known in pool.statements if known.cell not in slots)
        for firsts in _different(allowed):
            left = frozenset(pool.cards).difference(firsts)
            if hand is None:
                yield firsts, None, left, about_others
                continue
            for played in sorted(left):
                met = [known for known in about_others if known.cell == hand and played in known.cards]
                if all(known in met for known in about_others if known.cell == hand and known.every):
                    facts = tuple(known for known in about_others if known.every or known not in met)
                    yield firsts, played, left - {played}, facts


class _BillysTotals:
    """How often Billy's column comes to what, the cards of some slots being given."""

    def __init__(self, pool: Pool, filled: Sequence[int], numbers: dict[str, int]) -> None:
        self._name = pool.name
        self._numbers = numbers
        self._cells = tuple(
            replace(cell, size=cell.size - filled.count(number)) for number, cell in enumerate(pool.cells)
        )
        names = {f"billy.{pool.name}.{place}" for place in range(1, 61)}
        self._billys = frozenset(number for name, number in numbers.items() if name in names)
        self._splits = prod(
            factorial(cell.size) for number, cell in enumerate(self._cells) if number not in self._billys
        )
        self._known: dict[tuple[object, ...], list[int]] = {}

    def below(self, column: Column, left: frozenset[Card], facts: tuple[Statement, ...]) -> list[int]:
        """Entry t: the number of ways to lay the cards that are left so that Billy's total is below t."""
        key = (column[-1:], left, facts)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._count(column, left, facts)
        return found

    def _count(self, column: Column, left: frozenset[Card], facts: tuple[Statement, ...]) -> list[int]:
        hidden = {
            place: self._numbers[f"billy.{self._name}.{place + 1}"]
            for place, card in enumerate(column)
            if is_hidden(card)
        }
        dynamite = next((card for card in left if is_dynamite(card)), None)
        ways: dict[int, int] = defaultdict(int)
        for place in (None, *hidden) if dynamite is not None else (None,):
            goes_off = place if place is not None else next((n for n, c in enumerate(column) if is_dynamite(c)), -9)
            kept = [n for n in range(len(column)) if n not in (goes_off, goes_off - 1)]
            seen = sum(worth(column[n]) for n in kept if n not in hidden)
            cells = [hidden[n] for n in kept if n in hidden]
            if facts:
                sums = self._sums_with_facts(left, cells, facts, dynamite, None if place is None else hidden[place])
            else:
                sums = self._sums(left - {dynamite}, len(left) - (place is not None), len(cells))
            for total, number in sums.items():
                ways[seen + total] += number
        return [0, *accumulate(ways.get(total, 0) for total in range(max(ways, default=0) + 1))]

    def _sums(self, valuables: frozenset[Card], cards: int, cells: int) -> dict[int, int]:
        """So many cells filled in order with valuables, and the rest of the cards laid anywhere."""
        if cells > len(valuables):
            return {}
        ways = factorial(cells) * factorial(cards - cells) // self._splits
        return {total: ways * number for total, number in _subset_sums(frozenset(map(worth, valuables)))[cells].items()}

    def _sums_with_facts(
        self,
        left: frozenset[Card],
        cells: list[int],
        facts: tuple[Statement, ...],
        dynamite: Card | None,
        place: int | None,
    ) -> dict[int, int]:
        """The same by laying card after card; the dynamite is in the given cell, or (None) not in Billy's column."""
        sizes, cards = [cell.size for cell in self._cells], left
        if place is not None:
            assert dynamite is not None
            if not all(dynamite in known.cards for known in facts if known.cell == place):
                return {}
            facts = tuple(known for known in facts if known.cell != place)
            sizes[place], cards = 0, left - {dynamite}
        elif dynamite is not None:
            facts += tuple(Statement("no dynamite here", cell, left - {dynamite}) for cell in self._billys)
        pool = Pool(
            self._name,
            tuple(sorted(cards)),
            tuple(Cell(cell.name, size) for cell, size in zip(self._cells, sizes, strict=True)),
            facts,
        )
        weights = [int(number in cells) for number in range(len(sizes))]
        return count_totals(pool, weights, {card: worth(card) for card in cards})


def _different(allowed: Sequence[Sequence[Card]]) -> Iterator[Column]:
    """A card for each slot from what it may hold, none twice."""
    if not allowed:
        yield ()
        return
    for others in _different(allowed[:-1]):
        for card in allowed[-1]:
            if card not in others:
                yield (*others, card)


def _read_column(column: Column) -> tuple[int, int, int]:
    """A column's worth, and what standing it gives to an owner who is safe and to one who is shot."""
    left = survivors(column)
    points = sum(map(worth, left))
    return points, 2 * (points * POINT - len(left) * FACE_UP), 1 - 2 * len(left)


FIELD = 16
"""Bits for the number of sets with one sum: at most 462 sets of five of eleven valuables."""


@lru_cache(maxsize=4096)
def _subset_sums(values: frozenset[int]) -> list[dict[int, int]]:
    """For each number of different values, how many sets of so many have which sum."""
    packed = [1, *(0 for _ in values)]
    for value in values:
        for number in range(len(values), 0, -1):
            packed[number] += packed[number - 1] << (FIELD * value)
    counts: list[dict[int, int]] = []
    for fields in packed:
        sets = enumerate(fields >> shift & (1 << FIELD) - 1 for shift in range(0, fields.bit_length(), FIELD))
        counts.append({total: number for total, number in sets if number})
    return counts


def _add_classes(result: Classes, columns: Sequence[tuple[int, int, int]], below: list[int]) -> None:
    """Split by who is shot: those with more than Billy's total."""
    counted = 0
    for limit in sorted({points for points, _, _ in columns if points}):
        ways = below[min(limit, len(below) - 1)]
        if ways > counted:
            row = tuple([shot if points >= limit else safe for points, safe, shot in columns])
            result[row] += ways - counted
            counted = ways
    if below[-1] > counted:
        result[tuple([safe for _, safe, _ in columns])] += below[-1] - counted
