"""Times for questions about a final state: each question is a ranking of its own."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from qchess.bench.questions.cases import COUNTS, NOISE, QUESTIONS, VALUES
from qchess.bench.questions.depolarised import MOST, STRENGTH
from qchess.bench.questions.judging import RATE
from qchess.bench.report import tables
from qchess.bench.report.rows import CLASSES, TIMES, Row, by_case, rankings, rows
from qchess.bench.report.scaling_page import document
from qchess.bench.report.scores import SIZES, sized
from qchess.bench.report.tables import Table
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

TITLE = "Questions about a final state"
HEADS = {COUNTS: "Read-outs of all wires", VALUES: "Expectations", NOISE: "Read-outs under noise"}
SAYS = {
    COUNTS: "From the lowered circuit to the counts of {shots} shots over all wires. Every histogram is held to the "
    "exact chances: it is wrong if it has a key without a chance, or if it is as far from the chances, in single keys "
    f"or in groups of five wires, as an honest one is less than once in {1 / RATE:.0e} times; so is one that comes "
    "again under another seed.",
    VALUES: "From the lowered circuit to two expectations: the sum of Z Z over neighbouring wires, and one product of "
    "Paulis, which is drawn. Each is held to the exact value, to the limit of its precision times the number of its "
    "terms; repeats end with flips and phases, which turn the signs of terms.",
    NOISE: "From the lowered circuit to the counts of {shots} shots, with depolarising noise of strength "
    f"{STRENGTH:g} after each gate on two wires, on {MOST} wires at most. Density matrices know all chances, which are "
    "held to the exact ones, and draw the shots of them; trajectories draw where the noise acts. Both are timed at the "
    "same number of shots, so at the same statistical error, and every histogram is judged as without noise.",
}


class Questions:
    """The questions in a result file."""

    def __init__(self, results: Results) -> None:
        self.results = results
        asked = {case.get("question") for case in results.plan.cases.values()}
        self.questions = [question for question in QUESTIONS if question in asked]
        if not self.questions:
            raise InvalidMoveError(
                "expected cases with questions about a state, but this file has none; "
                "`qchess bench run --ask counts` adds them"
            )

    def parts(self) -> Iterator[tuple[str, str, list[tuple[str, Table]]]]:
        """Yield each question with its sentences and its tables, with their titles."""
        for question in self.questions:
            ranked = {by: self._rows(by, question) for by in rankings(self.results) or ("first",)}
            found = next(iter(ranked.values()))
            made = [("How each simulator answers", _how(found))]
            for small, words in SIZES.items():
                sizes = {by: sized(all_, small=small) for by, all_ in ranked.items()}
                made.append((f"Ranking, {words}", tables.rankings(sizes)))
            made += [("Every case, ms", tables.times(found)), ("Failures", tables.troubles(found))]
            times = " and ".join(TIMES[by] for by in ranked)
            says = (
                f"{SAYS[question].format(shots=self.results.plan.settings.shots)} {len(by_case(found))} cases; {times}."
            )
            yield HEADS[question], says, [(title, table) for title, table in made if table.rows]

    def _rows(self, by: str, question: str) -> list[Row]:
        return [row for row in rows(self.results, by, question) if row.outcome != "missing"]

    def markdown(self) -> str:
        """Return all questions as Markdown."""
        text = [f"# {TITLE}"]
        for title, says, made in self.parts():
            text += [f"## {title}", says, *(part for name, table in made for part in (f"### {name}", table.markdown()))]
        return "\n\n".join(text) + "\n"

    def html(self) -> str:
        """Return all questions as one HTML file."""
        body = f"<h1>{TITLE}</h1>"
        for title, says, made in self.parts():
            body += f"<h2>{escape(title)}</h2><p>{escape(says)}</p>"
            body += "".join(f"<h3>{escape(name)}</h3>{table.html()}" for name, table in made)
        return document(TITLE, body)


def _how(found: list[Row]) -> Table:
    """Return how each simulator finds its answers, or why it has none."""
    told: dict[str, tuple[str, str]] = {}
    for row in found:
        how = str(row.data.get("how") or row.data.get("why", ""))
        if row.data.get("how") or row.simulator not in told:
            told[row.simulator] = CLASSES[row.kind], how
    return Table(("simulator", "class", "how"), tuple((name, *rest) for name, rest in told.items()))
