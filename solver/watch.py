"""How long work may take, whether somebody wants it to stop, and who is told how far it is."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from solver.solution import Solution


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, how much of it is done (0 to 1, if that is known), and the answer so far, if any."""

    task: str
    done: float | None = None
    so_far: Solution | None = None


class Stopped(Exception):  # noqa: N818  an end, not an error
    """Work was given up because it was told to stop, or ran out of time."""


class Watch:
    """Passed down to everything that may take long. `stop` may be called from another thread or a signal handler."""

    def __init__(self, budget: float | None = None, report: Callable[[Progress], None] | None = None) -> None:
        self._begin = time.perf_counter()
        self._budget = budget
        self._report = report
        self._stopped = threading.Event()
        self._whole: Watch | None = None
        self._clock: Callable[[], float] = float
        self._ignored: Callable[[], float] = float

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self._begin - self._ignored()

    @property
    def remaining(self) -> float:
        """Seconds left; infinite without a budget."""
        return float("inf") if self._budget is None else self._budget - self.seconds

    def stop(self) -> None:
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        """Somebody said stop."""
        return self._stopped.is_set()

    def check(self) -> None:
        """Raise Stopped if told to stop, or if the time is over."""
        if self.stopped or self.remaining <= 0:
            raise Stopped

    def tell(self, progress: Progress) -> None:
        if self._report is not None:
            self._report(progress)

    def within(self, seconds: float, *, quiet: bool = False) -> "Watch":
        """A watch for a part of the work: it ends after so many seconds, and stops when this one is stopped. Of quiet
        work nobody is told: what it finds on the way answers something else than was asked."""
        part = Watch(seconds, None if quiet else self._report)
        part._stopped = self._stopped
        part._whole = self
        part.ignore(self._clock)
        return part

    def ignore(self, clock: Callable[[], float]) -> None:
        """From now on, seconds that another clock counts, such as for compiling, do not count here. Said again, it
        changes nothing."""
        if clock is self._clock:
            return
        begin = clock()
        self._clock = clock
        self._ignored = lambda: clock() - begin

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Time spent in here, such as on loading kernels, does not count."""
        watches: list[Watch] = [self]
        while (whole := watches[-1]._whole) is not None:
            watches.append(whole)
        before = [watch.seconds for watch in watches]
        try:
            yield
        finally:
            for watch, seconds in zip(watches, before, strict=True):
                watch._begin += watch.seconds - seconds
