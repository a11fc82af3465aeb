"""Changes of Unitary's board by hand: squares that join or leave the quantum part, ancillas, castling, questions.

Our board's circuit is made from its state, so gates cannot be appended to it; `apply` plays them instead.
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
    """Changes of a board other than moves; they are not in its history, and undo returns to before a move."""

    registers: Registers
    ancilla_count: int
    #: certain squares that were added to the circuit by hand
    named: frozenset[str]

    def _become(self, registers: Registers, used: int = 0) -> None:
        """Make this the state of the board, with `used` more ancillas."""
        raise TypeError("a board says how it changes")

    def _chance(self) -> Source:
        """Return the source of answers."""
        raise TypeError("a board has its chance")

    def apply(self, *operations: Operation) -> None:
        """Play operations on squares and ancillas, such as ``iswap('a1', 'b1', 0.5)``."""
        self._become(self.registers.run(Program(*operations)).registers)

    def new_ancilla(self) -> cirq.NamedQubit:
        """Return a new, empty ancilla."""
        import cirq

        return cirq.NamedQubit(self._spare())

    def _spare(self) -> Qubit:
        name = f"x{self.ancilla_count + 1}"
        self._become(self.registers, 1)
        return name

    def add_entangled(self, *qubits: Any) -> None:
        """Add squares to the circuit, certain or not; they count as entangled until they are unhooked."""
        self.named |= {_square(qubit) for qubit in qubits}

    def unhook(self, qubit: Any) -> None:
        """Remove a square from the circuit: its content goes to an ancilla, and the square is empty."""
        square = _square(qubit)
        if self.registers.known(square) is None:
            self.apply(swap(square, self._spare()))
        elif self.registers.known(square):
            self.apply(x(square))
        self.named -= {square}

    def set_castle(self, sbit: int, rook_sbit: int, tbit: int, rook_tbit: int) -> None:
        """Move a certain king and a certain rook: two squares become empty, two full; all four must be certain."""
        leave, reach = [bit_to_square(sbit), bit_to_square(rook_sbit)], [bit_to_square(tbit), bit_to_square(rook_tbit)]
        if open_ones := [square for square in leave + reach if self.registers.known(square) is None]:
            raise InvalidMoveError(f"castling by hand needs four certain squares, {open_ones[0]} is none")
        empty = set(leave) - set(reach)
        wanted = {**dict.fromkeys(reach, 1), **dict.fromkeys(empty, 0)}
        self.apply(*(x(square) for square, value in wanted.items() if self.registers.known(square) != value))

    def post_select_on(self, qubit: Any, measurement_outcome: bool | int | None = None) -> bool:
        """Measure whether a qubit is full, or force a given outcome; the state is projected on it.

        An impossible outcome is an error, and nothing changes.
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
    """Return a qubit's name, from Cirq's qubit or a name."""
    name = getattr(qubit, "name", qubit)
    if not isinstance(name, str) or not name:
        raise InvalidMoveError(f"expected a named qubit, got {qubit!r}")
    return name


def _square(qubit: Any) -> str:
    """Return the square of a qubit; raises for any other qubit."""
    return BOARD.names[BOARD.square(_name(qubit))]
