"""A game's timeline: after each turn its registers, branches, entropies, and what the move's circuit costs."""

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

#: how a move's program is compiled before its gates are counted
LEVELS = ("naive", "exact", "aware")


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of the game, and the move that led to it; the start has none."""

    ply: int
    player: str
    move: str
    #: the open questions of the move, as they were answered
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
    #: of the move's program, compiled with what was certainly known before it
    two_qubit_gates: int
    depth: int

    @property
    def largest(self) -> int:
        """The branches of the largest register; 1 where nothing is open."""
        return max(self.branches, default=1)

    @property
    def open(self) -> int:
        """The squares in superposition."""
        return sum(map(len, self.registers))

    @property
    def entanglement(self) -> float:
        """The entropies of all squares together."""
        return math.fsum(self.entropies.values())

    @property
    def told(self) -> float:
        """The bits that the answers told: of an answer with probability p, log2 1/p."""
        return math.fsum(-math.log2(answer.probability) for answer in self.answers if answer.probability > 0)

    def values(self) -> dict[str, Any]:
        """The moment as JSON values."""
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
        """The timeline as JSON values."""
        return {
            "game": self.game, "backend": self.backend, "level": self.level, "result": self.result,
            "summary": self.summary(), "moments": [moment.values() for moment in self.moments],
        }  # fmt: skip

    def summary(self) -> dict[str, float]:
        """The figures of the whole game."""
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
        """The first moment at which a register has the most branches."""
        return max(self.moments, key=lambda moment: (moment.largest, moment.entanglement, -moment.ply))

    def text(self) -> str:
        """The timeline as a table."""
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
    """The timeline of a game; `level` says how its programs are compiled to be counted.

    `told` hears after each turn how many of how many are done.
    """
    if level not in LEVELS:
        raise ValueError(f"expected a level from {', '.join(LEVELS)}, got {level!r}")
    require_game(game)
    moments = [_moment(0, "", "", (), game.positions[0].registers, (0, 0))]
    for ply, (before, after, played) in enumerate(
        zip(game.positions, game.positions[1:], game.history, strict=False), 1
    ):
        cost = _cost(game.rules.compile(before, played.move), before.registers, level)
        moments.append(_moment(ply, played.player, played.text, played.answers, after.registers, cost))
        told(ply, len(game.history))
    result = str(game.result) if game.result else None
    return Timeline(game.rules.name, game.rules.title, game.backend.name, level, result, tuple(moments))


def then(game: Game[Any, Any], ply: int) -> Game[Any, Any]:
    """The game as it was after so many turns."""
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
    """The two-qubit gates of a program and its depth, compiled for what is certainly known before it."""
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


#: how wide the figures of a line are
WIDE = (10, 7, 9, 9, 9, 7)


def _row(ply: str, player: str, move: str, *figures: str) -> str:
    """A line of the table; a move that is too long for its column has a line of its own."""
    head = f"{ply:>3}  {player:<6}{move:<18}"
    first = f"{head}\n{'':29}" if len(head) > 29 else head
    return first + "".join(f"{figure:>{wide}}" for figure, wide in zip(figures, WIDE, strict=True))
