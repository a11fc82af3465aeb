"""Sample circuits with Qiskit's simulators: Aer without noise, Aer as a noisy chip, and similar ones.

Making the transpiler costs 50 ms. So the backend and its pass manager are built once, and a circuit then takes a
few milliseconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from inspect import signature
from numbers import Integral
from typing import TYPE_CHECKING, Any

from qchess.backends.devices.sampler import BaseSampler, Capabilities, Provenance, Shots, Shown, check_circuits
from qchess.backends.devices.targets import TargetCompiler
from qchess.backends.devices.validation import shown
from qchess.circuits.errors import BackendError, MissingExtraError
from qchess.circuits.program import Program

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.transpiler import PassManager

BASIS = ("rz", "sx", "x", "cz")
SIMULATOR = Capabilities(mid_measure=True, reset=True, feed_forward=True, max_qubits=24, ordered=True)


@dataclass(frozen=True, slots=True)
class ChipNoise:
    """A generic chip: the same errors on every qubit and every pair, uncorrelated.

    The figures are typical of those published for superconducting chips today; they were not measured on any machine.
    A gate's error is the probability that it leaves its qubits in a state without information (depolarizing); RZ is a
    change of frame and has none. A read-out error is the probability that a bit is misread.
    """

    one_qubit: float = 0.0003
    two_qubit: float = 0.005
    read_out: float = 0.01

    def model(self) -> Any:
        """Return the same chip as an Aer noise model."""
        from qiskit_aer.noise import NoiseModel, ReadoutError, depolarizing_error

        model = NoiseModel(basis_gates=list(BASIS))
        model.add_all_qubit_quantum_error(depolarizing_error(self.one_qubit, 1), ["sx", "x"])
        model.add_all_qubit_quantum_error(depolarizing_error(self.two_qubit, 2), ["cz"])
        right, wrong = 1 - self.read_out, self.read_out
        model.add_all_qubit_readout_error(ReadoutError([[right, wrong], [wrong, right]]))
        return model


class QiskitSampler(BaseSampler):
    """Runs circuits on a Qiskit backend, after a pass manager made for it.

    `backend` is anything with ``run(circuits, shots=..., seed_simulator=...)``. A simulator's job ids are random, so
    the provenance has none: equal seeds give equal records.
    """

    def __init__(self, backend: Any, passes: PassManager, *, name: str, capabilities: Capabilities = SIMULATOR) -> None:
        self.name, self.capabilities = name, capabilities
        self._backend, self._passes = backend, passes

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the shots of each circuit, in order; all circuits are one job."""
        check_circuits(self, circuits, shots)
        made = [circuit.to_qiskit() for circuit in circuits]
        job = self._backend.run(self._passes.run(made), shots=shots, seed_simulator=seed, memory=True)
        result = job.result()
        if not result.success:
            raise BackendError(f"{self.name} was to run {len(made)} circuits and answered {result.status!r}")
        return [self._shots(circuit, one, result.get_memory(k), shots, seed)
                for k, (circuit, one) in enumerate(zip(circuits, made, strict=True))]  # fmt: skip

    def show(self, circuits: Sequence[Program]) -> list[Shown]:
        """Return the circuits as a run would send them."""
        return [Shown(self._passes.run(circuit.to_qiskit())) for circuit in circuits]

    def _shots(
        self, circuit: Program, made: QuantumCircuit, memory: Sequence[str], asked: int, seed: int | None
    ) -> Shots:
        names = [register.name for register in made.cregs]
        order = [names.index(made.metadata["answers"][name]) for name in circuit.answers]
        keys = {text: _outcome(text, order) for text in set(memory)}
        versions = {package: version(package) for package in ("qiskit", "qiskit-aer")}
        origin = Provenance(self.name, asked, len(memory), seed=seed, versions=versions)
        return Shots.in_order(circuit.answers, [keys[text] for text in memory], origin)


class CountingSampler(BaseSampler):
    """Runs circuits on a Qiskit backend that only counts, so the order of shots is unknown."""

    def __init__(self, backend: Any, compiler: TargetCompiler, *, name: str, capabilities: Capabilities) -> None:
        self.name, self.capabilities = name, replace(capabilities, ordered=False)
        self._backend, self._compiler = backend, compiler

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the counts of each circuit; all circuits are one job."""
        check_circuits(self, circuits, shots)
        placed = [self._compiler.compile(circuit) for circuit in circuits]
        result = self._backend.run([one.circuit for one in placed], shots=shots).result()
        return [self._shots(circuit, one.made, result.get_counts(k), shots)
                for k, (circuit, one) in enumerate(zip(circuits, placed, strict=True))]  # fmt: skip

    def show(self, circuits: Sequence[Program]) -> list[Shown]:
        """Return the circuits as a run would send them."""
        return [Shown(self._compiler.compile(circuit).circuit) for circuit in circuits]

    def _shots(self, circuit: Program, made: QuantumCircuit, counts: Mapping[str, int], asked: int) -> Shots:
        found = _counted(circuit, made, counts)
        return Shots(circuit.answers, found, Provenance(self.name, asked, found.total()))


class ExecutorSampler(BaseSampler):
    """Runs circuits through a function from a Qiskit circuit to its counts, as error mitigation libraries use.

    The function may change the circuit (pad, twirl, correct), but must return counts. It is called with the circuit,
    and with the requested shots if it has a parameter `shots`. Each answer has a classical register of its own, and a
    key of the counts has the bits in Qiskit's order. For a real machine, say so in `capabilities`.
    """

    def __init__(
        self, executor: Callable[..., Mapping[str, int]], *, name: str = "", capabilities: Capabilities | None = None
    ) -> None:
        self.name = name or f"executor {getattr(executor, '__name__', type(executor).__name__)}"
        self.capabilities = replace(capabilities or Capabilities(max_qubits=SIMULATOR.max_qubits), ordered=False)
        self._executor = executor
        self._wants_shots = "shots" in signature(executor).parameters

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the counts of each circuit, one call for each."""
        check_circuits(self, circuits, shots)
        return [self._shots(circuit, shots) for circuit in circuits]

    def show(self, circuits: Sequence[Program]) -> list[Shown]:
        """Return the circuits as the function gets them."""
        return [Shown(circuit.to_qiskit()) for circuit in circuits]

    def _shots(self, circuit: Program, asked: int) -> Shots:
        made = circuit.to_qiskit()
        counts = self._executor(made, shots=asked) if self._wants_shots else self._executor(made)
        widths = [register.size for register in made.cregs]
        _check_counts(self.name, counts, widths)
        found = _counted(circuit, made, counts)
        return Shots(circuit.answers, found, Provenance(self.name, asked, found.total()))


def _check_counts(name: str, counts: object, widths: Sequence[int]) -> None:
    """Refuse a value that is not the counts of a circuit with classical registers of these widths."""
    example = " ".join("0" * width for width in reversed(widths))
    for text, times in counts.items() if isinstance(counts, Mapping) else [(counts, None)]:
        fits = isinstance(text, str) and re.sub("[01]", "0", text) == example
        if not fits or not isinstance(times, Integral) or times < 0:
            got = f"{shown(text)}: {shown(times)}" if isinstance(counts, Mapping) else shown(counts)
            raise BackendError(f"{name} gives counts such as {{{example!r}: 57, ...}}; got {got}")


def _counted(circuit: Program, made: QuantumCircuit, counts: Mapping[str, int]) -> Counter[tuple[int, ...]]:
    """Return Qiskit's counts of a circuit by the values of its answers."""
    names = [register.name for register in made.cregs]
    order = [names.index(made.metadata["answers"][name]) for name in circuit.answers]
    found: Counter[tuple[int, ...]] = Counter()
    for text, times in counts.items():
        found[_outcome(text, order)] += times
    return found


def _outcome(text: str, order: Sequence[int]) -> tuple[int, ...]:
    """Return the answers in one line of Qiskit's memory, which has the last register first."""
    values = [int(bits, 2) for bits in reversed(text.split())]
    return tuple(values[k] for k in order)


def aer_sampler(noise: ChipNoise | None = None, *, noisy: bool = False) -> QiskitSampler:
    """Return Aer's simulator: without noise, or as a chip with this noise and all qubits connected."""
    try:
        from qiskit.transpiler import generate_preset_pass_manager
        from qiskit_aer import AerSimulator
    except ModuleNotFoundError as error:
        raise MissingExtraError("the sampler 'aer' needs Qiskit Aer: pip install qiskit-aer") from error
    # Without a limit to its threads, threading alone scatters the time of small circuits tenfold.
    noise = noise or (ChipNoise() if noisy else None)
    options = {"max_parallel_threads": 1} | ({"noise_model": noise.model()} if noise else {})
    passes = generate_preset_pass_manager(optimization_level=1, basis_gates=list(BASIS), seed_transpiler=0)
    return QiskitSampler(AerSimulator(**options), passes, name="aer-noisy" if noise else "aer-shots")
