"""The numbers behind a hint, recomputed from the naive twin by going through every deal of small positions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from solver.asking import ask
from solver.deals import count_deals
from solver.games.blasting_billy.deck import NAMES, Deck
from solver.games.blasting_billy.hidden import hidden_pools, observe
from solver.games.blasting_billy.hints.conditions import Condition, conditions
from solver.games.blasting_billy.hints.reasons import (
    Chances,
    Evidence,
    Feared,
    Paired,
    Risk,
    When,
    find_evidence,
    look,
)
from solver.games.blasting_billy.hints.replies import state_of
from solver.games.blasting_billy.position_text import format_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.search.evaluators import StateSearch
from solver.games.blasting_billy.search.layout import Layout
from solver.games.blasting_billy.table import Move, Position, State
from solver.reading import read
from solver.shortcuts import Question
from solver.solution import Solution, Value
from solver.solve import solve
from solver.watch import Watch
from tests import naive

REFERENCE = Path(__file__).parents[1] / "reference"
DECK = Deck("JBC", 0, 4, True, 2)
CASES = [(2, 26), (2, 27), (2, 36), (2, 38), (2, 42), (2, 50), (3, 18), (3, 24), (3, 54)]
SLACK = 1.6
"""Errors that a number may be off: of a hundred and more, a few are off by more than one."""


@dataclass(frozen=True)
class Case:
    """A position after the pile is used up, its solution, and the evidence for its best move."""

    text: str
    position: Position
    solution: Solution
    evidence: Evidence


@cache
def case(players: int, seed: int) -> Case:
    state, _ = play_randomly(
        players=players,
        pile=0,
        turns_left=2 if players == 2 else 2 + seed % 2,
        deck=DECK,
        removed=3 if players == 2 else 1,
        rng=Random(seed),
    )
    text = format_position(observe(state, state.to_move))
    game, position = read(text)
    assert count_deals(hidden_pools(position)) < 3000
    solution, question = solve(game, position, lens="open"), ask(game, position)
    evidence = find_evidence(question, solution, StateSearch(question), seed=1, watch=Watch())
    return Case(text, position, solution, evidence)


@dataclass(frozen=True)
class End:
    """A game played to its end by everybody's best moves: what each player gets, and the final scoring."""

    payoffs: tuple[Fraction, ...]
    outcome: naive.Outcome


def finish(filled: naive.Position, root: int) -> End:
    """Ties go to the lowest share for the root mover, then to the first move in canonical order."""
    if filled["to_move"] is None:
        outcome = naive.final_score(filled)
        return End(tuple(naive.win_payoffs(outcome, filled["players"])), outcome)
    seat = filled["players"].index(filled["to_move"])
    ends = [finish(naive.play(filled, move), root) for move in naive.moves(filled)]
    return max(ends, key=lambda end: (end.payoffs[seat], -end.payoffs[root]))


@dataclass(frozen=True)
class Table:
    """All deals of a case: the filled position, and the ends after the best move and the runner-up."""

    deals: list[naive.Position]
    best: list[End]
    rival: list[End]


@cache
def table(players: int, seed: int) -> Table:
    one = case(players, seed)
    game, plain = read(one.text)[0], naive.read(one.text)
    filled = [naive.fill(plain, deal) for deal in naive.deals(plain)]
    root = one.position.to_move or 0

    def ends(move: Any) -> list[End]:
        if move is None:
            return []
        return [finish(naive.play(deal, game.format_event(move)), root) for deal in filled]

    return Table(filled, ends(one.evidence.move), ends(one.evidence.runner_up))


def agrees(value: Value | None, holds: Sequence[bool]) -> bool:
    """Whether the share of deals in which something holds is what the value says, within its error."""
    assert value is not None
    truth = sum(holds) / len(holds)
    return abs(value.number - truth) <= (SLACK * value.error if value.error else 1e-12)


def reasons(found: Case, kind: type) -> list[Any]:
    return [reason for reason in found.evidence.reasons if isinstance(reason, kind)]


@pytest.mark.parametrize(("players", "seed"), CASES)
def test_the_chances_are_those_of_all_deals(players: int, seed: int) -> None:
    found, every = case(players, seed), table(players, seed)
    (exact,) = reasons(found, Chances)
    assert exact.win.error == 0
    question = Question(position=found.position, objective="win", others=found.solution.others)
    unknown = replace(found.solution, shares_sampled=1)
    sampled = find_evidence(question, unknown, StateSearch(question), seed=1, watch=Watch()).reasons[0]
    assert isinstance(sampled, Chances)
    assert sampled.win.error > 0
    mover = found.position.players[found.position.to_move or 0]

    def won(ends: list[End]) -> list[bool]:
        return [end.outcome.winners == [mover] for end in ends]

    def lost(ends: list[End]) -> list[bool]:
        return [bool(end.outcome.winners) and mover not in end.outcome.winners for end in ends]

    for reason in (exact, sampled):
        assert agrees(reason.win, won(every.best))
        assert agrees(reason.loss, lost(every.best))
        assert (reason.win_instead is None) == (found.evidence.runner_up is None)
        if every.rival:
            assert agrees(reason.win_instead, won(every.rival))
            assert agrees(reason.loss_instead, lost(every.rival))


@pytest.mark.parametrize(("players", "seed"), CASES)
def test_the_risks_are_those_of_all_deals(players: int, seed: int) -> None:
    found, every = case(players, seed), table(players, seed)
    for reason in reasons(found, Risk):
        name, letter = found.position.players[reason.player], NAMES.backs[reason.type]
        after = [letter in end.outcome.shot[name] for end in every.best]
        assert agrees(reason.shot, after)
        if every.rival:
            instead = [letter in end.outcome.shot[name] for end in every.rival]
            assert agrees(reason.instead, instead)
            difference = (sum(after) - sum(instead)) / len(after)
            assert abs(reason.difference.number - difference) <= SLACK * reason.difference.error
            assert difference * reason.difference.number > 0


@pytest.mark.parametrize(("players", "seed"), CASES)
def test_gains_and_losses_are_those_of_all_deals(players: int, seed: int) -> None:
    found, every = case(players, seed), table(players, seed)
    root = found.position.to_move or 0
    if found.evidence.runner_up is None:
        assert reasons(found, Paired) == []
        return
    ahead = [one.payoffs[root] - other.payoffs[root] for one, other in zip(every.best, every.rival, strict=True)]
    (paired,) = reasons(found, Paired)
    assert agrees(paired.better, [by > 0 for by in ahead])
    assert agrees(paired.worse, [by < 0 for by in ahead])
    assert agrees(paired.same, [by == 0 for by in ahead])
    assert found.evidence.lead == Value.exactly(sum(ahead, Fraction(0)) / len(ahead))
    for reason in reasons(found, When):
        said = reason.found
        holds = [condition_holds(said.condition, deal) for deal in every.deals]
        inside = [by for by, held in zip(ahead, holds, strict=True) if held]
        outside = [by for by, held in zip(ahead, holds, strict=True) if not held]
        assert agrees(said.share, holds)
        assert agrees(said.better, [by > 0 for by in inside])
        assert agrees(said.worse, [by < 0 for by in inside])
        assert agrees(said.better_else, [by > 0 for by in outside])
        assert agrees(said.worse_else, [by < 0 for by in outside])
        assert sum(inside) > 0


def condition_holds(condition: Condition, filled: naive.Position) -> bool:
    """A condition read afresh, on a filled position."""
    letter = NAMES.backs[condition.type]
    player = None if condition.player is None else filled["players"][condition.player]
    billy = [card for card, _ in filled["billy"][letter]]
    column = billy if player is None else filled["loot"][player][letter]
    worth, billys = naive.total(naive.survivors(column)), naive.total(naive.survivors(billy))
    if condition.where == "above":
        return (worth > billys) == (condition.compare == ">")
    if condition.where == "total":
        return naive.compares(f"{letter}{worth}", condition.compare, str(condition.number))
    cards = [column[condition.place - 1]] if condition.where == "card" else filled["hands"][player]
    sign, bound = ("=", "!") if condition.compare == "!" else (condition.compare, str(condition.number))
    return any(card[0] == letter and naive.compares(card, sign, bound) for card in cards)


@pytest.mark.parametrize(("players", "seed"), CASES)
def test_every_condition_holds_in_the_deals_that_it_says(players: int, seed: int) -> None:
    layout = Layout(case(players, seed).position)
    cards = layout.sample(np.random.default_rng(seed), 60)
    filled = [as_naive(state_of(layout, dealt)) for dealt in cards]
    found = list(conditions(layout, cards))
    assert {condition.where for condition, _ in found} == {"card", "hand", "total", "above"}
    for condition, holds in found:
        assert holds.tolist() == [condition_holds(condition, deal) for deal in filled], condition


def as_naive(state: State) -> naive.Position:
    """What of a state is needed to tell whether a condition holds."""

    def column(cards: Sequence[int]) -> list[str]:
        return [NAMES.format(card) for card in cards]

    return {
        "players": state.players,
        "billy": {NAMES.backs[kind]: [(card, None) for card in column(state.billy_cards(kind))] for kind in range(5)},
        "loot": {
            name: {NAMES.backs[kind]: column(loot[kind]) for kind in range(5)}
            for name, loot in zip(state.players, state.loots, strict=True)
        },
        "hands": {name: column(hand) for name, hand in zip(state.players, state.hands, strict=True)},
    }


@pytest.mark.parametrize(("players", "seed"), CASES)
def test_the_reply_to_fear_is_best_and_better_than_any_dump(players: int, seed: int) -> None:
    found, every = case(players, seed), table(players, seed)
    game, root = read(found.text)[0], found.position.to_move or 0
    for feared in reasons(found, Feared):
        reply = feared.reply
        assert reply.player == (root + 1) % players
        comes, wins, wins_dumped, effects = [], [], [], []
        for deal in every.deals:
            after = naive.play(deal, game.format_event(found.evidence.move))
            moves = naive.moves(after)
            ends = {move: finish(naive.play(after, move), reply.player) for move in moves}
            best = max(end.payoffs[reply.player] for end in ends.values())
            dump = max((m for m in moves if m.startswith("dump")), key=lambda m: ends[m].payoffs[reply.player])
            fitting = [m for m in moves if fits(reply.look, m, after) and ends[m].payoffs[reply.player] == best]
            comes.append(bool(fitting) and best > ends[dump].payoffs[reply.player])
            if comes[-1]:
                mover = found.position.players[root]
                end, dumped = ends[fitting[0]].outcome, ends[dump].outcome
                wins.append(end.winners == [mover])
                wins_dumped.append(dumped.winners == [mover])
                effects.append(does(reply.effect, found.position, end, dumped))
        assert reply.searched
        assert agrees(reply.share, comes)
        assert agrees(reply.win, wins)
        assert agrees(reply.win_else, wins_dumped)
        truth = sum(effects) / len(effects)
        assert truth >= reply.effect.share.number - SLACK * reply.effect.share.error


def fits(look: Any, move: str, filled: naive.Position) -> bool:
    verb, card = move.split()
    shows = verb == "claim" and bool(filled["loot"][filled["to_move"]][card[0]])
    face = NAMES.faces.index(card[1:]) if shows else None
    return (verb, NAMES.backs.index(card[0]), face) == tuple(look)


def does(effect: Any, position: Position, end: naive.Outcome, dumped: naive.Outcome) -> bool:
    """Whether a reply has the effect told, in one deal."""
    name = position.players[effect.player]
    if effect.kind == "points":
        return end.shot == dumped.shot
    letter = NAMES.backs[effect.type]
    before, after = letter in dumped.shot[name], letter in end.shot[name]
    return (after and not before) if effect.kind == "shot" else (before and not after)


def test_the_cases_have_every_kind_of_reason() -> None:
    found = [reason.kind for players, seed in CASES for reason in case(players, seed).evidence.reasons]
    for kind in ("chances", "shot", "paired", "when", "reply"):
        assert found.count(kind) >= 4
    assert any(case(*one).evidence.runner_up is None for one in CASES)
    assert all(len(case(*one).evidence.reasons) <= 5 for one in CASES)


@pytest.mark.parametrize("name", ["small-1", "small-2", "small-4"])
def test_with_cards_to_draw_the_lines_looked_at_end_as_the_exact_shares_say(name: str) -> None:
    game, position = read((REFERENCE / f"{name}.toml").read_text())
    solution, question = solve(game, position, lens="open"), ask(game, position)
    first, second = (found for found in (solution.moves[0], solution.moves[-1]))
    assert solution.exact
    assert isinstance(first.move, Move)
    assert isinstance(second.move, Move)
    seen = look(StateSearch(question), [first.move, second.move], seed=3, most=4096, watch=Watch())
    seat = position.to_move
    for column, found in enumerate((first, second)):
        assert found.shares is not None
        won = (seen.winners[:, column] == 1 << seat).mean()
        lost = ((seen.winners[:, column] != 0) & (seen.winners[:, column] >> seat & 1 == 0)).mean()
        shot = (seen.shot[:, column, seat] != 0).mean()
        for sampled, share in ((won, "win"), (lost, "loss"), (shot, "shot")):
            assert abs(sampled - found.shares[share]) < 0.025, share
        assert abs(seen.values[:, column].mean() - found.value.number) < 0.05


def test_the_same_seed_gives_the_same_evidence() -> None:
    one = case(2, 26)
    game, position = read(one.text)
    question = ask(game, position)

    def again(seed: int) -> Evidence:
        return find_evidence(question, one.solution, StateSearch(question), seed=seed, watch=Watch())

    assert again(1) == one.evidence
    assert again(2) != one.evidence
