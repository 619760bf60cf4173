"""Compiled kernels: the one door to numba.

A kernel is a private function over arrays, with an explicit stack instead of recursion. It is compiled at its first
call and kept on disk, in a folder named after the sources of all kernels and the versions that matter, so that an
edited kernel is never served from an old compilation.
"""

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])

_listeners: list[Callable[[], None]] = []
_clock = {"depth": 0.0, "begin": 0.0, "seconds": 0.0}


def compiled(function: F) -> F:
    """The function as a kernel. It may call other kernels; the interpreter's lock is released while it runs."""
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = _folder()
    try:
        kernel: Any = numba.njit(cache=True, nogil=True)(function)
    finally:
        settings.CACHE_DIR = before
    _forgive(kernel._cache)
    return cast(F, kernel)


def _forgive(kept: Any) -> None:
    """Have a kernel compiled anew where what was kept of it is damaged."""
    load, save = kept.load_overload, kept.save_overload

    def load_if_whole(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # whatever is in the file
            return None

    def save_over(*arguments: Any) -> None:
        try:
            save(*arguments)
        except Exception:
            with suppress(Exception):  # a kernel that cannot be kept still works
                kept.flush()
                save(*arguments)

    kept.load_overload, kept.save_overload = load_if_whole, save_over


def on_compiling(tell: Callable[[], None]) -> None:
    """Call `tell` whenever a kernel has to be compiled, which happens once on a machine."""
    _listeners.append(tell)


def seconds_compiling() -> float:
    """How long kernels have been compiled so far in this process."""
    running = time.perf_counter() - _clock["begin"] if _clock["depth"] else 0.0
    return _clock["seconds"] + running


class _Listener(event.Listener):
    """Compiling one kernel may compile others: the outermost is timed."""

    def on_start(self, event: object) -> None:
        if not _clock["depth"]:
            _clock["begin"] = time.perf_counter()
            for tell in _listeners:
                tell()
        _clock["depth"] += 1

    def on_end(self, event: object) -> None:
        _clock["depth"] -= 1
        if not _clock["depth"]:
            _clock["seconds"] += time.perf_counter() - _clock["begin"]


event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]


@cache
def _folder() -> str:
    """Where compiled kernels are kept: in the user's cache, or for this process only where that is not writable."""
    digest = hashlib.sha256(f"{sys.version}{numba.__version__}".encode())
    for path in sorted(Path(__file__).parent.rglob("_*kernel*.py")):
        digest.update(path.read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(home) / "lastdraw" / digest.hexdigest()[:16]
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return str(folder)
    temporary = tempfile.mkdtemp(prefix="lastdraw-")  # a shared folder of code that others can write to would be unsafe
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary
