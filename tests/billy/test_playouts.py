"""Playouts: legal games to the end, in which everyone goes by what they see, scored as the rules say."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from random import Random

import numpy as np
import pytest

from solver.cards import HIDDEN, Card, back_of, face_of, hide, is_hidden, make_card
from solver.game import OVER
from solver.games.blasting_billy.deck import REAL_DECK, TYPES, Deck, removed_at_setup, worth
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.playouts import _playout_kernel as kernel
from solver.games.blasting_billy.playouts import greedy
from solver.games.blasting_billy.playouts.evaluator import Batch, Playouts
from solver.games.blasting_billy.position_text import parse_position
from solver.games.blasting_billy.random_play import SEATS, play_randomly
from solver.games.blasting_billy.rules import Draw, chances, choices, moves, play, shuffled, turn
from solver.games.blasting_billy.scoring import outcome, payoffs, survivors, total
from solver.games.blasting_billy.search.layout import BILLY, BOX, HAND, LOOT, PILE, Layout
from solver.games.blasting_billy.search.lines import NO_REPLY, read_reply, write_reply
from solver.games.blasting_billy.table import VERBS, Laid, Move, Position, State
from solver.shortcuts import Question
from tests.billy.samples import small_states

DEALS = 4


def playouts(position: Position, objective: str = "win") -> Playouts:
    return Playouts(Question(position=position, objective=objective, others=None))


def real_state(players: int, pile: int, seed: int, turns_left: int | None = None) -> State:
    """A state of the real game, reached by random play."""
    removed, last = removed_at_setup(players), players if turns_left is None else turns_left
    return play_randomly(
        players=players,
        pile=pile,
        turns_left=last,
        deck=REAL_DECK,
        removed=removed,
        rng=Random(seed),
        covered=seed % 3 == 0,
    )[0]


def stages(players: int) -> Iterator[State]:
    """The real game from the first turn to the last."""
    first = 60 - removed_at_setup(players) - 3 * players
    for number, pile in enumerate((first, 30, 9, 4, 1, 0)):
        yield real_state(players, pile, seed=players * 10 + number)
    for left in range(1, players):
        yield real_state(players, 0, seed=left, turns_left=left)


def small_games(number: int) -> list[State]:
    """States of reduced decks with hands of one to three cards, in which somebody is to move."""
    return list(islice((state for state in small_states(Random(8)) if state.to_move is not None), number))


STATES = [state for players in (2, 3, 4, 5) for state in stages(players)] + small_games(60)


def dealt(position: Position, batch: Batch, deal: int) -> State:
    """The state of one deal of a batch, slot by slot."""
    layout = Layout(position)

    def cards(zone: int, kind: int) -> list[Card]:
        slots = np.flatnonzero(layout.zones[kind] == zone)
        return [make_card(kind, int(batch.faces[deal, kind, slot])) for slot in slots]

    def laid(zone: int, kind: int) -> list[Laid]:
        owners = layout.owners[kind, np.flatnonzero(layout.zones[kind] == zone)]
        found = zip(cards(zone, kind), owners, strict=True)
        return [Laid(card, int(owner) if owner >= 0 else None) for card, owner in found]

    seats = range(len(position.players))
    box = [one for kind in TYPES for one in laid(BOX, kind)]
    return State(
        players=position.players,
        deck=position.deck,
        hands=tuple(tuple(sorted(card for kind in TYPES for card in cards(HAND + seat, kind))) for seat in seats),
        loots=tuple(tuple(tuple(cards(LOOT + seat, kind)) for kind in TYPES) for seat in seats),
        billy=tuple(tuple(laid(BILLY, kind)) for kind in TYPES),
        dumped=tuple(one for one in box if one.owner is not None),
        removed=tuple(one.card for one in box if one.owner is None),
        top=position.top,
        to_move=position.to_move,
        pile=tuple(sorted(card for kind in TYPES for card in cards(PILE, kind))),
    )


def replay(state: State, batch: Batch, deal: int, trace: list[int]) -> Iterator[tuple[State, Move]]:
    """Every state of a playout with the move that was made there, checked against the rules; last the end."""
    drawn, left = [int(card) for card in batch.piles[deal]], list(trace)
    while turn(state) != OVER:
        move = read_reply(left.pop(0))
        assert move in moves(state)
        yield state, move
        state = play(state, move)
        if state.drawing:
            card = drawn.pop(0)
            top = back_of(drawn[0]) if drawn and state.top is not None else None
            assert Draw(card, top) in dict(chances(state))
            state = play(state, Draw(card, top))
    assert not drawn
    assert set(left) <= {NO_REPLY}
    yield state, Move("give", 0)


def seen(state: State) -> Position:
    return observe(state, state.to_move)


def bits(numbers: object) -> int:
    assert isinstance(numbers, tuple | frozenset)
    return sum(1 << number for number in numbers)


@pytest.mark.parametrize("state", STATES)
def test_a_playout_is_a_legal_game_with_the_end_that_the_rules_give_it(state: State) -> None:
    position = seen(state)
    evaluator = playouts(position)
    batch = evaluator.draw(np.random.default_rng(1), DEALS)
    everyone = range(len(evaluator.moves))
    lines, values = evaluator.lines(batch, everyone), evaluator.values(batch, everyone)
    trace = evaluator.trace(batch, everyone)
    margins = playouts(position, "margin").values(batch, everyone) if len(state.players) == 2 else None
    mover = position.to_move
    assert mover is not None
    for deal in range(DEALS):
        start = dealt(position, batch, deal)
        assert seen(start) == position
        for number, move in enumerate(evaluator.moves):
            made = trace[deal, number].tolist()
            assert read_reply(made[0]) == move
            *_, (end, _) = replay(start, batch, deal, made)
            result = outcome(end)
            assert lines.winners[deal, number] == bits(result.winners)
            assert lines.shot[deal, number].tolist() == [bits(shot) for shot in result.shot]
            assert lines.replies[deal, number] == made[1]
            assert Fraction(int(values[deal, number]), evaluator.scale) == payoffs(end, "win")[mover]
            assert margins is None or margins[deal, number] == payoffs(end, "margin")[mover]


@pytest.mark.parametrize("state", STATES[::2])
def test_everyone_in_a_playout_plays_what_the_greedy_player_chooses_from_their_chair(state: State) -> None:
    position = seen(state)
    evaluator = playouts(position)
    batch = evaluator.draw(np.random.default_rng(2), 1)
    trace = evaluator.trace(batch, [0])[0, 0].tolist()
    first, *later, _ = replay(dealt(position, batch, 0), batch, 0, trace)
    assert first[1] == evaluator.moves[0]
    for reached, move in later:
        assert greedy.choose(seen(reached), Random(3)) == move


@pytest.mark.parametrize("state", STATES)
def test_the_greedy_player_does_not_look_at_hidden_cards(state: State) -> None:
    """Other deals of what the player cannot see, drawn by other generators, change nothing."""
    position = seen(state)
    assert len({greedy.choose(position, Random(seed)) for seed in range(6)}) == 1


def test_the_greedy_player_does_look_at_the_cards_they_see() -> None:
    chosen = {greedy.choose(seen(real_state(2, 20, seed)), Random(0)) for seed in range(8)}
    assert len(chosen) > 3
    assert {move.verb for move in chosen} >= {"give", "claim"}


def test_the_same_seed_draws_the_same_playouts_and_another_does_not() -> None:
    evaluator = playouts(seen(real_state(3, 40, 5)))
    everyone = range(len(evaluator.moves))
    one, again, other = (evaluator.draw(np.random.default_rng(seed), 64) for seed in (7, 7, 8))
    assert np.array_equal(one.faces, again.faces)
    assert np.array_equal(one.piles, again.piles)
    assert np.array_equal(evaluator.values(one, everyone), evaluator.values(again, everyone))
    assert not np.array_equal(one.piles, other.piles)
    assert not np.array_equal(evaluator.values(one, everyone), evaluator.values(other, everyone))


def test_a_move_is_worth_the_same_whichever_others_are_tried_beside_it() -> None:
    evaluator = playouts(seen(real_state(2, 30, 6)))
    batch = evaluator.draw(np.random.default_rng(1), 50)
    values = evaluator.values(batch, range(len(evaluator.moves)))
    assert np.array_equal(evaluator.values(batch, [4, 1]), values[:, [4, 1]])
    assert len(np.unique(values)) > 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_shares_tell_how_the_lines_end(players: int) -> None:
    evaluator = playouts(seen(real_state(players, 12, 7)))
    everyone, batch = range(len(evaluator.moves)), evaluator.draw(np.random.default_rng(1), 300)
    win, shared, loss, billy, shot = np.moveaxis(evaluator.shares(batch, everyone), -1, 0)
    assert np.all(win + shared + loss + billy == 1)
    values = evaluator.values(batch, everyone) / evaluator.scale
    if players == 2:
        assert np.array_equal(values, win - loss)
    else:
        assert np.array_equal(values == 1, win == 1)
        assert np.array_equal((values > 0) & (values < 1), shared == 1)
    assert 0 < shot.mean() < 1
    assert np.ptp(values) <= evaluator.spread


def test_the_last_mover_gets_the_exact_score() -> None:
    """Nothing is left to a policy: the value is what the rules pay after the move."""
    for players in (2, 3, 4, 5):
        position = seen(real_state(players, 0, players, turns_left=1))
        evaluator = playouts(position)
        batch = evaluator.draw(np.random.default_rng(1), 40)
        values = evaluator.values(batch, range(len(evaluator.moves)))
        for deal in range(40):
            state, mover = dealt(position, batch, deal), position.to_move
            assert mover is not None
            paid = [payoffs(play(state, move), "win")[mover] for move in evaluator.moves]
            assert [Fraction(int(value), evaluator.scale) for value in values[deal]] == paid


@pytest.mark.parametrize("covered", [False, True])
def test_every_order_of_the_pile_that_shows_the_top_is_equally_likely(covered: bool) -> None:
    state = shuffled(SEATS[:2], Deck("JB", 0, 3, True, 2), removed=2, rng=Random(4), covered=covered)
    while len(state.pile) > 3:
        state = play(state, Random(len(state.pile)).choice(moves(state)))
        state = play(state, chances(state)[0][0])
    evaluator = playouts(seen(state))
    number = 6000
    batch = evaluator.draw(np.random.default_rng(2), number)
    orders: dict[tuple[int, ...], Counter[tuple[int, ...]]] = {}
    for pile in batch.piles.tolist():
        assert covered or back_of(pile[0]) == state.top
        orders.setdefault(tuple(sorted(pile)), Counter())[tuple(pile)] += 1
    kinds = Counter(back_of(card) for card in batch.piles[0].tolist())
    first = 3 if state.top is None else kinds[state.top]
    for counted in orders.values():
        expected = counted.total() / (first * 2)
        assert len(counted) == first * 2
        assert all(abs(times - expected) < 5 * expected**0.5 for times in counted.values())


def test_a_forgotten_card_is_any_of_those_it_may_be() -> None:
    state = next(
        state
        for state in (real_state(2, 10, seed) for seed in range(100))
        if state.to_move is not None and len({back_of(card) for card in state.hands[state.to_move]}) == 2
    )
    mover = state.to_move
    assert mover is not None
    backs = Counter(back_of(card) for card in state.hands[mover])
    pair = max(backs, key=lambda kind: backs[kind])
    position = seen(state)
    hand = tuple(sorted(hide(card) if back_of(card) == pair else card for card in state.hands[mover]))
    position = replace(position, hands=tuple(hand if seat == mover else h for seat, h in enumerate(position.hands)))
    evaluator = playouts(position)
    assert evaluator.moves == choices(position)
    assert len(evaluator.moves) == 6
    batch = evaluator.draw(np.random.default_rng(3), 400)
    trace = evaluator.trace(batch, range(6))
    played: Counter[Card] = Counter()
    for deal in range(400):
        start = dealt(position, batch, deal)
        for number, move in enumerate(evaluator.moves):
            made = read_reply(int(trace[deal, number, 0]))
            assert made in moves(start)
            assert (made.verb, back_of(made.card)) == (move.verb, back_of(move.card))
            assert is_hidden(move.card) or made == move
            if is_hidden(move.card):
                played[made.card] += 1
    unseen = next(hidden for hidden in evaluator._layout.hidden if hidden.kind == pair).unseen
    assert set(played) == {make_card(pair, int(face)) for face in unseen}
    expected = 400 * 3 / len(unseen)
    assert all(abs(times - expected) < 3 * 5 * (expected / 3) ** 0.5 for times in played.values())
    assert greedy.choose(position, Random(1)) in choices(position)


def _unowned(position: Position) -> Position:
    """The same with nobody remembering who gave or dumped what."""
    billy = tuple(tuple(Laid(hide(laid.card), None) for laid in column) for column in position.billy)
    removed = tuple(sorted((*position.removed, *(hide(laid.card) for laid in position.dumped))))
    return replace(position, billy=billy, dumped=(), removed=removed, boxed=True)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_cards_without_an_owner_are_known_to_nobody(players: int) -> None:
    position = _unowned(seen(real_state(players, 15, 9)))
    layout = Layout(position)
    knowers = greedy.know(layout)
    assert np.all(knowers[(layout.zones == BILLY) | (layout.zones == BOX) | (layout.zones == PILE)] == 0)
    evaluator = playouts(position)
    batch = evaluator.draw(np.random.default_rng(1), 3)
    lines, trace = evaluator.lines(batch, [0]), evaluator.trace(batch, [0])
    for deal in range(3):
        *_, (end, _) = replay(dealt(position, batch, deal), batch, deal, trace[deal, 0].tolist())
        assert lines.winners[deal, 0] == bits(outcome(end).winners)


def test_players_know_their_own_cards_what_they_laid_and_what_lies_face_up() -> None:
    for state in STATES:
        position = seen(state)
        layout = Layout(position)
        knowers = greedy.know(layout)
        for player in range(len(state.players)):
            view = Layout(observe(dealt(position, playouts(position).draw(np.random.default_rng(0), 1), 0), player))
            # slots of the box may be in another order, so its cards are counted
            for kind in TYPES:
                known = (knowers[kind] >> player & 1) == 1
                told = (view.faces[kind] != HIDDEN) & (view.zones[kind] >= 0)
                table = layout.zones[kind] != BOX
                assert np.array_equal(known[table], told[table])
                assert known.sum() == told.sum()


def _worths(column: tuple[Card, ...]) -> tuple[int, int]:
    """The worth of the cards seen in a column after the dynamite that is seen, and the number of hidden ones."""
    left = survivors(column)
    return sum(worth(card) for card in left if not is_hidden(card)), sum(map(is_hidden, left))


def test_the_sheets_of_a_playout_say_what_each_player_sees() -> None:
    for state in STATES:
        position = seen(state)
        layout, batch = Layout(position), playouts(position).draw(np.random.default_rng(4), 1)
        start = dealt(position, batch, 0)
        players = len(state.players)
        sheet = np.zeros((players + 1, kernel.ROWS, len(TYPES)), np.int64)
        hands = np.zeros((players, state.deck.hand), np.int64)
        kernel._set_up(batch.faces[0], layout.zones, greedy.know(layout), sheet, hands)
        table = observe(start, None)
        for player, kind in product(range(players), TYPES):
            view, rows = observe(start, player), sheet[player, :, kind].tolist()
            assert sorted(hands[player][hands[player] >= 0].tolist()) == list(start.hands[player])
            assert rows[kernel.SUM] == total(start.loots[player][kind])
            assert rows[kernel.COUNT] == len(survivors(start.loots[player][kind]))
            assert (rows[kernel.SHOWN], rows[kernel.COVERED]) == _worths(table.loots[player][kind])
            assert (rows[kernel.GIVEN], rows[kernel.UNKNOWN]) == _worths(view.billy_cards(kind))
            known = {card for hand in view.hands for card in hand} | {laid.card for laid in view.dumped}
            known |= {card for loot in view.loots for card in loot[kind]} | set(view.billy_cards(kind))
            unseen = [card for card in start.deck.cards_of(kind) if card not in known]
            assert (rows[kernel.UNSEEN], rows[kernel.UNSEEN_WORTH]) == (len(unseen), sum(map(worth, unseen)))
            assert sheet[players, kernel.SUM, kind] == total(start.billy_cards(kind))


LAST_TURN = """
game = "blasting-billy"
players = ["ann", "bob"]
me = "ann"
to_move = "ann"
billy = "J9@ann B8@ann"
dumped = "B?@bob B?@bob"
removed = "J1 J2 J3 J7 J8 J10 J! B3 B4 B5 B6 B7"

[hands]
ann = "J4 J6 B10"
bob = "B? B?"

[loot]
ann = "B0"
bob = "J? J5"

[pile]
size = 0

[deck]
types = "JB"
"""


def test_the_greedy_player_takes_a_win_that_lies_on_the_table() -> None:
    """bob's face-down card must be J0, so he has 5: J4 is too little, B10 is shot, only claiming J6 wins."""
    position = parse_position(LAST_TURN)
    evaluator = playouts(position)
    values = evaluator.values(evaluator.draw(np.random.default_rng(1), 20), range(9))
    wins = {move for move, value in zip(evaluator.moves, values.min(axis=0), strict=True) if value == 1}
    assert wins == {Move("claim", make_card(0, 6))} == {greedy.choose(position, Random(1))}


def test_the_greedy_player_beats_one_who_plays_at_random() -> None:
    rng = Random(11)
    wins = 0
    for game in range(60):
        state = shuffled(SEATS[:2], REAL_DECK, removed=12, rng=rng)
        while state.to_move is not None:
            sensible = state.to_move == game % 2
            state = play(state, greedy.choose(seen(state), rng) if sensible else rng.choice(moves(state)))
            if state.drawing:
                events, weights = zip(*chances(state), strict=True)
                state = play(state, rng.choices(events, weights)[0])
        wins += outcome(state).winners == (game % 2,)
    assert wins >= 45


def test_moves_are_read_back_as_they_were_written() -> None:
    for card in REAL_DECK.cards:
        assert face_of(card) < HIDDEN
        for verb in VERBS:
            assert read_reply(write_reply(Move(verb, card))) == Move(verb, card)
