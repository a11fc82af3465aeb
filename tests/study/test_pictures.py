"""The pictures of `qchess.study`: whole SVG in light and dark, with what they have to show."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import qchess
from qchess import study
from qchess.errors import MissingExtraError
from qchess.showing.bars import bars
from qchess.showing.picture import Picture
from qchess.study.subject import StudyError

MOVES = ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5")


@pytest.fixture
def game():
    game = qchess.new("quantum-chess", seed=1)
    for move in MOVES:
        game.play(move)
    return game


def pictures(game) -> dict[str, dict[str, str]]:
    """Every picture, in each style."""
    styles = ("auto", "light", "dark")
    plots = (
        study.amplitudes(game), study.over_time(game), study.information_matrix(game), study.bloch_vectors(game)
    )  # fmt: skip
    drawn = {f"plot {k}": {style: plot.svg(style) for style in styles} for k, plot in enumerate(plots)}
    drawn["board"] = {style: study.board(game, style=style).svg for style in styles}
    drawn["entangled board"] = {style: study.entangled_board(game, style=style).svg for style in styles}
    return drawn


@pytest.mark.slow
def test_every_picture_is_whole_and_brings_its_paper_in_light_and_in_dark(game) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    for name, styles in pictures(game).items():
        for style, svg in styles.items():
            ElementTree.fromstring(svg)
            assert ("prefers-color-scheme:dark" in svg) == (style == "auto"), name
        assert styles["light"] != styles["dark"], name
        if name.startswith("plot"):
            assert "var(--q1)" in styles["auto"]
            assert "var(" not in styles["light"] + styles["dark"]
            assert "#26313b" not in styles["dark"]


def test_a_plot_is_the_same_every_time(game) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    first, second = (study.amplitudes(game).svg() for _ in range(2))
    assert first == second
    assert not re.search(r"20\d\d-\d\d-\d\d", first)


def test_amplitudes_are_bars_as_high_as_their_odds_in_the_colour_of_their_phase(game) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    from qchess.study.plots import phase_rgb, turn_of

    found = game.position.registers.register("a3").amplitudes(("a3", "b5", "d5"))
    (axes,) = study.amplitudes(game, "a3", "b5", "d5").axes
    bars = axes.containers[0]
    for bar, (_, amplitude) in zip(bars, sorted(found.items()), strict=True):
        assert bar.get_height() == pytest.approx(abs(amplitude) ** 2)
        assert bar.get_facecolor()[:3] == pytest.approx(phase_rgb(turn_of(amplitude)))
    assert [text.get_text() for text in axes.get_xticklabels()] == ["a3", "b5", "d5"]


def test_amplitudes_are_drawn_where_all_or_some_is_certain_and_not_of_two_registers(game) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")

    def named(*args: Any) -> list[str]:
        (axes,) = study.amplitudes(*args).axes
        return [text.get_text() for text in axes.get_xticklabels()]

    assert named(qchess.new("quantum-chess")) == ["none"], "a slider that starts at the first move"
    assert named(game, "e1") == ["e1"]
    assert named(game, "a3", "e1") == ["a3 e1", "e1 b5", "e1 d5"]
    game.play("g1^f3h3")
    with pytest.raises(StudyError, match="'a3' and 'f3' are in different registers"):
        study.amplitudes(game, "a3", "f3")
    with pytest.raises(StudyError, match="expected a square of a register, there are 2"):
        study.amplitudes(game)


def test_the_board_says_how_likely_each_open_square_is_occupied(game) -> None:
    svg = study.board(game, title="odds").svg
    assert svg.count('class="heat"') == 3
    assert re.findall(r'class="figure".*?<text[^>]*>([^<]+)<', svg) == ["50", "25", "25"]
    assert ">odds<" in svg


def test_the_board_shows_any_figure_of_the_squares(game) -> None:
    svg = study.board(game, study.entropies(game)).svg
    assert sorted(re.findall(r'class="figure".*?<text[^>]*>([^<]+)<', svg)) == [".81", ".81"]  # a3 has 1


def test_the_graph_over_the_board_has_a_dot_a_square_and_a_line_a_pair(game) -> None:
    svg = study.entangled_board(game).svg
    assert svg.count('class="node"') == 3
    assert set(re.findall(r"<title>(\w\d and \w\d)", svg)) <= {f"{a} and {b}" for a in ("a3", "b5", "d5")
                                                             for b in ("a3", "b5", "d5")}  # fmt: skip
    assert len(re.findall(r"<title>\w\d and ", svg)) == 3
    with pytest.raises(ValueError, match="expected 'mutual_information' or 'concurrence', got 'love'"):
        study.entangled_board(game, measure="love")


def test_pieces_that_are_qubits_are_drawn_where_they_stand() -> None:
    game = qchess.new("piece-qubit-chess", seed=1)
    for move in ("c2-c3", "b8-c6"):
        game.play(move)
    svg = study.entangled_board(game).svg
    assert {"c6 and d8", "d8 and c6"} & set(re.findall(r"<title>(\w\d and \w\d)", svg))


def test_plots_are_saved_in_the_form_that_the_name_says(game, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    plot = study.amplitudes(game)
    assert plot.save(tmp_path / "a.svg", "dark").read_text(encoding="utf-8").startswith("<svg")
    assert plot.save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"in the style 'dark' a plot is written as \.svg, got 'a\.png'"):
        plot.save(tmp_path / "a.png", "dark")
    with pytest.raises(ValueError, match="one of auto, light, dark, got 'sepia'"):
        plot.svg("sepia")


def test_without_matplotlib_a_plot_names_the_extra(game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"qchess\[viz\]"):
        study.over_time(game)
    assert study.board(game).svg  # boards need none


# -- nothing is cut off ------------------------------------------------------------------------------------------


def test_a_title_that_is_longer_than_its_board_is_set_narrower(game) -> None:
    assert "textLength" not in study.board(game, title="odds").svg
    assert (
        'textLength="' in study.board(game, title="the king took on d2 and asked nothing: he was certainly there").svg
    )


def test_pictures_stand_in_a_row_as_long_as_a_notebook_has_room_for_it() -> None:
    narrow, wide = (bars({"yes": 0.5, "no": 0.5}, title="m" * letters) for letters in (50, 70))

    assert _width(study.beside(narrow, narrow)) == 2 * _width(narrow) + 12
    assert _width(study.beside(wide, wide)) == _width(wide)


def test_the_phases_of_few_bars_are_all_told() -> None:
    few = bars({"a3": 0.8 + 0j, "c3": 0.6j})
    assert max(float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]*>[0¼½¾]<', few.svg)) + 12 < _width(few)


def _width(picture: Picture) -> float:
    found = re.search(r'width="([\d.]+)"', picture.svg)
    assert found is not None
    return float(found[1])


def test_names_of_squares_stand_upright_below_what_they_know_of_each_other(game) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    (axes,) = study.information_matrix(game).axes
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {90}
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        label.get_text() for label in axes.get_yticklabels()
    ]


def test_a_bloch_vector_starts_in_the_middle_of_its_cross(game) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    for axes in study.bloch_vectors(game, "a3", "b5").axes:
        across, up, vector, _ = (tuple(map(tuple, line.get_data())) for line in axes.get_lines())
        assert (across, up) == (((-1, 1), (0, 0)), ((0, 0), (-1, 1)))
        assert (vector[0][0], vector[1][0]) == (0, 0)
