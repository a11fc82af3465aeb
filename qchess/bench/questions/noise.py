"""How simulators count read-outs under depolarising noise.

Simulators of density matrices compute all probabilities and then draw shots; trajectories draw the Paulis, run that
circuit, and draw from its state. All are given the same number of shots.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.bench.adapters.adapter import Adapter, chosen
from qchess.bench.adapters.aer import WIDEST, AerDense, qiskit_circuit
from qchess.bench.adapters.braket import Braket
from qchess.bench.adapters.circuit import Circuit, Step
from qchess.bench.adapters.cirq import Cirq, cirq_circuit
from qchess.bench.adapters.qulacs import Qulacs
from qchess.bench.adapters.registers import Factored
from qchess.bench.adapters.sparse import Sparse
from qchess.bench.adapters.stim import Stim
from qchess.bench.questions.depolarised import STRENGTH, noisy
from qchess.bench.questions.ways import Way, nothing, of_rows

Real = NDArray[np.float64]


class Noisy(NamedTuple):
    """Shots, and all probabilities if the method computes them."""

    counts: Mapping[Any, int]
    chances: Real | None = None


def noise_of(adapter: Adapter) -> Way | None:
    """Return how an adapter counts read-outs under noise; None if it cannot."""
    own = getattr(adapter, "noisy_counts", None)
    if own is not None:
        return Way("by its own way", _with_strength, lambda lowered, desk, *asked: Noisy(own(*lowered, *asked)))
    if isinstance(adapter, Stim):
        return Way("its own trajectories, `DEPOLARIZE2` in its sampler", partial(_stim, adapter), _sampled)
    if isinstance(adapter, Sparse):
        if isinstance(adapter, Factored):
            return None
        return Way("trajectories, which we draw, of its states", _with_strength, partial(_trajectories, adapter))
    for kind, how, lower, answer in MATRICES:
        if type(adapter) is kind:  # one that is made of these may work elsewhere than they do
            ready = partial(_compiled, adapter) if isinstance(adapter, Braket) else nothing
            return Way(how, partial(lower, adapter), partial(answer, adapter), ready=ready)
    return None


def _with_strength(circuit: Circuit, strength: float) -> tuple[Circuit, float]:
    return circuit, strength


def _drawn(chances: Any, shots: int, seed: int) -> Noisy:
    """Draw shots from all probabilities; negative rounding errors count as 0."""
    weights = np.clip(np.asarray(chances, dtype=np.float64), 0, None)
    counts = np.random.default_rng(seed).multinomial(shots, weights / weights.sum())
    return Noisy({int(key): int(counts[key]) for key in np.flatnonzero(counts)}, np.asarray(chances, np.float64))


def _parts(circuit: Circuit) -> Iterator[tuple[Step, Circuit]]:
    """Yield each gate with a circuit of it alone, from all wires in 0."""
    for step in circuit.steps:
        yield step, replace(circuit, full=(), steps=(step,))


# -- trajectories ---------------------------------------------------------------------------------------------


def _trajectories(adapter: Sparse, lowered: tuple[Circuit, float], desk: Any, shots: int, seed: int) -> Noisy:
    """Draw the Paulis of each shot, and run each distinct circuit once."""
    circuit, strength = lowered
    rng = random.Random(seed)
    places = [k for k, step in enumerate(circuit.steps) if noisy(step)]
    drawn = Counter(
        tuple([(place, rng.randrange(1, 16)) for place in places if rng.random() < strength]) for _ in range(shots)
    )
    found: Counter[int] = Counter()
    for number, (errors, count) in enumerate(drawn.items()):
        at = dict(errors)
        steps: list[Step] = []
        for k, step in enumerate(circuit.steps):
            steps.append(step)
            for which, wire in zip(divmod(at.get(k, 0), 4), step.all_wires, strict=False):
                steps += [Step("X", 1.0, (wire,))] if which & 1 else []
                steps += [Step("Z", 1.0, (wire,))] if which & 2 else []
        made = adapter.lower(replace(circuit, steps=tuple(steps)))
        table = adapter.table(adapter.run(made, None))
        found.update(chosen(list(table), list(table.values()), count, seed * 1_000_003 + number))
    return Noisy(found)


def _stim(adapter: Stim, circuit: Circuit, strength: float) -> Any:
    import stim

    made = adapter.lower(replace(circuit, steps=()))[1]
    for step, alone in _parts(circuit):
        made += adapter.lower(alone)[1]
        if noisy(step):
            made.append("DEPOLARIZE2", step.all_wires, strength)
    made.append("M", range(circuit.wires))
    return stim.Circuit(str(made))


def _sampled(lowered: Any, desk: Any, shots: int, seed: int) -> Noisy:
    spare = -lowered.num_measurements % 8
    counts = of_rows(lowered.compile_sampler(seed=seed).sample(shots))
    return Noisy({int.from_bytes(key, "big") >> spare: count for key, count in counts.items()})


# -- density matrices -----------------------------------------------------------------------------------------


def _cirq(adapter: Cirq, circuit: Circuit, strength: float) -> Any:
    import cirq

    wires, made = cirq.LineQubit.range(circuit.wires), cirq.Circuit()
    for step, alone in _parts(circuit):
        made += cirq_circuit(alone)
        if noisy(step):
            made.append(cirq.depolarize(strength, n_qubits=2).on(*(wires[wire] for wire in step.all_wires)))
    return circuit, wires, made, cirq.DensityMatrixSimulator(dtype=np.dtype(adapter.precision).type)


def _of_cirq(adapter: Cirq, lowered: Any, desk: Any, shots: int, seed: int) -> Noisy:
    circuit, wires, made, simulator = lowered
    found = simulator.simulate(made, qubit_order=wires, initial_state=circuit.start())
    return _drawn(np.diagonal(found.final_density_matrix).real, shots, seed)


def _aer(adapter: AerDense, circuit: Circuit, strength: float) -> Any:
    from qiskit.quantum_info import SuperOp
    from qiskit_aer import AerSimulator
    from qiskit_aer.backends.aer_compiler import assemble_circuits
    from qiskit_aer.noise import depolarizing_error

    precision = "double" if adapter.precision == "complex128" else "single"
    simulator = AerSimulator(
        method="density_matrix", precision=precision, max_parallel_threads=getattr(adapter, "threads", 1),
        fusion_enable=False,
    )  # fmt: skip
    made = qiskit_circuit(replace(circuit, steps=()))
    channel = SuperOp(depolarizing_error(16 * strength / 15, 2)).to_instruction()
    for step, alone in _parts(circuit):
        made.compose(_known(step, qiskit_circuit(alone), simulator.target), inplace=True)
        if noisy(step):
            made.append(channel, list(step.all_wires))
    made.save_probabilities()
    made.measure_all()
    return circuit, made, assemble_circuits([made])[0], simulator


def _known(step: Step, part: Any, target: Any) -> Any:
    """Return one gate in this method's gates: unchanged, as a matrix on few wires, or as several."""
    from qiskit.transpiler import generate_preset_pass_manager

    if all(item.operation.name in target for item in part.data):
        return part
    if len(step.all_wires) > WIDEST:
        return generate_preset_pass_manager(optimization_level=0, target=target).run(part)
    made = part.copy_empty_like()
    made.unitary(step.whole_matrix(), step.all_wires[::-1])
    return made


def _of_aer(adapter: AerDense, lowered: Any, desk: Any, shots: int, seed: int) -> Noisy:
    from qiskit_aer.backends.aer_compiler import generate_aer_config
    from qiskit_aer.backends.backend_utils import cpp_execute_circuits

    circuit, made, assembled, simulator = lowered
    settings = generate_aer_config([made], simulator.options, shots=shots, seed_simulator=seed)
    found = cpp_execute_circuits(adapter.controller, assembled, None, settings)
    if not found["success"]:
        raise RuntimeError(found["status"])
    data = found["results"][0]["data"]
    chances = np.asarray(data["probabilities"]).reshape((2,) * circuit.wires).transpose().reshape(-1)
    return Noisy({circuit.turned(int(key, 16)): count for key, count in data["counts"].items()}, chances)


def _braket(adapter: Braket, circuit: Circuit, strength: float) -> Any:
    from braket.default_simulator.noise_operations import TwoQubitDepolarizing

    operations = [adapter.form(step) for step in circuit.starting_flips()]
    for step in circuit.steps:
        operations.append(adapter.form(step))
        if noisy(step):
            operations.append(TwoQubitDepolarizing(step.all_wires, strength))
    return circuit, operations


@cache
def _compiled(adapter: Braket, wires: int) -> None:
    """Let numba compile the code for density matrices of this many wires, once for all processes."""
    gates = [Step(name, t, (0,)) for name, t in (("H", 1.0), ("X", 1.0), ("Z", 0.5), ("Z", 1.0), ("RY", 0.5))]
    gates += [Step("RZ", 0.5, (0,)), Step("X", 0.5, (1,)), Step("ISWAP", 0.5, (0, 1)), Step("SWAP", 1.0, (0, 1))]
    gates += [Step(name, 1.0, (1,), ((0, 1),)) for name in ("X", "Z")]
    _of_braket(adapter, _braket(adapter, Circuit(wires, (), tuple(gates)), STRENGTH), None, 1, 1)


def _of_braket(adapter: Braket, lowered: Any, desk: Any, shots: int, seed: int) -> Noisy:
    from braket.default_simulator import DensityMatrixSimulation

    circuit, operations = lowered
    simulation = DensityMatrixSimulation(circuit.wires, 0)
    simulation.evolve(operations)
    return _drawn(np.diagonal(np.asarray(simulation.density_matrix)).real, shots, seed)


def _qulacs(adapter: Qulacs, circuit: Circuit, strength: float) -> Any:
    from qulacs import QuantumCircuit, gate

    made = QuantumCircuit(circuit.wires)
    for step, alone in _parts(circuit):
        _, part = adapter.lower(alone)
        for number in range(part.get_gate_count()):
            made.add_gate(part.get_gate(number))
        if noisy(step):
            first, second = step.all_wires
            made.add_gate(gate.TwoQubitDepolarizingNoise(first, second, strength))
    return circuit, made


def _of_qulacs(adapter: Qulacs, lowered: Any, desk: Any, shots: int, seed: int) -> Noisy:
    from qulacs import DensityMatrix

    circuit, made = lowered
    state = DensityMatrix(circuit.wires)
    state.set_computational_basis(circuit.turned(circuit.start()))
    made.update_quantum_state(state)
    diagonal = np.diagonal(state.get_matrix()).real
    return _drawn(diagonal.reshape((2,) * circuit.wires).transpose().reshape(-1), shots, seed)


#: kind, method, what is done before the clock, and what inside it
MATRICES: tuple[tuple[Any, str, Callable[..., Any], Callable[..., Any]], ...] = (
    (Cirq, "`DensityMatrixSimulator`, of which we draw", _cirq, _of_cirq),
    (AerDense, "its method `density_matrix`, and its own shots; without fusion, which fails here from eight wires on",
     _aer, _of_aer),
    (Braket, "`DensityMatrixSimulation`, of which we draw; what numba compiles for it is ready", _braket, _of_braket),
    (Qulacs, "its `DensityMatrix`, of which we draw", _qulacs, _of_qulacs),
)  # fmt: skip
