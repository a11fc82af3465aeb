"""What a preview says of a move on a device is what the record says once the move was asked."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.backends.devices.adapters import device
from qchess.backends.devices.sampler import Shots
from qchess.backends.devices.source import DeviceError
from qchess.backends.sparse.sampler import SparseSampler
from qchess.circuits import Program
from qchess.errors import IllegalMoveError
from qchess.games.catalogue import names

pytestmark = pytest.mark.usefixtures("nearby")
GAMES = names()
CHIPS = ("ibm-fake:nairobi", "google-qvm:rainbow")
#: the first game on both chips, each other game on one of them
MATCHES = sorted([(CHIPS[1], GAMES[0]), *zip(itertools.cycle(CHIPS), GAMES, strict=False)])
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
MOVES = ("b1^a3c3", "e8-e7")


class Counting(SparseSampler):
    """Our own shots, from a machine that says how faithful it is, and counts what it runs."""

    name = "counting"

    def __init__(self) -> None:
        self.runs = 0

    def expected_fidelity(self, circuits: Sequence[Program]) -> list[float]:
        return [0.9 - 0.01 * len(circuit.qubits) for circuit in circuits]

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        self.runs += 1
        return super().run(circuits, shots, seed)


opened = cache(backends.get)


@cache
def measured(name: str) -> tuple[tuple[str, ...], str]:
    """Some moves of a game with their answers, and a move that asks an open question after them."""
    rng = random.Random(f"preview {name}")
    game = qchess.new(name, seed=1)
    while True:
        for move in rng.sample(game.moves(), min(12, len(game.moves()))):
            if len(game.chances(move)) > 1:
                return tuple(played.text for played in game.history), move
        game.play(rng.choice(game.moves()))
        assert not game.result, "this seed leads to a measurement before the end"


def ready(name: str, backend: Any) -> tuple[Any, str]:
    """A game on a device before its measured move."""
    moves, move = measured(name)
    game = qchess.new(name, backend=backend, seed=5)
    for text in moves:
        game.play(text)
    return game, move


def check_law(name: str, backend: Any) -> None:
    """Whatever a preview says is in the record of the answer; nothing else changes by looking."""
    game, move = ready(name, backend)
    before, dice = game.record().to_json(), game.source.rng.getstate()
    told = game.preview(move)
    assert (game.record().to_json(), game.source.rng.getstate()) == (before, dice)
    check_said(told, game.play(move))


def check_said(told: Any, played: Any) -> None:
    """Whatever this preview says is in the record of its question's answer."""
    asked = {answer.name: answer.details for answer in played.answers}[told.question]
    figures = told.details["figures"]
    for key, value in told.details.items():
        if key != "figures":
            assert asked[key] == value, key
    assert [{key: one[key] for key in each} for one, each in zip(asked["figures"], figures, strict=True)] == figures
    for one in told.circuits:
        assert set(one.places.values()) <= set(map(str, one.machine.get("physical", one.places.values())))


@pytest.mark.parametrize("name", GAMES)
def test_what_a_preview_says_is_what_the_record_says(name: str) -> None:
    check_law(name, "sparse-shots")
    check_law(name, "sparse-shots,readout_twirling=True")
    check_law(name, device(Counting()))


@pytest.mark.slow
@pytest.mark.parametrize(("chip", "name"), MATCHES)
def test_what_a_preview_says_of_a_chip_is_what_the_record_says(name: str, chip: str) -> None:
    pytest.importorskip({"i": "qiskit_ibm_runtime", "g": "cirq_google"}[chip[0]])
    check_law(name, opened(chip))
    check_law(name, opened(f"{chip},strategy=replay,coins=allow,shots=400,readout_twirling=True"))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES[::3])
def test_what_a_preview_says_of_a_queue_is_what_the_record_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two games: each of them is asked on the same device without a queue."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    check_law(name, "queued:sparse-shots")


@pytest.mark.parametrize("name", GAMES)
def test_a_preview_runs_nothing(name: str) -> None:
    sampler = Counting()
    game, move = ready(name, device(sampler))
    told = game.preview(move)
    assert sampler.runs == 0
    assert told.details["expected_fidelity"] > 0
    assert 0 < told.kept_expected <= 1
    game.play(move)
    assert sampler.runs > 0


def test_on_an_exact_engine_the_preview_is_the_plain_circuit() -> None:
    for name in GAMES:
        game, move = ready(name, "sparse")
        told = game.preview(move)
        assert [one.circuit for one in told.circuits] == [game.circuit(move)]
        assert (told.details, told.circuits[0].places, told.kept_expected) == ({}, {}, None)
        assert str(told) == f"{move} asks {told.question!r}: no device is asked"


def knight(backend: Any, seed: int = 7) -> Any:
    """A knight on a3 and c3, who may take on d5."""
    game = qchess.new("quantum-chess", backend=backend, seed=seed, fen=FEN)
    for move in MOVES:
        game.play(move)
    return game


def test_a_move_that_measures_nothing_sends_nothing() -> None:
    sampler = Counting()
    game = qchess.new("quantum-chess", backend=device(sampler), fen=FEN)
    told = game.preview("b1^a3c3")
    assert (str(told), told.question) == ("b1^a3c3 measures nothing: nothing is sent", None)
    assert told.circuits[0].circuit == game.circuit("b1^a3c3")


def test_a_question_whose_answer_stands_is_not_sent_again() -> None:
    game = knight("sparse-shots")
    game.play("c3-d5")
    game.undo()
    assert game.preview("c3-d5").question is None


def test_a_game_that_is_over_has_no_preview() -> None:
    game = knight("sparse-shots")
    game.resign()
    with pytest.raises(IllegalMoveError, match=r"the game is over .* no move can be previewed"):
        game.preview("c3-d5")


def test_a_preview_says_what_it_would_reserve_of_a_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    game = knight("sparse-shots,budget_shots=150")
    told = game.preview("c3-d5")
    assert (dict(told.reserves), list(tmp_path.iterdir())) == ({"shots": 100}, [])
    assert str(told).endswith(", reserves 100 shots of the budget")
    game.play("c3-d5")
    with pytest.raises(DeviceError, match="100 of 150 shots are spent or reserved, and this would take 100 more"):
        knight("sparse-shots,budget_shots=150").preview("c3-d5")


def test_what_would_be_refused_is_refused_before() -> None:
    game = knight(device(Counting(), least_fidelity=0.95))
    with pytest.raises(DeviceError, match=r"below the limit least_fidelity=0\.95"):
        game.preview("c3-d5")
    assert game.moves()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cirq", "aer"])
def test_a_circuit_is_given_in_every_form(name: str) -> None:
    """Whatever the library: what is read has the odds of the board, half a knight here and half there."""
    if name == "aer":
        pytest.importorskip("qiskit_aer")
    backend = "aer-shots" if name == "aer" else __import__("cirq").Simulator(seed=1)
    [sent] = knight(backend).preview("c3-d5").circuits
    assert "shot" in sent.text()
    assert sent.qasm(2).count("OPENQASM 2.0") == sent.qasm(3).count("OPENQASM 3.0") == 1
    import cirq
    from qiskit.quantum_info import Statevector

    found = cirq.Simulator(seed=2).run(sent.to_cirq(), repetitions=50).measurements
    bits = {tuple(int(b) for one in found.values() for b in one[k]) for k in range(50)}
    assert bits == {(0, 1), (1, 0)}
    odds = Statevector(sent.to_qiskit().remove_final_measurements(inplace=False)).probabilities_dict(decimals=9)
    assert odds == {"01": 0.5, "10": 0.5}


@pytest.mark.slow
@pytest.mark.parametrize(("chip", "name"), MATCHES)
def test_a_square_lies_on_the_qubit_that_is_read_for_it(name: str, chip: str) -> None:
    """Without noise the machine's qubit is read as 1 as often as the exact state has the game's qubit at 1."""
    cirq = pytest.importorskip("cirq")
    pytest.importorskip({"i": "qiskit_ibm_runtime", "g": "cirq_google"}[chip[0]])
    game, move = ready(name, opened(chip))
    turn = game.rules.turn(game.position, game.rules.read(game.position, move)[0])
    board = game.rules.begin(game.position, turn).registers
    squares = {square: qubit for qubit, square in game.rules.squares(game.position).items()}
    for one in game.preview(move).circuits:
        made = one.to_cirq()
        wires = {str(q): q for q in made.all_qubits()}
        state = cirq.Simulator(dtype="complex128").simulate(cirq.drop_terminal_measurements(made))
        assert one.places
        for square, spot in one.places.items():
            wire = wires[spot if chip[0] == "g" else f"q_{spot}"]
            odds = state.density_matrix_of([wire]).real[1, 1]
            assert odds == pytest.approx(board.probability(squares.get(square, square)), abs=1e-5)


# -- on the command line --------------------------------------------------------------------------------------


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, which must succeed."""
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def in_chess(capsys: pytest.CaptureFixture[str], backend: str, *arguments: str) -> str:
    """What `qchess circuit` prints of the knight who takes on d5."""
    moves = (*MOVES, "c3-d5", "--option", f"fen={FEN}", "--backend", backend)
    return printed(capsys, "circuit", "quantum-chess", *moves, *arguments)


@pytest.mark.parametrize("name", GAMES)
def test_the_command_tells_what_a_preview_tells(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game, move = ready(name, "sparse-shots")
    [said] = json.loads(
        printed(capsys, "circuit", name, *measured(name)[0], move, "--backend", "sparse-shots", "--json")
    )
    told = game.preview(move)
    assert said["details"] == json.loads(json.dumps(told.details))
    assert (said["caption"], said["question"]) == (str(told), told.question)
    assert [one["qasm3"] for one in said["circuits"]] == [one.qasm(3) for one in told.circuits]


def test_the_command_asks_no_device_before_the_last_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a seed the earlier answers are those of the exact engine's dice."""

    def refuse(*_: Any) -> list[Shots]:
        raise AssertionError("a device was asked")

    monkeypatch.setattr(SparseSampler, "run", refuse)
    for seed in (1, 2, 3, 4):
        game = knight("sparse", seed=seed)
        there = game.play("c3-d5").answers[0].value
        rest = ("c3-d5", "e7-d6", "d5-b4" if there else "a3-b5")
        arguments = ("--option", f"fen={FEN}", "--backend", "sparse-shots", "--seed", str(seed))
        told = printed(capsys, "circuit", "quantum-chess", *MOVES, *rest, *arguments)
        assert told.startswith(f"{rest[-1]} measures nothing: nothing is sent\n\n")
        listed = printed(capsys, "moves", "quantum-chess", *MOVES, *rest, *arguments)
        assert listed.split() == [*map(str, game_after(rest, seed).moves())]
        assert "\n" in printed(capsys, "board", "quantum-chess", *MOVES, *rest, *arguments)


def game_after(rest: Sequence[str], seed: int) -> Any:
    game = knight("sparse", seed=seed)
    for move in rest:
        game.play(move)
    return game


def test_the_command_says_where_squares_lie_and_draws_each_circuit(capsys: pytest.CaptureFixture[str]) -> None:
    assert in_chess(capsys, "sparse-shots") == (
        "c3-d5 asks 'hit' on sparse-shots: circuits 1, shots 100, two-qubit gates 1, depth 5\n\n"
        + knight("sparse-shots").preview("c3-d5").circuits[0].text().rstrip("\n")
        + "\n"
    )


def test_the_cost_of_each_question_and_of_all_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ("e3^d4f4", "f6^e5g5", "d4-f6.m1.m1")
    for backend, jobs, all_jobs in (("sparse-shots", "", ""), ("queued:sparse-shots", ", jobs 1", ", jobs 2")):
        told = printed(capsys, "circuit", "quantum-checkers", *moves, "--backend", f"{backend},shots=40").splitlines()
        asked = [line for line in told if " asks " in line]
        assert [f"circuits 1, shots 40{jobs}, two-qubit" in line for line in asked] == [True, True]
        assert told[-1] == f"questions 2, circuits 2, shots 80{all_jobs}"


def test_a_queue_is_handed_as_many_jobs_as_a_preview_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    game = knight("queued:sparse-shots")
    told = game.preview("c3-d5")
    assert not list(tmp_path.rglob("order.json"))
    check_said(told, game.play("c3-d5"))
    assert told.details["backend"] == "sparse-shots"
    assert told.jobs == len(list(tmp_path.rglob("order.json"))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("twirled", [False, True])
def test_the_seconds_of_use_are_what_the_durations_of_the_chip_and_the_vendors_rule_come_to(twirled: bool) -> None:
    """By IBM's rule of thumb: 2 s to load a job, and for each shot the circuit and the delay that the backend names."""
    fakes = pytest.importorskip("qiskit_ibm_runtime.fake_provider")
    fake = fakes.FakeNairobiV2()
    game = knight(f"ibm-fake:nairobi,shots=1000,readout_twirling={twirled}")
    told = game.preview("c3-d5")
    [plain] = [one.circuit for one in told.circuits]
    turned = plain.copy_empty_like()
    for one in plain.data:
        if one.operation.name == "measure":
            turned.x(one.qubits[0])
        turned.append(one)
    shots = [(plain, 500), (turned, 500)] if twirled else [(plain, 1000)]
    seconds = sum(n * (one.estimate_duration(fake.target) + fake.default_rep_delay) for one, n in shots)
    assert told.details["expected_seconds"] == round(2 + seconds, 4) > 2.25  # of 1000 delays alone
    assert "about 2.26 s of the chip's time without the queue, 2 s of it to load the job" in str(told)
    check_said(told, game.play("c3-d5"))


@pytest.mark.slow
def test_a_processor_is_as_slow_between_shots_as_it_says() -> None:
    pytest.importorskip("qiskit_ibm_runtime")
    from qchess.backends.ibm import devices

    assert devices.fake_sampler("miami").pace == (0.004, 2.0)
    assert devices.pace(object()) == (0.00025, 2.0)


@pytest.mark.slow
def test_the_seconds_of_all_questions_of_a_move_are_added_up(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("qiskit_ibm_runtime")
    moves = ("circuit", "quantum-checkers", "e3^d4f4", "f6^e5g5", "d4-f6.m1.m1", "--backend", "ibm-fake:nairobi")
    asked = [one["details"]["expected_seconds"] for one in json.loads(printed(capsys, *moves, "--json"))]
    assert len(asked) == 2
    assert printed(capsys, *moves).endswith(f", about {sum(asked):.2f} s of the chip's time\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chip", "where", "forms"),
    [
        ("ibm-fake:nairobi", "a3 on qubit 1, c3 on qubit 2", {"qasm2": "OPENQASM 2.0", "qiskit": "q_1"}),
        ("google-qvm:rainbow", "a3 on qubit q(7, 4), c3 on qubit q(6, 4)", {"qasm3": "OPENQASM 3.0", "cirq": "@"}),
    ],
)
def test_the_command_writes_a_chips_circuit_in_every_form(
    chip: str, where: str, forms: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip({"i": "qiskit_ibm_runtime", "g": "cirq_google"}[chip[0]])
    lines = in_chess(capsys, chip).splitlines()
    assert "kept as expected" in lines[0]
    assert lines[1:3] == [where, ""]
    for form, word in forms.items():
        assert word in in_chess(capsys, chip, "--to", form)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--level", "naive"), "--backend sparse-shots,level=naive"),
        (("--stats",), "not for devices"),
        (("--to", "svg"), "a device's circuit goes with --to text, cirq"),
    ],
)
def test_what_a_device_does_not_take_is_refused(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(("circuit", "toy", "b1^a1c1", "--backend", "sparse-shots", *arguments))
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
