"""Shared studies: checked, stored in the server's store, found by their name.

A study is a tree: ``{"title", "game", "options", "nodes": [{"id", "parent", "text", "answers", "set", "comment",
"arrows", ...}]}``. Stored rows are never changed; a later state is a later row, and the last one counts.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.games import rules
from qchess.web.jsontext import json_text
from qchess.web.seats import fresh, hashed, table_name
from qchess.web.store import Keeping, Row
from qchess.web.store.protocol import values_of
from qchess.web.studies.asking import answers_of, options_of

FORMAT = "qchess-study-1"
MOST_NODES, MOST_ARROWS, LONGEST_TITLE, LONGEST_COMMENT, LONGEST_MOVE = 4000, 100, 200, 4000, 200
#: the longest study, as JSON
LONGEST = 1024 * 1024
KINDS = ("move", "split", "merge", "note")


def study_values(value: Any) -> dict[str, Any]:
    """Return a study reduced to its known fields; an error says what is wrong."""
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
    """Return a node; its number is its place in the list, and its parent comes before it."""
    data = reading.mapping(value, "a node of the study")
    if not number:
        return {"parent": None, "text": "", **_notes(data)}
    return {
        "parent": reading.integer(data.get("parent"), "'parent'", 0, number - 1),
        "text": reading.text(data.get("text"), "the 'text' of a node", LONGEST_MOVE),
        "by": reading.text(data.get("by", ""), "'by'", LONGEST_MOVE),
        "sentence": reading.text(data.get("sentence", ""), "'sentence'", LONGEST_COMMENT),
        "answers": answers_of(data.get("answers")),
        **({"man": reading.text(data["man"], "'man'", LONGEST_MOVE)} if data.get("man") else {}),
        **({"takes": True} if data.get("takes") else {}),
        "set": bool(data.get("set")),
        "likely": reading.number(data.get("likely", 1), "'likely'", 0, 1),
        **_notes(data),
    }


def _notes(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a teacher's notes on a position."""
    arrows = reading.items(data.get("arrows", []), "'arrows'", MOST_ARROWS)
    comment = reading.text(data.get("comment", ""), "'comment'", LONGEST_COMMENT)
    return {"comment": comment, "arrows": [arrow_values(arrow) for arrow in arrows]}


def arrow_values(value: Any) -> dict[str, str]:
    """Return an arrow from a square to a square."""
    data = reading.mapping(value, "an arrow")
    ends = {end: reading.text(data.get(end), f"the {end!r} of an arrow", 4) for end in ("start", "end")}
    return {**ends, "kind": reading.one_of(data.get("kind", "note"), "the kind of an arrow", KINDS)}


def read(head: str, entry: str | None) -> tuple[str | None, str | None]:
    """Return a stored study's key hash (None if it is no study) and its last state as JSON (None if damaged)."""
    kept = values_of(head)
    if kept is None or "study" not in kept or "key" not in kept:
        return None, ""
    last = kept if entry is None else values_of(entry)
    return kept["key"], json_text(last["study"]) if last and "study" in last else None


class Shared:
    """The studies in a store. `ask` lets a worker read stored ones."""

    def __init__(self, keeping: Keeping, ask: Callable[..., Awaitable[Any]]) -> None:
        self.keeping, self._ask = keeping, ask

    async def begin(self, values: Mapping[str, Any]) -> tuple[str, str]:
        """Store a new study: returns its name, and the key for changing it."""
        name = table_name()
        key, kept = fresh()
        await self.keeping.open(name, {"study": dict(values), "key": kept, "made": round(time.time(), 2)})
        return name, key

    async def change(self, name: str, key: str, values: Mapping[str, Any]) -> bool:
        """Store a later state of a study; False if the key is wrong."""
        number, kept, _ = await self._read(name)
        if kept is None or not hmac.compare_digest(kept, hashed(key)):
            return False
        await self.keeping.add(name, Row(number + 1, None, {"kind": "study", "study": dict(values)}))
        return True

    async def read(self, name: str) -> str | None:
        """Return the last state of a study, as JSON; None if there is none of this name."""
        _, kept, text = await self._read(name)
        return None if kept is None else text

    async def _read(self, name: str) -> tuple[int, str | None, str]:
        """Return the number of a study's last row, the hash of its key, and its last readable state."""
        latest = found = await self.keeping.latest(name)
        while latest is not None and found is not None:
            kept, text = await self._ask("kept", head=found.head, entry=found.entry)
            if text is not None:
                return latest.number, kept, text
            self.keeping.tell(name, f"the study {name!r} is damaged in the store: row {found.number} cannot be read")
            found = await self.keeping.latest(name, found.number)
        return -1, None, ""
