"""How each simulator answers what is asked in place of a state: by what it has itself, or from its state.

An adapter of one's own says so by methods of these names: `lower_counts(circuit)`, which is not timed, and
`counts(lowered, shots, seed)`, the counts by key; else its `sample` is asked after its `run`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Adapter, Dense, chosen
from qchess.bench.adapters.aer import AerDense, AerMPS, qiskit_circuit
from qchess.bench.adapters.braket import Braket
from qchess.bench.adapters.circuit import Circuit
from qchess.bench.adapters.ddsim import DDSim
from qchess.bench.adapters.function import Function
from qchess.bench.adapters.qblaze import QBlaze
from qchess.bench.adapters.qsim import QSim
from qchess.bench.adapters.registers import Factored
from qchess.bench.adapters.sparse import Sparse
from qchess.bench.adapters.stim import Stim

#: a lowered circuit, an empty simulator, shots and a seed in; counts out
Counted = Callable[[Any, Any, int, int], Mapping[Any, int]]


@dataclass(frozen=True)
class Way:
    """How a question is answered: in a sentence, what is done before the clock, and what inside it."""

    how: str
    lower: Callable[[Circuit], Any]
    answer: Callable[..., Any]


def counts_of(adapter: Adapter) -> Way | None:
    """How an adapter counts read-outs; None if it cannot."""
    own = getattr(adapter, "counts", None)
    if own is not None:
        lower = getattr(adapter, "lower_counts", adapter.lower)
        return Way("by its own way", lower, lambda lowered, desk, shots, seed: own(lowered, shots, seed))
    if isinstance(adapter, AerDense | AerMPS):
        return Way("its own shots of a circuit with measurements", _measured(adapter), _aer(adapter))
    if isinstance(adapter, DDSim):
        return Way("its own shots of a circuit with measurements", _written(adapter), _ddsim)
    if isinstance(adapter, QSim | Stim):
        return Way("its own shots of a circuit with measurements", adapter.lower, _afresh(adapter))
    if isinstance(adapter, Braket):
        return Way("its state, from which we draw", adapter.lower, _drawn(adapter))
    if adapter.offers("sample"):
        ours = isinstance(adapter, Function | QBlaze) or (
            isinstance(adapter, Sparse) and not isinstance(adapter, Factored)
        )
        how = "its state, from whose branches we draw" if ours else "its state, and its own read-outs of it"
        return Way(how, adapter.lower, _of_state(adapter))
    return None


def _of_state(adapter: Adapter) -> Counted:
    def count(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
        return Counter(adapter.sample(lowered, adapter.run(lowered, desk), shots, seed))

    return count


def _afresh(adapter: Adapter) -> Counted:
    return lambda lowered, desk, shots, seed: Counter(adapter.sample(lowered, None, shots, seed))


def _drawn(adapter: Dense) -> Counted:
    """From a vector whose first wire is the most significant bit."""

    def count(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
        vector = adapter.vector(adapter.run(lowered, desk))
        return Counter(chosen(range(len(vector)), vector, shots, seed))  # type: ignore[arg-type]

    return count


def _measured(adapter: AerDense | AerMPS) -> Callable[[Circuit], Any]:
    """The circuit in Aer's gates, with a measurement of each wire."""

    def lower(circuit: Circuit) -> Any:
        made = qiskit_circuit(circuit)
        made.measure_all()
        if isinstance(adapter, AerMPS):
            made = adapter.passes.run(made)
        return adapter.assembled(circuit, made)

    return lower


def _aer(adapter: AerDense | AerMPS) -> Counted:
    """Aer's controller with its shots; keys are as we write them."""
    from qiskit_aer.backends.aer_compiler import generate_aer_config

    def count(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
        settings = generate_aer_config([lowered.made], adapter.simulator.options, shots=shots, seed_simulator=seed)
        found = adapter.executed(lowered._replace(settings=settings))["counts"]
        return {lowered.circuit.turned(int(key, 16)): number for key, number in found.items()}

    return count


def _written(adapter: DDSim) -> Callable[[Circuit], Any]:
    def lower(circuit: Circuit) -> Any:
        made = adapter.lower(circuit)[1]
        made.measure_all()
        return circuit, made

    return lower


def _ddsim(lowered: Any, desk: Any, shots: int, seed: int) -> Mapping[Any, int]:
    from mqt.ddsim import CircuitSimulator

    circuit, made = lowered
    found = CircuitSimulator(made, seed=seed).simulate(shots)
    return {circuit.turned(int(bits, 2)): count for bits, count in found.items()}


def whole(counts: Mapping[Any, int]) -> dict[int, int]:
    """Counts as plain numbers."""
    return {int(key): int(np.int64(count)) for key, count in counts.items()}
