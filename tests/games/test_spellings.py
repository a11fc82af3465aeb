"""Moves as people type them, each with what it is read as; nothing that was readable before changes its meaning."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qchess
from qchess.boards.spelling import wishes
from qchess.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from qchess.games.quantum_chess import QuantumChess, notation
from qchess.playing.game import Game

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#: a bishop on e3 and a pawn on b2, black men on c3, d4 and d5, both castlings
OPEN = "r3k2r/8/8/3p4/3p4/2p1B2p/1P2P3/R3K2R w KQkq - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTION = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1"
#: a knight is half on a3 and half on c3, White is to move
HALVES = ("b1^a3c3", "a7-a6")


def rules_game(start: str, *before: str) -> Game:
    game = Game(QuantumChess(fen=start), seed=0)
    for move in before:
        game.play(move)
    return game


def read(game: Game, text: str) -> str:
    move, answers = game.rules.read(game.position, text)
    return game.rules.write(game.position, move) + ("" if answers is None else f".m{answers['hit']}")


@pytest.mark.parametrize(
    ("start", "text", "meant"),
    [
        # those of the first trial
        (START, "e4", "e2-e4"), (START, "Nf3", "g1-f3"), (OPEN, "bxc3", "b2-c3"), (OPEN, "0-0", "e1-g1"),
        (OPEN, "o-o", "e1-g1"), (START, "E2-E4", "e2-e4"), (START, "B1^A3C3", "b1^a3c3"), (START, "e2 e4", "e2-e4"),
        (START, "e2—e4", "e2-e4"), (START, "'e2-e4'", "e2-e4"), (START, "b1->a3c3", "b1^a3c3"),
        # and others
        (START, "e2–e4", "e2-e4"), (START, "e2 - e4", "e2-e4"), (START, "e2→e4", "e2-e4"), (START, "e2 to e4", "e2-e4"),
        (START, '"e2e4"', "e2-e4"), (START, "“e4”", "e2-e4"), (START, "(e4)", "e2-e4"), (START, "e2,e4", "e2-e4"),
        (START, "E4", "e2-e4"), (START, "Pe4", "e2-e4"), (START, "pe4", "e2-e4"), (START, "1. e4", "e2-e4"),
        (START, "1.e4", "e2-e4"), (START, "e4!", "e2-e4"), (START, "e4!?", "e2-e4"), (START, "e4.", "e2-e4"),
        (START, "E2E4", "e2-e4"), (START, "e2--e4", "e2-e4"), (START, "  e4  ", "e2-e4"),
        (START, "nf3", "g1-f3"), (START, "NF3", "g1-f3"), (START, "Nf3+", "g1-f3"), (START, "♘f3", "g1-f3"),
        (START, "N f3", "g1-f3"), (START, "Ngf3", "g1-f3"), (START, "N1f3", "g1-f3"), (START, "N-f3", "g1-f3"),
        (START, "b1 ^ a3 c3", "b1^a3c3"), (START, "b1^a3,c3", "b1^a3c3"), (START, "b1^a3/c3", "b1^a3c3"),
        (START, "b1 a3 c3", "b1^a3c3"), (START, "b1a3c3", "b1^a3c3"), (START, "b1-a3c3", "b1^a3c3"),
        (START, "b1→a3+c3", "b1^a3c3"), (START, "b1 to a3 and c3", "b1^a3c3"), (START, "b1 -> c3 a3", "b1^c3a3"),
        (START, "nb1^a3c3", "b1^a3c3"), (START, "N^a3c3", "b1^a3c3"), (START, "Nb^a3c3", "b1^a3c3"),
        (OPEN, "0-0-0", "e1-c1"), (OPEN, "O-o-O", "e1-c1"), (OPEN, "OO", "e1-g1"), (OPEN, "000", "e1-c1"),
        (OPEN, "O–O", "e1-g1"), (OPEN, "0-0+", "e1-g1"), (OPEN, "Kg1", "e1-g1"),
        (OPEN, "Bxd4", "e3-d4"), (OPEN, "bxd4", "e3-d4"), (OPEN, "bd4", "e3-d4"), (OPEN, "bc3", "b2-c3"),
        (OPEN, "BXD4", "e3-d4"), (OPEN, "Rb1", "a1-b1"), (OPEN, "Rhf1", "h1-f1"), (OPEN, "Rxh3.m1", "h1-h3.m1"),
        (PASSING, "exd6", "e5-d6ep"), (PASSING, "exd6 e.p.", "e5-d6ep"), (PASSING, "ed6", "e5-d6ep"),
        (PROMOTION, "e8", "e7-e8Q"), (PROMOTION, "e8=N", "e7-e8N"), (PROMOTION, "e8(R)", "e7-e8R"),
        (PROMOTION, "e8b", "e7-e8B"), (PROMOTION, "exd8=Q", "e7-d8Q"), (PROMOTION, "e7e8=q", "e7-e8Q"),
    ],
)  # fmt: skip
def test_a_text_is_read_as_the_one_legal_move_that_is_meant(start: str, text: str, meant: str) -> None:
    assert read(rules_game(start), text) == meant


@pytest.mark.parametrize("text", ["a3 c3 ^ b5", "a3c3->b5", "a3c3b5", "a3,c3^b5", "A3C3^B5", "a3+c3 to b5", "Na3c3-b5"])
def test_a_merge_is_read_in_many_spellings_its_sources_in_the_order_written(text: str) -> None:
    assert read(rules_game(START, *HALVES), text) == "a3c3^b5"
    turned = text.replace("a3", "#").replace("c3", "a3").replace("#", "c3")
    assert read(rules_game(START, *HALVES), turned) == ("a3c3^b5" if turned == text else "c3a3^b5")


@pytest.mark.parametrize(
    ("start", "before", "text", "named"),
    [
        ("4k3/8/8/8/8/3N1N2/8/4K3 w - - 0 1", (), "Ne5", ("d3-e5", "f3-e5")),
        ("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", (), "bxc3", ("b2-c3 (pawn)", "d2-c3 (bishop)")),
        (START, HALVES, "Nb5", ("a3-b5", "c3-b5")),
        ("R3k3/8/8/8/8/8/8/R3K3 w - - 0 1", (), "a1 a8 a4", ("a1^a4a8 (rook)", "a1a8^a4 (rook)")),
    ],
)
def test_where_two_legal_moves_are_meant_both_are_named(
    start: str, before: tuple[str, ...], text: str, named: tuple[str, ...]
) -> None:
    game = rules_game(start, *before)
    with pytest.raises(AmbiguousMoveError, match="fits several moves") as refused:
        read(game, text)
    assert all(name in refused.value.plain for name in named)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("e5", "'e5' is not legal: no pawn of white goes to e5"),
        ("Nb3", "no knight of white goes to b3; to b3 goes b2-b3 (pawn)"),
        ("exd5", "no pawn of white takes on d5"),
        ("E2 E5", "'E2 E5' is not legal: the pawn from e2 does not reach e5"),
        ("0-0", "'0-0' is not legal: the white knight of g1 certainly stands there"),
        ("b1^c3", "a split names two squares to go to, as in 'b1^a3c3'"),
        ("Bxc3", "no bishop of white takes on c3"),
    ],
)
def test_what_is_not_legal_is_answered_about_the_text_that_was_typed(text: str, said: str) -> None:
    game = rules_game(START)
    with pytest.raises((IllegalMoveError, InvalidMoveError)) as refused:
        read(game, text)
    plain = getattr(refused.value, "plain", str(refused.value))
    assert said in plain
    assert "rnbqkbnr" not in plain, "who sees the board needs no FEN under it"


def test_a_capital_b_is_a_bishop_and_a_small_one_may_be_a_file() -> None:
    assert [str(wish) for wish in wishes("Bxc3")] == ["Bxc3"]
    assert [str(wish) for wish in wishes("bxc3")] == ["bxc3", "Bxc3"]
    game = rules_game("4k3/8/2b5/8/8/2p5/1P6/4K3 b - - 0 1")
    assert read(game, "bc6-e4") == "c6-e4"  # strict, as ever: a letter before a square is a piece
    assert read(game, "be4") == "c6-e4"


def test_a_text_in_the_strict_form_means_what_it_always_meant() -> None:
    """Every legal move of random positions, as written: the forgiving reader gives the very same."""
    game, rng = rules_game("r3k2r/1p1p2P1/8/2P2n2/2N2p2/8/4P1p1/R3K2R w KQkq - 0 1"), random.Random(5)
    for _ in range(8):
        for move in game.rules.moves(game.position):
            for text in (game.rules.write(game.position, move), notation.write_long(game.position, move)):
                assert notation.is_strict(text)
                assert game.rules.read(game.position, text)[0] == move
        game.play(rng.choice(game.rules.moves(game.position)))


@given(st.text(alphabet="abcdefghABCDEFGHNBRQKPnrqkp12345678-^x=.+ mO0", max_size=9))
def test_any_text_of_a_moves_letters_is_a_legal_move_or_one_of_our_errors(text: str) -> None:
    for game in (CHESS, PIECES):
        try:
            move, _ = game.rules.read(game.position, text)
        except (InvalidMoveError, IllegalMoveError):
            continue
        assert move in game.rules.moves(game.position)


CHESS = rules_game(OPEN)
PIECES = qchess.new("piece-qubit-chess", seed=1)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("e4", "e2-e4"), ("E2-E4", "e2-e4"), ("e2 e4", "e2-e4"), ("e2—e4", "e2-e4"), ("'e4'", "e2-e4"),
        ("1. e4", "e2-e4"), ("Nf3", "g1-f3"), ("nf3", "g1-f3"), ("NC3", "b1-c3"), ("♘c3", "b1-c3"),
        ("N g1 f3", "g1-f3"),
        ("g1 to h3", "g1-h3"), ("g1→h3", "g1-h3"), ("Pe3", "e2-e3"), ("e2--e3", "e2-e3"), ("N1f3", "g1-f3"),
    ],
)  # fmt: skip
def test_piece_qubit_chess_forgives_too(text: str, meant: str) -> None:
    move, answers = PIECES.rules.read(PIECES.position, text)
    assert (str(move), answers) == (meant, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Nd5", "no Q-knight of white goes to d5"),
        ("e5", "no Q-pawn of white goes to e5"),
        ("0-0", "there is no castling in this game"),
        ("b1^a3c3", "a piece goes to one square in this game"),
        ("E2 E5", "a Pawn goes from e2 to e3, e4, not to e5"),
    ],
)
def test_piece_qubit_chess_says_what_is_wrong_with_the_text(text: str, said: str) -> None:
    with pytest.raises((IllegalMoveError, InvalidMoveError), match=said):
        PIECES.rules.read(PIECES.position, text)


def test_two_kinds_of_one_letter_that_reach_a_square_are_both_named() -> None:
    """Two Q-knights reach e5; their letter alone is not enough."""
    game = qchess.new("piece-qubit-chess", position="7k/8/8/8/8/3N1N2/8/K7 w - - - 0 text")
    with pytest.raises(AmbiguousMoveError, match=r"d3-e5 \(Q-knight\), f3-e5 \(Q-knight\)"):
        game.rules.read(game.position, "Ne5")


# -- the other games -------------------------------------------------------------------------------------------

#: a pawn may be taken on d6 in passing, a rook is half on a1 and half on a4, White may castle
NIELS = "4k3/8/8/3pP3/R7/8/8/R3K2R w K d6 0 1 a1oa4p"
#: a man on d4 may jump to f6 only; a piece half on b2 and half on d2 may merge on c3
MERGE = "W:Wb2/d2:Bh8"


JUMP = {"position": "W:Wc3:Bd4,h8"}
MEANT = [
    ("niels-chess", {}, "e2e4", "e4|E4|e2-e4|e2 e4|E2E4|e2–e4|'e2e4'|e2->e4|e2 to e4|1. e4|e4!|Pe4"),
    ("niels-chess", {}, "g1f3", "Nf3|nf3|♘f3|Ngf3|N1f3|G1-F3|Ng1f3"),
    ("niels-chess", {}, "b1^a3oc3o", "b1^a3c3|B1^A3C3|b1 ^ a3 c3|b1^a3,c3|b1->a3c3|b1 a3 c3|N^a3c3|Nb1^a3c3"),
    ("niels-chess", {}, "b1^a3oc3p", "B1 ^ A3o C3p|b1 ^a3o, c3p"),
    ("niels-chess", {"nfen": NIELS}, "e1g1", "0-0|oo|O – O|Kg1"),
    ("niels-chess", {"nfen": NIELS}, "e5d6", "exd6|exd6 e.p.|ed6|E5xD6"),
    ("niels-chess", {"nfen": NIELS}, "a4b4", "Rb4|A4 B4"),
    ("niels-chess", {"nfen": NIELS}, "X:a1a4", "x : A1 A4|X:a4 a1"),
    ("niels-xiangqi", {}, "b1c3", "Hc3|Nc3|b1 c3"),
    ("niels-xiangqi", {}, "b3b5", "Cb5|B3→B5"),
    ("niels-xiangqi", {}, "g1i3", "Ei3"),
    ("niels-xiangqi", {}, "c4c5", "c5|C4 C5"),
    ("quantum-checkers", {}, "a3-b4", "a3b4|A3-B4|a3 b4|a3→b4|'a3-b4'|ab4|1. a3-b4"),
    ("quantum-checkers", {}, "c3^b4d4", "C3^B4D4|c3 b4 d4|c3->d4b4|c3 to b4 and d4"),
    ("quantum-checkers", JUMP, "c3-e5", "cxe5|e5|C3xE5|c3:e5"),
]
NOT_MEANT = [
    ("quantum-checkers", {}, "b4", "'b4' fits several moves: a3-b4, c3-b4; write the one you mean in full"),
    ("quantum-checkers", {}, "e4", "no piece of white goes to e4"),
    ("quantum-checkers", {}, "cxd4", "no piece of white takes and lands on d4"),
    ("quantum-checkers", {}, "z9 a1", "expected a square from a1 to h8"),
    ("niels-chess", {}, "Nd4", "no knight of white goes to d4"),
    ("niels-chess", {}, "b1", "'b1' is not legal: no pawn of white goes to b1"),
    ("niels-chess", {}, "exd3", "no pawn of white takes on d3"),
    ("niels-chess", {}, "E2 E5", "e2e5 is not legal: e5 is not in reach"),
    ("niels-chess", {"nfen": NIELS}, "Ra3", "fits several moves: a1a3, a4a3"),
    ("niels-chess", {"nfen": "7k/P7/8/8/8/8/8/K7 w - - 0 1"}, "a8", "fits several moves: a7a8=Q, a7a8=R, a7a8=B"),
    ("niels-xiangqi", {}, "Hd5", "no horse of red goes to d5"),
]


@pytest.mark.parametrize(
    ("game", "options", "text", "meant"),
    [(game, options, text, meant) for game, options, meant, texts in MEANT for text in texts.split("|")],
)
def test_every_game_reads_what_people_type(game: str, options: dict[str, str], text: str, meant: str) -> None:
    rules = qchess.games.rules(game, **options)
    position = rules.start(qchess.backends.engine())
    assert rules.write(position, rules.read(position, text)[0]) == meant


@pytest.mark.parametrize(("game", "options", "text", "why"), NOT_MEANT)
def test_what_no_move_fits_or_several_is_said(game: str, options: dict[str, str], text: str, why: str) -> None:
    rules = qchess.games.rules(game, **options)
    position = rules.start(qchess.backends.engine())
    with pytest.raises((IllegalMoveError, InvalidMoveError), match=why):
        rules.read(position, text)


def test_results_follow_a_move_however_it_is_spelled() -> None:
    rules = qchess.games.rules("niels-chess", nfen="4k3/8/8/3p4/R7/8/8/3RK3 w - - 0 1 a4od1o")
    position = rules.start(qchess.backends.engine())
    assert rules.read(position, "R x d5 .d6")[1] == rules.read(position, "d1d5.d6")[1]


@pytest.mark.parametrize("game", qchess.games.catalogue.names())
def test_what_is_no_text_is_no_move(game: str) -> None:
    rules = qchess.games.rules(game)
    position = rules.start(qchess.backends.engine())
    for wrong in (None, 7, b"e2e4", ["e2e4"]):
        with pytest.raises(InvalidMoveError):
            rules.read(position, wrong)  # type: ignore[arg-type]
