"""Checks piece-qubit chess against rule vectors: legal moves, and every branch of a line of moves.

A vector holds for the profile `text`; one that says so holds without the entangler too, and one that
follows from the text alone whichever way a Pawn type looks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from qchess import backends
from qchess.circuits.chances import explore
from qchess.games.piece_qubit_chess import Move, PieceQubitChess, Position
from qchess.games.piece_qubit_chess.movement import legal
from qchess.games.piece_qubit_chess.pieces import NAMES

Case = tuple[str, Callable[[], None]]
LETTERS = {name: letter for letter, name in NAMES.items()}


def cases(data: Mapping[str, Any]) -> list[Case]:
    """Every vector under every profile that it speaks of, by name."""
    return [
        (f"{vector['id']} {vector['title']} [{profile}]", partial(check, vector, profile))
        for vector in data["vectors"]
        for profile in profiles(vector)
    ]


def profiles(vector: Mapping[str, Any]) -> Iterator[str]:
    """The profiles in which the vector holds."""
    yield "text"
    if vector["same_without_entangler"]:
        yield "text+entangler=none"
    if vector["determined"]:
        yield "text+pawn_area=forward"


def check(vector: Mapping[str, Any], profile: str) -> None:
    """Plays the vector's moves in every way they can turn out."""
    rules = PieceQubitChess(profile, start(vector["start"]))
    position = rules.start(backends.engine("sparse"))
    expected = vector["expect"]
    check_legal(position, expected["legal_at_start"])
    branches = [(1.0, position)]
    for a, b in vector["moves"]:
        branches = [branch for p, before in branches for branch in played(rules, before, Move(a, b), p)]
    assert sum(p for p, _ in branches) == approx(1)
    for _, after in branches:
        check_legal(after, expected.get("legal_after", {}))
    removed_from = {piece["id"] for piece in vector["start"]["pieces"]}
    found: dict[Any, float] = defaultdict(float)
    for p, after in branches:
        found[visible(after, removed_from)] += p
    wanted = {frozen(branch): branch["prob"] for branch in expected["branches"]}
    assert dict(found) == {key: approx(p) for key, p in wanted.items()}
    check_means(branches, expected["mean_probs"])


def start(data: Mapping[str, Any]) -> dict[str, Any]:
    """A vector's start in JSON form."""
    lone = [{"members": [p["id"]], "amps": p["amps"]} for p in data["pieces"] if p["amps"]]
    pieces = [
        {
            "id": p["id"],
            "colour": p["colour"],
            "kind": LETTERS[p["types"][0]],
            "second": LETTERS[p["types"][1]] if len(p["types"]) > 1 else "",
            "square": p["square"],
            "moved": p["moved"],
        }
        for p in data["pieces"]
    ]
    return {"side": data["side"], "pieces": pieces, "systems": lone + data["systems"]}


def played(rules: PieceQubitChess, before: Position, move: Move, p: float) -> Iterator[tuple[float, Position]]:
    """Every way in which a move can turn out, with its probability."""
    rules.check(before, move)
    for chance in explore(before.registers, rules.compile(before, move)):
        yield p * chance.probability, rules.settle(before, move, chance.run)


def check_legal(position: Position, expected: Mapping[str, list[str]]) -> None:
    """The squares to which each named piece may go, whoever is to move."""
    squares = position.squares
    for name, to in expected.items():
        square = squares[name]
        piece = position.board[square]
        assert sorted(legal(position.board, square, piece, position.types(piece))) == sorted(to), name


def visible(position: Position, all_names: set[str]) -> Any:
    """What can be seen of a branch: winner, systems, and each piece's square, kind and odds."""
    winner = None if position.ended is None else (position.ended.winner or "draw")[0]
    pieces = frozenset(
        (piece.id, square, piece.kind, odds({NAMES[type_]: p for type_, p in position.odds(piece).items()}))
        for square, piece in position.board.items()
    )
    removed = frozenset(all_names - set(position.squares))
    return winner, frozenset(map(frozenset, position.systems)), removed, pieces


def frozen(branch: Mapping[str, Any]) -> Any:
    """A vector's branch as `visible` gives it."""
    pieces = frozenset(
        (name, piece["square"], LETTERS[piece["kind"].removeprefix("Q-").capitalize()], odds(piece["probs"]))
        for name, piece in branch["pieces"].items()
    )
    winner = branch["winner"] and branch["winner"][0]
    return winner, frozenset(map(frozenset, branch["systems"])), frozenset(branch["removed"]), pieces


def odds(probabilities: Mapping[str, float]) -> frozenset[tuple[str, float]]:
    """The types that are possible, with probabilities to six places."""
    return frozenset((name, round(p, 6)) for name, p in probabilities.items() if p > 1e-6)


def check_means(branches: list[tuple[float, Position]], expected: Mapping[str, Mapping[str, float]]) -> None:
    """The mean odds of the pieces that survive in every branch."""
    for name, types in expected.items():
        survived = [(p, b, b.squares.get(name)) for p, b in branches]
        if any(square is None for _, _, square in survived):
            continue
        for type_, mean in types.items():
            letter = LETTERS[type_]
            total = sum(p * b.odds(b.board[square]).get(letter, 0.0) for p, b, square in survived if square)
            assert total == approx(mean), (name, type_)


def approx(p: float) -> Any:
    """Equal to within the vectors' tolerance."""
    import pytest

    return pytest.approx(p, abs=1e-6)
