"""The pictures under ``docs/pictures`` are those that are drawn today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.__main__ import main
from qchess.showing import registers, svg
from tools import draw_pictures, positions

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
POSITIONS = json.loads((FOLDER / "positions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["name"])
def test_a_stored_picture_is_drawn_the_same_today(position: dict[str, Any]) -> None:
    game = qchess.new(position["game"], seed=1)
    for move in position["moves"]:
        game.play(move)
    view = game.view()
    assert 10 <= sum(any(man.probability < 1 for man in men) for men in view.men.values()) <= 25
    for style in ("light", "dark"):
        stored = (FOLDER / "after" / f"{position['name']}-{style}.svg").read_text(encoding="utf-8")
        assert svg.board(view, size=480, style=style) + "\n" == stored
    if position.get("circuit"):
        stored = (FOLDER / "after" / f"{position['name']}-circuit.svg").read_text(encoding="utf-8")
        assert game.circuit().svg() + "\n" == stored


def test_five_positions_in_four_media_are_what_the_command_writes() -> None:
    page = positions.PAGE.read_text(encoding="utf-8")
    assert page.split(positions.MARK)[1] == positions.section(), "python -m tools.positions writes it anew"
    pictures = {file.name: file.stat().st_size for file in positions.FOLDER.iterdir()}
    assert set(pictures) == {f"{one['name']}-{kind}.png" for one in POSITIONS for kind in ("web", "notebook")}
    assert max(pictures.values()) < 60_000
    numbers = (f"`{colour}`" for colour in (*registers.COLOURS, registers.COLOURS[0]))
    assert f"| colour | {' | '.join(numbers)} |" in page
    assert f"| sign in text | {' | '.join(registers.sign(k) for k in range(7))} |" in page


def test_the_circuit_of_the_readme_is_drawn_the_same_today() -> None:
    assert draw_pictures.steps() == (FOLDER / "readme-steps.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_shots_of_the_readme_are_drawn_the_same_today() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="needs the extra `ibm`")
    assert draw_pictures.shots() == (FOLDER / "readme-shots.svg").read_text(encoding="utf-8")


def test_the_board_of_the_readme_is_drawn_the_same_today(capsys: pytest.CaptureFixture[str]) -> None:
    moves = "b1^a3c3 e7-e5 c3^b5d5 f8^c5d6 g1^f3h3 f7-f5"
    assert main(["board", "quantum-chess", *moves.split(), "--to", "svg"]) == 0
    stored = FOLDER.parent / "superposed_board.svg"
    assert capsys.readouterr().out == stored.read_text(encoding="utf-8")
