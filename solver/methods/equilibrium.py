"""The equilibrium of a game in sequence form, by the method that suits its size, always with a certificate.

First the game is made as small as it gets. A rough target is reached soonest by regret minimisation. Otherwise small
games are a linear program; for larger ones regret minimisation leads to a first interval, then comes the linear program
of the whole game where it fits, and otherwise of the sequences that may matter: those that are nearly best against
the plans found so far. Its plans are answered in the whole game, what the answers need is added, and so on. For the
exact value, the last basis is solved in fractions.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.certificate import Certificate, certify, certify_whole
from solver.methods.best_response import FloatGame, Response, answer, as_plan, exploitability, float_game
from solver.methods.exact_lp import prove
from solver.methods.regret import minimize_regret
from solver.methods.sequence_lp import LinearSolution, Mask, solve_lp
from solver.reduction import Reduction, reduce_game
from solver.sequence_form import Interval, Plan, SequenceGame
from solver.watch import Stopped, Watch

Method = Literal["lp", "cfr"]

_SMALL = 70_000
"""Non-zeros up to which the linear program comes first."""

_WHOLE = 50_000
"""Sequences of both sides together up to which the linear program of the whole game is worth its time."""

_FIRST = 1e-4
"""The interval, as a part of the usual width, with which regret minimisation hands over to the linear program."""

_FINE = 1e-7
"""The interval, measured likewise, beyond which regret minimisation is slower than linear programs of parts."""

_NEARLY = 1e-9
"""What a move may lose, as a part of the usual width, and still count as best when floats judge."""

_LP_SHARE = 0.7
"""The part of the time left that the whole linear program may take before regret minimisation goes on."""

_MOMENT = 1.0
"""Seconds in which the exact value is looked for even if it was not asked for, besides as many as the program took."""


@dataclass(frozen=True, eq=False, slots=True)
class Equilibrium:
    """Plans in floats, the method that found them (`lp` if a linear program found one of them), and the proof of what
    they guarantee. The value is exact if the certificate's interval has no width."""

    method: Method
    plans: tuple[Plan, Plan]
    certificate: Certificate

    @property
    def exact(self) -> bool:
        return not self.certificate.interval.width


def find_equilibrium(
    game: SequenceGame | Reduction,
    *,
    watch: Watch,
    exact: bool = False,
    target: float = 1e-6,
    tell: Callable[[float, float], None] | None = None,
) -> Equilibrium:
    """Search until the certified interval is at most `target` wide (up to the rounding of plans on their way back from
    the smaller game), or with `exact` until it has no width. When the watch ends first, the best so far: look at its
    interval. `tell` hears of every narrower interval."""
    reduction = game if isinstance(game, Reduction) else reduce_game(game)
    search = _Search(reduction.game, watch, 0.0 if exact else target, tell)
    with suppress(Stopped):
        if not exact and target >= _FIRST * search.unit:
            search.learn(target)
        if not search.done and search.game.nonzeros <= _SMALL:
            search.solve_whole()
        if not search.done:
            search.learn(max(target, _FIRST * search.unit))
        if not search.done:
            search.polish(target)
    return _widened(reduction, search.result())


def _widened(reduction: Reduction, found: Equilibrium) -> Equilibrium:
    """What was found in the smaller game, proved in the game as it was."""
    plans = reduction.widen(found.plans)
    if not found.exact:
        return Equilibrium(found.method, plans, certify(reduction.whole, plans))
    proof = found.certificate
    whole = reduction.widen_whole(proof.plans, proof.denominators)
    certificate = certify_whole(reduction.whole, whole, proof.denominators)
    return Equilibrium(found.method, _floats(certificate), certificate)


class _Search:
    """The best certificate so far, and the steps that improve it. A guarantee holds whatever the other side plays, so
    the best plans of both sides need not come from one step."""

    def __init__(
        self, game: SequenceGame, watch: Watch, goal: float, tell: Callable[[float, float], None] | None
    ) -> None:
        self.game = game
        self.watch = watch
        self.goal = goal
        self.tell = tell
        self.unit = _usual_width(game)
        self.best: Certificate | None = None
        self.plans: tuple[Plan, Plan] | None = None
        self.methods: tuple[Method, Method] = ("cfr", "cfr")
        self.tried_whole = False

    @property
    def done(self) -> bool:
        return self.best is not None and self.best.interval.width <= self.goal

    def result(self) -> Equilibrium:
        if self.best is None or self.plans is None:
            self.learn(float("inf"))
        assert self.best is not None
        assert self.plans is not None
        return Equilibrium("lp" if "lp" in self.methods else "cfr", self.plans, self.best)

    def learn(self, target: float) -> None:
        """Regret minimisation."""
        found = minimize_regret(self.game, target=target, watch=self.watch, tell=self.tell)
        self.offer(found.plans, "cfr")

    def offer(self, plans: tuple[Plan, Plan], method: Method) -> None:
        self.accept(certify(self.game, plans), plans, method)

    def accept(self, new: Certificate, plans: tuple[Plan, Plan], method: Method) -> None:
        """Take over each side's plan if it guarantees more, and a proof of the exact value in any case."""
        old = self.best
        if old is None or self.plans is None or not new.interval.width:
            self.best, self.plans, self.methods = new, plans, (method, method)
        else:
            first, second = new.interval.low > old.interval.low, new.interval.high < old.interval.high
            sources = new if first else old, new if second else old
            self.best = Certificate(
                (sources[0].plans[0], sources[1].plans[1]),
                (sources[0].denominators[0], sources[1].denominators[1]),
                Interval(sources[0].interval.low, sources[1].interval.high),
            )
            self.plans = (plans[0] if first else self.plans[0]), (plans[1] if second else self.plans[1])
            self.methods = (method if first else self.methods[0]), (method if second else self.methods[1])
        if self.tell is not None:
            self.tell(float(self.best.interval.low), float(self.best.interval.high))

    def solve_whole(self) -> None:
        """The linear program of the whole game, if it takes no more than its share of the time."""
        self.tried_whole = True
        left = self.watch.remaining
        with suppress(Stopped):
            self.solve_program(self.watch.within(left * _LP_SHARE) if left < float("inf") else self.watch)

    def solve_program(self, watch: Watch) -> None:
        """Where fractions are wanted and the program's basis fails, that of the game with the sides exchanged, whose
        basis is another, has a try."""
        begin = watch.seconds
        linear = solve_lp(self.game, watch=watch)
        self.offer(linear.plans, "lp")
        if self.goal:
            moment = min(_MOMENT + watch.seconds - begin, self.watch.remaining)
            self.prove(linear, self.watch.within(moment))
            return
        if self.prove(linear, self.watch):
            return
        turned = self.game.transposed()
        proof = prove(turned, solve_lp(turned, watch=watch), watch=self.watch)
        if proof is not None:
            plans, denominators = (proof.plans[1], proof.plans[0]), (proof.denominators[1], proof.denominators[0])
            self.accept_exact(certify_whole(self.game, plans, denominators))

    def prove(self, linear: LinearSolution, watch: Watch) -> bool:
        """Whether the basis has proved the exact value."""
        proof = prove(self.game, linear, watch=watch)
        if proof is not None:
            self.accept_exact(proof)
        return proof is not None

    def accept_exact(self, proof: Certificate) -> None:
        self.accept(proof, _floats(proof), "lp")

    def polish(self, target: float) -> None:
        """Linear programs: of the whole game if that has a chance, otherwise of growing parts."""
        if self.game.sides[0].sequences + self.game.sides[1].sequences <= _WHOLE and not self.tried_whole:
            self.solve_whole()
        fine = max(target, _FINE * self.unit)
        if self.best is None or self.best.interval.width > fine:
            self.learn(fine)
        if not self.done:
            self.generate()

    def generate(self) -> None:
        """Linear programs of the sequences that may matter, until nothing is missing."""
        assert self.plans is not None
        assert self.best is not None
        prepared = float_game(self.game)
        reach = max(float(self.best.interval.width), _NEARLY * self.unit)
        answers = _answers(prepared, self.plans)
        keep = tuple(
            _used(self.game, side, self.plans[side]) | _nearly_best(self.game, side, answers[side], reach)
            for side in (0, 1)
        )
        while not self.done:
            linear = solve_lp(self.game, watch=self.watch, keep=(keep[0], keep[1]))
            self.offer(linear.plans, "lp")
            answers = _answers(prepared, linear.plans)
            wanted = [_nearly_best(self.game, side, answers[side], _NEARLY * self.unit) for side in (0, 1)]
            missing = any((new & ~old).any() for new, old in zip(wanted, keep, strict=True))
            apart = answers[0].value - answers[1].value > _NEARLY * self.unit
            if not self.goal and not apart and self.prove(linear, self.watch):
                return
            if not missing:
                return
            keep = (keep[0] | wanted[0], keep[1] | wanted[1])


def _floats(certificate: Certificate) -> tuple[Plan, Plan]:
    """The plans of a proof, in floats."""
    floats = [
        np.array([int(weight) / denominator for weight in plan])
        for plan, denominator in zip(certificate.plans, certificate.denominators, strict=True)
    ]
    return floats[0], floats[1]


def _usual_width(game: SequenceGame) -> float:
    """What playing all moves alike can be exploited for: the measure of what is much and little in a game."""
    plans = [as_plan(side, np.ones(side.sequences)) for side in game.sides]
    low, high = exploitability(game, (plans[0], plans[1]))
    return max(high - low, 1e-12)


def _answers(game: FloatGame, plans: tuple[Plan, Plan]) -> tuple[Response, Response]:
    """How each side answers the other's plan."""
    return answer(game, 0, plans[1]), answer(game, 1, plans[0])


def _nearly_best(game: SequenceGame, side: int, response: Response, loss: float) -> Mask:
    """The sequences that lose at most so much against the best move of their set; at least that move itself."""
    best = response.worth[response.best]
    mask: Mask = response.worth >= best[game.sides[side].owners] - loss
    return mask


def _used(game: SequenceGame, side: int, plan: Plan) -> Mask:
    """The sequences that take at least a hundredth of what flows into their set."""
    owners = game.sides[side].owners
    inflow = np.bincount(owners, plan, minlength=game.sides[side].sets)
    mask: Mask = (plan > 0) & (plan >= inflow[owners] / 100)
    return mask
