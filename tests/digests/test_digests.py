"""Whole games as digests: each line of a file is a ply, and tells short what everybody was told there.

A line has the ply, the player, the move, its answers, and hashes of: the list of moves before it; the odds of this move
and of three of the list; the board after it, with the result; the state after it. Numbers are rounded before they are
hashed, so that the last digits of a machine do not matter. A changed rule shows as the first line that differs. What
the difference is, the playthroughs tell better: they are texts to read, and few; these are many.

The head of a file names the game, its options and the seed of its dice. A game that ends begins anew. To write the
files again after an intended change, with the moves they hold where these are legal,

    QCHESS_REWRITE=1 python -m pytest tests/digests

A file that holds only its head gets forty random moves.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import qchess
from qchess.circuits import Registers
from qchess.errors import QchessError
from qchess.games.catalogue import CATALOGUE

FOLDER = Path(__file__).parent
FILES = sorted(file.stem for file in FOLDER.glob("*.txt"))
REWRITE = "QCHESS_REWRITE"
PLIES = 40
COLUMNS = ("ply", "player", "move", "answers", "list", "odds", "board", "state")
#: probabilities and amplitudes are hashed in whole steps of this size; certain odds of machines lie far below it
ODDS, AMPLITUDES = 1e-9, 1e-6
#: steps begin off the numbers that games are full of, such as 1/1024, and what is nearer to an edge is never written
SHIFT, EDGE = 0.1234567, 1e-13


class Script(NamedTuple):
    """What a file starts from: the game, and the moves without their answers."""

    game: str
    options: dict[str, Any]
    seed: int
    moves: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Script:
        """The head of a file, and the moves of its lines."""
        head, *lines = text.splitlines()
        game, seed, options = head.split(" ", 2)
        return cls(game, json.loads(options), int(seed), tuple(line.split()[2] for line in lines))

    def new(self, number: int) -> qchess.Game:
        """The first game of the file, or a later one."""
        return qchess.new(self.game, seed=f"{self.seed} {number}", **self.options)

    def lines(self) -> Iterator[str]:
        """The lines as they are today; a move that cannot be played ends them."""
        yield f"{self.game} {self.seed} {json.dumps(self.options)}"
        games = 0
        game = self.new(games)
        for ply, move in enumerate(self.moves, 1):
            if game.result:
                games += 1
                game = self.new(games)
            try:
                yield f"{ply:2} {told(game, move)}"
            except QchessError as error:
                yield f"{ply:2} {game.player} {move} cannot be played: {' '.join(str(error).split())}"
                return


def told(game: qchess.Game, move: str) -> str:
    """Plays a move, and tells it."""
    player, texts = game.player, game.moves()
    odds = list(odds_of(game, [move, *texts[:: max(1, len(texts) // 3)]]))
    played = game.play(move)
    answers = ",".join(f"{answer.name}={answer.value}" for answer in played.answers) or "-"
    board = [str(game), str(game.result or "")]
    return " ".join([player, move, answers, *map(short, (texts, odds, board, state(game.position.registers)))])


def short(parts: Iterable[object]) -> str:
    """A short name that only these parts have, in their order."""
    return blake2b("\n".join(map(str, parts)).encode(), digest_size=4).hexdigest()


def odds_of(game: qchess.Game, moves: Iterable[str]) -> Iterator[str]:
    """How likely each answer of some moves is."""
    for move in moves:
        for answers, chance in game.chances(move).items():
            yield f"{move} {answers} {steps(chance, ODDS)}"


def state(registers: Registers) -> Iterator[str]:
    """The full qubits, the phase, and the amplitudes of each register."""
    yield " ".join(sorted(registers.full))
    yield whole(registers.phase)
    for order, register in sorted((sorted(register.qubits), register) for register in registers.each):
        yield " ".join(order)
        for key, amplitude in sorted(register.amplitudes(order).items()):
            yield f"{key} {whole(amplitude)}"


def whole(amplitude: complex) -> str:
    """An amplitude in whole steps."""
    return f"{steps(amplitude.real, AMPLITUDES)} {steps(amplitude.imag, AMPLITUDES)}"


def steps(number: float, size: float) -> int:
    """A number in whole steps; no two machines differ by so much that it becomes another one."""
    there = number / size + SHIFT
    if os.environ.get(REWRITE):
        assert abs(there - round(there)) * size > EDGE, f"{number!r} lies at the edge of a step; choose another SHIFT"
    return math.floor(there)


@pytest.mark.parametrize("name", FILES)
def test_a_game_has_the_digests_of_its_file(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    script = Script.read(path.read_text(encoding="utf-8"))
    if os.environ.get(REWRITE):
        path.write_text(written(script), encoding="utf-8")
        pytest.skip(f"{name} is rewritten")
    for before, now in zip(path.read_text(encoding="utf-8").splitlines(), script.lines(), strict=True):
        assert now == before, f"{path.name}, {difference(before, now)}\n  then {before}\n  now  {now}"


def difference(before: str, now: str) -> str:
    """Where two lines differ."""
    pairs = zip(COLUMNS, before.split(), now.split(), strict=False)
    others = [column for column, one, other in pairs if one != other]
    return f"ply {before.split()[0]}: other {', '.join(others)}"


def written(script: Script) -> str:
    """A file as it should be now: with its moves, as far as they can be played, and random ones after them."""
    game, games, rng, moves = script.new(0), 0, random.Random(script.seed), list[str]()
    while len(moves) < max(PLIES, len(script.moves)):
        if game.result:
            games += 1
            game = script.new(games)
        texts = game.moves()
        kept = script.moves[len(moves) : len(moves) + 1]
        splits = [text for text in texts if "^" in text]
        choice = rng.choice(splits if splits and rng.random() < 0.4 else texts)
        moves.append(kept[0] if kept and kept[0] in texts else choice)
        game.play(moves[-1])
    return "".join(f"{line}\n" for line in script._replace(moves=tuple(moves)).lines())


def test_every_game_has_three_files_of_forty_plies() -> None:
    scripts = [Script.read((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) for name in FILES]
    assert sorted(script.game for script in scripts) == sorted([row.name for row in CATALOGUE] * 3)
    assert {len(script.moves) for script in scripts} == {PLIES}


def test_numbers_become_the_same_steps_whatever_their_last_digits_are() -> None:
    for number in (0.0, 0.5, 1.0, 1 / 1024, 3 / 4096, math.sqrt(0.5), 1 / 3):
        for size in (ODDS, AMPLITUDES):
            near = [number, math.nextafter(number, 2), math.nextafter(number, -2), number + 1e-14, number - 1e-14]
            assert len({steps(one, size) for one in near}) == 1
            assert steps(number + 2 * size, size) != steps(number, size)
    assert steps(-0.0, ODDS) == steps(0.0, ODDS) == steps(-1e-17, ODDS)
