"""One page for several result files: each is ranked by itself, with ratios to one reference side by side.

Times of two files are never compared; a ratio has both its times from one file.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from qchess.bench.report.page import Report, as_markdown
from qchess.bench.report.rows import RANKINGS, TIMES, mean, rankings, rows, short
from qchess.bench.report.scores import SMALL
from qchess.bench.report.section import Section
from qchess.bench.report.tables import Table
from qchess.bench.report.webpage.choices import Choices
from qchess.bench.report.webpage.document import as_html
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

#: in every file, so that ratios of two machines have one scale
REFERENCE = "cirq"


def ratio(results: Results, name: str, by: str = "", cases: Collection[str] | None = None) -> str:
    """Return a simulator's time over the reference's in one file: geometric mean and number of common cases."""
    states = [case for case, about in results.plan.cases.items() if not about.get("question")]
    done = [(each, case) for each in results.plan.simulators for case in states]
    found = zip([key for key in done if key in results.runs], rows(results, by), strict=True)
    times = {key: row.seconds for key, row in found if row.seconds and (cases is None or key[1] in cases)}
    ratios = [
        seconds / times[REFERENCE, case]
        for (simulator, case), seconds in times.items()
        if simulator == name and (REFERENCE, case) in times
    ]
    return f"{short(mean(ratios))} ({len(ratios)})" if ratios else "-"


def _asked(results: Results) -> str:
    """Return a file's settings beside its machine: threads and precision, if not the defaults."""
    settings = results.plan.settings
    threads = f", {settings.threads} threads a run" if settings.threads > 1 else ""
    return threads + (f", {settings.precision} precision" if settings.precision != "own" else "")


class Machines:
    """Several result files, each by itself."""

    def __init__(self, paths: Sequence[Path], files: Sequence[Results]) -> None:
        self.files = files
        short_names = [path.stem for path in paths]
        if len(set(short_names)) < len(paths):
            short_names = [str(path) for path in paths]
        #: the name of each file on the page
        self.names = [
            f"{name}: {results.plan.machine.get('processor') or 'unknown processor'}, "
            f"{results.plan.machine.get('cores') or 'unknown'} cores{_asked(results)}"
            for name, results in zip(short_names, files, strict=True)
        ]
        known = [{(name, case["hash"]) for name, case in results.plan.cases.items()} for results in files]
        shared = {name for name, _ in set.intersection(*known)}
        if not shared:
            raise InvalidMoveError(f"expected files with circuits in common, but these {len(files)} have none")
        wires = {name: case["wires"] for name, case in files[0].plan.cases.items()}
        #: the cases compared, and whether these are the large ones of those that all files have
        self.cases = {name for name in shared if wires[name] > SMALL} or shared
        self.large = min(wires[name] for name in self.cases) > SMALL
        #: the first of the times that all files have
        self.by = next((by for by in RANKINGS if all(by in rankings(results) for results in files)), RANKINGS[-1])

    def table(self) -> Table:
        """Return a table: a row per simulator, a column per file."""
        simulators = dict.fromkeys(name for results in self.files for name in results.plan.simulators)
        cells = [(name, *(ratio(each, name, self.by, self.cases) for each in self.files)) for name in simulators]
        return Table(("simulator", *self.names), tuple(cells))

    def text(self) -> str:
        """Return the text about the table."""
        told = (
            f"Times over that of `{REFERENCE}` in the same file, by {TIMES[self.by]}: the geometric mean over the "
            f"cases that both did, and how many. Only cases that all files have count"
            f"{f', of more than {SMALL} wires' if self.large else ''}: {len(self.cases)}. "
            "Times of different files are never compared."
        )
        if len({results.plan.format for results in self.files}) > 1:
            told += " The files have two formats: in the older one repeats are of the same circuit."
        if len({results.plan.settings for results in self.files}) > 1:
            told += " Their settings differ, so a run that one stopped may have finished in another."
        return told

    def sections(self) -> list[Section]:
        """Return the table of ratios, then for each file its headline, rankings, and machine."""
        made = [Section("Machines side by side", self.text(), table=self.table())]
        for name, results in zip(self.names, self.files, strict=True):
            report = Report(results)
            says, tables = report.says, report.tables()
            made += [
                Section(f"{name}{more}", f"{says['time']}\n\n{says[f'headline{end}']}", table=tables[f"rankings{end}"])
                for more, end in (("", ""), (f": {SMALL} wires or fewer", "-small"))
            ]
            made += [
                Section(f"{name}: where and how", says["rules"], table=tables["about"], folded=True),
                Section(f"{name}: outcomes", says["outcomes"], table=tables["outcomes"], folded=True),
            ]
        return made

    def html(self) -> str:
        """Return the page as one HTML file."""
        return as_html(self.sections(), {}, Choices(), None)

    def markdown(self) -> str:
        """Return the page as Markdown."""
        return as_markdown(self.sections(), "")
