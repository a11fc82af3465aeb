"""Compare two packed positions: equal boards and counters, and states that no move can distinguish.

A state is compared without its captured pieces: a list of board states, each with its odds and up to its phase. The
names of captured pieces, and whether parallel board states are kept apart, do not matter.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.precision import SAME
from qchess.games.quantum_chess.core.layout import CLOCK, EN_PASSANT, FULL, MASS, PIECES, PLY, RIGHTS, SOME
from qchess.games.quantum_chess.core.packing import Packed

CLASSICAL = {
    "ply": PLY,
    "castling rights": RIGHTS,
    "en passant square": EN_PASSANT,
    "half-move clock": CLOCK,
    "squares that may be occupied": SOME,
    "squares that are certainly occupied": FULL,
}
#: board states on the same squares: each as a unit vector, and its odds
Rays = list[tuple[NDArray[np.complex128], float]]


def difference(mine: Packed, other: Packed) -> str | None:
    """Return how two packed positions differ, in words; None if they are the same."""
    if mine.board != other.board:
        return f"the board is {mine.board}, expected {other.board}"
    for name, at in CLASSICAL.items():
        if mine.game[at] != other.game[at]:
            return f"the {name}: {mine.game[at]}, expected {other.game[at]}"
    for name, at in (("number of pieces", PIECES), ("number of pieces at the last whole capture", MASS)):
        if abs(mine.sums[at] - other.sums[at]) > SAME:
            return f"the {name}: {mine.sums[at]!r}, expected {other.sums[at]!r}"
    return _difference_of_states(mine, other)


def _difference_of_states(mine: Packed, other: Packed) -> str | None:
    ours, theirs = _rays(mine), _rays(other)
    if ours.keys() != theirs.keys():
        return f"{len(ours.keys() ^ theirs.keys())} sets of branches belong to one of the two states only"
    for branches, rays in ours.items():
        left = list(theirs[branches])
        for vector, odds in rays:
            match = next((k for k, (v, p) in enumerate(left) if abs(p - odds) < SAME and _close(v, vector)), None)
            if match is None:
                return f"no counterpart for the board state {vector.tolist()} of odds {odds!r}, there are {left}"
            left.pop(match)
        if left:
            return f"board states without a counterpart: {left}"
    return None


def _rays(position: Packed) -> dict[bytes, Rays]:
    """Return the board states by the squares of their branches; parallel ones are combined."""
    order = np.lexsort((position.squares, position.captured))
    squares, captured = position.squares[order], position.captured[order]
    amplitudes = (position.re + 1j * position.im)[order]
    amplitudes /= np.linalg.norm(amplitudes)
    ends = np.flatnonzero(np.diff(captured)) + 1
    found: dict[bytes, Rays] = defaultdict(list)
    for branches, vector in zip(np.split(squares, ends), np.split(amplitudes, ends), strict=True):
        odds = float(np.vdot(vector, vector).real)
        unit = _turned(vector / np.sqrt(odds))
        rays = found[branches.tobytes()]
        same = next((k for k, (ray, _) in enumerate(rays) if _close(ray, unit)), None)
        if same is None:
            rays.append((unit, odds))
        else:
            rays[same] = (unit, odds + rays[same][1])
    return found


def _turned(unit: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Return the vector with a standard phase: its first large amplitude is real."""
    sizes = np.abs(unit)
    top = int(np.argmax(sizes > sizes.max() * (1 - 1e-6)))
    turned: NDArray[np.complex128] = unit * (sizes[top] / unit[top])
    return turned


def _close(a: NDArray[np.complex128], b: NDArray[np.complex128]) -> bool:
    return bool(np.abs(a - b).max() < SAME)
