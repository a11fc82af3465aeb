"""The first page: a board to try, three choices with one click each, what is set rarely, the games that run."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest

from tests.web.hands import PLAYABLE, until
from tests.web.test_browser_access import findings, sized, table
from tests.web.test_browser_language import told_odds

Open = Callable[..., Any]
TOLD = "document.querySelector('#told').textContent"
#: the lower edge of an element
LOWER = "(what) => document.querySelector(what).getBoundingClientRect().bottom"
#: the lines of text of two places that lie on one another
MEET = """(places) => {
  const [ours, theirs] = places.map((place) => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(place));
    return [...range.getClientRects()];
  });
  return ours.flatMap((a) => theirs.filter((b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map((b) => [a, b]));
}"""


def lobby(context: Open, server: str, **how: Any) -> Any:
    """The first page, ready."""
    page = sized(context, **how)
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    return page


def seats(server: str, page: Any) -> dict[str, str]:
    """Who sits at the table that a page went to."""
    page.wait_for_url("**/play/**")
    name = page.url.partition("/play/")[2].partition("#")[0]
    with urlopen(f"{server}/api/tables/{name}") as answer:
        return {player: seat["who"] for player, seat in json.load(answer)["seats"].items()}


def tables(server: str) -> list[str]:
    """What the server counts of its tables."""
    with urlopen(f"{server}/metrics") as answer:
        return [line for line in answer.read().decode().splitlines() if "opened" in line]


@pytest.mark.slow
def test_each_choice_starts_its_table_with_one_click(context: Open, server: str) -> None:
    page = lobby(context, server)
    page.locator("#games input[value=quantum-checkers]").check()
    levels = {"Easy": "random", "Casual": "greedy", "Strong": "mcts@2s"}
    for level, agent in levels.items():
        page.get_by_role("button", name=level, exact=True).hover()
        says = page.locator("#how").inner_text()
        assert page.get_by_text("Starts the game").is_visible()
        page.get_by_role("button", name=level, exact=True).click()
        assert seats(server, page) == {"white": "human", "black": agent}
        assert says.startswith({"Easy": "Plays any", "Casual": "Looks one", "Strong": "Thinks two"}[level])
        page.goto(server)
        page.wait_for_selector("form[data-ready]")
    assert page.locator("#games input:checked").get_attribute("value") == "quantum-checkers"
    page.get_by_role("button", name="Play the computer").click()
    assert seats(server, page) == {"white": "human", "black": "mcts@2s"}  # the level of the last game
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    page.get_by_role("button", name="Play a friend").click()
    assert seats(server, page) == {"white": "human", "black": "human"}
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    page.get_by_role("link", name="Learn in two minutes").click()
    page.wait_for_url("**/learn/quantum-checkers#*")
    page.wait_for_selector("#lesson:not([hidden])")


@pytest.mark.slow
def test_every_setting_reaches_the_server(context: Open, server: str) -> None:
    page = lobby(context, server)
    page.locator("#games input[value=quantum-checkers]").check()
    page.get_by_role("button", name="More settings").click()
    page.get_by_role("radio", name="Small").check()
    page.get_by_label("Against").select_option("human")
    page.get_by_label("You play").select_option("black")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Clock").select_option("5 minutes, plus 5 seconds for each move")
    page.get_by_label("Questions are answered by").select_option("A simulated device with a queue …")
    assert page.locator("#devices option").count() > 1
    page.get_by_label("Which device").fill("sparse-shots,shots=50")
    page.get_by_label("Moves may be taken back").uncheck()
    page.get_by_label("Level").fill("2")
    page.get_by_label("More options for this game").fill("profile=default\nrows=1")
    assert "Black, 5 minutes" in page.locator("#how").inner_text()
    sent: list[Any] = []
    page.on("request", lambda request: sent.append(request.post_data_json) if request.method == "POST" else None)
    page.get_by_role("button", name="Start the game").click()
    assert seats(server, page) == {"white": "human", "black": "human"}
    body = next(each for each in sent if "seats" in each)
    assert body == {
        "game": "quantum-checkers", "preset": "small", "options": {"level": 2, "profile": "default", "rows": 1},
        "seats": {"white": "human", "black": "human"}, "backend": "queued:sparse-shots,shots=50",
        "clock": {"kind": "fischer", "seconds": 300, "extra": 5}, "public": False, "takebacks": False,
    }  # fmt: skip
    assert page.evaluate("localStorage.getItem('qchess-name')") == "Ada"
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    page.get_by_role("button", name="More settings").click()
    page.get_by_label("Questions are answered by").select_option("Another, by its whole name …")
    page.get_by_label("Which device").fill("no-such")
    page.get_by_role("button", name="Start the game").click()
    until(page, "document.querySelector('#problem').textContent.includes('no-such')")


@pytest.mark.slow
def test_a_knight_in_two_places_can_be_asked_for_merged_and_split(context: Open, server: str) -> None:
    before = tables(server)
    page = lobby(context, server)
    cell = "#try [data-square={}]"
    assert page.evaluate(TOLD) == "One knight, two places. Pick a knight."
    page.locator(cell.format("b3")).click()
    until(page, f"{TOLD}.startsWith('Is the knight on b3?')")
    page.wait_for_selector("#try .pill")
    page.locator(cell.format("d4")).hover()
    until(page, f"{TOLD}.includes('Yes 50%, no 50%')")
    assert findings(page) == []
    assert told_odds(page) == {"50%"}
    page.locator(cell.format("d4")).click()
    until(page, f"{TOLD}.includes('It was 50%.')")
    found = "d4" if "Yes." in page.evaluate(TOLD) else "d3"
    assert found == "d4" or page.evaluate(TOLD).startswith("No, it is on d3.")
    until(page, PLAYABLE)
    men = page.evaluate("document.querySelector('#try').view.men")
    assert [(square, each["probability"]) for square, (each, *_) in men.items() if each["symbol"] == "N"] == [
        (found, 1)
    ]
    page.get_by_role("button", name="Again").click()
    page.locator("#try [data-mode=merge]").click()
    for square in ("b3", "d3", "c1"):
        page.locator(cell.format(square)).click()
    until(page, f"{TOLD} === 'One knight, one place. Pick the knight, then two squares.'")
    for square in ("c1", "b3", "d3"):  # the page chose the mode Split
        page.locator(cell.format(square)).click()
    until(page, f"{TOLD} === 'One knight, two places. Pick a knight.' && {PLAYABLE}")
    assert tables(server) == before  # a board to try is no table


@pytest.mark.slow
def test_running_games_come_first_and_only_if_there_are_any(context: Open, server: str) -> None:
    page = lobby(context, server)
    until(page, "document.querySelector('#running').children.length === 0 || Boolean(document.querySelector('.run'))")
    page.get_by_role("button", name="Casual", exact=True).click()
    page.wait_for_url("**/play/**")
    own = page.url
    watched = table(server, public=True, name="A match to see")
    other = context().new_page()
    other.goto(server + watched["play"]["white"])
    until(other, PLAYABLE)
    page.goto(server)
    page.wait_for_selector(".run")
    first = page.locator(".run").first
    assert first.inner_text().split("\n")[0].startswith("Your move")
    assert "against the computer (Casual)" in first.inner_text()
    assert page.evaluate(LOWER, "#games") <= 800
    page.locator("#running button").click()
    assert "A match to see" in page.locator("#alsorunning").inner_text()
    assert page.locator("#mine").inner_text().split() == ["Your", "games", "1"]
    assert findings(page) == []
    first.click()
    page.wait_for_url(own)
    page.wait_for_selector("#board [role=gridcell]")
    page.locator("[data-act=resign]").click()
    page.locator("[data-act=resign]").click()
    until(page, "!document.querySelector('#board').playable")
    page.goto(server)
    page.wait_for_selector(".run")
    assert "Your move" not in page.locator("#running").inner_text()
    assert page.evaluate("localStorage.getItem('qchess-games')") == "[]"


@pytest.mark.slow
def test_a_rematch_is_found_on_the_first_page_under_the_other_seat(context: Open, server: str) -> None:
    page = lobby(context, server)
    page.get_by_role("button", name="Play a friend").click()
    page.wait_for_url("**/play/**")
    mine, _, link = page.url.partition("&for-black=")
    friend = context().new_page()
    friend.goto(f"{mine.partition('#')[0]}#seat={link}")
    for each in (page, friend):
        each.wait_for_selector("#board [role=gridcell]")
    page.locator("[data-act=resign]").click()
    page.locator("[data-act=resign]").click()
    for each in (page, friend):
        each.locator("#ending .again button").click()
    page.get_by_role("link", name="To the next game").wait_for()
    page.goto(server)
    page.wait_for_selector(".run")
    assert "Their move" in page.locator("#running").inner_text()
    page.locator(".run", has_text="Their move").click()
    page.wait_for_selector("#board [role=gridcell]")
    assert page.evaluate("document.querySelector('#board').below") == 1


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1366, 768), (1440, 900), (1920, 1080), (390, 844), (360, 740)])
def test_what_matters_is_seen_without_scrolling(context: Open, server: str, size: tuple[int, int]) -> None:
    width, height = size
    page = lobby(context, server, viewport={"width": width, "height": height}, has_touch=width < 500)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(LOWER, ".choices" if width < 500 else "#games") <= min(height, 760 if width < 500 else height)
    assert page.evaluate("document.querySelector('#try').offsetWidth") >= (width - 28 if width < 500 else 440)
    if width == 1920:  # a large window is filled
        assert page.evaluate(LOWER, "#games") > 0.9 * height
        assert page.evaluate("document.querySelector('#try').offsetWidth") > 700
    assert page.locator("#games .game").count() == 6
    assert page.locator("#games [data-sample]:has([data-man])").count() == 6
    for level in page.locator("#levels button").all():  # what it does has room beside "Starts the game"
        level.hover()
        assert page.evaluate(MEET, ["#how", "#atonce"]) == []


@pytest.mark.slow
def test_by_keys_alone_a_game_is_chosen_and_begun(context: Open, server: str) -> None:
    page = lobby(context, server)
    page.locator("#games input[value=quantum-chess]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#games input:checked").get_attribute("value") == "piece-qubit-chess"
    page.locator("#computer").focus()
    page.keyboard.press("Tab")
    assert "Plays any legal move" in page.locator("#how").inner_text()
    page.keyboard.press("Enter")
    assert seats(server, page) == {"white": "human", "black": "random"}
