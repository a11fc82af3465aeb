"""The progress bar: on a terminal one line, elsewhere nothing."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from qchess.__main__ import main
from qchess.arena import progress
from qchess.arena.progress import COLUMNS, Bar, Bars
from tests.play.test_measuring import two_questions


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


LONG = {
    "arena": "arena play quantum-tic-tac-toe random greedy --rounds 2 --out {out}",
    "experiment": "experiment complexity --sizes 5 --levels 0 --games 60 --draws on --no-plots --out {out}",
    "measure": "measure {game} --backend sparse-shots --backend sparse-shots,shots=50 --seed 1 --to {out}",
    "bench": "bench run sparse --only cat --seconds 100 --warm 0 --out {out}",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_a_long_command_draws_its_bar_on_a_terminal_and_says_nothing_in_a_pipe(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each drawing is a line of a terminal of 80 columns; the last one says that all is done, and how fast."""
    game, told = tmp_path / "game.json", {}
    game.write_text(two_questions().to_json())
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setattr(progress, "EVERY", 0)
    for stream in (Terminal(), io.StringIO()):
        command = LONG[name].format(out=tmp_path / str(stream.isatty()), game=game).split()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            assert main(command) == 0
        told[stream.isatty()] = stream.getvalue()
    drawn = [line.partition("\x1b")[0] for line in told[True].split("\r")[1:]]
    assert len(drawn) >= 2
    assert max(map(len, drawn)) <= COLUMNS < 80
    assert re.search(r"\[#{20}\] (\d+)/\1 [\d.]+(/s| s each)$", drawn[-1]), drawn[-1]
    assert not re.search(r"[\r\x1b#]", told[False])


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_a_long_command_that_is_that_is_interrupted_goes_on_and_does_nothing_twice(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C comes when the first piece of work is done."""
    out, game = tmp_path / "out", tmp_path / "game.json"
    game.write_text(two_questions().to_json())
    command = LONG[name].format(out=out, game=game).split()
    show, seen = Bar.show, list[int]()

    def shown(bar: Bar, done: int, total: int) -> None:
        show(bar, done, total)
        seen.append(done)
        if len(seen) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "show", shown)
    assert main(command) == 130
    assert f"what is finished is in {out}, and the same command goes on from there" in capsys.readouterr().err
    assert seen == [0, 1]
    assert main(command) == 0
    assert seen[2] == 1
    assert seen[3:] == sorted(set(seen[3:]) - {1})
