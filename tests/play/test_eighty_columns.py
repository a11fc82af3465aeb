"""What people read fits eighty columns, and no word is broken."""

from __future__ import annotations

import io
import itertools
import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

import qchess
from qchess.__main__ import main
from qchess.arena.ratings import Rating
from qchess.arena.standings import Standings, table
from qchess.arena.statistics import Score
from qchess.lessons.lesson import courses
from qchess.terminal.screen import Screen
from qchess.terminal.session import Terminal
from qchess.terminal.teacher import Teacher
from qchess.wording import folded

#: what is typed at a terminal, with a legal move of the game
WORDS = (
    "help", "rules", "legend", "moves", "hint", "why", "history", "odds {move}", "learn list", "nonsense", "learn 1",
)  # fmt: skip
COMMANDS = (
    "backends", "games", "games --saved", "analyse {file}", "jobs", "replay {file}", "--help",
    "play --help", "learn", "moves quantum-chess", "board niels-xiangqi b3^b3ob7o", "trace quantum-chess b1^a3c3",
)  # fmt: skip


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))


def played(name: str) -> qchess.Game:
    """A game after a few moves, most of them splits."""
    game = qchess.new(name, seed=1)
    for _ in range(4):
        moves = game.moves()
        game.play(next((move for move in moves if "^" in move), moves[-1]))
    return game


def said(game: qchess.Game, columns: int) -> str:
    """What the terminal says to every word."""
    written = io.StringIO()
    lines = [word.format(move=game.moves()[-1]) for word in WORDS]
    screen = Screen(io.StringIO("\n".join([*lines, "quit", "quit"]) + "\n"), written, columns=columns)
    teacher = Teacher(courses()[game.rules.name], screen)
    Terminal(game, screen=screen, guide=teacher, rng=random.Random(1)).run()
    return re.sub(r"(?m)^[\w -]+> ", "", written.getvalue())


@pytest.mark.parametrize("name", courses())
def test_a_terminal_of_eighty_columns_shows_whole_words(name: str) -> None:
    game = played(name)
    narrow, wide = said(game, 80), said(game, 1000)
    assert [line for line in narrow.splitlines() if len(line) > 80] == []
    assert set(narrow.split()) == set(wide.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_fits_eighty_columns(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    played("piece-qubit-chess").save(file)
    shown = []
    for columns in ("80", "1000"):
        monkeypatch.setenv("COLUMNS", columns)
        with suppress(SystemExit):
            main(command.format(file=file).split())
        shown.append(capsys.readouterr().out)
    narrow, wide = shown
    assert narrow
    assert [line for line in narrow.splitlines() if len(line) > 80 and str(tmp_path) not in line] == []
    assert set(narrow.split()) == set(wide.split())


def test_standings_of_many_players_have_two_tables() -> None:
    players = tuple(f"greedy@{number}" for number in range(9))
    pairs = {(one, other): Score(10, 2, 8) for one in players for other in players if one != other}
    found = Standings(
        players, dict.fromkeys(players, Score(80, 16, 64)), pairs, {}, dict.fromkeys(players, Rating()), 720, 9
    )
    lines = table(found).splitlines()
    assert len(lines) == 2 * (len(players) + 1) + 1
    assert max(map(len, lines)) <= 80


def test_a_folded_text_keeps_its_words_and_fits_unless_a_word_does_not() -> None:
    choose = random.Random(1)
    for _ in range(1000):
        words = choose.choices(["a", "bc", "d-e", "overlong", "much-too-long-for-it"], k=choose.randint(1, 20))
        text = " " * choose.randint(0, 4) + " ".join(words)
        columns, indent = choose.randint(6, 50), " " * choose.randint(0, 4)
        lines = list(folded(text, columns, indent))
        assert " ".join(lines).split() == text.split()
        if len(lines) > 1:
            own = text[: -len(text.lstrip())]
            after = max(own, indent, key=len)
            assert all(line.startswith(after) and len(line.split()) for line in lines[1:])
            assert not any(line.endswith(" ") for line in lines)
            for line, more in itertools.pairwise(lines):  # what begins the next line had no room on this one
                assert len(line) + 1 + len(more.split()[0]) > columns
        assert all(len(line) <= columns or len(line.split()) == 1 for line in lines)
