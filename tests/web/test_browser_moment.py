"""The moment of measurement: what a move asked, then the answer, then the reply, by the page's own clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.patience import wait_until
from tests.web.hands import BOARD, PLAYABLE, PLIES, type_move, type_moves
from tests.web.test_browser_access import findings, seated, table

pytestmark = pytest.mark.slow
Open = Callable[..., Any]
#: a knight that may be on two squares and can take a pawn from one of them
POSITION = "k7/8/8/3p4/3P4/8/8/KN6 w - - 0 1"
BANNER = "document.querySelector('#banner')"
ASKED = f"Boolean({BANNER}) && !{BANNER}.hidden"
#: how many messages of the server wait in the page
LINE = "window.line"
#: keeps every sentence that a screen reader hears, and counts the moves that the server told
WATCH = """window.heard = [];
new MutationObserver(() => window.heard.push(document.querySelector('#sentence').textContent))
.observe(document.querySelector('#sentence'), {childList: true});"""
COUNTS = """{ window.line = 0; const Real = window.WebSocket;
window.WebSocket = class extends Real { constructor(...all) { super(...all);
this.addEventListener('message', (event) => { window.line += JSON.parse(event.data).kind === 'moved'; }); } }; }"""


def until(page: Any, condition: str) -> None:
    """Waits until a condition holds on a page whose own clock may stand."""
    wait_until(lambda: page.evaluate(condition), condition)


def measured(context: Open, server: str, black: str = "human", **how: Any) -> tuple[Any, Any]:
    """White's page whose own clock stands as an answer has come, and black's."""
    opened = table(server, options={"fen": POSITION}, seats={"white": "human", "black": black})
    made = context(fresh=True, **{"answers": "normal", **how})
    made.add_init_script(COUNTS)
    white = made.new_page()
    white.goto(server + opened["play"]["white"])
    white.wait_for_selector("#board [role=gridcell]")
    other = seated(context, server, opened["play"]["black"]) if black == "human" else None
    type_moves([(white, "b1^a3c3")])
    if other:
        until(other, f"{PLAYABLE} && {PLIES} === 1")
        type_move(other, "a8-a7")
    until(white, f"{PLAYABLE} && {PLIES} === 2")
    white.clock.install()
    white.clock.pause_at("2100-01-01")
    white.evaluate(WATCH)
    type_move(white, "c3-d5")
    return white, other


def frame(page: Any) -> Any:
    """What the board shows of the knight on c3: how wide its frames and how dark its veil is, and the men."""
    return page.evaluate(f"[{BOARD}.scene?.levels.c3 ?? null, Object.keys({BOARD}.shown.men).length]")


def test_the_answer_is_seen_for_more_than_a_second_before_a_fast_computer_replies(context: Open, server: str) -> None:
    page, _ = measured(context, server, black="random")
    until(page, ASKED)
    until(page, f"{LINE} === 4")  # the reply is there, and waits
    assert page.evaluate(PLIES) == 2
    assert page.locator("#banner").inner_text().split("\n") == ["Is the knight on c3?", "50%"]
    levels = []
    for _ in range(16):
        page.clock.run_for(50)
        levels.append(frame(page)[0])
    assert levels[:6] == [0.5] * 6
    assert max(levels) > 0.58
    assert min(levels) < 0.42
    word = page.locator("#banner strong").inner_text()
    assert word in ("✓ Yes", "✕ No")
    assert page.evaluate(PLIES) == 3
    page.clock.run_for(640)
    assert page.evaluate(f"{BOARD}.scene !== null")
    page.clock.run_for(20)
    assert page.evaluate(f"{BOARD}.scene === null")  # settled
    page.clock.run_for(530)
    assert (page.evaluate(PLIES), page.evaluate(ASKED)) == (3, True)
    page.clock.run_for(20)
    assert (page.evaluate(PLIES), page.evaluate(ASKED)) == (4, False)
    assert f"Is the knight on c3? {word[2:]}. Black plays " in page.locator("#sentence").inner_text()
    heard = page.evaluate("window.heard")
    assert sum(text.startswith("Is the knight on c3?") for text in heard) == 1
    assert len({text for text in heard if "c3? Yes, 50%" in text or "c3? No, 50%" in text}) == 1
    assert page.locator("#banner").get_attribute("aria-hidden") == "true"


def test_replies_that_wait_come_in_their_order(context: Open, server: str) -> None:
    white, black = measured(context, server)
    until(white, ASKED)
    until(black, f"{PLAYABLE} && {PLIES} === 3")
    type_move(black, "a7-a6")
    until(white, f"{LINE} === 4")
    black.locator("[data-act=offer-draw]").click()
    white.clock.run_for(1990)
    assert white.evaluate(PLIES) == 3
    assert white.evaluate(f"Boolean({BOARD}.view.men.a7)")
    white.clock.run_for(20)
    assert white.evaluate(PLIES) == 4
    assert white.evaluate(f"Boolean({BOARD}.view.men.a6) && {PLAYABLE}")
    until(white, "document.querySelector('#offers').textContent.includes('draw')")


def test_with_no_wait_the_settled_board_is_there_at_once(context: Open, server: str) -> None:
    white, _ = measured(context, server, answers="none")
    until(white, f"{PLIES} === 3")
    assert white.evaluate(f"[{BOARD}.scene === null, Boolean({BANNER}), {BOARD}.view.groups.length]") == [
        True,
        False,
        0,
    ]
    assert "likely" in white.locator("#sentence").inner_text()
    white.locator("#menu").click()
    white.get_by_label("Answers").select_option("quick")
    assert white.evaluate("localStorage['qchess-answers']") == "quick"


@pytest.mark.parametrize("press", ["click", "key"])
def test_a_press_on_the_board_shows_what_came_and_a_second_one_the_reply(
    context: Open, server: str, press: str
) -> None:
    white, black = measured(context, server)
    until(white, ASKED)
    until(black, f"{PLAYABLE} && {PLIES} === 3")
    type_move(black, "a7-a6")
    until(white, f"{LINE} === 4")
    square = white.locator("#board [data-square=c3]")
    square.focus()
    presses = {"click": square.click, "key": lambda: white.keyboard.press("Enter")}
    presses[press]()
    assert white.evaluate(f"[{BOARD}.scene === null, {PLIES}, {ASKED}]") == [True, 3, True]
    presses[press]()
    assert white.evaluate(f"[{PLIES}, {ASKED}, {PLAYABLE}]") == [4, False, True]
    assert white.evaluate(f"{BOARD}.machine.picks.length") == 0


def test_without_motion_the_question_stands_still_and_the_settled_board_comes_by_itself(
    context: Open, server: str
) -> None:
    white, _ = measured(context, server, reduced_motion="reduce")
    until(white, ASKED)
    before = white.evaluate(f"{BOARD}.shadowRoot.querySelector('svg.picture').outerHTML")
    white.clock.run_for(790)
    assert white.evaluate(f"{BOARD}.shadowRoot.querySelector('svg.picture').outerHTML") == before
    white.clock.run_for(20)
    assert white.evaluate(f"[{BOARD}.scene === null, {PLIES}, {ASKED}]") == [True, 3, True]
    white.clock.run_for(1180)
    assert white.evaluate(ASKED)
    white.clock.run_for(20)
    assert not white.evaluate(ASKED)


def test_the_other_side_sees_it_and_may_move_as_soon_as_the_board_is_settled(context: Open, server: str) -> None:
    opened = table(server, options={"fen": POSITION})
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"], answers="quick", fresh=True)
    type_moves(((white, "b1^a3c3"), (black, "a8-a7")))
    until(black, f"{PLIES} === 2")
    black.clock.install(time=0)
    black.clock.pause_at(60)
    type_move(white, "c3-d5")
    until(black, ASKED)
    assert not black.evaluate(PLAYABLE)
    black.clock.run_for(810)
    assert black.evaluate(f"[{BOARD}.scene === null, {PLIES}, {ASKED}, {PLAYABLE}]") == [True, 3, True, True]
    black.locator("#board [data-square=a7]").click()
    assert black.evaluate(f"[{BOARD}.machine.picks.join(), {ASKED}]") == ["a7", False]


#: what the page would do at the answer and after it, a test calls by its place
STANDS = """{ const later = window.setTimeout; window.stands = [];
window.setTimeout = (call, wait, ...more) => [1200, 2175, 3000].includes(wait) ?
 -window.stands.push(call) : later(call, wait, ...more); }"""


def test_axe_finds_nothing_serious_while_a_question_and_its_answer_stand(context: Open, server: str) -> None:
    opened = table(server, options={"fen": POSITION})
    made = context(fresh=True, answers="slow")
    made.add_init_script(STANDS)
    white = made.new_page()
    white.goto(server + opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    type_moves(((white, "b1^a3c3"), (black, "a8-a7"), (white, "c3-d5")))
    until(white, f"{ASKED} && window.stands.length >= 3")
    assert findings(white) == []
    white.evaluate("window.stands[0]()")
    assert white.evaluate(PLIES) == 3
    assert findings(white) == []


def test_the_cards_of_a_question_can_be_switched_off_and_on(context: Open, server: str) -> None:
    opened = table(server, options={"fen": POSITION})
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    type_moves(((white, "b1^a3c3"), (black, "a8-a7")))
    until(white, f"{PLAYABLE} && {PLIES} === 2")
    for is_on in (False, True):
        white.keyboard.press("?")
        white.get_by_label("Ask before a move that asks").set_checked(is_on)
        white.keyboard.press("Escape")
        white.locator("#board [data-square=c3]").click()
        white.wait_for_selector("#board .pill")
        white.locator("#board [data-square=d5]").hover()
        if is_on:
            white.wait_for_selector("#ask .outcome")
        assert white.locator("#ask").is_visible() == is_on
        white.locator("#board [data-square=c3]").click()
