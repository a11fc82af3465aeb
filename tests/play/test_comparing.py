"""Devices side by side: the same figures in words and in the picture, whatever the rows are of."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from qchess.showing.comparing import FAILED, PART, WHOLE, Row, described, text
from qchess.showing.svgdevices import picture

GOOD = Row("ibm-fake:nairobi,level=naive", WHOLE, 12, kept=0.93, kept_expected=0.94, kept_coins=0.41, distance=0.07,
           distance_coins=0.55, ideal=(0.01, 0.12), undetected=0.0018, shots=1200, jobs=2, seconds=9.4)  # fmt: skip
IN_PART = Row("ibm-fake:nairobi", PART, 2, kept=1.0, distance=0.03, undetected=0.0098, shots=200)
LOST = Row("own:<device>", FAILED, 14, why="the fridge is warm & " + "empty " * 60)
EVERY = (GOOD, IN_PART, LOST)
SVG = "{http://www.w3.org/2000/svg}"


def groups(*rows: Row) -> list[ElementTree.Element]:
    """The part of the picture that is of each row."""
    return ElementTree.fromstring(picture(rows)).findall(f"{SVG}g")


@pytest.mark.parametrize("rows", [EVERY, *((row,) for row in EVERY)])
def test_the_picture_says_of_each_row_what_it_shows(rows: tuple[Row, ...]) -> None:
    root = ElementTree.fromstring(picture(rows))
    assert root.get("role") == "img"
    assert (root.find(f"{SVG}title"), root[1].text) == (root[0], "; ".join(map(described, rows)))
    assert [group.findtext(f"{SVG}title") for group in groups(*rows)] == list(map(described, rows))


@pytest.mark.parametrize("rows", [EVERY, *((row,) for row in EVERY)])
def test_all_of_a_picture_lies_inside_of_it(rows: tuple[Row, ...]) -> None:
    root = ElementTree.fromstring(picture(rows))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for shape in root.iter():
        x, y = (float(shape.get(name, 0)) for name in ("x", "y"))
        letters = len(shape.text or "") if shape.tag == f"{SVG}text" else 0
        assert 0 <= x <= x + float(shape.get("width", 5 * letters)) <= width
        assert 0 <= y <= y + float(shape.get("height", 0)) <= height


def test_what_was_seen_of_circuits_in_part_is_hollow() -> None:
    for row, kind in ((GOOD, "seen"), (IN_PART, "seen hollow")):
        [group] = groups(row)
        assert {shape.get("class") for shape in group if "seen" in shape.get("class", "")} == {kind}


def test_what_is_not_told_is_not_drawn() -> None:
    drawn = [{shape.get("class") for shape in group} for group in groups(GOOD, IN_PART, LOST)]
    assert [{"band", "expected", "coins"} & kinds for kinds in drawn] == [{"band", "expected", "coins"}, set(), set()]


def test_bars_are_as_long_as_their_figures() -> None:
    half, whole = (
        [float(shape.get("width", 0)) for shape in group.iter(f"{SVG}rect") if shape.get("class") == "seen"]
        for group in groups(Row("a", WHOLE, 1, kept=0.5, undetected=0.01), Row("b", WHOLE, 1, kept=1, undetected=0.02))
    )
    assert whole == pytest.approx([2 * length for length in half])
    assert len(half) == 2


def test_a_device_that_failed_says_why_instead() -> None:
    [group] = groups(LOST)
    texts = [text.text or "" for text in group.iter(f"{SVG}text")]
    assert texts[:2] == ["own:<device>", "14 questions"]
    assert texts[2].startswith("failed: the fridge is warm & empty")
    assert texts[-1].endswith("…")
    assert len(texts) == 4


def test_light_and_dark_name_the_same_colours() -> None:
    light, _, dark = picture(EVERY).partition("@media(prefers-color-scheme:dark)")
    coloured = r"(\.qdev[ .\w]*)\{[^}]*#[0-9a-f]{3}"
    assert set(re.findall(coloured, dark)) == set(re.findall(coloured, light))


def test_a_table_shows_the_columns_that_some_row_tells_something_of() -> None:
    lines = text(EVERY).splitlines()
    assert [len(lines), len({len(line) for line in lines[:5]})] == [7, 1]
    head, row = (" ".join(line.split()) for line in lines[1:3])
    assert head == "device tions seen expected coins tance up to detected shots jobs in s"
    assert row == f"{GOOD.device} 12 0.930 0.940 0.410 0.070 0.120 0.0018 1200 2 9.4"
    assert lines[4].split() == ["own:<device>", "(failed)", "14", *"-" * 9]
    assert lines[6].startswith("own:<device> failed 14 times: the fridge is warm")


def test_rows_of_one_device_name_it_once() -> None:
    rows = [replace(GOOD, device="d"), replace(IN_PART, device="d"), replace(LOST, device="d"), IN_PART]
    assert [line.split("  ")[0] or line.split("  ")[1] for line in text(rows).splitlines()[2:6]] == [
        "d", "in part", "failed", "ibm-fake:nairobi (in part)",
    ]  # fmt: skip


def test_a_table_of_usual_devices_fits_into_120_letters() -> None:
    long = replace(GOOD, device="ibm-fake:nairobi,least_fidelity=0.9", gates=12.5, expected_fidelity=0.9, jobs=0)
    assert max(map(len, text([long, replace(long, kind=PART)]).splitlines())) <= 120


def test_words_tell_the_figures_and_the_costs() -> None:
    assert described(GOOD) == (
        "ibm-fake:nairobi,level=naive, 12 questions, kept 93.0%, expected 94.0%, coin flips 41.0%, distance 0.070, "
        "of ideal devices 0.010 to 0.120, undetected error 0.0018 without constant angle errors, 1200 shots, "
        "2 jobs, 9.4 s"
    )
    counted = replace(GOOD, device="google:x", angles=True)
    assert "undetected error 0.0018, 1200 shots" in described(counted)
    angles = "undetected: constant angle errors are"
    assert [line for line in text([GOOD, counted, LOST]).splitlines() if line.startswith("undetected")] == [
        f"{angles} included for google:x only; the others do not publish them"
    ]
    assert f"\n{angles} not included, since no device here publishes them" in text([GOOD, IN_PART])
    assert angles not in text([counted])
    assert described(LOST).startswith("own:<device>, 14 questions failed: the fridge is warm")
