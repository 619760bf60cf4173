"""A slow, obvious twin of the search of single deals: recursion over the states of `tests.naive`, in fractions."""

from dataclasses import dataclass
from fractions import Fraction

from tests.naive import (
    Position,
    draw,
    draws,
    final_score,
    margin_payoffs,
    moves,
    must_draw,
    play,
    win_payoffs,
)

ENDINGS = ("win", "shared", "loss", "billy", "shot")


@dataclass(frozen=True)
class Question:
    """Whose value is asked for, what is played for, and how the others play where three or more do."""

    mover: str
    objective: str
    others: str | None


@dataclass(frozen=True)
class Solved:
    """What each player gets on average, and how often the game ends how for the mover."""

    payoffs: tuple[Fraction, ...]
    endings: tuple[Fraction, ...]


def solve(filled: Position, question: Question) -> Solved:
    """Best play from here, ties going to the first move. An `order` in the position is known to everyone."""
    if must_draw(filled):
        return average([(weight, solve(after, question)) for weight, after in chances(filled)])
    if filled["to_move"] is None:
        return end(filled, question)
    return best(filled, question)[1]


def best(filled: Position, question: Question) -> tuple[str, Solved]:
    """The first of the best moves, and what follows from it."""
    turn, mover = (filled["players"].index(name) for name in (filled["to_move"], question.mover))
    chosen: tuple[str, Solved] | None = None
    most: tuple[Fraction, ...] = ()
    for move in moves(filled):
        solved = solve(play(filled, move), question)
        wish: tuple[Fraction, ...] = (solved.payoffs[turn], -solved.payoffs[mover])
        if question.others == "coalition" and turn != mover:
            wish = (-solved.payoffs[mover],)
        if chosen is None or wish > most:
            chosen, most = (move, solved), wish
    assert chosen is not None
    return chosen


def chances(filled: Position) -> list[tuple[int, Position]]:
    """What a draw leads to, by the number of cards that can then lie on top; one thing where the order is given."""
    if "order" in filled:
        card, *rest = filled["order"]
        shows = filled["top"] is not None and rest
        after = draw({**filled, "order": rest}, card, rest[0][0] if shows else None)
        return [(1, after)]
    result = []
    for card, top in draws(filled):
        after = draw(filled, card, top)
        result.append((1 if top is None else sum(other[0] == top for other in after["pile"]), after))
    return result


def average(parts: list[tuple[int, Solved]]) -> Solved:
    whole = sum(weight for weight, _ in parts)

    def mean(rows: list[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
        weighted = [[weight * each for each in row] for (weight, _), row in zip(parts, rows, strict=True)]
        return tuple(sum(column, Fraction(0)) / whole for column in zip(*weighted, strict=True))

    return Solved(mean([solved.payoffs for _, solved in parts]), mean([solved.endings for _, solved in parts]))


def end(filled: Position, question: Question) -> Solved:
    outcome, players = final_score(filled), filled["players"]
    payoffs = (win_payoffs if question.objective == "win" else margin_payoffs)(outcome, players)
    among = question.mover in outcome.winners
    endings = (
        among and len(outcome.winners) == 1,
        among and len(outcome.winners) > 1,
        not among and not outcome.billy_wins,
        outcome.billy_wins,
        bool(outcome.shot[question.mover]),
    )
    return Solved(tuple(payoffs), tuple(map(Fraction, endings)))


@dataclass(frozen=True)
class Line:
    """How one line of best play ended, and the first reply in it."""

    winners: set[str]
    shot: dict[str, set[str]]
    reply: str | None


def follow(filled: Position, question: Question, order: list[str], *, seen: bool) -> Line:
    """Best play from here with the cards drawn in this order, which the players do not know unless it is `seen`."""
    reply: str | None = None
    coming = list(order)
    if seen:
        filled = {**filled, "order": list(order)}
    while filled["to_move"] is not None:
        if must_draw(filled):
            card = coming.pop(0)
            shows = filled["top"] is not None and coming
            known = {**filled, "order": list(coming)} if seen else filled
            filled = draw(known, card, coming[0][0] if shows else None)
        else:
            move, _ = best(filled, question)
            reply = reply or move
            filled = play(filled, move)
    outcome = final_score(filled)
    return Line(set(outcome.winners), outcome.shot, reply)
