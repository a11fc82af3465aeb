"""The board as a picture, read back as XML."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qchess
from qchess.showing import registers
from qchess.showing.marks import INK, Mark
from qchess.showing.svg import board, spanning
from qchess.showing.svgparts import COLOURS, spots_of
from qchess.showing.svgpieces import PAINT
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


def texts(view: View, kind: str, **options: object) -> list[str]:
    return ["".join(item.itertext()) for item in shapes(view, kind, **options)]


def sides(item: ElementTree.Element) -> list[float]:
    """Where a shape is placed."""
    return [float(number) for number in re.findall(r"-?[0-9.]+", item.get("transform", ""))]


def level(item: ElementTree.Element, picture: str) -> float:
    """Up to where a man is filled, in hundredths of his box from the top."""
    [clipped] = [part for part in item if part.get("clip-path")]
    name = (clipped.get("clip-path") or "")[5:-1]
    return float(re.findall(rf'id="{name}"><path d="M-10 (\S+?)H', picture)[0])


def test_squares_alternate_and_have_their_names_inside_at_the_left_and_below() -> None:
    [dark] = shapes(VIEW, "dark")
    corners = re.findall(r"M(\d+) (\d+)h", dark.get("d", ""))
    assert len(corners) == 6
    assert ("0", "200") in corners  # a1, the lower left
    assert sorted(texts(VIEW, "label")) == sorted("abcd" + "123")
    assert "a" not in texts(replace(VIEW, men={"a1": (Man("R", 0.5),)}), "label", size=200), "a plate needs the room"
    assert not texts(VIEW, "label", size=120)
    assert texts(VIEW, "label", orientation="black")[:2] == ["1", "2"]


def test_a_man_is_filled_to_its_odds_and_small_under_a_tenth() -> None:
    men = {f"{file}1": (Man("N", p),) for file, p in zip("abcde", (1.0, 0.75, 0.5, 0.25, 0.06), strict=True)}
    view = View(5, 1, men)
    picture, drawn = board(view), shapes(view, "man")
    assert [("open" in (man.get("class") or "").split()) for man in drawn] == [False, True, True, True, True]
    levels = [level(man, picture) for man in drawn[1:]]
    assert levels == pytest.approx([81 - p * 73 for p in (0.75, 0.5, 0.25, 0.06)], abs=0.06)
    scales = [sides(man)[2] for man in drawn]
    assert scales[1] == scales[2] == scales[3] == pytest.approx(scales[4] / 0.66, abs=0.002)
    assert texts(view, "plate") == ["75%", "50%", "25%", "6%"]
    assert [man[0].text for man in drawn][:2] == ["N on a1, 100%", "N on b1, 75%"]


def test_small_pictures_have_no_plates_and_the_men_their_plinths() -> None:
    assert not shapes(VIEW, "plate", size=130)
    [man] = shapes(View(8, 8, {"a1": (Man("N", 0.5),)}), "man", size=200)
    assert next(part.get("href") for part in man if part.get("href")) == "#qcN"


def test_plates_have_the_colour_and_shape_of_the_register_for_life() -> None:
    looks = [(item.get("fill"), len([part for part in item if part.get("class") == "shape"])) for item in
             shapes(VIEW, "plate")]  # fmt: skip
    assert looks == [("#56B4E9", 1), ("#E69F00", 1), ("#E69F00", 1), ("#56B4E9", 0)]
    later = replace(VIEW, registers=(4, 6))
    assert [item.get("fill") for item in shapes(later, "plate")] == ["#E69F00", "#0072B2", "#0072B2", "#E69F00"]
    assert registers.PATHS[1] in board(later), "the seventh has the first colour with the second shape"
    assert "white" in (shapes(later, "plate")[1].get("class") or "").split()
    alone = replace(VIEW, groups=(("a3", "c3"),))
    assert not shapes(alone, "shape"), "the only register needs no shape"
    assert next(item.get("fill") for item in shapes(alone, "plate")) == registers.PLAIN.colour


@pytest.mark.parametrize("background", [*registers.COLOURS])
def test_what_stands_on_a_register_can_be_read(background: str) -> None:
    ink = registers.INKS[registers.COLOURS.index(background)]
    light, dark = sorted(map(_luminance, (background, ink)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) > 4.5


def test_pictures_and_the_web_board_have_the_same_colours() -> None:
    static = Path(qchess.__file__).parent / "web" / "static"
    web, sheet = ((static / name).read_text(encoding="utf-8") for name in ("colours.js", "boardlook.js"))
    told = {name: re.findall(r"#\w{6}", found) for name, found in re.findall(r"export const (\w+) = (.+?);", web)}
    assert told["REGISTER_COLOURS"] == list(registers.COLOURS)
    assert told["REGISTER_INKS"] == list(registers.INKS)
    assert told["PLAIN"] == [registers.PLAIN.colour, registers.PLAIN.ink]
    assert told["MARK_COLOURS"] == list(INK.values())
    for style, names in COLOURS.items():
        theme = r":host\{" if style == "light" else "DARK = `"
        [found] = re.findall(theme + r"--light:(\S+?);--dark:(\S+?);--labellight:(\S+?);--labeldark:(\S+?);"
                             r"--last:(\S+?);--lasting:(\S+?);", sheet)  # fmt: skip
        assert [re.sub("^#fff$", "#ffffff", one) for one in found] == list(names[:6])
    assert all(f"--own:{own};--far:{far};--glass:{glass}" in sheet for own, far, glass in [*PAINT.values()][:2])


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_phases_and_links_are_drawn_on_request_only() -> None:
    assert not shapes(VIEW, "dial")
    assert not shapes(VIEW, "link")
    assert len(shapes(VIEW, "dial", phases=True)) == 2
    assert len(shapes(VIEW, "shape", phases=True)) == 1, "a dial takes the place of the shape"
    assert "phase" in texts(VIEW, "note", phases=True)[-1]
    assert "phase 0.25 of a turn" in board(VIEW, phases=True)
    strong, weak = (float(item.get("stroke-opacity", "0")) for item in shapes(VIEW, "linked", links=True))
    assert strong > 1.6 * weak > 0
    signed = replace(VIEW, signs={("a3", "c3"): -1, ("b1", "d2"): 1})
    assert [len(shapes(signed, kind, links=True)) for kind in ("either", "together")] == [1, 1]
    assert "<title>b1 and d2: 20%</title>" in board(VIEW, links=True)


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


def test_of_many_links_the_strongest_are_kept() -> None:
    men = {name: (Man("N", 0.25),) for name in ("a1", "b1", "c1")}
    view = View(3, 1, men, (("a1", "b1", 0.9), ("a1", "c1", 0.2), ("b1", "c1", 0.8)), groups=(("a1", "b1", "c1"),))
    assert texts(view, "linked", links=True) == ["a1 and b1: 90%", "b1 and c1: 80%"]


def test_the_squares_of_the_last_move_are_yellow_each_once() -> None:
    found = {(item.get("x"), item.get("y")) for item in shapes(VIEW, "last")}
    assert len(shapes(VIEW, "last")) == len(found) == 5  # a3, c3, b1, a1, a2


@given(st.floats(0, 1, allow_subnormal=False), st.integers(1, 4), st.sampled_from([150, 200, 300, 700]))
def test_plates_stay_inside_their_square_and_read_as_percent(probability: float, men: int, size: int) -> None:
    view = View(4, 1, {"b1": tuple(Man("N", probability) for _ in range(men))}, groups=(("b1",), ("c1",)))
    for item in shapes(view, "plate", size=size):
        box = next(item.iter(f"{SVG}rect"))
        x, width = float(box.get("x", "")), float(box.get("width", ""))
        assert 0 <= x <= x + width <= 100
        assert float(box.get("y", "")) + float(box.get("height", "")) < 100
        for text in item.iter(f"{SVG}text"):
            assert re.fullmatch(r"(<1|>99|[1-9]\d?)%|\+[23]", "".join(text.itertext()))


def test_a_man_may_say_whose_he_is_whatever_his_letter() -> None:
    view = View(2, 1, {"a1": (Man("N", player="black"),), "b1": (Man("N", player="red"),)}, players=("red", "black"))
    assert [item.get("class") for item in shapes(view, "man")] == ["man second", "man first red"]


def test_two_men_on_a_square_have_one_plate_and_of_more_the_likeliest_is_told() -> None:
    [_, _, _, plate] = texts(VIEW, "plate")
    assert plate == "88%13%"
    assert "<title>b on d2, 13%</title>" in board(VIEW)
    for men, told in ((3, "40%+2"), (4, "40%+3")):
        some = tuple(Man(letter, p) for letter, p in zip("xyzw", (0.3, 0.4, 0.2, 0.1), strict=True))[:men]
        view = View(1, 1, {"a1": some})
        assert texts(view, "plate") == [told]
        boxes = [sides(man) for man in shapes(view, "man")]
        assert len({(x, y) for x, y, _ in boxes}) == men, "no man stands on another"
        assert all(-5 <= x <= x + 100 * scale < 105 for x, _, scale in boxes)


def test_marks_of_pairs_are_pointers_at_the_upper_left() -> None:
    view = View(2, 1, {"b1": (Man("N", 0.5, mark=Mark("red", 90)),)})
    [pointer] = shapes(view, "pointer")
    assert pointer[0].text == "red mark"
    x, y, degrees, _ = sides(pointer)
    assert 100 < x < 130
    assert (y < 30, degrees) == (True, 90)


def test_chess_pieces_are_drawn_and_other_men_are_lettered() -> None:
    assert texts(VIEW, "letters") == ["XS", "XS"]  # above the level and below it
    for symbol in "KQRBNPkqrbnp":
        assert f'id="qc{symbol.upper()}"' in board(View(1, 1, {"a1": (Man(symbol),)}))
    one, many = (board(View(8, 1, {f"{file}1": (Man("N"),) for file in files})) for files in ("a", "abcdefgh"))
    assert many.count('id="qcN"') == 1, "a shape is drawn once"
    assert len(many) < len(one) + 2500


def test_marks_have_their_number_beside_them() -> None:
    view = View(2, 1, {"a1": (Man("X₁", 0.5, player="x"),), "b1": (Man("O₂", player="o"),)}, players=("x", "o"),
                drawings="marks")  # fmt: skip
    assert {*texts(view, "beside")} == {"₁", "₂"}
    assert all(f'id="{name}"' in board(view) for name in ("qmXb", "qmO"))


def test_black_sees_the_board_from_the_other_side() -> None:
    alone = View(2, 2, {"a1": (Man("K"),)})
    places = [sides(shapes(alone, "man", orientation=side)[0])[:2] for side in ("white", "black")]
    assert places == [[2.5, 103.5], [102.5, 3.5]]


def test_text_is_escaped() -> None:
    assert shapes(VIEW, "note")[0].text == "a < b & c"
    assert texts(View(1, 1, {"a1": (Man("<&"),)}), "letters") == ["<&"]


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
    assert picture.count('class="last"') == 3
