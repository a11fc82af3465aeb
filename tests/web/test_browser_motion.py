"""How men move from one position to the next, by the page's own clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.patience import wait_until
from tests.web.hands import BOARD, PLAYABLE, PLIES, type_move
from tests.web.test_browser_access import POSITION, seated, table

pytestmark = pytest.mark.slow
Open = Callable[..., Any]
MOVES = f"{BOARD}.scene !== null"
#: how far each man is on his way, and how much of a taken man is seen
WAYS = f"""Object.fromEntries(Object.entries({BOARD}.scene?.moved ?? {{}}).map(
([square, {{to, way}}]) => [square + to, way]))"""
#: the settled board: the men that the View has, and none on its way
SETTLED = f"[{BOARD}.scene === null, {BOARD}.shown === {BOARD}.view]"
#: how long each plate and tint takes to come in; kept from the beginning
FADES = "window.fades"
WATCH = """{ window.fades = []; const real = Element.prototype.animate;
Element.prototype.animate = function (...all) { window.fades.push(all[1]); return real.apply(this, all); }; null; }"""
PICTURE = f"{BOARD}.shadowRoot.querySelector('svg.picture').outerHTML"


def until(page: Any, condition: str) -> None:
    """Waits until a condition holds on a page whose own clock may stand."""
    wait_until(lambda: page.evaluate(condition), condition)


def paired(context: Open, server: str, **how: Any) -> tuple[Any, Any]:
    """Both pages of a game; white's clock stands, and white has seen what loads the motion."""
    opened = table(server, options={"fen": POSITION})
    white = seated(context, server, opened["play"]["white"], fresh=True, **{"answers": "normal", **how})
    black = seated(context, server, opened["play"]["black"])
    for _ in range(2):
        white.locator("#board [data-square=b1]").click()
    until(white, "performance.getEntriesByType('resource').some(({name}) => name.endsWith('/hints.js'))")
    until(white, f"Boolean({BOARD}.shadowRoot.querySelector('.hint'))")
    white.evaluate(WATCH)
    white.clock.install()
    white.clock.pause_at("2100-01-01")
    return white, black


def test_men_go_their_ways_and_any_press_shows_the_settled_board(context: Open, server: str) -> None:
    white, black = paired(context, server)
    type_move(white, "b1^a3c3")
    until(white, f"{PLIES} === 1")  # the move counts at once
    assert white.evaluate(f"{BOARD}.view.men.a3[0].probability") == 0.5
    assert white.evaluate(WAYS) == {"a3b1": 1, "c3b1": 1}
    white.clock.run_for(160)
    halfway = white.evaluate(WAYS)
    assert all(0 < way < 0.5 for way in halfway.values())
    white.clock.run_for(140)
    assert white.evaluate(MOVES)
    white.clock.run_for(20)
    assert white.evaluate(SETTLED) == [True, True]
    until(white, f"{FADES}.length === 2")  # both plates come in, as they were not there on the way

    until(black, f"{PLAYABLE} && {PLIES} === 1")
    type_move(black, "d5-e4")  # a capture: the taken man is seen until the last moment
    until(white, f"{PLAYABLE} && {PLIES} === 2")
    assert white.evaluate(f"[{BOARD}.scene.fades.e4, Boolean({BOARD}.scene.view.men.d5)]") == [1, True]
    assert white.evaluate(WAYS) == {"d5e4": 0}
    white.clock.run_for(150)
    assert 0 < white.evaluate(f"{BOARD}.scene.fades.e4") < 1
    assert white.evaluate(WAYS)["d5e4"] > 0.9
    white.locator("#board [data-square=c3]").click()  # a press shows the settled board, and counts
    assert white.evaluate(SETTLED) == [True, True]
    assert white.evaluate(f"{BOARD}.machine.picks.join()") == "c3"
    white.keyboard.press("Escape")

    type_move(white, "a3c3^b5")  # parts that meet fill up
    until(white, f"{PLIES} === 3")
    assert white.evaluate(WAYS) == {"a3b5": 0, "c3b5": 0}
    white.clock.run_for(280)
    assert white.evaluate(f"{BOARD}.scene.levels.a3") > 0.8
    white.keyboard.press("x")
    assert white.evaluate(SETTLED) == [True, True]
    assert white.evaluate(f"{BOARD}.view.men.b5[0].probability") == 1


def test_a_drag_has_brought_its_piece_there(context: Open, server: str) -> None:
    white, black = paired(context, server)
    white.locator("#board [data-square=e4]").drag_to(white.locator("#board [data-square=e5]"))
    until(white, f"{PLIES} === 1")
    assert white.evaluate(SETTLED) == [True, True]
    until(black, f"{PLAYABLE} && {PLIES} === 1")
    type_move(black, "a8-a7")
    until(white, f"{PLAYABLE} && {PLIES} === 2 && {MOVES}")
    white.clock.run_for(180)
    assert white.evaluate(SETTLED) == [True, True]
    for number, (page, move) in enumerate([(white, "b1^a3c3"), (black, "a7-a8"), (white, "c3-b5")], 2):
        until(page, f"{PLAYABLE} && {PLIES} === {number}")
        type_move(page, move)
    heard = "White plays knight c3 to b5. Nothing was asked: the square was empty."
    until(black, f"document.querySelector('#sentence').textContent.includes('{heard}')")


@pytest.mark.parametrize("how", [{"reduced_motion": "reduce"}, {"answers": "none"}], ids=["calm", "no wait"])
def test_without_motion_the_settled_board_is_there_at_once(context: Open, server: str, how: dict[str, str]) -> None:
    white, _ = paired(context, server, **how)
    type_move(white, "b1^a3c3")
    until(white, f"{PLIES} === 1")
    assert white.evaluate(SETTLED) == [True, True]
    assert white.evaluate(PICTURE).count('data-man="c3"') == 1
    assert white.evaluate(FADES) == []
