"""The board in a notebook, both of its sides, without Jupyter."""

import copy
import random
from typing import Any

import pytest

import qchess
from qchess.errors import QchessError
from qchess.games import names
from qchess.web import work
from qchess.web.studies import inlining, telling
from tests.patience import PATIENCE, wait_until
from tests.web.foreign import KNIGHT, LINE, SAID, foreign
from tests.web.hands import STAYS
from tests.web.study_page import ADDRESS

pytest.importorskip("anywidget", reason="needs the extra `notebooks`")

#: a game whose questions a device answers that has strange names
ON_A_DEVICE = pytest.mark.parametrize("game", [{"backend": foreign(), **KNIGHT}], indirect=True)


class Notebook:
    """Stands where a notebook would: hears what a widget sends, and hands in what a page says."""

    def __init__(self, widget: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.widget = widget
        self.heard: list[dict[str, Any]] = []
        monkeypatch.setattr(widget, "send", lambda content, buffers=None: self.heard.append(content))

    def says(self, **content: Any) -> None:
        """A message of the page, as a kernel hands it in."""
        message = {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}
        self.widget._handle_msg(message)


@pytest.fixture
def game(request):
    return qchess.new(seed=1, **getattr(request, "param", {}))


@pytest.fixture
def notebook(game, monkeypatch):
    return Notebook(game.widget(), monkeypatch)


# -- the side of Python ----------------------------------------------------------------------------------------


def test_a_click_plays_in_the_game_and_the_state_follows(game, notebook):
    notebook.says(kind="move", ply=0, text="b1^a3c3")
    assert [played.text for played in game.history] == ["b1^a3c3"]
    assert notebook.widget.state["ply"] == 1
    assert notebook.widget.state["history"][0]["text"] == "b1^a3c3"
    assert notebook.heard == []


def test_whatever_happens_in_python_is_on_the_board(game, notebook):
    game.play("b1^a3c3")
    assert notebook.widget.state["view"]["men"]["a3"][0]["probability"] == pytest.approx(0.5)
    game.undo()
    assert (notebook.widget.state["ply"], notebook.widget.state["player"]) == (0, "white")
    game.resign()
    assert notebook.widget.state["result"]["winner"] == "black"
    assert notebook.widget.state["moves"] == []


@ON_A_DEVICE
def test_what_a_device_measured_is_told_with_its_move(game, notebook):
    for text in LINE:
        notebook.says(kind="move", ply=len(game.history), text=text)
    told = [entry.get("shots") for entry in notebook.widget.state["history"]]
    assert told[:2] == [None, None]
    assert [one["line"] for one in told[2]] == [SAID]


def test_what_cannot_be_played_is_refused_with_a_sentence_and_changes_nothing(game, notebook):
    before = notebook.widget.state
    notebook.says(kind="move", ply=0, text="e2-e5")
    notebook.says(kind="odds", ply=3, square="b1")
    notebook.says(kind="dance")
    assert [answer["kind"] for answer in notebook.heard] == ["refused"] * 3
    assert all(answer["why"] for answer in notebook.heard)
    assert notebook.widget.state == before
    assert not game.history


def test_the_page_is_told_odds_outcomes_positions_circuits_and_registers(game, notebook, monkeypatch):
    monkeypatch.setattr(work, "ODDS_SECONDS", PATIENCE)
    game.play("b1^a3c3")
    game.play("d7-d5")
    notebook.says(kind="odds", ply=2, square="c3")
    notebook.says(kind="preview", ply=2, text="c3-d5")
    notebook.says(kind="look", ply=1)
    notebook.says(kind="circuit", of="move", ply=1, level="aware")
    notebook.says(kind="register", ply=2, square="a3")
    odds, preview, position, circuit, register = notebook.heard
    capture = next(move for move in odds["moves"] if move["to"] == ["d5"])
    assert [chance["probability"] for chance in capture["chances"]] == [0.5, 0.5]
    assert [way["probability"] for way in preview["outcomes"]] == [0.5, 0.5]
    assert position["view"]["marked"]
    assert (circuit["level"], circuit["counts"]["aware"]["two-qubit gates"]) == ("aware", 1)
    assert register["squares"] == ["a3", "c3"]
    assert len(game.history) == 2, "looking plays nothing"


def test_a_computer_player_answers_each_move(game, monkeypatch):
    notebook = Notebook(game.widget(black="random"), monkeypatch)
    assert notebook.widget.state["you"] == "white"
    notebook.says(kind="move", ply=0, text="e2-e4")
    assert len(game.history) == 2
    assert notebook.widget.state["player"] == "white"


def test_a_computer_player_begins_where_it_is_first(game, monkeypatch):
    assert game.widget(white="random", below="black").state["ply"] == 1


def test_nobody_plays_for_who_is_not_there(game):
    with pytest.raises(QchessError, match="players of quantum-chess are white, black"):
        game.widget(red="random")


def test_a_closed_widget_no_longer_follows_the_game(game, notebook):
    notebook.widget.close()
    game.play("e2-e4")
    assert notebook.widget.state["ply"] == 0


@pytest.mark.parametrize("name", names())
def test_a_game_of_every_kind_is_played_by_messages(name, monkeypatch):
    game, dice = qchess.new(name, seed=2), random.Random(2)
    notebook = Notebook(game.widget(), monkeypatch)
    while len(game.history) < 8 and not game.is_over:
        moves = notebook.widget.state["moves"]
        text = dice.choice(moves)["text"] if moves else dice.choice(game.moves())
        notebook.says(kind="move", ply=len(game.history), text=text)
    assert notebook.heard == []
    assert notebook.widget.state["ply"] == len(game.history)


# -- the side of the page --------------------------------------------------------------------------------------

#: a notebook's model with the methods that the module uses; the kernel is a function of this process
MODEL = """async ({state, drawings}) => {
  const hears = {};
  const values = {state, drawings};
  const fire = (name, ...told) => (hears[name] ?? []).forEach((call) => call(...told));
  window.model = {
    get: (name) => values[name],
    on: (name, call) => (hears[name] ??= []).push(call),
    off: (name, call) => { hears[name] = (hears[name] ?? []).filter((other) => other !== call); },
    send: (message) => window.kernel(message),
  };
  window.arrives = (message) => fire('msg:custom', message);
  window.changes = (state) => { values.state = state; fire('change:state'); };
  const widget = (await import('/widget.mjs')).default;
  window.leave = widget.render({model: window.model, el: document.querySelector('main')});
}"""


@pytest.fixture
def page(browser, game):
    """A page with the widget in it, whose messages go to a real widget in this process."""
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.set_default_timeout(1000 * PATIENCE)
    page.add_init_script(STAYS)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.route("**/*", lambda route: route.fulfill(body="<!doctype html><main></main>", content_type="text/html"))
    page.route(
        "**/widget.mjs", lambda route: route.fulfill(body=inlining.module("widget"), content_type="text/javascript")
    )
    page.goto(f"{ADDRESS}/notebook")
    widget = game.widget()
    sent: list[dict] = []
    widget.send = lambda content, buffers=None: sent.append(content)

    def kernel(message):
        widget._handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})

    page.expose_function("kernel", kernel)
    page.sent, page.widget, page.known = sent, widget, widget.state
    page.evaluate(MODEL, {"state": widget.state, "drawings": widget.drawings})
    yield page
    assert page.errors == []
    page.close()


SHOWN = "document.querySelector('qc-viewer').shadowRoot"


def pass_on(page, until="true"):
    """Hands what the kernel said and what changed to the page, as a notebook does by itself, until something holds."""
    wait_until(lambda: _passed_on(page, until), until)


def _passed_on(page, until):
    while page.sent:
        page.evaluate("(message) => window.arrives(message)", page.sent.pop(0))
    if page.widget.state != page.known:
        page.known = page.widget.state
        page.evaluate("(state) => window.changes(state)", page.known)
    return page.evaluate(until)


def square(page, name):
    return page.locator("qc-viewer qc-board").first.locator(f'[data-square="{name}"]')


@pytest.mark.slow
def test_a_knight_is_split_by_clicks_in_the_notebook(page, game):
    page.get_by_role("radio", name="Split").click()
    for name in ("b1", "a3", "c3"):
        square(page, name).click()
    pass_on(page, f"{SHOWN}.querySelectorAll('.ply').length === 1")
    assert [played.text for played in game.history] == ["b1^a3c3"]
    assert "half" in square(page, "c3").get_attribute("aria-label") or "50" in square(page, "c3").get_attribute(
        "aria-label"
    )
    assert page.locator("qc-viewer .ply .brief").all_inner_texts() == ["a3 or c3"]


@pytest.mark.slow
def test_the_widget_lies_on_paper_and_takes_the_theme_of_jupyterlab(page):
    paper = "getComputedStyle(document.querySelector('qc-viewer')).backgroundColor"
    assert page.evaluate(paper) == "rgb(245, 243, 239)"
    page.evaluate(
        "document.body.dataset.jpThemeLight = 'false'; window.leave(); document.querySelector('main').replaceChildren()"
    )
    page.evaluate(MODEL, {"state": page.widget.state, "drawings": page.widget.drawings})
    assert page.evaluate(paper) == "rgb(20, 23, 28)"
    assert page.locator("qc-viewer qc-board").first.get_attribute("theme") == "dark"


@pytest.mark.slow
def test_a_move_made_in_python_comes_to_the_page(page, game):
    game.play("e2-e4")
    pass_on(page)
    assert page.locator("qc-viewer .sentence").inner_text().startswith("White plays pawn e2 to e4.")
    assert "pawn" in square(page, "e4").get_attribute("aria-label")


@pytest.mark.slow
@ON_A_DEVICE
def test_the_shots_of_a_device_are_opened_in_the_notebook(page, game):
    shots = page.locator("qc-viewer .shots")
    for text in LINE:
        assert not shots.is_visible()
        game.play(text)
        pass_on(page)
    assert shots.locator("summary").inner_text() == SAID  # foreign names are text
    shots.locator("summary").press("Enter")
    rows = [row.split() for row in shots.locator("tbody tr").all_inner_texts()]
    assert sum(int(row[-1]) for row in rows) == 100
    page.keyboard.press(",")
    pass_on(page, f"{SHOWN}.querySelector('.shots').hidden")
    page.keyboard.press(".")  # the keys are still heard where the line was left
    pass_on(page, f"!{SHOWN}.querySelector('.shots').hidden")


@pytest.mark.slow
@ON_A_DEVICE
def test_a_wide_table_of_shots_does_not_widen_the_notebook(page, game):
    for text in LINE:
        game.play(text)
    state = copy.deepcopy(page.widget.state)
    read = {
        "names": [f"{file}{rank}" for file in "abcdefgh" for rank in "123"],
        "strings": [["01" * 12, 9]],
        "others": 3,
    }
    state["history"][-1]["shots"][0]["circuits"] = [read]
    page.evaluate("(state) => window.changes(state)", state)
    page.locator("qc-viewer .shots summary").click()
    rows = page.locator("qc-viewer .shots tbody tr").all_inner_texts()
    assert [row.split() for row in rows] == [[*"01" * 12, "9"], ["other", "3"]]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_the_circuit_and_the_past_are_looked_at_in_the_notebook(page, game):
    for move in ("b1^a3c3", "e7-e5"):
        game.play(move)
    pass_on(page)
    page.locator("qc-viewer .previous").click()
    page.get_by_text("Circuit", exact=True).click()
    pass_on(page, f"{SHOWN}.querySelector('qc-circuit')?.shown?.ply === 1")
    assert page.locator("qc-circuit .caption").inner_text().startswith("1. White: b1^a3c3")


@pytest.mark.slow
def test_a_widget_that_is_gone_hears_nothing_more(page, game):
    page.evaluate("window.leave()")
    game.play("e2-e4")
    pass_on(page)
    assert page.locator("qc-viewer .ply").count() == 0


def test_the_state_of_a_game_is_plain_json(game):
    import json

    game.play("b1^a3c3")
    assert json.loads(json.dumps(telling.state(game))) == telling.state(game)
