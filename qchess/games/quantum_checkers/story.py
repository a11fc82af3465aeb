"""What a move came to, in words: who was found where, whether a capture was made, and who must go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.turn import Kind, Look, Turn


def story(before: Position, turn: Turn, answers: Mapping[str, int], after: Position) -> str:
    """The move in words; nothing where the board says it all."""
    names, (start, *_), (end, *_) = before.board.names, turn.move.sources, turn.move.targets
    told = [found(before, look, answers[look.name]) for look in turn.looks if look.name in answers]
    if turn.kind is Kind.ENTANGLE and turn.over is not None:
        taken = f"if {names[turn.over]} was captured, the capturer is on {names[end]}"
        told.append(f"no measurement: {taken}, otherwise it is still on {names[start]}")
    if turn.kind is Kind.MEASURE and turn.over is not None:
        landed = after.owner.get(end) == before.owner[start]
        told.append(f"{names[turn.over]} is captured" if landed else "the capture fails")
    told += _confirmed(before, turn, after)
    if end in after.kings and not {start, end} & before.kings:
        told.append(f"crowned on {names[end]}")
    if after.chain is not None:
        told.append(f"{names[after.chain]} must go on")
    return "; ".join(told)


def found(before: Position, look: Look, answer: int) -> str:
    """Where a piece turned out to be."""
    wanted = before.board.names[look.square]
    own = [qubit for k, qubit in enumerate(look.qubits) if answer >> k & 1 and qubit in before.places(look.piece)]
    where = own[0] if own else ""
    who = "the capturer" if look.name == "capturer" else "the target"
    if where == wanted:
        return f"{who} is on {wanted}"
    captured = where in before.pieces[look.piece].taken
    return f"{who} is not on {wanted}: it {'was captured earlier' if captured else f'is on {where}'}"


def _confirmed(before: Position, turn: Turn, after: Position) -> Iterator[str]:
    """Earlier captures that turned out to have happened."""
    target = None if turn.over is None else before.owner[turn.over]
    asked = {look.piece for look in turn.looks}
    for number, piece in before.pieces.items():
        if number not in after.pieces and number != target and number not in asked and piece.squares:
            squares = " ".join(before.board.names[square] for square in piece.squares)
            yield f"the earlier capture of {squares} is confirmed"
