"""The last mover's counting, beside a twin in plain whole numbers, up to numbers that need several moduli."""

from collections import defaultdict
from fractions import Fraction
from math import prod
from random import Random

import numpy as np
import pytest

from solver.cards import back_of
from solver.games.blasting_billy.deck import NAMES, TYPES
from solver.games.blasting_billy.hidden import hidden_pools
from solver.games.blasting_billy.last_mover import _kernel as _last_mover_kernel
from solver.games.blasting_billy.last_mover import halves as last_mover_halves
from solver.games.blasting_billy.last_mover import plan as last_mover_plan
from solver.games.blasting_billy.last_mover._kernel import (
    EMPTY,
    Ints,
    Words,
    add_up,
    look_up,
    merge_pairs,
    scatter_pairs,
)
from solver.games.blasting_billy.last_mover.halves import MODULI
from solver.games.blasting_billy.last_mover.plan import Victories
from solver.games.blasting_billy.last_mover.type_classes import FACE_UP, POINT, Classes, TypeDeals
from solver.games.blasting_billy.table import Move
from solver.watch import Watch
from tests.billy.last_turns import real_last_turn, solve


def plain_victories(types: list[Classes], mover: int) -> list[int]:
    """The twin of the compiled counting: every combination of standings, in whole numbers of any size."""
    whole: Classes = {(0,) * len(next(iter(types[0]))): 1}
    for classes in sorted(types, key=len):
        joined: Classes = defaultdict(int)
        for one, ways in whole.items():
            for other, more in classes.items():
                joined[tuple((a & ~1) + (b & ~1) + ((a | b) & 1) for a, b in zip(one, other, strict=True))] += (
                    ways * more
                )
        whole = joined
    winners = [0] * len(next(iter(whole)))
    for row, ways in whole.items():
        contenders = [seat for seat, own in enumerate(row) if not own & 1] or list(range(len(row)))
        best = max(row[seat] >> 1 for seat in contenders)
        tied = [seat for seat in contenders if row[seat] >> 1 == best]
        if mover in tied and best > 0:
            winners[len(tied) - 1] += ways
    return winners


def random_classes(rng: Random, players: int, size: int, number: int) -> Classes:
    """Standings as a type can have them, with numbers of any size."""
    rows: Classes = {}
    for _ in range(number):
        row = []
        for _ in range(players):
            cards = rng.randint(0, 3)
            points = rng.randint(0, 3 * cards)
            row.append(1 - 2 * cards if points and rng.random() < 0.4 else 2 * (POINT * points - FACE_UP * cards))
        rows[tuple(row)] = rng.randint(1, size)
    return rows


@pytest.mark.parametrize("players", [3, 4, 5])
def test_compiled_counting_equals_its_twin_for_numbers_of_any_size(players: int) -> None:
    rng = Random(players)
    lengths = set()
    for size, types in ((3, 1), (3, 5), (10**5, 2), (10**5, 4), (10**6, 3), (10**6, 5), (479001600, 5)):
        for _ in range(4):
            unmoved = [random_classes(rng, players, size, rng.randint(1, 5)) for _ in range(types)]
            moves = [(place, random_classes(rng, players, size, 5)) for place in rng.choices(range(len(unmoved)), k=4)]
            mover = rng.randrange(players)
            found = Victories(unmoved, moves, mover).run(Watch())
            assert found[-1] == plain_victories(unmoved, mover)
            for number, (place, classes) in enumerate(moves):
                moved = [*unmoved[:place], classes, *unmoved[place + 1 :]]
                assert found[number] == plain_victories(moved, mover)
                lengths.add(max(found[number]).bit_length() // 32)
    assert max(lengths) >= 4, "counts beyond 2^128"
    assert min(lengths) == 0


@pytest.mark.parametrize("moduli", [MODULI, MODULI[1:], MODULI[:2], (*MODULI[2:], 2**31 - 1)])
def test_any_moduli_that_suffice_give_the_same_counts(moduli: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    position = real_last_turn(3, 4)
    expected = solve(position)
    monkeypatch.setattr(last_mover_plan, "MODULI", moduli)
    monkeypatch.setattr(Victories, "_enough_moduli", lambda *_: moduli)
    assert solve(position) == expected


@pytest.mark.parametrize("modulus", MODULI)
def test_kernels_sum_many_of_the_largest_residues(modulus: int) -> None:
    """All in one cell, so that sums pass every bound of a word if they are not reduced in time."""
    whole = modulus or 1 << 64
    states = np.zeros((100, 2), np.int64)
    largest = np.full(100, whole - 1, np.uint64)
    inside, rows = np.zeros(2, np.int64), np.array([[0, 1], [1, 1]])
    sums = np.zeros(1, np.uint64)
    scatter_pairs(states, largest, states, largest, inside, rows, np.uint64(modulus), sums)
    add_up(sums, 1, 1, 0, 1, np.uint64(modulus))
    expected = 100 * 100 * (whole - 1) ** 2 % whole
    assert int(sums[0]) == expected
    found = np.zeros((3, 3), np.uint64)
    look_up(states, largest, inside, inside, rows, largest[:1], np.uint64(modulus), found)
    assert int(found[0, 0]) % whole == 100 * (whole - 1) ** 2 % whole
    keys, merged = np.full(1, EMPTY), np.zeros((1, 1), np.uint64)
    moduli = np.array([modulus], np.uint64)
    used = merge_pairs(states, largest[None], states, largest[None], inside, rows, moduli, keys, merged, 0)
    assert (used, int(keys[0]), int(merged[0, 0])) == (1, 0, expected)
    line = np.full(50, whole - 1, np.uint64)
    add_up(line, 1, 50, 0, 20, np.uint64(modulus))
    add_up(line, 1, 50, 20, 50, np.uint64(modulus))
    assert line.tolist() == [count * (whole - 1) % whole for count in range(1, 51)]


def test_slots_grow_and_work_is_cut_up_without_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(8)
    for name, size in (("FEW", 0), ("BLOCK", 4), ("CHUNK", 3)):
        monkeypatch.setattr(last_mover_halves, name, size)
    moved: list[int] = []

    def move_slots(old_keys: Ints, old_sums: Words, keys: Ints, sums: Words, shift: int) -> None:
        moved.append(int((old_keys != EMPTY).sum()))
        _last_mover_kernel.move_slots(old_keys, old_sums, keys, sums, shift)

    monkeypatch.setattr(last_mover_halves, "move_slots", move_slots)
    for players in (3, 4, 5):
        for _ in range(2):
            drawn = [random_classes(rng, players, 10**6, 12) for _ in range(5)]
            *unmoved, moved_type = [{(8 * POINT, *row[1:]): ways for row, ways in each.items()} for each in drawn]
            found = Victories(unmoved, [(1, moved_type)], 0).run(Watch())
            assert found[-1] == plain_victories(unmoved, 0)
            assert found[0] == plain_victories([unmoved[0], moved_type, *unmoved[2:]], 0)
    assert sum(number > 10 for number in moved) >= 10


def test_one_modulus_too_few_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts of the test above do need more than one word."""
    rng = Random(1)
    unmoved = [random_classes(rng, 3, 479001600, 6) for _ in range(5)]
    expected = plain_victories(unmoved, 0)
    assert Victories(unmoved, [], 0).run(Watch())[-1] == expected
    monkeypatch.setattr(Victories, "_enough_moduli", lambda *_: MODULI[:1])
    assert Victories(unmoved, [], 0).run(Watch())[-1] != expected


@pytest.mark.parametrize(("players", "seeds"), [(3, range(4)), (4, (2,)), (5, (1,))])
def test_real_positions_count_as_a_plain_convolution_does(players: int, seeds: range) -> None:
    for seed in seeds:
        position = real_last_turn(players, seed)
        pools = {pool.name: pool for pool in hidden_pools(position)}
        deals = [TypeDeals(position, kind, pools.get(NAMES.backs[kind])) for kind in TYPES]
        assert position.me is not None
        for answer in solve(position)[1::6]:
            assert isinstance(answer.move, Move)
            kind = back_of(answer.move.card)
            types = [each.classes(answer.move if place == kind else None) for place, each in enumerate(deals)]
            winners = plain_victories(types, position.me)
            total = prod(sum(classes.values()) for classes in types)
            assert answer.value.fraction == sum(Fraction(w, k * total) for k, w in enumerate(winners, 1))
