"""Amplitudes and probabilities as pictures, read back as XML."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import qchess
from qchess.showing.bars import bars, branches

ROOK = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"


def drawn(picture: str, tag: str) -> list[ElementTree.Element]:
    return [item for item in ElementTree.fromstring(picture).iter() if item.tag.endswith(f"}}{tag}")]


def test_a_bar_is_as_high_as_its_probability() -> None:
    heights = [float(item.get("height", "0")) for item in drawn(bars({"a": 0.5, "b": 0.25, "c": 1.0}).svg, "rect")]
    assert heights == pytest.approx([60, 30, 120])


def test_an_amplitude_is_squared_and_its_phase_is_a_hue() -> None:
    picture = bars({"a4": 0.6 + 0j, "d1": -0.8 + 0j}).svg
    first, second = drawn(picture, "rect")
    assert float(first.get("height", "0")) == pytest.approx(120 * 0.36)
    assert (first.get("fill"), second.get("fill")) == ("hsl(0 70% 48%)", "hsl(180 70% 48%)")
    assert "phase, in turns:" in picture
    assert "phase, in turns:" not in bars({"a4": 0.36}).svg


def test_frequencies_are_dots_beside_the_bars() -> None:
    (dot,) = drawn(bars({"a": 0.5, "b": 0.5}, {"b": 0.25}).svg, "circle")
    assert float(dot.get("cy", "0")) == pytest.approx(18 + 120 * 0.75)


def test_the_branches_of_a_game_are_named_by_their_squares() -> None:
    game = qchess.new("quantum-chess", fen=ROOK, seed=1)
    for move in ("a1^a4d1", "e8-e7", "a4-b4"):
        game.play(move)
    found = branches(game.position.registers, "b4")
    assert sorted(found) == ["b4", "d1"]
    assert found["b4"] / found["d1"] == pytest.approx(1j)
    with pytest.raises(ValueError, match="'e1' is certain"):
        branches(game.position.registers, "e1")


def test_of_many_bars_the_likeliest_are_drawn() -> None:
    many = {f"s{k}": k / 1000 for k in range(100)}
    names = {item.text for item in drawn(bars(many).svg, "text")}
    assert "s99" in names
    assert "s10" not in names
