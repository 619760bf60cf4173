"""Time that is there, and time that does not count."""

import pytest

from solver.watch import Progress, Stopped, Watch


def test_what_another_clock_counts_does_not_count_here_however_often_that_is_said() -> None:
    seconds = [5.0]

    def clock() -> float:
        return seconds[0]

    watch = Watch(100.0)
    watch.ignore(clock)
    seconds[0] += 40
    watch.ignore(clock)
    part = watch.within(10.0)
    seconds[0] += 30
    assert watch.remaining == pytest.approx(170, abs=5)
    assert part.remaining == pytest.approx(40, abs=5)


def test_quiet_work_is_told_to_nobody_and_still_stops_with_the_whole() -> None:
    told: list[Progress] = []
    watch = Watch(100.0, told.append)
    quiet = watch.within(10.0, quiet=True)
    for number, part in enumerate((quiet, quiet.within(5.0), watch.within(10.0))):
        part.tell(Progress(str(number)))
    assert [progress.task for progress in told] == ["2"]
    watch.stop()
    assert quiet.stopped


def test_a_watch_that_is_over_stops_the_work() -> None:
    with pytest.raises(Stopped):
        Watch(0.0).check()
