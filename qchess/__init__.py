"""qchess: quantum board games on quantum circuits.

>>> import qchess
>>> game = qchess.new('quantum-chess', seed=7)
>>> game.play('b1^a3c3').text
'b1^a3c3'
"""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from qchess import _early as _early  # isort: skip (before all others)
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
from qchess.foreign import missing as _missing
from qchess.outcome import Outcome
from qchess.playing.game import Game, Played, new
from qchess.playing.record import Record
from qchess.playing.replaying import load, replay
from qchess.rules import Result, Rules, Turn
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
#: subpackages available without a second import, each loaded on first use
_ROOMS = (
    "arena",
    "backends",
    "boards",
    "circuits",
    "compat",
    "games",
    "lessons",
    "playing",
    "proving",
    "showing",
    "study",
    "testing",
)


def __getattr__(name: str) -> _ModuleType:
    if name in _ROOMS:
        return _import_module(f"qchess.{name}")
    raise _missing("qchess", name)


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, "errors", "__version__"})
