"""The patterns that only chess has: pawns that capture, en passant, castling. The rest is in `qchess.circuits`."""

from __future__ import annotations

from functools import lru_cache

from qchess.circuits.operations import Operation, Qubit, cnot, swap, x, z
from qchess.circuits.patterns import Path, asked, slide
from qchess.circuits.predicates import empty, full
from qchess.circuits.program import Program, discard

#: the name of the question that a move asks; a move fails where it is answered 0
HIT = "hit"


@lru_cache(maxsize=65536)
def pawn_capture(s: Qubit, t: Qubit) -> Program:
    """Is the pawn there? Then where t is full the victim's bit becomes the pawn's."""
    return asked(full(s), Program(cnot(t, s)))


def en_passant(s: Qubit, t: Qubit, victim: Qubit, captured: Qubit) -> Program:
    """Where the pawn and its victim stand and t is empty: |101> -> |010>, no phase."""
    return Program(*_en_passant(s, t, victim, captured), discard(captured))


def en_passant_excluded(s: Qubit, t: Qubit, victim: Qubit, captured: Qubit) -> Program:
    """Is t empty? Then as `en_passant`."""
    return asked(empty(t), en_passant(s, t, victim, captured))


def en_passant_capture(s: Qubit, t: Qubit, victim: Qubit, captured: tuple[Qubit, Qubit]) -> Program:
    """Is the pawn there? Then it takes what stands on t, or else in passing, with phase -1.

    Two captured qubits, since a piece from t and one taken in passing leave different boards behind.
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
    """King and rook each move by an iSWAP where the path is empty; `asks` are asked to be empty first."""
    moves = slide(*king, path) + slide(*rook, path)
    return asked(empty(*asks), moves) if asks else moves
