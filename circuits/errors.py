"""The errors that circuits and backends raise; all are ``ValueError``.

A message says what was expected, what came, and where.
"""

import difflib
from collections.abc import Sequence


def unknown_name(kind: str, name: str, known: Sequence[str]) -> str:
    """Return the sentence for a name missing in a catalogue, with a suggestion."""
    near = difflib.get_close_matches(str(name).lower(), known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"no {kind} is called {name!r}; known are {', '.join(known)}{hint}"


def whole(text: str) -> str:
    """Return foreign text that UTF-8 can hold: half a surrogate pair becomes a question mark.

    >>> whole('job \\ud800'), whole('Jörg')
    ('job ?', 'Jörg')
    """
    return text.encode("utf-8", "replace").decode("utf-8")


#: the longest message, in characters: a quoted input may be a whole file
LONGEST_MESSAGE = 2000


class QchessError(ValueError):
    """The root of this project's errors."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= LONGEST_MESSAGE else message[:LONGEST_MESSAGE] + " ...")


class ProgramError(QchessError):
    """The text or its parts are not an operation, question or program."""


class BackendError(QchessError):
    """The program is valid, but this backend cannot run it."""


class UnknownBackendError(BackendError):
    """No backend has this name."""


class MissingExtraError(BackendError, ImportError):
    """The backend needs a package that is not installed; the message names the extra."""


class ImpossibleOutcomeError(BackendError):
    """An answer was forced that has probability 0."""


class LostJobError(BackendError):
    """A job ended without an answer; send another one."""


class StateTooLargeError(BackendError):
    """The operation would exceed the branch limit; nothing was changed."""
