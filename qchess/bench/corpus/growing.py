"""Families of the corpus as functions of the number of wires, to study the growth of one family.

Options follow a name as for simulators: ``filled,free=3``. Their defaults are those of the corpus: a dance has a piece
on every fourth square and four moves a square.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from qchess.bench.corpus import families
from qchess.bench.corpus.circuit import Circuit
from qchess.errors import InvalidMoveError

#: number of wires -> circuit, or None if the family has none
Growing = Callable[[int], Circuit | None]
#: more wires than any simulator can do
MOST = 1000


def splits(n: int) -> Circuit | None:
    """Odd numbers of wires: a split adds two."""
    return families.splits(n) if n % 2 and n > 1 else None


def linked_slides(n: int) -> Circuit | None:
    """Five wires a link."""
    return None if n % 5 else families.linked_slides(n // 5)


def interference(n: int) -> Circuit | None:
    """Four wires a piece."""
    return None if n % 4 else families.interference(n // 4)


def dance(n: int, pieces: int = 0, moves: int = 0, seed: int = 1) -> Circuit | None:
    """Random moves on all squares, including those not reached."""
    pieces, moves = pieces or max(1, n // 4), moves or 4 * n
    if n < max(5, pieces):  # so many squares a move draws
        return None
    made = families.dance(n, pieces, moves, seed)
    return replace(made, declared=tuple(dict.fromkeys([*made.wires, *(f"d{k}" for k in range(n))])))


def systems(n: int, rounds: int = 0, seed: int = 1) -> Circuit | None:
    """Three rounds for four pieces."""
    return families.systems(n, rounds or 3 * n // 4, seed) if n > 2 else None


def filled(n: int, free: int = 0) -> Circuit | None:
    """A share of 2^-free of all basis states at every n."""
    return families.filled(n, free) if n > free else None


def dense(n: int, layers: int = 3) -> Circuit:
    """The same number of layers at every n."""
    return families.dense(n, layers)


def clifford(n: int, layers: int = 6, seed: int = 1) -> Circuit:
    """The same number of layers at every n, with different gates."""
    return families.clifford(n, layers, seed)


GROWING: dict[str, Callable[..., Circuit | None]] = {
    "splits": splits, "linked-slides": linked_slides, "interference": interference, "dance": dance,
    "systems": systems, "gathering": families.gathering, "dense": dense, "filled": filled, "clifford": clifford,
    "cat": families.cat,
}  # fmt: skip


def growing(text: str) -> Growing:
    """Return the family of that name with its options.

    >>> growing("filled,free=1")(4).name
    'filled-4-1'
    """
    name, *settings = text.split(",")
    if name not in GROWING:
        known = ", ".join(f"{name}{_options(made)}" for name, made in GROWING.items())
        raise InvalidMoveError(
            f"a family that grows with its wires is FILE.py:FUNCTION or one of {known}; got {name!r}"
        )
    function = GROWING[name]
    own = list(inspect.signature(function).parameters)[1:]
    options = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        if key not in own or not value.isdecimal():
            told = " and ".join(f"{key}=NUMBER" for key in own) or "no options"
            raise InvalidMoveError(f"family {name!r} has {told}, got {setting!r}")
        options[key] = int(value)
    return partial(function, **options)


def _options(function: Callable[..., Circuit | None]) -> str:
    return "".join(f"[,{key}=]" for key in list(inspect.signature(function).parameters)[1:])


def widths(text: str) -> Sequence[int]:
    """Return numbers of wires: ``FIRST:LAST``, ``FIRST:LAST:STEP`` (LAST included), or a list with commas.

    >>> widths("4:10:3"), widths("8,12")
    ([4, 7, 10], [8, 12])
    """
    if found := re.fullmatch(r"(\d+):(\d+)(?::(\d+))?", text):
        first, last, step = (int(part or 1) for part in found.groups())
        made = list(range(first, last + 1, step)) if step and last <= MOST else []
    else:
        made = sorted({int(part) for part in text.split(",")}) if re.fullmatch(r"\d+(,\d+)*", text) else []
    if not made or not 1 <= made[0] <= made[-1] <= MOST:
        raise InvalidMoveError(f"expected wires as FIRST:LAST:STEP or as 8,12,16, from 1 to {MOST}, got {text!r}")
    return made
