"""The `lastdraw` program: its commands, and what becomes of errors.

Everything heavy is imported by the command that needs it, so that help is instant.
"""

import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from solver.errors import IllegalError, ImpossibleError, LastdrawError, TooLargeError

app = typer.Typer(
    name="lastdraw",
    help="Exact endgame analysis for hidden-card games. FILE is a position (TOML) or a record; - is standard input.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A position or a record; - is standard input.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version as installed

        typer.echo(f"lastdraw {installed('lastdraw')}")
        raise typer.Exit


@app.callback()
def lastdraw(
    _: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Exact endgame analysis for hidden-card games. FILE is a position (TOML) or a record; - is standard input."""


@app.command()
def show(file: File, json: Json = False) -> None:
    """Draw the table as the player sees it."""
    from cli import answers

    answers.show(file, as_json=json)


@app.command()
def check(file: File, json: Json = False) -> None:
    """Say ok, or why the position is impossible (exit 1): the fewest statements that contradict each other."""
    from cli import answers

    raise typer.Exit(answers.check(file, as_json=json))


@app.command()
def beliefs(file: File, json: Json = False) -> None:
    """Tell the exact odds of hidden cards and totals, and who is shot if the game ended now."""
    from cli import answers

    answers.beliefs(file, as_json=json)


@app.command()
def random(
    players: Annotated[int, typer.Option(help="How many play, 2 to 5.")] = 2,
    pile: Annotated[int, typer.Option(help="Cards left in the pile.")] = 0,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same position.")] = None,
    turns_left: Annotated[
        int | None, typer.Option(help="Last turns still to come, with pile 0 (default: everyone's).")
    ] = None,
    types: Annotated[str, typer.Option(help="The deck's types.")] = "JBCGD",
    values: Annotated[str, typer.Option(help="The deck's values.")] = "0-10",
    dynamite: Annotated[bool, typer.Option(help="Whether each type has a dynamite.")] = True,
    hand: Annotated[int, typer.Option(help="Cards in a hand.")] = 3,
    removed: Annotated[
        int | None, typer.Option(help="Cards out at set-up (default: the rulebook's share of the deck).")
    ] = None,
    covered: Annotated[bool, typer.Option("--covered", help="Backs are not seen before a draw.")] = False,
    record: Annotated[bool, typer.Option("--record", help="Print the whole game as a record.")] = False,
    json: Json = False,
) -> None:
    """Print a legal position reached by random play, as the player to move sees it."""
    from cli import answers

    options = {"types": types, "values": values, "dynamite": dynamite, "hand": hand}
    answers.random(
        players=players,
        pile=pile,
        seed=seed,
        turns_left=turns_left,
        deck_options=options,
        removed=removed,
        covered=covered,
        as_record=record,
        as_json=json,
    )


def main() -> None:
    """Run, and turn whatever happens into a message and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except LastdrawError as error:
        print_error(error)
        sys.exit(3 if isinstance(error, TooLargeError) else 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        sys.stderr.write(f"lastdraw: the answer cannot be written: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def print_error(error: LastdrawError) -> None:
    kind = {ImpossibleError: "impossible", IllegalError: "not allowed"}.get(type(error), "error")
    lines = f"lastdraw: {kind}: {error}".splitlines()
    sys.stderr.write("\n".join(lines[:11] + (["…"] if len(lines) > 11 else [])) + "\n")


if __name__ == "__main__":
    main()
