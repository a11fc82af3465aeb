"""Circuits: operations, programs, the move patterns that games share, registers, and what becomes of them.

Nothing here knows a game or a vendor.
"""

from qchess.circuits.engine import Answer, Ask, Draw, Engine, Factors, Source
from qchess.circuits.errors import (
    BackendError,
    ImpossibleOutcomeError,
    MissingExtraError,
    ProgramError,
    QchessError,
    StateTooLargeError,
    UnknownBackendError,
)
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, cz, h, iswap, ry, rz, sqrt_x, swap, x, z
from qchess.circuits.patterns import (
    asked,
    capture,
    castle,
    clear,
    en_passant,
    en_passant_capture,
    en_passant_excluded,
    excluded,
    hadamard_pair,
    join,
    jump,
    merge,
    merge_slide,
    partial_merge,
    partial_split,
    pawn_capture,
    phase_pair,
    slide,
    split,
    split_slide,
    take,
)
from qchess.circuits.predicates import ALWAYS, NEVER, Predicate, empty, full, where
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step, ask, discard, read, when
from qchess.circuits.registers import Registers, Run

__all__ = [
    "ALWAYS", "NEVER", "Answer", "Ask", "BackendError", "Branch", "Discard", "Draw", "Engine", "Factors", "Gate",
    "ImpossibleOutcomeError", "MissingExtraError", "Operation", "Predicate", "Program", "ProgramError",
    "QchessError", "Qubit", "Question", "ReadOut", "Registers", "Run", "Source", "StateTooLargeError", "Step",
    "UnknownBackendError", "ask", "asked", "capture", "castle", "clear", "cnot", "cz", "discard", "empty",
    "en_passant", "en_passant_capture", "en_passant_excluded", "excluded", "full", "h", "hadamard_pair", "iswap",
    "join", "jump", "merge", "merge_slide", "partial_merge", "partial_split", "pawn_capture", "phase_pair", "read",
    "ry", "rz", "slide", "split", "split_slide", "sqrt_x", "swap", "take", "when", "where", "x", "z",
]  # fmt: skip
