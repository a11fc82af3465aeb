"""Exercises of the course: the folded solution is right, wrong answers are not, and nonsense gets a sentence."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from qchess import circuits, study
from qchess.study.exercises import checking
from qchess.study.subject import StudyError

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHAPTERS = range(1, len(checking.CHAPTERS) + 1)
EXERCISES = [f"{chapter}.{number}" for chapter in CHAPTERS for number in (1, 2, 3)]
#: a wink in Hide and Seek, which does this
WINK = """None
class Wink(HideAndSeek):
    def moves(self, position): return [*super().moves(position), "wink"]
    def read(self, position, text): return (text, None) if text == "wink" else super().read(position, text)
    def turn(self, position, move): return Turn(move, Program({})) if move == "wink" else super().turn(position, move)
answer = Wink()"""
#: answers that somebody might well give; each is evaluated where the notebook's own functions are known
WRONG: dict[str, list[Any]] = {
    "1.1": ["1", "2", "6", "10**9"],
    "1.2": ["Program(iswap('b1', 'a3', 1 / 3), iswap('b1', 'c3', 0.5), iswap('b1', 'd2'))", "split('b1', 'a3', 'c3')"],
    "1.3": ["split('b1', 'a3', 'c3')", "jump('b1', 'a3')", "split('b1', 'a3', 'c3') + jump('c3', 'd5')"],
    "2.1": ["0.5", "1.0", "1 / 3"],
    "2.2": ["after('a1^a4d1')", "after('a1^a4d1 e8-e7 a4d1^d4')", "after('a1-d1')"],
    "2.3": ["Program()", "Program(z('a4', 0.5))", "Program(iswap('a4', 'd1'))", "Program(z('a4'), z('d1'))"],
    "3.1": ["0.2356", "0.3342", "0.5"],
    "3.2": ["Program(ask('b1', full('b1')))", "Program(read('place', 'a1', 'b1', 'c1', 'd1'))"],
    "3.3": ["split('a1', 'b1', 'c1')", "Program(iswap('a1', 'b1', 0.1), iswap('a1', 'c1'))", "Program()"],
    "4.1": ["'a1 d2'", "['a5', 'd2']", "'a1'", "'a1 b1'"],
    "4.2": ["after('b1^a3d2 e8-e7 a3d2^b1')", "after('b1^a3d2 e8-e7 a1-a5 e7-e8 a5-a1 e8-e7 a3d2^b1')",
            "after('b1^a3d2 e8-e7 a1-a5 e7-e8 a5-a1')", "after('b1^a3d2', START.replace('R', 'Q'))"],
    "4.3": ["after('b1^a3d2 e8-e7 a1-a5')", "after('')", "after('b1^a3d2 e8-e7 a1-a5 e7-e8 a3d2^b1')"],
    "5.1": ["1", "2", "8", "9"],
    "5.2": ["after('')", "after('b1^a3c3')", "after('b1^a3c3 e7-e6 c3^b5d5')"],
    "5.3": ["Program()", "Program(h('a'))", "ring('a', 'b', 'c', 'd')", "ring(*'abcdefghijk')"],
    "6.1": ["1", "3", "4"],
    "6.2": ["after('')", "after('b1-c3 b8-c6')", "after('c2-c3 b8-c6 c1-c2 h7-h6 c2-e4')"],
    "6.3": ["after('')", "after('b1-c3 b8-c6 c3-d5')", "after('c2-c4 b7-b6 b1-c3 c8-b7')"],
    "7.1": ["1 / 3", "2 / 3", "4 / 9"],
    "7.2": ["after()", "after('e1^e1pe2o&e5')", "after('e1^e1oe2p&e5', 'a8a7')", "after('e1^e1oe2p', 'a8a7')"],
    "7.3": [
        "join('b2', 'f4', 'h6')", "hadamard_pair('e5', 'b2')", "hadamard_pair('e5', 'b2') + hadamard_pair('f4', 'h6')",
    ],
    "8.1": ["3", "12", "7"],
    "8.2": ["Program()", "split('q0', 'q1', 'q2')", "Program(cnot('q0', 'q1'), cnot('q0', 'q2'))", "rx('q0', pi)"],
    "8.3": ["['q0', 'q3', 'q4']", "['q0', 'q3']", "['q0', 'q9']"],
    "9.1": ["0.2", "15 / 64", "0.2 * 15 / 64"],
    "9.2": ["after('b1^a3c3 e8-e7 c3-d5')", "after('b1^a3c3')", "after('')", "qchess.new('quantum-chess')"],
    "9.3": ["lambda read: True", "lambda read: read.count('1') == 2", "lambda read: read == '001100'"],
    "10.1": ["36", "40", "34", "10**30"],
    "10.2": ["Program(h('q0'), *(cnot('q0', f'q{k}') for k in range(1, 8)))", "bench.family('filled', 8, 0).program",
             "Program(*(cnot(f'q{k}', f'q{k + 1}') for k in range(7)))"],
    "10.3": ["bench.family('linked_slides', 5).program", "Program(*(h(f'q{k}') for k in range(24)))",
             "Program(*(gate for k in range(12) for gate in (h(f'a{k}'), cnot(f'a{k}', f'b{k}'))))",
             "Program(h('q0'), *(cnot(f'q{k}', f'q{k + 1}') for k in range(23)))", "bench.family('cat', 90).program"],
    "11.1": ["30", "10**9", "33"],
    "11.2": [
        "Program(h('q0'))", "Program(*(h(f'q{k}') for k in range(60)))", "Program(ask('q0?', full('q0')))",
        "Program(*(h(f'q{k}') for k in range(9)), *(cz('q0', f'q{k}') for k in range(1, 9)))",
        "Program(h('q0'), *(cnot('q0', f'q{k}') for k in range(1, 30)))",
    ],
    "11.3": [
        "Program(*(h(f'q{k}') for k in range(4)), *(cnot(f'q{k}', f'q{k + 4}') for k in range(4)))",
        "Program(*(h(f'q{k}') for k in range(8)), *(cz(f'q{k}', f'q{k + 1}') for k in range(7)))",
        "Program(h('q0'), *(cnot('q0', f'q{k}') for k in range(1, 8)))",
    ],
    "12.1": ["3 / 4", "1 / 16", "1 / 4"],
    "12.2": ["lambda first, second: sum(p for p, _ in first)", "lambda first, second: None", "lambda first: 1",
             "lambda first, second: sum(p * q for p, v in first for q, w in second if v >= w)"],
    "12.3": ["([(0.75, 1.0), (0.25, 0.0)], [(1.0, 0.9)])", "([(0.7, 1.0), (0.3, 0.0)], [(1.0, 0.99)])",
             "([(0.75, 1.0)], [(1.0, 0.95)])", "([(1.0, 2.0)], [(1.0, 0.5)])"],
    "13.1": ["2", "6", "1", "10**6"],
    "13.2": ["HideAndSeek()", *map(WINK.format, ("", "z('a1', 0.5)", "iswap('a1', 'b1')", "read('m', 'a1')"))],
    "13.3": [f"qchess.Game(MyGame(), seed=1)\nfor move in '{moves}'.split(): answer.play(move)" for moves in (
             "", "a1b1 a1b1", "a1b1 c1a2 b2c2 a3b3", "a1b1 b1c1 c1a2 a2b2 b2c2 c2a3 a3b3 b3c3")],
    "14.1": ["1", "3", "1.585", "0.811"],
    "14.2": list(map(str, ({"kind": "move", "ply": 3, "text": "b8-c6"}, {"kind": "move", "ply": 0, "text": "b8^a6c6"},
             {"kind": "move", "ply": 3, "text": "b1^a3c3"}, {"kind": "move", "ply": 3}, {"kind": "odds"}))),
    "14.3": [f"qchess.new('quantum-chess', seed=1)\nfor move in '{moves}'.split(): answer.play(move)" for moves in (
             "", "b1^a3c3", "b1^a3c3 f7-f6 c3^b5e4 h7-h6 e4-f6.m0")],
    "15.1": ["0.8", "0.8 - 3 / 8", "0.8 * 3 / 8"],
    "15.2": ["after(LINE, 'sparse-shots')", "after(LINE + ' e4-d6', 'sparse-shots')"],
    "15.3": ["after(LINE + ' e4-d6', 'sparse-shots')", "after(LINE + ' e4-d6', 'sparse')"],
    "16.1": ["'splits-9'", "['splits-9', 'cat-12']", "'splits-9, dense-8-3, linked-slides-2'", "'dense'"],
    "16.2": ["simulate", "lambda circuit: np.zeros(2**circuit.wires)", "lambda circuit: [1, 0]", "lambda: 0"],
    "16.3": ["simulate", "lambda circuit: {0: 1}", "lambda c: {k: v.conjugate() for k, v in simulate(c).items()}"],
}  # fmt: skip


def cells_of(chapter: int) -> list[tuple[str, str]]:
    """The cells of a notebook, counted from 1: their kind and their source."""
    cells = json.loads(NOTEBOOKS[chapter - 1].read_text(encoding="utf-8"))["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in cells]


@cache
def names_of(chapter: int) -> dict[str, Any]:
    """What a notebook imports and defines: names in capitals, functions and classes; nothing else is run."""
    kept = []
    for kind, source in cells_of(chapter):
        for node in ast.parse(source).body if kind == "code" else ():
            constant = isinstance(node, ast.Assign) and all(
                isinstance(name, ast.Name) and name.id.isupper() for name in node.targets
            )
            if constant or isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
                kept.append(node)
    known: dict[str, Any] = {}
    exec(compile(ast.Module(kept, []), f"notebook {chapter}", "exec"), known)
    return known


def exercise_of(exercise: str) -> tuple[str, str]:
    """The variable that an exercise asks for, and its folded solution."""
    cells = cells_of(int(exercise.split(".")[0]))
    places = [at for at, (_, source) in enumerate(cells) if f'study.check("{exercise}", ' in source]
    assert len(places) == 1, f"expected one cell that checks {exercise}"
    place = places[0]
    asked = re.search(rf'^(\w+) = \.\.\.\nstudy\.check\("{exercise}", \1\)$', cells[place][1], re.MULTILINE)
    assert asked, f'{exercise} asks by "name = ..." and study.check("{exercise}", name)'
    folded = re.match(
        r"<details>\n<summary>(?:A s|S)olution</summary>\n\n.*?```python\n(.*)\n```\n.*</details>",
        cells[place + 1][1],
        re.DOTALL,
    )
    assert cells[place + 1][0] == "markdown"
    assert folded, f"a folded solution follows exercise {exercise}"
    return asked[1], folded[1]


def in_place(exercise: str, source: str, name: str) -> Any:
    """What a name is, once this was run in the notebook."""
    known = vars(circuits) | names_of(int(exercise.split(".")[0]))
    exec(source, known)
    return known[name]


def test_each_notebook_has_three_exercises() -> None:
    assert [path.stem.partition("_")[2] for path in NOTEBOOKS] == list(checking.CHAPTERS)
    assert set(WRONG) == set(EXERCISES)
    for chapter in CHAPTERS:
        assert len(checking.exercises_of(chapter)) == 3
        told = re.findall(r'study\.check\("([\d.]+)"', "\n".join(source for _, source in cells_of(chapter)))
        assert told == [f"{chapter}.{number}" for number in (1, 2, 3)]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_folded_solution_is_right_and_wrong_answers_are_not(exercise: str) -> None:
    name, solution = exercise_of(exercise)
    verdict = study.check(exercise, in_place(exercise, solution, name))
    assert verdict, verdict
    assert re.fullmatch(rf"{exercise} is right\. [A-Z].*\.", repr(verdict), re.DOTALL)
    assert len(WRONG[exercise]) >= 2
    for wrong in WRONG[exercise]:
        verdict = study.check(exercise, in_place(exercise, f"answer = {wrong}", "answer"))
        assert not verdict, wrong
        assert re.fullmatch(rf"{exercise} is not right yet\. [A-Z].*", repr(verdict), re.DOTALL), verdict


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_answer_and_nonsense_get_a_sentence_that_says_what_is_expected(exercise: str) -> None:
    kind = checking.find(exercise).kind.name
    assert str(study.check(exercise, ...)) == f"{exercise} has no answer yet: replace the dots by {kind}."
    for nonsense in (None, object(), b"x", {}, [[]], float("nan"), True):
        assert not study.check(exercise, nonsense)
    assert f"expected {kind}; got None." in str(study.check(exercise, None))


def test_what_is_no_exercise_is_named() -> None:
    for wrong in ("2", "0.1", "2.0", "2.4", "99.1", "x.y", "²‌.1", 2.1j, None):
        with pytest.raises(StudyError, match="expected an exercise of the course"):
            study.check(wrong, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_notebook_says_its_claim_and_lets_its_reader_predict_and_change_something(chapter: int) -> None:
    cells = cells_of(chapter)
    prose = "\n\n".join(source for kind, source in cells if kind == "markdown")
    assert "**Predict.**" in prose
    for at, (kind, source) in enumerate(cells):
        if kind == "markdown" and "**Predict.**" in source:
            assert cells[at + 1][0] == "code", "what is predicted is run next"
    assert sum("# change this number" in source for kind, source in cells if kind == "code") == 1
    assert prose.count("$$") in range(2, 100, 2), "the claim as a formula"
    assert "../docs/references.md#" in prose


def test_every_reference_leads_to_an_entry_of_the_list() -> None:
    entries = set(re.findall(r'<a id="([\w-]+)"></a>', (ROOT / "docs/references.md").read_text(encoding="utf-8")))
    cited = {
        mark for notebook in NOTEBOOKS for mark in re.findall(r"references\.md#([\w-]+)", notebook.read_text("utf-8"))
    }
    assert cited <= entries


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_path_says_minutes_what_is_needed_and_what_is_next(chapter: int) -> None:
    """The line under the title, which the index repeats."""
    first, *_, last = [source for kind, source in cells_of(chapter) if kind == "markdown"]
    said = re.search(r"^\*(\d+) minutes\. (Needs .*|Needs nothing)\.\*$", first, re.MULTILINE)
    assert said, "*12 minutes. Needs [1](01_....ipynb) and [2](02_....ipynb).*"
    needed = [int(number) for number in re.findall(r"\[(\d+)\]\(\d\d_\w+\.ipynb\)", said[2])]
    assert needed == [number for number in range(1, chapter) if number in needed]
    assert chapter == len(NOTEBOOKS) or re.search(r"\*\*Next\.\*\* .*\]\(\d\d_\w+\.ipynb\)", last)
    row = next(
        line
        for line in (ROOT / "notebooks/README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| {chapter} |")
    )
    assert row.split("|")[4:6] == [f" {said[1]} ", f" {', '.join(map(str, needed)) or '-'} "]
