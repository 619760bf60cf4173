"""The commands from outside: what they print, where, and how they end."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from rich.console import Console

from cli.drawing import draw_table
from cli.odds import print_beliefs
from solver.games.blasting_billy.beliefs import believe
from solver.games.blasting_billy.deck import REAL_DECK, removed_at_setup
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.reading import read
from tests.text.sampling import Game, games, play
from tests.text.test_positions import FAIR, REAL
from tests.text.test_records import EXAMPLE

ROOT = Path(__file__).parents[2]
COMMANDS = ("show", "check", "beliefs")
IMPOSSIBLE = REAL.replace("[hands]", 'facts = ["bob.loot.J = 5"]\n[hands]', 1)

Ran = subprocess.CompletedProcess[bytes]


def run(*words: str, stdin: bytes = b"", **environment: str) -> Ran:
    """Run a command; however it ends, it never shows a traceback or more than 12 lines of complaint."""
    ran = subprocess.run(
        [sys.executable, "-m", "cli.main", *words],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in ran.stderr
    assert ran.stderr.count(b"\n") <= 12
    assert (ran.stderr == b"") == (ran.returncode in (0, 1))
    return ran


def answer(*words: str, text: str = "") -> dict[str, Any]:
    found = json.loads(run(*words, "--json", stdin=text.encode()).stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("text", [REAL, EXAMPLE], ids=["position", "record"])
def test_a_right_text_from_standard_input_is_answered_plainly(command: str, text: str) -> None:
    ran = run(command, "-", stdin=text.encode(), NO_COLOR="1")
    assert ran.returncode == 0
    assert ran.stdout.strip()
    assert b"\x1b" not in ran.stdout
    assert b"\x1b" not in run(command, "-", stdin=text.encode()).stdout


def test_show_json_holds_the_position_as_text() -> None:
    found = answer("show", "-", text=REAL)
    assert found["game"] == "blasting-billy"
    assert found["to_move"] == "ann"
    assert found["position"] == format_position(parse_position(REAL))


def test_check_json_counts_the_deals() -> None:
    found = answer("check", "-", text=REAL)
    assert found["ok"] is True
    assert found["deals"] == answer("beliefs", "-", text=REAL)["deals"]


@pytest.mark.parametrize("text", [FAIR, REAL], ids=["fair", "real"])
def test_beliefs_json_has_odds_that_sum_to_one(text: str) -> None:
    found = answer("beliefs", "-", text=text)
    assert {"deals", "cards", "totals", "shot_now"} <= set(found)
    for odds in (*found["cards"].values(), *found["totals"].values()):
        assert sum(Fraction(chance["fraction"]) for chance in odds.values()) == 1
        assert all(float(Fraction(chance["fraction"])) == chance["float"] for chance in odds.values())
    assert set(found["shot_now"]) == {"ann", "bob"}
    for shot in found["shot_now"].values():
        types = [Fraction(chance["fraction"]) for chance in shot["types"].values()]
        assert max(types) <= Fraction(shot["fraction"]) <= min(Fraction(1), sum(types, Fraction(0)))


def test_check_of_an_impossible_position_answers_no() -> None:
    ran = run("check", "-", "--json", stdin=IMPOSSIBLE.encode())
    assert ran.returncode == 1
    found = json.loads(ran.stdout)
    assert found["ok"] is False
    assert len(found["statements"]) == 2
    assert any("bob.loot.J = 5" in statement for statement in found["statements"])
    assert run("check", "-", stdin=IMPOSSIBLE.encode()).returncode == 1


@pytest.mark.parametrize("command", ["show", "beliefs"])
def test_other_commands_refuse_an_impossible_position(command: str) -> None:
    ran = run(command, "-", stdin=IMPOSSIBLE.encode())
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"bob.loot.J = 5" in ran.stderr


@pytest.mark.parametrize(
    "stdin",
    [b"", b"me = bob", b"\xff\xfe\x00", b"a\0b", bytes(range(1, 256)) * 8],
    ids=["empty", "TOML", "BOM", "NUL", "noise"],
)
@pytest.mark.parametrize("command", ["show", "check"])
def test_an_unreadable_text_is_refused(command: str, stdin: bytes) -> None:
    ran = run(command, "-", stdin=stdin)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"standard input" in ran.stderr


def test_files_that_cannot_be_read_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    for path in (tmp_path, tmp_path / "missing.toml", tmp_path / "binary"):
        ran = run("show", str(path))
        assert ran.returncode == 2
        assert path.name.encode() in ran.stderr


@pytest.mark.parametrize("words", [("show",), ("fly",), ("show", "-", "--fly"), ("random", "--players", "x")])
def test_a_wrong_command_line_is_refused(words: tuple[str, ...]) -> None:
    assert run(*words).returncode == 2


@pytest.mark.parametrize(
    "options", [("--players", "6"), ("--pile", "99"), ("--types", "X"), ("--hand", "0"), ("--removed", "61")]
)
def test_random_refuses_games_that_cannot_be(options: tuple[str, ...]) -> None:
    assert run("random", *options).returncode == 2


@pytest.mark.parametrize(
    "words",
    [("random", "--seed", "1"), ("random", "--seed", "1", "--json"), ("show", "F"), ("beliefs", "F"), ("check", "F")],
)
def test_a_closed_pipe_is_left_quietly(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(FAIR, encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "cli.main", *(str(file) if word == "F" else word for word in words)],
            stdout=writer,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert ran.stderr == b""


def test_the_same_seed_gives_the_same_position() -> None:
    for options in ((), ("--record",), ("--json",)):
        one, two = (run("random", "--players", "3", "--pile", "5", "--seed", "7", *options).stdout for _ in range(2))
        assert one == two
    assert run("random", "--seed", "8").stdout != run("random", "--seed", "7").stdout


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("pile", [0, 4])
def test_a_random_position_passes_check(players: int, pile: int) -> None:
    form = ("--record",) if pile else ()
    made = run("random", "--players", str(players), "--pile", str(pile), "--seed", "3", *form)
    ran = run("check", "-", stdin=made.stdout)
    assert (ran.returncode, ran.stdout[:3]) == (0, b"ok:")


@settings(max_examples=60, deadline=None)
@given(games())
def test_a_drawn_table_fits_sixty_columns(game: Game) -> None:
    file = StringIO()
    draw_table(observe(game[0], game[0].to_move), Console(width=60, file=file, force_terminal=True, color_system=None))
    assert [line for line in file.getvalue().splitlines() if len(line.rstrip()) > 60] == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("pile", [0, 3, 12])
def test_printed_beliefs_fit_sixty_columns(players: int, pile: int) -> None:
    state, _ = play(pile, players, pile, REAL_DECK, removed_at_setup(players), players, covered=False)
    position = read(format_position(observe(state, state.to_move)))[1]
    file = StringIO()
    print_beliefs(believe(position), position, Console(width=60, file=file, force_terminal=True, color_system=None))
    assert [line for line in file.getvalue().splitlines() if len(line.rstrip()) > 60] == []


@pytest.mark.parametrize("words", [["--help"], ["show", "FILE"]], ids=["help", "show"])
def test_light_commands_import_nothing_heavy(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(FAIR, encoding="utf-8")
    code = (
        "import sys\nfrom cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write(' '.join({'numba', 'scipy', 'pysat', 'numpy'} & set(sys.modules)))"
    )
    words = [str(file) if word == "FILE" else word for word in words]
    ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert ran.stdout
    assert ran.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told_in_one_line() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "cli.main", "random", "--seed", "1"]
        answer = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert answer.returncode == 2
    assert "cannot be written" in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
