"""What the results say, in sentences whose every number comes from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from qchess.bench.report import findings
from qchess.bench.report.findings import SMALL, Crossover
from qchess.bench.report.plots import KNOWN_TIE
from qchess.bench.report.rows import OURS, Row, by_case, fastest, mean, simulators
from qchess.bench.running.results import Results


def sentences(results: Results, found: Sequence[Row], crossings: Sequence[Crossover]) -> dict[str, str]:
    """A paragraph or two by name."""
    return {
        "rules": _rules(results),
        "outcomes": _outcomes(results, found),
        "branches": _branches(found),
        "profile": _profile(found),
        "wins": _wins(found),
        "lost": _lost(found),
        "families": _families(),
        "crossover": _crossover(crossings),
        "errors": _errors(found),
        "fidelities": _fidelities(found),
        "phases": _phases(results),
        "feed-forward": _feed_forward(found),
    }


def _rules(results: Results) -> str:
    settings = results.plan.settings
    return (
        "Games favour sparse engines, and ours is one; the families in which it loses are here too. Each run "
        "is a process of "
        "its own with one pinned thread. A time is the median of warm runs from the basis state to the "
        "finished state, and "
        "counts only where the amplitudes are right after one global phase: to 1e-9 in double precision, "
        "1e-4 in single. "
        f"Times above 50 ms are the processor's, shorter ones the clock's. Each run has {settings.seconds:g} s and "
        f"{settings.memory / 1e9:g} GB. On {SMALL} wires or fewer a time measures overhead, not growth."
    )


def _outcomes(results: Results, found: Sequence[Row]) -> str:
    ends = Counter(row.outcome for row in found)
    return (
        f"{len(found)} runs of {len(results.plan.simulators)} simulators on {len(results.plan.cases)} cases: "
        + ", ".join(f"{count} {outcome}" for outcome, count in ends.most_common())
        + "."
    )


def _branches(found: Sequence[Row]) -> str:
    small = _against_best(found, lambda row: row.peak < 1000)
    large = _against_best(found, lambda row: row.peak >= 1000 and row.density < 0.1)
    parts = []
    above = f"above, while fewer than a tenth of all states are occupied ({len(large)} cases)"
    for text, ratios in ((f"below 1,000 peak branches ({len(small)} cases)", small), (above, large)):
        if ratios:
            parts.append(f"{text} our time is {mean(ratios):.2g} times that of the best other exact simulator")
    return ("On native gates, in the geometric mean, " + "; ".join(parts) + ".") if parts else ""


def _against_best(found: Sequence[Row], wanted: object) -> list[float]:
    """Our time over the best other's, on native cases of a kind."""
    ratios = []
    for runs in by_case([row for row in found if row.track == "native"]).values():
        ours = fastest(runs, of=OURS)
        other = fastest(row for row in runs if row.kind == "exact" and row.simulator not in OURS)
        if ours and other and ours.seconds and other.seconds and callable(wanted) and wanted(ours):
            ratios.append(ours.seconds / other.seconds)
    return ratios


def _profile(found: Sequence[Row]) -> str:
    shares = findings.profile(found, "exact", (1.0, 10.0, 1e9))
    told = sorted(shares.items(), key=lambda entry: -entry[1][1])
    parts = [f"{name} {best:.0%}, {near:.0%}, {done:.0%}" for name, (best, near, done) in told]
    return (
        "The share of cases in which a simulator is the fastest of its class, is within ten times the "
        "fastest, and gives a "
        "right answer at all within the limits: " + "; ".join(parts) + "."
    )


def _wins(found: Sequence[Row]) -> str:
    total: Counter[str] = Counter()
    for counts in findings.wins(found).values():
        total += counts
    return f"Of {total.total()} cases that any exact simulator in double precision did: " + ", ".join(
        f"{name} is the fastest in {count}" for name, count in total.most_common()
    ) + "."  # fmt: skip


def _lost(found: Sequence[Row]) -> str:
    standings = findings.standings(found)
    lost = findings.lost(found)
    if not lost:
        return f"Ours is the fastest exact one in double precision in all {len(standings)} families and tracks."
    worst = lost[0]
    native, behind = (sum(one.track == "native" for one in group) for group in (standings, lost))
    return (
        f"On native gates another exact simulator in double precision is faster in {behind} of {native} "
        f"families, in the geometric mean; on lowered and mapped circuits in {len(lost) - behind} of "
        f"{len(standings) - native}. The farthest behind is {worst.family} ({worst.track}), "
        f"{worst.factor:.2g} times behind {worst.rival}. A factor is our better time of `sparse` and `registers` "
        "over the best other's. The next work on the engine starts from this list."
    )


def _families() -> str:
    return (
        "How many times slower than the fastest exact simulator in double precision, in the geometric mean "
        "of a family's "
        "cases; in brackets how many of them it did, where not all. Empty: none."
    )


def _crossover(crossings: Sequence[Crossover]) -> str:
    text = "Density is the share of all basis states that is occupied at the peak. Native cases on 14 wires and more."
    qsim = next((crossing for crossing in crossings if crossing.dense == "qsim"), None)
    if qsim is None or not qsim.tie:
        return text
    return (
        f"{text} Against qsim, which has single precision only, `sparse` loses its first case at a density of "
        f"{qsim.above or 1:.2g}, and a line through all of them puts the tie at {qsim.tie:.2g}; measurements of an "
        f"earlier engine found {KNOWN_TIE[0]} to {KNOWN_TIE[1]}."
    )


def _errors(found: Sequence[Row]) -> str:
    worst = findings.errors(found)
    double = [error for name, error in worst.items() if _kind(found, name) == "exact"]
    single = [error for name, error in worst.items() if _kind(found, name) == "single"]
    text = f"The largest error of any amplitude of a right run is {max(double, default=0):.0e} in double precision"
    return text + (f" and {max(single):.0e} in single." if single else ".")


def _kind(found: Sequence[Row], simulator: str) -> str:
    return next(row.kind for row in found if row.simulator == simulator)


def _fidelities(found: Sequence[Row]) -> str:
    cut = sum(row.data.get("kind") == "truncated" for row in found)
    return (
        f"Methods that may leave something out are ranked among themselves. {cut} of their runs kept less "
        "than .99 of the "
        "fidelity; nothing but the comparison tells: they end well, with norm 1."
    )


def _phases(results: Results) -> str:
    names = [start["label"] for start in results.starts.values() if start["outcome"] == "ok"]
    return (
        f"Medians over the right runs of {len(names)} simulators. Lowering is from our operations to the "
        "simulator's own "
        "form; amplitudes are up to 1,000 of them, by key. The import counts what a simulator compiles when "
        "it is first used."
    )


def _feed_forward(found: Sequence[Row]) -> str:
    able = [
        n for n in simulators(found) if any(r.feed_forward and r.outcome == "ok" for r in found if r.simulator == n)
    ]
    cases = len({row.case for row in found if row.feed_forward})
    return (
        f"{cases} programs ask in the middle and go on by the answer. {', '.join(able)} ran them, each answer "
        "compared with "
        "its exact odds by a chi-square; milliseconds for all shots."
    )
