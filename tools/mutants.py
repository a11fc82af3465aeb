"""Changes one thing of the code at a time and says which changes no test notices.

    python tools/mutants.py --count 20 --seed 1                     # anywhere in the three packages
    python tools/mutants.py --count 10 --seed 2 --under circuits    # in one room
    python tools/mutants.py --seed 1 --count 40 --list              # says what would be changed
    python tools/mutants.py --count 150 --near --journal FILE       # can be stopped, and goes on where it was

Everything happens on a copy. A seed always gives the same mutants of the same code. Each is tried on the
tests of its room first, and on all default tests if those do not notice; `--near` leaves it at the first. With a
journal whatever was tried is not tried again; without `--near` then, what lived near is tried on all tests.
A survivor is either a gap in the tests or a change that changes nothing: only a reader can tell.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import resource
import shutil
import signal
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
    "circuits": "tests/circuits tests/house/test_doctests.py",
    "circuits/compiling": "tests/circuits/test_compiler.py tests/circuits/test_decompositions.py tests/circuits",
    "circuits/forms": "tests/circuits/test_export.py tests/circuits/test_programtext.py tests/circuits/test_diagram.py "
    "tests/house/test_gaps.py tests/circuits",
    "circuits/kernels": "tests/kernels",
    "backends": "tests/backends tests/circuits/test_registers.py",
    "backends/sparse": "tests/backends/test_sparse.py tests/backends/test_engines.py tests/circuits/test_registers.py "
    "tests/backends/test_programs_at_once.py tests/house/test_gaps.py",
    "backends/sparse/sampler.py": "tests/backends/test_devices.py tests/backends/test_twirling.py",
    "backends/dense": "tests/backends/test_engines.py tests/backends/test_programs_at_once.py",
    "backends/proving": "tests/backends/test_engines.py tests/house/test_gaps.py",
    "backends/devices": "tests/backends",
    "backends/qrng": "tests/qrng",
    "qchess": "tests/play tests/house/test_doctests.py",
    "qchess/arena": "tests/arena",
    "qchess/bench": "tests/bench",
    "qchess/boards": "tests/games/test_geometry.py tests/games/test_spellings.py tests/games",
    "qchess/commands": "tests/play/test_commands.py tests/play/test_first_minutes_commands.py tests/sessions "
    "tests/play tests/arena tests/servers",
    "qchess/commands/bench.py": "tests/bench/test_corpus_command.py tests/bench",
    "qchess/commands/experiment.py": "tests/arena",
    "qchess/games/quantum_checkers": "tests/games/test_quantum_checkers_rules.py "
    "tests/games/test_quantum_checkers_examples.py tests/games/test_quantum_checkers_core.py tests/vectors "
    "tests/playthroughs tests/games/test_stories.py tests/arena/test_experiments.py tests/games/test_spellings.py",
    "qchess/games/niels_chess": "tests/games/test_niels_examples.py tests/games/test_niels_laws.py "
    "tests/games/test_niels_notation.py tests/games/test_niels_circuits.py tests/games/test_niels_dice.py "
    "tests/vectors tests/playthroughs tests/lessons tests/games/test_spellings.py",
    "qchess/games/quantum_chess": "tests/games/test_quantum_chess_examples.py "
    "tests/games/test_quantum_chess_legality.py tests/games/test_quantum_chess_laws.py "
    "tests/games/test_quantum_chess_notation.py tests/games/test_quantum_chess_endings.py "
    "tests/games/test_quantum_chess_view.py tests/vectors tests/playthroughs "
    "tests/games/test_spellings.py tests/games/test_stories.py tests/games/test_quantum_chess_random_games.py "
    "tests/games/test_quantum_chess_core.py tests/games/test_quantum_chess_lists.py",
    "qchess/games/quantum_chess/pgn": "tests/games/test_pgn.py tests/fuzz",
    "qchess/games/quantum_chess/protocols": "tests/servers tests/house/test_gaps.py",
    "qchess/games/quantum_chess/unitary": "tests/compat tests/servers/test_state_server.py",
    "qchess/games/piece_qubit_chess": "tests/games/test_piece_qubit_decisions.py "
    "tests/games/test_piece_qubit_examples.py tests/games/test_piece_qubit_notation.py "
    "tests/games/test_piece_qubit_vectors.py tests/games/test_piece_qubit_random_games.py tests/playthroughs "
    "tests/games/test_stories.py tests/lessons tests/games/test_spellings.py",
    "qchess/games/quantum_tic_tac_toe.py": "tests/games/test_quantum_tic_tac_toe.py tests/sessions tests/lessons "
    "tests/playthroughs",
    "qchess/lessons": "tests/lessons tests/sessions",
    "qchess/playing": "tests/play",
    "qchess/playing/agents": "tests/play/test_agents.py tests/play/test_mcts.py tests/play",
    "qchess/proving": "tests/play/test_check_game.py tests/play/test_core_law.py tests/house/test_gaps.py tests/play",
    "qchess/reading.py": "tests/fuzz tests/servers",
    "qchess/servers": "tests/servers",
    "qchess/showing": "tests/play/test_boardtext.py tests/play/test_svg.py tests/play/test_bars.py "
    "tests/house/test_pictures.py tests/playthroughs tests/play tests/games",
    "qchess/study": "tests/study tests/web/test_study_circuits.py tests/web/test_study_exports.py",
    "qchess/terminal": "tests/sessions tests/play/test_terminal.py tests/lessons tests/play",
    "qchess/web": "tests/web tests/sessions",
}
#: a word so short says little of what a test is about
SHORT = 4
#: who waits is given up after so many times the processor time
WAIT = 10
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


def _short(text: str, longest: int = 90) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else f"{plain[: longest - 3]}..."


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


def near(path: str, most: int) -> list[str]:
    """The test files of a file's room, those first that speak of it; no more than so many, if that is said."""
    start = max((start for start in NEAR if path.startswith(start)), key=len)
    files = [file for place in NEAR[start].split() for file in _test_files(ROOT / place)]
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    words = {name for name in names if not name.startswith("_") and len(name) > SHORT}
    stem = path.removesuffix(".py").replace("/", ".")

    def nearness(file: Path) -> tuple[bool, bool, int]:
        text = file.read_text(encoding="utf-8")
        called = any(name in file.stem for name in Path(path).with_suffix("").parts[-2:])
        return called, stem in text, sum(word in text for word in words)

    ordered = sorted(dict.fromkeys(files), key=nearness, reverse=True)
    return [file.relative_to(ROOT).as_posix() for file in ordered[: most or None]]


def _test_files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("test_*.py"))


def notices(folder: Path, tests: list[str], seconds: float) -> str | None:
    """How the tests notice that something is wrong, or None if all of them pass.

    The limit is one of processor time, so that a busy machine kills nobody; who waits for ever meets a longer one.
    """
    alone = ["-n", "0"] if tests else []
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *alone, *tests]
    environment = {
        **os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONPATH": str(folder),
        "QCHESS_KERNEL_CACHE": os.environ.get("QCHESS_KERNEL_CACHE", str(folder / "build" / "kernels")),
    }  # fmt: skip
    limit = f"takes more than {seconds:g} s"
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=WAIT * seconds, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5)),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return limit
    if done.returncode in (0, -signal.SIGXCPU, -signal.SIGKILL):
        return limit if done.returncode else None
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return _short(failed[0], 200) if failed else f"pytest ends with {done.returncode}"


def is_sound(folder: Path, how: str) -> bool:
    """Whether the test that noticed a change passes without it; what fails anyway notices nothing."""
    test = how.partition(" ")[2].partition(" - ")[0] if how.startswith(("FAILED", "ERROR")) else ""
    again = notices(folder, [test], 120) if "::" in test and not test.endswith("...") else None
    return again is None or not again.startswith("FAILED")


def tried(folder: Path, mutant: Mutant, seconds: float, at: tuple[bool, bool], most: int) -> str | None:
    """How a mutant is noticed near it or by all tests, or None; afterwards the copy is as it was."""
    close, whole = at
    file = folder / mutant.path
    original = file.read_bytes()
    file.write_bytes(original[: mutant.start] + mutant.after.encode() + original[mutant.end :])
    try:
        how = notices(folder, near(mutant.path, most), seconds) if close else None
        return how or (notices(folder, [], 4 * seconds) if whole else None)
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


class Journal:
    """What was tried before, and how it went: a line of JSON a mutant, the last one counts."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        lines = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
        self.known = {found["mutant"]: found for found in map(json.loads, lines)}

    def note(self, mutant: Mutant, how: str | None, whole: bool) -> None:
        """Keeps how a mutant was noticed, and whether all tests were asked."""
        self.known[str(mutant)] = found = {"mutant": str(mutant), "how": how, "whole": whole}
        if self.file:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(found) + "\n")

    def open_at(self, mutant: Mutant, whole: bool) -> tuple[bool, bool]:
        """Whether the tests near it have still to be asked, and whether all."""
        found = self.known.get(str(mutant))
        return found is None, whole and (found is None or not (found["how"] or found["whole"]))


def main() -> int:
    """Tries the mutants and names the survivors; the exit code says whether there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10, help="how many mutants (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants (default 1)")
    parser.add_argument("--under", nargs="*", default=[], metavar="PATH", help="only files whose path begins so")
    parser.add_argument("--near", action="store_true", help="only the tests of the mutant's room")
    parser.add_argument("--nearest", type=int, default=0, metavar="N", help="only so many test files of the room")
    parser.add_argument("--seconds", type=float, default=240, help="the time for the tests of a room (default 240)")
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep what was tried, and go on from there")
    args = parser.parse_args()
    picked = chosen(args.count, args.seed, args.under)
    if args.list:
        print(*picked, sep="\n")
        return 0
    folder, journal, began = copied(), Journal(args.journal), time.monotonic()
    try:
        for number, mutant in enumerate(picked, 1):
            at = journal.open_at(mutant, not args.near)
            if any(at):
                how = tried(folder, mutant, args.seconds, at, args.nearest)
                if how and not is_sound(folder, how):
                    parser.error(f"{how} fails without any change, too")
                journal.note(mutant, how, at[1])
                print(f"{number}/{len(picked)} {'killed' if how else 'LIVES '} {mutant}  {how or ''}", flush=True)
    finally:
        shutil.rmtree(folder)
    survivors = [mutant for mutant in picked if not journal.known[str(mutant)]["how"]]
    print(f"\n{len(picked) - len(survivors)} of {len(picked)} killed in {time.monotonic() - began:.0f} s; these live:")
    print(*survivors, sep="\n")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
