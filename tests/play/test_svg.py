"""The board as a picture, read back as XML."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qchess
from qchess.showing.svg import board
from qchess.showing.svglinks import spanning
from qchess.showing.svgparts import spots_of
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


def test_each_file_has_its_letter_once_below_the_board_and_each_rank_its_number_at_the_left() -> None:
    labels = [(item.text, float(item.get("x", "")), float(item.get("y", ""))) for item in shapes(VIEW, "label")]
    assert sorted(text for text, *_ in labels if text) == ["1", "2", "3", "a", "b", "c", "d"]
    spots = spots_of(VIEW, "white")
    lowest = max(spot.y for spot in spots.values()) + 45
    assert all(y > lowest for text, _, y in labels if text and text.isalpha())
    assert all(x < min(spot.x for spot in spots.values()) for text, x, _ in labels if text and text.isdecimal())


def test_a_ring_is_as_long_as_the_probability_and_certain_men_have_none() -> None:
    rings = [item.get("stroke-dasharray", "").split() for item in shapes(VIEW, "ring")]
    parts = sorted(float(length) / float(whole) for length, whole in rings)
    assert parts == pytest.approx([0.25, 0.5, 0.5], abs=1e-3)
    assert float(rings[0][1]) == pytest.approx(2 * math.pi * 20, abs=1e-3)


def test_the_phase_is_the_hue_of_the_ring() -> None:
    strokes = [item.get("stroke", "") for item in shapes(VIEW, "ring")]
    assert [stroke for stroke in strokes if stroke.startswith("hsl")] == ["hsl(90 70% 48%)", "hsl(270 70% 48%)"]


def drawn_links(view: View) -> list[ElementTree.Element]:
    """The links that are always to be seen."""
    return [item for item in shapes(view, "link") if item.get("class") == "link"]


def test_links_are_as_strong_as_the_entanglement() -> None:
    strong, weak = (float(item.get("stroke-opacity", "0")) for item in drawn_links(VIEW))
    assert strong > 1.8 * weak > 0


@given(st.sets(st.tuples(st.integers(0, 15), st.integers(0, 15)).filter(lambda pair: pair[0] < pair[1]), max_size=60))
def test_few_links_hold_together_what_all_of_them_do(pairs: set[tuple[int, int]]) -> None:
    names = [f"{file}{rank}" for rank in range(1, 5) for file in "abcd"]
    links = tuple((names[a], names[b], 0.5) for a, b in sorted(pairs))
    few = spanning(links, spots_of(View(4, 4), "white"))
    everything, kept = networkx.Graph(), networkx.Graph()
    everything.add_edges_from(link[:2] for link in links)
    kept.add_edges_from(link[:2] for link in few)
    assert {frozenset(part) for part in networkx.connected_components(kept)} == {
        frozenset(part) for part in networkx.connected_components(everything)
    }
    assert len(few) == len(everything) - networkx.number_connected_components(everything)


def test_of_many_links_the_strongest_are_kept_and_a_square_under_the_pointer_shows_all_of_its_own() -> None:
    men = {name: (Man("N", 0.25),) for name in ("a1", "b1", "c1")}
    view = View(3, 1, men, (("a1", "b1", 0.9), ("a1", "c1", 0.2), ("b1", "c1", 0.8)), groups=(("a1", "b1", "c1"),))
    assert [item[0].text for item in drawn_links(view)] == ["a1 and b1: 0.9", "b1 and c1: 0.8"]
    shown = {near[0][0].text: len(near) - 1 for near in shapes(view, "near")}
    assert shown == {"a1: N 0.25": 2, "b1: N 0.25": 2, "c1: N 0.25": 2}


def test_groups_have_letters_where_one_must_tell_them_apart() -> None:
    assert [item.text for item in shapes(VIEW, "tag")] == ["α", "α", "β", "β"]
    assert shapes(replace(VIEW, groups=(("a3", "c3", "b1", "d2"),)), "tag") == []


def test_the_colours_of_phases_are_explained_where_there_are_any() -> None:
    assert "phase, in turns:" in board(VIEW)
    assert "phase, in turns:" not in board(View(1, 1, {"a1": (Man("K"),)}))


def test_the_two_ways_of_a_split_on_one_line_bend_apart() -> None:
    view = View(8, 1, arrows=(Arrow("d1", "f1", "split"), Arrow("d1", "h1", "split")))
    near, far = (item.get("d", "") for item in shapes(view, "arrow"))
    above, below = (float(re.findall(r"Q\S+ (\S+)", curve)[0]) - 16 - 22.5 for curve in (near, far))
    assert above * below < 0


def test_heads_of_arrows_are_drawn_after_the_men_and_shafts_before() -> None:
    picture = board(VIEW)
    assert picture.index('class="arrow"') < picture.index('class="man') < picture.index('class="head"')


@given(st.floats(0, 1, allow_subnormal=False), st.integers(1, 3))
def test_odds_stay_inside_their_square(probability: float, men: int) -> None:
    """A digit of the font is at most 0.62 of its size wide."""
    view = View(1, 1, {"a1": tuple(Man("N", probability) for _ in range(men))})
    for item in shapes(view, "odds"):
        size = float(item.get("style", "").removeprefix("font-size:").removesuffix("px"))
        x, y = float(item.get("x", "0")), float(item.get("y", "0"))
        left = top = 16.0
        assert left <= x - 0.62 * size * len(item.text or "") < x <= left + 45
        assert top <= y - 0.6 * size < y + 0.6 * size <= top + 47


def test_a_man_may_say_whose_he_is_whatever_his_letter() -> None:
    view = View(1, 1, {"a1": (Man("N", player="black"),)})
    assert [item.get("class") for item in shapes(view, "man")] == ["man second"]


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
    odds = {item.text for item in shapes(VIEW, "odds")} - {"α", "β"}
    assert odds == {"½", "¼", "⅞"}
    shares = [float(item.get("width", "0")) for item in shapes(VIEW, "bar")]
    assert shares[0] == pytest.approx(7 * shares[1], rel=1e-2)  # the likelier first, and large


def test_men_who_share_a_square_stand_beside_each_other_inside_it() -> None:
    view = View(1, 1, {"a1": tuple(Man(letter, p) for letter, p in zip("xyzw", (0.4, 0.3, 0.2, 0.1), strict=True))})
    root = ElementTree.fromstring(board(view))
    placed = [item for item in root.iter(f"{SVG}g") if item.find(f"{SVG}title") is not None and item.get("transform")]
    shown = [re.findall(r"-?[0-9.]+", item.get("transform", "")) for item in placed]
    boxes = [(float(x), float(y), 45 * float(scale)) for x, y, scale in shown]
    assert len(set(boxes)) == 4
    middles = {(round(x + size / 2), round(y + size / 2)) for x, y, size in boxes}
    assert len(middles) == 4, "no man stands on another"
    corner = spots_of(view, "white")["a1"]
    for x, y, size in boxes:
        assert corner.x - 2 <= x <= x + size <= corner.x + 47
        assert corner.y - 2 <= y <= y + size <= corner.y + 47


def test_the_shares_of_a_square_follow_each_other_and_the_first_ones_is_filled() -> None:
    view = View(1, 1, {"a1": (Man("x", 0.2), Man("y", 0.5), Man("z", 0.3))})
    bars = [(float(b.get("x", "")), float(b.get("width", "")), b.get("style", "")) for b in shapes(view, "bar")]
    for (x, width, _), (following, *_) in pairwise(bars):
        assert following == pytest.approx(x + width, abs=0.02)
    assert [width for _, width, _ in bars] == sorted((width for _, width, _ in bars), reverse=True)
    assert ["fill:none" in style for *_, style in bars] == [False, True, True]


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
    assert shapes(VIEW, "note")[0].text == "a < b & c"
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
