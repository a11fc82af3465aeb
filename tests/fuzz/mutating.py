"""Seeded mutations of texts and of JSON: bytes and words moved about, and values that nobody expects."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

#: what a text may meet: marks of every notation here, blanks of all kinds, other scripts, and long runs
SNIPPETS = (
    "",
    " ",
    "\n",
    "\t",
    "\x00",
    "\u2028",
    "\ud800",
    "é",
    "٣",
    "²",
    "🂡",
    "e4",
    "a1",
    "^",
    "-",
    ".m1",
    ".m0",
    "/",
    "8",
    "99",
    "=",
    ":",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "\\",
    "#",
    "+",
    "*",
    "%",
    "$1",
    "self",
    "None",
    "null",
    "nan",
    "inf",
    "inf",
    "1e999",
    "-0.0",
    "1e-320",
    "9" * 40,
    "9" * 5000,
    "(" * 400,
    "[" * 400,
    " " * 3000,
    "a" * 3000,
    ",a" * 1500,
    "x=" * 800,
)
#: what a field may hold: every type, the ends of ranges, and what is deep, long or large
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    63,
    64,
    2**31,
    2**63,
    2**64,
    -(2**70),
    10**60,
    0.5,
    -0.0,
    1e308,
    5e-324,
    "",
    "e2",
    "w",
    "self",
    "\ud800",
    "x" * 500,
    "+" * 40,
    [],
    [[]],
    [1, "a"],
    {},
    {"a": {}},
    {"self": 1},
    [None] * 500,
    [[0.0, 0.0]] * 64,
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
)


def text(source: str, rng: random.Random) -> str:
    """The text with one to four changes."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, reach = rng.randrange(len(source) + 1), rng.choice((0, 1, 1, 2, 5, 20))
        kind = rng.random()
        if kind < 0.5:
            source = source[:at] + rng.choice(SNIPPETS) + source[at + reach :]
        elif kind < 0.7:
            source = source[:at] + source[at + reach :]
        elif kind < 0.85:
            other = rng.randrange(len(source) + 1)
            source = source[:at] + source[other : other + reach * 3] + source[at:]
        else:
            source = source[:at] + chr(rng.randrange(32, 127)) + source[at + 1 :]
    return source


def without_a_word(source: str) -> Iterator[str]:
    """The text without each of its words, and none of it."""
    words = source.split(" ")
    yield from (" ".join(words[:at] + words[at + 1 :]) for at in range(len(words)))
    yield ""


def with_another_field(source: Any) -> Iterator[Any]:
    """The JSON value without each of its fields, and with each as another type; of a list, its first part's."""
    if isinstance(source, dict):
        for key, held in source.items():
            yield {name: value for name, value in source.items() if name != key}
            yield from ({**source, key: other} for other in with_another_field(held))
    elif isinstance(source, list) and source:
        yield source[1:]
        yield from ([other, *source[1:]] for other in with_another_field(source[0]))
    yield from (other for other in (None, True, 7, 0.5, "x", [], [7], {}, {"x": 7}) if type(other) is not type(source))


#: what a file may hold besides
OF_FILES: tuple[Any, ...] = (
    *VALUES, float("nan"), float("inf"), 999_999_999, -3, 2.5e200, "x" * 20_000, "9" * 5000, "qchess-arena-9",
    [{}] * 3000,
)  # fmt: skip


def value(source: Any, rng: random.Random, values: tuple[Any, ...] = VALUES) -> Any:
    """The JSON value with one to three of its parts replaced, removed, doubled or buried."""
    source = copy.deepcopy(source)
    for _ in range(rng.choice((1, 1, 2, 3))):
        holder = rng.choice([*_holders(source)] or [{}])
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            continue
        key, kind = rng.choice(keys), rng.random()
        if kind < 0.15:
            del holder[key]
        elif kind < 0.35 and isinstance(holder[key], str):
            holder[key] = text(holder[key], rng)
        elif kind < 0.45 and isinstance(holder, dict):
            holder[rng.choice(("self", "name", "", "profile", "é", "x" * 300))] = copy.deepcopy(rng.choice(values))
        elif kind < 0.5 and isinstance(holder, list):
            holder.extend(copy.deepcopy(holder[:50]))
        elif kind < 0.55:
            holder[key] = _buried(holder[key], rng.choice((3, 70, 150)))
        else:
            holder[key] = copy.deepcopy(rng.choice(values))
    return source


def json_text(source: Any, rng: random.Random) -> str:
    """JSON text of a changed value, or a changed JSON text."""
    if rng.random() < 0.3:
        return text(json.dumps(source), rng)
    return json.dumps(value(source, rng))


def data(source: bytes, rng: random.Random) -> bytes:
    """The bytes with one to four changes: some other, gone, doubled, new, or all cut off."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, reach = rng.randrange(len(source) + 1), rng.choice((1, 1, 2, 8, 64))
        new = rng.choice(
            (b"", rng.randbytes(reach), source[at : at + reach] * 2, rng.choice(SNIPPETS).encode("utf-8", "replace"))
        )
        source = source[:at] + new + (b"" if rng.random() < 0.05 else source[at + reach :])
    return source


def lines(source: bytes, rng: random.Random) -> bytes:
    """A file of JSON, or of a JSON value a line, of which one value is changed, or a line lost, moved or doubled."""
    try:
        found = [json.dumps(json.loads(source))]
    except ValueError:
        found = source.decode().splitlines()
    at, kind = rng.randrange(len(found)), rng.random()
    if kind < 0.1:
        found[at : at + 1] = rng.choice(([], [found[at]] * 2, [rng.choice(found)], [""], ["[" * 5000]))
    elif kind < 0.2 and found[at].startswith("{"):
        found[at] = "{" + rng.choice(('"format": 0, ', '"game": "a", ', '"x": 1, "x": 1, ')) + found[at][1:]
    else:
        found[at] = json.dumps(value(json.loads(found[at]), rng, OF_FILES))
    return "".join(line + "\n" for line in found).encode("utf-8", "surrogatepass")


def _holders(source: Any) -> Iterator[Any]:
    if isinstance(source, dict | list):
        yield source
        for item in source.values() if isinstance(source, dict) else source:
            yield from _holders(item)


def _buried(source: Any, depth: int) -> Any:
    for _ in range(depth):
        source = [source]
    return source
