"""The three kinds of error: not a move, not legal here, not possible there. All are ``ValueError``."""

from qchess.circuits.errors import (
    BackendError,
    CallError,
    ImpossibleOutcomeError,
    MissingExtraError,
    ProgramError,
    QchessError,
    StateTooLargeError,
    UnknownBackendError,
)


class InvalidMoveError(QchessError):
    """The text is not a move in any position; or not a readable record, FEN or option."""


class IllegalMoveError(QchessError):
    """A move, but not a legal one in this position.

    `where` is the position as text; `plain` is the message without it, for users who see the board.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{message}; in {where}" if where else message)
        self.plain = message


class AmbiguousMoveError(IllegalMoveError):
    """The text fits more than one legal move."""


class UnknownGameError(QchessError):
    """No game has this name."""


class NoSuchGameError(QchessError, FileNotFoundError):
    """No game is kept in a file of this name."""


__all__ = [
    "AmbiguousMoveError",
    "BackendError",
    "CallError",
    "IllegalMoveError",
    "ImpossibleOutcomeError",
    "InvalidMoveError",
    "MissingExtraError",
    "NoSuchGameError",
    "ProgramError",
    "QchessError",
    "StateTooLargeError",
    "UnknownBackendError",
    "UnknownGameError",
]
