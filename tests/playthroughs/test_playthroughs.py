"""Golden playthroughs: whole games, with everything a player can see, as text files beside this one.

A file has a head (game, options, seed, after how many plies a board is drawn) and the moves; the rest is
worked out: how many moves were legal, what the move asks and how likely each answer is, what was answered,
boards with odds, phases and links, the position as text, the result. A change of the rules then shows as a
difference that can be read. To renew the files after an intended change, or to complete a new one that
holds only its head and moves,

    QCHESS_REWRITE=1 python -m pytest tests/playthroughs

The moves of a new one may be typed as ``1. white: e2-e4``. Moves that carry their
answers get these; others are answered by the dice of the seed when the file is completed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import qchess
from qchess.games.niels_chess import NielsChess
from qchess.games.piece_qubit_chess import PieceQubitChess
from qchess.games.quantum_checkers import QuantumCheckers, pdn
from qchess.games.quantum_chess import QuantumChess
from qchess.games.quantum_tic_tac_toe import QuantumTicTacToe
from tests.old.saying import move_then

FOLDER = Path(__file__).parent
FILES = sorted(file.stem for file in FOLDER.glob("*.txt"))
REWRITE = "QCHESS_REWRITE"
HEAD = re.compile(r"(game|options|seed|boards): (.*)")
TURN = re.compile(r" *\d+\. \w+: (?P<move>\S+)(?:  .*)?")
RESIGNS = re.compile(r"\w+ resigns")


class Script(NamedTuple):
    """What a playthrough starts from; all else follows."""

    game: str
    options: dict[str, Any]
    seed: int
    boards: int
    moves: tuple[str, ...]
    resigns: bool

    @classmethod
    def read(cls, text: str) -> Script:
        """The head and the moves of a playthrough, with the answers they carry."""
        lines = text.splitlines()
        head = {match[1]: match[2] for line in lines if (match := HEAD.fullmatch(line))}
        moves = tuple(match["move"] for line in lines if (match := TURN.fullmatch(line)))
        resigns = any(RESIGNS.fullmatch(line) for line in lines)
        return cls(head["game"], json.loads(head["options"]), int(head["seed"]), int(head["boards"]), moves, resigns)

    def played(self, backend: str = "sparse", moves: int | None = None) -> qchess.Game:
        """The game after all its moves, or after the first few."""
        game = qchess.new(self.game, backend=backend, seed=self.seed, **self.options)
        for move in self.moves[:moves]:
            game.play(move)
        if self.resigns and moves is None:
            game.resign()
        return game

    def __str__(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"game: {self.game}"
        yield f"options: {json.dumps(self.options)}"
        yield f"seed: {self.seed}"
        yield f"boards: {self.boards}"
        yield from ("", *board(game := self.played(moves=0)), "")
        for ply, move in enumerate(self.moves, 1):
            yield from turn(game, ply, move)
            if ply % self.boards == 0 and ply < len(self.moves):
                yield from ("", *board(game), "")
        yield from ("", *board(game), "")
        if self.resigns:
            yield f"{game.player} resigns"
            game.resign()
        yield f"position: {position_text(game)}"
        yield f"result: {game.result or 'none yet'}"


def turn(game: qchess.Game, ply: int, move: str) -> Iterator[str]:
    """Plays a move, and tells it with its answers; below it, what there was to choose and to expect, and what came."""
    player, choices = game.player, len(game.moves())
    expected = game.rules.describe(game.position, game.rules.read(game.position, move)[0])
    played = game.play(move)
    yield f"{ply:3}. {player}: {move_then(played)}"
    yield f"       one of {choices} moves; {expected}"
    if played.sentence:
        yield f"       {played.sentence}"


def board(game: qchess.Game) -> Iterator[str]:
    """The board with its odds, then the phases and links that it does not show."""
    view = game.rules.view(game.position)
    yield from str(game).splitlines()
    turns = [
        f"{square} {_quiet(man.phase) % 1:.3g}"
        for square, men in sorted(view.men.items())
        for man in men
        if man.phase is not None and _quiet(man.phase) % 1
    ]
    links = [f"{a}-{b} {_quiet(strength):.3g}" for a, b, strength in view.links]
    if turns:
        yield f"phases in turns: {', '.join(turns)}"
    if links:
        yield f"links: {', '.join(links)}"


def _quiet(number: float) -> float:
    """A number without an engine's rounding, which could turn its last shown digit."""
    return round(number, 9)


def position_text(game: qchess.Game) -> str:
    """The position in the notation of its game."""
    rules = game.rules
    if isinstance(rules, PieceQubitChess):
        return rules.pqfen(game.position)
    if isinstance(rules, NielsChess):
        return rules.nfen(game.position)
    if isinstance(rules, QuantumCheckers):
        return pdn.dumps(game, odds=False).replace("\n", " ").rstrip()
    if isinstance(rules, QuantumTicTacToe):
        return " ".join(game.record().moves())
    assert isinstance(rules, QuantumChess), f"say here how positions of {rules.name} are written"
    return rules.position_text([played.text for played in game.history])


def recorded(name: str) -> str:
    """A playthrough as it was recorded."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_a_game_goes_today_as_it_was_recorded(name: str) -> None:
    text = recorded(name)
    today = str(Script.read(text))
    if os.environ.get(REWRITE):
        (FOLDER / f"{name}.txt").write_text(today, encoding="utf-8")
        pytest.skip(f"{name} is rewritten")
    assert today == text


@pytest.mark.parametrize("name", FILES)
def test_the_position_text_is_the_position(name: str) -> None:
    """Reading it back gives the same board, to move by the same player."""
    game = Script.read(recorded(name)).played()
    text = position_text(game)
    if game.rules.name == PieceQubitChess.name:
        again = qchess.new(game.rules.name, position=text)
    elif isinstance(game.rules, NielsChess):
        again = qchess.new(game.rules.name, **{**game.rules.options(), "nfen": text})
    elif game.rules.name == QuantumCheckers.name:
        again = pdn.loads(text)
    elif game.rules.name == QuantumTicTacToe.name:
        again = qchess.new(game.rules.name, **game.rules.options())
        for move in text.split():
            again.play(move)
    else:
        profile = game.rules.options().get("profile", "standard")
        rules, moves = QuantumChess.from_position(text, profile=profile)
        again = qchess.Game(rules)
        for move in moves:
            again.play(move)
    assert again.player == game.player
    lines = game.rules.view(game.position).height + 1
    drawn, mine = (found.rules.text(found.position).splitlines()[:lines] for found in (again, game))
    assert drawn == mine


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["cirq", "aer"])
@pytest.mark.parametrize("name", FILES)
def test_every_engine_plays_the_recorded_games_alike(name: str, backend: str) -> None:
    script = Script.read(recorded(name))
    here, there = script.played(), script.played(backend)
    assert [move_then(played) for played in there.history] == [move_then(played) for played in here.history]
    assert str(there) == str(here)


def test_the_playthroughs_show_what_is_special_in_each_game() -> None:
    texts = {name: recorded(name) for name in FILES}
    both = "\n".join(texts.values())
    assert {Script.read(text).game for text in texts.values()} == {
        "quantum-chess", "piece-qubit-chess", "niels-chess", "niels-xiangqi", "quantum-checkers",
        "quantum-tic-tac-toe",
    }  # fmt: skip
    for mark in ("hit=0 (p=", "hit=1 (p=", "king was captured", "ep", "e1-g1", "phases in turns", "links: ",
                 "would form and collapses", "king was left in check", "resigns", "entangles: captures", "merges: ",
                 ".m1.m0", "checkmate",
                 "rolls for", "one roll decides all", "M:", "H:", "X:", "older row"):  # fmt: skip
        assert mark in both, mark
    assert re.search(r"[a-h]7-[a-h]8[QRBN]", both), "no promotion"
    assert re.search(r"[a-h][1-8][a-h][1-8]\^[a-h][1-8]\b", both), "no merge"
