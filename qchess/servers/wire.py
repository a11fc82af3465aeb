"""Checks what came over the wire: JSON objects, and fields of the right type and range.

A client chooses a move, never its outcome and never its effect: fields that try are dropped and logged.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, NoReturn

from qchess.errors import QchessError

log = logging.getLogger("qchess.servers")
#: the most bytes of a body, unless a server says otherwise
BODY_LIMIT = 64 * 1024
#: fields by which clients have tried to decide what a measurement finds
FORGED = (
    "_forceMeasurement", "forceMeasurement", "force", "measurement", "measurementOutcome", "measurementPassed",
    "outcome", "outcomes", "passed", "result", "probability", "probabilities", "pieces", "amplitudes",
)  # fmt: skip
#: how much of what came a message shows
_SHOWN = 60


class RequestError(QchessError):
    """A request that is answered with an error; `status` is the HTTP status."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def parse(body: bytes) -> dict[str, Any]:
    """The JSON object of a body; an empty body is an empty object."""
    if not body:
        return {}
    try:
        data = json.loads(body.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"expected a JSON object in UTF-8, got {shown(body)}") from error
    return an_object(data, "the body")


def an_object(data: Any, what: str) -> dict[str, Any]:
    """The value, which must be a JSON object."""
    if not isinstance(data, dict):
        raise RequestError(f"expected {what} to be a JSON object, got {shown(data)}")
    return data


def integer(data: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """An integer in a range, ends included; no boolean, no float, no text."""
    value = data.get(key)
    if type(value) is not int or not low <= value <= high:
        raise RequestError(f"expected {key!r} to be an integer from {low} to {high}, got {shown(value)}")
    return value


def square(data: Mapping[str, Any], key: str) -> int:
    """A square as its number."""
    return integer(data, key, 0, 63)


def bitboard(data: Mapping[str, Any], key: str) -> int:
    """A number of 64 bits, as an integer or, since many readers round such, as decimal text."""
    value = data.get(key)
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 20:
        value = int(value)
    return integer({key: value}, key, 0, 2**64 - 1)


def text(data: Mapping[str, Any], key: str, longest: int) -> str:
    """A text that is not too long."""
    value = data.get(key)
    if not isinstance(value, str) or len(value) > longest:
        raise RequestError(f"expected {key!r} to be a text of at most {longest} characters, got {shown(value)}")
    return value


def texts(data: Mapping[str, Any], key: str, most: int, longest: int) -> list[str]:
    """A list of texts; none if the field is missing."""
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > most:
        raise RequestError(f"expected {key!r} to be a list of at most {most} texts, got {shown(value)}")
    return [text({key: item}, key, longest) for item in value]


def flag(data: Mapping[str, Any], key: str, default: bool = True) -> bool:
    """True or false; the default if the field is missing."""
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise RequestError(f"expected {key!r} to be true or false, got {shown(value)}")
    return value


def without_forged(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The object without the fields that would decide an outcome; what is dropped is logged."""
    return _kept(data, where, [key for key in data if key not in FORGED])


def only(data: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> dict[str, Any]:
    """The object's allowed fields; what is dropped is logged."""
    return _kept(data, where, [key for key in data if key in allowed])


def _kept(data: Mapping[str, Any], where: str, keys: list[str]) -> dict[str, Any]:
    if dropped := [key for key in data if key not in keys]:
        log.warning("dropped %s from %s", shown(", ".join(dropped)), where)
    return {key: data[key] for key in keys}


def shown(value: Any) -> str:
    """A value as a message shows it: cut short, and on one line."""
    found = ascii(value)
    return found if len(found) <= _SHOWN else found[:_SHOWN] + "..."


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
