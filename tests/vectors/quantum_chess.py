"""How the vectors of Quantum Chess are checked: move by move, joint distribution included.

They were computed in the profile ``sdk-0.2.2``. Outcomes, probabilities and joint distributions hold in
``standard`` too, but for those tagged ``quirk``; symbols, counters and lists may differ there and are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import qchess
from qchess.games.quantum_chess import Move, MoveType, Position, QuantumChess
from qchess.games.quantum_chess.castling import RIGHTS
from qchess.geometry import geometry

BOARD = geometry(8, 8)
TOLERANCE = 1e-9
#: the peer has no types of its own for the steps of pawns
KINDS = {
    MoveType.PAWN_STEP: "jump",
    MoveType.PAWN_TWO_STEP: "slide",
    MoveType.PAWN_EP: "en_passant",
    MoveType.KS_CASTLE: "castle_kingside",
    MoveType.QS_CASTLE: "castle_queenside",
}


def cases(data: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every vector, in its own profile and in the standard one."""
    for vector in data["vectors"]:
        yield f"{vector['name']}-sdk", partial(check, vector, "sdk-0.2.2")
        if "quirk" not in vector["tags"]:
            yield f"{vector['name']}-standard", partial(check, vector, "standard")


def check(vector: Mapping[str, Any], profile: str) -> None:
    """Replays a vector and compares everything that it says of the profile."""
    whole = profile == "sdk-0.2.2"
    rules = QuantumChess(profile, fen=vector["fen"])
    game = qchess.Game(rules, seed=0)
    for k, text in enumerate(vector["moves"]):
        move, _ = game.rules.read(game.position, text)
        check_kind(rules, game.position, move, vector["move_kinds"][k])
        forced = vector["forced_outcomes"][k]
        p = rules.pass_probability(game.position, move)
        played = game.play(text, outcome=None if forced is None else [forced])
        outcome = played.answers[0].value if played.measured else None
        assert outcome == vector["outcomes"][k], (text, played)
        expected = vector["pass_probabilities"][k]
        assert played.measured == (expected is not None)
        assert abs(p - (1 if expected is None else expected)) < TOLERANCE, (text, p, expected)
        assert played.text == vector["history"][k] or not whole
    check_odds(game, vector)
    if whole:
        check_symbols(game, vector["pieces"])
        check_counters(game, vector["final"])
        check_counts(game, vector["legal_counts"])


def check_kind(rules: QuantumChess, position: Position, move: Move, expected: str) -> None:
    """The type and the variant are those that the vector names."""
    kind = rules.kind(position, move)
    name = KINDS.get(kind.type, kind.type.name.lower())
    shown = name if "split" in name or "merge" in name else f"{name}:{kind.variant.name.lower()}"
    assert shown == expected, (move, shown, expected)


def check_symbols(game: qchess.Game, pieces: Mapping[str, str]) -> None:
    """The symbols on all squares."""
    symbols = zip(BOARD.names, game.position.board, strict=True)
    assert {name: symbol for name, symbol in symbols if symbol != "."} == pieces


def check_odds(game: qchess.Game, vector: Mapping[str, Any]) -> None:
    """The odds of squares, and the joint distribution of all of them."""
    position = game.position
    for name in BOARD.names:
        assert abs(position.registers.probability(name) - vector["probabilities"].get(name, 0)) < TOLERANCE, name
        assert abs(position.odds.get(name, 0) - vector["probabilities"].get(name, 0)) < TOLERANCE, name
    joint = {int(row["occupied_hex"], 16): row["p"] for row in vector["joint"]}
    found = position.registers.distribution(*BOARD.names)
    for key in joint.keys() | found.keys():
        assert abs(joint.get(key, 0) - found.get(key, 0)) < TOLERANCE, hex(key)


def check_counters(game: qchess.Game, final: Mapping[str, Any]) -> None:
    """Ply, side, rights, en passant square, clock, and the result."""
    position = game.position
    square = position.en_passant
    assert (position.ply, position.player) == (final["ply"], final["side_to_move"])
    assert position.rights == final["castle_flags"]
    assert max(RIGHTS.values()) == 8, "the vectors number the rights K=1 Q=2 k=4 q=8"
    assert (None if square is None else BOARD.names[square]) == final["en_passant"]
    assert position.clock == final["fifty_count"]
    assert abs(position.mass - final["fifty_piece_count"]) < TOLERANCE
    ended = game.result
    assert final["king_result"] == (ended.winner if ended and ended.reason == "king_captured" else None)


def check_counts(game: qchess.Game, counts: Mapping[str, int]) -> None:
    """The number of legal moves; the four promotions of a pawn count as one move."""
    moves = game.rules.moves(game.position)
    standard = {move[:2] for move in moves if len(move.squares) == 2}
    assert len(standard) == counts["standard"]
    assert sum(move.is_split for move in moves) == counts["splits"]
    assert sum(move.is_merge for move in moves) == counts["merges"]
