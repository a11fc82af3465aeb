"""The last step of compiling: write everything with one two-qubit gate and cancel neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import pi

from qchess.circuits.compiling.decompositions import (
    Form,
    crossed_cnots,
    cz_by_root_iswaps,
    inverse,
    iswap_by_root_iswaps,
    iswap_form,
)
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, cz, h
from qchess.circuits.program import Branch, Program, Step

BASES = ("cx", "cz", "sqrt_iswap")
#: a one-qubit gate is the identity again after this much of its parameter
PERIODS = {"X": 2.0, "Z": 2.0, "RZ": 4 * pi, "RY": 4 * pi}
#: one-qubit turns closer to the identity than this are rounding errors
ROUNDING = 1e-14


def lower(steps: Iterable[Step], basis: str) -> Program:
    """Return the steps with every two-qubit gate written in that of the basis."""
    straight: list[Operation] = []
    done: list[Step] = []
    for step in steps:
        if isinstance(step, Operation):
            straight.append(step)
            continue
        done += [*_lowered(straight, basis), _lowered_cases(step, basis)]
        straight = []
    return Program(*tidy([*done, *_lowered(straight, basis)]))


def tidy(steps: Iterable[Step]) -> list[Step]:
    """Return the steps without neighbours that cancel; turns of one qubit about one axis become one."""
    kept: list[Step | None] = []
    last: dict[Qubit, list[int]] = {}
    for step in steps:
        if isinstance(step, Operation) and abs(step.gate.parameter) < ROUNDING:
            continue
        stacks = [last.setdefault(q, []) for q in step.qubits]
        before = {stack[-1] if stack else -1 for stack in stacks}
        neighbour = kept[place] if len(before) == 1 and (place := before.pop()) >= 0 else None
        if neighbour is not None and set(neighbour.qubits) == set(step.qubits):
            together = _together(neighbour, step)
            if together is not None:
                kept[place] = together[0] if together else None
                if not together:
                    for stack in stacks:
                        stack.pop()
                continue
        for stack in stacks:
            stack.append(len(kept))
        kept.append(step)
    return [step for step in kept if step is not None]


def _together(first: Step, second: Step) -> list[Operation] | None:
    """Combine two neighbours on the same wires: one operation, none, or no shorter form (None)."""
    if not (isinstance(first, Operation) and isinstance(second, Operation)):
        return None
    if _same(first, inverse([second])[0]):
        return []
    name = first.gate.name
    if first.gate.name != second.gate.name or name not in PERIODS or first.controls or second.controls:
        return None
    total = (first.gate.parameter + second.gate.parameter) % PERIODS[name]
    total = total - PERIODS[name] if total > PERIODS[name] / 2 else total
    return [] if abs(total) < ROUNDING else [Operation(Gate(name, total), first.targets)]


def _same(first: Operation, second: Operation) -> bool:
    """Tell whether two operations on the same wires are equal; CZ and iSWAP are symmetric."""
    symmetric = first.gate.size == 2 or (first.gate.name == "Z" and len(first.controls) == 1)
    alike = first.gate == second.gate and len(first.controls) == len(second.controls)
    return first == second or (alike and symmetric)


def _lowered_cases(step: Step, basis: str) -> Step:
    if not isinstance(step, Branch):
        return step
    return Branch(step.name, tuple((value, lower(program, basis)) for value, program in step.cases))


def _lowered(form: Sequence[Operation], basis: str) -> Form:
    """Return a run of gates in the basis; pairs of crossed CNOTs take two roots instead of four."""
    done: Form = []
    at = 0
    while at < len(form):
        crossed = _crossed(form[at : at + 4]) if basis == "sqrt_iswap" else None
        done += crossed or _LOWER[basis](form[at])
        at += 4 if crossed else 1
    return done


def _crossed(four: Sequence[Operation]) -> Form | None:
    """Return the short form of CNOT(a, b), H(a), RZ(u) on a, CNOT(b, a) or of its inverse, else None."""
    if len(four) < 4 or not _is_cnot(four[0]):
        return None
    ((a, _),), (b,) = four[0].controls, four[0].targets
    angle = next((step.gate.parameter for step in four if step.gate.name == "RZ"), pi)
    if abs(angle) > pi / 2:
        return None
    turn = Operation(Gate("RZ", angle), (a,))
    if list(four) == [cnot(a, b), h(a), turn, cnot(b, a)]:
        return crossed_cnots(a, b, angle)
    a, b = b, a
    turn = Operation(Gate("RZ", angle), (a,))
    if list(four) == [cnot(b, a), turn, h(a), cnot(a, b)]:
        return inverse(crossed_cnots(a, b, -angle))
    return None


def _is_cnot(step: Operation) -> bool:
    return step.gate == Gate("X") and len(step.controls) == 1 and step.controls[0][1] == 1


def _to_cx(step: Operation) -> Form:
    if step.gate.size == 2:
        a, b = step.targets
        return iswap_form(a, b, step.gate.parameter)
    if step.controls and step.gate.name == "Z":
        (q,) = step.targets
        return [h(q), cnot(step.controls[0][0], q), h(q)]
    return [step]


def _to_cz(step: Operation) -> Form:
    if step.gate.size == 2:
        return [gate for part in _to_cx(step) for gate in _to_cz(part)]
    if _is_cnot(step):
        (q,) = step.targets
        return [h(q), cz(step.controls[0][0], q), h(q)]
    return [step]


def _to_root_iswap(step: Operation) -> Form:
    if step.gate.size == 2:
        a, b = step.targets
        return iswap_by_root_iswaps(a, b, step.gate.parameter)
    if not step.controls:
        return [step]
    (q,), ((c, _),) = step.targets, step.controls
    roots = cz_by_root_iswaps(c, q)
    return [h(q), *roots, h(q)] if step.gate.name == "X" else roots


_LOWER: dict[str, Callable[[Operation], Form]] = {"cx": _to_cx, "cz": _to_cz, "sqrt_iswap": _to_root_iswap}
