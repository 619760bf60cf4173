"""What was asked and how it was answered, in plain words."""

from collections.abc import Hashable
from typing import Any

from cli.figures import Figures
from solver.solution import MoveValue, OpenCards, Solution, Value

EQUALLY_LIKELY = "All deals are taken as equally likely (earlier play is no evidence)."

MOST_NAMED = 3
"""Moves in a row, beyond which the rest are only counted."""


def count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def asked(solution: Solution, mover: str) -> str:
    """What the values are of, and through which lens."""
    aim = "playing to win" if solution.objective == "win" else "playing for the margin in points"
    if not solution.moves:
        return f"What the position is worth to {mover}, {aim}. {seeing(solution, mover)}"
    return f"What each move is worth to {mover}, {aim}. {seeing(solution, mover)}"


def seeing(solution: Solution, mover: str) -> str:
    """Who is taken to see what."""
    if solution.method == "playouts":
        return (
            "Lens open, in which everybody sees every card from the next move on, is out of reach so early: in games "
            "played out instead, everybody goes by what they have seen."
        )
    if solution.lens == "guard":
        return (
            f"Lens guard: {mover} sees only their own cards, always; the others are taken to see every card and to "
            f"play as one team. A value is what {mover} can guarantee on average."
        )
    if solution.lens == "fair":
        return "Lens fair: everybody sees only their own cards, always, and both play an equilibrium."
    moves = "you move" if mover == "you" else f"{mover} moves"
    return (
        f"Lens {solution.lens}: {moves} now without knowing the hidden cards; from then on everybody is taken to see "
        "every card."
    )


def method(solution: Solution) -> str:
    """How the values were found."""
    deals, sampled = count(solution.deals, "deal"), solution.sampled or 0
    words = {
        "lp": f"{_proof(solution)}, over {deals}.",
        "cfr": f"{_proof(solution)}, over {deals}.",
        "enumerated": f"Exact: all {deals} searched to the end." if solution.deals > 1 else "Exact: only 1 deal fits.",
        "factored": f"Exact: all {deals} counted, type by type.",
        "sampled": f"Estimate: {_drawn(solution)}, searched to the end.",
        "sampled-order": (
            f"Estimate: {_drawn(solution)}, each with one order of the pile, searched to the end as if everybody saw "
            "that order; it may be off by more than its error."
        ),
        "playouts": (
            f"Estimate: {count(sampled, 'game')} played out sensibly to the end, from deals drawn at random; a "
            "judgement, which may be off by more than its error."
        ),
    }
    return words[solution.method]


def _drawn(solution: Solution) -> str:
    """How many deals were drawn; of few, some come up again and again."""
    deals, sampled = count(solution.deals, "deal"), solution.sampled or 0
    if sampled <= solution.deals:
        return f"{sampled:,} of {deals}, drawn at random"
    return f"{sampled:,} draws at random from {deals}"


def _proof(solution: Solution) -> str:
    """How values of an equilibrium are proved."""
    found = "by linear programming" if solution.method == "lp" else "by regret minimisation"
    if solution.exact:
        return f"Exact: found {found} and proved by the exact best answers of both sides"
    return f"Proved intervals: found {found}, bounded by the exact best answers of both sides"


def root_value(solution: Solution, mover: str, shown: str) -> str:
    """What lens fair says of the position as everybody sees it."""
    gain = solution.exploitability or 0.0
    proof = "proved exactly" if solution.exact else f"proved; together the two plans could gain {gain:.1e} at most"
    return f"Before {mover}'s cards are known, the position is worth {shown} to {mover} ({proof})."


def misleading(game: Any, solution: Solution, opened: OpenCards, figures: Figures) -> str:
    """That the moves which look best with open cards are not, and what is better."""
    best = solution.moves[0]
    found = next(each for each in solution.moves if each.move in opened.best)  # their values may differ: the highest
    alone = len(opened.best) == 1
    names, better = _named(game, opened), game.format_event(best.move)
    looks = f"{names} {'looks' if alone else 'look'} best with open cards ({figures.number(opened.value.rank)})"
    if solution.lens == "guard":
        least = _number(figures, found.value)
        only = f"guarantees only {least}" if alone else f"guarantee {least} at most"
        return f"{looks}, but {only}; {better} guarantees {_number(figures, best.value)}."
    less = _behind(figures, solution, found)
    worth = f"it is worth {less}" if alone else f"they are worth at least {less}"
    return f"{looks}, but once nobody sees through cards {worth} less than {better}."


def careful(game: Any, move: Hashable, fair: Solution, figures: Figures) -> str:
    """That a move which looks best with open cards is not, by what lens fair says, and what is better."""
    less = _behind(figures, fair, next(each for each in fair.moves if each.move == move))
    worth = f"{game.format_event(move)} is worth {less} less than {game.format_event(fair.moves[0].move)}"
    return f"Careful: once nobody sees through cards, {worth} (lens fair; see lastdraw analyze)."


def _behind(figures: Figures, solution: Solution, found: MoveValue) -> str:
    """How much less a move is worth than the best."""
    return figures.lead(_difference(solution.moves[0].value, found.value))


def _named(game: Any, opened: OpenCards) -> str:
    names = [game.format_event(move) for move in opened.best]
    more = len(names) - MOST_NAMED + 1
    return listed(names if more < 2 else [*names[:-more], f"{more} more"])


def _number(figures: Figures, value: Value) -> str:
    return " ".join(filter(None, (figures.number(value.rank), figures.error(value))))


def _difference(one: Value, other: Value) -> Value:
    if one.fraction is not None and other.fraction is not None:
        return Value.exactly(one.fraction - other.fraction)
    return Value.about(one.number - other.number, one.error + other.error)


def reply(words: str) -> str:
    """A reply as it is seen: a card claimed without its value lies face down."""
    return f"{words} face down" if words.startswith("claim ") and len(words.split()[-1]) == 1 else words


def others(solution: Solution, mover: str) -> str:
    """How the others play, where three or more do."""
    if solution.others is None:
        return ""
    if solution.method == "playouts":
        return "Everybody plays for themselves."
    if solution.others == "rivals":
        return "Others are rivals: each plays for the largest share of the victory for themselves."
    return f"Others are a coalition: all play against {mover} together."


def value(objective: str, players: int) -> str:
    """What a value counts."""
    if objective == "margin":
        return "points ahead of the other player"
    return "chance to win minus chance to lose" if players == 2 else "share of the victory"
