"""What can be asked of a position: the question and the effort, checked before any work is begun."""

from typing import Any

from solver.errors import IllegalError, quote
from solver.game import Game
from solver.shortcuts import HasEquilibria, Question

LENSES = ("auto", "open", "guard", "fair")
OTHERS = ("rivals", "coalition")
DEFAULT_BUDGET = 30.0
MOST_SAMPLES = 10**9


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


def check_replies(game: Game[Any, Any, Any], position: Any, *, lens: str) -> None:
    """Raise an error where the opponent's replies cannot be told: they are those of lens fair, to the mover's moves."""
    if lens not in ("auto", "fair"):
        raise IllegalError(f"--replies are told in lens fair: --lens {lens} finds no plan of the opponent's")
    if not isinstance(game, HasEquilibria):
        raise IllegalError(f"--replies: {game.name} has no way to tell them")
    game.choices(position)
