"""Circuits in and out of the benchmark: what an export declares, and what a stranger's folder or family becomes."""

from __future__ import annotations

import json
import re
import shlex
import sys
import types
from importlib.util import find_spec
from pathlib import Path

import pytest

from qchess.__main__ import main
from qchess.bench.case import Case
from qchess.bench.corpus import listing, reference
from qchess.bench.outside import checked
from qchess.bench.outside.asked import Asked
from qchess.bench.running import results
from qchess.circuits.forms import from_qiskit
from qchess.circuits.operations import z
from qchess.errors import InvalidMoveError

DOCS = Path(__file__).parents[2] / "docs"


# -- in: a folder -------------------------------------------------------------------------------------------

TWO = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'
THREE = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'
GHZ = TWO + "qreg q[3];\ncreg c[3];\nh q[0];\ncx q[0],q[1];\ncx q[1],q[2];\nmeasure q -> c;\n"
MINE = (
    THREE + "gate mine(a) p, r { rx(a) p; ctrl @ rz(a / 3) p, r; }\nqubit idle;\nqubit[3] q;\nh q[0];\n"
    "ry(0.4) q[1];\nmine(0.7) q[0], q[2];\nnegctrl @ h q[0], q[1];\n"
)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder with a file of each version, one of them in a folder of its own."""
    folder = tmp_path / "mine"
    (folder / "sub").mkdir(parents=True)
    (folder / "ghz.qasm").write_text(GHZ)
    (folder / "sub" / "own.qasm").write_text(MINE)
    return folder


def found(*circuits: Path | str, only: str = "") -> tuple[dict[str, Case], list[str]]:
    """The cases by their names, and what is said of circuits that are none."""
    told: list[str] = []
    made = list(Asked("small", only, list(map(str, circuits))).cases(told.append))
    return {case.name: case for case in made}, told


def test_each_file_is_a_case_of_its_folder_with_the_wires_as_they_are_declared(mine: Path) -> None:
    from qiskit import qasm3
    from qiskit.quantum_info import Statevector

    made, told = found(mine)
    assert told == []
    assert [(case.name, case.family) for case in made.values()] == [
        ("mine-ghz-native", "mine"), ("sub-own-native", "sub"),
    ]  # fmt: skip
    ghz, own = made.values()
    assert {ghz.ket(key): a for key, a in ghz.reference.items()} == pytest.approx({"000": 0.5**0.5, "111": 0.5**0.5})
    assert own.wires == ("q0", "q[0]", "q[1]", "q[2]")
    state = Statevector(qasm3.loads(MINE).reverse_bits()).data
    overlap = sum(complex(state[key]).conjugate() * a for key, a in own.reference.items())
    assert abs(overlap) == pytest.approx(1, abs=1e-12)
    assert own.branches == len(own.reference) == 4
    assert found(mine / "ghz.qasm")[0].keys() == {"mine-ghz-native"}
    assert found(mine, only="own")[0].keys() == {"sub-own-native"}
    assert found(mine)[0]["sub-own-native"].hash == own.hash


LEFT_OUT = {
    "measured": (GHZ + "h q[1];\n", r"x\.qasm, line 9: q\[1\] is measured, and 'h' acts on it after that"),
    "opaque": (TWO + "opaque magic a;\nqreg q[2];\n\nh q;\nmagic q[1];\n", "line 7: no engine has the gate 'magic'"),
    "unknown": (TWO + "qreg q[2];\nh q;\nmagic q[1];\n", "line 5: 'magic' is not defined in this scope"),
    "unknown 3": (THREE + "qubit q;\nh q;\nmagic q;\nx q;\n", "line 5: gate 'magic' is not defined"),
    "syntax 3": (THREE + "qubit q;\n// x q[[0];\nx q[[0];\n", "line 5: .*no viable alternative"),
    "if": (
        THREE + "qubit[2] q;\nbit c;\nh q[0];\nc = measure q[0];\nif (c) {\n x q[1];\n}\n",
        "line 7: 'if_else' is no",
    ),
    "reset": (TWO + "qreg q[1];\nh q[0];\nreset q[0];\n", "line 5: 'reset' is not a gate"),
    "parameter": (THREE + "input float a;\nqubit q;\nrx(a) q;\n", "x.qasm: expected a value for each parameter, a has"),
    "empty": (TWO + "qreg q[2];\nbarrier q;\n", "x.qasm: expected gates, but no gate does anything"),
    "wide": (TWO + "qreg q[30];\nh q;\n", "line 4: more than 16 basis states have an amplitude after this 'h'"),
}


@pytest.mark.parametrize(("text", "sentence"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_cannot_be_read_is_one_sentence_and_the_others_go_on(
    mine: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    monkeypatch.setattr(reference, "BRANCHES", 16)
    (mine / "x.qasm").write_text(text)
    made, (told,) = found(mine)
    assert re.search(sentence, told), told
    assert "\n" not in told
    assert made.keys() == {"mine-ghz-native", "sub-own-native"}


def test_the_command_names_what_is_left_out_and_ends_with_1(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "corpus", "--circuits", str(mine)]) == 0
    assert "2 cases of circuits of mine, hash " in capsys.readouterr().out
    (mine / "x.qasm").write_bytes(b"\xff\xfe")
    assert main(["bench", "corpus", "--circuits", str(mine)]) == 1
    said = capsys.readouterr()
    assert "2 cases of circuits of mine, hash " in said.out
    assert "x.qasm: expected OpenQASM, but the file is not text" in said.err


def test_two_files_of_one_name_and_a_family_of_the_corpus_are_refused(mine: Path) -> None:
    (mine / "ghz.qasm3").write_text(THREE + "qubit q;\nx q;\n")
    (mine / "clifford").mkdir()
    (mine / "clifford" / "a.qasm").write_text(GHZ)
    made, (clash, family) = found(mine)
    assert "'clifford' is a family of the corpus" in clash
    assert "ghz.qasm3: its case would be called 'mine-ghz-native', like that of" in family
    assert made["mine-ghz-native"].branches == 2


def test_no_folder_and_a_folder_without_files_are_refused(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place, sentence in ((mine / "none", "expected a folder with OpenQASM files"), (mine.parent, "has none")):
        (mine / "ghz.qasm").unlink(missing_ok=True)
        (mine / "sub" / "own.qasm").unlink(missing_ok=True)
        assert main(["bench", "run", "--circuits", str(place), "--out", str(mine / "r.jsonl")]) == 2
        assert sentence in capsys.readouterr().err
    assert not (mine / "r.jsonl").exists()


def test_the_families_of_the_corpus_are_those_that_are_taken() -> None:
    file = DOCS.parent / "benchmarks" / "results" / "simulators_standard.jsonl"
    with file.open(encoding="utf-8") as lines:
        plan = json.loads(next(lines))
    assert {case["family"] for case in plan["cases"].values()} == set(listing.FAMILIES)


def test_a_gate_that_a_file_defines_is_no_other_of_that_name(mine: Path) -> None:
    """Qiskit's own list of further gates is needed for the last line, and has an rxx as well."""
    text = TWO + "gate rxx(a) p,r { cx p,r; }\nqreg q[2];\nx q[0];\nrxx(0.3) q[0],q[1];\nrzx(0.1) q[0],q[1];\n"
    (mine / "ghz.qasm").write_text(text.replace("rzx(0.1) q[0],q[1];", "sxdg q[0];\nsx q[0];"))
    made, _ = found(mine / "ghz.qasm")
    case = made["mine-ghz-native"]
    assert {case.ket(key) for key in case.reference} == {"11"}


def test_without_the_reader_of_version_3_its_name_is_said(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from qiskit import qasm3
    from qiskit.exceptions import MissingOptionalLibraryError

    def loads(text: str) -> None:
        raise MissingOptionalLibraryError("qiskit_qasm3_import", "loading from OpenQASM 3")

    monkeypatch.setattr(qasm3, "loads", loads)
    made, (told,) = found(mine)
    assert "own.qasm: an OpenQASM 3 file is read by the package qiskit-qasm3-import: pip install 'qchess[qasm]'" in told
    assert made.keys() == {"mine-ghz-native"}


# -- in: two sources must agree -------------------------------------------------------------------------------


def cat(n: int) -> str:
    """One wire in superposition and all others after it, in version 2."""
    return TWO + f"qreg q[{n}];\nh q[0];\n" + "".join(f"cx q[{k}],q[{k + 1}];\n" for k in range(n - 1)) + "s q[0];\n"


@pytest.mark.parametrize(("wires", "line"), [(3, ", line 7"), (30, ""), (70, "")])
def test_a_gate_that_is_read_wrongly_is_seen_by_the_other_engine(
    mine: Path, monkeypatch: pytest.MonkeyPatch, wires: int, line: str
) -> None:
    (mine / "cat.qasm").write_text(cat(wires) + "cx q[0],q[1];\n")
    made, told = found(mine / "cat.qasm")
    assert (len(made), told) == (1, [])
    monkeypatch.setitem(from_qiskit._RULES, "SGate", lambda p, w: ([z(w[0], -0.5)], 0.0))
    made, (said,) = found(mine / "cat.qasm")
    assert made == {}
    assert re.search(rf"cat\.qasm{line}: our engine and Aer differ by [.0-9]+ in the amplitude of [01]+$", said)


def test_wires_far_apart_are_right_in_matrix_product_states(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(checked, "_vector")
    monkeypatch.setattr(checked, "DENSE", 2)
    far = "".join(
        f"u3({k}.3,0.{k},0.2) q[{k}];\nccx q[{k}],q[5],q[{(k + 2) % 5}];\nswap q[{k}],q[5];\n" for k in range(5)
    )
    (mine / "far.qasm").write_text(TWO + "qreg q[6];\nh q[5];\n" + far)
    made, told = found(mine)
    assert (len(made), told) == (3, [])
    assert made["mine-far-native"].branches > 20


def test_wide_and_full_at_once_is_too_much_for_the_other_engine(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked, "DENSE", 2)
    monkeypatch.setattr(checked, "PRODUCT", 1)
    made, (said,) = found(mine / "ghz.qasm")
    assert made == {}
    assert "3 wires with 2 branches are too many for a second engine" in said
    assert said.endswith("add the amplitudes in a file NAME.reference.json")


def test_amplitudes_of_ones_own_take_the_place_of_the_other_engine(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(checked, "_vector")
    own = mine / "ghz.reference.json"
    own.write_text('{"000": [0, 0.70710678], "111": [0, 0.70710678]}')  # the phase of the whole is free
    made, told = found(mine / "ghz.qasm")
    assert (len(made), told) == (1, [])
    own.write_text('{"000": [0.70710678, 0], "111": [0.70710678, 0], "010": [0.001, 0]}')
    assert found(mine / "ghz.qasm")[1][0].endswith("differ by 0.001 in the amplitude of 010")
    own.write_text('{"000": [0.70710678, 0], "110": [0.70710678, 0]}')
    _, (said,) = found(mine / "ghz.qasm")
    assert re.search(r"ghz.qasm: our engine and \S+ghz.reference.json differ by 0.71 in the amplitude of 11[01]$", said)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", 'expected JSON like {"000": [1.0, 0.0]}'),
        ('{"00": [1, 0]}', "a key has a digit, 0 or 1, for each of 3 wires, got '00'"),
        ('{"000": 1}', r"expected [real, imaginary] for 000, got 1"),
        ('{"000": [0.5, 0]}', "whose squares have the sum 1, got the sum 0.25"),
    ],
)
def test_a_file_of_amplitudes_that_is_none_is_named(mine: Path, text: str, sentence: str) -> None:
    (mine / "ghz.reference.json").write_text(text)
    made, (said,) = found(mine)
    assert sentence in said
    assert "ghz.reference.json: " in said
    assert made.keys() == {"sub-own-native"}


# -- in: MQT Bench --------------------------------------------------------------------------------------------


def test_circuits_of_mqt_bench_come_by_name_and_number_of_wires(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mqt.bench", reason="MQT Bench is not installed")
    made, told = found("mqt-bench:ghz:5", "mqt-bench:nothing:5")
    assert [(case.name, case.family, case.branches) for case in made.values()] == [("mqt-ghz-5-native", "mqt-ghz", 2)]
    assert re.match("mqt-bench:nothing:5: MQT Bench says: ", told[0])


def test_mqt_bench_is_asked_for_its_level_of_plain_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the package, which need not be installed."""
    from qiskit import QuantumCircuit

    def get_benchmark_indep(benchmark: str, circuit_size: int) -> QuantumCircuit:
        if benchmark != "pair":
            raise ValueError(f"{benchmark!r} is not a supported benchmark")
        circuit = QuantumCircuit(circuit_size, 1)
        circuit.h(0)
        circuit.measure(0, 0)
        if circuit_size == 3:
            circuit.cx(0, 1)
        return circuit

    package = types.ModuleType("mqt.bench")
    package.get_benchmark_indep = get_benchmark_indep  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mqt.bench", package)
    made, told = found("mqt-bench:pair:2", "mqt-bench:pair:3", "mqt-bench:other:2")
    assert [(case.name, case.family, len(case.wires)) for case in made.values()] == [
        ("mqt-pair-2-native", "mqt-pair", 2)
    ]
    assert told == [
        "mqt-bench:pair:3, instruction 3 (cx): q[0] is measured, and 'cx' acts on it after that",
        "mqt-bench:other:2: MQT Bench says: 'other' is not a supported benchmark",
    ]


def test_without_mqt_bench_its_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mqt.bench", None)
    made, (told,) = found("mqt-bench:ghz:5")
    assert made == {}
    assert told.startswith("mqt-bench:ghz:5: this needs the package mqt.bench: pip install mqt.bench")
    with pytest.raises(InvalidMoveError, match="expected mqt-bench:NAME:WIRES"):
        found("mqt-bench:ghz")


# -- in: a family ---------------------------------------------------------------------------------------------

HEAD = (
    "from qchess.bench.corpus.circuit import Circuit\nfrom qchess.bench.corpus.tracks import on\n"
    "from qchess.circuits.program import Program\nfrom beside_this import start\n\n"
)


@pytest.fixture
def family_file(tmp_path: Path) -> Path:
    """A file with families, which imports what lies beside it."""
    (tmp_path / "beside_this.py").write_text("from qchess.circuits.operations import h as start\n")
    file = tmp_path / "own.py"
    file.write_text(
        HEAD + "def circuits():\n    return Circuit('one', 'own', Program(start('a')))\n\n"
        "def tracked():\n    yield Circuit('two', 'own', Program(start('a').when(b=0))), on('small', 'standard')\n\n"
        "def taken():\n    yield Circuit('three', 'dense', Program(start('a')))\n\n"
        "def wrong():\n    yield Program(start('a'))\n"
    )
    return file


def test_a_family_is_a_function_in_a_file(family_file: Path) -> None:
    path = list(sys.path)
    assert [case.name for case in Asked("small", families=[str(family_file)]).cases(print)] == ["one-native"]
    tracked = f"{family_file}:tracked"
    assert [case.name for case in Asked("small", families=[tracked]).cases(print)] == ["two-native"]
    made = list(Asked("standard", families=[tracked]).cases(print))
    assert [(case.name, case.size) for case in made] == [("two-native", "small"), ("two-lowered", "standard")]
    assert list(Asked("standard", "lowered", families=[tracked]).cases(print)) == made[1:]
    assert sys.path == path


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        (":taken", "'dense' is a family of the corpus"),
        (":wrong", "expected circuits, or pairs of a circuit and its tracks, got Program"),
        (":none", "has no function 'none'; name the family as"),
        ("x:none", "expected a family as FILE.py:FUNCTION, got"),
    ],
)
def test_what_is_no_family_is_refused(
    family_file: Path, capsys: pytest.CaptureFixture[str], end: str, sentence: str
) -> None:
    assert main(["bench", "corpus", "--family", f"{family_file}{end}"]) == 2
    assert sentence in capsys.readouterr().err


# -- in result files ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_result_file_takes_circuits_from_everywhere(
    mine: Path, family_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "listed", lambda only: listing.stabilizers())
    quick = ["sparse", "--warm", "0", "--shots", "50"]
    one, two, both = (mine / name for name in ("one.jsonl", "two.jsonl", "both.jsonl"))
    (mine / "x.qasm").write_text(TWO + "qreg q[1];\nmagic q[0];\n")
    asked = {one: ["--circuits", str(mine)], two: ["--family", str(family_file)]}
    for file, more in asked.items():
        assert main(["bench", "run", *quick, *more, "--out", str(file)]) == 0
    assert main(["bench", "run", *quick, "--only", "cat-12", "--out", str(one)]) == 0
    names = {"mine-ghz-native", "sub-own-native", "cat-12-native"}
    kept = results.read(one)
    assert {name for _, name in kept.runs} == names == set(kept.plan.cases)
    assert {run["outcome"] for run in kept.runs.values()} == {"ok"}
    assert kept.plan.cases["sub-own-native"]["family"] == "sub"
    assert kept.plan.corpus == "circuits of mine and small, only cat-12"
    assert main(["bench", "merge", str(one), str(two), "--out", str(both)]) == 0
    assert {name for _, name in results.read(both).runs} == names | {"one-native"}


# -- the page -------------------------------------------------------------------------------------------------


def test_the_five_lines_of_the_page_read_an_export_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(listing, "listed", lambda only: listing.small_states())
    page = (DOCS / "bench_corpus.md").read_text(encoding="utf-8")
    (shell, code), *_ = re.findall(
        r"```sh\n(qchess bench corpus [^`]*)```\n+```python\n([^`]*Statevector[^`]*)```", page
    )
    assert len([line for line in code.splitlines() if line and "import" not in line]) == 5
    monkeypatch.chdir(tmp_path)
    assert main(shell.split()[1:]) == 0
    exec(compile(code, "the page", "exec"), {})
    file = next(tmp_path.rglob("*.2.qasm"))
    file.write_text(file.read_text().replace("h s0[0];", "x s0[0];", 1))
    with pytest.raises(AssertionError):
        exec(compile(code, "the page", "exec"), {})


@pytest.mark.slow
def test_each_command_of_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "add_circuits.md").read_text(encoding="utf-8")
    blocks = dict.fromkeys(("qasm", "python"), "")
    commands = []
    for kind, text in re.findall(r"```(\w+)\n(.*?)```", page, re.DOTALL):
        if kind == "sh":
            commands += text.strip().splitlines()
        else:
            assert not blocks[kind]
            blocks[kind] = text
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (blocks["json"],) = re.findall(r"`(\{.*\})`", page)
    for name, kind in (("mine/ghz.qasm", "qasm"), ("mine/ghz.reference.json", "json"), ("ladder.py", "python")):
        assert f"`{name}`" in page
        (tmp_path / name).write_text(blocks[kind])
    assert len(commands) == 8
    said = []
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "qchess"
        absent = "mqt-bench" in command and not (find_spec("mqt") and find_spec("mqt.bench"))
        quick = ["--warm", "0"] if words[1] == "run" else []
        assert main([*words, *quick]) == int(absent), command
        said.append(capsys.readouterr())
    assert "mine-ghz-native" in said[0].out
    assert "aer: 2 cases of at most 14 wires" in said[4].out
    assert all(f"qasm3-ladder-{n}-native-native" in said[-1].out for n in (4, 8))
    kept = results.read(tmp_path / "mine.jsonl")
    assert {name for _, name in kept.runs} == {"mine-ghz-native", "ladder-4-native", "ladder-8-native"}
    assert {run["outcome"] for run in kept.runs.values()} == {"ok"}
    back, _ = found(tmp_path / "corpus" / "qasm3")
    for n in (4, 8):
        case = back[f"qasm3-ladder-{n}-native-native"]
        assert case.wires == tuple(f"q{k}" for k in range(n))
        assert {case.ket(key): abs(a) for key, a in case.reference.items()} == pytest.approx(
            {"0" * n: 0.5**0.5, "1" * n: 0.5**0.5}
        )
