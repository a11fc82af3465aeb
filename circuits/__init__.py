"""Circuits: operations, programs, the move patterns that games share, registers, and exports.

Nothing here knows a game or a vendor.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from qchess.circuits.engine import (
    Answer,
    AnswerSource,
    Draw,
    Engine,
    Factors,
    NamingSource,
    Sample,
    SlowSource,
    Source,
    Ticket,
)
from qchess.circuits.errors import (
    BackendError,
    ImpossibleOutcomeError,
    MissingExtraError,
    ProgramError,
    QchessError,
    StateTooLargeError,
    UnknownBackendError,
)
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, cx, cz, h, iswap, ry, rz, s, sqrt_x, swap, t, x, z
from qchess.circuits.patterns import (
    asked,
    capture,
    clear,
    excluded,
    hadamard_pair,
    join,
    jump,
    merge,
    merge_slide,
    partial_merge,
    partial_split,
    phase_pair,
    slide,
    split,
    split_slide,
    take,
)
from qchess.circuits.predicates import ALWAYS, NEVER, Predicate, empty, full, where
from qchess.circuits.program import (
    EMPTY,
    Branch,
    Discard,
    Program,
    Question,
    ReadOut,
    Step,
    ask,
    discard,
    read,
    rx,
    when,
    y,
)
from qchess.circuits.register import Register
from qchess.circuits.registers import Pause, Registers, Run
from qchess.circuits.sources import FixedAnswers, Forced, Seeded
from qchess.foreign import missing as _missing

__all__ = [
    "ALWAYS", "EMPTY", "NEVER", "Answer", "AnswerSource", "BackendError", "Branch", "Discard", "Draw", "Engine",
    "Factors", "FixedAnswers", "Forced", "Gate", "ImpossibleOutcomeError", "MissingExtraError", "NamingSource",
    "Operation", "Pause", "Predicate", "Program", "ProgramError", "QchessError", "Qubit", "Question", "ReadOut",
    "Register", "Registers", "Run", "Sample", "Seeded", "SlowSource", "Source", "StateTooLargeError", "Step", "Ticket",
    "UnknownBackendError", "ask", "asked", "capture", "clear", "cnot", "cx", "cz", "discard", "empty", "excluded",
    "full", "h", "hadamard_pair", "iswap", "join", "jump", "merge", "merge_slide", "partial_merge", "partial_split",
    "phase_pair", "read", "rx", "ry", "rz", "s", "slide", "split", "split_slide", "sqrt_x", "swap", "t", "take", "when",
    "where", "x", "y", "z",
]  # fmt: skip

if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise _missing(__name__, name)
