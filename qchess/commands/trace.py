"""``qchess trace``: the way of one move, from its text to the new position, on one sheet."""

from __future__ import annotations

import argparse
import cmath
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess import writing
from qchess.commands import places
from qchess.commands.common import (
    Commands,
    add_game_options,
    add_json,
    played_game,
    print_json,
    require_game,
    result_data,
)
from qchess.errors import InvalidMoveError
from qchess.reading import file_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from qchess.circuits.register import Register
    from qchess.playing.game import Game, Played
    from qchess.rules import Turn

#: the width of the sheet, and the column of what is said
COLUMNS, INDENT = 80, 11
#: so many branches of a register, and answers to a question, are listed
LISTED = 8


class Trace(NamedTuple):
    """A move on its way; `played` and `after` are None while its answer is open."""

    game: Game[Any, Any]
    #: as it was written, and its number in the game
    text: str
    ply: int
    turn: Turn[Any]
    played: Played | None
    after: Any


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "trace",
        help="the way of a move, from its text to the new position",
        description="Prints how a move is read, what turn it is, its program, the registers it touches, what it asks "
        "and how likely each answer is, the answer, and the new position.",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="a name from `qchess games`")
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="moves with their answers; the last one is traced")
    parser.add_argument("--record", metavar="FILE", type=Path, help="instead, a move of a saved game")
    places.add_rules(parser)
    parser.add_argument("--ply", metavar="N", type=int, help="which move of the saved game, from 1; else its last")
    add_game_options(parser)
    add_json(parser)
    writing.add_output(parser, writing.PRINTED)
    parser.set_defaults(run=run)


@writing.printed
def run(args: argparse.Namespace) -> int:
    """Prints the sheet."""
    if bool(args.record) == bool(args.game):
        raise InvalidMoveError("expected a game with its moves, or --record FILE")
    traced = _of_record(args) if args.record else _of_moves(args)
    if args.json:
        print_json(values(traced))
    else:
        print("\n".join(sheet(traced)))
    return 0


def _of_moves(args: argparse.Namespace) -> Trace:
    """The last of some moves; its answers are written with it, drawn by the seed, or open."""
    require_game(args)
    if not args.moves:
        raise InvalidMoveError("the way of which move? name the moves, the last one is traced")
    if args.ply is not None:
        raise InvalidMoveError("--ply goes with --record; of named moves the last one is traced")
    *before, text = args.moves
    game = played_game(args, before)
    turn, ply = game.turn_of(text), len(before) + 1
    if turn.told is None and args.seed is None and len(game.chances(turn)) > 1:
        return Trace(game, text, ply, turn, None, None)
    played = game.play(text)
    return Trace(game, text, ply, turn, played, game.position)


def _of_record(args: argparse.Namespace) -> Trace:
    """A move of a saved game."""
    from qchess.playing.keeping import named
    from qchess.playing.record import Record
    from qchess.playing.replaying import replay

    record = Record.from_json(file_text(named(str(args.record)), "a game record"))
    game = replay(places.with_rules(record, args.rules))
    ply = len(game.history) if args.ply is None else args.ply
    if not 0 < ply <= len(game.history):
        raise InvalidMoveError(f"the game has {len(game.history)} moves; expected one of them with --ply, got {ply}")
    played = game.history[ply - 1]
    return Trace(game, played.text, ply, game.turn_at(ply - 1), played, game.positions[ply])


# -- what is shown ------------------------------------------------------------------------------------------------


def touched(traced: Trace) -> list[Register]:
    """The registers that the program of the move touches, as they are before it."""
    registers = traced.turn.position.registers
    found = (registers.register(qubit) for qubit in traced.turn.program.qubits)
    return list({id(register): register for register in found if register is not None}.values())


def branches(register: Register, squares: Mapping[str, str]) -> Iterator[tuple[list[str], complex]]:
    """The branches of a register, the likeliest first: the qubits that are 1 in it, by their squares; its amplitude."""
    likeliest = sorted(register.amplitudes().items(), key=lambda branch: (-round(abs(branch[1]), 9), branch[0]))
    for key, amplitude in likeliest:
        yield [squares.get(q, q) for k, q in enumerate(register.qubits) if key >> k & 1], amplitude


def values(traced: Trace) -> dict[str, Any]:
    """The sheet as JSON values."""
    turn, rules, before = traced.turn, traced.game.rules, traced.turn.position
    squares = rules.squares(before)
    told: dict[str, Any] = {
        "game": rules.name,
        "ply": traced.ply,
        "player": before.player,
        "text": traced.text,
        "move": rules.write(before, turn),
        "told": turn.told,
        "describes": rules.describe(before, turn),
        "program": turn.program.text().splitlines(),
        "registers": [
            {
                "qubits": register.qubits,
                "branches": [
                    {"ones": ones, "amplitude": [amplitude.real, amplitude.imag]}
                    for ones, amplitude in branches(register, squares)
                ],
            }
            for register in touched(traced)
        ],
        "chances": [
            {"answers": dict(answers), "probability": round(p, 12)}
            for answers, p in (rules.chances(before, turn) if turn.program.answers else {}).items()
        ],
    }
    if traced.played is not None:
        told |= {
            "answers": [
                {"name": answer.name, "value": answer.value, "probability": answer.probability, "source": answer.source}
                for answer in traced.played.answers
            ],
            "record": traced.played.text,
            "story": _story(traced, traced.played),
            "board": rules.text(traced.after, turn).splitlines(),
            "after": traced.after.registers.registers,
            "result": result_data(rules.result(traced.after)),
        }
    return told


def _story(traced: Trace, played: Played) -> str:
    answers = {answer.name: answer.value for answer in played.answers}
    return traced.game.rules.story(traced.turn.position, traced.turn, answers, traced.after)


def sheet(traced: Trace) -> Iterator[str]:
    """The sheet, line by line."""
    told, turn = values(traced), traced.turn
    yield f"{traced.game.rules.title}, move {traced.ply}: {told['player']} plays {told['move']}"
    yield ""
    answers = f", with {_answers(told['told'])}" if told["told"] else ""
    yield from _said("Read", f"{traced.text!r} names the move {told['move']}{answers}")
    yield from _said("Turn", told["describes"])
    yield from _said("Program", f"{len(turn.program)} steps" if len(turn.program) else "no gate: only pieces move")
    yield from (f"  {line}" for line in turn.program.draw(COLUMNS - 2).splitlines() if len(turn.program))
    yield from _said("Registers", *_registers(traced))
    yield from _said("Question", *([_chance(told["chances"])] if told["chances"] else ["it asks nothing"]))
    if traced.played is None:
        yield from _said("Answer", "open: write it with the move, or give --seed")
        return
    given = [f"{a['name']} = {a['value']}, with probability {a['probability']:.4g}, from: {a['source']}"
             for a in told["answers"]]  # fmt: skip
    yield from _said("Answer", *given or ["none is needed"])
    squares = traced.game.rules.squares(traced.after)
    still = ", ".join("/".join(squares.get(qubit, qubit) for qubit in names) for names in told["after"])
    story = [told["story"]] if told["story"] else []
    yield from _said("Position", f"recorded as {told['record']}", *story, f"open now: {still or 'nothing'}")
    from qchess.showing.boardtext import draw

    yield ""
    yield draw(traced.game.rules.view(traced.after, turn), columns=COLUMNS)


def _registers(traced: Trace) -> Iterator[str]:
    """Each register that is touched, with its branches."""
    found, squares = touched(traced), traced.game.rules.squares(traced.turn.position)
    if not found:
        yield "it touches only what is certain"
    for register in found:
        names = "/".join(squares.get(qubit, qubit) for qubit in register.qubits)
        yield f"{names}: {register.branches} branches, by the qubits that are 1"
        for number, (ones, amplitude) in enumerate(branches(register, squares)):
            if number == LISTED:
                yield f"  and {register.branches - LISTED} more"
                break
            turns = round(cmath.phase(amplitude) / math.tau, 6) % 1
            phase = f", phase {turns:g} of a turn" if turns else ""
            yield f"  {' '.join(ones) or 'none'}: {abs(amplitude) ** 2:.4g}{phase}"


def _chance(chances: list[dict[str, Any]]) -> str:
    listed = "; ".join(f"{_answers(one['answers'])}: {one['probability']:.4g}" for one in chances[:LISTED])
    return f"{listed}; and {len(chances) - LISTED} more" if len(chances) > LISTED else listed


def _answers(answers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in answers.items()) or "no answer"


def _said(head: str, *lines: str) -> Iterator[str]:
    """A head with what is said beside it, in lines that fit."""
    from textwrap import wrap

    margin = " " * INDENT
    for number, line in enumerate(lines):
        inside = " " * (len(line) - len(line.lstrip()))
        for part, text in enumerate(wrap(line.strip(), COLUMNS - INDENT - len(inside)) or [""]):
            yield f"{head if number == part == 0 else '':{INDENT}}{inside}{text}".rstrip() or margin
