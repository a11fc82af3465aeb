"""From programs to circuits: one-qubit gates, one two-qubit gate, and one-qubit read-outs.

A compiled circuit is again a `Program`, so every engine runs it, and the dense `unitary` proves it.
Three levels:

    naive   textbook constructions, kept as the readable reference
    exact   hand forms (`decompositions`) that hold on every input
    aware   forms that use what is known of the state, and moves that only rename a wire

The wires are named like the program's qubits and carry its incoming state. Qubits listed in `known` start in |0> and
the circuit prepares them, unless `prepare` is False: then they arrive with their values. Ancillas start and end in |0>.
At the end qubit q is on the wire ``layout[q]``. Amplitudes agree exactly, phases included; at level `aware` for every
incoming state that agrees with `known`, at the others for every state at all.

>>> from qchess.circuits.operations import iswap
>>> fragment = Program(iswap('s', 'a', 0.5), iswap('s', 'b'))
>>> [compile_program(fragment, level=level, known={'s': 1, 'a': 0, 'b': 0}).two_qubit_count() for level in LEVELS]
[8, 4, 1]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qchess.circuits.compiling import knowledge as states
from qchess.circuits.compiling.counting import depth, everything
from qchess.circuits.compiling.emitting import Emitter
from qchess.circuits.compiling.flags import Ancillas
from qchess.circuits.compiling.lowering import BASES, lower
from qchess.circuits.compiling.placing import Placer, place_as_written
from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import Operation, Qubit, x
from qchess.circuits.program import Program, ReadOut, Step
from qchess.foreign import understands

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

LEVELS = ("naive", "exact", "aware")


@understands("Compiled")
@dataclass(frozen=True)
class Compiled:
    """A compiled circuit: its program, its wires, and where each qubit ends."""

    source: Program
    program: Program
    #: at the end, logical qubit -> the wire it is on
    layout: Mapping[Qubit, Qubit]
    #: further wires, |0> before and after
    ancillas: tuple[Qubit, ...]
    level: str
    basis: str
    known: Mapping[Qubit, int] = field(default_factory=dict)
    #: True: the known qubits start in |0> and the circuit prepares them
    prepare: bool = True

    @property
    def wires(self) -> tuple[Qubit, ...]:
        """Every wire: those of the program's qubits, then the ancillas."""
        return (*self.layout, *self.ancillas)

    @property
    def answers(self) -> dict[str, tuple[ReadOut, ...]]:
        """Return the read-outs that give each answer; a run performs one of them. Bit k is wire k."""
        found: dict[str, tuple[ReadOut, ...]] = {}
        for step in everything(self.program):
            if isinstance(step, ReadOut):
                found[step.name] = (*found.get(step.name, ()), step)
        return found

    def counts(self) -> dict[str, int]:
        """Count each gate, without parameters, over all cases of all branches."""
        names = [_name(step) for step in everything(self.program) if isinstance(step, Operation)]
        return dict(sorted(Counter(names).items()))

    def two_qubit_count(self) -> int:
        """Count the two-qubit gates, over all cases of all branches."""
        return sum(len(step.qubits) == 2 for step in everything(self.program) if isinstance(step, Operation))

    def depth(self) -> int:
        """The number of layers of gates and read-outs; a branch is as deep as its deepest case."""
        return depth(self.program)

    def two_qubit_depth(self) -> int:
        """The number of layers of two-qubit gates."""
        return depth(self.program, one_qubit=0)

    # -- the circuit itself, which is a program; `program` has the other forms ---------------------------

    @property
    def num_qubits(self) -> int:
        """The number of wires."""
        return len(self.wires)

    def draw(self, output: str = "text", columns: int | None = None) -> Any:
        """Return the circuit as ``text``, ``svg`` or a matplotlib figure (``mpl``), like `Program.draw`."""
        return self.program.draw(output, columns)

    def svg(self) -> str:
        """Return the circuit as an SVG picture."""
        return self.program.svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return str(self.draw())

    def to_qiskit(self) -> QuantumCircuit:
        """Return the Qiskit circuit; its ``metadata`` has the ``qubits`` in order and the final ``layout``."""
        circuit = self.program.to_qiskit()
        circuit.metadata = {**circuit.metadata, "layout": dict(self.layout)}
        return circuit


def compile_program(
    program: Program,
    *,
    level: str = "naive",
    basis: str = "cx",
    known: Mapping[Qubit, int] | None = None,
    prepare: bool = True,
) -> Compiled:
    """Compile the program in the basis "cx", "cz" or "sqrt_iswap" (see the module)."""
    if not isinstance(known, Mapping | None):
        raise ProgramError(f"known maps names of qubits to 0 or 1, such as {{'a3': 1}}; got {known!r}")
    known = dict(known or {})
    _check(program, level, basis, known)
    qubits = program.qubits
    layout = {q: q for q in qubits}
    if level == "aware":
        placer = Placer(states.start(qubits, known), layout)
        placed, layout = placer.place(program), placer.layout
    else:
        placed = place_as_written(program)
    ancillas = Ancillas(qubits)
    preparation: list[Step] = [x(q) for q, value in known.items() if value and prepare]
    steps = preparation + Emitter(level, basis, ancillas).write(placed)
    return Compiled(program, lower(steps, basis), layout, tuple(ancillas.made), level, basis, known, prepare)


def _check(program: Any, level: str, basis: str, known: Mapping[Qubit, int]) -> None:
    if not isinstance(program, Program):
        raise ProgramError(f"expected a Program to compile, got {program!r}")
    if level not in LEVELS:
        raise ProgramError(f"a compile level is one of {', '.join(LEVELS)}, got {level!r}")
    if basis not in BASES:
        raise ProgramError(f"a basis is one of {', '.join(BASES)}, got {basis!r}")
    for qubit, value in known.items():
        if not isinstance(qubit, str) or not qubit or value not in (0, 1):
            raise ProgramError(f"known maps names of qubits to 0 or 1, got {qubit!r}: {value!r}")
        if qubit not in program.qubits:
            has = ", ".join(program.qubits) or "none"
            raise ProgramError(f"known takes the program's qubits ({has}), got {qubit!r}")


def _name(operation: Operation) -> str:
    if not operation.controls:
        return operation.gate.name
    return {"X": "CX", "Z": "CZ"}[operation.gate.name]
