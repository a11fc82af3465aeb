"""Sample circuits with any ``cirq.Sampler``: Cirq's simulators, and those of Google and other vendors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

from qchess.backends.devices.sampler import BaseSampler, Capabilities, Provenance, Shots, Shown, check_circuits
from qchess.circuits.errors import MissingExtraError
from qchess.circuits.program import Program

if TYPE_CHECKING:
    import cirq

SIMULATOR = Capabilities(mid_measure=True, reset=True, feed_forward=True, max_qubits=24, ordered=True)


class CirqSampler(BaseSampler):
    """Runs circuits on a ``cirq.Sampler``; by default on Cirq's simulator, newly seeded for each run.

    The seed of a run does not reach a given sampler, and the provenance says so. `capabilities` describes its machine.
    """

    def __init__(
        self, sampler: cirq.Sampler | None = None, *, name: str = "cirq", capabilities: Capabilities = SIMULATOR
    ) -> None:
        try:
            import cirq  # noqa: F401  (a missing package is reported now, not in the middle of a game)
        except ModuleNotFoundError as error:
            raise MissingExtraError("the sampler 'cirq' needs Cirq: pip install cirq-core") from error
        self.name, self.capabilities = name, capabilities
        self._sampler = sampler

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the shots of each circuit, in order."""
        check_circuits(self, circuits, shots)
        if self._sampler is not None:
            sampler, seed = self._sampler, None
        else:
            import cirq

            sampler = cirq.Simulator(seed=seed)
        return [self._shots(circuit, sampler.run(circuit.to_cirq(), repetitions=shots), shots, seed)
                for circuit in circuits]  # fmt: skip

    def show(self, circuits: Sequence[Program]) -> list[Shown]:
        """Return the circuits as a run would send them."""
        return [Shown(circuit.to_cirq()) for circuit in circuits]

    def _shots(self, circuit: Program, result: cirq.Result, asked: int, seed: int | None) -> Shots:
        outcomes = in_order(circuit, result)
        origin = Provenance(self.name, asked, len(outcomes), seed=seed, versions={"cirq-core": version("cirq-core")})
        return Shots.in_order(circuit.answers, outcomes, origin)


def in_order(circuit: Program, result: cirq.Result) -> list[tuple[int, ...]]:
    """Return the outcomes of a circuit, shot by shot."""
    columns = [[_number(bits) for bits in result.measurements[name]] for name in circuit.answers]
    return list(zip(*columns, strict=True))


def _number(bits: Sequence[int]) -> int:
    """Return the answer of one shot: bit k is the k-th qubit of the read-out."""
    return sum(int(bit) << k for k, bit in enumerate(bits))
