"""The replay form of a game: its start, and its moves with their measurements.

``position startpos moves ...`` or ``position pqfen <seven fields> moves ...``
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qchess.errors import InvalidMoveError
from qchess.games.piece_qubit_chess.profile import TEXT
from qchess.games.piece_qubit_chess.rules import PieceQubitChess

if TYPE_CHECKING:
    from qchess.backends import Backend
    from qchess.playing.game import Game


def write_replay(game: Game[Any, Any]) -> str:
    """Return the game in replay form."""
    rules = game.rules
    assert isinstance(rules, PieceQubitChess), "the replay form is that of piece-qubit chess"
    usual = rules.profile == TEXT and rules.is_usual_start
    start = "startpos" if usual else f"pqfen {rules.pqfen(rules.start(game.backend.engine))}"
    return " ".join(["position", start, "moves", *(played.text for played in game.history)])


def replay(text: str, backend: Backend | None = None) -> Game[Any, Any]:
    """Replay a game in replay form; a move that measures must give its result.

    >>> game = replay('position startpos moves b1-c3 g8-h6')
    >>> write_replay(game)
    'position startpos moves b1-c3 g8-h6'
    """
    from qchess.playing.replaying import replayed

    head, _, moves = text.partition(" moves")
    words = head.split()
    if words == ["position", "startpos"]:
        rules = PieceQubitChess()
    elif words[:2] == ["position", "pqfen"]:
        rules = PieceQubitChess(position=" ".join(words[2:]))
    else:
        expected = "'position startpos moves ...' or 'position pqfen <seven fields> moves ...'"
        raise InvalidMoveError(f"expected {expected}, got {text!r}")
    return replayed(rules, moves.split(), backend)
