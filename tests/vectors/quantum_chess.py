"""How the vectors of Quantum Chess are checked: move by move, joint distribution included.

They were computed in the profile ``sdk-0.2.2``. Outcomes, probabilities and joint distributions hold in
``standard`` too, but for those tagged ``quirk``; symbols, counters and lists may differ there and are not compared.

A vector is played by the rules alone, without the shell of a game: it may go on where a game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from qchess import ImpossibleOutcomeError, backends
from qchess.boards.geometry import geometry
from qchess.circuits.sources import FixedAnswers
from qchess.games.quantum_chess import Move, MoveType, Position, QuantumChess
from qchess.games.quantum_chess.fen import parse
from qchess.games.quantum_chess.move import RIGHTS

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
    board = parse(vector["fen"]).board
    both_kings = (board.count("K"), board.count("k")) == (1, 1)
    rules = QuantumChess(profile, fen=vector["fen"], sandbox=not both_kings)
    position = rules.start(backends.get().engine)
    for k in range(len(vector["moves"])):
        position = check_move(rules, position, vector, k, whole)
    check_odds(position, vector)
    if whole:
        check_symbols(position, vector["pieces"])
        check_counters(position, vector["final"])
        check_counts(rules, position, vector["legal_counts"])
        if both_kings:
            check_kings(rules, position, vector["final"]["king_result"])


def check_move(rules: QuantumChess, position: Position, vector: Mapping[str, Any], k: int, whole: bool) -> Position:
    """Plays move `k` with the outcome it had, after comparing what the vector says of it."""
    text, kind, p = (vector[row][k] for row in ("moves", "move_kinds", "pass_probabilities"))
    outcome, forced = (bit(vector[row][k]) for row in ("outcomes", "forced_outcomes"))
    move, _ = rules.read(position, text)
    check_kind(rules, position, move, kind)
    found = rules.pass_probability(position, move)
    assert abs(found - (1 if p is None else p)) < TOLERANCE, (text, found, p)
    if outcome is not None and forced is not None and forced != outcome:
        with pytest.raises(ImpossibleOutcomeError):  # the peer gives the possible one in silence (QC-8)
            rules.step(position, move, FixedAnswers([forced]))
    after, answers = rules.step(position, move, None if outcome is None else FixedAnswers([outcome]))
    assert bool(answers) == (p is not None), text
    assert [answer.value for answer in answers] == ([] if outcome is None else [outcome]), text
    written = rules.tell(position, rules.turn(position, move), {answer.name: answer.value for answer in answers})
    assert written == vector["history"][k] or not whole, text
    return after


def bit(outcome: int | bool | None) -> int | None:
    """An outcome as 0 or 1, which may be told as false or true; None for none."""
    return None if outcome is None else int(outcome)


def check_kind(rules: QuantumChess, position: Position, move: Move, expected: str) -> None:
    """The type and the variant are those that the vector names."""
    kind = rules.kind(position, move)
    name = KINDS.get(kind.type, kind.type.name.lower())
    shown = name if "split" in name or "merge" in name else f"{name}:{kind.variant.name.lower()}"
    assert shown == expected, (move, shown, expected)


def check_symbols(position: Position, pieces: Mapping[str, str]) -> None:
    """The symbols on all squares."""
    symbols = zip(BOARD.names, position.board, strict=True)
    assert {name: symbol for name, symbol in symbols if symbol != "."} == pieces


def check_odds(position: Position, vector: Mapping[str, Any]) -> None:
    """The odds of squares, and the joint distribution of all of them."""
    for name in BOARD.names:
        assert abs(position.registers.probability(name) - vector["probabilities"].get(name, 0)) < TOLERANCE, name
        assert abs(position.odds.get(name, 0) - vector["probabilities"].get(name, 0)) < TOLERANCE, name
    joint = {int(row["occupied_hex"], 16): row["p"] for row in vector["joint"]}
    found = position.registers.distribution(*BOARD.names)
    for key in joint.keys() | found.keys():
        assert abs(joint.get(key, 0) - found.get(key, 0)) < TOLERANCE, hex(key)


def check_counters(position: Position, final: Mapping[str, Any]) -> None:
    """Ply, side, rights, en passant square and clock."""
    square = position.en_passant
    assert (position.ply, position.player) == (final["ply"], final["side_to_move"])
    assert position.rights == final["castle_flags"]
    assert max(RIGHTS.values()) == 8, "the vectors number the rights K=1 Q=2 k=4 q=8"
    assert (None if square is None else BOARD.names[square]) == final["en_passant"]
    assert position.clock == final["fifty_count"]
    assert abs(position.mass - final["fifty_piece_count"]) < TOLERANCE


def check_kings(rules: QuantumChess, position: Position, expected: str | None) -> None:
    """Who won by taking the king; a draw where both are gone."""
    ended = rules.result(position)
    if ended and ended.reason == "king_captured":
        assert expected in (ended.winner, f"{ended.winner}_wins")
    elif ended and ended.reason == "annihilation":
        assert expected in (None, "draw")
    else:
        assert expected is None


def check_counts(rules: QuantumChess, position: Position, counts: Mapping[str, int]) -> None:
    """The number of legal moves; the four promotions of a pawn count as one move."""
    moves = rules.moves(position)
    standard = {move[:2] for move in moves if len(move.squares) == 2}
    assert len(standard) == counts["standard"]
    assert sum(move.is_split for move in moves) == counts["splits"]
    assert sum(move.is_merge for move in moves) == counts["merges"]
