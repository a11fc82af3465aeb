"""What the benchmark asks of a simulator.

An adapter has three methods: `lower` writes a circuit in the simulator's own form, `run` brings it to the state, and
`amplitudes` reads some of it. What more it offers, it says by having the method: `sample`, `answers`, `norm`.

The clock of a run is the same for all. Before it is done what can serve another circuit as well, such as a simulator
with its options that holds no state, and the lowering, as far as the package lets it be called apart. Inside it is
whatever holds the state of this circuit, from its creation on. Each adapter says in words what that means for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from qchess.bench.adapters.circuit import Circuit, Complex
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program

#: what `qchess bench run --precision` asks for
PRECISIONS = {"single": "complex64", "double": "complex128"}


class Adapter:
    """One simulator. Keys of amplitudes and samples have wire 0 as their most significant digit."""

    name = ""
    #: what is imported before anything runs, and the packages whose versions a result tells
    modules: ClassVar[tuple[str, ...]] = ()
    packages: ClassVar[tuple[str, ...]] = ()
    precision = "complex128"
    #: what it can compute in, the usual one first; empty where it has no choice
    precisions: ClassVar[tuple[str, ...]] = ()
    #: whether its name says the precision
    fixed = False
    #: whether it may leave something out of the state; such methods are ranked apart, by their fidelity
    approximate = False
    #: why it can do nothing of what is asked for
    against = ""
    #: the cores that a run may use; set before `load`
    threads = 1
    #: what the clock of a run sees, and what was done before it
    inside = ""
    outside = ""
    #: the options and the forms of gates that are used, and why
    options_why = ""
    #: what the simulator's maker says of this adapter: a link
    maker = "not asked"

    def __init__(self, **options: Any) -> None:
        self.options = options

    def compute_in(self, precision: str) -> str:
        """Computes in single or double precision from now on, or says in a sentence why not; called before `load`."""
        wanted = PRECISIONS[precision]
        if wanted in self.precisions and not self.fixed:
            self.precision = self.options["precision"] = wanted
        if wanted == self.precision:
            return ""
        own = {"complex128": "has double only", "complex64": "has single only"}
        found = own.get(self.precision, f"is a {self.precision}, which has no precision")
        return f"{precision} precision is asked for, and {self.name} {found}"

    def missing(self) -> tuple[str, ...]:
        """The modules that are not installed."""
        return tuple(name for name in self.modules if find_spec(name.partition(".")[0]) is None)

    def absent(self) -> str:
        """Why it cannot be used here, in a sentence; empty if it can."""
        missing = self.missing()
        return f"{', '.join(missing)} is not installed" if missing else ""

    def load(self) -> None:
        """Imports what it needs, once."""
        for name in self.modules:
            import_module(name)

    def wake(self) -> None:
        """Makes what no fork inherits, in each process of a run, before anything is timed."""

    def versions(self) -> dict[str, str]:
        """The version of each of its packages."""
        return {name: _version(name) for name in self.packages}

    def objection(self, circuit: Circuit) -> str | None:
        """Why it cannot run this circuit at all; None where it can."""
        return None

    def needs(self, circuit: Circuit) -> int:
        """The bytes that it certainly needs for the circuit."""
        return 0

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in its own form."""
        return circuit

    def desk(self, lowered: Any) -> Any:
        """An empty simulator for one run, where that is an object that can be made beforehand; it is not timed."""
        return None

    def run(self, lowered: Any, desk: Any) -> Any:
        """The state after the circuit; queued gates must be done."""
        raise BackendError(f"{self.name} gives no state")

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """The amplitudes of some basis states."""
        raise BackendError(f"{self.name} gives no amplitudes")

    def touch(self, state: Any, key: int) -> float | None:
        """The weight of one basis state, for which all gates must be done; it is part of what is timed.

        An adapter with a quicker way to it than `amplitudes` takes that, or gives None for a state that is certainly
        done.
        """
        return abs(self.amplitudes(state, [key])[0]) ** 2

    def norm(self, state: Any) -> float | None:
        """The sum of all weights; None if it cannot tell. It is not timed."""
        told = self.totals(state)
        return told[1] if told else None

    def totals(self, state: Any) -> tuple[int, float] | None:
        """What `norm` was for older adapters, behind the number of branches."""
        return None

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Iterable[int]:
        """The keys of so many read-outs of all wires."""
        raise BackendError(f"{self.name} gives no samples")

    def lower_answers(self, program: Program, full: frozenset[Qubit]) -> Any:
        """A program that asks, in the simulator's own form; the wires in `full` start in 1."""
        return program, full

    def answers(self, lowered: Any, shots: int, seed: int) -> Iterable[Mapping[str, int]]:
        """Runs a lowered program that asks, so many times: its answers by name; one not asked is absent or 0."""
        raise BackendError(f"{self.name} has no feed-forward")

    def notes(self, state: Any) -> dict[str, Any]:
        """What the simulator tells about its own state: a bond, a number of nodes, its own estimate of a fidelity."""
        return {}

    def offers(self, method: str) -> bool:
        """Whether the adapter has this method of its own."""
        return getattr(type(self), method) is not getattr(Adapter, method)


class Either(Adapter):
    """A simulator that computes in double precision or in single; an option `precision` in its name says in which."""

    precisions: ClassVar = ("complex128", "complex64")

    def __init__(self, precision: str = "", **options: Any) -> None:
        if precision not in ("", *self.precisions):
            raise BackendError(f"precision is {' or '.join(self.precisions)}, got {precision!r}")
        super().__init__(precision=precision or self.precisions[0], **options)
        self.precision, self.fixed = self.options["precision"], bool(precision)


class Dense(Adapter):
    """A simulator that holds all 2^n amplitudes; `run` gives something of which `vector` makes an array."""

    #: whether wire 0 is the least significant bit of its index
    little_endian = False
    #: vectors that it holds at a time
    copies = 1

    def needs(self, circuit: Circuit) -> int:
        """All amplitudes, as often as it holds them."""
        return int(self.copies * (16 if self.precision == "complex128" else 8) << circuit.wires)

    def vector(self, state: Any) -> Complex:
        """All amplitudes in the simulator's own order."""
        return np.asarray(state)

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """The amplitudes of some basis states."""
        vector = self.vector(state)
        wires = len(vector).bit_length() - 1
        turn: Callable[[int], int] = Circuit(wires, (), ()).turned if self.little_endian else int
        picked: Sequence[complex] = vector[[turn(key) for key in keys]].tolist()
        return picked

    def norm(self, state: Any) -> float:
        """That of the whole vector."""
        vector = self.vector(state)
        return float(np.vdot(vector, vector).real)


def norm_of(pairs: Sequence[Sequence[Complex]]) -> float:
    """The sum of all weights of a matrix product state: for each wire its matrix for 0 and that for 1."""
    whole: Complex = np.ones((1, 1), dtype=np.complex128)
    for zero, one in pairs:
        whole = zero.conj().T @ whole @ zero + one.conj().T @ whole @ one
    return float(whole[0, 0].real)


def chosen(keys: Sequence[int], amplitudes: Sequence[complex], shots: int, seed: int) -> list[int]:
    """Read-outs of a state whose branches are known."""
    weights = np.abs(np.asarray(amplitudes)) ** 2
    places = np.random.default_rng(seed).choice(len(keys), size=shots, p=weights / weights.sum())
    return [keys[k] for k in places.tolist()]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
