"""What is counted of the packages' own files and may only become less: one table.

A number that rises fails; so does one that falls until the table is lowered to it. So it never rises again.
"""

from __future__ import annotations

import gc
import pickle
import re
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import networkx as nx
import pytest

import qchess
from tests.house.test_rooms import DOORS, MODULES, ROOT, arrows

LINES = {path: path.read_text(encoding="utf-8").splitlines() for path in MODULES.values()}
#: a private name on what is not self; on self; those of named tuples are for everybody
ANOTHERS = re.compile(r"(?<!\bself)(?<!\bcls)\.(_[a-z]\w*)\b(?<!_replace)(?<!_asdict)")
OWN = re.compile(r"\b(?:self|cls)\.(_[a-z]\w*)")
ASSERTED = re.compile(r"\bassert .*\bis not None\b")
#: what may offer more than it must, looked up by its method's name
OFFERED = r"\b(?:has|get)attr\((?:[\w.(),* ]*\W)?{}(?:\(\w*\))?, (?:\"[a-z]|[a-z])"
ENGINE, SOURCE, SAMPLER, CORE = (
    re.compile(OFFERED.format(name)) for name in ("engine", "(?:source|drawn)", "_?sampler", "core")
)
#: a room of more files is in the table
FEW = 20
#: moves of a game, and then a capture that measures
CAPTURES = {
    "quantum-chess": (("b1^a3c3", "d7-d5"), "c3-d5"),
    "quantum-checkers": (("e3^d4f4", "f6-e5"), "d4-f6"),
}
#: the most bytes of a position before the first move, pickled
LARGEST = 10_000

TABLE = {
    "lines that reach for another's private names": 0,
    "asserts that something is not None": 23,
    "circles of files at run time": 1,
    "optional methods of an engine looked up by name": 3,
    "optional methods of a source looked up by name": 0,
    "optional methods of a sampler looked up by name": 0,
    "optional methods of a core looked up by name": 0,
    "files from text to picture in quantum-chess": 38,
    "files from text to picture in quantum-checkers": 41,
    "files in backends/devices": 22,
    "files in qchess/commands": 29,
    "files in qchess/games/niels_chess": 32,
    "files in qchess/web": 29,
}


def lines_with(pattern: re.Pattern[str]) -> int:
    """How many lines hold this."""
    return sum(bool(pattern.search(line)) for lines in LINES.values() for line in lines)


def reaching() -> int:
    """Lines with a private name of ours on what is not self, in a file whose objects have no such name."""
    own = {path: {name for line in lines for name in OWN.findall(line)} for path, lines in LINES.items()}
    ours, found = set().union(*own.values()), 0
    for path, lines in LINES.items():
        others = ours - own[path]
        found += sum(not others.isdisjoint(ANOTHERS.findall(line)) for line in lines)
    return found


def circles() -> int:
    """Groups of files that need each other when they run."""
    found = ((name, other) for name, others in arrows().items() for other in others if not {name, other} & DOORS)
    return sum(len(group) > 1 for group in nx.strongly_connected_components(nx.DiGraph(found)))


def opened(name: str) -> set[Path]:
    """The files whose functions run while a capture is played and drawn, without what is compiled or stands in for it.

    It was played before, so that nothing is imported or worked out for the first time.
    """
    moves, capture = CAPTURES[name]
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        found.add(frame.f_code.co_filename)

    for profile in (None, note):
        game = qchess.new(name, seed=1)
        for move in moves:
            game.play(move)
        before = sys.getprofile()
        gc.disable()  # what is thrown away meanwhile is not of this move
        sys.setprofile(profile)
        try:
            game.play(capture)
            str(game), game.svg()
        finally:
            sys.setprofile(before)
            gc.enable()
    files = {Path(each).resolve() for each in found} & LINES.keys()
    return {file for file in files if file.parent.name not in ("core", "kernels")}


def counted() -> dict[str, int]:
    """Everything in the table as it is now."""
    rooms = Counter(path.parent.relative_to(ROOT).as_posix() for path in LINES)
    return {
        "lines that reach for another's private names": reaching(),
        "asserts that something is not None": lines_with(ASSERTED),
        "circles of files at run time": circles(),
        "optional methods of an engine looked up by name": lines_with(ENGINE),
        "optional methods of a source looked up by name": lines_with(SOURCE),
        "optional methods of a sampler looked up by name": lines_with(SAMPLER),
        "optional methods of a core looked up by name": lines_with(CORE),
        **{f"files from text to picture in {name}": len(opened(name)) for name in CAPTURES},
        **{f"files in {room}": files for room, files in rooms.items() if files > FEW},
    }


def judged(now: dict[str, int], table: dict[str, int]) -> list[str]:
    """What is wrong with the table or with what is counted."""
    said = []
    for what in sorted({*now, *table}):
        one, other = now.get(what, 0), table.get(what, 0)
        if one > other:
            said.append(f"{what}: {one}, and may be {table.get(what, FEW)} at most")
        elif one < other:
            said.append(f"{what}: {one or 'few'}, no longer {other}; lower the table")
    return said


def test_what_may_only_become_less_does() -> None:
    assert not judged(counted(), TABLE)


def test_the_table_is_held_to_both_sides() -> None:
    assert judged({"files": 3}, {"files": 2}) == ["files: 3, and may be 2 at most"]
    assert judged({"files": 3}, {"files": 4}) == ["files: 3, no longer 4; lower the table"]
    assert judged({}, {"files": 21}) == ["files: few, no longer 21; lower the table"]
    assert not judged({"files": 3}, {"files": 3})


@pytest.mark.parametrize("name", qchess.games.names())
def test_a_start_position_is_small(name: str) -> None:
    """Every move at a table and every node of a search carries a position to another process."""
    assert len(pickle.dumps(qchess.new(name).position)) < LARGEST
