"""Shots in a few words, for players: what a device returned for an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qchess.circuits.engine import Answer
from qchess.showing.measurements import Figures, Measurement, measurement

#: how many strings of a circuit are shown
SHOWN = 16
#: shown if a record has no strings
UNTOLD = "This record has no read-outs."


def lines(answers: Sequence[Answer]) -> list[str]:
    """Return a line for each answer of a move that came from shots; none without a device.

    >>> chip = {'machine': [{'two_qubit_gates': 1, 'physical': [1, 2]}], 'jobs': ['ab12']}
    >>> lines([Answer('hit', 1, 0.5, 'device chip', {'backend': 'chip', 'kept': 98, 'returned': 100, **chip})])
    ['98 of 100 shots kept, 1 two-qubit gate, qubits 1 and 2, job ab12']
    """
    return [(f"{one.question}: " if len(answers) > 1 else "") + line(one) for one in _of_devices(answers)]


def _of_devices(answers: Sequence[Answer]) -> list[Measurement]:
    told = (measurement(0, "", "", answer) for answer in answers if answer.details)  # dice have none
    return [one for one in told if one.device and one.returned]


def line(one: Measurement) -> str:
    """Return the shots kept, two-qubit gates, qubits and jobs of one answer, as far as known."""
    gates = one.two_qubit_gates if one.sent is None else one.sent
    parts = [f"{one.kept} of {one.returned} shots kept", f"{gates} two-qubit gate{'' if gates == 1 else 's'}"]
    for name, told in (("qubit", one.physical), ("job", one.jobs)):
        if told:
            listed = list(map(printable, dict.fromkeys(told)))
            most = " and ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))
            parts.append(f"{name}{'' if len(listed) == 1 else 's'} {most}")
    return ", ".join(parts)


def printable(foreign: str) -> str:
    """Return a device's name on one line; characters that change lines or colours become question marks."""
    return "".join(sign if sign.isprintable() else "?" for sign in foreign)


@dataclass(frozen=True, slots=True)
class Counts:
    """The outcomes of one circuit: a name per bit, the most frequent strings, and the number of other shots."""

    names: tuple[str, ...]
    strings: tuple[tuple[str, int], ...]
    others: int


def counts(told: Figures, squares: Mapping[str, str], most: int = SHOWN) -> Counts | None:
    """Return the counts of the `most` most frequent strings; None if not recorded.

    `squares` gives the squares of qubits.
    """
    if not told.strings:
        return None
    qubits = list(map(printable, told.read))
    named = [squares.get(one, qubit) for one, qubit in zip(told.read, qubits, strict=True)]
    names = (name if named.count(name) == 1 else qubit for name, qubit in zip(named, qubits, strict=True))
    strings = tuple(told.strings.items())[:most]
    others = told.other_shots + sum(told.strings.values()) - sum(times for _, times in strings)
    return Counts(tuple(names), strings, others)


def tables(answers: Sequence[Answer], squares: Mapping[str, str]) -> list[str]:
    """Return a table of outcomes for each answer from shots; `squares` gives the squares of qubits.

    >>> read = {'read': ['q0', 'q1'], 'strings': {'01': 52, '10': 46}, 'other_shots': 2}
    >>> told = {'backend': 'chip', 'kept': 98, 'returned': 100, 'two_qubit_gates': 1, 'figures': [read]}
    >>> print(*tables([Answer('hit', 1, 0.5, 'device chip', told)], {'q0': 'a3', 'q1': 'c3'}))
    hit = 1: 98 of 100 shots kept, 1 two-qubit gate
      a3 c3
       0  1  52
       1  0  46
      other  2
    """
    return ["\n".join([f"{_value(one)}: {line(one)}", *(_table(counts(told, squares)) for told in one.figures)])
            for one in _of_devices(answers)]  # fmt: skip


def values(answers: Sequence[Answer], squares: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the same as JSON values: the line, the answer and the outcomes of each circuit, for each such answer.

    >>> read = {'read': ['q0', 'q1'], 'strings': {'01': 52, '10': 46}, 'other_shots': 2}
    >>> told = {'backend': 'chip', 'kept': 98, 'returned': 100, 'two_qubit_gates': 1, 'figures': [read]}
    >>> [one] = values([Answer('hit', 1, 0.5, 'device chip', told)], {'q0': 'a3', 'q1': 'c3'})
    >>> one['line'], one['answer']
    ('98 of 100 shots kept, 1 two-qubit gate', 'hit = 1')
    >>> one['circuits']
    [{'names': ['a3', 'c3'], 'strings': [['01', 52], ['10', 46]], 'others': 2}]
    """
    return [{"line": line, "answer": _value(one), **_circuits([counts(told, squares) for told in one.figures])}
            for line, one in zip(lines(answers), _of_devices(answers), strict=True)]  # fmt: skip


def _value(one: Measurement) -> str:
    return f"{one.question} = {one.value}"


def _circuits(read: Sequence[Counts | None]) -> dict[str, Any]:
    """Return what is known of the circuits, and a sentence if something is not."""
    told: list[dict[str, Any]] = [
        {"names": list(one.names), "strings": list(map(list, one.strings)), "others": one.others} for one in read if one
    ]
    return {"circuits": told} if told and all(read) else {"circuits": told, "note": UNTOLD}


def _table(read: Counts | None) -> str:
    if read is None:
        return f"  {UNTOLD}"
    wide = len(" ".join(read.names))
    cells = (" ".join(bit.rjust(len(n)) for bit, n in zip(bits, read.names, strict=False)) for bits, _ in read.strings)
    rows = [f"  {bits.ljust(wide)}  {times}" for bits, (_, times) in zip(cells, read.strings, strict=True)]
    rows += [f"  {'other'.ljust(wide)}  {read.others}"] if read.others else []
    return "\n".join([f"  {' '.join(read.names)}", *rows])
