"""Encoded messages. What is sent to many is encoded once, and kept as text.

>>> board = json_text({"men": {}})
>>> encoded({"kind": "position", "view": board, "ply": 3})
'{"kind":"position","view":{"men":{}},"ply":3}'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class JsonText(str):
    """An encoded JSON value."""

    __slots__ = ()


def json_text(value: Any) -> JsonText:
    """Encode a JSON value."""
    return JsonText(_ENCODER.encode(value))


def encoded(message: Mapping[str, Any]) -> str:
    """Encode a message; encoded parts are inserted unchanged."""
    fields = ((key, value if isinstance(value, JsonText) else json_text(value)) for key, value in message.items())
    return "{" + ",".join(f'"{key}":{text}' for key, text in fields) + "}"
