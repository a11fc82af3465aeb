"""A real browser for the tests of what runs in one, a page that holds a board alone, and the whole server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

import qchess
from qchess.showing import viewjson
from tests.patience import PATIENCE
from tests.web.hands import STAYS

#: a Chromium of the system, without its talk with the outside; the shell opens a page in half the time
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--renderer-process-limit=1",
]  # fmt: skip
#: an answer of the server that is no page
STILL = "/health"
#: how many contexts are kept open between tests
MOST_KEPT = 6
ROOT = Path(__file__).parents[2]
STATIC = Path(qchess.__file__).parent / "web" / "static"
#: the policy under which the server's pages run
POLICY = "default-src 'self'"
PAGE = """<!doctype html><html lang="en"><head><title>A board</title><link rel="stylesheet" href="/static/look.css">
<script type="module" src="/static/board.js"></script></head><body><main><h1>A board</h1>
<qc-board></qc-board></main></body></html>"""
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
WRONG = """window.wrong = []; for (const kind of ['error', 'unhandledrejection'])
addEventListener(kind, (event) => window.wrong.push(String(event.message ?? event.reason)));"""
NEW = """() => { document.activeElement?.blur();
document.querySelector('qc-board').replaceWith(document.createElement('qc-board')); }"""
#: keeps what a board tells in `window.told`
LISTEN = """([view, moves, set]) => { const board = document.querySelector('qc-board'); window.told = [];
for (const name of ['qc-move', 'qc-pick', 'qc-hover', 'qc-mode', 'qc-square', 'qc-draw'])
  board.addEventListener(name, (event) => window.told.push([name, JSON.parse(JSON.stringify(event.detail))]));
Object.assign(board, {view, playable: true, moves, ...set}); }"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium without a window; tests are skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("needs a Chromium on the path")
    with playwright.sync_playwright() as playing:
        chromium = playing.chromium.launch(executable_path=found, args=SWITCHES, timeout=1000 * PATIENCE)
        yield chromium
        chromium.close()


class Kept:
    """A browser context that tests use one after the other, and the errors on its pages."""

    def __init__(self, browser: Any, answers: str = "none", fresh: bool = False, **how: Any) -> None:
        self.errors: list[str] = []
        self.made = made = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **how})
        made.set_default_timeout(1000 * PATIENCE)
        made.add_init_script(STAYS)
        made.add_init_script(f"try {{ localStorage['qchess-answers'] ??= '{answers}'; }} catch {{}}")
        made.on("weberror", lambda error: self.errors.append(str(error.error)))

    def forgets(self) -> bool:
        """Closes what a test opened, and forgets what its pages kept; not possible with pages of several servers.

        The first page stays open, at a place where nothing happens: what is opened next needs no new process.
        """
        places = {urlsplit(page.url)[:2] for page in self.made.pages}
        if len(places) != 1 or not all(next(iter(places))):
            return False
        still, *others = self.made.pages
        for page in others:
            page.close()
        if urlsplit(still.url).path != STILL:
            still.unroute_all()
            still.goto(urljoin(still.url, STILL))
        still.evaluate("localStorage.clear()")
        self.made.clear_cookies()
        return True


@pytest.fixture(scope="session")
def kept(browser: Any) -> list[tuple[dict[str, Any], Kept]]:
    """The last contexts that tests have done with, each with how it was opened; they are closed with the browser."""
    return []


@pytest.fixture
def context(browser: Any, kept: list[tuple[dict[str, Any], Kept]]) -> Iterator[Callable[..., Any]]:
    """Opens browser contexts of a test, which remember nothing; an error on a page fails the test.

    Pages do not wait for what they show of answers, unless a test says how long they do. One that a test adds scripts
    to, or whose clock it stops, is asked for as a fresh one.
    """
    used: list[tuple[dict[str, Any], Kept]] = []

    def open_(**how: Any) -> Any:
        place = next((place for place, (was, _) in enumerate(kept) if was == how and "fresh" not in how), None)
        used.append((how, Kept(browser, **how)) if place is None else kept.pop(place))
        return used[-1][1].made

    yield open_
    errors: list[str] = []
    for how, each in used:
        if "fresh" not in how and each.forgets():
            kept.append((how, each))
        else:
            each.made.close()
        errors += each.errors
        each.errors.clear()
    while len(kept) > MOST_KEPT:
        kept.pop(0)[1].made.close()
    assert not errors, f"errors on the page: {errors}"


@pytest.fixture(scope="session")
def pages(browser: Any) -> Iterator[dict[str, Any]]:
    """The pages that tests of the board alone share, by how their contexts were opened."""
    opened: dict[str, Any] = {}
    yield opened
    for page in opened.values():
        page.context.close()


@pytest.fixture
def alone(browser: Any, pages: dict[str, Any]) -> Iterator[Callable[..., Any]]:
    """Shows a game on a new board and nothing else, from files and without a server.

    A page is opened once for all tests that want the same kind; each gets a board of its own.
    """
    used: list[Any] = []

    def open_(game: Any, **how: Any) -> Any:
        given = how.pop("set", {})
        kind = json.dumps(how, sort_keys=True)
        if kind not in pages:
            pages[kind] = _board_page(browser.new_context(**{"viewport": {"width": 900, "height": 900}, **how}))
        page = pages[kind]
        used.append(page)
        page.mouse.move(0, 0)
        page.evaluate(NEW)
        page.evaluate(LISTEN, [view_of(game), moves_of(game), given])
        return page

    yield open_
    errors = [error for page in used for error in page.evaluate("window.wrong.splice(0)")]
    assert not errors, f"errors on the page: {errors}"


def _board_page(made: Any) -> Any:
    """A page that keeps its errors in `window.wrong`."""
    made.set_default_timeout(1000 * PATIENCE)
    made.add_init_script(WRONG)
    made.add_init_script(STAYS)
    made.route("**/*", _served)
    page = made.new_page()
    page.goto("http://board.test/")
    page.wait_for_function("Boolean(customElements.get('qc-board'))")
    return page


def _served(route: Any) -> None:
    """Answers a page's requests from the files of the package."""
    path = route.request.url.removeprefix("http://board.test/")
    if path.startswith("static/"):
        file = STATIC / path.removeprefix("static/")
        route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
    elif path.startswith("api/drawings/"):
        route.fulfill(json=viewjson.drawings(path.rpartition("/")[2]))
    else:
        route.fulfill(body=PAGE, content_type="text/html", headers={"Content-Security-Policy": POLICY})


def view_of(game: Any) -> dict[str, Any]:
    """What the board of a game shows, as it goes over the wire."""
    return viewjson.view(game.rules.view(game.position))


def moves_of(game: Any) -> list[dict[str, Any]]:
    """The legal moves, as they go over the wire."""
    rules, position = game.rules, game.position
    return viewjson.moves((rules.write(position, move), rules.sketch(position, move)) for move in rules.moves(position))


def odds_of(game: Any, square: str) -> list[dict[str, Any]]:
    """What the moves from a square ask, as it goes over the wire."""
    rules, position = game.rules, game.position
    found = []
    for move in rules.moves(position):
        sketch = rules.sketch(position, move)
        if square in sketch.sources:
            ends = list(rules.outcomes(position, move))
            chances = [{"answers": dict(end.answers), "probability": end.probability} for end in ends]
            told = viewjson.move(rules.write(position, move), sketch, len(ends) > 1)
            found.append({**told, "says": rules.describe(position, move), "chances": chances})
    return found


@pytest.fixture(scope="session")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the whole server keeps what outlives it: its games, and the jobs of its devices."""
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="session")
def server(state: Path) -> Iterator[str]:
    """The address of a whole server, as `qchess web` starts it but without haste; it ends with the tests."""
    command = [sys.executable, "-m", "tests.web.patient", "--port", "0", "--no-open"]
    with subprocess.Popen(
        [*command, "--store", str(state / "games.sqlite"), "--plugin", "tests.web.foreign_plugin"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "QCHESS_STATE": str(state)},
    ) as process:
        try:
            assert process.stdout is not None, "its words are read"
            yield _address(process.stdout)
        finally:
            process.terminate()
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:  # no test is about this goodbye
                process.kill()


def _address(lines: Any) -> str:
    """The address that the server tells when it is ready."""
    for line in lines:
        for word in line.split():
            if word.startswith("http://"):
                return str(word.rstrip("/.,;"))
    raise AssertionError("the server ended without telling its address")


def told(page: Any, name: str) -> list[dict[str, Any]]:
    """What a board has told so far under one name."""
    return [detail for each, detail in json.loads(page.evaluate("JSON.stringify(window.told)")) if each == name]
