"""`lastdraw verify`: whether a saved solution holds, found out from its position alone."""

import sys
from math import ceil, floor
from pathlib import Path
from typing import Any

from cli.answers import load, print_json
from solver.errors import IllegalError, NotationError, located
from solver.saving import SavedSolution, Verdict, load_solution, verify_solution
from solver.sequence_form import Interval

LARGEST = 500_000_000
"""Bytes of a saved solution that are read at most."""


def verify(file: str, position_file: str | None = None, *, as_json: bool) -> int:
    """0: everything claimed was proved anew. 1: it does not hold; a file that cannot be read is an error."""
    if file == position_file == "-":
        raise IllegalError("standard input can be the solution or the position, not both: name a file for one of them")
    with located("standard input" if file == "-" else file):
        saved = load_solution(_read(file))
    game, position = (None, None) if position_file is None else load(position_file)
    if game is not None and game.name != saved.game:
        verdict = Verdict(False, f"it is about {saved.game}, not about {game.name}")
    else:
        with located("standard input" if file == "-" else file):
            verdict = verify_solution(saved, position)
    if as_json:
        print_json(_verdict_json(saved, verdict))
    elif verdict.ok:
        sys.stdout.write(f"ok: {_proved(saved, _best(verdict.intervals))}\n")
    else:
        sys.stdout.write(f"does not hold: {verdict.why}\n")
    return 0 if verdict.ok else 1


def _read(file: str) -> str:
    try:
        if file == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(file).open("rb") as opened:
                content = opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise NotationError(f"cannot be read: {reason}") from None
    if len(content) > LARGEST:
        raise NotationError(f"more than {LARGEST:,} bytes: too large to be read")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"not a text: byte {error.start + 1} is not UTF-8") from None


def _best(intervals: tuple[Interval, ...]) -> Interval:
    """What the mover gets by the best of the moves, or at the root."""
    return Interval(max(each.low for each in intervals), max(each.high for each in intervals))


def _proved(saved: SavedSolution, best: Interval) -> str:
    value = f"value {best.low}"
    if best.width:
        low, high = floor(best.low * 10**9), ceil(best.high * 10**9)  # outwards: what is said is proved
        value = f"value between {low / 1e9:.9f} and {high / 1e9:.9f}"
    after = "" if saved.lens == "fair" else f" after each of {len(saved.proofs)} moves"
    deals = f"{saved.deals:,} {'deal' if saved.deals == 1 else 'deals'}"
    return f"lens {saved.lens}, {value} proved by exact best responses of both sides{after} ({deals})"


def _verdict_json(saved: SavedSolution, verdict: Verdict) -> dict[str, Any]:
    best = _best(verdict.intervals) if verdict.ok else None
    proofs = zip(saved.proofs, verdict.intervals, strict=True) if verdict.ok else ()
    return {
        "ok": verdict.ok,
        "why": verdict.why or None,
        "game": saved.game,
        "lens": saved.lens,
        "objective": saved.objective,
        "deals": saved.deals,
        "low": None if best is None else str(best.low),
        "high": None if best is None else str(best.high),
        "proofs": [
            {"move": proof.move, "low": str(interval.low), "high": str(interval.high)} for proof, interval in proofs
        ],
    }
