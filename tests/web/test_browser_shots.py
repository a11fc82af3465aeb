"""The line about a device's shots in real browsers: beside the board, opened by keys, and nothing else moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.foreign import KNIGHT, LINE, NAME, SAID
from tests.web.hands import BOARD, PLIES, type_moves, until
from tests.web.test_browser_access import Listener, findings, seated, table

Open = Callable[..., Any]


def played(context: Open, server: str, backend: str, **how: Any) -> Any:
    """White's page, after a move that asked."""
    opened = table(server, backend=backend, options=KNIGHT)
    white = seated(context, server, opened["play"]["white"], **how)
    black = seated(context, server, opened["play"]["black"])
    type_moves(zip((white, black, white), LINE, strict=True))
    until(white, f"{PLIES} === 3 && !document.querySelector('#provenance').hidden")
    return white


def place(page: Any) -> Any:
    """Where the board is on the page, however far that is scrolled."""
    return page.evaluate(
        f"(({{x, y, width, height}}) => [x, y + scrollY, width, height])({BOARD}.getBoundingClientRect())"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1600), ("dark", 360)])
def test_the_shots_of_a_move_are_a_line_that_opens_by_keys_and_moves_no_square(
    context: Open, server: str, scheme: str, width: int
) -> None:
    page = played(
        context, server, NAME, color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce"
    )  # fmt: skip
    if width < 900:  # the list of moves is in a sheet that its tab opens
        page.get_by_role("tab", name="Moves").click()
    line, body = page.locator("#shots summary"), page.locator("#shots .body")
    assert line.inner_text() == SAID  # foreign names are text
    assert page.locator("#shots img, #shots b").count() == 0
    assert "wrong" not in page.title()
    closed, listener = place(page), Listener(page)
    page.locator("#first").focus()
    for _ in range(60):
        if SAID in listener.heard()[1]:
            break
        page.keyboard.press("Shift+Tab")
    assert SAID in listener.heard()[1]
    assert not body.is_visible()
    page.keyboard.press("Enter")
    body.wait_for()
    rows = [row.split() for row in body.locator("tbody tr").all_inner_texts()]
    assert body.locator("th[scope=col]").all_inner_texts() == ["a3", "c3", "shots"]
    assert {(a3, c3) for a3, c3, _ in rows} == {("0", "1"), ("1", "0")}
    assert sum(int(times) for *_, times in rows) == 100
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert findings(page) == []
    opened = place(page)
    page.locator("#moves .ply[data-ply='2']").click()
    line.wait_for(state="hidden")
    assert place(page) == opened == closed
    page.locator("#moves .ply[data-ply='3']").click()
    body.wait_for()  # as it was left


@pytest.mark.slow
def test_where_no_device_answered_there_is_no_line(context: Open, server: str) -> None:
    page = played(context, server, "sparse")
    page.locator("#provenance").wait_for()
    assert not page.locator("#shots").is_visible()
