"""The moves that games share, as functions from qubit names to programs.

Phases are those of the rule book of Quantum Chess: each move multiplies what it moves by i. A path is the squares
strictly between; a slide acts where all of them are empty. Conditions leave no record: they are controls here,
and the compiler computes and uncomputes their flags.

Capturing programs name the question ``hit``. A captured piece goes to a fresh qubit that the caller names, and only
that one is kept. The squares of a move must differ. A path is a tuple or list of names, never a lone string.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import ParamSpec

from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import Qubit, cnot, h, iswap, names, swap, z
from qchess.circuits.predicates import Predicate, empty, full
from qchess.circuits.program import Program, ask, discard, when

Path = Iterable[Qubit]
Arguments = ParamSpec("Arguments")


def clear(*paths: Iterable[Qubit]) -> dict[Qubit, int]:
    """Return the controls for: every square of these paths is empty."""
    return {square: 0 for path in paths for square in names("a path", path)}


def _cached(pattern: Callable[Arguments, Program]) -> Callable[Arguments, Program]:
    """Cache the pattern by its arguments; unhashable ones, such as lists, are passed on."""
    kept = lru_cache(maxsize=65536)(pattern)

    @wraps(pattern)
    def made(*args: Arguments.args, **named: Arguments.kwargs) -> Program:
        try:
            return kept(*args, **named)  # type: ignore[arg-type]
        except TypeError:
            return pattern(*args, **named)

    return made


# -- moves that measure nothing -------------------------------------------------------------------


@lru_cache(maxsize=65536)
def jump(s: Qubit, t: Qubit) -> Program:
    """Move the piece from s to t: |10> -> i|01>, |01> -> i|10>."""
    return Program(iswap(s, t))


@_cached
def slide(s: Qubit, t: Qubit, path: Path = ()) -> Program:
    """Jump in every branch whose path is empty; do nothing in the others."""
    return Program(iswap(s, t, empty=names("a path", path)))


@lru_cache(maxsize=65536)
def split(s: Qubit, t1: Qubit, t2: Qubit) -> Program:
    """Move half of the piece to each target: |100> -> i(|010> + |001>)/sqrt 2."""
    _differ("a split", s, t1, t2)
    return Program(iswap(s, t1, 0.5), iswap(s, t2))


@lru_cache(maxsize=65536)
def merge(a: Qubit, b: Qubit, t: Qubit) -> Program:
    """Move the two halves to one target: the exact inverse of ``split(t, a, b)``."""
    _differ("a merge", a, b, t)
    return Program(iswap(b, t, -1), iswap(a, t, -0.5))


@_cached
def split_slide(s: Qubit, t1: Qubit, t2: Qubit, path1: Path = (), path2: Path = ()) -> Program:
    """Split where both paths are empty; move fully along the one empty path; do nothing if neither is.

    Its conditions are only conjunctions: a full move to t1 where path1 is empty, half of it taken back where both
    are, then a full move to t2 where path2 is empty.
    """
    _differ("a split", s, t1, t2)
    path1, path2 = _open(path1, s, t1, t2), _open(path2, s, t1, t2)
    if not path1 and not path2:
        return split(s, t1, t2)
    if not path2:  # both are clear wherever the first is
        return Program(iswap(s, t1, 0.5, empty=path1), iswap(s, t2))
    return Program(iswap(s, t1, empty=path1), iswap(s, t1, -0.5, empty={*path1, *path2}), iswap(s, t2, empty=path2))


@_cached
def merge_slide(a: Qubit, b: Qubit, t: Qubit, path_a: Path = (), path_b: Path = ()) -> Program:
    """Merge where both paths are empty; move one source along the one empty path; do nothing if neither is."""
    _differ("a merge", a, b, t)
    return split_slide(t, a, b, path_a, path_b).inverse()


def partial_split(s: Qubit, t1: Qubit, t2: Qubit, share: float, path1: Path = (), path2: Path = ()) -> Program:
    """Split with any probabilities: `share` goes to t1, the rest to t2."""
    if not 0 <= share <= 1:
        raise ProgramError(f"the share of a split lies between 0 and 1, got {share!r}")
    _differ("a split", s, t1, t2)
    t = 2 / math.pi * math.asin(math.sqrt(share))
    path1, path2 = _open(path1, s, t1, t2), _open(path2, s, t1, t2)
    if not path2:
        return Program(iswap(s, t1, t, empty=path1), iswap(s, t2))
    return Program(iswap(s, t1, empty=path1), iswap(s, t1, t - 1, empty={*path1, *path2}), iswap(s, t2, empty=path2))


def partial_merge(a: Qubit, b: Qubit, t: Qubit, share: float, path_a: Path = (), path_b: Path = ()) -> Program:
    """Undo ``partial_split(t, a, b, share, path_a, path_b)`` exactly."""
    _differ("a merge", a, b, t)
    return partial_split(t, a, b, share, path_a, path_b).inverse()


def join(flag: Qubit, a: Qubit, b: Qubit) -> Program:
    """Swap a and b where the flag is 1."""
    return Program(swap(a, b).when({flag: 1}))


def hadamard_pair(a: Qubit, b: Qubit) -> Program:
    """Apply a Hadamard to one piece that is on a or on b: |10> -> (|10> + |01>)/sqrt 2."""
    return Program(cnot(b, a), h(b).when({a: 1}), cnot(b, a))


def phase_pair(a: Qubit, b: Qubit, t: float) -> Program:
    """Apply the phase e^{i pi t} where b is full and a is empty."""
    return Program(z(b, t).when({a: 0}))


# -- moves that ask first ---------------------------------------------------------------------------


def asked(predicate: Predicate, passed: Program, name: str = "hit") -> Program:
    """Ask one joint question, and run the operations after a yes; a no only projects."""
    return Program(ask(name, predicate), when(name, {1: passed}))


def take(square: Qubit, captured: Qubit) -> Program:
    """Move what is on the square to the captured qubit, without a phase, and keep it there."""
    return Program(swap(square, captured), discard(captured))


def capture(s: Qubit, t: Qubit, captured: Qubit, path: Path = ()) -> Program:
    """Ask whether the attacker is there with an empty path. If so, take t, full or not, and move s to it."""
    path = names("a path", path)
    _differ("a capture", s, t, captured, *path)
    return asked(_free_to_go(s, path), take(t, captured) + jump(s, t))


@lru_cache(maxsize=65536)
def _free_to_go(s: Qubit, path: tuple[Qubit, ...]) -> Predicate:
    """Return the predicate: the piece is on s and its path is empty."""
    return full(s) & empty(*path)


@_cached
def excluded(s: Qubit, t: Qubit, path: Path = ()) -> Program:
    """Ask whether the own square t is empty. If so, slide; the piece may still stay behind in branches."""
    return asked(empty(t), slide(s, t, path))


def _open(path: Path, *squares: Qubit) -> tuple[Qubit, ...]:
    """Return the path without the squares of the move itself, which never block it."""
    return tuple([square for square in names("a path", path) if square not in squares]) if path else ()


def _differ(what: str, *squares: Qubit) -> None:
    """Raise an error unless these are distinct names."""
    names(what, squares)
