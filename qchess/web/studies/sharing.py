"""Studies that are shared: checked, kept in the server's store, found again by their name.

A study is a tree: ``{"title", "game", "options", "nodes": [{"id", "parent", "text", "answers", "set", "comment",
"arrows", ...}]}``. What is kept is never changed; a later state is a later row, and the last one counts.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.games import rules
from qchess.web.seats import fresh, hashed, table_name
from qchess.web.store import Keeping, Row
from qchess.web.studies.asking import answers_of, options_of

FORMAT = "qchess-study-1"
MOST_NODES, MOST_ARROWS, LONGEST_TITLE, LONGEST_COMMENT, LONGEST_MOVE = 4000, 100, 200, 4000, 200
#: the longest study, as JSON
LONGEST = 1024 * 1024
KINDS = ("move", "split", "merge", "note")


def study_values(value: Any) -> dict[str, Any]:
    """A study with nothing in it but what a study has; an error says what is wrong."""
    data = reading.mapping(value, "a study")
    reading.one_of(data.get("format", FORMAT), "the format of a study", (FORMAT,))
    game, options = reading.text(data.get("game"), "'game'", LONGEST_MOVE), options_of(data.get("options"))
    rules(game, **options)  # who opens the study would get the error otherwise
    nodes = [_node(number, node) for number, node in enumerate(reading.items(data.get("nodes"), "'nodes'", MOST_NODES))]
    found = {
        "format": FORMAT,
        "title": reading.text(data.get("title", ""), "'title'", LONGEST_TITLE),
        "game": game,
        "options": options,
        "nodes": nodes,
    }
    if len(json.dumps(found)) > LONGEST:
        raise InvalidMoveError(f"expected a study of at most {LONGEST} characters")
    return found


def _node(number: int, value: Any) -> dict[str, Any]:
    """A node; its number is its place in the list, and its parent comes before it."""
    data = reading.mapping(value, "a node of the study")
    if not number:
        return {"parent": None, "text": "", **_notes(data)}
    return {
        "parent": reading.integer(data.get("parent"), "'parent'", 0, number - 1),
        "text": reading.text(data.get("text"), "the 'text' of a node", LONGEST_MOVE),
        "by": reading.text(data.get("by", ""), "'by'", LONGEST_MOVE),
        "sentence": reading.text(data.get("sentence", ""), "'sentence'", LONGEST_COMMENT),
        "answers": answers_of(data.get("answers")),
        "set": bool(data.get("set")),
        "likely": reading.number(data.get("likely", 1), "'likely'", 0, 1),
        **_notes(data),
    }


def _notes(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a teacher says about a position."""
    arrows = reading.items(data.get("arrows", []), "'arrows'", MOST_ARROWS)
    comment = reading.text(data.get("comment", ""), "'comment'", LONGEST_COMMENT)
    return {"comment": comment, "arrows": [arrow_values(arrow) for arrow in arrows]}


def arrow_values(value: Any) -> dict[str, str]:
    """An arrow from a square to a square."""
    data = reading.mapping(value, "an arrow")
    ends = {end: reading.text(data.get(end), f"the {end!r} of an arrow", 4) for end in ("start", "end")}
    return {**ends, "kind": reading.one_of(data.get("kind", "note"), "the kind of an arrow", KINDS)}


class Shared:
    """The studies in a store."""

    def __init__(self, keeping: Keeping) -> None:
        self.keeping = keeping

    async def begin(self, values: Mapping[str, Any]) -> tuple[str, str]:
        """Keeps a new study: its name, and the key with which it may be changed."""
        name = table_name()
        key, kept = fresh()
        await self.keeping.open(name, {"study": dict(values), "key": kept, "made": round(time.time(), 2)})
        return name, key

    async def change(self, name: str, key: str, values: Mapping[str, Any]) -> bool:
        """Keeps a later state of a study; False if the key does not open it."""
        found = await self.keeping.read(name)
        if found is None or "study" not in found.head or not hmac.compare_digest(found.head["key"], hashed(key)):
            return False
        await self.keeping.add(name, Row(found.next, None, {"kind": "study", "study": dict(values)}))
        return True

    async def read(self, name: str) -> dict[str, Any] | None:
        """The last state of a study; None if there is none of this name."""
        found = await self.keeping.read(name)
        if found is None or "study" not in found.head:
            return None
        states = [found.head["study"], *(row.entry["study"] for row in found.rows if "study" in row.entry)]
        latest: dict[str, Any] = states[-1]
        return latest
