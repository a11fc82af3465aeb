"""Shots in a few words: what a device gave for an answer, for whoever sits at the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qchess.circuits.engine import Answer
from qchess.showing.report import Figures, Measurement, measurement

#: so many strings of a circuit are shown
SHOWN = 16


def lines(answers: Sequence[Answer]) -> list[str]:
    """A line for each answer of a move that came from shots; none where no device was asked.

    >>> chip = {'machine': [{'two_qubit_gates': 1, 'physical': [1, 2]}], 'jobs': ['ab12']}
    >>> lines([Answer('hit', 1, 0.5, 'device chip', {'backend': 'chip', 'kept': 98, 'returned': 100, **chip})])
    ['98 of 100 shots kept, 1 two-qubit gate, qubits 1 and 2, job ab12']
    """
    return [(f"{one.question}: " if len(answers) > 1 else "") + line(one) for one in _of_devices(answers)]


def _of_devices(answers: Sequence[Answer]) -> list[Measurement]:
    return [one for one in (measurement(0, "", "", answer) for answer in answers) if one.device and one.returned]


def line(one: Measurement) -> str:
    """Shots kept, two-qubit gates, qubits and jobs of one answer, as far as they are known."""
    gates = one.two_qubit_gates if one.sent is None else one.sent
    parts = [f"{one.kept} of {one.returned} shots kept", f"{gates} two-qubit gate{'' if gates == 1 else 's'}"]
    for name, told in (("qubit", one.physical), ("job", one.jobs)):
        if told:
            listed = list(dict.fromkeys(told))
            most = " and ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))
            parts.append(f"{name}{'' if len(listed) == 1 else 's'} {most}")
    return ", ".join(parts)


def tables(answers: Sequence[Answer], squares: Mapping[str, str]) -> list[str]:
    """For each answer that came from shots how often which bits were read; `squares` names the squares of qubits.

    >>> read = {'read': ['q0', 'q1'], 'strings': {'01': 52, '10': 46}, 'other_shots': 2}
    >>> told = {'backend': 'chip', 'kept': 98, 'returned': 100, 'two_qubit_gates': 1, 'figures': [read]}
    >>> print(*tables([Answer('hit', 1, 0.5, 'device chip', told)], {'q0': 'a3', 'q1': 'c3'}))
    hit = 1: 98 of 100 shots kept, 1 two-qubit gate
      a3 c3
       0  1  52
       1  0  46
      other  2
    """
    return ["\n".join([f"{one.question} = {one.value}: {line(one)}", *(_table(told, squares) for told in one.figures)])
            for one in _of_devices(answers)]  # fmt: skip


def _table(told: Figures, squares: Mapping[str, str]) -> str:
    if not told.strings:
        return "  This record does not tell what was read."
    named = [squares.get(qubit, qubit) for qubit in told.read]
    heads = [name if named.count(name) == 1 else qubit for name, qubit in zip(named, told.read, strict=True)]
    rows = list(told.strings.items())[:SHOWN]
    others = told.other_shots + sum(told.strings.values()) - sum(times for _, times in rows)
    wide = len(" ".join(heads))
    cells = (" ".join(bit.rjust(len(head)) for bit, head in zip(bits, heads, strict=False)) for bits, _ in rows)
    lines = [f"  {bits.ljust(wide)}  {times}" for bits, (_, times) in zip(cells, rows, strict=True)]
    lines += [f"  {'other'.ljust(wide)}  {others}"] if others else []
    return "\n".join([f"  {' '.join(heads)}", *lines])
