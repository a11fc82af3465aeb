"""Commands of the first minutes: boards as pictures, small boards by name, lessons, games that go on."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import qchess
from qchess import games
from qchess.__main__ import main
from qchess.games import presets
from qchess.games.quantum_chess import pgn
from qchess.lessons.lesson import course
from qchess.playing import keeping
from qchess.playing.record import Record
from qchess.terminal.screen import Screen
from qchess.terminal.teacher import Teacher
from tests.patience import PATIENCE
from tests.play.processes import usual_signals

ROOT = Path(__file__).parents[2]
Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
AS_PNG = ("board", "quantum-chess", "--to", "png")


def printed(capsys: Output, *arguments: str) -> str:
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def refused(capsys: Output, *arguments: str) -> str:
    code = main(arguments)
    out, err = capsys.readouterr()
    assert code == 2
    assert err.count("\n") == 1
    return out + err


def typed(monkeypatch: Patch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


# -- boards ------------------------------------------------------------------------------------------


def test_a_board_is_printed_as_the_game_shows_it(capsys: Output) -> None:
    text = printed(capsys, "board", "quantum-chess", "b1^a3c3", "e5")
    game = qchess.new("quantum-chess")
    game.play("b1^a3c3")
    game.play("e7-e5")
    assert text == f"{game}\n"
    black = printed(capsys, "board", "quantum-chess", "b1^a3c3", "e5", "--from", "black")
    assert black.splitlines()[0].startswith("1  R")


def test_a_board_is_drawn_as_svg_in_a_new_file_only(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "board.svg"
    arguments = ("board", "quantum-chess", "b1^a3c3", "--to", "svg", "--output", str(file), "--size", "300")
    assert printed(capsys, *arguments) == ""
    drawn = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert drawn.get("width") == "300"
    assert "exists already; add --force to overwrite it" in refused(capsys, *arguments)
    assert ElementTree.fromstring(printed(capsys, "board", "quantum-chess", "--to", "svg")).tag.endswith("svg")


def test_a_png_is_pixels(tmp_path: Path, capsys: Output) -> None:
    pytest.importorskip("resvg_py", reason="needs the extra `png`")
    printed(capsys, *AS_PNG, "--output", str(tmp_path / "board.png"), "--size", "120")
    data = (tmp_path / "board.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 120


def test_a_png_without_its_package_says_in_one_line_what_it_needs(
    tmp_path: Path, capsys: Output, monkeypatch: Patch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "a PNG needs the package resvg-py" in refused(capsys, *AS_PNG, "--output", str(tmp_path / "board.png"))
    assert not (tmp_path / "board.png").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "green"), "seen from white or black, got 'green'"),
        (("--size", "9"), "40 to 8000 pixels"),
        (("--to", "jpeg"), "expected one of text, svg, png; got 'jpeg'"),
        (("--preset", "pokcet"), "did you mean 'pocket'?"),
        (("e9",), "move 1, 'e9'"),
    ],
)
def test_a_board_that_cannot_be_drawn_is_refused(arguments: tuple[str, ...], said: str, capsys: Output) -> None:
    assert said in refused(capsys, "board", "quantum-chess", *arguments)


# -- small boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [game for game in games.names() if presets.summaries(game)])
def test_every_preset_opens_a_game_that_has_moves(game: str, capsys: Output) -> None:
    names = presets.summaries(game)
    assert names
    for name in names:
        moves = printed(capsys, "moves", game, "--preset", name).split()
        assert moves == qchess.new(game, **presets.options(game, name)).moves() != []


def test_an_option_overrules_the_preset(capsys: Output) -> None:
    with_splits = printed(capsys, "moves", "quantum-chess", "--preset", "duel")
    without = printed(capsys, "moves", "quantum-chess", "--preset", "duel", "--option", "quantum=false")
    assert "^" in with_splits
    assert "^" not in without


def test_two_agents_finish_a_pocket_game_in_few_moves(capsys: Output) -> None:
    agents = ("--white", "greedy", "--black", "greedy", "--plies", "120")
    text = printed(capsys, "play", "quantum-chess", "--preset", "pocket", "--seed", "3", *agents)
    assert "Game over. " in text


# -- lessons -----------------------------------------------------------------------------------------


def test_finished_lessons_are_ticked_and_the_next_one_is_offered(capsys: Output, monkeypatch: Patch) -> None:
    assert "[ ]  1  split" in printed(capsys, "learn", "quantum-chess", "--list")
    typed(monkeypatch, "1", "b1^a3c3", "3", "c3^b5d5", "", "board", "quit")
    text = printed(capsys, "learn", "quantum-chess")
    assert "The lesson is done." in text
    assert "Lesson 2 of 10: A detour nobody can see" in text
    listed = printed(capsys, "learn", "quantum-chess", "--list")
    assert "[x]  1  split" in listed
    assert "[ ]  2  interference" in listed


def test_without_a_game_the_lessons_of_all_are_listed(capsys: Output) -> None:
    text = printed(capsys, "learn")
    assert "qchess learn piece-qubit-chess" in text
    assert "qchess learn quantum-chess" in text


def test_an_unknown_lesson_is_refused_with_the_known_ones(capsys: Output) -> None:
    assert "known are split" in refused(capsys, "learn", "quantum-chess", "spilt")
    assert "has no lessons" in refused(capsys, "learn", "toy")


# -- games that go on ----------------------------------------------------------------------------------


def test_a_game_goes_on_where_it_was_left(capsys: Output, monkeypatch: Patch) -> None:
    typed(monkeypatch, "b1^a3c3", "quit")
    assert "go on with it: qchess resume" in printed(capsys, "play", "quantum-chess", "--seed", "3")
    typed(monkeypatch, "history", "g1-f3", "quit")
    text = printed(capsys, "resume")
    assert "1. white: b1^a3c3" in text
    assert "white plays g1-f3" in text
    (kept,) = keeping.kept()
    record = qchess.Record.from_json(kept.read_text(encoding="utf-8"))
    assert record.moves()[0] == "b1^a3c3"
    assert record.moves()[2] == "g1-f3"
    assert record.players == {"white": "human", "black": "greedy"}


def test_play_resume_is_the_same(capsys: Output, monkeypatch: Patch) -> None:
    typed(monkeypatch, "e4", "quit")
    printed(capsys, "play", "quantum-chess", "--seed", "3", "--black", "human")
    typed(monkeypatch, "history", "quit")
    assert "1. white: e2-e4" in printed(capsys, "play", "--resume")


def test_a_pgn_file_goes_on_and_stays_as_it_is(tmp_path: Path, capsys: Output, monkeypatch: Patch) -> None:
    game = qchess.new("quantum-chess", seed=1)
    game.play("b1^a3c3")
    file = tmp_path / "game.pgn"
    file.write_text(pgn.dumps(game), encoding="utf-8")
    typed(monkeypatch, "e5", "quit")
    assert "black plays e7-e5" in printed(capsys, "resume", str(file), "--black", "human")
    assert file.read_text(encoding="utf-8") == pgn.dumps(game)
    (kept,) = keeping.kept()
    assert qchess.Record.from_json(kept.read_text(encoding="utf-8")).moves() == ("b1^a3c3", "e7-e5")


@pytest.mark.parametrize("held", ["", "notes", "{}", '{"game": "toy"}', "[1]", "\x00", '[Event "?"]\n\n1. e4 *'])
def test_a_file_that_holds_anything_else_is_never_overwritten(held: str, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "file"
    file.write_text(held, encoding="utf-8")
    refused(capsys, "play", "quantum-chess", "--record", str(file))
    if not held.startswith("[Event"):
        refused(capsys, "resume", str(file))
    assert file.read_text(encoding="utf-8") == held


def test_another_game_is_never_overwritten(tmp_path: Path, capsys: Output, monkeypatch: Patch) -> None:
    file = tmp_path / "game.json"
    typed(monkeypatch, "e4", "quit")
    printed(capsys, "play", "quantum-chess", "--seed", "1", "--record", str(file))
    before = file.read_bytes()
    for options in (["--preset", "pocket"], ["--option", "quantum=false"]):
        assert "holds another game" in refused(capsys, "play", "quantum-chess", *options, "--record", str(file))
    assert "holds another game" in refused(capsys, "play", "piece-qubit-chess", "--record", str(file))
    assert "holds a game already (2 turns)" in refused(capsys, "play", "quantum-chess", "--record", str(file))
    assert file.read_bytes() == before
    typed(monkeypatch, "d4", "quit")
    printed(capsys, "play", "quantum-chess", "--seed", "1", "--record", str(file), "--force")
    assert Record.from_json(file.read_text(encoding="utf-8")).moves()[0] == "d2-d4"


def begun(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A game in a process of its own, in which two moves were played and shown."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "qchess", *arguments], cwd=ROOT, text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=None if sys.platform == "win32" else usual_signals,
        env={**os.environ, "QCHESS_STATE": str(folder), "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    process.stdin.write("b1^a3c3\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("black (greedy) plays"):
            return process
    raise AssertionError("the game ended before its second move")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    "how", ["SIGKILL", *(pytest.param(how, marks=pytest.mark.slow) for how in ("SIGTERM", "SIGHUP"))]
)
def test_whatever_ends_the_process_every_shown_move_is_kept(how: str, tmp_path: Path) -> None:
    process = begun(tmp_path, "play", "quantum-chess", "--seed", "7")
    process.send_signal(getattr(signal, how))
    assert process.wait(PATIENCE) == -getattr(signal, how)
    process.communicate(timeout=PATIENCE)
    (kept,) = (tmp_path / "games").glob("*.json")
    game = qchess.load(kept)
    assert game.history[0].text == "b1^a3c3"
    assert len(game.history) == 2


def test_two_processes_never_share_a_file(tmp_path: Path, capsys: Output) -> None:
    process = begun(tmp_path, "play", "quantum-chess", "--seed", "7", "--record", str(tmp_path / "game.json"))
    try:
        assert "is being played in another process" in refused(capsys, "resume", str(tmp_path / "game.json"))
    finally:
        process.communicate("quit\n", timeout=PATIENCE)
    assert len(qchess.load(tmp_path / "game.json").history) == 2


def test_where_nothing_can_be_kept_the_game_goes_on_and_says_so(
    tmp_path: Path, capsys: Output, monkeypatch: Patch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "file"))
    typed(monkeypatch, "e4", "quit")
    text = printed(capsys, "play", "quantum-chess", "--black", "human")
    assert "This game cannot be kept" in text
    assert "white plays e2-e4" in text


def test_a_disk_that_fills_up_is_told_once_and_its_end_too(tmp_path: Path, capsys: Output, monkeypatch: Patch) -> None:
    """Writing fails for a while: the second and third change are not written, the fourth is."""
    real, count = keeping.write, [0]

    def sometimes(path: Path, text: str) -> None:
        count[0] += 1
        if count[0] in (2, 3):
            raise OSError(28, "No space left on device")
        real(path, text)

    monkeypatch.setattr(keeping, "write", sometimes)
    file = tmp_path / "game.json"
    typed(monkeypatch, "e4", "e5", "d4", "d5", "quit")
    text = printed(capsys, "play", "quantum-chess", "--black", "human", "--record", str(file))
    assert text.count("No space left on device") == 1
    assert text.count("The game is written again, with all its moves.") == 1
    assert len(json.loads(file.read_text(encoding="utf-8"))["entries"]) == 4


def test_the_board_of_a_lesson_marks_the_last_move(monkeypatch: pytest.MonkeyPatch) -> None:
    marked: list[tuple[str, ...]] = []
    monkeypatch.setattr(Screen, "board", lambda self, view: marked.append(tuple(view.marked)))
    typed = "1\nb1^a3c3\n3\nc3^b5d5\nquit\n"
    Teacher(course("quantum-chess"), Screen(io.StringIO(typed), io.StringIO())).teach("split")
    assert marked == [(), ("e8", "e7"), ("c3", "b5", "d5")]


def test_what_is_no_utf_8_is_no_command_and_ends_no_engine() -> None:
    asked = [sys.executable, "-m", "qchess", "uqci"]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    typed = b"\xff\xfe\nisready\nquit\n"
    answer = subprocess.run(asked, input=typed, env=strict, capture_output=True, timeout=PATIENCE, check=False)
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert answer.stdout == b"readyok\n"
