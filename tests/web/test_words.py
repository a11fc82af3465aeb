"""The page's words agree with the program's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import qchess
from qchess.wording import percent

PROBABILITIES = [0.0, 1e-10, 1e-5, 0.0009, 0.009, 0.01, 1 / 3, 0.125, 3 / 16, 0.5, 0.7305, 0.99, 0.994, 0.9996, 1.0]
WRITTEN = """async (all) => { const { percent } = await import('/static/wording.js');
return all.map((p) => [percent(p), percent(p, 1)]); }"""


def test_the_page_writes_percent_as_the_program_does(alone: Callable[..., Any]) -> None:
    page = alone(qchess.new("quantum-tic-tac-toe", seed=1))
    assert page.evaluate(WRITTEN, PROBABILITIES) == [[percent(p), percent(p, 1)] for p in PROBABILITIES]
