"""What the marks on a board say: how full a piece is, its plate, who belongs together, where it can go."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.games import names
from qchess.showing import viewjson
from tests.web.conftest import odds_of, view_of
from tests.web.test_browser_board import before_capture, cell, named

Open = Callable[..., Any]
POSITIONS = json.loads((Path(__file__).parents[2] / "docs" / "pictures" / "positions.json").read_text(encoding="utf-8"))
#: what is open and written in percent, in the words of the issue
PERCENT = re.compile(r"^(<1|>99|[1-9]\d?)%$")
#: shows a View, and tells what is drawn in the end
DRAWN = """async (set) => { const board = document.querySelector('qc-board'); Object.assign(board, set);
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const art = board.shadowRoot.querySelector('.art'), all = (what, root = art) => [...root.querySelectorAll(what)];
const told = (node, name) => node?.getAttribute(name) ?? '';
const words = (what, root) => all(what, root).map((each) => each.textContent);
const plate = (it) => ({register: Number(it.dataset.register), colour: told(it, 'fill'), texts: words('text', it),
  shape: told(it.querySelector('path'), 'class'), dial: Boolean(it.querySelector('.dial')),
  size: getComputedStyle(it.querySelector('text')).fontSize});
const man = (it) => ({square: it.dataset.man, scale: Number(/scale\\((.*)\\)/.exec(told(it, 'transform'))[1]),
  level: Number(/c([\\d.]+)/.exec(told(it.querySelector('[clip-path]'), 'clip-path'))?.[1] ?? 0)});
return {bytes: art.innerHTML.length, text: art.textContent, plates: all('.plate').map(plate),
  men: all('[data-man]').map(man),
  labels: all('[aria-label]', board.shadowRoot).map((each) => told(each, 'aria-label')).join('\\n'),
  numbers: words('.plate text, .pill text, .alarm text'), tags: words('.tag'), pills: words('.pill'),
  alarms: words('.alarm'),
  tints: all('.tint').length, dots: all('.dot').map((each) => told(each, 'class').slice(4)),
  labelled: all('.labels text').length, links: all('.link').length}; }"""


#: all that is written on a page, on its boards too; a drawing's text is read whole, since its sign stands apart.
#: The odds of registers and of answers have a decimal, and circuits have angles.
WRITTEN = """() => { const found = [];
const read = (node) => {
  if (node.nodeType === Node.TEXT_NODE || node.localName === 'text') return found.push(node.textContent);
  if (node.nodeType === Node.ELEMENT_NODE &&
    node.matches('script, style, #pane-odds strong, #provenance, #pane-circuit')) return;
  for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) read(child);
};
read(document.body); return found; }"""


def told_odds(page: Any) -> set[str]:
    """The odds that are written on a page, each of them in whole percent and none as a fraction."""
    texts = page.evaluate(WRITTEN)
    found = {odds for text in texts for odds in re.findall(r"[^\s(|:]*[ \xa0]?%", text)}
    assert [odds for odds in found if not PERCENT.match(odds)] == []
    assert [text for text in texts if re.search(r"[½¼¾⅛α-ω≠]|\b\d/\d|(?<!\d)\.\d", text)] == []
    return found


@cache
def position(name: str) -> dict[str, Any]:
    """The board of a stored position."""
    (found,) = (each for each in POSITIONS if each["name"] == name)
    game = qchess.new(found["game"], seed=1)
    for move in found["moves"]:
        game.play(move)
    return view_of(game)


def view(men: dict[str, list[tuple[str, float]]], **more: Any) -> dict[str, Any]:
    """A board with pieces of White, each with its probability."""
    shown = {
        name: [{"symbol": letter, "player": 0, "probability": p, "phase": 0.25} for letter, p in here]
        for name, here in men.items()
    }
    return {"width": 8, "height": 8, "players": ["white", "black"], "drawings": "chess", "men": shown, **more}


@pytest.fixture
def show(alone: Open) -> Callable[..., Any]:
    """Shows a View on a board of some width, and tells what is drawn."""
    page = alone(qchess.new("quantum-chess", seed=1), set={"playable": False})

    def drawn(shown: Any, width: int = 768, **more: Any) -> Any:
        page.evaluate("(w) => { document.querySelector('qc-board').style.cssText = `width:${w}px`; }", width)
        return page.evaluate(DRAWN, {"view": shown, **more})

    drawn.page = page  # type: ignore[attr-defined]
    return drawn


def test_a_piece_is_filled_to_its_odds_and_small_below_ten_percent(show: Any) -> None:
    odds = (1.0, 0.75, 0.5, 0.25, 0.1, 0.06)
    men = show(view({f"{file}1": [("N", p)] for file, p in zip("abcdef", odds, strict=True)}))["men"]
    assert [man["level"] for man in men[:1]] == [0], "a certain piece has no level"
    for man, p in zip(men[1:], odds[1:], strict=True):
        assert man["level"] == pytest.approx(81 - p * (81 - 8), abs=0.06)
    assert [man["scale"] < 0.7 for man in men] == [False] * 5 + [True]
    style = show.page.evaluate("document.querySelector('qc-board').shadowRoot.querySelector('.men').outerHTML")
    assert "opacity" not in style
    assert "dash" not in style


def test_a_plate_has_the_colour_and_shape_of_its_register_for_36_registers(show: Any) -> None:
    squares = [f"{file}{rank}" for rank in "12345" for file in "abcdefgh"][:36]
    shown = view({name: [("N", 0.5)] for name in squares}, groups=[[name] for name in squares], registers=[*range(36)])
    plates = show(shown)["plates"]
    assert [plate["register"] for plate in plates] == [*range(36)]
    looks = [(plate["colour"], plate["shape"]) for plate in plates]
    assert len(set(looks)) == 36
    assert looks[6] == (looks[0][0], looks[1][1]), "the seventh has the first colour and the second shape"
    assert len({colour for colour, _ in looks}) == len({form for _, form in looks}) == 6


def test_a_shape_is_left_out_where_there_is_one_register_and_a_dial_takes_its_place(show: Any) -> None:
    men = {"b1": [("N", 0.5)], "c3": [("N", 0.5)]}
    for groups, shapes in (([["b1", "c3"]], ["", ""]), ([["b1"], ["c3"]], ["disc", "triangle"])):
        plates = show(view(men, groups=groups))["plates"]
        assert [(plate["shape"], plate["dial"]) for plate in plates] == [(form, False) for form in shapes]
    assert all(plate["dial"] for plate in show(view(men, groups=[["b1"], ["c3"]]), phases=True)["plates"])


def test_pieces_that_share_a_square_have_one_plate(show: Any) -> None:
    shown = view({"a1": [("P", 0.25), ("B", 0.75)], "c1": [("N", 0.125), ("R", 0.5), ("P", 0.25), ("B", 0.125)]})
    drawn = show(shown)
    assert [plate["texts"] for plate in drawn["plates"]] == [["75%", "25%"], ["50%", "+3"]]
    assert Counter(man["square"] for man in drawn["men"]) == {"a1": 2, "c1": 4}
    assert named(show.page, "a1") == "a1, white bishop 75 percent or white pawn 25 percent"


@pytest.mark.parametrize(("width", "size"), [(768, 14.4), (360, 10), (150, None)])
def test_letters_keep_their_size_and_small_pictures_have_none(show: Any, width: int, size: float | None) -> None:
    drawn = show(position("fourteen"), width=width, plain=width < 200)
    plates = drawn["plates"]
    if size is None:
        assert not plates
        assert drawn["labelled"] == 0
        assert len({man["level"] for man in drawn["men"]}) > 3, "levels are all that tells odds here"
    else:
        on_screen = {round(float(plate["size"].removesuffix("px")) * width / 800, 1) for plate in plates}
        assert on_screen == {size}
        assert drawn["labelled"] == 16 if width > 700 else drawn["labelled"] < 16


def test_a_board_with_25_uncertain_squares_is_about_20_kilobytes(show: Any) -> None:
    drawn = show(position("twentyfive"))
    assert len(drawn["plates"]) == 25
    assert drawn["bytes"] < 22_500


def test_every_number_on_the_board_is_a_percentage(show: Any) -> None:
    """In all six games, over random positions, as players see them."""
    found: set[str] = set()
    for name, game in positions():
        drawn = show(view_of(game))
        texts = drawn["numbers"]
        assert [text for text in texts if not PERCENT.match(text) and not re.fullmatch(r"\+[23]", text)] == [], name
        assert not re.search(r"[½¼¾⅛α-ω≠]|\d/\d", drawn["text"] + drawn["labels"])
        assert not re.search(r"\d ?%", drawn["labels"]), "percent is a word for screen readers"
        found.update(texts)
    assert len(found) > 8


def positions() -> Iterator[tuple[str, Any]]:
    """Some positions of random games of all kinds."""
    for name in names():
        rng = random.Random(f"{name} 4")
        game = qchess.new(name, seed=4)
        for ply in range(24):
            if game.is_over:
                break
            moves = [str(move) for move in game.legal_moves]
            splits = [move for move in moves if "^" in move]
            game.play(rng.choice(splits if splits and ply % 2 else moves))
            if ply % 8 == 7:
                yield name, game


def test_a_register_keeps_its_colour_and_shape_while_it_has_two_squares(show: Any) -> None:
    seen: dict[int, str] = {}
    kept = 0
    for seed in range(3):
        before: dict[frozenset[str], int] = {}
        game, rng = qchess.new("quantum-chess", seed=seed), random.Random(seed)
        for ply in range(30):
            if game.is_over:
                break
            moves = [str(move) for move in game.legal_moves]
            splits = [move for move in moves if "^" in move]
            game.play(rng.choice(splits if splits and ply % 3 == 0 else moves))
            shown = viewjson.view(game.view())
            now = {frozenset(group): shown["registers"][k] for k, group in enumerate(shown["groups"])}
            for squares in now.keys() & before.keys():
                kept += len(squares) > 1
                assert now[squares] == before[squares]
            before = now
            if ply % 6 == 5:
                plates = show(shown)["plates"]
                assert {plate["register"] for plate in plates if plate["register"] >= 0} == set(now.values())
                for plate in plates:
                    assert seen.setdefault(plate["register"], plate["colour"]) == plate["colour"]
    assert kept > 20
    assert len(seen) > 3


def test_links_are_words_on_tinted_squares_of_the_square_that_is_asked_about(show: Any) -> None:
    squares = [f"{file}{rank}" for rank in "123" for file in "abcdef"]
    links = [["a1", "b1", 1, "together"], ["a1", "c1", 1, "either-or"], ["a1", "d1", 0.29, "together"]]
    links += [["a1", name, 0.3 + 0.02 * k, "either-or"] for k, name in enumerate(squares[6:])]
    shown = view({name: [("N", 0.5)] for name in squares}, groups=[squares], links=links)
    assert show(shown)["tints"] == 0, "little at rest"
    cell(show.page, "a1").hover()
    drawn = show(shown)
    assert Counter(drawn["tags"]) == {"and": 1, "or": 1, "or?": 6}
    assert drawn["tints"] == 8
    assert drawn["links"] == 0
    assert show(shown, links="none")["tints"] == 0
    show(shown, links="all")  # curves are loaded when they are first wanted
    show.page.locator("qc-board .link").first.wait_for(state="attached")
    assert show(shown)["links"] == 2 * len(links)
    said = "a1, white knight, 50 percent, or a2, or a3, or b2, or b3, or c1, or c2, or 7 more squares; with knight b1"
    assert named(show.page, "a1") == said


def test_a_target_says_what_happens_there_and_how_likely(alone: Open) -> None:
    game = before_capture()
    page = alone(game)
    cell(page, "f3").click()
    drawn = page.evaluate(DRAWN, {"odds": {"square": "f3", "moves": odds_of(game, "f3")}})
    assert drawn["pills"] == ["50%"]
    assert Counter(drawn["dots"]) == {"take": 1, "go": 4}
    assert "d4, empty, can go here\n" in drawn["labels"]
    game = qchess.new("quantum-chess", fen="7k/8/8/8/8/1N6/8/R3K3 w Q - 0 1")
    for move in ("b3^d2a5", "h8-h7"):
        game.play(move)
    page = alone(game)
    cell(page, "a1").click()
    drawn = page.evaluate(DRAWN, {"odds": {"square": "a1", "moves": odds_of(game, "a1")}})
    assert Counter(drawn["dots"])["part"] == 3, "past the knight on a5 that may be there"
    assert named(page, "a7") == "a7, empty, can go here, a part may stay behind"


def test_merging_shows_phases_by_itself_and_a_key_shows_them(alone: Open) -> None:
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "h7-h6"):
        game.play(move)
    page = alone(game)
    assert not any(plate["dial"] for plate in page.evaluate(DRAWN, {})["plates"])
    cell(page, "e4").press("3")
    assert all(plate["dial"] for plate in page.evaluate(DRAWN, {})["plates"])
    for key, dials in (("1", False), ("p", True), ("p", False)):
        cell(page, "e4").press(key)
        assert {plate["dial"] for plate in page.evaluate(DRAWN, {})["plates"]} == {dials}


def test_a_king_in_danger_has_a_sign_or_the_chance(show: Any) -> None:
    shown = view({"e1": [("K", 1.0)], "g1": [("K", 0.5)]})
    drawn = show(shown, danger={"e1": 1, "g1": 0.25})
    assert drawn["alarms"] == ["!", "25%"]
    assert named(show.page, "e1") == "e1, white king, can be taken"
    assert named(show.page, "g1") == "g1, white king, 50 percent, can be taken with 25 percent"
    assert show(shown, danger={})["alarms"] == []


def test_forced_colours_have_outlines_and_nothing_moves_by_itself(alone: Open) -> None:
    page = alone(before_capture(), forced_colors="active", reduced_motion="reduce")
    cell(page, "f3").click()
    page.evaluate(DRAWN, {})
    outline = "(node) => getComputedStyle(node).outlineStyle"
    assert {cell(page, name).evaluate(outline) for name in ("e5", "d4", "h3")} == {"dashed"}
    assert cell(page, "f3").evaluate(outline) == "solid"
    assert cell(page, "a8").evaluate(outline) == "none"
    assert page.evaluate("document.getAnimations().length") == 0
