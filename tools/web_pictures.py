"""Takes the pictures of the web board: ten states, light and dark, three widths. Needs Chromium, extra `browser`.

python tools/web_pictures.py FOLDER            all sixty, to be looked at
python tools/web_pictures.py --kept            those that the documentation shows, into docs/pictures
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

SIZES = {360: 740, 800: 900, 1600: 900}
SCHEMES = ("light", "dark")
#: the pictures in docs/pictures: state, colours, width
KEPT = (
    ("lobby", "light", 800), ("start", "light", 360), ("picked", "dark", 800), ("split", "light", 800),
    ("asks", "light", 1600), ("asks", "dark", 360), ("answered", "dark", 1600),
    ("piece-qubits", "light", 800), ("checkers", "light", 800), ("marks", "dark", 800), ("xiangqi", "light", 360),
)  # fmt: skip
Step = Callable[[Any], None]
KNIGHTS = ("g1^f3h3", "e7-e5", "f2-f4", "b8^a6c6", "b1^a3c3", "a6^b4c5")


def main() -> None:
    """Starts a server, plays each state, and takes its pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--only", nargs="*", default=None, metavar="STATE")
    args = parser.parse_args()
    wanted = [(name, scheme, width) for name in STATES for scheme in SCHEMES for width in SIZES]
    if args.kept:
        wanted = list(KEPT)
    if args.only:
        wanted = [each for each in wanted if each[0] in args.only]
    folder = Path("docs/pictures") if args.folder is None else args.folder
    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, chromium() as browser:
        for name, scheme, width in wanted:
            take(browser, address, folder / f"web_{name}_{scheme}_{width}.png", name, scheme, width)


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "qchess",
            "web",
            "--port",
            "0",
            "--no-open",
            "--store",
            f"{folder}/games.sqlite",
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None, "its words are read"
        try:
            yield process.stdout.readline().split()[2].rstrip(";")
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def chromium() -> Iterator[Any]:
    """The Chromium of the system."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def take(browser: Any, address: str, file: Path, name: str, scheme: str, width: int) -> None:
    """One picture."""
    from PIL import Image

    how = {"viewport": {"width": width, "height": SIZES[width]}, "color_scheme": scheme}
    context = browser.new_context(**how, has_touch=width < 500, is_mobile=width < 500, device_scale_factor=1)
    game, options, moves, step = STATES[name]
    page = context.new_page()
    if game:
        page.goto(address + opened(browser, address, game, options, moves))
        page.wait_for_selector("#board [data-man]")
        wait(page, f"document.querySelectorAll('#moves button').length === {len(moves)}")
    else:
        page.goto(address)
        page.wait_for_selector("form[data-ready]")
    step(page)
    page.wait_for_timeout(150)
    Image.open(BytesIO(page.screenshot())).convert("RGB").save(file, optimize=True)
    context.close()


def opened(browser: Any, address: str, game: str, options: dict[str, Any], moves: tuple[str, ...]) -> str:
    """The path of a new table of two people on which some moves were played."""
    body = json.dumps({"game": game, **options}).encode()
    with urlopen(Request(f"{address}/api/tables", body, {"Content-Type": "application/json"})) as answer:
        told = json.load(answer)
    paths = list(told["play"].values())
    pages = [browser.new_context().new_page() for _ in paths]
    for page, path in zip(pages, paths, strict=True):
        page.goto(address + path)
    for number, move in enumerate(moves):
        page = pages[number % len(pages)]
        wait(page, "document.querySelector('#board').playable")
        page.keyboard.press("/")
        page.locator("#text").fill(move)
        page.locator("#text").press("Enter")
        wait(page, f"document.querySelectorAll('#moves button').length === {number + 1}")
    for page in pages:
        page.context.close()
    return str(paths[len(moves) % len(paths)])


def wait(page: Any, condition: str) -> None:
    """Waits until a condition holds on the page."""
    for _ in range(2000):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise TimeoutError(condition)


# -- the states ----------------------------------------------------------------------------------------------


def press(page: Any, *squares: str) -> None:
    """Picks squares."""
    for square in squares:
        page.locator(f"#board [data-square={square}]").click()


def nothing(page: Any) -> None:
    """The page as it is."""


def picked(page: Any) -> None:
    """A knight that is on two squares is picked."""
    press(page, "c3")
    page.wait_for_timeout(300)


def split(page: Any) -> None:
    """The first target of a split is chosen."""
    page.get_by_role("radio", name="Split").click()
    press(page, "b1", "a3")


def asks(page: Any) -> None:
    """A capture that asks is under the pointer, or was tapped once."""
    press(page, "f3")
    page.wait_for_selector("#board .chance")
    if page.viewport_size["width"] < 500:
        page.locator("#board [data-square=e5]").tap()
    else:
        page.locator("#board [data-square=e5]").hover()
    page.wait_for_selector("#ask .outcome")


def answered(page: Any) -> None:
    """All links are shown."""
    page.keyboard.press("l")


def merge(page: Any) -> None:
    """Two parts are picked to be merged."""
    page.get_by_role("radio", name="Merge").click()
    press(page, "f3", "h3")


def marks(page: Any) -> None:
    """The four ways to set the marks of a split."""
    page.get_by_role("radio", name="Split").click()
    press(page, "g1", "f3", "h3")


#: state: the game, how its table is opened, the moves, and what is done then
STATES: dict[str, tuple[str, dict[str, Any], tuple[str, ...], Step]] = {
    "lobby": ("", {}, (), nothing),
    "start": ("quantum-chess", {"clock": {"kind": "fischer", "seconds": 300, "extra": 3}}, (), nothing),
    "split": ("quantum-chess", {}, ("e2-e4", "e7-e5"), split),
    "picked": ("quantum-chess", {}, KNIGHTS, picked),
    "asks": ("quantum-chess", {}, KNIGHTS, asks),
    "answered": ("quantum-chess", {}, (*KNIGHTS, "f3-e5"), answered),
    "merge": ("quantum-chess", {}, KNIGHTS, merge),
    "piece-qubits": ("piece-qubit-chess", {}, ("a2-a3", "b8-c6", "g1-f3", "b7-b6"), nothing),
    "checkers": ("quantum-checkers", {}, ("c3^b4d4", "d6^c5e5"), nothing),
    "marks": ("niels-chess", {}, ("b1^a3c3", "e7^e5oe7p"), marks),
    "xiangqi": ("niels-xiangqi", {}, ("h3^e3h7", "b8^b5b4"), nothing),
}

if __name__ == "__main__":
    main()
