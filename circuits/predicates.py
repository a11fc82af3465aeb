"""Predicates: conditions on qubits, used in questions.

A predicate is a union of *cubes*; a cube gives the values of some qubits. Build them with
`where` and combine them with ``&``, ``|`` and ``~``:

>>> where({'b1': 1, 'c1': 0}) | where({'d4': 1})
where({'b1': 1, 'c1': 0}) | where({'d4': 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import Qubit

Cube = tuple[tuple[Qubit, int], ...]


@dataclass(frozen=True, slots=True)
class Predicate:
    """A yes/no condition on qubits: true where any of its cubes matches.

    No cube at all is never true; the empty cube is always true.
    """

    cubes: tuple[Cube, ...]
    #: the qubits of the predicate, each once
    qubits: tuple[Qubit, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "qubits", tuple(dict.fromkeys([q for cube in self.cubes for q, _ in cube])))

    def holds(self, value: Callable[[Qubit], int]) -> bool:
        """Tell whether the predicate is true when each qubit has ``value(qubit)``."""
        return any(all(value(q) == v for q, v in cube) for cube in self.cubes)

    def given(self, known: Mapping[Qubit, int]) -> Predicate:
        """Return the predicate that is left once some qubits are known."""
        kept = []
        for cube in self.cubes:
            if all(known.get(q, v) == v for q, v in cube):
                kept.append(tuple([pair for pair in cube if pair[0] not in known]))
        if () in kept:
            return ALWAYS
        return Predicate(tuple(dict.fromkeys(kept)))

    def disjoint(self) -> Predicate:
        """Return the same predicate with cubes of which at most one is true at a time."""
        rest: list[Cube] = []
        for cube in self.cubes:
            pieces = [cube]
            for taken in rest:
                pieces = [part for piece in pieces for part in _without(piece, taken)]
            rest.extend(pieces)
        return Predicate(tuple(rest))

    def __and__(self, other: Predicate) -> Predicate:
        both = [_meet(a, b) for a in self.cubes for b in other.cubes]
        return Predicate(tuple(dict.fromkeys(cube for cube in both if cube is not None)))

    def __or__(self, other: Predicate) -> Predicate:
        return Predicate(tuple(dict.fromkeys(self.cubes + other.cubes)))

    def __invert__(self) -> Predicate:
        return Predicate(tuple(tuple(sorted(cube.items())) for cube in _complement(self.cubes)))

    def __repr__(self) -> str:
        if not self.cubes:
            return "NEVER"
        return " | ".join(f"where({dict(cube)!r})" for cube in self.cubes)

    def __str__(self) -> str:
        if not self.cubes:
            return "never"
        return " or ".join(" ".join(f"{q}={v}" for q, v in cube) or "always" for cube in self.cubes)


@lru_cache(maxsize=4096)
def conjunction(cube: Cube) -> Predicate:
    """Return the predicate of one cube; the same object each time."""
    return Predicate((cube,))


NEVER = Predicate(())
ALWAYS = Predicate(((),))


def where(values: Mapping[Qubit, int] | None = None, /, **named: int) -> Predicate:
    """Return the predicate: every one of these qubits has the given value."""
    pairs = {**(values or {}), **named}
    for qubit, value in pairs.items():
        if not isinstance(qubit, str) or not qubit:
            raise ProgramError(f"a qubit is named by a non-empty string, got {qubit!r}")
        if value not in (0, 1):
            raise ProgramError(f"a predicate asks for 0 or 1, got {qubit}={value!r}")
    return Predicate((tuple(sorted(pairs.items())),))


def full(*qubits: Qubit) -> Predicate:
    """Return the predicate: every one of these qubits is 1."""
    return where(dict.fromkeys(qubits, 1))


def empty(*qubits: Qubit) -> Predicate:
    """Return the predicate: every one of these qubits is 0."""
    return where(dict.fromkeys(qubits, 0))


def _meet(a: Cube, b: Cube) -> Cube | None:
    """Return both cubes at once, or None if they contradict each other."""
    merged = dict(a)
    for qubit, value in b:
        if merged.setdefault(qubit, value) != value:
            return None
    return tuple(sorted(merged.items()))


def _complement(cubes: Iterable[Cube]) -> Iterator[dict[Qubit, int]]:
    """Yield disjoint cubes that cover whatever none of these covers.

    A cube of one qubit fixes that qubit. Then one qubit of a shortest cube takes both values in turn, which leaves
    fewer and shorter cubes on either side. A single remaining cube is taken apart.
    """
    fixed: dict[Qubit, int] = {}
    left = list(cubes)
    while units := [cube[0] for cube in left if len(cube) == 1]:
        for qubit, value in units:
            if fixed.setdefault(qubit, 1 - value) == value:
                return
        left = _restricted(left, fixed)
    if () in left:
        return
    if len(left) < 2:
        yield from ({**fixed, **dict(part)} for part in (_without((), left[0]) if left else [()]))
        return
    qubit, value = _dividing(left)
    for choice in (1 - value, value):
        for part in _complement(_restricted(left, {qubit: choice})):
            yield {**fixed, qubit: choice, **part}


def _restricted(cubes: Iterable[Cube], known: Mapping[Qubit, int]) -> list[Cube]:
    """Return the cubes that are left once some qubits are known, each once."""
    open_to = (cube for cube in cubes if all(known.get(q, v) == v for q, v in cube))
    return list(dict.fromkeys(tuple([pair for pair in cube if pair[0] not in known]) for cube in open_to))


def _dividing(cubes: list[Cube]) -> tuple[Qubit, int]:
    """Return the qubit, with its value in a shortest cube, that occurs in most cubes."""
    shortest = min(cubes, key=len)
    often = Counter(q for cube in cubes for q, _ in cube)
    return max(shortest, key=lambda pair: often[pair[0]])


def _without(piece: Cube, taken: Cube) -> list[Cube]:
    """Return disjoint cubes that cover `piece` without `taken`."""
    have = dict(piece)
    if any(have.get(q, v) != v for q, v in taken):
        return [piece]
    parts: list[Cube] = []
    for qubit, value in taken:
        if qubit not in have:
            parts.append(tuple(sorted({**have, qubit: 1 - value}.items())))
            have[qubit] = value
    return parts
