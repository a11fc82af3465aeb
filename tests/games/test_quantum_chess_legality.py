"""Which moves are legal: the counts of the rule book, perft, and a second opinion on classical boards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import qchess
from qchess import IllegalMoveError, backends
from qchess.circuits.sources import Seeded
from qchess.games.quantum_chess import START, Move, Position, QuantumChess
from qchess.games.quantum_chess.legal import some_move
from qchess.games.quantum_chess.objections import objection
from tests.long import one_in

ENGINE = backends.get().engine
ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"


def counts(rules: QuantumChess, *moves: str) -> tuple[int, int, int]:
    game = qchess.Game(rules, seed=0)
    for move in moves:
        game.play(move)
    found = rules.moves(game.position)
    shapes = Counter((len(move.sources), len(move.targets)) for move in found)
    assert len(set(found)) == len(found)
    return shapes[1, 1], shapes[1, 2], shapes[2, 1]


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (START, "", (20, 2, 0)),
        (START, "b1^a3c3 a7-a6", (27, 14, 2)),
        (START, "e2-e4 e7-e5", (29, 20, 0)),
        (ROOKS, "", (26, 91, 0)),
        ("4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", "", (22, 96, 2)),
    ],
)
def test_the_lists_have_the_lengths_of_the_rule_book(fen: str, moves: str, expected: tuple[int, int, int]) -> None:
    assert counts(QuantumChess(fen=fen), *moves.split()) == expected


def test_only_the_sdk_profile_splits_a_king_to_where_it_could_castle() -> None:
    assert counts(QuantumChess("sdk-0.2.2", fen=ROOKS)) == (26, 102, 0)


def test_in_the_sdk_profile_a_king_is_split_onto_a_castling_square_where_another_piece_may_stand() -> None:
    # rules, section 10: its published code lists the castling squares also when they are occupied
    fen, told = "4k3/8/8/8/8/5N2/8/R3K2R w KQ - 0 1", ["f3^g1d4", "e8-e7"]
    games = {name: qchess.new("quantum-chess", profile=name, fen=fen, seed=1) for name in ("standard", "sdk-0.2.2")}
    for game in games.values():
        for move in told:
            game.play(move)
    assert "e1^d1g1" not in games["standard"].moves()
    with pytest.raises(IllegalMoveError, match="knight of g1 stands there"):
        games["standard"].play("e1^d1g1")
    sdk = games["sdk-0.2.2"]
    listed = {move for move in sdk.moves() if move.startswith("e1^")}
    assert {"e1^d1g1", "e1^g1d1", "e1^c1g1", "e1^f1g1"} <= listed | {move[:3] + move[5:] + move[3:5] for move in listed}
    assert not any("h1" in move[3:] or "a1" in move[3:] for move in listed)
    sdk.play("e1^d1g1")
    # half of the knight was on g1: there king and knight exchange places, elsewhere the king arrives (i to each part)
    odds = sdk.position.odds
    assert [odds.get(square, 0.0) for square in ("d1", "h1", "a1")] == pytest.approx([0.5, 1.0, 1.0])
    assert sum(odds.values()) == pytest.approx(5)
    assert sdk.position.board[sdk.position.geometry.square("g1")] == "K"


def test_a_castling_square_that_is_surely_occupied_is_no_target_in_any_profile() -> None:
    rules = QuantumChess("sdk-0.2.2", fen="4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1")
    game = qchess.new("quantum-chess", profile="sdk-0.2.2", fen=str(rules.fen))
    assert not [move for move in game.moves() if move.startswith("e1^") and "g1" in move]


def test_without_quantum_moves_there_are_no_splits_and_merges() -> None:
    rules = QuantumChess(fen=ROOKS, quantum=False)
    assert counts(rules) == (26, 0, 0)
    with pytest.raises(IllegalMoveError, match="switched off"):
        rules.read(rules.start(ENGINE), "a1^a2a3")


# -- perft ----------------------------------------------------------------------------------------------------


def perft(rules: QuantumChess, position: Position, depth: int) -> int:
    if rules.result(position):
        return 0
    moves = rules.moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, rules.step(position, move)[0], depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("depth", "nodes"),
    [
        (1, 20),
        (2, 400),
        (3, 8_902),  # as in chess: no check can be left standing before ply 4
        # chess has 197,281; here 461 more, since a check may be ignored and a king may step into one
        (4, 197_742),
        pytest.param(5, 4_897_256, marks=pytest.mark.long),
    ],
)
def test_perft_from_the_start_without_quantum_moves(depth: int, nodes: int) -> None:
    rules = QuantumChess(quantum=False)
    assert perft(rules, rules.start(ENGINE), depth) == nodes


def test_perft_from_the_start_with_quantum_moves() -> None:
    """22 moves a side, and the first of white takes none from black: 22 * 22."""
    rules = QuantumChess()
    assert [perft(rules, rules.start(ENGINE), depth) for depth in (1, 2)] == [22, 484]


# -- a second opinion: classical movement without check, square by square -------------------------------------

LINES = {"B": [(1, 1), (1, -1), (-1, 1), (-1, -1)], "R": [(0, 1), (1, 0), (0, -1), (-1, 0)]}
LINES["Q"] = LINES["B"] + LINES["R"]
STEPS = {
    "K": LINES["Q"],
    "N": [(a * i, b * j) for a, b in ((1, 2), (2, 1)) for i in (1, -1) for j in (1, -1)],
}


def classical(position: Position) -> set[tuple[str, str]]:
    """The moves of a board of certain men, found on a dict of names; the four promotions are one."""
    names = position.geometry.names
    men = {n: s for n, s in zip(names, position.board, strict=True) if s != "."}
    white = position.player == "white"

    def ours(name: str) -> bool:
        return name in men and men[name].isupper() == white

    def off(name: str, x: int, y: int) -> str | None:
        found = chr(ord(name[0]) + x) + str(int(name[1]) + y)
        return found if found in names else None

    found: set[tuple[str, str]] = set()
    up, start = (1, "2") if white else (-1, "7")
    passing = None if position.en_passant is None else names[position.en_passant]
    for here in [name for name in men if ours(name)]:
        kind = men[here].upper()
        for x, y in [*STEPS.get(kind, ()), *LINES.get(kind, ())]:
            there = off(here, x, y)
            while there and not ours(there):
                found.add((here, there))
                if there in men or kind in STEPS:
                    break
                there = off(there, x, y)
        if kind == "P":
            one, two = off(here, 0, up), off(here, 0, 2 * up)
            if one and one not in men:
                found.add((here, one))
                if here[1] == start and two not in men:
                    found.add((here, str(two)))
            sides = [off(here, x, up) for x in (1, -1)]
            found |= {(here, t) for t in sides if t and (t == passing or (t in men and not ours(t)))}
    for right, ends, between in (
        (1, ("e1", "g1"), "f1 g1"), (2, ("e1", "c1"), "b1 c1 d1"),
        (4, ("e8", "g8"), "f8 g8"), (8, ("e8", "c8"), "b8 c8 d8"),
    ):  # fmt: skip
        if position.rights & right and ours(ends[0]) and not set(between.split()) & men.keys():
            found.add(ends)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_without_quantum_moves_boards_follow_classical_movement_without_check(seed: int) -> None:
    fen = START if seed % 2 else "r3k2r/pp1p2pp/8/2P1p3/4pP2/8/PP1P2PP/R3K2R w KQkq - 0 1"
    rules = QuantumChess(fen=fen, quantum=False)
    rng = random.Random(seed)
    position = rules.start(ENGINE)
    while position.ply < 120 and not rules.result(position):
        moves = rules.moves(position)
        names = position.geometry.names
        assert {(names[m.sources[0]], names[m.targets[0]]) for m in moves} == classical(position)
        position, _ = rules.step(position, rng.choice(moves))
        assert not position.registers.uncertain
    assert position.ply >= 20


# -- the list and the check of one move agree -----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["standard", "sdk-0.2.2"])
@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_the_check_allows_exactly_what_is_listed(profile: str, seed: int) -> None:
    rules = QuantumChess(profile, fen="r3k2r/1p1p4/8/2P2n2/2N2p2/8/4P1P1/R3K2R w KQkq - 0 1")
    rng, source = random.Random(seed), Seeded(seed)
    position = rules.start(ENGINE)
    for _ in range(5):
        moves = rules.moves(position)
        assert (some_move(rules.book, position) in moves) == bool(moves)
        listed = set(moves)
        standard = {Move(m.sources, m.targets) for m in moves}
        for candidate in candidates(rng, position):
            a_pair_turned = Move(tuple(sorted(candidate.sources)), tuple(sorted(candidate.targets)))
            legal = a_pair_turned in (listed if len(candidate.squares) == 3 else standard)
            assert allows(rules, position, candidate) == legal, candidate
            assert (objection(rules.book, position, candidate) is None) == legal, candidate
        assert all(allows(rules, position, move) and objection(rules.book, position, move) is None for move in moves)
        position, _ = rules.step(position, rng.choice(moves), source)


def candidates(rng: random.Random, position: Position) -> list[Move]:
    """Every standard move that can be written down, and many splits and merges."""
    found = [Move((s,), (t,)) for s in range(64) for t in range(64)]
    men = [k for k, symbol in enumerate(position.board) if symbol != "."]
    for _ in range(500):
        a, b, c = rng.choice(men), rng.randrange(64), rng.randrange(64)
        found += [Move((a,), (b, c)), Move((a, rng.choice(men)), (c,))]
    return found


def allows(rules: QuantumChess, position: Position, move: Move) -> bool:
    try:
        rules.check(position, move)
    except IllegalMoveError:
        return False
    return True


# -- what is said of an illegal move ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "why"),
    [
        (START, "b3-b4", "b3 holds no piece of white"),
        (START, "e7-e5", "e7 holds no piece of white"),
        (START, "a1-a5", r"the rook from a1 does not reach a5 \(a2 certainly occupied\)"),
        (START, "a1-a2", "the white pawn of a2 certainly stands there"),
        (START, "e2^e3e4", "a pawn is never split"),
        (START, "b1^a3a3", "two different targets"),
        (START, "b1^a3c3.m0", "measures nothing"),
        (START, "b1g1^f3", "the knight from b1 and g1 does not reach f3"),
        (START, "b1a1^a3", "not the same piece"),
        (START, "e2-e4q", "only a pawn that reaches the last rank"),
        (START, "b1xc3", "written as a capture and is one that asks nothing"),
        (START, "Bb1-c3", "names a bishop, and on b1 stands a knight"),
        (START, "e1-e3", r"does not reach e3 \(e2 certainly occupied\)"),
        ("4k3/8/8/8/8/3p4/8/1N2K3 w - - 0 1", "e1^d2d1", None),
        ("4k3/8/8/8/8/8/3p4/1N2K3 w - - 0 1", "b1^a3d2", "the black pawn of d2 stands there"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule_it_breaks_and_the_position(
    fen: str, move: str, why: str | None
) -> None:
    game = qchess.new("quantum-chess", fen=fen)
    if why is None:
        assert game.play(move).text == move
        return
    before = game.position
    with pytest.raises(IllegalMoveError, match=why) as caught:
        game.play(move)
    assert fen.split()[0] in str(caught.value)
    assert game.position is before


def test_legality_asks_single_squares_not_joint_odds() -> None:
    """A knight on f1 or g1: each square may be empty, so castling is legal, and always fails."""
    game = qchess.new("quantum-chess", fen="4k3/8/8/8/8/4N3/8/4K2R w K - 0 1", seed=0)
    for move in ("e3^d1f1", "e8-e7", "d1-b2", "e7-e8", "b2-d3", "e8-e7", "d3-f2", "e7-e8", "f2-h3", "e8-e7", "h3-g1"):
        game.play(move)
    game.play("e7-e8")
    assert game.chances("e1-g1") == {(("hit", 0),): 1.0}
    assert game.play("e1-g1").text == "e1-g1.m0"
    assert game.position.rights == 1
