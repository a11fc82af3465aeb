"""How the vectors of quantum checkers are checked: move by move, with every outcome forced.

Squares are [x,y]; a move's list of outcomes says what each question found, in the order asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from qchess import backends
from qchess.circuits.chances import explore
from qchess.games.quantum_checkers import Move, Position, QuantumCheckers
from qchess.games.quantum_checkers.move import is_jump
from qchess.games.quantum_checkers.turn import Look

TOLERANCE = 1e-9
STATES = {None: "in_progress", "white": "white_won", "black": "black_won"}


def cases(data: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every vector."""
    for vector in data["vectors"]:
        yield vector["id"], partial(check, vector)


def check(vector: Mapping[str, Any]) -> None:
    """Replays a vector and compares everything that it says."""
    rules = QuantumCheckers(level=vector["level"], size=vector["n"], position=start(vector))
    position = rules.start(backends.engine("sparse"))
    forced: list[float] = []
    for data in vector["moves"]:
        position = played(rules, position, data, forced)
    expected = vector["expect"]
    assert_close(forced, expected["measurement_probabilities"])
    check_board(position, expected)
    assert (position.player, position.quiet) == (expected["turn"], expected["plies_without_capture"])
    result = rules.result(position)
    assert (STATES[result.winner if result else None] if not result or result.winner else "draw") == expected["state"]
    if not result:
        assert sorted(told(position, move) for move in rules.moves(position)) == sorted(expected["legal_moves"])


def start(vector: Mapping[str, Any]) -> str:
    """A vector's start as the text of a set-up."""
    sides: dict[str, list[str]] = {"white": [], "black": []}
    for piece in vector["pieces"]:
        sides[piece["color"]].append(("K" if piece["king"] else "") + name(piece["sq"]))
    white, black = (",".join(sides[colour]) for colour in ("white", "black"))
    quiet = vector["start_plies_without_capture"]
    return f"{vector['to_move'][0].upper()}:W{white}:B{black}" + (f":H{quiet}" if quiet else "")


def name(square: Sequence[int]) -> str:
    """A square's name: [0,0] is a1."""
    return f"{chr(ord('a') + square[0])}{square[1] + 1}"


def played(rules: QuantumCheckers, before: Position, data: Mapping[str, Any], forced: list[float]) -> Position:
    """The position after a move whose outcomes are forced; notes how likely each was."""
    move = rules.read(before, text(data))[0]
    turn = rules.turn(before, move)
    for chance in explore(before.registers, turn.program):
        if all(fits(rules, before, look, chance.answers, outcome) for look, outcome in zip(
            turn.looks, data.get("outcomes", ()), strict=False
        )) and len(chance.answers) == len(data.get("outcomes", ())):  # fmt: skip
            forced += [answer.probability for answer in chance.run.answers]
            return rules.settle(before, turn, chance.run)
    raise AssertionError(f"no outcome of {text(data)} is {data.get('outcomes')}")


def text(data: Mapping[str, Any]) -> str:
    """A vector's move as text."""
    if data["type"] == "split":
        return f"{name(data['from'])}^{''.join(map(name, data['to']))}"
    if data["type"] == "merge":
        return f"{''.join(map(name, data['from']))}^{name(data['to'])}"
    return f"{name(data['from'])}{'x' if data['type'] == 'capture' else '-'}{name(data['to'])}"


def fits(
    rules: QuantumCheckers, before: Position, look: Look, answers: Mapping[str, int], outcome: Mapping[str, Any]
) -> bool:
    """Whether the answers are the outcome that a vector gives to a question."""
    assert name(outcome["square"]) == rules.book.board.names[look.square]
    if look.name not in answers:
        return False
    found = [qubit for k, qubit in enumerate(look.qubits) if answers[look.name] >> k & 1]
    if outcome["found"]:
        return found == [name(outcome["square"])]
    where = outcome["collapsed_to"]
    return found[0] in before.pieces[look.piece].taken if where == "captured" else found == [name(where)]


def check_board(position: Position, expected: Mapping[str, Any]) -> None:
    """Odds, colours and kings of all squares."""
    names = position.board.names
    by_name = {f"{k % position.board.size},{k // position.board.size}": k for k in range(len(names))}
    odds = {key: position.registers.probability(names[k]) for key, k in by_name.items()}
    occupied = {key: p for key, p in odds.items() if p > 0}
    assert occupied.keys() == expected["probability"].keys()
    assert_close([occupied[key] for key in occupied], [expected["probability"][key] for key in occupied])
    assert {key: position.colour(by_name[key]) for key in occupied} == expected["color"]
    assert sorted(key for key, k in by_name.items() if k in position.kings) == sorted(expected["kings"])


def told(position: Position, move: Move) -> str:
    """A move as the vectors write it."""
    size = position.board.size
    sources, targets = ("|".join(f"{k % size},{k // size}" for k in squares) for squares in move)
    if is_jump(move, size):
        over = position.board.over(move.sources[0], move.targets[0])
        return f"capture {sources}x{over % size},{over // size}>{targets}"
    return f"{'split' if move.is_split else 'merge' if move.is_merge else 'move'} {sources}>{targets}"


def assert_close(found: Sequence[float], expected: Sequence[float]) -> None:
    """Both lists agree to within the vectors' tolerance."""
    assert len(found) == len(expected), (found, expected)
    assert all(abs(a - b) <= TOLERANCE for a, b in zip(found, expected, strict=True)), (found, expected)
