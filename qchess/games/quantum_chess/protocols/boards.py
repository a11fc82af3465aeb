"""A quantum board kept for a client: its moves, their answers, and a limited number of states.

The moves with their answers define the board; states only save time. Undo returns to a kept state, or replays from an
earlier one with the same answers: nothing is measured twice.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from qchess.boards.geometry import mask
from qchess.circuits.engine import Engine, Source
from qchess.circuits.registers import Registers, Run
from qchess.circuits.sources import FixedAnswers
from qchess.errors import IllegalMoveError
from qchess.games.quantum_chess.unitary import programs
from qchess.games.quantum_chess.unitary.bits import BOARD, CLASSICAL_BITBOARD, bitboard_to_squares
from qchess.games.quantum_chess.unitary.moves import Move

#: the most moves of a board, and the most undone answers it remembers
MOST_TURNS, MOST_UNDONE = 5000, 10_000
#: the most bytes of the states of one board besides the present one
MOST_BYTES = 16 * 1024 * 1024
#: the approximate bytes of a state: a constant, and per branch
BYTES_A_STATE, BYTES_A_BRANCH = 8192, 48


class Answered(NamedTuple):
    """A played move with its measurement results."""

    move: Move
    answers: tuple[int, ...]

    @property
    def passed(self) -> bool:
        """Tell whether the move succeeded."""
        return all(self.answers)

    def __str__(self) -> str:
        return f"{self.move.to_string(include_type=True)}={''.join(map(str, self.answers))}"


class QuantumBoard:
    """One board of occupied and superposed squares, without knowledge of pieces.

    It is used by one thread at a time, which holds its `lock`.
    """

    def __init__(self, engine: Engine, start: int, turns: Iterable[Answered] = ()) -> None:
        self.engine, self.start, self.turns = engine, start, list(turns)
        self.lock = threading.Lock()
        self.used = time.monotonic()
        #: undone answers, by their line of play: the same question gets the same answer
        self.undone: dict[str, tuple[int, ...]] = {}
        #: the kept states, each by the number of moves before it
        self._states: dict[int, Registers] = {}

    @property
    def registers(self) -> Registers:
        """Return the present state."""
        return self._state(len(self.turns))

    def answer(self, move: Move, source: Source) -> tuple[Answered, Run]:
        """Return the result of a move, without changing the board. An undone answer is given again."""
        if len(self.turns) >= MOST_TURNS:
            raise IllegalMoveError(f"a board takes {MOST_TURNS} moves; start it again")
        told = self.undone.get(self.line(move)) if self.undone else None
        run = self._run(self.registers, len(self.turns), move, source if told is None else FixedAnswers(told))
        return Answered(move, tuple(answer.value for answer in run.answers)), run

    def play(self, turn: Answered, run: Run) -> None:
        """Make an answered move the board's last one."""
        self.turns.append(turn)
        self._keep(len(self.turns), run.registers)

    def check_undo(self) -> tuple[str, Answered] | None:
        """Return the last move with its line, or None; raises if its answer could not be remembered."""
        if not self.turns:
            return None
        last = self.turns[-1]
        if last.answers and len(self.undone) >= MOST_UNDONE:
            raise IllegalMoveError(f"a board remembers {MOST_UNDONE} undone answers; start it again")
        return self.line(last.move, len(self.turns) - 1), last

    def undo(self) -> None:
        """Take the last move back, and remember its answer."""
        found = self.check_undo()
        assert found, "somebody asks first whether there is a move"
        line, last = found
        if last.answers:
            self.undone[line] = last.answers
        self._states.pop(len(self.turns), None)
        self.turns.pop()

    def line(self, move: Move, after: int | None = None) -> str:
        """Return a short name for this move at this point of this game."""
        text = " ".join([str(self.start), *map(str, self.turns[:after]), move.to_string(include_type=True)])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    # -- states -----------------------------------------------------------------------------------------------

    def size(self) -> int:
        """Return the approximate bytes of the kept states."""
        return sum(map(_size, self._states.values()))

    def forget(self) -> None:
        """Drop every state; the next request replays."""
        self._states.clear()

    def _state(self, turns: int) -> Registers:
        """Return the state after this many moves, kept or replayed."""
        known = max((k for k in self._states if k <= turns), default=0)
        state = self._states.get(known)
        if state is None:
            state = self._states[0] = Registers(self.engine, bitboard_to_squares(self.start))
        for k in range(known, turns):
            turn = self.turns[k]
            state = self._run(state, k, turn.move, FixedAnswers(turn.answers)).registers
            self._keep(k + 1, state)
        return state

    @staticmethod
    def _run(state: Registers, turns: int, move: Move, source: Source) -> Run:
        fresh = f"x{2 * turns + 1}", f"x{2 * turns + 2}"
        return state.run(programs.program(move, fresh), source)

    def _keep(self, turns: int, state: Registers) -> None:
        """Keep a state, and drop the oldest others if there are too many bytes."""
        self._states[turns] = state
        size = self.size() - _size(state)
        for k in sorted(self._states.keys() - {0, turns}):
            if size <= MOST_BYTES:
                break
            size -= _size(self._states.pop(k))

    def data(self) -> dict[str, Any]:
        """Return the data of every answer: the odds of each square, and which are certainly empty or full."""
        registers = self.registers
        full = mask(BOARD.numbers[name] for name in registers.full if name in BOARD.numbers)
        unsure = mask(BOARD.numbers[name] for name in registers.uncertain if name in BOARD.numbers)
        empty = CLASSICAL_BITBOARD & ~full & ~unsure
        odds = [registers.probability(name) for name in BOARD.names]
        return {"probabilities": odds, "empty": empty, "full": full, "empty_bitboard": empty, "full_bitboard": full}


def _size(state: Registers) -> int:
    return BYTES_A_STATE + BYTES_A_BRANCH * sum(state.branches())
