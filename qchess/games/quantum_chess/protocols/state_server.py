"""The published Quantum Chess REST API: keeps quantum boards for programs that track the pieces themselves.

    GET  /                                a short page
    POST /quantumboard/init               {"init_basis_state": bits}
    POST /quantumboard/do_move            {"square1": .., "square2": .., "square3": .., "type": .., "variant": ..}
    POST /quantumboard/undo_last_move

Type and variant are followed; outcomes are drawn only here. Probabilities are exact. Several boards are distinguished
by ``"board": name``. Answers stand: a move that is undone and played again gets the same answer.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from qchess import backends
from qchess.circuits.engine import Source
from qchess.games.quantum_chess.move import MoveType, MoveVariant
from qchess.games.quantum_chess.protocols.board_store import Store
from qchess.games.quantum_chess.protocols.boards import QuantumBoard
from qchess.games.quantum_chess.unitary.bits import BOARD, DEFAULT_CHESS_INIT_STATE
from qchess.games.quantum_chess.unitary.moves import Move
from qchess.servers import wire
from qchess.servers.http import Routes, page
from qchess.servers.wire import RequestError

#: the most boards of a server, and the most bytes of all their states
MOST_BOARDS, MOST_BYTES = 64, 256 * 1024 * 1024
#: a register with more branches is refused, so that every answer is fast
MOST_BRANCHES = 2**17
LONGEST_NAME = 64
#: how long a request waits for another one on the same board, in seconds
PATIENCE = 20.0
#: every type has two squares, except these
_SPLITS = (MoveType.SPLIT_JUMP, MoveType.SPLIT_SLIDE)
_MERGES = (MoveType.MERGE_JUMP, MoveType.MERGE_SLIDE)


class StateServer:
    """Keeps quantum boards on any backend; requests for one board wait for each other, and for no other's.

    With a `store` every change is in that file before it is answered, and the next server goes on from there.

    >>> server = StateServer(seed=1)
    >>> answer = server.init({'init_basis_state': 2})
    >>> answer = server.do_move({'square1': 1, 'square2': 16, 'square3': 18, 'type': 4, 'variant': 1})
    >>> answer['result'], round(answer['probabilities'][16], 12), answer['full']
    (True, 0.5, 0)
    """

    def __init__(self, backend: str = "sparse", *, seed: int | None = None, store: Store | None = None) -> None:
        self.backend = backends.get(backend, branch_limit=MOST_BRANCHES)
        self.seed, self.store = seed, store
        self.boards: dict[str, QuantumBoard] = {}
        self._sources: dict[str, Source] = {}
        self._lock = threading.Lock()
        for saved in store.boards() if store else ():
            board = self.boards[saved.name] = QuantumBoard(self.backend.engine, saved.start, saved.turns)
            board.undone = saved.undone
        if "" not in self.boards:
            self._place("", DEFAULT_CHESS_INIT_STATE)
        self.routes: Routes = {
            ("GET", "/"): page("This is the quantum state server of qchess."),
            ("POST", "/quantumboard/init"): self.init,
            ("POST", "/quantumboard/do_move"): self.do_move,
            ("POST", "/quantumboard/undo_last_move"): self.undo_last_move,
        }

    def init(self, data: dict[str, Any]) -> dict[str, Any]:
        """Put a board in a classical state; its moves are forgotten."""
        state, name = wire.bitboard(data, "init_basis_state"), _name(data)
        with self._lock:
            old = self.boards.get(name)
            if old is None:
                self._check_room()
                self._place(name, state)
        if old is not None:
            with self._held(name, old):  # so that a move which is being played does not end on the new board
                self._place(name, state)
        board = self.boards[name]
        with _locked(board):
            return _told(data, board)

    def do_move(self, data: dict[str, Any]) -> dict[str, Any]:
        """Play a move; ``result`` says whether it succeeded, and is true if nothing is measured."""
        move = read_move(wire.without_forged(data, "a move"))

        def act(name: str, board: QuantumBoard) -> bool:
            turn, run = board.answer(move, self._source(name, board))
            if self.store:
                self.store.add(name, len(board.turns), turn)
            board.play(turn, run)
            return turn.passed

        return self._answered(data, act)

    def undo_last_move(self, data: dict[str, Any]) -> dict[str, Any]:
        """Take the last move back; nothing is measured again. ``result`` is false if there was none."""

        def act(name: str, board: QuantumBoard) -> bool:
            found = board.check_undo()
            if found and self.store:
                self.store.undo(name, len(board.turns) - 1, *found)
            if found:
                board.undo()
            return found is not None

        return self._answered(data, act)

    def _place(self, name: str, state: int) -> QuantumBoard:
        if self.store:
            self.store.start(name, state)
        board = self.boards[name] = QuantumBoard(self.backend.engine, state)
        return board

    def _check_room(self) -> None:
        if len(self.boards) >= MOST_BOARDS:
            raise RequestError(f"expected at most {MOST_BOARDS} boards; start one of them again")

    @contextmanager
    def _held(self, name: str, board: QuantumBoard) -> Iterator[None]:
        """Lock the board of this name for this request; raises if it has been replaced."""
        with _locked(board):
            if self.boards.get(name) is not board:
                raise RequestError("this board has been started again since", 409)
            yield

    def _source(self, name: str, board: QuantumBoard) -> Source:
        """Return the source of this board's answers; each board has its own, so that none waits for another's."""
        if name not in self._sources:
            mixed = random.Random(None if self.seed is None else f"{self.seed} {name} {len(board.turns)}")
            self._sources[name] = self.backend.source(mixed.getrandbits(63))
        return self._sources[name]

    def _answered(self, data: Mapping[str, Any], act: Callable[[str, QuantumBoard], bool]) -> dict[str, Any]:
        """Act on the locked board; returns its data, with its name."""
        name = _name(data)
        with self._lock:
            board = self.boards.get(name)
        if board is None:
            raise RequestError(f"no board is called {wire.shown(name)}; send init first")
        with self._held(name, board):
            result = act(name, board)
            answer = {**_told(data, board), "result": result}
        self._save_memory(board)
        return answer

    def _save_memory(self, present: QuantumBoard) -> None:
        """Drop the states of the least recently used boards if there are too many bytes."""
        with self._lock:
            others = sorted((b for b in self.boards.values() if b is not present), key=lambda board: board.used)
        size = sum(board.size() for board in (*others, present))
        for board in others:
            if size <= MOST_BYTES:
                break
            if board.lock.acquire(blocking=False):
                size -= board.size()
                board.forget()
                board.lock.release()


@contextmanager
def _locked(board: QuantumBoard) -> Iterator[None]:
    """Lock the board for this request; 503 if another one takes too long."""
    if not board.lock.acquire(timeout=PATIENCE):
        raise RequestError(f"another request has kept this board busy for {PATIENCE:g} s", 503)
    try:
        board.used = time.monotonic()
        yield
    finally:
        board.lock.release()


def _name(data: Mapping[str, Any]) -> str:
    return wire.text(data, "board", LONGEST_NAME) if "board" in data else ""


def _told(data: Mapping[str, Any], board: QuantumBoard) -> dict[str, Any]:
    """Return the data of the board, under the requested name."""
    return {**board.data(), **({"board": data["board"]} if "board" in data else {})}


def read_move(data: Mapping[str, Any]) -> Move:
    """Return the move of a ``do_move`` body. The type decides which squares count."""
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
