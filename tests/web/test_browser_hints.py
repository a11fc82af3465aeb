"""The three bubbles of a first game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import BOARD, PLAYABLE, PLIES, type_move, until
from tests.web.test_browser_access import POSITION, seated, table

pytestmark = pytest.mark.slow
Open = Callable[..., Any]
#: the words of the bubble, and the squares on it that count now
HINT = f"{BOARD}.shadowRoot.querySelector('.hint')"
WORDS = f"{HINT}?.textContent ?? ''"
HIDES = f"""(() => {{ const box = {HINT}.getBoundingClientRect(), squares = [...{BOARD}.next, ...{BOARD}.machine.picks];
return squares.filter((name) => {{ const cell = {BOARD}.cell(name).getBoundingClientRect();
return Math.max(cell.left, box.left) + 1 < Math.min(cell.right, box.right) &&
 Math.max(cell.top, box.top) + 1 < Math.min(cell.bottom, box.bottom); }}); }})()"""


def test_a_first_game_explains_the_split_in_three_bubbles_once(context: Open, server: str) -> None:
    opened = table(server, options={"fen": POSITION})
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    press = lambda square: white.locator(f"#board [data-square={square}]").click()  # noqa: E731
    press("e4")  # a pawn cannot split
    press("e4")
    assert white.evaluate(WORDS) == ""
    press("b1")
    until(white, f"({WORDS}) === 'Hold a square to split.'")
    assert white.evaluate(HIDES) == []
    assert white.evaluate(f"{HINT}.getAttribute('aria-live')") == "polite"
    white.keyboard.press("Escape")
    assert white.evaluate(WORDS) == ""
    press("b1")
    assert white.evaluate(WORDS) == ""
    press("b1")
    type_move(white, "b1^a3c3")
    until(white, f"({WORDS}) === 'Two places: one knight.'")
    until(black, f"{PLAYABLE} && {PLIES} === 1")
    press_black = black.locator("#board [data-square=a8]")
    press_black.click()
    until(black, f"({WORDS}) === 'Hold a square to split.'")  # another browser, another first game
    type_move(black, "a8-a7")
    until(white, f"{PLAYABLE} && {PLIES} === 2")
    press("c3")
    assert white.evaluate(WORDS) == ""
    white.locator("#board [data-square=d5]").hover()
    until(white, f"({WORDS}) === 'To take, a piece must be there. The board asks.'")
    assert white.evaluate(HIDES) == []
    press("c3")
    assert white.evaluate(WORDS) == ""
    assert white.evaluate("localStorage['qchess-hints']") == "hold places take"
    white.reload()
    until(white, PLAYABLE)
    press("c3")
    white.locator("#board [data-square=d5]").hover()
    white.wait_for_selector("#ask .outcome")
    assert white.evaluate(WORDS) == ""
