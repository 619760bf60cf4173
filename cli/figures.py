"""Numbers as a reader wants them: short, but never rounded to a certainty that is not there."""

from fractions import Fraction

from solver.solution import Value

LONGEST_FRACTION = 7
"""Characters of a fraction that are still read at a glance."""


def percent(chance: float | Fraction, *, digits: int | None = None) -> str:
    """A chance; by default with a decimal only where it is below 10%."""
    if chance in (0, 1):
        return f"{int(chance)}00%" if chance else "0%"
    places = digits if digits is not None else int(chance < 0.0995)
    shown, unit = f"{float(chance):.{places}%}", 10.0**-places
    if float(shown[:-1]) == 0:
        return f"<{unit:.{places}f}%"
    return f">{100 - unit:.{places}f}%" if float(shown[:-1]) == 100 else shown


def _share(value: float | Fraction) -> str:
    """A percentage with as many digits as it takes not to look like nothing, or like everything."""
    shown = (percent(value, digits=digits) for digits in range(1, 6))
    return next((text for text in shown if text[0] not in "<>"), percent(value, digits=6))


class Figures:
    """How values are written: percents where they are shares of a victory, signed numbers where they may be lost."""

    def __init__(self, objective: str, players: int) -> None:
        self._shares = players > 2
        self._digits = 2 if objective == "margin" else 3
        self._limit = 1.0 if objective == "win" else None

    def number(self, value: float | Fraction) -> str:
        """A value without its error."""
        return _share(value) if self._shares else self._signed(value)

    def fraction(self, value: Value) -> str:
        """The exact value where it is short and says more than its decimals."""
        if value.fraction is None or value.fraction.denominator == 1:
            return ""
        shown = str(value.fraction)
        return shown if len(shown) <= LONGEST_FRACTION else ""

    def error(self, value: Value) -> str:
        if value.fraction is not None:
            return ""
        number, digits, unit = (100 * value.error, 1, "%") if self._shares else (value.error, self._digits, "")
        shown = f"{number:.{digits}f}"
        return f"±{shown}{unit}" if float(shown) else f"±<{10.0**-digits:.{digits}f}{unit}"

    def full(self, value: Value) -> str:
        """A value with all that belongs to it."""
        fraction, error = self.fraction(value), self.error(value)
        shown = self.number(value.number if value.fraction is None else value.fraction)
        return shown + (f" ({fraction})" if fraction else "") + (f" {error}" if error else "")

    def behind(self, best: Value, value: Value) -> str:
        """How far a value is from the best one; nothing where it is not. An estimate from few deals may be above it."""
        if best.fraction is not None and value.fraction is not None:
            less: float | Fraction = best.fraction - value.fraction
        else:
            less = best.number - value.number
        if not less:
            return ""
        if not self._shares:
            return self._signed(-less)
        return f"-{_share(less)}" if less > 0 else f"+{_share(-less)}"

    def lead(self, value: Value) -> str:
        """A difference of values, with its error."""
        if self._shares:
            number = float(value.number)
            return f"{100 * number:.1f} points" + (f" ±{100 * value.error:.1f}" if value.fraction is None else "")
        error = self.error(value)
        return self._signed(value.number if value.fraction is None else value.fraction).lstrip("+") + (
            f" {error}" if error else ""
        )

    def _signed(self, value: float | Fraction) -> str:
        """With as many digits as it takes not to look like nothing, or like everything."""
        if value == 0:
            return "0"
        if value == int(value):
            return f"{int(value):+d}"
        for digits in range(self._digits, 10):
            shown = f"{float(value):+.{digits}f}"
            if float(shown) != 0 and abs(float(shown)) != self._limit:
                return shown
        number = float(value)
        return f"{number:+.1e}" if abs(number) < 0.5 else f"{number:+.12f}"
