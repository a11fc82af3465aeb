"""How a table is laid out: a large board, one panel whose box stays, and on a phone nothing to scroll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import BOARD, PLIES, type_moves, until
from tests.web.test_browser_access import Listener, findings, seated, table
from tests.web.test_browser_language import told_odds

pytestmark = pytest.mark.slow
Open = Callable[..., Any]
KNIGHTS = ("g1^f3h3", "e7-e5", "f2-f4", "b8^a6c6")
#: a window, and how wide its board is
SIZES = (
    ((1440, 900), 768), ((1366, 768), 632), ((1920, 1080), 944), ((768, 1024), 704),
    ((390, 844), 390), ((390, 664), 390), ((360, 740), 360), ((844, 390), 256),
)  # fmt: skip
BOX = "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('%s').getBoundingClientRect())"
SCROLLS = "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"


def played(context: Open, server: str, **how: Any) -> Any:
    """White's page after some moves that split and none that asked."""
    opened = table(server)
    white = seated(context, server, opened["play"]["white"], **how)
    black = seated(context, server, opened["play"]["black"])
    type_moves(zip((white, black, white, black), KNIGHTS, strict=True))
    until(white, f"{PLIES} === {len(KNIGHTS)} && {BOARD}.playable")
    return white


def ask(page: Any) -> None:
    """Points at a capture that asks, until its outcomes are there."""
    page.locator("#board [data-square=f3]").click()
    page.wait_for_selector("#board .cell.target")
    page.locator("#board [data-square=e5]").hover()
    page.wait_for_selector("#ask .outcome")


def test_the_board_is_as_large_as_the_window_lets_it_and_nothing_scrolls(context: Open, server: str) -> None:
    page = played(context, server)
    for (width, height), board in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BOX % "#board")[2] == board, (width, height)
        assert not page.evaluate(SCROLLS), (width, height)
    # a side that is not square is as high as the place, and no higher
    xiangqi = seated(context, server, table(server, game="niels-xiangqi")["play"]["red"])
    for (width, height), board in SIZES:
        xiangqi.set_viewport_size({"width": width, "height": height})
        assert xiangqi.evaluate(BOX % "#board")[3] == pytest.approx(board, abs=1), (width, height)
        assert not xiangqi.evaluate(SCROLLS), (width, height)


def test_the_box_of_the_panel_is_the_same_in_all_tabs_and_with_a_question(context: Open, server: str) -> None:
    page = played(context, server, viewport={"width": 1366, "height": 768})
    boxes = [page.evaluate(BOX % "#panel")]
    for name in ("Odds", "Circuit", "Legend"):
        page.keyboard.press("Escape")
        page.get_by_role("tab", name=name).click()
        assert page.get_by_role("tabpanel", name=name).is_visible()
        boxes.append(page.evaluate(BOX % "#panel"))
    page.get_by_role("tab", name="Legend").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", selected=True).inner_text() == "Moves"
    ask(page)
    assert page.locator("#ask h2").inner_text() == "Is the knight on f3?"
    assert page.locator("#ask .outcome strong").all_inner_texts() == ["Yes", "No"]
    boxes.append(page.evaluate(BOX % "#panel"))
    assert "50%" in told_odds(page)
    assert boxes == [boxes[0]] * len(boxes)
    page.get_by_role("button", name="Cancel").click()
    assert not page.locator("#ask").is_visible()
    assert page.locator("#board .cell.picked").count() == 0


def test_the_odds_say_what_may_be_where_the_likeliest_first(context: Open, server: str) -> None:
    page = played(context, server, viewport={"width": 1440, "height": 900})
    page.get_by_role("tab", name="Odds").click()
    until(page, "document.querySelectorAll('#pane-odds .story').length === 4")
    told = {}
    for block in page.locator("#pane-odds .reg").all():
        stories = block.locator(".story").all_inner_texts()
        told[block.locator("h3").inner_text()] = sorted(" ".join(story.split()) for story in stories)
    assert told["Your f-pawn and your knight"] == ["Knight h3 and pawn f4 50%", "Pawn f2 and knight f3 50%"]
    assert told["Black’s knight"] == ["Knight a6 50%", "Knight c6 50%"]
    page.keyboard.press(",")  # a register of an earlier position
    until(page, "document.querySelectorAll('#pane-odds .story').length === 2")


def test_on_a_phone_tabs_open_sheets_and_a_question_leaves_the_board_in_sight(context: Open, server: str) -> None:
    phone = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
    page = played(context, server, **phone)
    assert not page.get_by_role("button", name="Resign").is_visible()
    for name in ("Moves", "Odds", "Circuit", "Legend"):
        tab = page.get_by_role("tab", name=name)
        tab.tap()
        page.get_by_role("tabpanel", name=name).wait_for()
        assert page.get_by_role("button", name="Resign").is_visible()
        assert not page.evaluate(SCROLLS)
        page.locator(f"#pane-{name.lower()} :is(li, .story, [data-qubit])").first.wait_for()
        assert findings(page) == []
    page.get_by_role("tab", name="Legend").tap()
    assert not page.get_by_role("button", name="Resign").is_visible()
    for square in ("f3", "e5"):
        page.locator(f"#board [data-square={square}]").tap()
    page.wait_for_selector("#ask .outcome")
    board, question = page.evaluate(BOX % "#board"), page.evaluate(BOX % "#ask")
    assert question[1] >= board[1] + board[3]
    assert question[1] + question[3] <= 664
    assert findings(page) == []


def test_a_key_opens_the_field_for_a_move_and_the_menu_tells_all_keys(context: Open, server: str) -> None:
    page = played(context, server)
    assert not page.locator("#text").is_visible()
    page.locator("#board [data-square=a2]").focus()
    page.keyboard.press("/")
    assert Listener(page).heard() == ("textbox", "Type a move")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "board"
    page.keyboard.press("?")
    page.get_by_text("type a move", exact=True).wait_for()
    assert findings(page) == []
    page.keyboard.press("Escape")
    assert not page.locator("#about").is_visible()
