"""Where the circuits of the corpus come from: they make what the games had, in every form, on every graph."""

from __future__ import annotations

import math
from dataclasses import replace

import networkx as nx
import pytest

from qchess import backends
from qchess.bench.corpus import families, reference
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.circuit import Circuit, flagged, steady
from qchess.bench.corpus.features import depth, is_clifford, supermarq
from qchess.bench.corpus.graphs import distances, graph
from qchess.bench.corpus.histories import Bounds, Wiring, history, richest
from qchess.bench.corpus.plays import Play, moments, records
from qchess.bench.corpus.routing import exchange, mapped, placed
from qchess.bench.corpus.tracks import lowered, native, on, on_graph
from qchess.bench.corpus.turns import shape, single_moves
from qchess.bench.corpus.unfolding import discarded, unfolded
from qchess.circuits import FixedAnswers, Program, Registers, cnot, h, iswap, where, x, z
from qchess.circuits.operations import Operation
from qchess.circuits.program import Branch
from qchess.circuits.world import parallel
from qchess.errors import ImpossibleOutcomeError
from qchess.games import presets

CHESS = Play("quantum-chess", "random", 1, plies=45)
CHECKERS = Play("quantum-checkers", "random", 11, plies=111)
DUEL = Play("quantum-chess", "random", 1, options=presets.options("quantum-chess", "duel"))


def amplitudes(circuit: Circuit) -> dict[int, complex]:
    """What the circuit's wires are in at the end, keys in the order of the wires."""
    return dict(reference.passage(circuit, circuit.wires).amplitudes)


def state(circuit: Circuit) -> Registers:
    """The registers at the end, through another door than the reference's."""
    registers = Registers(backends.engine(), circuit.full)
    registers = registers.run(circuit.program, FixedAnswers(circuit.answers) if circuit.answers else None).registers
    return registers.project(where(circuit.kept), 1) if circuit.kept else registers


# -- histories ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("play", [CHESS, CHECKERS], ids=["chess", "checkers"])
def test_a_history_makes_the_register_that_the_game_had(play: Play) -> None:
    """On fewer wires than there were lives, with flags for the recorded answers: the same amplitudes."""
    seen = 0
    for moment in moments(play):
        for register in moment.game.position.registers.each if moment.ply % 9 == 0 else ():
            cone = moment.game.position.registers.cone(*register.qubits)
            wiring = Wiring(tuple(cone.steps()), frozenset(cone.qubits))
            program = Program(*wiring.operations())
            made = Registers(backends.engine(), wiring.full).run(program).registers
            if wiring.kept:
                made = made.project(where(wiring.kept), 1)
            wires = [wiring.place[q] for q in register.qubits]
            found = made.register(wires[0])
            assert found is not None
            assert set(found.qubits) == set(wires), "flags and dead wires are certain, and apart"
            assert parallel(found.amplitudes(wires), register.amplitudes(register.qubits), 1e-9)
            seen += 1
    assert seen > 5


def test_wires_are_used_again_where_a_square_lived_twice() -> None:
    circuit = richest(CHESS, Bounds(20), asked=True)
    (case,) = cases(circuit, on("small"))
    assert (case.features.lives, case.features.qubits, len(case.kept)) == (45, 18, 2)
    assert case.features.kept_probability == pytest.approx(0.248, abs=1e-3)


def test_a_wire_that_is_used_again_without_its_x_makes_another_state() -> None:
    """Planted: what an earlier life left behind is forgotten; then an answer cannot come, or the state is another."""
    right = richest(CHESS, Bounds(20), asked=True)
    steps = right.program.operations
    resets = [k for k, step in enumerate(steps) if step == x(step.targets[0])]
    assert len(resets) >= 3
    for k in resets:
        wrong = replace(right, program=Program(*steps[:k], *steps[k + 1 :]))
        try:
            assert not parallel(amplitudes(right), amplitudes(wrong), 1e-6)
        except ImpossibleOutcomeError:
            continue


# -- turns and whole games ----------------------------------------------------------------------------------


WHOLE = [DUEL, Play("niels-xiangqi", "random", 2), Play("piece-qubit-chess", "random", 2)]


@pytest.mark.parametrize("play", WHOLE, ids=lambda play: play.game)
def test_a_whole_game_as_one_program_ends_as_the_game_did(play: Play) -> None:
    circuit = unfolded(play, Bounds(16), 64)
    last = int(circuit.name.rpartition("-")[2])
    turns = [moment for _, moment in zip(range(last), moments(play), strict=False)]
    gone = {q for turn in turns for q in discarded(turn.program)}  # what stands alone there, a game forgets
    mine, theirs = state(circuit), turns[-1].game.position.registers
    for q in [q for q in circuit.wires if q not in gone]:
        assert mine.probability(q) == pytest.approx(theirs.probability(q), abs=1e-9), q
    touched = [group for group in theirs.registers if set(circuit.wires).issuperset(group)]
    assert {frozenset(group) for group in mine.registers} == {frozenset(group) for group in touched}
    for group in touched:
        ours, others = mine.register(group[0]), theirs.register(group[0])
        assert ours is not None
        assert others is not None
        assert parallel(ours.amplitudes(group), others.amplitudes(group), 1e-9)


def test_the_odds_of_a_whole_game_sum_to_one_and_hold_the_recorded_ending() -> None:
    (case,) = cases(unfolded(DUEL, Bounds(16), 64), on("small"))
    assert sum(case.odds.values()) == pytest.approx(1)
    assert len(case.odds) == 3
    recorded = tuple(case.answers.get(name) for name in case.program.answers)
    assert case.odds[recorded] == pytest.approx(case.features.kept_probability)


def test_a_flag_says_what_a_question_would_have_been_answered() -> None:
    program = Program.parse("h a\nh b\nask hit: a=1 b=0\nwhen hit\n  1:\n    x c\n  0:\n    z a")
    for answer, p in ((1, 0.25), (0, 0.75)):
        told, kept = flagged(program, {"hit": answer})
        asked = Registers(backends.engine()).run(program, FixedAnswers({"hit": answer})).registers
        made = Registers(backends.engine()).run(told).registers
        assert made.probability(where(kept)) == pytest.approx(p)
        assert made.project(where(kept), 1).probability("c") == asked.probability("c") == answer


def test_single_moves_are_of_different_shapes_and_those_that_ask_come_twice() -> None:
    found = single_moves([Play("quantum-chess", "random", 1, plies=30)], 4, 8)
    assert len({shape(circuit) for circuit in found}) == len(found)
    asked = [circuit for circuit in found if circuit.program.answers]
    assert {f"{circuit.name.removesuffix('-asked')}-flagged" for circuit in asked} <= {c.name for c in found}
    for circuit in asked:
        told = next(c for c in found if c.name == circuit.name.replace("-asked", "-flagged"))
        squares = circuit.wires
        mine, theirs = state(told), state(circuit)
        assert [mine.probability(q) for q in squares] == pytest.approx([theirs.probability(q) for q in squares])


def test_a_play_is_the_same_each_time() -> None:
    for style in ("random", "quiet", "splitting", "greedy"):
        play = Play("quantum-checkers", style, 5, plies=12)
        first, again = ([moment.text for moment in moments(play)] for _ in range(2))
        assert first == again
        assert len(first) == 12


def test_quiet_games_ask_nothing_and_splitting_ones_superpose() -> None:
    quiet = list(moments(Play("quantum-chess", "quiet", 3, plies=30)))
    assert not any(moment.answers for moment in quiet)
    splitting = list(moments(Play("quantum-chess", "splitting", 3, plies=10)))
    assert len(splitting[-1].game.position.registers.uncertain) > 10


def test_the_recorded_games_are_the_golden_playthroughs() -> None:
    from tests.playthroughs.test_playthroughs import FILES, Script, recorded

    scripts = {name.replace("_", "-"): Script.read(recorded(name)) for name in FILES}
    assert {play.title: play.moves for play in records()} == {name: script.moves for name, script in scripts.items()}
    for play in records():
        script = scripts[play.title]
        assert (play.game, play.options, play.seed) == (script.game, script.options, script.seed)


# -- tracks -------------------------------------------------------------------------------------------------

SOME = [families.interference(3), families.dance(8, 3, 10, 1), families.systems(8, 6, 1), families.clifford(6, 3, 1)]


@pytest.mark.parametrize("circuit", SOME, ids=lambda circuit: circuit.name)
@pytest.mark.parametrize("name", ["lowered", "heavy-hex", "grid"])
def test_every_track_makes_the_native_state(circuit: Circuit, name: str) -> None:
    expected = amplitudes(native(circuit).circuit)
    low = lowered(circuit)
    made = low if name == "lowered" else on_graph(low, name)
    found = reference.passage(made.circuit, made.wires).amplitudes
    places = [made.wires.index(made.layout[q]) for q in circuit.wires]
    rest = [k for k in range(len(made.wires)) if k not in places]
    read = {f"{key:0{len(made.wires)}b}": a for key, a in found.items()}
    assert all(ket[k] == "0" for ket in read for k in rest), "ancillas and unused wires of the chip end in 0"
    back = {int("".join(ket[k] for k in places), 2): a for ket, a in read.items()}
    assert parallel(expected, back, 1e-9)


@pytest.mark.parametrize("name", ["heavy-hex", "grid"])
def test_a_mapped_circuit_has_only_cx_between_neighbours_and_one_qubit_gates(name: str) -> None:
    low = lowered(unfolded(DUEL, Bounds(16), 64))
    chip = graph(name, len(low.wires))
    found = on_graph(low, name).circuit
    pairs = [step for step in everything(found.program) if isinstance(step, Operation) and len(step.qubits) > 1]
    assert len(pairs) > 40
    for step in pairs:
        assert step.gate.name == "X"
        assert len(step.controls) == 1
        a, b = (int(q[1:]) for q in step.qubits)
        assert b in chip[a]


def everything(program: Program):
    for step in program:
        if isinstance(step, Branch):
            for _, case in step.cases:
                yield from everything(case)
        else:
            yield step


def test_after_a_branch_every_wire_is_back_in_its_place() -> None:
    """Where the case needs SWAPs, the other case does not know of them."""
    program = Program.parse(
        "h a\nread m: a\nwhen m\n  1:\n    x b if a=1\n    x c if a=1\n    x d if a=1\nx d if b=1\nh c"
    )
    wires = ("a", "b", "c", "d")
    line = [[1], [0, 2], [1, 3], [2]]
    found = mapped(program, wires, line)
    branch = next(step for step in found.program if isinstance(step, Branch))
    assert sum(len(step.qubits) == 2 for step in branch.follow(1)) > 3, "on a line nobody has three neighbours"
    for answer in (0, 1):
        mine = Registers(backends.engine()).run(found.program, FixedAnswers({"m": answer})).registers
        theirs = Registers(backends.engine()).run(program, FixedAnswers({"m": answer})).registers
        assert [mine.probability(found.last[q]) for q in wires] == [theirs.probability(q) for q in wires]


def test_graphs_are_what_their_names_say() -> None:
    """Figures of the lattices: degrees, hexagons of 12, and the size of the smallest that holds so many."""
    for name, most in (("grid", 4), ("heavy-hex", 3)):
        for size in (2, 12, 30, 65):
            found = graph(name, size)
            net = nx.Graph([(a, b) for a, near in enumerate(found) for b in near])
            assert len(found) >= size
            assert nx.is_connected(net)
            assert nx.is_bipartite(net)
            assert max(map(len, found)) <= most
            assert distances(found)[0] == [nx.shortest_path_length(net, 0, k) for k in range(len(found))]
    hexes = nx.Graph([(a, b) for a, near in enumerate(graph("heavy-hex", 30)) for b in near])
    assert {len(cycle) for cycle in nx.minimum_cycle_basis(hexes)} == {12}
    assert {len(cycle) for cycle in nx.minimum_cycle_basis(nx.Graph(exchange_edges("grid", 12)))} == {4}


def exchange_edges(name: str, size: int) -> list[tuple[int, int]]:
    return [(a, b) for a, near in enumerate(graph(name, size)) for b in near]


def test_wires_that_meet_are_placed_near_each_other() -> None:
    line = [[1], [0, 2], [1, 3], [2]]
    place = placed(Program(cnot("a", "c"), cnot("c", "b"), cnot("b", "d")), ("a", "b", "c", "d"), line)
    far = distances(line)
    assert all(far[place[p]][place[q]] == 1 for p, q in (("a", "c"), ("c", "b"), ("b", "d")))
    assert len(exchange((0, 1))) == 3


# -- features -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 8, 20])
def test_supermarq_of_a_cat_is_what_its_definition_gives(n: int) -> None:
    """H and a chain of n - 1 CX: 2/n of the pairs meet, all of them on the longest path, of n gates n - 1 on two."""
    program = Program(h("q0"), *(cnot(f"q{k}", f"q{k + 1}") for k in range(n - 1)))
    found = supermarq(program, n)
    assert found["communication"] == pytest.approx(2 / n)
    assert found["critical depth"] == 1
    assert found["entanglement"] == pytest.approx((n - 1) / n)
    assert found["parallelism"] == 0
    assert found["liveness"] == pytest.approx((1 + 2 * (n - 1)) / n**2)
    assert found["measurement"] == 0


def test_gates_that_fit_side_by_side_are_parallel() -> None:
    found = supermarq(Program(*(h(f"q{k}") for k in range(5))), 5)
    assert found["parallelism"] == found["liveness"] == 1
    assert depth(Program(h("a"), h("b"), cnot("a", "b"), h("c"))) == 2


def test_a_branch_waits_for_its_answer_and_is_as_deep_as_its_deepest_case() -> None:
    program = Program.parse("h a\nread m: a\nwhen m\n  1:\n    x b\n    h b\n  0:\n    x b\nh c")
    assert depth(program) == 4
    assert supermarq(program, 3)["measurement"] == pytest.approx(1 / 4)


def test_clifford_is_told_by_the_gates() -> None:
    assert is_clifford(Program(h("a"), iswap("a", "b"), x("a", 0.5), z("b", -0.5), cnot("a", "b")))
    for gate in (iswap("a", "b", 0.5), z("a", 0.25), x("a").when({"b": 1, "c": 1}), h("a").when({"b": 1})):
        assert not is_clifford(Program(gate))
    for circuit in (families.clifford(6, 3, 2), families.cat(5), families.systems(6, 4, 1)):
        assert is_clifford(circuit.program)
        assert is_clifford(lowered(circuit).circuit.program)


def test_branches_are_counted_at_their_peak() -> None:
    """Sixteen pieces in superposition, half of them brought back: 2^16 on the way, 2^8 at the end."""
    found = reference.passage(families.gathering(16), families.gathering(16).wires)
    assert (found.peak, found.final) == (2**16, 2**8)
    assert reference.largest_register(families.linked_slides(4)) == 16


def test_the_families_have_the_sizes_that_their_names_promise() -> None:
    """2^k linked slides on 5 k squares; one piece on n squares in (n + 1) / 2 branches; a share 2^-f of all states."""
    slides = families.linked_slides(6)
    assert (len(slides.wires), len(amplitudes(slides))) == (30, 2**6)
    assert len(amplitudes(families.splits(21))) == 11
    assert len(amplitudes(families.filled(12, 3))) == 2**9
    assert len(amplitudes(families.dense(8, 3))) == 2**8
    assert len(amplitudes(families.cat(30))) == 2


def test_parameters_are_rounded_so_that_every_machine_has_the_same() -> None:
    share = 2 / math.pi * math.asin(math.sqrt(1 / 3))
    (gate,) = steady(Program(iswap("a", "b", share)))
    (nearly,) = steady(Program(iswap("a", "b", math.nextafter(share, 1))))
    assert gate == nearly
    assert isinstance(gate, Operation)
    assert abs(gate.gate.parameter - share) < 1e-14


def test_a_sample_holds_the_largest_and_some_of_the_others() -> None:
    found = {key: complex(1 / (key + 1)) for key in range(5000)}
    kept = reference.sample(found, "seed")
    assert len(kept) == 1000
    assert set(range(500)) <= set(kept)
    assert max(kept) > 4000
    assert reference.sample(found, "seed") == kept != reference.sample(found, "other")


def test_a_history_of_one_split_is_a_split() -> None:
    play = Play("quantum-chess", "splitting", 1, plies=1)
    (moment,) = moments(play)
    registers = moment.game.position.registers
    found = history(play, 1, registers.cone(*registers.uncertain), board=False)
    assert [step.gate.name for step in found.program if isinstance(step, Operation)] == ["ISWAP", "ISWAP"]
    assert len(found.full) == 1
    assert found.lives == len(found.wires) == 3
