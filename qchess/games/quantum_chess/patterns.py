"""The patterns that only chess has: pawns that capture, en passant, castling. The rest is in `qchess.circuits`."""

from __future__ import annotations

from functools import lru_cache

from qchess.circuits.operations import Operation, Qubit, cnot, swap, x, z
from qchess.circuits.patterns import Path, asked, slide
from qchess.circuits.predicates import empty, full
from qchess.circuits.program import Program, discard

#: the name of a move's question; the move fails if the answer is 0
HIT = "hit"


@lru_cache(maxsize=65536)
def pawn_capture(s: Qubit, t: Qubit) -> Program:
    """Ask whether the pawn is there. Then, where t is full, the victim's bit becomes the pawn's."""
    return asked(full(s), Program(cnot(t, s)))


def en_passant(s: Qubit, t: Qubit, victim: Qubit, captured: Qubit) -> Program:
    """Move where the pawn and its victim stand and t is empty: |101> -> |010>, no phase."""
    return Program(*_en_passant(s, t, victim, captured), discard(captured))


def en_passant_excluded(s: Qubit, t: Qubit, victim: Qubit, captured: Qubit) -> Program:
    """Ask whether t is empty. Then move as `en_passant`."""
    return asked(empty(t), en_passant(s, t, victim, captured))


def en_passant_capture(s: Qubit, t: Qubit, victim: Qubit, captured: tuple[Qubit, Qubit]) -> Program:
    """Ask whether the pawn is there. Then it takes what stands on t, or else in passing, with phase -1.

    There are two captured qubits, since the two captures leave different boards behind.
    """
    from_t, in_passing = captured
    return asked(
        full(s),
        Program(
            swap(t, from_t),
            swap(victim, in_passing).when({from_t: 0}),
            *(step for env in captured for step in (z(env), swap(s, t).when({env: 1}))),
            discard(*captured),
        ),
    )


def _en_passant(s: Qubit, t: Qubit, victim: Qubit, captured: Qubit) -> tuple[Operation, ...]:
    return (
        x(captured).when({s: 1, t: 0, victim: 1}),
        x(s).when({captured: 1}),
        x(t).when({captured: 1}),
        x(victim).when({captured: 1}),
    )


def castle(king: tuple[Qubit, Qubit], rook: tuple[Qubit, Qubit], path: Path = (), asks: Path = ()) -> Program:
    """Move king and rook each by an iSWAP where the path is empty; first ask whether `asks` are empty."""
    moves = slide(*king, path) + slide(*rook, path)
    return asked(empty(*asks), moves) if asks else moves
