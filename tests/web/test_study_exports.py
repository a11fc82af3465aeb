"""A game taken along: as a page of its own, as a picture, as a picture that moves."""

import json
import re
from xml.etree import ElementTree

import pytest

import qchess
from qchess.__main__ import main
from qchess.errors import InvalidMoveError
from qchess.games import names
from qchess.games.quantum_checkers import pdn
from qchess.games.quantum_chess import pgn
from qchess.web.studies.exports import animated, page
from qchess.web.studies.inlining import InliningError, module, script
from qchess.web.studies.opening import record, records
from tests.web.foreign import KNIGHT, LINE, SAID, foreign

SVG = "{http://www.w3.org/2000/svg}"
PANEL = "document.querySelector('qc-viewer').shadowRoot.querySelector('qc-circuit')"
MOVES = ("b1^a3c3", "d7-d5", "c3-d5.m0", "e7-e6")


@pytest.fixture
def game():
    game = qchess.new(seed=1)
    for move in MOVES:
        game.play(move)
    return game


@pytest.fixture
def kept(game, tmp_path):
    file = tmp_path / "game.json"
    game.save(file)
    return file


# -- a page of its own -------------------------------------------------------------------------------------------


@pytest.fixture
def alone(browser, game, tmp_path):
    """The page, opened from the disk by a browser that is offline."""
    file = tmp_path / "alone.html"
    file.write_text(page(game, "A <b>game</b> & more"), encoding="utf-8")
    context = browser.new_context(offline=True)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    shown = context.new_page()
    asked: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    shown.goto(file.as_uri())
    shown.wait_for_selector("qc-viewer .ply")
    yield shown
    context.close()
    assert errors == []
    assert all(url.startswith(file.as_uri()) for url in asked), f"the page asked for {asked}"


@pytest.mark.slow
def test_a_page_replays_the_game_without_a_server(alone):
    assert alone.title() == "A <b>game</b> & more"
    listed = alone.locator("qc-viewer .ply").evaluate_all("all => all.map((button) => button.dataset.text)")
    assert listed == list(MOVES)
    a3 = alone.locator('qc-board [data-square="a3"]')
    assert a3.get_attribute("aria-label").startswith("a3, white knight")
    assert "," not in a3.get_attribute("aria-label").removeprefix("a3, white knight"), "it was found there"
    alone.locator("qc-viewer .ply").first.click()
    alone.wait_for_function("document.querySelector('qc-viewer').board.view.men.c3?.length === 1")
    assert "50 percent" in a3.get_attribute("aria-label")
    assert alone.locator("qc-viewer .sentence").inner_text().startswith("White plays knight b1 to a3 or c3.")


def test_a_page_has_the_circuits_of_its_moves(alone):
    alone.get_by_text("Circuit", exact=True).click()
    alone.locator("qc-viewer .ply").nth(2).click()
    alone.wait_for_function(f"{PANEL}.shown?.ply === 3")
    assert alone.locator("qc-circuit .ask").count() > 0
    alone.get_by_role("radio", name="Game").click()
    alone.wait_for_function(f"{PANEL}.shown?.of === 'game'")
    alone.get_by_role("radio", name="Register").click()
    alone.wait_for_function(f"{PANEL}.shadowRoot.querySelector('.caption').textContent.includes('qchess web')")


@pytest.mark.slow
def test_a_page_plays_the_game_by_itself(alone):
    alone.get_by_role("button", name="Play the game").click()
    alone.wait_for_function("document.querySelector('qc-viewer').table.shown === 1")
    alone.get_by_role("button", name="Stop").click()


@pytest.mark.parametrize("name", names())
def test_a_page_of_every_game_holds_no_markup_but_its_own_and_no_address(name):
    game = qchess.new(name, seed=2)
    for _ in range(3):
        game.play(game.moves()[0])
    text = page(game)
    assert text.count("</script>") == 2
    assert not re.search(r'(?:src|href)="(?!#)', text.partition("<script")[0])
    values = re.search(r'id="game">(.*?)</script>', text)
    assert values
    assert len(json.loads(values[1])["positions"]) == 4


def test_modules_that_are_not_plain_are_not_put_together_wrongly():
    with pytest.raises((InliningError, FileNotFoundError)):
        script("nothing")
    text = module("widget")
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert len(re.findall(r"^export\b", text, re.MULTILINE)) == 1


@pytest.mark.slow
def test_a_page_shows_the_shots_of_a_device_whose_names_are_markup(browser, tmp_path):
    game = qchess.new(backend=foreign(), seed=1, **KNIGHT)
    for text in LINE:
        game.play(text)
    text = page(game)
    assert text.count("</script>") == 2
    assert "<img" not in text
    file = tmp_path / "alone.html"
    file.write_text(text, encoding="utf-8")
    shown = browser.new_page()
    shown.goto(file.as_uri())
    line = shown.locator("qc-viewer .shots summary")
    assert line.inner_text() == SAID
    line.click()
    assert shown.locator("qc-viewer .shots tbody tr").count() == 2
    shown.locator("qc-viewer .ply").first.click()
    line.wait_for(state="hidden")
    shown.close()


# -- a picture that moves ----------------------------------------------------------------------------------------


def test_a_moving_picture_has_a_frame_for_each_position_and_draws_what_is_common_once(game):
    text = animated(game)
    root = ElementTree.fromstring(text)
    frames = [group for group in root.iter(f"{SVG}g") if group.attrib.get("class") == "frame"]
    assert len(frames) == len(MOVES) + 1
    ids = [item.attrib["id"] for item in root.iter() if "id" in item.attrib]
    assert len(ids) == len(set(ids))
    drawn = set(ids)
    used = {use.attrib["href"][1:] for use in root.iter(f"{SVG}use")} | set(re.findall(r"url\(#(\w+)\)", text))
    assert used == drawn
    from qchess.showing.svg import board

    single = len(board(game.rules.view(game.positions[0])))
    assert len(text) < 3 * single, "five boards in less than the room of three"


@pytest.mark.slow
def test_a_moving_picture_shows_one_position_at_a_time(browser, game, tmp_path):
    file = tmp_path / "game.svg"
    file.write_text(animated(game, seconds=1), encoding="utf-8")
    shown = browser.new_page()
    shown.goto(file.as_uri())
    seen = shown.evaluate(
        """(times) => { const svg = document.documentElement; svg.pauseAnimations();
        return times.map((at) => { svg.setCurrentTime(at);
          return [...svg.querySelectorAll('.frame')].map((f) => getComputedStyle(f).visibility === 'visible'); }); }""",
        [0.1, 1.1, 2.5, 3.9, 4.1, 7.9, 8.1],
    )
    shown.close()
    assert [frames.index(True) for frames in seen] == [0, 1, 2, 3, 4, 4, 0]
    assert all(sum(frames) == 1 for frames in seen)


def test_a_moving_picture_is_not_endless(game):
    with pytest.raises(InvalidMoveError, match=r"0\.1 to 60 seconds for each position, got 0"):
        animated(game, seconds=0)


# -- the command and what it opens ---------------------------------------------------------------------------------


def test_the_command_writes_what_is_asked_for_and_overwrites_nothing(kept, tmp_path, capsys):
    html, picture, moving = (tmp_path / name for name in ("a.html", "a.svg", "b.svg"))
    command = ["export", str(kept), "--html", str(html), "--svg", str(picture), "--animated", str(moving)]
    assert main([*command, "--ply", "1", "--from", "black"]) == 0
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert "animate" in moving.read_text(encoding="utf-8")
    assert str(html) in capsys.readouterr().out
    before = html.read_bytes()
    assert main(command) == 2
    assert "exists already" in capsys.readouterr().err
    assert html.read_bytes() == before


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([], "choose a form"),
        (["--ply", "9"], "0 to 4"),
        (["--from", "red"], "seen from"),
        (["--size", "1"], "40 to 8000"),
    ],
)
def test_the_command_says_what_is_wrong_and_writes_nothing(kept, tmp_path, capsys, wrong, why):
    file = tmp_path / "x.svg"
    assert main(["export", str(kept), *wrong, *(["--svg", str(file)] if wrong else [])]) == 2
    assert why in capsys.readouterr().err
    assert not file.exists()


def test_a_png_comes_from_the_command_too(kept, tmp_path):
    pytest.importorskip("resvg_py", reason="needs the extra `png`")
    file = tmp_path / "x.png"
    assert main(["export", str(kept), "--png", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_records_and_pgn_are_opened_and_what_is_neither_is_refused(game):
    assert record(game.record().to_json()).moves() == MOVES
    both = pgn.dumps(game.record()) + "\n" + pgn.dumps(game.record())
    assert [each.moves() for each in records(both)] == [MOVES, MOVES]
    for wrong in ("", "hello", "{}", "[Event"):
        with pytest.raises(ValueError, match=r"expected"):
            record(wrong)
    with pytest.raises(InvalidMoveError, match="the number of the game"):
        record(both, 3)
    checkers = qchess.new("quantum-checkers", seed=1)
    checkers.play(checkers.moves()[0])
    assert record(pdn.dumps(checkers)).moves() == checkers.record().moves()
