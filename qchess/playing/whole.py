"""A whole game as one circuit: turn after turn, each with its answers, on continued wires.

At a compiled level every turn is compiled separately, knowing what was certain before it; the next turn begins on the
wires where the last one ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qchess.circuits.operations import Qubit, fresh, x
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step

if TYPE_CHECKING:
    from qchess.playing.basegame import BaseGame


@dataclass
class Whole:
    """The steps of a game, each with its turn from 1, and the wires of its qubits."""

    steps: list[tuple[int, Step]] = field(default_factory=list)
    wires: dict[Qubit, Qubit] = field(default_factory=dict)
    #: the name of each answer here -> its value
    answers: dict[str, int] = field(default_factory=dict)
    #: wires of qubits that started in given amplitudes; no gate here makes them
    given: set[Qubit] = field(default_factory=set)
    taken: set[Qubit] = field(default_factory=set)

    def add(self, turn: int, program: Program, told: Mapping[str, int], layout: Mapping[Qubit, Qubit]) -> None:
        """Append one turn, perhaps compiled; its ancillas are further wires."""
        steps = list(followed(program, told))
        for qubit in Program(*steps).qubits:
            if qubit not in self.wires:
                self.wires[qubit] = fresh(qubit, self.taken)
        for step in steps:
            (renamed,) = Program(self._named(turn, step, told)).renamed(self.wires)
            self.steps.append((turn, renamed))
        ends = {qubit: self.wires[wire] for qubit, wire in layout.items() if wire in self.wires}
        self.wires.update(ends)

    def forget(self, program: Program, told: Mapping[str, int]) -> None:
        """Forget what a turn discards: the next qubit of that name is a different one."""
        for step in followed(program, told):
            if isinstance(step, Discard):
                for qubit in step.qubits:
                    self.wires.pop(qubit, None)

    def _named(self, turn: int, step: Step, told: Mapping[str, int]) -> Step:
        """Return the step with a unique name for its answer."""
        if not isinstance(step, Question | ReadOut):
            return step
        name = f"m{turn}" if len(told) == 1 else f"m{turn}_{step.name}"
        self.answers[name] = told[step.name]
        return Question(name, step.predicate) if isinstance(step, Question) else ReadOut(name, step.qubits)


def whole(game: BaseGame[Any, Any], ply: int, level: str | None = None) -> Whole:
    """Return the first turns of a game as one circuit from empty squares; compiled, if a level is named."""
    made = Whole()
    for turn, played in enumerate(game.history[:ply], 1):
        before = played.before
        program = game.rules.compile(before, played.move)
        _prepare(made, turn, program, before)
        told = {answer.name: answer.value for answer in played.answers}
        if level is None:
            made.add(turn, program, told, {})
        else:
            known = {q: v for q in program.qubits if (v := before.registers.known(q)) is not None}
            compiled = program.compile(level, known=known, prepare=False)
            made.add(turn, compiled.program, told, compiled.layout)
        made.forget(program, told)
    return made


def whole_game(game: BaseGame[Any, Any]) -> Program:
    """Return the whole game as one program from empty squares, including superpositions at its start.

    An answer is named by its turn, such as ``m7``, or ``m7_hit`` in a turn of several; answers of the start ``m0_m1``.
    """
    made = whole(game, len(game.history))
    steps = [step for _, step in made.steps]
    start = game.positions[0].registers.circuit()
    return Program(*(_of_the_start(step) for step in start), *steps)


def _of_the_start(step: Step) -> Step:
    """Return the step, with a name for an answer of the start that no turn has."""
    if isinstance(step, Question):
        return Question(f"m0_{step.name}", step.predicate)
    return ReadOut(f"m0_{step.name}", step.qubits) if isinstance(step, ReadOut) else step


def _prepare(made: Whole, turn: int, program: Program, before: Any) -> None:
    """Add the qubits that no turn touched before, with their certain values."""
    for qubit in program.qubits:
        if qubit in made.wires:
            continue
        made.wires[qubit] = fresh(qubit, made.taken)
        if (value := before.registers.known(qubit)) is None:
            made.given.add(made.wires[qubit])
        elif value:
            made.steps.append((turn, x(made.wires[qubit])))


def followed(program: Program, told: Mapping[str, int]) -> Iterator[Step]:
    """Yield the steps of a run with these answers."""
    for step in program:
        if isinstance(step, Branch):
            if step.name in told:
                yield from followed(step.follow(told[step.name]), told)
        else:
            yield step
