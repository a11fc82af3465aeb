"""The results in sentences; all numbers come from the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from qchess.bench.report import findings
from qchess.bench.report.findings import Crossover
from qchess.bench.report.rows import PAGES, TIMES, Row, mean, short, simulators
from qchess.bench.report.scores import (
    BARE,
    LIMIT,
    NEVER,
    SIZES,
    SMALL,
    TIE,
    Duel,
    Score,
    Standing,
    duels,
    places,
    sized,
    standings,
    wins,
)
from qchess.bench.report.tables import cores
from qchess.bench.running.results import Results

#: how many families are named where ours loses most
NAMED = 3


def sentences(
    results: Results, ranked: Mapping[str, Sequence[Row]], crossings: Sequence[Crossover] = ()
) -> dict[str, str]:
    """Return paragraphs by name; the first ranking is that of the page."""
    by, found = next(iter(ranked.items()))
    made = {
        "rules": _rules(results, ranked),
        "time": _time(ranked, results),
        "ties": _ties(),
        "outcomes": _outcomes(results),
        "branches": _branches(ranked),
        "families": _families(),
        "crossover": _crossover(crossings),
        "errors": _errors(found),
        "fidelities": _fidelities(found),
        "phases": _phases(found),
        "feed-forward": _feed_forward(found),
    }
    for small, end in ((False, ""), (True, "-small")):
        part = {name: sized(rows, small=small) for name, rows in ranked.items()}
        made |= {
            f"headline{end}": _headline(part, small=small),
            f"rankings{end}": _rankings(part, small=small),
            f"profile{end}": _profile(part[by], small=small),
            f"wins{end}": _wins(part[by], small=small),
            f"lost{end}": _lost(part[by], small=small),
        }
    return made


def _rules(results: Results, ranked: Mapping[str, Sequence[Row]]) -> str:
    settings = results.plan.settings
    return (
        "Games favour sparse engines, and ours is one; the families in which it loses are here too. Each run is a "
        f"process of its own, {cores(settings)}. A time is from the basis state to the finished state, and counts "
        "only where the amplitudes are right after one global phase: to 1e-9 in double precision, 1e-4 in single. "
        f"{_clocks(ranked)} Each run has {settings.seconds:g} s and {settings.memory / 1e9:g} GB. On {SMALL} wires or "
        "fewer a time measures overhead, not growth: such cases are ranked apart."
    )


def _clocks(ranked: Mapping[str, Sequence[Row]]) -> str:
    """Return which clock counts: older files used processor time for longer times."""
    timed = [(row.seconds, row.took) for found in ranked.values() for row in found if row.took]
    other = [took["wall"] for seconds, took in timed if seconds != took["wall"]]
    if not other:
        return "Times are the clock's."
    return (
        f"In this older file {len(other)} of {len(timed)} times are the processor's, all of more than "
        f"{min(other) * 1e3:.2g} ms; the others are the clock's."
    )


def _time(ranked: Mapping[str, Sequence[Row]], results: Results) -> str:
    by, *beside = ranked
    text = f"Everything below that does not say otherwise is ranked by {TIMES[by]}"
    text += f"; {' and '.join(TIMES[name] for name in beside)} stand beside it." if beside else "."
    stand = sum(row.took is not None and not row.data.get(by, {}).get("runs") for row in ranked[by])
    if stand and by != "first":
        text += f" {stand} runs were not repeated; their first time is used."
    if by == "new":
        return text
    return (
        f"**This result file is of an older kind: it has no times of {TIMES['new']}.** A game runs each circuit "
        f"once, so warm repeats favour simulators that cache between calls. {text}"
    )


def _ties() -> str:
    return (
        f"Two times are a tie if they differ by less than {LIMIT} times or if their quartiles overlap; where one of "
        "them has no spread, or was taken while more processes wanted to work than there are cores, if they differ by "
        f"less than {BARE:g} times. A tie is not a win. A family is won or lost by the geometric mean of its cases, "
        "with the same limit."
    )


def _outcomes(results: Results) -> str:
    ends = Counter(run["outcome"] for run in results.runs.values())
    return (
        f"{len(results.runs)} runs of {len(results.plan.simulators)} simulators on {len(results.plan.cases)} cases: "
        + ", ".join(f"{count} {outcome}" for outcome, count in ends.most_common())
        + "."
    )


def _headline(ranked: Mapping[str, Sequence[Row]], *, small: bool) -> str:
    """Return where ours loses, then all rankings in one sentence."""
    found = next(iter(ranked.values()))
    if not duels(found):
        return ""
    made = standings(found)
    lost = [standing for standing in made if standing.verdict == "lost"]
    worst = "; ".join(f"{one.family} ({one.track}), {_behind(one)}" for one in lost[:NAMED])
    first = f"Ours loses in {len(lost)} of {len(made)} families and tracks, most in {worst}." if lost else ""
    parts = [f"{_against(rows)[0]} in {TIMES[by]} ({_against(rows)[1]})" for by, rows in ranked.items()]
    return (
        f"{first} On the {len(duels(found))} cases of {SIZES[small]}, against the best other exact simulator in double "
        f"precision, ours (the better of `sparse` and `registers`) takes {_and(parts)}."
    ).strip()


def _and(parts: Sequence[str]) -> str:
    *most, last = parts
    return f"{'; '.join(most)}; and {last}" if most else last


def _against(found: Sequence[Row]) -> tuple[str, str]:
    """Return how ours did by one of the times: the factor, and the counts."""
    score = Score(tuple(duels(found)))
    native = [standing for standing in standings(found) if standing.track == "native"]
    ends = Counter(standing.verdict for standing in native)
    time = "longer than the limits somewhere" if score.factor == NEVER else f"{short(score.factor)} times as long"
    told = [f"{verdict} {score.count(verdict)}" for verdict in ("lost", "tied", "won")]
    told[0] = f"geometric mean of {len(score.both)}; {told[0]}"
    families = f"; {ends['lost']} of {len(native)} native families lost, {ends['tied']} tied" if native else ""
    return time, ", ".join(told) + families


def _behind(standing: Standing) -> str:
    if standing.factor == NEVER:
        return f"which {standing.rival} does and ours does not"
    return f"{short(standing.factor)} times as long as {standing.rival}"


def _branches(ranked: Mapping[str, Sequence[Row]]) -> str:
    """Return ours against the best other by the density of the state, from the fullest to the emptiest."""
    groups: dict[str, Callable[[Row], bool]] = {
        "with a tenth of all states or more occupied": lambda row: row.density >= 0.1,
        "with fewer, but 1,000 branches or more": lambda row: row.density < 0.1 and row.peak >= 1000,
        "with fewer than 1,000 branches": lambda row: row.density < 0.1 and row.peak < 1000,
    }
    parts = []
    for told, wanted in groups.items():
        factors, count = [], 0
        for by, found in ranked.items():
            mine = [row for row in sized(found, small=False) if row.track == "native" and wanted(row)]
            both: list[Duel] = Score(tuple(duels(mine))).both
            if both:
                factors.append(f"{short(mean([duel.ratio for duel in both]))} ({by})")
                count = len(both)
        if factors:
            parts.append(f"{told} ({count} cases that both did) {', '.join(factors)}")
    if not parts:
        return ""
    return (
        f"On native gates and {SIZES[False]}, our time is, in the geometric mean, this multiple of that of the best "
        f"other exact simulator: {'; '.join(parts)}."
    )


def _rankings(ranked: Mapping[str, Sequence[Row]], *, small: bool) -> str:
    by, found = next(iter(ranked.items()))
    count = max((len(place.ratios) for place in places(found, "exact")), default=0)
    return (
        f"Cases of {SIZES[small]}; {count} of them were done by an exact simulator in double precision. *Times the "
        "fastest* is the median over all cases that anybody of the class did, and what a simulator did not do counts "
        f"as slower than everything. The order is by the first of the times, {by}. *Tied* are cases that nobody wins "
        "and where this one is beside the fastest. Memory is ranked in the same way, by what the first run takes "
        f"beyond the import, {PAGES // 2**20} MB at least; it has no spread, and less than {LIMIT} times is a tie."
    )


def _profile(found: Sequence[Row], *, small: bool) -> str:
    shares = findings.profile(found, "exact", (1.0, 10.0, 1e9))
    told = sorted(shares.items(), key=lambda entry: -entry[1][1])
    parts = [f"{name} {best:.0%}, {near:.0%}, {done:.0%}" for name, (best, near, done) in told]
    return (
        f"The share of cases of {SIZES[small]} in which a simulator has the shortest time of its class, is within ten "
        "times the shortest, and gives a right answer at all within the limits: " + "; ".join(parts) + "."
    )


def _wins(found: Sequence[Row], *, small: bool) -> str:
    total: Counter[str] = Counter()
    for counts in wins(found).values():
        total += counts
    ties = total.pop(TIE, 0)
    parts = [*(f"{name} wins {count}" for name, count in total.most_common()), f"{ties} are ties"]
    return (
        f"Of {total.total() + ties} cases of {SIZES[small]} that any exact simulator in double precision did: "
        f"{', '.join(parts)}."
    )


def _lost(found: Sequence[Row], *, small: bool) -> str:
    made = standings(found)
    if not made:
        return ""
    parts = []
    for what, group in (
        ("On native gates", [one for one in made if one.track == "native"]),
        ("on lowered and mapped circuits", [one for one in made if one.track != "native"]),
    ):
        ends = Counter(one.verdict for one in group)
        if group:
            parts.append(
                f"{what} {ends['lost']} of {len(group)} families are lost, {ends['tied']} tied, {ends['won']} won"
            )
    text = "; ".join(parts)
    return (
        f"Cases of {SIZES[small]}. {text[0].upper()}{text[1:]}. The table has every family in which another is ahead "
        "of ours, be it by less than the limit. The factor is our better time of `sparse` and `registers` over the "
        "best other exact simulator's in double precision, in the geometric mean of the cases that both did."
    )


def _families() -> str:
    return (
        "How many times slower than the fastest exact simulator in double precision, in the geometric mean of a "
        "family's cases. There is a mean only where a simulator did all of them; otherwise it says how many it did. "
        "An empty cell means none."
    )


def _crossover(crossings: Sequence[Crossover]) -> str:
    text = (
        "Density is the share of all basis states that is occupied at the peak. Native cases on 14 wires and more; "
        "ties count for neither. The density of a tie is where a straight line through the ratios crosses 1; it is "
        "shown only if densities on both sides were seen."
    )
    seen = [crossing for crossing in crossings if crossing.tie is not None]
    unseen = [crossing.dense for crossing in crossings if crossing.tie is None]
    if seen:
        told = ", ".join(f"{crossing.dense} at {crossing.tie:.2g}" for crossing in seen)
        text += f" Ties by the page's time: {told}."
    return text + (f" No tie was seen against {', '.join(unseen)}." if unseen else "")


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
        f"Approximate methods are ranked separately. {cut} of their runs ended without an error "
        "and kept less than 0.99 of the fidelity."
    )


def _phases(found: Sequence[Row]) -> str:
    names, cases = findings.shared(found)
    rest = [name for name in simulators(found) if name not in names]
    text = (
        f"Medians over the {len(cases)} cases that all of {len(names)} simulators did. Lowering is from our operations "
        "to the simulator's own form; amplitudes are up to 1,000 of them, by key. The import counts what a simulator "
        "compiles when it is first used. Empty: it has no such phase, or not on all of these cases."
    )
    few = f" Without medians, because they did fewer than half as many cases as others: {', '.join(rest)}."
    return text + (few if rest else "")


def _feed_forward(found: Sequence[Row]) -> str:
    mine = [row for row in found if row.feed_forward]
    done = Counter(row.simulator for row in mine if row.outcome == "ok")
    cases = len({row.case for row in mine})
    told = ", ".join(f"{name} {count}" for name, count in done.most_common())
    return (
        f"{cases} programs ask in the middle and go on by the answer. So many of them ended well: {told}. Each answer "
        "is compared with its exact odds by a chi-square; milliseconds for all shots."
    )
