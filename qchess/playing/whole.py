"""A whole game as one circuit: turn after turn, each with the answers that came, on wires that go on.

At a compiled level every turn is compiled by itself, knowing what was certain before it; a wire that a turn ends
on is the one that the next turn begins on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qchess.circuits.operations import Qubit, fresh, x
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step

if TYPE_CHECKING:
    from qchess.playing.score import Score


@dataclass
class Whole:
    """The steps of a game, each with its turn from 1, and the wires on which its qubits are."""

    steps: list[tuple[int, Step]] = field(default_factory=list)
    wires: dict[Qubit, Qubit] = field(default_factory=dict)
    #: what each answer is called here -> what it was
    answers: dict[str, int] = field(default_factory=dict)
    #: wires of qubits that the game started with in given amplitudes; no gate here makes them
    given: set[Qubit] = field(default_factory=set)
    taken: set[Qubit] = field(default_factory=set)

    def add(self, turn: int, program: Program, told: Mapping[str, int], layout: Mapping[Qubit, Qubit]) -> None:
        """Appends one turn, perhaps compiled; its ancillas are further wires."""
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
        """Lets go of what a turn discards: whoever has the name next is another one."""
        for step in followed(program, told):
            if isinstance(step, Discard):
                for qubit in step.qubits:
                    self.wires.pop(qubit, None)

    def _named(self, turn: int, step: Step, told: Mapping[str, int]) -> Step:
        """The step with an answer's name that no other turn has."""
        if not isinstance(step, Question | ReadOut):
            return step
        name = f"m{turn}" if len(told) == 1 else f"m{turn}_{step.name}"
        self.answers[name] = told[step.name]
        return Question(name, step.predicate) if isinstance(step, Question) else ReadOut(name, step.qubits)


def whole(game: Score[Any, Any], ply: int, level: str | None = None) -> Whole:
    """The first turns of a game as one circuit from empty squares; compiled, if a level is named."""
    made = Whole()
    for turn, (before, played) in enumerate(zip(game.positions[:ply], game.history[:ply], strict=True), 1):
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


def whole_game(game: Score[Any, Any]) -> Program:
    """The whole game as one program from empty squares, what was open at its start included.

    An answer is called by its turn, such as ``m7``, or ``m7_hit`` in a turn of several; answers of the start ``m0_m1``.
    """
    made = whole(game, len(game.history))
    steps = [step for _, step in made.steps]
    start = game.positions[0].registers.circuit()
    return Program(*(_of_the_start(step) for step in start), *steps)


def _of_the_start(step: Step) -> Step:
    """The step, an answer of the start with a name that no turn has."""
    if isinstance(step, Question):
        return Question(f"m0_{step.name}", step.predicate)
    return ReadOut(f"m0_{step.name}", step.qubits) if isinstance(step, ReadOut) else step


def _prepare(made: Whole, turn: int, program: Program, before: Any) -> None:
    """Brings in the qubits that no turn touched before, with the values that they certainly have."""
    for qubit in program.qubits:
        if qubit in made.wires:
            continue
        made.wires[qubit] = fresh(qubit, made.taken)
        if (value := before.registers.known(qubit)) is None:
            made.given.add(made.wires[qubit])
        elif value:
            made.steps.append((turn, x(made.wires[qubit])))


def followed(program: Program, told: Mapping[str, int]) -> Iterator[Step]:
    """The steps that a run with these answers goes through."""
    for step in program:
        if isinstance(step, Branch):
            if step.name in told:
                yield from followed(step.follow(told[step.name]), told)
        else:
            yield step
