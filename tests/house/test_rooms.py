"""Who may import whom: rooms look downwards only, and shared rooms know no game.

The graph is read from the source, imports inside functions included; what is imported for type checkers alone
does not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOPS = ("qchess", "circuits", "backends")
#: front doors, which open every room for those who come from outside
DOORS = {"qchess", "qchess.__main__", "qchess.compat", "qchess.testing"}
#: the one place that may look upwards: a program's methods open the rooms that draw, compile and export it
LOOKS_UP = "qchess.circuits.program"
#: what may look upwards by a name in a text: a game opens its board for notebooks, and the catalogue opens the games
LOOKS_BY_NAME = {
    ("qchess.playing.game", "qchess.web.widget"),
    *(
        ("qchess.games.catalogue", f"qchess.games.{game}")
        for game in ("quantum_chess", "piece_qubit_chess", "quantum_checkers", "quantum_checkers.pdn", "niels_chess")
    ),
}
#: a text that names one of our modules, perhaps with what is in it
NAMED = re.compile(r"([\"'])(qchess(?:\.\w+)+)(:[\w.]+)?\1")
#: rooms from the lowest to the highest; a room may import those before it, never those behind it. Files that stand
#: alone in a top folder are named one by one
ORDER = (
    "qchess._early", "qchess._checkout", "qchess.version", "qchess.foreign", "qchess.private",
    "qchess.circuits", "qchess.circuits.kernels", "qchess.circuits.compiling", "qchess.circuits.forms",
    "qchess.backends",
    "qchess.errors", "qchess.reading", "qchess.refusals", "qchess.writing", "qchess.wording",
    "qchess.boards",
    "qchess.showing", "qchess.core", "qchess.outcome", "qchess.rules", "qchess.late", "qchess.games",
    "qchess.playing", "qchess.playing.agents", "qchess.proving", "qchess.study", "qchess.arena", "qchess.bench",
    "qchess.study.exercises.your_simulator_in_the_benchmark",  # it judges simulators as the benchmark does
    "qchess.servers", "qchess.GAME", "qchess.lessons", "qchess.terminal", "qchess.web", "qchess.formats",
    "qchess.commands",
)  # fmt: skip


def files() -> dict[str, Path]:
    """Every module of the three packages by its name."""
    found = {}
    for top in TOPS:
        for file in (ROOT / top).rglob("*.py"):
            parts = file.relative_to(ROOT).with_suffix("").parts
            parts = parts if top == "qchess" else ("qchess", *parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


MODULES = files()


def imported(tree: ast.AST) -> Iterator[str]:
    """Our modules that a tree imports, but for type checkers; no expression holds an import."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield whole if whole in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        yield from imported(node)


@cache
def arrows() -> dict[str, set[str]]:
    """For each module those that it imports."""
    trees = {name: ast.parse(file.read_text(encoding="utf-8")) for name, file in MODULES.items()}
    return {name: {target for target in imported(tree) if target in MODULES} - {name} for name, tree in trees.items()}


def arrows_by_name() -> set[tuple[str, str]]:
    """Each module with one that it names in a text, as catalogues do; a package alone may be a logger or a group."""
    found = set()
    for name, file in MODULES.items():
        for _, target, inside in NAMED.findall(file.read_text(encoding="utf-8")):
            if target in MODULES and (inside or MODULES[target].name != "__init__.py"):
                found.add((name, target))
    return found


def looks_up(arrows: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The arrows that lead upwards."""
    return {
        (name, target)
        for name, target in arrows
        if name not in DOORS and ORDER.index(room(target)) > ORDER.index(room(name))
    }


def is_game(name: str) -> bool:
    """Whether a module lies in a game's own room."""
    parts = name.split(".")
    return parts[:2] == ["qchess", "games"] and len(parts) > 2 and (ROOT / "qchess/games" / parts[2]).is_dir()


def room(name: str) -> str:
    """The room of the plan in which a module lies."""
    if is_game(name):
        return "qchess.GAME"
    return max((place for place in ORDER if f"{name}.".startswith(f"{place}.")), key=len, default="")


def test_every_file_imports_downwards_only() -> None:
    for name in sorted(set(MODULES) - DOORS - {LOOKS_UP}):
        assert room(name), f"{name} lies in no room of the plan"
        upwards = looks_up((name, target) for target in arrows()[name] - DOORS)
        assert not upwards, f"{name} looks up at {sorted(target for _, target in upwards)}"
        assert not arrows()[name] & DOORS - {"qchess"}, f"{name} goes in by a front door"


def test_shared_rooms_import_no_game() -> None:
    """Commands may: they speak for games; what is a game's own lies in its room all the same."""
    for name in MODULES:
        if not is_game(name) and name not in DOORS and room(name) != "qchess.commands":
            games = {target for target in arrows()[name] if is_game(target)}
            assert not games, f"{name} imports {sorted(games)}"


def test_no_file_needs_itself() -> None:
    """Imports make no circle, but for those through the methods of a program."""
    remaining = {name: set(targets) for name, targets in arrows().items() if name not in DOORS}
    remaining[LOOKS_UP] = {target for target in remaining[LOOKS_UP] if room(target) == "qchess.circuits"}
    while True:
        free = {name for name, targets in remaining.items() if not targets & remaining.keys()}
        if not free:
            break
        remaining = {name: targets for name, targets in remaining.items() if name not in free}
    assert not remaining, f"a circle among {sorted(remaining)}"


def test_one_game_does_not_know_another() -> None:
    for name, targets in arrows().items():
        if is_game(name):
            mine = name.split(".")[2]
            others = {target for target in targets if is_game(target) and target.split(".")[2] != mine}
            assert not others, f"{name} imports {sorted(others)}"


def test_the_graph_is_read_at_all() -> None:
    assert "qchess.circuits.running" in arrows()["qchess.circuits.registers"]
    assert len(arrows()) > 100
    assert sum(map(len, arrows().values())) > 400
