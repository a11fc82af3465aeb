"""The content of the corpus: every circuit, and the smallest corpus that contains it on each track."""

from __future__ import annotations

from collections.abc import Iterator

from qchess.bench.case import SIZES, Case
from qchess.bench.corpus import families, games
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.tracks import Listed, on
from qchess.errors import InvalidMoveError

S, M, L = SIZES
#: the families of the corpus, as opposed to circuits from outside
FAMILIES = (
    "move", "move-asked", "history", "board", "game-asked", "splits", "linked-slides", "interference", "dance",
    "systems", "dense", "filled", "clifford",
)  # fmt: skip


def corpus(size: str = "standard", only: str = "") -> Iterator[Case]:
    """Yield the cases of a corpus, or those with a text in their names; a larger corpus includes the smaller ones."""
    if size not in SIZES:
        raise InvalidMoveError(f"a corpus is one of {', '.join(SIZES)}, got {size!r}")
    for circuit, sizes in listed(only):
        yield from cases(circuit, sizes, size, only)


def listed(only: str = "") -> Iterator[Listed]:
    """Yield every circuit with its tracks; those of games that cannot match `only` may be left out."""
    yield from games.listed(only)
    yield from small_states()
    yield from dances()
    yield from dense_states()
    yield from stabilizers()


def small_states() -> Iterator[Listed]:
    """Yield circuits whose states stay small for any number of wires."""
    yield families.splits(9), on(S, S, L, M)
    yield families.splits(21), on(M, M, L, L)
    yield families.splits(49), on(M, L)
    yield families.linked_slides(2), on(S, M, S, L)
    yield families.linked_slides(4), on(M, M, L, M)
    yield families.linked_slides(8), on(M, M, L, L)
    yield families.linked_slides(10), on(L, L)
    yield families.interference(3), on(S, S, L, S)
    yield families.interference(5), on(M, M, M, L)
    yield families.interference(8), on(M, L, L, L)
    yield families.interference(12), on(L, L)


def dances() -> Iterator[Listed]:
    """Yield circuits whose states grow with the game."""
    yield families.dance(10, 3, 20, 1), on(S, S, S, L)
    yield families.dance(12, 4, 40, 1), on(M, M, L, L)
    yield families.dance(16, 3, 40, 1), on(M, M, L, M)
    yield families.dance(16, 4, 60, 1), on(M, M, L, L)
    yield families.dance(16, 6, 60, 1), on(M, L)
    yield families.dance(16, 8, 80, 1), on(M, L)
    yield families.dance(20, 5, 60, 1), on(M, L)
    yield families.dance(20, 6, 80, 1), on(M, L)
    yield families.dance(20, 8, 100, 1), on(L)
    yield families.dance(24, 5, 60, 1), on(M, L)
    yield families.dance(40, 4, 60, 1), on(L)


def dense_states() -> Iterator[Listed]:
    """Yield circuits on which a vector beats a list of branches: a large share of all basis states, up to all."""
    yield families.filled(12, 2), on(S, M, L, L)
    for free in range(8):
        yield families.filled(18, free), on(M if free < 6 else L)
    for free in range(1, 7):
        yield families.filled(20, free), on(L)
    yield families.dense(8, 3), on(S, S, M, L)
    yield families.dense(14, 3), on(M, M, L, M)
    yield families.dense(18, 3), on(M, L)
    yield families.dense(20, 2), on(L)
    yield families.systems(10, 10, 1), on(S, M, M, L)
    yield families.systems(16, 12, 1), on(M, M, L, L)
    yield families.systems(20, 15, 1), on(L)
    yield families.gathering(16), on(M, L)
    yield families.gathering(20), on(L, L)


def stabilizers() -> Iterator[Listed]:
    """Yield circuits on which a tableau beats everything else."""
    yield families.cat(12), on(S, L, L, M)
    yield families.cat(40), on(M, L, L, L)
    yield families.clifford(10, 4, 1), on(S, M, L, M)
    yield families.clifford(14, 6, 1), on(M, M, L, L)
    yield families.clifford(18, 6, 1), on(M, L)
    yield families.clifford(20, 8, 1), on(L)
