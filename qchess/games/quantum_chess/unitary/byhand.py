"""What Unitary's board lends to those who change it by hand, beside its moves: squares that join the quantum part or
leave it, spare qubits, castled bits, and questions asked of one qubit.

The circuit of our board is made from its state, so nobody appends gates to it; `apply` plays them instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qchess.circuits import Program, Qubit, Registers, Run, ask, full, swap, x
from qchess.circuits.engine import Source
from qchess.errors import ImpossibleOutcomeError, InvalidMoveError
from qchess.games.quantum_chess.unitary.bits import BOARD, bit_to_square

if TYPE_CHECKING:
    import cirq

    from qchess.circuits import Operation


class ByHand:
    """Changes of a board that are no moves; its history does not know them, and undo goes back to before a move."""

    registers: Registers
    ancilla_count: int
    #: certain squares that were named as part of the circuit
    named: frozenset[str]

    def _become(self, registers: Registers, used: int = 0) -> None:
        """Makes this the state of the board, with so many spare qubits more."""
        raise TypeError("a board says how it changes")

    def _chance(self) -> Source:
        """What answers a question here."""
        raise TypeError("a board has its chance")

    def apply(self, *operations: Operation) -> None:
        """Plays operations on squares and spare qubits, such as ``iswap('a1', 'b1', 0.5)``."""
        self._become(self.registers.run(Program(*operations)).registers)

    def new_ancilla(self) -> cirq.NamedQubit:
        """A spare qubit that nobody has used yet; it is empty."""
        import cirq

        return cirq.NamedQubit(self._spare())

    def _spare(self) -> Qubit:
        name = f"x{self.ancilla_count + 1}"
        self._become(self.registers, 1)
        return name

    def add_entangled(self, *qubits: Any) -> None:
        """Names squares as part of the circuit, certain or not; they count as entangled until they are unhooked."""
        self.named |= {_square(qubit) for qubit in qubits}

    def unhook(self, qubit: Any) -> None:
        """Takes a square out of the circuit: whatever may be there goes to a spare qubit, and the square is empty."""
        square = _square(qubit)
        if self.registers.known(square) is None:
            self.apply(swap(square, self._spare()))
        elif self.registers.known(square):
            self.apply(x(square))
        self.named -= {square}

    def set_castle(self, sbit: int, rook_sbit: int, tbit: int, rook_tbit: int) -> None:
        """Moves a certain king and a certain rook: two squares become empty, two full; all four must be certain."""
        leave, reach = [bit_to_square(sbit), bit_to_square(rook_sbit)], [bit_to_square(tbit), bit_to_square(rook_tbit)]
        if open_ones := [square for square in leave + reach if self.registers.known(square) is None]:
            raise InvalidMoveError(f"castling by hand needs four certain squares, {open_ones[0]} is none")
        empty = set(leave) - set(reach)
        wanted = {**dict.fromkeys(reach, 1), **dict.fromkeys(empty, 0)}
        self.apply(*(x(square) for square, value in wanted.items() if self.registers.known(square) != value))

    def post_select_on(self, qubit: Any, measurement_outcome: bool | int | None = None) -> bool:
        """Asks whether a qubit is full, or decides it where an outcome is told; the state is what agrees with that.

        An outcome that cannot be is an error, and nothing changes.
        """
        if measurement_outcome not in (None, 0, 1):
            raise ImpossibleOutcomeError(f"expected the outcome 0, 1 or None, got {measurement_outcome!r}")
        asked = full(_name(qubit))
        if measurement_outcome is not None:
            self._become(self.registers.project(asked, int(measurement_outcome)))
            return bool(measurement_outcome)
        run: Run = self.registers.run(Program(ask("there", asked)), self._chance())
        self._become(run.registers)
        return bool(run.answers[0].value)


def _name(qubit: Any) -> Qubit:
    """A qubit's name: of one of Cirq's, or itself."""
    name = getattr(qubit, "name", qubit)
    if not isinstance(name, str) or not name:
        raise InvalidMoveError(f"expected a named qubit, got {qubit!r}")
    return name


def _square(qubit: Any) -> str:
    """The square that a qubit is; an error for any other qubit."""
    return BOARD.names[BOARD.square(_name(qubit))]
