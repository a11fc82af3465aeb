"""Quantum PGN is the game itself: what is written reads back to the same record and the same state."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import qchess
from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess import pgn
from qchess.playing.game import Game
from qchess.playing.record import Record
from qchess.playing.replaying import replay
from qchess.rules import Result

PASSANT = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"


def played(*moves: str, **options: Any) -> Game:
    game = qchess.new("quantum-chess", seed=1, **options)
    for move in moves:
        game.play(move)
    return game


def random_game(seed: int, plies: int = 60, **options: Any) -> Game:
    game, rng = qchess.new("quantum-chess", seed=seed, **options), random.Random(seed)
    while not game.result and len(game.history) < plies:
        game.play(rng.choice(game.moves()))
    return game


def movetext(text: str) -> str:
    return " ".join(text.split("\n\n")[1].split())


def same(record: Record, game: Game) -> bool:
    return record == game.record() and replay(record).position == game.position


# -- the law ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_random_game_reads_back_to_the_same_record_and_the_same_state(seed: int):
    game = random_game(seed)
    (record,) = pgn.loads(pgn.dumps(game))
    assert same(record, game)
    assert [a.probability for e in record.entries for a in e.answers] == [
        a.probability for p in game.history for a in p.answers
    ]


def test_a_game_of_the_other_profile_reads_back_with_its_profile():
    game = random_game(3, profile="sdk-0.2.2", halfmove_clock="fide")
    text = pgn.dumps(game)
    assert '[Rules "sdk-0.2.2"]' in text
    assert same(pgn.loads(text)[0], game)


def test_lines_are_at_most_80_columns_wide():
    lines = pgn.dumps(random_game(5, 120)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) > 20


def test_json_and_pgn_tell_the_same_game():
    game = random_game(8)
    assert Record.from_json(game.record().to_json()).entries == pgn.loads(pgn.dumps(game))[0].entries


# -- what is written ------------------------------------------------------------------------------------------


def test_a_failed_move_is_marked_as_blocked_with_its_pass_probability_and_its_source():
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "d7-d5"):
        game.play(move)
    game.play("c3-d5", outcome=[0])
    text = pgn.dumps(game)
    assert movetext(text) == "1. b1^a3c3 d7-d5 2. c3-d5.m0 {blocked} {p=0.5} {source=forced} *"
    assert movetext(pgn.dumps(game, odds=False)) == "1. b1^a3c3 d7-d5 2. c3-d5.m0 {blocked} *"
    (answer,) = pgn.loads(text)[0].entries[2].answers
    assert (answer.value, answer.source) == (0, "forced")
    assert answer.probability == pytest.approx(0.5, abs=1e-12)


def test_the_seven_tags_come_first_in_the_usual_order():
    tags = [line.split()[0] for line in pgn.dumps(played("e2-e4"), Annotator="x", Black="y").splitlines()[:-2]]
    roster = ["[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result"]
    assert tags == [*roster, "[Variant", "[Rules", "[Seed", "[Annotator"]


def test_quotes_and_backslashes_in_tags_are_escaped():
    text = pgn.dumps(played("e2-e4"), Event=r'the "big" \ one')
    assert r'[Event "the \"big\" \\ one"]' in text
    assert pgn.loads(text)[0].tags == {"Event": r'the "big" \ one'}


def test_players_are_named_as_records_name_them():
    text = pgn.dumps(played("e2-e4").record(white="greedy", black="human"))
    assert '[White "greedy"]' in text
    assert pgn.loads(text)[0].tags == {"white": "greedy", "black": "human"}


def test_en_passant_keeps_its_mark():
    # black's two-step passes e5, and white takes on d6
    game = played("d7-d5", "e5-d6ep", fen=PASSANT)
    assert movetext(pgn.dumps(game)) == "1... d7-d5 2. e5-d6ep *"
    assert same(pgn.loads(pgn.dumps(game))[0], game)


def test_a_promotion_is_written_in_the_letter_of_its_colour():
    game = played("e7-e8N", "h2-h1r", fen="8/4P1k1/8/8/8/8/4K2p/8 w - - 0 1")
    assert movetext(pgn.dumps(game)) == "1. e7-e8N h2-h1r *"
    assert same(pgn.loads(pgn.dumps(game))[0], game)


def test_the_end_of_the_game_is_told_with_its_reason():
    game = played("e1-e2", "d3-e2", fen="4k3/8/8/8/8/3p4/8/4K3 w - - 0 1")
    text = pgn.dumps(game)
    assert '[Result "0-1"]' in text
    assert '[Termination "king_captured"]' in text
    assert text.rstrip().endswith("0-1")
    assert pgn.loads(text)[0].result == Result("black", "king_captured")


def test_a_resignation_is_kept_though_the_board_does_not_show_it():
    game = played("e2-e4")
    game.resign()
    assert pgn.loads(pgn.dumps(game))[0].result == Result("white", "resignation")


def test_set_up_moves_are_a_tag_and_are_played_before_the_game():
    game = played("e8-e7", fen="4k3/8/8/8/8/8/8/1N2K3 b - - 0 1", setup=["b1^a3c3"])
    text = pgn.dumps(game)
    assert '[SetupMoves "b1^a3c3"]' in text
    assert movetext(text) == "1... e8-e7 *"
    assert same(pgn.loads(text)[0], game)


def test_the_last_question_about_the_kings_is_kept_with_its_answers():
    # half a king was taken when the clock ran out, so one joint draw decides
    game = qchess.new("quantum-chess", fen="k2r4/8/8/8/8/8/8/4K3 w - - 98 80", fifty_end="measure", seed=1)
    game.play("e1^d1f1")
    game.play("d8-d1")
    game.play("kings", outcome=[0, 1])
    text = pgn.dumps(game)
    assert "kings {white=0}" in text
    assert pgn.loads(text)[0] == game.record()
    assert pgn.loads(text)[0].result == Result("black", "king_captured")


def test_what_a_device_said_of_its_answer_is_kept():
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "d7-d5", "c3-d5"):
        game.play(move)
    record = game.record()
    last = record.entries[-1]
    told = replace(last.answers[0], source="aer {noisy} 100%", details={"shots": 64, "dropped": {"wrong": 3}})
    record = replace(record, entries=(*record.entries[:-1], replace(last, answers=(told,))), backend="aer-noisy")
    assert pgn.loads(pgn.dumps(record)) == [record]


def test_other_games_are_refused():
    record = Record("piece-qubit-chess", {})
    with pytest.raises(InvalidMoveError, match="'piece-qubit-chess' as JSON"):
        pgn.dumps(record)


@pytest.mark.parametrize("tags", [{"FEN": "8/8 w"}, {"Result": "1-0"}, {"a b": "c"}, {"Event": "two\nlines"}])
def test_tags_that_contradict_the_game_or_cannot_be_written_are_refused(tags: dict[str, Any]):
    with pytest.raises(InvalidMoveError):
        pgn.dumps(played("e2-e4"), **tags)


# -- what is read ---------------------------------------------------------------------------------------------


def test_comments_numbers_marks_and_variations_are_skipped():
    text = """\
% a line for somebody else
[Event "x"]
1.e2-e4 $1 {a {comment} (1. d2-d4 {in a variation: )} (1. c2-c4 nonsense) d7-d5) 1... e7-e5 ; the rest
2 Ng1-f3 *
"""
    (record,) = pgn.loads(text)
    assert record.moves() == ("e2-e4", "e7-e5", "g1-f3")


def test_a_text_may_hold_many_games():
    games = [random_game(seed, 12) for seed in range(4)]
    assert pgn.loads("\n".join(map(pgn.dumps, games))) == [game.record() for game in games]


def test_a_game_ends_where_the_next_tags_begin():
    assert [r.moves() for r in pgn.loads('1. e2-e4\n[Event "y"]\n1. d2-d4')] == [("e2-e4",), ("d2-d4",)]


def test_no_text_is_no_game():
    assert pgn.loads(" \n\n") == []


def test_the_dialects_of_moves_are_read():
    (record,) = pgn.loads("1. e2e4 d7d5 2. e4xd5 g8^f6h6 3. e1e2 f6h6^g8 *")
    assert record.moves() == ("e2-e4", "d7-d5", "e4-d5.m1", "g8^f6h6", "e1-e2", "f6h6^g8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e2-e4 e7-e5 2. Zb1-c3 *", r"game 1, move 2\. 'Zb1-c3'"),
        ("1. e2-e4 hello *", r"game 1, move 1\.\.\. 'hello'"),
        ("1. e2-e4 * 1. e2-e5 *", r"game 2, move 1\. 'e2-e5'.*not legal"),
        ("1. b1^a3c3 d7-d5 2. c3-d5 *", r"move 2\. 'c3-d5'.*open"),
        ("1. e2-e4.m0 *", r"move 1\. 'e2-e4.m0'.*cannot fail"),
        ("1. e2-e4 (1. d2-d4", r"'\)' is missing"),
        ("1. e2-e4 ) *", "without '\\('"),
        ("1. e2-e4 {and then", "line 1"),
        ('[Rules "house"]\n1. e2-e4 *', "house"),
        ('[RuleOptions "{"]\n1. e2-e4 *', r"\(JSON\), got"),
        ('[FEN "4k3/8/8/8/8/3p4/4K3/8 b - - 0 1"]\n1... d3-e2.m1 1-0', "the text says 1-0"),
        ('[Result "maybe"]\n1. e2-e4', "maybe"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str):
    with pytest.raises(InvalidMoveError, match=message):
        pgn.loads(text)
