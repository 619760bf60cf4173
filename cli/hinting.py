"""`hint`: the one move to play, how sure, and why."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from cli.analysis import Asked, describe_best, end, tell_nothing_found
from cli.answers import load, print_json
from cli.running import Run
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.table import Position
from solver.shortcuts import Question
from solver.solution import Solution, Value, misleads
from solver.solution_json import solution_json, value_json
from solver.watch import Progress, Stopped, Watch

THINKING = 0.7
"""The part of the time for finding the move; the rest is for finding out why."""
HIDING = 0.5
"""The part of that rest, at most, for finding out what the move is worth once nobody sees through cards."""


@dataclass(frozen=True, slots=True)
class Why:
    """How sure a hint is, and its reasons: sentences, and the numbers in them."""

    sure: dict[str, Any]
    reasons: tuple[dict[str, Any], ...]
    deals: int
    """How many deals those numbers are from that are said to be about so much."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The answer that holds the move, and why; None where there was no time to find that out."""

    solution: Solution
    why: Why | None
    fair: Solution | None = None
    """What lens fair says, where that is quickly known."""

    @property
    def misleads(self) -> bool:
        """Whether open cards do: what looks best with them is certainly not the best in lens fair."""
        return self.fair is not None and misleads(self.solution.best, self.fair.best)


def hint(file: str, asked: Asked, *, as_json: bool) -> int:
    """Print the hint; the exit code."""
    from solver.asking import ask

    game, position = load(file)
    ask(game, position, objective=asked.objective, others=asked.others)
    run = Run[Hint](asked.budget if asked.samples is None else None, describe_best(game, position))
    found = run.find(lambda watch: advise(game, position, asked, watch))
    if found is None and run.so_far is not None:
        found = Hint(run.so_far, None)
    if found is None:
        tell_nothing_found()
    if run.interrupted:
        found = replace(found, solution=replace(found.solution, interrupted=True))
    if as_json:
        print_json(hint_json(game, found))
    else:
        from cli.advice import print_hint

        print_hint(game, position, found)
    return end(run)


def advise(game: Any, position: Position, asked: Asked, watch: Watch) -> Hint:
    """Find the move in most of the time, and in the rest whether open cards mislead, and the reasons. Move and reasons
    are about lens open."""
    from solver.asking import ask
    from solver.games.blasting_billy.hints.reasons import MOST_DEALS, find_evidence
    from solver.kernels import seconds_compiling

    watch.ignore(seconds_compiling)
    asked = replace(asked, lens="open")
    solution = asked.solve(game, position, watch.within(watch.remaining * THINKING))
    watch.tell(Progress("finding reasons", THINKING, solution))
    question = ask(game, position, objective=asked.objective, others=asked.others)
    fair = _find_fair(game, question, watch) if asked.samples is None else None
    if watch.stopped:
        return Hint(solution, None, fair)
    ways: dict[str, Callable[..., Any]] = {"sampled-order": game.order_search, "playouts": game.playouts}
    evaluator = ways.get(solution.method, game.deal_search)(question)
    most = MOST_DEALS if asked.samples is None else min(MOST_DEALS, asked.samples)
    evidence = find_evidence(question, solution, evaluator, seed=asked.seed, watch=watch, most=most)
    return Hint(solution, explain(game, position, solution, evidence), fair)


def _find_fair(game: Any, question: Question, watch: Watch) -> Solution | None:
    """What lens fair says, where `analyze` goes by it unless told otherwise; None also where it is not done in time."""
    from solver.solve import find_fair

    try:
        watch.check()
        return find_fair(game, question, quick=True, watch=watch.within(HIDING * watch.remaining, quiet=True))
    except Stopped:
        return None


def explain(game: Any, position: Position, solution: Solution, evidence: Any) -> Why:
    from cli.why import Words, sure

    words = Words(game, position, evidence)
    basis = "exact" if solution.exact else "judgement" if solution.method == "playouts" else "estimate"
    rival = None if evidence.runner_up is None else game.format_event(evidence.runner_up)
    sureness = {
        "kind": basis,
        "text": sure(game, position, solution, evidence),
        "runner_up": rival,
        "lead": None if evidence.lead is None else value_json(evidence.lead),
    }
    reasons = [
        {"kind": reason.kind, "text": words.say(reason), **_numbers(position, reason)} for reason in evidence.reasons
    ]
    return Why(sureness, tuple(reasons), evidence.deals)


def hint_json(game: Any, found: Hint) -> dict[str, Any]:
    best = game.format_event(found.solution.moves[0].move)
    why = found.why
    return {
        **solution_json(game, found.solution),
        "hint": best,
        "sure": None if why is None else why.sure,
        "why": [] if why is None else list(why.reasons),
        "fair": None if found.fair is None else _fair_json(game, found.fair, misleads=found.misleads),
    }


def _fair_json(game: Any, fair: Solution, *, misleads: bool) -> dict[str, Any]:
    best = [game.format_event(move) for move in fair.best]
    return {"best": best, "value": value_json(fair.moves[0].value), "misleads": misleads}


def _numbers(position: Position, reason: Any) -> dict[str, Any]:
    """The fields of a reason as plain data, players and types by name."""
    answer: dict[str, Any] = {}
    for field in fields(reason):
        name, value = field.name, getattr(reason, field.name)
        if isinstance(value, Value):
            answer[name] = {"float": value.number, "error": value.error}
        elif is_dataclass(value) and name in ("condition", "effect"):
            answer[name] = _numbers(position, value)
        elif is_dataclass(value):
            answer.update(_numbers(position, value))
        elif name == "player":
            answer[name] = "billy" if value is None else position.players[value]
        elif name == "type":
            answer[name] = None if value is None else NAMES.backs[value]
        elif name == "look":
            answer.update(_numbers_of_look(value))
        else:
            answer[name] = value
    return answer


def _numbers_of_look(look: Any) -> dict[str, Any]:
    face = None if look.face is None else NAMES.faces[look.face]
    return {"verb": look.verb, "type": NAMES.backs[look.type], "face": face}
