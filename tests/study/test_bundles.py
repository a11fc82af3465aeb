"""What a notebook is given of a picture: SVG, the same in pixels, and a sentence."""

from __future__ import annotations

import base64
import cmath
import re
import struct
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import qchess
from qchess import study
from qchess.showing import pixels
from qchess.showing.picture import Picture, labelled, plain, size_of
from qchess.study.subject import StudyError

MOVES = ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5")
SENTENCES = {
    "game": "Quantum Chess after 4 moves, white to move; open squares: a3 50%, b5 25%, d5 25%.",
    "circuit": "A circuit on 5 qubits: x b1, iswap^0.5 b1 a3, iswap b1 c3, iswap^0.5 c3 b5, iswap c3 d5.",
    "board": "A board, the probability that each open square is occupied: a3 50%, b5 25%, d5 25%.",
    "links": "A board, mutual information: a3 and d5 1, a3 and b5 1, b5 and d5 0.623.",
    "bars": "Bars, <two> & more: yes 25%, seen 30%, no 75%.",
    "row": "2 pictures. Bars: a 64%, b 36%. A board, odds: a3 50%, b5 25%, d5 25%.",
}


@pytest.fixture(scope="module")
def game() -> qchess.Game[Any, Any]:
    game = qchess.new("quantum-chess", seed=1)
    for move in MOVES:
        game.play(move)
    return game


@pytest.fixture(scope="module")
def drawn(game: qchess.Game[Any, Any]) -> dict[str, Any]:
    return {
        "game": game,
        "circuit": game.circuit(),
        "board": study.board(game, size=200),
        "links": study.entangled_board(game, size=200),
        "bars": study.bars({"yes": 0.25, "no": 0.75}, {"yes": 0.3}, title="<two> & more"),
        "row": study.beside(study.bars({"a": 0.8 + 0j, "b": 0.6j}), study.board(game, title="odds", size=200)),
    }


def head(svg: str) -> dict[str, str]:
    return ElementTree.fromstring(svg).attrib


def png_size(told: str) -> tuple[int, int]:
    data = base64.b64decode(told)
    assert data.startswith(b"\x89PNG")
    wide, high = struct.unpack(">II", data[16:24])
    return wide, high


def test_a_picture_is_told_as_svg_in_pixels_and_in_words(drawn: dict[str, Any]) -> None:
    pytest.importorskip("resvg_py", reason="needs the extra `png`")
    for name, picture in drawn.items():
        told, how = picture._repr_mimebundle_()
        assert told["text/plain"] == SENTENCES[name]
        assert head(told["image/svg+xml"])["aria-label"] == SENTENCES[name]
        assert head(told["image/svg+xml"])["role"] == "img"
        wide, high = size_of(told["image/svg+xml"])
        assert png_size(told["image/png"])[0] == round(1.25 * round(wide))
        size = {"width": round(wide), "height": round(high)}
        assert how == {"image/png": {**size, "alt": SENTENCES[name]}, "image/svg+xml": {"alt": SENTENCES[name]}}


def test_a_plot_says_its_titles_axes_and_bars(game: qchess.Game[Any, Any]) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    plots = {
        "Plot: 3 branches on 3 squares, probability, a3 0.5, b5 0.25, d5 0.25.": study.amplitudes(game),
        "Plot: gates, a 3, b 4.5.": study.counts({"a": 3, "b": 4.5}, title="gates"),
        "Plot: t, y over x, with p, q.": study.curves(
            {"p": ([1, 2], [3, 4])}, {"q": ([1], [2])}, title="t", across="x", up="y"
        ),
    }
    for words, plot in plots.items():
        told, _ = plot._repr_mimebundle_()
        assert told["text/plain"] == repr(plot) == head(plot.svg())["aria-label"] == words
        assert png_size(told["image/png"])[0] > 300


def test_the_widget_has_a_picture_beside_the_live_board(game: qchess.Game[Any, Any]) -> None:
    pytest.importorskip("anywidget", reason="needs the extra `notebooks`")
    pytest.importorskip("resvg_py", reason="needs the extra `png`")
    board = game.fork().widget()
    told, _ = board._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in told
    assert told["text/plain"] == f"A board to play on. {SENTENCES['game']}"
    assert {"image/png", "image/svg+xml"} <= told.keys()
    board.close()


def test_without_the_package_for_pixels_a_picture_is_svg_and_words(
    drawn: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pixels, "available", lambda: False)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert {*drawn["bars"]._repr_mimebundle_()[0]} == {"image/svg+xml", "text/plain"}
    with pytest.raises(qchess.QchessError, match="a PNG needs the package resvg-py"):
        drawn["bars"].save(tmp_path / "a.png")


def test_a_picture_is_saved_in_the_form_that_the_name_says(drawn: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="needs the extra `png`")
    bars: Picture = drawn["bars"]
    assert bars.save(tmp_path / "a.svg").read_text(encoding="utf-8") == bars.svg
    assert bars.save(str(tmp_path / "a.png")).read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"a picture is saved as \.svg or \.png, got 'a\.gif'"):
        bars.save(tmp_path / "a.gif")


def test_outside_of_a_notebook_a_picture_is_shown_by_the_browser(
    drawn: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    drawn["bars"].show()
    file = Path(opened[0].removeprefix("file://"))
    assert file.read_text(encoding="utf-8") == drawn["bars"].svg
    file.unlink()


def test_pixels_know_no_variables_so_a_picture_is_written_without_them() -> None:
    sheet = "<style>.a{--ink:#111;--x:2}@media(prefers-color-scheme:dark){.a{--ink:#eee}}</style>"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4">{sheet}<g fill="var(--ink)"/></svg>'
    assert re.findall(r"<g.*?>", plain(svg)) == ['<g fill="#111"/>']
    assert labelled(labelled(svg, "one"), "two").count("aria-label") == 1
    points = plain(svg.replace('width="3" height="4"', 'width="3pt" height="4.5pt"'))
    assert 'width="4" height="6"' in points, "the package that makes pixels knows no points"


def test_a_smaller_png_is_the_same_picture_in_fewer_colours(drawn: dict[str, Any]) -> None:
    image = pytest.importorskip("PIL.Image", reason="needs Pillow, which matplotlib brings")
    pytest.importorskip("resvg_py", reason="needs the extra `png`")
    import io

    whole = drawn["board"].png(300)
    small = pixels.small(whole, 64)
    assert len(small) < len(whole) / 2
    one, other = (image.open(io.BytesIO(data)).convert("RGB") for data in (whole, small))
    assert one.size == other.size
    middles = [(20 + 35 * k, 150) for k in range(8)]
    assert all(
        abs(a - b) <= 16 for spot in middles for a, b in zip(one.getpixel(spot), other.getpixel(spot), strict=True)
    )


# -- pictures of states ------------------------------------------------------------------------------------------


def entries(svg: str) -> dict[str, tuple[float, float]]:
    """Size and phase of each entry that a picture of a density matrix shows."""
    return {
        name: (float(size), float(turn))
        for name, size, turn in re.findall(r"<title>([01]+, [01]+): ([\d.]+), phase ([\d.]+) of a turn</title>", svg)
    }


def test_a_city_and_a_hinton_diagram_show_the_density_matrix(game: qchess.Game[Any, Any]) -> None:
    squares = ("a3", "b5", "d5")
    matrix = study.reduced(game, *squares)
    bits = [f"{key:03b}"[::-1] for key in range(8)]
    for picture in (study.city(game, *squares), study.hinton(game, *squares, style="dark")):
        ElementTree.fromstring(picture.svg)
        shown = entries(picture.svg)
        assert len(shown) == 9
        for row, name in enumerate(bits):
            for column, other in enumerate(bits):
                size, turn = shown.get(f"{name}, {other}", (0.0, 0.0))
                expected = complex(matrix[row, column])
                assert size == pytest.approx(abs(expected), abs=1e-4)
                assert cmath.rect(size, 2 * cmath.pi * turn) == pytest.approx(expected, abs=1e-3)
    city, hinton = (draw(game, *squares) for draw in (study.city, study.hinton))
    sides = [float(side) for side in re.findall(r'width="([\d.]+)" height="[\d.]+" fill', hinton.svg)]
    assert max(sides) ** 2 / min(sides) ** 2 == pytest.approx(2, abs=0.01)  # areas go with sizes: 1/2 and 1/4
    assert city.about.startswith("City, density matrix of a3, b5, d5: 100,100 0.5, 100,001 0.354, 001,100 0.354")


def test_towers_are_as_high_as_their_entries(game: qchess.Game[Any, Any]) -> None:
    towers = re.findall(
        r'phase 0 of a turn</title><path fill="[^"]*" d="M([\d. L]+)z', study.city(game, "b5", "d5").svg
    )
    heights = []
    for tower in towers:
        points = [tuple(map(float, point.split())) for point in tower.split("L")]
        heights.append(points[2][1] - points[1][1])  # the corner on the right: its foot, and its top
    assert sorted(heights) == pytest.approx([32.5, 32.5, 32.5, 32.5, 65.0], abs=0.2)


def test_the_schmidt_spectrum_has_a_bar_for_each_weight(game: qchess.Game[Any, Any]) -> None:
    assert study.schmidt(game, "a3").about == "Bars, Schmidt spectrum of a3 and the rest, 1 bit: 1 50%, 2 50%."
    assert study.schmidt(game, "b5").about.endswith("b5 and the rest, 0.8113 bits: 1 75%, 2 25%.")


def test_links_over_time_are_those_of_the_turns_that_changed_them(game: qchess.Game[Any, Any]) -> None:
    told = study.links_over_time(game).about
    assert told.startswith("2 pictures. A board, 1: b1^a3c3: a3 and c3 2. A board, 3: c3^b5d5: a3 and d5 1")
    assert study.links_over_time(game, most=1).about.startswith("1 picture. A board, 3: c3^b5d5")
    assert "no two squares are correlated" in study.links_over_time(qchess.new("quantum-chess")).about
    with pytest.raises(StudyError, match="expected one turn or more, got most=0"):
        study.links_over_time(game, most=0)


def test_branches_of_a_game_are_those_of_its_registers(game: qchess.Game[Any, Any]) -> None:
    found = {name: abs(amplitude) ** 2 for name, amplitude in study.branches(game, "a3", "b5").items()}
    assert found == pytest.approx({"a3": 0.5, "b5": 0.25, "d5": 0.25})
    with pytest.raises(StudyError, match="expected at least one square"):
        study.branches(game)


def test_too_many_squares_or_none_are_refused(game: qchess.Game[Any, Any]) -> None:
    with pytest.raises(StudyError, match="a city is drawn of 1 to 4 squares, got 5"):
        study.city(game, "a1", "b1", "c1", "d1", "e1")
    with pytest.raises(StudyError, match="a Hinton diagram is drawn of 1 to 5 squares, got 0"):
        study.hinton(game)
    with pytest.raises(ValueError, match="one of auto, light, dark, got 'sepia'"):
        study.city(game, "a3", style="sepia")


def test_a_board_and_a_circuit_lie_on_paper_in_a_notebook(drawn: dict[str, Any]) -> None:
    """A reader may prefer dark pages while the notebook is light: pictures never depend on the page around them."""
    for name, picture in drawn.items():
        svg = picture._repr_mimebundle_()[0]["image/svg+xml"]
        bare = name in ("game", "circuit")
        assert svg.count('class="qpaper"') == bare
        assert bare or 'class="paper"' in svg
        if bare:
            sheet = ElementTree.fromstring(svg).find("{*}rect")
            assert sheet is not None
            box = " ".join(sheet.attrib[side] for side in ("x", "y", "width", "height"))
            assert box == head(svg)["viewBox"]
    assert drawn["game"].svg().count("qpaper") == 0
    assert study.beside(drawn["game"], drawn["circuit"]).svg.count('<rect class="qpaper"') == 2


def test_a_board_of_pieces_whose_types_are_open_says_where() -> None:
    told = qchess.new("piece-qubit-chess").about
    assert "white to move; squares with a piece of open type: a1, a8, b1, b8" in told
    assert qchess.new("quantum-chess").about.endswith("every square is certain.")


def test_each_of_many_curves_has_a_look_of_its_own() -> None:
    plot = study.curves({str(k): ([0.0, 1.0], [0.0, float(k)]) for k in range(12)})
    assert len({(line.get_color(), line.get_linestyle()) for line in plot.figure.axes[0].lines}) == 12
