"""What a player can believe of the hidden cards: exact probabilities, every deal equally likely.

Types are independent, so everything is worked out type by type. Where the dynamite lies decides which cards of a
column count; once that is given, a column's total is a plain sum, and sums are counted without listing deals.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from solver.cards import Card, back_of, is_hidden, make_card
from solver.deals import Pool, Statement, count_deals, count_pool, count_totals, marginals
from solver.games.blasting_billy.deck import DYNAMITE, NAMES, TYPES, worth
from solver.games.blasting_billy.hidden import hidden_pools
from solver.games.blasting_billy.scoring import survivors
from solver.games.blasting_billy.table import Column, Position

Odds = dict[int, Fraction]
"""The probability of each number that can occur, in rising order."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Everything `beliefs` tells of a position."""

    deals: int
    cards: dict[str, dict[Card, Fraction]]
    """For each place with hidden cards, the odds of one of them picked at random."""
    pile: dict[int, dict[Card, Fraction]]
    """For each type in the pile, the odds of the next card drawn of that type."""
    totals: dict[tuple[int | None, int], Odds]
    """For each player (None: Billy) and type, the odds of the column's total if the game ended now."""
    shot: tuple[dict[int, Fraction], ...]
    """For each player, the chance to be shot in each type if the game ended now."""

    def shot_anywhere(self, player: int) -> Fraction:
        """The chance to be shot in at least one type."""
        return 1 - prod((1 - chance for chance in self.shot[player].values()), start=Fraction(1))


def believe(position: Position) -> Beliefs:
    pools = {NAMES.backs.index(pool.name): pool for pool in hidden_pools(position)}
    cards: dict[str, dict[Card, Fraction]] = {}
    pile: dict[int, dict[Card, Fraction]] = {}
    for kind, pool in pools.items():
        for cell, odds in zip(pool.cells, marginals(pool), strict=True):
            if cell.name == f"pile.{pool.name}":
                pile[kind] = odds
            elif cell.name != f"box.{pool.name}":
                cards[cell.name] = odds
    totals: dict[tuple[int | None, int], Odds] = {}
    shot: tuple[dict[int, Fraction], ...] = tuple({} for _ in position.players)
    for kind in position.deck.kinds:
        letter = NAMES.backs[kind]
        pool = pools.get(kind, Pool(letter, (), ()))
        billy = _Stack(position.billy_cards(kind), tuple(f"billy.{letter}.{n}" for n in range(1, 61)))
        totals[None, kind] = odds_of_sum(pool, kind, [(1, billy)])
        for seat, name in enumerate(position.players):
            loot = _Stack(position.loots[seat][kind], (f"{name}.loot.{letter}",))
            totals[seat, kind] = odds_of_sum(pool, kind, [(1, loot)])
            lead = odds_of_sum(pool, kind, [(1, loot), (-1, billy)]) if loot.cards else {}
            shot[seat][kind] = sum((chance for by, chance in lead.items() if by > 0), Fraction(0))
    return Beliefs(count_deals(pools.values()), cards, pile, totals, shot)


@dataclass(frozen=True, slots=True)
class _Stack:
    """A column, and the names of the cells its hidden cards are in, by their place in the column."""

    cards: Column
    cells: tuple[str, ...]

    def after(self, dynamite: str | None, kind: int) -> tuple[int, list[str]]:
        """With the dynamite in the named cell (None: not hidden here): the sum of seen cards left, and the hidden."""
        marks = []  # a hidden card stands for itself as a card of no type and no worth
        for place, card in enumerate(self.cards):
            if is_hidden(card):
                holds_it = self.cells[place] == dynamite
                card = make_card(kind, DYNAMITE) if holds_it else make_card(len(TYPES) + place, 0)
            marks.append(card)
        left = survivors(marks)
        hidden = [back_of(mark) - len(TYPES) for mark in left if back_of(mark) >= len(TYPES)]
        return sum(map(worth, left)), [self.cells[place] for place in hidden]

    def hidden_cells(self) -> list[str]:
        return [self.cells[n] for n, card in enumerate(self.cards) if is_hidden(card)]


def odds_of_sum(pool: Pool, kind: int, parts: Sequence[tuple[int, _Stack]]) -> Odds:
    """The odds of a weighted sum of column totals."""
    numbers = {cell.name: number for number, cell in enumerate(pool.cells)}
    counts: dict[int, int] = defaultdict(int)
    values = {card: worth(card) for card in pool.cards}
    for place, case in _dynamite_cases(pool, kind, [numbers[c] for _, stack in parts for c in stack.hidden_cells()]):
        dynamite = None if place is None else pool.cells[place].name
        seen, weights = 0, [0] * len(pool.cells)
        for weight, stack in parts:
            points, left = stack.after(dynamite, kind)
            seen += weight * points
            for cell in left:
                weights[numbers[cell]] = weight
        for number, ways in count_totals(case, weights, values).items():
            counts[seen + number] += ways
    deals = count_pool(pool)
    return {number: Fraction(counts[number], deals) for number in sorted(counts)}


def _dynamite_cases(pool: Pool, kind: int, cells: Sequence[int]) -> Iterator[tuple[int | None, Pool]]:
    """The pool split by where the dynamite lies: in one of these cells of one card, or (None) elsewhere."""
    dynamite = make_card(kind, DYNAMITE)
    if dynamite not in pool.cards or not cells:
        yield None, pool
        return
    others = frozenset(pool.cards) - {dynamite}
    yield None, pool.stating(*(Statement("no dynamite here", cell, others) for cell in cells))
    for cell in cells:
        yield cell, pool.stating(Statement("the dynamite is here", cell, frozenset({dynamite})))
