"""Whether statements can hold together, and if not, the fewest of them that cannot: by SAT.

This is the only door to pysat, opened late because most commands never need it.
"""

from typing import TYPE_CHECKING, Any

from solver.deals.pools import Pool, Statement

if TYPE_CHECKING:
    from pysat.formula import WCNF


def encode(pool: Pool) -> tuple["WCNF", list[list[int]]]:
    """The pool as clauses, and the variables `lies[card][cell]`.

    Hard: a card lies in one cell and a cell holds as many cards as it has slots. Soft, in order: one unit clause
    for each statement, whose variable implies it.
    """
    from pysat.card import CardEnc, EncType
    from pysat.formula import WCNF, IDPool

    ids = IDPool()
    formula = WCNF()
    lies = [[ids.id((card, cell)) for cell in range(len(pool.cells))] for card in range(len(pool.cards))]

    def exactly(literals: list[int], number: int) -> None:
        if number == 0:
            formula.extend([[-literal] for literal in literals])
        elif literals:
            cnf: Any = CardEnc.equals(literals, bound=number, vpool=ids, encoding=EncType.seqcounter)
            formula.extend(cnf.clauses)

    for row in lies:
        exactly(row, 1)
    for cell in range(len(pool.cells)):
        exactly([row[cell] for row in lies], pool.cells[cell].size)
    for number, known in enumerate(pool.statements):
        claim = ids.id(("statement", number))
        inside = [row[known.cell] for card, row in zip(pool.cards, lies, strict=True) if card in known.cards]
        outside = [row[known.cell] for card, row in zip(pool.cards, lies, strict=True) if card not in known.cards]
        if known.every:
            formula.extend([[-claim, -literal] for literal in outside])
        else:
            formula.append([-claim, *inside])
        formula.append([claim], weight=1)
    return formula, lies


def is_consistent(pool: Pool) -> bool:
    """Whether all statements of the pool can hold together."""
    from pysat.solvers import Solver

    formula, _ = encode(pool)
    with Solver(bootstrap_with=formula.hard + formula.soft) as solver:
        return bool(solver.solve())


def smallest_contradiction(pool: Pool) -> tuple[Statement, ...]:
    """The fewest statements that cannot hold together, in the pool's order; empty where all can."""
    from pysat.examples.optux import OptUx

    if is_consistent(pool):
        return ()
    formula, _ = encode(pool)
    with OptUx(formula) as extractor:
        core: list[int] = extractor.compute()
    return tuple(pool.statements[number - 1] for number in sorted(core))
