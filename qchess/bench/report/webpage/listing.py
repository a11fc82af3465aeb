"""Every run in one long table: times with quartiles, memory, outcome, and the command to run it again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from qchess.bench.case import SIZES
from qchess.bench.corpus.listing import FAMILIES
from qchess.bench.report.rows import Row
from qchess.bench.report.webpage.choices import Choices
from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import AND, Plan

#: placeholders in a command, replaced for each run
SIMULATOR, CASE = "SIMULATOR", "CASE"
#: run -> the shown text, and the full number if that is shorter
Cell = Callable[[Row], tuple[str, float | None]]


class Listing:
    """Every run, ordered so that a simulator's cases of a family stand together."""

    def __init__(self, ranked: Mapping[str, Sequence[Row]], plan: Plan, choices: Choices) -> None:
        self.plan, self.choices = plan, choices
        first = next(iter(ranked.values()))
        place = {name: number for number, name in enumerate(choices.names)}
        self.rows = sorted(first, key=lambda row: (row.family, place[row.simulator], row.track, row.wires, row.case))
        #: (simulator, case) -> the place of their run
        self.numbers = {(row.simulator, row.case): number for number, row in enumerate(self.rows)}
        self.times = {by: {(row.simulator, row.case): row for row in found} for by, found in ranked.items()}

    def columns(self) -> dict[str, Cell]:
        """Return the heads of the columns, and their contents."""
        made: dict[str, Cell] = {
            "simulator": lambda row: (self.choices.marked(row.simulator), None),
            "family": lambda row: (escape(row.family), None),
            "track": lambda row: (escape(row.track), None),
            "wires": lambda row: (str(row.wires), None),
            "case": lambda row: (escape(row.case), None),
            "outcome": lambda row: (escape(row.outcome), None),
        }
        for by, told in self.times.items():
            made[f"{by}, ms"] = lambda row, told=told: _ms(told[row.simulator, row.case].seconds)  # type: ignore[misc]
            if by != "first":
                made[f"{by}, quartiles"] = lambda row, told=told: (  # type: ignore[misc]
                    _spread(told[row.simulator, row.case]), None
                )  # fmt: skip
        if any(row.feed_forward for row in self.rows):
            made["all shots, ms"] = lambda row: _ms(row.data.get("answers", {}).get("wall"))
        made["memory, MB"] = lambda row: ("" if row.grown is None else f"{row.grown / 1e6:.3g}", None)
        made["remark"] = lambda row: (escape(remark(row)), None)
        return made

    def html(self) -> str:
        """Return the table; a rounded number has the full one with it."""
        columns = self.columns()
        head = "".join(f"<th scope=col{' class=long' * (name == 'remark')}>{escape(name)}" for name in columns)
        lines = []
        for number, row in enumerate(self.rows):
            told = (cell(row) for cell in columns.values())
            *cells, last = (
                f"<td>{text}" if value is None else f"<td data-v={value:.6g}>{text}" for text, value in told
            )
            cells.append(last.replace("<td>", "<td class=long>"))
            lines.append(f"<tr id=r{number}>{''.join(cells)}\n")
        return (
            f'<div class=wide tabindex=0 role=region aria-label="Every run"><table id=runs class=sort '
            f'data-again="{escape(again(self.plan))}" data-outside="{escape(again(self.plan, outside=True))}" '
            f'data-families="{escape(";".join(self._outside()))}"><thead><tr>{head}</thead>\n'
            f"<tbody>{''.join(lines)}</tbody></table></div>"
        )

    def text(self) -> str:
        """Return how to read it, and how to repeat one run."""
        inside = any(row.family.partition(",")[0] in FAMILIES for row in self.rows)
        command = again(self.plan, outside=not inside)
        return (
            "Milliseconds, with the quartiles where a run was repeated; megabytes that the first run took beyond the "
            f"import. One run is done again by `{command}`, with the names of its simulator and its case."
        )

    def _outside(self) -> list[str]:
        """Return the families that are not the corpus's own."""
        return sorted({row.family for row in self.rows if row.family.partition(",")[0] not in FAMILIES})


def again(plan: Plan, *, outside: bool = False) -> str:
    """Return the command that runs one case with one simulator, with the settings of the file."""
    parts = [part.partition(", only ")[0] for part in plan.corpus.split(AND)]
    size = max((part for part in parts if part in SIZES), key=SIZES.index, default="large")
    where = ["--size", size]
    if outside:
        where = [word for part in parts if part not in SIZES for word in _option(part)]
    settings = [word for option in _options(plan.settings) for word in option]
    words = ["qchess", "bench", "run", SIMULATOR, "--only", CASE, *where, *settings, "--out", "again.jsonl"]
    return shlex.join(words)


def _options(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the settings that differ from the defaults, as command-line options."""
    usual = vars(Settings())
    for key, value in vars(settings).items():
        if value != usual[key] and key != "least":  # which nobody sets
            yield f"--{key}", f"{value / 1e9:g}" if key == "memory" else str(value).removesuffix(".0")


def _option(part: str) -> tuple[str, ...]:
    """Return the command-line option for circuits from outside, by the last part of their path."""
    kind, _, name = part.partition(" ")
    return ("--circuits", name.removeprefix("of ")) if kind == "circuits" else ("--family", name)


def _value(value: float | None) -> str:
    return "" if value is None else f" data-v={value:.6g}"


def remark(row: Row) -> str:
    """Return why a run ended as it did, and its remarks."""
    why = str(row.data.get("why", ""))
    told = row.data.get("remarks", ())
    parts = [
        why, str(row.data.get("gate") or ""), row.data.get("stopped") or "", row.data.get("samples_wrong") or "",
        *(told.values() if isinstance(told, dict) else told),
    ]  # fmt: skip
    return "; ".join(part for part in parts if part)


def _ms(seconds: float | None) -> tuple[str, float | None]:
    return ("", None) if seconds is None else (_short(seconds), seconds * 1e3)


def _spread(row: Row) -> str:
    return " to ".join(map(_short, row.spread)) if row.spread else ""


def _short(seconds: float) -> str:
    """Return milliseconds with three digits, or all digits before the point."""
    return f"{seconds * 1e3:.3g}" if seconds < 0.9995 else f"{seconds * 1e3:.0f}"
