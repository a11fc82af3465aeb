"""Dice: what faces mean, whose they are, and a referee for people who throw real ones."""

from __future__ import annotations

import io
import math
import os
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.circuits import Program, Registers, ask, where, x
from qchess.circuits.sources import Seeded
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.niels_chess import NielsChess
from qchess.games.niels_chess.dice import RealDice, Thrown
from qchess.games.niels_chess.programs import split
from qchess.games.niels_chess.referee import Referee
from qchess.games.niels_chess.rolls import FACES, MEANS_ONE, coin_of
from qchess.games.niels_chess.units import HALF, SIXTH, TWO_THIRDS
from qchess.playing.game import Game
from qchess.playing.keeping import Keeper
from qchess.terminal.screen import Screen
from qchess.terminal.session import Terminal

ROLLS = int(os.environ.get("QCHESS_ANSWERS", "30000"))
BISHOP = "7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p"
#: each chance that a die decides, as a piece split that way and the square that is asked
SHARES = {"1/2": (HALF, "b1"), "2/3": (TWO_THIRDS, "b1"), "1/3": (TWO_THIRDS, "c1"), "1/6": (SIXTH, "b1")}


def board(share: str) -> tuple[Registers, Program, float]:
    odds, asked = SHARES[share]
    registers = Registers(backends.engine(), full=["a1"]).run(Program(*split("a1", "b1", "c1", odds))).registers
    return registers, Program(ask("there", where({asked: 1}))), float(odds if asked == "b1" else 1 - odds)


def within_four_errors(hits: int, rolls: int, chance: float) -> bool:
    return abs(hits - rolls * chance) <= 4 * math.sqrt(rolls * chance * (1 - chance))


@pytest.mark.parametrize("share", SHARES)
def test_circuits_on_the_seeded_source_roll_like_fair_dice(share: str) -> None:
    registers, look, chance = board(share)
    source = Seeded(11)
    hits = sum(registers.run(look, source).answers[0].value for _ in range(2000))
    assert within_four_errors(hits, 2000, chance), (hits, chance)


@pytest.mark.slow
@pytest.mark.parametrize("share", ["1/3", "1/6"])
def test_many_rolls_keep_the_law(share: str) -> None:
    """So many as ``QCHESS_ANSWERS`` says; a chance that is off by 0.02 is noticed by 30,000."""
    registers, look, chance = board(share)
    source = Seeded(12)
    hits = sum(registers.run(look, source).answers[0].value for _ in range(ROLLS))
    assert within_four_errors(hits, ROLLS, chance), (hits, chance)


SHOTS = 4000


def cirq_hits(circuit: Program) -> int:
    import cirq

    found = cirq.Simulator(seed=5).run(circuit.to_cirq(), repetitions=SHOTS)
    return int(found.measurements["there"].sum())


def aer_hits(circuit: Program) -> int:
    import qiskit
    from qiskit_aer import AerSimulator

    simulator = AerSimulator(seed_simulator=5)
    counts = simulator.run(qiskit.transpile(circuit.to_qiskit(), simulator), shots=SHOTS).result().get_counts()
    return int(sum(count for key, count in counts.items() if key.replace(" ", "").endswith("1")))


@pytest.mark.slow
@pytest.mark.parametrize("hits_of", [cirq_hits, aer_hits])
@pytest.mark.parametrize("share", SHARES)
def test_simulators_roll_like_fair_dice(share: str, hits_of: Callable[[Program], int]) -> None:
    """Every shot is drawn by the simulator itself, from the whole circuit: split and question."""
    odds, asked = SHARES[share]
    circuit = Program(x("a1"), *split("a1", "b1", "c1", odds), ask("there", where({asked: 1})))
    chance = float(odds if asked == "b1" else 1 - odds)
    hits = hits_of(circuit)
    assert within_four_errors(hits, SHOTS, chance), (hits, chance)


@pytest.mark.parametrize("odds", MEANS_ONE)
def test_the_faces_of_a_die_have_the_chance_of_the_coin(odds: Fraction) -> None:
    assert sum(coin_of(odds, face) for face in FACES) / 6 == pytest.approx(float(odds))


def test_a_thrown_die_shows_its_face_and_decides_by_it() -> None:
    seen: Counter[int] = Counter()
    source = Thrown(2)
    registers, look, _ = board("2/3")
    for throw in range(600):
        answer = registers.run(look, source.at(str(throw))).answers[0]
        assert answer.details
        assert answer.value == (answer.details["face"] <= 4)
        seen[answer.details["face"]] += 1
    assert set(seen) == set(FACES)
    assert all(within_four_errors(seen[face], 600, 1 / 6) for face in FACES)


@pytest.mark.parametrize(("text", "why"), [("d1d6.d23", "needs 1 roll"), ("d1d6.m11", "does not end with")])
def test_results_that_the_move_does_not_ask_for_are_refused(text: str, why: str) -> None:
    rules = NielsChess(BISHOP)
    with pytest.raises(InvalidMoveError, match=why):
        rules.read(rules.start(backends.engine()), text)


@pytest.mark.parametrize(
    ("nfen", "move", "answers", "story"),
    [
        (BISHOP, "d1d6", [1], "black rolled 1-4: the bishop is on d6; the capture succeeded"),
        (BISHOP, "d1d6", [0], "black rolled 5-6: the bishop is on a3; nothing was captured"),
        ("7k/8/8/8/3p4/8/8/K2R4 w - - 0 1", "d1d5.t", [1], "white rolled 6: it tunnelled"),
        ("7k/8/8/8/3p4/8/8/K2R4 w - - 0 1", "d1d5.t", [0], "white rolled 1-5: it stays"),
    ],
)
def test_the_story_of_a_roll_says_what_was_decided(nfen: str, move: str, answers: list[int], story: str) -> None:
    game = qchess.new("niels-chess", nfen=nfen, tunnelling=True)
    before = game.position
    played = game.play(move, outcome=answers)
    told = {answer.name: answer.value for answer in played.answers}
    assert game.rules.story(before, played.move, told, game.position) == story


# -- the referee ---------------------------------------------------------------------------------------------------


def refereed(game: Game[Any, Any], *lines: str) -> str:
    out = io.StringIO()
    Referee(game, [f"{line}\n" for line in lines], out).run()
    return out.getvalue()


#: what two people said at the table, the faces of their dice among it
MATE = (
    "b1^c3ob1o", "d7d5", "d2^d4pd2p", "c8^d7pg4o", "e2^e4pe3p", "d5e4", "3", "d1g4", "2", "e7e5", "g4^e6pd7o"
)  # fmt: skip


def test_a_whole_game_is_refereed_to_an_indefinite_mate(tmp_path: Path) -> None:
    """Two rolls on the way; at the end a queen that is on e6 or on d7 mates from both."""
    game = qchess.new("niels-chess")
    said = refereed(game, *MATE)
    assert "white rolled a 3: the pawn is on e4" in said
    assert "black rolled a 2: the bishop is on g4" in said
    assert str(game.result) == "White wins: checkmate"
    assert [pair.kind for pair in game.position.state.pairs if pair.colour == 0] == ["N", "P", "Q"]
    game.save(tmp_path / "mate.json")
    again = qchess.load(tmp_path / "mate.json")
    assert again.position == game.position
    assert again.result == game.result


def test_wrong_dice_marks_and_diagonals_are_each_answered_clearly() -> None:
    game = qchess.new("niels-chess", nfen="6k1/8/4n3/8/8/2b5/2R5/4R1K1 b - - 0 1 c2oe1o")
    said = refereed(
        game,
        "3",  # no die is thrown
        "e6^e6od4p&c2",  # an unequal pair joins an equal one
        "e6^e6d4&c2", "x", "-",  # a diagonal is + or -
        "c2c3", "7", "a4", "2",
    )  # fmt: skip
    assert "No: no die is needed now" in said
    assert "must be of the same type" in said
    assert "No: a diagonal is + " in said
    assert game.position.state.pairs == []
    assert "No: expected a face from 1 to 6, got '7'" in said
    assert "No: a die must be thrown first: type its face, 1 to 6, not 'a4'" in said


def test_a_game_killed_in_mid_roll_goes_on_with_the_same_question(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = qchess.new("niels-chess", nfen=BISHOP)
    with Keeper(game, file):
        refereed(game, "d1d6")
    again = qchess.load(file)
    assert again.pending is not None
    said = refereed(again, "d1d4", "5")
    assert "a die must be thrown first" in said
    assert "black rolled a 5: the bishop is on a3" in said
    assert again.history[0].answers[0].details == {"face": 5}


def test_the_command_referees_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.json"
    command = ["referee", "niels-chess", "--option", f"nfen={BISHOP}", "--record", str(file)]
    monkeypatch.setattr("sys.stdin", io.StringIO("d1d6\n"))
    assert main(command) == 0
    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    monkeypatch.setattr("sys.stdout", out)
    assert main(command) == 0
    assert "Going on with" in out.getvalue()
    assert "black rolled a 2: the bishop is on d6" in out.getvalue()


def test_nobody_has_told_a_face_yet() -> None:
    game = qchess.new("niels-chess", nfen=BISHOP, source=RealDice())
    game.begin("d1d6")
    assert game.collect() is None
    with pytest.raises(IllegalMoveError, match="waits for the answer"):
        game.begin("d1d5")


def test_a_list_too_long_to_read_is_shown_by_piece() -> None:
    out = io.StringIO()
    screen = Screen(io.StringIO("moves\nmoves b1\nquit\n"), out)
    Terminal(qchess.new("niels-chess", seed=1), {}, screen=screen).run()
    assert "b1  26 moves: b1a3  b1c3" in out.getvalue()
    assert "164 moves; those of one piece: moves h2" in out.getvalue()
    assert "b1^c3pa3p" in out.getvalue()
