"""Why a move is best: what it does that the next best does not, seen on the same deals.

A quarter of the deals picks what is worth telling; the numbers told come from the others, which had no say in it, so
that nothing looks better for having been picked. Every number carries the half-width of its 95% interval.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from solver.games.blasting_billy.hints.conditions import Separation, separate
from solver.games.blasting_billy.hints.measures import PICKING, mean, share
from solver.games.blasting_billy.hints.replies import Reply, find_reply
from solver.games.blasting_billy.search.layout import Layout
from solver.games.blasting_billy.table import Move, Position
from solver.shortcuts import Evaluator, Question
from solver.solution import MoveValue, Solution, Value
from solver.watch import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_DEALS = 4096
FEWEST_DEALS = 256
"""Looked at even if time is over, where that takes no longer than BRIEFLY."""
BRIEFLY = 0.3
CHUNK = 256
MOST_REASONS = 5
MOST_RISKS = 2
SMALLEST = 0.01
"""A difference that is worth a sentence."""
LIKELY = 0.05
"""A risk that is worth one where there is nothing to compare it with."""


class LineSearch(Evaluator, Protocol):
    """An evaluator that also tells how games go."""

    def lines(self, deals: Any, moves: Sequence[int]) -> Any: ...


@dataclass(frozen=True, slots=True)
class Chances:
    """How often the mover wins and loses, after the move and after the next best."""

    kind: ClassVar[str] = "chances"
    win: Value
    loss: Value
    win_instead: Value | None
    loss_instead: Value | None


@dataclass(frozen=True, slots=True)
class Risk:
    """How often a player is shot in a type at the end, after the move and after the next best."""

    kind: ClassVar[str] = "shot"
    player: int
    type: int
    shot: Value
    instead: Value | None
    difference: Value | None


@dataclass(frozen=True, slots=True)
class Paired:
    """In how many deals the move is worth more than the next best, less, and the same."""

    kind: ClassVar[str] = "paired"
    better: Value
    worse: Value
    same: Value


@dataclass(frozen=True, slots=True)
class When:
    """The one thing hidden that best tells the deals in which the move gains from those in which it does not."""

    kind: ClassVar[str] = "when"
    found: Separation


@dataclass(frozen=True, slots=True)
class Feared:
    """What the next player can do about it."""

    kind: ClassVar[str] = "reply"
    reply: Reply


Reason = Chances | Risk | Paired | When | Feared


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a move, and not the next best one."""

    move: Move
    runner_up: Move | None
    """The best move of another effect; None if there is none."""
    lead: Value | None
    """How much the move is ahead of that."""
    deals: int
    """How many deals the numbers are from that are not exact."""
    reasons: tuple[Reason, ...]


def find_runner_up(position: Position, solution: Solution) -> Move | None:
    """The best move that is not the same as the best one by another name, nor exactly as good."""
    best = solution.moves[0]
    for found in solution.moves[1:]:
        tied = solution.exact and found.value.rank == best.value.rank
        if not tied and effect(position, found.move) != effect(position, best.move):
            assert isinstance(found.move, Move)
            return found.move
    return None


def effect(position: Position, move: Hashable) -> Hashable:
    """What tells moves apart: on a last turn, every dump is the same."""
    assert isinstance(move, Move)
    return "dump" if move.verb == "dump" and not position.size else move


def find_evidence(
    question: Question,
    solution: Solution,
    evaluator: LineSearch,
    *,
    seed: int,
    watch: Watch,
    most: int = MOST_DEALS,
) -> Evidence:
    """Compare the best move with the next best on deals drawn at random, as many as time allows."""
    position: Position = question.position
    best, rival = solution.moves[0].move, find_runner_up(position, solution)
    assert isinstance(best, Move)
    seen = look(evaluator, [best] if rival is None else [best, rival], seed=seed, most=most, watch=watch)
    told = seen.told
    lead, compared = None, list[Reason]()
    if rival is not None:
        ahead = seen.values[:, 0] - seen.values[:, 1]
        since = ahead[len(ahead) // PICKING :]
        lead = _lead(solution, rival, since, evaluator.spread)
        compared.append(Paired(share(since > 0), share(since < 0), share(since == 0)))
        found = separate(Layout(position), seen.cards, ahead)
        compared += [] if found is None else [When(found)]
    reply = find_reply(
        question,
        solution.method,
        best,
        cards=seen.cards,
        winners=seen.winners[:, 0],
        replies=seen.replies[:, 0],
        watch=watch,
    )
    feared = [] if reply is None else [Feared(reply)]
    risks = _risks(position, seen)[: MOST_REASONS - 1 - len(compared) - len(feared)]
    reasons = (_chances(position, solution, told, rival), *risks, *compared, *feared)
    return Evidence(best, rival, lead, len(told.values), reasons)


@dataclass(frozen=True, slots=True)
class Seen:
    """The best move and the runner-up, in this order, on the same deals."""

    cards: "NDArray[np.int8]"
    """[deal, type, slot]: faces, as a layout deals them."""
    values: "NDArray[np.float64]"
    """[deal, move]"""
    winners: "NDArray[np.int64]"
    """[deal, move]: a bit for each player."""
    shot: "NDArray[np.int64]"
    """[deal, move, player]: a bit for each type."""
    replies: "NDArray[np.int64]"
    """[deal, move]: what the next player does."""

    @property
    def picking(self) -> "Seen":
        return self._part(slice(0, len(self.values) // PICKING))

    @property
    def told(self) -> "Seen":
        return self._part(slice(len(self.values) // PICKING, None))

    def _part(self, deals: slice) -> "Seen":
        return Seen(self.cards[deals], self.values[deals], self.winners[deals], self.shot[deals], self.replies[deals])


def look(evaluator: LineSearch, moves: Sequence[Move], *, seed: int, most: int, watch: Watch) -> Seen:
    """The moves tried on deals drawn at random: as many as time allows, at least a few."""
    numbers = [list(evaluator.moves).index(move) for move in moves]
    rng = np.random.default_rng([seed, 2])
    with watch.uncounted():
        first = evaluator.draw(np.random.default_rng(0), 1)
        evaluator.values(first, numbers)
        evaluator.lines(first, numbers)
    fewest = min(most, FEWEST_DEALS, 1 + int(BRIEFLY / evaluator.seconds))
    parts, count, chunk = [], 0, 4
    while count < fewest or (count < most and not watch.stopped and watch.remaining > 0):
        chunk = min(2 * chunk, CHUNK, most - count)
        deals = evaluator.draw(rng, chunk)
        lines = evaluator.lines(deals, numbers)
        values = evaluator.values(deals, numbers) / evaluator.scale
        parts.append((deals.faces, values, lines.winners, lines.shot, lines.replies))
        count += chunk
    return Seen(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _chances(position: Position, solution: Solution, told: Seen, rival: Move | None) -> Chances:
    """As exact as the solution's own shares are."""
    known = solution.exact_shares if solution.shares_sampled is not None else ("win", "loss")
    if solution.exact and {"win", "loss"} <= set(known):
        exact = [_exact_ends(solution.moves, move) for move in (solution.moves[0].move, rival)]
        if exact[0] is not None:
            win, loss = exact[0]
            return Chances(win, loss, *(exact[1] or (None, None)))
    mover = position.to_move or 0
    mine = told.winners == 1 << mover
    lost = (told.winners != 0) & (told.winners >> mover & 1 == 0)
    win, loss = share(mine[:, 0]), share(lost[:, 0])
    if rival is None:
        return Chances(win, loss, None, None)
    return Chances(win, loss, share(mine[:, 1]), share(lost[:, 1]))


def _exact_ends(moves: Sequence[MoveValue], move: Hashable) -> tuple[Value, Value] | None:
    shares = next((found.shares for found in moves if found.move == move), None)
    return None if shares is None else (Value.about(shares["win"], 0.0), Value.about(shares["loss"], 0.0))


def _lead(solution: Solution, rival: Move, ahead: "NDArray[np.float64]", spread: float) -> Value:
    if solution.exact:
        other = next(found.value for found in solution.moves if found.move == rival)
        assert solution.value.fraction is not None
        assert other.fraction is not None
        return Value.exactly(solution.value.fraction - other.fraction)
    return mean(ahead, 2 * spread)


def _risks(position: Position, seen: Seen) -> list[Risk]:
    """The columns in which the move changes most how often their player is shot."""
    candidates = [(seat, kind) for seat in range(len(position.players)) for kind in position.deck.kinds]
    picking, told = (_shot(part, candidates) for part in (seen.picking, seen.told))
    if not len(picking):
        return []
    if picking.shape[2] == 1:
        mover = [number for number, (seat, _) in enumerate(candidates) if seat == position.to_move]
        worst = max(mover, key=lambda number: float(picking[:, number, 0].mean()))
        seat, kind = candidates[worst]
        risk = Risk(seat, kind, share(told[:, worst, 0]), None, None)
        return [risk] if risk.shot.number >= LIKELY else []
    changes = np.abs((picking[..., 0].astype(float) - picking[..., 1]).mean(axis=0))
    found = []
    for number in np.argsort(-changes, kind="stable")[:MOST_RISKS].tolist():
        difference = mean(told[:, number, 0].astype(float) - told[:, number, 1], 2.0)
        if abs(difference.number) > max(difference.error, SMALLEST):
            seat, kind = candidates[number]
            found.append(Risk(seat, kind, share(told[:, number, 0]), share(told[:, number, 1]), difference))
    return found


def _shot(seen: Seen, candidates: Sequence[tuple[int, int]]) -> "NDArray[np.bool_]":
    """[deal, candidate, move]: whether that player is shot in that type."""
    columns = [seen.shot[:, :, seat] >> kind & 1 for seat, kind in candidates]
    return np.stack(columns, axis=1).astype(np.bool_)
