"""The answer that stays in the list of moves, what its mark opens, and the question before a move, in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import BOARD, PLAYABLE, PLIES, type_move, type_moves, until
from tests.web.test_browser_access import Listener, findings, seated, table
from tests.web.test_browser_language import told_odds
from tests.web.test_browser_layout import BOX, SCROLLS

pytestmark = pytest.mark.slow
Open = Callable[..., Any]
#: a knight that may be on two squares and can take a pawn from one of them
POSITION = "k7/8/8/3p4/3P4/8/8/KN6 w - - 0 1"
IN_SIGHT = """(top => [...document.querySelectorAll('#ask .words')].every(
(each) => each.getBoundingClientRect().bottom <= top))(document.querySelector('.goes').getBoundingClientRect().top)"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def split(context: Open, server: str, **how: Any) -> tuple[Any, Any, dict[str, Any]]:
    """White's page and black's, at white's turn to take with a knight that may be there."""
    opened = table(server, options={"fen": POSITION})
    white = seated(context, server, opened["play"]["white"], **how)
    black = seated(context, server, opened["play"]["black"])
    type_moves([(white, "b1^a3c3"), (black, "a8-a7")])
    until(white, f"{PLAYABLE} && {PLIES} === 2")
    return white, black, opened


def test_a_click_on_a_move_that_asks_shows_the_question_and_a_second_one_or_enter_plays_it(
    context: Open, server: str
) -> None:
    white, _, _ = split(context, server)
    panel = white.evaluate(BOX % "#panel")
    white.locator("#board [data-square=c3]").click()
    white.locator("#board [data-square=d5]").click()
    white.wait_for_selector("#ask .outcome")
    assert white.evaluate(PLAYABLE), "one click plays nothing"
    assert white.locator("#ask h2").inner_text() == "Is the knight on c3?"
    assert white.locator("#ask .final").inner_text() == "This move has to know. The answer is final."
    assert white.locator("#ask .main").inner_text().split("\n")[0] == "Play knight takes d5"
    words = white.locator("#ask .words").all_inner_texts()
    assert all("likely" not in each and each.count(". ") <= 1 for each in words), words
    assert white.evaluate(BOX % "#panel") == panel
    white.keyboard.press("Escape")
    assert not white.locator("#ask").is_visible()
    assert white.locator("#board .cell.picked").count() == 0
    white.locator("#board [data-square=c3]").click()
    white.locator("#board [data-square=d5]").click()
    white.wait_for_selector("#ask .outcome")
    assert white.evaluate(PLAYABLE), "what was taken back is asked again"
    white.locator("#board [data-square=d5]").click()
    until(white, f"{PLIES} === 3")


@pytest.mark.parametrize("is_on", [True, False])
def test_a_finger_plays_at_once_where_no_question_is_wanted(context: Open, server: str, is_on: bool) -> None:
    white, _, _ = split(context, server, **PHONE)
    white.evaluate(f"localStorage['qchess-asks-first'] = '{'yes' if is_on else 'no'}'")
    for square in ("c3", "d5"):
        white.locator(f"#board [data-square={square}]").tap()
    if is_on:
        white.wait_for_selector("#ask .outcome")
        board, sheet = white.evaluate(BOX % "#board"), white.evaluate(BOX % "#ask")
        assert board[1] + board[3] <= sheet[1]
        assert not white.evaluate(SCROLLS)
        assert white.evaluate(IN_SIGHT), "the words of a card end above the buttons"
        white.locator("#board [data-square=d5]").tap()
    until(white, f"{PLIES} === 3")


def answered(white: Any) -> str:
    """Plays the move that asks, by typing; how its question was not answered, `yes` or `no`."""
    type_move(white, "c3-d5")
    until(white, f"{PLIES} === 3")
    assert white.locator("#moves .brief").all_inner_texts() == ["a3 or c3", "a7", "×d5"]
    return "no" if white.locator("#moves .mark").inner_text().startswith("✓") else "yes"


def test_the_mark_of_an_answer_opens_a_menu_by_keys_and_asks_a_hundred_times(context: Open, server: str) -> None:
    white, _, opened = split(context, server)
    other, listener = answered(white), Listener(white)
    went = "(told) => import('/static/ways.js').then(({ went }) => told.map(went))"
    elsewhere = "Is the knight on a6? Yes, 50% likely. Black rolled even: the knight is on a6. Nothing was captured."
    there = elsewhere.replace("Nothing was captured", "The capture succeeded").replace("Yes", "No")
    assert white.evaluate(went, [elsewhere, there, "It is.", "Is e4 empty? No, 25% likely."]) == [
        False,
        True,
        None,
        False,
    ]
    white.locator("#moves .mark").focus()
    assert listener.heard()[0] == "button"
    assert f"asked: {'no' if other == 'yes' else 'yes'}, 50%" in listener.heard()[1]
    white.keyboard.press("Enter")
    white.wait_for_selector(".marked [role=menu]")
    assert listener.heard() == ("menuitem", f"What if it had been {other}?")
    white.keyboard.press("ArrowDown")
    assert listener.heard() == ("menuitem", "Ask 100 times")
    white.keyboard.press("Enter")
    white.wait_for_selector(".hundred .bar")
    yes, no = (int(part.split()[1]) for part in white.locator(".hundred .bar span").all_inner_texts())
    assert yes + no == 100
    assert f"yes {yes} (odds 50%), no {no} (odds 50%)" in listener.statuses()
    assert findings(white) == []
    assert told_odds(white) == {"50%"}
    assert white.evaluate(PLIES) == 3
    white.keyboard.press("Escape")
    assert not white.locator(".marked").is_visible()
    assert white.evaluate("document.activeElement.className") == "mark"
    watcher = seated(context, server, opened["watch"])  # who looks on gets the same hundred
    until(watcher, f"{PLIES} === 3")
    watcher.locator("#moves .mark").click()
    watcher.locator(".marked button").click()
    watcher.wait_for_selector(".hundred .bar")
    assert watcher.locator(".hundred .bar span").all_inner_texts() == [f"yes {yes}", f"no {no}"]


def test_what_if_opens_the_branch_with_the_other_answer_in_a_study(context: Open, server: str) -> None:
    white, _, _ = split(context, server)
    other = answered(white)
    white.locator("#moves .mark").click()
    with white.context.expect_page() as found:
        white.get_by_role("menuitem", name=f"What if it had been {other}?").click()
    study = found.value
    until(study, "document.querySelector('#tree [aria-current] .set') !== null")
    told = study.locator("#tree button").evaluate_all("all => all.map((each) => each.dataset.text)")
    assert sorted(told[-2:]) == ["c3-d5.m0", "c3-d5.m1"]
    chosen = study.locator("#tree [aria-current]").get_attribute("data-text")
    assert chosen == f"c3-d5.m{int(other == 'yes')}"
    assert not study.evaluate("'c3' in document.querySelector('qc-viewer').table.state.view.men")
    with study.expect_event("close"):
        study.get_by_role("button", name="Back to the game").click()
    assert white.evaluate(PLIES) == 3


@pytest.mark.parametrize(
    ("game", "moves", "others"),
    [
        ("quantum-checkers", ("c3^b4d4", "d6^c5e5", "b4-d6"), 2),
        ("piece-qubit-chess", ("b1-a3", "b7-b6", "a1-b1"), 3),
    ],
)
def test_more_than_two_answers_have_a_card_and_a_line_of_the_menu_each(
    context: Open, server: str, game: str, moves: tuple[str, ...], others: int
) -> None:
    opened = table(server, game=game)
    first, second = (seated(context, server, path) for path in opened["play"].values())
    type_moves(zip((first, second), moves, strict=False))
    until(first, f"{PLAYABLE} && {PLIES} === 2")
    source, target = moves[2].split("-")
    first.locator(f"#board [data-square={source}]").click()
    first.locator(f"#board [data-square={target}]").click()
    first.wait_for_selector("#ask .outcome")
    assert told_odds(first)
    assert first.locator("#ask .outcome").count() == min(4, others + 1)
    odds = [float(each.strip("%<>")) for each in first.locator("#ask .head b").all_inner_texts()]
    assert odds == sorted(odds, reverse=True)
    assert "asks a question" in first.locator("#ask h2").inner_text()
    first.locator("#ask .main").click()
    until(first, f"{PLIES} === 3")
    first.locator("#moves .mark").click()
    first.wait_for_selector(".marked [role=menu]")
    assert first.locator(".marked a").count() == min(4, others)
    first.locator(".marked button").click()
    first.wait_for_selector(".hundred li")
    assert sum(int(each) for each in first.locator(".hundred li b").all_inner_texts()) == 100


def test_the_legend_has_nine_lines_at_most_and_the_switch_for_phases(context: Open, server: str) -> None:
    for game, has_phases in (("quantum-chess", True), ("niels-xiangqi", False)):
        page = seated(context, server, next(iter(table(server, game=game)["play"].values())))
        page.get_by_role("tab", name="Legend").click()
        page.wait_for_selector("#pane-legend .signs")
        assert page.locator("#pane-legend .signs li:not(.caption)").count() <= 9
        switch = page.get_by_role("switch", name="Show phase")
        assert switch.count() == has_phases
        if has_phases:
            switch.set_checked(True)
            assert page.evaluate(f"{BOARD}.phases")
            page.locator("#board [data-square=a2]").focus()
            page.keyboard.press("p")
            assert not switch.is_checked()
        assert findings(page) == []
