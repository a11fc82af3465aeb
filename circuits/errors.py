"""The errors that circuits and backends raise; all are ``ValueError``.

A message says what was expected, what came, and where.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from qchess.circuits.precision import CERTAIN

if TYPE_CHECKING:
    from qchess.circuits.predicates import Predicate

F = TypeVar("F", bound=Callable[..., Any])


def unknown_name(kind: str, name: str, known: Sequence[str]) -> str:
    """Return the sentence for a name missing in a catalogue, with a suggestion."""
    said = str(name).lower().replace("_", "-")
    near = [one for one in known if len(said) > 3 and said in one] or difflib.get_close_matches(said, known, 1)
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


class CallError(QchessError, TypeError):
    """A function was called without an argument that it needs, or with one that it does not take."""


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


def checked_limit(branch_limit: int) -> int:
    """Return the branch limit if it is valid; raises otherwise."""
    if not isinstance(branch_limit, int) or branch_limit < 1:
        raise BackendError(f"a branch limit is a whole number from 1 on, got {branch_limit!r}")
    return branch_limit


def require_possible(probability: float, predicate: Predicate, answer: int) -> None:
    """Raise an error if an answer of this probability cannot be forced."""
    if answer not in (0, 1):
        raise BackendError(f"the answer to '{predicate}' is 0 or 1, got {answer!r}")
    if probability < CERTAIN:
        raise ImpossibleOutcomeError(
            f"the answer {answer} to '{predicate}' has probability {probability:.3g} and cannot be forced"
        )


def door(function: F) -> F:
    """Let a function that users call say in a sentence which arguments it takes, when it is called with others."""

    @wraps(function)
    def entered(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except TypeError as error:
            if isinstance(error, QchessError) or (said := _misfit(function, args, options)) is None:
                raise
            raise CallError(said) from None

    return cast("F", entered)


def _misfit(function: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> str | None:
    """Return what does not fit in the arguments of a call; None if all fit."""
    from inspect import signature

    taken = signature(function)
    try:
        taken.bind(*args, **options)
    except TypeError as error:
        names = [name for name in taken.parameters if name != "self"]
        is_made = function.__name__ == "__init__"
        call = f"{type(args[0]).__name__ if is_made else function.__name__}({', '.join(names)})"
        if strange := next((name for name in options if name not in names), None):
            near = difflib.get_close_matches(strange, names, 1)
            return f"{call} takes no {strange!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        missing = [name for name in names if f"{name!r}" in str(error)]
        if "missing" in str(error) and missing:
            return f"{call} needs {missing[0]!r}"
        return (
            f"{call} was given {len(args) - ('self' in taken.parameters)} arguments without a name, more than it takes"
        )
    return None
