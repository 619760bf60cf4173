"""In how many deals the last mover of two wins or shares the victory: a plain convolution of the types."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate

from solver.games.blasting_billy.last_mover.type_classes import Classes

Leads = dict[tuple[int, int], int]
"""Numbers of deals by flags and by the lead: the mover's score less the other's."""

MOVER_SHOT, OTHER_SHOT, POINTS = 1, 2, 4


def count_victories(
    unmoved: Sequence[Classes], moves: Sequence[tuple[int, Classes]], mover: int
) -> dict[int, list[int]]:
    """For each move (a type and what becomes of it; -1: none), the deals the mover wins alone and those shared."""
    base = [_leads(classes, mover) for classes in unmoved]
    result = {}
    rest = {kind: _Rest(base[:kind] + base[kind + 1 :]) for kind in {0, *(kind for kind, _ in moves)}}
    result[-1] = rest[0].victories(base[0])
    for number, (kind, classes) in enumerate(moves):
        result[number] = rest[kind].victories(_leads(classes, mover))
    return result


def _leads(classes: Classes, mover: int) -> Leads:
    result: Leads = defaultdict(int)
    for row, number in classes.items():
        own, other = row[mover], row[1 - mover]
        flags = MOVER_SHOT * (own & 1) | OTHER_SHOT * (other & 1) | POINTS * (own >> 1 > 0)
        result[flags, (own >> 1) - (other >> 1)] += number
    return result


class _Rest:
    """All types but one, ready to be asked how often the lead lies within a bound."""

    def __init__(self, types: Iterable[Leads]) -> None:
        whole: Leads = {(0, 0): 1}
        for leads in sorted(types, key=len):
            joined: Leads = defaultdict(int)
            for (flags, lead), number in leads.items():
                for (other_flags, other_lead), other_number in whole.items():
                    joined[flags | other_flags, lead + other_lead] += number * other_number
            whole = joined
        by_flags: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (flags, lead), number in sorted(whole.items()):
            by_flags[flags].append((lead, number))
        self._leads = {flags: [lead for lead, _ in rows] for flags, rows in by_flags.items()}
        self._below = {flags: [0, *accumulate(number for _, number in rows)] for flags, rows in by_flags.items()}

    def victories(self, leads: Leads) -> list[int]:
        alone = shared = 0
        for (flags, lead), number in leads.items():
            for other_flags, others in self._leads.items():
                below, joined = self._below[other_flags], flags | other_flags
                shot = joined & (MOVER_SHOT | OTHER_SHOT)
                if not joined & POINTS or shot == MOVER_SHOT:
                    continue
                if shot == OTHER_SHOT:
                    alone += number * below[-1]
                    continue
                ahead = bisect_right(others, -lead)
                alone += number * (below[-1] - below[ahead])
                shared += number * (below[ahead] - below[bisect_left(others, -lead)])
        return [alone, shared]
