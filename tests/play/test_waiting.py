"""Games that wait: asked today, answered tomorrow, by another process if need be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.circuits import Pause, Program, Sample, ask, full, h
from qchess.circuits.sources import Seeded
from qchess.playing.keeping import Keeper, KeepingError
from tests.patience import PATIENCE
from tests.toygame import Move, Toy

ROOT = Path(__file__).parents[2]
START = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
OPENING = ("b1^a3c3", "e8-e7")


class Office:
    """A source behind a counter: questions are handed in as files, and answered when somebody gets to it."""

    def __init__(self, folder: Path, seed: int = 7) -> None:
        self.folder, self.dice = folder, Seeded(seed)

    def draw(self, pause: Pause) -> Sample:
        raise AssertionError("a slow source is asked by tickets only")

    def submit(self, pause: Pause) -> dict[str, Any]:
        number = len(list(self.folder.glob("*.asked")))
        value = self.dice.at(f"question {number}").draw(pause).value
        (self.folder / f"{number}.asked").write_text(json.dumps(value))
        return {"office": str(self.folder), "number": number}

    def collect(self, pause: Pause, ticket: Any) -> Sample | None:
        answer = Path(ticket["office"]) / f"{ticket['number']}.answered"
        return Sample(json.loads(answer.read_text()), "office", {"job": ticket["number"]}) if answer.exists() else None


def work(folder: Path) -> None:
    """The office answers all that was asked."""
    for asked in folder.glob("*.asked"):
        asked.with_suffix(".answered").write_text(asked.read_text())


def opened(folder: Path) -> qchess.Game:
    game = qchess.new("quantum-chess", fen=START, source=Office(folder))
    for move in OPENING:
        game.play(move)
    return game


def undisturbed(folder: Path) -> qchess.Record:
    folder.mkdir()
    game = opened(folder)
    game.begin("c3-d5")
    work(folder)
    game.collect()
    game.play("e7-e6")
    return game.record()


def test_a_game_says_what_it_waits_for_and_does_nothing_else_meanwhile(tmp_path: Path) -> None:
    game = opened(tmp_path)
    game.play("c3-b5")
    game.undo()
    game.begin("c3-d5")
    assert game.pending is not None
    assert game.pending.pause.step.name == "hit"
    assert game.pending.ticket == {"office": str(tmp_path), "number": 0}
    assert "c3-d5 waits for the answer to 'hit'" in str(game.pending)
    assert game.collect() is None
    for refused in (lambda: game.begin("c3-b5"), game.undo, game.redo):
        with pytest.raises(qchess.IllegalMoveError, match="waits for the answer"):
            refused()
    work(tmp_path)
    played = game.collect()
    assert played is not None
    assert (played.answers[0].source, played.answers[0].details) == ("office", {"job": 0})
    assert game.pending is None


def test_nothing_is_asked_twice_back_and_again(tmp_path: Path) -> None:
    game = opened(tmp_path)
    game.begin("c3-d5")
    work(tmp_path)
    first = game.collect()
    game.undo()
    assert game.play("c3-d5") == first
    assert len(list(tmp_path.glob("*.asked"))) == 1


def test_an_illegal_move_is_refused_before_anything_is_handed_in(tmp_path: Path) -> None:
    game = opened(tmp_path)
    for wrong in ("c3-c4", "a3c3^h8", "nonsense"):
        with pytest.raises(ValueError, match=r"legal|expected"):
            game.begin(wrong)
    assert not list(tmp_path.glob("*.asked"))


def test_a_game_saved_in_mid_question_goes_on_in_another_process(tmp_path: Path) -> None:
    office = tmp_path / "office"
    office.mkdir()
    game = opened(office)
    game.begin("c3-d5")
    game.save(tmp_path / "game.json")
    work(office)
    done = run_elsewhere(tmp_path)
    assert done.returncode == 0, done.stderr
    record = qchess.load(tmp_path / "game.json").record()
    assert record == undisturbed(tmp_path / "other")
    assert len(list(office.glob("*.asked"))) == 1


GOES_ON = """
import sys; sys.path.insert(0, {root!r})
import qchess
from pathlib import Path
from tests.play.test_waiting import Office
game = qchess.load(Path({file!r}))
game.source = Office(Path({office!r}))
assert game.pending is not None and game.collect() is not None
game.play("e7-e6")
game.save(Path({file!r}))
"""

ASKS = """
import sys, time; sys.path.insert(0, {root!r})
from pathlib import Path
from qchess.playing.keeping import Keeper
from tests.play.test_waiting import opened
game = opened(Path({office!r}))
Keeper(game, Path({file!r})).keep()
game.begin("c3-d5")
print("asked", flush=True)
time.sleep(60)
"""


KEEPS = """
import sys; sys.path.insert(0, {root!r})
from pathlib import Path
import qchess
from qchess.playing.keeping import Keeper
Keeper(qchess.new(seed=1), Path({file!r}))
"""


def script(text: str, folder: Path) -> list[str]:
    filled = text.format(root=str(ROOT), file=str(folder / "game.json"), office=str(folder / "office"))
    return [sys.executable, "-c", filled]


def run_elsewhere(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(script(GOES_ON, folder), capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with SIGKILL")
def test_a_process_killed_while_it_waits_loses_nothing(tmp_path: Path) -> None:
    office = tmp_path / "office"
    office.mkdir()
    with subprocess.Popen(script(ASKS, tmp_path), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        os.kill(process.pid, signal.SIGKILL)
    work(office)
    assert run_elsewhere(tmp_path).returncode == 0
    assert qchess.load(tmp_path / "game.json").record() == undisturbed(tmp_path / "other")
    assert len(list(office.glob("*.asked"))) == 1


def test_play_waits_for_an_answer_that_takes_its_time(tmp_path: Path) -> None:
    class Slow(Office):
        looks = 0

        def collect(self, pause: Pause, ticket: Any) -> Sample | None:
            self.looks += 1
            if self.looks == 3:
                work(self.folder)
            return super().collect(pause, ticket)

    game = opened(tmp_path)
    game.source = slow = Slow(tmp_path)
    assert game.play("c3-d5").answers[0].source == "office"
    assert slow.looks == 3


def test_a_source_made_elsewhere_gets_the_names_of_its_questions_and_stays_the_games_source(tmp_path: Path) -> None:
    class Naming(Office):
        names: list[str] = []  # noqa: RUF012

        def named(self, name: str) -> Office:
            self.names.append(name)
            return Office(self.folder)

    game = opened(tmp_path)
    game.source = source = Naming(tmp_path)
    game.begin("c3-d5")
    assert game.source is source
    assert source.names == list(game.asked.values()) != []
    work(tmp_path)
    assert game.wait().answers[0].source == "office"
    with pytest.raises(qchess.QchessError, match="questions are answered by a source"):
        game.source = 7  # type: ignore[assignment]


# -- an error in the middle of a turn ---------------------------------------------------------------------------


class FailsOnce:
    """Answers the first question, fails at the second, and answers when it is asked again."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def draw(self, pause: Pause) -> Sample:
        self.asked.append(pause.step.name)
        if len(self.asked) == 2:
            raise qchess.BackendError("the line is down")
        return Sample(1, "phone")


class Flips(Toy):
    """Who looks for the man first flips a coin, which decides nothing."""

    def program(self, move: Move) -> Program:
        look = super().program(move)
        return Program(h("coin"), ask("coin", full("coin")), look) if look.answers else look


def test_what_was_answered_stands_when_the_next_answer_fails() -> None:
    source = FailsOnce()
    game = qchess.Game(Flips(), source=source)
    game.play("b1^a1c1")
    with pytest.raises(qchess.BackendError, match="the line is down"):
        game.play("?a1")
    assert source.asked == ["coin", "there"]
    assert game.pending is not None
    with pytest.raises(qchess.IllegalMoveError, match="waits for the answer to 'there'"):
        game.play("?c1")  # who knows how the coin fell cannot choose another move
    played = game.collect()
    assert played is not None
    assert [answer.name for answer in played.answers] == ["coin", "there"]
    assert source.asked == ["coin", "there", "there"]


# -- files ------------------------------------------------------------------------------------------------------


def test_a_file_that_holds_another_game_or_anything_else_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game, other = qchess.new(seed=1), qchess.new(seed=1)
    game.play("e2-e4")
    game.save(file)
    other.play("d2-d4")
    kept = file.read_text()
    for held in (kept, "a diary", "{}", "[" * 5000, ""):
        file.write_text(held)
        with pytest.raises(KeepingError):
            other.save(file)
        assert file.read_text() == held
    file.write_text(kept)
    game.play("e7-e5")
    game.save(file)
    game.undo()
    game.save(file)
    assert qchess.load(file).record() == game.record()


def test_two_keepers_of_one_file_are_one_too_many(tmp_path: Path) -> None:
    with Keeper(qchess.new(seed=1), tmp_path / "game.json"):
        done = subprocess.run(script(KEEPS, tmp_path), capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert "is being played in another process" in done.stderr
    Keeper(qchess.new(seed=1), tmp_path / "game.json").close()


def test_a_file_whose_game_waits_is_refused_to_a_new_game(tmp_path: Path) -> None:
    file, game = tmp_path / "game.json", opened(tmp_path)
    game.begin("c3-d5")
    game.save(file)
    with pytest.raises(KeepingError, match="holds a game already"):
        Keeper(opened(tmp_path), file)
    Keeper(opened(tmp_path), file, over=True).close()


def test_a_keeper_that_cannot_write_lets_the_game_go_on_and_says_so(tmp_path: Path) -> None:
    game = qchess.new(seed=1)
    keeper = Keeper(game, tmp_path / "folder" / "game.json")
    (tmp_path / "folder" / "game.json").mkdir()
    game.play("e2-e4")
    assert isinstance(keeper.trouble, OSError)
    (tmp_path / "folder" / "game.json").rmdir()
    game.play("e7-e5")
    assert keeper.trouble is None
    assert qchess.load(tmp_path / "folder" / "game.json").record() == game.record()
    keeper.close()
