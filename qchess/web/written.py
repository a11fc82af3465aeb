"""Encoded messages. What is sent to many is encoded once, and kept as text.

>>> board = written({"men": {}})
>>> encoded({"kind": "position", "view": board, "ply": 3})
'{"kind":"position","view":{"men":{}},"ply":3}'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_PEN = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class Written(str):
    """An encoded JSON value."""

    __slots__ = ()


def written(value: Any) -> Written:
    """Encode a JSON value."""
    return Written(_PEN.encode(value))


def encoded(message: Mapping[str, Any]) -> str:
    """Encode a message; encoded parts are inserted unchanged."""
    fields = ((key, value if isinstance(value, Written) else written(value)) for key, value in message.items())
    return "{" + ",".join(f'"{key}":{text}' for key, text in fields) + "}"
