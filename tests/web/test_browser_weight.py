"""What a browser loads to play, and how soon it shows something."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import until
from tests.web.test_browser_access import seated, table

Open = Callable[..., Any]
#: in bytes, without pictures: what is unpacked, and what travels
MOST, MOST_SENT = 145_000, 52_500
LOADED = """performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
.map((each) => [new URL(each.name).pathname, [each.decodedBodySize, each.encodedBodySize]])"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def loaded(page: Any) -> dict[str, tuple[int, int]]:
    """What a page has loaded so far, in bytes: unpacked, and as it travelled."""
    return {path: (whole, sent) for path, (whole, sent) in page.evaluate(LOADED)}


@pytest.mark.slow
def test_the_lobby_and_a_table_weigh_less_than_145_kilobytes_together(context: Open, server: str) -> None:
    opened = table(server)
    page = context(fresh=True).new_page()
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    files = loaded(page)
    page.goto(server + opened["play"]["white"])
    until(page, "document.querySelector('#board')?.playable")
    for path, sizes in loaded(page).items():  # what was kept from the lobby weighs nothing the second time
        files[path] = max(sizes, files.get(path, (0, 0)))
    weighed = {path for path, (whole, _) in files.items() if whole}
    assert {"/static/board.js", "/static/play.js", "/static/look.css", "/"} <= weighed
    whole, sent = (sum(sizes) for sizes in zip(*files.values(), strict=True))
    sys.stdout.write(f"the lobby and a table: {whole} bytes, {sent} on their way\n")
    assert whole < MOST
    assert sent < MOST_SENT


@pytest.mark.timing  # how soon a page shows something is a matter of seconds, on a machine that does nothing else
def test_first_paint_and_first_move_come_soon_after_the_page_is_asked_for(context: Open, server: str) -> None:
    opened = table(server, seats={"white": "human", "black": "greedy"})
    page = seated(context, server, opened["play"]["white"])
    until(page, "document.querySelector('#board').playable")
    page.locator("#board [data-square=e2]").click()
    page.locator("#board [data-square=e4]").click()
    until(page, "document.querySelectorAll('#moves .ply').length >= 1")
    assert 0 < page.evaluate(PAINTED) < 5000
