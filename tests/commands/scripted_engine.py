"""An engine whose work is scripted by the text of the request, for what real work does too rarely to be tested:
`python -m tests.commands.scripted_engine [--finish]`."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from cli.engine import serve
from cli.engine_requests import Request
from solver.games import find_game
from solver.solution import MoveValue, Solution, Value
from solver.watch import Progress, Watch


def found_after(looked_at: int) -> Solution:
    """Some answer."""
    move = find_game("blasting-billy").parse_event("give J7")
    return Solution(
        game="blasting-billy",
        lens="open",
        objective="win",
        others=None,
        method="sampled",
        exact=False,
        deals=1000,
        sampled=looked_at,
        moves=(MoveValue(move, Value.about(0.5, 0.1)),),
        best=(move,),
        seconds=0.0,
    )


def think(seconds: float, watch: Watch, *, finds: bool) -> dict[str, Any]:
    """Look at the watch every hundredth of a second, and tell of progress as often."""
    looked_at = 0
    while watch.seconds < seconds:
        looked_at += 1
        watch.tell(Progress("thinking", watch.seconds / seconds, found_after(looked_at) if finds else None))
        watch.check()
        time.sleep(0.01)
    return {"looked_at": looked_at}


def sleep(seconds: float, watch: Watch) -> dict[str, Any]:
    """Look at nothing."""
    watch.tell(Progress("sleeping", None, found_after(1)))
    time.sleep(seconds)
    return {"slept": seconds}


def litter() -> dict[str, Any]:
    """Write where only the engine may."""
    sys.stdout.write("litter\n")
    sys.stdout.flush()
    os.write(1, b"litter\n")
    return {"stdin": os.read(0, 10).decode()}


def work(request: Request, watch: Watch) -> dict[str, Any]:
    word, _, rest = request.text.partition(" ")
    scripts: dict[str, Callable[[], dict[str, Any]]] = {
        "think": lambda: think(float(rest), watch, finds=True),
        "search": lambda: think(float(rest), watch, finds=False),
        "sleep": lambda: sleep(float(rest), watch),
        "litter": litter,
        "divide": lambda: {"quotient": 1 / int(rest)},
        "number": lambda: {"number": float(rest)},
        "exit": lambda: sys.exit(int(rest)),
    }
    return scripts[word]() if word in scripts else {"text": request.text, "options": dict(request.options)}


if __name__ == "__main__":
    sys.exit(serve(work, finish="--finish" in sys.argv))
