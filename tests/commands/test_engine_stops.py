"""How the engine's work ends early: stop, quit, the end of input and ctrl-C."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from cli.engine import GRACE
from tests.commands.engine_client import REAL, ROOT, SCRIPTED, Client, Line
from tests.text.test_positions import FAIR


@pytest.fixture
def engine() -> Iterator[Client]:
    with Client(*SCRIPTED) as client:
        yield client


def outcome(line: Line) -> tuple[object, str]:
    """The id, and what became of the request."""
    if line["type"] == "error":
        return line["id"], line["error"]["kind"]
    return line["id"], "interrupted" if line["answer"].get("interrupted") else "result"


def begin(engine: Client, text: str, command: str = "analyze", request_id: str = "a") -> None:
    """Send a request, and come back when it is worked on."""
    engine.send(command, request_id, text=text)
    assert engine.line()["id"] == request_id


def test_a_stopped_search_answers_at_once_with_what_it_has(engine: Client) -> None:
    begin(engine, "think 60")
    time.sleep(0.3)
    assert engine.ask("stop", "s", stop="a") == {"id": "s", "type": "result", "answer": {"stopping": ["a"]}}
    line = engine.last()
    assert outcome(line) == ("a", "interrupted")
    assert line["answer"]["best"] == ["give J7"]
    assert line["answer"]["sampled"] > 1


def test_a_stopped_search_that_has_nothing_says_so(engine: Client) -> None:
    begin(engine, "search 60")
    engine.ask("stop", stop="a")
    assert outcome(engine.last()) == ("a", "stopped")


@pytest.mark.parametrize(("command", "expected"), [("analyze", "interrupted"), ("beliefs", "stopped")])
def test_work_that_does_not_notice_is_answered_for(engine: Client, command: str, expected: str) -> None:
    begin(engine, "sleep 2", command)
    engine.ask("stop", stop="a")
    assert outcome(engine.last(GRACE + 1)) == ("a", expected)
    assert engine.ask("ping")["answer"] == {"running": None, "waiting": []}
    assert outcome(engine.ask("show", "a", text="x")) == ("a", "result")


def test_a_waiting_request_is_stopped_before_it_begins(engine: Client) -> None:
    begin(engine, "think 60")
    engine.send("analyze", "b", text="think 60")
    engine.send("analyze", 3, text="x")
    engine.ask("stop", stop="b")
    assert outcome(engine.last()) == ("b", "stopped")
    engine.ask("stop", stop="a")
    assert outcome(engine.last()) == ("a", "interrupted")
    assert outcome(engine.last()) == (3, "result")


def test_stop_without_an_id_stops_everything(engine: Client) -> None:
    begin(engine, "think 60")
    engine.send("analyze", "b", text="think 60")
    engine.send("analyze", "c", text="think 60")
    assert engine.ask("stop")["answer"] == {"stopping": ["a", "b", "c"]}
    assert [outcome(engine.last()) for _ in range(3)] == [("b", "stopped"), ("c", "stopped"), ("a", "interrupted")]
    assert engine.ask("stop")["answer"] == {"stopping": []}


def test_an_id_that_is_not_waited_for_cannot_be_stopped(engine: Client) -> None:
    assert outcome(engine.ask("show", 1, text="x")) == (1, "result")
    for target in (1, "1", "nobody", 0.5):
        assert outcome(engine.ask("stop", "s", stop=target)) == ("s", "request")
    assert outcome(engine.ask("show", 1, text="x")) == (1, "result")


def test_a_request_is_stopped_twice_and_answered_once(engine: Client) -> None:
    begin(engine, "sleep 0.4")
    for _ in range(2):
        assert engine.ask("stop", stop="a")["answer"] == {"stopping": ["a"]}
    assert outcome(engine.last())[0] == "a"
    time.sleep(GRACE)
    assert outcome(engine.ask("stop", "s", stop="a")) == ("s", "request")


@pytest.mark.parametrize("seed", range(2))
def test_stops_that_race_with_answers_leave_one_answer_each(engine: Client, seed: int) -> None:
    rng = random.Random(seed)
    stops: dict[str, int] = {}
    answers = dict.fromkeys(range(300), 0)
    for number in answers:
        text = rng.choice(["x", "think 0.02", "search 0.01", "sleep 0.005", "divide 0", "think 30"])
        engine.send("analyze", number, text=text)
        if rng.random() < 0.5 or text == "think 30":
            time.sleep(rng.choice([0, 0, 0.001, 0.01]))
            for target in (number, rng.randrange(number + 1)):
                stops[f"stop {len(stops)}"] = target
                engine.send("stop", f"stop {len(stops) - 1}", stop=target)
    for _ in range(len(answers) + len(stops)):
        line = engine.last()
        request_id, kind = outcome(line)
        if isinstance(request_id, int):
            answers[request_id] += 1
        elif kind == "result":
            target = stops.pop(str(request_id))
            assert line["answer"] == {"stopping": [target]}
            assert answers[target] == 0
        else:
            assert kind == "request"
            assert answers[stops.pop(str(request_id))] == 1
    assert set(answers.values()) == {1}
    assert stops == {}
    assert engine.ask("ping")["answer"] == {"running": None, "waiting": []}


@pytest.mark.parametrize("way", ["quit", "end"])
@pytest.mark.parametrize(("text", "expected"), [("think 60", "interrupted"), ("search 60", "stopped")])
def test_leaving_answers_everything_first(engine: Client, way: str, text: str, expected: str) -> None:
    begin(engine, text)
    engine.send("analyze", "b", text=text)
    if way == "quit":
        assert engine.ask("quit", "q")["answer"] == {"stopping": ["a", "b"]}
    else:
        engine.end_input()
    lines = [line for line in engine.rest(5) if line["type"] != "info"]
    assert [outcome(line) for line in lines] == [("b", "stopped"), ("a", expected)]
    assert engine.end(1) == (0, b"")


def test_nothing_is_read_after_quit(engine: Client) -> None:
    engine.send_raw(b'{"command": "quit"}\n{"id": 1, "command": "show", "text": "x"}\ngarbage\n')
    assert [outcome(line) for line in engine.rest(5)] == [(None, "result")]
    assert engine.end(1) == (0, b"")


def test_leaving_does_not_wait_for_work_that_does_not_notice(engine: Client) -> None:
    begin(engine, "sleep 60")
    engine.send("quit")
    assert [outcome(line) for line in engine.rest(GRACE + 2)] == [(None, "result"), ("a", "interrupted")]
    assert engine.end(2) == (0, b"")


@pytest.mark.parametrize("last", [b"", b"\n"], ids=["cut", "ended"])
def test_with_finish_the_end_of_input_waits_for_all_answers(last: bytes) -> None:
    with Client(*SCRIPTED, "--finish") as engine:
        engine.send("analyze", 1, text="think 0.5")
        engine.send("analyze", 2, text="think 0.1")
        engine.send_raw(b'{"id": 3, "command": "show", "text": "x"}' + last)
        engine.end_input()
        lines = [line for line in engine.rest(10) if line["type"] != "info"]
        assert [outcome(line) for line in lines] == [(1, "result"), (2, "result"), (3, "result")]
        assert engine.end(1) == (0, b"")


def test_the_real_engine_finishes_what_a_file_asks_for() -> None:
    with Client(*REAL, "--finish", "--json") as engine:
        for number in range(20):
            engine.send("beliefs", number, text=FAIR)
        engine.end_input()
        assert [outcome(line) for line in engine.rest()] == [(number, "result") for number in range(20)]
        assert engine.end() == (0, b"")


@pytest.mark.parametrize("text", ["think 60", "sleep 60"])
def test_ctrl_c_answers_what_has_been_found_and_leaves(engine: Client, text: str) -> None:
    begin(engine, text)
    engine.send("analyze", "b", text="x")
    assert engine.ask("ping")["answer"]["waiting"] == ["b"]
    engine.interrupt()
    lines = [line for line in engine.rest(5) if line["type"] != "info"]
    assert [outcome(line) for line in lines] == [("b", "stopped"), ("a", "interrupted")]
    assert engine.end(2) == (130, b"")


def test_ctrl_c_twice_leaves_at_once(engine: Client) -> None:
    begin(engine, "sleep 60")
    engine.interrupt()
    time.sleep(0.1)
    engine.interrupt()
    assert engine.end(5) == (130, b"")


def test_an_input_that_was_never_open_has_ended() -> None:
    command = f'"{sys.executable}" -m {" ".join(REAL)} <&-'
    ran = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, timeout=30, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_ctrl_c_ends_an_idle_engine_quietly() -> None:
    with Client(*REAL) as engine:
        assert engine.ask("ping")["type"] == "result"
        engine.interrupt()
        assert engine.rest(5) == []
        assert engine.end(2) == (130, b"")
