"""`study.steps`: gate by gate, against running the program, and what its pictures hold."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest

import qchess
from qchess import study
from qchess.circuits import (
    FixedAnswers,
    Program,
    ask,
    capture,
    discard,
    full,
    h,
    iswap,
    merge,
    read,
    ry,
    slide,
    split,
    when,
    where,
    x,
    z,
)  # fmt: skip
from qchess.circuits.errors import ImpossibleOutcomeError
from qchess.errors import QchessError
from qchess.games.catalogue import CATALOGUE

NAMES = ("a1", "b1", "c1", "d1")


def random_program(rng: random.Random) -> Program:
    """Ten gates, controlled or not, with a question and a branch in between."""

    def gate():
        a, b, c = rng.sample(NAMES, 3)
        plain = rng.choice((h(a), iswap(a, b, rng.choice((0.5, 1, 0.3))), ry(a, rng.uniform(0, 3)), z(a, 0.25), x(a)))
        return plain.when({c: rng.randint(0, 1)}) if rng.random() < 0.4 else plain

    gates = [gate() for _ in range(10)]
    asked = (
        ask("there", where({rng.choice(NAMES): 1})),
        when("there", {0: Program(gates.pop()), 1: Program(gates.pop())}),
    )
    return Program(*gates[:5], *asked, *gates[5:])


def test_every_step_of_random_programs_agrees_with_running_them_so_far() -> None:
    rng = random.Random(3)
    for _ in range(8):
        program = random_program(rng)
        told = study.steps(program, full=program.qubits[:1])
        answers = {step.answer.name: step.answer.value for step in told if step.answer}
        whole = told[0].registers.run(program, FixedAnswers(answers)).registers
        assert told[-1].registers.same_as(whole)
        for before, step in pairwise(told):
            world = step.registers
            assert step.before is before.registers
            assert step.done is not None
            assert step.before.run(Program(step.done), FixedAnswers(answers if step.answer else {})).registers.same_as(
                world
            )
            for table in step.amplitudes():
                assert sum(abs(a) ** 2 for a in table.values()) == pytest.approx(1)
            for qubit, p in step.odds.items():
                assert p == pytest.approx(world.probability(qubit))
            assert step.entropies == pytest.approx({q: study.entropy(world, q) for q in world.uncertain})
            for order, cuts in step.cuts().items():
                assert cuts == pytest.approx([study.entropy(world, *order[:k]) for k in range(1, len(order))])
            homes = {frozenset(qubits) for qubits in world.registers}
            assert {*map(frozenset, step.joined)} <= homes
            assert {*map(frozenset, step.parted)} <= {frozenset(qubits) for qubits in step.before.registers}
            assert set(world.uncertain) == {q for qubits in homes for q in qubits}
            unlike = {q for q, p in step.odds.items() if abs(p - step.before.probability(q)) > 1e-9}
            assert set(step.changed) == unlike


@pytest.mark.parametrize("name", [row.name for row in CATALOGUE])
def test_every_games_moves_give_steps_and_nothing_is_played(name: str) -> None:
    game, rng = qchess.new(name, seed=4), random.Random(4)
    while len(game.history) < 6 and not game.is_over:
        game.play(rng.choice(game.legal_moves))
    record, position = game.record().to_json(), game.position
    told = study.steps(game)
    assert [part.title.partition(". ")[2] for part in told.parts] == [played.text for played in game.history]
    for part, before, played in zip(told.parts, game.positions, game.history, strict=False):
        mine = [step for step in told if step.part is part]
        given = {answer.name: answer.value for answer in played.answers}
        assert {step.answer.name: step.answer.value for step in mine if step.answer} == given
        after = before.registers.run(game.rules.compile(before, played.move), FixedAnswers(given)).registers
        assert mine[-1].registers.same_as(after)
    assert len(study.steps(game, game.moves()[-1])) > 1
    assert len(study.steps(position.registers)) >= 1
    ElementTree.fromstring(told.strip().svg)
    assert (game.record().to_json(), game.position) == (record, position)


def test_a_merge_interferes_and_a_capture_is_measured() -> None:
    both = study.steps(split("b1", "a3", "c3") + merge("a3", "c3", "b5"), full=["b1"])
    assert [len(step.registers.each) for step in both] == [0, 1, 1, 1, 0]
    assert both[4].changed["b5"] == pytest.approx((0.5, 1))
    assert both[4].parted == (("a3", "b5"),)
    assert "Certain now: a3 is empty, b5 is full." in both[4].sentences

    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5"):
        game.play(move)
    likeliest, hit = study.steps(game, "d5-c7"), study.steps(game, "d5-c7", answers={"hit": 1})
    asked = likeliest[1]
    assert asked.chances == pytest.approx({0: 0.75, 1: 0.25})
    assert asked.answer is not None
    assert hit[1].answer is not None
    assert (asked.answer.value, asked.answer.source) == (0, "likeliest")
    assert (hit[1].answer.value, hit[1].answer.source) == (1, "given")
    assert hit[2].case == "hit = 1"
    assert hit[-1].registers.probability("c7") == 1
    assert study.steps(game, "d5-c7.m1")[1].answer == hit[1].answer
    assert len(game.history) == 4


def test_a_blocked_slide_entangles() -> None:
    told = study.steps(split("b1", "a3", "c3") + slide("c1", "c5", ("c3",)), full=["b1", "c1"])
    (joined,) = told[-1].joined
    assert set(joined) == {"a3", "c3", "c1", "c5"}
    assert told[-1].gate == "iSWAP c1 c5 where c3 is empty"
    assert told[2].entropy < told[3].entropy


def test_a_game_that_waits_is_shown_as_far_as_its_question() -> None:
    game = qchess.new("quantum-chess", seed=1, backend="queued:86400:sparse-shots")
    for move in ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5"):
        game.play(move)
    game.begin("d5-c7")
    told = study.steps(game)
    assert told[-1].answer is None
    assert told[-1].chances == pytest.approx({0: 0.75, 1: 0.25})
    assert told[-1].registers is game.position.registers
    assert ">no answer yet<" in told.strip().svg
    assert game.pending is not None
    assert game.pending.ticket is not None
    source: Any = game.source
    source.sampler.cancel(game.pending.ticket)  # nobody waits for tomorrow's answer


def test_a_compiled_program_and_a_position_have_steps() -> None:
    program = split("b1", "a3", "c3")
    known = {"b1": 1, "a3": 0, "c3": 0}
    for prepare in (True, False):
        compiled = program.compile("aware", known=known, prepare=prepare)
        told = study.steps(compiled)
        wires = [compiled.layout[qubit] for qubit in ("b1", "a3", "c3")]
        assert [told[-1].registers.probability(wire) for wire in wires] == pytest.approx([0, 0.5, 0.5])
        assert "level aware; at the end" in told.title
    game = qchess.new("quantum-chess", seed=1)
    game.play("b1^a3c3")
    assert study.steps(game.position)[-1].registers.registers == game.position.registers.registers
    assert study.steps(game.position, Program(h("a3")))[0].registers is game.position.registers


def test_read_outs_and_discards() -> None:
    told = study.steps(Program(h("a"), h("b"), read("m", "a", "b"), discard("a")), answers={"m": 2})
    assert (told[3].registers.known("a"), told[3].registers.known("b")) == (0, 1)
    assert told[4].gate == "discard a"
    with pytest.raises(ImpossibleOutcomeError):
        study.steps(Program(h("a"), read("m", "a")), answers={"m": 2})
    with pytest.raises(QchessError, match="is 0, which is certain"):
        study.steps(Program(x("b"), read("m", "a")), answers={"m": 1})


def test_a_gate_can_be_changed_also_inside_a_branch() -> None:
    told = study.steps(split("b1", "a3", "c3"), full=["b1"])
    assert told.with_(1, iswap("b1", "a3", 1 / 3))[-1].odds["a3"] == pytest.approx(0.25)
    assert told[-1].odds["a3"] == pytest.approx(0.5)
    asking = study.steps(Program(h("a"), ask("m", full("a")), when("m", {1: Program(x("b"))})))
    assert (asking[3].place, asking[3].case) == ("2.1.0", "m = 1")
    changed = asking.with_(3, x("c"))
    assert changed[-1].registers.full == {"a", "c"}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda told, game: told.with_(9, x("a3")), "expected the number of a gate: 1, 2; got 9"),
        (lambda told, game: told.with_(1, "x a3"), "expected an operation"),
        (lambda told, game: study.steps(game).with_(1, x("a3")), "choose a move"),
        (lambda told, game: told[:1].with_(1, x("a3")), "expected the number of a gate: none; got 1"),
        (lambda told, game: study.steps(split("b1", "a3", "c3"), full="b1"), "expected names of squares"),
        (lambda told, game: study.steps(split("b1", "a3", "c3"), full=["B1"]), "(b1, a3, c3); got 'B1'"),
        (lambda told, game: study.steps(capture("a1", "b1", "x1"), answers={"hti": 1}), "the program asks hit;"),
        (lambda told, game: study.steps(game, "b1^a3c9"), "c9"),
        (lambda told, game: study.steps(game, "b1^a3c3", full=["b1"]), "only a program"),
        (lambda told, game: study.steps("b1^a3c3"), "expected a game"),
        (lambda told, game: told.strip(first=7), "expected a first step from 0 to 2"),
        (lambda told, game: told.save("told.gif"), ".svg, .png or .html"),
        (lambda told, game: study.sweep(lambda t: Program(x("a", t)), [0, 1], "A"), "(a); got 'A'"),
        (lambda told, game: study.sweep(cast(Any, str), [0, 1]), "gives a Program"),
        (lambda told, game: study.sweep(lambda t: Program(x("a", t)), [0], figure="odds"), "probability, entropy"),
    ],
)  # fmt: skip
def test_what_is_misspelt_is_refused_in_a_sentence(call, words: str) -> None:
    told = study.steps(split("b1", "a3", "c3"), full=["b1"])
    game = qchess.new("quantum-chess")
    for move in ("a2-a3", "a7-a6"):
        game.play(move)
    with pytest.raises((QchessError, ValueError), match=re.escape(words)):
        call(told, game)


def test_the_strip_and_the_slider_hold_every_step(tmp_path: Path) -> None:
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5", "d5-c7"):
        game.play(move)
    told = study.steps(game)
    strip, page = told.strip(), told.save(tmp_path / "told.html").read_text(encoding="utf-8")
    ElementTree.fromstring(told.save(tmp_path / "told.svg").read_text(encoding="utf-8"))
    assert "7 hit? d5 is full" in strip.about
    assert ">hit = 0<" in strip.svg
    pictures = re.findall(r"<figure data-step=\"(\d+)\">(.*?)</figure>", page, re.DOTALL)
    assert [int(number) for number, _ in pictures] == [step.number for step in told]
    for step, (_, svg) in zip(told, pictures, strict=True):
        root = ElementTree.fromstring(svg)
        words = " ".join("".join(root.itertext()).split())
        for sentence in (step.gate, *step.sentences):
            assert sentence in words
            assert sentence in root.get("aria-label", "")
    assert "http" not in page.replace("http://www.w3.org/", "")
    bundle, _ = told._repr_mimebundle_()
    assert bundle["text/plain"] == str(told)
    assert bundle["image/svg+xml"] == strip.svg
    assert 'srcdoc="' in told.slider()._repr_html_()
    assert [step.number for step in told[2:4]] == [2, 3]
    assert told.values()[7]["answer"] == 0


def test_of_many_steps_some_are_drawn_and_the_others_counted() -> None:
    told = study.steps(Program(*[h("a<&")] * 70, x("b\n")))
    assert "12 of 72 steps are left out." in told.strip().svg
    assert "70 of 72 steps are left out." in told.slider(first=70).html
    assert "iSWAP" not in told.strip(first=69, most=2).svg
    ElementTree.fromstring(told.strip(first=60).svg)
    ElementTree.fromstring(told[71].picture().svg)


def test_a_sweep_draws_the_odds_over_a_parameter() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    plot = study.sweep(lambda t: Program(iswap("a", "b", t), ask("m", full("b"))), [0, 0.5, 1], "b", full=["a"])
    (line,) = plot.axes[0].lines
    assert list(line.get_ydata()) == pytest.approx([0, 0.5, 1])
