"""Verdicts: who has lost once a turn is over.

A player loses whose own turn leaves one of his determined Kings where an enemy could capture it (5.1), as
any type with P > 0. A colour loses that had a determined King before the turn and has none after it (5.2).
Who loses together draws. A mixed King is neither in check nor counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from qchess.games.piece_qubit_chess.movement import attacked
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import OTHER
from qchess.games.piece_qubit_chess.position import Position
from qchess.rules import Result, Rules, Threat

CHECK = "king in check"
LOST = "last king lost"


def verdict(before: Position, after: Position) -> Result | None:
    """How the turn that led from one position to the next decided the game, or None."""
    return judged(before, {king.colour for _, king in after.determined_kings}, bool(in_check(after, before.player)))


def judged(before: Position, alive: Collection[str], checked: bool) -> Result | None:
    """Return the verdict by the colours that still have a determined King, and whether the mover's is in check."""
    losers = {colour: LOST for colour in OTHER if colour not in alive and before.kings(colour)}
    if checked:
        losers[before.player] = CHECK
    if len(losers) == 2:
        return Result(None, "both lost")
    return next((Result(OTHER[colour], reason) for colour, reason in losers.items()), None)


def in_check(position: Position, colour: str) -> tuple[str, ...]:
    """The squares of the determined Kings of a colour that an enemy could capture; looked for once."""
    found = position.checked.get(colour)
    if found is None:
        board, types = position.board, position.types
        found = tuple([king for king in position.kings(colour) if attacked(board, king, colour, types)])
        position.checked[colour] = found
    return found


def threats(rules: Rules[Position, Move], position: Position) -> Iterator[Threat]:
    """Yield each move of the other side that captures a King; no measurement can prevent it."""
    kings = in_check(position, position.player)
    passed = replace(position, player=OTHER[position.player], ply=position.ply + 1)
    for move in rules.moves(passed) if kings else ():
        if move.end in kings:
            yield Threat(move.end, rules.write(passed, move), 1.0)
