"""Solutions kept in files together with their proof, and checked again from the position alone.

A file holds what was claimed and, for both sides, a plan in whole numbers. Whoever checks it builds the game anew from
the position and finds the best answers to both plans exactly, so nothing depends on how the plans were found.
"""

import json
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import Any, NoReturn

from solver.asking import ask
from solver.certificate import BrokenPlanError, Certificate, certify_whole, check_plan
from solver.deals import count_deals
from solver.equilibria import value_of
from solver.errors import IllegalError, ImpossibleError, NotationError, TooLargeError, brief, located, quote
from solver.files import write_file
from solver.game import Game
from solver.games import find_game
from solver.reading import read
from solver.sequence_form import Interval, SequenceGame
from solver.shortcuts import HasEquilibria
from solver.solution import MoveValue, Solution, Value, order_moves
from solver.solution_json import solution_json
from solver.solve import MEMORY
from solver.watch import Progress, Watch

FORMAT = "lastdraw-solution"
VERSION = 1
LENSES = ("fair", "guard")

_FIELDS = ("format", "version", "game", "lens", "objective", "deals", "position", "value", "moves", "proofs")
_SIDES = ("the mover's plan", "the other side's plan")


@dataclass(frozen=True, slots=True)
class SavedPlan:
    """One side's weights in whole numbers, over their denominator."""

    denominator: int
    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SavedProof:
    """Both sides' plans and the interval they are said to prove; of the root, or of what follows a move."""

    move: str | None
    interval: Interval
    plans: tuple[SavedPlan, SavedPlan]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSolution:
    """All that a file claims. Moves are texts here."""

    game: str
    lens: str
    objective: str
    deals: int
    position: str
    value: Value
    moves: tuple[MoveValue, ...]
    proofs: tuple[SavedProof, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether all that was claimed holds, and if not, why; `intervals` were proved anew, one for each proof."""

    ok: bool
    why: str
    intervals: tuple[Interval, ...] = ()


class _DoesNotHoldError(Exception):
    """A claim that was found to be wrong."""


def save_solution(game: Game[Any, Any, Any], position: Any, solution: Solution, path: Path) -> None:
    """Write the solution and its proof; whatever happens, the file is whole or not there."""
    if solution.lens not in LENSES:
        raise IllegalError(f"lens {solution.lens} has no proof to save: only lens fair and lens guard have")
    if not solution.certificates and solution.interrupted:
        raise IllegalError("interrupted before there was a proof: nothing is saved")
    if not solution.certificates:
        raise IllegalError(
            f"this solution of lens {solution.lens} has no proof to save: on the mover's last turn, lens guard is "
            "lens open, which has none"
        )
    if not isinstance(game, HasEquilibria):
        raise IllegalError(f"solutions of {game.name} cannot be saved: it has no way to check them")
    moves = (None,) if solution.lens == "fair" else tuple(game.format_event(each) for each in game.choices(position))
    if len(moves) != len(solution.certificates):
        proved = len(solution.certificates)
        raise IllegalError(f"interrupted with {proved} of {len(moves)} moves proved: that is not saved")
    try:
        valued = tuple(replace(each, replies=None) for each in solution.moves)
        told = solution_json(game, replace(solution, moves=valued))
        content = {
            "format": FORMAT,
            "version": VERSION,
            **{name: told[name] for name in ("game", "lens", "objective", "deals")},
            "position": game.format(position),
            "value": told["value"],
            "moves": told["moves"],
            "proofs": [_proof_json(*pair) for pair in zip(moves, solution.certificates, strict=True)],
        }
        text = json.dumps(content, ensure_ascii=False) + "\n"
    except ValueError:  # Python writes no number of thousands of digits
        raise TooLargeError("the proof has numbers of thousands of digits, which cannot be saved") from None
    write_file(Path(path), text)


def _proof_json(move: str | None, certificate: Certificate) -> dict[str, Any]:
    plans = zip(certificate.denominators, certificate.plans, strict=True)
    return {
        "move": move,
        "low": str(certificate.interval.low),
        "high": str(certificate.interval.high),
        "plans": [{"denominator": int(denominator), "weights": plan.tolist()} for denominator, plan in plans],
    }


def load_solution(text: str) -> SavedSolution:
    """What a file claims; a NotationError says what in it cannot be read."""
    content = _parse(text)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise NotationError(f'not a saved solution: "format": "{FORMAT}" is missing')
    version = content.get("version")
    if type(version) is not int or version != VERSION:
        raise NotationError(f"version {quote(version)} cannot be read: {VERSION} can")
    _check_fields(content, _FIELDS)
    for name in ("game", "lens", "objective", "position"):
        if not isinstance(content[name], str):
            raise NotationError(f"{name}: {quote(content[name])} should be a text in quotes")
    game = find_game(content["game"])
    if content["lens"] not in LENSES:
        raise NotationError(f"lens: {quote(content['lens'])} should be one of {', '.join(LENSES)}")
    if content["objective"] not in game.objectives:
        raise NotationError(f"objective: {quote(content['objective'])} should be one of {', '.join(game.objectives)}")
    with located("value"):
        value = _read_value(content["value"])
    return SavedSolution(
        game=content["game"],
        lens=content["lens"],
        objective=content["objective"],
        deals=_whole(content["deals"], "deals"),
        position=content["position"],
        value=value,
        moves=tuple(_read_move(each, game.share_names) for each in _each(content["moves"], "moves")),
        proofs=tuple(_read_proof(each) for each in _each(content["proofs"], "proofs")),
    )


def _parse(text: str) -> Any:
    if not text.strip():
        raise NotationError("there is nothing in it: a solution that analyze --save wrote is expected")
    try:
        return json.loads(text, object_pairs_hook=_without_twins, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise NotationError(f"{place}: not JSON, as analyze --save writes it: {error.msg}") from None
    except RecursionError:
        raise NotationError("lists in it are nested too deeply to be a saved solution") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise NotationError("a number in it has thousands of digits: it is too large to read") from None


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, content in pairs:
        if name in found:
            raise NotationError(f"the field {quote(name)} is there twice")
        found[name] = content
    return found


def _no_number(name: str) -> NoReturn:
    raise NotationError(f"{name} is not a number")


def _check_fields(content: Any, needed: tuple[str, ...], allowed: tuple[str, ...] = ()) -> None:
    if not isinstance(content, dict):
        raise NotationError(f"{quote(content)} should be an object with the fields {', '.join(needed)}")
    for name in needed:
        if name not in content:
            raise NotationError(f"the field {quote(name)} is missing")
    for name in content:
        if name not in needed and name not in allowed:
            raise NotationError(f"the field {quote(name)} is not known")


def _each(content: Any, name: str) -> Iterator[Any]:
    """The entries of a list; errors about one say which."""
    if not isinstance(content, list):
        raise NotationError(f"{name}: {quote(content)} should be a list")
    for number, entry in enumerate(content, 1):
        with located(f"{name}, entry {number}"):
            yield entry


def _whole(content: Any, name: str) -> int:
    if type(content) is not int:
        raise NotationError(f"{name}: {quote(content)} should be a whole number")
    return content


def _float(content: Any, name: str) -> float:
    try:
        number = float(content) if type(content) in (int, float) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise NotationError(f"{name}: {quote(content)} should be a number")
    return number


def _fraction(content: Any, name: str) -> Fraction:
    if isinstance(content, str) and re.fullmatch(r"-?[0-9]+(/0*[1-9][0-9]*)?", content):
        with suppress(ValueError):  # thousands of digits
            return Fraction(content)
    raise NotationError(f'{name}: {quote(content)} should be a fraction such as "3/16"')


def _read_value(content: Any) -> Value:
    _check_fields(content, ("fraction", "float", "error"))
    fraction = None if content["fraction"] is None else _fraction(content["fraction"], "fraction")
    return Value(fraction, _float(content["float"], "float"), _float(content["error"], "error"))


def _read_move(content: Any, share_names: tuple[str, ...]) -> MoveValue:
    _check_fields(content, ("move", "value"), (*share_names, "frequency"))
    if not isinstance(content["move"], str):
        raise NotationError(f"move: {quote(content['move'])} should be a text in quotes")
    for name in share_names:
        if content.get(name) is not None:
            raise NotationError(f"{name}: {quote(content[name])} should be null: lens fair and guard do not prove it")
    with located("value"):
        value = _read_value(content["value"])
    frequency = content.get("frequency")
    return MoveValue(content["move"], value, frequency=None if frequency is None else _float(frequency, "frequency"))


def _read_proof(content: Any) -> SavedProof:
    _check_fields(content, ("move", "low", "high", "plans"))
    if content["move"] is not None and not isinstance(content["move"], str):
        raise NotationError(f"move: {quote(content['move'])} should be null or a text in quotes")
    plans = tuple(_read_plan(each) for each in _each(content["plans"], "plans"))
    if len(plans) != 2:
        raise NotationError(f"plans: there are {len(plans)}: there should be 2, one for each side")
    interval = Interval(_fraction(content["low"], "low"), _fraction(content["high"], "high"))
    return SavedProof(content["move"], interval, (plans[0], plans[1]))


def _read_plan(content: Any) -> SavedPlan:
    _check_fields(content, ("denominator", "weights"))
    denominator = _whole(content["denominator"], "denominator")
    if denominator < 1:
        raise NotationError(f"denominator: {denominator} should be at least 1")
    if not isinstance(content["weights"], list):
        raise NotationError(f"weights: {quote(content['weights'])} should be a list")
    for weight in content["weights"]:
        if type(weight) is not int:
            raise NotationError(f"weights: {quote(weight)} should be a whole number")
    return SavedPlan(denominator, tuple(content["weights"]))


def verify_solution(saved: SavedSolution, position: Any = None, watch: Watch | None = None) -> Verdict:
    """Whether everything claimed is true: of the position given too, if there is one. Trusts nothing in the file."""
    with located("position"):
        game, own = read(saved.position)
    try:
        _check_position(game, saved, own, position)
        if not isinstance(game, HasEquilibria):
            raise _DoesNotHoldError(f"{game.name} has no way to check it")
        intervals = _verify_proofs(game, own, saved, watch or Watch())
    except _DoesNotHoldError as error:
        return Verdict(False, str(error))
    except (IllegalError, ImpossibleError) as error:
        return Verdict(False, f"there is no such solution of this position: {error}")
    return Verdict(True, "", intervals)


def _check_position(game: Game[Any, Any, Any], saved: SavedSolution, own: Any, given: Any) -> None:
    if game.name != saved.game:
        raise _DoesNotHoldError(f"it is about {saved.game}, but its position about {game.name}")
    text = game.format(own)
    if text != saved.position:
        raise _DoesNotHoldError(f"its position is not written as it should be: {_difference(saved.position, text)}")
    if given is not None and (other := game.format(given)) != text:
        raise _DoesNotHoldError(f"it is of another position: {_difference(text, other)}")


def _difference(saved: str, other: str) -> str:
    for number, (mine, theirs) in enumerate(zip_longest(saved.splitlines(), other.splitlines(), fillvalue=""), 1):
        if mine != theirs:
            return f"line {number} of the one saved is {quote(mine)}, not {quote(theirs)}"
    return "they end differently"


def _verify_proofs(game: Any, position: Any, saved: SavedSolution, watch: Watch) -> tuple[Interval, ...]:
    """The intervals, proved anew; raises _DoesNotHoldError at the first claim that is wrong."""
    question = ask(game, position, lens=saved.lens, objective=saved.objective)
    way = game.fair(position, saved.objective) if saved.lens == "fair" else game.guard(question)
    if way is None:
        raise _DoesNotHoldError("on the mover's last turn, lens guard is lens open, which has no proof of this kind")
    size = way.measure(watch)
    if size.memory > MEMORY:
        raise TooLargeError(f"{size.words}: too large to be checked on this machine")
    watch.tell(Progress(f"checking: {size.words}"))
    deals = way.deals if saved.lens == "fair" else count_deals(game.hidden(position))
    _equal("deals", saved.deals, deals)
    if saved.lens == "fair":
        _equal("the number of proofs", len(saved.proofs), 1)
        _equal("the move of the proof", saved.proofs[0].move, None)
        fair = way.build(watch)
        certificate = _certify(fair.game, saved.proofs[0], "value")
        _check_value("value", saved.value, certificate.interval)
        _check_moves(game, saved, order_moves(list(fair.moves(certificate))))
        return (certificate.interval,)
    _equal("the number of proofs", len(saved.proofs), len(game.choices(position)))
    claimed = {each.move: each.value for each in saved.moves}
    found: list[tuple[Any, Interval]] = []
    for proof, (move, each) in zip(saved.proofs, way.games(watch), strict=True):
        watch.check()
        name = game.format_event(move)
        _equal(f"the move of proof {len(found) + 1}", proof.move, name)
        interval = _certify(each, proof, name).interval
        if name in claimed:
            _check_value(name, claimed[name], interval)
        found.append((move, interval))
    moves = order_moves([MoveValue(move, value_of(interval)) for move, interval in found])
    _check_moves(game, saved, moves)
    _check_value("value", saved.value, dict(found)[moves[0].move])
    return tuple(interval for _, interval in found)


def _certify(game: SequenceGame, proof: SavedProof, name: str) -> Certificate:
    """What the plans really prove, which must be at least what is claimed."""
    for side, plan, whose in zip(game.sides, proof.plans, _SIDES, strict=True):
        _equal(f"{name}: the number of weights of {whose}", len(plan.weights), side.sequences)
        try:
            check_plan(side, plan.weights, plan.denominator)
        except BrokenPlanError as error:
            raise _DoesNotHoldError(f"{name}: {whose} is not a distribution: {error}") from None
    first, second = proof.plans
    found = certify_whole(game, (first.weights, second.weights), (first.denominator, second.denominator))
    if proof.interval.low > found.interval.low:
        raise _DoesNotHoldError(f"{name}: claimed is at least {proof.interval.low}, proved {found.interval.low}")
    if proof.interval.high < found.interval.high:
        raise _DoesNotHoldError(f"{name}: claimed is at most {proof.interval.high}, proved {found.interval.high}")
    return found


def _check_value(name: str, claimed: Value, proved: Interval) -> None:
    """An exact value must be all of the interval; one with an error must leave nothing of the interval out."""
    _check_same(name, claimed, expected := value_of(proved))
    number, error = Fraction(claimed.number), Fraction(claimed.error)
    if claimed.fraction is None and not number - error <= proved.low <= proved.high <= number + error:
        raise _DoesNotHoldError(f"{name}: claimed is an error of {claimed.error}, proved one of {expected.error}")


def _check_same(name: str, claimed: Value, expected: Value) -> None:
    """The same fraction, or none where none is proved; floats come from fractions, so they are the same too."""
    _equal(f"{name}: fraction", claimed.fraction, expected.fraction)
    _equal(f"{name}: float", claimed.number, expected.number)
    _equal(f"{name}: error", claimed.error, expected.error)


def _check_moves(game: Any, saved: SavedSolution, expected: tuple[MoveValue, ...]) -> None:
    texts = ", ".join(game.format_event(each.move) for each in expected)
    _equal("the moves", ", ".join(str(each.move) for each in saved.moves), texts)
    for claimed, found in zip(saved.moves, expected, strict=True):
        _check_same(str(claimed.move), claimed.value, found.value)
        _equal(f"{claimed.move}: frequency", claimed.frequency, found.frequency)


def _equal(name: str, claimed: object, found: object) -> None:
    if claimed != found:
        raise _DoesNotHoldError(f"{name}: claimed is {brief(claimed)}, found {brief(found)}")
