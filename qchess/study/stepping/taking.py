"""Turn programs and games into their steps, running each gate and question separately."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qchess import backends
from qchess.circuits.compiling.compiler import Compiled
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.playing.game import Game
from qchess.showing.picture import several
from qchess.study.stepping.steps import Part, Steps, made
from qchess.study.subject import StudyError, registers_of


def steps(
    where: Any,
    move: Any = None,
    *,
    full: Iterable[Qubit] = (),
    answers: Mapping[str, int] | None = None,
) -> Steps:
    """Return every step, with the state after it. Nothing is played or changed.

    - a game: all its moves so far, with their answers; with `move`, one that could be played now
    - a program, compiled or not: from empty squares, except those that are `full`
    - a position or registers: the circuit that made the superposition; with a program as `move`, that program

    `answers` gives the answers by name; a missing one is the likeliest.
    """
    title = "a program"
    if isinstance(where, Compiled):
        moved = [f"{qubit} is on wire {wire}" for qubit, wire in where.layout.items() if qubit != wire]
        title = f"a program compiled at level {where.level}{f'; at the end {several(moved)}' if moved else ''}"
        held = [] if where.prepare else [qubit for qubit, value in where.known.items() if value]
        where, full = where.program, (*full_of(where.program, full), *held)
    if isinstance(where, Program):
        if move is not None:
            raise StudyError(f"a program takes no move; got {move!r} besides")
        start = Registers(backends.engine("sparse"), full_of(where, full))
        return made(title, [_part("", where, start, answers)])
    if full:
        raise StudyError(f"only a program starts from squares that are full; got full={full!r} with {where!r}")
    if isinstance(where, Game):
        return _of_game(where, move, answers)
    world = registers_of(where)
    if move is None:
        return _of_past(world, answers)
    if not isinstance(move, Program):
        raise StudyError(f"expected a program, since registers have no moves; got {move!r}")
    return made("a program", [_part("", move, world, answers)])


# -- what is taken -----------------------------------------------------------------------------------------


def full_of(program: Program, full: Iterable[Qubit]) -> tuple[Qubit, ...]:
    """Return the squares of a program that are full at the start; other names are refused."""
    if isinstance(full, str):
        raise StudyError(f"expected names of squares, such as [{full!r}]; got the text {full!r}")
    found = tuple(full)
    if strangers := [qubit for qubit in found if qubit not in program.qubits]:
        raise StudyError(f"expected squares of the program ({several(list(program.qubits))}); got {strangers[0]!r}")
    return found


def _part(
    title: str, program: Program, start: Registers, answers: Mapping[str, int] | None, squares: Any = None
) -> Part:
    given = dict(answers or {})
    if strangers := [name for name in given if name not in program.answers]:
        asked = ", ".join(program.answers) or "nothing"
        raise StudyError(f"the program asks {asked}; got an answer to {strangers[0]!r}")
    if program.unbound:
        raise StudyError(f"the program branches on {program.unbound[0]!r}, which nothing in it asks")
    return Part(title, program, start, given, squares=squares or {})


def _of_game(game: Game[Any, Any], move: Any, answers: Mapping[str, int] | None) -> Steps:
    rules, position = game.rules, game.position
    if move is None:
        if answers:
            raise StudyError(
                "the moves of a game have their answers; give answers only for a move that is not played yet"
            )
        parts = [
            Part(f"{number}. {played.text}", rules.compile(played.before, played.move), played.before.registers,
                 {answer.name: answer.value for answer in played.answers}, squares=rules.squares(played.before))
            for number, played in enumerate(game.history, 1)
        ]  # fmt: skip
        if waiting := game.pending:
            told = {answer.name: answer.value for answer in waiting.pause.answers}
            parts.append(Part(f"{len(parts) + 1}. {waiting.text}, which waits", waiting.turn.program,
                              position.registers, told, False, rules.squares(position)))  # fmt: skip
        return made(f"a game of {rules.title}", parts or [Part("", Program(), position.registers, {})])
    if isinstance(move, Program):
        return made("a program", [_part("", move, position.registers, answers, rules.squares(position))])
    turn = game.turn_of(move)
    title = move if isinstance(move, str) else rules.write(position, turn)
    told = {**(turn.told or {}), **(answers or {})}
    part = _part(title, turn.program, position.registers, told, rules.squares(position))
    return made(f"{title}, not played", [part])


def _of_past(world: Registers, answers: Mapping[str, int] | None) -> Steps:
    if answers:
        raise StudyError("a state has its answers already; give answers only for a program that is not run yet")
    program, told = world.circuit(), world.cone(*world.uncertain).answers()
    return made("what made the state", [Part("", program, Registers(world.engine), told)])
