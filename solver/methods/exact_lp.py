"""The exact value from a basis that floats found.

The basis names a square system of whole numbers, once for side 0's plan and transposed for side 1's. A factorisation in
floats solves it to some forty bits at a time: what remains is computed in whole numbers, which wrap around but end up
small, and is solved for again (Wan, "An algorithm to solve integer linear systems exactly using numerical methods",
Journal of Symbolic Computation 41, 2006). When there are enough bits, all entries are fractions over one denominator.
Small systems that floats cannot handle are solved by flint.

Nothing of this has to be believed: a result counts only if the certificate finds both best answers equal.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import fmpq_mat, fmpz, fmpz_mat
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix
from scipy.sparse.linalg import splu

from solver.certificate import BrokenPlanError, Certificate, certify_whole
from solver.errors import TooLargeError
from solver.methods.sequence_lp import LinearSolution, linear_program
from solver.sequence_form import SequenceGame
from solver.watch import Watch

Whole = NDArray[Any]

_STEP = 48
"""Bits of a float's solution that are kept before the remainder is computed."""

_SLACK = 16
"""Bits by which an approximation may be off in its last places."""

_LONGEST = 200_000
"""Bits after which a system is given up."""

_DENSE = 300
"""Rows up to which flint solves a system that floats cannot."""


def prove(game: SequenceGame, linear: LinearSolution, *, watch: Watch) -> Certificate | None:
    """Plans whose guarantees are equal, or None if the basis does not lead to any. The certificate is about the whole
    game, also where the linear program was of a part. Raises Stopped when the watch ends first."""
    candidate = exact_plans(linear, watch=watch)
    if candidate is None or candidate.interval.width:
        return None
    return candidate


def exact_plans(linear: LinearSolution, *, watch: Watch) -> Certificate | None:
    """The basis's plans, certified in the whole game: their guarantees differ where a sequence is missing."""
    restriction = linear.restriction
    small = restriction.game
    program = linear_program(small)
    columns, rows = linear.basis.columns, linear.basis.rows
    if len(columns) != len(rows):
        return None
    watch.check()
    matrix = csc_matrix((program.numbers, (program.rows, program.columns)))[rows][:, columns]
    solved = _solve_both(matrix, program.sides[rows], program.costs[columns], watch)
    if solved is None:
        return None
    (weights, one), (multipliers, two) = solved
    sequences = small.sides[0].sequences, small.sides[1].sequences
    plans = (
        restriction.widen(0, _spread(weights, columns, sequences[0])),
        restriction.widen(1, _spread(multipliers, rows, sequences[1])),
    )
    try:
        return certify_whole(restriction.whole, plans, (one, two))
    except (BrokenPlanError, TooLargeError):
        return None


def _spread(values: Whole, places: NDArray[np.int64], length: int) -> Whole:
    """Those values whose place is a sequence; other sequences get 0."""
    spread = np.zeros(length, object)
    inside = places < length
    spread[places[inside]] = values[inside]
    return spread


def _solve_both(
    matrix: Any, right: NDArray[np.int64], costs: NDArray[np.int64], watch: Watch
) -> tuple[tuple[Whole, int], tuple[Whole, int]] | None:
    """matrix . x = right and matrix' . y = costs, each as numerators over a denominator."""
    try:
        factors: Any = splu(matrix.astype(np.float64))
    except RuntimeError:
        factors = None
    straight, turned = csr_matrix(matrix), csr_matrix(matrix.T)
    first = _refined(straight, right, factors and (lambda b: factors.solve(b)), watch) or _dense(straight, right)
    if first is None:
        return None
    second = _refined(turned, costs, factors and (lambda b: factors.solve(b, "T")), watch) or _dense(turned, costs)
    return None if second is None else (first, second)


def _refined(matrix: Any, right: NDArray[np.int64], solve: Any, watch: Watch) -> tuple[Whole, int] | None:
    """Solve by refinement; fractions are sought whenever the bits have grown by half."""
    if solve is None or not len(right):
        return None
    goal = 256
    for digits, shift in _approximations(matrix, right, solve, watch):
        if shift < goal:
            continue
        found = common_fractions(digits(), shift)
        if found is not None:
            return found
        goal = shift * 3 // 2
        if goal > _LONGEST:
            return None
    return None


def _approximations(matrix: Any, right: NDArray[np.int64], solve: Any, watch: Watch) -> Iterator[tuple[Any, int]]:
    """(digits, shift) such that the solution is digits() / 2^shift up to a few last places; ends when it does not
    converge. Digits are only put together when asked for."""
    rest = right.astype(np.int64)
    steps: list[tuple[NDArray[np.int64], int]] = []
    whole = np.zeros(len(right), object)
    shift = 0

    def digits() -> Whole:
        nonlocal whole
        for step, more in steps:
            whole = whole * (1 << more) + step.astype(object)
        steps.clear()
        return whole

    while True:
        watch.check()
        part = solve(rest.astype(np.float64))
        largest = float(np.abs(part).max())
        if not np.isfinite(largest):
            return
        more = _STEP - int(np.ceil(np.log2(max(largest, 1e-300)))) if largest else _STEP
        more = min(more, _STEP)
        if more < 8:
            return
        step = np.rint(np.ldexp(part, more)).astype(np.int64)
        rest = (rest << more) - matrix @ step  # both wrap around; their difference fits, or the digits will be refused
        steps.append((step, more))
        shift += more
        yield digits, shift


def common_fractions(digits: Whole, shift: int) -> tuple[Whole, int] | None:
    """Numerators over one denominator that lie within a few last places of digits / 2^shift, if the denominator takes
    less than half of the bits: then they are the only ones."""
    denominator = 1
    for number in digits:
        rest = _to_nearest(int(number) * denominator, shift)
        if abs(rest) > denominator << _SLACK:
            denominator *= _denominator(abs(rest), shift, denominator << _SLACK)
        if denominator.bit_length() * 2 + 2 * _SLACK > shift:
            return None
    products = [int(number) * denominator for number in digits]
    if any(abs(_to_nearest(product, shift)) > denominator << _SLACK for product in products):
        return None
    half = 1 << (shift - 1)
    return np.array([(product + half) >> shift for product in products], object), denominator


def _to_nearest(number: int, shift: int) -> int:
    """How far a number is from the nearest multiple of 2^shift."""
    half = 1 << (shift - 1)
    return ((number + half) & ((1 << shift) - 1)) - half


def _denominator(numerator: int, shift: int, tolerance: int) -> int:
    """The denominator of the first continued fraction of numerator / 2^shift that misses by no more than `tolerance`
    last places."""
    a, b = numerator, 1 << shift
    before, now = 0, 1
    while a > tolerance * now:
        quotient, rest = divmod(b, a)
        a, b = rest, a
        before, now = now, before + quotient * now
    return now


def _dense(matrix: Any, right: NDArray[np.int64]) -> tuple[Whole, int] | None:
    """Solve by flint, if it is small and not singular."""
    size = len(right)
    if size > _DENSE:
        return None
    if not size:
        return np.zeros(0, object), 1
    table = fmpz_mat(size, size, [int(entry) for entry in matrix.toarray().ravel()])
    try:
        solution = fmpq_mat(table).solve(fmpq_mat(fmpz_mat(size, 1, [int(entry) for entry in right])))
    except ZeroDivisionError:
        return None
    denominator = fmpz(1)
    for n in range(size):
        denominator = denominator.lcm(solution[n, 0].q)
    numerators = [int(solution[n, 0].p * (denominator // solution[n, 0].q)) for n in range(size)]
    return np.array(numerators, object), int(denominator)
