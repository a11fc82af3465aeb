"""The plan of the house says what is there: its rooms are those of the imports, and the names in the pages exist."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.house.test_rooms import LOOKS_BY_NAME, MODULES, ORDER, ROOT, arrows_by_name, looks_up

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "notebooks" / "README.md"])
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
#: the folders at the top of the tree, with whose names a path begins
PATH = re.compile(r"(?:qchess|circuits|backends|tests|tools|benchmarks|notebooks|docs|\.ci)/[\w./-]*")
#: a dotted name of ours, perhaps with what is called
DOTTED = re.compile(r"((?:qchess|backends|benchmarks|tools)(?:\.\w+)+)(?:\(.*\))?")


def text_of(page: str) -> str:
    """Return a page of the documentation."""
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


def section(page: str, heading: str) -> str:
    """Return what stands below a heading of the second level."""
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


# -- the rooms -------------------------------------------------------------------------------------------------


def as_module(path: str) -> str:
    """Return the module that a path of the table names."""
    dotted = path.rstrip("/").removesuffix(".py").replace("/", ".")
    return dotted if dotted.split(".")[0] == "qchess" else f"qchess.{dotted}"


def rooms_of(page: str) -> list[str]:
    """Return the modules that the table of rooms names, in its order."""
    rows = re.findall(r"^\| (`[^|]*) \|", section(page, "The rooms"), re.MULTILINE)
    paths = [path for row in rows for path in CODE.findall(row)]
    return [as_module(path) for path in paths if path.startswith(("qchess/", "circuits/", "backends/"))]


def test_the_table_of_rooms_is_the_order_of_the_imports() -> None:
    told = [room for room in rooms_of(text_of("house.md")) if room in ORDER]
    assert told == [room for room in ORDER if room != "qchess.GAME" and room.count(".") < 3]


def test_every_room_of_the_table_is_there() -> None:
    rooms = rooms_of(text_of("house.md"))
    assert len(set(rooms)) == len(rooms)
    assert [room for room in rooms if room not in MODULES] == []


def test_what_is_imported_by_its_name_lies_below_too() -> None:
    found = arrows_by_name()
    assert len(found) > 15
    assert looks_up(found) == LOOKS_BY_NAME


def test_an_arrow_upwards_by_name_is_found() -> None:
    planted = {("qchess.backends.catalogue", "qchess.terminal.session"), ("qchess.web.hall", "qchess.rules")}
    assert looks_up(planted) == {("qchess.backends.catalogue", "qchess.terminal.session")}


# -- the names in the pages ------------------------------------------------------------------------------------


def is_there(name: str) -> bool:
    """Tell whether a path or a dotted name of ours is there."""
    if PATH.fullmatch(name):
        return (ROOT / name).exists()
    parts = name.split(".")
    parts = ["qchess", *parts] if parts[0] == "backends" else parts
    if parts[0] != "qchess":
        return find_spec(".".join(parts)) is not None
    module = max((".".join(parts[:n]) for n in range(1, len(parts) + 1) if ".".join(parts[:n]) in MODULES), key=len)
    found: object = import_module(module)
    for part in parts[module.count(".") + 1 :]:
        found = getattr(found, part, None)
    return found is not None or name in GROUPS


#: what other packages name in their entry points
GROUPS = {f"qchess.{kind}" for kind in ("games", "backends", "agents", "simulators")}


def stale(page: str) -> list[str]:
    """Return the paths and names of ours in a page that are not there."""
    names = [match[match.lastindex or 0] for code in CODE.findall(page)
             if (match := PATH.fullmatch(code) or DOTTED.fullmatch(code))]  # fmt: skip
    return [name for name in names if not is_there(name)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_names_of_ours_in_a_page_exist(page: Path) -> None:
    assert stale(page.read_text(encoding="utf-8")) == []


def test_a_stale_name_is_found() -> None:
    assert stale("`qchess/rules.py`, `qchess.new(seed=1)`, `qchess.agents`, `benchmarks.play`") == []
    gone = ["qchess/carried.py", "qchess.core.Ende", "backends.dice", "benchmarks.work"]
    assert stale(", ".join(f"`{name}`" for name in gone)) == gone


def test_the_list_of_pages_names_each_page_once() -> None:
    listed = re.findall(r"\]\((\w+\.md)\)", text_of("README.md"))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert sorted(listed) == sorted(pages)


# -- the words -------------------------------------------------------------------------------------------------


def words() -> list[tuple[str, str]]:
    """Return the words of the glossary, each with the file or folder that it names."""
    return re.findall(r"^\| \*\*([^|*]+)\*\* \|[^|]*\| `([^`|]+)` \|$", text_of("glossary.md"), re.MULTILINE)


def test_the_glossary_has_its_words_in_order_and_once() -> None:
    found = [word for word, _ in words()]
    rows = [line for line in text_of("glossary.md").splitlines() if line.startswith("| ")]
    assert len(found) == len(rows) - 1  # all but the head of the table
    assert len(found) >= 40
    assert found == sorted(set(found))


@pytest.mark.parametrize(("word", "place"), words(), ids=lambda text: text)
def test_a_word_of_the_glossary_is_said_where_it_says(word: str, place: str) -> None:
    where = ROOT / place
    files = [where] if where.is_file() else sorted(where.glob("*.py"))
    assert files, f"{place} is not there"
    said = re.compile(rf"(?<![a-z]){re.escape(word)}", re.IGNORECASE)
    assert any(said.search(file.read_text(encoding="utf-8").replace("_", " ")) for file in files)
