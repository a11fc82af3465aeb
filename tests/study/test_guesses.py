"""What somebody who knows Qiskit, Cirq and Jupyter would type first: it works, or a sentence names ours.

Each guess stands with what it does now: a value, or the words of the sentence.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import qchess
from qchess import backends, circuits, study
from qchess.foreign import HINTS, OURS

#: guesses that work, each with its value as text
WORKS = {
    # programs
    "p[0]": "iswap('b1', 'a3', 0.5)",
    "p[-1]": "x('a1').when({'c3': 1})",
    "p[:2] == split('b1', 'a3', 'c3')": "True",
    "len(p)": "3",
    "[step.gate.name for step in p]": "['ISWAP', 'ISWAP', 'X']",
    "p.depth()": "3",
    "p.count_ops()": "{'iswap^t': 1, 'iswap': 1, 'cx': 1}",
    "p.num_qubits": "4",
    "p.qubits": "('b1', 'a3', 'c3', 'a1')",
    "p.unitary().shape": "(16, 16)",
    "p.unitary(['c3', 'a3', 'b1', 'a1']).shape": "(16, 16)",
    "str(p.draw()) == str(p)": "True",
    "p.draw('mpl')._repr_png_()[1:4]": "b'PNG'",
    "p.draw('svg')[:4]": "'<svg'",
    "p.svg()[:4]": "'<svg'",
    "p._repr_svg_()[:4]": "'<svg'",
    "p.inverse()[0]": "x('a1', -1.0).when({'c3': 1})",
    "p + cx('a1', 'b1') + y('b1') == Program(p, cx('a1', 'b1'), y('b1'))": "True",
    "p.control('q')[0]": "iswap('b1', 'a3', 0.5).when({'q': 1})",
    "x('a').control('b')": "x('a').when({'b': 1})",
    "(s('a'), t('a'))": "(z('a', 0.5), z('a', 0.25))",
    "rx('a', 0.5).num_qubits": "1",
    "p.to_qiskit().num_qubits": "4",
    "[register.name for register in p.to_qiskit().qregs]": "['b1', 'a3', 'c3', 'a1']",
    "p.to_cirq().all_qubits() == {cirq.NamedQubit(q) for q in p.qubits}": "True",
    "p.qasm()[:13]": "'OPENQASM 3.0;'",
    "p == p[:] and hash(p) == hash(p[:])": "True",
    # compiled circuits
    "p.compile('exact', basis='cz').counts()['CZ']": "5",
    "c.draw('text') == str(c)": "True",
    "c.svg()[:4] == c._repr_svg_()[:4]": "True",
    "c.to_qiskit().metadata['layout'] == c.layout": "True",
    "c.num_qubits": "4",
    # registers
    "np.round(abs(r.statevector()) ** 2, 3).tolist()": "[0.0, 0.5, 0.5, 0.0]",
    "r.statevector(['c3', 'a3', 'b1']).shape": "(8,)",
    "sorted(r.sample(1000, rng=1))": "[('a3',), ('c3',)]",
    "sum(r.sample(10, random.Random(1), ['a3']).values())": "10",
    "round(r.probability('a3'), 9)": "0.5",
    "r.apply(h('a3'), x('c3')).full": "frozenset()",
    # games
    "g.circuit('b5-c7').answers": "('hit',)",
    "g.circuit(whole=True).num_qubits": "8",
    "g.circuit(whole=True).to_qiskit().depth() > 3": "True",
    "g.probability('a3')": "0.5",
    "g['a3']": "{'N': 0.5}",
    "g._repr_svg_()[:4]": "'<svg'",
    "len(g.moves()) > 20": "True",
    "g.history[0].text": "'b1^a3c3'",
    # study
    "round(study.entropy(g, ['a3']), 6)": "1.0",
    "study.reduced(g, 'a3').shape": "(2, 2)",
    "study.bloch(new, 'a3').z": "1.0",
    "len(study.amplitudes(new).axes)": "1",
    "round(study.fidelity(g, g), 6)": "1.0",
    "slide('a1', 'a3', path=['a2']) == slide('a1', 'a3', ('a2',))": "True",
}
#: guesses that do not, each with words of the sentence that names ours
HINTED = {
    "p.append(x('a'))": r"program \+ x\('a3'\) is a new one",
    "p.compose(p)": r"one \+ other",
    "p.num_clbits": r"len\(program\.answers\)",
    "p.cnot('a', 'b')": "Program has no 'cnot': .*cnot",
    "p.h('a')": "Program has no 'h': .*h",
    "p.measure_all()": r"read\('m', \*program\.qubits\)",
    "p.to_gate()": r"control\('q'\)",
    "p.decompose()": r"compile\(\)",
    "p.barrier()": "stay in their order",
    "p.assign_parameters({})": "a function that returns a Program",
    "p.draw('latex')": r"text, svg, mpl, got 'latex'",
    "x('a').control(2)": r"such as x\('a'\)\.control\('b'\)",
    "c.count_ops()": r"counts\(\)",
    "c.qubits": "wires has the names",
    "p.compile('best')": "one of naive, exact, aware",
    "p.compile(known={'zz': 1})": "the program's qubits",
    "r.density_matrix()": "study.reduced",
    "r.probabilities()": "distribution",
    "r.measure('a3')": r"project\(full\('a3'\)\)",
    "r.evolve(p)": r"run\(program\)",
    "Registers(engine).run(p).statevector()": "a run has registers and answers",
    "Registers('sparse')": r"qchess\.backends\.engine",
    "x('a').controlled_by('b')": r"control\('q'\)",
    "h('a').unitary()": r"Program\(operation\)\.unitary\(\)",
    "g.board": r"print\(game\)",
    "g.get_statevector()": r"position\.registers\.statevector",
    "g.measure()": "sample",
    "g.to_qiskit()": r"circuit\('b1\^a3c3'\)",
    "g.play('e2-e4.m1')": "asks nothing, so it has no outcome",
    "study.partial_trace": r"reduced\(game",
    "study.plot_bloch_multivector": "bloch_vectors",
    "study.entropy(g)": "at least one square",
    "study.entropy(g, 'A3')": "did you mean 'a3'",
    "study.concurrence(g, 'z9', 'y8')": "expected a square from a1 to h8",
    "circuits.ccx": r"x\('c'\)\.control",
    "circuits.QuantumCircuit": "Program",
    "circuits.CNOT": "small letters",
    "slide('a1', 'a3', path='a2')": r"such as \('a2',\)",
    "Registers(engine, full='b1')": r"such as \('b1',\)",
    "split('a1', 'b1', 'b1')": "each qubit once",
}


@pytest.fixture(scope="module")
def named() -> dict[str, Any]:
    """What the guesses may name."""
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5"):
        game.play(move)
    engine = backends.engine()
    program = circuits.split("b1", "a3", "c3") + circuits.x("a1").control("c3")
    return {
        **{name: getattr(circuits, name) for name in circuits.__all__}, "np": np, "random": random, "engine": engine,
        "circuits": circuits, "study": study, "g": game, "new": qchess.new("quantum-chess"), "p": program,
        "c": program.compile("aware", known={"b1": 1}),
        "r": circuits.Registers(engine, ["b1"]).run(program[:2]).registers,
    }  # fmt: skip


def test_there_are_enough_guesses_and_none_is_there_twice() -> None:
    assert not WORKS.keys() & HINTED.keys()
    assert len(WORKS) + len(HINTED) >= 75


@pytest.mark.parametrize("guess", WORKS)
def test_a_guess_works(named: dict[str, Any], guess: str) -> None:
    if "cirq" in guess:
        named = {**named, "cirq": pytest.importorskip("cirq")}
    assert repr(eval(guess, dict(named))) == WORKS[guess]


@pytest.mark.parametrize("guess", HINTED)
def test_a_guess_that_does_not_work_is_told_ours(named: dict[str, Any], guess: str) -> None:
    with pytest.raises((ValueError, AttributeError), match=HINTED[guess]):
        eval(guess, dict(named))


def test_no_hint_is_for_what_is_there(named: dict[str, Any]) -> None:
    things = {"Program": named["p"], "Compiled": named["c"], "Registers": named["r"], "Operation": named["p"][0],
              "Run": named["r"].run(named["p"]), "qchess.circuits": circuits, "qchess": qchess, "qchess.study": study,
              "Game": named["g"], "Move": named["g"].legal_moves[0]}  # fmt: skip
    assert things.keys() == HINTS.keys()
    for owner, thing in things.items():
        assert [name for name in HINTS[owner] if hasattr(thing, name)] == []
        assert [name for name in OURS.get(owner, ()) if not hasattr(thing, name)] == []
        assert not OURS.get(owner, {}).keys() & {*dir(thing), *dir(type(thing))}
    with pytest.raises(AttributeError, match=r"^Program has no 'nothing'$"):
        _ = named["p"].nothing
