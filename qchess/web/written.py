"""Messages as they go over the wire. What many are told is written once, and is kept as text.

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
    """A JSON value that is written already."""

    __slots__ = ()


def written(value: Any) -> Written:
    """A JSON value as text."""
    return Written(_PEN.encode(value))


def encoded(message: Mapping[str, Any]) -> str:
    """A message as text; what is written already goes in as it is."""
    fields = ((key, value if isinstance(value, Written) else written(value)) for key, value in message.items())
    return "{" + ",".join(f'"{key}":{text}' for key, text in fields) + "}"
