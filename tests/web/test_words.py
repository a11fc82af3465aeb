"""The page's words agree with the program's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import qchess
from qchess.web.studies import inlining
from qchess.wording import percent
from tests.web.conftest import STATIC

PROBABILITIES = [0.0, 1e-10, 1e-5, 0.0009, 0.009, 0.01, 1 / 3, 0.125, 3 / 16, 0.5, 0.7305, 0.99, 0.994, 0.9996, 1.0]
WRITTEN = """async (all) => { const { percent } = await import('/static/wording.js');
return all.map((p) => [percent(p), percent(p, 1)]); }"""


def test_the_page_writes_percent_as_the_program_does(alone: Callable[..., Any]) -> None:
    page = alone(qchess.new("quantum-tic-tac-toe", seed=1))
    assert page.evaluate(WRITTEN, PROBABILITIES) == [[percent(p), percent(p, 1)] for p in PROBABILITIES]


def test_scripts_travel_without_comments_and_lose_nothing_else() -> None:
    for file in STATIC.glob("*.js"):
        text = file.read_text(encoding="utf-8")
        sent = inlining.bare(text)
        assert sent.count("\n") == text.count("\n"), "lines keep their numbers"
        assert "/**" not in sent
        kept, gone = sent.splitlines(), text.splitlines()
        for after, before in zip(kept, gone, strict=True):
            code = re.sub(r"/\*\*.*?\*/", "", before)
            inside = "*/" in code or "/**" in code or not after
            assert after == code or inside or before.lstrip().startswith("//"), f"{file.name}: {before}"
        for start in (line.partition("/**")[0] for line in gone if "/**" in line):
            assert start.count('"') % 2 == 0, f"{file.name}: no text looks like a comment"
