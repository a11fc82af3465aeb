"""Ask a question in a circuit through a clean flag qubit.

The flag is flipped where the predicate holds, measured, and cleaned again. The state is projected on the answer,
and nothing else is learned. All exporters do it this way.
"""

from __future__ import annotations

from collections.abc import Iterator

from qchess.circuits.errors import BackendError, ProgramError
from qchess.circuits.operations import Operation, Qubit, x
from qchess.circuits.predicates import Predicate
from qchess.circuits.program import Branch, Program, Question, ReadOut

Asked = Question | ReadOut


def flips(predicate: Predicate, flag: Qubit) -> tuple[Operation, ...]:
    """Return the operations that flip the flag where the predicate holds; applied twice, they do nothing."""
    return tuple(x(flag).when(dict(cube)) for cube in predicate.disjoint().cubes)


def literal(question: Question) -> tuple[Qubit, int] | None:
    """Return the qubit and value of a question about one qubit, which needs no flag; else None."""
    cubes = question.predicate.cubes
    return cubes[0][0] if len(cubes) == 1 and len(cubes[0]) == 1 else None


def asked(program: Program) -> Iterator[Asked]:
    """Yield every question and read-out of a program, including its branches."""
    for step in program:
        if isinstance(step, Question | ReadOut):
            yield step
        elif isinstance(step, Branch):
            for _, case in step.cases:
                yield from asked(case)


def widths(program: Program) -> dict[str, int]:
    """Return the number of bits of each answer; raises if the program cannot become one circuit."""
    if program.unbound:
        raise ProgramError(f"a circuit branches on answers it has asked for; nothing asks {list(program.unbound)}")
    found: dict[str, int] = {}
    for step in asked(program):
        width = len(step.qubits) if isinstance(step, ReadOut) else 1
        if found.setdefault(step.name, width) != width:
            raise BackendError(f"answer {step.name!r} has {found[step.name]} bits in one branch, {width} in another")
    return found
