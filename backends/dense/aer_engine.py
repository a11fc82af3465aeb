"""The engines `aer` and `aer:mps`: Qiskit Aer evolves the vector, gate by gate.

Every gate is a phase on some bit patterns in another basis. So an operation becomes a step into that basis, phases on
patterns of targets and controls, and the step back. Both of Aer's methods run these instructions natively: no
transpiling (50 ms a call), no ancilla and no global phase.

    X^t = H P(pi t) H        H = RY(pi/4) Z RY(-pi/4)        RY(u) = S H RZ(u) H Sdg
    iSWAP^t = CX(a,b) [RX(-pi t) on a where b is 1] CX(a,b)  SWAP = CX(a,b) CX(b,a) CX(a,b)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from qchess.backends.dense.engine import Complex, DenseEngine
from qchess.circuits.errors import BackendError, MissingExtraError
from qchess.circuits.operations import Gate, Operation

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

#: an instruction on a gate's targets: its name in Qiskit, its angles, its targets
Instruction = tuple[str, tuple[float, ...], tuple[int, ...]]

_FOLD: tuple[Instruction, ...] = (("cx", (), (0, 1)), ("h", (), (0,)))
_UNFOLD: tuple[Instruction, ...] = (("h", (), (0,)), ("cx", (), (0, 1)))
#: gate name -> the steps into and out of the basis in which the gate is diagonal
_FRAMES: dict[str, tuple[tuple[Instruction, ...], tuple[Instruction, ...]]] = {
    "Z": ((), ()),
    "RZ": ((), ()),
    "X": ((("h", (), (0,)),), (("h", (), (0,)),)),
    "H": ((("ry", (-pi / 4,), (0,)),), (("ry", (pi / 4,), (0,)),)),
    "RY": ((("sdg", (), (0,)), ("h", (), (0,))), (("h", (), (0,)), ("s", (), (0,)))),
    "ISWAP": (_FOLD, _UNFOLD),
    "SWAP": (_FOLD, _UNFOLD),
}
#: Aer 0.18 needs 10 s to turn a vector of 2^15 amplitudes into a chain and over a minute for 2^16; with 2^17 it
#: ends the process with a segmentation fault
LONGEST_CHAIN = 2**15
_NAMES = {"statevector": "aer", "matrix_product_state": "aer:mps"}


class AerEngine(DenseEngine):
    """Applies each operation as one Aer circuit: set the vector, the native gates, save the vector.

    `method` is ``"statevector"``, or ``"matrix_product_state"``, which turns the vector into a chain
    of tensors, works on those, and multiplies them out again. No global phase is added by either.

    Vectors are exact up to rounding. The chain is exact only while no Schmidt coefficient is tiny: Aer drops those
    below about 1e-8, whatever its options, and loses as much amplitude. It also crashes on long chains, so registers
    of more than 15 qubits are refused, whatever the branch limit.
    """

    def __init__(self, method: str = "statevector", branch_limit: int = 2**20) -> None:
        super().__init__(branch_limit)
        if method == "matrix_product_state":
            self.branch_limit = min(self.branch_limit, LONGEST_CHAIN)
        if method not in _NAMES:
            raise BackendError(f"expected one of Aer's methods {list(_NAMES)}, got {method!r}")
        self.name = _NAMES[method]
        self._simulator = _simulator(method)

    def turn(self, operation: Operation, vector: Complex, places: Sequence[int]) -> Complex:
        """Return a new vector, evolved by Aer; its bit order is ours."""
        from qiskit import QuantumCircuit

        circuit = QuantumCircuit(len(vector).bit_length() - 1)
        circuit.set_statevector(vector)
        _emit(circuit, operation, places)
        circuit.save_statevector()
        result = self._simulator.run(circuit).result()
        if not result.success:
            raise BackendError(f"Aer did not run {operation!r}; its status is {result.status!r}")
        return np.array(result.get_statevector().data, dtype=np.complex128)


def _simulator(method: str) -> Any:
    """Return one simulator, reused for every call; single-threaded, since threads slow small circuits."""
    try:
        from qiskit_aer import AerSimulator
    except ModuleNotFoundError as error:
        raise MissingExtraError("the engine 'aer' needs Qiskit Aer; install it with: pip install qiskit-aer") from error
    options: dict[str, Any] = {"max_parallel_threads": 1, "precision": "double"}
    if method == "matrix_product_state":
        options["mps_lapack"] = True  # Aer's own SVD is good to 1e-11 only
    return AerSimulator(method=method, **options)


def _emit(circuit: QuantumCircuit, operation: Operation, places: Sequence[int]) -> None:
    """Append the operation to the circuit."""
    targets, controls = places[: operation.gate.size], places[operation.gate.size :]
    wanted = tuple(zip(controls, (value for _, value in operation.controls), strict=True))
    into, back = _FRAMES[operation.gate.name]
    _run(circuit, into, targets)
    for pattern, angle in _phases(operation.gate).items():
        _shift(circuit, wanted + tuple(zip(targets, pattern, strict=True)), angle)
    _run(circuit, back, targets)


def _phases(gate: Gate) -> Mapping[tuple[int, ...], float]:
    """Return the phase angle of each pattern of the targets, in the gate's own basis."""
    t = gate.parameter
    if gate.name == "ISWAP":
        return {(0, 1): pi * t / 2, (1, 1): -pi * t / 2}
    if gate.name == "SWAP":
        return {(1, 1): pi}
    if gate.by_angle:
        return {(0,): -t / 2, (1,): t / 2}
    return {(1,): pi * t}


def _run(circuit: QuantumCircuit, instructions: Sequence[Instruction], targets: Sequence[int]) -> None:
    for name, angles, which in instructions:
        getattr(circuit, name)(*angles, *(targets[k] for k in which))


def _shift(circuit: QuantumCircuit, pattern: Sequence[tuple[int, int]], angle: float) -> None:
    """Append the phase e^{i angle} where every place of the pattern has its value."""
    from qiskit.circuit.library import DiagonalGate

    places = [place for place, _ in pattern]
    zeros = [place for place, value in pattern if not value]
    if zeros:
        circuit.x(zeros)
    if len(places) == 1:
        circuit.p(angle, places[0])
    elif len(places) == 2:
        circuit.cp(angle, *places)
    else:
        # Not for one place: Aer 0.18 gets the one-qubit `diagonal` [u, 1] wrong on state vectors.
        circuit.append(DiagonalGate([1] * (2 ** len(places) - 1) + [complex(np.exp(1j * angle))]), places)
    if zeros:
        circuit.x(zeros)
