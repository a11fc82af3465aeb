"""Outside data, read in one place that knows types and limits.

Files, records, requests and options come from elsewhere. What they hold is checked here before anything is
made of it: the size of a text, the depth of JSON, the type and the range of every value. The functions give
the value back, so that a reader is a list of what it expects:

>>> data = json_object('{"ply": 3, "moves": ["b1^a3c3"]}', 'the record')
>>> integer(data.get('ply'), "'ply'", 0, 1000), texts(data.get('moves'), "'moves'", 500, 20)
(3, ['b1^a3c3'])
"""

from __future__ import annotations

import json
import math
import re
import reprlib
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeVar

from qchess.errors import InvalidMoveError, QchessError

C = TypeVar("C")
T = TypeVar("T")
#: the most characters of a text, unless its reader says otherwise
LONGEST = 16 * 1024 * 1024
#: how deep JSON may be nested, and how many digits a number in it may have
DEEPEST, DIGITS = 64, 64
#: how much of what came a message shows
_SHOWN = 60
#: how much of a file is read at once
_CHUNK = 1 << 20
_HALF = re.compile("[\ud800-\udfff]")


class _Shown(reprlib.Repr):
    """A value as messages show it: cut short at every level, whatever it is."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = self.maxother = self.maxlong = _SHOWN

    def repr_int(self, value: int, level: int) -> str:
        """The number, or how long it is: Python refuses to write very long ones."""
        return repr(value) if value.bit_length() < 200 else f"an integer of {value.bit_length()} bits"


_shown = _Shown()


def shown(value: Any) -> str:
    """A value as a message shows it: cut short, in plain letters, and on one line."""
    if value is None:
        return "nothing"
    found = _shown.repr(value).encode("ascii", "backslashreplace").decode()
    return found if len(found) <= _SHOWN + 3 else found[:_SHOWN] + "..."


# -- files ------------------------------------------------------------------------------------------------


def file_text(path: str | Path, what: str, longest: int = LONGEST) -> str:
    """The text of a file, or of the standard input for ``-``; what is too long or no text in UTF-8 is refused."""
    try:
        if path == "-":
            found = _at_most(sys.stdin, longest)
        else:
            with Path(path).open(encoding="utf-8") as file:
                found = _at_most(file, longest)
    except FileNotFoundError as error:
        raise InvalidMoveError(f"expected a file with {what}; there is no file {str(path)!r}") from error
    except IsADirectoryError as error:
        raise InvalidMoveError(f"expected a file with {what}; {str(path)!r} is a folder") from error
    except UnicodeDecodeError as error:
        raise InvalidMoveError(f"expected a file with {what}; {str(path)!r} is no text in UTF-8") from error
    except (OSError, ValueError) as error:
        raise InvalidMoveError(f"expected a file with {what}; {str(path)!r} cannot be read: {error}") from error
    if len(found) > longest:
        raise InvalidMoveError(f"expected a file with {what}; {str(path)!r} has more than {longest} characters")
    return found


def _at_most(file: TextIO, longest: int) -> str:
    """So much of a file, or a little more if there is more; it takes no more memory than there is text."""
    parts: list[str] = []
    while longest >= 0 and (part := file.read(_CHUNK)):
        parts.append(part)
        longest -= len(part)
    return "".join(parts)


@contextmanager
def place(where: str | Path) -> Iterator[None]:
    """Name the file, or the place in it, in what is said of its content."""
    try:
        yield
    except QchessError as error:
        raise InvalidMoveError(f"{where}: {error}") from error


def each_line(path: Path, lines: Iterable[str], read: Callable[[str], T], first: int = 2) -> Iterator[T]:
    """What each line of a file holds; what is refused is told with its line."""
    for number, line in enumerate(lines, first):
        with place(f"{path}, line {number}"):
            found = read(line)
        yield found


# -- JSON -------------------------------------------------------------------------------------------------


def json_value(source: str | bytes, what: str, longest: int = LONGEST, *, finite: bool = True) -> Any:
    """The value of JSON text that is neither too long nor too deep, with each name once in an object.

    Numbers are of sane length, and `finite` unless that is not asked for.
    """
    if not isinstance(source, str | bytes):
        raise InvalidMoveError(f"expected {what} as JSON text, got {shown(source)}")
    if len(source) > longest:
        raise InvalidMoveError(f"expected {what} to have at most {longest} characters, got {len(source)}")
    try:
        plain = source.decode("utf-8") if isinstance(source, bytes) else source
        value = json.loads(
            plain, parse_constant=_no_number if finite else float, parse_int=_integer, parse_float=_number,
            object_pairs_hook=_once,
        )  # fmt: skip
    except QchessError:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidMoveError(f"expected {what} (JSON), got {shown(source)}") from error
    if _is_deep(value):
        raise InvalidMoveError(f"expected {what} to be nested at most {DEEPEST} deep, got {shown(source)}")
    return value


def json_object(source: str | bytes, what: str, longest: int = LONGEST, *, finite: bool = True) -> dict[str, Any]:
    """The object that JSON text holds."""
    return mapping(json_value(source, what, longest, finite=finite), what)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names differ."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in made if names.count(name) > 1)
        raise InvalidMoveError(f"expected each name once in an object, {shown(twice)} appears twice")
    return made


def _is_deep(value: Any) -> bool:
    """Whether there are more levels than allowed, counted level by level."""
    level = [value]
    for _ in range(DEEPEST):
        level = [item for held in level if isinstance(held, dict | list) for item in _items(held)]
        if not level:
            return False
    return True


def _items(held: dict[str, Any] | list[Any]) -> Collection[Any]:
    return held.values() if isinstance(held, dict) else held


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if len(digits) > DIGITS or not math.isfinite(value):
        raise ValueError(f"{digits[:DIGITS]} is not a usable number")
    return value


# -- values -----------------------------------------------------------------------------------------------


def mapping(value: Any, what: str) -> dict[str, Any]:
    """The value, which must be an object with texts as keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidMoveError(f"expected {what} to be a JSON object, got {shown(value)}")
    return dict(value)


def known(value: Mapping[str, Any], what: str, names: Collection[str]) -> Mapping[str, Any]:
    """The object, which must have no other fields than these."""
    for name in value:
        if name not in names:
            raise InvalidMoveError(f"expected {what} to have only the fields {', '.join(names)}; got {shown(name)}")
    return value


def items(value: Any, what: str, most: int) -> list[Any]:
    """The value, which must be a list that is not too long."""
    if not isinstance(value, list | tuple) or len(value) > most:
        raise InvalidMoveError(f"expected {what} to be a list of at most {most}, got {_sized(value)}")
    return list(value)


def _sized(value: Any) -> str:
    return f"{len(value)} of them" if isinstance(value, list | tuple) else shown(value)


def text(value: Any, what: str, longest: int) -> str:
    """The value, which must be text that is not too long; half a character, as JSON can escape it, is none."""
    if not isinstance(value, str) or len(value) > longest or _HALF.search(value):
        raise InvalidMoveError(f"expected {what} to be a text of at most {longest} characters, got {shown(value)}")
    return value


def texts(value: Any, what: str, most: int, longest: int) -> list[str]:
    """The value, which must be a list of texts."""
    return [text(item, f"each of {what}", longest) for item in items(value, what, most)]


def integer(value: Any, what: str, low: int, high: int) -> int:
    """The value, which must be an integer in a range, ends included; no boolean, no float, no text."""
    if type(value) is not int or not low <= value <= high:
        raise InvalidMoveError(f"expected {what} to be an integer from {low} to {high}, got {shown(value)}")
    return value


def number(value: Any, what: str, low: float, high: float) -> float:
    """The value, which must be a number in a range, ends included; no boolean, no text."""
    if type(value) not in (int, float) or not low <= value <= high:  # so that not-a-number is refused as well
        raise InvalidMoveError(f"expected {what} to be a number from {low:g} to {high:g}, got {shown(value)}")
    return float(value)


def flag(value: Any, what: str) -> bool:
    """The value, which must be true or false."""
    if not isinstance(value, bool):
        raise InvalidMoveError(f"expected {what} to be true or false, got {shown(value)}")
    return value


def one_of(value: Any, what: str, choices: Collection[C]) -> C:
    """The value, which must be one of these and of its type."""
    for choice in choices:
        if type(choice) is type(value) and choice == value:
            return choice
    listed = ", ".join(map(str, choices))
    raise InvalidMoveError(f"expected {what} to be one of {listed}; got {shown(value)}")


def decimal(value: str, what: str, high: int) -> int:
    """The number that plain digits write; no sign, no blank, no other script's digits."""
    if not (value.isascii() and value.isdecimal() and len(value) <= len(str(high)) and int(value) <= high):
        raise InvalidMoveError(f"expected {what} as a number from 0 to {high}, got {shown(value)}")
    return int(value)
