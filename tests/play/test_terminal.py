"""Games at the terminal, driven by their lines; what is shown is compared as text."""

from __future__ import annotations

import io
import json
import random
import re
from textwrap import dedent
from typing import Any

import pytest

import qchess
from qchess.playing import agents
from qchess.terminal.hints import hint
from qchess.terminal.screen import Screen
from qchess.terminal.session import Terminal
from tests.toygame import Toy


def terminal(*lines: str, seed: int = 3, black: str | None = None, **options: Any) -> Terminal:
    """A terminal whose player types these lines."""
    programs = {"black": agents.get(black)} if black else {}
    stdin, stdout = io.StringIO("".join(f"{line}\n" for line in lines)), io.StringIO()
    game = qchess.Game(Toy(**options), seed=seed)
    return Terminal(game, programs, screen=Screen(stdin, stdout), rng=random.Random(seed))


def transcript(played: Terminal) -> str:
    """Everything the terminal wrote."""
    played.run()
    assert isinstance(played.screen.stdout, io.StringIO)
    return played.screen.stdout.getvalue()


def answers(played: Terminal) -> list[str]:
    """What the terminal wrote after each prompt."""
    return transcript(played).split("white> ")[1:]


def test_a_session_reads_like_a_game() -> None:
    text = transcript(terminal("odds b1^a1c1", "b1^a1c1", "?a1", "quit", seed=2))
    assert text == dedent("""
        Hide and Seek: you play white and black.
        What is new: a piece may go to two squares at once, such as b1^a1c1. Type a
        move, such as b1-a1, or: help, rules, hint, quit.

        1  . N .
           a b c
        white to move

        white> It asks nothing.
        white> white plays b1^a1c1

        1  N50  .    N50
           a    b    c
        black to move

        50 behind a letter: the piece is there with probability 50%.
        black> odds: Is a1 full? Yes 50%, no 50%.
        black plays ?a1
          Is a1 full? Yes, 50% likely.

        1  N . .
           a b c
        white to move

        Game over. Black wins: found.
        Type undo to take the last move back, or: board, history, record, quit.
        game over> """).lstrip("\n")


def test_after_a_devices_answer_its_shots_are_told_in_a_line() -> None:
    game = qchess.Game(Toy(), qchess.backends.get("sparse-shots"), seed=2)
    stdin, stdout = io.StringIO("shots\nb1^a1c1\n?a1\nshots\nundo\nshots\nhelp\nquit\n"), io.StringIO()
    Terminal(game, screen=Screen(stdin, stdout)).run()
    text = stdout.getvalue().splitlines()
    asked = next(k for k, line in enumerate(text) if "plays ?a1" in line)
    assert text[asked + 1] == "  100 of 100 shots kept, 1 two-qubit gate"
    assert [line.split("> ")[-1] for line in text if "kept" in line] == [
        text[asked + 1], "there = 0: 100 of 100 shots kept, 1 two-qubit gate",
    ]  # fmt: skip
    read = next(k for k, line in enumerate(text) if line.endswith("black played ?a1"))
    assert re.fullmatch(r"  a1 c1\n   [01]  [01]  \d+\n   [01]  [01]  \d+", "\n".join(text[read + 2 : read + 5]))
    assert [line.endswith("> No device has answered in this game.") for line in text].count(True) == 2
    assert sum(line.startswith("shots   ") for line in text) == 1


def test_the_move_that_ended_the_game_can_be_taken_back_and_played_again() -> None:
    played = terminal("b1^a1c1", "?a1", "b1-a1", "", "moves", "odds", "resign", "help", "undo", "redo", "quit", seed=2)
    over = transcript(played).split("game over> ")
    assert over[1].startswith("the game is over (Black wins: found); undo takes the last move back, quit leaves")
    assert over[2].startswith("\n1  N . .\n")
    assert "Game over" in over[2]
    assert over[3] == "No move is left. Black wins: found.\n"
    assert over[4].startswith("odds of which move?")
    assert over[5] == "the game is over (Black wins: found); it cannot be given up any more\n"
    assert "undo, redo" in over[6]
    assert over[7].startswith("Taken back: ?a1\n")
    assert "black> black again plays ?a1\n  Is a1 full? Yes, 50% likely.\n" in over[7]  # redo, with the answer it had
    assert over[7].count("Game over. Black wins: found.") == 1
    assert [entry.text for entry in played.game.history] == ["b1^a1c1", "?a1.m1"]


def test_a_player_who_resigned_may_take_his_last_move_back_instead() -> None:
    played = terminal("b1-a1", "resign", "undo", "b1-c1", "quit")
    assert "Game over. White wins: the opponent resigned.\n" in transcript(played)
    assert [entry.text for entry in played.game.history] == ["b1-c1"]
    assert played.game.result is None


def test_whoever_keeps_the_game_hears_of_every_change() -> None:
    kept: list[tuple[str, ...]] = []
    played = terminal("b1-a1", "board", "hello", "a1-b1", "undo", "redo", "resign", "quit")
    played.keep = lambda: kept.append(played.game.record().moves())
    played.run()
    first, both = ("b1-a1",), ("b1-a1", "a1-b1")
    assert kept == [first, both, first, both, both]


@pytest.mark.parametrize(("alias", "shown"), [("?", "undo, redo"), ("exit", "")])
def test_what_people_try_first_is_understood(alias: str, shown: str) -> None:
    said = answers(terminal(alias))
    assert shown in said[0]
    assert len(said) == (1 if alias == "exit" else 2)


NONSENSE = {
    "hello": "expected b1-a1, b1^a1c1, a1c1^b1 or ?a1; got 'hello' (help lists the commands)",
    "b1-z9": "expected b1-a1",
    "a1-b1": "expected a legal move, such as b1-a1; got 'a1-b1'",
    "?b1": "expected a legal move",
    "b1^a1c1.m1": "asks nothing, so it has no answer",
    "odds": "odds of which move? such as: odds b1-a1",
    "odds up": "got 'up'",
    "moves zz": "No legal move has 'zz' in it",
    "circuit q9": "there is no square q9; the board has the squares a1 to c1",
    "x" * 5000: "that line has 5000 characters",
    "undo": "there is no move of yours to take back",
    "redo": "there is no move to play again",
    "\x1b[31mred\x07": r"got '\x1b[31mred\x07'",
    "b1-a1; quit": "got 'b1-a1; quit'",
    "🐴": "got '🐴'",
    "  ": "Type a move, such as b1-a1, or help.",
}


def test_every_kind_of_nonsense_is_answered_with_one_line_that_helps() -> None:
    played = terminal(*NONSENSE, "b1-a1", "quit")
    said = answers(played)
    for (typed, expected), answer in zip(NONSENSE.items(), said, strict=False):
        assert expected in answer, typed
        assert 1 <= answer.count("\n") <= (5 if typed.strip() else 6), typed
        assert answer.replace("\n", "").isprintable(), typed
        assert len(answer) < 400, typed
    assert said[len(NONSENSE)].startswith("white plays b1-a1")
    assert len(played.game.history) == 1


def test_an_answer_written_with_a_move_is_ignored_in_one_line() -> None:
    for seed in range(6):
        honest = terminal("b1^a1c1", "?a1", "quit", seed=seed)
        cheat = terminal("b1^a1c1", "?a1.m1", "quit", seed=seed)
        honest.run()
        text = transcript(cheat)
        assert "The answer written in '?a1.m1' is ignored: nobody chooses answers.\n" in text
        assert [played.text for played in cheat.game.history] == [played.text for played in honest.game.history]


def test_undo_takes_the_agents_reply_back_too_and_redo_brings_both_with_their_answers() -> None:
    once = terminal("b1^a1c1", "quit", black="random", seed=5)
    once.run()
    assert len(once.game.history) == 2
    replayed = terminal("b1^a1c1", "undo", "redo", "quit", black="random", seed=5)
    text = transcript(replayed)
    assert "Taken back: b1^a1c1" in text
    assert [played.text for played in replayed.game.history] == [played.text for played in once.game.history]


def test_an_agents_first_move_cannot_be_taken_back_by_its_opponent() -> None:
    played = terminal("undo", "quit")
    played.agents = {"white": agents.get("random")}
    text = transcript(played)
    assert "there is no move of yours to take back" in text
    assert len(played.game.history) == 1


def test_looking_never_changes_the_game() -> None:
    looks = ("moves", "moves ^", "odds ?a1", "board", "circuit", "circuit ?a1", "help", "history", "record")
    played = terminal("b1^a1c1", *looks, "quit")
    text = transcript(played)
    assert [entry.text for entry in played.game.history] == ["b1^a1c1"]
    assert "a1c1^b1" in text
    assert "ISWAP" in text.upper()
    assert "undo, redo" in text


def test_the_record_is_one_line_that_replays() -> None:
    said = transcript(terminal("b1^a1c1", "record", "quit"))
    line = next(line for line in said.splitlines() if "qchess-record" in line).removeprefix("black> ")
    again = qchess.replay(line)
    assert [played.text for played in again.history] == ["b1^a1c1"]
    assert json.loads(line)["game"] == "toy"


def test_resigning_ends_the_game() -> None:
    played = terminal("resign")
    assert "Game over. Black wins: the opponent resigned.\n" in transcript(played)
    assert played.game.result == qchess.Result("black", "resignation")


@pytest.mark.parametrize("end", [(), ("quit",), ("QUIT",)])
def test_the_session_ends_with_the_input_or_with_quit(end: tuple[str, ...]) -> None:
    played = terminal("b1-a1", *end)
    played.run()
    assert played.game.result is None
    assert len(played.game.history) == 1


def test_two_agents_play_to_the_end_by_themselves() -> None:
    played = terminal()
    played.agents = {"white": agents.get("greedy"), "black": agents.get("random")}
    text = transcript(played)
    assert played.game.result is not None
    assert "white (greedy) plays" in text
    assert "white>" not in text
    boards = text.count("   a b c")
    assert transcript(played).count("   a b c") == boards + 1  # it is over: one board more, and how it ended


def test_colours_appear_only_when_asked_for() -> None:
    plain, bright = terminal("b1^a1c1", "hello", "quit"), terminal("b1^a1c1", "hello", "quit")
    bright.screen.colour = True
    assert "\x1b" not in transcript(plain)
    assert "\x1b[31mexpected" in transcript(bright)


def test_a_stream_that_knows_no_unicode_gets_plain_letters() -> None:
    raw = io.BytesIO()
    stdout = io.TextIOWrapper(raw, encoding="ascii")
    Terminal(qchess.Game(Toy(), seed=1), screen=Screen(io.StringIO("b1^a1c1\n"), stdout)).run()
    stdout.flush()
    assert b"N50  .    N50" in raw.getvalue()


def test_two_terminals_share_nothing() -> None:
    first, second = terminal("b1-a1", "quit"), terminal("quit")
    first.run()
    second.run()
    assert len(first.game.history) == 1
    assert second.game.history == ()


# -- the first minutes ------------------------------------------------------------------------------


class Helper:
    """A guide that notes what it is asked to teach."""

    rules = ("One man is hidden.",)
    legend = ("N  the man",)

    def __init__(self) -> None:
        self.taught: list[str] = []

    def teach(self, name: str) -> None:
        self.taught.append(name)


def test_the_board_is_printed_once_a_turn() -> None:
    played = terminal("b1^a1c1", "odds ?a1", "hello", "quit", black="random", seed=5)
    text = transcript(played)
    assert text.count(" to move") == 2, "at the start, and after the reply"
    assert text.index("black (random) plays") < text.rindex("white to move")


def test_black_sees_black_below_and_flip_turns_the_board() -> None:
    played = terminal("flip", "quit", seed=5)
    played.agents = {"white": agents.get("random")}
    first, second = (line for line in transcript(played).splitlines() if set(line.split()) == {"a", "b", "c"})
    assert (first.split(), second.split()) == (["c", "b", "a"], ["a", "b", "c"])


def test_help_shows_examples_that_are_legal_now() -> None:
    played = terminal("help", "b1^a1c1", "help", "quit")
    text = transcript(played)
    before, after = (line for line in text.splitlines() if "Legal now: " in line)
    assert before == "Legal now: a move b1-a1, a split b1^a1c1."
    assert after == "Legal now: a move a1-b1, a merge a1c1^b1, a question ?a1."
    replayed = qchess.Game(Toy(), seed=1)
    replayed.play("b1^a1c1")
    assert {"a1-b1", "a1c1^b1", "?a1"} <= set(replayed.moves())


def test_a_hint_is_a_legal_move_with_its_reason() -> None:
    played = terminal("b1^a1c1", "hint", "quit")
    (advice,) = [line for line in transcript(played).splitlines() if "Perhaps " in line]
    move, reason = advice.split("Perhaps ")[1].split(". ", 1)
    assert move in played.game.moves()
    assert "the best of" in transcript(played)
    assert "? Yes" in reason or not played.game.rules.turn(played.game.position, move).program.answers
    assert len(played.game.history) == 1


def test_a_hint_says_what_an_adviser_who_searches_found() -> None:
    game = qchess.Game(Toy(), seed=1)
    move, reason = hint(game, random.Random(1), agents.get("mcts@40"))
    assert move in game.moves()
    assert re.search(r"It wins \d+% of \d+ games tried. The agent mcts@40 expects ", reason)


def test_rules_and_legend_and_lessons_come_from_the_guide() -> None:
    played = terminal("rules", "legend", "learn", "learn split", "quit")
    guide = Helper()
    played.guide = guide
    text = transcript(played)
    assert "New here? Type: learn." in " ".join(text.split())
    assert "One man is hidden.\n" in text
    assert "N  the man\n" in text
    assert guide.taught == ["", "split"]
    assert text.count("Back to the game.") == 2


@pytest.mark.parametrize("command", ["rules", "legend", "learn"])
def test_where_nothing_is_explained_it_is_said_so(command: str) -> None:
    assert "this game has no" in answers(terminal(command, "quit"))[0]


def test_what_odds_and_letters_mean_is_said_once() -> None:
    played = terminal("b1^a1c1", "a1-b1", "b1-a1", "quit")
    assert transcript(played).count("the piece is there with probability 50%") == 1


def test_the_prompt_keeps_its_own_line_when_the_input_ends() -> None:
    assert transcript(terminal()).endswith("white> \n")


class Stand(io.StringIO):
    """An output on a narrow screen."""


def test_forty_columns_are_enough() -> None:
    game = qchess.new("quantum-chess", seed=1)
    lines = ["help-me", "b1^a3c3", "g8^f6h6", "a3^b5c4", "odds e4", "quit"]
    stdout = Stand()
    Terminal(game, screen=Screen(io.StringIO("".join(f"{line}\n" for line in lines)), stdout, columns=40)).run()
    boards = [line for line in stdout.getvalue().splitlines() if line[:1].isdigit() or line.startswith("   ")]
    assert boards
    assert max(map(len, boards)) <= 40


def test_the_seal_is_shown_first_and_words_are_taken_until_the_first_answer() -> None:
    game = qchess.Game(Toy())
    lines = ("nonce", "nonce a rainy day", "b1^a1c1", "nonce 7 geese", "?a1", "undo", "nonce too late", "help", "quit")
    stdin, stdout = io.StringIO("".join(f"{line}\n" for line in lines)), io.StringIO()
    kept: list[dict[str, str]] = []
    Terminal(game, screen=Screen(stdin, stdout), keep=lambda: kept.append(dict(game.nonces))).run()
    text = stdout.getvalue()
    assert text.splitlines()[1] == f"Dice seal: {game.seal}"
    assert text.count("Dice seal") == 1
    assert "which words are to be mixed into the dice?" in text
    assert "The dice follow from these words of white too." in text
    assert "a nonce comes before the first answer; this game has answers already" in text
    assert sum(line.startswith("nonce WORDS   ") for line in text.splitlines()) == 1
    assert kept[0] == {"white": "a rainy day"}
    assert game.nonces == kept[-1] == {"white": "a rainy day", "black": "7 geese"}


def test_dice_with_a_chosen_seed_have_no_seal_and_take_no_words() -> None:
    text = transcript(terminal("nonce a rainy day", "help", "quit"))
    assert "the dice of this game take no nonce: their seed was chosen" in text
    assert "Dice seal" not in text
    assert "nonce WORDS" not in text
