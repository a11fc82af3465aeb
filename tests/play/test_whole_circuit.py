"""A whole game as one circuit: run with the answers that came, it ends in the state of the game."""

from __future__ import annotations

import random
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.backends import FixedAnswers
from qchess.circuits import Registers
from qchess.circuits.world import parallel
from qchess.errors import InvalidMoveError
from qchess.playing.whole import whole

PLIES = 14


def played(name: str, seed: int) -> Any:
    """A random game; every third move is one that asks, if there is one among some."""
    game, rng = qchess.new(name, seed=seed), random.Random(seed)
    for ply in range(PLIES):
        moves = game.moves()
        if not moves:
            break
        some = rng.sample(moves, min(12, len(moves)))
        asking = [move for move in some if game.circuit(move).answers] if ply % 3 == 2 else []
        game.play((asking or some)[0])
    return game


@pytest.mark.parametrize("name", qchess.games.names())
def test_the_circuit_of_a_game_ends_in_its_state(name: str) -> None:
    asked = 0
    for seed in range(3):
        game = played(name, seed)
        program, made = game.circuit(whole=True), whole(game, len(game.history))
        assert tuple(made.answers) == program.answers
        assert list(made.answers.values()) == [answer.value for move in game.history for answer in move.answers]
        asked += len(made.answers)
        end = Registers(backends.engine()).run(program, FixedAnswers(made.answers)).registers
        now = game.position.registers
        wires = {qubit: made.wires.get(qubit, qubit) for qubit in now.home}
        for register in now.each:
            mine = tuple(wires[qubit] for qubit in register.qubits)
            held = end.register(mine[0])
            assert held is not None, (name, seed, mine)
            assert set(held.qubits) == set(mine), (name, seed)
            assert parallel(register.amplitudes(register.qubits), held.amplitudes(mine), 1e-9), (name, seed)
        touched = [qubit for qubit in made.wires if now.known(qubit) is not None]
        assert {qubit: end.known(made.wires[qubit]) for qubit in touched} == {q: now.known(q) for q in touched}
    assert asked or name == "niels-chess", "some game asked something"


def test_the_circuit_is_of_the_game_or_of_a_move() -> None:
    game = qchess.new("quantum-chess", seed=1)
    assert len(game.circuit(whole=True)) == 0
    with pytest.raises(InvalidMoveError, match="of the whole game or of a move, got 'e2-e4' and whole=True"):
        game.circuit("e2-e4", whole=True)
