"""What a browser loads to play, and how soon it shows something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import until
from tests.web.test_browser_access import seated, table

Open = Callable[..., Any]
#: in bytes, without pictures
MOST = 150_000
LOADED = """performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
.map((each) => [new URL(each.name).pathname, each.decodedBodySize])"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def loaded(page: Any) -> dict[str, int]:
    """What a page has loaded so far, in bytes."""
    return dict(page.evaluate(LOADED))


def test_the_lobby_and_a_table_weigh_less_than_150_kilobytes_together(context: Open, server: str) -> None:
    opened = table(server)
    page = context().new_page()
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    files = loaded(page)
    page.goto(server + opened["play"]["white"])
    until(page, "document.querySelector('#board')?.playable")
    for path, size in loaded(page).items():  # what was kept from the lobby weighs nothing the second time
        files[path] = max(size, files.get(path, 0))
    assert {"/static/board.js", "/static/play.js", "/static/look.css", "/"} <= {path for path in files if files[path]}
    assert sum(files.values()) < MOST


@pytest.mark.slow
def test_first_paint_and_first_move_come_soon_after_the_page_is_asked_for(context: Open, server: str) -> None:
    opened = table(server, seats={"white": "human", "black": "greedy"})
    page = seated(context, server, opened["play"]["white"])
    until(page, "document.querySelector('#board').playable")
    page.locator("#board [data-square=e2]").click()
    page.locator("#board [data-square=e4]").click()
    until(page, "document.querySelectorAll('#moves button').length >= 1")
    assert 0 < page.evaluate(PAINTED) < 5000
