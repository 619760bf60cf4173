"""Exact values of all moves for two players near the end of the pile, without listing joint deals.

The backs are public, so the hidden values of different types are independent, and what a game comes to is decided by a
sum over types: who is shot and who has points anywhere, and the total difference of the scores. Per type, every
assignment of hidden cards becomes a *shape*: the tree of what can still be done in the type, with the standing
difference taken out. Equal shapes are merged. The types form two groups, and all pairs of their shapes are valued from
the last turn back: with the flags fixed, a result is better the higher the total difference, so a value is a sorted
list of thresholds for it. At last, pairs are weighted with the number of ways in which totals reach the thresholds.

The mover's own draw and the next top are averages at the root. A draw that is in doubt later is a stage of chance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import prod

from solver.cards import back_of, is_hidden
from solver.games.blasting_billy.factored.assignments import NOTHING, Assignments, assign
from solver.games.blasting_billy.factored.option_trees import Course, Playable, grow, most_nodes
from solver.games.blasting_billy.factored.pairs import Blocks, Pairs, joint_size
from solver.games.blasting_billy.factored.shapes import Group, combine, shape_type
from solver.games.blasting_billy.hidden import count_pile
from solver.games.blasting_billy.rules import choices
from solver.games.blasting_billy.table import VERBS, Move, Position
from solver.shortcuts import Question, Size
from solver.solution import MoveValue, Value
from solver.watch import Progress, Watch

LARGEST_PILE = 3
SECONDS = 1e-8
"""For an entry of a table."""
NODE_SECONDS = 1e-8
"""For an option of an assignment of a type."""
MOST_GROWING = 20.0
"""Seconds of growing option trees beyond which nothing else is looked at."""
MOST_IN_ALL = 2.0**100
"""Ways of all types: a float must tell how often 2**64 was passed."""
MOST_WAYS = 2.0**62
"""Ways of a group are counted in machine words."""
LONGEST_LOOK = 0.5
"""Seconds after which the size is judged by what has been looked at."""
MOST_SHAPES = 5e6
"""Pairs of shapes that are looked at when two groups are made one."""

Key = tuple[int, Move | None, frozenset[Playable], tuple[frozenset[Playable], ...]]
"""What the shapes of a type depend on: the type, what the mover laid in it, the cards held, the cards drawn."""

Label = tuple[int, int]
"""A card of the pile: its type, and its number among the pile's cards of that type."""


@dataclass(frozen=True, slots=True)
class Draws:
    """How the pile is drawn: the type of the mover's draw, and what the later draws can be, equally likely.

    `weight` is how likely this is once the mover has moved.
    """

    first: int | None
    later: tuple[tuple[Label, ...], ...]
    weight: Fraction


def prepare_factored(question: Question) -> "Factored | None":
    """The computation, where it applies: two players, for the win, a pile of three at most, and a turn to follow."""
    position = question.position
    mover = position.to_move
    if len(position.players) != 2 or question.objective != "win" or position.size > LARGEST_PILE:
        return None
    if any(map(is_hidden, position.hands[mover])):
        return None
    if not position.size and len(position.hands[1 - mover]) < position.deck.hand:
        return None
    return Factored(position)


def possible_draws(position: Position) -> Iterator[Draws]:
    """Every way the mover's draw and the next top can come out."""
    counts = {kind: count_pile(position, kind) for kind in position.deck.kinds}
    if not position.size:
        yield Draws(None, ((),), Fraction(1))
        return
    seen = position.top is not None
    for first, number in counts.items():
        if not number or (seen and first != position.top):
            continue
        weight = Fraction(1) if seen else Fraction(number, position.size)
        rest = [(kind, label) for kind in counts for label in range(kind == first, counts[kind])]
        if len(rest) < 2:
            yield Draws(first, (tuple(rest),), weight)
            continue
        orders = (tuple(rest), tuple(rest[::-1]))
        if not seen or rest[0][0] == rest[1][0]:
            yield Draws(first, orders, weight)
        else:
            yield from (Draws(first, (order,), weight / 2) for order in orders)


class Factored:
    """The computation for one position."""

    def __init__(self, position: Position) -> None:
        self._position = position
        turns = position.size + 1
        self._players = tuple((turn + 1) % 2 for turn in range(turns))
        self._groups: dict[object, Group] = {}
        self._known: dict[object, tuple[Fraction, ...]] = {}

    @cached_property
    def _draws(self) -> tuple[Draws, ...]:
        return tuple(possible_draws(self._position))

    @cached_property
    def _assignments(self) -> dict[int, Assignments]:
        return {kind: assign(self._position, kind) for kind in self._position.deck.kinds}

    def load(self) -> None:
        """By a game in which nothing can be done."""
        course = Course((1, 0, 1, 0), 2)
        none = frozenset[Playable]()
        group = shape_type(NOTHING, grow(course, none, (none, none)), course.signs)
        both = combine(group, group, course.signs)
        Pairs(Blocks(group), Blocks(both), course).count_reached(Watch())

    @cached_property
    def size(self) -> Size:
        """Judged by dumping each card of the hand, or some where that takes long: other moves are about as large."""
        nodes = self._count_nodes()
        if nodes * NODE_SECONDS > MOST_GROWING:
            return Size(f"{nodes:,} options in single types", nodes * NODE_SECONDS * len(VERBS))
        dumps = [(draws, move) for draws in self._draws for move in choices(self._position) if move.verb == "dump"]
        pairs, seconds, memory, measured = 0.0, 0.0, 0.0, 0
        watch = Watch(LONGEST_LOOK)
        for draws, move in dumps:
            course = self._course(draws)
            one_pairs, one_work, table = self._measure(move, draws, course)
            pairs += one_pairs
            seconds += one_work * course.outcomes * SECONDS
            memory = max(memory, 24.0 * table * course.outcomes)
            measured += 1
            if watch.remaining < 0:
                break
        times = len(VERBS) * len(dumps) / measured
        return Size(f"{pairs * times:,.0f} pairs of shapes", seconds * times + nodes * NODE_SECONDS, memory)

    def _count_nodes(self) -> int:
        """What can be done in all assignments of all types together, at most."""
        return sum(
            len(self._assignments[kind].ways) * most_nodes(course, held, drawn)
            for draws in self._draws
            for course in [self._course(draws)]
            for kind, _, held, drawn in (self._key(kind, None, draws, course) for kind in self._position.deck.kinds)
        )

    def _measure(self, move: Move, draws: Draws, course: Course) -> tuple[float, float, float]:
        """The number of pairs of shapes, of entries in all tables, and of those in the tables that are kept."""
        keys = self._keys(move, draws, course)
        rows, columns = self._split(draws, course)
        numbers = [prod(float(len(self._type(keys[kind], course).tops)) for kind in kinds) for kinds in (rows, columns)]
        ways = [prod(float(self._type(keys[kind], course).all_ways) for kind in kinds) for kinds in (rows, columns)]
        pairs = prod(numbers)
        if (
            max(ways) > MOST_WAYS
            or prod(ways) > MOST_IN_ALL
            or not all(self._combines(kinds, keys, course) for kinds in (rows, columns))
        ):
            return pairs, float("inf"), float("inf")
        one, other = (Blocks(self._group(kinds, keys, course)) for kinds in (rows, columns))
        first, later = Pairs(one, other, course).work()
        return pairs, float(first + later), float(later)

    def run(self, watch: Watch) -> tuple[MoveValue, ...]:
        moves = choices(self._position)
        result = []
        for number, move in enumerate(moves):
            watch.tell(Progress("working out every move exactly", number / len(moves)))
            chances = [(draws.weight, self._reached(move, draws, watch)) for draws in self._draws]
            means = ((weight, sum(reached, Fraction(0)) / len(reached)) for weight, reached in chances)
            value = sum((weight * (2 * mean - 1) for weight, mean in means), Fraction(0))
            result.append(MoveValue(move, Value.exactly(value), _shares(chances)))
        return tuple(result)

    def _course(self, draws: Draws) -> Course:
        return Course(self._players, len(draws.later))

    def _reached(self, move: Move, draws: Draws, watch: Watch) -> tuple[Fraction, ...]:
        """How likely it is that each of the thresholds is reached."""
        course = self._course(draws)
        keys = self._keys(move, draws, course)
        everything = (course, tuple(keys.values()))
        if everything not in self._known:
            rows, columns = self._split(draws, course)
            one, other = self._group(rows, keys, course), self._group(columns, keys, course)
            reached = Pairs(Blocks(one), Blocks(other), course).count_reached(watch)
            whole = one.all_ways * other.all_ways
            self._known[everything] = tuple(Fraction(ways, whole) for ways in reached)
        return self._known[everything]

    def _keys(self, move: Move, draws: Draws, course: Course) -> dict[int, Key]:
        return {kind: self._key(kind, move, draws, course) for kind in self._position.deck.kinds}

    def _combines(self, kinds: tuple[int, ...], keys: dict[int, Key], course: Course) -> bool:
        """Whether the types can be made one group without too many shapes on the way."""
        return all(
            joint_size(self._group(kinds[:number], keys, course), self._type(keys[kinds[number]], course), course)
            <= MOST_SHAPES
            for number in range(1, len(kinds))
        )

    def _key(self, kind: int, move: Move | None, draws: Draws, course: Course) -> Key:
        """What a type's shapes depend on: what was laid in it, and who can play which of its cards when."""
        assignments = self._assignments[kind]
        pile = assignments.others_hand
        own = pile + assignments.pile
        played = move.card if move is not None and back_of(move.card) == kind else None
        held = {Playable(face, 1, 1) for face in range(assignments.others_hand)}
        if 0 in course.players:
            held |= {Playable(own + number, 0, 1) for number, card in enumerate(assignments.own) if card != played}
            held |= {Playable(pile, 0, 2)} if draws.first == kind else set()
        drawn = tuple(
            frozenset(
                Playable(pile + label, course.players[turn], turn + 3)
                for turn, (drawn_kind, label) in enumerate(order)
                if drawn_kind == kind
            )
            for order in draws.later
        )
        laid = None if played is None or move is None or move.verb == "dump" else move
        return kind, laid, frozenset(held), drawn

    def _type(self, key: Key, course: Course) -> Group:
        name = (course, key)
        if name not in self._groups:
            kind, laid, held, drawn = key
            assignments = self._assignments[kind]
            if laid is not None:
                assignments = assignments.after(laid)
            self._groups[name] = shape_type(assignments, grow(course, held, drawn), course.signs)
        return self._groups[name]

    def _group(self, kinds: tuple[int, ...], keys: dict[int, Key], course: Course) -> Group:
        name = (course, tuple(keys[kind] for kind in kinds))
        if name not in self._groups:
            if not kinds:
                none = frozenset[Playable]()
                self._groups[name] = shape_type(NOTHING, grow(course, none, (none,) * course.outcomes), course.signs)
            elif len(kinds) == 1:
                self._groups[name] = self._type(keys[kinds[0]], course)
            else:
                fewer = self._group(kinds[:-1], keys, course)
                self._groups[name] = combine(fewer, self._type(keys[kinds[-1]], course), course.signs)
        return self._groups[name]

    def _split(self, draws: Draws, course: Course) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The types as two groups, neither of them larger than need be."""
        kinds = self._position.deck.kinds
        sizes = {kind: len(self._type(self._key(kind, None, draws, course), course).totals) for kind in kinds}

        ways = {kind: self._type(self._key(kind, None, draws, course), course).all_ways for kind in kinds}

        def cost(rows: tuple[int, ...]) -> tuple[bool, int]:
            columns = [kind for kind in kinds if kind not in rows]
            too_many = any(prod(ways[kind] for kind in group) > MOST_WAYS for group in (rows, columns))
            return too_many, prod(sizes[kind] for kind in rows) + prod(sizes[kind] for kind in columns)

        rows = min((c for r in range(1, max(2, len(kinds))) for c in combinations(kinds, r)), key=cost)
        return rows, tuple(k for k in kinds if k not in rows)


def _shares(chances: Sequence[tuple[Fraction, tuple[Fraction, ...]]]) -> dict[str, float] | None:
    """The chances to win and to lose. With a draw in doubt, a value is a mean of results and does not tell them."""
    if any(len(reached) > 2 for _, reached in chances):
        return None
    win = sum((weight * won for weight, (_, won) in chances), Fraction(0))
    loss = sum((weight * (1 - kept) for weight, (kept, _) in chances), Fraction(0))
    return {"win": float(win), "loss": float(loss)}
