"""What comes over the wire: JSON objects whose fields `qchess.reading` checks, without what is forged.

A client chooses a move, never its outcome and never its effect: fields that try are dropped and logged.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from qchess import reading
from qchess.errors import QchessError
from qchess.reading import shown

log = logging.getLogger("qchess.servers")
#: the most bytes of a body, unless a server says otherwise
BODY_LIMIT = 64 * 1024
#: fields by which clients have tried to decide what a measurement finds
FORGED = (
    "_forceMeasurement", "forceMeasurement", "force", "measurement", "measurementOutcome", "measurementPassed",
    "outcome", "outcomes", "passed", "result", "probability", "probabilities", "pieces", "amplitudes",
)  # fmt: skip


class RequestError(QchessError):
    """A request that is answered with an error; `status` is the HTTP status."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def parse(body: bytes) -> dict[str, Any]:
    """The JSON object of a body; an empty body is an empty object."""
    return reading.json_object(body, "the body", max(len(body), 1)) if body else {}


def an_object(data: Any, what: str) -> dict[str, Any]:
    """The value, which must be a JSON object."""
    return reading.mapping(data, what)


def integer(data: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """An integer in a range, ends included; no boolean, no float, no text."""
    return reading.integer(data.get(key), repr(key), low, high)


def square(data: Mapping[str, Any], key: str) -> int:
    """A square as its number."""
    return integer(data, key, 0, 63)


def bitboard(data: Mapping[str, Any], key: str) -> int:
    """A number of 64 bits, as an integer or, since many readers round such, as decimal text."""
    value, most = data.get(key), 2**64 - 1
    return reading.decimal(value, repr(key), most) if isinstance(value, str) else integer(data, key, 0, most)


def text(data: Mapping[str, Any], key: str, longest: int) -> str:
    """A text that is not too long."""
    return reading.text(data.get(key), repr(key), longest)


def texts(data: Mapping[str, Any], key: str, most: int, longest: int) -> list[str]:
    """A list of texts; none if the field is missing."""
    value = data.get(key)
    return [] if value is None else reading.texts(value, repr(key), most, longest)


def flag(data: Mapping[str, Any], key: str, default: bool = True) -> bool:
    """True or false; the default if the field is missing."""
    return reading.flag(data.get(key, default), repr(key))


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


__all__ = [
    "BODY_LIMIT", "FORGED", "RequestError", "an_object", "bitboard", "flag", "integer", "only", "parse", "shown",
    "square", "text", "texts", "without_forged",
]  # fmt: skip
