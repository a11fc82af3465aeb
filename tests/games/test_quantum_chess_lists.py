"""However fast moves are listed and pieces counted, they are those of the clear rules."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from qchess import backends
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_chess import Move, Position, QuantumChess, laws
from qchess.games.quantum_chess.core import listing
from qchess.games.quantum_chess.core.list_kernels import list_of_masks
from qchess.games.quantum_chess.core.listing import Moves
from qchess.games.quantum_chess.legal import legal_moves, some_move
from qchess.testing import GameCheckError, check_game

STARTS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "castling": "r3k2r/pppqppbp/2n2np1/8/8/2N2NP1/PPPQPPBP/R3K2R w KQkq - 0 1",
    "in passing": "4k3/2p1p1p1/2n2n2/1P1P1P1P/p1p1p1p1/2N2N2/1P1P1P1P/4K3 w - - 0 1",
    "promotion": "1n2k1n1/P1P3P1/8/3R4/4r3/8/p2p2p1/1N2K1N1 b - - 20 40",
    "corners": "N3k2N/8/8/8/8/8/8/n3K2n w - - 0 1",
    "only a1 is open": "k7/8/8/8/1P1P4/PN2P3/2N5/4K3 w - - 0 1",
}
BOOKS: dict[str, dict[str, Any]] = {
    "standard": {},
    "sdk": {"profile": "sdk-0.2.2"},
    "no quantum moves": {"quantum": False},
    "no promotion": {"promotion": False},
    "nothing special": {"castling": False, "en_passant": False},
    "kings asked": {"fifty_end": "measure"},
}
compiled = pytest.mark.skipif(not list_of_masks.compiled, reason="no machine code serves here")


def positions(rules: QuantumChess, seed: int, plies: int) -> Iterator[Position]:
    """A random game."""
    rng = random.Random(seed)
    source = backends.Seeded(rng)
    position = rules.start(backends.engine("sparse"))
    for _ in range(plies):
        yield position
        if rules.result(position) is not None:
            return
        position, _ = rules.step(position, rng.choice(rules.moves(position)), source)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("book", BOOKS)
def test_lists_are_those_of_the_clear_rules(start: str, book: str) -> None:
    rules = QuantumChess(fen=STARTS[start], **BOOKS[book])
    for seed in range(2):
        for position in positions(rules, seed, 40):
            listed = rules.lists.listed(position)
            assert list(listed) == legal_moves(rules.book, position)
            assert (rules.lists.some_move(position) in listed) == bool(listed)
            assert (rules.lists.some_move(position) is None) == (some_move(rules.book, position) is None)


@compiled
def test_on_the_board_of_chess_the_kernel_lists_and_elsewhere_the_rules() -> None:
    rules, small = QuantumChess(), QuantumChess(fen="k3/4/4/N2K w - - 0 1")
    engine = backends.engine("sparse")
    assert isinstance(rules.moves(rules.start(engine)), Moves)
    assert isinstance(small.moves(small.start(engine)), list)


@compiled
def test_a_list_for_which_there_is_no_room_is_made_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "ROOM", 21)
    monkeypatch.setattr(listing, "_DESK", listing._Desk())
    rules = QuantumChess()
    position = rules.start(backends.engine("sparse"))
    assert rules.moves(position) == legal_moves(rules.book, position)
    assert len(rules.moves(position)) == 22


@compiled
def test_a_list_is_a_sequence_like_any_other() -> None:
    rules = QuantumChess()
    position = rules.start(backends.engine("sparse"))
    moves, true = rules.moves(position), legal_moves(rules.book, position)
    assert (len(moves), moves[0], moves[-1], moves[3:9:2]) == (len(true), true[0], true[-1], true[3:9:2])
    assert moves == true
    assert true == moves
    assert moves != true[1:]
    assert moves != object()
    assert true[5] in moves
    assert rules.moves(rules.step(position, true[0])[0])[0] not in moves
    assert moves.index(true[7]) == 7
    assert list(reversed(moves)) == true[::-1]
    assert repr(moves) == repr(true)
    assert random.Random(4).choice(moves) == random.Random(4).choice(true)
    assert random.Random(4).sample(moves, 5) == random.Random(4).sample(true, 5)
    with pytest.raises(IndexError):
        moves[len(true)]


@compiled
@pytest.mark.parametrize(
    "wrong", [Move((12 | 28 << 6,), (0,)), Move((12,), (28,), "x"), Move((12 - 2**70,), (28,)), Move((), ()), None]
)
def test_what_only_looks_like_the_number_of_a_listed_move_is_refused(wrong: Any) -> None:
    rules = QuantumChess()
    position = rules.start(backends.engine("sparse"))
    assert Move((12,), (28,)) in rules.moves(position)
    assert wrong not in rules.moves(position)
    with pytest.raises((IllegalMoveError, InvalidMoveError)):
        rules.check(position, wrong)


def test_a_list_that_its_reader_changes_is_nobody_elses() -> None:
    small = QuantumChess(fen="k3/4/4/N2K w - - 0 1")
    position = small.start(backends.engine("sparse"))
    moves = small.moves(position)
    assert isinstance(moves, list)
    moves.clear()
    assert small.moves(position) == legal_moves(small.book, position) != []


@compiled
def test_the_last_list_is_kept_for_its_position_alone() -> None:
    rules = QuantumChess()
    position = rules.start(backends.engine("sparse"))
    moves = rules.moves(position)
    assert rules.moves(position) is moves
    black = replace(position, ply=1)
    assert rules.moves(black) == legal_moves(rules.book, black) != moves
    again = pickle.loads(pickle.dumps(rules))
    assert again.moves(position) == moves
    assert again.moves(position) is not moves


def test_threads_list_side_by_side() -> None:
    rules = QuantumChess()
    games = [list(positions(rules, seed, 60)) for seed in range(4)]
    true = [[legal_moves(rules.book, position) for position in game] for game in games]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda game: [[list(rules.moves(p)) for p in game] for _ in range(20)], games))
    assert all(each == right for every, right in zip(found, true, strict=True) for each in every)


def test_a_move_that_takes_nothing_hands_the_count_on() -> None:
    rules = QuantumChess()
    for seed in range(6):
        for position in positions(rules, seed, 80):
            laws.counts_pieces(position)


@pytest.mark.parametrize("wrong", ["one move fewer", "one piece more"])
def test_the_laws_see_what_is_wrong(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = QuantumChess()
    monkeypatch.setattr(rules, "core", lambda: None)  # which would see it as well
    if wrong == "one move fewer":
        listed = rules.lists.listed
        monkeypatch.setattr(rules.lists, "listed", lambda position: list(listed(position))[:-1])
    else:
        settle = rules.settle
        monkeypatch.setattr(rules, "settle", lambda *a: replace(made := settle(*a), pieces=made.pieces + 1))
    with pytest.raises(GameCheckError, match=r"moves are listed and \d+ legal|a count finds"):
        check_game(rules, games=1, plies=4, seed=1)
