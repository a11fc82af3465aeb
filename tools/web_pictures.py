"""Takes the pictures of the web board: each state, light and dark, at six widths. Needs Chromium, extra `browser`.

python -m tools.web_pictures FOLDER [--only STATE ...] [--widths W ...]   all, to be looked at
python -m tools.web_pictures FOLDER --sheets                              the same, and eight on a sheet
python -m tools.web_pictures --kept                                       those of the documentation, into docs/pictures
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[1]
SIZES = {360: 740, 390: 844, 768: 1024, 1366: 768, 1440: 900, 1920: 1080}
SCHEMES = ("light", "dark")
#: the pictures in docs/pictures: state, colours, width
KEPT = (
    ("lobby", "light", 1366), ("start", "light", 390), ("picked", "dark", 1366), ("split", "light", 1366),
    ("question", "light", 1440), ("question", "dark", 390), ("moment", "light", 1366), ("end", "dark", 1440),
    ("piece-qubit-chess", "light", 768), ("quantum-checkers", "light", 768), ("niels-chess", "dark", 768),
    ("niels-xiangqi", "light", 390), ("class-wall", "light", 1366),
)  # fmt: skip
#: how many of 100 a kept picture keeps of its quality
QUALITY = 70
KNIGHTS = ("b1^a3c3", "e7-e5", "g1^f3h3", "b8^a6c6", "f2-f4", "a6^b4c5")
#: frames of the moment: milliseconds after the answer has come
FRAMES = (200, 620, 900, 1250, 1500)
Step = Callable[["Pictures", Any], None]


class Pictures:
    """A server, a browser, and the tables that were opened: each is played once and shown at every width."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        self.address = address
        self._tables: dict[str, str] = {}

    def take(self, file: Path, name: str, scheme: str, width: int) -> None:
        """One picture of a state."""
        small = width < 700
        how = {"viewport": {"width": width, "height": SIZES[width]}, "color_scheme": scheme}
        context = self.browser.new_context(**how, has_touch=small, is_mobile=small)
        quiet(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: print(f"{file.name}: {error}"))
        frames = STATES[name](self, page)
        if isinstance(frames, list):
            page.close()
            page = context.new_page()
            page.set_content(strip(frames, width))
            page.wait_for_timeout(200)
            file.write_bytes(taken(page, file.suffix, "main"))
        else:
            page.wait_for_timeout(250)
            file.write_bytes(taken(page, file.suffix))
        context.close()

    def seat(self, game: str, moves: Sequence[str] = (), *, fresh: bool = False, **more: Any) -> str:
        """The address of the player to move at a table of two people on which some moves were played."""
        key = json.dumps([game, moves, more])
        if fresh or key not in self._tables:
            self._tables[key] = self._opened(game, moves, more)
        return self._tables[key]

    def _opened(self, game: str, moves: Sequence[str], more: dict[str, Any]) -> str:
        body = json.dumps({"game": game, **more}).encode()
        with urlopen(Request(f"{self.address}/api/tables", body, {"Content-Type": "application/json"})) as answer:
            paths = list(json.load(answer)["play"].values())
        context = self.browser.new_context()
        quiet(context, answers="none")
        pages = [context.new_page() for _ in paths]
        for page, path in zip(pages, paths, strict=True):
            page.goto(self.address + path)
        for number, move in enumerate(moves):
            page = pages[number % len(pages)]
            until(page, f"{BOARD}?.playable && {PLAYED} === {number}")
            page.keyboard.press("/")
            page.locator("#text").fill(move)
            page.locator("#text").press("Enter")
        for page in pages:
            until(page, f"{PLAYED} === {len(moves)}")
        context.close()
        return self.address + str(paths[len(moves) % len(paths)])


BOARD = "document.querySelector('#board')"
PLAYED = "document.querySelectorAll('#moves .ply').length"
VIEWER = "document.querySelector('qc-viewer')"
COMMANDS: dict[str, dict[str, Any]] = {".png": {"format": "png"}, ".webp": {"format": "webp", "quality": QUALITY}}


def quiet(context: Any, answers: str = "normal") -> None:
    """No bubbles for the first game, no question for a name, and a time for answers."""
    kept = {"name": "Ann", "named": "1", "taught": "3", "answers": answers}
    lines = "".join(f"localStorage.setItem('qchess-{name}', '{value}');" for name, value in kept.items())
    context.add_init_script(f"try {{ {lines} }} catch {{}}")


def taken(page: Any, suffix: str = ".png", part: str = "") -> bytes:
    """What a page, or a part of it, shows; Chromium itself makes small pictures, and needs no clock of the page."""
    how: dict[str, Any] = dict(COMMANDS[suffix])
    if part:
        box = page.evaluate(f"document.querySelector('{part}').getBoundingClientRect().toJSON()")
        how["clip"] = {**{key: box[key] for key in ("x", "y", "width", "height")}, "scale": 1}
    return base64.b64decode(page.context.new_cdp_session(page).send("Page.captureScreenshot", how)["data"])


def strip(frames: Sequence[bytes], width: int) -> str:
    """A page with pictures side by side, as wide as a window; on a phone one below the other."""
    wide = max(150, (min(width, 1366) - 8) // len(frames) - 8)
    sources = [base64.b64encode(frame).decode() for frame in frames]
    images = "".join(f'<img width="{wide}" src="data:image/png;base64,{source}">' for source in sources)
    look = "body{margin:0}main{display:flex;flex-wrap:wrap;gap:8px;width:max-content;max-width:100vw;background:#888}"
    return f"<meta name=viewport content=width=device-width><style>{look}</style><main>{images}</main>"


def sheets(browser: Any, folder: Path, names: Sequence[str]) -> None:
    """Eight pictures on a sheet, scaled by Chromium."""
    page = browser.new_page(viewport={"width": 2000, "height": 1100})
    for k in range(0, len(names), 8):
        cells = "".join(
            f'<figure><img src="data:image/png;base64,{base64.b64encode((folder / name).read_bytes()).decode()}">'
            f"<figcaption>{name}</figcaption></figure>"
            for name in names[k : k + 8]
        )
        look = (
            "body{margin:0;display:grid;grid-template-columns:repeat(4,1fr);gap:6px;font:13px sans-serif}"
            "figure{margin:0}img{width:100%;height:520px;object-fit:contain}"
        )
        page.set_content(f"<style>{look}</style>{cells}")
        page.wait_for_timeout(300)
        (folder / f"sheet_{k // 8:02}.png").write_bytes(taken(page))
    page.close()


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of its own, whose answers are the same in every run."""
    from qchess.web import limits, seeds
    from qchess.web.serving import Serving
    from qchess.web.settings import Settings

    kept, doors = seeds.source, dict(limits.DOORS)
    seeds.source = lambda backend, seed: backend.source(1)
    limits.DOORS.update({door: (1e9, 10**9, what) for door, (_, _, what) in doors.items()})
    many: dict[str, Any] = dict.fromkeys(("messages", "looks", "moves"), (10_000.0, 10_000))
    try:
        with Serving(Settings(tables_per_hour=100_000, **many)) as serving:
            yield serving.url.rstrip("/")
    finally:
        seeds.source = kept
        limits.DOORS.update(doors)


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


def until(page: Any, condition: str) -> None:
    """Waits until a condition holds on the page, whose own clock may stand."""
    for _ in range(500):
        if page.evaluate(condition):
            return
        time.sleep(0.02)
    raise TimeoutError(condition)


# -- the states ----------------------------------------------------------------------------------------------


def at(game: str, moves: Sequence[str] = (), step: Callable[[Any], Any] = lambda page: None, **more: Any) -> Step:
    """A table after some moves, and what is done then."""

    def do(pictures: Pictures, page: Any) -> Any:
        page.goto(pictures.seat(game, moves, **more))
        page.wait_for_selector("#board [data-man], #board [data-square]")
        until(page, f"{PLAYED} === {len(moves)}")
        return step(page)

    return do


def position(name: str, plies: int | None = None) -> Step:
    """A position of docs/pictures/positions.json, or an earlier one of its game."""
    told = json.loads((ROOT / "docs" / "pictures" / "positions.json").read_text(encoding="utf-8"))
    [one] = [one for one in told if one["name"] == name]
    return at(one["game"], one["moves"][:plies])


def press(page: Any, *squares: str) -> None:
    """Picks squares."""
    for square in squares:
        page.locator(f"#board [data-square={square}]").click()


def lobby(pictures: Pictures, page: Any) -> None:
    """The first page."""
    page.goto(pictures.address)
    page.wait_for_selector("form[data-ready]")


def mode(name: str, *squares: str) -> Callable[[Any], None]:
    """Squares are picked in a mode."""

    def step(page: Any) -> None:
        page.get_by_role("radio", name=name).click()
        press(page, *squares)

    return step


def question(page: Any) -> None:
    """A capture that asks was chosen."""
    press(page, "c3")
    page.wait_for_timeout(600)
    press(page, "d5")
    page.wait_for_selector("#ask .outcome")


def moment(pictures: Pictures, page: Any) -> list[bytes]:
    """Frames of an answer, by the page's own clock."""
    page.goto(pictures.seat("quantum-chess", ("b1^a3c3", "d7-d5"), fresh=True))
    until(page, f"{BOARD}?.playable && {PLAYED} === 2")
    page.clock.install()
    page.clock.pause_at("2100-01-01")
    page.evaluate(f"{BOARD}.choose('c3-d5')")
    until(page, "document.querySelector('#banner')?.hidden === false")
    frames, now = [], 0
    for frame in FRAMES:
        page.clock.run_for(frame - now)
        now = frame
        frames.append(taken(page, part=".bd"))
    return frames


def end(pictures: Pictures, page: Any) -> None:
    """The card at the end of a game."""
    page.goto(pictures.seat("quantum-chess", ("e2-e4", "f7-f6", "d1-h5", "a7-a6"), fresh=True))
    until(page, f"{BOARD}?.playable && {PLAYED} === 4")
    page.evaluate(f"{BOARD}.choose('h5-e8')")
    page.wait_for_selector(".ending h2")


def study(pictures: Pictures, page: Any, moves: Sequence[str] = ("b1^a3c3", "d7-d5", "c3-d5")) -> None:
    """A line of a study."""
    page.goto(f"{pictures.address}/study")
    until(page, f"Boolean({VIEWER}?.table?.state)")
    for text in moves:
        page.locator("#text").fill(text)
        page.locator("#text").press("Enter")
        until(page, f"document.querySelector('#tree').innerHTML.includes('{text}')")


def opened_class(pictures: Pictures, page: Any) -> str:
    """Opens a class, and returns the address of its page."""
    study(pictures, page, ("b1^a3c3", "d7-d5"))
    page.get_by_role("tab", name="Class").click()
    page.get_by_role("button", name="Open a class").click()
    page.locator("#pane-class a").wait_for()
    return str(page.locator("#pane-class a").get_attribute("href"))


def student(pictures: Pictures, page: Any, link: str, name: str = "Ben") -> None:
    """Comes into a class."""
    page.goto(f"{pictures.address}/class/{link.rpartition('/')[2]}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Come in").click()
    until(page, f"{VIEWER}?.table?.state?.ply === 2")


def teacher(pictures: Pictures, page: Any) -> None:
    """A teacher's page with a question."""
    link = opened_class(pictures, page)
    student(pictures, pictures.browser.new_context().new_page(), link)
    page.locator("#askmove").fill("c3-d5")
    page.get_by_role("button", name="Ask how likely").click()
    page.get_by_text("of 1 have answered").wait_for()


def wall(pictures: Pictures, page: Any) -> None:
    """The code of a class for a wall."""
    opened_class(pictures, page)
    page.get_by_role("button", name="Show the code").click()
    page.wait_for_selector(".wall[open]")
    page.wait_for_timeout(300)


def pupil(pictures: Pictures, page: Any) -> None:
    """A student's page with a question."""
    other = pictures.browser.new_context().new_page()
    link = opened_class(pictures, other)
    student(pictures, page, link)
    other.locator("#asktext").fill("Where is the knight?")
    other.locator("#askchoices").fill("on c3\non a3\nnobody knows yet")
    other.get_by_role("button", name="Ask to choose").click()
    page.get_by_text("nobody knows yet").wait_for()


CLOCK: dict[str, Any] = {"clock": {"kind": "fischer", "seconds": 300, "extra": 3}}
HALF = ("b1^a3c3", "d7-d5")
STATES: dict[str, Any] = {
    "lobby": lobby,
    "start": at("quantum-chess", **CLOCK),
    "split": at("quantum-chess", ("e2-e4", "e7-e5"), mode("Split", "b1", "a3")),
    "picked": at("quantum-chess", KNIGHTS, lambda page: press(page, "c3")),
    "merge": at("quantum-chess", KNIGHTS, mode("Merge", "f3", "h3")),
    "eight": position("ten", 8),
    "fourteen": position("fourteen"),
    "eighteen": position("twentyfive", 35),
    "twentyfive": position("twentyfive"),
    "question": at("quantum-chess", HALF, question),
    "moment": moment,
    "end": end,
    "study": study,
    "class-teacher": teacher,
    "class-wall": wall,
    "class-student": pupil,
    "piece-qubit-chess": at("piece-qubit-chess", ("a2-a3", "b8-c6", "g1-f3", "b7-b6")),
    "quantum-checkers": at("quantum-checkers", ("c3^b4d4", "d6^c5e5")),
    "niels-chess": at("niels-chess", ("b1^a3c3", "e7^e5oe7p"), mode("Split", "g1", "f3", "h3")),
    "niels-xiangqi": at("niels-xiangqi", ("h3^e3h7", "b8^b5b4")),
    "quantum-tic-tac-toe": at("quantum-tic-tac-toe"),
}


def main() -> None:
    """Starts a server, plays each state, and takes its pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--sheets", action="store_true")
    parser.add_argument("--only", nargs="*", default=list(STATES), choices=STATES, metavar="STATE")
    parser.add_argument("--widths", nargs="*", type=int, default=list(SIZES), choices=SIZES)
    args = parser.parse_args()
    every = [(name, scheme, width) for name in STATES for scheme in SCHEMES for width in args.widths]
    wanted = [one for one in (KEPT if args.kept else every) if one[0] in args.only]
    folder = args.folder or ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    suffix = ".webp" if args.kept else ".png"
    with served() as address, chromium() as browser:
        pictures, names = Pictures(browser, address), []
        for name, scheme, width in wanted:
            file = folder / f"web_{name}_{scheme}_{width}{suffix}"
            pictures.take(file, name, scheme, width)
            names.append(file.name)
        if args.sheets:
            sheets(browser, folder, names)


if __name__ == "__main__":
    main()
