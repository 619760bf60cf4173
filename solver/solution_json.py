"""A solution as the JSON object that programs read."""

from typing import Any

from solver.game import Game
from solver.solution import MoveValue, Solution, Value


def solution_json(game: Game[Any, Any, Any], solution: Solution) -> dict[str, Any]:
    """As the command line and the engine print it. `biased`, `shares_sampled`, `exact_shares` and `interrupted`
    only where they say something."""
    answer: dict[str, Any] = {
        "game": solution.game,
        "lens": solution.lens,
        "objective": solution.objective,
        "others": solution.others,
        "method": solution.method,
        "exact": solution.exact,
        "deals": solution.deals,
        "sampled": solution.sampled,
        "best": [game.format_event(move) for move in solution.best],
        "value": value_json(solution.value, biased=solution.biased),
        "moves": [_move_json(game, found, biased=solution.biased) for found in solution.moves],
        "seconds": round(solution.seconds, 6),
    }
    if solution.exploitability is not None:
        answer["exploitability"] = solution.exploitability
    if solution.biased:
        answer["biased"] = True
    if solution.shares_sampled is not None:
        answer["shares_sampled"] = solution.shares_sampled
    if solution.exact_shares:
        answer["exact_shares"] = list(solution.exact_shares)
    if solution.interrupted:
        answer["interrupted"] = True
    return answer


def value_json(value: Value, *, biased: bool = False) -> dict[str, Any]:
    fraction = None if value.fraction is None else str(value.fraction)
    number = {"fraction": fraction, "float": value.number, "error": value.error}
    return {**number, "biased": True} if biased else number


def _move_json(game: Game[Any, Any, Any], found: MoveValue, *, biased: bool) -> dict[str, Any]:
    shares = {**dict.fromkeys(game.share_names), **(found.shares or {})}
    answer = {"move": game.format_event(found.move), "value": value_json(found.value, biased=biased), **shares}
    return answer if found.frequency is None else {**answer, "frequency": found.frequency}
