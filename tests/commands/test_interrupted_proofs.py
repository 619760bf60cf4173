"""Ctrl-C while an equilibrium is worked out: the interval proved so far, if there is one."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from solver.games.blasting_billy.deck import Deck
from solver.games.blasting_billy.hidden import observe
from solver.games.blasting_billy.position_text import format_position
from solver.games.blasting_billy.random_play import play_randomly
from tests.commands.program import EXAMPLES, ROOT, run

LONG = 120.0
"""Seconds after which what has not happened will not."""


def position_file(path: Path, deck: Deck, *, pile: int, seed: int) -> Path:
    state, _ = play_randomly(players=2, pile=pile, turns_left=2, deck=deck, removed=1, rng=Random(seed))
    path.write_text(format_position(observe(state, state.to_move)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A position with 33 million histories, and a small one solved before, so that nothing is left to compile."""
    folder = tmp_path_factory.mktemp("positions")
    small = position_file(folder / "small.toml", Deck("JB", 0, 3, True, 2), pile=1, seed=1)
    for lens in ("fair", "guard"):
        assert run("analyze", str(small), "--lens", lens).returncode == 0
    return str(position_file(folder / "large.toml", Deck("JB", 0, 4, True, 2), pile=2, seed=2))


PATIENT = "import cli.running; cli.running.PATIENCE = 60.0; from cli.main import main; main()"
"""The program, with time to hand over what it has even on a machine that is busy with other things."""


def interrupt_when(words: tuple[str, ...], ripe: Callable[[str], object]) -> tuple[int, str, str]:
    """Interrupt once the progress told on a terminal is ripe; the exit code, the answer and all that was told."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", PATIENT, *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, encoding="utf-8")
    os.close(theirs)
    told, until, sent = "", time.monotonic() + LONG, False
    try:
        while time.monotonic() < until:
            if not sent and ripe(told):
                process.send_signal(signal.SIGINT)
                sent = True
            if select.select([ours], [], [], 0.1)[0]:
                told += os.read(ours, 65536).decode()
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(ours)
    stdout, _ = process.communicate(timeout=LONG)
    assert sent, told
    assert "Traceback" not in told
    return process.returncode, stdout, told


def test_ctrl_c_once_regret_is_minimised_prints_a_proved_interval(large: str) -> None:
    words = ("analyze", large, "--lens", "fair", "--json")
    code, stdout, _ = interrupt_when(words, re.compile(r"value from \S+ to").search)
    assert code == 130
    found = json.loads(stdout)
    value = found["value"]
    assert (found["interrupted"], found["lens"]) == (True, "fair")
    assert found["exact"] == (value["fraction"] is not None) == (value["error"] == 0)
    assert value["error"] < 0.5  # of payoffs from -1 to 1, so something was proved
    assert found["exploitability"] == pytest.approx(2 * value["error"], rel=1e-6)
    assert sum(each["frequency"] for each in found["moves"]) == pytest.approx(1)


SLOW_TO_GUARD = str(EXAMPLES / "two-reduced.toml")
"""Its six moves take several seconds each."""


def test_ctrl_c_after_some_moves_prints_what_those_guarantee() -> None:
    words = ("analyze", SLOW_TO_GUARD, "--lens", "guard", "--json")
    code, stdout, _ = interrupt_when(words, re.compile(r"[1-9]\d*% finding what each move guarantees").search)
    assert code == 130
    found = json.loads(stdout)
    assert (found["interrupted"], found["lens"]) == (True, "guard")
    assert 1 <= len(found["moves"]) < 6  # two cards in hand, three verbs
    assert all(each["value"]["error"] < 1 for each in found["moves"])


@pytest.mark.parametrize("lens", ["fair", "guard"])
@pytest.mark.parametrize("delay", [0.5, 1.5])
def test_ctrl_c_at_any_time_leaves_without_a_traceback(large: str, lens: str, delay: float) -> None:
    begin = time.monotonic()
    words = ("analyze", large if lens == "fair" else SLOW_TO_GUARD, "--lens", lens, "--json")
    code, stdout, told = interrupt_when(words, lambda _: time.monotonic() > begin + delay)
    assert code == 130
    if not stdout:
        assert told.splitlines()[-1].endswith("lastdraw: interrupted before there was an answer")
    else:
        found = json.loads(stdout)
        assert (found["interrupted"], found["lens"]) == (True, lens)
