"""Moves, FENs and position strings as text, in the dialects of the interfaces."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qchess
from qchess import IllegalMoveError, InvalidMoveError, backends
from qchess.boards.geometry import geometry
from qchess.circuits.sources import Seeded
from qchess.games.quantum_chess import START, QuantumChess, fen, notation

ENGINE = backends.get().engine
CAPTURE = "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
BOTH_ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTION = "3r3k/4P3/8/8/8/8/4p3/4K3 w - - 0 1"
HALF = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"


def read(position_fen: str, text: str, *before: str, **options: Any) -> str:
    """The canonical text of what was read, its recorded outcome included."""
    rules = QuantumChess(fen=position_fen, **options)
    game = qchess.Game(rules, seed=0)
    for played in before:
        game.play(played)
    move, answers = rules.read(game.position, text)
    return rules.tell(game.position, rules.turn(game.position, move), answers or {})


@pytest.mark.parametrize(
    ("start", "text", "canonical"),
    [
        (START, "e2e4", "e2-e4"),
        (START, " e2-e4 ", "e2-e4"),
        (START, "Pe2e4", "e2-e4"),
        (START, "Nb1-c3", "b1-c3"),
        (START, "Nb1^a3c3", "b1^a3c3"),
        (START, "b1^c3a3", "b1^c3a3"),
        (CAPTURE, "c3xd5", "c3-d5"),
        (CAPTURE, "c3d5.m1", "c3-d5.m1"),
        (PASSING, "e5d6", "e5-d6ep"),
        (PASSING, "e5-d6ep", "e5-d6ep"),
        (PROMOTION, "e7e8", "e7-e8Q"),
        (PROMOTION, "e7e8n", "e7-e8N"),
        (PROMOTION, "e7-e8N", "e7-e8N"),
        (PROMOTION, "e7xd8r.m1", "e7-d8R.m1"),
        (PROMOTION.replace(" w ", " b ").replace("4K3", "K7"), "e2e1", "e2-e1q"),
        (BOTH_ROOKS, "O-O", "e1-g1"),
        (BOTH_ROOKS, "O-O-O", "e1-c1"),
        (BOTH_ROOKS.replace(" w ", " b "), "O-O", "e8-g8"),
        (BOTH_ROOKS, "e1-g1.m1", "e1-g1"),
        (START, "b1c3:JUMP:BASIC", "b1-c3"),
        (START, "e2e4:PAWN_TWO_STEP:BASIC", "e2-e4"),
        (START, "e2e4:SLIDE:BASIC", "e2-e4"),
        (START, "e2e3:PAWN_STEP:UNSPECIFIED", "e2-e3"),
        (START, "b1^a3c3:SPLIT_JUMP:BASIC", "b1^a3c3"),
        (CAPTURE, "c3d5.m1:JUMP:CAPTURE", "c3-d5.m1"),
        (PROMOTION, "e7d8q:PAWN_CAPTURE:CAPTURE", "e7-d8Q"),
        (BOTH_ROOKS, "e1c1:QS_CASTLE:BASIC", "e1-c1"),
    ],
)
def test_one_grammar_reads_every_dialect(start: str, text: str, canonical: str) -> None:
    assert read(start, text) == canonical


@pytest.mark.parametrize("text", ["a3c3^b5", "c3a3^b5", "Na3c3^b5"])
def test_the_order_of_a_merges_sources_is_kept(text: str) -> None:
    assert read(START, text, "b1^a3c3", "a7-a6") == text.removeprefix("N")


def test_the_long_form_names_a_merges_sources_the_other_way_round() -> None:
    """Example 5 tells the orders apart: what does not merge stays on our first source."""
    game = qchess.new("quantum-chess", fen="4k3/8/8/8/8/8/8/R3K3 w - - 0 1", seed=0)
    for move in ("a1^a4d1", "e8-e7", "a4-b4", "e7-e8"):
        game.play(move)
    move, _ = game.rules.read(game.position, "b4d1^d4:MERGE_SLIDE:BASIC")
    assert game.rules.write(game.position, move) == "d1b4^d4"
    assert notation.write_long(game.position, move) == "b4d1^d4:MERGE_SLIDE:BASIC"
    game.play("b4d1^d4:MERGE_SLIDE:BASIC")
    assert game.position.registers.known("b4") == 0
    assert game.position.registers.probability("d1") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a move such as"),
        ("hello", "'hello'"),
        ("e2-e9", "from a1 to h8, got 'e9'"),
        ("i2-i3", "'i2'"),
        ("e2==e4", "'e2==e4'"),
        ("e2-e4.m2", "'e2-e4.m2'"),
        ("e7-e8k", "'e7-e8k'"),
        ("g1^f3h3.s2500.a45000", "not part of these rules"),
        ("g1-f3.p1", "not part of these rules"),
        ("e2e4:PAWN", "SQUARES"),
        ("e2e4:HOP:BASIC", "'HOP'"),
        ("e2e4:NULL_TYPE:BASIC", "NULL_TYPE"),
        ("e2e4:SLIDE:basic", "SQUARES"),
        ("rb1c3:JUMP:BASIC", "SQUARES"),
    ],
)
def test_what_is_no_move_anywhere_is_refused_with_what_was_expected(text: str, complaint: str) -> None:
    with pytest.raises(InvalidMoveError, match=complaint):
        read(START, text)


@pytest.mark.parametrize(
    ("start", "text"),
    [
        (START, "b1xc3"), (START, "b1wc3"), (START, "e2-e4ep"), (START, "b1-c3.m0"), (START, "b1^xa3c3"),
        (START, "b1c3:SLIDE:BASIC"), (START, "b1c3:JUMP:CAPTURE"), (START, "Qb1-c3"),
        (CAPTURE, "c3wd5"), (CAPTURE, "c3d5:JUMP:BASIC"), (PASSING, "e5xd6"), (PASSING, "e5d6:PAWN_CAPTURE:CAPTURE"),
        (START, "O-O"),
    ],
)  # fmt: skip
def test_a_claim_that_the_board_contradicts_makes_a_move_illegal(start: str, text: str) -> None:
    with pytest.raises(IllegalMoveError):
        read(start, text)


@pytest.mark.parametrize("letter", ["q", "Q"])
def test_the_long_form_names_a_promotion_in_either_case(letter: str) -> None:
    rules = QuantumChess(fen="3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    move, _ = rules.read(rules.start(ENGINE), f"e7d8{letter}:PAWN_CAPTURE:CAPTURE")
    assert move.promotion == "q"


@pytest.mark.parametrize("thing", [None, 12, ("b1", "c3")])
def test_what_is_neither_text_nor_a_move_is_refused_as_such(thing: Any) -> None:
    with pytest.raises(InvalidMoveError, match="expected a move"):
        qchess.new("quantum-chess").play(thing)
    with pytest.raises(InvalidMoveError, match="expected a FEN"):
        qchess.new("quantum-chess", fen=thing)


def test_positions_are_equal_whatever_the_number_of_moves_that_led_there() -> None:
    """After a capture the clocks agree; one game took two moves more. A turned phase is another position."""
    fen = "4k3/8/8/3p4/8/2N5/8/R3K3 w - - 0 1"
    short, long = (qchess.new("quantum-chess", fen=fen) for _ in range(2))
    for move in ("c3-d5", "e8-e7"):
        short.play(move)
    for move in ("a1-a2", "e8-e7", "a2-a1", "e7-e8", "c3-d5", "e8-e7"):
        long.play(move)
    assert short.position == long.position
    assert hash(short.position) == hash(long.position)
    assert short.position.ply != long.position.ply
    long.play("a1-a2")
    assert short.position != long.position


@given(st.text(max_size=12))
def test_any_text_is_a_move_or_one_of_our_errors(text: str) -> None:
    rules = QuantumChess()
    position = rules.start(ENGINE)
    try:
        move, _ = rules.read(position, text)
    except (InvalidMoveError, IllegalMoveError):
        return
    assert move in rules.moves(position)


@pytest.mark.parametrize("profile", ["standard", "sdk-0.2.2"])
def test_every_legal_move_is_written_and_read_back_in_both_forms(profile: str) -> None:
    rules = QuantumChess(profile, fen="r3k2r/1p1p2P1/8/2P2n2/2N2p2/8/4P1p1/R3K2R w KQkq - 0 1")
    rng, source = random.Random(3), Seeded(3)
    position = rules.start(ENGINE)
    for _ in range(12):
        for move in rules.moves(position):
            assert rules.read(position, rules.write(position, move)) == (move, None)
            assert rules.read(position, notation.write_long(position, move)) == (move, None)
        position, _ = rules.step(position, rng.choice(rules.moves(position)), source)


# -- FEN --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [START, CAPTURE, PASSING, BOTH_ROOKS, "4k3/8/8/8/8/8/P7/4K3 b - - 30 40", "2nk/p3/4/P3/KN2 w - - 0 1"],
)
def test_a_fen_is_written_as_it_was_read(text: str) -> None:
    assert str(fen.parse(text)) == text
    assert fen.write(QuantumChess(fen=text).start(ENGINE)) == text


def test_missing_fields_are_white_to_move_at_the_first_move() -> None:
    assert str(fen.parse("4k3/8/8/8/8/8/8/4K3")) == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    with pytest.raises(InvalidMoveError, match="six fields"):
        fen.parse("4k3/8/8/8/8/8/8/4K3", strict=True)


def test_rights_without_king_or_rook_at_home_are_dropped_or_an_error() -> None:
    text = "4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1"
    assert str(fen.parse(text)).split()[2] == "Q"
    with pytest.raises(InvalidMoveError, match="need king and rook at home"):
        fen.parse(text, strict=True)


def test_the_ply_follows_from_side_and_move_number() -> None:
    assert fen.parse("4k3/8/8/8/8/8/8/4K3 b - - 0 40").ply == 79
    assert fen.parse("4k3/8/8/8/8/8/8/4K3 w - - 0 0").ply == 0


def test_a_board_may_have_other_sizes() -> None:
    assert fen.parse("10/k8K").geometry is geometry(10, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 extra", "FEN"),
        ("4k3/9/8/8/8/8/8/4K3", "one length"),
        ("4k3/8/8/8/8/8/8/4X3", "'X'"),
        ("4k3/8/8/8/8/8/8/4K3 x", "'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w Z", "'Z'"),
        ("4k3/8/8/8/8/8/8/4K3 w - e4", "rank 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1", "'-1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 one", "'one'"),
        ("8/8/8/8/8/8/8/4K3", "one king a side"),
    ],
)
def test_a_broken_fen_is_refused_with_the_part_that_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(InvalidMoveError, match=complaint):
        QuantumChess(fen=text)


def test_a_fen_of_a_superposition_is_refused_but_its_shadow_is_drawn() -> None:
    game = qchess.new("quantum-chess", seed=0)
    game.play("b1^a3c3")
    with pytest.raises(IllegalMoveError, match="no superposition"):
        fen.write(game.position)
    assert fen.write(game.position, shadow=True).startswith("rnbqkbnr/pppppppp/8/8/8/N?1N?5/PPPPPPPP/R1BQKBNR b")


# -- position strings ---------------------------------------------------------------------------------------------


def test_a_position_string_is_the_whole_game() -> None:
    text = f"position fen {HALF} moves b1^a3c3 e8-e7 c3-d5.m0 e7-e8"
    rules, moves = QuantumChess.from_position(text)
    game = qchess.Game(rules, seed=0)
    for move in moves:
        game.play(move)
    assert game.position.registers.known("a3") == 1
    assert rules.position_text([played.text for played in game.history]) == text


def test_startpos_is_the_start_and_setup_moves_come_first() -> None:
    rules, moves = QuantumChess.from_position("position startpos moves e2-e4")
    assert (rules.options(), moves) == ({}, ("e2-e4",))
    text = f"position fen {START} setup b1^a3c3 b8^a6c6 moves e2-e4"
    rules, moves = QuantumChess.from_position(text)
    assert rules.position_text(moves) == text
    assert rules.options() == {"setup": ["b1^a3c3", "b8^a6c6"]}


def test_setup_moves_have_no_turns_and_leave_the_counters_of_the_fen() -> None:
    rules = QuantumChess(fen=BOTH_ROOKS.replace("0 1", "7 9"), setup="a1^a2a3 a2-b2 e8^d8d7 h1-h8.m1")
    position = rules.start(ENGINE)
    assert (position.ply, position.player, position.clock) == (16, "white", 0)
    assert position.mass == pytest.approx(5)
    assert position.rights == 0, "rights lost in the set-up stay lost"
    assert {name for name, p in position.odds.items() if p == pytest.approx(0.5)} == {"b2", "a3", "d7", "d8"}


def test_an_open_setup_move_needs_its_outcome() -> None:
    with pytest.raises(InvalidMoveError, match="'c3-d5'"):
        QuantumChess(fen=HALF, setup="b1^a3c3 c3-d5").start(ENGINE)
    failed = QuantumChess(fen=HALF, setup="b1^a3c3 c3-d5.m0").start(ENGINE)
    assert failed.registers.known("a3") == 1


@pytest.mark.parametrize("text", ["", "position", "position here", "fen", "position startpos e2-e4"])
def test_a_broken_position_string_is_refused(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        QuantumChess.from_position(text)
