"""What clients of the engine send: lines of bounded length, and the requests in them, checked."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from solver.asking import MOST_SAMPLES
from solver.errors import LastdrawError, brief, quote

Id = str | int | float

LONGEST = 4_000_000
"""Bytes in a line: a text of the largest size that is read, with room for escapes."""
LONGEST_ID = 200
MOST_SECONDS = 1e9

ANALYZE = frozenset(("lens", "objective", "others", "budget", "samples", "seed", "exact", "replies"))
WORK: dict[str, frozenset[str]] = {
    "analyze": ANALYZE,
    "hint": ANALYZE - {"exact", "lens", "replies"},
    "show": frozenset(),
    "check": frozenset(),
    "beliefs": frozenset(),
}
"""Commands that are worked on in order of arrival, with the options that each takes."""
CONTROL = ("stop", "ping", "version", "quit")
"""Commands that are answered at once."""


class RequestError(LastdrawError):
    """A line that is no request; `id` is the request's, where it could be read."""

    def __init__(self, message: str, request_id: Id | None = None) -> None:
        super().__init__(message)
        self.id = request_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked. `id` may be None only for a command that is answered at once."""

    id: Id | None
    command: str
    text: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    target: Id | None = None
    """Of `stop`: the request that is to stop; None: all of them."""


def read_lines(read: Callable[[], bytes], longest: int = LONGEST) -> Iterator[bytes | None]:
    """The lines in what `read` gives piece by piece, until it gives nothing; None for one that is too long to keep."""
    kept = bytearray()
    too_long = False
    while piece := read():
        *ends, rest = piece.split(b"\n")
        for end in ends:
            too_long = too_long or len(kept) + len(end) > longest
            yield None if too_long else bytes(kept + end)
            kept.clear()
            too_long = False
        too_long = too_long or len(kept) + len(rest) > longest
        if too_long:
            kept.clear()
        else:
            kept += rest
    if kept or too_long:
        yield None if too_long else bytes(kept)


def parse_request(line: bytes) -> Request:
    """The request in a line; a RequestError says which field is wrong, and what would be right."""
    fields = _parse_object(line)
    request_id = _id(fields.get("id"), "id")
    try:
        return _parse_fields(fields, request_id)
    except RequestError as error:
        error.id = request_id
        raise


def _parse_object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise RequestError(f"not a text: byte {error.start + 1} of the line is not UTF-8") from None
    except json.JSONDecodeError as error:
        shown = quote(error.doc.strip())
        raise RequestError(f"{shown} is not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise RequestError("lists or objects are nested too deeply to be a request") from None
    except ValueError:
        raise RequestError("a number has thousands of digits: none in a request is that large") from None
    if not isinstance(found, dict):
        raise RequestError(f'{quote(found)} is not a request: write such as {{"id": 1, "command": "ping"}}')
    return found


def _no_number(word: str) -> NoReturn:
    raise RequestError(f"{word} is not a number that JSON knows")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise RequestError(f"{brief(digits)} is too large a number")
    return number


def _parse_fields(fields: dict[str, Any], request_id: Id | None) -> Request:
    command = fields.get("command")
    if command is None:
        raise RequestError(f"command is missing: write one of {', '.join((*WORK, *CONTROL))}")
    if not isinstance(command, str) or command not in (*WORK, *CONTROL):
        raise RequestError(f"command: {quote(command)} is not known: {', '.join((*WORK, *CONTROL))} are")
    known = {"id", "command"} | ({"text", "options"} if command in WORK else {"stop"} if command == "stop" else set())
    _refuse_unknown(command, set(fields) - known, known, "fields")
    if command in CONTROL:
        return Request(id=request_id, command=command, target=_id(fields.get("stop"), "stop"))
    if request_id is None:
        raise RequestError("id is missing: write a string or a number, which the answer will bear")
    text = fields.get("text")
    if not isinstance(text, str):
        wrong = "is missing" if text is None else f"should be a string, not {quote(text)}"
        raise RequestError(f"text {wrong}: the text of a position or of a record")
    return Request(id=request_id, command=command, text=text, options=_options(fields.get("options"), command))


def _refuse_unknown(command: str, unknown: set[str], known: set[str] | frozenset[str], what: str) -> None:
    if unknown:
        named = ", ".join(map(quote, sorted(unknown)[:5]))
        takes = f"takes the {what} {', '.join(sorted(known))}" if known else f"takes no {what}"
        raise RequestError(f"unknown {what}: {named}: {command} {takes}")


def _id(value: object, name: str) -> Id | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise RequestError(f"{name}: {quote(value)} should be a string or a number")
    if len(str(value)) > LONGEST_ID:
        raise RequestError(f"{name}: {quote(value)} is longer than {LONGEST_ID} characters")
    return value


def _options(options: object, command: str) -> dict[str, Any]:
    """The options that are set, by name; null leaves one out."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise RequestError(f'options: {quote(options)} should be an object, such as {{"budget": 5}}')
    _refuse_unknown(command, set(options) - WORK[command], WORK[command], "options")
    return {name: _option(name, value) for name, value in options.items() if value is not None}


def _option(name: str, value: object) -> str | int | float | bool:
    match name:
        case "exact" | "replies":
            fits, right = isinstance(value, bool), "true or false"
        case "budget":
            fits, right = _is_number(value, 0, MOST_SECONDS) and value != 0, "a number of seconds above 0"
        case "samples":
            fits, right = isinstance(value, int) and _is_number(value, 1, MOST_SAMPLES), "a whole number from 1"
        case "seed":
            fits, right = isinstance(value, int) and _is_number(value, 0, 2**63 - 1), "a whole number from 0"
        case _:
            fits, right = isinstance(value, str), "a string"
    if not fits or not isinstance(value, str | int | float):
        shown = json.dumps(value) if isinstance(value, bool) else brief(value)
        raise RequestError(f"options.{name}: {shown} should be {right}")
    return float(value) if name == "budget" else value


def _is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
