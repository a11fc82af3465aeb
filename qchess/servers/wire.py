"""Requests: JSON objects whose fields `qchess.reading` checks, without forged fields.

A client chooses a move, never its outcome or effect: such fields are dropped and logged.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from qchess import reading
from qchess.errors import QchessError
from qchess.reading import shown

log = logging.getLogger("qchess.servers")
#: the default limit of a body in bytes
BODY_LIMIT = 64 * 1024
#: fields by which clients have tried to choose a measurement's outcome
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
    """Return the JSON object of a body; an empty body is an empty object."""
    return reading.json_object(body, "the body", max(len(body), 1)) if body else {}


def an_object(data: Any, what: str) -> dict[str, Any]:
    """Return the value, which must be a JSON object."""
    return reading.mapping(data, what)


def integer(data: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """Return an integer in a range, ends included; no boolean, float or text."""
    return reading.integer(data.get(key), repr(key), low, high)


def square(data: Mapping[str, Any], key: str) -> int:
    """Return a square as its number."""
    return integer(data, key, 0, 63)


def bitboard(data: Mapping[str, Any], key: str) -> int:
    """Return a 64-bit number, given as an integer or as decimal text, since many readers round large integers."""
    value, most = data.get(key), 2**64 - 1
    return reading.decimal(value, repr(key), most) if isinstance(value, str) else integer(data, key, 0, most)


def text(data: Mapping[str, Any], key: str, longest: int) -> str:
    """Return a text that is not too long."""
    return reading.text(data.get(key), repr(key), longest)


def texts(data: Mapping[str, Any], key: str, most: int, longest: int) -> list[str]:
    """Return a list of texts; empty if the field is missing."""
    value = data.get(key)
    return [] if value is None else reading.texts(value, repr(key), most, longest)


def flag(data: Mapping[str, Any], key: str, default: bool = True) -> bool:
    """Return True or False; the default if the field is missing."""
    return reading.flag(data.get(key, default), repr(key))


def without_forged(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the object without the fields that would choose an outcome; dropped fields are logged."""
    return _kept(data, where, [key for key in data if key not in FORGED])


def only(data: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> dict[str, Any]:
    """Return the object's allowed fields; dropped fields are logged."""
    return _kept(data, where, [key for key in data if key in allowed])


def _kept(data: Mapping[str, Any], where: str, keys: list[str]) -> dict[str, Any]:
    if dropped := [key for key in data if key not in keys]:
        log.warning("dropped %s from %s", shown(", ".join(dropped)), where)
    return {key: data[key] for key in keys}


__all__ = [
    "BODY_LIMIT", "FORGED", "RequestError", "an_object", "bitboard", "flag", "integer", "only", "parse", "shown",
    "square", "text", "texts", "without_forged",
]  # fmt: skip
