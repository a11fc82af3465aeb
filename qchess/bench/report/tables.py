"""The tables of a report as plain rows of text; pages write them as Markdown or HTML."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from qchess.bench.report import findings
from qchess.bench.report.findings import PHASES, Crossover
from qchess.bench.report.rows import (
    CLASSES,
    MEMORY,
    OURS,
    Row,
    by_case,
    fastest,
    held,
    kind_of,
    mean,
    short,
    simulators,
)
from qchess.bench.report.scores import NEVER, Place, Standing, places, winner
from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import OUTCOMES, Results

#: in words, a simulator's precision; a tableau has none
PRECISION = {"complex128": "double", "complex64": "single"}
#: remarks that differ only in numbers share one row
NUMBER = re.compile(r"\d[\d.,]*(?:e[+-]?\d+)?")


@dataclass(frozen=True)
class Table:
    """A head and rows; the first column is text, the others are numbers or words."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """Return the table in Markdown."""
        lines = [self.head, ("---", *("---:" for _ in self.head[1:])), *self.rows]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)

    def html(self) -> str:
        """Return the table in HTML."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.head)
        body = "".join("<tr>" + "".join(f"<td>{_marked(cell)}</td>" for cell in row) + "</tr>" for row in self.rows)
        return f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def cores(settings: Settings) -> str:
    """Return how many cores a run has, in words."""
    return "one pinned thread" if settings.threads == 1 else f"pinned to {settings.threads} cores"


def _marked(cell: str) -> str:
    if cell.startswith("**") and cell.endswith("**"):
        return f"<b>{escape(cell.strip('*'))}</b>"
    return escape(cell)


def about(results: Results) -> Table:
    """Return where and how it was measured."""
    plan = results.plan
    loads = sorted(run["load"] for run in results.runs.values()) or [0.0]
    settings = plan.settings
    told = {
        **{key: str(value) for key, value in plan.machine.items()},
        "load while it ran": f"median {loads[len(loads) // 2]}, from {loads[0]} to {loads[-1]}",
        "corpus": f"{plan.corpus}: {len(plan.cases)} cases, hash {plan.hash[:16]}",
        "limits of a run": f"{settings.seconds:g} s of processor time, {settings.memory / 1e9:g} GB, {cores(settings)}",
        "precision": "each simulator's own" if settings.precision == "own" else f"{settings.precision} for all",
        "runs": str(len(results.runs)),
        "read-outs": f"{settings.shots}, seed {settings.seed}",
    }
    return Table(("measured on", ""), tuple((key, value) for key, value in told.items()))


def outcomes(results: Results) -> Table:
    """Return how the runs of each simulator ended."""
    from qchess.bench.report.outcomes import counted

    rows = []
    for name in results.plan.simulators:
        start, counts = results.starts.get(name, {}), counted(results, name)
        kind = CLASSES[kind_of(start)].partition(",")[0]
        versions = ", ".join(f"{package} {version}" for package, version in start.get("versions", {}).items())
        rows.append((
            start.get("label", name), kind if start.get("outcome") == "ok" else start.get("why", ""),
            PRECISION.get(start.get("precision", ""), ""),
            *(str(counts[outcome] or "") for outcome in OUTCOMES), versions,
        ))  # fmt: skip
    return Table(("simulator", "class", "precision", *OUTCOMES, "versions"), tuple(rows))


def phases(results: Results, found: Sequence[Row]) -> Table:
    """Return the costs beside the state: import, and the medians of lowering, reading amplitudes and read-outs."""
    names, cases = findings.shared(found)
    mine = [row for row in found if row.case in set(cases) and row.simulator in names]
    rows = []
    for name in simulators(found):
        start = next((s for s in results.starts.values() if s.get("label") == name), {})
        if start.get("outcome") != "ok":
            continue
        import_ = start["import"]["cpu"]
        middle = [findings.typical(mine, name, what) for what in PHASES]
        held = (start["memory"]["peak"] - start["memory"]["base"]) / 1e6
        rows.append((name, f"{import_:.2f}", f"{held:.0f}", *(_ms(value) for value in middle)))
    head = ("simulator", "import, s", "import, MB", "lowering, ms", "first run, ms", "amplitudes, ms", "read-outs, ms")
    return Table(head, tuple(rows))


def rankings(ranked: Mapping[str, Sequence[Row]]) -> Table:
    """Return where each simulator stands in its class, by each time and by memory, ordered by the first time."""
    rows = []
    ranked = {**ranked, MEMORY: held(next(iter(ranked.values())))}
    for kind in CLASSES:
        all_ = [{place.simulator: place for place in places(found, kind)} for found in ranked.values()]
        if len(all_[0]) < 2:  # alone in its class, it is its own best
            continue
        for place in sorted(all_[0].values(), key=lambda place: (place.middle, -place.won, -place.done)):
            name, cells = place.simulator, [text for places in all_ for text in _place(places.get(place.simulator))]
            rows.append((f"**{name}**" if name in OURS else name, kind, f"{place.done} of {len(place.ratios)}", *cells))
    head = [text for by in ranked for text in (f"{by}: times the {_best(by)}", f"{by}: won, tied")]
    return Table(("simulator", "class", "did", *head), tuple(rows))


def _best(by: str) -> str:
    return "least" if by == MEMORY else "fastest"


def _place(place: Place | None) -> tuple[str, str]:
    if place is None:  # nobody of its class knows its memory
        return "", ""
    middle = "not half done" if place.middle == NEVER else _factor(place.middle)
    return middle, f"{place.won}, {place.tied}"


def standings(made: Iterable[Standing]) -> Table:
    """Return ours against the best of the others, family by family."""
    head = ("family", "track", "lost", "tied", "won", "together", "factor", "rival", "worst case", "its factor")
    return Table(head, tuple(
        (s.family, s.track, *(str(s.count(verdict)) for verdict in ("lost", "tied", "won")), s.verdict,
         _factor(s.factor), s.rival, s.worst.case.case, _factor(s.worst.ratio)) for s in made
    ))  # fmt: skip


def families(found: Sequence[Row], track: str = "native") -> Table:
    """Return how many times slower than the best exact one each simulator is in each family it did completely."""
    names = [name for name in simulators(found) if any(r.kind != "approximate" for r in found if r.simulator == name)]
    groups: dict[str, list[list[Row]]] = defaultdict(list)
    for runs in by_case([row for row in found if row.track == track and not row.feed_forward]).values():
        if any(row.kind == "exact" and row.seconds for row in runs):
            groups[runs[0].family].append(runs)
    rows = []
    for family, cases in sorted(groups.items()):
        cells = [_of_family(name, cases) for name in names]
        rows.append((family, str(len(cases)), *cells))
    return Table(("family", "cases", *names), tuple(rows))


def _of_family(name: str, cases: Sequence[Sequence[Row]]) -> str:
    """Return the geometric mean if it did all cases; else how many it did, since those are the easier ones."""
    ratios = []
    for runs in cases:
        best = fastest([row for row in runs if row.kind == "exact"])
        mine = fastest(runs, of=(name,))
        if best and best.seconds and mine and mine.seconds:
            ratios.append(mine.seconds / best.seconds)
    if len(ratios) < len(cases):
        return f"did {len(ratios)}" if ratios else ""
    text = _factor(mean(ratios))
    return f"**{text}**" if name in OURS else text


def crossover(crossings: Mapping[str, Sequence[Crossover]]) -> Table:
    """Return where dense simulators overtake `sparse`: cases by the first of the times, ties by each."""
    first, *_ = crossings.values()
    ties = {by: {crossing.dense: crossing.tie for crossing in made} for by, made in crossings.items()}
    head = ("against", "cases", "sparse wins", "up to density", "loses", "from density", *(f"tie, {by}" for by in ties))
    return Table(head, tuple(
        (c.dense, str(len(c.points)), str(len(c.won)), _density(max(c.won, default=None)), str(len(c.lost)),
         _density(min(c.lost, default=None)), *(_density(told.get(c.dense)) or "not seen" for told in ties.values()))
        for c in first
    ))  # fmt: skip


def error_table(found: Sequence[Row]) -> Table:
    """Return the largest error of a right amplitude."""
    worst = findings.errors(found)
    return Table(("simulator", "largest error"), tuple((name, f"{error:.0e}") for name, error in worst.items()))


def fidelity_table(found: Sequence[Row]) -> Table:
    """Return the fidelities of approximate methods."""
    head = ("method", "kept to .99", "lowest kept", "cut too much", "lowest cut")
    return Table(head, tuple(
        (name, str(kept), f"{low:.6f}", str(cut), f"{worst:.3f}" if cut else "")
        for name, (kept, cut, low, worst) in findings.fidelities(found).items()
    ))  # fmt: skip


def troubles(found: Sequence[Row]) -> Table:
    """Return every run that was wrong, crashed or exceeded its limits, and all remarks, grouped by text."""
    grouped: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    alike: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for row in found:
        why = str(row.data.get("why", ""))
        if row.data.get("gate"):
            why += f"; {row.data['gate']}"
        if row.outcome in ("wrong", "crash", "timeout", "memory"):
            why = "too much was cut away" if row.data.get("kind") == "truncated" else why
            grouped[row.simulator, row.outcome, why if row.outcome in ("wrong", "crash") else ""].append(row.case)
        elif row.data.get("stopped") or row.data.get("samples_wrong"):
            grouped[row.simulator, "ok, but", row.data.get("stopped") or row.data["samples_wrong"]].append(row.case)
        remarks = row.data.get("remarks", ())
        for remark in remarks.values() if isinstance(remarks, dict) else remarks:
            alike[row.simulator, NUMBER.sub("#", remark)].append((remark, row.case))
    for (simulator, _), told in alike.items():
        grouped[simulator, "remark", told[0][0]] += [case for _, case in told]
    head = ("simulator", "outcome", "runs", "why", "cases")
    return Table(head, tuple(
        (name, outcome, str(len(cases)), why, ", ".join(cases[:3]) + (" ..." if len(cases) > 3 else ""))
        for (name, outcome, why), cases in grouped.items()
    ))  # fmt: skip


def times(found: Sequence[Row]) -> Table:
    """Return the milliseconds of every simulator on every case, and the megabytes of its first run above the import.

    Bold is the winner among exact ones; none in a tie.
    """
    names = simulators(found)
    rows = []
    for case, runs in by_case(found).items():
        best = winner([row for row in runs if row.kind == "exact"])
        mine = {row.simulator: row for row in runs}
        cells = [_cell(mine.get(name), best) for name in names]
        rows.append((case, str(runs[0].wires), str(runs[0].peak), *cells))
    return Table(("case", "wires", "peak", *names), tuple(rows))


def _cell(row: Row | None, best: str) -> str:
    if row is None:
        return ""
    if row.seconds is None:
        return {"unsupported": "-", "ok": "(asks)"}.get(row.outcome, row.outcome)
    text = _ms(row.seconds) + ("" if row.grown is None else f", {row.grown / 1e6:.3g} MB")
    return f"**{text}**" if row.simulator == best else text


def feed_forward(found: Sequence[Row]) -> Table:
    """Return the milliseconds for all shots of programs with questions, by case."""
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


def _factor(value: float) -> str:
    """Return a factor with two digits; infinite and zero ones in words."""
    if value == NEVER:
        return "not done"
    return short(value) if value else "nobody else"


def _density(value: float | None) -> str:
    return "" if value is None else f"{value:.2g}"
