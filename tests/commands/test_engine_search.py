"""The engine at its real work. The first run on a machine compiles kernels, which takes a while."""

import json
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numba
import pytest

from cli.engine_requests import Request
from cli.engine_work import answer
from solver.watch import Progress, Watch
from tests.commands.engine_client import REAL, ROOT, Client, Line

COMPILING = 300.0
"""Seconds that the first answer may take."""
REFERENCE = ROOT / "tests" / "reference"
SMALL: list[dict[str, Any]] = [
    row
    for row in json.loads((REFERENCE / "answers.json").read_text(encoding="utf-8"))
    if row["lens"] == "open" and row["position"].startswith("small")
]
LONG = (ROOT / "examples" / "two-first-turn.toml").read_text(encoding="utf-8")
LARGE = (ROOT / "examples" / "four-mid-game.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def engine() -> Iterator[Client]:
    with Client(*REAL) as client:
        yield client
        client.send("quit")
        assert client.end() == (0, b"")


def text_of(row: dict[str, Any]) -> str:
    return (REFERENCE / str(row["position"])).read_text(encoding="utf-8")


def lines_about(engine: Client, request_id: object) -> list[Line]:
    """All lines up to the result or error of a request; they are all about it."""
    lines = [engine.line(COMPILING)]
    while lines[-1]["type"] == "info":
        lines.append(engine.line(COMPILING))
    assert {line["id"] for line in lines} == {request_id}
    return lines


def begin(engine: Client, command: str, request_id: str) -> None:
    """Send a long search, and come back when it has found something."""
    engine.send(command, request_id, text=LONG, options={"budget": 600})
    while not (line := engine.line(COMPILING))["best"]:
        assert line["type"] == "info"


@pytest.mark.parametrize("row", SMALL, ids=[row["position"] for row in SMALL])
def test_analyze_gives_the_exact_values(engine: Client, row: dict[str, Any]) -> None:
    engine.send("analyze", 1, text=text_of(row), options={"lens": "open", "objective": row["objective"], "exact": True})
    *_, line = lines_about(engine, 1)
    found = line["answer"]
    assert found["exact"] is True
    assert found["deals"] == row["deals"]
    assert {move["move"]: move["value"]["fraction"] for move in found["moves"]} == row["moves"]


def test_analyze_answers_what_the_command_prints(engine: Client) -> None:
    options = {"samples": 300, "seed": 5}
    engine.send("analyze", "a", text=text_of(SMALL[0]), options=options)
    *_, line = lines_about(engine, "a")
    words = [f"--{name}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", "cli.main", "analyze", "-", "--json", *words]
    printed = subprocess.run(command, cwd=ROOT, input=text_of(SMALL[0]), capture_output=True, text=True, check=True)
    expected = json.loads(printed.stdout)
    assert {**line["answer"], "seconds": None} == {**expected, "seconds": None}


def test_kernels_are_compiled_once_for_all_requests(engine: Client) -> None:
    for request_id in (1, 2):
        engine.send("analyze", request_id, text=text_of(SMALL[0]))
        lines = lines_about(engine, request_id)
    assert not any("compiling" in line.get("message", "") for line in lines)


def test_hint_names_a_move_and_says_why(engine: Client) -> None:
    engine.send("hint", "h", text=text_of(SMALL[0]), options={"budget": 3})
    *_, line = lines_about(engine, "h")
    found = line["answer"]
    assert found["hint"] == max(SMALL[0]["moves"], key=lambda move: Fraction(SMALL[0]["moves"][move]))
    assert found["sure"]["kind"] == "exact"
    assert found["why"]


@pytest.mark.parametrize("command", ["analyze", "hint"])
def test_a_long_search_stops_soon_with_what_it_has(engine: Client, command: str) -> None:
    begin(engine, command, "long")
    engine.send("stop", "s", stop="long")
    acknowledged, line = engine.last(), engine.last()
    assert (acknowledged["id"], line["id"]) == ("s", "long")
    found = line["answer"]
    assert found["interrupted"] is True
    assert found["best"]
    assert found["exact"] is False
    assert command != "hint" or found["hint"] in found["best"]


def test_a_stop_right_behind_a_request_is_answered_soon(engine: Client) -> None:
    for number in range(5):
        engine.send("analyze", number, text=LONG, options={"budget": 600})
        engine.send("stop", "s", stop=number)
        found = [engine.last(), engine.last()]
        assert [line["id"] for line in found] == ["s", number]


def test_exact_refuses_what_is_too_large(engine: Client) -> None:
    engine.send("analyze", 1, text=LARGE, options={"exact": True, "budget": 1})
    *_, line = lines_about(engine, 1)
    assert line["error"]["kind"] == "too-large"


def test_compiling_is_told_to_whoever_waits_for_it() -> None:
    told: list[Progress] = []
    request = Request(id=1, command="analyze", text=text_of(SMALL[0]), options={"samples": 1})
    answer(request, Watch(report=told.append))
    told.clear()
    assert numba.njit(lambda number: number + 1)(1) == 2
    assert {progress.task for progress in told} == {"compiling (first run only)"}


def test_the_example_client_shows_its_way_to_two_answers() -> None:
    watch = Watch(report=lambda progress: watch.stop() if progress.so_far else None)
    answer(Request(id=1, command="analyze", text=LONG, options={"budget": 20.0}), watch)  # has all compiled
    client = Path("examples") / "engine_client.py"
    files = (str(REFERENCE / "small-1.toml"), "examples/two-first-turn.toml")
    ran = subprocess.run([sys.executable, client, *files], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert "small-1.toml  dump B0, worth 5/18 (exact, enumerated)" in lines
    assert lines[-1].startswith("two-first-turn.toml")
    assert "(interrupted, playouts)" in lines[-1]
