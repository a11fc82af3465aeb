"""Moves as text, followed by their measurements.

    step c3-d4      split c3^b4d4      merge b4d4^c5      capture c3-e5 (c3xe5 is read, too)

After a move that measured, each question has a suffix: ``.m1`` found on the expected square, ``.m0g5`` found on g5,
``.m0x`` captured (``x2`` if a second capture of it was open). The place of a partner that collapsed too is given after
a slash if it does not follow: ``.m1/d6``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from qchess.circuits import Qubit
from qchess.errors import InvalidMoveError
from qchess.games.quantum_checkers.book import Board
from qchess.games.quantum_checkers.move import Move, is_jump
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.turn import Look, Turn

_SQUARE = r"[a-z][1-9][0-9]?"
_PLACE = rf"(?:{_SQUARE}|x[2-9]?)"
_ANSWER = rf"\.m(?:1|0(?:{_PLACE})?)(?:/{_PLACE})?"
_MOVE = re.compile(
    rf"(?P<s1>{_SQUARE})(?P<s2>{_SQUARE})?(?P<how>[-x^]?)(?P<t1>{_SQUARE})(?P<t2>{_SQUARE})?(?P<found>(?:{_ANSWER})*)"
)
_ONE = re.compile(rf"\.m(?P<hit>[01])(?P<place>{_PLACE})?(?:/(?P<partner>{_PLACE}))?")


class Written(NamedTuple):
    """A parsed move, with its claims and measurements."""

    move: Move
    claims_capture: bool
    found: tuple[re.Match[str], ...]


def parse(board: Board, text: str) -> Written:
    """Parse a move; the squares of a pair may be in either order."""
    match = _strictly(text)
    if not match:
        raise InvalidMoveError(f"expected a move such as 'c3-d4', 'c3^b4d4' or 'b4d4^c5', got {text!r}")
    numbers = {key: board.geometry.square(match[key]) for key in ("s1", "s2", "t1", "t2") if match[key]}
    sources = tuple(sorted(numbers[key] for key in ("s1", "s2") if key in numbers))
    targets = tuple(sorted(numbers[key] for key in ("t1", "t2") if key in numbers))
    return Written(Move(sources, targets), match["how"] == "x", tuple(_ONE.finditer(match["found"])))


def is_strict(text: str) -> bool:
    """Tell whether the text has the form of a move, so that nothing must be guessed."""
    return _strictly(text) is not None


def parted(text: str) -> tuple[str, str]:
    """Return a text as its move and its suffixes for measurements, perhaps empty."""
    body, dot, found = text.strip().partition(".m")
    return body, dot + found


def _strictly(text: str) -> re.Match[str] | None:
    """Return the parts of a move; a caret is in every move of three squares, and in no other."""
    match = _MOVE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        return None
    pairs = (match["s2"] is not None) + (match["t2"] is not None)
    return match if pairs == (match["how"] == "^") else None


@lru_cache(maxsize=4096)
def write(board: Board, move: Move) -> str:
    """Return the move as text, before play; some texts are kept, since each is asked for several times."""
    names, (sources, targets) = board.names, move
    before, behind = [[names[k] if 0 <= k < len(names) else f"?{k}" for k in part] for part in (sources, targets)]
    return "".join([*before, "^" if len(sources) + len(targets) > 2 else "-", *behind])


def is_claimed_capture(board: Board, written: Written) -> bool:
    """Tell whether a text with an x is a capture, as it claims."""
    return not written.claims_capture or is_jump(written.move, board.size)


# -- what was measured -------------------------------------------------------------------------------


def write_found(position: Position, turn: Turn, answers: Mapping[str, int]) -> str:
    """Return the suffixes of a move that measured, in the order asked."""
    return "".join(_written(position, look, answers[look.name]) for look in turn.looks if look.name in answers)


def _written(position: Position, look: Look, answer: int) -> str:
    places = _places(position, look)
    shown = [places[qubit] for k, qubit in enumerate(look.qubits) if answer >> k & 1]
    own = [place for place in shown if not place.startswith("/")]
    asked = position.board.names[look.square]
    text = ".m1" if asked in own else ".m0" + "".join(own)
    partner = [place for place in shown if place.startswith("/")]
    return text + (partner[0] if partner and not _is_implied(position, look, answer) else "")


def _places(position: Position, look: Look) -> dict[Qubit, str]:
    """Return how each qubit of a read-out is written: a square, ``x``, ``x2``; the partner's with a slash."""
    found: dict[Qubit, str] = {}
    for number, slash in ((look.piece, ""), (look.partner, "/")):
        if number is not None:
            piece = position.pieces[number]
            found |= {position.board.names[s]: slash + position.board.names[s] for s in piece.squares}
            found |= {q: f"{slash}x{k + 1 if k else ''}" for k, q in enumerate(piece.taken)}
    return found


def _is_implied(position: Position, look: Look, answer: int) -> bool:
    """Tell whether the partner's place follows from the piece's own."""
    own = _own_mask(position, look)
    return sum(other & own == answer & own for other in _possible(position, look)) == 1


def _own_mask(position: Position, look: Look) -> int:
    return (1 << len(look.qubits)) - 1 if look.partner is None else (1 << len(position.places(look.piece))) - 1


def _possible(position: Position, look: Look) -> list[int]:
    """Return the possible answers of a read-out of the present state."""
    return list(position.registers.distribution(*look.qubits))


def read_found(position: Position, turn: Turn, found: Sequence[re.Match[str]], text: str) -> dict[str, int] | None:
    """Return the answers that the suffixes record; None if there are none."""
    if not found:
        return None
    if len(found) > len(turn.looks):
        asks = ("nothing", "one question", "two questions")[len(turn.looks)]
        raise InvalidMoveError(f"the move asks {asks}, but {text!r} records {len(found)} answers")
    answers: dict[str, int] = {}
    for look, match in zip(turn.looks, found, strict=False):
        answers[look.name] = _read(position, look, match, text)
        if look is not turn.looks[-1] and len(found) > len(answers) and match["hit"] == "0":
            raise InvalidMoveError(f"the capturer was not found, so nothing more is measured, but {text!r} says more")
    return answers


def _read(position: Position, look: Look, match: re.Match[str], text: str) -> int:
    """Return the answer of one suffix; places that follow may be left out."""
    places = _places(position, look)
    fits = []
    for answer in _possible(position, look):
        shown = [places[q] for k, q in enumerate(look.qubits) if answer >> k & 1]
        own = next((place for place in shown if not place.startswith("/")), None)
        partner = next((place[1:] for place in shown if place.startswith("/")), None)
        hit = own == position.board.names[look.square]
        if hit == (match["hit"] == "1") and _agree(match, own, partner):
            fits.append(answer)
    if len(fits) != 1:
        how_many = "nothing" if not fits else "more than one outcome"
        raise InvalidMoveError(f"{match[0]!r} in {text!r} fits {how_many} that can be found here")
    return fits[0]


def _agree(match: re.Match[str], own: str | None, partner: str | None) -> bool:
    """Tell whether a suffix names these places."""
    return match["place"] in (None, own) and match["partner"] in (None, partner)
