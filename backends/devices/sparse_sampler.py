"""Samples circuits on our own exact engine: the road of a device without a vendor's library, and without noise."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate

from qchess.backends.catalogue import Backend
from qchess.backends.devices.making import device
from qchess.backends.devices.sampler import Capabilities, Provenance, Shots, check_circuits
from qchess.backends.sparse.engine import SparseEngine
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Program, ReadOut
from qchess.circuits.registers import Registers

SIMULATOR = Capabilities(native_2q="cz", max_qubits=64, ordered=True)


class SparseSampler:
    """Runs circuits whose read-outs come at the end; equal seeds give equal shots."""

    name = "sparse-shots"
    capabilities = SIMULATOR

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """The shots of each circuit, in order."""
        check_circuits(self, circuits, shots)
        rng = random.Random(seed)
        return [self._shots(circuit, shots, rng, seed) for circuit in circuits]

    def _shots(self, circuit: Program, shots: int, rng: random.Random, seed: int | None) -> Shots:
        reads = [step for step in circuit if isinstance(step, ReadOut)]
        gates = [step for step in circuit if isinstance(step, Operation)]
        if list(circuit) != [*gates, *reads]:
            raise BackendError(f"{self.name} takes gates and then read-outs, got {circuit!r}")
        read: list[Qubit] = list(dict.fromkeys(q for step in reads for q in step.qubits))
        odds = Registers(SparseEngine()).apply(*gates).distribution(*read)
        place = {q: k for k, q in enumerate(read)}
        outcome = {
            key: tuple(sum((key >> place[q] & 1) << k for k, q in enumerate(step.qubits)) for step in reads)
            for key in odds
        }
        drawn = rng.choices(list(odds), cum_weights=list(accumulate(odds.values())), k=shots)
        return Shots.in_order(
            circuit.answers, (outcome[key] for key in drawn), Provenance(self.name, shots, shots, seed=seed)
        )


def sparse_device(branch_limit: int = 2**20, **options: object) -> Backend:
    """Our exact engine, with answers from its own shots; options go to the `DeviceSource`."""
    return device(SparseSampler(), branch_limit, **options)
