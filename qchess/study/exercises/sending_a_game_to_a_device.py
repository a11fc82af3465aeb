"""Notebook 15: which shots a device keeps, games that wait for jobs, and questions that coin flips cannot answer."""

from __future__ import annotations

from typing import Any

from qchess.playing.game import Game, new
from qchess.showing.measurements import Measurement, measurements
from qchess.study.exercises.checking import Exercise, game_of, near, number

#: the question of the notebook
START, LINE, ASKED = "4k3/8/3p4/8/8/8/8/1N2K3 w - - 0 1", "b1^a3c3 e8-e7 c3^b5e4 e7-e8", "e4-d6"
#: the share of shots in 15.1, and the most that coin flips may keep in 15.3
KEPT, RARELY = 0.8, 0.1


def _coins() -> float:
    """Return the share of shots that coin flips keep for the notebook's question."""
    game = new("quantum-chess", backend="sparse-shots", seed=1, fen=START)
    for move in LINE.split():
        game.play(move)
    share: float = game.preview(ASKED).circuits[0].figures["kept_coins"]
    return share


def fidelity_behind(fidelity: float) -> str | None:
    """15.1: which fidelity explains the kept share?"""
    coins = _coins()
    kept = fidelity + (1 - fidelity) * coins
    if near(kept, KEPT, within=5e-4):
        return None
    return f"With this fidelity {kept:.1%} are kept: F + (1 - F) K / 2^n. How many of the strings are possible?"


def waits(game: Game[Any, Any]) -> str | None:
    """15.2: a game that waits for a job."""
    if game.pending is not None and game.pending.ticket is not None:
        return None
    if game.history and game.history[-1].answers:
        return "Its last question is answered: play() waits for the answer unless the device has a queue."
    return "No job was sent: the last move measures nothing, or it was not played on a device with a queue."


def _least(told: Measurement) -> float:
    """Return the smallest share that coin flips keep of a circuit of this question."""
    return min((each.kept_coins for each in told.figures if each.kept_coins is not None), default=1.0)


def hard_for_coins(game: Game[Any, Any]) -> str | None:
    """15.3: a question for which coin flips keep at most a tenth of the shots."""
    asked = [told for told in measurements(game.record()) if told.figures]
    if not asked:
        return "No device has answered an open question in it; play it on sparse-shots, and let it capture something."
    least = min(map(_least, asked))
    if least <= RARELY:
        return None
    return f"Coin flips keep {least:.1%} at least: K of 2^n strings. Let more squares be read, or fewer be possible."


EXERCISES = (
    Exercise(
        number("a fidelity, a number from 0 to 1", 0, 1), fidelity_behind,
        "Coin flips keep 3 of 8. The fidelity is the share kept beyond that, divided by 5/8.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess that waits"), waits,
        "Its record has the ticket of the job, so any process with the record can collect the answer.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess on sparse-shots"), hard_for_coins,
        "Each square that is read doubles the number of strings, and few of the new ones are possible.",
    ),
)  # fmt: skip
