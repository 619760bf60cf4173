"""A client of `lastdraw engine`: analyses positions, shows what the engine thinks meanwhile, and stops it early.

    python examples/engine_client.py [POSITION OR RECORD ...]

The first file is analysed to the end; the others are stopped after two seconds, and answer with what they have.
"""
# ruff: noqa: T201  an example prints

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


class Engine:
    """A running engine. Requests go out as JSON lines, and lines about them come back."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "cli.main", "engine"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, **request: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def lines(self, request_id: str) -> Iterator[dict[str, Any]]:
        """What the engine says about a request; the last line is its result or an error."""
        assert self._process.stdout is not None
        for line in map(json.loads, self._process.stdout):
            if line["id"] == request_id:
                yield line
                if line["type"] != "info":
                    return

    def quit(self) -> int:
        self.send(command="quit")
        self._process.communicate()
        return self._process.returncode


def describe(found: dict[str, Any]) -> str:
    """The best move, and what it is worth."""
    value = found["value"]
    worth = value["fraction"] or f"{value['float']:.3f} ± {value['error']:.3f}"
    return f"{found['best'][0]}, worth {worth}"


def analyse(engine: Engine, path: Path, *, stop_after: float | None) -> None:
    name = path.name
    engine.send(
        id=name, command="analyze", text=path.read_text(encoding="utf-8"), options={"lens": "open", "budget": 20}
    )
    if stop_after is not None:
        timer = threading.Timer(stop_after, lambda: engine.send(command="stop", stop=name))
        timer.daemon = True
        timer.start()
    for line in engine.lines(name):
        match line["type"]:
            case "info":
                so_far = f": {describe(line)}" if line["best"] else ""
                print(f"{name}  {line['seconds']:4.1f} s  {line['message']}{so_far}")
            case "result":
                found = line["answer"]
                how = "interrupted" if found.get("interrupted") else "exact" if found["exact"] else "an estimate"
                print(f"{name}  {describe(found)} ({how}, {found['method']})")
            case "error":
                print(f"{name}  {line['error']['kind']}: {line['error']['message']}")


def main() -> None:
    paths = [Path(argument) for argument in sys.argv[1:]]
    engine = Engine()
    for number, path in enumerate(paths or [HERE / "two-reduced.toml", HERE / "two-first-turn.toml"]):
        analyse(engine, path, stop_after=2.0 if number else None)
    sys.exit(engine.quit())


if __name__ == "__main__":
    main()
