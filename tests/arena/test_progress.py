"""The progress bar: on a terminal one line, elsewhere nothing."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from qchess.arena.progress import COLUMNS, Bar, Bars


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_much_is_done_and_how_long_the_rest_takes() -> None:
    seen, now = Terminal(), [0.0]
    bar = Bar("games", seen, lambda: now[0])
    for done, clock in ((10, 0.0), (11, 0.9), (20, 60.0), (21, 60.05), (22, 61.0), (40, 180.0)):
        now[0] = clock
        bar.show(done, 40)
    bar.close()
    lines = seen.getvalue().split("\r")[1:]
    assert lines[0].startswith("games [##########..........] 20/40 6 s each 2:00 left")  # ten a minute, ten were there
    assert "22/40" in lines[1]  # 21 came too soon after 20
    assert "40/40" in lines[2]
    assert lines[2].endswith("\n")


def test_what_is_done_within_a_second_needs_no_bar() -> None:
    seen, now = Terminal(), [0.0]
    with Bars(stream=seen, clock=lambda: now[0]) as bars:
        told = bars.of("short")
        for done in range(1, 6):
            now[0] += 0.15
            told(done, 5)
        assert seen.getvalue() == ""
        told = bars.of("x" * 200)  # each has a clock of its own
        for done in range(1, 4):
            now[0] += 40_000
            told(done, 10**30)
    lines = seen.getvalue().split("\r")[1:]
    assert len(lines) == 3
    assert max(len(line.partition("\x1b")[0]) for line in lines) <= COLUMNS
    assert lines[0].startswith("x" * 17 + "...")


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_ctrl_c_is_told_where_the_finished_work_is(stream: type[io.StringIO]) -> None:
    seen = stream()

    def stopped(bars: Bars) -> None:
        with bars:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped(Bars(Path("games.jsonl"), seen))
    told = "stopped; what is finished is in games.jsonl, and the same command goes on from there\n"
    assert seen.getvalue() == told
    with pytest.raises(KeyboardInterrupt):
        stopped(Bars(stream=seen))
    assert seen.getvalue() == told


def test_a_file_sees_nothing() -> None:
    seen = io.StringIO()
    now = [0.0]
    with Bars(stream=seen, clock=lambda: now[0]) as bars:
        for now[0] in (0.0, 5.0):
            bars.tell("games", 1, 2)
    assert not bars.on
    assert seen.getvalue() == ""
