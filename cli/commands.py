"""The commands of the `lastdraw` program and their options.

Everything heavy is imported by the command that needs it, so that help is instant.
"""

from typing import Annotated

import typer

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
Objective = Annotated[
    str | None, typer.Option(help="win (the default), or margin: points ahead, for two players.", metavar="OBJECTIVE")
]
Others = Annotated[
    str | None,
    typer.Option(help="Three or more players: rivals (the default), each for themselves, or a coalition against you."),
]
Samples = Annotated[int | None, typer.Option(help="Estimate from so many deals drawn at random.")]
HINT_BUDGET = 10.0
"""Seconds that a hint takes unless others are asked for."""
Seed = Annotated[int, typer.Option(help="The same seed and samples give the same answer.")]


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
def analyze(
    file: File,
    lens: Annotated[str, typer.Option(help="Who sees what from the next move on: auto, open, guard, fair.")] = "auto",
    objective: Objective = None,
    others: Others = None,
    budget: Annotated[float | None, typer.Option(help="Seconds (default: 30, or with --exact any number).")] = None,
    samples: Samples = None,
    seed: Seed = 0,
    exact: Annotated[bool, typer.Option("--exact", help="An exact answer or none (exit 3).")] = False,
    save: Annotated[str | None, typer.Option(help="Keep the solution of lens fair or guard, with its proof.")] = None,
    replies: Annotated[
        bool, typer.Option("--replies", help="Lens fair: tell how often the opponent then replies how.")
    ] = False,
    json: Json = False,
) -> None:
    """Value every legal move of the player to move, best first."""
    from cli.analysis import Asked, analyze

    asked = Asked(
        lens=lens,
        objective=objective,
        others=others,
        budget=budget,
        samples=samples,
        seed=seed,
        exact=exact,
        replies=replies,
    )
    raise typer.Exit(analyze(file, asked, as_json=json, save=save))


@app.command()
def hint(
    file: File,
    objective: Objective = None,
    others: Others = None,
    budget: Annotated[float, typer.Option(help="Seconds to think.")] = HINT_BUDGET,
    samples: Samples = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Name the move to play, how sure that is, and why."""
    from cli.analysis import Asked
    from cli.hinting import hint

    asked = Asked(objective=objective, others=others, budget=budget, samples=samples, seed=seed)
    raise typer.Exit(hint(file, asked, as_json=json))


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


@app.command()
def tree(
    file: File,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write: x.efg.")],
    lens: Annotated[str, typer.Option(help="Who sees what: fair or guard.")] = "fair",
    objective: Objective = None,
    json: Json = False,
) -> None:
    """Write the game from here on, as Gambit and OpenSpiel read it (.efg)."""
    from cli.exporting import write_tree

    write_tree(file, output, lens=lens, objective=objective, as_json=json)


@app.command()
def verify(
    solution: Annotated[str, typer.Argument(metavar="SOLUTION", help="A file that analyze --save has written.")],
    position: Annotated[
        str | None, typer.Argument(metavar="[POSITION]", help="The position it should be about.", show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    """Check a saved solution again, from its position alone: ok, or what does not hold (exit 1)."""
    from cli.verifying import verify

    raise typer.Exit(verify(solution, position, as_json=json))


@app.command()
def engine(
    finish: Annotated[bool, typer.Option("--finish", help="At the end of input, finish what was asked for.")] = False,
    json: Annotated[bool, typer.Option("--json", help="What it speaks anyway.")] = True,
) -> None:
    """Answer requests for as long as there are any: JSON lines in, JSON lines out."""
    from cli.engine import serve
    from cli.engine_work import answer

    raise typer.Exit(serve(answer, finish=finish))
