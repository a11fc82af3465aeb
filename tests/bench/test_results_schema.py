"""A result file is what its page says, whoever wrote it; every fault is one sentence with its line."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from qchess.bench.report.outcomes import outcomes
from qchess.bench.running import results, runner, schema
from qchess.bench.running.measuring import Settings
from qchess.bench.running.schema import checked
from tests.bench.result_files import PAGE, STORED, TINY, Lines, at, lines_of, tiny, without, written

FAULTY = Path(__file__).parent / "faulty_simulators.py"


def test_the_page_names_exactly_the_fields_that_the_schema_knows() -> None:
    told = dict[str, list[list[str]]]()
    for line in PAGE.partition("## The fields")[2].splitlines():
        if line.startswith("### "):
            rows = told.setdefault(line[4:], [])
        elif line.startswith("| `"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
    assert [record.title for record in schema.RECORDS] == list(told)
    for record in schema.RECORDS:
        assert [row[:4] for row in told[record.title]] == [
            [f"`{name}`", each.kind.words, "yes" if each.needed else "no", ", ".join(map(str, each.formats))]
            for name, each in record.fields.items()
        ]
        assert all(row[4] for row in told[record.title]), "each field has a meaning"
    for names in (schema.SAYS, schema.STATE, schema.REPEATS, schema.ANSWERS):
        assert ", ".join(f"`{name}`" for name in names) in PAGE


def test_the_example_of_the_page_is_a_file(tmp_path: Path) -> None:
    blocks = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    found, faults = checked(written(tmp_path / "example.jsonl", [json.loads(block) for block in blocks]))
    assert not faults
    assert found
    assert {run["outcome"] for run in found.runs.values()} == {"ok"}


@pytest.mark.slow
def test_what_a_run_writes_has_every_field_as_the_schema_says(measured: Path) -> None:
    found, faults = checked(measured)
    assert not faults
    assert found
    assert {key: run["outcome"] for key, run in found.runs.items()} == {
        ("sparse", TINY[0]): "unsupported", ("sparse", TINY[1]): "ok", ("cirq", TINY[0]): "ok", ("cirq", TINY[1]): "ok",
    }  # fmt: skip
    assert found.lines() == lines_of(measured)[1:]
    assert found.plan == results.read(measured).plan


@pytest.mark.slow
def test_files_of_runs_that_go_wrong_fit_as_well(tmp_path: Path) -> None:
    made = tiny()[1:]
    absent = tmp_path / "absent.py"
    absent.write_text("import nobody_has_this\n")
    functions = ("reversed_order", "wrong_phase", "half_the_norm", "not_numbers", "crashes", "raises", "endless")
    simulators, out = [*(f"{FAULTY}:{name}" for name in functions), str(absent)], tmp_path / "out.jsonl"
    runner.run(results.plan_of(made, "one", simulators, Settings(seconds=2.0, warm=0.0, least=1)), made, out)
    found, faults = checked(out)
    assert not faults
    assert found
    assert {"wrong", "crash", "timeout", "missing"} <= {run["outcome"] for run in found.runs.values()}
    assert "Infinity" in out.read_text()


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_files_fit_by_the_rules_of_their_format(path: Path) -> None:
    found, faults = checked(path)
    assert not faults
    assert found
    assert len(found.runs) == len(found.plan.simulators) * len(found.plan.cases)


#: in the file of `measured`: the starts are lines 2 and 5, the runs 3 and 4 (sparse), 6 and 7 (cirq)
WRONG: list[tuple[Callable[[Lines], None], str]] = [
    (at(1, "settings", "seconds", to=float("nan")), "line 1: expected seconds, above 0 in settings.seconds, got nan"),
    (at(1, "settings", "tea", to=2), "line 1: unknown field 'tea' in settings"),
    (at(1, "settings", "threads", to=0), "line 1: expected a whole number, 1 or more in settings.threads, got 0"),
    (at(1, "settings", "precision", to="half"), "line 1: expected one of own, single, double in settings.precision"),
    (without(1, "machine", "cores"), "line 1: machine.cores is missing"),
    (at(1, "simulators", to=["cirq", "cirq"]), "line 1: simulator 'cirq' appears twice"),
    (at(1, "cases", to={}), "line 1: expected simulators and cases, got 2 and 0"),
    (at(1, "hash", to="0" * 64), f"line 1: hash is {'0' * 64}, and that of its cases is "),
    (at(1, "cases", TINY[0], "hash", to="1" * 64), "and that of its cases is "),
    (at(1, "cases", TINY[0], "size", to="large"), "and that of its cases is "),
    (at(1, "cases", TINY[0], "wires", to=2.0), "expected a whole number, 0 or more in cases."),
    (
        at(1, "format", to="qchess bench results 9"),
        "line 1: this is no file of `qchess bench run` (expected the format ",
    ),
    (without(2, "versions"), "line 2: the outcome is ok, and there is no versions"),
    (at(2, "adapter", to="abc"), "line 2: expected 64 digits from 0 to f in adapter, got 'abc'"),
    (at(2, "outcome", to="wrong"), "line 2: expected one of ok, missing in outcome, got 'wrong'"),
    (at(2, "what", to="end"), "line 2: expected start or run in what, got 'end'"),
    (lambda lines: lines.insert(2, lines[1]), "line 3: simulator 'sparse' starts a second time"),
    (
        lambda lines: lines.insert(1, lines.pop(3)),
        f"line 2: 'sparse' on '{TINY[1]}' comes before the start of 'sparse'",
    ),
    (at(4, "simulator", to="qsim"), "line 4: simulator 'qsim' is not in the first line"),
    (at(4, "case", to="cat-3"), "line 4: case 'cat-3' is not in the first line"),
    (at(4, "hash", to="2" * 64), f"line 4: 'sparse' on '{TINY[1]}' is a run of another circuit: its hash is 2222"),
    (lambda lines: lines.append(lines[6]), f"line 8: 'cirq' on '{TINY[1]}' appears twice"),
    (
        at(4, "outcome", to="splendid"),
        "line 4: expected one of ok, wrong, unsupported, timeout, memory, crash, missing",
    ),
    (at(4, "first", "wall", to=-1), "line 4: expected seconds, 0 or more in first.wall, got -1"),
    (at(4, "first", "wall", to=True), "line 4: expected seconds, 0 or more in first.wall, got True"),
    (at(4, "first", "cpu", to=float("inf")), "line 4: expected seconds, 0 or more in first.cpu, got inf"),
    (at(4, "new", "queued", to="0.1"), "line 4: expected seconds, 0 or more in new.queued, got '0.1'"),
    (at(4, "warm", "low", to=1e3), "line 4: expected low, wall, high of warm in this order, got 1000, "),
    (at(4, "warm", "high", to=0.0), "line 4: expected low, wall, high of warm in this order, got "),
    (at(4, "warm", "runs", to=0), "line 4: warm has lower of 0 runs"),
    (at(4, "warm", "each", 0, to=50.0), "line 4: warm.low is "),
    (at(4, "new", "each", to=[]), "line 4: expected 2 times in new.each, of 2 runs, got 0"),
    (without(4, "new", "high"), "line 4: new needs lower, desk, low and high of 2 runs"),
    (without(4, "warm"), "line 4: the outcome is ok, and there is no warm"),
    (at(4, "error", to=0.5), "line 4: it is ok, and error is 0.5, fidelity 1, norm 1"),
    (at(4, "error", to=float("inf")), "line 4: it is ok, and error is inf"),
    (at(4, "norm", to=46.0), "norm 46.0"),
    (at(4, "kind", to="phases"), "line 4: it is ok, and kind is 'phases'"),
    (at(4, "outcome", to="wrong"), "line 4: it is wrong, and why is empty"),
    (at(4, "answers", to={"wall": 1, "cpu": 1, "queued": 0}), " has answers, which its case does not give"),
    (without(3, "why"), "line 3: the outcome is unsupported, and there is no why"),
    (without(6, "answers"), "line 6: the outcome is ok, and there is no answers"),
]


@pytest.mark.parametrize(("change", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_fault_is_one_sentence_with_its_line(
    measured: Path, tmp_path: Path, change: Callable[[Lines], None], said: str
) -> None:
    lines = copy.deepcopy(lines_of(measured))
    change(lines)
    found, faults = checked(written(tmp_path / "changed.jsonl", lines))
    assert found is None
    (fault,) = faults
    assert said in fault


#: what a run may leave untold
LEFT_OUT = {("sample",), ("shots",), ("samples_wrong",), ("adapter",), ("desk",), ("warm", "each"), ("new", "each")}


def test_of_what_a_run_tells_nothing_can_be_left_out(measured: Path, tmp_path: Path) -> None:
    def paths(value: Any) -> Iterator[tuple[str, ...]]:
        for key, each in value.items() if isinstance(value, dict) else ():
            yield (key,)
            if key not in ("versions", "options", "notes", "remarks"):
                yield from ((key, *path) for path in paths(each))

    lines = lines_of(measured)
    for number, line in enumerate(lines, 1):
        for path in paths(line):
            changed = copy.deepcopy(lines)
            without(number, *path)(changed)
            found, faults = checked(written(tmp_path / "changed.jsonl", changed))
            needed = path not in LEFT_OUT or (path == ("shots",) and line["case"] == TINY[0])
            assert (found is None) == needed, (path, faults)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"\n", b"", "line 1: expected an object (JSON), got b'"),
        (
            b'{"format"',
            b'{"corpus": "none", "format"',
            "line 1: expected each name once in an object, 'corpus' appears",
        ),
        (b'"what"', b'"what\xff"', "line 2: expected an object (JSON), got b'"),
        (b'{"what"', b"[" * 10**5, "line 2: expected an object (JSON), got b"),
        (b'"why": "', '"why": "\u2028'.encode(), "line 3: expected line breaks only between objects"),
        (b'{"what"', b"\n[]\n", "line 2: expected an object (JSON), got b''"),
    ],
)
def test_bytes_that_are_no_lines_are_told_as_such(
    measured: Path, tmp_path: Path, old: bytes, new: bytes, said: str
) -> None:
    (tmp_path / "changed.jsonl").write_bytes(measured.read_bytes().replace(old, new, 1))
    assert checked(tmp_path / "changed.jsonl")[1][0].startswith(said)


def test_a_file_that_was_cut_off_says_where(measured: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_bytes(measured.read_bytes()[:-5])
    assert "line 7: it is incomplete, the file was cut off there" in checked(tmp_path / "cut.jsonl")[1]
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert checked(tmp_path / "empty.jsonl")[1] == ["line 1: expected an object (JSON), got b''"]


STRANGE = (
    "null", "true", "-1", "0", "1e400", "NaN", "-Infinity", "1" * 5000, '""', '"\\ud800"', '"\\u2028"', "[]", "{}",
    "[[]]", '{"": 1}', '{"wall": -1}', "[" * 5000, '"ok"', '"wrong"', '"f"', "2.5", '"' + "x" * 300 + '"',
)  # fmt: skip


def mutated(text: str, dice: random.Random) -> bytes:
    """The file with a few changes: of bytes, of lines, or of values."""
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        lines = text.split("\n")
        number = dice.randrange(len(lines))
        kind = dice.randrange(6)
        if kind == 0:
            place = dice.randrange(len(text))
            text = text[:place] + dice.choice('{}[]",:0-ex\n\r\0\u2028') + text[place + dice.randint(0, 1) :]
        elif kind == 1:
            first = dice.randrange(len(text))
            text = text[:first] + text[first + dice.randint(1, 400) :]
        elif kind == 2:
            lines.insert(dice.randrange(len(lines)), lines[number] if dice.random() < 0.5 else lines.pop(number))
            text = "\n".join(lines)
        else:
            values = list(re.finditer(r'(?<=: )("[^"]*"|[-\d.e+]+|true|false|null)|"\w+"(?=: )', lines[number]))
            if values:
                value = dice.choice(values)
                lines[number] = lines[number][: value.start()] + dice.choice(STRANGE) + lines[number][value.end() :]
            text = "\n".join(lines)
    data = text.encode("utf-8", "surrogatepass")
    place = dice.randrange(len(data) + 1)
    return data if dice.random() < 0.9 else data[:place] + bytes([dice.randrange(256)]) + data[place + 1 :]


def test_whatever_comes_is_accepted_or_refused_in_a_sentence(measured: Path, tmp_path: Path) -> None:
    text, out, accepted, said = measured.read_text(), tmp_path / "changed.jsonl", 0, set[str]()
    for seed in range(800):
        out.write_bytes(mutated(text, random.Random(seed)))
        found, faults = checked(out)
        assert (found is None) == bool(faults)
        assert all(re.fullmatch(r"line \d+: [ -~]+", fault) and len(fault) < 600 for fault in faults), faults
        said |= {re.sub(r"\W.*", "", fault.partition(": ")[2]) for fault in faults}
        if found:
            accepted += 1
            assert outcomes(found)
    assert 20 < accepted < 400
    assert len(said) > 10, "many kinds of faults are met"
