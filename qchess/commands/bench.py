"""``qchess bench``: the benchmark of simulators."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from qchess import writing
from qchess.commands import bench_run
from qchess.commands.common import Commands, add_json, print_json, whole

if TYPE_CHECKING:
    from qchess.bench.case import Case

SIZES = ("small", "standard", "large")
WAYS = ("sparse", "cirq", "aer", "qasm2-qiskit", "qasm3-qiskit", "qasm2-cirq", "qasm3-cirq")
#: errors of amplitudes larger than this are told as such
TOLERANCE = 1e-9
FORMS = ("text", "qasm2", "qasm3", "cirq", "qiskit")


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("bench", help="the benchmark of simulators")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    add_corpus(actions)
    bench_run.add(actions)
    bench_run.add_reading(actions)
    add_scaling(actions)
    add_questions(actions)


def add_corpus(actions: Commands) -> None:
    """Describes ``qchess bench corpus``."""
    corpus = actions.add_parser(
        "corpus",
        help="the circuits of the benchmark, with their features, exact amplitudes and hashes",
        description="Makes the corpus from seeds, the same on every machine, and lists it or writes it; or circuits "
        "from outside, and then the exit code is 1 if one was left out.",
    )
    corpus.add_argument("--size", choices=SIZES, default="standard", help="a larger one holds the smaller ones")
    corpus.add_argument("--only", default="", metavar="TEXT", help="only the cases with this in their names")
    bench_run.add_outside(corpus)
    corpus.add_argument(
        "--out", "-o", "--output", dest="out", type=Path, metavar="FOLDER", help="write it into this folder"
    )
    writing.add_force(corpus)
    corpus.add_argument(
        "--export", action="append", default=[], choices=(*FORMS, "all"), metavar="FORM",
        help=f"write the cases also as {', '.join(FORMS)} or all; may be given again",
    )  # fmt: skip
    corpus.add_argument(
        "--check", action="append", default=[], choices=WAYS, metavar="WAY",
        help=f"work the amplitudes out in another way: {', '.join(WAYS)}; may be given again",
    )  # fmt: skip
    corpus.add_argument(
        "--most", type=whole(1, 1000), default=14, metavar="N", help="check cases of at most so many wires"
    )
    corpus.add_argument("--list", action="store_true", help="list the cases also when they are written")
    add_json(corpus)
    corpus.set_defaults(run=run_corpus)


def run_corpus(args: argparse.Namespace) -> int:
    """Lists the corpus, or writes it to a folder."""
    from qchess.bench.case import corpus_hash
    from qchess.bench.corpus import folder
    from qchess.bench.outside.asked import Asked
    from qchess.errors import InvalidMoveError

    if args.export and not args.out:
        raise InvalidMoveError("--export says in which forms --out writes the cases; where to?")
    forms = FORMS if "all" in args.export else tuple(dict.fromkeys(args.export))
    asked = Asked(args.size, args.only, args.circuits, args.family, args.wires)
    left_out: list[str] = []
    cases: Iterable[Case] = asked.cases(left_out.append)
    if args.only:
        cases = iter(cases)
        if (one := next(cases, None)) is None and not left_out:
            raise InvalidMoveError(f"there is no case with {args.only!r} in its name; qchess bench corpus lists them")
        cases = chain([one] if one else [], cases)
    if args.out:
        if args.out.exists() and not args.out.is_dir():
            raise InvalidMoveError(f"expected a folder for the corpus, {str(args.out)!r} is a file")
        writing.check([args.out / folder.INDEX] if args.out.is_dir() else [], args.force)
        cases = folder.write(args.out, cases, forms)
    listed = not args.json and (args.list or not args.out)
    found = list(_told(cases) if listed else cases)
    total = corpus_hash(found)
    for sentence in left_out:
        print(f"left out: {sentence}", file=sys.stderr)
    if args.json:
        print_json({"hash": total, "cases": [{key: case.data()[key] for key in folder.TOLD} for case in found]})
        return int(bool(left_out))
    what = asked.label if args.circuits or args.family else f"the {args.size} corpus"
    print(f"{_cases(found)} of {what}, hash {total}")
    if args.out:
        print(f"written to {args.out}", file=sys.stderr)
    wrong = args.check and _check(found, tuple(dict.fromkeys(args.check)), args.most)
    return int(bool(wrong or left_out))


def _check(cases: Sequence[Case], ways: Sequence[str], most: int) -> int:
    """Works out the amplitudes in other ways, and says for each how far off they are; 1 if any is too far."""
    from qchess.bench.corpus.checking import check

    checked = list(check(cases, ways, most))
    wrong = [row for row in checked if row.error is not None and row.error > TOLERANCE]
    for way in ways:
        done = [(row.error, row.case.name) for row in checked if row.way == way and row.error is not None]
        left = sum(row.error is None for row in checked if row.way == way)
        worst, name = max(done, default=(0.0, "no case"))
        print(f"{way}: {_cases(done)} of at most {most} wires, largest error {worst:.1e} ({name}), {left} left out")
    for row in wrong:
        print(f"wrong: {row.case.name} by {row.way}, off by {row.error:.3g}")
    for reason, count in Counter(row.reason for row in checked if row.error is None).items():
        print(f"left out: {count} times, {reason}")
    return int(bool(wrong))


def _told(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases, a line of each printed as it comes."""
    print(f"{'case':44} {'size':8} {'wires':>5} {'ops':>6} {'CX':>6} {'depth':>6} {'peak':>8} {'final':>8}  hash")
    for case in cases:
        f = case.features
        counts = f"{f.qubits:>5} {f.operations:>6} {f.cx:>6} {f.depth:>6} {f.peak:>8} {f.final:>8}"
        print(f"{case.name:44} {case.size:8} {counts}  {case.hash[:16]}", flush=True)
        yield case


def add_scaling(actions: Commands) -> None:
    """Describes ``qchess bench scaling``."""
    scaling = actions.add_parser(
        "scaling",
        help="how simulators grow with the wires of a family, and where one overtakes another (pictures: extra viz)",
        description="Shows the families that `qchess bench run --family NAME --wires FIRST:LAST:STEP` has put into a "
        "result file: time and memory at each number of wires, the growth a wire, and who overtakes whom.",
    )
    scaling.add_argument("file", type=Path, metavar="FILE")
    scaling.add_argument("--by", metavar="TIME", help="new, warm or first (default: the first that the file has)")
    writing.add_output(scaling, (".html", ".md"))
    scaling.add_argument("--html", type=Path, metavar="FILE", help="one file, its pictures inside")
    scaling.add_argument("--markdown", type=Path, metavar="FILE", help="Markdown, its pictures in files beside it")
    scaling.set_defaults(run=run_scaling)


def run_scaling(args: argparse.Namespace) -> int:
    """Writes what is asked for, or prints the tables."""
    from qchess.bench.report.scaling_page import Scaling
    from qchess.bench.running.results import read

    wanted = bench_run.pages(args)
    scaling = Scaling(read(args.file), args.by or "")
    written = {file: scaling.html() for file in wanted["html"]}
    for file in wanted["md"]:
        written |= scaling.markdown_files(file)
    writing.write_all(written, args.force)
    if not written:
        print(scaling.markdown(), end="")
    return 0


def add_questions(actions: Commands) -> None:
    """Describes ``qchess bench questions``."""
    questions = actions.add_parser(
        "questions",
        help="who is how fast where something is asked of a final state",
        description="Ranks simulators by each question that `qchess bench run --ask QUESTION` has put into a result "
        "file, and says how each one answers it.",
    )
    questions.add_argument("file", type=Path, metavar="FILE")
    writing.add_output(questions, (".html", ".md"))
    questions.add_argument("--html", type=Path, metavar="FILE", help="one file for a browser")
    questions.set_defaults(run=run_questions)


def run_questions(args: argparse.Namespace) -> int:
    """Writes the page, or prints it."""
    from qchess.bench.report.questions import Questions
    from qchess.bench.running.results import read

    wanted = bench_run.pages(args)
    questions = Questions(read(args.file))
    written = {file: questions.html() for file in wanted["html"]}
    written |= {file: questions.markdown() for file in wanted["md"]}
    writing.write_all(written, args.force)
    if not written:
        print(questions.markdown(), end="")
    return 0


def _cases(found: Sized) -> str:
    return f"{len(found)} case{'' if len(found) == 1 else 's'}"
