"""The pictures under ``docs/pictures`` are those that are drawn today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.showing import svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
POSITIONS = json.loads((FOLDER / "positions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["name"])
def test_a_stored_picture_is_drawn_the_same_today(position: dict[str, Any]) -> None:
    game = qchess.new(position["game"], seed=1)
    for move in position["moves"]:
        game.play(move)
    view = game.rules.view(game.position, game.history[-1].move)
    assert 10 <= sum(any(man.probability < 1 for man in men) for men in view.men.values()) <= 25
    for style in ("light", "dark"):
        stored = (FOLDER / "after" / f"{position['name']}-{style}.svg").read_text(encoding="utf-8")
        assert svg.board(view, size=480, style=style) + "\n" == stored
    if position.get("circuit"):
        stored = (FOLDER / "after" / f"{position['name']}-circuit.svg").read_text(encoding="utf-8")
        assert game.circuit().svg() + "\n" == stored
