"""Turn the error of a refused command into one sentence: what was expected, what came, what to do."""

from __future__ import annotations

import difflib
import errno
import re

#: a longer word is cut short
LONGEST_WORD, SHOWN = 300, 60
_NUMBERS = {"int": "a whole number", "float": "a number"}
_CHOICE = re.compile(r"invalid choice: ('.*'|\".*\") \(choose from (.*)\)", re.DOTALL)
_VALUE = re.compile(r"invalid (int|float) value: ")


def plain(message: str) -> str:
    """Return a message of argparse in our style.

    >>> plain("argument --seed: invalid int value: 'x'")
    "argument --seed: expected a whole number, got 'x'"
    """
    message = _VALUE.sub(lambda found: f"expected {_NUMBERS[found[1]]}, got ", message)
    return _CHOICE.sub(_choice, message)


def _choice(found: re.Match[str]) -> str:
    came, known = found[1], [name.strip("' ") for name in found[2].split(",")]
    near = difflib.get_close_matches(came[1:-1].lower(), known, 1)
    return f"expected one of {', '.join(known)}; got {came}{f', did you mean {near[0]!r}?' if near else ''}"


def sentence(error: Exception) -> str:
    """Return why a command was refused, on one line, with overlong parts cut."""
    said = _of_system(error) if isinstance(error, OSError) and error.errno else str(error)
    if isinstance(error, UnicodeDecodeError):
        said = "expected text in UTF-8, got other bytes"
    words = (word if len(word) <= LONGEST_WORD else f"{word[:SHOWN]}..." for word in said.split())
    return " ".join(words)


def _of_system(error: OSError) -> str:
    """Return the system's reason, with the name of the file and without the error number."""
    name = "the output" if error.filename is None else repr(str(error.filename))
    why = (error.strerror or type(error).__name__).lower()
    return {
        errno.ENOENT: f"there is no file or folder {name}",
        errno.EISDIR: f"expected a file, {name} is a folder",
        errno.ENOTDIR: f"expected a folder, a part of {name} is a file",
        errno.EEXIST: f"{name} exists already; no file is overwritten",
        errno.EACCES: f"{name} may not be read or written: {why}",
        errno.EPERM: f"{name} may not be read or written: {why}",
        errno.EROFS: f"{name} cannot be written: {why}",
        errno.ENOSPC: f"{name} cannot be written: {why}",
    }.get(error.errno or 0, f"{name} cannot be used: {why}")
