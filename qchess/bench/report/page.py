"""A report as a page: its sections as one HTML file, pictures inside, as Markdown, and inside a page of ours.

A page of ours holds marks, ``<!-- bench: NAME -->`` to ``<!-- end -->``; what stands between them is written anew from
the results, so that no number of the page is anybody's hand's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

from qchess.bench.report import adapters, findings, scores, sentences, tables
from qchess.bench.report.plots import ALT, pictures
from qchess.bench.report.rows import RANKINGS, Row, rankings, rows
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
        #: what was run, by each of the times that the file has; the first is that of the page
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
    def pictures(self) -> Mapping[str, str]:
        """Every picture by its name, drawn when the first is asked for."""
        crossings = next(iter(self.crossings.values()))
        return pictures(self.ranked, [crossing for crossing in crossings if crossing.dense in SHOWN])

    def tables(self) -> dict[str, Table]:
        """Every table by its name."""
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

    def sections(self) -> list[Section]:
        """The report in order."""
        made, says = self.tables(), self.says
        head = [
            Section("Where ours loses, and the whole", f"{says['time']}\n\n{says['headline']}\n\n{says['ties']}"),
            Section(
                "The rankings side by side", f"{says['rankings']}\n\n{says['profile']}", "profile", made["rankings"]
            ),
            Section("Where and how", says["rules"], table=made["about"]),
            Section("Outcomes", says["outcomes"], table=made["outcomes"]),
            Section("Time against branches", says["branches"], "branches"),
            Section("Time against wires", "", "qubits"),
            Section("Where each one wins", says["wins"], "wins"),
        ]
        parts = [
            Section("Where ours is not the fastest", says["lost"], table=made["lost"]),
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
            Section("The same rankings side by side", says["rankings-small"], table=made["rankings-small"]),
            Section("Where ours is not the fastest there", says["lost-small"], table=made["lost-small"]),
            Section("Families there, native gates", says["wins-small"], table=made["families-small"]),
            Section("Families there, lowered", table=made["families-lowered-small"]),
        ]
        return [
            *head, *parts, *few,
            Section("What went wrong", "", table=made["troubles"], folded=True),
            Section("Every case, ms", "Bold is what wins among exact ones.", table=made["times"], folded=True),
        ]  # fmt: skip

    def html(self) -> str:
        """The whole report as one file."""
        return as_html(self.sections(), self.pictures)

    def markdown(self, picture: str) -> str:
        """The report as Markdown; `picture` is where a picture lies, with ``{}`` for its name."""
        return as_markdown(self.sections(), picture)

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
                drawn = name.removeprefix("picture-")
                text = f"![{ALT.get(drawn, drawn)}]({picture.format(drawn)})"
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


def as_html(sections: Iterable[Section], drawn: Mapping[str, str]) -> str:
    """Sections as one file."""
    parts = [_html_section(section, drawn) for section in sections if _full(section)]
    head = f"<meta name=viewport content='width=device-width'><style>{STYLE}</style>"
    title = "<!doctype html>\n<html lang=en><meta charset=utf-8><title>Simulators compared</title>"
    return f"{title}{head}\n<body><h1>Simulators on game circuits</h1>\n{''.join(parts)}</body></html>\n"


def as_markdown(sections: Iterable[Section], picture: str) -> str:
    """Sections as Markdown; `picture` is where a picture lies, with ``{}`` for its name."""
    parts = ["# Simulators on game circuits"]
    for section in filter(_full, sections):
        parts += [f"## {section.title}", section.text]
        parts += [f"![{ALT[section.picture]}]({picture.format(section.picture)})"] if section.picture else []
        parts += [section.table.markdown()] if section.table else []
    return "\n\n".join(filter(None, parts)) + "\n"


def _full(section: Section) -> bool:
    return section.table is None or bool(section.table.rows)


def _html_section(section: Section, drawn: Mapping[str, str]) -> str:
    body = "".join(f"<p>{_marked(escape(part))}</p>" for part in section.text.split("\n\n") if part)
    if section.picture:
        told = f'<svg role="img" aria-label="{escape(ALT[section.picture])}"'
        body += drawn[section.picture].replace("<svg", told, 1)
    body += section.table.html() if section.table else ""
    if section.folded:
        return f"<details><summary><b>{escape(section.title)}</b></summary>{body}</details>\n"
    return f"<h2>{escape(section.title)}</h2>{body}\n"


def _marked(text: str) -> str:
    """The text with what stands between backticks as code, and what stands between asterisks in its weight."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text))


def _alone(svg: str) -> str:
    """A picture that is a file of its own knows what light it is looked at in."""
    style = "<style>svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>"
    head, sign, rest = svg.partition(">")
    return head + sign + style + rest
