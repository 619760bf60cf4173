"""The engine from outside: what it answers, and that no input ends it."""

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.engine import MOST_WAITING
from tests.commands.engine_client import REAL, ROOT, SCRIPTED, Client
from tests.commands.test_commands import IMPOSSIBLE, answer
from tests.text.test_positions import FAIR
from tests.text.test_positions import REAL as POSITION
from tests.text.test_records import EXAMPLE

NOT_MY_TURN = POSITION.replace('me = "ann"', 'me = "bob"')


@pytest.fixture(scope="module")
def engine() -> Iterator[Client]:
    """One engine for many tests: each leaves it with nothing to do and nothing unread."""
    with Client(*REAL) as client:
        yield client
        client.send("quit")
        assert client.last()["answer"] == {"stopping": []}
        assert client.end() == (0, b"")


@pytest.fixture
def scripted() -> Iterator[Client]:
    with Client(*SCRIPTED) as client:
        yield client


def error_kind(line: dict[str, Any]) -> str:
    assert line["type"] == "error"
    assert line["error"].keys() == {"kind", "message"}
    assert line["error"]["message"]
    return str(line["error"]["kind"])


@pytest.mark.parametrize("command", ["show", "check", "beliefs"])
@pytest.mark.parametrize("text", [POSITION, EXAMPLE, FAIR], ids=["position", "record", "small"])
def test_an_answer_is_what_the_command_prints(engine: Client, command: str, text: str) -> None:
    line = engine.ask(command, f"{command} ä\u2028 1", text=text)
    assert line == {"id": f"{command} ä\u2028 1", "type": "result", "answer": answer(command, "-", text=text)}


@pytest.mark.parametrize(
    ("command", "text", "kind"),
    [
        ("show", "", "notation"),
        ("show", "players = 7", "notation"),
        ("check", "game blasting-billy\nfrom /dev/stdin", "notation"),
        ("beliefs", POSITION.replace("J5", "J6 J5"), "impossible"),
        ("show", IMPOSSIBLE, "impossible"),
        ("analyze", IMPOSSIBLE, "impossible"),
        ("analyze", NOT_MY_TURN, "illegal"),
        ("show", "\0", "notation"),
        ("show", f"# \ud800\n{FAIR}", "notation"),
        ("show", "# " + "x" * 1_000_000, "notation"),
    ],
)
def test_a_wrong_text_is_an_error_of_its_kind(engine: Client, command: str, text: str, kind: str) -> None:
    assert error_kind(engine.ask(command, 7, text=text)) == kind


def test_check_answers_no_without_being_an_error(engine: Client) -> None:
    found = engine.ask("check", -1.5, text=IMPOSSIBLE)["answer"]
    assert found["ok"] is False
    assert len(found["statements"]) == 2


def test_a_wrong_option_is_an_error_of_its_kind(engine: Client) -> None:
    assert error_kind(engine.ask("analyze", 1, text=POSITION, options={"lens": "x"})) == "illegal"
    assert error_kind(engine.ask("analyze", 2, text=POSITION, options={"budget": 0})) == "request"


def test_version_says_what_there_is(engine: Client) -> None:
    found = engine.ask("version", "v")["answer"]
    assert found["name"] == "lastdraw"
    assert found["protocol"] == 1
    assert {"analyze", "hint", "show", "check", "beliefs", "stop", "quit", "ping"} <= set(found["commands"])


def test_ping_is_answered_before_what_is_under_way(scripted: Client) -> None:
    for request_id in ("a", "b", "c"):
        scripted.send("show", request_id, text="search 60")
    assert scripted.line()["type"] == "info"
    assert scripted.ask("ping")["answer"] == {"running": "a", "waiting": ["b", "c"]}


def test_empty_lines_are_ignored(engine: Client) -> None:
    engine.send_raw(b"\n\r\n   \n\t\n")
    assert engine.ask("ping")["type"] == "result"


def test_a_line_of_fifty_megabytes_is_refused_and_not_kept(engine: Client) -> None:
    engine.ask("ping")
    before = engine.memory()
    engine.send_raw(b'{"id": 1, "text": "')
    for _ in range(50):
        engine.send_raw(b"x" * 1_000_000)
    engine.send_raw(b'"}\n')
    line = engine.last()
    assert (line["id"], error_kind(line)) == (None, "request")
    assert engine.memory() - before < 25_000_000
    assert engine.ask("ping")["type"] == "result"


def test_texts_that_wait_are_kept_only_up_to_a_limit(scripted: Client) -> None:
    scripted.send("show", "long", text="search 60")
    size = 3_500_000
    fitting = MOST_WAITING // size
    for number in range(fitting + 2):
        scripted.send("show", number, text="x" * size)
    refused = [scripted.last(), scripted.last()]
    assert [(line["id"], error_kind(line)) for line in refused] == [(fitting, "request"), (fitting + 1, "request")]
    assert len(scripted.ask("ping")["answer"]["waiting"]) == fitting
    scripted.send("stop")
    assert {scripted.last()["type"] for _ in range(fitting + 2)} == {"result", "error"}
    assert scripted.ask("show", 1, text="x" * size)["type"] == "result"


def test_an_id_still_waited_for_is_not_given_again(scripted: Client) -> None:
    scripted.send("show", "a", text="search 60")
    scripted.send("show", "b", text="1")
    for request_id in ("a", "b"):
        for content in (
            {"id": request_id, "command": "show", "text": ""},
            {"id": request_id, "command": "stop"},
            {"id": request_id, "command": "fly"},
        ):
            scripted.send_raw(json.dumps(content).encode() + b"\n")
            line = scripted.last()
            assert (line["id"], error_kind(line)) == (None, "request")
    assert scripted.ask("ping")["answer"] == {"running": "a", "waiting": ["b"]}
    scripted.send("stop", stop="a")
    lines = [scripted.last() for _ in range(3)]
    assert [line["id"] for line in lines] == [None, "a", "b"]
    assert scripted.ask("show", "a", text="again")["answer"]["text"] == "again"


def test_a_defect_is_told_and_survived(scripted: Client) -> None:
    for text in ("divide 0", "number nan", "exit 3", "divide x"):
        assert error_kind(scripted.ask("show", text, text=text)) == "internal"
    assert "ZeroDivisionError" in scripted.ask("show", 1, text="divide 0")["error"]["message"]
    assert scripted.ask("show", 1, text="divide 4")["answer"] == {"quotient": 0.25}


def test_nothing_but_the_engine_uses_its_streams(scripted: Client) -> None:
    assert scripted.ask("show", 1, text="litter")["answer"] == {"stdin": ""}
    scripted.send("quit")
    assert [line["answer"] for line in scripted.rest()] == [{"stopping": []}]
    assert scripted.end() == (0, b"litter\nlitter\n")


def test_options_reach_the_work(scripted: Client) -> None:
    options = {"budget": 0.5, "samples": 9, "seed": 3, "exact": False, "lens": "open"}
    assert scripted.ask("analyze", 1, text="", options=options)["answer"]["options"] == options


def test_info_comes_soon_and_a_few_times_a_second(scripted: Client) -> None:
    scripted.send("show", 0, text="search 0.5")
    scripted.send("analyze", 1, text="think 1.6")
    assert scripted.last()["id"] == 0
    lines = [scripted.line()]
    while lines[-1]["type"] == "info":
        lines.append(scripted.line())
    *infos, result = lines
    assert result["type"] == "result"
    assert 4 <= len(infos) <= 8
    assert infos[0]["seconds"] < 0.3
    for info in infos:
        assert info["id"] == 1
        assert (info["message"], info["method"], info["deals"]) == ("thinking", "sampled", 1000)
        assert info["best"] == ["give J7"]
        assert info["value"] == {"fraction": None, "float": 0.5, "error": 0.1}
    for name in ("done", "seconds", "sampled"):
        told = [info[name] for info in infos]
        assert told == sorted(set(told))


def garbage(rng: random.Random) -> bytes:
    """A line that is no request."""
    letters = b'{}[]":,\\ ntf01e-.idcomatxps\xff\xc3\x00\x80'
    noise = bytes(rng.choice(letters) for _ in range(rng.randrange(1, 60)))
    wrong: list[bytes] = [
        b"!" + noise,
        b"[" * rng.randrange(1, 3000),
        b'{"id": ' + noise,
        json.dumps({"command": rng.choice(["show", "fly", None, 3, "analyze"]), "x": rng.random()}).encode(),
        json.dumps(rng.choice([None, 1, "quit", [], [{"command": "quit"}], True])).encode(),
        b"9" * rng.randrange(4301, 9000),
        b'{"stop": "nobody", "command": "stop"}',
        b"x" * 4_000_001 if rng.random() < 0.05 else b"\xfe\xff",
    ]
    return rng.choice(wrong)


@pytest.mark.parametrize("seed", range(3))
def test_requests_among_garbage_are_each_answered_once_and_in_order(engine: Client, seed: int) -> None:
    rng = random.Random(seed)
    expected: list[tuple[int, str]] = []
    lines = []
    for number in range(400):
        if rng.random() < 0.3:
            text, kind = rng.choice([(FAIR, "result"), (EXAMPLE, "result"), ("", "error"), (IMPOSSIBLE, "error")])
            command = rng.choice(["show", "beliefs"])
            lines.append(json.dumps({"id": number, "command": command, "text": text}).encode())
            expected.append((number, kind))
        else:
            lines.append(garbage(rng))
    engine.send_raw(b"\n".join(lines) + b"\n")
    found = [engine.last() for _ in lines]
    assert [(line["id"], line["type"]) for line in found if line["id"] is not None] == expected
    assert {error_kind(line) for line in found if line["id"] is None} == {"request"}
    assert engine.ask("ping")["answer"] == {"running": None, "waiting": []}


def test_a_client_that_reads_late_is_waited_for(scripted: Client) -> None:
    number = 8000
    sender = threading.Thread(target=scripted.send_raw, args=(b"garbage garbage garbage\n" * number,), daemon=True)
    sender.start()
    sender.join(20)
    assert not sender.is_alive(), "the engine does not read while nobody reads its answers"
    scripted.send("show", "last", text="x")
    found = [scripted.line() for _ in range(number + 1)]
    assert [line["id"] for line in found] == [None] * number + ["last"]


@pytest.mark.parametrize("text", ["x", "think 60", "sleep 60"])
def test_a_closed_output_is_left_quietly(scripted: Client, text: str) -> None:
    assert scripted.process.stdout is not None
    scripted.process.stdout.close()
    scripted.send("analyze", 1, text=text)
    assert scripted.end(10) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told_in_one_line() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", *REAL]
        ran = subprocess.run(
            command, cwd=ROOT, input=b"x\n", stdout=full, stderr=subprocess.PIPE, timeout=30, check=False
        )
    assert ran.returncode == 2
    assert ran.stderr.splitlines() == [b"lastdraw: the answer cannot be written: " + os.strerror(28).encode()]
