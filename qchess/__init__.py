"""qchess: quantum board games on quantum circuits.

>>> import qchess
>>> game = qchess.new('quantum-chess', seed=7)
>>> game.play('b1^a3c3').text
'b1^a3c3'
"""

from qchess import _checkout as _checkout
from qchess.errors import (
    AmbiguousMoveError,
    BackendError,
    IllegalMoveError,
    ImpossibleOutcomeError,
    InvalidMoveError,
    QchessError,
    StateTooLargeError,
)
from qchess.playing.game import Game, Played, new
from qchess.playing.record import Record
from qchess.playing.retelling import load, replay
from qchess.rules import Outcome, Result, Rules, Turn
from qchess.version import __version__ as __version__

__all__ = [
    "AmbiguousMoveError",
    "BackendError",
    "Game",
    "IllegalMoveError",
    "ImpossibleOutcomeError",
    "InvalidMoveError",
    "Outcome",
    "Played",
    "QchessError",
    "Record",
    "Result",
    "Rules",
    "StateTooLargeError",
    "Turn",
    "load",
    "new",
    "replay",
]
