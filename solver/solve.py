"""The front door: picks the method for a question, honours the budget, and says how the answer was obtained.

Exact methods come first. Where none fits the time, deals are sampled; where one deal takes too long to search, the
pile's order is sampled too; and farther from the end, whole games are played out.
"""

import os
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from solver.asking import DEFAULT_BUDGET, OTHERS, ask, budget_for, check_effort, check_replies
from solver.deals import count_deals, list_deals
from solver.equilibria import fair_way, solve_fair, solve_guard
from solver.errors import IllegalError, TooLargeError
from solver.game import Game
from solver.shortcuts import Computation, DealSearch, Evaluator, FairWay, HasShortcuts, Question, Size
from solver.solution import MoveValue, Solution, Value, compare_open, order_moves, tied_for_best
from solver.watch import Progress, Stopped, Watch

LONGEST = 3600.0
"""Seconds of exact work that are begun without a budget."""
MEMORY = min(8e9, 0.5 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) if hasattr(os, "sysconf") else 2e9
"""Bytes that exact work may need: at most half of the machine's."""
INSTANT = 0.5
"""Seconds within which going through all deals is preferred, because it also tells exactly how games end."""
PATIENCE = 2.0
"""Seconds of exact work that are worth an estimate to begin with."""
EXACT_PART = 0.7
"""The part of a budget that exact work may use before an estimate has to do."""
PATIENT = 4.0
"""Seconds that an equilibrium may take, as foretold, to be what `auto` picks."""
FAIR_PART = 0.35
"""The part of the time that it may take then."""
OPEN_SECONDS = 1.0
"""Seconds, at most, for looking at the moves of another lens with open cards too."""
OPEN_PART = 0.05
"""The part of the time, at most, for that."""
MOMENT = 0.1
"""Seconds that an estimate has even where looking for an exact way has used up the time."""
FEWEST_SHARES = 50
"""Shares from fewer deals would say nothing."""
FEWEST_DEALS = 200
"""A search that cannot look at so many deals in the time there is gives way to one that reaches farther."""


def solve(
    game: Game[Any, Any, Any],
    position: Any,
    *,
    lens: str = "auto",
    objective: str | None = None,
    others: str | None = None,
    budget: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    exact: bool = False,
    replies: bool = False,
    watch: Watch | None = None,
) -> Solution:
    """What every legal move of the player to move is worth.

    `exact` raises a TooLargeError where only an estimate is possible in the time; without it the budget is 30
    seconds unless one is given. `samples` asks for an estimate from so many deals. `replies` asks for what the
    opponent does after each move, too, which only lens fair can tell.
    """
    question = ask(game, position, lens=lens, objective=objective, others=others)
    check_effort(budget=budget, samples=samples, seed=seed, exact=exact, lens=lens)
    if replies:
        check_replies(game, position, lens=lens)
    if watch is None:
        watch = Watch(budget_for(budget, samples=samples, exact=exact, lens=lens))
    if lens == "fair" or (lens == "auto" and samples is None):
        part, seconds = _leave_time(watch)
        fair = find_fair(game, question, quick=lens == "auto", exact=exact, replies=replies, watch=part)
        if fair is not None:
            return _with_open(game, question, fair, seconds, watch)
    if replies:
        raise IllegalError("--replies are told in lens fair, and --lens auto takes open here: say --lens fair")
    if lens == "guard":
        return _guard(game, question, exact=exact, seed=seed, watch=watch)
    return _Solving(game, question, samples=samples, seed=seed, watch=watch).solve(exact=exact)


def find_fair(
    game: Game[Any, Any, Any],
    question: Question,
    *,
    quick: bool,
    exact: bool = False,
    replies: bool = False,
    watch: Watch,
) -> Solution | None:
    """What lens fair says. If it is to be quick, only where `auto` goes by it: None where it is not defined, or would
    take more than a small part of the time."""
    position, objective = question.position, question.objective
    way = fair_way(game, position, objective)
    if quick and (way is None or not _fits(way, watch)):
        return None
    try:
        return solve_fair(game, position, objective, way=way, exact=exact, memory=MEMORY, watch=watch, replies=replies)
    except TooLargeError:
        if quick:
            return None
        raise


def _guard(game: Game[Any, Any, Any], question: Question, *, exact: bool, seed: int, watch: Watch) -> Solution:
    """On the mover's last turn that is lens open's question, against a team."""
    team = question if question.others is None else replace(question, others="coalition")
    part, seconds = _leave_time(watch)
    found = solve_guard(game, question, exact=exact, memory=MEMORY, watch=part)
    if found is not None:
        return _with_open(game, team, found, seconds, watch)
    solution = _Solving(game, team, samples=None, seed=seed, watch=watch).solve(exact=exact)
    opened = compare_open(solution.moves, solution.best) if solution.exact else None
    return replace(solution, lens="guard", others=None, open=opened)


def _ignore_compiling(watch: Watch) -> None:
    """Have time for compiling not count."""
    with watch.uncounted():
        from solver.kernels import seconds_compiling

    watch.ignore(seconds_compiling)


def _leave_time(watch: Watch) -> tuple[Watch, float]:
    """The time without a small part of it, and so many seconds, for looking at the moves with open cards afterwards."""
    _ignore_compiling(watch)
    seconds = min(OPEN_SECONDS, OPEN_PART * watch.remaining)
    return watch.within(watch.remaining - seconds), seconds


def _with_open(
    game: Game[Any, Any, Any], question: Question, solution: Solution, seconds: float, watch: Watch
) -> Solution:
    """The same, with the moves that look best in lens open, if those are found exactly in so many seconds."""
    if watch.stopped or solution.interrupted or not solution.moves:
        return solution
    watch.tell(Progress("looking at the moves with open cards", 0.99, solution))
    solving = _Solving(game, question, samples=None, seed=0, watch=watch.within(seconds))
    moves = solving.exact_values(seconds)
    opened = None if moves is None else compare_open(moves, solution.best)
    return replace(solution, open=opened, seconds=watch.seconds, interrupted=watch.stopped)


def _fits(way: FairWay, watch: Watch) -> bool:
    """Whether the equilibrium will take a small part of the time. What its size is takes time, too."""
    seconds = min(PATIENT, FAIR_PART * watch.remaining)
    if way.growing > seconds:
        return False
    _ignore_compiling(watch)
    try:
        size = way.measure(watch.within(seconds))
    except Stopped:
        return False
    return size.seconds <= seconds and size.memory <= MEMORY


class _Solving:
    """One question on its way to an answer."""

    def __init__(
        self, game: Game[Any, Any, Any], question: Question, *, samples: int | None, seed: int, watch: Watch
    ) -> None:
        self._game = game
        self._question = question
        self._samples = samples
        self._seed = seed
        self._watch = watch
        self._deals = count_deals(game.hidden(question.position))
        self._search: DealSearch | None = None
        if isinstance(game, HasShortcuts):
            _ignore_compiling(watch)
            self._search = game.deal_search(question)

    def solve(self, *, exact: bool) -> Solution:
        if self._samples is not None:
            return self._estimated()
        limit = min(self._watch.remaining, LONGEST) * (1.0 if exact else EXACT_PART)
        method, computation = self._exact_way(limit)
        with self._watch.uncounted():
            computation.load()
        size = computation.size
        fits = size.seconds <= limit and size.memory <= MEMORY
        if not fits and (exact or not isinstance(self._game, HasShortcuts)):
            raise self._too_large(size, limit)
        if not fits:
            return self._estimated()
        first = None
        if size.seconds > PATIENCE:
            self._watch.tell(Progress(f"exactly: {size.words}, about {_duration(size.seconds)}"))
            first = self._first_estimate()
        try:
            return self._exactly(method, computation.run(self._watch.within(limit)))
        except (Stopped, TooLargeError):
            if not self._watch.stopped:
                if exact:
                    raise self._too_large(size, limit) from None
                return self._estimated()
            if first is None:
                raise
            return replace(first, interrupted=True)

    def exact_values(self, seconds: float) -> tuple[MoveValue, ...] | None:
        """Every move with its exact value; None where that takes more than so many seconds, or is stopped."""
        try:
            _, computation = self._exact_way(seconds)
            with self._watch.uncounted():
                computation.load()
            if computation.size.seconds > seconds or computation.size.memory > MEMORY:
                return None
            return computation.run(self._watch)
        except (Stopped, TooLargeError):
            return None

    def _exact_way(self, limit: float) -> tuple[str, Computation]:
        """The exact method that is likely to be done first."""
        game, question = self._game, self._question
        if self._search is None or not isinstance(game, HasShortcuts):
            from solver.methods.minimax import Listing

            state = game.fill(question.position, next(list_deals(game.hidden(question.position))))
            listing = Listing(
                game,
                question.position,
                mover=game.turn(state),
                objective=question.objective,
                others=question.others,
                deals=self._deals,
            )
            return "enumerated", listing
        from solver.methods.enumeration import Enumeration

        factored = game.factored(question)
        enumeration = Enumeration(self._search, self._deals)
        if factored is None:
            return "enumerated", enumeration
        if self._search.seconds < INSTANT and enumeration.size.seconds < INSTANT:
            return "enumerated", enumeration
        if factored.size.seconds > limit and enumeration.size.seconds < factored.size.seconds:
            return "enumerated", enumeration
        return "factored", factored

    def _too_large(self, size: Size, limit: float) -> TooLargeError:
        """How large it is, and what would work."""
        if size.seconds == float("inf"):
            needs = f"{size.words} are too many"
        elif size.memory > MEMORY:
            needs = f"{size.words} need about {size.memory / 1e9:,.0f} GB of memory"
        elif limit < LONGEST:
            needs = f"{size.words} would take {_duration(size.seconds)}, and the budget leaves {limit:.2g} seconds"
        else:
            needs = f"{size.words} would take {_duration(size.seconds)}, and more than an hour is never begun"
        answer = f"{self._deals:,} deals fit; for exact values, {needs}: leave out --exact for an estimate"
        if size.seconds <= LONGEST and size.memory <= MEMORY:
            answer += f", or say --budget {2 + round(2 * size.seconds)}"
        return TooLargeError(answer)

    def _exactly(self, method: str, moves: tuple[MoveValue, ...]) -> Solution:
        number, known = None, set(self._game.share_names)
        for found in moves:
            known &= set(found.shares or ())
        if self._search is not None and len(known) < len(self._game.share_names):
            moves, number = self._with_shares(moves, self._search)
        exact_shares = tuple(name for name in self._game.share_names if number is not None and name in known)
        return self._solution(
            method, order_moves(list(moves)), exact=True, shares_sampled=number, exact_shares=exact_shares
        )

    def _with_shares(
        self, moves: tuple[MoveValue, ...], evaluator: Evaluator, seconds: float = 0.5
    ) -> tuple[tuple[MoveValue, ...], int | None]:
        """The moves with sampled shares, except for those that are known, and from how many deals; None: too few."""
        from solver.methods.sampling import MOST_SHARES, sample_shares

        most = MOST_SHARES if self._samples is None else min(MOST_SHARES, self._samples)
        time = float("inf") if self._samples is not None else min(seconds, max(self._watch.remaining, MOMENT))
        shares, number = sample_shares(evaluator, most=most, seed=self._seed + 1, watch=self._watch.within(time))
        if number < min(most, FEWEST_SHARES):
            return moves, None
        rows = dict(zip(evaluator.moves, shares.tolist(), strict=True))
        names, agree = evaluator.share_names, self._game.agree
        return tuple(
            MoveValue(
                found.move, found.value, agree(dict(zip(names, rows[found.move], strict=True)), found.shares or {})
            )
            for found in moves
        ), number

    def _estimators(self) -> list[tuple[str, bool, Evaluator]]:
        """Methods of estimation: name, whether biased, and how; those that say most first."""
        game = self._game
        if self._search is None or not isinstance(game, HasShortcuts):
            raise TooLargeError(f"{self._deals:,} deals fit, and this game offers no way to sample them")
        ways: list[tuple[str, bool, Evaluator | None]] = [
            ("sampled", False, self._search),
            ("sampled-order", True, game.order_search(self._question)),
            ("playouts", True, game.playouts(self._question)),
        ]
        return [(name, biased, way) for name, biased, way in ways if way is not None]

    def _estimated(self) -> Solution:
        """By the first method that can look at enough deals; there is always a moment for that."""
        wanted = FEWEST_DEALS if self._samples is None else min(FEWEST_DEALS, self._samples)
        seconds = max(self._watch.remaining, MOMENT)
        time = min(seconds, DEFAULT_BUDGET if self._samples is not None else seconds)
        ways = self._estimators()
        method, biased, evaluator = next((way for way in ways if way[2].seconds * wanted <= time), ways[-1])
        return self._race(method, evaluator, biased=biased, watch=self._watch.within(seconds))

    def _first_estimate(self) -> Solution:
        """A quick answer to have while an exact one is worked out."""
        ways = self._estimators()
        method, biased, evaluator = next((way for way in ways if way[2].seconds * 16 < INSTANT), ways[-1])
        return self._race(method, evaluator, biased=biased, watch=self._watch.within(INSTANT))

    def _race(self, method: str, evaluator: Evaluator, *, biased: bool, watch: Watch) -> Solution:
        from solver.methods.sampling import RESERVED, Estimate, Race

        def describe(estimate: Estimate, moves: tuple[MoveValue, ...], shares_sampled: int | None = None) -> Solution:
            solution = self._solution(
                method,
                moves,
                exact=False,
                biased=biased,
                sampled=estimate.sampled,
                best=estimate.best,
                picked=estimate.value,
                shares_sampled=shares_sampled,
            )
            apart = method == "playouts" and solution.others is not None  # nobody plays together in them
            return replace(solution, others=OTHERS[0]) if apart else solution

        def tell(estimate: Estimate, done: float) -> None:
            so_far = describe(estimate, estimate.moves) if estimate.reported else None
            self._watch.tell(Progress(TASKS[method], done, so_far))

        reserved = min(3.0, watch.remaining * RESERVED)
        racing = watch.within(watch.remaining - reserved)
        race = Race(evaluator, samples=self._samples, seed=self._seed, watch=racing, tell=tell)
        estimate = race.run()
        return describe(estimate, *self._with_shares(estimate.moves, evaluator, reserved))

    def _solution(
        self,
        method: str,
        moves: tuple[MoveValue, ...],
        *,
        exact: bool,
        biased: bool = False,
        sampled: int | None = None,
        best: tuple[Hashable, ...] | None = None,
        picked: Value | None = None,
        shares_sampled: int | None = None,
        exact_shares: tuple[str, ...] = (),
    ) -> Solution:
        return Solution(
            game=self._game.name,
            lens="open",
            objective=self._question.objective,
            others=self._question.others,
            method=method,
            exact=exact,
            biased=biased,
            deals=self._deals,
            sampled=sampled,
            shares_sampled=shares_sampled,
            exact_shares=exact_shares,
            moves=moves,
            best=tied_for_best(moves) if best is None else best,
            picked=picked,
            seconds=self._watch.seconds,
            interrupted=self._watch.stopped,
        )


TASKS = {
    "sampled": "searching sampled deals",
    "sampled-order": "searching sampled deals and orders of the pile",
    "playouts": "playing games out",
}


def _duration(seconds: float) -> str:
    """About so long, in words."""
    for limit, size, unit in ((120, 1, "seconds"), (7200, 60, "minutes"), (172800, 3600, "hours")):
        if seconds < limit:
            return f"{max(1, round(seconds / size))} {unit}"
    return "days" if seconds < 1e7 else "years"
