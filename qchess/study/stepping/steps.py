"""The effect of each gate and question of a program, or of a game's moves, on the state.

>>> from qchess.circuits import split
>>> from qchess.study import steps
>>> print(steps(split('b1', 'a3', 'c3'), full=['b1']))
step  gate             branches  entropy  what changed                  registers
   0  start            1         0                                      nothing open
   1  iSWAP^0.5 b1 a3  2         2        b1 100% -> 50%, a3 0% -> 50%  b1/a3
   2  iSWAP b1 c3      2         2        b1 50% -> 0%, c3 0% -> 50%    a3/c3
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, overload

from qchess.circuits.engine import Answer, Sample
from qchess.circuits.forms.marks import in_board_order
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Branch, Discard, Program
from qchess.circuits.registers import Pause, Registers, Run
from qchess.showing.bars import branches
from qchess.showing.picture import Bundle, Picture, several, show
from qchess.study.entropies import entropies, part_entropy
from qchess.study.stepping import words
from qchess.study.subject import StudyError


class Part(NamedTuple):
    """A program with its start and its answers: one turn of a game, or everything."""

    title: str
    program: Program
    start: Registers
    answers: Mapping[str, int]
    #: True: a question without an answer gets its likeliest one; otherwise the part ends there
    assume: bool = True
    #: the square of each qubit that has another name
    squares: Mapping[Qubit, str] = {}


@dataclass(frozen=True, slots=True)
class Step:
    """One gate or question, and the state after it. The first step is the start, before any gate."""

    number: int
    part: Part
    #: the step's number in the program, as in pictures of circuits; in a case of a branch ``3.1.0``
    place: str
    #: the operation or question; None for the start, and for a turn whose program has no gate
    done: words.Done | None
    before: Registers
    registers: Registers
    #: for a question: the exact probability of every possible answer
    chances: Mapping[int, float] = field(default_factory=dict)
    #: the answer; its source is ``certain``, ``given``, or ``likeliest`` if it was assumed
    answer: Answer | None = None
    #: the answer on which the step depends, such as ``hit = 1``
    case: str = ""
    _track: list[Step] = field(default_factory=list, repr=False, compare=False)

    @property
    def gate(self) -> str:
        """Return the gate or the question in one line."""
        if self.done is None:
            return "no gate" if self.number else "start"
        return words.written(self.done)

    @property
    def odds(self) -> dict[Qubit, float]:
        """Return the probability of 1 for each qubit that is not certainly 0, and for those of the step."""
        named = dict.fromkeys([*self.registers.home, *self.before.home, *(self.done.qubits if self.done else ())])
        return {qubit: self.registers.probability(qubit) for qubit in in_board_order(tuple(named))}

    @property
    def changed(self) -> dict[Qubit, tuple[float, float]]:
        """Return the qubits whose odds the step changed: before, and after. Discarded qubits have no odds after."""
        if isinstance(self.done, Discard):
            return {}
        pairs = {qubit: (self.before.probability(qubit), p) for qubit, p in self.odds.items()}
        return {qubit: pair for qubit, pair in pairs.items() if abs(pair[0] - pair[1]) > words.LEAST}

    @property
    def joined(self) -> tuple[tuple[Qubit, ...], ...]:
        """Return the registers that the step joined from several, or extended by certain qubits."""
        return tuple(
            in_board_order(register.qubits)
            for register in self.registers.each
            if len({id(self.before.register(q)) if self.before.register(q) else q for q in register.qubits}) > 1
        )

    @property
    def parted(self) -> tuple[tuple[Qubit, ...], ...]:
        """Return the former registers that the step split, or of which qubits became certain."""
        after = self.registers
        return tuple(
            in_board_order(register.qubits)
            for register in self.before.each
            if len({id(after.register(q)) if after.register(q) else q for q in register.qubits}) > 1
        )

    @property
    def entropies(self) -> dict[Qubit, float]:
        """Return the entropy of each uncertain qubit, in bits."""
        return entropies(self.registers)

    @property
    def entropy(self) -> float:
        """Return the sum of the entropies of all qubits: 0 without entanglement."""
        return math.fsum(self.entropies.values())

    def cuts(self) -> dict[tuple[Qubit, ...], tuple[float, ...]]:
        """Return for each register, in board order, the entropy of its first qubit, its first two, ... in bits."""
        found = {}
        for register in self.registers.each:
            order = in_board_order(register.qubits)
            found[order] = tuple(part_entropy(register, order[:k]) for k in range(1, len(order)))
        return found

    def amplitudes(self) -> tuple[dict[str, complex], ...]:
        """Return the amplitudes of each register, by the full qubits of a branch."""
        return tuple(branches(self.registers, *in_board_order(each.qubits)) for each in self.registers.each)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return what happened, in words."""
        return tuple(words.sentences(self))

    def values(self) -> dict[str, Any]:
        """Return the step as JSON values."""
        return {
            "number": self.number, "turn": self.part.title, "place": self.place, "gate": self.gate, "case": self.case,
            "odds": self.odds, "chances": {str(value): p for value, p in self.chances.items()},
            "answer": self.answer.value if self.answer else None, "source": self.answer.source if self.answer else None,
            "registers": [list(qubits) for qubits in self.registers.registers],
            "branches": list(self.registers.branches()), "entropies": self.entropies,
            "joined": [list(qubits) for qubits in self.joined], "parted": [list(qubits) for qubits in self.parted],
        }  # fmt: skip

    def picture(self) -> Picture:
        """Draw the circuit with this step marked, the odds of each wire, and the amplitudes of the registers."""
        from qchess.study.stepping.strip import scene

        return scene(self._track, self.number)

    def _repr_svg_(self) -> str:
        return self.picture().svg

    def _repr_mimebundle_(self, **_: Any) -> Bundle:
        return self.picture()._repr_mimebundle_()

    def __str__(self) -> str:
        return "\n".join((f"{self.number}  {self.gate}", *(f"   {sentence}" for sentence in self.sentences)))


class Steps(Sequence[Step]):
    """The steps of a program or of a game: a sequence, a table as text, and in a notebook a strip of pictures."""

    def __init__(self, title: str, parts: Sequence[Part], each: Sequence[Step]) -> None:
        self.title, self.parts = title, tuple(parts)
        self._each = tuple(each)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Steps: ...
    def __getitem__(self, index: int | slice) -> Step | Steps:
        if isinstance(index, slice):
            return Steps(self.title, self.parts, self._each[index])
        return self._each[index]

    def __len__(self) -> int:
        return len(self._each)

    def with_(self, number: int, operation: Operation) -> Steps:
        """Return the steps with another operation at one step, run again; not possible for a whole game."""
        if len(self.parts) != 1:
            raise StudyError("only the gates of one program can be changed; choose a move: study.steps(game, move)")
        if not isinstance(operation, Operation):
            raise StudyError(f"expected an operation, such as iswap('b1', 'a3', 0.25); got {operation!r}")
        found = next((step for step in self._each if step.number == number), None)
        if found is None or not isinstance(found.done, Operation):
            able = [str(step.number) for step in self._each if isinstance(step.done, Operation)]
            raise StudyError(f"expected the number of a gate: {several(able) or 'none'}; got {number!r}")
        (part,) = self.parts
        program = _replaced(part.program, found.place.split("."), operation)
        return made(self.title, [part._replace(program=program)])

    def values(self) -> list[dict[str, Any]]:
        """Return the steps as JSON values."""
        return [step.values() for step in self]

    def text(self) -> str:
        """Return a table with a line for each step."""
        return words.table(self)

    def strip(self, first: int = 0, most: int | None = None) -> Picture:
        """Draw all steps in one picture, the odds of each wire between the gates; or `most` of them from `first` on."""
        from qchess.study.stepping.strip import strip

        return strip(self, first, most)

    def slider(self, first: int = 0, most: int | None = None) -> Any:
        """Return a page with a slider and arrow keys for the steps: HTML without server or kernel."""
        from qchess.study.stepping.slider import slider

        return slider(self, first, most)

    def save(self, path: str | Path) -> Path:
        """Write the strip to a file that ends with ``.svg`` or ``.png``, or the slider to ``.html``."""
        path = Path(path)
        if path.suffix in (".svg", ".png"):
            return self.strip().save(path)
        if path.suffix != ".html":
            raise ValueError(f"steps are saved as .svg, .png or .html, got {path.name!r}")
        path.write_text(self.slider().html, encoding="utf-8")
        return path

    def show(self) -> None:
        """Show the strip: in a notebook below its cell, elsewhere in the browser."""
        show(self, self.strip().svg)

    def _repr_svg_(self) -> str:
        return self.strip().svg

    def _repr_mimebundle_(self, **_: Any) -> Bundle:
        told, more = self.strip()._repr_mimebundle_()
        return {**told, "text/plain": self.text()}, more

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Steps of {self.title}: {len(self)}>"


# -- the walk ------------------------------------------------------------------------------------------


def made(title: str, parts: list[Part]) -> Steps:
    """Return the steps of some parts, one after the other."""
    track: list[Step] = []
    first = parts[0]
    track.append(Step(0, first._replace(title=""), "", None, first.start, first.start, _track=track))
    for part in parts:
        if not part.program.steps and len(parts) > 1:
            track.append(Step(len(track), part, "", None, part.start, part.start, _track=track))
        _walk(part, track)
    return Steps(title, parts, track)


def _walk(part: Part, track: list[Step]) -> None:
    """Run a part, and append a step for each gate and question."""
    told: dict[str, int] = {}
    at = part.start
    waiting = deque((str(k), "", step) for k, step in enumerate(part.program))
    while waiting:
        place, case, step = waiting.popleft()
        if isinstance(step, Branch):
            value = told[step.name]
            why = f"{step.name} = {value}"
            waiting.extendleft(reversed([(f"{place}.{value}.{k}", why, s) for k, s in enumerate(step.follow(value))]))
            continue
        found = at.start(Program(step))
        chances: Mapping[int, float] = {}
        if isinstance(found, Pause):
            chances, answered = found.odds, _answered(found, part)
            if answered is None:
                track.append(Step(len(track), part, place, step, at, at, chances, None, case, track))
                return
            found = answered
        answer = found.answers[-1] if found.answers else None
        if answer:
            chances = chances or {answer.value: answer.probability}
            if part.answers.get(answer.name, answer.value) != answer.value:
                raise StudyError(
                    f"the answer to {answer.name!r} is {answer.value}, which is certain and cannot be changed"
                )
            told[answer.name] = answer.value
        track.append(Step(len(track), part, place, step, at, found.registers, chances, answer, case, track))
        at = found.registers


def _answered(pause: Pause, part: Part) -> Run | None:
    """Return the run with the given or the likeliest answer; None if it waits for one."""
    name = pause.step.name
    if name in part.answers:
        drawn = Sample(part.answers[name], "given")
    elif part.assume:
        drawn = Sample(max(pause.odds, key=lambda value: (round(pause.odds[value], 9), value)), "likeliest")
    else:
        return None
    run = pause.resume(drawn)
    assert isinstance(run, Run), "one question pauses once"
    return run


def _replaced(program: Program, place: list[str], operation: Operation) -> Program:
    """Return the program with another operation at a place, perhaps in the case of a branch."""
    number, found = int(place[0]), list(program)
    if len(place) == 1:
        found[number] = operation
    else:
        branch = found[number]
        assert isinstance(branch, Branch), "a place with more numbers lies in a branch"
        cases = ((v, _replaced(case, place[2:], operation) if str(v) == place[1] else case) for v, case in branch.cases)
        found[number] = Branch(branch.name, tuple(cases))
    return Program(*found)
