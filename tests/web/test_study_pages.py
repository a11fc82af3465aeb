"""The pages for studies, lessons and classes in a browser, with the whole server behind them."""

import json
from itertools import groupby
from typing import Any

import pytest

import qchess
from qchess.web.serving import Serving
from tests.patience import PATIENCE
from tests.web.hands import STAYS, until
from tests.web.patient import PATIENT
from tests.web.player import Player, apart
from tests.web.test_browser_access import findings, sized

pytestmark = pytest.mark.slow
SIZE = {"width": 1200, "height": 900}


@pytest.fixture(scope="module")
def server():
    with Serving(PATIENT) as serving:
        yield serving


@pytest.fixture
def visit(context, server):
    """Opens pages of the server, each with a browser's storage of its own; an error on one fails the test."""

    def open_(path, viewport=SIZE, **how):
        page = sized(context, viewport, **how)
        page.goto(server.url + path)
        return page

    return open_


#: opens what is pasted
OPEN = "(text) => { document.querySelector('#paste').value = text; document.querySelector('#openpaste').click(); }"


#: the moves of the tree as they are written in files, and all that is read there
TREE = """[...document.querySelectorAll('#tree button')].map((each) => each.dataset.text).join()
+ document.querySelector('#tree').textContent"""


def has_tree(page, *texts):
    """Waits until the tree of a study holds these moves."""
    for text in texts:
        until(page, f"({TREE}).includes({json.dumps(text)})")


def types(page, text):
    page.locator("#text").fill(text)
    page.locator("#typed").get_by_role("button").click()


@pytest.fixture(scope="module")
def desk(browser):
    """A page that studies are shown on, one after the other, and the errors on it."""
    errors: list[str] = []
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(1000 * PATIENCE)
    context.add_init_script(STAYS)
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context.new_page(), errors
    context.close()


@pytest.fixture(scope="module")
def begun():
    """The record of a split and a reply."""
    game = qchess.new("quantum-chess", seed=1)
    for text in ("b1^a3c3", "d7-d5"):
        game.play(text)
    return game.record().to_json()


@pytest.fixture
def study(desk, server, begun):
    """A study with a split and a reply, on a page that remembers nothing; an error on it fails the test."""
    page, errors = desk
    if page.url != "about:blank":
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.set_viewport_size(SIZE)
    page.goto(server.url + "/study")
    until(page, "Boolean(document.querySelector('qc-viewer').table?.state)")
    page.evaluate(OPEN, begun)
    until(page, "document.querySelector('qc-viewer').table.state.ply === 2")
    yield page
    page.unroute_all()
    assert errors == []


def square(page, name):
    return page.locator("qc-viewer qc-board").first.locator(f'[data-square="{name}"]')


# -- studies ---------------------------------------------------------------------------------------------------


def test_a_teacher_sets_both_outcomes_and_the_tree_marks_them(study):
    study.get_by_label("I choose the outcomes").check()
    for wanted in ("took the pawn", "nothing was taken"):
        square(study, "c3").click()
        square(study, "d5").click()
        study.locator("#choose").get_by_role("button", name=wanted).click()
        until(study, "document.querySelector('#choose').hidden")
        until(study, "document.querySelector('qc-viewer').table.state.ply === 3")
        assert "The outcome was chosen, not drawn." in study.locator("qc-viewer .sentence").inner_text()
        study.locator("qc-viewer .previous").click()
        until(study, "document.querySelector('qc-viewer').table.state.ply === 2")
    has_tree(study, "c3-d5.m1", "c3-d5.m0")
    branches = study.locator("#tree button").all_inner_texts()[2:]
    assert [" ".join(each.split()) for each in branches] == [
        "knight c3 takes d5 ×d5 ✓ asked: yes, 50% chosen",
        "knight c3 takes d5 ×d5 ✕ asked: no, 50% chosen",
    ]
    study.get_by_role("button", name="3. white knight c3 takes d5, asked: no, 50%, outcome chosen").click()
    until(study, "document.querySelector('qc-viewer').table.state.ply === 3")
    study.get_by_role("button", name="Main line").click()
    until(study, "document.querySelector('#tree [data-node=\"3\"]').dataset.text === 'c3-d5.m0'")
    study.get_by_role("button", name="Delete from here").click()
    until(study, f"!({TREE}).includes('c3-d5.m0')")
    has_tree(study, "c3-d5.m1")


#: keeps which men are on their way in each frame that a board plays
FRAMES = """() => { const {board} = document.querySelector('qc-viewer'); window.seen = [];
const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Object.getPrototypeOf(board)), 'scene');
const set = (scene) => { window.seen.push(Object.keys(scene?.moved ?? {}).join()); own.set.call(board, scene); };
Object.defineProperty(board, 'scene', {get: own.get, set}); }"""


def test_men_move_to_the_next_position_and_to_no_other(study):
    until(study, "performance.getEntriesByType('resource').some(({name}) => name.endsWith('/motion.js'))")
    until(study, "document.querySelector('qc-viewer').board.scene === null")
    study.evaluate(FRAMES)
    for button, ply in (("first", 0), ("next", 1), ("last", 2), ("previous", 1)):
        study.locator(f"qc-viewer .icon.{button}").click()
        until(study, f"document.querySelector('qc-viewer').table.state.ply === {ply} && !window.seen.at(-1)")
    seen = study.evaluate("window.seen")
    assert [each for each, _ in groupby(seen)] == ["a3,c3", "", "d5", ""]


def test_notes_and_arrows_stay_with_their_position_also_after_a_reload(study):
    study.locator("#comment").fill("Half a knight <b>each</b>.")
    study.locator("#arrowtext").fill("c3 d5")
    study.get_by_role("button", name="Draw", exact=True).click()
    study.locator("qc-viewer .previous").click()
    until(study, "document.querySelector('#comment').value === ''")
    assert study.evaluate("document.querySelector('qc-viewer').board.arrows.length") == 0
    study.reload()
    has_tree(study, "d7-d5", "Half a knight <b>each</b>.")
    study.get_by_role("button", name="black pawn d7 to d5").click()
    until(study, "document.querySelector('#comment').value !== ''")
    assert study.evaluate("document.querySelector('qc-viewer').board.arrows.length") == 1


def test_a_shared_study_is_seen_by_everybody_with_the_link_and_changed_by_its_maker_alone(study, visit):
    study.get_by_role("tab", name="More").click()
    study.locator("#name").fill("Half a knight")
    study.get_by_role("button", name="Make a link").click()
    link = study.locator("#link a")
    link.wait_for()
    path = "/study/" + link.get_attribute("href").rpartition("/")[2]
    other = visit(path)
    has_tree(other, "b1^a3c3", "d7-d5")
    assert other.title() == "Half a knight · qchess"
    study.get_by_role("tab", name="Moves").click()
    study.get_by_role("button", name="white knight b1 to a3 or c3").click()
    until(study, "document.querySelector('qc-viewer').table.state.ply === 1")
    types(study, "e7-e5")
    has_tree(study, "e7-e5")
    study.get_by_role("tab", name="More").click()
    with study.expect_response("**/api/studies") as kept:
        study.get_by_role("button", name="Share my changes").click()
    assert kept.value.ok
    other.reload()
    has_tree(other, "e7-e5")


def test_a_record_is_opened_played_on_and_saved(study):
    game = qchess.new("quantum-checkers", seed=1)
    for _ in range(3):
        game.play(game.moves()[0])
    study.get_by_role("tab", name="More").click()
    record = {"name": "game.json", "mimeType": "application/json", "buffer": game.record().to_json().encode()}
    study.locator("#file").set_input_files(record)
    has_tree(study, *[played.text for played in game.history])
    with study.expect_download() as told:
        study.get_by_role("button", name="Page", exact=True).click()
    assert told.value.suggested_filename == "quantum-checkers.html"
    with study.expect_download() as told:
        study.get_by_role("button", name="PDN", exact=True).click()
    assert told.value.path().read_text(encoding="utf-8").startswith("[")
    study.locator("#paste").fill("hello")
    study.get_by_role("button", name="Open the text").click()
    until(
        study,
        "document.querySelector('qc-viewer').shadowRoot.querySelector('.sentence').textContent.includes('expected')",
    )


def test_a_position_is_set_up(study):
    study.get_by_role("tab", name="Set up").click()
    study.locator("#setup summary").click()
    form, modes = study.locator("#setup form"), study.get_by_role("radiogroup", name="kind of move")
    form.get_by_label("Position").fill("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1")
    form.get_by_label("Set-up moves").fill("b1^a3c3")
    form.get_by_role("button", name="Start from here").click()
    until(study, "document.querySelector('qc-viewer').table.state.ply === 0")
    assert "50 percent" in square(study, "a3").get_attribute("aria-label")
    assert study.locator("#tree button").count() == 0
    assert modes.is_visible()
    other = study.evaluate(
        "({...document.querySelector('qc-viewer').table.tree.values(), game: 'quantum-tic-tac-toe', options: {}})"
    )
    study.evaluate(OPEN, json.dumps(other))
    until(study, "document.querySelector('qc-viewer').table.tree.game === 'quantum-tic-tac-toe'")
    modes.wait_for(state="hidden")  # there is no split in this game


def test_a_palette_puts_men_and_halves_that_the_rules_allow(study):
    view = "document.querySelector('qc-viewer').board.view.men"
    study.get_by_role("tab", name="Set up").click()
    palette = study.locator("#palette")
    palette.get_by_role("button", name="Empty board").click()
    until(study, f"Object.keys({view}).length === 0")
    for man, name in (("white knight", "b1"), ("black king", "e8"), ("white king", "e1"), ("white pawn", "a3")):
        palette.get_by_role("button", name=man).click()
        square(study, name).click()
        until(study, f"Boolean({view}.{name})")
    palette.get_by_role("button", name="white queen").focus()
    study.keyboard.press("Enter")
    square(study, "a3").focus()
    study.keyboard.press("Enter")  # in place of the pawn
    until(study, f"{view}.a3?.[0].symbol.toUpperCase() === 'Q'")
    palette.get_by_role("button", name="Erase").click()
    square(study, "a3").click()
    until(study, f"!{view}.a3")
    palette.get_by_role("button", name="Halves").click()
    until(study, "document.querySelector('qc-viewer').board.playable")
    for start, ends in (("b1", ("a3", "c3")), ("c3", ("d5", "b5"))):
        for name in (start, *ends):
            square(study, name).click()
        until(study, f"Boolean({view}.{ends[0]})")
    assert findings(study) == []
    palette.get_by_role("button", name="Start from this board").click()
    until(study, "document.querySelector('#tab-moves').ariaSelected === 'true'")
    for name, odds in (("a3", 50), ("d5", 25), ("b5", 25)):
        assert f"{odds} percent" in square(study, name).get_attribute("aria-label")
    types(study, "e1-e2")
    has_tree(study, "e1-e2")
    study.get_by_role("tab", name="Set up").click()  # what was set up can be changed
    palette.get_by_role("button", name="Erase").click()
    square(study, "d5").click()
    until(study, f"Object.keys({view}).join() === 'e1,e8'")
    palette.get_by_role("button", name="Undo").click()
    until(study, f"Boolean({view}.d5)")
    study.get_by_role("tab", name="Moves").click()
    until(study, f"Boolean({view}.e2)")


#: a game, the men that are put on squares of the empty board, and what the rules are told
LAID: dict[str, tuple[list[tuple[str, ...]], dict[str, Any]]] = {
    "niels-chess": (
        [("white king", "d1"), ("white knight", "b1"), ("Halves", "b1", "g4")],
        {"nfen": "4k3/8/8/8/6N1/8/8/1N1K4 w - - 0 1 b1og4o"},
    ),
    "niels-xiangqi": ([("red chariot", "a2")], {"nfen": "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1 -"}),
    "piece-qubit-chess": ([("black queen", "d8")], {"position": "3q4/8/8/8/8/8/8/8 w = - - 0 text"}),
    "quantum-checkers": (
        [("white king", "c3"), ("black man", "f6"), ("black man", "f6")],
        {"position": "W:WKc3:B", "level": 2},
    ),
}


def test_the_palette_lays_boards_of_every_game_that_has_positions(study):
    viewer = "document.querySelector('qc-viewer')"
    palette = study.locator("#palette")
    for game, (steps, options) in LAID.items():
        made = {"level": 2} if "level" in options else {}
        tree = {"format": "qchess-study-1", "title": "", "game": game, "nodes": [], "options": made}
        study.evaluate(OPEN, json.dumps(tree))
        until(study, f"{viewer}.table.state.rules.name === '{game}'")
        study.get_by_role("tab", name="Set up").click()
        palette.get_by_role("button", name=steps[0][0]).wait_for()
        palette.get_by_role("button", name="Empty board").click()
        kings = 2 if "nfen" in options else 0
        until(study, f"Object.keys({viewer}.board.view.men).length === {kings}")
        for man, *squares in steps:
            palette.get_by_role("button", name=man).click()
            for name in squares:
                before = study.evaluate(f"JSON.stringify({viewer}.board.view.men.{name})")
                square(study, name).click()
                if man != "Halves" or name != squares[0]:
                    until(study, f"JSON.stringify({viewer}.board.view.men.{name}) !== {json.dumps(before)}")
        if game == "niels-xiangqi":
            assert findings(study) == []
        palette.get_by_role("button", name="Start from this board").click()
        until(study, "document.querySelector('#tab-moves').ariaSelected === 'true'")
        assert study.evaluate(f"{viewer}.table.tree.options") == options
    study.evaluate(OPEN, json.dumps({**tree, "game": "quantum-tic-tac-toe", "options": {}}))
    until(study, f"{viewer}.table.state.rules.name === 'quantum-tic-tac-toe'")
    study.get_by_role("tab", name="Set up").click()
    study.get_by_text("Nothing can be set up in quantum tic-tac-toe").wait_for()
    assert palette.get_by_role("button").count() == 0


def test_the_palette_offers_nothing_of_the_game_before(study):
    """The next game's start comes late: until then no button is there, and a press on a square changes nothing."""
    palette, late = study.locator("#palette"), []
    study.get_by_role("tab", name="Set up").click()
    palette.get_by_role("button", name="black queen").click()
    tree = {"format": "qchess-study-1", "title": "", "game": "quantum-checkers", "nodes": [], "options": {}}
    study.evaluate(OPEN, json.dumps(tree))
    until(study, "document.querySelector('qc-viewer').table.state.rules.name === 'quantum-checkers'")
    study.route("**/api/study", lambda route: late.append(route), times=1)
    with study.expect_request("**/api/study"):
        study.get_by_role("tab", name="Set up").click()
    assert palette.get_by_role("button").count() == 0
    square(study, "a3").click()
    (start,) = late
    start.continue_()
    palette.get_by_role("button", name="Empty board").click()
    until(study, "Object.keys(document.querySelector('qc-viewer').board.view.men).length === 0")
    palette.get_by_role("button", name="black man").wait_for()


def test_an_agent_analyses_and_its_line_is_drawn(study):
    study.get_by_role("tab", name="More").click()
    study.get_by_label("Analysis by").select_option("greedy")
    study.get_by_role("button", name="Analyse this position").click()
    study.locator("#analysis .line li").first.wait_for()
    assert "greedy would play" in study.locator("#analysis .line").inner_text()


def test_the_circuit_of_a_study_lights_up_its_squares(study):
    study.get_by_role("tab", name="Circuit").click()
    study.get_by_role("radio", name="Game", exact=True).click()
    panel = "document.querySelector('qc-circuit')"
    until(study, f"{panel}.shown?.of === 'game'")
    study.locator('qc-circuit [data-step="1"]').hover()
    study.locator('qc-board .lit[data-square="a3"]').wait_for()


# -- lessons ------------------------------------------------------------------------------------------------------


def test_a_lesson_is_given_by_clicks_and_kept_as_done(visit):
    page = visit("/learn")
    page.get_by_role("link", name="One knight in two places").click()
    for choice, squares in (("half a knight", ("b1", "a3", "c3")), ("25%", ("c3", "b5", "d5"))):
        page.locator("#task").get_by_role("button", name=choice).click()
        until(page, "document.querySelector('qc-viewer').table.now?.awaits === 'move'")
        page.get_by_role("radio", name="Split").click()
        for name in squares:
            square(page, name).click()
        until(page, "document.querySelector('qc-viewer').table.now?.awaits !== 'move'")
    text = page.locator("#task").inner_text()
    assert findings(page) == []
    assert "Your prediction was right." in text
    assert "The lesson is done." in text
    page.get_by_role("link", name="All lessons").click()
    assert page.get_by_role("link", name="One knight in two places").get_attribute("class") == "done"


# -- classes ------------------------------------------------------------------------------------------------------


def opened_class(study):
    """Opens a class on the study page: its address."""
    study.get_by_role("tab", name="Class").click()
    study.get_by_role("button", name="Open a class").click()
    link = study.locator("#pane-class a")
    link.wait_for()
    return "/class/" + link.get_attribute("href").rpartition("/")[2]


def comes_in(page, name):
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your name").press("Enter")


PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "color_scheme": "dark"}
OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def test_a_class_follows_the_teacher_and_predicts_the_odds(study, visit):
    path = opened_class(study)
    pages = [visit(path, **PHONE) for _ in range(2)]
    for page, name in zip(pages, ("Ann", "Ben"), strict=True):
        comes_in(page, name)
        until(page, "document.querySelector('qc-viewer').table?.state?.ply === 2")
        assert "50 percent" in square(page, "c3").get_attribute("aria-label")
    until(study, "document.querySelector('#pane-class').textContent.includes('2 students are here: Ann, Ben.')")
    until(pages[0], "document.querySelector('#here').textContent.includes('You are in as Ann. 2 are here.')")
    study.get_by_role("tab", name="Moves").click()
    study.locator("#comment").fill("What if the knight takes?")
    for page in pages:
        until(page, "document.querySelector('#comment').textContent === 'What if the knight takes?'")
    study.get_by_role("tab", name="Class").click()
    study.locator("#askmove").fill("c3-d5")
    study.get_by_role("button", name="Ask how likely").click()
    for page, guess in zip(pages, (30, 50), strict=True):
        page.locator("#question input[type=range]").wait_for()
        assert "Exactly" not in page.locator("#question").inner_text()
        page.locator("#question input[type=range]").fill(str(guess))
        page.get_by_role("button", name="Answer").click()
        until(page, "document.querySelector('#question').textContent.includes('was counted')")
    until(study, "document.querySelector('#pane-class').textContent.includes('2 of 2 have answered')")
    assert study.locator("#pane-class .bars2").count() == 0, "the screen may be on a wall"
    study.get_by_role("button", name="Show the answers").click()
    assert study.locator("#pane-class .bars2").get_attribute("aria-label").count(": 1") == 2
    assert findings(study) == []
    for page in pages:
        until(page, "document.querySelector('#question').textContent.includes('Exactly 50%.')")
        assert "The median of the answers is 40%." in page.locator("#question").inner_text()
        assert not page.evaluate(OVERFLOWS)
    assert findings(pages[0]) == []
    study.reload()
    until(study, "Boolean(document.querySelector('qc-viewer').table?.state)")
    study.get_by_role("tab", name="Class").click()
    study.get_by_role("button", name="Continue your class").click()
    until(study, "document.querySelector('#pane-class').textContent.includes('2 students are here')")


def test_a_student_types_the_code_from_the_wall_waits_and_answers_by_large_buttons(study, visit, server):
    made = study.request.post(server.url + "/api/classes", data={"title": "Monday"}).json()
    page = visit("/class", **PHONE)
    assert findings(page) == []
    page.get_by_label("The code of the class").fill(made["name"].upper())
    page.get_by_role("button", name="Come in").click()
    page.wait_for_url(f"**/class/{made['name']}")
    comes_in(page, "Ann")
    waits = "Waiting for the teacher. You are in as Ann. Nobody else is here yet."
    until(page, f"document.querySelector('#waiting').textContent.trim() === {json.dumps(waits)}")
    assert findings(page) == []
    page.reload()
    until(page, f"document.querySelector('#waiting').textContent.trim() === {json.dumps(waits)}")
    study.evaluate(
        "(opened) => sessionStorage.setItem('qchess-teaches', JSON.stringify(opened))",
        {"name": made["name"], "key": made["key"]},
    )
    study.reload()
    until(study, "Boolean(document.querySelector('qc-viewer').table?.state)")
    study.get_by_role("tab", name="Class").click()
    study.get_by_role("button", name="Continue your class").click()
    study.locator("#asktext").fill("Who stands better?")
    study.locator("#askchoices").fill("White\nBlack\nNobody")
    study.get_by_role("button", name="Ask to choose").click()
    for choice in ("White", "Black", "Nobody"):
        box = page.get_by_role("button", name=choice).bounding_box()
        assert box["height"] >= 56
        assert box["width"] > 300
        assert box["y"] + box["height"] <= 664, "seen without scrolling"
    assert findings(page) == []
    page.get_by_role("button", name="Black").click()
    until(page, "document.querySelector('.choices [aria-pressed=true]')?.textContent === 'Black'")
    assert findings(page) == []


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
def test_the_code_fills_the_screen_and_escape_takes_it_away(study, width, height):
    is_alone = width == 1366  # the tests' server is bound to this computer alone; once it says that it is not
    if not is_alone:
        study.route("**/api/address", lambda route: route.fulfill(json={"address": "http://10.0.0.7:8421"}))
    study.set_viewport_size({"width": width, "height": height})
    code = opened_class(study).rpartition("/")[2]
    alone = study.get_by_text("Only this computer can open this link")
    alone.wait_for(state="attached" if is_alone else "detached")
    study.get_by_role("button", name="Show the code").click()
    wall = study.get_by_role("dialog")
    text = wall.locator(".wallcode")
    assert text.inner_text() == code.upper()
    assert float(text.evaluate("text => parseFloat(getComputedStyle(text).fontSize)")) > height / 4
    assert text.evaluate("text => text.scrollWidth <= text.clientWidth")
    if not is_alone:
        study.get_by_text("10.0.0.7:8421/class").last.wait_for()
        assert wall.get_by_role("img").get_attribute("aria-label").endswith(f"http://10.0.0.7:8421/class/{code}")
    assert "/class" in wall.inner_text()
    assert "Nobody is here yet." in wall.inner_text()
    assert findings(study) == []
    study.keyboard.press("Escape")
    wall.wait_for(state="detached")
    assert study.evaluate("document.activeElement.textContent") == "Show the code"


# -- watching ----------------------------------------------------------------------------------------------------


async def given_up(server, made):
    """White gives up."""
    async with Player(server.url, made["game"], made["seats"]["white"]) as white:
        await white.act("resign")
        await white.until("state")


def test_who_looks_on_sees_an_analysis_line_of_an_ended_game_and_who_plays_does_not(visit, server):
    import urllib.request

    order = json.dumps({"game": "quantum-chess", "preset": "duel"}).encode()
    request = urllib.request.Request(server.url + "/api/tables", order, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        made = json.load(answer)
    for form, begin in (("html", b"<!doctype html>"), ("moving.svg", b"<svg")):
        address = f"{server.url}/api/tables/{made['game']}/record.{form}"
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            assert answer.read().startswith(begin)
            assert answer.headers["content-disposition"].startswith("attachment")
    player = visit(made["play"]["white"])
    player.locator("qc-board [data-square]").first.wait_for()
    assert player.locator("#analysis").is_hidden()
    watcher = visit(made["watch"])
    watcher.get_by_role("button", name="Analyse this position").click()
    watcher.locator("#analysis .line").get_by_text("not available while people are playing").wait_for()
    apart(given_up(server, made))
    watcher.get_by_role("button", name="Analyse this position").click()
    watcher.locator("#analysis .line li").first.wait_for()
    assert watcher.evaluate("document.querySelector('qc-board').arrows.length") > 0
    watcher.get_by_role("tab", name="Circuit").click()
    watcher.locator("qc-circuit svg").first.wait_for()


# -- for everybody -----------------------------------------------------------------------------------------------


def test_the_pages_for_teaching_have_no_serious_findings_of_axe(visit, study):
    for name in ("Moves", "Set up", "Circuit", "Class", "More"):
        study.get_by_role("tab", name=name).click()
        if name == "Circuit":
            study.locator("qc-circuit .step").first.wait_for()
        if name == "Set up":
            study.locator("#setup summary").click()
        assert findings(study) == [], name
    learn, lesson = visit("/learn"), visit("/learn/quantum-chess#split")
    learn.get_by_role("link", name="One knight in two places").wait_for()
    lesson.locator("#task .choices button").first.wait_for()
    assert findings(learn) == findings(lesson) == []


def test_the_panel_of_a_study_keeps_its_size_and_the_board_is_as_large_as_at_a_table(study):
    side = "document.querySelector('qc-viewer').shadowRoot.querySelector('.side').getBoundingClientRect().toJSON()"
    for width, height, least in ((1440, 900, 760), (1366, 768, 630), (1920, 1080, 940)):
        study.set_viewport_size({"width": width, "height": height})
        board = study.locator("qc-viewer .grid").first  # a picture is drawn anew, the grid stays
        boxes = []
        for tab in study.get_by_role("tab").all():
            tab.click()
            boxes.append((study.evaluate(side), board.bounding_box()))
        assert boxes == boxes[:1] * 5
        assert boxes[0][1]["width"] >= least
    study.get_by_role("tab", name="Moves").focus()
    study.keyboard.press("ArrowRight")
    assert study.locator("#pane-setup").is_visible()
    study.keyboard.press("ArrowLeft")
    for width, height, least in ((390, 844, 390), (360, 740, 360), (390, 664, 310), (768, 1024, 580)):
        study.set_viewport_size({"width": width, "height": height})  # nothing of it scrolls but the inside of the panel
        assert not study.evaluate(f"{OVERFLOWS} || document.documentElement.scrollHeight > innerHeight")
        assert study.locator("qc-viewer .grid").first.bounding_box()["width"] >= least
        study.locator("#tree [aria-current]").scroll_into_view_if_needed()
        box = study.locator("#tree [aria-current]").bounding_box()
        assert study.locator("qc-viewer div.say").bounding_box()["y"] < box["y"] < height - 80


def test_arrows_are_drawn_by_drag_and_students_see_them(study, visit):
    page = visit(opened_class(study))
    comes_in(page, "")
    study.get_by_role("tab", name="Moves").click()

    def drag(start, end, button):
        for name, act in ((start, study.mouse.down), (end, study.mouse.up)):
            box = square(study, name).bounding_box()
            study.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            act(button=button)

    told = "document.querySelector('qc-viewer').board.arrows.map((each) => each.start + each.end).join()"
    drag("c3", "d5", "right")
    study.get_by_role("button", name="Draw arrows").click()
    drag("a3", "b5", "left")
    assert study.evaluate(told) == "c3d5,a3b5"
    until(page, f"{told} === 'c3d5,a3b5'")
    drag("c3", "d5", "right")  # the same one again takes it away
    until(page, f"{told} === 'a3b5'")
