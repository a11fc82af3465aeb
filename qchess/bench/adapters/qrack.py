"""Qrack: dense where it must be, in float32; it queues gates, so reading is part of running."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense
from qchess.bench.adapters.atoms import turn
from qchess.bench.adapters.circuit import Circuit, Complex, Step


class Qrack(Dense):
    """`QrackSimulator` on the processor; wire 0 is the least significant bit of its index."""

    name = "qrack"
    modules = ("pyqrack",)
    packages = ("pyqrack-cpu",)
    precision = "complex64"
    little_endian = True
    copies = 2
    inside = "a fresh `QrackSimulator`, a Python call a gate, and one probability, for which its queue must be done"
    outside = "the names and arguments of the calls"
    options_why = (
        "no GPU, threads by `set_concurrency`; an exchange is a turn of one wire between two CX; the wheel has single "
        "precision only, and `QRACK_FPPOW` 6 says that one's own build has doubles"
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if os.environ.get("QRACK_FPPOW") == "6":  # as pyqrack is told that its library has doubles
            self.precision = "complex128"

    def lower(self, circuit: Circuit) -> Any:
        """Methods of the simulator with their arguments."""
        return circuit, [call for step in circuit.steps for call in _calls(step)]

    def run(self, lowered: Any, desk: Any) -> Any:
        """A fresh simulator, and all gates, which it may put off until it is touched."""
        from pyqrack import QrackSimulator

        circuit, calls = lowered
        simulator = QrackSimulator(circuit.wires, is_gpu=False)
        simulator.set_concurrency(self.threads)
        for wire in circuit.full:
            simulator.x(wire)
        for name, arguments in calls:
            getattr(simulator, name)(*arguments)
        return simulator

    def touch(self, state: Any, key: int) -> float:
        """Its own probability of one basis state, for which it must have done all gates."""
        wires = state.num_qubits()
        return float(state.prob_perm(list(range(wires)), [bool(key >> (wires - 1 - k) & 1) for k in range(wires)]))

    def vector(self, state: Any) -> Complex:
        """All amplitudes, as it writes them out."""
        return np.asarray(state.out_ket())

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own shots."""
        circuit, _ = lowered
        state.seed(seed)
        return [circuit.turned(key) for key in state.measure_shots(list(range(circuit.wires)), shots)]


def _calls(step: Step) -> list[tuple[str, tuple[Any, ...]]]:
    """iSWAP^t is CX, RX(-pi t) under its second wire and the controls, CX."""
    controls = list(step.controls)
    if len(step.targets) == 1:
        return [_under(controls, step.matrix(), step.targets[0])]
    a, b = step.targets
    if step.name == "SWAP" and not controls:
        return [("swap", (a, b))]
    fold = ("mcx", ([a], b))
    return [fold, _under([*controls, (b, 1)], turn(step), a), fold]


def _under(controls: list[tuple[int, int]], matrix: Complex, wire: int) -> tuple[str, tuple[Any, ...]]:
    entries = [complex(entry) for entry in matrix.reshape(-1)]
    if not controls:
        return "mtrx", (entries, wire)
    values = sum(value << k for k, (_, value) in enumerate(controls))
    return "ucmtrx", ([q for q, _ in controls], entries, wire, values)
