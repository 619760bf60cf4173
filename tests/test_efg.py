"""`.efg` files: by the letter of what Gambit and OpenSpiel read, and read by OpenSpiel."""

import re
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.certificate import certify
from solver.efg import write_efg
from solver.errors import TooLargeError
from solver.game import OVER
from solver.lens import FAIR, GUARD
from solver.methods.best_response import as_plan, exploitability
from solver.methods.equilibrium import find_equilibrium
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


def nodes_of(game: Any) -> dict[str, Any]:
    """A state of each of OpenSpiel's information sets, whose names are `player-player-number-`."""
    found: dict[str, Any] = {}
    states = [game.new_initial_state()]
    while states:
        state = states.pop()
        if not state.is_terminal():
            states.extend(state.child(action) for action in state.legal_actions())
            if not state.is_chance_node():
                found[state.information_state_string()] = state
    return found


def places_of(sequences: TreeSequences, name: str, state: Any) -> tuple[int, dict[str, int]]:
    """The side of an information set of OpenSpiel, and where the frequency of each of its moves stands with us."""
    tree = sequences.tree
    side = 0 if state.current_player() == tree.mover else 1
    sets, number = tree.sides[side], int(name.split("-")[2]) - 1
    places = range(sets.starts[number], sets.starts[number + 1])
    return side, {tree.names[sets.labels[place]]: place for place in places}


def policy_of(game: Any, sequences: TreeSequences, shares: tuple[Any, Any]) -> dict[str, list[tuple[int, float]]]:
    """The frequencies of our moves under OpenSpiel's names; an action is a number."""
    table: dict[str, list[tuple[int, float]]] = {}
    for name, state in nodes_of(game).items():
        side, places = places_of(sequences, name, state)
        actions = {action: places[state.action_to_string(action)] for action in state.legal_actions()}
        table[name] = [(action, float(shares[side][place])) for action, place in actions.items()]
    return table


def shares_of(game: Any, sequences: TreeSequences, policy: Any) -> tuple[Any, Any]:
    """The other way: how often OpenSpiel's policy plays each of our moves."""
    shares = tuple(np.zeros(int(side.starts[-1])) for side in sequences.tree.sides)
    for name, state in nodes_of(game).items():
        side, places = places_of(sequences, name, state)
        for action, share in policy.action_probabilities(state).items():
            shares[side][places[state.action_to_string(action)]] = share
    return shares[0], shares[1]


# For the sources of Kuhn and Leduc poker see tests/test_published.py; fair-1 is that of tests/reference/answers.json,
# negated, since its mover sits second.
VALUES = {"kuhn": -1 / 18, "leduc": -0.085606424078, "fair-1": -1 / 144}


@pytest.fixture(scope="module", params=VALUES)
def learned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any, Any, Any]:
    """A game, its file as OpenSpiel read it, and OpenSpiel's CFR+ after some rounds."""
    pyspiel = pytest.importorskip("pyspiel")
    sequences = to_sequence_game(TREES[request.param]())
    game = load(pyspiel, sequences.tree, tmp_path_factory.mktemp(request.param))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    return request.param, sequences, game, solver  # its policies live no longer than it does


def test_openspiel_reads_the_file_and_learns_the_same_value(learned: tuple[str, Any, Any, Any]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    name, _, game, solver = learned
    policy = solver.average_policy()
    gap = pyspiel.nash_conv(game, policy)
    first, second = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)
    assert gap < 0.01
    assert first == pytest.approx(-second)
    assert abs(first - VALUES[name]) <= gap


def test_a_strategy_that_openspiel_found_is_proved_to_be_as_good_as_openspiel_says(
    learned: tuple[str, Any, Any, Any],
) -> None:
    """The checker of proofs needs to know nothing about where plans come from."""
    pyspiel = pytest.importorskip("pyspiel")
    name, sequences, game, solver = learned
    policy = solver.average_policy()
    sides, shares = sequences.game.sides, shares_of(game, sequences, policy)
    plans = tuple(as_plan(side, share) for side, share in zip(sides, shares, strict=True))
    proved = certify(sequences.game, (plans[0], plans[1])).interval
    value = find_equilibrium(sequences.game, exact=True, watch=Watch()).certificate.interval.low
    assert proved.low <= value <= proved.high
    assert 0 < proved.width < 0.01
    assert float(proved.width) == pytest.approx(pyspiel.nash_conv(game, policy), abs=1e-9)
    first = -value if sequences.tree.mover else value  # ann sits first, whoever moves first
    assert float(first) == pytest.approx(VALUES[name], abs=1e-9)


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
