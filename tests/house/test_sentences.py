"""What the program prints or shows is found by tools/sentences.py, and holds none of the worst words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tools import sentences

#: phrases that no printed sentence may hold; the tool's --marks has more, to be judged by a reader
WORST = re.compile(
    r"\bsurely\b|\ban odd (?!number|length|count|one|roll)|in the same dress"
    r"|\w\(s\)(?![.\w])",
    re.IGNORECASE,
)
PLANTED = '''
"""Explain a thing.

More of it.
"""
import argparse

HINT = {"a": "press the small button"}

def go(name, plotted):
    """Play one thing."""
    if name == "this is compared only":
        raise ValueError(
            f"expected a short name, got {name!r}; "
            "see the list"
        )
    argparse.ArgumentParser(description="plays games").add_argument("x", help="seed")
    print("it is", name + " of the day")
    plotted.set_title("the first title")
'''


def planted(folder: Path, name: str, text: str) -> list[tuple[int, str, str]]:
    """Line, kind and text of what is found in a file."""
    (folder / name).write_text(text, encoding="utf-8")
    return [(found.line, found.kind, found.text) for found in sentences.of_file(folder / name)]


def test_each_kind_of_sentence_is_found_where_it_stands(tmp_path: Path) -> None:
    assert planted(tmp_path, "a.py", PLANTED) == [
        (2, "docstring", "Explain a thing."),
        (8, "text", "press the small button"),
        (11, "docstring", "Play one thing."),
        (14, "error", "expected a short name, got {name}; see the list"),
        (17, "help", "plays games"),
        (17, "help", "seed"),
        (18, "print", "it is"),
        (18, "print", "{name} of the day"),
        (19, "label", "the first title"),
    ]
    page = '<p title="Turn the board">Play</p>\n<script>let words = 1;</script>'
    assert planted(tmp_path, "a.html", page) == [(1, "page", "Turn the board"), (1, "page", "Play")]
    script = '// not this one\nconst a = s.replace(/"/g, "x");\nhtml("p", {}, `You play ${player}.`, "Resign", "move");'
    assert planted(tmp_path, "a.js", script) == [(3, "page", "You play ${player}."), (3, "page", "Resign")]
    lesson = '{"id": "x",\n "task": ["Send it to a3.",\n "Send it to a3."]}'
    assert [line for line, *_ in planted(tmp_path, "a.json", lesson)] == [2, 3]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("it surely stands there", "certain"),
        ("1 pages are open", "count"),
        ("the page(s) are open", "count"),
        ("with .5 of it", "0.5"),
        ("say how " + "very " * 20 + "long it is", "words in a sentence"),
    ],
)
def test_a_sentence_that_breaks_a_rule_is_marked(text: str, rule: str) -> None:
    assert any(rule in mark for mark in sentences.Sentence("a.py", 1, "text", text).marks())
    assert not sentences.Sentence("a.py", 1, "text", "The game begins. 2 pages are open.").marks()


@pytest.mark.slow
def test_printed_sentences_hold_none_of_the_worst_words() -> None:
    found = sentences.sentences()
    counted = Counter(sentence.kind for sentence in found)
    assert min(counted[kind] for kind in ("error", "page", "lesson", "text")) > 300
    assert min(counted[kind] for kind in ("help", "print", "label")) > 30
    assert [str(each) for each in found if each.kind != "docstring" and WORST.search(each.text)] == []
