"""Settle a turn: the next position, after the turn's program was run; and every way the moves of a list can end.

A search weighs thousands of outcomes and keeps none of the positions. Two things save the engine most of the work, to
the last bit. A read-out of whole registers leaves each of their pieces certain and touches nothing else, so its odds
say everything; a capture of two large systems has up to 16,384 outcomes. And a program of gates changes the registers
that it touches, whatever else is on the board: four in five programs of a search were run there before, for another
move of the piece or in another position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from qchess.circuits import Engine, Program, Qubit, Registers
from qchess.circuits.chances import Chance, explore
from qchess.circuits.precision import CERTAIN
from qchess.circuits.program import Discard, ReadOut
from qchess.circuits.register import Register
from qchess.core import OutcomeValue
from qchess.errors import StateTooLargeError
from qchess.games.piece_qubit_chess.movement import Board
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import OTHER
from qchess.games.piece_qubit_chess.position import Position, Systems, joined, without
from qchess.games.piece_qubit_chess.turn import Turn, promotes
from qchess.games.piece_qubit_chess.verdict import verdict
from qchess.games.piece_qubit_chess.weighing import Material, Weigher, leads

if TYPE_CHECKING:
    from qchess.games.piece_qubit_chess.rules import PieceQubitChess
#: registers of up to this many branches are kept with what a program did to them
SMALL = 256


def settle(position: Position, turn: Turn, registers: Registers) -> Position:
    """Return the position after a turn, with its verdict."""
    move = turn.move
    board = _moved(position.board, move, turn, registers)
    systems = _regrouped(position, move, turn, registers)
    after = Position(registers, board, OTHER[position.player], position.ply + 1, systems)
    ended = verdict(position, after)
    return replace(after, ended=ended) if ended else after


def _moved(board: Board, move: Move, turn: Turn, registers: Registers) -> Board:
    """Return the board with the mover on its new square; a capturer is determined, unless it was promoted."""
    after = dict(board)
    mover = after.pop(move.start)
    crowned = turn.promotes
    if promotes(mover, move) and move.end in after:
        crowned = registers.known(mover.id) is None
    after[move.end] = mover.crowned() if crowned else mover if mover.moved else mover._replace(moved=True)
    return after


def _regrouped(position: Position, move: Move, turn: Turn, registers: Registers) -> Systems:
    """Return the systems after the turn, without pieces that are captured, promoted, set apart or determined."""
    systems = without(position.systems, turn.apart)
    if turn.system:
        systems = joined(systems, turn.system)
    if not systems:
        return systems
    known = registers.known
    leaving = {piece for system in systems for piece in system if known(piece) is not None}
    if turn.promotes:
        leaving.add(position.board[move.start].id)
    if target := position.board.get(move.end):
        leaving |= {position.board[move.start].id, target.id}
    return without(systems, leaving)


# -- the moves of a list ------------------------------------------------------------------------------


def ends(rules: PieceQubitChess, position: Position, moves: Sequence[Move]) -> Iterator[list[OutcomeValue]]:
    """Yield for each move every way it can end, as its outcomes do; none if the game would refuse it."""
    material, runs = Material(position), dict[Program, list[Chance]]()
    for move in moves:
        try:
            found = _ends(rules, position, rules.turn(position, move), material, runs)
        except StateTooLargeError:
            found = []
        yield found


def _ends(
    rules: PieceQubitChess, position: Position, turn: Turn, material: Material, runs: dict[Program, list[Chance]]
) -> list[OutcomeValue]:
    program, before = turn.program, position.registers
    if rules.most_branches is None and not turn.measured:
        registers, changed = _acted(before, program) if program.steps else (before, ())
        after = settle(position, turn, registers)
        if result := rules.result(after):
            return [OutcomeValue(1.0, result, {})]
        return [OutcomeValue(1.0, None, leads(after, material.after(turn.move, position, after, changed)))]
    if _only_measures(position, turn) and len(odds := _odds(position, turn)) > 1:
        weigher = Weigher(rules, position, _found(position, turn, next(iter(odds))), turn.measured)
        return [weigher.end(p, answer) for answer, p in odds.items()]
    if program not in runs:
        runs[program] = list(explore(before, program, rules.most_branches))
    return [_end(rules, way.probability, rules.settle(position, turn, way.run)) for way in runs[program]]


def _acted(before: Registers, program: Program) -> tuple[Registers, Iterable[Qubit]]:
    """Return the registers after what asks nothing, without phase and past, and the qubits that may have changed."""
    touched = _Touched(before.engine, [before.home.get(qubit, 0) for qubit in program.qubits])
    small = all(isinstance(at, int) or at.branches <= SMALL for at in touched.at)
    run = _run if small else _run.__wrapped__
    changes, environment = run(program, touched, before.environment)
    return before.made(before.engine, {**before.home, **changes}, before.phase, environment, None), changes


class _Touched:
    """What a program acts on: certain bits and registers. Only the same registers are equal, not those of one state."""

    __slots__ = ("at", "engine", "ids")

    def __init__(self, engine: Engine, at: list[int | Register]) -> None:
        self.engine, self.at, self.ids = engine, at, (id(engine), *map(id, at))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Touched) and self.ids == other.ids

    def __hash__(self) -> int:
        return hash(self.ids)


@lru_cache(maxsize=1024)
def _run(
    program: Program, touched: _Touched, environment: frozenset[Qubit]
) -> tuple[dict[Qubit, int | Register], frozenset[Qubit]]:
    """Return where a program leaves the qubits of the registers that it touches, and the environment."""
    home = dict(zip(program.qubits, touched.at, strict=True))
    for at in touched.at:
        if not isinstance(at, int):
            home.update(dict.fromkeys(at.qubits, at))
    alone = {qubit: at for qubit, at in home.items() if at != 0}
    after = Registers.made(touched.engine, alone, 1, environment, None).run(program).registers
    return {qubit: after.home.get(qubit, 0) for qubit in home}, after.environment


def _end(rules: PieceQubitChess, probability: float, after: Position) -> OutcomeValue:
    result = rules.result(after)
    return OutcomeValue(probability, result, {} if result else rules.evaluate(after))


def _only_measures(position: Position, turn: Turn) -> bool:
    """Tell whether a turn reads whole registers, gives pieces away, and does nothing else."""
    first, *others = turn.program.steps or (None,)
    return (
        isinstance(first, ReadOut)
        and all(isinstance(step, Discard) for step in others)
        and all(set(register.qubits).issubset(mine) for register, mine in position.registers.held(turn.measured))
    )


def _odds(position: Position, turn: Turn) -> dict[int, float]:
    return {answer: p for answer, p in position.registers.distribution(*turn.measured).items() if p > CERTAIN}


def _found(position: Position, turn: Turn, answer: int) -> Position:
    """Return the position after an answer, without the phase and the past, which nobody looks at."""
    before = position.registers
    home = dict(before.home) | {piece: answer >> k & 1 for k, piece in enumerate(turn.measured)}
    return settle(position, turn, before.made(before.engine, home, before.phase, before.environment, None))
