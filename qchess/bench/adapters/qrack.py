"""Qrack: dense where it must be, in float32; it queues gates, so reading is part of running."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense
from qchess.bench.adapters.circuit import Circuit, Complex, Step


class Qrack(Dense):
    """`QrackSimulator` on the processor; wire 0 is the least significant bit of its index."""

    name = "qrack"
    modules = ("pyqrack",)
    packages = ("pyqrack-cpu",)
    precision = "complex64"
    little_endian = True
    copies = 2

    def lower(self, circuit: Circuit) -> Any:
        """Methods of the simulator with their arguments."""
        return circuit, [call for step in circuit.steps for call in _calls(step)]

    def desk(self, lowered: Any) -> Any:
        """A simulator, all of whose wires are 0."""
        from pyqrack import QrackSimulator

        simulator = QrackSimulator(lowered[0].wires, is_gpu=False)
        simulator.set_concurrency(1)
        return simulator

    def run(self, lowered: Any, desk: Any) -> Any:
        """All gates, and one probability, for which it must have done them."""
        circuit, calls = lowered
        for wire in circuit.full:
            desk.x(wire)
        for name, arguments in calls:
            getattr(desk, name)(*arguments)
        desk.prob_perm(list(range(circuit.wires)), [False] * circuit.wires)
        return desk

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
        return [_turn(controls, step.matrix(), step.targets[0])]
    a, b = step.targets
    if step.name == "SWAP" and not controls:
        return [("swap", (a, b))]
    turn = Step("X", 1.0, (a,)).matrix()
    if step.name == "ISWAP":
        angle = -np.pi * step.parameter / 2
        turn = np.array([[np.cos(angle), -1j * np.sin(angle)], [-1j * np.sin(angle), np.cos(angle)]])
    fold = ("mcx", ([a], b))
    return [fold, _turn([*controls, (b, 1)], turn, a), fold]


def _turn(controls: list[tuple[int, int]], matrix: Complex, wire: int) -> tuple[str, tuple[Any, ...]]:
    entries = [complex(entry) for entry in matrix.reshape(-1)]
    if not controls:
        return "mtrx", (entries, wire)
    values = sum(value << k for k, (_, value) in enumerate(controls))
    return "ucmtrx", ([q for q, _ in controls], entries, wire, values)
