"""What players see: parts with their odds and phases, which belong together, and what a move would do."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator

from qchess.circuits import Registers
from qchess.circuits.chances import explore
from qchess.circuits.precision import SAME
from qchess.games.quantum_checkers.legal import captures
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.story import found
from qchess.games.quantum_checkers.turn import Kind, Turn
from qchess.rules import Result
from qchess.showing.view import Arrow, Man, Sketch, View
from qchess.wording import percent

#: colour -> the letters of a man and of a king
SYMBOLS = {"white": "MK", "black": "mk"}


def view(position: Position, result: Result | None, last: Move | None = None) -> View:
    """The board: the parts of a split piece are a group, entangled pieces are linked."""
    names, size = position.board.names, position.board.size
    phases, links = _phases(position), dict(_links(position))
    return View(
        width=size,
        height=size,
        men={names[s]: (_man(position, s, phases.get(names[s])),) for s in sorted(position.owner)},
        links=tuple((a, b, min(1.0, abs(strength))) for (a, b), strength in links.items()),
        arrows=tuple(_arrows(position, last)) if last else (),
        marked=tuple(names[square] for square in last.sources + last.targets) if last else (),
        groups=groups(position),
        notes=tuple(_notes(position, result)),
        drawings="draughts",
        signs={pair: 1 if strength > 0 else -1 for pair, strength in links.items()},
    )


def groups(position: Position) -> tuple[tuple[str, ...], ...]:
    """The squares of each split piece."""
    names = position.board.names
    return tuple(tuple(names[s] for s in piece.squares) for piece in position.pieces.values() if len(piece.squares) > 1)


def _man(position: Position, square: int, phase: float | None) -> Man:
    letter = SYMBOLS[position.pieces[position.owner[square]].colour][square in position.kings]
    return Man(letter, max(position.probability(square), math.ulp(0.0)), phase)


def _phases(position: Position) -> dict[str, float]:
    """The phase of each part, in turns, relative to the piece's first; pieces that share a register show none."""
    found: dict[str, float] = {}
    for piece in position.pieces.values():
        if piece.split and piece.partner is None and not piece.taken:
            amplitudes = _amplitudes(position.registers, [position.board.names[s] for s in piece.squares])
            first = next(iter(amplitudes.values()), 1 + 0j)
            found |= {name: round(cmath.phase(a / first) / math.tau, 9) % 1 for name, a in amplitudes.items()}
    return found


def _amplitudes(registers: Registers, squares: list[str]) -> dict[str, complex]:
    """The amplitude of each square of a piece that shares its register with nobody."""
    held = [square for square in squares if registers.known(square) is None]
    register = registers.register(held[0]) if held else None
    state = register.amplitudes(held) if register else {}
    return {square: state[1 << k] for k, square in enumerate(held) if 1 << k in state}


def _links(position: Position) -> Iterator[tuple[tuple[str, str], float]]:
    """Between entangled pieces, the strongest ties: how far each pair of squares is correlated."""
    names = position.board.names
    for number, piece in position.pieces.items():
        if piece.partner is None or piece.partner < number:
            continue
        for a in piece.squares:
            for b in position.pieces[piece.partner].squares:
                if strength := _correlation(position.registers, names[a], names[b]):
                    yield (names[a], names[b]), strength


def _correlation(registers: Registers, a: str, b: str) -> float:
    """How far two squares tell of each other, from -1 to 1; 0 if one is certain."""
    odds = registers.distribution(a, b)
    p, q = (sum(odds.get(key, 0.0) for key in keys) for keys in ((1, 3), (2, 3)))
    spread = math.sqrt(max(0.0, p * (1 - p) * q * (1 - q)))
    if spread < SAME:
        return 0.0
    strength = (odds.get(3, 0.0) - p * q) / spread
    return strength if abs(strength) > SAME else 0.0


def sketch(position: Position, move: Move) -> Sketch:
    """From where to where a move goes."""
    names = position.board.names
    kind = "split" if move.is_split else "merge" if move.is_merge else "move"
    return Sketch(tuple([names[s] for s in move.sources]), tuple([names[s] for s in move.targets]), kind)


def _arrows(position: Position, last: Move) -> Iterator[Arrow]:
    drawn = sketch(position, last)
    for start in drawn.sources:
        for end in drawn.targets:
            yield Arrow(start, end, drawn.kind)


def _notes(position: Position, result: Result | None) -> Iterator[str]:
    names = position.board.names
    if result:
        yield str(result)
    else:
        yield f"{position.player} to move, ply {position.ply}"
        if position.chain is not None:
            yield f"{names[position.chain]} must go on capturing"
        elif captures(position):
            yield "must capture"
    yield f"plies without a capture: {position.quiet}"
    for piece in position.pieces.values():
        if piece.split and piece.partner is None and piece.taken:
            gone = sum(position.registers.probability(qubit) for qubit in piece.taken)
            yield f"{piece.colour} {' '.join(names[s] for s in piece.squares)}: captured with {percent(gone, 1)}"


# -- before a move ----------------------------------------------------------------------------------


def describe(position: Position, turn: Turn) -> str:
    """What a move does, with the odds of what it asks."""
    name = position.board.names
    if turn.kind in (Kind.STEP, Kind.SPLIT):
        return "asks nothing"
    if turn.kind is Kind.MERGE:
        after = position.registers.run(turn.program).registers
        squares = (*turn.move.targets, turn.move.sources[1])
        odds = ", ".join(f"{name[s]} {percent(after.probability(name[s]), 1)}" for s in squares)
        return f"merges: {odds}; what does not merge stays on {name[turn.move.sources[1]]}"
    assert turn.over is not None, "every other move is a capture"
    if turn.kind is Kind.CAPTURE:
        return f"captures {name[turn.over]}"
    if turn.kind is Kind.ENTANGLE:
        gone = percent(position.probability(turn.over), 1)
        return f"entangles: captures {name[turn.over]} with {gone}, without a measurement"
    return _outcomes(position, turn)


def _outcomes(position: Position, turn: Turn) -> str:
    """Each way a measuring capture can go: what is found, how likely, and whether it captures."""
    fails, hits = [], 0.0
    target = position.board.names[turn.move.targets[0]]
    for chance in explore(position.registers, turn.program):
        if chance.run.registers.known(target) == 1:
            hits += chance.probability
            continue
        last = next(look for look in reversed(turn.looks) if look.name in chance.answers)
        where = found(position, last, chance.answers[last.name])
        fails.append(f"fails {percent(chance.probability, 1)} ({where})")
    return "measures: " + ", ".join([f"captures {percent(hits, 1)}", *sorted(fails)])
