"""The board as a picture, read back as XML."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import qchess
from qchess.showing.svg import board
from qchess.showing.view import Arrow, Man, View
from tests.toygame import Toy

SVG = "{http://www.w3.org/2000/svg}"
VIEW = View(
    width=4,
    height=3,
    men={
        "a1": (Man("R"),),
        "b1": (Man("xs", 0.25),),
        "a3": (Man("N", 0.5, 0.25),),
        "c3": (Man("N", 0.5, 0.75),),
        "d2": (Man("b", 0.125), Man("p", 0.875)),
    },
    links=(("a3", "c3", 1.0), ("b1", "d2", 0.2)),
    arrows=(Arrow("b1", "a3", "split"), Arrow("b1", "c3", "split"), Arrow("a1", "a2")),
    marked=("a3", "c3"),
    groups=(("a3", "c3"), ("b1", "d2")),
    notes=("a < b & c",),
)


def shapes(view: View, kind: str, **options: object) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(board(view, **options))  # type: ignore[arg-type]
    return [item for item in root.iter() if kind in item.get("class", "").split()]


def test_every_square_is_drawn_once_and_alternates() -> None:
    assert len(shapes(VIEW, "light")) == len(shapes(VIEW, "dark")) == 6
    dark = {(item.get("x"), item.get("y")) for item in shapes(VIEW, "dark")}
    assert ("16", "106") in dark  # a1, the lower left, is dark


def test_a_ring_is_as_long_as_the_probability_and_certain_men_have_none() -> None:
    rings = [item.get("stroke-dasharray", "").split() for item in shapes(VIEW, "ring")]
    parts = sorted(float(length) / float(whole) for length, whole in rings)
    assert parts == pytest.approx([0.125, 0.25, 0.5, 0.5, 0.875], abs=1e-3)
    assert float(rings[0][1]) == pytest.approx(2 * math.pi * 20, abs=1e-3)


def test_the_phase_is_the_hue_of_the_ring() -> None:
    strokes = [item.get("stroke", "") for item in shapes(VIEW, "ring")]
    assert [stroke for stroke in strokes if stroke.startswith("hsl")] == ["hsl(90 70% 48%)", "hsl(270 70% 48%)"]


def test_links_are_as_strong_as_the_entanglement() -> None:
    strong, weak = (float(item.get("stroke-opacity", "0")) for item in shapes(VIEW, "link"))
    assert strong > 2 * weak > 0


def test_splits_and_moves_have_arrows_of_their_own_colour() -> None:
    first, second, move = (item.get("stroke") for item in shapes(VIEW, "arrow"))
    assert first == second != move
    assert len(shapes(VIEW, "head")) == 3


def test_groups_are_framed_alike_and_apart_from_each_other() -> None:
    a, c, b, d = (item.get("stroke") for item in shapes(VIEW, "group"))
    assert a == c != b == d


def test_a_square_with_two_men_draws_both_with_their_odds() -> None:
    picture = board(VIEW)
    assert "<title>b on d2: 0.125</title>" in picture
    assert "<title>p on d2: 0.875</title>" in picture
    assert {item.text for item in shapes(VIEW, "odds")} == {"½", "¼", "⅛", "⅞"}


def test_chess_pieces_are_drawn_and_other_men_are_lettered() -> None:
    letters = [item.text for item in shapes(VIEW, "letters")]
    assert letters == ["XS"]
    for symbol in "KQRBNPkqrbnp":
        drawn = shapes(View(1, 1, {"a1": (Man(symbol),)}), "man")
        assert [item.tag for item in drawn] == [f"{SVG}path"]


def test_black_sees_the_board_from_the_other_side() -> None:
    alone = View(2, 2, {"a1": (Man("K"),)})
    places = [re.findall(r"translate\((\S+) (\S+)\)", board(alone, orientation=side)) for side in ("white", "black")]
    assert places == [[("16", "61")], [("61", "16")]]


def test_text_is_escaped() -> None:
    assert [item.text for item in shapes(VIEW, "note")] == ["a < b & c"]
    strange = View(1, 1, {"a1": (Man("<&"),)})
    assert [item.text for item in shapes(strange, "letters")] == ["<&"]


def test_the_style_follows_the_reader_or_is_fixed() -> None:
    assert "prefers-color-scheme:dark" in board(VIEW)
    light, dark = board(VIEW, style="light"), board(VIEW, style="dark")
    assert "prefers-color-scheme" not in light + dark
    assert light != dark


@pytest.mark.parametrize("bad", [{"style": "pink"}, {"orientation": "north"}])
def test_an_unknown_wish_is_an_error_that_names_the_known_ones(bad: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"(auto, light, dark|white or black), got"):
        board(VIEW, **bad)  # type: ignore[arg-type]


def test_drawing_is_pure() -> None:
    before = replace(VIEW)
    assert board(VIEW) == board(VIEW)
    assert before == VIEW


def test_a_notebook_shows_a_game_as_this_picture() -> None:
    game = qchess.Game(Toy(), seed=1)
    game.play("b1^a1c1")
    picture = game._repr_svg_()
    assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
    assert picture.count('class="arrow"') == 2
