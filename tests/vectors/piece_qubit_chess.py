"""Checks piece-qubit chess against rule vectors: legal moves, and every branch of a line of moves.

A vector holds for the profile `text`, unless it names a profile or switches of its own; one that says so
holds without the entangler too, and one that follows from the text alone whichever way a Pawn type looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from qchess import backends
from qchess.games.piece_qubit_chess import Move, PieceQubitChess, Position, Profile
from qchess.games.piece_qubit_chess.movement import legal
from qchess.games.piece_qubit_chess.pieces import NAMES

Case = tuple[str, Callable[[], None]]
Weighed = list[tuple[float, Position]]
LETTERS = {name: letter for letter, name in NAMES.items()}
TOLERANCE = 1e-6


def cases(data: Mapping[str, Any]) -> list[Case]:
    """Every vector under every profile that it speaks of, by name."""
    return [
        (f"{vector['id']} {vector['title']} [{profile}]", partial(check, vector, profile))
        for vector in data["vectors"]
        for profile in profiles(vector)
    ]


def profiles(vector: Mapping[str, Any]) -> list[str]:
    """The profiles in which the vector holds, each once."""
    named = Profile.parse(vector.get("profile") or "text").changed(**(vector.get("switches") or {}))
    found = [named]
    if vector.get("same_without_entangler"):
        found.append(named.changed(entangler="none"))
    if vector.get("determined"):
        found.append(named.changed(pawn_area="forward"))
    return list(dict.fromkeys(map(str, found)))


def check(vector: Mapping[str, Any], profile: str) -> None:
    """Plays the vector's moves in every way they can turn out."""
    rules = PieceQubitChess(profile, start(vector["start"]))
    position = rules.start(backends.engine("sparse"))
    expected = vector["expect"]
    check_legal(position, expected.get("legal_at_start") or {})
    branches = [(1.0, position)]
    for a, b in vector["moves"]:
        branches = [branch for p, before in branches for branch in played(rules, before, Move(a, b), p)]
    for _, after in branches:
        check_legal(after, expected.get("legal_after") or {})
    names = {piece["id"] for piece in vector["start"]["pieces"]}
    check_branches(
        gathered((p, visible(rules, after, names)) for p, after in branches),
        gathered((branch["prob"], told(branch)) for branch in expected["branches"]),
    )
    check_means(branches, expected.get("mean_probs") or {})


def start(data: Mapping[str, Any]) -> dict[str, Any]:
    """A vector's start in JSON form."""
    lone = [{"members": [p["id"]], "amps": p["amps"]} for p in data["pieces"] if p.get("amps")]
    pieces = [
        {
            "id": p["id"],
            "colour": p["colour"],
            "kind": letter(p["kind"]),
            "second": LETTERS[p["types"][1]] if len(p["types"]) > 1 else "",
            "square": p["square"],
            "moved": p["moved"],
        }
        for p in data["pieces"]
    ]
    return {"side": data["side"], "pieces": pieces, "systems": [*lone, *(data.get("systems") or ())]}


def letter(kind: str) -> str:
    """A kind's letter: N for Q-knight."""
    return LETTERS[kind.removeprefix("Q-").capitalize()]


def played(rules: PieceQubitChess, before: Position, move: Move, p: float) -> Iterator[tuple[float, Position]]:
    """Every way in which a move can turn out, with its probability; a branch that is decided stays as it is."""
    if before.ended:
        yield p, before
        return
    rules.check(before, move)
    for way in rules.outcomes(before, move):
        yield p * way.probability, way.position


def check_legal(position: Position, expected: Mapping[str, list[str]]) -> None:
    """The squares to which each named piece may go, whoever is to move; a captured piece has none."""
    squares = position.squares
    for name, to in expected.items():
        found = legal_from(position, squares[name]) if name in squares else []
        assert sorted(found) == sorted(to), name


def legal_from(position: Position, square: str) -> list[str]:
    """The squares to which the piece here may go."""
    piece = position.board[square]
    return legal(position.board, square, piece, position.types(piece))


# -- what can be seen of a branch -------------------------------------------------------------------


class Seen(NamedTuple):
    """A branch as players see it: what is certain of it, and the odds of each piece's types."""

    #: winner, systems, who was removed, and each piece's square and kind
    certain: Any
    odds: dict[tuple[str, str], float]

    def is_like(self, other: Seen) -> bool:
        """Whether both look the same, to within the vectors' tolerance."""
        return self.certain == other.certain and all(
            abs(self.odds.get(key, 0.0) - other.odds.get(key, 0.0)) <= TOLERANCE
            for key in self.odds.keys() | other.odds.keys()
        )


def visible(rules: PieceQubitChess, position: Position, all_names: set[str]) -> Seen:
    """What can be seen of a position."""
    result = rules.result(position)
    winner = None if result is None else result.winner[0] if result.winner else "draw"
    board = position.board.items()
    systems = frozenset(map(frozenset, position.systems))
    removed = frozenset(all_names - set(position.squares))
    places = frozenset((piece.id, square, piece.kind) for square, piece in board)
    odds = {(piece.id, NAMES[t]): p for _, piece in board for t, p in position.odds(piece).items()}
    return Seen((winner, systems, removed, places), odds)


def told(branch: Mapping[str, Any]) -> Seen:
    """A vector's branch as `visible` gives it."""
    pieces = branch["pieces"].items()
    systems = frozenset(map(frozenset, branch["systems"]))
    places = frozenset((name, piece["square"], letter(piece["kind"])) for name, piece in pieces)
    odds = {(name, type_): p for name, piece in pieces for type_, p in piece["probs"].items()}
    return Seen((branch["winner"], systems, frozenset(branch["removed"]), places), odds)


def gathered(branches: Iterable[tuple[float, Seen]]) -> list[tuple[float, Seen]]:
    """The branches with those that look the same taken together."""
    found: list[tuple[float, Seen]] = []
    for p, seen in branches:
        at = next((k for k, (_, other) in enumerate(found) if seen.is_like(other)), None)
        if at is None:
            found.append((p, seen))
        else:
            found[at] = (found[at][0] + p, found[at][1])
    return found


def check_branches(found: list[tuple[float, Seen]], expected: list[tuple[float, Seen]]) -> None:
    """Every branch is expected, with its probability, and none is missing."""
    assert len(found) == len(expected), (found, expected)
    for p, seen in expected:
        assert any(seen.is_like(other) and abs(p - q) <= TOLERANCE for q, other in found), (p, seen, found)
    assert abs(sum(p for p, _ in found) - 1) <= TOLERANCE


def check_means(branches: Weighed, expected: Mapping[str, Mapping[str, float]]) -> None:
    """The mean odds of the pieces that survive in every branch."""
    for name, types in expected.items():
        survived = [(p, b, b.squares.get(name)) for p, b in branches]
        if any(square is None for _, _, square in survived):
            continue
        for type_, mean in types.items():
            total = sum(p * b.odds(b.board[square]).get(LETTERS[type_], 0.0) for p, b, square in survived if square)
            assert abs(total - mean) <= TOLERANCE, (name, type_, total, mean)
