"""Regret minimisation and best responses on flows, over arrays: one pass up and one pass down over a side's sets.

A side's `shape` is (starts, mass, parent_starts, parents, weights) and its `gains` are (row_starts, columns, payoffs):
what each of its sequences gets against each sequence of the other side. Its `memory` is (regrets, latest, plan,
average): `latest` are the regrets of the last round alone.
"""

from typing import Any

import numpy as np

from solver.kernels import compiled


@compiled
def gather(gains: Any, plan: Any, worth: Any) -> None:
    """What each sequence gets against a plan. Four sums side by side, so that no addition waits for the last one."""
    starts, columns, payoffs = gains
    for row in range(len(worth)):
        begin, end = starts[row], starts[row + 1]
        middle = begin + (end - begin) // 4 * 4
        a = b = c = d = 0.0
        for k in range(begin, middle, 4):
            a += payoffs[k] * plan[columns[k]]
            b += payoffs[k + 1] * plan[columns[k + 1]]
            c += payoffs[k + 2] * plan[columns[k + 2]]
            d += payoffs[k + 3] * plan[columns[k + 3]]
        for k in range(middle, end):
            a += payoffs[k] * plan[columns[k]]
        worth[row] = (a + b) + (c + d)


@compiled
def respond(shape: Any, worth: Any, best: Any) -> float:
    """The most that a plan can get, where `worth` is what each sequence gets at once. On return it also holds what
    follows, and `best` the first best sequence of every set."""
    starts, mass, parent_starts, parents, weights = shape
    total = 0.0
    for i in range(len(mass) - 1, -1, -1):
        chosen = starts[i]
        for s in range(starts[i] + 1, starts[i + 1]):
            if worth[s] > worth[chosen]:
                chosen = s
        best[i] = chosen
        value = worth[chosen]
        total += mass[i] * value
        for k in range(parent_starts[i], parent_starts[i + 1]):
            worth[parents[k]] += weights[k] * value
    return total


@compiled
def pour(shape: Any, shares: Any, plan: Any) -> None:
    """The plan that divides what flows into each set in proportion to `shares`; the first move where all are zero."""
    starts, mass, parent_starts, parents, weights = shape
    for i in range(len(mass)):
        flow = mass[i]
        for k in range(parent_starts[i], parent_starts[i + 1]):
            flow += weights[k] * plan[parents[k]]
        total = 0.0
        for s in range(starts[i], starts[i + 1]):
            total += max(shares[s], 0.0)
        for s in range(starts[i], starts[i + 1]):
            plan[s] = flow * (max(shares[s], 0.0) / total) if total > 0 else 0.0
        if not total > 0:
            plan[starts[i]] = flow


@compiled
def prune(shape: Any, keep: Any, alive: Any) -> None:
    """Which sets anything flows into while only the sequences in `keep` are played. The others lose their sequences,
    and a set that has none left keeps its first one."""
    starts, mass, parent_starts, parents, _ = shape
    for i in range(len(mass)):
        fed = mass[i] > 0
        for k in range(parent_starts[i], parent_starts[i + 1]):
            fed = fed or keep[parents[k]]
        alive[i] = fed
        some = False
        for s in range(starts[i], starts[i + 1]):
            keep[s] = keep[s] and fed
            some = some or keep[s]
        if fed and not some:
            keep[starts[i]] = True


@compiled
def _learn(shape: Any, memory: Any, worth: Any, discount: Any) -> None:
    """Add to the regrets what each move would have gained, from the last set to the first. `discount` multiplies what
    positive and negative regrets have become."""
    starts, _, parent_starts, parents, weights = shape
    regrets, latest, _, _ = memory
    positive, negative, predictive = discount
    for i in range(len(starts) - 2, -1, -1):
        begin, end = starts[i], starts[i + 1]
        value = worth[begin]
        if end > begin + 1:
            total = value = top = 0.0
            for s in range(begin, end):
                top += worth[s]
                share = regrets[s] + predictive * latest[s]
                if share > 0:
                    total += share
                    value += share * worth[s]
            value = value / total if total > 0 else top / (end - begin)
            for s in range(begin, end):
                latest[s] = worth[s] - value
                regret = regrets[s] + latest[s]
                regrets[s] = regret * (positive if regret > 0 else negative)
        for k in range(parent_starts[i], parent_starts[i + 1]):
            worth[parents[k]] += weights[k] * value


@compiled
def _play(shape: Any, memory: Any, predictive: float, step: float) -> None:
    """Regret matching from the first set to the last; the average moves by `step` towards the new plan."""
    starts, mass, parent_starts, parents, weights = shape
    regrets, latest, plan, average = memory
    for i in range(len(mass)):
        flow = mass[i]
        for k in range(parent_starts[i], parent_starts[i + 1]):
            flow += weights[k] * plan[parents[k]]
        begin, end = starts[i], starts[i + 1]
        total = 0.0
        for s in range(begin, end):
            total += max(regrets[s] + predictive * latest[s], 0.0)
        for s in range(begin, end):
            share = max(regrets[s] + predictive * latest[s], 0.0) / total if total > 0 else 1.0 / (end - begin)
            plan[s] = flow * share
            average[s] += step * (plan[s] - average[s])


@compiled
def minimize(shapes: Any, gains: Any, memories: Any, settings: Any, span: Any) -> float:
    """Rounds `span[0]` up to `span[1]` of alternating updates. `settings`: the powers that discount positive and
    negative regrets (infinite: not discounted, and cut off), the power of the average, and whether to predict.
    The sum of the average's weights goes in as `span[2]` and is returned."""
    alpha, beta, gamma, predictive = settings
    first, last, total = span
    worth_0, worth_1 = np.empty(len(memories[0][0])), np.empty(len(memories[1][0]))
    for t in range(first, last):
        rate = t**alpha
        positive = rate / (rate + 1) if alpha < 1e9 else 1.0
        rate = t**beta
        negative = rate / (rate + 1) if beta < 1e9 else 0.0
        weight = float(t) ** gamma
        total += weight
        discount = (positive, negative, predictive)
        gather(gains[0], memories[1][2], worth_0)
        _learn(shapes[0], memories[0], worth_0, discount)
        _play(shapes[0], memories[0], predictive, weight / total)
        gather(gains[1], memories[0][2], worth_1)
        _learn(shapes[1], memories[1], worth_1, discount)
        _play(shapes[1], memories[1], predictive, weight / total)
    return float(total)
