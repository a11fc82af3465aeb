"""The published Quantum Chess REST API: keeps quantum boards for programs that keep the pieces themselves.

    GET  /                                a short page
    POST /quantumboard/init               {"init_basis_state": bits}
    POST /quantumboard/do_move            {"square1": .., "square2": .., "square3": .., "type": .., "variant": ..}
    POST /quantumboard/undo_last_move

Type and variant are obeyed; outcomes are drawn here and nowhere else. Probabilities are exact. Several
boards are kept apart by ``"board": name``.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from qchess import backends
from qchess.boards.geometry import mask
from qchess.circuits.engine import Source
from qchess.circuits.registers import Registers
from qchess.games.quantum_chess.kinds import MoveType, MoveVariant
from qchess.games.quantum_chess.unitary import programs
from qchess.games.quantum_chess.unitary.bits import (
    BOARD,
    CLASSICAL_BITBOARD,
    DEFAULT_CHESS_INIT_STATE,
    bitboard_to_squares,
)
from qchess.games.quantum_chess.unitary.moves import Move
from qchess.servers import wire
from qchess.servers.http import Routes, page
from qchess.servers.wire import RequestError

#: how many boards one server keeps, and how many moves of each can be taken back
MOST_BOARDS, MOST_UNDO = 64, 1000
#: a register with more branches is refused, so that every request is answered soon
MOST_BRANCHES = 2**17
LONGEST_NAME = 64
#: every type has two squares, but these
_SPLITS = (MoveType.SPLIT_JUMP, MoveType.SPLIT_SLIDE)
_MERGES = (MoveType.MERGE_JUMP, MoveType.MERGE_SLIDE)


class QuantumBoard:
    """One board: which squares are occupied, in superposition, and nothing about pieces."""

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self._before: deque[Registers] = deque(maxlen=MOST_UNDO)
        self._captured = 0

    def do_move(self, move: Move, source: Source) -> bool:
        """Plays a move as it is told; whether it passed. Where it raises, nothing has changed."""
        fresh = f"x{self._captured + 1}", f"x{self._captured + 2}"
        run = self.registers.run(programs.program(move, fresh), source)
        self._before.append(self.registers)
        self.registers = run.registers
        self._captured += 2
        return all(answer.value for answer in run.answers)

    def undo(self) -> bool:
        """Restores the state before the last move, outcomes included; false if there is none."""
        if not self._before:
            return False
        self.registers = self._before.pop()
        return True

    def data(self) -> dict[str, Any]:
        """What every answer tells: the odds of each square, and what is surely empty or full."""
        full = mask(BOARD.numbers[name] for name in self.registers.full if name in BOARD.numbers)
        unsure = mask(BOARD.numbers[name] for name in self.registers.uncertain if name in BOARD.numbers)
        empty = CLASSICAL_BITBOARD & ~full & ~unsure
        odds = [self.registers.probability(name) for name in BOARD.names]
        return {"probabilities": odds, "empty": empty, "full": full, "empty_bitboard": empty, "full_bitboard": full}


class StateServer:
    """Keeps quantum boards on any backend; one request at a time.

    >>> server = StateServer(seed=1)
    >>> answer = server.init({'init_basis_state': 2})
    >>> answer = server.do_move({'square1': 1, 'square2': 16, 'square3': 18, 'type': 4, 'variant': 1})
    >>> answer['result'], round(answer['probabilities'][16], 12), answer['full']
    (True, 0.5, 0)
    """

    def __init__(self, backend: str = "sparse", *, seed: int | None = None) -> None:
        self.backend = backends.get(backend, branch_limit=MOST_BRANCHES)
        self.source = self.backend.source(seed)
        self.boards: dict[str, QuantumBoard] = {}
        self._turn = threading.Lock()
        self._place("", DEFAULT_CHESS_INIT_STATE)
        self.routes: Routes = {
            ("GET", "/"): page("This is the quantum state server of qchess."),
            ("POST", "/quantumboard/init"): self.init,
            ("POST", "/quantumboard/do_move"): self.do_move,
            ("POST", "/quantumboard/undo_last_move"): self.undo_last_move,
        }

    def init(self, data: dict[str, Any]) -> dict[str, Any]:
        """Puts a board in a classical state; its moves are forgotten."""
        state = wire.bitboard(data, "init_basis_state")

        def place(name: str) -> QuantumBoard:
            if name not in self.boards and len(self.boards) >= MOST_BOARDS:
                raise RequestError(f"expected at most {MOST_BOARDS} boards; start one of them anew")
            return self._place(name, state)

        return self._answered(data, place)

    def do_move(self, data: dict[str, Any]) -> dict[str, Any]:
        """Plays a move; ``result`` says whether it passed, and is true where nothing is measured."""
        move = read_move(wire.without_forged(data, "a move"))
        return self._answered(data, self._board, lambda board: board.do_move(move, self.source))

    def undo_last_move(self, data: dict[str, Any]) -> dict[str, Any]:
        """Takes the last move back; nothing is measured again. ``result`` is false if there was none."""
        return self._answered(data, self._board, QuantumBoard.undo)

    def _place(self, name: str, state: int) -> QuantumBoard:
        board = QuantumBoard(Registers(self.backend.engine, bitboard_to_squares(state)))
        self.boards[name] = board
        return board

    def _board(self, name: str) -> QuantumBoard:
        if name not in self.boards:
            raise RequestError(f"no board is called {wire.shown(name)}; begin with init")
        return self.boards[name]

    def _answered(
        self,
        data: Mapping[str, Any],
        find: Callable[[str], QuantumBoard],
        act: Callable[[QuantumBoard], bool] | None = None,
    ) -> dict[str, Any]:
        """Finds the board and acts on it, alone; the answer tells the board, and echoes its name."""
        name = wire.text(data, "board", LONGEST_NAME) if "board" in data else ""
        with self._turn:
            board = find(name)
            result = {"result": act(board)} if act else {}
            return {**board.data(), **result, **({"board": name} if "board" in data else {})}


def read_move(data: Mapping[str, Any]) -> Move:
    """The move of a ``do_move`` body. Which squares count is for the type to say."""
    squares = [BOARD.names[wire.square(data, key)] for key in ("square1", "square2")]
    move_type = MoveType(wire.integer(data, "type", min(MoveType), max(MoveType)))
    variant = MoveVariant(wire.integer(data, "variant", min(MoveVariant), max(MoveVariant)))
    if move_type in _SPLITS + _MERGES or "square3" in data:
        squares.append(BOARD.names[wire.square(data, "square3")])
    if move_type in _SPLITS:
        return Move(squares[0], squares[1], target2=squares[2], move_type=move_type, move_variant=variant)
    if move_type in _MERGES:
        return Move(squares[0], squares[2], source2=squares[1], move_type=move_type, move_variant=variant)
    return Move(squares[0], squares[1], move_type=move_type, move_variant=variant)
