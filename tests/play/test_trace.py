"""`qchess trace`: the way of a move on one sheet, in every game, of named moves and of saved games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.__main__ import main

#: moves of which the last one asks, and the answers it is given
CAPTURES = {
    "quantum-chess": "b1^a3c3 d7-d5 c3-d5.m1",
    "piece-qubit-chess": "b1-c3 d7-d5 c3-d5",
    "quantum-checkers": "e3^d4f4 d6^c5e5 f4-d6",
    "niels-chess": "b1^a3c3 d7d5 c3d5",
    "niels-xiangqi": "h3^h6oh3p h8h3",
    "quantum-tic-tac-toe": "a1b1 a1b1",
}
HEADS = ("Read", "Turn", "Program", "Registers", "Question", "Answer", "Position")


@pytest.mark.parametrize("game", CAPTURES)
def test_the_way_of_a_capture_fits_on_a_sheet_and_says_what_the_game_did(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = CAPTURES[game].split()
    assert main(["trace", game, *moves, "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    places = [shown.index(f"\n{head}") for head in HEADS]
    assert places == sorted(places)
    assert main(["trace", game, *moves, "--seed", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    played = qchess.new(game, seed=1)
    for move in moves[:-1]:
        played.play(move)
    turn = played.turn_of(moves[-1])
    assert told["chances"] == [
        {"answers": dict(answers), "probability": p} for answers, p in played.chances(turn).items()
    ]
    assert told["program"] == turn.program.text().splitlines()
    for register in told["registers"]:
        assert sum(a * a + b * b for a, b in (way["amplitude"] for way in register["branches"])) == pytest.approx(1)
    again = played.play(turn, outcome={answer["name"]: answer["value"] for answer in told["answers"]})
    assert (told["record"], told["ply"]) == (again.text, len(moves))
    assert [answer["probability"] for answer in told["answers"]] == [a.probability for a in again.answers]
    assert told["board"] == played.rules.text(played.position, turn).splitlines()


def test_a_move_of_a_saved_game_is_traced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = qchess.new("quantum-chess", seed=3)
    for move in CAPTURES["quantum-chess"].replace(".m1", "").split():
        game.play(move)
    game.save(tmp_path / "game.json")

    def traced(*more: str) -> Any:
        assert main(["trace", "--record", str(tmp_path / "game.json"), "--json", *more]) == 0
        return json.loads(capsys.readouterr().out)

    assert [traced("--ply", str(ply))["record"] for ply in (1, 2, 3)] == [played.text for played in game.history]
    assert traced()["ply"] == 3


def test_an_open_answer_is_left_open(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "quantum-chess", "b1^a3c3", "d7-d5", "c3-d5"]) == 0
    shown = capsys.readouterr().out
    assert "hit = 0: 0.5; hit = 1: 0.5" in shown
    assert "open: write it with the move, or give --seed" in shown
    assert "Position" not in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected a game with its moves, or --record FILE"),
        (["quantum-chess"], "the way of which move?"),
        (["quantum-chess", "e2-e9"], "got 'e9'"),
        (["quantum-chess", "e2-e4", "--ply", "1"], "--ply goes with --record"),
        (["quantum-chess", "e2-e4", "--record", "game.json"], "or --record FILE"),
    ],
)
def test_what_cannot_be_traced_is_named(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", *words]) == 2
    assert said in capsys.readouterr().err
