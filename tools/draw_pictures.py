"""Draws the pictures of ``docs/pictures`` anew: boards with many uncertain squares, a circuit, and those of the README.

    python tools/draw_pictures.py docs/pictures/after

The positions stand in ``docs/pictures/positions.json`` as moves with their answers. The shots need the extra `ibm`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import qchess  # noqa: E402
from qchess import study  # noqa: E402
from qchess.circuits import merge, split  # noqa: E402
from qchess.playing.game import Game  # noqa: E402
from qchess.showing import svg  # noqa: E402

POSITIONS = ROOT / "docs" / "pictures" / "positions.json"
FOLDER = POSITIONS.parent / "after"


def steps() -> str:
    """Return the README's circuit as SVG: a split and its merge, gate by gate."""
    there_and_back = split("b1", "a3", "c3") + merge("a3", "c3", "b1")
    return study.steps(there_and_back, full=["b1"]).strip().svg + "\n"


def shots() -> str:
    """Return the README's shots as SVG: 400 of a local model of an IBM processor, beside the exact probabilities."""
    game = qchess.new("quantum-chess", backend="ibm-fake:nairobi,shots=400", seed=1)
    for move in ("b1^a3c3", "d7-d5", "c3-d5"):
        game.play(move)
    [measured] = study.measurements(game.record())
    [figures] = measured.figures
    names = {"10": "on a3", "01": "on c3", "00": "neither", "11": "both"}
    odds = figures.string_odds or {}
    exact = {name: odds.get(string, 0.0) for string, name in names.items()}
    seen = {name: figures.strings.get(string, 0) / figures.shots for string, name in names.items()}
    return study.bars(exact, seen, title="where is the knight?").svg + "\n"


def games() -> Iterator[tuple[str, Game[Any, Any]]]:
    """Yield each position's name and the game that leads to it."""
    for position in json.loads(POSITIONS.read_text(encoding="utf-8")):
        game = qchess.new(position["game"], seed=1)
        for move in position["moves"]:
            game.play(move)
        yield position["name"], game


def boards(folder: Path) -> None:
    """Draw each position, light and dark."""
    for name, game in games():
        view = game.view()
        for style in ("light", "dark"):
            (folder / f"{name}-{style}.svg").write_text(svg.board(view, size=480, style=style) + "\n", encoding="utf-8")
        uncertain = sum(any(man.probability < 1 for man in men) for men in view.men.values())
        print(f"{name}: {uncertain} uncertain squares")


def main(folder: Path) -> None:
    """Writes every picture into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    boards(folder)
    drawn = {one["name"] for one in json.loads(POSITIONS.read_text(encoding="utf-8")) if one.get("circuit")}
    for name, game in games():
        if name in drawn:
            (folder / f"{name}-circuit.svg").write_text(game.circuit().svg() + "\n", encoding="utf-8")
    (folder.parent / "readme-steps.svg").write_text(steps(), encoding="utf-8")
    (folder.parent / "readme-shots.svg").write_text(shots(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
