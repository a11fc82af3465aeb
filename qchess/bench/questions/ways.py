"""How each simulator answers questions about a state: by its own methods, or from its state.

Your adapter may have the methods `lower_counts(circuit)`, not timed, and `counts(lowered, shots, seed)`, the counts by
key; otherwise its `sample` is used after its `run`. The same holds for `lower_values(circuit, observables)` and
`values(lowered, observables)`, a number per observable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Adapter, Dense, chosen
from qchess.bench.adapters.aer import AerDense, AerMPS, qiskit_circuit
from qchess.bench.adapters.braket import Braket
from qchess.bench.adapters.circuit import Circuit
from qchess.bench.adapters.cirq import Cirq
from qchess.bench.adapters.ddsim import WRITTEN, DDSim
from qchess.bench.adapters.function import Function
from qchess.bench.adapters.lightning import Lightning
from qchess.bench.adapters.qblaze import QBlaze
from qchess.bench.adapters.qrack import Qrack
from qchess.bench.adapters.qsim import QSim
from qchess.bench.adapters.quimb import QuimbMPS, site_tensors
from qchess.bench.adapters.qulacs import Qulacs
from qchess.bench.adapters.registers import Factored
from qchess.bench.adapters.sparse import Sparse
from qchess.bench.adapters.stim import Stim
from qchess.bench.questions.observables import Observable, of_table, of_tensors, of_vector

#: (lowered circuit, empty simulator, shots, seed) -> counts
Counted = Callable[[Any, Any, int, int], Mapping[Any, int]]


def as_it_is(lowered: Any, found: Any) -> Any:
    """Return the answer, which is already in our form."""
    return found


def nothing(wires: int) -> None:
    """Do nothing: no preparation is needed."""


DRAWN, READ = "its state, from whose branches we draw", "its state, and its own read-outs of it"


@dataclass(frozen=True)
class Way:
    """How a question is answered: a sentence, what is done before the clock, and what inside it."""

    how: str
    lower: Callable[..., Any]
    answer: Callable[..., Any]
    #: circuits on more wires are left out
    most: int = 10**6
    #: preparation for a number of wires, done once in the process that all runs are forked from
    ready: Callable[[int], None] = nothing
    #: converts an answer to our form, after the clock: a simulator is not timed for it
    read: Callable[[Any, Any], Any] = as_it_is


def counts_of(adapter: Adapter) -> Way | None:
    """Return how an adapter counts read-outs; None if it cannot."""
    own = getattr(adapter, "counts", None)
    if own is not None:
        lower = getattr(adapter, "lower_counts", adapter.lower)
        return Way("by its own way", lower, lambda lowered, desk, shots, seed: own(lowered, shots, seed))
    if isinstance(adapter, AerDense | AerMPS):
        return Way("its own shots of a circuit with measurements", _measured(adapter), _aer(adapter), read=_of_hex)
    if isinstance(adapter, DDSim):
        return Way("its own shots of a circuit with measurements", _written(adapter), _ddsim, read=_of_text)
    for kind, count, read in SAMPLERS:
        if isinstance(adapter, kind):
            how = DRAWN if kind is QBlaze else READ
            return Way(how, adapter.lower, partial(count, adapter), read=read)
    if isinstance(adapter, QSim):
        return Way("its own shots of a circuit with measurements", adapter.lower, _afresh(adapter))
    if isinstance(adapter, Braket):
        return Way("its state, from which we draw", adapter.lower, _drawn(adapter))
    if adapter.offers("sample"):
        ours = isinstance(adapter, Function) or (isinstance(adapter, Sparse) and not isinstance(adapter, Factored))
        return Way(DRAWN if ours else READ, adapter.lower, _of_state(adapter))
    return None


def _of_state(adapter: Adapter) -> Counted:
    def count(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
        return Counter(adapter.sample(lowered, adapter.run(lowered, desk), shots, seed))

    return count


def _afresh(adapter: Adapter) -> Counted:
    return lambda lowered, desk, shots, seed: Counter(adapter.sample(lowered, None, shots, seed))


def _drawn(adapter: Dense) -> Counted:
    """Draw from a vector whose first wire is the most significant bit."""

    def count(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
        vector = adapter.vector(adapter.run(lowered, desk))
        return Counter(chosen(range(len(vector)), vector, shots, seed))  # type: ignore[arg-type]

    return count


def _measured(adapter: AerDense | AerMPS) -> Callable[[Circuit], Any]:
    """Return the circuit in Aer's gates, with a measurement of each wire."""

    def lower(circuit: Circuit) -> Any:
        made = qiskit_circuit(circuit)
        made.measure_all()
        if isinstance(adapter, AerMPS):
            made = adapter.passes.run(made)
        return adapter.assembled(circuit, made)

    return lower


def _aer(adapter: AerDense | AerMPS) -> Counted:
    """Run Aer's controller with its shots; keys are in our order."""
    from qiskit_aer.backends.aer_compiler import generate_aer_config

    def count(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
        settings = generate_aer_config([lowered.made], adapter.simulator.options, shots=shots, seed_simulator=seed)
        found = adapter.executed(lowered._replace(settings=settings))["counts"]
        return dict(found)

    return count


def _written(adapter: DDSim) -> Callable[[Circuit], Any]:
    def lower(circuit: Circuit) -> Any:
        made = adapter.lower(circuit)[1]
        made.measure_all()
        return circuit, made

    return lower


def _ddsim(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    from mqt.ddsim import CircuitSimulator

    _, made = lowered
    found = CircuitSimulator(made, seed=seed).simulate(shots)
    return dict(found)


def _of_hex(lowered: Any, found: Mapping[str, int]) -> dict[int, int]:
    return {lowered.circuit.turned(int(key, 16)): count for key, count in found.items()}


def _of_text(lowered: Any, found: Mapping[str, int]) -> dict[int, int]:
    return {lowered[0].turned(int(bits, 2)): count for bits, count in found.items()}


def _of_numbers(lowered: Any, found: Mapping[int, int]) -> dict[int, int]:
    return {lowered[0].turned(key): count for key, count in found.items()}


def of_rows(rows: Any) -> dict[bytes, int]:
    """Count each row of bits."""
    packed = np.packbits(np.asarray(rows, dtype=bool), axis=1)
    return Counter(packed.view(f"V{packed.shape[1]}").ravel().tolist())


def _of_bytes(lowered: Any, found: Mapping[bytes, int]) -> dict[int, int]:
    spare = -lowered[0].wires % 8
    return {int.from_bytes(key, "big") >> spare: count for key, count in found.items()}


def _qulacs_counts(adapter: Qulacs, lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    return Counter(adapter.run(lowered, desk).sampling(shots, seed))


def _qrack_counts(adapter: Qrack, lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    state = adapter.run(lowered, desk)
    state.seed(seed)
    return Counter(state.measure_shots(list(range(lowered[0].wires)), shots))


def _qblaze_counts(adapter: QBlaze, lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    _, simulator = adapter.run(lowered, desk)
    keys, amplitudes = zip(*simulator, strict=True)
    return Counter(chosen(keys, amplitudes, shots, seed))


def _cirq_counts(adapter: Cirq, lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    import cirq

    vector = adapter.vector(adapter.run(lowered, desk))
    return of_rows(cirq.sample_state_vector(vector, range(lowered[0].wires), repetitions=shots, seed=seed))


def _lightning_counts(adapter: Lightning, lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    from pennylane_lightning.lightning_qubit_ops import MeasurementsC64, MeasurementsC128

    kind = MeasurementsC128 if adapter.precision == "complex128" else MeasurementsC64
    state = adapter.run(lowered, desk)  # what measures it does not keep it alive
    measure = kind(state.state_vector)
    measure.set_random_seed(seed)
    return of_rows(measure.generate_samples(list(range(lowered[0].wires)), shots))


def _stim_counts(adapter: Stim, lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    circuit, made = lowered
    measured = made.copy()
    measured.append("M", range(circuit.wires))
    return of_rows(measured.compile_sampler(seed=seed).sample(shots))


#: kind, what is timed, and the conversion to our keys
SAMPLERS: tuple[tuple[Any, Callable[..., Any], Callable[..., Any]], ...] = (
    (Qulacs, _qulacs_counts, _of_numbers), (Qrack, _qrack_counts, _of_numbers), (QBlaze, _qblaze_counts, _of_numbers),
    (Cirq, _cirq_counts, _of_bytes), (Lightning, _lightning_counts, _of_bytes), (Stim, _stim_counts, _of_bytes),
)  # fmt: skip


# -- expectations ---------------------------------------------------------------------------------------------

#: (lowered circuit, empty simulator, observables) -> expectations
Valued = Callable[[Any, Any, Sequence[Observable]], Sequence[float]]
OWN = "its own expectation of its state"
FROM_STATE = "its state, of which we make the expectation"


def values_of(adapter: Adapter) -> Way | None:
    """Return how an adapter gives expectations; None if it cannot."""
    own = getattr(adapter, "values", None)
    if own is not None:
        lower = getattr(adapter, "lower_values", partial(_lowered, adapter))
        return Way("by its own way", lower, lambda lowered, desk, observables: own(lowered, observables))
    if isinstance(adapter, AerDense | AerMPS):
        return Way(
            "its own, `save_expectation_value` behind the circuit", partial(_saved, adapter), partial(_found, adapter)
        )
    for kinds, how, read in READERS:
        if isinstance(adapter, kinds):
            most = WRITTEN if isinstance(adapter, DDSim) else Way.most
            return Way(how, partial(_lowered, adapter), partial(_read, adapter, read), most)
    return None


def _lowered(adapter: Adapter, circuit: Circuit, observables: Sequence[Observable]) -> Any:
    """Lower the circuit; the observables do not matter."""
    return adapter.lower(circuit)


def _read(adapter: Adapter, read: Callable[..., Any], lowered: Any, desk: Any, observables: Any) -> list[float]:
    return [float(value) for value in read(adapter, adapter.run(lowered, desk), observables)]


def _saved(adapter: AerDense | AerMPS, circuit: Circuit, observables: Sequence[Observable]) -> Any:
    from qiskit.quantum_info import SparsePauliOp

    made = qiskit_circuit(circuit)
    if isinstance(adapter, AerMPS):
        made = adapter.passes.run(made)
    for number, observable in enumerate(observables):
        terms = [("".join(letter for _, letter in each), [wire for wire, _ in each], 1.0) for each in observable]
        operator = SparsePauliOp.from_sparse_list(terms, circuit.wires)
        made.save_expectation_value(operator, range(circuit.wires), label=f"value {number}")
    return adapter.assembled(circuit, made)


def _found(adapter: AerDense | AerMPS, lowered: Any, desk: Any, observables: Sequence[Observable]) -> list[float]:
    data = adapter.executed(lowered)
    return [float(data[f"value {number}"]) for number in range(len(observables))]


def _qulacs(adapter: Qulacs, state: Any, observables: Sequence[Observable]) -> Iterator[float]:
    from qulacs import Observable as Operator

    for observable in observables:
        operator = Operator(state.get_qubit_count())
        for each in observable:
            operator.add_operator(1.0, " ".join(f"{letter} {wire}" for wire, letter in each))
        yield operator.get_expectation_value(state)


def _cirq(adapter: Cirq, state: Any, observables: Sequence[Observable]) -> Iterator[float]:
    import cirq

    letters, vector = {"X": cirq.X, "Y": cirq.Y, "Z": cirq.Z}, adapter.vector(state)
    wires = cirq.LineQubit.range(len(vector).bit_length() - 1)
    places: dict[Any, int] = {wire: k for k, wire in enumerate(wires)}
    for observable in observables:
        strings: list[Any] = [
            cirq.PauliString({wires[k]: letters[letter] for k, letter in each}) for each in observable
        ]
        whole = cirq.PauliSum.from_pauli_strings(strings)
        yield whole.expectation_from_state_vector(vector, places, check_preconditions=False).real


def _lightning(adapter: Lightning, state: Any, observables: Sequence[Observable]) -> Iterator[float]:
    import pennylane as qml
    from pennylane_lightning.lightning_qubit._measurements import LightningMeasurements

    letters = {"X": qml.PauliX, "Y": qml.PauliY, "Z": qml.PauliZ}
    measured = LightningMeasurements(state)
    for observable in observables:
        terms = [qml.prod(*(letters[letter](wire) for wire, letter in each)) for each in observable]
        yield measured.expval(qml.expval(qml.Hamiltonian([1.0] * len(terms), terms)))


def _qrack(adapter: Qrack, state: Any, observables: Sequence[Observable]) -> Iterator[float]:
    from pyqrack import Pauli

    for observable in observables:
        yield sum(
            state.pauli_expectation([wire for wire, _ in each], [Pauli[f"Pauli{letter}"] for _, letter in each])
            for each in observable
        )


def _stim(adapter: Stim, state: Any, observables: Sequence[Observable]) -> Iterator[float]:
    import stim

    for observable in observables:
        yield sum(state.simulator.peek_observable_expectation(stim.PauliString(dict(each))) for each in observable)


def _tensors(adapter: QuimbMPS, state: Any, observables: Sequence[Observable]) -> list[float]:
    return of_tensors([(each[:, 0, :], each[:, 1, :]) for each in site_tensors(state[1])], observables)


def _branches(adapter: Sparse, state: Any, observables: Sequence[Observable]) -> list[float]:
    return of_table(adapter.table(state).items(), len(state[1]), observables)


def _queued(adapter: QBlaze, state: Any, observables: Sequence[Observable]) -> list[float]:
    circuit, simulator = state
    return of_table(((circuit.turned(key), a) for key, a in simulator), circuit.wires, observables)


def _diagram(adapter: DDSim, state: Any, observables: Sequence[Observable]) -> list[float]:
    vector = np.asarray(state.diagram.get_vector())
    return of_vector(vector, observables, little_endian=True)


def _function(adapter: Function, state: Any, observables: Sequence[Observable]) -> list[float]:
    circuit, table = state
    if isinstance(table, Mapping):
        return of_table(((key, complex(a)) for key, a in table.items()), circuit.wires, observables)
    return of_vector(np.asarray(table), observables, little_endian=False)


def _vector(adapter: Dense, state: Any, observables: Sequence[Observable]) -> list[float]:
    return of_vector(adapter.vector(state), observables, little_endian=adapter.little_endian)


#: the first match is used
READERS: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
    (Qulacs, OWN, _qulacs), (Cirq, OWN, _cirq), (Lightning, OWN, _lightning), (Qrack, OWN, _qrack), (Stim, OWN, _stim),
    (QuimbMPS, FROM_STATE, _tensors), (Sparse, FROM_STATE, _branches), (QBlaze, FROM_STATE, _queued),
    (DDSim, FROM_STATE, _diagram), (Function, FROM_STATE, _function), (Dense, FROM_STATE, _vector),
)  # fmt: skip


def whole(counts: Mapping[Any, int]) -> dict[int, int]:
    """Return counts as plain integers."""
    return {int(key): int(np.int64(count)) for key, count in counts.items()}
