"""Gates and operations: the small vocabulary in which every move is written.

Each gate mixes one pair of basis states and leaves all others unchanged. So a gate is two bit patterns and a 2x2
matrix, its `Block`; controls only add bits that must match. Every engine, exporter and test uses that form.

    iSWAP^t   |10>,|01>   [[cos a, i sin a], [i sin a, cos a]],  a = pi t / 2
    SWAP      |10>,|01>   [[0, 1], [1, 0]]
    X^t       |0>,|1>     e^{ia} [[cos a, -i sin a], [-i sin a, cos a]]     (X^0.5 is sqrt-X)
    Z^t       |0>,|1>     [[1, 0], [0, e^{i pi t}]]                         (Z^0.5 = S; the phase gate)
    H         |0>,|1>     [[1, 1], [1, -1]] / sqrt 2
    RY(u)     |0>,|1>     [[cos u/2, -sin u/2], [sin u/2, cos u/2]]
    RZ(u)     |0>,|1>     [[e^{-iu/2}, 0], [0, e^{iu/2}]]

CNOT is X with a control and CZ is Z with a control.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, cast

from qchess.circuits.errors import ProgramError
from qchess.foreign import understands

Qubit = str
Matrix = tuple[tuple[complex, complex], tuple[complex, complex]]

#: gate name -> number of qubits
SIZES = {"ISWAP": 2, "SWAP": 2, "X": 1, "Z": 1, "H": 1, "RY": 1, "RZ": 1}
#: the gates with a parameter: an exponent, or for RY and RZ an angle in radians
PARAMETRIC = ("ISWAP", "X", "Z", "RY", "RZ")
#: those of them whose parameter is an angle
TURNS = ("RY", "RZ")
#: the period of each gate's parameter, and the size from which parameters are reduced modulo it:
#: each engine would round a large one differently
PERIODS = {"ISWAP": 4.0, "X": 2.0, "Z": 2.0, "RY": 4 * math.pi, "RZ": 4 * math.pi}
LARGE = 64.0


class Block(NamedTuple):
    """The core of a gate: `matrix` acts on the pair of bit patterns (`low`, `high`)."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    matrix: Matrix

    @property
    def mixes(self) -> bool:
        """Tell whether the gate can make two branches of one: it is more than phases or an exchange."""
        (a, _), (c, _) = self.matrix
        return a != 0 and c != 0


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate without its qubits: a name and, where it has one, a parameter.

    The parameter is the exponent t of ISWAP, X and Z, and the angle in radians of RY and RZ. It is reduced
    modulo its period if large.
    """

    name: str
    parameter: float = 1.0
    #: True: it can make two branches of one, so it is more than phases or an exchange
    mixes: bool = field(init=False, repr=False, compare=False)
    #: True: where it acts at all, it exchanges two qubits completely
    exchanges: bool = field(init=False, repr=False, compare=False)
    _block: Block = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.name not in SIZES:
            raise ProgramError(f"unknown gate {self.name!r}; the vocabulary is {', '.join(SIZES)}")
        if not math.isfinite(self.parameter):
            raise ProgramError(f"gate {self.name} needs a finite parameter, got {self.parameter!r}")
        if self.name not in PARAMETRIC and self.parameter != 1.0:
            raise ProgramError(f"gate {self.name} takes no parameter, got {self.parameter!r}")
        if abs(self.parameter) > LARGE:
            object.__setattr__(self, "parameter", math.remainder(self.parameter, PERIODS[self.name]))
        block = _block(self.name, self.parameter)
        object.__setattr__(self, "_block", block)  # every step of every run asks for it
        object.__setattr__(self, "_hash", hash((self.name, self.parameter)))
        object.__setattr__(self, "mixes", block.mixes)
        (stays, _), (_, other) = block.matrix
        object.__setattr__(self, "exchanges", self.size == 2 and stays == 0 and other == 0)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Gate], tuple[str, float]]:
        return Gate, (self.name, self.parameter)

    @property
    def size(self) -> int:
        """Return the number of qubits the gate acts on, without controls."""
        return SIZES[self.name]

    def block(self) -> Block:
        """Return the pair of bit patterns the gate mixes, and the 2x2 matrix that mixes them."""
        return self._block

    @property
    def by_angle(self) -> bool:
        """Tell whether the parameter is an angle in radians; an angle is always written out."""
        return self.name in TURNS

    @property
    def gain(self) -> float:
        """Return the exponent t of the phase (-1)^t that a moved piece gains.

        >>> Gate("SWAP").gain, Gate("ISWAP").gain, Gate("ISWAP", -1.0).gain
        (0.0, 0.5, -0.5)
        """
        return cmath.phase(self.block().matrix[1][0]) / math.pi

    def inverse(self) -> Gate:
        """Return the gate that undoes this one."""
        if self.name in PARAMETRIC:
            return Gate(self.name, -self.parameter)
        return self

    def __str__(self) -> str:
        if self.by_angle:
            return f"{self.name}({self.parameter:g})"
        return self.name if self.parameter == 1.0 else f"{self.name}^{self.parameter:g}"


@lru_cache(maxsize=4096)
def _block(name: str, parameter: float) -> Block:
    if SIZES[name] == 2:
        return Block((1, 0), (0, 1), _matrix(name, parameter))
    return Block((0,), (1,), _matrix(name, parameter))


def _matrix(name: str, parameter: float) -> Matrix:
    if name == "SWAP":
        return ((0, 1), (1, 0))
    if name == "H":
        r = math.sqrt(0.5)
        return ((r, r), (r, -r))
    if name == "RY":
        c, s = _half_turns(parameter / math.pi)
        return ((c, -s), (s, c))
    if name == "RZ":
        half = complex(*_half_turns(parameter / math.pi))
        return ((half.conjugate(), 0), (0, half))
    if name == "Z":
        c, s = _half_turns(2 * parameter)
        return ((1, 0), (0, complex(c, s)))
    c, s = _half_turns(parameter)
    if name == "ISWAP":
        return ((c, 1j * s), (1j * s, c))
    phase = complex(c, s)  # X^t = e^{ia} RX(2a)
    return ((phase * c, -1j * s * phase), (-1j * s * phase, phase * c))


def _half_turns(t: float) -> tuple[float, float]:
    """Return cos and sin of pi t / 2, exactly 0 or +-1 at whole t, so that full moves leave no rounding errors."""
    quarter = t % 4
    if quarter == int(quarter):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    return math.cos(math.pi * quarter / 2), math.sin(math.pi * quarter / 2)


def names(what: str, given: Iterable[Qubit]) -> tuple[Qubit, ...]:
    """Return several qubit names, each once. A lone string is refused: it could be one name or a list of letters.

    >>> names('path', ['a2', 'a3'])
    ('a2', 'a3')
    """
    if isinstance(given, str):
        raise ProgramError(f"{what} is a tuple or list of names, such as {(given,)!r}; got the text {given!r}")
    try:
        named = tuple(given)
    except TypeError:
        raise ProgramError(f"{what} is a tuple or list of names, such as ('a2', 'a3'); got {given!r}") from None
    if not _are_names(named):
        raise _no_names(what, named)
    return named


def controls(what: str, qubits: tuple[object, ...]) -> tuple[Qubit, ...]:
    """Return the qubits that control something, at least one."""
    if not qubits or not all(isinstance(qubit, str) for qubit in qubits):
        raise ProgramError(f"{what} takes the names of qubits, such as x('a').control('b'); got {qubits!r}")
    return names(what, cast("tuple[Qubit, ...]", qubits))


def _no_names(what: str, named: tuple[Qubit, ...]) -> ProgramError:
    for name in named:
        if not isinstance(name, str) or not name:
            return ProgramError(f"a qubit is named by a non-empty string, got {name!r} in {what}")
    return ProgramError(f"{what} names each qubit once, got {', '.join(map(repr, named))}")


@understands("Operation")
@dataclass(frozen=True, slots=True)
class Operation:
    """A gate on named qubits, acting only where every control has its chosen value.

    >>> iswap('b1', 'c3').when({'b2': 0})
    iswap('b1', 'c3').when({'b2': 0})
    """

    gate: Gate
    targets: tuple[Qubit, ...]
    controls: tuple[tuple[Qubit, int], ...] = ()
    #: all qubits of the operation: targets first, then controls
    qubits: tuple[Qubit, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = self.targets + tuple([q for q, _ in self.controls])
        object.__setattr__(self, "qubits", names)
        fits = len(self.targets) == self.gate.size and _are_names(names)
        if not fits or (self.controls and any(value not in (0, 1) for _, value in self.controls)):
            raise self._objection()

    def _objection(self) -> ProgramError:
        """Return what is wrong with the given qubits."""
        if len(self.targets) != self.gate.size:
            return ProgramError(
                f"{self.gate} acts on {self.gate.size} "
                f"{'qubit' if self.gate.size == 1 else 'qubits'}, got {list(self.targets)}"
            )
        for name in self.qubits:
            if not isinstance(name, str) or not name:
                return ProgramError(f"a qubit is named by a non-empty string, got {name!r} in {self.gate}")
        if len(set(self.targets)) != len(self.targets):
            return ProgramError(f"{self.gate} uses qubit {self.targets[0]!r} twice")
        for qubit, value in self.controls:
            if value not in (0, 1):
                return ProgramError(f"control {qubit!r} of {self.gate} must be 0 or 1, got {value!r}")
            if qubit in self.targets:
                return ProgramError(f"{self.gate} has qubit {qubit!r} as control and as target")
        return ProgramError(f"{self.gate} names a control twice: {[c for c, _ in self.controls]}")

    def when(self, controls: Mapping[Qubit, int] | None = None, /, **named: int) -> Operation:
        """Return the same operation, only where each of these qubits has the given value."""
        more = {**(controls or {}), **named}
        if not more:
            return self
        return Operation(self.gate, self.targets, tuple(sorted([*self.controls, *more.items()])))

    def control(self, *qubits: Qubit) -> Operation:
        """Return the same operation, only where each of these qubits is 1; `when` also controls on 0.

        >>> z('a', 0.5).control('b')
        z('a', 0.5).when({'b': 1})
        """
        return self.when(dict.fromkeys(controls("control", qubits), 1))

    def with_only(self, controls: tuple[tuple[Qubit, int], ...]) -> Operation:
        """Return the same operation with only these of its controls; does not check them again."""
        if not controls:
            return _bare(self.gate, self.targets)
        made = object.__new__(Operation)
        give = object.__setattr__
        give(made, "gate", self.gate)
        give(made, "targets", self.targets)
        give(made, "controls", controls)
        give(made, "qubits", self.targets + tuple([q for q, _ in controls]))
        return made

    def inverse(self) -> Operation:
        """Return the operation that undoes this one."""
        return Operation(self.gate.inverse(), self.targets, self.controls)

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.targets))
        constructor = {"ISWAP": "iswap", "SWAP": "swap", "X": "x", "Z": "z", "H": "h", "RY": "ry", "RZ": "rz"}[
            self.gate.name
        ]
        shown = self.gate.by_angle or self.gate.parameter != 1.0
        body = f"{constructor}({names}{f', {self.gate.parameter!r}' if shown else ''})"
        return body + (f".when({dict(self.controls)!r})" if self.controls else "")


def _are_names(names: tuple[Qubit, ...]) -> bool:
    """Tell whether these are distinct non-empty strings."""
    try:
        "".join(names)  # the quickest way to ask whether all are texts
    except TypeError:
        return False
    return "" not in names and len({*names}) == len(names)


@lru_cache(maxsize=65536)
def _bare(gate: Gate, targets: tuple[Qubit, ...]) -> Operation:
    return Operation(gate, targets)


def _kept(gate: Gate, *targets: Qubit) -> Operation:
    """Return an operation without controls; the same each time, since games use the same ones again and again."""
    try:
        return _bare(gate, targets)
    except TypeError:  # a target is no name: the operation says so
        return Operation(gate, targets)


@lru_cache(maxsize=4096)
def _gate(name: str, parameter: float = 1.0) -> Gate:
    return Gate(name, parameter)


def iswap(a: Qubit, b: Qubit, t: float = 1.0, *, empty: Iterable[Qubit] = ()) -> Operation:
    """iSWAP^t: moves the fraction sin^2(pi t/2) of a piece between a and b, with a factor i on what moves.

    With `empty`, it acts only where all of these are 0.
    """
    return _iswap(a, b, float(t), names("empty", empty) if empty else ())


@lru_cache(maxsize=65536)
def _iswap(a: Qubit, b: Qubit, t: float, empty: tuple[Qubit, ...]) -> Operation:
    return Operation(_gate("ISWAP", t), (a, b), tuple([(q, 0) for q in sorted({*empty})]))


def swap(a: Qubit, b: Qubit) -> Operation:
    """SWAP: exchanges a and b without a phase."""
    return _kept(_gate("SWAP"), a, b)


def x(q: Qubit, t: float = 1.0) -> Operation:
    """X^t: at t = 1 flips q, at t = 1/2 the square root of NOT."""
    return _kept(_gate("X", float(t)), q)


def z(q: Qubit, t: float = 1.0) -> Operation:
    """Z^t: the phase e^{i pi t} where q is 1."""
    return _kept(_gate("Z", float(t)), q)


def h(q: Qubit) -> Operation:
    """Hadamard: turns a certain value into an even chance, and back."""
    return Operation(_gate("H"), (q,))


def ry(q: Qubit, angle: float) -> Operation:
    """RY(angle): a real rotation; from 0 the chance of 1 is sin^2(angle/2)."""
    return Operation(_gate("RY", float(angle)), (q,))


def rz(q: Qubit, angle: float) -> Operation:
    """RZ(angle): opposite phases e^{-+ i angle/2} on 0 and 1."""
    return Operation(_gate("RZ", float(angle)), (q,))


def sqrt_x(q: Qubit) -> Operation:
    """The square root of NOT, X^(1/2)."""
    return x(q, 0.5)


def cnot(control: Qubit, target: Qubit) -> Operation:
    """CNOT: flips the target where the control is 1."""
    return Operation(_gate("X"), (target,), ((control, 1),))


def cx(control: Qubit, target: Qubit) -> Operation:
    """CNOT by its other name."""
    return cnot(control, target)


def s(q: Qubit) -> Operation:
    """S, the square root of Z: the phase i where q is 1."""
    return z(q, 0.5)


def t(q: Qubit) -> Operation:
    """T, the square root of S: the phase e^{i pi/4} where q is 1."""
    return z(q, 0.25)


def cz(a: Qubit, b: Qubit) -> Operation:
    """CZ: the sign -1 where both are 1; symmetric."""
    return Operation(_gate("Z"), (b,), ((a, 1),))


def fresh(name: str, taken: set[str]) -> str:
    """Return the name, with marks appended until it is unused; adds it to `taken`."""
    while name in taken:
        name += "'"
    taken.add(name)
    return name
