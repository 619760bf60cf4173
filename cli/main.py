"""The `lastdraw` program: what becomes of errors and of ctrl-C.

Ctrl-C is taken care of before anything else is imported, so that it never shows a traceback.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from solver.errors import IllegalError, ImpossibleError, LastdrawError, TooLargeError


def main() -> None:
    """Run, and turn whatever happens into a message and an exit code."""
    signal.signal(signal.SIGINT, leave)
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    from cli.commands import app

    try:
        try:
            app()
        except SystemExit:
            if type(sys.stdout).__name__ == "PacifyFlushWrapper":  # typer's sign that the reader of a pipe has left
                raise BrokenPipeError from None
            raise
        finally:
            sys.stdout.flush()
    except LastdrawError as error:
        print_error(error)
        sys.exit(3 if isinstance(error, TooLargeError) else 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)
    except OSError as error:
        sys.stderr.write(f"lastdraw: the answer cannot be written: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)


def open_streams() -> None:
    """A stream that was closed before the start is an empty or a lost one, not an error of its own."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  for as long as the program runs


def leave(*_: object) -> NoReturn:
    """End at once, whatever is going on."""
    os.write(2, b"lastdraw: interrupted before there was an answer\n")
    os._exit(130)


def print_error(error: LastdrawError) -> None:
    kind = {ImpossibleError: "impossible", IllegalError: "not allowed", TooLargeError: "too large"}.get(
        type(error), "error"
    )
    lines = f"lastdraw: {kind}: {error}".splitlines()
    sys.stderr.write("\n".join(lines[:11] + (["…"] if len(lines) > 11 else [])) + "\n")


if __name__ == "__main__":
    main()
