"""A game's timeline: after each turn its registers, branches, entropies, and the cost of the move's circuit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from qchess.circuits.engine import Answer
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.playing.game import Game
from qchess.study.entropies import entropies, readout_entropy
from qchess.study.subject import require_game

#: the compile level at which a move's gates are counted
LEVELS = ("naive", "exact", "aware")


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of the game, and the move that led to it; the start has none."""

    ply: int
    player: str
    move: str
    #: the open questions of the move, with their answers
    answers: tuple[Answer, ...]
    #: squares that are certainly full
    full: int
    #: the qubits of each register, and its branches
    registers: tuple[tuple[Qubit, ...], ...]
    branches: tuple[int, ...]
    #: the entropy of each square in superposition, in bits
    entropies: Mapping[Qubit, float]
    #: the bits that a read-out of everything would tell
    readout: float
    #: of the move's program, compiled with what was certain before it
    two_qubit_gates: int
    depth: int

    @property
    def largest(self) -> int:
        """Return the branches of the largest register; 1 if nothing is uncertain."""
        return max(self.branches, default=1)

    @property
    def open(self) -> int:
        """Return the number of squares in superposition."""
        return sum(map(len, self.registers))

    @property
    def entanglement(self) -> float:
        """Return the sum of the entropies of all squares."""
        return math.fsum(self.entropies.values())

    @property
    def told(self) -> float:
        """Return the information of the answers in bits: log2 1/p for an answer of probability p."""
        return math.fsum(-math.log2(answer.probability) for answer in self.answers if answer.probability > 0)

    def values(self) -> dict[str, Any]:
        """Return the moment as JSON values."""
        answers = [{"name": a.name, "value": a.value, "probability": a.probability, "source": a.source}
                   for a in self.answers]  # fmt: skip
        more = {"largest": self.largest, "open": self.open, "entanglement": self.entanglement, "told": self.told}
        return {**asdict(self), "answers": answers, **more}


@dataclass(frozen=True, slots=True)
class Timeline:
    """The moments of a game, the start first."""

    game: str
    title: str
    backend: str
    level: str
    result: str | None
    moments: tuple[Moment, ...]

    def values(self) -> dict[str, Any]:
        """Return the timeline as JSON values."""
        return {
            "game": self.game, "backend": self.backend, "level": self.level, "result": self.result,
            "summary": self.summary(), "moments": [moment.values() for moment in self.moments],
        }  # fmt: skip

    def summary(self) -> dict[str, float]:
        """Return the figures of the whole game."""
        widest = max((len(qubits) for moment in self.moments for qubits in moment.registers), default=0)
        asked = [answer for moment in self.moments for answer in moment.answers]
        return {
            "turns": len(self.moments) - 1,
            "questions": len(asked),
            "bits told": math.fsum(moment.told for moment in self.moments),
            "most branches": max(moment.largest for moment in self.moments),
            "largest register": widest,
            "most entanglement": max(moment.entanglement for moment in self.moments),
            "two-qubit gates": sum(moment.two_qubit_gates for moment in self.moments),
        }

    def peak(self) -> Moment:
        """Return the first moment with the largest register."""
        return max(self.moments, key=lambda moment: (moment.largest, moment.entanglement, -moment.ply))

    def text(self) -> str:
        """Return the timeline as a table."""
        title = f"{self.title} on {self.backend}: entropies in bits, two-qubit gates at level {self.level}"
        heads = _row("ply", "by", "move", "registers", "qubits", "branches", "entropy", "read-out", "gates")
        told = ", ".join(f"{name} {value:.6g}" for name, value in self.summary().items())
        ending = self.result or "The game goes on."
        return "\n".join([title, heads, *(_line(moment) for moment in self.moments), "", told, ending])

    def __str__(self) -> str:
        return self.text()


def timeline(
    game: Game[Any, Any], level: str = "aware", *, told: Callable[[int, int], object] = lambda done, total: None
) -> Timeline:
    """Return the timeline of a game; `level` is the compile level at which its programs are counted.

    `told` is called after each turn with the numbers of turns done and in total.
    """
    if level not in LEVELS:
        raise ValueError(f"expected a level from {', '.join(LEVELS)}, got {level!r}")
    require_game(game)
    moments = [_moment(0, "", "", (), game.positions[0].registers, (0, 0))]
    for ply, played in enumerate(game.history, 1):
        cost = _cost(game.rules.compile(played.before, played.move), played.before.registers, level)
        moments.append(_moment(ply, played.player, played.text, played.answers, played.position.registers, cost))
        told(ply, len(game.history))
    result = str(game.result) if game.result else None
    return Timeline(game.rules.name, game.rules.title, game.backend.name, level, result, tuple(moments))


def then(game: Game[Any, Any], ply: int) -> Game[Any, Any]:
    """Return the game as it was after this many turns."""
    before = game.fork()
    while len(before.history) > ply:
        before.undo()
    return before


def _moment(
    ply: int, player: str, move: str, answers: tuple[Answer, ...], registers: Registers, cost: tuple[int, int]
) -> Moment:
    asked = tuple(answer for answer in answers if answer.source != "certain")
    each = registers.each
    return Moment(
        ply, player, move, asked, len(registers.full),
        tuple(register.qubits for register in each), tuple(register.branches for register in each),
        entropies(registers), readout_entropy(registers), *cost,
    )  # fmt: skip


def _cost(program: Program, registers: Registers, level: str) -> tuple[int, int]:
    """Return the two-qubit gates and the depth of a program, compiled for what is certain before it."""
    known = {q: value for q in program.qubits if (value := registers.known(q)) is not None}
    compiled = program.compile(level, known=known, prepare=False)
    return compiled.two_qubit_count(), compiled.depth()


def _line(moment: Moment) -> str:
    widest = max(map(len, moment.registers), default=0)
    asked = "".join(f"\n      {answer.name}={answer.value} (p={answer.probability:.4g})"
                    for answer in moment.answers if answer.value in (0, 1))  # fmt: skip
    return _row(
        str(moment.ply), moment.player or "start", moment.move, str(len(moment.registers)), str(widest),
        str(moment.largest), f"{moment.entanglement:.3f}", f"{moment.readout:.3f}", str(moment.two_qubit_gates),
    ) + asked  # fmt: skip


#: the widths of a line's figures
WIDE = (10, 7, 9, 9, 9, 7)


def _row(ply: str, player: str, move: str, *figures: str) -> str:
    """Return a line of the table; a move too long for its column gets its own line."""
    head = f"{ply:>3}  {player:<6}{move:<18}"
    first = f"{head}\n{'':29}" if len(head) > 29 else head
    return first + "".join(f"{figure:>{wide}}" for figure, wide in zip(figures, WIDE, strict=True))
