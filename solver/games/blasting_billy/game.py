"""Blasting Billy behind the interface that every game has."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from solver.deals.pools import Deal, Pool
from solver.errors import NotationError, located, quote
from solver.games.blasting_billy import rules, scoring
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.hidden import fill, hidden_pools, observe
from solver.games.blasting_billy.position_text import format_position, parse_position
from solver.games.blasting_billy.rules import Draw, Event
from solver.games.blasting_billy.search.lines import SHARE_NAMES, agree
from solver.games.blasting_billy.table import VERBS, Move, Position, State
from solver.texts import is_record, read_file

if TYPE_CHECKING:
    from solver.games.blasting_billy.record import Record
    from solver.shortcuts import Computation, DealSearch, Evaluator, FairWay, GuardWay, Question


class BlastingBilly:
    """The rules of Blasting Billy for two to five players."""

    name = "blasting-billy"
    objectives = scoring.OBJECTIVES
    share_names = SHARE_NAMES

    def agree(self, sampled: dict[str, float], known: Mapping[str, float]) -> dict[str, float]:
        return agree(sampled, known)

    def check_objective(self, position: Position, objective: str) -> None:
        scoring.check_objective(objective, len(position.players))

    def parse(self, text: str, folder: Path = Path()) -> Position:
        return self.parse_record(text, folder).replay() if is_record(text) else parse_position(text)

    def parse_record(self, text: str, folder: Path = Path()) -> "Record":
        from solver.games.blasting_billy.record_text import parse_record

        return parse_record(text, lambda name: read_file(folder / name))

    def format(self, position: Position) -> str:
        return format_position(position)

    def parse_event(self, text: str) -> Event:
        """A move such as `give J7`, or a draw such as `draws J7 top B`."""
        words = text.split()
        with located(quote(text)):
            if len(words) == 2 and words[0] in VERBS:
                return Move(words[0], NAMES.parse(words[1]))
            if len(words) == 2 and words[0] == "draws":
                return Draw(NAMES.parse(words[1]), None)
            if len(words) == 4 and words[::2] == ["draws", "top"] and words[3] in tuple(NAMES.backs):
                return Draw(NAMES.parse(words[1]), NAMES.backs.index(words[3]))
            raise NotationError("is not a move: write give, claim or dump and a card, such as claim J7")

    def format_event(self, event: Event) -> str:
        if isinstance(event, Move):
            return f"{event.verb} {NAMES.format(event.card)}"
        top = "" if event.top is None else f" top {NAMES.backs[event.top]}"
        return f"draws {NAMES.format(event.card)}{top}"

    def seats(self, position: Position) -> tuple[str, ...]:
        return position.players

    def hidden(self, position: Position) -> tuple[Pool, ...]:
        return hidden_pools(position)

    def fill(self, position: Position, deal: Deal) -> State:
        return fill(position, deal)

    def observe(self, state: State, player: int | None) -> Position:
        return observe(state, player)

    def choices(self, position: Position) -> tuple[Event, ...]:
        return rules.choices(position)

    def meanings(self, position: Position, state: State, choice: Event) -> tuple[Event, ...]:
        return rules.meanings(position, state, choice)

    def turn(self, state: State) -> int:
        return rules.turn(state)

    def moves(self, state: State) -> tuple[Event, ...]:
        return rules.moves(state)

    def chances(self, state: State) -> tuple[tuple[Event, int], ...]:
        return rules.chances(state)

    def play(self, state: State, event: Event) -> State:
        return rules.play(state, event)

    def payoffs(self, state: State, objective: str) -> tuple[Fraction, ...]:
        return scoring.payoffs(state, objective)

    def factored(self, question: "Question") -> "Computation | None":
        from solver.games.blasting_billy.factored.computation import prepare_factored
        from solver.games.blasting_billy.last_mover.computation import prepare_last_mover

        return prepare_last_mover(question) or prepare_factored(question)

    def deal_search(self, question: "Question") -> "DealSearch":
        from solver.games.blasting_billy.search.evaluators import StateSearch

        return StateSearch(question)

    def order_search(self, question: "Question") -> "Evaluator":
        from solver.games.blasting_billy.search.evaluators import OrderSearch

        return OrderSearch(question)

    def playouts(self, question: "Question") -> "Evaluator":
        from solver.games.blasting_billy.playouts.evaluator import Playouts

        return Playouts(question)

    def fair(self, position: Position, objective: str) -> "FairWay":
        from solver.games.blasting_billy.fair.public_root import check_fair

        check_fair(position)
        from solver.games.blasting_billy.fair.computation import FairComputation

        return FairComputation(position, objective)

    def guard(self, question: "Question") -> "GuardWay | None":
        from solver.games.blasting_billy.guard.computation import mover_decides_again, prepare_guard

        return prepare_guard(question) if mover_decides_again(question.position) else None
