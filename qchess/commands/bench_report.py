"""``qchess bench report`` and ``qchess bench compare``: what result files say."""

from __future__ import annotations

import argparse
from pathlib import Path

from qchess.commands.common import Commands


def add(actions: Commands) -> None:
    """Describes both commands."""
    report = actions.add_parser("report", help="tables and plots of a result file, as HTML and Markdown (extra viz)")
    report.add_argument("file", type=Path, metavar="FILE", help="what `qchess bench run --out` wrote, finished or not")
    report.add_argument("--html", type=Path, metavar="FILE", help="one file, its pictures inside")
    report.add_argument("--markdown", type=Path, metavar="FILE", help="Markdown, its pictures in files beside it")
    report.add_argument("--page", type=Path, metavar="FILE", help="a page whose marked parts are written anew")
    report.add_argument("--pictures", type=Path, metavar="FOLDER", help="where the page's pictures lie")
    report.set_defaults(run=run_report)
    compare = actions.add_parser("compare", help="how two result files differ")
    compare.add_argument("old", type=Path, metavar="OLD")
    compare.add_argument("new", type=Path, metavar="NEW")
    compare.set_defaults(run=run_compare)


def run_report(args: argparse.Namespace) -> int:
    """Writes what is asked for, or prints the outcomes."""
    from qchess.bench.report.outcomes import outcomes
    from qchess.bench.running.results import read

    results = read(args.file)
    if not (args.html or args.markdown or args.page):
        print(outcomes(results))
        return 0
    from qchess.bench.report.page import Report

    report = Report(results)
    if args.html:
        args.html.write_text(report.html(), encoding="utf-8")
    if args.markdown:
        text = report.markdown(f"{args.markdown.stem}-{{}}.svg")
        args.markdown.write_text(text, encoding="utf-8")
        report.write_pictures(args.markdown.parent, f"{args.markdown.stem}-", text)
    if args.page:
        folder = args.pictures or args.page.parent / "pictures"
        place = f"{folder.relative_to(args.page.parent)}/bench-{{}}.svg"
        text = report.fill(args.page.read_text(encoding="utf-8"), place)
        args.page.write_text(text, encoding="utf-8")
        report.write_pictures(folder, "bench-", text)
    return 0


def run_compare(args: argparse.Namespace) -> int:
    """Prints how two files differ."""
    from qchess.bench.report.compare import compared
    from qchess.bench.running.results import read

    print(compared(read(args.old), read(args.new)))
    return 0
