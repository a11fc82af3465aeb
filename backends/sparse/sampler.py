"""Sample circuits on our exact engine: a device without noise and without a vendor's library."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate

from qchess.backends.catalogue import Backend
from qchess.backends.devices.adapters import device
from qchess.backends.devices.recipes import outcomes
from qchess.backends.devices.sampler import BaseSampler, Capabilities, Provenance, Shots, check_circuits
from qchess.backends.sparse.engine import SparseEngine
from qchess.circuits.program import Program

SIMULATOR = Capabilities(native_2q="cz", max_qubits=64, ordered=True)


class SparseSampler(BaseSampler):
    """Runs circuits whose read-outs come at the end; equal seeds give equal shots."""

    name = "sparse-shots"
    capabilities = SIMULATOR

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the shots of each circuit, in order."""
        check_circuits(self, circuits, shots)
        rng = random.Random(seed)
        return [self._shots(circuit, shots, rng, seed) for circuit in circuits]

    def _shots(self, circuit: Program, shots: int, rng: random.Random, seed: int | None) -> Shots:
        odds = outcomes(circuit, SparseEngine())
        drawn = rng.choices(list(odds), cum_weights=list(accumulate(odds.values())), k=shots)
        return Shots.in_order(circuit.answers, drawn, Provenance(self.name, shots, shots, seed=seed))


def sparse_device(branch_limit: int = 2**20, **options: object) -> Backend:
    """Return our exact engine, with answers from its own shots; options go to the `DeviceSource`."""
    return device(SparseSampler(), branch_limit, **options)
