"""Files at the command line: one option to write them, one rule for those that exist, the game played last."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import qchess
from qchess import writing
from qchess.__main__ import main
from qchess.playing import keeping

OWN = """
from qchess.games.quantum_tic_tac_toe import QuantumTicTacToe

class Mine(QuantumTicTacToe):
    name = "{name}"

class Other(Mine):
    name = "other"
"""
Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: Patch) -> Path:
    """The file of the game that was played last, over or not; an older game of chess lies in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    chess = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "e5"):
        chess.play(move)
    chess.save("chess.json")
    last = qchess.new("quantum-tic-tac-toe", seed=1)
    last.play("a1b2")
    file = keeping.new_file(last.rules.name)
    file.parent.mkdir(parents=True)
    last.save(file)
    return file


def said(capsys: Output, line: str, code: int = 0) -> tuple[str, str]:
    assert main(line.split()) == code, line
    out, err = capsys.readouterr()
    return out, err


def test_the_suffix_says_the_form_and_older_options_still_work(saved: Path, capsys: Output) -> None:
    begins = {
        "moves quantum-tic-tac-toe -o m.json": "{", "moves quantum-tic-tac-toe -o m.txt": "a1b1\n",
        "board quantum-chess -o b.svg": "<svg", "board quantum-chess --to svg --output b": "<svg",
        "circuit quantum-chess b1^a3c3 -o c.qasm": "OPENQASM 3.0;", "replay chess.json -o r.json": "{",
        "trace quantum-chess b1^a3c3 -o t.json": "{", "report chess.json -o r.txt": "quantum-chess on sparse",
        "analyse chess.json --out a.html": "<!doctype html>", "analyse chess.json -o a.json": "{",
        "analyse chess.json --to json --out any.thing": "{", "export chess.json -o e.pgn": '[Event "',
        "export chess.json -o e.json": "{", "export chess.json --svg e.any": "<svg", "games -o g.json": "[",
        "export chess.json -o e.html": "<!doctype html>",
    }  # fmt: skip
    for line, begin in begins.items():
        said(capsys, line)
        file = Path(line.split()[-1])
        assert file.read_text(encoding="utf-8").lower().startswith(begin.lower()), line
        before = file.read_bytes()
        file.write_bytes(b"mine")
        assert "exists already; add --force to overwrite it" in said(capsys, line, 2)[1]
        assert file.read_bytes() == b"mine"
        said(capsys, f"{line} --force")
        assert file.read_bytes() == before or file.suffix == ".html"
    assert not list(Path().glob(".*"))
    assert said(capsys, "moves quantum-tic-tac-toe -o -") == said(capsys, "moves quantum-tic-tac-toe")


def test_a_file_that_cannot_be_written_is_one_sentence(saved: Path, capsys: Output) -> None:
    for command, suffixes in {
        "moves quantum-chess": ".txt or .json", "board quantum-chess": ".txt, .svg or .png",
        "circuit": ".txt, .svg, .qasm or .json", "analyse chess.json": ".txt, .json or .html",
        "export chess.json": ".html, .svg, .png, .json, .pgn or .pdn", "bench report chess.json": ".html or .md",
        "measure chess.json --backend sparse-shots": ".txt, .json, .svg or .png",
    }.items():  # fmt: skip
        assert f"ends with {suffixes}, got 'x.zip'" in said(capsys, f"{command} -o x.zip", 2)[1]
    for file, why in {
        "state": "'state' is a folder", "no/x.txt": "the folder 'no' is not there",
        "chess.json/x.txt": "the folder 'chess.json' is no folder",
    }.items():  # fmt: skip
        err = said(capsys, f"board quantum-chess -o {file}", 2)[1]
        assert why in err
        assert "Errno" not in err
    with pytest.MonkeyPatch.context() as closed:
        closed.setattr("os.access", lambda *_: False)
        assert "nothing may be written in the folder" in said(capsys, "board quantum-chess -o x.txt", 2)[1]
    assert "is not written as PDN" in said(capsys, "export chess.json -o x.pdn", 2)[1]
    with pytest.raises(qchess.QchessError, match="xx' cannot be written: file name too long"):
        writing.write(Path("x" * 300), "")


def test_several_files_are_written_or_none(saved: Path) -> None:
    Path("b").write_text("mine", encoding="utf-8")
    with pytest.raises(qchess.QchessError, match="'b' exists already"):
        writing.write_all({Path("a"): "1", Path("b"): "2"}, False)
    assert not Path("a").exists()


def test_the_game_played_last_is_taken_and_named(saved: Path, capsys: Output) -> None:
    for line in ("report", "replay", "analyse", "export --svg x.svg"):
        out, err = said(capsys, line)
        assert err == f"the game played last: {saved}\n"
        assert "tic-tac-toe" in out.lower() or "a picture" in out
    assert said(capsys, f"report {saved.name}") == (said(capsys, "report")[0], "")
    out, _ = said(capsys, "resume --white human --black human")
    assert f"{saved}" in "".join(out.split("\n  "))
    assert "The game is saved there after each move." in out
    assert "  1. x plays a1b2" in out
    saved.unlink()
    assert "no saved game is here" in said(capsys, "replay", 2)[1]
    out, _ = said(capsys, "resume chess.json --white human --black human")
    assert "  1. white plays b1^a3c3" in out
    assert out.count("on a3 (50%) and on c3 (50%)") == 1


def test_a_game_of_ones_own_goes_on_with_its_rules(saved: Path, capsys: Output, monkeypatch: Patch) -> None:
    place = f"own_files_{saved.parents[2].name}".replace("-", "_")
    Path(f"{place}.py").write_text(OWN.replace("{name}", place), encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("qchess.games.catalogue.GAMES.registered", {})
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1b2\nquit\n"))
    said(capsys, f"play {place}:Mine --black human --record mine.json")
    assert json.loads(Path("mine.json").read_text(encoding="utf-8"))["game"] == place
    seats = "--white human --black human"
    for line in ("replay mine.json", "report mine.json", "analyse mine.json", "export mine.json -o mine.svg",
                 "trace --record mine.json", f"resume mine.json {seats}"):  # fmt: skip
        assert "for a game of your own, add --rules MODULE:CLASS" in said(capsys, line, 2)[1]
        assert f"{place}:Other is 'other'" in said(capsys, f"{line} --rules {place}:Other", 2)[1]
        assert said(capsys, f"{line} --rules {place}:Mine")[0]
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert "x plays a1b2" in said(capsys, f"play {place}:Mine --resume mine.json {seats}")[0]
    assert "expected --rules MODULE:CLASS, got 'mine'" in said(capsys, "replay mine.json --rules mine", 2)[1]
