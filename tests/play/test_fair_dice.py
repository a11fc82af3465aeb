"""Dice that anybody can check: lies about each kind of source, copies that cannot draw anew, and answers in numbers."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qchess
from qchess import backends
from qchess.backends.qrng import Harvest, Pool, outcomes
from qchess.circuits import Program, Registers, ask, h, where
from qchess.circuits.running import Pause
from qchess.circuits.sources import Seeded, drawn_seed, mixed
from qchess.playing import keeping
from qchess.playing.dice import seal
from qchess.playing.keeping import Keeper
from qchess.playing.record import Record
from qchess.proving.witness import Finding, verify

CAPTURE = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
MOVES = ("b1^a3c3", "e8-e7", "c3-d5", "e7-e6")
#: of how many games each lie is told: some of them have the same answer with it and some another; where no lie
#: depends on that, two are enough
GAMES = 5
#: how many answers of each kind of dice are counted
ANSWERS = int(os.environ.get("QCHESS_ANSWERS", "20000"))
#: a probability below which nothing is luck
NEVER = 1e-9


def drawn(number: int) -> str:
    """A seed as if it had been drawn."""
    return f"drawn-{number:032x}"


def record(kind: str, number: int, folder: Path) -> Record:
    """A game with one question of even odds, answered by a source of this kind."""
    how: dict[str, Any] = {"seed": drawn(number)}
    if kind == "seeded":
        how = {"seed": number}
    elif kind in ("sparse-shots", "queued:sparse-shots"):
        how = {"backend": kind, "seed": number}
    elif kind == "pool":
        pool = Pool(folder / f"{number}.pool")
        pool.add(
            Harvest(
                np.random.default_rng(number).integers(0, 2, 4096, dtype=np.uint8), {"source": "tape", "quantum": False}
            )
        )
        how = {"source": outcomes(f"qrng:{folder / f'{number}.pool'}")}
    game = qchess.new("quantum-chess", fen=CAPTURE, **how)
    if kind == "nonces":
        game.add_nonce("white", "a rainy day")
        game.add_nonce("black", "7 geese")
    for move in MOVES:
        game.play(f"{move}.m{number % 2}" if kind == "person" and move == "c3-d5" else move)
    return Record.from_json(game.record().to_json())


def changed(made: Record, **answer: Any) -> Record:
    """The record with its question answered otherwise, also in the text of the move."""
    first, second, third, last = made.entries
    told = replace(third.answers[0], **answer)
    return replace(made, entries=(first, second, replace(third, move=f"c3-d5.m{told.value}", answers=(told,)), last))


def earlier(made: Record) -> Record:
    """The record with another move before the question."""
    first, second, *others = made.entries
    return replace(made, entries=(first, replace(second, move="e8-d8"), others[0]))


LIES: dict[str, Callable[[Record], Record]] = {
    "none": lambda made: made,
    "answer": lambda made: changed(made, value=1 - made.entries[2].answers[0].value),
    "probability": lambda made: changed(made, probability=0.99),
    "certain": lambda made: changed(made, source="certain"),
    "order": lambda made: replace(made, entries=(*made.entries[:2], *made.entries[:1:-1])),
    "source": lambda made: changed(made, source="ibm_torino"),
    "source, also noted": lambda made: replace(changed(made, source="ibm_torino"), sources=((3, "ibm_torino"),)),
    "seed": lambda made: replace(made, seed=drawn(99)),
    "seed and seal": lambda made: replace(made, seed=drawn(99), seal=seal(drawn(99))),
    "nonce": lambda made: replace(made, nonces={**made.nonces, "white": "the sun"}),
    "earlier move": earlier,
}
#: FOUND: in every game; ODD: in those whose answer would be another one; "": in none, as nothing contradicts it
FOUND, ODD = "found", "odd"
ALWAYS = {"none": "", "probability": FOUND, "certain": FOUND, "order": FOUND, "source": FOUND, "source, also noted": ""}
TOLD = {**ALWAYS, "answer": "", "seed": "", "seed and seal": "", "nonce": "", "earlier move": ""}
DRAWN = {**ALWAYS, "answer": FOUND, "seed": FOUND, "seed and seal": ODD, "nonce": ODD, "earlier move": ODD}
KINDS: dict[str, Mapping[str, str]] = {
    # the name of each answer's source has its seed, so another one in the record changes nothing
    "seeded": {**TOLD, "answer": FOUND, "earlier move": ODD},
    "drawn": DRAWN,
    "nonces": DRAWN,
    "sparse-shots": TOLD,
    "pool": TOLD,
    "queued:sparse-shots": TOLD,
    # no source was asked, so none is noted; the seed is sealed all the same
    "person": {**TOLD, "source": "", "seed": FOUND},
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_lie_about_each_kind_of_source_is_found_or_said_as_told(kind: str, tmp_path: Path) -> None:
    made = [record(kind, number, tmp_path) for number in range(GAMES if ODD in KINDS[kind].values() else 2)]
    told = {"seeded", "drawn", "nonces"}.isdisjoint([kind])
    for one in made:
        assert {each.finding for each in verify(one).answers} == {Finding.TOLD if told else Finding.PROVED}
    for lie, change in LIES.items():
        holds = [verify(change(one)).holds for one in made]
        expected = KINDS[kind][lie]
        assert any(holds) == (expected != FOUND), lie
        assert all(holds) == (not expected), lie
    renamed = verify(LIES["source, also noted"](made[0]))
    assert [(each.finding, each.why) for each in renamed.answers] == [(Finding.TOLD, "by ibm_torino")]


def answer(game: Any) -> int:
    """The answer to the question, whatever was played of the game."""
    for move in MOVES[len(game.history) : 3]:
        game.play(move)
    return int(game.history[2].answers[0].value)


def test_no_copy_of_a_game_draws_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of a saved game, of its record and of a kept one; also after the answer was taken back."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    every = set()
    for number in range(8):
        game = qchess.new("quantum-chess", fen=CAPTURE, seed=drawn(number))
        game.add_nonce("black", "7 geese")
        with Keeper(game, keeping.new_file("quantum-chess")) as keeper:
            game.play(MOVES[0])
            game.save(tmp_path / f"{number}.json")
            keeper.keep()
            kept, written = keeper.path.read_text(encoding="utf-8"), game.record().to_json()
        found = {answer(qchess.load(tmp_path / f"{number}.json")) for _ in range(3)}
        found |= {answer(qchess.replay(text)) for text in (kept, written) for _ in range(3)}
        found.add(answer(game))
        game.undo()
        found.add(answer(qchess.replay(game.record())))
        with pytest.raises(qchess.QchessError, match="before the first answer"):
            qchess.replay(game.record()).add_nonce("white", "another try")
        assert len(found) == 1
        every |= found
    assert every == {0, 1}


def test_who_has_no_seed_cannot_foretell() -> None:
    """A record without its seed, with its seal, goes on with dice of its own."""
    same, from_seal = [], []
    for number in range(24):
        game = qchess.new("quantum-chess", fen=CAPTURE, seed=drawn(number))
        for move in MOVES[:2]:
            game.play(move)
        shown = Record.from_json(game.record().without_seed().to_json())
        assert (shown.seed, shown.seal) == (None, game.seal)
        assert drawn(number) not in shown.to_json()
        come = answer(game)
        guess = qchess.new("quantum-chess", fen=CAPTURE, seed=str(shown.seal))
        same.append(answer(qchess.replay(shown)) == come)
        from_seal.append(answer(guess) == come)
    assert not all(same)
    assert not all(from_seal)


# -- in numbers ---------------------------------------------------------------------------------------------


def questions() -> list[Pause]:
    """Open questions whose answer is yes with probability 1/2, 1/4 and 1/8."""
    found = []
    for qubits in ("a", "ab", "abc"):
        at = Registers(backends.engine()).start(Program(*map(h, qubits), ask("all", where(dict.fromkeys(qubits, 1)))))
        assert isinstance(at, Pause)
        assert at.odds[1] == pytest.approx(2 ** -len(qubits))
        found.append(at)
    return found


def two_sided(count: int, trials: int, p: float) -> float:
    """How likely a number of answers is that is at least so far from what is to be expected, for many trials."""
    return math.erfc(abs(count - trials * p) / math.sqrt(2 * trials * p * (1 - p)))


SEEDS: dict[str, Callable[[int], int | str]] = {
    "seeded": lambda game: game,
    "nonces": lambda game: mixed(drawn(1), {"white": f"words {game}", "black": "7 geese"}),
    "of the system": lambda game: drawn_seed(),
}


@pytest.mark.parametrize("kind", SEEDS)
def test_dice_answer_with_their_odds_and_independently(kind: str) -> None:
    """In many games of a hundred questions each: every answer, and every pair of answers behind one another."""
    asked, yes, pairs, before = [0, 0, 0], [0, 0, 0], 0, False
    likely, at = questions(), 0
    for game in range(ANSWERS // 100):
        dice = Seeded(SEEDS[kind](game))
        for place in range(100):
            question = at % 3
            came = dice.at(f"move {place} all").draw(likely[question]).value == 1
            asked[question] += 1
            yes[question] += came
            pairs += question == 2 and came and before  # yes to the question of 1/8 after yes to that of 1/4
            at, before = at + 1, came
    found = [two_sided(n, trials, 2.0**-k) for k, (n, trials) in enumerate(zip(yes, asked, strict=True), 1)]
    found.append(two_sided(pairs, asked[2], 1 / 32))
    told = ", ".join(f"{p:.3f}" for p in found)
    sys.stdout.write(f"{kind}: {yes} of {asked} yes, {pairs} pairs; p = {told}\n")
    assert min(found) > NEVER
