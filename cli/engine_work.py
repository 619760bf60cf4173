"""What the engine answers to each request: the object that the command of the same name prints with --json."""

from dataclasses import replace
from functools import cache
from typing import Any

from cli.answers import statements_of
from cli.commands import HINT_BUDGET
from cli.engine_requests import Request
from solver.errors import IllegalError, ImpossibleError
from solver.reading import read
from solver.solution import Solution
from solver.texts import decode
from solver.watch import Progress, Watch


def answer(request: Request, watch: Watch) -> dict[str, Any]:
    """Do the work."""
    return _COMMANDS[request.command](request, watch)


def _read(request: Request) -> tuple[Any, Any]:
    """The game and the position, under the same conditions as in a file."""
    return read(decode(request.text.encode("utf-8", "surrogatepass")))


@cache
def _compiling() -> list[Watch]:
    """Those who are told when a kernel has to be compiled."""
    from solver.kernels import on_compiling

    watches: list[Watch] = []

    def tell() -> None:
        for watch in watches:
            watch.tell(Progress("compiling (first run only)"))

    on_compiling(tell)
    return watches


def _show(request: Request, watch: Watch) -> dict[str, Any]:
    from solver.games.blasting_billy.as_json import position_json

    return position_json(_read(request)[1])


def _check(request: Request, watch: Watch) -> dict[str, Any]:
    from solver.deals import count_deals

    try:
        game, position = _read(request)
        return {"ok": True, "deals": count_deals(game.hidden(position))}
    except (ImpossibleError, IllegalError) as error:
        return {"ok": False, "why": str(error), "statements": list(statements_of(error))}


def _beliefs(request: Request, watch: Watch) -> dict[str, Any]:
    from solver.games.blasting_billy.as_json import beliefs_json
    from solver.games.blasting_billy.beliefs import believe

    _, position = _read(request)
    return beliefs_json(believe(position), position)


def _analyze(request: Request, watch: Watch) -> dict[str, Any]:
    watch.tell(Progress("reading"))
    from solver.asking import budget_for
    from solver.solve import solve

    game, position = _read(request)
    options = request.options
    budget = budget_for(
        options.get("budget"),
        samples=options.get("samples"),
        exact=options.get("exact", False),
        lens=options.get("lens", "auto"),
    )
    _compiling()[:] = [watch]
    solution = solve(game, position, **options, watch=watch if budget is None else watch.within(budget))
    return solution_answer(request.command, solution)


def _hint(request: Request, watch: Watch) -> dict[str, Any]:
    watch.tell(Progress("reading"))
    from cli.analysis import Asked
    from cli.hinting import advise, hint_json

    game, position = _read(request)
    budget = request.options.get("budget", HINT_BUDGET)
    asked = Asked(**{**request.options, "budget": budget})
    _compiling()[:] = [watch]
    found = advise(game, position, asked, watch if asked.samples is not None else watch.within(budget))
    solution = replace(found.solution, interrupted=watch.stopped)
    return hint_json(game, replace(found, solution=solution))


def solution_answer(command: str, solution: Solution) -> dict[str, Any]:
    """The answer to `analyze`; to `hint`, if there is no time to look for reasons."""
    from solver.games import find_game
    from solver.solution_json import solution_json

    game = find_game(solution.game)
    if command == "hint":
        from cli.hinting import Hint, hint_json

        return hint_json(game, Hint(solution, None))
    return solution_json(game, solution)


_COMMANDS = {"analyze": _analyze, "hint": _hint, "show": _show, "check": _check, "beliefs": _beliefs}
