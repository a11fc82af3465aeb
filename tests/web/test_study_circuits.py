"""The circuit beside the board and the pictures of a register."""

import json
import random
import re
from xml.etree import ElementTree

import pytest

import qchess
from qchess.circuits import Registers
from qchess.circuits.program import Program
from qchess.circuits.sources import FixedAnswers
from qchess.circuits.world import parallel
from qchess.errors import InvalidMoveError
from qchess.games import names
from qchess.playing.whole import whole
from qchess.web.studies.circuits import LEVELS, circuit
from qchess.web.studies.entropies import of_register
from qchess.web.studies.registers import register

SVG = "{http://www.w3.org/2000/svg}"


def random_game(name, seed, plies=30, **options):
    """A game in which splits and measurements come often enough."""
    game, dice = qchess.new(name, seed=seed, **options), random.Random(seed)
    while len(game.history) < plies and not game.result:
        moves = game.moves()
        bold = [move for move in moves if "^" in move]
        game.play(dice.choice(bold if bold and dice.random() < 0.4 else moves))
    return game


def told(picture, what):
    """The values of one mark in a picture."""
    marks = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return [mark.attrib[f"data-{what}"] for mark in marks if f"data-{what}" in mark.attrib]


@pytest.mark.parametrize("level", [None, "naive", "exact", "aware"])
@pytest.mark.parametrize("name", names())
def test_the_circuit_of_a_whole_game_gives_the_state_of_its_board(name, level):
    for seed in (1, 2):
        game = random_game(name, seed, 24)
        made = whole(game, min(24, len(game.history)), level)
        end = game.position.registers
        assert not made.given or name == "piece-qubit-chess", "its officers start in two types at once"
        start = game.positions[0].registers
        groups = [((qubit,), start.register(qubit).amplitudes((qubit,))) for qubit in sorted(made.given)]
        empty = Registers.prepared(end.engine, groups)
        run = empty.run(Program(*(step for _, step in made.steps)), FixedAnswers(made.answers))
        for held in end.each:
            if not all(qubit in made.wires for qubit in held.qubits):
                untouched = held == start.register(held.qubits[0])
                assert untouched or end.environment.intersection(held.qubits)
                continue
            wires = [made.wires[qubit] for qubit in held.qubits]
            again = run.registers.register(wires[0])
            assert again is not None
            assert parallel(held.amplitudes(held.qubits), again.amplitudes(wires), 1e-7)
        for qubit in made.wires.keys() - set(end.uncertain) - end.environment:
            p = run.registers.probability(made.wires[qubit])
            assert p == pytest.approx(end.probability(qubit), abs=1e-9), (qubit, [e.text for e in game.history])


@pytest.mark.parametrize("name", names())
def test_every_gate_and_wire_of_a_picture_can_be_found(name):
    game = random_game(name, 3, 16)
    for of in ("move", "register", "game"):
        for level in LEVELS:
            shown = circuit(game, of, level=level)
            assert json.loads(json.dumps(shown)) == shown
            steps = told(shown["svg"], "step")
            assert len(set(steps)) == len(steps), "a step is drawn once"
            assert {step.partition(".")[0] for step in steps} <= set(shown["plies"])
            wires = set(told(shown["svg"], "qubit"))
            assert {q for qubits in told(shown["svg"], "qubits") for q in qubits.split(" ")} <= wires
            assert shown["squares"].keys() <= wires | {"flag0"}


def test_a_circuit_of_the_game_says_which_turn_each_gate_is_of():
    game = qchess.new(seed=1)
    for move in ("b1^a3c3", "g8^f6h6", "c3^d5b5"):
        game.play(move)
    shown = circuit(game, "game")
    lines = Program.parse(circuit(game, "game", form="lines")["text"]).steps
    assert [shown["plies"][str(k)] for k in range(len(lines))] == [1, 1, 1, 2, 2, 2, 3, 3]
    register_of_b5 = circuit(game, "register", square="b5")
    assert set(register_of_b5["plies"].values()) == {1, 3}
    assert register_of_b5["squares"]["b5"] == ["b5"]
    assert circuit(game, "move", ply=2)["caption"] == "2. Black: g8^f6h6"


def test_levels_of_a_split_cost_eight_four_and_one_two_qubit_gates():
    """The figures of the compiler's own example: iswap^1/2 and iswap on a full and two empty squares."""
    game = qchess.new(seed=1)
    game.play("b1^a3c3")
    counts = circuit(game)["counts"]
    assert [counts[level]["two-qubit gates"] for level in LEVELS[1:]] == [8, 4, 1]
    assert counts["program"] == {"wires": 3, "gates": 2, "questions": 0}


def test_a_move_that_is_not_played_has_its_circuit_too():
    game = qchess.new(seed=1)
    shown = circuit(game, text="b1^a3c3")
    assert shown["caption"] == "White may play b1^a3c3"
    assert (shown["known"], shown["ply"]) == ({"b1": 1}, 0)
    assert not game.history


def test_wires_of_pieces_light_up_the_squares_where_they_stand():
    game = qchess.new("piece-qubit-chess", seed=1)
    game.play("g1-f3")
    shown = circuit(game)
    squares = {square for where in shown["squares"].values() for square in where}
    assert {"g1", "f3"} & squares


@pytest.mark.slow
def test_what_is_copied_makes_the_same_circuit():
    cirq = pytest.importorskip("cirq")
    game = qchess.new(seed=1)
    for move in ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-b5"):
        game.play(move, outcome=None)
    for of in ("move", "register", "game"):
        program = Program.parse(circuit(game, of, form="lines")["text"])
        found: dict = {}
        exec(circuit(game, of, form="cirq")["text"], found)
        assert found["circuit"] == program.to_cirq()
        exec(circuit(game, of, form="qiskit")["text"], found)
        assert found["circuit"].num_qubits >= len(program.qubits)
        assert circuit(game, of, form="qasm3")["text"].startswith("OPENQASM 3.0;")
    assert isinstance(found["circuit"].depth(), int)
    assert cirq


def test_the_circuit_of_a_capture_is_copied_with_what_follows_its_answer():
    game = qchess.new(seed=3)
    for move in ("b1^a3c3", "d7-d5", "c3-d5"):
        game.play(move)
    assert "if (" in circuit(game, form="qasm3")["text"]
    found: dict = {}
    exec(circuit(game, form="qiskit")["text"], found)
    assert "if_else" in found["circuit"].count_ops()


def test_nothing_is_drawn_of_what_is_not_there():
    game = qchess.new(seed=1)
    assert "(nothing)" in circuit(game)["svg"]
    assert circuit(game, "register", square="e2")["caption"] == "e2 is certain: it is in no register."
    for wrong in (
        {"of": "board"},
        {"level": "best"},
        {"ply": 1},
        {"ply": -1},
        {"form": "doc"},
        {"of": "register", "square": "z9"},
    ):
        with pytest.raises(InvalidMoveError, match="expected"):
            circuit(game, **wrong)


# -- registers ---------------------------------------------------------------------------------------------


def test_a_split_is_one_bit_of_entropy_on_each_square_and_two_shared():
    game = qchess.new(seed=1)
    game.play("b1^a3c3")
    shown = register(game, "a3")
    assert json.loads(json.dumps(shown)) == shown
    assert shown["entropy"] == {"a3": 1.0, "c3": 1.0}
    assert shown["shared"] == [["a3", "c3", 2.0]]
    assert [branch["probability"] for branch in shown["branches"]] == [0.5, 0.5]
    assert shown["branches"][0]["phase"] == 0.0
    assert 'class="qentropy"' in shown["entropies"]


def test_three_squares_of_one_knight_share_what_a_w_state_shares():
    """1/sqrt 3 (100 + 010 + 001): a qubit's entropy is H(1/3), and a pair's is that of the third qubit."""
    board = Registers(qchess.backends.engine("sparse"))
    w = Registers.prepared(board.engine, [(("a1", "b1", "c1"), {1: 3**-0.5, 2: 3**-0.5, 4: 3**-0.5})])
    held = w.register("a1")
    assert held
    found = of_register(held)
    assert found
    assert list(found.of_qubits.values()) == pytest.approx([0.918295834] * 3)
    assert list(found.of_pairs.values()) == pytest.approx([0.918295834] * 3)


def test_a_certain_square_has_no_register():
    assert register(qchess.new(seed=1), "e2")["qubits"] == []


@pytest.mark.parametrize("name", names())
def test_no_qubit_of_a_game_has_more_than_a_bit_and_no_pair_more_than_two(name):
    game = random_game(name, 5, 20)
    for held in game.position.registers.each:
        found = of_register(held)
        assert found
        assert all(0 <= bits <= 1 + 1e-9 for bits in found.of_qubits.values())
        assert all(0 <= bits <= 2 + 1e-9 for bits in found.of_pairs.values())
        if len(held.qubits) > 1:
            assert all(bits > 0 for bits in found.of_qubits.values()), "a register is factored as far as it goes"
        assert not re.search("nan|inf", found.picture())
