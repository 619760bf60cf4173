"""`.efg` files: by the letter of what Gambit and OpenSpiel read, and read by OpenSpiel."""

import re
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.efg import write_efg
from solver.errors import TooLargeError
from solver.game import OVER
from solver.lens import FAIR, GUARD
from solver.methods.best_response import as_plan, exploitability
from solver.methods.regret import minimize_regret
from solver.tree import Tree
from solver.tree_sequences import TreeSequences, to_sequence_game
from solver.watch import Watch
from tests.more_toys import GOOFSPIEL
from tests.test_tree import BILLY, billy_tree, tree_of
from tests.toys import KUHN, LEDUC, Kuhn, Position

TREES = {
    "kuhn": lambda: tree_of(KUHN),
    "leduc": lambda: tree_of(LEDUC),
    "goofspiel": lambda: tree_of(GOOFSPIEL),
    "fair-1": lambda: billy_tree("fair-1.toml", FAIR),
    "many-1": lambda: billy_tree("many-1.toml", GUARD, first=BILLY.parse_event("give B!")),
}
QUOTED = r'"[^"]*"'
CHANCE_LINE = re.compile(rf'c "" (\d+) "" {{ ((?:{QUOTED} \d+(?:/\d+)? )+)}} 0')
MOVE_LINE = re.compile(rf'p "" ([12]) (\d+) "" {{ ((?:{QUOTED} )+)}} 0')
END_LINE = re.compile(rf't "" (\d+) ({QUOTED}) {{ (-?\d+(?:/\d+)?) (-?\d+(?:/\d+)?) }}')


def efg(tree: Tree, title: str = "a title") -> str:
    file = StringIO()
    write_efg(tree, file, title=title)
    return file.getvalue()


def test_kuhn_poker_begins_as_written_by_hand() -> None:
    deals = " ".join(f'"deal {number}" 1/6' for number in range(1, 7))
    assert efg(tree_of(KUHN), "Kuhn poker").splitlines()[:6] == [
        'EFG 2 R "Kuhn poker" { "ann" "bob" }',
        "",
        f'c "" 1 "" {{ {deals} }} 0',
        'p "" 1 1 "" { "pass" "bet" } 0',
        'p "" 2 1 "" { "pass" "bet" } 0',
        't "" 1 "-1" { -1 1 }',
    ]


@pytest.mark.parametrize("name", TREES)
def test_every_line_is_as_both_programs_read_it(name: str) -> None:
    tree = TREES[name]()
    text = efg(tree)
    assert re.fullmatch(r"[ -~\n]*", text)
    assert "  " not in text
    header, blank, *lines = text.splitlines()
    assert re.fullmatch(rf"EFG 2 R {QUOTED} {{ {QUOTED} {QUOTED} }}", header)
    assert blank == ""
    assert len(lines) == len(tree)
    chances, moves, ends = (
        [match for line in lines if (match := form.fullmatch(line))] for form in (CHANCE_LINE, MOVE_LINE, END_LINE)
    )
    assert len(chances) + len(moves) + len(ends) == len(lines)
    assert [int(match[1]) for match in chances] == [*range(1, len(chances) + 1)]
    for match in chances:
        assert sum(map(Fraction, re.findall(r'" (\S+)', match[2]))) == 1
        assert all(int(number) < 2**31 for number in re.findall(r"\d+", re.sub(QUOTED, "", match[2])))
    for match in (*chances, *moves):
        labels = re.findall(QUOTED, match[match.re.groups])
        assert len(set(labels)) == len(labels)
    for player in "12":
        lists = {(match[2], match[3]) for match in moves if match[1] == player}
        assert sorted(int(number) for number, _ in lists) == [*range(1, len(lists) + 1)]
    outcomes = {match.groups() for match in ends}
    assert sorted(int(number) for number, *_ in outcomes) == [*range(1, len(outcomes) + 1)]
    assert all(Fraction(first) == -Fraction(second) for _, _, first, second in outcomes)


def test_two_players_stand_as_they_sit_even_if_the_second_moves_first() -> None:
    header, _, _, first = efg(billy_tree("fair-1.toml", FAIR)).splitlines()[:4]
    assert header == 'EFG 2 R "a title" { "ann" "bob" }'
    assert first.startswith('p "" 2 1 ""')


def test_of_three_players_the_mover_plays_against_the_others() -> None:
    tree = TREES["many-1"]()
    assert efg(tree).splitlines()[0] == f'EFG 2 R "a title" {{ "{tree.seats[tree.mover]}" "others" }}'


class Renamed(Kuhn):
    def seats(self, position: Position) -> tuple[str, ...]:
        return "Zoë", "Zoe"

    def format_event(self, event: str) -> str:
        return {"pass": "«", "bet": "»"}[event]


def test_names_become_plain_and_stay_different() -> None:
    header, _, _, first, *_ = efg(tree_of(Renamed()), 'He said "ĳ"\t\\ 雪').splitlines()
    assert header == 'EFG 2 R "He said \'ij\' / ?" { "Zoe" "Zoe (2)" }'
    assert first == 'p "" 1 1 "" { "?" "? (2)" } 0'


def test_fractions_too_large_to_be_read_are_refused() -> None:
    tree = tree_of(KUHN)
    weights = np.where(np.arange(len(tree)) == 1, 2**31, tree.weights)
    with pytest.raises(TooLargeError, match=r"too large for programs that read \.efg"):
        efg(replace(tree, weights=weights))


def load(pyspiel: Any, tree: Tree, folder: Path) -> Any:
    path = folder / "game.efg"
    path.write_text(efg(tree), encoding="ascii")
    return pyspiel.load_game(f"efg_game(filename={path})")


def policy_of(game: Any, sequences: TreeSequences, shares: tuple[Any, Any]) -> dict[str, list[tuple[int, float]]]:
    """The frequencies of our moves under OpenSpiel's names: a set is `player-player-number-`, an action a number."""
    tree, states = sequences.tree, [game.new_initial_state()]
    table: dict[str, list[tuple[int, float]]] = {}
    while states:
        state = states.pop()
        if state.is_terminal():
            continue
        actions = state.legal_actions()
        states.extend(state.child(action) for action in actions)
        if state.is_chance_node():
            continue
        name, player = state.information_state_string(), state.current_player()
        side = 0 if player == tree.mover else 1
        sets, number = tree.sides[side], int(name.split("-")[2]) - 1
        places = range(sets.starts[number], sets.starts[number + 1])
        ours = {tree.names[sets.labels[place]]: float(shares[side][place]) for place in places}
        table[name] = [(action, ours[state.action_to_string(action)]) for action in actions]
    return table


# For the sources of Kuhn and Leduc poker see tests/test_published.py; fair-1 is that of tests/reference/answers.json,
# negated, since its mover sits second.
VALUES = {"kuhn": -1 / 18, "leduc": -0.085606424078, "fair-1": -1 / 144}


@pytest.mark.parametrize("name", VALUES)
def test_openspiel_reads_the_file_and_learns_the_same_value(name: str, tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = load(pyspiel, TREES[name](), tmp_path)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    gap = pyspiel.nash_conv(game, policy)
    first, second = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)
    assert gap < 0.01
    assert first == pytest.approx(-second)
    assert abs(first - VALUES[name]) <= gap


@pytest.mark.parametrize("name", VALUES)
def test_openspiel_finds_our_strategies_as_exploitable_as_we_do(name: str, tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    sequences = to_sequence_game(TREES[name]())
    game = load(pyspiel, sequences.tree, tmp_path)
    learned = minimize_regret(sequences.game, target=0.05, watch=Watch()).plans
    even = tuple(1.0 / np.repeat(np.diff(side.starts), np.diff(side.starts)) for side in sequences.tree.sides)
    for shares in ((even[0], even[1]), tuple(sequences.frequencies(side, learned[side]) for side in (0, 1))):
        plans = tuple(as_plan(side, share) for side, share in zip(sequences.game.sides, shares, strict=True))
        low, high = exploitability(sequences.game, (plans[0], plans[1]))
        policy = pyspiel.TabularPolicy(policy_of(game, sequences, (shares[0], shares[1])))
        found = pyspiel.nash_conv(game, policy)
        assert found == pytest.approx(high - low, abs=1e-9)


def test_an_end_of_the_file_is_an_end_of_the_tree() -> None:
    tree = tree_of(LEDUC)
    assert efg(tree).count("\nt ") == int((tree.turns == OVER).sum())
