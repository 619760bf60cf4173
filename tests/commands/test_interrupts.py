"""Ctrl-C while an answer is worked out, and what is told on the way: real signals, pipes and a terminal."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from cli.running import GRACE
from tests.commands.program import EXAMPLES, ROOT, run, start

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


def test_work_that_does_not_stop_is_left_behind_after_a_moment() -> None:
    process, begin = stubborn(), time.monotonic()
    stdout, _ = process.communicate(timeout=30)
    assert (stdout, process.returncode) == ("None True\n", 0)
    assert GRACE - 0.5 < time.monotonic() - begin < GRACE + 3


def test_a_second_ctrl_c_leaves_at_once() -> None:
    process = stubborn()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    stdout, _ = process.communicate(timeout=30)
    assert (stdout, process.returncode) == ("", 130)
    assert time.monotonic() - begin < GRACE - 0.5


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
    assert all("playing games out: " in line and "% (" not in line for line in lines)
    assert "deals" in lines[-1]
    assert told.endswith("\r")
    assert max(map(len, told.split("\r"))) <= 80


def test_no_progress_is_shown_in_a_pipe() -> None:
    ran = run("analyze", DEEP, "--samples", "5000")
    assert (ran.returncode, ran.stderr) == (0, "")
