"""`tree`: a game from a position on, as a file that other programs read."""

import os
import sys
from pathlib import Path

from cli.answers import load, print_json
from solver.errors import IllegalError, NotationError, located, quote
from solver.watch import Watch

LENSES = ("fair", "guard")
"""Those whose information sets the format can tell."""


def write_tree(file: str, output: str, *, lens: str, objective: str | None, as_json: bool) -> None:
    """Write it, and say how large it is. A file that was there is replaced only by a whole one."""
    from solver.efg import write_efg
    from solver.lens import LENSES as SIGHTS
    from solver.tree import build_tree

    target = Path(output)
    if target.suffix != ".efg":
        raise IllegalError(
            f"-o {quote(output)}: trees are written as .efg (Gambit's format): name the file such as x.efg"
        )
    if lens not in LENSES:
        raise IllegalError(f"--lens {quote(lens)}: a tree is of lens {' or '.join(LENSES)}")
    game, position = load(file)
    wanted = game.objectives[0] if objective is None else objective
    if lens == "fair":
        game.fair(position, wanted)
    else:
        game.choices(position)
    tree = build_tree(game, position, lens=SIGHTS[lens], objective=wanted, watch=Watch())
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    with located(output):
        try:
            with unfinished.open("w", encoding="ascii") as stream:
                write_efg(tree, stream, title=f"{game.name}, lens {lens}, {wanted}")
            unfinished.replace(target)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise NotationError(f"cannot be written: {error.strerror}") from None
    sets = [len(side.starts) - 1 for side in tree.sides]
    if as_json:
        print_json({"file": output, "lens": lens, "nodes": len(tree), "deals": tree.deals, "information_sets": sets})
    else:
        sys.stdout.write(f"{output}: {len(tree):,} nodes, {sets[0]:,} and {sets[1]:,} information sets\n")
