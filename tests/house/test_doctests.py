"""Every example in a docstring runs, under the real name of its module.

``pytest --doctest-modules`` would import each file of ``circuits/`` a second time, under a second name.
"""

import doctest
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

PACKAGES = ("qchess", "qchess.circuits", "qchess.backends")
VOCABULARY = ("operations", "predicates", "program", "patterns")


def modules_with_examples() -> list[str]:
    """The dotted names of all modules whose source holds a ``>>>``."""
    names: dict[str, None] = {}
    for package in PACKAGES:
        home = Path(import_module(package).__file__ or "").parent
        for file in sorted(home.rglob("*.py")):
            parts = file.relative_to(home).with_suffix("").parts
            if ">>>" in file.read_text(encoding="utf-8"):
                names[".".join([package, *(part for part in parts if part != "__init__")])] = None
    return list(names)


def vocabulary() -> dict[str, Any]:
    """The public names of the circuit vocabulary, which examples use without importing them."""
    names: dict[str, Any] = {}
    for module in VOCABULARY:
        members = vars(import_module(f"qchess.circuits.{module}"))
        names |= {name: value for name, value in members.items() if not name.startswith("_")}
    return names


@pytest.mark.parametrize("name", modules_with_examples())
def test_every_example_in_a_docstring_gives_what_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = import_module(name)
    result = doctest.testmod(module, globs=vocabulary() | vars(module), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0, capsys.readouterr().out
    assert result.attempted > 0


def test_the_three_packages_are_walked() -> None:
    found = modules_with_examples()
    assert "qchess.circuits.operations" in found
    assert len(found) == len(set(found))
