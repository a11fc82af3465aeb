"""The README and the pages under ``docs/``: their Python runs, their commands are the ones that are tested."""

import ast
import doctest
import re
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "notebooks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: whose examples ask devices in processes of their own
LONG = ("backends.md",)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
#: a link to a heading, of the same page where no page is named
TO_HEADING = re.compile(r"\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)")


def blocks(page: Path, *languages: str) -> list[str]:
    """The fenced blocks of a page in one of these languages."""
    return [text for language, text in FENCE.findall(page.read_text(encoding="utf-8")) if language in languages]


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.slow if page.name in LONG else ()) for page in PAGES],
    ids=lambda page: page.name,
)  # fmt: skip
def test_the_python_of_a_page_runs_and_prints_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # what an example writes stays out of the checkout
    names: dict[str, Any] = {"__name__": page.stem}
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks(page, "python", "pycon"), 1):
        if ">>>" not in block:
            ast.parse(block, filename=f"{page.name}, block {number}")
            continue
        test = doctest.DocTestParser().get_doctest(block, names, f"{page.name}, block {number}", str(page), 0)
        runner.run(test, out=said.append, clear_globs=False)
        names.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def test_the_readme_shows_python_that_runs() -> None:
    assert any(">>>" in block for block in blocks(ROOT / "README.md", "python", "pycon"))


def test_the_test_command_of_the_readme_is_what_ci_runs() -> None:
    commands = [line for block in blocks(ROOT / "README.md", "sh") for line in block.splitlines() if "pytest" in line]
    assert commands
    assert commands[0] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def headings(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_heading_finds_it(page: Path) -> None:
    named = [(page.parent / target if target else page, name)
             for target, name in TO_HEADING.findall(page.read_text(encoding="utf-8"))]  # fmt: skip
    assert [(target.name, name) for target, name in named if name not in headings(target)] == []


def test_the_picture_of_entangled_squares_is_what_the_command_beside_it_draws(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"`qchess (board [^`]* -o) links.svg`", page)
    assert main([*line.split(), str(tmp_path / "links.svg")]) == 0
    drawn = (ROOT / "docs" / "pictures" / "entangled_board.svg").read_text(encoding="utf-8")
    assert (tmp_path / "links.svg").read_text(encoding="utf-8") == drawn
