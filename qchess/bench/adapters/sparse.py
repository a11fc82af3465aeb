"""Our sparse engine: the whole circuit in one call, coding included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from qchess.bench.adapters.adapter import Adapter, chosen
from qchess.bench.adapters.circuit import Circuit, Step
from qchess.circuits.operations import Gate, Operation, Qubit
from qchess.circuits.predicates import where

#: far more branches than any case has; the runner's limits come first
LIMIT = 2**25


class Named(NamedTuple):
    """A circuit in our own vocabulary: names of wires, those that start in 1, operations."""

    wires: tuple[Qubit, ...]
    full: tuple[Qubit, ...]
    operations: tuple[Operation, ...]


class State(NamedTuple):
    """A state of the engine, with the wires in the order of our keys: the last one is bit 0."""

    inner: Any
    order: tuple[Qubit, ...]


def named(circuit: Circuit) -> Named:
    """The circuit with names for its wires again."""
    wires = tuple(f"q{k}" for k in range(circuit.wires))
    operations = [
        Operation(
            Gate(step.name, step.parameter),
            tuple([wires[k] for k in step.targets]),
            tuple(sorted((wires[k], value) for k, value in step.controls)),
        )
        for step in circuit.steps
    ]
    return Named(wires, tuple([wires[k] for k in circuit.full]), tuple(operations))


class Sparse(Adapter):
    """`SparseEngine.run` from a basis state."""

    name = "sparse"
    modules: ClassVar[tuple[str, ...]] = ("qchess.backends.sparse.engine",)
    packages = ("qchess", "numpy", "numba", "llvmlite")
    inside = "one call of `SparseEngine.run`: it makes the start, codes the operations and does all gates"
    outside = "the engine, its kernels linked; the circuit in our operations"
    options_why = (
        "`branch_limit` 2^25, which no case reaches, so that the limits of the run come first; every gate is its own, "
        "under any conditions"
    )
    maker = "ours"

    def load(self) -> None:
        """Imports the engine, makes one, and lets it link its kernels, which otherwise its first run would do."""
        super().load()
        from qchess import backends

        self.engine: Any = backends.engine("sparse", **{"branch_limit": LIMIT, **self.options})
        steps = [Step("H", 1.0, (wire,)) for wire in range(10)]  # enough branches for kernels to be of use
        steps += [Step("Z", 1.0, (wire + 1,), ((wire, 1),)) for wire in range(9)]
        self.amplitudes(self.run(self.lower(Circuit(10, (), tuple(steps))), None), [0])

    def versions(self) -> dict[str, str]:
        """Ours is the version of this checkout, installed or not."""
        from qchess.version import __version__

        return {**super().versions(), "qchess": __version__}

    def lower(self, circuit: Circuit) -> Named:
        """The circuit in our operations."""
        return named(circuit)

    def run(self, lowered: Named, desk: Any) -> State:
        """One call of the engine."""
        certain = {q: int(q in lowered.full) for q in lowered.wires}
        return State(self.engine.run(None, lowered.operations, certain), lowered.wires[::-1])

    def table(self, state: State) -> dict[int, complex]:
        """All branches."""
        found: dict[int, complex] = self.engine.amplitudes(state.inner, state.order)
        return found

    def amplitudes(self, state: State, keys: Sequence[int]) -> Sequence[complex]:
        """Looks keys up in the table of all branches."""
        table = self.table(state)
        return [table.get(key, 0j) for key in keys]

    def touch(self, state: State, key: int) -> float:
        """The engine's own probability that all qubits read so."""
        asked = where({qubit: key >> k & 1 for k, qubit in enumerate(state.order)})
        return float(self.engine.probability(state.inner, asked))

    def norm(self, state: State) -> float:
        """That of the table of all branches."""
        return sum(abs(a) ** 2 for a in self.table(state).values())

    def sample(self, lowered: Named, state: State, shots: int, seed: int) -> Sequence[int]:
        """Draws from the branches."""
        table = self.table(state)
        return chosen(list(table), list(table.values()), shots, seed)
