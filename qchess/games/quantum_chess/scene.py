"""What players see: men with odds and phases, registers, entangled squares, the last move."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator

from qchess.boards.geometry import Geometry
from qchess.circuits.precision import SAME
from qchess.circuits.register import Register
from qchess.games.quantum_chess.move import Move, write_rights
from qchess.games.quantum_chess.position import EMPTY, Position
from qchess.showing.view import Arrow, Man, Sketch, View, tidy

#: registers with more branches are shown without phases and links
SHOWN_BRANCHES = 2**14


def view(position: Position, last: Move | None = None) -> View:
    """The board with its odds, and the last move if one is given."""
    board = position.geometry
    phases: dict[str, float] = {}
    links: dict[tuple[str, str], float] = {}
    for register in position.registers.each:
        if register.branches <= SHOWN_BRANCHES:
            order, branches = _branches(register, board)
            phases.update(_phases(order, branches))
            links.update(_links(order, branches))
    men = {
        name: (Man(symbol, tidy(position.odds[name]), phases.get(name)),)
        for name, symbol in zip(board.names, position.board, strict=True)
        if symbol != EMPTY
    }
    return View(
        board.width,
        board.height,
        men,
        tuple((a, b, min(1.0, abs(strength))) for (a, b), strength in sorted(links.items())),
        tuple(_arrows(board, last)) if last else (),
        tuple(board.names[k] for k in last.squares) if last else (),
        groups=groups(position),
        notes=tuple(_notes(position)),
        signs={pair: 1 if strength > 0 else -1 for pair, strength in links.items()},
    )


def groups(position: Position) -> tuple[tuple[str, ...], ...]:
    """The squares of each register that has several, in the board's order, the group of the first square first."""
    numbers = position.geometry.numbers
    found = (sorted(share.odds, key=numbers.__getitem__) for share in position.shares)
    several = (tuple(squares) for squares in found if len(squares) > 1)
    return tuple(sorted(several, key=lambda group: numbers[group[0]]))


Branches = list[tuple[int, complex]]


def _branches(register: Register, board: Geometry) -> tuple[list[str], Branches]:
    """The squares of a register in the board's order, and its branches with what was captured in higher bits."""
    qubits = register.qubits
    order = sorted((q for q in qubits if q in board.numbers), key=lambda q: board.numbers[q])
    hidden = sorted(q for q in qubits if q not in board.numbers)
    return order, sorted(register.amplitudes([*order, *hidden]).items())


def _phases(order: list[str], branches: Branches) -> Iterator[tuple[str, float]]:
    """For each square the phase of the likeliest branch that occupies it, against the register's first branch."""
    reference = branches[0][1]
    for k, name in enumerate(order):
        # the first of equally likely branches, whatever the last digits say
        occupied = [(round(-abs(a), 9), key, a) for key, a in branches if key >> k & 1]
        _, _, amplitude = min(occupied, key=lambda branch: branch[:2])
        turn = cmath.phase(amplitude / reference) / (2 * math.pi)
        yield name, round(turn, 12) % 1.0


def _links(order: list[str], branches: Branches) -> Iterator[tuple[tuple[str, str], float]]:
    """Pairs of squares of one register, and how their occupations are correlated, from -1 to 1."""
    import numpy as np

    weights = np.array([abs(a) ** 2 for _, a in branches])
    bits = np.array([[key >> k & 1 for k in range(len(order))] for key, _ in branches], dtype=float)
    mean = weights @ bits
    covariance = (bits * weights[:, None]).T @ bits - np.outer(mean, mean)
    spread = np.sqrt(np.diag(covariance))
    for a in range(len(order)):
        for b in range(a + 1, len(order)):
            strength = float(covariance[a, b] / (spread[a] * spread[b]))
            if abs(strength) > SAME:
                yield (order[a], order[b]), strength


def sketch(board: Geometry, move: Move) -> Sketch:
    """From where to where a move goes; the last question of a game goes nowhere."""
    shape = "split" if move.is_split else "merge" if move.is_merge else "move" if move.targets else "other"
    names = board.names
    return Sketch(tuple([names[k] for k in move.sources]), tuple([names[k] for k in move.targets]), shape)


def _arrows(board: Geometry, last: Move) -> Iterator[Arrow]:
    drawn = sketch(board, last)
    for start in drawn.sources:
        for end in drawn.targets:
            yield Arrow(start, end, drawn.kind)


def _notes(position: Position) -> Iterator[str]:
    yield f"{position.player} to move (move {position.ply // 2 + 1})"
    if position.rights:
        yield f"castling {write_rights(position.rights)}"
    if position.en_passant is not None:
        yield f"en passant on {position.geometry.names[position.en_passant]}"
    if position.clock:
        yield f"half-move clock {position.clock}"
