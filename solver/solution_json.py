"""A solution as the JSON object that programs read."""

from typing import Any

from solver.game import Game
from solver.solution import MoveValue, OpenCards, Solution, Value


def solution_json(game: Game[Any, Any, Any], solution: Solution) -> dict[str, Any]:
    """As the command line and the engine print it. `biased`, `shares_sampled`, `exact_shares` and `interrupted`
    only where they say something; `open` in lens guard and fair, null where it was not found out."""
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
    if solution.lens in ("guard", "fair"):
        answer["open"] = None if solution.open is None else _open_json(game, solution.open)
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
    if found.frequency is not None:
        answer["frequency"] = found.frequency
    if found.replies is not None:
        answer["replies"] = [
            {"reply": reply.words, "frequency": float(reply.frequency), "fraction": str(reply.frequency)}
            for reply in found.replies
        ]
    return answer


def _open_json(game: Game[Any, Any, Any], found: OpenCards) -> dict[str, Any]:
    best = [game.format_event(move) for move in found.best]
    return {"best": best, "value": value_json(found.value), "misleads": found.misleads}
