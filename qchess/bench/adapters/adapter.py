"""The interface between the benchmark and a simulator.

An adapter has three methods: `lower` writes a circuit in the simulator's own form, `run` computes the state, and
`amplitudes` reads some of it. Optional methods are `sample`, `answers` and `norm`.

The clock of a run is the same for all. It excludes what can serve another circuit too, such as a simulator object
without a state, and the lowering, if the package can do that separately. It includes everything that holds the state of
this circuit, from its creation on. Each adapter describes its own case in words.
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

#: the values of `qchess bench run --precision`
PRECISIONS = {"single": "complex64", "double": "complex128"}


class Adapter:
    """One simulator. Keys of amplitudes and samples have wire 0 as their most significant digit."""

    name = ""
    #: the modules imported before a run, and the packages whose versions a result records
    modules: ClassVar[tuple[str, ...]] = ()
    packages: ClassVar[tuple[str, ...]] = ()
    precision = "complex128"
    #: the precisions it can compute in, the default first; empty without a choice
    precisions: ClassVar[tuple[str, ...]] = ()
    #: True: its name gives the precision
    fixed = False
    #: True: it may leave out part of the state; such methods are ranked separately, by their fidelity
    approximate = False
    #: why it cannot be used for the request
    against = ""
    #: the cores that a run may use; set before `load`
    threads = 1
    #: what the clock of a run includes, and what was done before it
    inside = ""
    outside = ""
    #: the options and gate forms in use, and why
    options_why = ""
    #: the comment of the simulator's maker on this adapter: a link
    maker = "not asked"

    def __init__(self, **options: Any) -> None:
        self.options = options

    def compute_in(self, precision: str) -> str:
        """Set single or double precision, or return in a sentence why not; called before `load`."""
        wanted = PRECISIONS[precision]
        if wanted in self.precisions and not self.fixed:
            self.precision = self.options["precision"] = wanted
        if wanted == self.precision:
            return ""
        own = {"complex128": "has double only", "complex64": "has single only"}
        found = own.get(self.precision, f"is a {self.precision}, which has no precision")
        return f"{precision} precision is asked for, and {self.name} {found}"

    def missing(self) -> tuple[str, ...]:
        """Return the modules that are not installed."""
        return tuple(name for name in self.modules if find_spec(name.partition(".")[0]) is None)

    def absent(self) -> str:
        """Return why it cannot be used here, in a sentence; empty if it can."""
        missing = self.missing()
        return f"{', '.join(missing)} is not installed" if missing else ""

    def load(self) -> None:
        """Import what it needs, once."""
        for name in self.modules:
            import_module(name)

    def wake(self) -> None:
        """Make what a fork does not inherit, in each process of a run, before timing."""

    def versions(self) -> dict[str, str]:
        """Return the version of each of its packages."""
        return {name: _version(name) for name in self.packages}

    def objection(self, circuit: Circuit) -> str | None:
        """Return why it cannot run this circuit; None if it can."""
        return None

    def needs(self, circuit: Circuit) -> int:
        """Return the least memory in bytes that it needs for the circuit."""
        return 0

    def lower(self, circuit: Circuit) -> Any:
        """Return the circuit in the simulator's own form."""
        return circuit

    def desk(self, lowered: Any) -> Any:
        """Return an empty simulator for one run, if it can be made beforehand; not timed."""
        return None

    def run(self, lowered: Any, desk: Any) -> Any:
        """Return the state after the circuit; queued gates must be done."""
        raise BackendError(f"{self.name} gives no state")

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """Return the amplitudes of some basis states."""
        raise BackendError(f"{self.name} gives no amplitudes")

    def touch(self, state: Any, key: int) -> float | None:
        """Return the weight of one basis state, for which all gates must be done; it is timed.

        An adapter with a faster way than `amplitudes` overrides this, or returns None if the state is certainly done.
        """
        return abs(self.amplitudes(state, [key])[0]) ** 2

    def norm(self, state: Any) -> float | None:
        """Return the sum of all weights; None if unknown. Not timed."""
        told = self.totals(state)
        return told[1] if told else None

    def totals(self, state: Any) -> tuple[int, float] | None:
        """Return the number of branches and the norm, in the older form of `norm`."""
        return None

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Iterable[int]:
        """Return the keys of `shots` read-outs of all wires."""
        raise BackendError(f"{self.name} gives no samples")

    def lower_answers(self, program: Program, full: frozenset[Qubit]) -> Any:
        """Return a program with questions in the simulator's own form; the wires in `full` start in 1."""
        return program, full

    def answers(self, lowered: Any, shots: int, seed: int) -> Iterable[Mapping[str, int]]:
        """Run a lowered program with questions `shots` times: its answers by name; one not asked is absent or 0."""
        raise BackendError(f"{self.name} has no feed-forward")

    def notes(self, state: Any) -> dict[str, Any]:
        """Return what the simulator reports of its state: a bond, a number of nodes, an estimated fidelity."""
        return {}

    def offers(self, method: str) -> bool:
        """Tell whether the adapter has this method itself."""
        return getattr(type(self), method) is not getattr(Adapter, method)


class Either(Adapter):
    """A simulator with double or single precision; an option `precision` in its name chooses."""

    precisions: ClassVar = ("complex128", "complex64")

    def __init__(self, precision: str = "", **options: Any) -> None:
        if precision not in ("", *self.precisions):
            raise BackendError(f"precision is {' or '.join(self.precisions)}, got {precision!r}")
        super().__init__(precision=precision or self.precisions[0], **options)
        self.precision, self.fixed = self.options["precision"], bool(precision)


class Dense(Adapter):
    """A simulator that holds all 2^n amplitudes; `vector` makes an array of the result of `run`."""

    #: True: wire 0 is the least significant bit of its index
    little_endian = False
    #: how many vectors it holds at a time
    copies = 1

    def needs(self, circuit: Circuit) -> int:
        """Return the memory of all amplitudes, times the number of vectors."""
        return int(self.copies * (16 if self.precision == "complex128" else 8) << circuit.wires)

    def vector(self, state: Any) -> Complex:
        """Return all amplitudes in the simulator's own order."""
        return np.asarray(state)

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """Return the amplitudes of some basis states."""
        vector = self.vector(state)
        wires = len(vector).bit_length() - 1
        turn: Callable[[int], int] = Circuit(wires, (), ()).turned if self.little_endian else int
        picked: Sequence[complex] = vector[[turn(key) for key in keys]].tolist()
        return picked

    def norm(self, state: Any) -> float:
        """Return the norm of the whole vector."""
        vector = self.vector(state)
        return float(np.vdot(vector, vector).real)


def norm_of(pairs: Sequence[Sequence[Complex]]) -> float:
    """Return the sum of all weights of a matrix product state: for each wire its matrices for 0 and 1."""
    whole: Complex = np.ones((1, 1), dtype=np.complex128)
    for zero, one in pairs:
        whole = zero.conj().T @ whole @ zero + one.conj().T @ whole @ one
    return float(whole[0, 0].real)


def chosen(keys: Sequence[int], amplitudes: Sequence[complex], shots: int, seed: int) -> list[int]:
    """Return read-outs of a state whose branches are known."""
    weights = np.abs(np.asarray(amplitudes)) ** 2
    places = np.random.default_rng(seed).choice(len(keys), size=shots, p=weights / weights.sum())
    return [keys[k] for k in places.tolist()]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
