"""A report as a page: its sections as one HTML file with pictures, as Markdown, and inside a docs page.

A docs page has marks, ``<!-- bench: NAME -->`` to ``<!-- end -->``; the text between them is rewritten from the
results, so that no number is written by hand.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from qchess.bench.report import adapters, findings, scores, sentences, tables
from qchess.bench.report.looks import looks
from qchess.bench.report.plots import ALT, in_colours, in_print, pictures
from qchess.bench.report.rows import RANKINGS, Row, rankings, rows
from qchess.bench.report.section import Section
from qchess.bench.report.tables import Table
from qchess.bench.report.webpage import multiples
from qchess.bench.report.webpage.choices import choices
from qchess.bench.report.webpage.document import as_html
from qchess.bench.report.webpage.listing import Listing
from qchess.bench.report.webpage.spoken import spoken
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

MARK = re.compile(r"(<!-- bench: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Report:
    """The contents of a result file, computed once."""

    def __init__(self, results: Results) -> None:
        self.results = results
        #: the runs, by each of the times in the file; the first is that of the page
        self.ranked = {
            by: [row for row in rows(results, by) if row.outcome != "missing"]
            for by in rankings(results) or RANKINGS[-1:]
        }
        self.found: list[Row] = next(iter(self.ranked.values()))
        self.crossings = {
            by: [crossing for name in findings.DENSE if (crossing := findings.crossover(found, name)).points]
            for by, found in self.ranked.items()
        }
        self.says = sentences.sentences(results, self.ranked, next(iter(self.crossings.values())))

    @cached_property
    def drawn(self) -> Mapping[str, str]:
        """Return every picture by its name, drawn on first use, with placeholders for colours."""
        crossings = next(iter(self.crossings.values()))
        return pictures(self.ranked, [crossing for crossing in crossings if crossing.dense in SHOWN])

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """Return every picture by its name, as a separate file has it."""
        return in_print(self.drawn, looks(self.found))

    def tables(self) -> dict[str, Table]:
        """Return every table by its name."""
        found = self.found
        made = {
            "adapters": adapters.table(),
            "about": tables.about(self.results),
            "outcomes": tables.outcomes(self.results),
            "phases": tables.phases(self.results, found),
            "crossover": tables.crossover(self.crossings),
            "errors": tables.error_table(found),
            "fidelities": tables.fidelity_table(found),
            "troubles": tables.troubles(found),
            "feed-forward": tables.feed_forward(found),
            "times": tables.times(found),
        }
        for small, end in ((False, ""), (True, "-small")):
            part = scores.sized(found, small=small)
            made |= {
                f"rankings{end}": tables.rankings(
                    {by: scores.sized(all_, small=small) for by, all_ in self.ranked.items()}
                ),
                f"lost{end}": tables.standings(scores.behind(part)),
                f"lost-single{end}": tables.standings(scores.behind(part, ("single",))),
                f"standings{end}": tables.standings(scores.standings(part)),
                f"families{end}": tables.families(part),
                f"families-lowered{end}": tables.families(part, "lowered"),
            }
        return made

    def sections(self, listing: Listing | None = None) -> list[Section]:
        """Return the sections of the report; with a list of all runs, small pictures link to it."""
        made, says = self.tables(), self.says
        drawn = self._drawings(listing) if listing else defaultdict(str)
        lead = says["headline"] or says["headline-small"]
        head = [
            Section("Where ours loses, and overall", f"{lead}\n\n{says['time']}\n\n{says['ties']}"),
            Section("The rankings side by side", says["rankings"], "", made["rankings"], drawing=drawn["rankings"]),
            Section(
                f"Family by family, {scores.SIZES[False]}",
                multiples.TEXT if drawn["families"] else "",
                drawing=drawn["families"],
            ),
            Section("Where ours is not the fastest", says["lost"], table=made["lost"]),
            Section("Within a factor of the fastest", says["profile"], "profile"),
            Section("Where and how", says["rules"], table=made["about"]),
            Section("Outcomes", says["outcomes"], table=made["outcomes"]),
            Section("Time against branches", says["branches"], "branches"),
            Section("Time against wires", "", "qubits"),
            Section("Where each one wins", says["wins"], "wins"),
        ]
        parts = [
            Section("The same, against single precision", table=made["lost-single"]),
            Section("All families, native gates", says["families"], table=made["families"]),
            Section("All families, lowered to CX and one-qubit gates", table=made["families-lowered"]),
            Section("Where dense engines overtake", says["crossover"], "crossover", made["crossover"]),
            Section("Memory", "", "memory"),
            Section("Errors", says["errors"], "errors", made["errors"]),
            Section("Approximate methods", says["fidelities"], "profile-approximate", made["fidelities"]),
            Section("Import, lowering, reading", says["phases"], table=made["phases"]),
            Section("Programs that ask", says["feed-forward"], table=made["feed-forward"]),
        ]
        few = [
            Section(f"{scores.SMALL} wires or fewer: overhead", says["headline-small"]),
            Section(
                "The same rankings side by side",
                says["rankings-small"],
                table=made["rankings-small"],
                drawing=drawn["rankings-small"],
            ),
            Section(f"Family by family, {scores.SIZES[True]}", "", drawing=drawn["families-small"]),
            Section("Where ours is not the fastest there", says["lost-small"], table=made["lost-small"]),
            Section("Families there, native gates", says["wins-small"], table=made["families-small"]),
            Section("Families there, lowered", table=made["families-lowered-small"]),
        ]
        return [
            *head, *parts, *few,
            Section("Failures", "", table=made["troubles"], folded=True),
            Section("Every case, ms", "The fastest exact simulator is bold.", table=made["times"], folded=True),
        ]  # fmt: skip

    def _drawings(self, listing: Listing) -> dict[str, str]:
        """Return the small pictures, which link to the runs of the list."""
        made = {}
        for small, end in ((False, ""), (True, "-small")):
            made[f"rankings{end}"] = multiples.rankings(self.ranked, listing.choices, small=small)
            made[f"families{end}"] = multiples.families(self.ranked, listing, small=small)
        return made

    def html(self) -> str:
        """Return the whole report as one HTML file."""
        chosen = choices(self.results, self.found)
        listing = Listing(self.ranked, self.results.plan, chosen) if self.found else None
        said = spoken(self.found, self.says)
        drawn = in_colours(self.drawn, list(looks(self.found)), chosen)
        return as_html(
            self.sections(listing), {name: (svg, said[name]) for name, svg in drawn.items()}, chosen, listing
        )

    def markdown(self, picture: str) -> str:
        """Return the report as Markdown; `picture` is the path of a picture, with ``{}`` for its name."""
        return as_markdown(self.sections(), picture)

    def fill(self, page: str, picture: str) -> str:
        """Return a docs page with everything between its marks rewritten."""
        made = self.tables()

        def write(found: re.Match[str]) -> str:
            name = found["name"]
            said = name.removesuffix("-said")
            if name in made:
                text = made[name].markdown()
            elif said in self.says:
                text = self.says[said]
            elif name.startswith("picture-"):
                drawn = name.removeprefix("picture-")
                text = f"![{ALT.get(drawn, drawn)}]({picture.format(drawn)})"
            else:
                raise InvalidMoveError(f"the page asks for {name!r}; there are {', '.join([*made, *self.says])}")
            return f"{found[1]}{text}\n{found[3]}"

        return MARK.sub(write, page)

    def picture_files(self, folder: Path, stem: str, page: str) -> dict[Path, str]:
        """Return the pictures that the page shows, by their files, in the colour of the reader's light or dark."""
        return {
            folder / f"{stem}{name}.svg": _alone(svg)
            for name, svg in self.pictures.items()
            if f"{stem}{name}.svg" in page
        }


#: the dense simulators of the picture of crossovers
SHOWN = ("qsim", "qulacs", "lightning", "aer")


def as_markdown(sections: Iterable[Section], picture: str) -> str:
    """Return sections as Markdown; `picture` is the path of a picture, with ``{}`` for its name."""
    parts = ["# Simulators on game circuits"]
    for section in (section for section in sections if section.full):
        parts += [f"## {section.title}", section.text]
        parts += [f"![{ALT[section.picture]}]({picture.format(section.picture)})"] if section.picture else []
        parts += [section.table.markdown()] if section.table else []
    return "\n\n".join(filter(None, parts)) + "\n"


def _alone(svg: str) -> str:
    """Return a picture as a separate file that follows the reader's theme."""
    style = "<style>svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>"
    head, sign, rest = svg.partition(">")
    return head + sign + style + rest
