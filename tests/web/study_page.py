"""A page that loads the modules of the web board from the folder, without a server, and asks a game in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qchess.showing import viewjson
from tests.patience import PATIENCE
from tests.web.hands import STAYS

STATIC = Path(__file__).parents[2] / "qchess" / "web" / "static"
ADDRESS = "http://board.test"
#: what the server would allow
POLICY = "default-src 'self'; img-src 'self' data:"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


def page_of(browser: Any, html: str, **size: int) -> Any:
    """A page with this body, whose modules come from the folder; an error in it fails the test."""
    page = browser.new_page(viewport={"width": size.get("width", 1000), "height": size.get("height", 800)})
    page.set_default_timeout(1000 * PATIENCE)
    page.add_init_script(STAYS)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.route("**/*", lambda route: _answer(route, html))
    page.goto(f"{ADDRESS}/page")
    return page


def _answer(route: Any, html: str) -> None:
    path = route.request.url.removeprefix(ADDRESS)
    if path == "/page":
        headers = {"content-type": "text/html", "content-security-policy": POLICY}
        route.fulfill(body=f"<!doctype html><title>test</title><body>{html}", headers=headers)
    elif path.startswith("/static/") and (file := STATIC / path.removeprefix("/static/")).is_file():
        route.fulfill(body=file.read_text(encoding="utf-8"), headers={"content-type": TYPES[file.suffix]})
    elif path.startswith("/api/drawings/"):
        route.fulfill(json=viewjson.drawings(path.rpartition("/")[2]))
    else:
        route.fulfill(status=204, body="")
