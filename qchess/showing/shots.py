"""Shots in a few words: what a device gave for an answer, for whoever sits at the board."""

from __future__ import annotations

from collections.abc import Sequence

from qchess.circuits.engine import Answer
from qchess.showing.report import Measurement, measurement


def lines(answers: Sequence[Answer]) -> list[str]:
    """A line for each answer of a move that came from shots; none where no device was asked.

    >>> chip = {'machine': [{'two_qubit_gates': 1, 'physical': [1, 2]}], 'jobs': ['ab12']}
    >>> lines([Answer('hit', 1, 0.5, 'device chip', {'backend': 'chip', 'kept': 98, 'returned': 100, **chip})])
    ['98 of 100 shots kept, 1 two-qubit gate, qubits 1 and 2, job ab12']
    """
    found = [one for one in (measurement(0, "", "", answer) for answer in answers) if one.device and one.returned]
    return [(f"{one.question}: " if len(answers) > 1 else "") + line(one) for one in found]


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
