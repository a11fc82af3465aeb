"""The progress bar: on a terminal one line, elsewhere nothing."""

from __future__ import annotations

import io

from qchess.arena.progress import Bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_much_is_done_and_how_long_the_rest_takes() -> None:
    seen, now = Terminal(), [0.0]
    bar = Bar("games", seen, lambda: now[0])
    for done, clock in ((10, 0.0), (20, 60.0), (21, 60.05), (40, 180.0)):
        now[0] = clock
        bar.show(done, 40)
    bar.close()
    lines = seen.getvalue().split("\r")[1:]
    assert lines[0].startswith("games [#######.......................] 10/40")
    assert "20/40 2:00 left" in lines[1]  # ten games a minute, those of an earlier run not counted
    assert "40/40" in lines[2]  # 21 came too soon after 20
    assert lines[2].endswith("\n")


def test_a_file_sees_nothing() -> None:
    seen = io.StringIO()
    bar = Bar("games", seen)
    bar.show(1, 2)
    bar.close()
    assert seen.getvalue() == ""
