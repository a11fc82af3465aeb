"""Programs: operations, questions and the branches after each answer, as one immutable value.

Playing a move runs its program; the same value is printed, drawn, counted, compiled and exported.

>>> move = Program(iswap('a', 'b'), ask('there', where({'b': 1})), when('there', {0: Program(x('c'))}))
>>> move.qubits
('a', 'b', 'c')
>>> move.answers
('there',)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

from qchess.circuits.errors import ProgramError, door
from qchess.circuits.operations import Operation, Qubit, controls, h, names, rz, x, z
from qchess.circuits.predicates import Predicate
from qchess.foreign import listed, understands

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

    from qchess.circuits.compiling.compiler import Compiled
    from qchess.circuits.unitary import Complex


@dataclass(frozen=True, slots=True)
class Question:
    """A predicate asked as one projective measurement; its answer is 0 or 1 under `name`."""

    name: str
    predicate: Predicate

    @property
    def qubits(self) -> tuple[Qubit, ...]:
        """Return the qubits the question looks at."""
        return self.predicate.qubits

    def __repr__(self) -> str:
        return f"ask({self.name!r}, {self.predicate!r})"


@dataclass(frozen=True, slots=True)
class ReadOut:
    """A full measurement of some qubits; its answer is a number whose bit k is ``qubits[k]``."""

    name: str
    qubits: tuple[Qubit, ...]

    def __post_init__(self) -> None:
        if not self.qubits or len(set(self.qubits)) != len(self.qubits):
            raise ProgramError(f"read-out {self.name!r} needs distinct qubits, got {list(self.qubits)}")
        names(f"read-out {self.name!r}", self.qubits)

    def __repr__(self) -> str:
        return f"read({self.name!r}, {', '.join(map(repr, self.qubits))})"


@dataclass(frozen=True, slots=True)
class Discard:
    """Declares that these qubits are never touched again: they belong to the environment.

    Qubits that stand alone may be forgotten; entangled ones are kept untouched.
    """

    qubits: tuple[Qubit, ...]

    def __post_init__(self) -> None:
        names("a discard", self.qubits)

    def __repr__(self) -> str:
        return f"discard({', '.join(map(repr, self.qubits))})"


@dataclass(frozen=True, slots=True)
class Branch:
    """The program that follows each value of the answer `name`; a value without one does nothing."""

    name: str
    cases: tuple[tuple[int, Program], ...]

    @property
    def qubits(self) -> tuple[Qubit, ...]:
        """Return the qubits that any case touches."""
        if len(self.cases) == 1:
            return self.cases[0][1].qubits
        return tuple(dict.fromkeys(q for _, program in self.cases for q in program.qubits))

    def follow(self, answer: int) -> Program:
        """Return the program that follows this answer."""
        return dict(self.cases).get(answer, EMPTY)

    def __repr__(self) -> str:
        return f"when({self.name!r}, {{{', '.join(f'{v}: {p!r}' for v, p in self.cases)}}})"


Step = Operation | Question | ReadOut | Discard | Branch
# the same as tuples: a union of classes is built anew wherever it is written
_STEPS = (Operation, Question, ReadOut, Discard, Branch)
_ASKING = (Question, ReadOut)


@understands("Program")
class Program:
    """An immutable sequence of steps; ``+`` joins programs, ``repr`` pastes back, ``str`` draws."""

    __slots__ = ("_answers", "_hash", "_qubits", "steps")

    steps: tuple[Step, ...]

    def __init__(self, *steps: Step | Program) -> None:
        flat: list[Step] = []
        for step in steps:
            if isinstance(step, Program):
                flat += step.steps
            else:
                flat.append(step)
        self.steps = tuple(flat)
        self._answers: tuple[str, ...] | None = None
        self._qubits: tuple[Qubit, ...] | None = None
        self._hash: int | None = None
        asked = []
        for step in flat:
            if isinstance(step, _ASKING):
                asked.append(step.name)
            elif not isinstance(step, _STEPS):
                raise ProgramError(f"a program is made of operations and questions, got {step!r}")
        if len(asked) > 1 and len(set(asked)) != len(asked):
            raise ProgramError(f"each answer needs its own name, got {asked}")

    @property
    def qubits(self) -> tuple[Qubit, ...]:
        """Return every qubit the program touches, in order of first use."""
        if self._qubits is None:
            self._qubits = tuple(dict.fromkeys(q for step in self.steps for q in step.qubits))
        return self._qubits

    @property
    def num_qubits(self) -> int:
        """Return the number of qubits."""
        return len(self.qubits)

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the names of all answers that a run may give, branches included."""
        if self._answers is None:
            names: dict[str, None] = {}
            for step in self.steps:
                if isinstance(step, _ASKING):
                    names[step.name] = None
                elif isinstance(step, Branch):
                    for _, program in step.cases:
                        names.update(dict.fromkeys(program.answers))
            self._answers = tuple(names)
        return self._answers

    @property
    def unbound(self) -> tuple[str, ...]:
        """Return the answers that the program branches on without asking for them."""
        known: set[str] = set()
        missing: dict[str, None] = {}
        for step in self.steps:
            if isinstance(step, _ASKING):
                known.add(step.name)
            elif isinstance(step, Branch):
                inner = [name for _, program in step.cases for name in program.unbound]
                missing.update(dict.fromkeys(n for n in [step.name, *inner] if n not in known))
                if step.cases:
                    known.update(set.intersection(*(set(program.answers) for _, program in step.cases)))
        return tuple(missing)

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Return the operations of a program without questions; raises if it has any."""
        return tuple(_operation(step) for step in self.without_discards().steps)

    def without_discards(self) -> Program:
        """Return the same program without discards, which no circuit needs."""
        return Program(*(step for step in self.steps if not isinstance(step, Discard)))

    def until_answered(self) -> Program:
        """Return the program up to its last question."""
        for k in range(len(self.steps), 0, -1):
            if _asks(self.steps[k - 1]):
                return Program(*self.steps[:k])
        return Program()

    def inverse(self) -> Program:
        """Return the program that undoes this one; it may hold operations only."""
        return Program(*(operation.inverse() for operation in reversed(self.operations)))

    def control(self, *qubits: Qubit) -> Program:
        """Return the program controlled on 1 of these qubits, phases included; it may hold operations only."""
        wanted = controls("control", qubits)
        return Program(*(operation.control(*wanted) for operation in self.operations))

    @door
    def renamed(self, names: Mapping[Qubit, Qubit]) -> Program:
        """Return the same program on other qubits; names not listed stay."""
        if not isinstance(names, Mapping):
            raise ProgramError(f"new names come by the old ones, such as {{'a3': 'b5'}}; got {names!r}")
        new = [names.get(qubit, qubit) for qubit in self.qubits]
        if len(set(new)) < len(new):
            raise ProgramError(
                f"two qubits of a program cannot become one, got {dict(zip(self.qubits, new, strict=True))}"
            )
        return Program(*(_renamed(step, names) for step in self.steps))

    # -- reading and drawing; each opens its room only when it is called ---------------------------

    @classmethod
    def parse(cls, text: str) -> Program:
        """Parse a program from its text (see `qchess.circuits.forms.programtext`)."""
        from qchess.circuits.forms.programtext import parse

        return parse(text)

    def text(self) -> str:
        """Return the program as text, which `Program.parse` reads back."""
        from qchess.circuits.forms.programtext import write

        return write(self)

    def depth(self) -> int:
        """Return the number of layers, each step as early as possible; a branch counts its deepest case."""
        from qchess.circuits.compiling.counting import depth

        return depth(self)

    def count_ops(self) -> dict[str, int]:
        """Count each kind of step, by the usual names of gates, over all cases of all branches."""
        from qchess.circuits.compiling.counting import count_ops

        return count_ops(self)

    def unitary(self, order: Iterable[Qubit] | None = None) -> Complex:
        """Return the matrix if nothing is asked; bit k of an index is ``order[k]`` (default `qubits`), as in Qiskit."""
        from qchess.circuits.forms.matrix import matrix

        return matrix(self, order)

    @overload
    def draw(self, output: Literal["text", "svg"] | int | None = "text", columns: int | None = None) -> str: ...
    @overload
    def draw(self, output: str, columns: int | None = None) -> Any: ...
    def draw(self, output: str | int | None = "text", columns: int | None = None) -> Any:
        """Return the circuit as a text diagram, as ``svg``, or as a matplotlib figure (``mpl``).

        Text wider than `columns` continues below.
        """
        from qchess.circuits.forms.drawn import drawn

        if output is None or isinstance(output, int):
            return drawn(self, "text", output)
        return drawn(self, output, columns)

    def svg(self) -> str:
        """Return the circuit as an SVG picture."""
        from qchess.circuits.forms.svg import svg

        return svg(self)

    @door
    def compile(
        self,
        level: str = "exact",
        *,
        basis: str = "cx",
        known: Mapping[Qubit, int] | None = None,
        prepare: bool = True,
    ) -> Compiled:
        """Return the circuit in one- and two-qubit gates: ``naive``, ``exact``, or ``aware`` of the `known` qubits.

        The basis is ``cx``, ``cz`` or ``sqrt_iswap``. The circuit prepares known qubits from 0; with `prepare` False
        they arrive with their values (see `qchess.circuits.compiling.compiler`).
        """
        from qchess.circuits.compiling.compiler import compile_program

        return compile_program(self, level=level, basis=basis, known=known, prepare=prepare)

    def to_cirq(self) -> Any:
        """Return the program as a ``cirq.Circuit`` on named qubits."""
        from qchess.circuits.forms.to_cirq import to_cirq

        return to_cirq(self)

    def to_qiskit(self) -> QuantumCircuit:
        """Return the program as a ``qiskit.QuantumCircuit``, with feed-forward where it branches.

        Each qubit is a register of its own name; qubit k of the circuit is ``qubits[k]``, the lowest bit first.
        """
        from qchess.circuits.forms.to_qiskit import to_qiskit

        return to_qiskit(self)

    def qasm(self, version: int = 3) -> str:
        """Return the compiled program as OpenQASM 2 or 3."""
        from qchess.circuits.forms.qasm import qasm

        return qasm(self, version)

    # -- the manners of a value -----------------------------------------------------------------

    def __add__(self, other: Program | Step) -> Program:
        return Program(*self.steps, other)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Program: ...
    def __getitem__(self, index: int | slice) -> Step | Program:
        return Program(*self.steps[index]) if isinstance(index, slice) else self.steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.steps == other.steps

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.steps)
        return self._hash

    def __dir__(self) -> list[str]:
        return listed(self)

    def __repr__(self) -> str:
        return f"Program({', '.join(map(repr, self.steps))})"

    def __str__(self) -> str:
        return self.draw()

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        from qchess.showing.picture import bundle, several

        steps = several(self.text().splitlines()) or "nothing"
        return bundle(self.svg(), f"A circuit on {len(self.qubits)} qubits: {steps}.")


EMPTY = Program()


def ask(name: str, predicate: Predicate) -> Question:
    """Ask whether `predicate` holds; the answer, 0 or 1, is called `name`."""
    if not isinstance(predicate, Predicate):
        raise ProgramError(f"a question asks a predicate, such as full('a3') or where({{'a3': 1}}); got {predicate!r}")
    return Question(name, predicate)


def read(name: str, *qubits: Qubit) -> ReadOut:
    """Measure all these qubits; bit k of the answer is the k-th of them."""
    return ReadOut(name, qubits)


def discard(*qubits: Qubit) -> Discard:
    """Declare that these qubits are never touched again."""
    return Discard(qubits)


def when(name: str, cases: Mapping[int, Program]) -> Branch:
    """Branch on the answer `name`: one program for each value."""
    for value, case in cases.items():
        if not isinstance(value, int) or not isinstance(case, Program):
            raise ProgramError(f"what follows an answer is a Program for each number; got {value!r}: {case!r}")
    return Branch(name, tuple(sorted(cases.items(), key=lambda case: case[0])))


def y(q: Qubit) -> Program:
    """Return Pauli's Y with its phase, as S X S-dagger; no single operation equals it."""
    return Program(z(q, -0.5), x(q), z(q, 0.5))


def rx(q: Qubit, angle: float) -> Program:
    """Return RX(angle), as H RZ(angle) H: from 0 the probability of 1 is sin^2(angle/2)."""
    return Program(h(q), rz(q, angle), h(q))


def _asks(step: Step) -> bool:
    return isinstance(step, _ASKING) or (isinstance(step, Branch) and any(case.answers for _, case in step.cases))


def _operation(step: Step) -> Operation:
    if isinstance(step, Operation):
        return step
    raise ProgramError(f"only operations can be inverted or taken as a unitary, got {step!r}")


def _renamed(step: Step, names: Mapping[Qubit, Qubit]) -> Step:
    def new(q: Qubit) -> Qubit:
        return names.get(q, q)

    if isinstance(step, Operation):
        controls = tuple(sorted((new(q), v) for q, v in step.controls))
        return Operation(step.gate, tuple(map(new, step.targets)), controls)
    if isinstance(step, Question):
        cubes = tuple(tuple(sorted((new(q), v) for q, v in cube)) for cube in step.predicate.cubes)
        return Question(step.name, Predicate(cubes))
    if isinstance(step, ReadOut):
        return ReadOut(step.name, tuple(map(new, step.qubits)))
    if isinstance(step, Discard):
        return Discard(tuple(map(new, step.qubits)))
    return Branch(step.name, tuple((v, p.renamed(names)) for v, p in step.cases))
