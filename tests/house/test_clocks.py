"""No test judges by the clock: what is compared with a time that was measured is marked `timing`, with its reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
#: the one place that waits, with a limit that only a hang reaches
WAITING = TESTS / "patience.py"
#: readings that decide nothing about a machine's speed, each with its reason
ALLOWED = {
    "bench/cheating_simulators.py": "simulators that take their time; at least that is told of them",
    "backends/quantum_engine_service.py": "a service that nobody stops ends by itself",
    "fuzz/test_parsers.py": "processor time, the least of three tries, fifteen times what it takes",
    "servers/test_fuzz.py": "processor time, the least of three tries",
}
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "thread_time", "time"}
#: a file without any of these reads no clock
READS = re.compile(rf"\btime\s*\.\s*(?:{'|'.join(CLOCKS)})\b")
#: what waits for something else, and may be told how long
WAITERS = {"communicate", "join", "result", "wait", "wait_for"}
#: a file without any of these waits for nothing: texts are joined at once
WAITS = re.compile(r"timeout|(?<![\"'])\.join\(|\.(?:communicate|result|wait|wait_for)\(")
#: seconds below which a limit is no patience
LEAST = 60
Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_clock(node: ast.AST) -> bool:
    """Whether this reads a clock: `time.monotonic()` and its like."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "time"
        and node.func.attr in CLOCKS
    )


def is_timing(node: ast.AST) -> bool:
    """Whether a function is marked `timing`."""
    marks = node.decorator_list if isinstance(node, Function) else []
    return any("pytest.mark.timing" in ast.unparse(mark) for mark in marks)


def tells_time(node: ast.AST, known: set[str]) -> bool:
    """Whether an expression reads a clock, or holds a name that does."""
    return any(is_clock(each) or (isinstance(each, ast.Name) and each.id in known) for each in ast.walk(node))


def timed(tree: ast.AST, known: set[str]) -> set[str]:
    """The names inside that hold a time or were worked out from one, with those that are known already."""
    while more := {name for node in ast.walk(tree) for name in _given(node, known)} - known:
        known = known | more
    return known


def _given(node: ast.AST, known: set[str]) -> Iterator[str]:
    """The names that a statement gives a time to."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr):
        if node.value and tells_time(node.value, known):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
    elif isinstance(node, ast.Call) and any(tells_time(each, known) for each in node.args):
        match node.func:
            case ast.Attribute(value=ast.Name(id=name), attr="append"):
                yield name


def tellers(tree: ast.Module) -> set[str]:
    """The functions of a module that return a time."""
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    found: set[str] = set()
    while more := {function.name for function in functions if _returns_time(function, found)} - found:
        found |= more
    return found


def _returns_time(function: Function, known: set[str]) -> bool:
    names = timed(function, known)
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    return any(tells_time(each, names) for each in returned)


def judged(tree: ast.Module) -> list[int]:
    """The lines of a module that compare a time, outside of what is marked `timing`."""
    lines: list[int] = []

    def visit(node: ast.AST, known: set[str]) -> None:
        if is_timing(node):
            return
        if isinstance(node, Function):
            known = timed(node, known)
        if isinstance(node, ast.Compare) and tells_time(node, known):
            lines.append(node.lineno)
        for child in ast.iter_child_nodes(node):
            visit(child, known)

    visit(tree, tellers(tree))
    return lines


def impatient(tree: ast.Module) -> list[int]:
    """The lines of a module that wait for a process, a thread or an answer, and not for long."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and any(_is_short(each) for each in _limits(node, node.func.attr))
    ]


def _limits(node: ast.Call, name: str) -> Iterator[ast.expr]:
    """What may be the limit of a call in seconds."""
    if name in WAITERS:
        yield from node.args
    if name in {*WAITERS, "run", "check_output"}:
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "timeout")


def _is_short(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and 0 < node.value < LEAST


def test_no_test_judges_by_the_clock() -> None:
    found, short = {}, {}
    for path in TESTS.rglob("*.py"):
        name, text = path.relative_to(TESTS).as_posix(), path.read_text(encoding="utf-8")
        reads, waits = READS.search(text), WAITS.search(text)
        if path == WAITING or not (reads or waits):
            continue
        tree = ast.parse(text)
        if reads and (lines := judged(tree)):
            found[name] = lines
        if waits and (lines := impatient(tree)):
            short[name] = lines
    assert found.keys() >= ALLOWED.keys(), "take it off the list of those that are allowed"
    found = {name: lines for name, lines in found.items() if name not in ALLOWED}
    assert found == {}, "count, or wait for an event with tests/patience.py; or mark it `timing` and say why"
    assert short == {}, "wait as long as PATIENCE of tests/patience.py says"


def test_a_time_is_found_wherever_it_is_compared() -> None:
    bad = ast.parse(
        "def spent():\n    start = time.monotonic()\n    return time.monotonic() - start\n"
        "def test_a():\n    took = spent()\n    assert took < 2\n"
        "def test_b():\n    all = []\n    all.append(time.perf_counter())\n    assert max(all) < 3\n"
        "def test_c():\n    while time.time() < end:\n        pass\n"
        "@pytest.mark.timing  # the floods are about time\ndef test_d():\n    assert spent() < 4\n"
        "def test_e():\n    time.sleep(1)\n    assert thread.join(20) is None\n"
    )
    assert judged(bad) == [6, 10, 12]
    assert impatient(bad) == [19]
