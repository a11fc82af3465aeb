"""A position: the registers, one symbol per square, and the counters; and the odds of its squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from qchess.boards.geometry import Geometry, squares
from qchess.circuits.operations import Qubit
from qchess.circuits.precision import SAME
from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.circuits.world import parallel
from qchess.games.quantum_chess.reach import reach

if TYPE_CHECKING:
    from qchess.games.quantum_chess.late.snapshot import Snapshot

EMPTY = "."
PAWNS = "Pp"
WHITE_SYMBOLS = "PNBRQK"
BLACK_SYMBOLS = "pnbrqk"
PLAYERS = ("white", "black")


class Men(NamedTuple):
    """The squares of the symbols, as masks. A square without a symbol is empty in every branch."""

    #: the squares of the side to move, and of the other side
    own: int
    enemy: int
    #: the squares that are occupied in every branch
    full: int

    @property
    def squares(self) -> tuple[int, ...]:
        """Return the squares of the side to move, ascending."""
        return squares(self.own)

    @property
    def free(self) -> int:
        """Return the squares that are not certainly the own side's."""
        return ~(self.own & self.full)


class Sight(NamedTuple):
    """The part of a position that matters for repetitions."""

    key: tuple[Any, ...]
    registers: Registers


@dataclass(frozen=True, eq=False)
class Position:
    """A position of Quantum Chess. Two are equal if they differ at most in the number of moves played."""

    registers: Registers
    geometry: Geometry
    #: one symbol per square, "." for none
    board: tuple[str, ...]
    #: the same as masks: the squares of each symbol
    of: Mapping[str, int]
    ply: int = 0
    #: the castling rights: K=1, Q=2, k=4, q=8
    rights: int = 0
    en_passant: int | None = None
    #: the half-move clock, and the expected number of pieces when it was last 0
    clock: int = 0
    mass: float = 0.0
    #: the expected number of pieces now
    pieces: float = 0.0
    #: True: the last question after 100 half-moves was asked
    judged: bool = False
    #: earlier positions, kept only if repetitions count
    seen: tuple[Sight, ...] = ()
    #: the same in the core's form, if the core has played or met it
    snapshot: ClassVar[Snapshot | None] = None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what the core keeps for itself."""
        return {name: value for name, value in vars(self).items() if name != "snapshot"}

    @property
    def player(self) -> str:
        """Return whose turn it is."""
        return PLAYERS[self.ply & 1]

    @property
    def white_to_move(self) -> bool:
        """Tell whether it is white's turn."""
        return not self.ply & 1

    @cached_property
    def men(self) -> Men:
        """Return where the symbols stand."""
        colours = [0, 0]
        for symbol, where in self.of.items():
            colours[symbol in BLACK_SYMBOLS] |= where
        own, enemy = reversed(colours) if self.ply & 1 else colours
        return Men(own, enemy, (own | enemy) & ~held(self.registers, self.geometry))

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """Return the share of each register."""
        return shares(self.registers, self.geometry)

    @cached_property
    def reached(self) -> Mapping[int, int]:
        """Return what each piece of the side to move reaches, by its square, ascending; without pawns."""
        board, full, of = self.board, self.men.full, reach(self.geometry).of
        return {k: of(symbol, k, full) for k in self.men.squares if (symbol := board[k]) not in PAWNS}

    @cached_property
    def odds(self) -> Mapping[Qubit, float]:
        """Return the probability that each square that is not empty is occupied."""
        result = {name: 1.0 for name, at in self.registers.home.items() if isinstance(at, int)}
        for share in self.shares:
            result.update(share.odds)
        return result

    def classical_key(self) -> tuple[Any, ...]:
        """Return what must agree for a repetition, apart from the state."""
        return self.board, self.ply & 1, self.rights, self.en_passant

    def key(self) -> tuple[Any, ...]:
        """Return the classical part, as a hashable value."""
        return (*self.classical_key(), self.ply, self.clock, self.judged)

    @property
    def sight(self) -> Sight:
        """Return what a later position is compared with, without counters and history."""
        return Sight(self.classical_key(), self.registers.without_past())

    def repeats(self, other: Position | Sight) -> bool:
        """Tell whether the two differ only in their counters."""
        key = other.key if isinstance(other, Sight) else other.classical_key()
        return self.classical_key() == key and same_state(self.registers, other.registers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.clock, self.judged) == (other.clock, other.judged) and self.repeats(other)

    def __hash__(self) -> int:
        return hash((*self.classical_key(), self.clock, self.judged))


def pieces_left(registers: Registers, board: Geometry) -> float:
    """Return the expected number of pieces on the board."""
    known = shares(registers, board)
    certain = len(registers.home) - sum([share.size for share in known])
    return certain + sum([share.mass for share in known])


def placed(registers: Registers, board: Geometry, symbols: tuple[str, ...], **counters: Any) -> Position:
    """Return a position that counts its pieces anew."""
    pieces = pieces_left(registers, board)
    return Position(registers, board, symbols, masks_of(symbols), mass=pieces, pieces=pieces, **counters)


def masks_of(symbols: tuple[str, ...]) -> dict[str, int]:
    """Return the squares of each symbol, as masks."""
    of: dict[str, int] = {}
    for square, symbol in enumerate(symbols):
        if symbol != EMPTY:
            of[symbol] = of.get(symbol, 0) | 1 << square
    return of


# -- odds, register by register: one that a move did not touch is the same value, and keeps its share ---------------


class Share(NamedTuple):
    """One register's part of the board: the probability that each of its squares is occupied."""

    odds: Mapping[Qubit, float]
    #: the expected number of pieces
    mass: float
    #: its number of qubits, including those of the environment
    size: int


def shares(registers: Registers, board: Geometry) -> tuple[Share, ...]:
    """Return the share of every register; computed once per register."""
    share = _share_on(board)
    return tuple([register.worked_out(share, share) for register in registers.each])


@lru_cache(maxsize=64)
def _share_on(board: Geometry) -> Callable[[Register], Share]:
    """Return the function that computes a register's share of this board."""
    numbers = board.numbers

    def share(register: Register) -> Share:
        marginals = register.odds
        odds = {qubit: p for qubit, p in marginals.items() if qubit in numbers}
        return Share(odds, sum(odds.values()), len(marginals))

    return share


def held(registers: Registers, board: Geometry) -> int:
    """Return the squares held by registers, as a mask."""
    bits = board.bits
    return sum([bits.get(qubit, 0) for qubit, at in registers.home.items() if at.__class__ is Register])


def same_state(first: Registers, second: Registers, tolerance: float = SAME) -> bool:
    """Tell whether two states are equal up to a global phase for each value of the environment."""
    if not first.environment and not second.environment:
        return first.same_as(second, tolerance)
    mine = {frozenset(qubits) for qubits in first.registers}
    if first.full != second.full or mine != {frozenset(qubits) for qubits in second.registers}:
        return False
    return all(_same_register(first, second, qubits, tolerance) for qubits in first.registers)


def _same_register(first: Registers, second: Registers, qubits: tuple[Qubit, ...], tolerance: float) -> bool:
    hidden = sum(1 << k for k, qubit in enumerate(qubits) if qubit in first.environment)
    ours, theirs = (_by_environment(state, qubits, hidden) for state in (first, second))
    return ours.keys() == theirs.keys() and all(parallel(ours[e], theirs[e], tolerance) for e in ours)


def _by_environment(registers: Registers, qubits: tuple[Qubit, ...], hidden: int) -> dict[int, dict[int, complex]]:
    ((register, _),) = registers.held(qubits)
    result: dict[int, dict[int, complex]] = {}
    for key, amplitude in register.amplitudes(qubits).items():
        result.setdefault(key & hidden, {})[key] = amplitude
    return result
