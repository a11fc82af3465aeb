"""The moves that games share, as functions from names of qubits to programs.

Phases are those of the rule book of Quantum Chess: each move multiplies what it moves by i. A path
is the squares strictly between; a slide acts where all of them are empty. Conditions leave no
record: they are controls here, and the compiler computes and uncomputes their flags.

Capturing programs name the question ``hit``; what a capture removes goes to a fresh qubit that the
caller names, and only that one is kept. The squares of a move differ, and a path is a tuple or a list of names:
no board is here that could tell a lone text from its letters, so one is refused.
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
    """The controls that say: every square of these paths is empty."""
    return {square: 0 for path in paths for square in names("a path", path)}


def _cached(pattern: Callable[Arguments, Program]) -> Callable[Arguments, Program]:
    """The pattern, kept for what it was given before; what cannot be kept, such as a list, is taken as it is."""
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
    """The piece goes from s to t: |10> -> i|01>, |01> -> i|10>."""
    return Program(iswap(s, t))


@_cached
def slide(s: Qubit, t: Qubit, path: Path = ()) -> Program:
    """A jump in every branch whose path is empty; nothing in the others."""
    return Program(iswap(s, t, empty=names("a path", path)))


@lru_cache(maxsize=65536)
def split(s: Qubit, t1: Qubit, t2: Qubit) -> Program:
    """Half of the piece to each target: |100> -> i(|010> + |001>)/sqrt 2."""
    _differ("a split", s, t1, t2)
    return Program(iswap(s, t1, 0.5), iswap(s, t2))


@lru_cache(maxsize=65536)
def merge(a: Qubit, b: Qubit, t: Qubit) -> Program:
    """The two halves to one target: the exact inverse of ``split(t, a, b)``."""
    _differ("a merge", a, b, t)
    return Program(iswap(b, t, -1), iswap(a, t, -0.5))


@_cached
def split_slide(s: Qubit, t1: Qubit, t2: Qubit, path1: Path = (), path2: Path = ()) -> Program:
    """A split where both paths are empty; one empty path takes all; none: nothing moves.

    Written with conditions that only join: a full move to t1 where path1 is empty, half of it taken
    back where both are, then a full move to t2 where path2 is empty.
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
    """A merge where both paths are empty; one empty path moves its source; none: nothing moves."""
    _differ("a merge", a, b, t)
    return split_slide(t, a, b, path_a, path_b).inverse()


def partial_split(s: Qubit, t1: Qubit, t2: Qubit, share: float, path1: Path = (), path2: Path = ()) -> Program:
    """A split of any odds: `share` of the piece goes to t1, the rest to t2."""
    if not 0 <= share <= 1:
        raise ProgramError(f"the share of a split lies between 0 and 1, got {share!r}")
    _differ("a split", s, t1, t2)
    t = 2 / math.pi * math.asin(math.sqrt(share))
    path1, path2 = _open(path1, s, t1, t2), _open(path2, s, t1, t2)
    if not path2:
        return Program(iswap(s, t1, t, empty=path1), iswap(s, t2))
    return Program(iswap(s, t1, empty=path1), iswap(s, t1, t - 1, empty={*path1, *path2}), iswap(s, t2, empty=path2))


def partial_merge(a: Qubit, b: Qubit, t: Qubit, share: float, path_a: Path = (), path_b: Path = ()) -> Program:
    """The exact inverse of ``partial_split(t, a, b, share, path_a, path_b)``."""
    _differ("a merge", a, b, t)
    return partial_split(t, a, b, share, path_a, path_b).inverse()


def join(flag: Qubit, a: Qubit, b: Qubit) -> Program:
    """A controlled swap: a and b change places where the flag is 1."""
    return Program(swap(a, b).when({flag: 1}))


def hadamard_pair(a: Qubit, b: Qubit) -> Program:
    """A Hadamard on one piece that is on a or on b: |10> -> (|10> + |01>)/sqrt 2.

    The pair is folded into one qubit, turned, and unfolded; both full and both empty stay as they are.
    """
    return Program(cnot(b, a), h(b).when({a: 1}), cnot(b, a))


def phase_pair(a: Qubit, b: Qubit, t: float) -> Program:
    """The phase e^{i pi t} where exactly one of the pair is full and it is b."""
    return Program(z(b, t).when({a: 0}))


# -- moves that ask first ---------------------------------------------------------------------------


def asked(predicate: Predicate, passed: Program, name: str = "hit") -> Program:
    """One joint question, and the operations that follow a yes; a no only projects."""
    return Program(ask(name, predicate), when(name, {1: passed}))


def take(square: Qubit, captured: Qubit) -> Program:
    """What stands on the square goes to the captured qubit, without a phase, and is kept there."""
    return Program(swap(square, captured), discard(captured))


def capture(s: Qubit, t: Qubit, captured: Qubit, path: Path = ()) -> Program:
    """Is the attacker there and its path empty? Then t is taken, full or not, and s moves to it."""
    path = names("a path", path)
    _differ("a capture", s, t, captured, *path)
    return asked(_free_to_go(s, path), take(t, captured) + jump(s, t))


@lru_cache(maxsize=65536)
def _free_to_go(s: Qubit, path: tuple[Qubit, ...]) -> Predicate:
    """The piece is on s and its path is empty."""
    return full(s) & empty(*path)


@_cached
def excluded(s: Qubit, t: Qubit, path: Path = ()) -> Program:
    """Is the own piece's square t empty? Then slide; the piece may still stay behind in branches."""
    return asked(empty(t), slide(s, t, path))


def _open(path: Path, *squares: Qubit) -> tuple[Qubit, ...]:
    """The path without the squares of the move itself, which never block it."""
    return tuple([square for square in names("a path", path) if square not in squares]) if path else ()


def _differ(what: str, *squares: Qubit) -> None:
    """An error unless these are names of squares that differ."""
    names(what, squares)
