"""The last mover's values and shares, beside listed deals and, at real size, beside independent ways of counting."""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from solver.cards import back_of, is_hidden
from solver.deals import Pool, Sampler, count_deals, count_pool, list_deals, list_pool
from solver.errors import IllegalError
from solver.games.blasting_billy import rules
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, TYPES, removed_at_setup
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import fill, hidden_pools, observe
from solver.games.blasting_billy.last_mover.computation import prepare_last_mover
from solver.games.blasting_billy.last_mover.type_classes import FACE_UP, POINT, Classes, TypeDeals
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.random_play import play_randomly
from solver.games.blasting_billy.scoring import outcome, payoffs
from solver.games.blasting_billy.table import Move, Position, State
from solver.methods.minimax import Listing
from solver.watch import Progress, Stopped, Watch
from tests import naive
from tests.billy.last_turns import ask, forget, real_last_turn, small_last_turns, solve
from tests.billy.samples import with_facts

REFERENCE = Path(__file__).parent.parent / "reference"


@cache
def twin_score(players: tuple[str, ...], billy: tuple[str, ...], loots: tuple[tuple[str, ...], ...]) -> naive.Outcome:
    def apart(cards: tuple[str, ...]) -> dict[str, list[str]]:
        return {kind: [card for card in cards if card[0] == kind] for kind in naive.TYPES}

    return naive.score(apart(billy), dict(zip(players, map(apart, loots), strict=True)))


def twin_outcome(state: State) -> naive.Outcome:
    billy = tuple(NAMES.format(laid.card) for column in state.billy for laid in column)
    loots = tuple(tuple(NAMES.format(card) for column in loot for card in column) for loot in state.loots)
    return twin_score(state.players, billy, loots)


def list_endings(position: Position, move: Move) -> tuple[list[tuple[Fraction, naive.Outcome]], int]:
    """Every way the game can end after a move, each with the share of a deal it stands for; and the number of deals."""
    endings: list[tuple[Fraction, naive.Outcome]] = []
    deals = 0
    for deal in list_deals(hidden_pools(position)):
        deals += 1
        state = fill(position, deal)
        meanings = rules.meanings(position, state, move)
        endings += [(Fraction(1, len(meanings)), twin_outcome(rules.play(state, meant))) for meant in meanings]
    return endings, deals


def shares_of(endings: list[tuple[Fraction, naive.Outcome]], me: str, deals: int) -> dict[str, float]:
    shares: dict[str, Fraction] = dict.fromkeys(("win", "shared", "loss", "billy", "shot"), Fraction(0))
    for weight, ending in endings:
        if ending.billy_wins:
            shares["billy"] += weight
        elif me not in ending.winners:
            shares["loss"] += weight
        else:
            shares["win" if len(ending.winners) == 1 else "shared"] += weight
        shares["shot"] += weight if ending.shot[me] else 0
    return {name: float(share / deals) for name, share in shares.items()}


def note(seen: Counter[str], position: Position, endings: list[tuple[Fraction, naive.Outcome]]) -> None:
    """What a test has met, so that it can say that it met everything."""
    assert position.me is not None
    me = position.players[position.me]
    seen[f"{len(position.players)} players"] += 1
    seen[f"hand of {position.deck.hand}"] += 1
    seen["facts"] += bool(position.facts)
    seen["box"] += position.boxed
    seen["forgotten in hand"] += any(map(is_hidden, position.hands[position.me]))
    seen["forgotten loot"] += any(is_hidden(card) for column in position.loots[position.me] for card in column[:1])
    for _, ending in endings:
        all_shot = all(ending.shot.values())
        seen["all shot, mover wins"] += all_shot and me in ending.winners
        seen["Billy wins"] += ending.billy_wins
        seen["Billy wins though a shot player has points"] += ending.billy_wins and any(ending.points.values())
        if me in ending.winners:
            seen[f"{len(ending.winners)} win together"] += 1


@pytest.mark.parametrize("seed", range(4))
def test_values_and_shares_are_those_of_all_deals_with_the_twins_scoring(seed: int) -> None:
    seen: Counter[str] = Counter()
    for position in islice(small_last_turns(seed, most_deals=120), 90):
        assert position.me is not None
        me = position.players[position.me]
        objectives = ("win", "margin") if len(position.players) == 2 else ("win",)
        found = {objective: solve(position, objective) for objective in objectives}
        choices = rules.choices(position)
        for number, move in enumerate(choices):
            endings, deals = list_endings(position, move)
            note(seen, position, endings)
            for objective in objectives:
                pay = naive.win_payoffs if objective == "win" else naive.margin_payoffs
                total = sum((weight * pay(end, position.players)[position.me] for weight, end in endings), Fraction(0))
                answer = found[objective][number]
                assert answer.move == move
                assert answer.value.fraction == total / deals, (format_position(position), move, objective)
                assert answer.shares == shares_of(endings, me, deals), (format_position(position), move)
        assert all(len(answers) == len(choices) for answers in found.values())
    expected = ["facts", "box", "forgotten in hand", "forgotten loot", "all shot, mover wins", "Billy wins"]
    expected += [*(f"{n} players" for n in range(2, 6)), *(f"hand of {n}" for n in (1, 2, 3))]
    expected += ["Billy wins though a shot player has points", *(f"{n} win together" for n in (1, 2, 3, 4))]
    assert min(seen[name] for name in expected) >= 3, seen


def test_values_are_those_of_the_method_for_any_game() -> None:
    game = BlastingBilly()
    for position in islice(small_last_turns(99, most_deals=200), 40):
        assert position.me is not None
        for objective in ("win", "margin") if len(position.players) == 2 else ("win",):
            expected = Listing(
                game,
                position,
                mover=position.me,
                objective=objective,
                others=None,
                deals=count_deals(hidden_pools(position)),
            ).run(Watch())
            assert [(a.move, a.value) for a in solve(position, objective)] == [(a.move, a.value) for a in expected]


def test_the_reference_answer_for_a_last_move_is_met() -> None:
    answers = json.loads((REFERENCE / "answers.json").read_text(encoding="utf-8"))
    answer = next(answer for answer in answers if answer["position"] == "real-pile0-9.toml")
    position = parse_position((REFERENCE / "real-pile0-9.toml").read_text(encoding="utf-8"))
    found = {BlastingBilly().format_event(each.move): str(each.value.fraction) for each in solve(position)}  # type: ignore[arg-type]
    assert found == answer["moves"]


def test_real_decks_with_nearly_everything_known_are_as_all_deals_say() -> None:
    """Facts say what most cards are, until the deals can be listed."""
    rng = Random(5)
    seen: Counter[str] = Counter()
    for number in range(16):
        players = 2 + number % 4
        state, _ = play_randomly(
            players=players,
            pile=0,
            turns_left=1,
            deck=REAL_DECK,
            removed=removed_at_setup(players),
            rng=rng,
        )
        position = _nearly_known(state, rng, most_deals=150)
        for move, answer in zip(rules.choices(position), solve(position), strict=True):
            endings, deals = list_endings(position, move)
            assert position.me is not None
            seat, me = position.me, position.players[position.me]
            pay = [weight * naive.win_payoffs(ending, position.players)[seat] for weight, ending in endings]
            total = sum(pay, Fraction(0))
            assert answer.value.fraction == total / deals, (format_position(position), move)
            assert answer.shares == shares_of(endings, me, deals)
            seen["several deals"] += deals > 1
            seen["not certain"] += 0 < abs(total) < deals
    assert min(seen["several deals"], seen["not certain"]) >= 30, seen


def _nearly_known(state: State, rng: Random, *, most_deals: int) -> Position:
    position = observe(state, state.to_move)
    facts = []
    for kind in TYPES:
        letter = NAMES.backs[kind]
        for place, laid in enumerate(state.billy[kind], 1):
            facts.append(f"billy.{letter}.{place} = {NAMES.format_face(laid.card)}")
        for name, loot, hand in zip(state.players, state.loots, state.hands, strict=True):
            if loot[kind]:
                facts.append(f"{name}.loot.{letter} = {NAMES.format_face(loot[kind][0])}")
            for card in hand:
                if back_of(card) == kind:
                    facts.append(f"some {name}.hand.{letter} = {NAMES.format_face(card)}")
    rng.shuffle(facts)
    fewest = parse_position(with_facts(position, facts))
    assert count_deals(hidden_pools(fewest)) == 1
    while True:
        dropped = facts[2:]
        fewer = parse_position(with_facts(position, dropped))
        if count_deals(hidden_pools(fewer)) > most_deals:
            return fewest
        facts, fewest = dropped, fewer


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_classes_of_a_real_type_are_those_of_its_listed_deals(players: int) -> None:
    compared = 0
    for seed in range(40):
        position = real_last_turn(players, seed)
        if seed % 2:
            position = parse_position(format_position(forget(position, Random(seed), 0.25)))
        for pool in hidden_pools(position):
            kind = NAMES.backs.index(pool.name)
            moves = [move for move in rules.choices(position) if back_of(move.card) == kind and move.verb != "dump"]
            if moves and count_pool(pool) < 3000:
                for move in (None, *moves):
                    assert TypeDeals(position, kind, pool).classes(move) == _listed_classes(position, pool, move)
                    compared += 1
        if compared >= 15:
            return
    raise AssertionError("too few types that can be listed")


def _listed_classes(position: Position, pool: Pool, move: Move | None) -> Classes:
    """Deal by deal; a forgotten card is each of those it may be."""
    kind, mover = NAMES.backs.index(pool.name), position.players[position.to_move or 0]
    classes: Classes = defaultdict(int)
    for deal in list_pool(pool):
        dealt = {cell.name: cards for cell, cards in zip(pool.cells, deal, strict=True)}
        played = dealt[f"{mover}.hand.{pool.name}"] if move and is_hidden(move.card) else [move.card if move else 0]
        for card in played:
            billy = [
                dealt[f"billy.{pool.name}.{place}"][0] if is_hidden(laid.card) else laid.card
                for place, laid in enumerate(position.billy[kind], 1)
            ]
            columns = {
                name: [dealt[f"{name}.loot.{pool.name}"][0] if is_hidden(seen) else seen for seen in loot[kind]]
                for name, loot in zip(position.players, position.loots, strict=True)
            }
            if move is not None:
                (billy if move.verb == "give" else columns[mover]).append(card)
            bound = naive.total(naive.survivors([*map(NAMES.format, billy)]))
            row = []
            for column in columns.values():
                left = naive.survivors([*map(NAMES.format, column)])
                points = naive.total(left)
                row.append(1 - 2 * len(left) if points > bound else 2 * (POINT * points - FACE_UP * len(left)))
            classes[tuple(row)] += 1
    return classes


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_real_positions_are_as_sampled_deals_say(players: int) -> None:
    """Within five standard deviations of the mean over deals drawn at random."""
    number = 500
    for seed in (21, 22, 23):
        position = real_last_turn(players, seed)
        found = solve(position)
        assert position.me is not None
        sampler = Sampler(hidden_pools(position), Random(seed))
        states = [fill(position, sampler.draw()) for _ in range(number)]
        for answer in (found[0], found[4], found[8]):
            ends = [rules.play(state, answer.move) for state in states]  # type: ignore[arg-type]
            values = [payoffs(end, "win")[position.me] for end in ends]
            _check_mean(answer.value.number, [float(value) for value in values])
            results = [outcome(end) for end in ends]
            shares = answer.shares or {}
            _check_mean(shares["win"], [float(result.winners == (position.me,)) for result in results])
            _check_mean(shares["billy"], [float(not result.winners) for result in results])
            _check_mean(shares["shot"], [float(bool(result.shot[position.me])) for result in results])


def _check_mean(expected: float, values: list[float]) -> None:
    mean = sum(values) / len(values)
    variance = max(expected * (1 - abs(expected)), sum((value - mean) ** 2 for value in values) / len(values))
    assert abs(mean - expected) <= 5 * (variance / len(values)) ** 0.5 + 10 / len(values)


def test_no_more_than_the_very_last_move_is_taken_on() -> None:
    rng = Random(3)
    for turns_left in (2, 3):
        state, _ = play_randomly(players=3, pile=0, turns_left=turns_left, deck=REAL_DECK, removed=6, rng=rng)
        assert prepare_last_mover(ask(observe(state, state.to_move))) is None
    state, _ = play_randomly(players=3, pile=1, turns_left=3, deck=REAL_DECK, removed=6, rng=rng)
    assert prepare_last_mover(ask(observe(state, state.to_move))) is None
    state, _ = play_randomly(players=3, pile=0, turns_left=1, deck=REAL_DECK, removed=6, rng=rng)
    assert prepare_last_mover(ask(observe(state, state.to_move))) is not None
    assert prepare_last_mover(ask(observe(state, None))) is None
    assert prepare_last_mover(ask(observe(state, (state.to_move or 0) - 1))) is None
    state, _ = play_randomly(players=3, pile=0, turns_left=0, deck=REAL_DECK, removed=6, rng=rng)
    assert prepare_last_mover(ask(observe(state, 0))) is None


def test_margin_is_refused_for_three_players() -> None:
    with pytest.raises(IllegalError, match="two players"):
        prepare_last_mover(ask(real_last_turn(3, 0), "margin"))


def test_a_stop_is_noticed_and_progress_is_told() -> None:
    computation = prepare_last_mover(ask(real_last_turn(4, 1)))
    assert computation is not None
    told: list[Progress] = []
    computation.run(Watch(report=told.append))
    assert told
    assert all(progress.done is not None and 0 <= progress.done <= 1 for progress in told)
    watch = Watch(report=lambda _: watch.stop())
    with pytest.raises(Stopped):
        computation.run(watch)
    with pytest.raises(Stopped):
        computation.run(Watch(budget=0.0))


def test_the_size_tells_small_from_large_before_anything_is_counted() -> None:
    small, large = (prepare_last_mover(ask(real_last_turn(*which))) for which in ((3, 1), (5, 2)))
    assert small is not None
    assert large is not None
    assert "pairs of states" in small.size.words
    assert 0 < small.size.seconds < large.size.seconds < 60
    assert 0 < small.size.memory < large.size.memory < 1e9


def test_two_players_need_no_compiled_code() -> None:
    text = format_position(real_last_turn(2, 4))
    script = f"""
import sys
from solver.games.blasting_billy.last_mover.computation import prepare_last_mover
from solver.games.blasting_billy.position_text import parse_position
from solver.shortcuts import Question
from solver.watch import Watch
question = Question(position=parse_position({text!r}), objective="win", others=None)
computation = prepare_last_mover(question)
assert computation.size.seconds < 0.1
assert len(computation.run(Watch())) == 9
assert "numba" not in sys.modules and "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
