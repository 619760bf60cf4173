"""A client of the engine for tests: it never waits for ever, and refuses whatever is not a line of the protocol."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REAL = ("cli.main", "engine")
SCRIPTED = ("tests.commands.scripted_engine",)

Line = dict[str, Any]


class Client:
    """A running engine. Leaving the context kills what is still there."""

    def __init__(self, *module: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        self._lines: queue.SimpleQueue[bytes] | None = None

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def _next(self, timeout: float) -> bytes:
        """The next line, or nothing after the last. Nobody reads before this is called for the first time."""
        if self._lines is None:
            self._lines = queue.SimpleQueue()
            threading.Thread(target=self._read, args=(self._lines,), daemon=True).start()
        return self._lines.get(timeout=max(0.0, timeout))

    def _read(self, lines: "queue.SimpleQueue[bytes]") -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            lines.put(line)
        lines.put(b"")

    def send(self, command: str, request_id: object = None, **fields: object) -> None:
        self.send_raw(json.dumps({"id": request_id, "command": command, **fields}).encode() + b"\n")

    def send_raw(self, content: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def interrupt(self) -> None:
        os.kill(self.process.pid, signal.SIGINT)

    def line(self, timeout: float = 30.0) -> Line:
        """The next line."""
        content = self._next(timeout)
        assert content.endswith(b"\n"), "the engine has ended"
        line = json.loads(content)
        assert line["type"] in ("info", "result", "error")
        return dict(line)

    def last(self, timeout: float = 30.0) -> Line:
        """The next line that is no info."""
        deadline = time.monotonic() + timeout
        while (line := self.line(deadline - time.monotonic()))["type"] == "info":
            pass
        return line

    def ask(self, command: str, request_id: object = None, **fields: object) -> Line:
        """Send a request, and its last line, which is the next one that is no info."""
        self.send(command, request_id, **fields)
        line = self.last()
        assert line["id"] == request_id
        return line

    def rest(self, timeout: float = 30.0) -> list[Line]:
        """All lines until the engine ends, which it does by itself."""
        lines = []
        deadline = time.monotonic() + timeout
        while content := self._next(deadline - time.monotonic()):
            lines.append(json.loads(content))
        return lines

    def end(self, timeout: float = 30.0) -> tuple[int, bytes]:
        """The exit code and what was written to standard error, once the engine has ended by itself."""
        code = self.process.wait(timeout)
        assert self.process.stderr is not None
        return code, self.process.stderr.read()

    def memory(self) -> int:
        """The most bytes the engine has held so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
