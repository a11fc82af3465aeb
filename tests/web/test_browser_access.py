"""The pages for everybody: rules of accessibility by axe-core, and a game by keys and the accessibility tree alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.web.hands import BOARD, PLAYABLE, PLIES, type_move, type_moves, until

Open = Callable[..., Any]
#: a knight that may split and merge, and pawns that may be taken
POSITION = "k7/8/8/3p4/4P3/8/8/KN6 w - - 0 1"
BAD = ("serious", "critical")
#: the rules that ask for colours
COLOURS = ["color-contrast", "link-in-text-block"]
#: boards have heard of the scheme
BOARDS = """document.documentElement.dataset.theme ||
[...document.querySelectorAll('qc-board[theme]')].every((each) => each.getAttribute('theme') === '%s')"""
#: colours that are on their way are there
STILL = """for (const each of document.getAnimations())
if (each instanceof CSSTransition) each.finish();"""
#: what breaks a rule and no more: to bring what keeps them out of the browser takes longer than to find it
VIOLATIONS = "async (options) => (await axe.run(options)).violations"


def table(server: str, **how: Any) -> dict[str, Any]:
    """A new table, opened without a page."""
    body = json.dumps({"game": "quantum-chess"} | how).encode()
    with urlopen(Request(f"{server}/api/tables", body, {"Content-Type": "application/json"})) as answer:
        return dict(json.load(answer))


def sized(context: Open, viewport: Any = None, **how: Any) -> Any:
    """A page of a context of its own, which was not made for its size and so may be one that was kept."""
    page = context(**how).new_page()
    if viewport:
        page.set_viewport_size(viewport)
    return page


def seated(context: Open, server: str, path: str, **how: Any) -> Any:
    """A page of a context of its own, at a table."""
    page = sized(context, **how)
    page.goto(server + path)
    page.wait_for_selector("#board [role=gridcell]")
    return page


def findings(page: Any, schemes: Collection[str] = ("light", "dark")) -> list[str]:
    """What axe-core finds serious on a page, in light and in dark; the page is left as it was."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra `browser`")
    found = []
    was = page.evaluate("matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light'")
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{axe.Axe().axe_script}; 0")
    for number, scheme in enumerate(sorted(schemes, key=was.__eq__)):
        page.emulate_media(color_scheme=scheme)
        until(page, BOARDS % scheme)
        page.evaluate(STILL)
        only = {"runOnly": {"type": "rule", "values": COLOURS}} if number else {}  # all else is as it was
        for each in page.evaluate(VIOLATIONS, {"resultTypes": ["violations"], **only}):
            if each["impact"] in BAD:
                found += [f"{scheme}: {each['id']}: {node['target']} {node['html'][:120]}" for node in each["nodes"]]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1600])
def test_axe_finds_nothing_serious_in_the_lobby(context: Open, server: str, width: int) -> None:
    page = sized(context, viewport={"width": width, "height": 900})
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    assert findings(page) == []
    page.get_by_text("More settings").click()
    page.get_by_label("Questions are answered by").select_option("A simulated device with a queue …")
    assert findings(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1600])
def test_axe_finds_nothing_serious_at_a_table(context: Open, server: str, width: int) -> None:
    opened = table(server)
    white = seated(context, server, opened["play"]["white"], viewport={"width": width, "height": 900})
    black = seated(context, server, opened["play"]["black"])
    until(white, PLAYABLE)
    assert findings(white) == []
    type_moves(((white, "g1^f3h3"), (black, "e7-e5")))
    until(white, f"{PLIES} === 2 && {PLAYABLE}")
    for name in ("Moves", "Odds", "Circuit", "Legend") if width > 900 else ():  # else they are sheets
        white.get_by_role("tab", name=name).click()
        white.locator(f"#pane-{name.lower()} :is(li, .story, [data-qubit])").first.wait_for()
        assert findings(white) == [], name
    white.keyboard.press("Escape")
    white.locator("#board [data-square=b1]").click()
    white.wait_for_selector("#board .cell.target")
    assert findings(white) == []
    white.keyboard.press("Escape")
    white.locator("#board [data-square=b1]").focus()
    for keys in ("2", "Enter", "ArrowUp", "ArrowUp", "ArrowRight", "Enter"):  # half a knight on c3
        white.keyboard.press(keys)
    until(white, f"{BOARD}.machine.picks.length === 2")
    assert findings(white) == []
    for keys in ("Escape", "Escape", "Escape", "1"):
        white.keyboard.press(keys)
    white.locator("#board [data-square=f3]").click()
    white.wait_for_selector("#board .pill")
    white.locator("#board [data-square=e5]").hover()
    white.wait_for_selector("#ask .outcome")
    assert findings(white) == []
    watcher = seated(context, server, opened["watch"], viewport={"width": width, "height": 900})
    until(watcher, f"{PLIES} === 2")
    assert findings(watcher) == []


@pytest.mark.parametrize("name", ["piece-qubit-chess", pytest.param("niels-xiangqi", marks=pytest.mark.slow)])
def test_axe_finds_nothing_serious_on_a_board_alone(alone: Open, name: str) -> None:
    import qchess

    assert findings(alone(qchess.new(name, seed=1))) == []


class Listener:
    """Someone who hears the page and has a keyboard: it reads the accessibility tree and nothing else."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.tree = page.context.new_cdp_session(page)

    def nodes(self) -> list[dict[str, Any]]:
        """The accessibility tree, as a screen reader gets it."""
        return [node for node in self.tree.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]

    def heard(self) -> tuple[str, str]:
        """Role and name of what has the focus."""
        for node in self.nodes():
            told = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
            if told.get("focused") and node["role"]["value"] not in ("RootWebArea", "grid"):
                return node["role"]["value"], node["name"]["value"]
        return "", ""

    def statuses(self) -> str:
        """What the live regions say."""
        found, names = [], {node["nodeId"]: node for node in self.nodes()}

        def text(node: dict[str, Any]) -> str:
            if node["role"]["value"] == "StaticText":
                return str(node["name"]["value"])
            return " ".join(text(names[child]) for child in node.get("childIds", []) if child in names)

        for node in names.values():
            if node["role"]["value"] == "status":
                found.append(text(node))
        return " | ".join(filter(None, found))

    def on_board(self) -> None:
        """Goes on by Tab until the focus is on a square."""
        for _ in range(60):
            if self.heard()[0] == "gridcell":
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("no square is reached by Tab")

    def walk(self, square: str) -> str:
        """Walks by arrows until the square is heard; its whole name."""
        self.on_board()
        for _ in range(16):
            name = self.heard()[1]
            here = name.split(",")[0]
            if here == square:
                return name
            files, ranks = ord(square[0]) - ord(here[0]), int(square[1:]) - int(here[1:])
            self.page.keyboard.press(
                ("ArrowRight" if files > 0 else "ArrowLeft") if files else ("ArrowUp" if ranks > 0 else "ArrowDown")
            )
        raise AssertionError(f"{square} is not reached by arrows")

    def press(self, *squares: str) -> None:
        """Presses Enter on squares, one after the other."""
        for square in squares:
            self.walk(square)
            self.page.keyboard.press("Enter")


@pytest.mark.slow
def test_a_split_a_merge_and_a_capture_by_keys_and_the_accessibility_tree_alone(context: Open, server: str) -> None:
    opened = table(server, options={"fen": POSITION})
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    listener = Listener(white)

    def black_plays(text: str, ply: int) -> None:
        until(black, f"{PLAYABLE} && {PLIES} === {ply}")
        type_move(black, text)
        until(white, f"{PLAYABLE} && {PLIES} === {ply + 1}")

    until(white, PLAYABLE)
    assert listener.walk("b1").startswith("b1, white knight")
    white.keyboard.press("2")
    listener.press("b1")
    assert "Knight on b1. Pick two squares to split." in listener.statuses()
    listener.press("c3", "a3")
    black_plays("a8-a7", 1)
    assert "50 percent" in listener.walk("c3")
    assert "or a3" in listener.heard()[1]

    white.keyboard.press("3")
    listener.press("a3")
    assert "Pick its other part on c3." in listener.statuses()
    listener.press("c3", "b5")
    black_plays("a7-a8", 3)
    assert re.match(r"b5, white knight(?!.*%)", listener.walk("b5"))

    white.keyboard.press("2")
    listener.press("b5", "c3", "d4")
    black_plays("a8-a7", 5)
    listener.press("c3")
    until(white, "Boolean(document.querySelector('#board').odds)")
    assert "takes, asks, works with 50 percent" in listener.walk("d5")
    white.keyboard.press("Enter")
    until(white, "!document.querySelector('#board').playable")
    until(white, "document.querySelector('#sentence').textContent.includes('likely')")
    assert re.search(r"Is the knight on c3\? (Yes|No), 50% likely", listener.statuses())
