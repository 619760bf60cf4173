"""Streams that are closed, pipes whose reader leaves, and kernels that were kept badly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/two-last-mover.toml"


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


KERNEL = """
from solver.kernels import compiled, on_compiling

@compiled
def twice(number):
    return 2 * number

on_compiling(lambda: print("compiling"))
print(twice(21))
"""


def run_kernel(folder: Path, cache: Path) -> str:
    """What a program says that has one small kernel, kept as all kernels are."""
    path = folder / "kernel.py"
    if not path.exists():
        path.write_text(KERNEL)
    plain = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, str(path)], cwd=ROOT, env=plain, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_a_damaged_kernel_is_compiled_again(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run_kernel(tmp_path, cache) == "compiling\n42\n"
    for suffix, left in ((".nbc", 100), (".nbi", 7)):
        (kept,) = cache.rglob(f"*{suffix}")
        kept.write_bytes(kept.read_bytes()[:left])
        assert run_kernel(tmp_path, cache) == "compiling\n42\n"
    assert run_kernel(tmp_path, cache) == "42\n"


def test_an_unusable_cache_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run_kernel(tmp_path, tmp_path / "file") == "compiling\n42\n"
    assert (tmp_path / "file").read_text() == "in the way"
    ran = shell(f"PROGRAM analyze {EXAMPLE}", XDG_CACHE_HOME=str(tmp_path / "file"))
    assert ran.returncode == 0, ran.stderr
