"""Draws the pictures of ``docs/pictures`` anew: boards with many uncertain squares, and a circuit.

    python tools/draw_pictures.py docs/pictures/after

The positions stand in ``docs/pictures/positions.json`` as moves with their answers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import qchess  # noqa: E402
from qchess.showing import svg  # noqa: E402

POSITIONS = ROOT / "docs" / "pictures" / "positions.json"


def main(folder: Path) -> None:
    """Writes every picture into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for position in json.loads(POSITIONS.read_text(encoding="utf-8")):
        game = qchess.new(position["game"], seed=1)
        for move in position["moves"]:
            game.play(move)
        view = game.rules.view(game.position, game.history[-1].move)
        for style in ("light", "dark"):
            drawing = svg.board(view, size=480, style=style)
            (folder / f"{position['name']}-{style}.svg").write_text(drawing + "\n", encoding="utf-8")
        if position.get("circuit"):
            (folder / f"{position['name']}-circuit.svg").write_text(game.circuit().svg() + "\n", encoding="utf-8")
        uncertain = sum(any(man.probability < 1 for man in men) for men in view.men.values())
        print(f"{position['name']}: {uncertain} uncertain squares")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs" / "pictures" / "after"))
