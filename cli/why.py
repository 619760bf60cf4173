"""Reasons for a move, in plain words; numbers that were sampled are said to be about so much."""

from math import hypot
from typing import Any

from cli.figures import Figures, percent
from cli.wording import count, listed
from solver.cards import make_card
from solver.games.blasting_billy.deck import NAMES, VALUABLES
from solver.games.blasting_billy.hints.conditions import Condition
from solver.games.blasting_billy.hints.reasons import Chances, Evidence, Feared, Paired, Reason, Risk, When
from solver.games.blasting_billy.hints.replies import Effect, Look, Reply
from solver.games.blasting_billy.table import Position
from solver.solution import Solution, Value

ORDINALS = (
    *("", "first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)


NARROW = 0.03
"""An error that need not be said each time."""


def about(value: Value) -> str:
    """A chance, said to be an estimate where it is one; what was never seen is not said to be impossible."""
    if not value.error:
        return percent(value.number)
    if value.number == 0:
        return f"less than {percent(value.error)}"
    if value.number == 1:
        return f"more than {percent(1 - value.error, digits=1 if value.error < 0.02 else None)}"
    shown = percent(value.number, digits=2 if value.number < 0.001 else None)
    return f"about {shown}" + (f" (±{100 * value.error:.0f})" if value.error > NARROW else "")


def differ(one: Value, other: Value) -> bool:
    """Whether two estimates of separate deals are clearly not the same."""
    return abs(one.number - other.number) > hypot(one.error, other.error)


class Words:
    """Sentences about one position and the two moves compared in it."""

    def __init__(self, game: Any, position: Position, evidence: Evidence) -> None:
        self._game = game
        self._position = position
        self._instead = None if evidence.runner_up is None else game.format_event(evidence.runner_up)
        self._where = "games" if position.size else "deals"

    def say(self, reason: Reason) -> str:
        match reason:
            case Chances():
                return self._chances(reason)
            case Risk():
                return self._risk(reason)
            case Paired():
                return self._paired(reason)
            case When():
                return self._when(reason)
            case Feared():
                return self._reply(reason.reply)

    def _chances(self, reason: Chances) -> str:
        text = f"You win {about(reason.win)} of the {self._where} and lose {about(reason.loss)}"
        if reason.win_instead is None or reason.loss_instead is None:
            return f"{text}."
        return f"{text}; after {self._instead} it is {about(reason.win_instead)} and {about(reason.loss_instead)}."

    def _risk(self, reason: Risk) -> str:
        mine = reason.player == self._position.to_move
        who = "you are" if mine else f"{self._position.players[reason.player]} is"
        text = f"{who} shot in {VALUABLES[reason.type]} in {about(reason.shot)} of the {self._where}"
        if reason.instead is None or reason.difference is None:
            return f"{text[0].upper()}{text[1:]}." if mine else f"{text}."
        welcome = mine == (reason.difference.number < 0)
        return f"{'For' if welcome else 'Against'} it: {text}, after {self._instead} in {about(reason.instead)}."

    def _paired(self, reason: Paired) -> str:
        if reason.same.number == 1:
            return f"In every deal looked at, it came to the same as {self._instead}."
        return (
            f"Deal by deal, it is worth more than {self._instead} in {about(reason.better)}, less in "
            f"{about(reason.worse)}, otherwise the same."
        )

    def _when(self, reason: When) -> str:
        found = reason.found
        return (
            f"It gains mostly when {self.condition(found.condition)} ({about(found.share)} of the deals): then it is "
            f"worth more in {about(found.better)} and less in {about(found.worse)}, otherwise more in "
            f"{about(found.better_else)} and less in {about(found.worse_else)}."
        )

    def condition(self, condition: Condition) -> str:
        """A condition as the end of a sentence that begins with when."""
        mine = condition.player is not None and condition.player == self._position.to_move
        name = "Billy" if condition.player is None else self._position.players[condition.player]
        whose = "your" if mine else f"{name}'s"
        letter = NAMES.backs[condition.type]
        size = {">=": f"{condition.number} or more", "<=": f"{condition.number} or less"}.get(condition.compare, "")
        if condition.where == "above":
            stands = _be(condition.type) + (" above" if condition.compare == ">" else " not above")
            return f"{whose} {VALUABLES[condition.type]} {stands} Billy's as things stand"
        if condition.where == "total":
            return f"{whose} {VALUABLES[condition.type]} {_be(condition.type)} worth {size} as things stand"
        if condition.where == "hand":
            return f"{name} holds " + (
                f"the {letter} dynamite" if condition.compare == "!" else f"a {letter} of {size}"
            )
        which = f"{ORDINALS[condition.place]} {letter}" if condition.player is None else f"face-down {letter}"
        return f"{whose} {which} is " + ("the dynamite" if condition.compare == "!" else size)

    def _reply(self, reply: Reply) -> str:
        name = self._position.players[reply.player]
        doing = self.look(reply.look)
        if not reply.searched:
            text = f"In the games played out, {name} most often replies by {doing} ({about(reply.share)})"
            if not differ(reply.win, reply.win_else):
                return f"{text}."
            return f"{text}; you then win {about(reply.win)}, otherwise {about(reply.win_else)}."
        text = (
            f"Fear {name} {doing}: the best reply, better than any dump, in {about(reply.share)} of the deals. Of "
            f"these you win {about(reply.win)}; had {name} dumped, {about(reply.win_else)}"
        )
        return f"{text}{self._effect(reply.effect)}."

    def _effect(self, effect: Effect | None) -> str:
        if effect is None:
            return ""
        name, kind = self._position.players[effect.player], VALUABLES[effect.type or 0]
        what = {
            "shot": f"it gets you shot in {kind}",
            "escape": f"it saves {name} from being shot in {kind}",
            "points": "it changes points, not who is shot",
        }[effect.kind]
        return f". In {about(effect.share)} of them {what}"

    def look(self, look: Look) -> str:
        letter = NAMES.backs[look.type]
        card = f"a {letter}" if look.face is None else f"the {NAMES.format(make_card(look.type, look.face))}"
        return {"give": f"giving {card} to Billy", "claim": f"claiming {card}", "dump": f"dumping {card}"}[look.verb]


def sure(game: Any, position: Position, solution: Solution, evidence: Evidence) -> str:
    """How sure the hint is."""
    figures = Figures(solution.objective, len(position.players))
    worth, best = figures.full(solution.value), solution.moves[0].move
    if solution.exact:
        text = f"Exact over all {count(solution.deals, 'deal')}: worth {worth}"
    elif solution.method == "playouts":
        games = count(solution.sampled or 0, "game")
        text = f"A judgement from {games} played out, not a calculation: worth about {worth}"
    else:
        text = f"An estimate from {count(solution.sampled or 0, 'sampled deal')}: worth about {worth}"
    text += _lead(game, figures, evidence) + "."
    equal = [game.format_event(move) for move in solution.best if move != best]
    if equal and solution.exact:
        text += f" {listed(equal)} {'is' if len(equal) == 1 else 'are'} exactly as good."
    elif equal:
        text += f" {listed(equal)} cannot be told from it."
    return text


def _lead(game: Any, figures: Figures, evidence: Evidence) -> str:
    if evidence.runner_up is None or evidence.lead is None:
        return ""
    rival, lead = game.format_event(evidence.runner_up), evidence.lead
    if lead.fraction is not None:
        return f", {figures.lead(lead)} ahead of {rival}"
    if lead.number > lead.error:
        return f", ahead of {rival} by about {figures.lead(lead)}"
    return f"; its lead over {rival} is nothing to rely on ({figures.lead(lead)})"


def _be(kind: int) -> str:
    return "are" if VALUABLES[kind].endswith("s") else "is"
