"""What somebody types who knows chess and nothing else: it is done, or one sentence says what to type instead."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

import qchess
from qchess.__main__ import main
from qchess.commands import MODULES
from qchess.lessons.lesson import courses
from qchess.terminal import typed
from qchess.terminal.screen import Screen
from qchess.terminal.session import Terminal
from qchess.terminal.spoken import OTHER_WORDS
from qchess.terminal.teacher import Teacher

CHESS = "quantum-chess"
#: what belongs to Python or to the system, and into no answer
FOREIGN = re.compile(r"Traceback|Errno|\bNone\b|[a-z]Error\b|object is not|<class|invalid \w+ value")
#: at the shell -> the exit code, and words of what is printed
SHELL = {
    "": (0, "qchess play quantum-chess"), "help": (0, "qchess play quantum-chess"), "help play": (0, "--white PLAYER"),
    "version": (0, "qchess "), "-v": (0, "qchess "), "list": (0, "Quantum Chess after"),
    "tutorial": (0, "qchess learn"),
    "quantum-chess": (0, "Quantum Chess: you play white"), "play Quantum-Chess": (0, "Quantum Chess: you play white"),
    "play quantum chess": (0, "Quantum Chess: you play white"), "Play quantum_chess": (0, "Quantum Chess: you play"),
    "chess": (2, "qchess play GAME"), "new": (2, "such as qchess play quantum-chess"),
    "start game": (2, "qchess play GAME"),
    "play": (2, "qchess play quantum-chess"), "play chess": (2, "did you mean 'quantum-chess'?"),
    "play checkers": (2, "'quantum-checkers'?"), "play xiangqi": (2, "'niels-xiangqi'?"),
    "play chess vs computer": (2, "--black NAME (human, random"), "play quantum-chess as black": (2, "--white NAME"),
    "play quantum-chess --black": (2, "--black NAME"), "play quantum-chess --level easy": (2, "got 'easy'"),
    "play quantum-chess --two-players": (2, "--white NAME"),
    "play quantum-chess --black stockfish": (2, "known are random"),
    "--rules": (2, "type rules"), "rules quantum-chess": (2, "type rules"), "e4": (2, "'e4' is typed in a game"),
    "hint": (2, "is typed in a game"), "quit": (2, "is typed in a game"), "load game.json": (2, "no file 'game.json'"),
    "continue": (2, "qchess play GAME"),
}  # fmt: skip
#: at the prompt of a game, after these moves -> words of the answer
PROMPT: dict[tuple[str, str], dict[str, str]] = {
    (CHESS, ""): {
        **dict.fromkeys(("e4", "e2e4", "e2 e4", "E4", "e2->e4", "e2→e4", "e2–e4", "e2 — e4", "e4.", "e4!", "1. e4",
                         "pawn e4",
                         "pawn to e4", "move e2 e4", "play e4", "from e2 to e4", "♙e4", "I play e4"), "plays e2-e4\n"),
        **dict.fromkeys(("Nf3", "NF3", "nf3", "knight f3", "Knight to f3", "♘f3", "N-f3"), "plays g1-f3\n"),
        **dict.fromkeys(("b1 to a3 and c3", "b1 a3 c3", "Nb1-a3c3", "b1a3c3", "split b1 a3 c3",
                         "split Nb1 to a3 and c3",
                         "split the knight from b1 to a3 and c3"), "plays b1^a3c3\n"),
        **dict.fromkeys(("split b1", "split"), "b1^a3c3"),
        **dict.fromkeys(("b1", "Nb1"), "'b1' needs a square to go to, such as b1-a3, b1-c3, b1^a3c3"),
        **dict.fromkeys(("?", "help", "HELP", "commands", "help me"), "undo, redo"), "help split": "b1^a3c3",
        "help odds": "MOVE",
        **dict.fromkeys(("resign", "I resign", "give up"), "Game over"),
        **dict.fromkeys(("draw", "offer draw", "draw?"), "no draw by agreement"), "moves b1": "b1^a3c3",
        "moves knight": "g1-h3",
        **dict.fromkeys(("flip", "rotate", "turn the board"), "h g f e d c b a"), "legal moves": "b1^a3c3",
        **dict.fromkeys(("board", "show", "show board", "print", "clear", "", "Board"), "a b c d e f g h"),
        **dict.fromkeys(("new", "new game", "restart", "reset"), "qchess play quantum-chess"),
        "save": "saved after each move",
        "save game.json": "saved after each move", "load game.json": "qchess resume FILE", "hint": "Perhaps ",
        "best move": "Perhaps ", **dict.fromkeys(("score", "eval"), "There is no score; hint"),
        **dict.fromkeys(("who", "turn", "whose turn is it?"), "White to move."), "time": "no clock",
        "clock": "no clock",
        **dict.fromkeys(("check", "is it check?"), "Type rules"), "pass": "No turn can be left out",
        **dict.fromkeys(("undo", "back", "take back"), "there is no move of yours"),
        "history": "Nothing was played yet.",
        **dict.fromkeys(("level 2", "play black", "switch sides"), "--white greedy"), "options": "qchess play --help",
        **dict.fromkeys(("O-O", "0-0", "castle"), "knight of g1"), "pgn": "record shows", "fen": "record shows",
        **dict.fromkeys(("P-K4", "N-KB3"), "a letter and a number here, as in"), "hello": "such as 'e2-e4'",
        "1. e4 e5": "one move at a time, such as e4", "e2-e4 d7-d5": "one move at a time",
        "e5": "no pawn of white goes to e5",
        "Ke2": "no king", "Qxf7#": "no queen of white takes on f7", "e8=Q": "no pawn of white goes to e8",
        "e9": "a1 to h8",
        "e2e5": "does not reach e5", "Sf3": "g1-f3 (knight)", "rules": "four changes", "legend": "a knight of White",
    },
    (CHESS, "e2-e4"): {"back": "Taken back: e2-e4", "takeback": "Taken back: e2-e4", "undo": "Taken back: e2-e4"},
    (CHESS, "e2-e4 d7-d5"): dict.fromkeys(
        ("exd5", "e4xd5", "e4 takes d5", "pawn takes d5", "the pawn captures on d5", "ed5"), "plays e4-d5"),
    (CHESS, "b1^a3c3 d7-d5"): {
        **dict.fromkeys(("Nxd5", "c3xd5", "Nc3xd5+", "knight takes d5"), "plays c3-d5"), "merge": "a3c3^b5",
        **dict.fromkeys(("merge a3 c3 b5", "a3 c3 b5", "a3c3-b5"), "plays a3c3^b5"),
        "measure a3": "Nothing is measured",
        **dict.fromkeys(("odds Nxd5", "probability of c3xd5", "chances c3 d5"), "Yes 50%"),
        "collapse": "Nothing is measured",
    },
    (CHESS, "g1-f3 d7-d5 e2-e3 e7-e6 f1-e2 f8-e7"): dict.fromkeys(("O-O", "o-o", "castle", "castle short"),
                         "plays e1-g1"),
    ("piece-qubit-chess", ""): {
        "e4": "plays e2-e4", "knight to f3": "plays g1-f3", "O-O": "no castling in this game", "castle": "no castling",
        "b1 a3 c3": "goes to one square in this game", "split b1": "No legal move", "moves knight": "b1-c3",
        "b1": "b1-a3",
    },
    ("niels-chess", ""): {
        "e4": "plays e2e4", "knight f3": "plays g1f3", "b1 a3 c3": "plays b1^a3", "split b1": "b1^a3o",
        "0-0": "stands on g1",
    },
    ("niels-xiangqi", ""): {
        "h3e3": "plays h3e3", "h3-e3": "plays h3e3", "horse c3": "plays b1c3", "C2=5": "a letter and a number here",
        "e4": "such as e4e5", "Nf3": "no horse of red", "resign": "Game over",
    },
    ("quantum-checkers", ""): {
        "a3b4": "plays a3-b4", "a3 to b4": "plays a3-b4", "c3 b4 d4": "plays c3^b4d4", "split c3": "c3^b4d4",
        "11-15": "a letter and a number here", "b4": "a3-b4, c3-b4", "c3xe5": "no such capture",
        "e4": "no piece of white",
    },
    ("quantum-tic-tac-toe", ""): {
        "a1 b2": "plays a1b2", "a1": "such as a1b1", "5": "two squares, such as a1b2",
        "1 5": "a letter and a number here",
        "e4": "a1 to c3", "center": "two squares, such as a1b2",
    },
}  # fmt: skip


def prompted(name: str, moves: str, line: str, columns: int = 200) -> tuple[str, int]:
    """What is answered to a line at the prompt of a game after some moves, and how many moves it made."""
    game = qchess.new(name, seed=1)
    for move in moves.split():
        game.play(move)
    before, out = len(game.history), io.StringIO()
    screen = Screen(io.StringIO(f"{line}\n"), out, columns=columns)
    Terminal(game, screen=screen, guide=Teacher(courses()[name], screen)).run()
    return re.split(r"^\w+(?: over)?> ", out.getvalue(), flags=re.MULTILINE)[1], len(game.history) - before


@pytest.mark.parametrize(("game", "moves"), PROMPT)
def test_a_guess_at_the_prompt_is_done_or_meets_one_sentence(game: str, moves: str) -> None:
    for line, words in PROMPT[game, moves].items():
        said, played = prompted(game, moves, line)
        assert words in said, (line, said)
        assert said.strip(), line
        assert not FOREIGN.search(said), (line, said)
        assert (played == 1) == words.startswith("plays"), line


def test_a_guess_at_the_shell_is_done_or_meets_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    for line, (code, words) in SHELL.items():
        monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
        assert main(line.split()) == code, line
        out, err = capsys.readouterr()
        assert words in " ".join((out + err).split()), (line, out, err)
        assert not FOREIGN.search(out + err), line
        assert err.count("\n") == (code == 2), err


def test_there_are_enough_guesses() -> None:
    assert len(SHELL) + sum(map(len, PROMPT.values())) >= 48


@pytest.mark.parametrize("name", courses())
def test_what_explains_a_game_fits_a_screen_of_24_rows_and_enter_brings_the_board_back(name: str) -> None:
    for word in ("help", "rules"):
        said, _ = prompted(name, "", word, columns=80)
        assert said.count("\n") + 2 <= 24, "the typed line, the text, and the next prompt"
        assert said.endswith("Press Enter to see the board.\n")
    assert prompted(name, "", "")[0].startswith(prompted(name, "", "board")[0])


def test_a_lesson_takes_a_move_in_words_and_leaves_its_last_board_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    game, out = qchess.new(CHESS, seed=1), io.StringIO()
    lines = ("learn capture", "", "2", "knight from c3 takes d5", "", "learn capture", "bye", "quit")
    screen = Screen(io.StringIO("".join(f"{line}\n" for line in lines)), out)
    Terminal(game, screen=screen, guide=Teacher(courses()[CHESS], screen, seed=1)).run()
    _, first, *_ = out.getvalue().split("white> ")
    assert first.count("N50  .    N50") == 2, "at the beginning, and after Enter"
    assert first.endswith("The lesson is done.\nBack to the game. Press Enter to see the board.\n")
    assert game.history == ()


def test_leaving_takes_many_words() -> None:
    for word in ("exit", ":q", "bye", "QUIT", "q", "stop"):
        assert prompted(CHESS, "", word) == ("", 0), word


def test_no_word_hides_a_move_or_a_command() -> None:
    """A word that a game reads as a move keeps that meaning; a command is no other word for another."""
    commands = Terminal(qchess.new(CHESS)).commands
    assert not commands.keys() & (typed.WORDS.keys() | typed.SENTENCES.keys() - {"resume"})
    assert not typed.WORDS.keys() & typed.SENTENCES.keys()
    assert {command.split()[0] for command in typed.WORDS.values()} <= commands.keys()
    for name in qchess.games.names():
        game = qchess.new(name, seed=1)
        assert [word for word in (*typed.WORDS, *typed.SENTENCES) if word in game.legal_moves] == []
    assert not OTHER_WORDS.keys() & {*MODULES}
