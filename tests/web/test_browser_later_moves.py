"""Moves for later: a premove is played when it is legal and dropped when it is not; a move may be confirmed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import PLAYABLE, PLIES, type_move, until
from tests.web.test_browser_access import findings, seated, table

Open = Callable[..., Any]
SENTENCE = "document.querySelector('#sentence').textContent"
ARROWS = "document.querySelector('#board').arrows.length"


def press(page: Any, *squares: str) -> None:
    """Presses squares of the board."""
    for square in squares:
        page.locator(f"#board [data-square={square}]").click()


@pytest.mark.slow
def test_a_move_chosen_early_is_played_when_it_is_legal_and_only_then(context: Open, server: str) -> None:
    opened = table(server)
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    until(white, PLAYABLE)
    press(black, "e7", "e5")
    until(black, f"{ARROWS} === 1 && {SENTENCE}.includes('e7–e5 is played when it is your turn')")
    assert findings(black) == []
    type_move(white, "e2-e4")
    until(black, f"{PLIES} === 2")  # both moves
    assert black.evaluate(ARROWS) == 0
    press(black, "d8", "h4")
    until(black, f"{ARROWS} === 1")
    black.keyboard.press("Escape")
    until(black, f"{ARROWS} === 0")
    press(black, "d8", "d4")  # its own pawn stands between
    until(black, f"{ARROWS} === 1")
    until(white, f"{PLIES} === 2 && {PLAYABLE}")
    type_move(white, "a2-a3")
    until(black, f"{PLIES} === 3 && {SENTENCE}.includes('d8–d4 cannot be played now')")
    assert black.evaluate(PLAYABLE)
    assert black.evaluate(ARROWS) == 0


@pytest.mark.slow
def test_each_move_is_confirmed_if_one_wants_that(context: Open, server: str) -> None:
    opened = table(server, seats={"white": "human", "black": "random"})
    page = seated(context, server, opened["play"]["white"])
    until(page, PLAYABLE)
    page.locator("#menu").click()
    page.get_by_label("Confirm each move").check()
    page.get_by_label("Squares").select_option("wood")
    assert findings(page) == []
    page.keyboard.press("Escape")
    press(page, "e2", "e4")
    page.get_by_role("button", name="Take back", exact=True).last.click()
    assert page.evaluate(f"{PLIES} === 0 && {ARROWS} === 0")
    press(page, "g1")
    press(page, "f3")
    until(page, f"{ARROWS} === 1")
    assert findings(page) == []
    page.keyboard.press("Enter")  # the button has the focus
    until(page, f"{PLIES} === 2 && {PLAYABLE}")
    page.reload()
    page.wait_for_selector("#board [role=gridcell]")
    until(page, "getComputedStyle(document.querySelector('#board')).getPropertyValue('--dark') === '#c9a682'")
    page.locator("[data-act=resign]").click()
    assert page.locator("[data-act=resign]").inner_text() == "Resign?"  # in its place, and the game goes on
    assert page.locator("#ending").count() == 0
    page.get_by_role("tab", name="Odds").click()  # whoever presses something else has thought better of it
    assert page.locator("[data-act=resign]").inner_text() == ""
    page.locator("[data-act=resign]").click()
    page.locator("[data-act=resign]").click()
    page.wait_for_selector("#ending")
    assert page.locator("#endtitle").inner_text() == "You resigned"
