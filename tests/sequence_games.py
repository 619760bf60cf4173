"""Small games in sequence form, made by hand or at random, and a slow twin in fractions that lists all pure plans."""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from solver.sequence_form import Numbers, SequenceGame, Side, make_game

Weights = Sequence[Fraction]


class SideMaker:
    """Collects one side's sets; parents are (sequence, weight)."""

    def __init__(self) -> None:
        self.starts, self.mass, self.parents = [0], list[int](), list[list[tuple[int, int]]]()

    def add(self, moves: int, *, mass: int = 0, parents: Sequence[tuple[int, int]] = ()) -> int:
        """Another set; returns its first sequence."""
        self.starts.append(self.starts[-1] + moves)
        self.mass.append(mass)
        self.parents.append(list(parents))
        return self.starts[-2]

    def side(self) -> Side:
        flat = [entry for entries in self.parents for entry in entries]
        sizes = [0, *(len(entries) for entries in self.parents)]
        return Side(
            numbers(self.starts),
            numbers(self.mass),
            np.cumsum(numbers(sizes)),
            numbers([sequence for sequence, _ in flat]),
            numbers([weight for _, weight in flat]),
        )


def numbers(values: Sequence[int]) -> Numbers:
    return np.array(values, np.int64)


def matrix_game(rows: Sequence[Sequence[int]], scale: int = 1) -> SequenceGame:
    """A game of one move each."""
    makers = SideMaker(), SideMaker()
    makers[0].add(len(rows), mass=1)
    makers[1].add(len(rows[0]), mass=1)
    places = list(product(range(len(rows)), range(len(rows[0]))))
    return make_game(
        (makers[0].side(), makers[1].side()),
        numbers([r for r, _ in places]),
        numbers([c for _, c in places]),
        numbers([rows[r][c] for r, c in places]),
        scale,
    )


def random_side(source: random.Random, sets: int) -> Side:
    """Sets of one to three moves, some with a mass, some fed by several sequences with weights, some by nothing."""
    maker = SideMaker()
    for _ in range(sets):
        before = maker.starts[-1]
        chosen = source.sample(range(before), min(before, source.choice((0, 1, 1, 2, 3))))
        mass = source.choice((0, 1, 1, 3)) if chosen else source.choice((0, 1, 1, 2, 5))
        maker.add(source.choice((1, 2, 2, 3)), mass=mass, parents=[(s, source.choice((1, 1, 2, 3))) for s in chosen])
    return maker.side()


def random_game(seed: int, *, sets: int = 4, density: float = 0.5, largest: int = 9) -> SequenceGame:
    source = random.Random(seed)
    sides = random_side(source, source.randint(1, sets)), random_side(source, source.randint(1, sets))
    places = [
        place for place in product(range(sides[0].sequences), range(sides[1].sequences)) if source.random() < density
    ]
    return make_game(
        sides,
        numbers([r for r, _ in places]),
        numbers([c for _, c in places]),
        numbers([source.randint(-largest, largest) for _ in places]),
        source.choice((1, 2, 7, 60)),
    )


def poker(ranks: int, *, suits: int = 1, sizes: Sequence[int] = (1,), raises: int = 1) -> SequenceGame:
    """A card each, ante 1, a round of betting for every size (a bet in round r is `sizes[r]`), and a board card between
    two rounds. `poker(3)` is Kuhn's (1950); `poker(3, suits=2, sizes=(2, 4), raises=2)` is Leduc (Southey et al. 2005).
    """
    cards = ranks * suits
    makers = SideMaker(), SideMaker()
    entries: list[tuple[int, int, int]] = []
    later = cards - 2 if len(sizes) > 1 else 1

    def strength(card: int, board: int | None) -> int:
        return card // suits + (ranks if board is not None and board // suits == card // suits else 0)

    def end(last: list[dict[int, int]], board: int | None, stakes: list[int], folded: int | None) -> None:
        for i, j in product(last[0], last[1]):
            if i == j:
                continue
            gap = strength(i, board) - strength(j, board)
            win = (folded == 1) - (folded == 0) if folded is not None else (gap > 0) - (gap < 0)
            won = stakes[1] if win > 0 else stakes[0]
            entries.append((last[0][i], last[1][j], win * won * (later if board is None else 1)))

    def close(last: list[dict[int, int]], board: int | None, stakes: list[int]) -> None:
        if board is not None or len(sizes) == 1:
            end(last, board, stakes, None)
            return
        for drawn in range(cards):
            rest = [{card: s for card, s in held.items() if card != drawn} for held in last]
            bet(rest, board=drawn, stakes=stakes, mover=0, left=raises, opened=False)

    def bet(
        last: list[dict[int, int]], *, board: int | None, stakes: list[int], mover: int, left: int, opened: bool
    ) -> None:
        facing = stakes[mover] < stakes[1 - mover]
        options = ["fold", "call"] if facing else ["check"]
        options += ["raise"] if left else []
        first = {}
        for card, s in last[mover].items():
            parents = [] if s < 0 else [(s, 1)]
            first[card] = makers[mover].add(len(options), mass=0 if parents else 1, parents=parents)
        for number, option in enumerate(options):
            after = list(last)
            after[mover] = {card: s + number for card, s in first.items()}
            paid = list(stakes)
            if option == "fold":
                end(after, board, stakes, mover)
            elif option == "raise":
                paid[mover] = stakes[1 - mover] + sizes[0 if board is None else 1]
                bet(after, board=board, stakes=paid, mover=1 - mover, left=left - 1, opened=True)
            else:
                paid[mover] = stakes[1 - mover]
                if facing or opened:
                    close(after, board, paid)
                else:
                    bet(after, board=board, stakes=paid, mover=1 - mover, left=left, opened=True)

    unseen = dict.fromkeys(range(cards), -1)
    bet([unseen, dict(unseen)], board=None, stakes=[1, 1], mover=0, left=raises, opened=False)
    table = np.array(entries, np.int64)
    scale = cards * (cards - 1) * later
    return make_game((makers[0].side(), makers[1].side()), table[:, 0], table[:, 1], table[:, 2], scale)


def pure_plans(side: Side) -> list[list[int]]:
    """Every way to play one move at each set, as flows."""
    plans = []
    for chosen in product(*(range(side.starts[i], side.starts[i + 1]) for i in range(side.sets))):
        plan = [0] * side.sequences
        for i, sequence in enumerate(chosen):
            plan[sequence] = inflow(side, i, plan)
        plans.append(plan)
    return [list(plan) for plan in sorted(set(map(tuple, plans)))]


def inflow(side: Side, i: int, plan: Sequence[int]) -> int:
    span = range(side.parent_starts[i], side.parent_starts[i + 1])
    return int(side.mass[i]) + sum(int(side.weights[k]) * plan[int(side.parents[k])] for k in span)


def payoff(game: SequenceGame, x: Sequence[int] | Weights, y: Sequence[int] | Weights) -> Fraction:
    total = Fraction(0)
    for r in range(game.sides[0].sequences):
        for k in range(game.row_starts[r], game.row_starts[r + 1]):
            total += int(game.payoffs[k]) * Fraction(x[r]) * Fraction(y[game.columns[k]])
    return total / game.scale


def naive_interval(game: SequenceGame, plans: tuple[Weights, Weights]) -> tuple[Fraction, Fraction]:
    """What the plans guarantee against every pure plan."""
    low = min(payoff(game, plans[0], y) for y in pure_plans(game.sides[1]))
    return low, max(payoff(game, x, plans[1]) for x in pure_plans(game.sides[0]))


def naive_value(game: SequenceGame) -> Fraction:
    """The value as that of the matrix game of pure plans, by the simplex method with Bland's rule in fractions."""
    columns = pure_plans(game.sides[1])
    rows = [[payoff(game, x, y) for y in columns] for x in pure_plans(game.sides[0])]
    shift = 1 - min(map(min, rows))
    # with all entries positive: maximise sum q where rows . q <= 1; the value is 1 / sum q
    height, width = len(rows), len(columns)
    table = [
        [entry + shift for entry in row] + [Fraction(i == j) for j in range(height)] + [Fraction(1)]
        for i, row in enumerate(rows)
    ]
    costs = [Fraction(1)] * width + [Fraction(0)] * (height + 1)
    basis = list(range(width, width + height))
    while (entering := next((j for j in range(width + height) if costs[j] > 0), None)) is not None:
        _, _, leaving = min((row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0)
        pivot = table[leaving][entering]
        table[leaving] = [entry / pivot for entry in table[leaving]]
        for i, row in enumerate(table):
            if i != leaving and row[entering]:
                table[i] = [a - row[entering] * b for a, b in zip(row, table[leaving], strict=True)]
        costs = [a - costs[entering] * b for a, b in zip(costs, table[leaving], strict=True)]
        basis[leaving] = entering
    return 1 / -costs[-1] - shift
