"""Qiskit Aer: dense vectors, and matrix product states.

Its `save_amplitudes` for matrix product states is wrong where wires were swapped inside (qiskit-aer issue 2235), so the
tensors are saved and contracted here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from qchess.bench.adapters.adapter import Adapter, Dense
from qchess.bench.adapters.atoms import Atom, Phase, atoms
from qchess.bench.adapters.circuit import Circuit, Complex
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program


def done(job: Any) -> Any:
    """The result of a job; Aer does not raise when it fails."""
    result = job.result()
    if not result.success:
        raise RuntimeError(result.status)
    return result


class _Aer(Adapter):
    """What both methods share. Wire k is qubit k, the least significant bit for wire 0."""

    modules = ("qiskit", "qiskit_aer")
    packages = ("qiskit-aer", "qiskit")
    method = ""

    def simulator(self, **options: Any) -> Any:
        """A fresh simulator with one thread."""
        from qiskit_aer import AerSimulator

        one = {"max_parallel_threads": 1, "max_parallel_experiments": 1, "max_parallel_shots": 1}
        precision = "double" if self.precision == "complex128" else "single"
        return AerSimulator(method=self.method, precision=precision, **one, **options)

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own shots; it simulates again for them."""
        circuit, made = lowered[:2]
        measured = made.copy()
        measured.data.pop()  # what saves the state
        measured.measure_all()
        counts = done(self.simulator(seed_simulator=seed).run(measured, shots=shots)).get_counts()
        return [circuit.turned(int(bits, 2)) for bits, count in counts.items() for _ in range(count)]

    def answers(self, program: Program, full: frozenset[Qubit], shots: int, seed: int) -> Iterator[Mapping[str, int]]:
        """Aer's own run of measurements and control flow."""
        from qiskit import transpile

        from qchess.circuits.forms.to_qiskit import to_qiskit

        made = to_qiskit(program)
        names = made.metadata["qubits"]
        started = made.copy_empty_like()
        for q in sorted(full):
            started.x(names.index(q))
        started.compose(made, inplace=True)
        simulator = self.simulator(seed_simulator=seed)
        result = done(simulator.run(transpile(started, simulator, optimization_level=0), shots=shots))
        registers = [register.name for register in made.cregs][::-1]
        answer_of = {register: name for name, register in made.metadata["answers"].items()}
        for bits, count in result.get_counts().items():
            values = dict(zip(registers, bits.split(), strict=True))
            told = {answer_of[register]: int(digits, 2) for register, digits in values.items()}
            yield from (told for _ in range(count))


class AerDense(_Aer, Dense):
    """The method ``statevector``."""

    name = "aer"
    method = "statevector"
    little_endian = True

    def __init__(self, precision: str = "complex128", **options: Any) -> None:
        super().__init__(precision=precision, **options)
        self.precision = precision

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in Qiskit's gates, and what saves the state."""
        made = qiskit_circuit(circuit)
        made.save_statevector()
        return circuit, made

    def run(self, lowered: Any, desk: Any) -> Any:
        """The final vector."""
        result = done(self.simulator().run(lowered[1]))
        return result.data()["statevector"]

    def vector(self, state: Any) -> Complex:
        """The vector itself."""
        return np.asarray(state)


#: what the method of matrix product states runs as it is
BASIS = ("x", "h", "p", "rx", "ry", "rz", "u", "cx", "cp", "ccx")


class Product(NamedTuple):
    """A matrix product state: for each wire two matrices, and the vectors of Schmidt values between them."""

    circuit: Circuit
    tensors: Sequence[Any]
    between: Sequence[Any]


class AerMPS(_Aer):
    """The method ``matrix_product_state``; `max_bond` cuts bonds."""

    name = "aer-mps"
    method = "matrix_product_state"
    approximate = True

    def __init__(self, max_bond: int | None = None, **options: Any) -> None:
        super().__init__(**({"max_bond": max_bond} if max_bond else {}), **options)
        self.bond = {"matrix_product_state_max_bond_dimension": max_bond} if max_bond else {}

    def simulator(self, **options: Any) -> Any:
        """A fresh simulator whose bonds are cut."""
        return super().simulator(**self.bond, **options)

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in this method's gates (no phase has many controls there), and what saves the tensors."""
        from qiskit import transpile

        made = transpile(qiskit_circuit(circuit), basis_gates=BASIS, optimization_level=0)
        made.save_matrix_product_state()
        return circuit, made

    def run(self, lowered: Any, desk: Any) -> Product:
        """The tensors of the final state."""
        result = done(self.simulator().run(lowered[1]))
        tensors, between = result.data()["matrix_product_state"]
        return Product(lowered[0], tensors, between)

    def amplitudes(self, state: Product, keys: Sequence[int]) -> Sequence[complex]:
        """Contracts the tensors along each key."""
        weighted = [
            [np.asarray(pair[bit]) * (np.asarray(state.between[k]) if k < len(state.between) else 1) for bit in (0, 1)]
            for k, pair in enumerate(state.tensors)
        ]
        return [self._contracted(weighted, state.circuit.digits(key)) for key in keys]

    def _contracted(self, weighted: Sequence[Sequence[Complex]], digits: str) -> complex:
        row = np.ones((1, 1), dtype=np.complex128)
        for pair, digit in zip(weighted, digits, strict=True):
            row = row @ pair[int(digit)]
        return complex(row[0, 0])

    def notes(self, state: Product) -> dict[str, Any]:
        """The largest bond."""
        return {"bond": max((len(values) for values in state.between), default=1)}


def qiskit_circuit(circuit: Circuit) -> Any:
    """The circuit in h, x, mcx, mcphase and one-qubit gates, all of which Aer runs as they are."""
    from qiskit import QuantumCircuit

    made = QuantumCircuit(circuit.wires)
    for wire in circuit.full:
        made.x(wire)
    for atom in atoms(circuit.steps):
        conditions = atom.conditions if isinstance(atom, Phase) else atom.controls
        empty = [wire for wire, value in conditions if not value]
        for wire in empty:
            made.x(wire)
        _append(made, atom, [wire for wire, _ in conditions])
        for wire in empty:
            made.x(wire)
    return made


def _append(made: Any, atom: Atom, wires: list[int]) -> None:
    import math

    if isinstance(atom, Phase):
        if len(wires) > 1:
            made.mcp(atom.angle, wires[:-1], wires[-1])
        elif wires:
            made.p(atom.angle, wires[0])
        return
    (q,), t = atom.targets, atom.parameter
    if atom.name == "X" and t == 1.0:
        (made.mcx(wires, q) if len(wires) > 1 else made.cx(*wires, q)) if wires else made.x(q)
    elif atom.name == "X":
        made.rx(math.pi * t, q)
    elif atom.name == "H":
        made.h(q)
    else:
        getattr(made, atom.name.lower())(t, q)
