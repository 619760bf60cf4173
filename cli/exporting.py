"""`tree`: a game from a position on, as a file that other programs read."""

import sys

from cli.answers import load, print_json
from cli.running import undoing
from solver.errors import IllegalError, quote
from solver.files import check_target, whole_file
from solver.watch import Watch

LENSES = ("fair", "guard")
"""Those whose information sets the format can tell."""


def write_tree(file: str, output: str, *, lens: str, objective: str | None, as_json: bool) -> None:
    """Write it, and say how large it is. A file that was there is replaced only by a whole one."""
    from solver.asking import ask
    from solver.efg import write_efg
    from solver.lens import LENSES as SIGHTS
    from solver.tree import build_tree

    target = check_target(output, "-o", file)
    if target.suffix != ".efg":
        raise IllegalError(
            f"-o {quote(output)}: trees are written as .efg (Gambit's format): name the file such as x.efg"
        )
    if lens not in LENSES:
        raise IllegalError(f"--lens {quote(lens)}: a tree is of lens {' or '.join(LENSES)}")
    game, position = load(file)
    wanted = ask(game, position, lens=lens, objective=objective).objective
    tree = build_tree(game, position, lens=SIGHTS[lens], objective=wanted, watch=Watch())
    with undoing(), whole_file(target) as stream:
        write_efg(tree, stream, title=f"{game.name}, lens {lens}, {wanted}")
    sets = [len(side.starts) - 1 for side in tree.sides]
    if as_json:
        print_json({"file": output, "lens": lens, "nodes": len(tree), "deals": tree.deals, "information_sets": sets})
    else:
        sys.stdout.write(f"{output}: {len(tree):,} nodes, {sets[0]:,} and {sets[1]:,} information sets\n")
