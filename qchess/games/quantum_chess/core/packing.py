"""A packed position as a value, the codes of moves, and how the rules' positions are packed and unpacked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from qchess.boards.geometry import geometry
from qchess.circuits.engine import Engine
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program, discard
from qchess.circuits.registers import Registers
from qchess.core import CoreLimitError
from qchess.games.quantum_chess.core.layout import (
    BOARD,
    BOOK,
    CASTLE_SQUARE_SPLITS,
    CHOICES,
    CLOCK,
    COUNT,
    EN_PASSANT,
    EN_PASSANT_ALWAYS,
    EN_PASSANT_RULE,
    FIDE_CLOCK,
    FULL,
    MASS,
    MAX_PLY,
    MEN,
    MERGE_SHAPE,
    OMITTED_STAYS,
    PATH_RECORD,
    PIECES,
    PLY,
    POSITION,
    PROMOTION,
    QUANTUM,
    REMEMBERED,
    RIGHTS,
    SANDBOX,
    SOME,
    SPLIT_SHAPE,
    STANDARD_SHAPE,
    SUMS,
    SYMBOLS,
    YES,
    Real,
    Whole,
)
from qchess.games.quantum_chess.core.masks import signed
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import PLAYERS, Position, placed
from qchess.games.quantum_chess.profile import Book

BOARD_OF_CHESS = geometry(8, 8)
#: the symbols' codes
CODES = {symbol: code for code, symbol in enumerate(SYMBOLS)}
#: a position of more branches is not packed
MOST_BRANCHES = 2**20
#: the names of captured pieces, by their bit
NAME = "captured{}"


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A position of the core: the arrays of `layout`, of the length needed; never modified."""

    game: Whole
    sums: Real
    squares: Whole
    captured: Whole
    re: Real
    im: Real

    @property
    def player(self) -> str:
        """Return whose turn it is."""
        return PLAYERS[int(self.game[PLY]) & 1]

    @property
    def branches(self) -> int:
        """Return how many branches the joint register has."""
        return int(self.game[COUNT])

    @property
    def board(self) -> str:
        """Return one symbol per square, "." for none."""
        return "".join(SYMBOLS[code] for code in self.game[BOARD : BOARD + 64].tolist())

    def __repr__(self) -> str:
        return f"<Packed position after {self.game[PLY]} plies: {self.board}, {self.branches} branches>"

    def __eq__(self, other: object) -> bool:
        """Tell whether both hold the same numbers, which may differ for equal states in other phases or names."""
        if not isinstance(other, Packed):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash(self.game.tobytes())


@lru_cache(maxsize=2**14)
def code_of(move: Move) -> int:
    """Return a move as the kernels' number."""
    first, second, third = (*move.squares, 0)[:3]
    shape = SPLIT_SHAPE if move.is_split else MERGE_SHAPE if move.is_merge else STANDARD_SHAPE
    return first | second << 6 | third << 12 | CHOICES.index(move.promotion) << 18 | shape << 21


class _Decoded(dict[int, Move]):
    """Decoded moves, each made once."""

    def __missing__(self, code: int) -> Move:
        first, second, third = code & 63, code >> 6 & 63, code >> 12 & 63
        shape = code >> 21
        if shape == SPLIT_SHAPE:
            move = Move((first,), (second, third))
        elif shape == MERGE_SHAPE:
            move = Move((first, second), (third,))
        else:
            move = Move((first,), (second,), CHOICES[code >> 18 & 7])
        return self.setdefault(code, move)


#: the moves by their codes
MOVES = _Decoded()


def switches(book: Book) -> int:
    """Return the settings of the book that the kernels need, as bits."""
    profile = book.profile
    return (
        QUANTUM * book.quantum
        | EN_PASSANT_RULE * book.en_passant
        | PROMOTION * book.promotion
        | FIDE_CLOCK * (book.halfmove_clock == "fide")
        | SANDBOX * book.sandbox
        | PATH_RECORD * profile.path_record
        | CASTLE_SQUARE_SPLITS * profile.castle_square_splits
        | EN_PASSANT_ALWAYS * profile.en_passant_always
        | OMITTED_STAYS * (not profile.promotion_omitted)
    )


def unfit(book: Book) -> str | None:
    """Return why the core does not support a book; None if it does."""
    if book.fifty_end != "draw":
        return "it does not ask for kings at the end"
    if book.repetition:
        return "it remembers no earlier positions"
    if book.max_branches is not None:
        return "it knows one joint register, and the limit is one of separate registers"
    return None


def pack(book: Book, position: Position) -> Packed:
    """Return the position in the core's form."""
    if position.geometry != BOARD_OF_CHESS:
        raise CoreLimitError(f"the core plays on 8 by 8 squares, got {position.geometry!r}")
    columns = _columns(position.registers)
    game = [0] * POSITION
    game[PLY], game[RIGHTS], game[CLOCK] = position.ply, position.rights, position.clock
    game[EN_PASSANT] = -1 if position.en_passant is None else position.en_passant
    game[BOOK], game[MAX_PLY], game[COUNT] = switches(book), book.max_ply, len(columns.squares)
    game[SOME], game[FULL] = (int(join.reduce(columns.squares)) for join in (np.bitwise_or, np.bitwise_and))
    game[REMEMBERED] = int(np.bitwise_or.reduce(columns.captured))
    men = [position.of.get(symbol, 0) for symbol in SYMBOLS]
    game[MEN:BOARD] = map(signed, [2**64 - 1 - sum(men), *men[1:]])
    game[BOARD:POSITION] = [CODES[symbol] for symbol in position.board]
    sums = np.zeros(SUMS)
    sums[MASS], sums[PIECES], sums[YES] = position.mass, position.pieces, 1.0
    return Packed(np.array(game, np.int64), sums, *columns.split())


class _Columns:
    """Branches under construction: the squares, a number for each set of captured pieces, and the amplitudes."""

    def __init__(self, squares: Whole, captured: Whole, amplitudes: np.ndarray) -> None:
        self.squares, self.captured, self.amplitudes = squares, captured, amplitudes

    def times(self, other: _Columns) -> _Columns:
        """Return the product with another register's branches."""
        if len(self.squares) * len(other.squares) > MOST_BRANCHES:
            raise CoreLimitError(f"the core holds {MOST_BRANCHES} branches of all registers together, these have more")
        names = int(other.captured.max()) + 1
        return _Columns(
            (self.squares[:, None] | other.squares).ravel(),
            (self.captured[:, None] * names + other.captured).ravel(),
            (self.amplitudes[:, None] * other.amplitudes).ravel(),
        )

    def split(self) -> tuple[Whole, Whole, Real, Real]:
        """Return the four columns of a packed position."""
        return self.squares, self.captured, self.amplitudes.real.copy(), self.amplitudes.imag.copy()


def _columns(registers: Registers) -> _Columns:
    """Return the branches of all registers together."""
    numbers = BOARD_OF_CHESS.numbers
    full = signed(sum(1 << numbers[name] for name in registers.full if name in numbers))
    found = _Columns(np.array([full]), np.zeros(1, np.int64), np.ones(1, np.complex128))
    for register in registers.each:
        found = found.times(_register(register.qubits, register.amplitudes()))
    return found


def _register(qubits: Sequence[Qubit], amplitudes: Mapping[int, complex]) -> _Columns:
    """Return the branches of one register; sets of captured pieces are numbered as they come."""
    numbers = BOARD_OF_CHESS.numbers
    on_board = [(k, numbers[name]) for k, name in enumerate(qubits) if name in numbers]
    hidden = sum(1 << k for k, name in enumerate(qubits) if name not in numbers)
    names: dict[int, int] = {}
    captured = [names.setdefault(key & hidden, len(names)) for key in amplitudes]
    squares = np.zeros(len(captured), np.uint64)
    for low in range(0, len(qubits), 64):
        keys = np.array([key >> low & 2**64 - 1 for key in amplitudes], np.uint64)
        for k, square in on_board:
            if low <= k < low + 64:
                squares |= (keys >> np.uint64(k - low) & np.uint64(1)) << np.uint64(square)
    return _Columns(squares.view(np.int64), np.array(captured), np.array(list(amplitudes.values())))


def unpack(packed: Packed, engine: Engine) -> Position:
    """Return the position in the rules' form, on an engine, for positions that the core can no longer hold."""
    game, numbers = packed.game, range(64)
    some, full, kept = (int(game[at]) for at in (SOME, FULL, REMEMBERED))
    open_squares = [k for k in numbers if (some & ~full) >> k & 1]
    bits = [k for k in numbers if kept >> k & 1]
    names = [*(BOARD_OF_CHESS.names[k] for k in open_squares), *(NAME.format(k) for k in bits)]
    keys = [
        sum((squares >> k & 1) << n for n, k in enumerate(open_squares))
        | sum((captured >> k & 1) << len(open_squares) + n for n, k in enumerate(bits))
        for squares, captured in zip(packed.squares.tolist(), packed.captured.tolist(), strict=True)
    ]
    amplitudes = packed.re + 1j * packed.im
    amplitudes /= np.linalg.norm(amplitudes)
    groups = [(names, dict(zip(keys, amplitudes.tolist(), strict=True)))] if names else []
    registers = Registers.prepared(engine, groups, [BOARD_OF_CHESS.names[k] for k in numbers if full >> k & 1])
    if bits:
        registers = registers.run(Program(discard(*names[len(open_squares) :]))).registers
    made = placed(
        registers,
        BOARD_OF_CHESS,
        tuple(packed.board),
        ply=int(game[PLY]),
        rights=int(game[RIGHTS]),
        en_passant=None if game[EN_PASSANT] < 0 else int(game[EN_PASSANT]),
        clock=int(game[CLOCK]),
    )
    object.__setattr__(made, "mass", float(packed.sums[MASS]))
    return made
