"""The end of the game: dynamite, shots, tie-breaks, Billy's win, and payoffs."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from solver.errors import IllegalError
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.random_play import SEATS
from solver.games.blasting_billy.scoring import least_total, outcome, payoffs, survivors, total
from tests import naive
from tests.billy.samples import cards, ending


def test_dynamite_takes_the_ten_before_it_so_that_17_becomes_7_and_4_cards_become_2() -> None:
    column = cards("J3 J10 J! J4")
    assert sum(naive.rank(NAMES.format(card))[1] for card in column if card != cards("J!")[0]) == 17
    assert total(column) == 7
    assert survivors(column) == cards("J3 J4")


@pytest.mark.parametrize(
    ("column", "left"),
    [("J! J5 J6", "J5 J6"), ("J5 J!", ""), ("J!", ""), ("J1 J2 J!", "J1"), ("J0 J! J9", "J9"), ("J? J! J9", "J9")],
)
def test_dynamite_takes_only_the_card_just_before_it(column: str, left: str) -> None:
    assert survivors(cards(column)) == cards(left)


def test_face_up_cards_make_a_loot_worth_at_least_6_jewelry_7_banknotes_15_gold() -> None:
    loot = {"J": "J? J6", "B": "B? B7", "G": "G? G5 G10"}
    assert {letter: least_total(cards(column)) for letter, column in loot.items()} == {"J": 6, "B": 7, "G": 15}


def test_face_up_dynamite_lowers_the_least_total_by_the_card_it_takes() -> None:
    assert least_total(cards("J? J6 J! J2")) == 2
    assert least_total(cards("J? J! J2")) == 2


def test_as_much_as_billy_is_safe_and_one_more_is_shot() -> None:
    assert outcome(ending("J3 J4", "J7", "J8")).shot == (frozenset(), frozenset({0}))


def test_billy_without_cards_of_a_type_shoots_everyone_who_has_points_in_it() -> None:
    assert outcome(ending("", "J0", "J1")).shot == (frozenset(), frozenset({0}))


def test_dynamite_in_billys_column_can_have_a_player_shot() -> None:
    assert outcome(ending("J10 J!", "J1", "J0")).shot[0] == frozenset({0})


def test_a_shot_player_loses_to_a_safe_one_with_fewer_points() -> None:
    result = outcome(ending("J5 B10 C5", "B9 J6", "C1"))
    assert result.points == (9, 1)
    assert result.winners == (1,)


def test_the_highest_total_wins() -> None:
    assert outcome(ending("J10 J9", "J7", "J8")).winners == (1,)


def test_equal_totals_go_to_the_fewest_face_up_cards() -> None:
    assert outcome(ending("J10 J9", "J8", "J1 J7")).winners == (0,)


def test_a_zero_counts_as_a_face_up_card() -> None:
    assert outcome(ending("J10 J9 B10", "J8 J0", "B8")).winners == (1,)


def test_cards_that_left_with_dynamite_do_not_count_as_face_up_cards() -> None:
    assert outcome(ending("J10 J9 B10", "J2 J! J8 C!", "B8")).winners == (0, 1)


def test_equal_face_up_cards_go_to_the_fewest_turned_down_cards() -> None:
    result = outcome(ending("J10 B10", "J8 C1 C2", "B8 D1"))
    assert result.shot == (frozenset({2}), frozenset({4}))
    assert result.winners == (1,)


def test_fewer_face_up_cards_count_before_fewer_turned_down_cards() -> None:
    assert outcome(ending("J10 B10", "J8 C1 C2", "B8 B0 D1")).winners == (0,)


def test_cards_that_left_with_dynamite_do_not_count_as_turned_down_cards() -> None:
    assert outcome(ending("J10 B10", "J8 C4 C! C2", "B8 D1")).winners == (0, 1)


def test_a_tie_at_every_stage_is_a_shared_victory() -> None:
    assert outcome(ending("J10 B10", "J8", "B8", "C0")).winners == (0, 1)


def test_if_all_were_shot_everyone_contends_with_the_columns_not_turned_down() -> None:
    result = outcome(ending("J5 B6", "J5 C10", "B6 D1", "G9"))
    assert result.points == (5, 6, 0)
    assert result.winners == (1,)


def test_billy_wins_when_nobody_has_points() -> None:
    assert outcome(ending("J10", "J0", "")).winners == ()
    assert outcome(ending("", "J4", "B1")).winners == ()


def test_billy_wins_though_a_shot_player_has_points_where_the_safe_ones_have_none() -> None:
    result = outcome(ending("J10", "J9 B1", "C0"))
    assert result.points == (9, 0)
    assert result.winners == ()


@pytest.mark.parametrize(
    ("billy", "first", "second", "win", "margin"),
    [
        ("J10 B9", "J8", "B3", 1, 5),
        ("J10 B9", "J3", "B8", -1, -5),
        ("J10 B9", "J8", "B8", 0, 0),
        ("J10 B9", "J8", "B1 B7", 1, 0),
        ("J10 B9", "J8 C1", "B3", -1, -3),
        ("J10 B9", "J8 C1", "B3 D1", 1, 5),
        ("J10 B9", "J8 C1", "B0", 0, 0),
        ("", "J8", "B3", 0, 0),
    ],
)
def test_two_players_play_a_zero_sum_game(billy: str, first: str, second: str, win: int, margin: int) -> None:
    state = ending(billy, first, second)
    assert payoffs(state, "win") == (Fraction(win), Fraction(-win))
    assert payoffs(state, "margin") == (Fraction(margin), Fraction(-margin))


def test_three_players_get_shares_of_the_victory() -> None:
    assert payoffs(ending("J10 B9 C9", "J8", "B8", "C7"), "win") == (Fraction(1, 2), Fraction(1, 2), Fraction(0))
    assert payoffs(ending("J10 B9 C9", "J8", "B8", "C8"), "win") == (Fraction(1, 3),) * 3
    assert payoffs(ending("J10 B9 C9", "J8", "B8", "C9"), "win") == (Fraction(0), Fraction(0), Fraction(1))
    assert payoffs(ending("", "J8", "B8", "C9"), "win") == (Fraction(0),) * 3


def test_margin_is_refused_for_three_players_and_unknown_objectives_for_all() -> None:
    with pytest.raises(IllegalError, match="two players"):
        payoffs(ending("J9", "J1", "J2", "J3"), "margin")
    with pytest.raises(IllegalError, match="glory"):
        payoffs(ending("J9", "J1", "J2"), "glory")


def _random_ending(rng: Random) -> tuple[str, list[str]]:
    """Columns of 2 to 5 players; sometimes Billy has little, sometimes loots are poor, dynamite is often there."""
    players = rng.randint(2, 5)
    poor = rng.random() < 0.7
    top = 2 if poor else 10
    faces = [*map(str, range(top + 1)), "!"]
    billys_share = rng.choice((0.1, 0.4, 0.5, 0.6))
    given: list[str] = []
    loots: list[list[str]] = [[] for _ in range(players)]
    for kind in naive.TYPES:
        used = rng.sample(faces, rng.randint(0, len(faces)))
        if "!" not in used and rng.random() < 0.5:
            used.insert(rng.randint(0, len(used)), "!")
        for face in used:
            if rng.random() < billys_share:
                given.append(kind + face)
            elif rng.random() < 0.6:
                rng.choice(loots).append(kind + face)
    return " ".join(given), [" ".join(loot) for loot in loots]


def _apart(text: str) -> dict[str, list[str]]:
    return {kind: [card for card in text.split() if card[0] == kind] for kind in naive.TYPES}


@pytest.mark.parametrize("seed", range(4))
def test_random_endings_score_as_the_twin_says(seed: int) -> None:
    rng = Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(5_000):
        billy, loots = _random_ending(rng)
        players = SEATS[: len(loots)]
        expected = naive.score(_apart(billy), dict(zip(players, map(_apart, loots), strict=True)))
        state = ending(billy, *loots)
        result = outcome(state)
        example = (billy, loots)
        shot = [{NAMES.backs[kind] for kind in kinds} for kinds in result.shot]
        assert shot == [expected.shot[player] for player in players], example
        assert list(result.points) == [expected.points[player] for player in players], example
        assert [players[seat] for seat in result.winners] == expected.winners, example
        assert list(payoffs(state, "win")) == naive.win_payoffs(expected, players), example
        if len(players) == 2:
            assert list(payoffs(state, "margin")) == naive.margin_payoffs(expected, players), example
        all_shot = all(expected.shot.values())
        seen["all shot"] += all_shot
        seen["all shot, won"] += all_shot and bool(expected.winners)
        seen["some shot"] += any(expected.shot.values()) and not all_shot
        seen["billy"] += expected.billy_wins
        seen["billy, though a shot player has points"] += expected.billy_wins and any(expected.points.values())
        seen["shared"] += len(expected.winners) > 1
        seen["dynamite in several columns"] += (billy + " ".join(loots)).count("!") > 1
        best = max((expected.points[winner] for winner in expected.winners), default=0)
        tied = [p for p in players if expected.points[p] == best and bool(expected.shot[p]) == all_shot]
        seen["tie broken"] += len(tied) > len(expected.winners) > 0
    assert len(seen) == 8
    assert min(seen.pop("shared"), seen.pop("tie broken")) >= 10
    assert min(seen.values()) >= 50, seen
