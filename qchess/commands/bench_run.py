"""``qchess bench run``, ``merge``, ``submit``, ``report``, ``compare``: simulators on the corpus, and their files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from qchess import writing
from qchess.commands.common import Commands, add_workers, decimal, whole

SIZES = ("small", "standard", "large")
#: faults of a file that are printed
MOST = 20
#: what can be asked of a final state
ASKS = ("state", "counts", "values", "noise")


def add(actions: Commands) -> None:
    """Describes the command."""
    run = actions.add_parser(
        "run",
        help="run simulators on the corpus, or go on with a run that was interrupted",
        description="Runs each simulator on each case in a process of its own. A time counts only where the amplitudes "
        "are right. What is in the result file already stays there and is not run again.",
    )
    run.add_argument(
        "simulators", nargs="*", metavar="SIMULATOR", help="names, FILE.py or FILE.py:FUNCTION (default: all)"
    )
    run.add_argument(
        "--out", "-o", "--output", dest="out", type=Path, metavar="FILE", help="the result file, one line a run"
    )
    run.add_argument("--size", choices=SIZES, default="small", help="how large a corpus (default: small)")
    run.add_argument("--only", default="", metavar="TEXT", help="only the cases with this in their names")
    add_outside(run)
    run.add_argument(
        "--ask", action="append", default=[], choices=ASKS, metavar="QUESTION",
        help=f"what is asked of each final state: {', '.join(ASKS)}; may be given again (default: state)",
    )  # fmt: skip
    run.add_argument(
        "--seconds", type=decimal(0.001, 1e6), default=10.0, metavar="S", help="processor time of a run (default: 10)"
    )
    run.add_argument(
        "--memory", type=decimal(0.001, 1e5), default=4.0, metavar="GB", help="memory of a run (default: 4)"
    )
    run.add_argument(
        "--warm", type=decimal(0, 1e6), default=0.2, metavar="S", help="time for repeated runs (default: 0.2)"
    )
    run.add_argument("--shots", type=whole(1), default=1000, metavar="N", help="read-outs and answers asked for")
    run.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of read-outs")
    run.add_argument(
        "--starts", type=whole(0, 1000), default=1, metavar="N", help="fresh processes that time an import"
    )
    run.add_argument(
        "--threads", default="one", metavar="N",
        help="cores that a run may use: a number, one or all (default: one); its processor time is for each of them",
    )  # fmt: skip
    run.add_argument(
        "--precision", choices=("own", "single", "double"), default="own",
        help="compute in; who has it not is unsupported (default: own, what each adapter says)",
    )  # fmt: skip
    add_workers(run)
    run.add_argument("--list", action="store_true", help="list the simulators, or what the clock sees of those named")
    run.set_defaults(run=start)


def add_outside(parser: argparse.ArgumentParser) -> None:
    """Describes circuits that come from outside, in place of the corpus."""
    parser.add_argument(
        "--circuits", action="append", default=[], metavar="FOLDER",
        help="in place of the corpus a folder's OpenQASM files, one file, or mqt-bench:NAME:WIRES; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--family", action="append", default=[], metavar="FAMILY",
        help="in place of the corpus the circuits of FILE.py:FUNCTION, or with --wires also those of a family of the "
        "corpus, for example dense or filled,free=3; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--wires", default="", metavar="FIRST:LAST:STEP", help="the numbers of wires at which each --family is run"
    )


def start(args: argparse.Namespace) -> int:
    """Runs what is asked for, and prints a table of outcomes."""
    from qchess.arena.progress import Bars
    from qchess.bench.adapters import catalogue
    from qchess.bench.outside.asked import Asked
    from qchess.bench.report.outcomes import outcomes
    from qchess.bench.running.measuring import Settings
    from qchess.bench.running.results import ResultFile, plan_of
    from qchess.bench.running.runner import fill, machine_of
    from qchess.errors import InvalidMoveError
    from qchess.playing.spread import team

    if args.list:
        return _list(args.simulators)
    if args.out is None:
        raise InvalidMoveError("--out FILE says where the results go")
    threads = _threads(args.threads)
    names = tuple(dict.fromkeys(args.simulators)) or catalogue.names()
    for name in names:
        catalogue.get(name)  # a name that is none is refused before anything runs
    asked = Asked(
        args.size, args.only, args.circuits, args.family, args.wires, ask=tuple(dict.fromkeys(args.ask)) or ASKS[:1]
    )
    cases = list(asked.cases(lambda sentence: print(f"left out: {sentence}", file=sys.stderr, flush=True)))
    if not cases:
        raise InvalidMoveError(f"there is no case to run of: {asked.label}")
    settings = Settings(
        args.seconds, int(args.memory * 1e9), args.warm, shots=args.shots, seed=args.seed, starts=args.starts,
        threads=threads, precision=args.precision,
    )  # fmt: skip
    warn_of_company(threads, args.workers)
    with team(args.workers, args.cluster) as workers:
        plan = plan_of(cases, asked.label, names, settings, asked.series, machine_of(workers))
        with ResultFile(args.out, plan) as file:
            if told := file.changed():
                print(told, file=sys.stderr, flush=True)
            with Bars(args.out) as bars:
                fill(file, names, cases, bars.of("bench"), (lambda line: None) if bars.on else _log, workers)
            print(outcomes(file.results))
    return 0


def _threads(asked: str) -> int:
    """How many cores a run may use."""
    from qchess.bench.running.machine import usable
    from qchess.errors import InvalidMoveError

    most = usable()
    number = {"one": 1, "all": most}.get(asked) or (int(asked) if asked.isdecimal() else 0)
    if not 1 <= number <= most:
        raise InvalidMoveError(f"--threads is one, all or a number from 1 to {most}, the cores here, got {asked!r}")
    return number


def warn_of_company(threads: int, workers: int = 1) -> None:
    """Says that threads are measured beside others' work, or simulators beside each other, where they are."""
    from qchess.bench.report.rows import SLACK
    from qchess.bench.running.machine import load, usable

    if workers > 1:
        told = f"{workers} runs share this machine at a time, and disturb each other"
        print(f"warning: {told}; for times to publish use one worker on each machine", file=sys.stderr)
    if threads > 1 and load() > usable() - threads + SLACK:
        told = f"{load():g} processes wanted a processor in the last minute, and there are {usable()} cores"
        print(f"warning: {told}; threads that wait for each other may take ten times as long", file=sys.stderr)


def _log(line: Mapping[str, Any]) -> None:
    """Writes what came out, where there is no terminal for a bar; a reader of the log sees it at once."""
    where = f" on {line['case']}" if line["what"] == "run" else " starts"
    why = f", {line['why']}" if line.get("why") else ""
    print(f"{line['simulator']}{where}: {line['outcome']}{why}", file=sys.stderr, flush=True)


def _list(names: Sequence[str]) -> int:
    """Prints every simulator of the catalogue, or what those named say of themselves."""
    from qchess.bench.adapters import catalogue
    from qchess.bench.report.adapters import told as said_of

    for name in names:
        print(name)
        for what, text in said_of(catalogue.get(name)).items():
            print(f"  {what + ':':18} {text or 'it does not say'}")
    if names:
        return 0
    told = {row.name: row.summary for row in catalogue.CATALOGUE}
    for name in catalogue.names():
        state = catalogue.get(name).absent() or "installed"
        print(f"{name:12} {told.get(name, 'from another package'):64} {state}")
    return 0


def add_reading(actions: Commands) -> None:
    """Describes the commands that read result files."""
    report = actions.add_parser("report", help="tables and plots of result files, as HTML and Markdown (extra viz)")
    report.add_argument(
        "files", nargs="+", type=Path, metavar="FILE",
        help="what `qchess bench run --out` wrote, finished or not; several are ranked each by itself on one page",
    )  # fmt: skip
    writing.add_output(report, (".html", ".md"))
    report.add_argument("--html", type=Path, metavar="FILE", help="one file, its pictures inside")
    report.add_argument("--markdown", type=Path, metavar="FILE", help="Markdown, its pictures in files beside it")
    report.add_argument("--page", type=Path, metavar="FILE", help="a page whose marked parts are written anew")
    report.add_argument("--pictures", type=Path, metavar="FOLDER", help="where the page's pictures lie")
    report.set_defaults(run=run_report)
    compare = actions.add_parser(
        "compare",
        help="how two result files differ",
        description="Shows which outcomes and which times changed by more than chance. With --fail-above, the exit "
        "code is 1 if something ended well and does so no more, or became slower by more than this factor.",
    )
    compare.add_argument("old", type=Path, metavar="OLD")
    compare.add_argument("new", type=Path, metavar="NEW")
    compare.add_argument(
        "--by", metavar="TIME", help="new, warm, first or memory (default: the first time that both files have)"
    )
    compare.add_argument("--fail-above", type=_factor, metavar="FACTOR", help="exit with 1 above, for example, 1.3")
    compare.set_defaults(run=run_compare)
    merge = actions.add_parser(
        "merge",
        help="make one result file of several",
        description="Joins files that were measured with the same settings, on the same machine, of the same circuits. "
        "Of a run that several files have, the first file's is kept. The files stay as they are.",
    )
    merge.add_argument("files", nargs="+", type=Path, metavar="FILE")
    merge.add_argument(
        "--out", "-o", "--output", dest="out", type=Path, required=True, metavar="FILE", help="the file of all results"
    )
    writing.add_force(merge)
    merge.set_defaults(run=run_merge)
    submit = actions.add_parser(
        "submit",
        help="check whether a result file can be added to the project's",
        description="Checks every line, and that nothing is missing. The exit code is 0 if the file can be added, "
        "else 1.",
    )
    submit.add_argument("file", type=Path, metavar="FILE", help="what `qchess bench run --out` wrote")
    submit.set_defaults(run=run_submit)


def run_report(args: argparse.Namespace) -> int:
    """Writes what is asked for, or prints outcomes and ranks."""
    from qchess.bench.report.text import text as as_text
    from qchess.bench.running.results import read

    if len(args.files) > 1:
        return _report_of_many(args)
    wanted = pages(args)
    results = read(args.files[0])
    if not (any(wanted.values()) or args.page):
        print(as_text(results))
        return 0
    from qchess.bench.report.page import Report

    report = Report(results)
    written = {file: report.html() for file in wanted["html"]}
    for file in wanted["md"]:
        text = report.markdown(f"{file.stem}-{{}}.svg")
        written |= {file: text, **report.picture_files(file.parent, f"{file.stem}-", text)}
    writing.write_all(written, args.force)
    if args.page:
        folder = args.pictures or args.page.parent / "pictures"
        place = f"{folder.relative_to(args.page.parent)}/bench-{{}}.svg"
        text = report.fill(args.page.read_text(encoding="utf-8"), place)
        folder.mkdir(parents=True, exist_ok=True)
        writing.write_all({args.page: text, **report.picture_files(folder, "bench-", text)}, True)  # drawn anew
    return 0


def pages(args: argparse.Namespace) -> dict[str, list[Path]]:
    """Return the files to write as HTML and as Markdown; an error where one cannot be written."""
    found = {"html": [args.html] if args.html else [], "md": []}
    if getattr(args, "markdown", None):
        found["md"].append(args.markdown)
    if args.output:
        found[writing.form(args.output, {".html": "html", ".md": "md"})].append(args.output)
    writing.check([*found["html"], *found["md"]], args.force)
    return found


def _report_of_many(args: argparse.Namespace) -> int:
    """Writes one page of several files, or prints it."""
    from qchess.bench.report.machines import Machines
    from qchess.bench.running.results import read
    from qchess.errors import InvalidMoveError

    if args.page:
        raise InvalidMoveError(f"--page is filled from one result file, got {len(args.files)}")
    wanted = pages(args)
    machines = Machines(args.files, [read(path) for path in args.files])
    written = {file: machines.html() for file in wanted["html"]}
    written |= {file: machines.markdown() for file in wanted["md"]}
    writing.write_all(written, args.force)
    if not written:
        print(machines.markdown(), end="")
    return 0


def run_compare(args: argparse.Namespace) -> int:
    """Prints how two files differ, and says in its exit code whether that is too much."""
    from qchess.bench.report.compare import Comparison
    from qchess.bench.running.results import read
    from qchess.errors import InvalidMoveError

    comparison = Comparison(read(args.old), read(args.new), args.by or "")
    print(comparison.text())
    if args.fail_above is None:
        return 0
    if not comparison.pairs:
        raise InvalidMoveError(f"--fail-above compares runs, and {args.old} and {args.new} have none in common")
    failures = comparison.failures(args.fail_above)
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    return int(bool(failures))


def _factor(text: str) -> float:
    """How many times as long is too long."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a factor of 1 or more, for example 1.3, got {text!r}")
    return value


def run_merge(args: argparse.Namespace) -> int:
    """Writes the new file, and prints a table of outcomes."""
    from qchess.bench.report.outcomes import outcomes
    from qchess.bench.running.merging import merged, write

    writing.check([args.out], args.force)
    results, again = merged(args.files)
    beside = args.out.with_name(f".{args.out.name}.new")
    beside.unlink(missing_ok=True)  # of a process that was killed
    write(beside, results)
    beside.replace(args.out)
    if again:
        print(f"runs that several files have: {again}; the first file's were kept", file=sys.stderr)
    print(outcomes(results))
    return 0


def run_submit(args: argparse.Namespace) -> int:
    """Prints what the file has, and what is missing."""
    from qchess.bench.report.submission import Submission, suggested
    from qchess.bench.running.schema import checked

    results, faults = checked(args.file)
    if results:
        submission = Submission(results)
        print(submission.table() + "\n")
        faults = submission.missing()
    for fault in faults[:MOST]:
        print(f"missing: {fault}" if results else f"{args.file}, {fault}")
    if len(faults) > MOST:
        print(f"and {len(faults) - MOST} more")
    if results and not faults:
        print(f"can be added: copy it to benchmarks/results/{suggested(results)}.jsonl, and add a row for it to the "
              "table in docs/bench_results.md")  # fmt: skip
    return int(bool(faults))
