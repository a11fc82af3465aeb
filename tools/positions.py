"""Shows the five positions of ``docs/pictures/positions.json`` in four media, in ``docs/board_language.md``.

    python -m tools.positions

Web: a screenshot of the board by Chromium (extra `browser`). SVG: the pictures of ``docs/pictures/after``. Notebook:
the pixels that a notebook shows (extra `png`). Terminal: the text, written into the page.
"""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

from qchess.showing.boardtext import draw
from qchess.web.studies.exports import page
from tools import draw_pictures
from tools.web_pictures import chromium

ROOT = Path(__file__).resolve().parents[1]
PAGE, FOLDER = ROOT / "docs" / "board_language.md", ROOT / "docs" / "pictures" / "language"
#: what is written by this command begins here
MARK = "<!-- written by python -m tools.positions -->\n"
#: the width of the board on the web, in pixels, and the number of colours of a picture
WIDE, COLOURS = 400, 64


def section() -> str:
    """Return the five positions as the page shows them: names, links to pictures, and the text of the terminal."""
    return "".join(_shown(name, game) for name, game in draw_pictures.games())


def _shown(name: str, game: Any) -> str:
    view = game.view()
    count = sum(any(man.probability < 1 for man in men) for men in view.men.values())
    own = f"language/{name}"
    files = {"web": f"{own}-web.png", "SVG": f"after/{name}-light.svg", "notebook": f"{own}-notebook.png"}
    cells = " | ".join(f'<img src="pictures/{file}" width="280" alt="{name}, {kind}">' for kind, file in files.items())
    table = f"| {' | '.join(files)} |\n|---|---|---|\n| {cells} |"
    title = f"{game.rules.title}, {count} uncertain squares"
    return f"\n## {title}\n\n{table}\n\nTerminal:\n\n```text\n{draw(view)}\n```\n"


def main() -> None:
    """Draws all pictures and writes the page."""
    from PIL import Image

    from qchess.showing.pixels import small

    FOLDER.mkdir(exist_ok=True)
    draw_pictures.boards(draw_pictures.FOLDER)
    with chromium() as browser:
        for name, game in draw_pictures.games():
            shown, _ = game._repr_mimebundle_()
            (FOLDER / f"{name}-notebook.png").write_bytes(base64.b64decode(shown["image/png"]))
            tab = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme="light")
            tab.set_content(page(game))
            board = tab.locator("qc-board")
            board.locator("[data-man]").first.wait_for(state="attached")
            board.evaluate("(board, wide) => { board.style.width = `${wide}px`; }", WIDE)
            tab.wait_for_timeout(300)
            taken = Image.open(BytesIO(board.locator("svg.picture").screenshot())).convert("RGB")
            held = BytesIO()
            taken.save(held, "png", optimize=True)
            (FOLDER / f"{name}-web.png").write_bytes(small(held.getvalue(), COLOURS))
            tab.close()
    head = PAGE.read_text(encoding="utf-8").split(MARK)[0]
    PAGE.write_text(head + MARK + section(), encoding="utf-8")


if __name__ == "__main__":
    main()
