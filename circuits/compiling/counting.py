"""Count the depth and the gates of a program, compiled or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from qchess.circuits.operations import Operation
from qchess.circuits.program import Branch, Discard, Program, Step

#: the usual names of the powers 1, 1/2 and 1/4; other powers of Z are phases
_POWERS = {
    ("X", 1.0): "x", ("X", 0.5): "sx", ("X", -0.5): "sxdg", ("Z", 1.0): "z", ("Z", 0.5): "s", ("Z", -0.5): "sdg",
    ("Z", 0.25): "t", ("Z", -0.25): "tdg", ("ISWAP", 1.0): "iswap",
}  # fmt: skip
_OTHERS = {"X": "x^t", "Z": "p", "ISWAP": "iswap^t"}


def everything(program: Program) -> Iterator[Step]:
    """Yield every step, including those of all cases."""
    for step in program:
        yield step
        if isinstance(step, Branch):
            for _, case in step.cases:
                yield from everything(case)


def count_ops(program: Program) -> dict[str, int]:
    """Count each kind of step, the most frequent first, over all cases of all branches.

    Gates have the usual names, with a c before them for each control: cx, ccx, cswap.

    >>> count_ops(Program.parse("h a\\nx b if a=1\\nx c if b=1\\nread m: a b c"))
    {'cx': 2, 'h': 1, 'read': 1}
    """
    return dict(Counter(map(_kind, everything(program))).most_common())


def _kind(step: Step) -> str:
    if not isinstance(step, Operation):
        return {"Question": "ask", "ReadOut": "read", "Discard": "discard", "Branch": "when"}[type(step).__name__]
    name, parameter = step.gate.name, step.gate.parameter
    plain = _POWERS.get((name, parameter)) or _OTHERS.get(name, name.lower())
    return "c" * len(step.controls) + plain


def depth(program: Program, one_qubit: int = 1) -> int:
    """Return the number of layers, each step as early as possible; a branch counts its deepest case.

    With `one_qubit` 0, only steps on two or more qubits make a layer.
    """
    return max(_layers(program, {}, one_qubit).values(), default=0)


def _layers(program: Program, ready: Mapping[str, int], one_qubit: int) -> dict[str, int]:
    """Return the layer at which each wire and each answer is ready."""
    after = dict(ready)
    for step in program:
        if isinstance(step, Branch):
            after = _layers_of_branch(step, after, one_qubit)
        elif not isinstance(step, Discard):
            weight = 1 if isinstance(step, Operation) and len(step.qubits) > 1 else one_qubit
            end = max([after.get(q, 0) for q in step.qubits], default=0) + weight
            after.update(dict.fromkeys(step.qubits, end))
            if not isinstance(step, Operation):
                after["answer " + step.name] = end
    return after


def _layers_of_branch(branch: Branch, ready: Mapping[str, int], one_qubit: int) -> dict[str, int]:
    begin = max([ready.get(q, 0) for q in branch.qubits] + [ready.get("answer " + branch.name, 0)])
    entry = {**ready, **dict.fromkeys(branch.qubits, begin)}
    ends: Sequence[Mapping[str, int]] = [entry, *(_layers(case, entry, one_qubit) for _, case in branch.cases)]
    return {wire: max(end.get(wire, 0) for end in ends) for wire in dict.fromkeys(w for end in ends for w in end)}
