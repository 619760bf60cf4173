"""Streams that are closed, pipes whose reader leaves, and kernels that were kept badly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/two-last-mover.toml"
MANY = "examples/three-pile-two.toml"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of a command in which PROGRAM is the program."""
    words = command.replace("PROGRAM", f"{sys.executable} -m cli.main")
    plain = {**os.environ, **environment}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", words], cwd=ROOT, env=plain, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"PROGRAM show {EXAMPLE} >&-", 0),
        (f"PROGRAM check {EXAMPLE} >&-", 0),
        ("PROGRAM analyze - <&-", 2),
        ("PROGRAM check nofile 2>&-", 2),
        (f"PROGRAM show {EXAMPLE} | true", 0),
        (f"PROGRAM analyze {EXAMPLE} | head -1", 0),
        (f"PROGRAM show --json {EXAMPLE} | true", 0),
        (f"COLUMNS=0 PROGRAM show {EXAMPLE} | grep -q Billy", 0),
    ],
)
def test_a_stream_that_is_closed_is_no_reason_for_a_traceback(command: str, code: int) -> None:
    ran = shell(command)
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_damaged_kernel_is_compiled_again(tmp_path: Path) -> None:
    ask = f"PROGRAM analyze {MANY} --samples 20 --json"
    first = shell(ask, XDG_CACHE_HOME=str(tmp_path))
    kept = [path for path in tmp_path.rglob("*") if path.suffix in (".nbi", ".nbc")]
    assert kept
    for path in kept:
        path.write_bytes(b"damaged" if path.suffix == ".nbi" else path.read_bytes()[:100])
    again = shell(ask, XDG_CACHE_HOME=str(tmp_path))
    assert (again.returncode, again.stderr) == (0, first.stderr)
    third = shell(ask, XDG_CACHE_HOME=str(tmp_path))
    assert (third.returncode, third.stderr) == (0, "")
    assert third.stdout.split("seconds")[0] == first.stdout.split("seconds")[0]


def test_an_unusable_cache_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ran = shell(f"PROGRAM analyze {EXAMPLE} --samples 20", XDG_CACHE_HOME=str(tmp_path / "file"))
    assert ran.returncode == 0, ran.stderr
