"""Which cases of a family stay in the check, and which only the long form has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(number: int, cases: Iterable[Any]) -> list[Any]:
    """The first of so many cases as it is, and so on; the others belong to the long form."""
    found = []
    for place, case in enumerate(cases):
        values = case if isinstance(case, tuple) else (case,)
        found.append(pytest.param(*values, marks=[pytest.mark.long] if place % number else []))
    return found
