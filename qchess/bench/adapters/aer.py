"""Qiskit Aer: dense vectors, and matrix product states.

Its `save_amplitudes` for matrix product states is wrong where wires were swapped inside (qiskit-aer issue 2235), so the
tensors are saved and contracted here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from qchess.bench.adapters.adapter import Adapter, Dense, Either, norm_of
from qchess.bench.adapters.atoms import Atom, Phase, atoms
from qchess.bench.adapters.circuit import Circuit, Complex, Step
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program

#: gates on more wires are not sent as matrices
WIDEST = 4
#: megabytes that no estimate passes
ENOUGH = 10**15
#: Aer's methods whose result is the exact vector; it chooses itself by `automatic`, and `tensor_network` is for GPUs
METHODS = ("statevector", "automatic", "tensor_network")


def done(job: Any) -> Any:
    """The result of a job; Aer does not raise when it fails."""
    result = job.result()
    if not result.success:
        raise RuntimeError(result.status)
    return result


class Lowered(NamedTuple):
    """A circuit, the same in Qiskit's form and in Aer's, and Aer's settings."""

    circuit: Circuit
    made: Any
    assembled: Any
    settings: Any


class _Aer(Adapter):
    """What both methods share. Wire k is qubit k, the least significant bit for wire 0."""

    modules = ("qiskit", "qiskit_aer")
    packages = ("qiskit-aer", "qiskit")
    method = ""
    inside = (
        "the call of Aer's controller: a fresh state, the fusing of gates, and all of them; of programs that ask, "
        "`AerSimulator.run`"
    )
    outside = (
        "the simulator; the circuit in gates that it has, and in Aer's own form (`assemble_circuits`), which "
        "`AerSimulator.run` makes in every call; of programs that ask, their gates, and jumps for their branches"
    )
    #: options of programs that ask, beside those of all
    asking: ClassVar[dict[str, Any]] = {}

    def load(self) -> None:
        """Imports it, and makes its simulators, which hold options and no state, and the passes that find its gates."""
        super().load()
        self.prepare()

    def prepare(self) -> None:
        """Makes the simulators and the passes."""
        from qiskit.transpiler import generate_preset_pass_manager
        from qiskit_aer.backends.controller_wrappers import aer_controller_execute

        self.controller = aer_controller_execute()
        self.simulator = self.made()
        self.asked = self.made(**self.asking)
        self.target = self.simulator.target  # it makes it anew whenever it is asked for it
        self.passes = generate_preset_pass_manager(optimization_level=0, target=self.target)

    def made(self, **options: Any) -> Any:
        """A simulator with as many threads as are given."""
        from qiskit_aer import AerSimulator

        given = {"max_parallel_threads": self.threads, "max_parallel_shots": self.threads}
        precision = "double" if self.precision == "complex128" else "single"
        return AerSimulator(method=self.method, precision=precision, max_parallel_experiments=1, **given, **options)

    def assembled(self, circuit: Circuit, made: Any) -> Lowered:
        """What a run of the simulator would make of a Qiskit circuit."""
        from qiskit_aer.backends.aer_compiler import assemble_circuits, generate_aer_config

        return Lowered(circuit, made, assemble_circuits([made])[0], generate_aer_config([made], self.simulator.options))

    def executed(self, lowered: Lowered) -> Any:
        """What the circuit saves in the end."""
        return self.result(lowered)["data"]

    def result(self, lowered: Lowered) -> Any:
        """The same with what Aer tells of the run; it does not raise when it fails."""
        from qiskit_aer.backends.backend_utils import cpp_execute_circuits

        found = cpp_execute_circuits(self.controller, lowered.assembled, None, lowered.settings)
        if not found["success"]:
            raise RuntimeError(found["status"])
        return found["results"][0]

    def sample(self, lowered: Lowered, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own shots; it simulates again for them."""
        circuit = lowered.circuit
        measured = lowered.made.copy()
        measured.data.pop()  # what saves the state
        measured.measure_all()
        counts = done(self.simulator.run(measured, shots=shots, seed_simulator=seed)).get_counts()
        return [circuit.turned(int(bits, 2)) for bits, count in counts.items() for _ in range(count)]

    def lower_answers(self, program: Program, full: frozenset[Qubit]) -> Any:
        """The program with measurements and control flow in Aer's gates, and the answer of each register as printed.

        Aer leaves out what no answer depends on. Where that is a last branch it fails to load the rest (0.18: the
        marks of the branch name wires that are gone), so nothing is handed over that follows the last question.
        """
        from qiskit_aer.backends.aer_compiler import compile_circuit

        from qchess.circuits.forms.to_qiskit import to_qiskit

        made = to_qiskit(_to_last_question(program))
        names = made.metadata["qubits"]
        started = made.copy_empty_like()
        for q in sorted(full.intersection(names)):
            started.x(names.index(q))
        started.compose(made, inplace=True)
        answer_of = {register: name for name, register in made.metadata["answers"].items()}
        answers = [answer_of[register.name] for register in made.cregs[::-1]]
        return answers, *compile_circuit([self.passes.run(_in_matrices(started, self.target))])

    def answers(self, lowered: Any, shots: int, seed: int) -> Iterator[Mapping[str, int]]:
        """Aer's own run of it."""
        names, made = lowered
        result = done(self.asked.run(made, shots=shots, seed_simulator=seed))
        for bits, count in result.get_counts().items():
            told = {name: int(digits, 2) for name, digits in zip(names, bits.split(), strict=True)}
            yield from (told for _ in range(count))


def _to_last_question(program: Program) -> Program:
    """The program without the steps that follow all questions."""
    steps = list(program)
    while steps and not Program(steps[-1]).answers:
        steps.pop()
    return Program(*steps)


def _in_matrices(made: Any, target: Any) -> Any:
    """The circuit with a matrix for each gate on few wires that the target has not, in branches too."""
    from qiskit.circuit.controlflow import ControlFlowOp
    from qiskit.circuit.library import UnitaryGate
    from qiskit.quantum_info import Operator

    found = made.copy_empty_like()
    for operation, wires, bits in ((step.operation, step.qubits, step.clbits) for step in made.data):
        if isinstance(operation, ControlFlowOp):
            operation = operation.replace_blocks([_in_matrices(block, target) for block in operation.blocks])
        elif not bits and len(wires) <= WIDEST and operation.name not in target:
            operation = UnitaryGate(Operator(operation))
        found.append(operation, wires, bits)
    return found


class Told(NamedTuple):
    """A vector, and what Aer tells of the run that made it."""

    vector: Any
    metadata: Mapping[str, Any]


class AerDense(Either, _Aer, Dense):
    """The method ``statevector``, or another that gives the vector; `blocking_qubits` cuts it into chunks of 2^n."""

    name = "aer"
    device = "CPU"
    little_endian = True
    asking: ClassVar = {"shot_branching_enable": True}
    options_why = (
        "`precision` is double, and single (complex64) is ranked apart; threads by "
        "`max_parallel_threads`, fusion as by default; exchanges and turns under controls are `unitary` on up to four "
        "wires, in place of six gates; of programs that ask, `shot_branching_enable`, so that shots with the same "
        "answers are one run; `method` is statevector, and the vector is one chunk, unless the name says otherwise"
    )

    def __init__(self, method: str = "", device: str = "", blocking_qubits: int = 0, **options: Any) -> None:
        if method not in ("", *METHODS):
            raise BackendError(f"method is {', '.join(METHODS[:-1])} or {METHODS[-1]}, got {method!r}")
        if device not in ("", self.device):
            raise BackendError(f"device is CPU or GPU, got {device!r}")
        if type(blocking_qubits) is not int or blocking_qubits < 0:
            raise BackendError(f"blocking_qubits is a number of qubits, got {blocking_qubits!r}")
        asked: dict[str, Any] = {"method": method, "device": device, "blocking_qubits": blocking_qubits}
        super().__init__(**options, **{name: value for name, value in asked.items() if value})
        self.method = method or METHODS[0]
        self.chunks = {"blocking_enable": True, "blocking_qubits": blocking_qubits} if blocking_qubits else {}

    def made(self, **options: Any) -> Any:
        """A simulator on its device, whose vectors are cut into chunks if that is asked for."""
        return super().made(device=self.device, **self.chunks, **options)

    def lower(self, circuit: Circuit) -> Lowered:
        """The circuit in Qiskit's gates, and what saves the state."""
        made = qiskit_circuit(circuit)
        made.save_statevector()
        return self.assembled(circuit, made)

    def run(self, lowered: Lowered, desk: Any) -> Told:
        """The final vector."""
        found = self.result(lowered)
        return Told(found["data"]["statevector"], found["metadata"])

    def vector(self, state: Told) -> Complex:
        """The vector itself."""
        return np.asarray(state.vector)

    def notes(self, state: Told) -> dict[str, Any]:
        """What Aer says it ran, where a name asks for something else than a vector in one piece."""
        if not {"method", "device", "blocking_qubits"} & set(self.options):
            return {}
        told = {"method": state.metadata["method"], "device": state.metadata["device"]}
        chunks = state.metadata.get("cacheblocking", {})
        return told | ({"blocking_qubits": chunks["block_bits"]} if chunks.get("enabled") else {})


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
    options_why = (
        "threads by `max_parallel_threads`; `max_bond` cuts bonds and is none unless the name has it; matrices as for "
        "`aer`; programs that ask are run shot by shot, for this method has no branching of shots"
    )

    def __init__(self, max_bond: int | None = None, **options: Any) -> None:
        super().__init__(**({"max_bond": max_bond} if max_bond else {}), **options)
        self.bond = {"matrix_product_state_max_bond_dimension": max_bond} if max_bond else {}

    def made(self, **options: Any) -> Any:
        """A simulator whose bonds are cut, and which does not refuse a circuit by its own estimate of memory.

        That grows with every matrix, whatever is entangled; the limit of a run holds in its place.
        """
        return super().made(max_memory_mb=ENOUGH, **self.bond, **options)

    def lower(self, circuit: Circuit) -> Lowered:
        """The circuit in this method's gates (no phase has many controls there), and what saves the tensors."""
        made = self.passes.run(qiskit_circuit(circuit))
        made.save_matrix_product_state()
        return self.assembled(circuit, made)

    def run(self, lowered: Lowered, desk: Any) -> Product:
        """The tensors of the final state."""
        tensors, between = self.executed(lowered)["matrix_product_state"]
        return Product(lowered.circuit, tensors, between)

    def touch(self, state: Product, key: int) -> None:
        """The tensors are written out."""

    def amplitudes(self, state: Product, keys: Sequence[int]) -> Sequence[complex]:
        """Contracts the tensors along each key."""
        weighted = self._weighted(state)
        return [self._contracted(weighted, state.circuit.digits(key)) for key in keys]

    def norm(self, state: Product) -> float:
        """Contracts the tensors with themselves."""
        return norm_of(self._weighted(state))

    def _weighted(self, state: Product) -> Sequence[Sequence[Complex]]:
        """The two matrices of each wire, times the values behind it."""
        return [
            [np.asarray(pair[bit]) * (np.asarray(state.between[k]) if k < len(state.between) else 1) for bit in (0, 1)]
            for k, pair in enumerate(state.tensors)
        ]

    def _contracted(self, weighted: Sequence[Sequence[Complex]], digits: str) -> complex:
        row = np.ones((1, 1), dtype=np.complex128)
        for pair, digit in zip(weighted, digits, strict=True):
            row = row @ pair[int(digit)]
        return complex(row[0, 0])

    def notes(self, state: Product) -> dict[str, Any]:
        """The largest bond."""
        return {"bond": max((len(values) for values in state.between), default=1)}


def qiskit_circuit(circuit: Circuit) -> Any:
    """The circuit in gates that Aer runs as they are: matrices on few wires, h, x, mcx, mcphase and turns."""
    from qiskit import QuantumCircuit

    made = QuantumCircuit(circuit.wires)
    for wire in circuit.full:
        made.x(wire)
    for step in circuit.steps:
        if _mixes(step) and len(step.all_wires) <= WIDEST:
            made.unitary(step.whole_matrix(), step.all_wires[::-1])
        elif step.name == "SWAP" and not step.controls:
            made.swap(*step.targets)
        else:
            for atom in atoms([step]):
                _append(made, atom)
    return made


def _mixes(step: Step) -> bool:
    """Whether it is more than one of Aer's own gates."""
    if len(step.targets) > 1:
        return step.name != "SWAP" or bool(step.controls)
    return bool(step.controls) and (step.name in ("H", "RY") or (step.name == "X" and step.parameter != 1.0))


def _append(made: Any, atom: Atom) -> None:
    """One atom, between X on the wires that are to be 0."""
    conditions = atom.conditions if isinstance(atom, Phase) else atom.controls
    wires = [wire for wire, _ in conditions]
    empty = [wire for wire, value in conditions if not value]
    for wire in empty:
        made.x(wire)
    if isinstance(atom, Phase):
        if len(wires) > 1:
            made.mcp(atom.angle, wires[:-1], wires[-1])
        elif wires:
            made.p(atom.angle, wires[0])
    else:
        _turn(made, atom, wires)
    for wire in empty:
        made.x(wire)


def _turn(made: Any, atom: Step, controls: list[int]) -> None:
    (q,), t = atom.targets, atom.parameter
    if atom.name == "X" and t == 1.0:
        (made.mcx(controls, q) if len(controls) > 1 else made.cx(*controls, q)) if controls else made.x(q)
    elif atom.name == "X":
        made.rx(math.pi * t, q)
    elif atom.name == "H":
        made.h(q)
    else:
        getattr(made, atom.name.lower())(t, q)
