"""quimb: matrix product states in numpy. Small singular values are dropped, so it is no exact method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Either, norm_of
from qchess.bench.adapters.circuit import Circuit, Step

#: gates on more wires leave tensors of version 1.15 whose shapes do not fit
WIDEST = 2


class QuimbMPS(Either):
    """`CircuitMPS`; wire 0 is the first site. `max_bond` cuts bonds, `cutoff` drops small singular values."""

    name = "quimb-mps"
    modules = ("quimb.tensor",)
    packages = ("quimb",)
    approximate = True
    inside = "a fresh `CircuitMPS`, and `apply_gate_raw` for each gate, its decomposition included"
    outside = "the matrices of the gates; what numba compiles for it"
    options_why = (
        "`precision` is complex128; `cutoff` is 1e-12 and `max_bond` is none, so that next to nothing is cut; gates on "
        "two wires at most, for wider ones fail"
    )

    def __init__(self, max_bond: int | None = None, cutoff: float = 1e-12, precision: str = "") -> None:
        super().__init__(precision, max_bond=max_bond, cutoff=cutoff)

    def load(self) -> None:
        """Imports it, and lets numba compile what it needs, which otherwise each first run would do."""
        super().load()
        steps = (Step("H", 1.0, (0,)), Step("ISWAP", 0.5, (0, 3)), Step("X", 1.0, (2,), ((0, 1), (1, 0))))
        self.run(self.lower(Circuit(4, (0,), steps)), None)

    def objection(self, circuit: Circuit) -> str | None:
        """Gates on few wires only."""
        widest = max((len(step.all_wires) for step in circuit.steps), default=0)
        return f"a gate on {widest} wires; {WIDEST} at most" if widest > WIDEST else None

    def lower(self, circuit: Circuit) -> Any:
        """A matrix and its wires, a gate; controls are part of the matrix."""
        steps = (*circuit.starting_flips(), *circuit.steps)
        return circuit, [(step.whole_matrix().astype(self.precision), step.all_wires) for step in steps]

    def run(self, lowered: Any, desk: Any) -> Any:
        """The product state after all gates."""
        import quimb.tensor as qtn

        circuit, gates = lowered
        cut = {name: self.options[name] for name in ("max_bond", "cutoff")}
        made = qtn.CircuitMPS(circuit.wires, dtype=self.precision, **cut)
        for matrix, wires in gates:
            made.apply_gate_raw(matrix, wires)
        return circuit, made

    def touch(self, state: Any, key: int) -> None:
        """Each gate is done when it is applied; all tensors would be turned for one amplitude."""

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """Contracts the tensors along each key."""
        circuit, made = state
        tensors = site_tensors(made)
        found = []
        for key in keys:
            row = np.ones((1,), dtype=np.complex128)
            for tensor, digit in zip(tensors, circuit.digits(key), strict=True):
                row = row @ tensor[:, int(digit), :]
            found.append(complex(row[0]))
        return found

    def norm(self, state: Any) -> float:
        """Contracts the tensors with themselves."""
        return norm_of([(tensor[:, 0, :], tensor[:, 1, :]) for tensor in site_tensors(state[1])])

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own sampling, tensor after tensor."""
        return [int("".join(map(str, bits)), 2) for bits in state[1].sample(shots, seed=seed)]

    def notes(self, state: Any) -> dict[str, Any]:
        """The largest bond, and its own estimate of what was kept."""
        made = state[1]
        return {"bond": int(made.psi.max_bond() or 1), "own_fidelity": float(made.fidelity_estimate())}


def site_tensors(made: Any) -> list[Any]:
    """The tensors as arrays: bond to the left, wire, bond to the right."""
    psi = made.psi
    psi.ensure_bonds_exist()  # neighbours that were never entangled have none
    psi.permute_arrays("lpr")
    arrays = [np.asarray(array) for array in psi.arrays]
    if len(arrays) == 1:
        return [arrays[0].reshape(1, 2, 1)]
    return [arrays[0].reshape(1, 2, -1), *arrays[1:-1], arrays[-1].reshape(-1, 2, 1)]
