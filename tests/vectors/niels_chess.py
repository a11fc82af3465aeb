"""Checks Niel's Chess and Niel's Xiangqi against rule vectors: legality, every outcome with its chance, check and mate.

A vector is played twice: in the coin form, with exact fractions, and as a circuit on registers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from qchess import backends
from qchess.errors import IllegalMoveError
from qchess.games.niels_chess import Move, NielsChess, NielsXiangqi, Position, State, Unit
from qchess.games.niels_chess.effects import outcomes
from qchess.games.niels_chess.nfen import unit_text
from qchess.games.niels_chess.units import facing, place

#: the letters of Xiangqi that positions write otherwise
LETTERS = {"H": "N", "E": "B"}
UNIT = re.compile(
    r"(?P<colour>[wbr])(?P<kind>[A-Z])(?:(?P<at>[a-z]\d+)"
    r"|\([rb]:(?P<first>[a-z]\d+)(?P<f1>[op]),[bg]:(?P<second>[a-z]\d+)(?P<f2>[op])\)(?:@(?P<diag>[+-]))?)"
)
TOLERANCE = 1e-12

Ends = list[tuple[Fraction, tuple[str, ...]]]


def cases(data: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every vector, by its name and the articles that it tests."""
    for vector in data["vectors"]:
        yield f"{vector['id']} {' '.join(vector['articles'])}", partial(check, vector)


def check(vector: Mapping[str, Any]) -> None:
    """Compares everything that a vector says with the rules."""
    rules = rules_of(vector)
    position = rules.position(state_of(rules, vector["position"]), backends.engine())
    if "status" in vector:
        check_status(rules, position, vector["status"])
    if "move" not in vector:
        return
    move = move_of(vector["move"])
    if not vector["legal"]:
        with pytest.raises(IllegalMoveError):
            rules.check(position, move)
        return
    rules.check(position, move)
    check_outcomes(rules, position, move, vector)
    check_faces(rules, position, move, vector.get("dice", ()))


def rules_of(vector: Mapping[str, Any]) -> NielsChess:
    """The rules with the vector's switches."""
    switches = {name: value for name, value in vector["variant"].items() if name != "standard"}
    return NielsXiangqi(**switches) if vector["game"] == "xiangqi" else NielsChess(**switches)


def state_of(rules: NielsChess, told: Mapping[str, Any]) -> State:
    """The state of a vector, which may be one that no play reaches."""
    men: list[Unit | None] = [None] * rules.book.board.size
    for text in told["pieces"]:
        place(men, unit(rules, text))
    numbers = rules.book.numbers
    ep = (numbers[told["ep"]["square"]], numbers[told["ep"]["pawn"]]) if told["ep"] else None
    return State(tuple(men), int(told["turn"] == "b"), told["castling"], ep)


def unit(rules: NielsChess, text: str) -> Unit:
    """A piece or a pair in its long form."""
    found = UNIT.fullmatch(text)
    assert found, text
    numbers, colour = rules.book.numbers, int(found["colour"] == "b")
    kind = LETTERS.get(found["kind"], found["kind"]) if rules.xiangqi else found["kind"]
    if found["at"]:
        return Unit(colour, kind, numbers[found["at"]])
    marks = facing(found["f1"] + found["f2"])
    return Unit(colour, kind, numbers[found["first"]], numbers[found["second"]], *marks, found["diag"] or "")


def move_of(told: Mapping[str, Any]) -> Move:
    """The move of a vector."""
    kind, promotion = told["t"], told.get("promo") or ""
    first: str = told.get("red") or told.get("blue") or ""
    if kind == "super":
        second = next(square for square in told["to"] if square != first)
        return Move("split", (told["from"], first, second), told["face"], promotion)
    if kind == "entangle":
        second = told["to"] if first == told["from"] else told["from"]
        return Move("join", (told["from"], first, second, told["with"]), told["face"], promotion, told["diag"])
    if kind in ("move", "tunnel"):
        return Move(kind, (told["from"], told["to"]), "", promotion)
    return Move(kind, tuple(told["pair"]))


def check_outcomes(rules: NielsChess, position: Position, move: Move, vector: Mapping[str, Any]) -> None:
    """Every outcome has its chance and its pieces, in the coin form and on the registers."""
    then = vector["move"].get("then", {})
    told = sorted(
        (Fraction(end["p"]), tuple(sorted(unit_text(rules.book, unit(rules, piece)) for piece in end["pieces"])))
        for end in vector["outcomes"]
    )
    assert sorted(ends(rules, position.state, move, then)) == told
    check_circuit(rules, position, move)
    statuses = vector.get("status_after", ())
    for end, status in zip(vector["outcomes"], statuses, strict=bool(statuses)):
        pieces = sorted(end["pieces"])
        after = next(
            way.position for way in rules.outcomes(position, move) if texts(rules, way.position.state) == pieces
        )
        assert rules.book.in_check(after.state.men, after.state.turn) == status["check"]


def ends(rules: NielsChess, state: State, move: Move, then: Mapping[str, Any]) -> Ends:
    """The outcomes in the coin form; those of a remote collapse go on with the move of the piece that resulted."""
    found: Ends = []
    for end in outcomes(rules.book, state, move):
        if end.state.pending < 0:
            found.append((end.chance, tuple(texts(rules, end.state))))
            continue
        after = rules.position(end.state, backends.engine())
        follows = move_of(then[rules.book.names[end.state.pending]])
        rules.check(after, follows)
        found += [(end.chance * chance, pieces) for chance, pieces in ends(rules, end.state, follows, {})]
    return found


def texts(rules: NielsChess, state: State) -> list[str]:
    """All units in their long form."""
    return sorted(unit_text(rules.book, one) for one in state.units)


def check_circuit(rules: NielsChess, position: Position, move: Move) -> None:
    """The circuit has the same outcomes with the same chances, and leaves the registers that the marks describe."""
    coins = {end.rolls: end for end in outcomes(rules.book, position.state, move)}
    ways = list(rules.outcomes(position, move))
    assert {tuple(way.answers.values()) for way in ways} == set(coins)
    for way in ways:
        end = coins[tuple(way.answers.values())]
        assert abs(way.probability - end.chance) < TOLERANCE
        assert way.position.state == end.state
        rules.marks_describe_registers(way.position)


def check_faces(rules: NielsChess, position: Position, move: Move, thrown: Any) -> None:
    """Faces of dice lead to the pieces that the vector tells."""
    for told in thrown:
        text = f"{rules.write(position, move)}.d{''.join(map(str, told['faces']))}"
        read, answers = rules.read(position, text)
        assert read == move
        assert answers is not None, text
        after = next(way.position for way in rules.outcomes(position, move) if way.answers == answers)
        assert texts(rules, after.state) == sorted(unit_text(rules.book, unit(rules, one)) for one in told["pieces"])


def check_status(rules: NielsChess, position: Position, status: Mapping[str, bool]) -> None:
    """Check and checkmate are as the vector says."""
    assert rules.book.in_check(position.state.men, position.state.turn) == status["check"]
    if "checkmate" in status:
        result = rules.result(position)
        assert (result is not None and result.reason == "checkmate") == status["checkmate"]
