"""The tables of a report, as plain rows of text; pages write them as Markdown or HTML."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from qchess.bench.report import findings
from qchess.bench.report.findings import Crossover, Standing
from qchess.bench.report.rows import CLASSES, OURS, Row, by_case, fastest, kind_of, mean, simulators
from qchess.bench.running.results import OUTCOMES, Results


@dataclass(frozen=True)
class Table:
    """A head and rows; the first column is text, the others are numbers or words."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """The table in Markdown."""
        lines = [self.head, ("---", *("---:" for _ in self.head[1:])), *self.rows]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)

    def html(self) -> str:
        """The table in HTML."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.head)
        body = "".join("<tr>" + "".join(f"<td>{_marked(cell)}</td>" for cell in row) + "</tr>" for row in self.rows)
        return f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _marked(cell: str) -> str:
    if cell.startswith("**") and cell.endswith("**"):
        return f"<b>{escape(cell.strip('*'))}</b>"
    return escape(cell)


def about(results: Results) -> Table:
    """Where and how it was measured."""
    plan = results.plan
    loads = sorted(run["load"] for run in results.runs.values()) or [0.0]
    settings = plan.settings
    told = {
        **{key: str(value) for key, value in plan.machine.items()},
        "load while it ran": f"median {loads[len(loads) // 2]}, from {loads[0]} to {loads[-1]}",
        "corpus": f"{plan.corpus}: {len(plan.cases)} cases, hash {plan.hash[:16]}",
        "limits of a run": f"{settings.seconds:g} s of processor time, {settings.memory / 1e9:g} GB, one pinned thread",
        "runs": str(len(results.runs)),
        "read-outs": f"{settings.shots}, seed {settings.seed}",
    }
    return Table(("measured on", ""), tuple((key, value) for key, value in told.items()))


def outcomes(results: Results) -> Table:
    """How the runs of each simulator ended."""
    from qchess.bench.report.outcomes import counted

    rows = []
    for name in results.plan.simulators:
        start, counts = results.starts.get(name, {}), counted(results, name)
        versions = ", ".join(f"{package} {version}" for package, version in start.get("versions", {}).items())
        rows.append((
            start.get("label", name), CLASSES[kind_of(start)] if start.get("outcome") == "ok" else start.get("why", ""),
            *(str(counts[outcome] or "") for outcome in OUTCOMES), versions,
        ))  # fmt: skip
    return Table(("simulator", "class", *OUTCOMES, "versions"), tuple(rows))


def phases(results: Results, found: Sequence[Row]) -> Table:
    """The median cost of what is not the state: import, lowering, reading amplitudes, read-outs; and memory."""
    rows = []
    for name in simulators(found):
        start = next((s for s in results.starts.values() if s.get("label") == name), {})
        if start.get("outcome") != "ok":
            continue
        import_ = start["import"]["cpu"]
        middle = [findings.typical(found, name, what) for what in ("lower", "first", "read", "sample")]
        held = (start["memory"]["peak"] - start["memory"]["base"]) / 1e6
        rows.append((name, f"{import_:.2f}", f"{held:.0f}", *(_ms(value) for value in middle)))
    head = ("simulator", "import, s", "import, MB", "lowering, ms", "first run, ms", "amplitudes, ms", "read-outs, ms")
    return Table(head, tuple(rows))


def standings(made: Iterable[Standing]) -> Table:
    """Ours against the best of the others, family by family."""
    head = ("family", "track", "cases", "rival", "factor", "worst case", "its factor")
    return Table(head, tuple(
        (s.family, s.track, str(s.cases), s.rival, _factor(s.factor), s.worst_case, _factor(s.worst)) for s in made
    ))  # fmt: skip


def families(found: Sequence[Row], track: str = "native") -> Table:
    """How many times slower than the best exact one each simulator is in each family, where it did all its cases."""
    names = [name for name in simulators(found) if any(r.kind != "approximate" for r in found if r.simulator == name)]
    groups: dict[str, list[list[Row]]] = defaultdict(list)
    for runs in by_case([row for row in found if row.track == track and not row.feed_forward]).values():
        groups[runs[0].family].append(runs)
    rows = []
    for family, cases in sorted(groups.items()):
        cells = [_of_family(name, cases) for name in names]
        rows.append((family, str(len(cases)), *cells))
    return Table(("family", "cases", *names), tuple(rows))


def _of_family(name: str, cases: Sequence[Sequence[Row]]) -> str:
    ratios = []
    for runs in cases:
        best = fastest([row for row in runs if row.kind == "exact"])
        mine = fastest(runs, of=(name,))
        if best and best.seconds and mine and mine.seconds:
            ratios.append(mine.seconds / best.seconds)
    if not ratios:
        return ""
    text = _factor(mean(ratios))
    text = f"{text} ({len(ratios)})" if len(ratios) < len(cases) else text
    return f"**{text}**" if name in OURS else text


def crossover(crossings: Sequence[Crossover]) -> Table:
    """Where dense simulators overtake `sparse`."""
    head = ("against", "cases", "highest density at which sparse wins", "lowest at which it loses", "tie, by a line")
    return Table(head, tuple(
        (c.dense, str(len(c.points)), _density(c.below), _density(c.above), _density(c.tie)) for c in crossings
    ))  # fmt: skip


def error_table(found: Sequence[Row]) -> Table:
    """The largest error of a right amplitude."""
    worst = findings.errors(found)
    return Table(("simulator", "largest error"), tuple((name, f"{error:.0e}") for name, error in worst.items()))


def fidelity_table(found: Sequence[Row]) -> Table:
    """What approximate methods kept."""
    head = ("method", "kept to .99", "lowest kept", "cut too much", "lowest cut")
    return Table(head, tuple(
        (name, str(kept), f"{low:.6f}", str(cut), f"{worst:.3f}" if cut else "")
        for name, (kept, cut, low, worst) in findings.fidelities(found).items()
    ))  # fmt: skip


def troubles(found: Sequence[Row]) -> Table:
    """Every run that was wrong, crashed or passed its limits, those with the same words together."""
    grouped: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in found:
        why = str(row.data.get("why", ""))
        if row.data.get("gate"):
            why += f"; {row.data['gate']}"
        if row.outcome in ("wrong", "crash", "timeout", "memory"):
            why = "too much was cut away" if row.data.get("kind") == "truncated" else why
            grouped[row.simulator, row.outcome, why if row.outcome in ("wrong", "crash") else ""].append(row.case)
        elif row.data.get("stopped") or row.data.get("samples_wrong"):
            grouped[row.simulator, "ok, but", row.data.get("stopped") or row.data["samples_wrong"]].append(row.case)
    head = ("simulator", "outcome", "runs", "why", "cases")
    return Table(head, tuple(
        (name, outcome, str(len(cases)), why, ", ".join(cases[:3]) + (" ..." if len(cases) > 3 else ""))
        for (name, outcome, why), cases in grouped.items()
    ))  # fmt: skip


def times(found: Sequence[Row]) -> Table:
    """The milliseconds of every simulator on every case; the fastest exact one is bold."""
    names = simulators(found)
    rows = []
    for case, runs in by_case(found).items():
        best = fastest([row for row in runs if row.kind == "exact"])
        mine = {row.simulator: row for row in runs}
        cells = [_cell(mine.get(name), best) for name in names]
        rows.append((case, str(runs[0].wires), str(runs[0].peak), *cells))
    return Table(("case", "wires", "peak", *names), tuple(rows))


def _cell(row: Row | None, best: Row | None) -> str:
    if row is None:
        return ""
    if row.seconds is None:
        return {"unsupported": "-", "ok": "(asks)"}.get(row.outcome, row.outcome)
    text = _ms(row.seconds)
    return f"**{text}**" if best and row.simulator == best.simulator else text


def feed_forward(found: Sequence[Row]) -> Table:
    """The milliseconds for all shots of programs that ask, by case."""
    mine = [row for row in found if row.feed_forward]
    names = [name for name in simulators(mine) if any(r.outcome == "ok" for r in mine if r.simulator == name)]
    rows = []
    for case, runs in by_case(mine).items():
        of = {row.simulator: row for row in runs}
        rows.append((case, str(runs[0].wires), *(_asked(of.get(name)) for name in names)))
    return Table(("case", "wires", *names), tuple(rows))


def _asked(row: Row | None) -> str:
    if row is None:
        return ""
    return _ms(row.data["answers"]["wall"]) if row.outcome == "ok" else row.outcome


def _ms(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e3:.3g}" if seconds < 0.9995 else f"{seconds * 1e3:.0f}"


def _factor(value: Any) -> str:
    return f"{value:.2g}" if value < 99.5 else f"{value:.0f}"


def _density(value: float | None) -> str:
    return "" if value is None else f"{value:.2g}"
