"""What the engine says: its lines, the thread that writes them, and the jobs that lead to them."""

import json
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli.engine_requests import Id, Request
from cli.engine_work import solution_answer
from solver.errors import IllegalError, ImpossibleError, LastdrawError, NotationError, TooLargeError, brief
from solver.solution import Solution
from solver.watch import Progress, Stopped, Watch

PAUSE = 0.25
"""Seconds between info lines that say the same with other numbers."""
MOST_UNREAD = 10_000
"""Lines that a client may leave unread before the engine waits for it."""
KINDS: dict[type[LastdrawError], str] = {
    NotationError: "notation",
    IllegalError: "illegal",
    ImpossibleError: "impossible",
    TooLargeError: "too-large",
}

Work = Callable[[Request, Watch], dict[str, Any]]
"""Answers a request. The watch has no budget: it can be stopped, and wants to know of progress."""


def result_line(request_id: Id | None, answer: dict[str, Any]) -> bytes:
    return _encode({"id": request_id, "type": "result", "answer": answer})


def error_line(request_id: Id | None, kind: str, message: str) -> bytes:
    return _encode({"id": request_id, "type": "error", "error": {"kind": kind, "message": message}})


def _encode(line: dict[str, Any]) -> bytes:
    """Plain ASCII: whatever a name holds, it breaks no line. A ValueError where JSON has no such number."""
    return json.dumps(line, allow_nan=False).encode("ascii") + b"\n"


def describe(error: BaseException) -> str:
    """A defect in one line: what, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {brief(error, limit=200)}{where}: please report this"


class Outbox:
    """Writes lines in a thread of its own, so that a client who is slow to read does not keep the engine from reading.

    `fail` is told the exit code when nothing can be written any more; lines are dropped from then on. A client that
    has gone is no failure.
    """

    def __init__(self, sink: int, fail: Callable[[int], None]) -> None:
        self.failure = 0
        self._sink, self._fail = sink, fail
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_UNREAD)
        self._thread = threading.Thread(target=self._write_all, daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        self._lines.put(line)

    def close(self) -> None:
        """Come back once everything is written."""
        self._lines.put(None)
        self._thread.join()

    def _write_all(self) -> None:
        broken = False
        while (line := self._lines.get()) is not None:
            try:
                while line and not broken:
                    line = line[os.write(self._sink, line) :]
            except OSError as error:
                broken = True
                if not isinstance(error, BrokenPipeError):
                    self.failure = 2
                    sys.stderr.write(f"lastdraw: the answer cannot be written: {error.strerror}\n")
                self._fail(self.failure)


class Job:
    """A request on its way to the one line that answers it."""

    def __init__(self, request: Request, tell: Callable[["Job", bytes], None]) -> None:
        self.request = request
        self.answered = False
        self.watch = Watch()
        self._tell = tell
        self._so_far: Solution | None = None
        self._begun = time.monotonic()
        self._told: tuple[str, float] = ("", 0.0)

    def begin(self) -> None:
        """Its turn has come: time counts from here."""
        self._begun = time.monotonic()
        self.watch = Watch(report=self._hear)

    def answer(self, work: Work) -> bytes:
        """Do the work; whatever happens, there is a line to say so."""
        try:
            return result_line(self.request.id, work(self.request, self.watch))
        except Stopped:
            return self.give_up()
        except LastdrawError as error:
            return error_line(self.request.id, KINDS.get(type(error), "request"), str(error))
        except BaseException as error:  # whatever it is, the worker lives on
            return error_line(self.request.id, "internal", describe(error))

    def give_up(self) -> bytes:
        """What there is to say of work that was not done."""
        if self._so_far is not None and self.request.command in ("analyze", "hint"):
            solution = replace(self._so_far, seconds=self.watch.seconds, interrupted=True)
            return result_line(self.request.id, solution_answer(self.request.command, solution))
        if self.watch.stopped:
            return error_line(self.request.id, "stopped", "stopped before anything was found")
        return error_line(self.request.id, "too-large", "the time was over before anything was found")

    def _hear(self, progress: Progress) -> None:
        """Keep what has been found, and tell it, unless nothing is new or much the same was told just now."""
        self._so_far = progress.so_far or self._so_far
        task, when = self._told
        now = time.monotonic() - self._begun
        if progress.task == task and (progress.done is None or now < when + PAUSE):
            return
        self._told = (progress.task, now)
        found = {} if self._so_far is None else solution_answer("analyze", self._so_far)
        line = {
            "id": self.request.id,
            "type": "info",
            "message": progress.task,
            "done": progress.done,
            "seconds": round(now, 3),
            **{name: found.get(name) for name in ("best", "value", "method", "deals", "sampled")},
        }
        self._tell(self, _encode(line))
