"""The circuit beside the board: of a move, a register or a whole game; as a picture, with its counts and text forms.

Every circuit here is a `Drawn`: a program with what is known before it runs, and the turn of each of its steps. With
these two maps a page highlights squares and wires, moves and gates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from qchess import reading
from qchess.circuits.history import events
from qchess.circuits.operations import Operation
from qchess.circuits.program import Branch, Program, Step
from qchess.playing.whole import whole

if TYPE_CHECKING:
    from qchess.circuits.operations import Qubit
    from qchess.circuits.registers import Registers
    from qchess.playing.game import Game

KINDS = ("move", "register", "game")
#: the program as the rules wrote it, and the compiler's levels
LEVELS = ("program", "naive", "exact", "aware")
FORMS = ("cirq", "qiskit", "qasm3", "qasm2", "text", "lines")
#: above this many operations, only the shown level is counted
MANY = 400
#: the longest move text
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Drawn:
    """A circuit to be shown."""

    program: Program
    caption: str
    #: the values of qubits that are certain before it runs
    known: Mapping[Qubit, int]
    #: for each step of the program its turn, from 1
    plies: tuple[int, ...]
    #: the final wires of qubits that change wires
    layout: Mapping[Qubit, Qubit] = field(default_factory=dict)
    #: wires that start in given amplitudes, not in 0 or 1
    given: tuple[Qubit, ...] = ()


def circuit(
    game: Game[Any, Any],
    of: str = "move",
    *,
    ply: int | None = None,
    square: str | None = None,
    text: str | None = None,
    level: str = "program",
    form: str | None = None,
) -> dict[str, Any]:
    """Return a circuit of a game after `ply` turns (default: the present position), as JSON values.

    `of` is ``move`` (the last one, or the legal move that `text` names), ``register`` (the one that holds the square,
    or all) or ``game``. With `form`, only its text in that form.
    """
    reading.one_of(of, "the circuit of what", KINDS)
    reading.one_of(level, "a level of a circuit", LEVELS)
    at = ply_of(game, ply)
    about = square if text is None or of != "move" else reading.text(text, "a move", LONGEST)
    shown = _drawn(game, of, at, about, level)
    if form is not None:
        reading.one_of(form, "a form of a circuit", FORMS)
        return {"of": of, "ply": at, "square": square, "level": level, "form": form, "text": written(shown, form)}
    return {
        "of": of,
        "ply": at,
        "square": square,
        "level": level,
        "caption": shown.caption,
        "svg": shown.program.svg(),
        "counts": counts(game, of, at, about, shown, level),
        "forms": list(FORMS),
        "squares": _squares(game, at, shown.program),
        "plies": {str(number): ply for number, ply in enumerate(shown.plies)},
        "known": {qubit: value for qubit, value in shown.known.items() if value},
        "given": list(shown.given),
        "layout": {qubit: wire for qubit, wire in shown.layout.items() if qubit != wire},
    }


def ply_of(game: Game[Any, Any], ply: int | None) -> int:
    """Return the number of turns, by default of all that were played; raises beyond them."""
    played = len(game.history)
    return played if ply is None else reading.integer(ply, "how many turns were played", 0, played)


def written(shown: Drawn, form: str) -> str:
    """Return the circuit as text to paste: code for Cirq or Qiskit, OpenQASM, a diagram, or our own lines."""
    program = shown.program
    if form == "cirq":
        return f"import cirq\n\ncircuit = {program.to_cirq()!r}\n"
    if form == "qiskit":
        return _qiskit(program)
    if form in ("qasm2", "qasm3"):
        return program.qasm(int(form[-1]))
    return program.draw() + "\n" if form == "text" else program.text()


def _qiskit(program: Program) -> str:
    """Return code that makes the circuit in Qiskit; with branches it uses Qiskit's OpenQASM 3 loader."""
    version = 3 if program.answers and not _flat(program) else 2
    return (
        f"from qiskit import qasm{version}\n\n"
        f'circuit = qasm{version}.loads("""\n{program.qasm(version)}""")  # up to a phase of the whole state\n'
    )


def _flat(program: Program) -> bool:
    """Tell whether nothing depends on an answer."""
    return not any(isinstance(step, Branch) for step in program)


# -- what is shown -------------------------------------------------------------------------------------------


def _drawn(game: Game[Any, Any], of: str, ply: int, about: str | None, level: str) -> Drawn:
    """Return the circuit; `about` is the square of a register, or a move that is not played."""
    if of == "game":
        return _of_game(game, ply, level)
    if of == "register":
        return compiled(_of_register(game, ply, about), level)
    return compiled(_of_move(game, ply) if about is None else _of_coming(game, ply, about), level)


def _of_move(game: Game[Any, Any], ply: int) -> Drawn:
    """Return the program of the turn that led here; at the start, of the first turn if played."""
    if not game.history:
        return Drawn(Program(), "No move has been played yet.", {}, ())
    number = max(ply, 1)
    before, turn = game.positions[number - 1], game.turn_at(number - 1)
    caption = f"{number}. {before.player.capitalize()}: {game.rules.write(before, turn)}"
    return Drawn(turn.program, caption, known_before(before.registers, turn.program), (number,) * len(turn.program))


def _of_coming(game: Game[Any, Any], ply: int, text: str) -> Drawn:
    """Return the program of a legal move."""
    position = game.positions[ply]
    turn = game.rules.read_turn(position, text)
    caption = f"{position.player.capitalize()} may play {game.rules.write(position, turn)}"
    return Drawn(turn.program, caption, known_before(position.registers, turn.program), (0,) * len(turn.program))


def _of_register(game: Game[Any, Any], ply: int, square: str | None) -> Drawn:
    """Return the circuit that made a square's register, or every register, from empty squares."""
    position = game.positions[ply]
    asked = () if square is None else standing_on(game, position, square)
    members = dict.fromkeys(q for qubit in asked for q in position.registers.register_of(qubit))
    if square is not None and not members:
        return Drawn(Program(), f"{square} is certain: it is in no register.", {}, ())
    cone = position.registers.cone(*(members or position.registers.uncertain))
    of_event = _plies_of_events(game, ply)
    plies = [of_event.get(id(e), 0) for e, _ in cone.events for _ in range(sum(e.drawn_in.values()) + 1)]
    program = cone.program()
    what = f"the register of {square}" if square else "what is in superposition"
    given = tuple(qubit for qubit in program.qubits if qubit in cone.unmade)
    return Drawn(program, f"How {what} was made", _empty(program, given), tuple(plies), given=given)


def _plies_of_events(game: Game[Any, Any], ply: int) -> dict[int, int]:
    """Return the turn of each event of the past: the first after which it is known."""
    found: dict[int, int] = {}
    for number, position in enumerate(game.positions[: ply + 1]):
        for event in events(position.registers.past):
            if id(event) in found:
                break
            found[id(event)] = number
    return found


def _of_game(game: Game[Any, Any], ply: int, level: str) -> Drawn:
    """Return every turn so far in a row, with its answers."""
    made = whole(game, ply, None if level == "program" else level)
    program = Program(*(step for _, step in made.steps))
    turns = f"{ply} turns" if ply != 1 else "one turn"
    caption = f"The whole game, {turns}, from empty squares; after each answer comes what was played"
    given = tuple(qubit for qubit in program.qubits if qubit in made.given)
    return Drawn(program, caption, _empty(program, given), tuple(n for n, _ in made.steps), made.wires, given)


def _empty(program: Program, given: tuple[Qubit, ...]) -> dict[Qubit, int]:
    return {qubit: 0 for qubit in program.qubits if qubit not in given}


def compiled(shown: Drawn, level: str) -> Drawn:
    """Return the circuit at a level; compiled steps keep their turn only if all are of one."""
    if level == "program" or not len(shown.program):
        return shown
    made = shown.program.compile(level, known=shown.known, prepare=False)
    plies = set(shown.plies)
    ply = plies.pop() if len(plies) == 1 else 0
    return replace(shown, program=made.program, plies=(ply,) * len(made.program), layout=made.layout)


# -- what is told about it -------------------------------------------------------------------------------------


def counts(
    game: Game[Any, Any], of: str, ply: int, about: str | None, shown: Drawn, level: str
) -> dict[str, dict[str, int]]:
    """Return the sizes of the circuit at every level, or of a very long one at the shown level."""
    levels = LEVELS if len(shown.program) <= MANY else (level,)
    return {
        name: sizes((shown if name == level else _drawn(game, of, ply, about, name)).program, name) for name in levels
    }


def sizes(program: Program, level: str) -> dict[str, int]:
    """Return the size of a circuit over all cases of all branches; gates of a program may have many qubits."""
    from qchess.circuits.compiling.compiler import Compiled

    made = Compiled(program, program, {}, (), level, "cx")
    found = {
        "wires": len(program.qubits),
        "gates": sum(made.counts().values()) if level != LEVELS[0] else _gates(program),
    }
    if level == LEVELS[0]:
        return {**found, "questions": len(program.answers)}
    two = {"two-qubit gates": made.two_qubit_count(), "two-qubit depth": made.two_qubit_depth()}
    return {**found, **two, "depth": made.depth()}


def _gates(program: Program) -> int:
    return sum(_in_step(step) for step in program)


def _in_step(step: Step) -> int:
    if isinstance(step, Branch):
        return sum(_gates(case) for _, case in step.cases)
    return int(isinstance(step, Operation))


def known_before(registers: Registers, program: Program) -> dict[Qubit, int]:
    """Return the qubits of a program that are certain before it runs, with their values."""
    return {qubit: value for qubit in program.qubits if (value := registers.known(qubit)) is not None}


# -- squares and wires -------------------------------------------------------------------------------------------


def standing_on(game: Game[Any, Any], position: Any, square: str) -> tuple[Qubit, ...]:
    """Return the qubits of a square; raises if there is no such square."""
    squares = game.rules.view(position).squares
    reading.one_of(square, "a square", squares)
    named = game.rules.squares(position)
    return (square, *(qubit for qubit, where in named.items() if where == square))


def _squares(game: Game[Any, Any], ply: int, program: Program) -> dict[Qubit, list[str]]:
    """Return the squares of each wire, before the turn and after it."""
    positions = game.positions[max(ply - 1, 0) : ply + 1]
    squares = set(game.rules.view(positions[-1]).squares)
    named = [game.rules.squares(position) for position in positions]
    found: dict[Qubit, list[str]] = {}
    for wire in program.qubits:
        qubit = wire.partition("~")[0]  # earlier wires of a square are marked so
        where = [qubit] if qubit in squares else [each[qubit] for each in named if qubit in each]
        if where:
            found[wire] = list(dict.fromkeys(where))
    return found
