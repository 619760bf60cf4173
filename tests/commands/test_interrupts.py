"""Ctrl-C while an answer is worked out, and what is told on the way: real signals, pipes and a terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from cli.running import ProgressLine
from solver.watch import Progress
from tests.commands.program import COMPILING, EXAMPLES, ROOT, run, start

DEEP = str(EXAMPLES / "four-mid-game.toml")
ENDLESS = ("--samples", "1000000000")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What is interrupted later must not be the compiling of a first run."""
    for command in ("analyze", "hint"):
        assert run(command, DEEP, "--samples", "64").returncode == 0


@pytest.mark.parametrize("command", ["analyze", "hint"])
@pytest.mark.parametrize("delay", [0.15, 0.4])
def test_ctrl_c_before_anything_is_found_leaves_without_a_traceback(command: str, delay: float) -> None:
    process = start(command, DEEP, "--json", *ENDLESS)
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    if not stdout:
        assert stderr == "lastdraw: interrupted before there was an answer\n"
    else:
        assert json.loads(stdout)["interrupted"] is True


def sampling(process_words: tuple[str, ...]) -> tuple[int, str, str]:
    """Start, let it sample for a while, and interrupt."""
    process = start(*process_words)
    time.sleep(3.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    return process.returncode, stdout, stderr


@pytest.mark.parametrize("command", ["analyze", "hint"])
def test_ctrl_c_later_prints_what_was_found_so_far(command: str) -> None:
    code, stdout, stderr = sampling((command, DEEP, "--json", *ENDLESS))
    assert (code, stderr) == (130, "")
    found = json.loads(stdout)
    assert found["interrupted"] is True
    assert 0 < found["sampled"] < 1_000_000_000
    assert found["moves"][0]["value"]["error"] > 0
    if command == "hint":
        assert found["hint"] == found["moves"][0]["move"]


def test_an_interrupted_table_says_so() -> None:
    code, stdout, stderr = sampling(("analyze", DEEP, *ENDLESS))
    assert (code, stderr) == (130, "")
    assert stdout.startswith("Interrupted: this is what had been found.")
    assert "games played out" in " ".join(stdout.split())


STUBBORN = """
import sys, time
from cli.running import Run

def work(watch):
    print("begun", flush=True)
    time.sleep(60)

run = Run(None, str)
print(run.find(work), run.interrupted)
sys.stdout.flush()
"""


def stubborn() -> subprocess.Popen[str]:
    """Work that does not heed a stop, under way."""
    process = subprocess.Popen([sys.executable, "-c", STUBBORN], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    return process


HALFWAY = """
import sys, time
import solver.solve
from solver.watch import Progress

estimate = solver.solve.solve

def solve(game, position, *, watch, **options):
    found = estimate(game, position, samples=64)
    watch.tell(Progress("half of it", 0.5, found))
    sys.stderr.write("begun\\n")
    sys.stderr.flush()
    time.sleep(60)

solver.solve.solve = solve
from cli.main import main
main()
"""


@pytest.mark.parametrize("command", ["analyze", "hint"])
def test_the_answer_so_far_of_work_that_does_not_stop_is_printed(command: str) -> None:
    """`hint` then has no reasons, because there was no time to find any."""
    words = [sys.executable, "-c", HALFWAY, command, DEEP, "--json"]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stderr) == (130, "")
    found = json.loads(stdout)
    assert (found["interrupted"], found["sampled"]) == (True, 64)
    if command == "hint":
        assert (found["hint"], found["sure"], found["why"]) == (found["moves"][0]["move"], None, [])


def test_work_that_does_not_stop_is_left_behind_after_a_moment() -> None:
    process = stubborn()
    stdout, _ = process.communicate(timeout=30)
    assert (stdout, process.returncode) == ("None True\n", 0)


def test_a_second_ctrl_c_leaves_at_once() -> None:
    process = stubborn()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=30)
    assert (stdout, process.returncode) == ("", 130)


def on_terminal(*words: str, seconds: float) -> str:
    """What the error stream shows when it is a terminal; interrupted after so many seconds."""
    ours, theirs = pty.openpty()
    process = start(*words, stderr=theirs)
    os.close(theirs)
    told, until = b"", time.monotonic() + seconds
    try:
        while time.monotonic() < until or process.poll() is None:
            if time.monotonic() >= until:
                process.send_signal(signal.SIGINT)
                process.wait(timeout=30)
            if select.select([ours], [], [], 0.1)[0]:
                told += os.read(ours, 65536)
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(ours)
        process.communicate(timeout=30)
    return told.decode()


def test_progress_is_shown_on_a_terminal_and_wiped_out_again() -> None:
    told = on_terminal("analyze", DEEP, *ENDLESS, seconds=3.5)
    lines = [line.strip() for line in told.split("\r") if line.strip()]
    assert len(lines) > 2
    assert all(line.startswith("0% playing games out") for line in lines)
    assert re.search(r": (give|claim|dump) \S+ \d+\.\d% ±\d+\.\d%, [\d,]+ games$", lines[-1])
    assert told.endswith("\r")
    assert max(map(len, told.split("\r"))) <= 80


def test_compiling_is_told_once_even_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ProgressLine, "compiling", False)
    for _ in range(2):
        line = ProgressLine(str)
        line.tell_compiling()
        line.tell_compiling()
    assert capsys.readouterr().err == COMPILING


def test_an_announcement_keeps_its_line_and_progress_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    line = ProgressLine(str)
    line.show(Progress("working", 0.5))
    line.show(Progress("12 classes of deals, about 3 minutes"))
    line.clear()
    told = capsys.readouterr().err
    assert told.startswith("\r50% working\r")
    assert told.endswith("\r12 classes of deals, about 3 minutes\n")


def test_no_progress_is_shown_in_a_pipe() -> None:
    ran = run("analyze", DEEP, "--samples", "5000")
    assert (ran.returncode, ran.stderr) == (0, "")
