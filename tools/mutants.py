"""Changes one thing of the code at a time and says which changes no test notices.

    python tools/mutants.py --count 20 --seed 1                     # anywhere in the three packages
    python tools/mutants.py --count 10 --seed 2 --under circuits    # in one room
    python tools/mutants.py --seed 1 --count 40 --list              # says what would be changed

Everything happens on a copy. A seed always gives the same mutants of the same code. Each is tried on the
tests of its room first, and on all default tests if those do not notice; `--near` leaves it at the first.
A survivor is either a gap in the tests or a change that changes nothing: only a reader can tell.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOPS = ("qchess", "circuits", "backends")
#: the start of a path -> the tests that know it best; the longest start counts
NEAR = {
    "circuits": "tests/circuits",
    "circuits/forms": "tests/circuits",
    "backends": "tests/backends tests/circuits/test_registers.py",
    "backends/devices": "tests/backends",
    "qchess": "tests/play tests/house/test_doctests.py",
    "qchess/boards": "tests/games/test_geometry.py tests/games",
    "qchess/games/quantum_chess": "tests/games tests/vectors tests/playthroughs",
    "qchess/games/quantum_chess/pgn": "tests/games/test_pgn.py tests/fuzz",
    "qchess/games/quantum_chess/protocols": "tests/servers",
    "qchess/games/quantum_chess/unitary": "tests/compat tests/servers/test_state_server.py",
    "qchess/games/piece_qubit_chess": "tests/games tests/vectors tests/playthroughs",
    "qchess/proving": "tests/play",
    "qchess/reading.py": "tests/fuzz tests/servers",
    "qchess/servers": "tests/servers",
    "qchess/showing": "tests/play tests/games",
}
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.UAdd: ast.USub, ast.USub: ast.UAdd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change: a stretch of a file, and what stands there instead."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {_short(self.before)}  ->  {_short(self.after)}"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 90 else f"{plain[:87]}..."


def _offsets(source: str) -> list[int]:
    """Where each line starts, in bytes, as the syntax tree counts columns."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """Every change of a file that is known here."""
    starts, raw = _offsets(source), source.encode()
    for node, changed in _changes(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        text = ast.unparse(changed)
        after = f"({text})" if isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare | ast.UnaryOp) else text
        yield Mutant(path, node.lineno, start, end, raw[start:end].decode(), after)


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    for node in _code(tree):
        if isinstance(node, ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp):
            yield from ((node, changed) for changed in _swapped(node))
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            value = not node.value if isinstance(node.value, bool) else node.value + 1
            yield node, ast.Constant(value)
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        elif isinstance(node, ast.AugAssign | ast.Break) or _only_acts(node):
            yield node, ast.Pass()
        elif isinstance(node, ast.Continue):
            yield node, ast.Break()


def _only_acts(node: ast.AST) -> bool:
    """Whether a statement does something and says nothing: a call, or what a generator gives."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)


def _swapped(node: ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
        return
    ops = node.ops if isinstance(node, ast.Compare) else [node.op]
    for k, op in enumerate(ops):
        if (other := SWAPS.get(type(op))) is not None:
            changed = copy.deepcopy(node)
            if isinstance(changed, ast.Compare):
                changed.ops[k] = other()  # type: ignore[call-overload]
            else:
                changed.op = other()  # type: ignore[assignment]
            yield changed


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that say what happens: no annotations, texts, messages of errors, or lists of names."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params") or isinstance(tree, ast.Raise):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and not isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom):
                yield node
                yield from _code(node)


def copied() -> Path:
    """A copy of what git tracks or would track."""
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def near(path: str) -> list[str]:
    """The tests that know a file best."""
    start = max((start for start in NEAR if path.startswith(start)), key=len)
    return NEAR[start].split()


def notices(folder: Path, tests: list[str], seconds: float) -> str | None:
    """How the tests notice that something is wrong, or None if all of them pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return f"takes more than {seconds:g} s"
    if done.returncode == 0:
        return None
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return _short(failed[0]) if failed else f"pytest ends with {done.returncode}"


def tried(folder: Path, mutant: Mutant, seconds: float, whole: bool) -> str | None:
    """How a mutant is noticed, or None; afterwards the copy is as it was."""
    file = folder / mutant.path
    original = file.read_bytes()
    file.write_bytes(original[: mutant.start] + mutant.after.encode() + original[mutant.end :])
    try:
        return notices(folder, near(mutant.path), seconds) or (notices(folder, [], 4 * seconds) if whole else None)
    finally:
        file.write_bytes(original)


def chosen(count: int, seed: int, under: list[str]) -> list[Mutant]:
    """So many mutants, the same for the same seed and code; each file as often as it has something to change."""
    found: list[Mutant] = []
    for top in TOPS:
        for file in sorted((ROOT / top).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if not under or any(path.startswith(start) for start in under):
                found += mutants(path, file.read_text(encoding="utf-8"))
    return random.Random(seed).sample(found, min(count, len(found)))


def main() -> int:
    """Tries the mutants and names the survivors; the exit code says whether there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10, help="how many mutants (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants (default 1)")
    parser.add_argument("--under", nargs="*", default=[], metavar="PATH", help="only files whose path begins so")
    parser.add_argument("--near", action="store_true", help="only the tests of the mutant's room")
    parser.add_argument("--seconds", type=float, default=240, help="the time for the tests of a room (default 240)")
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    args = parser.parse_args()
    picked = chosen(args.count, args.seed, args.under)
    if args.list:
        print(*picked, sep="\n")
        return 0
    folder, survivors, began = copied(), [], time.monotonic()
    try:
        for number, mutant in enumerate(picked, 1):
            how = tried(folder, mutant, args.seconds, not args.near)
            survivors += [] if how else [mutant]
            print(f"{number}/{len(picked)} {'killed' if how else 'LIVES '} {mutant}  {how or ''}", flush=True)
    finally:
        shutil.rmtree(folder)
    print(f"\n{len(picked) - len(survivors)} of {len(picked)} killed in {time.monotonic() - began:.0f} s; these live:")
    print(*survivors, sep="\n")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
