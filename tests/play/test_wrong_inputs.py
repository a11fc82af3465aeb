"""Wrong input at the command line, at the prompt, in Python and in files: one sentence, and nothing is changed."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import refusals, study
from qchess.__main__ import main
from qchess.arena.plan import Plan
from qchess.arena.tournament import run as tournament
from qchess.errors import InvalidMoveError, QchessError
from qchess.lessons import lesson
from qchess.playing.record import Record
from qchess.terminal.screen import Screen
from qchess.terminal.session import Terminal

Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
#: what belongs to Python or to the system, and into no sentence
FOREIGN = re.compile(r"Traceback|Errno|\bNone\b|[a-z]Error\b|object is not|<class|codec|Expecting|invalid \w+ value")
GAME, ARENA = "quantum-chess", "arena play quantum-chess random greedy --out new"
#: files of every wrong kind, by name
FILES: dict[str, bytes] = {
    "empty": b"", "blank": b"\n \n", "bytes": bytes(range(256)), "text": b"hello\n", "other": b'{"a": 1}',
    "list": b"[1]", "picture.svg": b"<svg/>", "cut": b'{"format": "qchess-record-2", "game"',
}  # fmt: skip
#: commands that read a file, which is named last, and what they expect
READERS = {
    "replay": "record", "report": "record", "trace --record": "", "analyse": "", "resume": "",
    "measure --backend sparse-shots": "record", "export --svg new": "", "arena show": "", "bench report": "",
}  # fmt: skip
#: a command -> words of its sentence
COMMANDS = {
    "dance": "'dance'", "analize good": "did you mean 'analyse'?", "play nogame": "no game is called 'nogame'",
    "moves ": "no game is called", f"board {GAME} --to jpeg": "one of text, svg, png; got 'jpeg'",
    f"moves {GAME} e2-e5": "'e2-e5' is not legal", f"moves {GAME} nonsense": "expected a move such as",
    f"moves {GAME} é♞": "expected a move such as", f"moves {GAME} {'x' * 5000}": "xxx...",
    f"moves {GAME} --nope": "unrecognized arguments: --nope", f"play {GAME} --seed abc": "whole number, got 'abc'",
    f"play {GAME} --seed 1e5": "a whole number, got '1e5'", f"play {GAME} --plies -1": "0 to 1000000000, got '-1'",
    f"play {GAME} --columns 0": "20 to 1000, got '0'", f"play {GAME} --columns -4": "20 to 1000, got '-4'",
    f"board {GAME} --columns -1": "20 to 1000, got '-1'", f"board {GAME} --size -1": "40 to 8000",
    f"board {GAME} --from red": "white or black, got 'red'", f"board {GAME} --to svg -o text": "exists already",
    f"board {GAME} --to svg -o no/x": "'no/x' cannot be written: the folder 'no' is not there",
    f"play {GAME} --record no/x": "no folder 'no'", f"play {GAME} --record folder": "'folder' is a folder",
    f"play {GAME} --record text": "was not changed", f"play {GAME} --preset nope": "no preset",
    f"play {GAME} --option nope=1": "got nope", f"play {GAME} --option =3": "expected KEY=VALUE",
    f"play {GAME} --white nobody": "no agent is called 'nobody'", f"play {GAME} --backend nope": "'nope'",
    "play quantum-checkers --resume good": "holds a game of quantum-chess, not of quantum-checkers",
    f"play {GAME} --resume good --preset pocket": "are for a new game", "play quantum-checkers --level nan": "'nan'",
    "analyse good --out text": "'text' exists already; add --force to overwrite it", "analyse good --game 1": "--game",
    "analyse good --to jpeg": "got 'jpeg'", "export good --svg text": "exists already",
    "export good --animated new --seconds nan": "0.1 to 60 seconds", "export good --svg new --ply 99": "from 0 to 2",
    "trace --record good --ply 0": "got 0", "learn quantum-chess 999": "no lesson is called '999'",
    "dice 0d6": "1 to 100000", "dice 99999999999999999999d6": "1 to 100000", "dice 3x --coin nan": "nan",
    "dice nonsense": "NdS", "web --port 99999": "0 to 65535", "web --workers 0": "above 0",
    f"{ARENA} --rounds 0": "got '0'", f"{ARENA} --plies -1": "got '-1'", f"{ARENA} --workers 0": "got '0'",
    f"{ARENA} --random-plies x": "got 'x'", f"{ARENA} --test nan,nan": "got worse=nan",
    f"{ARENA} --openings bytes": "'bytes' is no text in UTF-8", f"{ARENA} --openings folder": "'folder' is a folder",
    f"{ARENA} --openings text": "got 'hello'", f"{ARENA} --cluster nonsense": "Dask",
    f"arena play {GAME} random greedy --out text": "tournament", f"arena play {GAME} random --out new": "different",
    "experiment mcts --out new --size 3": "4 to 26, got '3'", "experiment mcts --out new --agents nobody": "'nobody'",
    "experiment trueskill --out new --budgets x": "got 'x'", "experiment complexity --out new --levels 9": "got 9",
    "bench run sparse --out new --seconds nan": "got 'nan'", "bench run sparse --out new --memory inf": "got 'inf'",
    "bench run sparse --out new --memory -1": "got '-1'", "bench run sparse --out new --shots -1": "got '-1'",
    "bench run sparse --out new --starts -1": "got '-1'", "bench run sparse --out text": "'hello'",
    "experiment mcts --out new --profile x": "got 'x'",
    f"board {GAME} --backend os:nothing": "the module 'os' has no 'nothing'", "circuit nogame": "called 'nogame'",
    "experiment complexity --out new --profile x": "cheqqers_2025_08, perhaps with +switch=value, got 'x'",
    "bench corpus --only nothing": "no case with 'nothing' in its name", "trace nogame": "called 'nogame'",
    "bench corpus --list --most -1": "got '-1'", "jobs nope": "'nope'", "replay good --backend nope": "'nope'",
}  # fmt: skip


def contents() -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in Path().rglob("*")}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: Patch) -> dict[str, bytes | None]:
    """A folder with a game and with files of every wrong kind; what lies in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    game = qchess.new(GAME, seed=1)
    for move in ("b1^a3c3", "e5"):
        game.play(move)
    Path("good").write_text(game.record().to_json(), encoding="utf-8")
    Path("folder").mkdir()
    for name, held in FILES.items():
        Path(name).write_bytes(held)
    return contents()


def refused(capsys: Output, arguments: list[str]) -> str:
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, out) == (2, ""), arguments
    assert err.startswith("qchess"), arguments
    assert err.count("\n") == 1, err
    assert not FOREIGN.search(err), err
    assert len(err) < 1000, err
    return err


def test_a_wrong_command_is_one_sentence_and_changes_nothing(place: dict[str, bytes | None], capsys: Output) -> None:
    for line, words in COMMANDS.items():
        assert words in refused(capsys, line.split(" ")), line
        assert contents() == place, line


def test_a_wrong_file_is_one_sentence_and_stays_as_it_is(place: dict[str, bytes | None], capsys: Output) -> None:
    for command, words in READERS.items():
        for name in (*FILES, "missing", "folder"):
            said = refused(capsys, [*command.split(), name])
            assert words in said
            if name in ("missing", "folder", "bytes"):
                assert name in said, (command, said)
    assert contents() == place


def test_what_is_missing_in_a_record_is_called_nothing(place: dict[str, bytes | None], capsys: Output) -> None:
    whole = json.loads(Path("good").read_text(encoding="utf-8"))
    for key in ("format", "game", "options", "backend", "entries"):
        broken = [{name: value for name, value in whole.items() if name != key}, {**whole, key: None}]
        for data in (*broken, {**whole, key: 3.5}):
            Path("record").write_text(json.dumps(data), encoding="utf-8")
            said = refused(capsys, ["replay", "record"])
            assert said.endswith("got 3.5\n" if data.get(key) else "got nothing\n"), said
    for key in ("seed", "players", "pending", "standing", "result", "tags"):
        Path("record").write_text(json.dumps({**whole, key: 3.5}), encoding="utf-8")
        refused(capsys, ["replay", "record"])
    Path("record").write_text(json.dumps({**whole, "format": "qchess-record-99"}), encoding="utf-8")
    assert "qchess-record-2; got 'qchess-record-99'" in refused(capsys, ["replay", "record"])


def test_what_is_typed_at_the_prompt_by_mistake_is_one_line() -> None:
    game = qchess.new(GAME, seed=1)
    typed = ("nonsense", "e2", "e2-", "b1^", "e2-e5", "é♞", "x" * 5000, "odds", "odds z9", "learn", "legend", "undo",
             "redo", "0", "e2-e4; e7-e5", "moves zz", "\x00", "why", "-1", "nan")  # fmt: skip
    out = io.StringIO()
    Terminal(game, screen=Screen(io.StringIO("".join(f"{line}\n" for line in typed)), out)).run()
    replies = out.getvalue().split("white> ")[1:-1]
    assert len(replies) == len(typed)
    for line, reply in zip(typed, replies, strict=True):
        assert reply.strip(), line
        assert reply.strip().count("\n") <= 1, reply
        assert not FOREIGN.search(reply), reply
    assert not game.history


def test_wrong_calls_in_python_raise_our_errors_and_change_nothing(place: dict[str, bytes | None]) -> None:
    game = qchess.load("good")
    before = game.record()
    pair: Any = ("a3", "c3")
    calls: list[Callable[[], Any]] = [
        lambda: qchess.new("nogame"), lambda: qchess.new(""), lambda: qchess.new(GAME, nope=1),
        lambda: qchess.new(GAME, fen="x"), lambda: qchess.new(GAME, backend="nope"), lambda: game.play("nonsense"),
        lambda: game.play("e2-e5"), lambda: game.play(""), lambda: game.chances("e2-e5"), lambda: game.circuit("x"),
        lambda: game.preview("e2-e5"), lambda: game.redo(), lambda: game.moves("z9"), lambda: game.moves(kind="jump"),
        lambda: qchess.new(GAME).undo(), lambda: qchess.load("missing"), lambda: qchess.load("bytes"),
        lambda: qchess.load("folder"), lambda: qchess.load("text"), lambda: qchess.replay("{}"),
        lambda: game.save("text"), lambda: study.entropy(game, "z9"), lambda: study.bloch(game, pair),
        lambda: study.concurrence(game, "a3", "a3"), lambda: study.board(game, {"z9": 1.0}),
        lambda: study.entropy(3, "a3"), lambda: Record.from_json("[]"), lambda: Plan.from_json("nonsense"),
        lambda: tournament(Plan(GAME, ("random", "nobody")), Path("new")), lambda: lesson.course("nogame"),
    ]  # fmt: skip
    for number, call in enumerate(calls):
        with pytest.raises(QchessError) as caught:
            call()
        assert not FOREIGN.search(str(caught.value)), (number, caught.value)
        assert "\n" not in str(caught.value)
    assert game.record() == before
    assert contents() == place


def test_what_the_system_refuses_is_named_without_its_number() -> None:
    for error, said in (
        (PermissionError(13, "Permission denied", "x"), "'x' may not be read or written: permission denied"),
        (OSError(28, "No space left on device"), "the output cannot be written: no space left on device"),
        (NotADirectoryError(20, "Not a directory", "a/b"), "expected a folder, a part of 'a/b' is a file"),
        (OSError(5, "Input/output error", "x"), "'x' cannot be used: input/output error"),
        (InvalidMoveError("two\nlines"), "two lines"),
    ):
        assert refusals.sentence(error) == said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize(
    ("streams", "code", "said"),
    [("> /dev/full", 2, "qchess: the output cannot be written: no space left on device\n"), (">&- <&-", 0, "")],
)
def test_an_output_that_is_full_or_closed_is_no_accident(streams: str, code: int, said: str) -> None:
    line = f"exec '{sys.executable}' -m qchess moves quantum-tic-tac-toe {streams}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=dict(os.environ), check=False)
    assert (done.returncode, done.stderr) == (code, said)
