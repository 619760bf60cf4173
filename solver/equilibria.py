"""Lenses fair and guard: equilibria, each with its proof.

A game that offers its own way to the sequence form is asked for it; any other game goes through the flat tree.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, log10
from typing import TYPE_CHECKING, Any

from solver.deals import count_deals
from solver.errors import IllegalError, TooLargeError
from solver.game import Game
from solver.sequence_form import Interval, SequenceGame
from solver.shortcuts import PROGRAM, FairGame, FairWay, GuardWay, HasEquilibria, Question, Size
from solver.solution import MoveValue, Solution, Value, may_be_best, order_moves
from solver.watch import Progress, Stopped, Watch

if TYPE_CHECKING:
    from solver.methods.equilibrium import Equilibrium

FAIR_TARGET = 1e-6
GUARD_TARGET = 1e-7
HOPELESS = 5.0
"""What is foretold to take so many times the time there is, is not begun: such estimates err by a few times."""
LEAST_PART = 0.25
"""A piece of a move's part of the time, for solving its game once building it has used up that part."""
ROUNDING = 1e-9
"""Far more than floats can be off, as a part of the value."""


def value_of(interval: Interval) -> Value:
    """The exact value where it is proved; otherwise the middle of the interval, with a rigorous error."""
    if not interval.width:
        return Value.exactly(interval.low)
    middle = float((interval.low + interval.high) / 2)
    return Value.about(middle, float(interval.width / 2) + 1e-15 * (1 + abs(middle)))


def fair_way(game: Game[Any, Any, Any], position: Any, objective: str) -> FairWay | None:
    """The game's own way to the equilibrium; None where it has none, or where the equilibrium is not defined."""
    if not isinstance(game, HasEquilibria):
        return None
    try:
        return game.fair(position, objective)
    except IllegalError:
        return None


def solve_fair(
    game: Game[Any, Any, Any],
    position: Any,
    objective: str,
    *,
    way: FairWay | None,
    exact: bool,
    memory: float,
    watch: Watch,
    replies: bool = False,
) -> Solution:
    """The equilibrium of what is public, and the moves of the mover's actual cards in it; with `replies`, what the
    opponent does after each of them."""
    from solver.methods.equilibrium import find_equilibrium
    from solver.reduction import reduce_game

    fair: FairGame | None = None
    if way is not None:
        size = _measure(way, watch)
        if size.memory > memory:
            raise _too_large("fair", _needs(size, memory))
        fair = way.build(watch)
        sequence_game, deals, words, foretold = fair.reduction, way.deals, size.words, _foretold(size)
    else:
        flat, deals = _flat(game, position, "fair", objective, watch)
        sequence_game = reduce_game(flat)
        words = foretold = f"{flat.nonzeros:,} payoffs"
    watch.tell(Progress(f"equilibrium: {foretold}"))

    def answer(method: str, interval: Interval) -> Solution:
        """What is known once the root is known to be worth so much."""
        return Solution(
            game=game.name,
            lens="fair",
            objective=objective,
            others=None,
            method=method,
            exact=not interval.width,
            deals=deals,
            sampled=None,
            moves=(),
            best=(),
            seconds=watch.seconds,
            interrupted=watch.stopped,
            picked=value_of(interval),
            exploitability=float(interval.width),
        )

    tell = _teller(watch, lambda interval: answer("cfr", interval))
    found = find_equilibrium(sequence_game, watch=watch, exact=exact, target=FAIR_TARGET, tell=tell)
    if exact and not found.exact:
        raise _not_proved("fair", words, watch)
    moves = () if fair is None else order_moves(list(fair.moves(found.certificate)))
    if fair is not None and replies:
        told = fair.replies(found.certificate)
        moves = tuple(replace(each, replies=told[each.move]) for each in moves)
    solution = answer(found.method, found.certificate.interval)
    return replace(solution, moves=moves, best=may_be_best(moves), certificates=(found.certificate,))


def _measure(way: FairWay, watch: Watch) -> Size:
    """How large it is; a TooLargeError where the time ends before that is known."""
    try:
        return way.measure(watch)
    except Stopped:
        if watch.stopped:
            raise
        raise _too_large("fair", f"a tree that takes up to {way.growing:,.0f} seconds to grow: not done") from None


def solve_guard(
    game: Game[Any, Any, Any], question: Question, *, exact: bool, memory: float, watch: Watch
) -> Solution | None:
    """What every move guarantees against a team that sees every card; None where that is lens open's question.

    When the time ends, the moves looked at so far are the answer, marked as interrupted; a TooLargeError if there are
    none, or if the answer was to be exact.
    """
    from solver.methods.equilibrium import find_equilibrium

    games: Iterator[tuple[Hashable, SequenceGame]]
    if isinstance(game, HasEquilibria):
        way = game.guard(question)
        if way is None:
            return None
        words = _measure_guard(game, way, question, memory, watch)
        with watch.uncounted():
            way.load()
        games = way.games(watch)
    else:
        games = (
            (move, _flat(game, question.position, "guard", question.objective, watch, move)[0])
            for move in game.choices(question.position)
        )
        words = "its flat tree"
    watch.tell(Progress(f"guarantees: {words}"))
    number = len(game.choices(question.position))
    found: dict[Hashable, Equilibrium] = {}
    so_far: Solution | None = None
    try:
        for move, each, part in _within_time(games, number, watch):
            found[move] = find_equilibrium(each, watch=part, exact=exact, target=GUARD_TARGET)
            if exact and not found[move].exact:
                raise _not_proved("guard", words, watch)
            so_far = _guarantees(game, question, found, watch)
            watch.tell(Progress("finding what each move guarantees", len(found) / number, so_far))
    except Stopped:
        if watch.stopped:
            raise
        if exact or so_far is None:
            raise _too_large("guard", f"{words}: not done in the time: give a larger --budget") from None
        return replace(so_far, seconds=watch.seconds, interrupted=True)
    return so_far


def _measure_guard(game: Game[Any, Any, Any], way: GuardWay, question: Question, memory: float, watch: Watch) -> str:
    """How large it is, in words; a TooLargeError where it is too large for the memory, or hopeless in the time."""
    try:
        size = way.measure(watch)
    except Stopped:
        if watch.stopped:
            raise
        deals = count_deals(game.hidden(question.position))
        raise _too_large("guard", f"{deals:,} deals: even counting what follows needs a larger --budget") from None
    if size.memory > memory or size.seconds == float("inf"):
        raise _too_large("guard", _needs(size, memory))
    if size.seconds > HOPELESS * watch.remaining:
        budget = ceil(watch.seconds + 2 * size.seconds)
        raise _too_large("guard", f"{size.words}: about {size.seconds:,.0f} seconds: --budget {budget} would do")
    return _foretold(size)


def _foretold(size: Size) -> str:
    """How large it is, and what it will take altogether."""
    return f"{size.words}: about {max(1, round(size.seconds)):,} s and {(size.memory + PROGRAM) / 1e6:,.0f} MB"


def _needs(size: Size, memory: float) -> str:
    """How large it is, and why that is too large, where that is known."""
    if size.memory == float("inf"):
        return size.words
    return f"{size.words}: about {size.memory / 1e9:,.1f} GB of memory, where {memory / 1e9:,.1f} may be used"


def _guarantees(
    game: Game[Any, Any, Any], question: Question, found: "dict[Hashable, Equilibrium]", watch: Watch
) -> Solution:
    """The solution with those moves that have been looked at."""
    values = [MoveValue(move, value_of(each.certificate.interval)) for move, each in found.items()]
    moves = order_moves(values)
    return Solution(
        game=game.name,
        lens="guard",
        objective=question.objective,
        others=None,
        method="lp" if all(each.method == "lp" for each in found.values()) else "cfr",
        exact=all(each.exact for each in found.values()),
        deals=count_deals(game.hidden(question.position)),
        sampled=None,
        moves=moves,
        best=may_be_best(moves),
        seconds=watch.seconds,
        interrupted=watch.stopped,
        certificates=tuple(each.certificate for each in found.values()),
    )


def _within_time(
    games: Iterator[tuple[Hashable, SequenceGame]], number: int, watch: Watch
) -> Iterator[tuple[Hashable, SequenceGame, Watch]]:
    """The games as they come, each with a watch for solving it. Every move has its part of the time that is left, and
    what building its game takes, mostly more than solving, counts in; a piece is left in any case."""
    for left in range(number, 0, -1):
        share = watch.within(watch.remaining / left)
        move, game = next(games)
        yield move, game, watch.within(max(share.remaining, LEAST_PART * watch.remaining / left))


def _flat(
    game: Game[Any, Any, Any], position: Any, lens: str, objective: str, watch: Watch, first: Any = None
) -> tuple[SequenceGame, int]:
    """The sequence form by way of all histories, for a game that offers nothing faster; and the number of deals."""
    from solver.lens import LENSES
    from solver.tree import build_tree
    from solver.tree_sequences import to_sequence_game

    tree = build_tree(game, position, lens=LENSES[lens], objective=objective, watch=watch, first=first)
    return to_sequence_game(tree).game, tree.deals


def _teller(watch: Watch, answer: Callable[[Interval], Solution]) -> Callable[[float, float], None]:
    """Tells how far the interval has closed; half of the digits wanted are half of the way. Intervals come in floats:
    an answer so far leaves room for their rounding."""

    def tell(low: float, high: float) -> None:
        digits = -log10(max(high - low, 1e-12))
        room = ROUNDING * (1 + abs(low) + abs(high))
        so_far = answer(Interval(Fraction(low - room), Fraction(high + room)))
        watch.tell(Progress(f"value from {low:+.6f} to {high:+.6f}", min(0.99, max(0.0, digits / 6)), so_far))

    return tell


def _too_large(lens: str, words: str) -> TooLargeError:
    return TooLargeError(
        f"--lens {lens}: {words}: use --lens open, or a position with fewer hidden cards (nearer to the end, or with a "
        "smaller [deck])"
    )


def _not_proved(lens: str, words: str, watch: Watch) -> TooLargeError:
    late = "in the time" if watch.remaining <= 0 else "by the linear program's last basis"
    return TooLargeError(
        f"--lens {lens}: {words}: the exact fraction was not found {late}: leave out --exact for a proved interval"
    )
