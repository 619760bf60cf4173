"""The interface, held to by two published games: everything here goes through `Game` alone."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from solver.deals import count_deals, list_deals
from solver.errors import IllegalError, NotationError
from solver.game import CHANCE, OVER, Game
from tests.toys import KUHN, LEDUC, Position, State

Toy = Game[Position, State, str]
Betting = Mapping[Position, Fraction]
"""In Kuhn poker: the chance to bet at each of a player's information sets."""

TOYS = pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
ALPHAS = pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 6), Fraction(1, 3)], ids=str)


def first_states(game: Toy) -> list[State]:
    start = game.parse(f"{game.name} ann=? bob=?")
    return [game.fill(start, deal) for deal in list_deals(game.hidden(start))]


def followers(game: Toy, state: State) -> list[State]:
    turn = game.turn(state)
    if turn == OVER:
        return []
    events = [event for event, _ in game.chances(state)] if turn == CHANCE else game.moves(state)
    return [game.play(state, event) for event in events]


def walk(game: Toy, state: State) -> Iterator[State]:
    yield state
    for follower in followers(game, state):
        yield from walk(game, follower)


def all_states(game: Toy) -> tuple[State, ...]:
    return _all_states(game.name)


@cache
def _all_states(name: str) -> tuple[State, ...]:
    game = {game.name: game for game in (KUHN, LEDUC)}[name]
    return tuple(state for first in first_states(game) for state in walk(game, first))


def information_sets(game: Toy, player: int) -> list[Position]:
    states = (state for state in all_states(game) if game.turn(state) == player)
    return list(dict.fromkeys(game.observe(state, player) for state in states))


def kuhn_value(state: State, betting: tuple[Betting, Betting]) -> Fraction:
    """What the first player gets on average."""
    player = KUHN.turn(state)
    if player == OVER:
        return KUHN.payoffs(state, "chips")[0]
    bet = betting[player][KUHN.observe(state, player)]
    chances = {"bet": bet, "pass": 1 - bet}
    return sum(
        (chances[move] * kuhn_value(KUHN.play(state, move), betting) for move in KUHN.moves(state) if chances[move]),
        Fraction(0),
    )


def kuhn_average(betting: tuple[Betting, Betting]) -> Fraction:
    firsts = first_states(KUHN)
    return sum((kuhn_value(state, betting) for state in firsts), Fraction(0)) / len(firsts)


def kuhn_equilibrium(alpha: Fraction) -> tuple[Betting, Betting]:
    """Kuhn (1950): the first player's optimal strategies are a family in alpha, the second's is unique."""
    third = Fraction(1, 3)
    first = {
        "ann=J bob=?": alpha,
        "ann=Q bob=?": Fraction(0),
        "ann=K bob=?": 3 * alpha,
        "ann=J bob=? pass bet": Fraction(0),
        "ann=Q bob=? pass bet": alpha + third,
        "ann=K bob=? pass bet": Fraction(1),
    }
    second = {
        "ann=? bob=J pass": third,
        "ann=? bob=Q pass": Fraction(0),
        "ann=? bob=K pass": Fraction(1),
        "ann=? bob=J bet": Fraction(0),
        "ann=? bob=Q bet": third,
        "ann=? bob=K bet": Fraction(1),
    }
    return _read(first), _read(second)


def _read(table: Mapping[str, Fraction]) -> Betting:
    return {KUHN.parse(f"kuhn {text}"): chance for text, chance in table.items()}


def pure_strategies(player: int) -> Iterator[Betting]:
    sets = information_sets(KUHN, player)
    for bets in product((Fraction(0), Fraction(1)), repeat=len(sets)):
        yield dict(zip(sets, bets, strict=True))


@ALPHAS
def test_kuhns_equilibria_give_the_first_player_minus_one_eighteenth(alpha: Fraction) -> None:
    assert kuhn_average(kuhn_equilibrium(alpha)) == Fraction(-1, 18)


@ALPHAS
def test_no_pure_strategy_of_the_first_player_beats_kuhns_second(alpha: Fraction) -> None:
    _, second = kuhn_equilibrium(alpha)
    values = [kuhn_average((pure, second)) for pure in pure_strategies(0)]
    assert len(values) == 2**6
    assert max(values) == Fraction(-1, 18)


@ALPHAS
def test_no_pure_strategy_of_the_second_player_beats_kuhns_first(alpha: Fraction) -> None:
    first, _ = kuhn_equilibrium(alpha)
    values = [kuhn_average((first, pure)) for pure in pure_strategies(1)]
    assert len(values) == 2**6
    assert min(values) == Fraction(-1, 18)


def test_a_larger_alpha_than_a_third_loses_to_some_pure_strategy() -> None:
    first, _ = kuhn_equilibrium(Fraction(1, 3))
    jack = KUHN.parse("kuhn ann=J bob=?")
    bluffing = {**first, jack: Fraction(1, 2)}
    assert min(kuhn_average((bluffing, pure)) for pure in pure_strategies(1)) < Fraction(-1, 18)


@pytest.mark.parametrize(
    ("game", "each"),
    [
        (KUHN, 6),  # 3 cards at 2 points of the betting
        (LEDUC, 468),  # 6 cards * 3 points before the board; 30 hands and boards * 5 ways there * 3 after
    ],
    ids=["kuhn", "leduc"],
)
def test_each_player_has_the_published_number_of_information_sets(game: Toy, each: int) -> None:
    assert [len(information_sets(game, player)) for player in (0, 1)] == [each, each]


def test_leduc_has_288_information_sets_when_suits_are_not_told_apart() -> None:
    # 3 ranks * 6 points before the board, 9 ranks of hand and board * 5 ways there * 6 points after
    positions = [*information_sets(LEDUC, 0), *information_sets(LEDUC, 1)]
    by_rank = {LEDUC.format(position).translate({ord("1"): None, ord("2"): None}) for position in positions}
    assert len(by_rank) == 3 * 6 + 9 * 5 * 6 == 288


@pytest.mark.parametrize(
    ("game", "decisions", "chances", "ends"),
    [
        # 6 deals; decisions after nothing, p, b, pb; ends pp, pbp, pbb, bp, bb
        (KUHN, 6 * 4, 0, 6 * 5),
        # 30 pairs of hands; in a round decisions after nothing, c, r, cr, rr, crr; folds rf, crf, rrf, crrf;
        # calls cc, rc, crc, rrc, crrc, which end the game or bring one of 4 board cards
        (LEDUC, 30 * 6 + 30 * 5 * 4 * 6, 30 * 5, 30 * 4 + 30 * 5 * 4 * (4 + 5)),
    ],
    ids=["kuhn", "leduc"],
)
def test_histories_are_as_many_as_the_closed_form_says(game: Toy, decisions: int, chances: int, ends: int) -> None:
    turns = [game.turn(state) for state in all_states(game)]
    assert sum(turn >= 0 for turn in turns) == decisions
    assert turns.count(CHANCE) == chances
    assert turns.count(OVER) == ends
    assert len(set(all_states(game))) == len(turns)


@TOYS
def test_what_one_player_wins_the_other_loses(game: Toy) -> None:
    ends = [state for state in all_states(game) if game.turn(state) == OVER]
    assert all(sum(game.payoffs(state, "chips")) == 0 for state in ends)


@pytest.mark.parametrize(("game", "most"), [(KUHN, 1 + 1), (LEDUC, 1 + 2 * 2 + 2 * 4)], ids=["kuhn", "leduc"])
def test_the_most_a_player_can_win_is_the_ante_and_all_raises(game: Toy, most: int) -> None:
    won = [game.payoffs(state, "chips")[0] for state in all_states(game) if game.turn(state) == OVER]
    assert min(won) == -most
    assert max(won) == most


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("ann=J1 bob=K1 call call J2 call call", 1),  # a pair beats a higher card
        ("ann=Q1 bob=Q2 raise call K1 raise call", 0),  # equal ranks split
        ("ann=Q1 bob=K1 raise call J1 raise call", -7),
        ("ann=Q1 bob=K1 raise raise fold", -3),  # ante and the first raise
        ("ann=Q1 bob=K1 raise fold", 1),
        ("ann=Q1 bob=K1 call raise raise call J1 call raise raise fold", 9),
    ],
)
def test_leduc_pays_what_its_rules_say(text: str, won: int) -> None:
    position = LEDUC.parse(f"leduc {text}")
    state = LEDUC.fill(position, next(list_deals(LEDUC.hidden(position))))
    assert LEDUC.turn(state) == OVER
    assert LEDUC.payoffs(state, "chips") == (Fraction(won), Fraction(-won))


@TOYS
@pytest.mark.parametrize("player", [0, 1, None])
def test_the_deals_of_what_is_observed_include_the_state_observed(game: Toy, player: int | None) -> None:
    filled: dict[Position, set[State]] = {}
    for state in all_states(game):
        seen = game.observe(state, player)
        if seen not in filled:
            filled[seen] = {game.fill(seen, deal) for deal in list_deals(game.hidden(seen))}
        assert state in filled[seen]
    assert all(game.observe(state, player) == seen for seen, states in filled.items() for state in states)


@TOYS
@pytest.mark.parametrize("player", [0, 1, None])
def test_the_deals_counted_are_the_deals_listed_and_each_fills_to_another_state(game: Toy, player: int | None) -> None:
    for seen in {game.observe(state, player) for state in all_states(game)}:
        pools = game.hidden(seen)
        deals = list(list_deals(pools))
        assert count_deals(pools) == len(deals) == len({game.fill(seen, deal) for deal in deals})


@pytest.mark.parametrize(("game", "cards"), [(KUHN, 3), (LEDUC, 6)], ids=["kuhn", "leduc"])
def test_a_player_sees_the_same_whatever_card_the_other_holds(game: Toy, cards: int) -> None:
    firsts = first_states(game)
    assert len(firsts) == cards * (cards - 1)
    assert [len({game.observe(state, player) for state in firsts}) for player in (0, 1)] == [cards, cards]
    assert len({game.observe(state, None) for state in firsts}) == 1


@TOYS
def test_every_position_and_event_is_read_back_from_its_text(game: Toy) -> None:
    for state in all_states(game):
        for player in (0, 1, None):
            seen = game.observe(state, player)
            assert game.parse(game.format(seen)) == seen
        for event in game.moves(state) if game.turn(state) >= 0 else ():
            assert game.parse_event(game.format_event(event)) == event


@pytest.mark.parametrize("text", ["", "leduc ann=? bob=?", "kuhn bob=? ann=?", "kuhn ann=A bob=?", "kuhn"])
def test_a_text_that_is_no_position_is_a_notation_error(text: str) -> None:
    with pytest.raises(NotationError):
        KUHN.parse(text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (KUHN, "kuhn ann=J bob=J"),
        (KUHN, "kuhn ann=? bob=? pass pass bet"),
        (LEDUC, "leduc ann=? bob=? fold"),
        (LEDUC, "leduc ann=? bob=? raise raise raise"),
        (LEDUC, "leduc ann=? bob=? call Q1"),
        (LEDUC, "leduc ann=Q1 bob=? call call Q1"),
    ],
)
def test_a_history_against_the_rules_is_an_illegal_error(game: Toy, text: str) -> None:
    with pytest.raises(IllegalError):
        game.parse(text)
