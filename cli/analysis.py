"""`analyze`: what every move is worth."""

import os
import sys
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from cli.answers import load, print_json
from cli.figures import Figures
from cli.running import Run, undoing
from solver.errors import IllegalError, quote
from solver.files import check_target
from solver.games.blasting_billy.table import Position
from solver.solution import Solution
from solver.watch import Watch


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line asks for."""

    lens: str = "auto"
    objective: str | None = None
    others: str | None = None
    budget: float | None = None
    samples: int | None = None
    seed: int = 0
    exact: bool = False
    replies: bool = False

    def solve(self, game: Any, position: Position, watch: Watch) -> Solution:
        from solver.solve import solve

        return solve(
            game,
            position,
            lens=self.lens,
            objective=self.objective,
            others=self.others,
            budget=self.budget,
            samples=self.samples,
            seed=self.seed,
            exact=self.exact,
            replies=self.replies,
            watch=watch,
        )


def analyze(file: str, asked: Asked, *, as_json: bool, save: str | None = None) -> int:
    """Print every legal move with its value; the exit code."""
    from solver.asking import ask, budget_for, check_effort
    from solver.solution_json import solution_json

    game, position = load(file)
    ask(game, position, lens=asked.lens, objective=asked.objective, others=asked.others)
    check_effort(budget=asked.budget, samples=asked.samples, seed=asked.seed, exact=asked.exact, lens=asked.lens)
    if save is not None and asked.lens == "open":
        raise IllegalError(f"--save {quote(save)}: lens open has no proof to save: only lens fair and lens guard have")
    target = None if save is None else check_target(save, "--save", file)
    run = Run[Solution](
        budget_for(asked.budget, samples=asked.samples, exact=asked.exact, lens=asked.lens),
        describe_best(game, position),
    )
    solution = run.find(lambda watch: asked.solve(game, position, watch)) or run.so_far
    if solution is None:
        tell_nothing_found()
    if run.interrupted:
        solution = replace(solution, interrupted=True)
    if as_json:
        print_json(solution_json(game, solution))
    else:
        from cli.values import print_solution

        print_solution(game, position, solution)
    if target is not None:
        from solver.saving import save_solution

        sys.stdout.flush()
        with undoing():
            save_solution(game, position, solution, target)
    return end(run)


def describe_best(game: Any, position: Position) -> Any:
    """A function that says of an answer so far which move is best and how good."""

    def describe(solution: Solution) -> str:
        figures = Figures(solution.objective, len(position.players))
        if not solution.moves:
            return figures.full(solution.value)
        found = solution.moves[0].value if solution.lens == "fair" else solution.value
        best = f"{game.format_event(solution.moves[0].move)} {figures.full(found)}"
        tried = "games" if solution.method == "playouts" else "deals"
        return best if solution.sampled is None else f"{best}, {solution.sampled:,} {tried}"

    return describe


def tell_nothing_found() -> NoReturn:
    sys.stderr.write("lastdraw: interrupted before there was an answer\n")
    sys.stderr.flush()
    leave_behind(130)


def end(run: Run[Any]) -> int:
    """The exit code. After ctrl-C there is no tidying up: work may still be going on, and another ctrl-C may come."""
    if run.interrupted:
        leave_behind(130)
    return 0


def leave_behind(code: int) -> NoReturn:
    sys.stdout.flush()
    os._exit(code)
