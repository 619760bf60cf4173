"""Long work that can be watched, and that ctrl-C ends early with what it has found.

The first ctrl-C asks the work to stop and waits a moment for its answer so far; the second leaves at once. The work
has a thread of its own, because a compiled kernel in the main thread would keep every signal waiting.
"""

import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar, Generic, NoReturn, TypeVar

from solver.solution import Solution
from solver.watch import Progress, Stopped, Watch

GRACE = 2.0
"""Seconds that stopped work has to come to its end, where it has told the moves' values on the way."""
PATIENCE = 6.0
"""Seconds that it has otherwise: proving what a large game has come to takes a while."""
PAUSE = 0.1
"""Seconds between two looks at the progress."""

Found = TypeVar("Found")


@contextmanager
def undoing() -> Iterator[None]:
    """Ctrl-C does what it does elsewhere, but only after what is half done inside has been undone."""

    def interrupt(*_: object) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # undoing is not interrupted
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, before)
        signal.raise_signal(signal.SIGINT)
        raise
    finally:
        signal.signal(signal.SIGINT, before)


class Run(Generic[Found]):
    """One piece of work, from its begin to an answer, a stop or an error."""

    def __init__(self, budget: float | None, describe: Callable[[Solution], str]) -> None:
        self.watch = Watch(budget, self._hear)
        self.so_far: Solution | None = None
        """The latest answer that was told on the way."""
        self._line = ProgressLine(describe)
        self._done = threading.Event()
        self._found: Found | None = None
        self._error: BaseException | None = None

    @property
    def interrupted(self) -> bool:
        return self.watch.stopped

    def find(self, work: Callable[[Watch], Found]) -> Found | None:
        """What the work returns; None if it was interrupted and did not return anything soon after."""
        before = signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._work, args=(work,), daemon=True).start()
        try:
            self._wait()
        finally:
            signal.signal(signal.SIGINT, before)
            self._line.clear()
        if self._error is not None and not (self.interrupted and isinstance(self._error, Stopped)):
            raise self._error
        return self._found

    def _wait(self) -> None:
        waited = 0.0
        while not self._done.wait(PAUSE):
            waited += PAUSE if self.interrupted else 0
            if waited >= (GRACE if self.so_far is not None and self.so_far.moves else PATIENCE):
                return

    def _work(self, work: Callable[[Watch], Found]) -> None:
        try:
            from solver.kernels import on_compiling

            on_compiling(self._line.tell_compiling)
            self._found = work(self.watch)
        except BaseException as error:  # whatever it is, the main thread has to know
            self._error = error
        finally:
            self._done.set()

    def _interrupt(self, *_: object) -> None:
        if self.interrupted:
            self._line.clear()
            os._exit(130)
        self.watch.stop()

    def _hear(self, progress: Progress) -> None:
        if progress.so_far is not None:
            self.so_far = progress.so_far
        self._line.show(progress)


class ProgressLine:
    """How far the work is, on a line of the error stream that is written over again, if that is a terminal.

    Progress that cannot be measured is an announcement and keeps its line.
    """

    compiling: ClassVar[bool] = False
    """It was said that something is being compiled."""

    def __init__(self, describe: Callable[[Solution], str]) -> None:
        self._describe = describe
        self._terminal = sys.stderr.isatty()
        self._shown = ""
        self._next = 0.0

    def show(self, progress: Progress) -> None:
        if not self._terminal:
            return
        if progress.done is None:
            self._announce(progress.task)
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + PAUSE
            so_far = "" if progress.so_far is None else f": {self._describe(progress.so_far)}"
            self._write(f"{progress.done:.0%} {progress.task}{so_far}")

    def tell_compiling(self) -> None:
        """Said once, on any error stream, because it makes the first answer wait for long."""
        if not ProgressLine.compiling:
            ProgressLine.compiling = True
            self._announce("compiling (first run only)…")

    def clear(self) -> None:
        if self._shown:
            self._write("")

    def _announce(self, text: str) -> None:
        self.clear()
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def _write(self, text: str) -> None:
        room = shutil.get_terminal_size().columns - 1
        text = text if len(text) <= room else text[: max(0, room - 1)] + "…"
        sys.stderr.write("\r" + text + " " * (len(self._shown) - len(text)) + ("" if text else "\r"))
        sys.stderr.flush()
        self._shown = text
