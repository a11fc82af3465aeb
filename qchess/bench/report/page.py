"""A report as a page: its sections as one HTML file, pictures inside, as Markdown, and inside a page of ours.

A page of ours holds marks, ``<!-- bench: NAME -->`` to ``<!-- end -->``; what stands between them is written anew from
the results, so that no number of the page is anybody's hand's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

from qchess.bench.report import adapters, findings, sentences, tables
from qchess.bench.report.plots import pictures
from qchess.bench.report.rows import Row, rows
from qchess.bench.report.tables import Table
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

MARK = re.compile(r"(<!-- bench: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-size: .8rem; } th, td { padding: .15rem .4rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } tr:nth-child(even) { background: #8881; }
.wide { overflow-x: auto; } svg { max-width: 100%; height: auto; } thead { border-bottom: 1px solid #8888; }
"""


@dataclass(frozen=True)
class Section:
    """A heading, sentences, and a table or a picture."""

    title: str
    text: str = ""
    picture: str = ""
    table: Table | None = None
    #: long tables open on request
    folded: bool = False


class Report:
    """What a result file says, worked out once."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.found: list[Row] = rows(results)
        self.crossings = [
            crossing for name in findings.DENSE if (crossing := findings.crossover(self.found, name)).points
        ]
        self.says = sentences.sentences(results, self.found, self.crossings)

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """Every picture by its name, drawn when the first is asked for."""
        return pictures(self.found, [crossing for crossing in self.crossings if crossing.dense in SHOWN])

    def tables(self) -> dict[str, Table]:
        """Every table by its name."""
        found = self.found
        return {
            "adapters": adapters.table(),
            "about": tables.about(self.results),
            "outcomes": tables.outcomes(self.results),
            "phases": tables.phases(self.results, found),
            "lost": tables.standings(findings.lost(found)),
            "lost-single": tables.standings(s for s in findings.standings(found, ("single",)) if s.factor > 1),
            "standings": tables.standings(findings.standings(found)),
            "families": tables.families(found),
            "families-lowered": tables.families(found, "lowered"),
            "crossover": tables.crossover(self.crossings),
            "errors": tables.error_table(found),
            "fidelities": tables.fidelity_table(found),
            "troubles": tables.troubles(found),
            "feed-forward": tables.feed_forward(found),
            "times": tables.times(found),
        }

    def sections(self) -> list[Section]:
        """The report in order."""
        made = self.tables()
        return [
            Section("Where and how", self.says["rules"], table=made["about"]),
            Section("Outcomes", self.says["outcomes"], table=made["outcomes"]),
            Section("Time against branches", self.says["branches"], "branches"),
            Section("Time against wires", "", "qubits"),
            Section("Performance profiles", self.says["profile"], "profile"),
            Section("Where each one wins", self.says["wins"], "wins"),
            Section("Where ours is not the fastest", self.says["lost"], table=made["lost"]),
            Section("All families, native gates", self.says["families"], table=made["families"]),
            Section("All families, lowered to CX and one-qubit gates", "", table=made["families-lowered"]),
            Section("Where dense engines overtake", self.says["crossover"], "crossover", made["crossover"]),
            Section("Memory", "", "memory"),
            Section("Errors", self.says["errors"], "errors", made["errors"]),
            Section("Approximate methods", self.says["fidelities"], "profile-approximate", made["fidelities"]),
            Section("Import, lowering, reading", self.says["phases"], table=made["phases"]),
            Section("Programs that ask", self.says["feed-forward"], table=made["feed-forward"]),
            Section("What went wrong", "", table=made["troubles"], folded=True),
            Section("Every case, ms", "Bold is the fastest exact one.", table=made["times"], folded=True),
        ]

    def html(self) -> str:
        """The whole report as one file."""
        parts = [_html_section(section, self.pictures) for section in self.sections() if _full(section)]
        head = f"<meta name=viewport content='width=device-width'><style>{STYLE}</style>"
        title = "<!doctype html>\n<html lang=en><meta charset=utf-8><title>Simulators compared</title>"
        return f"{title}{head}\n<body><h1>Simulators on game circuits</h1>\n{''.join(parts)}</body></html>\n"

    def markdown(self, picture: str) -> str:
        """The report as Markdown; `picture` is where a picture lies, with ``{}`` for its name."""
        parts = ["# Simulators on game circuits"]
        for section in filter(_full, self.sections()):
            parts += [f"## {section.title}", section.text]
            parts += [f"![{section.title}]({picture.format(section.picture)})"] if section.picture else []
            parts += [section.table.markdown()] if section.table else []
        return "\n\n".join(filter(None, parts)) + "\n"

    def fill(self, page: str, picture: str) -> str:
        """A page of ours with everything between its marks written anew."""
        made = self.tables()

        def write(found: re.Match[str]) -> str:
            name = found["name"]
            said = name.removesuffix("-said")
            if name in made:
                text = made[name].markdown()
            elif said in self.says:
                text = self.says[said]
            elif name.startswith("picture-"):
                text = f"![{name.removeprefix('picture-')}]({picture.format(name.removeprefix('picture-'))})"
            else:
                raise InvalidMoveError(f"the page asks for {name!r}; there are {', '.join([*made, *self.says])}")
            return f"{found[1]}{text}\n{found[3]}"

        return MARK.sub(write, page)

    def write_pictures(self, folder: Path, stem: str, page: str) -> None:
        """Write each picture that the page shows as a file, in the colour that the reader's light or dark asks for."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, svg in self.pictures.items():
            if f"{stem}{name}.svg" in page:
                (folder / f"{stem}{name}.svg").write_text(_alone(svg), encoding="utf-8")


#: the dense simulators of the picture of crossovers
SHOWN = ("qsim", "qulacs", "lightning", "aer")


def _full(section: Section) -> bool:
    return section.table is None or bool(section.table.rows)


def _html_section(section: Section, drawn: Mapping[str, str]) -> str:
    body = "".join(f"<p>{_code(escape(part))}</p>" for part in section.text.split("\n\n") if part)
    body += drawn.get(section.picture, "") + (section.table.html() if section.table else "")
    if section.folded:
        return f"<details><summary><b>{escape(section.title)}</b></summary>{body}</details>\n"
    return f"<h2>{escape(section.title)}</h2>{body}\n"


def _code(text: str) -> str:
    """The text with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def _alone(svg: str) -> str:
    """A picture that is a file of its own knows what light it is looked at in."""
    style = "<style>svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>"
    head, sign, rest = svg.partition(">")
    return head + sign + style + rest
