"""The front door: picks the method for a question, honours the budget, and says how the answer was obtained.

Exact methods come first. Where none fits the time, deals are sampled; where one deal takes too long to search, the
pile's order is sampled too; and farther from the end, whole games are played out.
"""

import os
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from solver.deals import count_deals, list_deals
from solver.equilibria import fair_way, solve_fair, solve_guard
from solver.errors import IllegalError, TooLargeError, quote
from solver.game import Game
from solver.shortcuts import Computation, DealSearch, Evaluator, FairWay, HasEquilibria, HasShortcuts, Question, Size
from solver.solution import MoveValue, Solution, Value, order_moves, tied_for_best
from solver.watch import Progress, Stopped, Watch

Found = TypeVar("Found")
LENSES = ("auto", "open", "guard", "fair")
OTHERS = ("rivals", "coalition")
DEFAULT_BUDGET = 30.0
LONGEST = 3600.0
"""Seconds of exact work that are begun without a budget."""
MEMORY = min(8e9, 0.5 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) if hasattr(os, "sysconf") else 2e9
"""Bytes that exact work may need: at most half of the machine's."""
MOST_SAMPLES = 10**9
INSTANT = 0.5
"""Seconds within which going through all deals is preferred, because it also tells exactly how games end."""
PATIENCE = 2.0
"""Seconds of exact work that are worth an estimate to begin with."""
EXACT_PART = 0.7
"""The part of a budget that exact work may use before an estimate has to do."""
PATIENT = 1.5
"""Seconds that an equilibrium may take, as foretold, to be what `auto` picks."""
FAIR_PART = 0.35
"""The part of the time that it may take then."""
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
    watch: Watch | None = None,
) -> Solution:
    """What every legal move of the player to move is worth.

    `exact` raises a TooLargeError where only an estimate is possible in the time; without it the budget is 30
    seconds unless one is given. `samples` asks for an estimate from so many deals.
    """
    question = ask(game, position, lens=lens, objective=objective, others=others)
    check_effort(budget=budget, samples=samples, seed=seed, exact=exact, lens=lens)
    if watch is None:
        watch = Watch(budget_for(budget, samples=samples, exact=exact, lens=lens))
    way = fair_way(game, position, question.objective) if lens in ("auto", "fair") else None
    if lens == "fair" or (lens == "auto" and samples is None and way is not None and _fits(way, watch)):
        with suppress(*(TooLargeError,) if lens == "auto" else ()):
            return _without_compiling(watch, lambda: _fair(game, question, way, exact=exact, watch=watch))
    if lens == "guard":
        found = _without_compiling(watch, lambda: solve_guard(game, question, exact=exact, memory=MEMORY, watch=watch))
        if found is not None:
            return found
        team = question if question.others is None else replace(question, others="coalition")
        solution = _Solving(game, team, samples=None, seed=seed, watch=watch).solve(exact=exact)
        return replace(solution, lens="guard", others=None)
    return _Solving(game, question, samples=samples, seed=seed, watch=watch).solve(exact=exact)


def _fair(game: Game[Any, Any, Any], question: Question, way: FairWay | None, *, exact: bool, watch: Watch) -> Solution:
    position, objective = question.position, question.objective
    return solve_fair(game, position, objective, way=way, exact=exact, memory=MEMORY, watch=watch)


def _without_compiling(watch: Watch, work: Callable[[], Found]) -> Found:
    """Do it with a watch on which the time for compiling does not count."""
    with watch.uncounted():
        from solver.kernels import seconds_compiling

    watch.ignore(seconds_compiling)
    return work()


def _fits(way: FairWay, watch: Watch) -> bool:
    """Whether the equilibrium will take a small part of the time."""
    size = way.size
    return size.seconds <= min(PATIENT, FAIR_PART * watch.remaining) and size.memory <= MEMORY


def budget_for(budget: float | None, *, samples: int | None, exact: bool, lens: str = "auto") -> float | None:
    """The seconds there are: those asked for; or 30, unless the answer is to be exact or proved, or the samples are
    counted."""
    proved = exact or lens in ("fair", "guard")
    return budget if budget is not None or proved or samples is not None else DEFAULT_BUDGET


def check_effort(*, budget: float | None, samples: int | None, seed: int, exact: bool, lens: str = "auto") -> None:
    """Raise an error that says which of these numbers cannot be."""
    if samples is not None and lens in ("fair", "guard"):
        raise IllegalError(f"--samples {samples} is for lens open: --lens {lens} does not sample")
    if exact and samples is not None:
        raise IllegalError("--exact refuses to sample, so it does not go with --samples")
    if samples is not None and not 1 <= samples <= MOST_SAMPLES:
        raise IllegalError(f"--samples {samples}: 1 to {MOST_SAMPLES:,} deals can be looked at")
    if budget is not None and not 0 < budget < float("inf"):
        raise IllegalError(f"--budget {budget}: a budget is a number of seconds above 0")
    if seed < 0:
        raise IllegalError(f"--seed {seed}: a seed is a whole number from 0")


def ask(
    game: Game[Any, Any, Any],
    position: Any,
    *,
    lens: str = "auto",
    objective: str | None = None,
    others: str | None = None,
) -> Question:
    """The question, checked: an error says what cannot be asked."""
    if lens not in LENSES:
        raise IllegalError(f"--lens {quote(lens)} is not known: {', '.join(LENSES)} are")
    wanted = game.objectives[0] if objective is None else objective
    game.check_objective(position, wanted)
    if others is not None and others not in OTHERS:
        raise IllegalError(f"--others {quote(others)} is not known: {', '.join(OTHERS)} are")
    if lens != "fair":
        game.choices(position)
    elif isinstance(game, HasEquilibria):
        game.fair(position, wanted)
    many = len(game.seats(position)) > 2
    if others is not None and lens in ("fair", "guard"):
        raise IllegalError(f"--others {others} is for lens open: --lens {lens} says itself how the others play")
    if others is not None and not many:
        raise IllegalError(f"--others {others} is for three or more players: two are opponents")
    return Question(position=position, objective=wanted, others=(others or OTHERS[0]) if many else None)


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
            with watch.uncounted():
                from solver.kernels import seconds_compiling

            watch.ignore(seconds_compiling)
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
