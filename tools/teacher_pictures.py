"""Takes the pictures of docs/web_teachers.md. Needs Chromium and the extra `browser`.

python -m tools.teacher_pictures [FOLDER]
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.web_pictures import taken

VIEWER = "document.querySelector('qc-viewer')"


def main(folder: Path) -> None:
    """Starts a server, does what a teacher does, and takes the pictures."""
    from playwright.sync_api import sync_playwright

    from qchess.web.serving import Serving

    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with Serving() as server, sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])

        def visit(path: str, width: int = 1200, height: int = 860, scheme: Any = "light") -> Any:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(server.url + path)
            return page

        def keep(page: Any, name: str) -> None:
            if name != "circuit":  # its gate is pointed at
                page.mouse.move(5, 5)
            page.wait_for_timeout(500)
            (folder / f"teachers_{name}.webp").write_bytes(taken(page, ".webp"))
            print(f"teachers_{name}.webp")

        study = _study(visit, keep)
        _class(study, visit, keep)
        _circuit(study, keep)
        _lesson(visit, keep)
        browser.close()


def until(page: Any, expression: str) -> None:
    """Waits until something holds on a page."""
    end = time.monotonic() + 60
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise SystemExit(f"{expression} did not come true")
        page.wait_for_timeout(30)


def _play(page: Any, text: str, shown: str = "") -> None:
    page.locator("#text").fill(text)
    page.locator("#typed").get_by_role("button").click()
    until(page, f"document.querySelector('#tree').innerHTML.includes('{shown or text}')")


def _study(visit: Callable[..., Any], keep: Callable[[Any, str], None]) -> Any:
    """A tree with both outcomes of a capture, a comment and an arrow."""
    page = visit("/study")
    until(page, f"Boolean({VIEWER}.table?.state)")
    for text in ("b1^a3c3", "d7-d5"):
        _play(page, text)
    page.get_by_label("I choose the outcomes").check()
    page.locator("#text").fill("c3-d5")
    page.locator("#typed").get_by_role("button").click()
    page.locator("#choose .ways button").first.wait_for()
    keep(page, "outcomes")
    page.locator("#choose .ways button").first.click()
    until(page, f"{VIEWER}.table.state.ply === 3")
    page.locator("#comment").fill("The knight was found on c3, so it took the pawn, and nothing is left on a3.")
    page.locator("#arrowtext").fill("d5 e7")
    page.get_by_role("button", name="Draw", exact=True).click()
    page.locator("qc-viewer .previous").click()
    until(page, f"{VIEWER}.table.state.ply === 2")
    page.locator("#text").fill("c3-d5")
    page.locator("#typed").get_by_role("button").click()
    page.locator("#choose .ways button").nth(1).click()
    until(page, "document.querySelector('#tree').innerHTML.includes('c3-d5.m0')")
    page.get_by_role("button", name="knight c3 takes d5, asked: yes").click()
    until(page, f"{VIEWER}.table.state.ply === 3")
    keep(page, "study")
    return page


def _class(study: Any, visit: Callable[..., Any], keep: Callable[[Any, str], None]) -> None:
    """A class that is asked for the odds of a capture, as a student's phone shows it."""
    study.locator("qc-viewer .previous").click()
    until(study, f"{VIEWER}.table.state.ply === 2")
    study.get_by_role("tab", name="Class").click()
    study.get_by_role("button", name="Open a class").click()
    study.locator("#pane-class a").wait_for()
    path = "/class/" + study.locator("#pane-class a").get_attribute("href").rpartition("/")[2]
    pages = [visit(path, 390, 844, "dark" if k else "light") for k in range(5)]
    for page, name in zip(pages, ("Ann", "Ben", "Cleo", "Dan", "Eve"), strict=True):
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Come in").click()
        until(page, f"{VIEWER}.table?.state?.ply === 2")
    study.locator("#askmove").fill("c3-d5")
    study.get_by_role("button", name="Ask how likely").click()
    for page, guess in zip(pages, (50, 25, 55, 50, 90), strict=True):
        page.locator("#question input").wait_for()
        page.locator("#question input").fill(str(guess))
        if page is pages[0]:
            page.locator("#question").scroll_into_view_if_needed()
            keep(page, "question")
        page.get_by_role("button", name="Answer").click()
    until(study, "document.querySelector('#pane-class').textContent.includes('5 of 5 have answered')")
    study.get_by_role("button", name="Show the answers").click()
    until(pages[1], "document.querySelector('#question').textContent.includes('Exactly')")
    pages[1].locator("#question").scroll_into_view_if_needed()
    keep(pages[1], "answers")


def _circuit(study: Any, keep: Callable[[Any, str], None]) -> None:
    """The circuit of the register under the pointer, with its amplitudes and entropies."""
    study.reload()
    until(study, f"Boolean({VIEWER}.table?.state)")
    study.get_by_role("button", name="black pawn d7 to d5").click()
    until(study, f"{VIEWER}.table.state.ply === 2")
    study.get_by_role("tab", name="Circuit").click()
    study.get_by_role("radio", name="Register", exact=True).click()
    study.locator('qc-board [data-square="a3"]').first.hover()
    study.locator("qc-circuit .bars").wait_for()
    study.locator("qc-circuit").scroll_into_view_if_needed()
    study.locator('qc-circuit [data-step="2"]').hover()
    keep(study, "circuit")


def _lesson(visit: Callable[..., Any], keep: Callable[[Any, str], None]) -> None:
    """A lesson that waits for a prediction."""
    page = visit("/learn/quantum-chess#split", 1200, 640, "dark")
    page.locator("#task .choices button").first.wait_for()
    until(page, f"Boolean({VIEWER}.table?.state)")
    keep(page, "lesson")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/pictures"))
