"""`lastdraw engine`: a long-lived process that answers requests, JSON lines in and JSON lines out.

A request is one JSON object on a line, and so is every answer; empty lines are ignored. For example

    {"id": 1, "command": "analyze", "text": "game = \\"blasting-billy\\" ...", "options": {"budget": 5}}

- `id`: a string or a number of the client's choice, not that of a request still unanswered. Lines about a request
  bear its id; a line that is about none (an error in a line whose id cannot be read) bears null.
- `command`: `analyze`, `hint`, `show`, `check` or `beliefs` are worked on one after the other, in order of arrival;
  `stop`, `ping`, `version` and `quit` are answered at once, and may do without an id.
- `text`: a position or a record, as it would stand in a file.
- `options`: `budget`, `samples`, `seed`, `exact`, `lens`, `objective`, `others`, as the command line has them.
- `stop`: for the command `stop`, the id of the request that is to stop; left out, all of them are.

Answers, told apart by `type`:

- `info`: a few a second while a request is worked on. `message` says what is being done, `done` how much of it
  (0 to 1) and `seconds` for how long; `best`, `value`, `method`, `deals` and `sampled` are the answer so far, under
  the names it will have. What is not known yet is null.
- `result`: the last line about a request. `answer` is the object that the command prints with --json.
- `error`: likewise the last. `error` has a `message` for people and a `kind` for programs: `notation`, `illegal`,
  `impossible` or `too-large` as on the command line; `request`: the line itself is wrong; `stopped`: nothing had been
  found; `internal`: a defect of the engine, which goes on.

A stopped request answers within about a second with what it has (`"interrupted": true` in the answer), or with an
error of kind `stopped`. `stop` and `quit` themselves answer `{"stopping": [ids]}`, before the requests that they stop.
`quit` and the end of input stop everything, and the engine leaves once all is answered; with `--finish` the end of
input stops nothing, so that a file of requests can be worked off. A request that is refused (kind `request`) is
answered at once too. A line has at most 4,000,000 bytes; a longer one is left out with an error.
"""

import json
import os
import queue
import signal
import sys
import threading
from typing import Any

from cli.engine_jobs import PAUSE, Job, Outbox, Work, describe, error_line, result_line
from cli.engine_requests import CONTROL, LONGEST, WORK, Id, Request, RequestError, parse_request, read_lines
from solver.errors import quote

PROTOCOL = 1
GRACE = 1.0
"""Seconds that stopped work has to come back before it is answered for."""
MOST_WAITING = 64_000_000
"""Characters in the texts of all waiting requests."""


class Engine:
    """Three threads: one reads, so that a stop is seen at once; one works; one writes. The caller of `run` waits."""

    def __init__(self, work: Work, source: int, sink: int, *, finish: bool = False) -> None:
        self._work, self._source, self._finish = work, source, finish
        self._ends: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._outbox = Outbox(sink, self._ends.put)
        self._interrupted = False
        self._changed = threading.Condition()  # guards what follows
        self._waiting: dict[Id | None, Job] = {}
        self._characters = 0
        self._running: Job | None = None
        self._closing = False

    def run(self) -> int:
        """Answer requests until there are no more; the exit code."""
        worker = threading.Thread(target=self._answer_all, daemon=True)
        worker.start()
        threading.Thread(target=self._read_all, daemon=True).start()
        code = self._ends.get()
        with self._changed:
            self._closing = True
            self._stop(self._pending())
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._working is None)
        self._outbox.close()
        code = self._outbox.failure or code
        worker.join(PAUSE)
        if worker.is_alive():  # perhaps in the compiler, which does not survive an orderly end of the interpreter
            os._exit(code)
        return code

    def interrupt(self, *_: object) -> None:
        """A signal handler: leave as on `quit`, or at once if asked again."""
        if self._interrupted:
            os._exit(130)
        self._interrupted = True
        self._ends.put(130)

    def _read_all(self) -> None:
        for line in read_lines(self._read):
            try:
                if line is None:
                    raise RequestError(f"a line of more than {LONGEST:,} bytes was left out: no request is that long")
                if line.strip() and not self._handle(parse_request(line)):
                    break
            except RequestError as error:
                self._refuse(error)
            except Exception as error:
                self._outbox.put(error_line(None, "internal", describe(error)))
        else:
            if self._finish:
                with self._changed:
                    self._changed.wait_for(lambda: not self._waiting and self._running is None)
        self._ends.put(0)

    def _read(self) -> bytes:
        try:
            return os.read(self._source, 1 << 16)
        except OSError:
            return b""

    def _refuse(self, error: RequestError) -> None:
        """An error line, which bears no id that belongs to another request."""
        with self._changed:
            taken = error.id is not None and self._find(error.id)
            self._outbox.put(error_line(None if taken else error.id, "request", str(error)))

    def _handle(self, request: Request) -> bool:
        """Take a request in, or answer it; whether more may follow."""
        with self._changed:
            if request.id is not None and self._find(request.id):
                remedy = f'; to stop it, write "stop": {json.dumps(request.id)}' if request.command == "stop" else ""
                raise RequestError(f"id {quote(request.id)} is that of a request not answered yet{remedy}", request.id)
            match request.command:
                case "stop" | "quit":
                    jobs = self._pending() if request.target is None else self._find(request.target)
                    if request.target is not None and not jobs:
                        raise RequestError(
                            f"stop: no request {quote(request.target)} is waiting for its answer", request.id
                        )
                    self._reply(request, {"stopping": [job.request.id for job in jobs]})
                    self._stop(jobs)
                case "ping":
                    running = None if self._working is None else self._working.request.id
                    self._reply(request, {"running": running, "waiting": list(self._waiting)})
                case "version":
                    self._reply(request, about())
                case _:
                    self._take(request)
        return request.command != "quit"

    @property
    def _working(self) -> Job | None:
        """The job that is worked on and not answered yet."""
        return None if self._running is None or self._running.answered else self._running

    def _pending(self) -> list[Job]:
        """The jobs that are not answered yet, in their order."""
        return [*filter(None, [self._working]), *self._waiting.values()]

    def _find(self, request_id: Id) -> list[Job]:
        """The job of that id that is not answered yet, if there is one."""
        job = self._waiting.get(request_id, self._working)
        return [job] if job is not None and job.request.id == request_id else []

    def _take(self, request: Request) -> None:
        if self._characters + len(request.text) > MOST_WAITING:
            much = f"{len(self._waiting):,} requests with {self._characters:,} characters are waiting"
            raise RequestError(f"{much}: send more when some are answered", request.id)
        self._waiting[request.id] = Job(request, self._tell)
        self._characters += len(request.text)
        self._changed.notify_all()

    def _stop(self, jobs: list[Job]) -> None:
        for job in jobs:
            job.watch.stop()
            if job is self._running:
                self._answer_later(job)
            else:
                self._drop(job)
                self._answer(job, job.give_up())

    def _answer_later(self, job: Job) -> None:
        """Answer for a job that does not come back: it may be compiling, or count without looking at its watch."""
        timer = threading.Timer(GRACE, lambda: self._answer(job, job.give_up()))
        timer.daemon = True
        timer.start()

    def _drop(self, job: Job) -> None:
        del self._waiting[job.request.id]
        self._characters -= len(job.request.text)

    def _reply(self, request: Request, answer: dict[str, Any]) -> None:
        self._outbox.put(result_line(request.id, answer))

    def _tell(self, job: Job, line: bytes) -> None:
        with self._changed:
            if not job.answered:
                self._outbox.put(line)

    def _answer(self, job: Job, line: bytes) -> None:
        """Once for each job, whoever comes first."""
        with self._changed:
            if not job.answered:
                job.answered = True
                self._outbox.put(line)
                self._changed.notify_all()

    def _answer_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if self._closing:
                    return
                job = self._running = next(iter(self._waiting.values()))
                self._drop(job)
                job.begin()
            line = job.answer(self._work)
            with self._changed:
                self._answer(job, line)
                self._running = None
                self._changed.notify_all()


def about() -> dict[str, Any]:
    from importlib.metadata import version

    return {"name": "lastdraw", "version": version("lastdraw"), "protocol": PROTOCOL, "commands": [*WORK, *CONTROL]}


def serve(work: Work, *, finish: bool = False) -> int:
    """Answer standard input on standard output until one of them ends; the exit code.

    The engine takes both for itself: a stray print goes to standard error, and a record that begins
    `from /dev/stdin` finds nothing there.
    """
    if sys.stdout is None:  # closed from the beginning: nobody wants to know
        return 0
    nothing = os.open(os.devnull, os.O_RDONLY)
    source, sink = nothing if sys.stdin is None else os.dup(0), os.dup(1)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    engine = Engine(work, source, sink, finish=finish)
    signal.signal(signal.SIGINT, engine.interrupt)
    return engine.run()
