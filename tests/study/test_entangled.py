"""Which squares hang together: the same registers, shapes and figures as text, as a picture, and at the prompt."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import qchess
from qchess import study
from qchess.__main__ import main
from qchess.circuits.sources import FixedAnswers
from qchess.playing.replaying import replay_moves
from qchess.terminal.screen import Screen
from qchess.terminal.session import Terminal

MOVES = ("b1^a3c3", "b8^a6c6", "c3^b5d5", "h7-h6")


def test_registers_are_told_and_drawn_with_their_shapes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = qchess.new("quantum-chess", seed=1)
    assert study.entanglement_text(game) == "Nothing is entangled."
    for move in MOVES:
        game.play(move)
    told = study.entanglement_text(game)
    assert told.splitlines()[::2] == [
        "● white: one knight in three places, a3 50%, b5 25%, d5 25%.",
        "▲ black: one knight in two places, a6 50%, c6 50%.",
    ]
    assert told.splitlines()[1] == "  Closest pairs, in bits: a3 b5 1, a3 d5 1, b5 d5 0.62."
    assert study.mutual_information(game, "b5", "d5") == pytest.approx(0.6226, abs=1e-4)
    narrow = study.entanglement_text(game, unicode=False, columns=30)
    assert narrow.isascii()
    assert max(map(len, narrow.splitlines())) <= 30
    drawn = study.entangled_board(game).svg
    by_colour = {colour: len(re.findall(rf'class="node" fill="{colour}"', drawn)) for colour in ("#E69F00", "#56B4E9")}
    assert by_colour == {"#E69F00": 3, "#56B4E9": 2}
    assert study.entangled_board(game).svg == drawn
    turned = study.entangled_board(game, below="black").svg
    assert turned != drawn
    with pytest.raises(ValueError, match="from white or black, got 'red'"):
        study.entangled_board(game, below="red")
    for arguments in ((), ("--to", "svg", "-o", str(tmp_path / "x.svg"))):
        assert main(("board", "quantum-chess", *MOVES, "--entanglement", *arguments)) == 0
    assert capsys.readouterr().out == f"{told}\n"
    ElementTree.fromstring((tmp_path / "x.svg").read_text(encoding="utf-8"))
    out = io.StringIO()
    Terminal(game, screen=Screen(io.StringIO("entanglement\n"), out)).run()
    assert told in out.getvalue()
    assert len(game.history) == len(MOVES)


@pytest.mark.parametrize("name", [name for name in qchess.games.names() if name != "quantum-chess"])
def test_every_game_says_what_hangs_together(name: str) -> None:
    game = qchess.new(name, seed=1)
    for move in game.moves(kind="split")[:1] or game.moves()[:1]:
        game.play(move)
    told = study.entanglement_text(game)
    assert max(map(len, told.splitlines())) <= 80
    assert told.startswith("●") == bool(game.view().groups)


def test_what_is_tied_to_captured_pieces_alone_is_said_so() -> None:
    game = qchess.new("quantum-chess", preset="pocket", seed=1)
    moves = ("b1^a3c3", "b5-c3.m1", "a3^b1b5", "c3-b5.m1", "b1^a3c3", "e4-e3", "a3c3^b1")
    replay_moves(game, moves, source=FixedAnswers(()))
    assert game.view().groups == ()
    assert study.entanglement_text(game) == "white: knight on b1 25%: entangled with nothing on the board."
