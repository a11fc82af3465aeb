"""Every run as one long table: its times with their quartiles, its memory, how it ended, and how to run it again."""

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

#: in a command, what is put there for each run
SIMULATOR, CASE = "SIMULATOR", "CASE"
#: takes a run; gives what is shown, and the whole number where that is shorter
Cell = Callable[[Row], tuple[str, float | None]]


class Listing:
    """Every run, so ordered that the cases of a simulator in a family stand together."""

    def __init__(self, ranked: Mapping[str, Sequence[Row]], plan: Plan, choices: Choices) -> None:
        self.plan, self.choices = plan, choices
        first = next(iter(ranked.values()))
        place = {name: number for number, name in enumerate(choices.names)}
        self.rows = sorted(first, key=lambda row: (row.family, place[row.simulator], row.track, row.wires, row.case))
        #: simulator and case -> the place of their run
        self.numbers = {(row.simulator, row.case): number for number, row in enumerate(self.rows)}
        self.times = {by: {(row.simulator, row.case): row for row in found} for by, found in ranked.items()}

    def columns(self) -> dict[str, Cell]:
        """The heads of the columns, and what stands in each."""
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
        """The table; where a shown number is rounded, the whole one is with it."""
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
        """How to read it, and how one run is done again."""
        inside = any(row.family.partition(",")[0] in FAMILIES for row in self.rows)
        command = again(self.plan, outside=not inside)
        return (
            "Milliseconds, with the quartiles where a run was repeated; megabytes that the first run took beyond the "
            f"import. One run is done again by `{command}`, with the names of its simulator and its case."
        )

    def _outside(self) -> list[str]:
        """The families that are not the corpus's own."""
        return sorted({row.family for row in self.rows if row.family.partition(",")[0] not in FAMILIES})


def again(plan: Plan, *, outside: bool = False) -> str:
    """The command that runs one case with one simulator, by the settings of the file."""
    parts = [part.partition(", only ")[0] for part in plan.corpus.split(AND)]
    size = max((part for part in parts if part in SIZES), key=SIZES.index, default="large")
    where = ["--size", size]
    if outside:
        where = [word for part in parts if part not in SIZES for word in _option(part)]
    settings = [word for option in _options(plan.settings) for word in option]
    words = ["qchess", "bench", "run", SIMULATOR, "--only", CASE, *where, *settings, "--out", "again.jsonl"]
    return shlex.join(words)


def _options(settings: Settings) -> Iterator[tuple[str, str]]:
    """The settings that are not the usual ones, as the command line has them."""
    usual = vars(Settings())
    for key, value in vars(settings).items():
        if value != usual[key] and key != "least":  # which nobody sets
            yield f"--{key}", f"{value / 1e9:g}" if key == "memory" else str(value).removesuffix(".0")


def _option(part: str) -> tuple[str, ...]:
    """How the command line names circuits from outside, by the last name of their path."""
    kind, _, name = part.partition(" ")
    return ("--circuits", name.removeprefix("of ")) if kind == "circuits" else ("--family", name)


def _value(value: float | None) -> str:
    return "" if value is None else f" data-v={value:.6g}"


def remark(row: Row) -> str:
    """Why a run ended as it did, and what was noticed."""
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
    """Milliseconds with three digits, or all of them before the point."""
    return f"{seconds * 1e3:.3g}" if seconds < 0.9995 else f"{seconds * 1e3:.0f}"
