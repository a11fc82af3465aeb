"""A device whose names are markup: what it calls its job and its qubits is foreign text, wherever it is shown.

A server that has `tests.web.foreign_plugin` among its plugins knows it as `NAME`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qchess.backends.catalogue import Backend
from qchess.backends.devices.adapters import device
from qchess.backends.devices.sampler import Shots
from qchess.backends.sparse.sampler import SparseSampler
from qchess.circuits.program import Program

NAME = "foreign-shots"
JOB = "<img src=x onerror=\"document.title='wrong'\">"
QUBIT = "<b>1</b>"
#: half a knight takes a pawn, with the last of these moves: one open question, and what is said of its shots
KNIGHT: dict[str, Any] = {"fen": "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"}
LINE = ("b1^a3c3", "e8-e7", "c3-d5")
SAID = f"100 of 100 shots kept, 1 two-qubit gate, qubit {QUBIT}, job {JOB}"


class Foreign(SparseSampler):
    """Our own shots, from a machine with such names."""

    name = NAME

    def __init__(self, job: str = JOB) -> None:
        self.job = job

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """The shots of each circuit, in order."""
        told = {"physical": [QUBIT], "two_qubit_gates": 1}
        found = super().run(circuits, shots, seed)
        return [replace(one, provenance=replace(one.provenance, job=self.job, details=told)) for one in found]


def foreign(job: str = JOB) -> Backend:
    """Our exact engine, answered by this device."""
    return device(Foreign(job))
