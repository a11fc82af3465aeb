"""Options as they are written behind names and in commands: ``name,key=value,key=value``.

A value is JSON, or True, False, None, or a number as Python writes it; everything else is a text. A text in double
quotes stays one, whatever it holds.

>>> named('aer-noisy,shots=500,strategy=replay', 'backend', ValueError)
('aer-noisy', {'shots': 500, 'strategy': 'replay'})
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

#: words as Python and as JSON have them
WORDS = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}
#: a text with more brackets is no value of lists in lists
MOST_BRACKETS = 64


def value(text: str) -> Any:
    """Return the value that a text writes.

    >>> [value(text) for text in ('5', '.5', 'true', 'None', '[1]', '"5"', 'NaN', '8/8 w')]
    [5, 0.5, True, None, [1], '5', 'NaN', '8/8 w']
    """
    if text in WORDS:
        return WORDS[text]
    if text[:1].isalpha() and not text[-1].isspace():  # no number and nothing else of JSON begins so
        return text
    for kind in (int, _finite, _of_json):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _of_json(text: str) -> Any:
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise ValueError("too deep")
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def _finite(text: str) -> float:
    return number if math.isfinite(number := float(text)) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def option(text: str, expected: str, error: type[Exception]) -> tuple[str, Any]:
    """Return the name and the value that ``key=value`` writes; what was expected stands in the error."""
    key, sign, written = text.partition("=")
    if not sign or not key.isidentifier():
        raise error(f"{expected}, got {text!r}")
    return key, value(written)


def collected(texts: Iterable[str], expected: str, error: type[Exception]) -> dict[str, Any]:
    """Return the options that these texts write, each given once."""
    found: dict[str, Any] = {}
    for key, given in (option(text, expected, error) for text in texts):
        if key in found:
            raise error(f"expected each setting once, got {key}={found[key]} and {key}={given}")
        found[key] = given
    return found


def named(text: str, kind: str, error: type[Exception]) -> tuple[str, dict[str, Any]]:
    """Return a name of this kind of thing, and the options behind it."""
    name, *texts = text.split(",")
    return name, collected(texts, f"options follow a {kind}'s name as ',KEY=VALUE'", error) if texts else {}


def with_options(name: str, options: Mapping[str, Any]) -> str:
    """Return a name from which `named` reads these options; those without a plain value are left out.

    >>> with_options('aer-noisy', {'strategy': 'replay', 'shots': 500, 'note': '5, or 6', 'number': '5'})
    'aer-noisy,note="5\\\\u002c or 6",number="5",shots=500,strategy=replay'
    """
    plain = {key: given for key, given in sorted(options.items()) if isinstance(given, int | float | str | None)}
    return ",".join([name, *(f"{key}={_written(given)}" for key, given in plain.items())])


def _written(given: float | str | None) -> str:
    text = str(given)
    if isinstance(given, str) and ("," in text or value(text) != text):
        return json.dumps(text).replace(",", "\\u002c")
    return text
