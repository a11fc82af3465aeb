"""What measuring a recorded game again would send to each device, told before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from qchess import backends
from qchess.circuits.program import Program
from qchess.errors import QchessError
from qchess.playing.measurements import Question, measured_before, some_questions
from qchess.playing.measuring import name_of, opened
from qchess.playing.preview import Preview, in_all, preview_of
from qchess.playing.record import Record


@dataclass
class Foretold:
    """What one device would be sent for the remaining questions, and why it would refuse others."""

    device: str
    previews: list[Preview] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def values(self) -> dict[str, Any]:
        """Return the same as JSON values."""
        sent = [{"move": told.move, "question": told.question, "jobs": told.jobs, "kept_expected": told.kept_expected,
                 "details": dict(told.details)} for told in self.previews]  # fmt: skip
        return {"device": self.device, "questions": sent, "refused": self.refused}

    def __str__(self) -> str:
        if not self.previews and not self.refused:
            return f"{self.device}: no questions are left"
        refused = [f"refused {len(self.refused)}, the first one since {self.refused[0]}"] if self.refused else []
        if not self.previews:
            return f"{self.device}: {refused[0]}"
        parts = [in_all(self.previews)]
        for words, told in (
            ("expected fidelity {:.3f}", [told.details.get("expected_fidelity") for told in self.previews]),
            ("kept as expected {:.1%}", [told.kept_expected for told in self.previews]),
        ):
            known = [share for share in told if share is not None]
            parts += [f"{words.format(fmean(known))} on average"] if len(known) == len(told) else []
        parts += [f"before them {name} with {shots} shots a circuit" for name, shots in self.previews[0].trials.items()]
        return f"{self.device}: {'; '.join([', '.join(parts), *refused])}"


def foresee(record: Record, devices: Sequence[Any], path: Path) -> list[Foretold]:
    """Return what `measure` would send now, with the same record, devices and file; sends and writes nothing."""
    made, found = opened(record, devices, path), some_questions(record)
    before = measured_before(record, path)
    over = before.done.keys() | before.tickets.keys() if before else set()
    return [
        _foretold(one, [question for question in found if (name_of(one), question.where) not in over]) for one in made
    ]  # fmt: skip


def _foretold(backend: backends.Backend | str, found: Sequence[Question]) -> Foretold:
    told = Foretold(name_of(backend))
    if isinstance(backend, str):
        return told
    source = backend.source(0)
    for question in found:
        try:
            told.previews.append(preview_of(source, question.pause, question.move, Program(), {}))
        except QchessError as error:
            told.refused.append(" ".join(str(error).split()))
    return told
