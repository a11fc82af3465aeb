"""Each adapter says what its clock sees; the page and the command line show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from qchess.__main__ import main
from qchess.bench.adapters import Adapter, catalogue
from qchess.bench.report.adapters import table, told
from qchess.bench.report.page import MARK

PAGE = Path(__file__).parents[2] / "docs" / "bench_measured.md"
NAMES = [row.name for row in catalogue.CATALOGUE]


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_of_the_catalogue_says_what_its_clock_sees(name: str) -> None:
    adapter = catalogue.get(name)
    for what, text in told(adapter).items():
        assert text.strip(), f"{name} does not say: {what}"
        assert "\n" not in text
    for option in dict(next(row.options for row in catalogue.CATALOGUE if row.name == name)):
        assert f"`{option}`" in adapter.options_why, f"{name} has the option {option} and does not say why"


def test_every_name_of_the_catalogue_is_in_one_row() -> None:
    assert sorted(", ".join(row[0] for row in table().rows).split(", ")) == sorted(NAMES)
    assert all(len(row) == len(table().head) for row in table().rows)


def test_the_page_has_the_table_as_the_command_makes_it() -> None:
    (found,) = (part for part in MARK.finditer(PAGE.read_text(encoding="utf-8")) if part["name"] == "adapters")
    assert found[0] == f"{found[1]}{table().markdown()}\n{found[3]}"


def test_a_maker_s_word_is_a_link_or_was_not_asked_for() -> None:
    for name in NAMES:
        word = catalogue.get(name).maker
        assert word in ("ours", "not asked") or word.startswith("https://"), f"{name}: {word}"


def test_the_list_says_it_of_those_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "run", "--list", "sparse", "aer-mps,max_bond=8"]) == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if not line.startswith(" ")] == ["sparse", "aer-mps,max_bond=8"]
    for name in ("sparse", "aer-mps"):
        assert all(text in shown for text in told(catalogue.get(name)).values())


def test_the_list_of_all_has_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "run", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()][: len(NAMES)] == NAMES


def test_a_simulator_of_one_s_own_may_be_silent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(
        "from qchess.bench.adapters import Adapter\nclass simulate(Adapter):\n    outside = 'its lowering'\n"
    )
    assert main(["bench", "run", "--list", f"{tmp_path}/mine.py"]) == 0
    shown = capsys.readouterr().out
    assert "before it:         its lowering" in shown
    assert "inside the clock:  it does not say" in shown
    assert f"reason given by its maker: {Adapter.maker}" in shown
