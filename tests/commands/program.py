"""The program run from outside, and its analyzing commands called inside the tests' own process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.analysis import Asked, analyze
from cli.hinting import hint

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "tests" / "reference"
EXAMPLES = ROOT / "examples"
COMPILING = "compiling (first run only)…\n"

Ran = subprocess.CompletedProcess[str]


def start(*words: str, **options: Any) -> subprocess.Popen[str]:
    """The program with its streams in pipes; COLUMNS and colour as on a plain machine unless given."""
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "FORCE_COLOR", "NO_COLOR")}
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-m", "cli.main", *words]
    more = options.pop("environment", {})
    return subprocess.Popen(command, cwd=ROOT, env={**environment, **more}, encoding="utf-8", **{**streams, **options})


def run(*words: str, stdin: str = "", **environment: str) -> Ran:
    """Run a command to its end; however it ends, it shows no traceback and no more than 12 lines of complaint."""
    process = start(*words, environment=environment)
    stdout, stderr = process.communicate(stdin, timeout=120)
    stderr = stderr.replace(COMPILING, "")
    assert "Traceback" not in stderr
    assert stderr.count("\n") <= 12
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def interrupt_once_begun(program: str, *words: str) -> dict[str, Any]:
    """The JSON answer of a Python program that says `begun` on its error stream and is interrupted then."""
    command = [sys.executable, "-c", program, *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert process.stderr is not None
    while process.stderr.readline() != "begun\n":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stderr) == (130, "")
    found = json.loads(stdout)
    assert isinstance(found, dict)
    return found


def asked_here(
    command: Callable[..., int], file: Path | str, capsys: pytest.CaptureFixture[str], **options: Any
) -> dict[str, Any]:
    """The JSON answer of `analyze` or `hint`, called in this process."""
    assert command(str(file), Asked(**options), as_json=True) == 0
    captured = capsys.readouterr()
    assert captured.err in ("", COMPILING)
    found = json.loads(captured.out)
    assert isinstance(found, dict)
    return found


def analyzed(file: Path | str, capsys: pytest.CaptureFixture[str], **options: Any) -> dict[str, Any]:
    return asked_here(analyze, file, capsys, **options)


def hinted(file: Path | str, capsys: pytest.CaptureFixture[str], **options: Any) -> dict[str, Any]:
    return asked_here(hint, file, capsys, **{"budget": 10.0, **options})
