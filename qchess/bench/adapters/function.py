"""A simulator that is one function: a circuit in, its state out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Adapter, chosen
from qchess.bench.adapters.circuit import Circuit
from qchess.circuits.errors import BackendError

State = Mapping[int, complex] | Sequence[complex] | np.ndarray[Any, Any]


class Function(Adapter):
    """Takes a function that gives all amplitudes: an array of 2^n, or a mapping from keys to what is not 0."""

    inside = "the call of the function"
    outside = "nothing"
    options_why = "what follows its name"

    def __init__(self, name: str, function: Callable[[Circuit], State], **options: Any) -> None:
        super().__init__(**options)
        self.name = name
        self.function = function
        self.precision = getattr(function, "precision", "complex128")
        self.approximate = bool(getattr(function, "approximate", False))

    def objection(self, circuit: Circuit) -> str | None:
        """What the function's own `objection` says, if it has one."""
        object_to = getattr(self.function, "objection", None)
        said: str | None = object_to(circuit) if object_to else None
        return said

    def run(self, lowered: Circuit, desk: Any) -> tuple[Circuit, State]:
        """Calls the function."""
        state = self.function(lowered, **self.options)
        if not isinstance(state, Mapping) and len(state) != 1 << lowered.wires:
            raise BackendError(
                f"{self.name} gives {len(state)} amplitudes, expected {1 << lowered.wires} for {lowered.wires} wires"
            )
        return lowered, state

    def amplitudes(self, state: tuple[Circuit, State], keys: Sequence[int]) -> Sequence[complex]:
        """Looks them up."""
        _, table = state
        if isinstance(table, Mapping):
            return [complex(table.get(key, 0)) for key in keys]
        return [complex(table[key]) for key in keys]

    def norm(self, state: tuple[Circuit, State]) -> float:
        """That of all that it gave."""
        _, values = self._branches(state)
        return float((values**2).sum())

    def sample(self, lowered: Circuit, state: tuple[Circuit, State], shots: int, seed: int) -> list[int]:
        """Draws from the amplitudes."""
        keys, values = self._branches(state)
        return chosen(keys, values.tolist(), shots, seed)

    def _branches(self, state: tuple[Circuit, State]) -> tuple[Sequence[int], np.ndarray[Any, Any]]:
        _, table = state
        if isinstance(table, Mapping):
            return list(table), np.abs(np.fromiter(table.values(), np.complex128, len(table)))
        return range(len(table)), np.abs(np.asarray(table))
