"""Records: replaying one gives what its writer sees, and it is written back as it was."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.cards import Card, back_of
from solver.deals import count_deals, list_deals
from solver.errors import IllegalError, ImpossibleError, LastdrawError, NotationError
from solver.games.blasting_billy.cards_text import format_cards
from solver.games.blasting_billy.deck import NAMES, Deck
from solver.games.blasting_billy.facts import COMPARISONS, Fact, format_fact
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.hidden import fill, hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.random_play import reveal
from solver.games.blasting_billy.record import Record, Turn
from solver.games.blasting_billy.record_text import format_record, parse_record
from solver.games.blasting_billy.table import Position, State
from tests.text.sampling import Game, games, names, play, rename

EXAMPLE = """game blasting-billy
players ann bob
me ann
removed 3J? 2B? 2C? 3G? 2D?
hand ann J7 C! D3
hand bob J? J? G?
top B
ann give J7 draws B4 top G
bob claim J? draws G? top J
"""
SMALL = """game blasting-billy
deck types=JB values=0-3 dynamite=true hand=2
players ann bob
me ann
removed 2J?
hand ann J0 J3
hand bob J? B?
top B
"""
"""Four cards are in the pile, all of them B."""


def no_file(name: str) -> str:
    raise AssertionError(f"{name} was asked for")


def parse(text: str) -> Record:
    return parse_record(text, no_file)


def replay(text: str) -> Position:
    return parse(text).replay()


def facts_after(text: str) -> list[str]:
    position = replay(text)
    return [format_fact(fact, position.players) for fact in position.facts]


@settings(max_examples=80, deadline=None)
@given(games())
def test_a_game_by_each_players_eyes_replays_into_what_they_see(game: Game) -> None:
    state, history = game
    for player in range(len(state.players)):
        text = format_record(history.seen_by(player))
        record = parse(text)
        assert record.replay() == observe(state, player)
        assert format_record(record) == text


@settings(max_examples=60, deadline=None)
@given(games(), st.data())
def test_a_record_with_every_value_known_replays_into_the_whole_table(game: Game, data: st.DataObject) -> None:
    state, history = game
    called = data.draw(names(len(state.players)).filter(lambda called: "*" not in called))
    text = format_record(rename(history, called))
    assert "\nme *\n" in text
    record = parse(text)
    assert record.replay() == replace(reveal(state), players=called)
    assert record.all_eyes
    assert format_record(record) == text


@settings(max_examples=60, deadline=None)
@given(games(), st.data())
def test_odd_names_are_read_back_from_records(game: Game, data: st.DataObject) -> None:
    state, history = game
    called = data.draw(names(len(state.players)))
    record = rename(history.seen_by(0), called)
    text = format_record(record)
    assert parse(text).replay() == replace(observe(state, 0), players=called)
    assert BlastingBilly().parse(text) == replace(observe(state, 0), players=called)
    assert format_record(parse(text)) == text


def test_the_example_of_a_record_gives_its_position() -> None:
    position = replay(EXAMPLE)
    assert format_record(parse(EXAMPLE)) == EXAMPLE
    assert format_position(position) == (
        'game = "blasting-billy"\nplayers = ["ann", "bob"]\nme = "ann"\nto_move = "ann"\nbilly = "J7@ann"\n'
        'dumped = ""\nremoved = "3J? 2B? 2C? 3G? 2D?"\n\n[hands]\nann = "B4 C! D3"\nbob = "J? G? G?"\n\n'
        '[loot]\nann = ""\nbob = "J?"\n\n[pile]\nsize = 40\ntop = "J"\n'
    )


def test_draws_question_mark_takes_the_type_of_the_top() -> None:
    text = EXAMPLE.replace("draws G? top J", "draws ? top J")
    assert replay(text) == replay(EXAMPLE)
    assert format_record(parse(text)) == EXAMPLE


def test_comments_and_blank_lines_say_nothing() -> None:
    text = EXAMPLE.replace("\n", " # so it was\n\n   # and so on\n")
    assert replay(text) == replay(EXAMPLE)
    assert format_record(parse(text)) == EXAMPLE


def test_lines_before_the_first_turn_may_come_in_any_order() -> None:
    *head, one, two = EXAMPLE.splitlines()
    text = "\n".join([*reversed(head), one, two])
    assert format_record(parse(text)) == EXAMPLE


@pytest.mark.parametrize(("line", "mover"), [("", 0), ("starts ann\n", 0), ("starts bob\n", 1)])
def test_the_first_player_begins_unless_another_starts(line: str, mover: int) -> None:
    record = parse(SMALL + line)
    assert record.replay().to_move == mover
    assert ("starts" in format_record(record)) == (mover == 1)
    assert parse(format_record(record)) == record


def test_a_deck_line_makes_a_smaller_game() -> None:
    position = replay(SMALL)
    assert position.deck == Deck(types="JB", low=0, high=3, dynamite=True, hand=2)
    assert position.size == 4
    assert format_record(parse(SMALL)) == SMALL


@pytest.mark.parametrize(
    "line",
    [
        "deck types=XY",
        "deck values=3-0",
        "deck hand=0",
        "deck hand=x",
        "deck size=3",
        "deck hand=2 hand=2",
        "deck dynamite=yes",
    ],
)
def test_a_wrong_deck_line_is_an_error_with_its_number(line: str) -> None:
    with pytest.raises(NotationError, match="line 2"):
        parse(SMALL.replace("deck types=JB values=0-3 dynamite=true hand=2", line))


POSITION = format_position(replay(SMALL))


def test_a_record_may_start_from_a_position_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.toml").write_text(POSITION, encoding="utf-8")
    text = "game blasting-billy\nfrom sub/x.toml\nann give J3 draws B1 top B\n"
    game = BlastingBilly()
    record = game.parse_record(text, tmp_path)
    assert record.replay() == replay(SMALL + "ann give J3 draws B1 top B\n")
    assert format_record(record) == text
    with pytest.raises(NotationError, match=r"line 2: x\.toml: cannot be read"):
        game.parse(text.replace("sub/", ""), tmp_path)


def test_a_wrong_position_behind_from_is_reported_with_both_places() -> None:
    with pytest.raises(NotationError, match=r"line 2: x\.toml: pile: size"):
        parse_record("game blasting-billy\nfrom x.toml\n", lambda _: POSITION.replace("size = 4", "size = -4"))


@pytest.mark.parametrize(
    "line", ["players ann bob", "hand ann J0 J3", "top B", "starts ann", "removed J?", "deck types=J"]
)
def test_from_leaves_no_room_for_another_set_up(line: str) -> None:
    with pytest.raises(NotationError, match="line 2"):
        parse_record(f"game blasting-billy\nfrom x.toml\n{line}\n", lambda _: POSITION)


FACTS = {
    "every becomes a fact of Billy's card": (
        "fact every bob.hand.J >= 1\nann dump J0 draws B1 top B\nbob give J? draws B? top B\n",
        ["billy.J.1 >= 1"],
    ),
    "some of one card becomes a fact of Billy's second card": (
        "ann give J0 draws B1 top B\nfact some bob.hand.J = 2\nbob give J? draws B? top B\n",
        ["billy.J.2 = 2"],
    ),
    "a claimed first card takes the fact with it": (
        "fact some bob.hand.J != !\nann dump J0 draws B1 top B\nbob claim J? draws B? top B\n",
        ["bob.loot.J != !"],
    ),
    "a dumped card takes the fact out of sight": (
        "fact some bob.hand.J != !\nann dump J0 draws B1 top B\nbob dump J? draws B? top B\n",
        [],
    ),
    "every holds for some where a card of the type is drawn": (
        "fact every bob.hand.B > 0\nann dump J0 draws B1 top B\nbob dump J? draws B? top B\n",
        ["some bob.hand.B > 0"],
    ),
    "every lapses where only the drawn card is left": (
        "fact every bob.hand.B > 0\nann dump J0 draws B1 top B\nbob dump B? draws B? top B\n",
        [],
    ),
    "some stays where a card of the type is drawn": (
        "fact some bob.hand.B > 1\nann dump J0 draws B1 top B\nbob dump J? draws B? top B\n",
        ["some bob.hand.B > 1"],
    ),
    "facts about other types and other players stay": (
        "fact every bob.hand.J > 0\nfact some bob.hand.B > 0\nann dump J0 draws B1 top B\n",
        ["every bob.hand.J > 0", "some bob.hand.B > 0"],
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_follows_the_card(name: str) -> None:
    turns, expected = FACTS[name]
    found = facts_after(SMALL + turns)
    assert found == expected
    assert format_record(parse(SMALL + turns)) == SMALL + turns


def test_some_of_several_lapses_when_the_card_played_may_be_the_one_meant() -> None:
    both = SMALL.replace("hand bob J? B?", "hand bob J? J?").replace("removed 2J?", "removed J? B?")
    both += "fact some bob.hand.J = 2\n"
    assert facts_after(both + "ann give J0 draws B1 top B\nbob give J? draws B? top B\n") == []


def test_a_position_does_not_keep_facts_that_the_record_contradicts() -> None:
    turns = "fact every bob.hand.J = 1\nfact some bob.hand.J = 2\n"
    with pytest.raises(ImpossibleError, match="line 10"):
        parse(SMALL + turns)


@pytest.mark.parametrize(
    "fact", ["every bob.hand.J < 2", "some bob.hand.J = 1"], ids=["every", "some of the only card"]
)
@pytest.mark.parametrize("shown", ["claim", "give"])
def test_a_card_shown_against_a_fact_is_an_error(fact: str, shown: str) -> None:
    text = f"""game blasting-billy
deck types=JB values=0-3 dynamite=true hand=2
players ann bob
me ann
hand ann J0 B3
hand bob J? B?
ann dump J0 draws B1
bob claim J? draws J?
ann dump B1 draws B2
fact {fact}
bob {shown} J2 draws J?
"""
    with pytest.raises(ImpossibleError, match="line 11"):
        parse(text)


def all_facts(players: int, deck: Deck, longest: int) -> Iterator[Fact]:
    for kind, comparison, value in product(deck.kinds, COMPARISONS, (*range(deck.low, deck.high + 1), None)):
        if value is None and comparison not in ("=", "!="):
            continue
        for player in range(players):
            for quantifier in ("some", "every", ""):
                yield Fact(quantifier, player, kind, 0, comparison, value)
        for slot in range(1, longest + 1):
            yield Fact("", None, kind, slot, comparison, value)


def is_true(fact: Fact, whole: Position) -> bool:
    cards: tuple[Card, ...]
    if fact.player is None:
        cards = whole.billy_cards(fact.kind)[fact.slot - 1 : fact.slot]
    elif fact.quantifier:
        cards = tuple(card for card in whole.hands[fact.player] if back_of(card) == fact.kind)
    else:
        cards = whole.loots[fact.player][fact.kind][:1]
    fits = list(map(fact.holds, cards))
    return all(fits) if fact.quantifier == "every" else any(fits)


def as_dealt(state: State) -> tuple[object, ...]:
    box = sorted((*(laid.card for laid in state.dumped), *state.removed))
    return state.hands, state.loots, state.billy, box, state.pile


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(2, 3),
    pile=st.integers(0, 3),
    me=st.integers(0, 1),
    types=st.sampled_from(["J", "JB"]),
    amount=st.floats(0, 3),
)
def test_true_facts_never_rule_out_what_is_true(
    seed: int, players: int, pile: int, me: int, types: str, amount: float
) -> None:
    deck = Deck(types=types, low=0, high=9 if types == "J" else 4, dynamite=True, hand=2)
    state, history = play(seed, players, pile, deck, 1, players if pile else seed % (players + 1), covered=False)
    rng = Random(seed)
    seen = history.seen_by(me)
    entries: list[Turn | Fact] = []
    possible = list(all_facts(players, deck, 4))
    for number, whole in enumerate(history.positions()):
        true = [fact for fact in possible if is_true(fact, whole)]
        hands = [fact for fact in true if fact.quantifier and fact.player != me]
        while rng.random() < amount / 4 and true:
            entries.append(rng.choice(hands if hands and rng.random() < 0.8 else true))
        entries.extend(seen.entries[number : number + 1])
    text = format_record(replace(seen, entries=tuple(entries)))
    record = parse(text)
    assert format_record(record) == text
    final = record.replay()
    assert replace(final, facts=()) == observe(state, me)
    for fact in final.facts:
        assert is_true(fact, reveal(state)), format_fact(fact, final.players)
    pools = hidden_pools(final)
    deals = count_deals(pools)
    assert deals >= 1
    assume(deals <= 4000)
    assert as_dealt(state) in [as_dealt(fill(final, deal)) for deal in list_deals(pools)]
    assert parse_position(format_position(final)) == final


TURN = "ann give J3 draws B1 top B\n"
WRONG: dict[str, tuple[str, type[LastdrawError], str]] = {
    "a card not held": ("ann give J2 draws B1 top B\n", IllegalError, "line 9: give J2"),
    "a type not held": ("ann give B? draws B1 top B\n", IllegalError, "line 9: give B?"),
    "one of several cards": ("ann give J? draws B1 top B\n", IllegalError, "line 9: give J?"),
    "another's turn": ("bob give J? draws B? top B\n", IllegalError, "line 9: it is the turn of ann"),
    "a stranger": ("eve give J? draws B? top B\n", NotationError, 'line 9: "eve give'),
    "no draw": ("ann give J3\n", IllegalError, "line 9: ann has to draw"),
    "another type drawn": ("ann give J3 draws J1\n", IllegalError, "line 9: draws J1"),
    "a drawn card seen before": (TURN + "bob dump J? draws B1 top B\n", ImpossibleError, "line 10: B1"),
    "a shown card seen before": (TURN + "bob dump J3 draws B? top B\n", ImpossibleError, "line 10: J3"),
    "a top that is not left": ("ann give J3 draws B1 top J\n", ImpossibleError, "line 9: top J"),
    "a top of no type": ("ann give J3 draws B1 top X\n", NotationError, 'line 9: "X"'),
    "a hidden card face up": (
        TURN + "bob claim B? draws B? top B\nann dump J0 draws B2 top B\nbob claim B? draws B?\n",
        IllegalError,
        "line 12: claim B?",
    ),
    "a draw from an empty pile": (
        TURN + "bob dump J? draws ? top B\nann dump J0 draws B2 top B\nbob dump B? draws B?\nann dump B1 draws B0\n",
        IllegalError,
        "line 13: ann cannot draw",
    ),
    "a question mark from an empty pile": (
        TURN + "bob dump J? draws ? top B\nann dump J0 draws B2 top B\nbob dump B? draws B?\nann dump B1 draws ?\n",
        NotationError,
        "line 13",
    ),
    "a turn after the end": (
        TURN + "bob dump J? draws ? top B\nann dump J0 draws B2 top B\nbob dump B? draws B?\nann dump B1\nbob dump B?\n"
        "ann dump B2\n",
        IllegalError,
        "line 15: the game is over",
    ),
    "set-up after the first turn": (TURN + "starts bob\n", NotationError, 'line 10: "starts bob"'),
    "no verb": ("ann\n", NotationError, 'line 9: "ann"'),
    "an unknown verb": ("ann take J3 draws B1\n", NotationError, 'line 9: "ann take J3 draws B1"'),
    "a malformed card": ("ann give J11 draws B1\n", NotationError, 'line 9: "J11"'),
    "a malformed draw": ("ann give J3 draws B99\n", NotationError, 'line 9: "B99"'),
    "words too many": ("ann give J3 draws B1 top B now\n", NotationError, 'line 9: "ann give J3 draws B1 top B now"'),
    "a malformed fact": ("fact bob\n", NotationError, 'line 9: "bob"'),
    "a fact about no card": ("fact bob.loot.J = 3\n", NotationError, "line 9"),
    "a fact that cannot be": ("fact some bob.hand.J = 3\n", ImpossibleError, "line 9"),
    "a line twice": ("top B\n", NotationError, 'line 9: "top B"'),
    "a hand twice": ("hand ann J0 J3\n", NotationError, 'line 9: "hand ann J0 J3"'),
    "a stranger's hand": ("hand eve J0 J3\n", NotationError, 'line 9: "eve"'),
    "a stranger starts": ("starts eve\n", NotationError, 'line 9: "starts eve"'),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_turn_that_cannot_be_is_an_error_with_its_line(name: str) -> None:
    turns, kind, fragment = WRONG[name]
    with pytest.raises(LastdrawError) as caught:
        parse(SMALL + turns)
    assert type(caught.value) is kind
    assert fragment in str(caught.value)


@pytest.mark.parametrize("missing", ["players ann bob\n", "hand ann J0 J3\n", "hand bob J? B?\n"])
def test_a_missing_line_is_an_error_that_names_it(missing: str) -> None:
    with pytest.raises(NotationError, match=missing.split()[0]):
        parse(SMALL.replace(missing, ""))


@pytest.mark.parametrize(
    ("line", "wrong"), [("hand bob J? B?", "hand bob J?"), ("hand ann J0 J3", "hand ann J0 J3 B1")]
)
def test_a_first_hand_that_is_not_full_is_an_error_with_its_line(line: str, wrong: str) -> None:
    with pytest.raises(LastdrawError, match=f"line {6 if 'ann' in line else 7}"):
        parse(SMALL.replace(line, wrong))


def test_a_card_in_two_hands_is_an_error() -> None:
    with pytest.raises(ImpossibleError, match="J0 is there twice"):
        parse(SMALL.replace("hand bob J? B?", "hand bob J0 B?"))


def test_names_of_cards_are_what_the_deck_calls_them() -> None:
    assert format_cards(replay(SMALL).deck.cards) == "J0 J1 J2 J3 J! B0 B1 B2 B3 B!"
    assert NAMES.backs == "JBCGD"


def test_a_record_of_all_eyes_hides_nothing() -> None:
    text = """game blasting-billy
deck types=JB values=0-3 dynamite=true hand=2
players ann bob
me *
hand ann J0 B3
hand bob J1 B?
"""
    with pytest.raises(NotationError, match=r"me \* .* B\?"):
        BlastingBilly().parse(text)
    BlastingBilly().parse(text.replace("B?", "B2"))
