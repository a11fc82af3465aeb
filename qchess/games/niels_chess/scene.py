"""What players see: the marks of each half, the groups, who rolls which die, and what a roll decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from qchess.circuits import Answer
from qchess.games.niels_chess.attempts import endings
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.coins import odds
from qchess.games.niels_chess.effects import attempt_of, outcomes
from qchess.games.niels_chess.move import (
    AGREE,
    DECLINE,
    HADAMARD,
    INVERT,
    JOIN,
    MOVE,
    PAIRING,
    REMOTE,
    SPLIT,
    TUNNEL,
    Move,
    Z,
)
from qchess.games.niels_chess.position import Position
from qchess.games.niels_chess.rolls import Roll, rolls_of
from qchess.games.niels_chess.units import DIAGONALS, State, Unit, members, unit_at
from qchess.showing.marks import Mark
from qchess.showing.view import Arrow, Man, Sketch, View
from qchess.wording import percent

COLOURS = {"r": "red", "b": "blue", "g": "green"}
#: the turn of a mark on a diagonal against one on the middle line
TILT = {"": 0, "+": 45, "-": -45}


def view(book: Book, position: Position, last: Move | None = None) -> View:
    """The board: every half with its mark and its chance, groups by their diagonals, and who is to move."""
    state, registers = position.state, position.registers
    men = {
        book.names[square]: (man(book, unit, square, registers.probability(book.names[square])),)
        for square, unit in enumerate(state.men)
        if unit is not None
    }
    return View(
        width=book.board.width,
        height=book.board.height,
        men=men,
        links=tuple((book.names[pair.at], book.names[pair.second], 1.0) for pair in state.pairs),
        arrows=tuple(_arrows(last)),
        marked=tuple(dict.fromkeys(last.squares)) if last else (),
        groups=groups(book, state),
        notes=tuple(notes(book, position)),
        drawings="letters" if book.variant.xiangqi else "chess",
        players=position.players,
        grid=grid(book) if book.variant.xiangqi else (),
        signs={(book.names[pair.at], book.names[pair.second]): -1 for pair in state.pairs},
    )


def groups(book: Book, state: State) -> tuple[tuple[str, ...], ...]:
    """The squares of each group, by its diagonal, and of each pair without one."""
    found = [group for diag in DIAGONALS if (group := members(state.men, diag))]
    found += [[pair] for pair in state.pairs if not pair.diag]
    return tuple(tuple(book.names[k] for pair in group for k in pair.squares) for group in found)


def man(book: Book, unit: Unit, square: int, chance: float) -> Man:
    """A piece, or one half of a pair with its mark."""
    letter = shown(book, unit)
    if not unit.is_pair:
        return Man(letter)
    return Man(letter, chance, mark=mark(book, unit, square))


def shown(book: Book, unit: Unit) -> str:
    """The letter that players see: horses and elephants of Xiangqi have their own."""
    kind = book.pieces.shown.get(unit.kind, unit.kind)
    return kind if unit.colour == 0 else kind.lower()


def mark(book: Book, unit: Unit, square: int) -> Mark:
    """The mark of a half: its colour, and the way it points on the board."""
    first = square == unit.at
    colour = COLOURS[book.first_mark if first else book.second_mark]
    forward = (unit.facing[0] if first else unit.facing[1]) == "o"
    away = forward == (unit.colour == 0)  # it points up the board
    return Mark(colour, ((0 if away else 180) + TILT[unit.diag]) % 360)


def sketch(move: Move) -> Sketch:
    """From where to where a move goes; a half may stay where it is."""
    if move.kind in PAIRING:
        return Sketch(move.squares[:1], move.squares[1:3], "split")
    return Sketch(move.squares[:1], move.squares[1:], "move" if move.kind in (MOVE, TUNNEL) else "other")


def _arrows(last: Move | None) -> Iterator[Arrow]:
    drawn = sketch(last) if last else None
    if drawn and drawn.kind != "other":
        start = drawn.sources[0]
        yield from (Arrow(start, end, drawn.kind) for end in drawn.targets if drawn.kind == "move" or end != start)


def grid(book: Book) -> tuple[tuple[str, str], ...]:
    """The lines of a Xiangqi board: ranks, files broken at the River, and the diagonals of the Palaces."""
    at = book.names.__getitem__
    width, height = book.board.width, book.board.height
    half = height // 2
    ranks = [(at(y * width), at(y * width + width - 1)) for y in range(height)]
    edges = [(at(x), at((height - 1) * width + x)) for x in (0, width - 1)]
    files = [
        (at(low * width + x), at(high * width + x))
        for x in range(1, width - 1)
        for low, high in ((0, half - 1), (half, height - 1))
    ]
    palaces = [(at(y * width + a), at((y + 2) * width + b)) for y in (0, height - 3) for a, b in ((3, 5), (5, 3))]
    return tuple(ranks + edges + files + palaces)


# -- words ---------------------------------------------------------------------------------------------------


def notes(book: Book, position: Position) -> Iterator[str]:
    """Whose turn it is, check, and the groups."""
    state = position.state
    told = f"{position.player} to move"
    if state.pending >= 0:
        told += f" the piece that was measured on {book.names[state.pending]}"
    elif state.offer is not None:
        told = f"{position.player} is asked to agree to {state.offer}: agree or decline"
    elif state.suicide < 0 and book.in_check(state.men, state.turn):
        told += ", in check"
    yield told
    for diag in DIAGONALS:
        if group := members(state.men, diag):
            squares = ", ".join("/".join(book.names[k] for k in pair.squares) for pair in group)
            yield f"group {diag}: {squares}"


def kind_name(book: Book, kind: str) -> str:
    """What a letter stands for."""
    return book.pieces.names[kind]


def roll_in_words(book: Book, players: Sequence[str], roll: Roll) -> str:
    """Who throws, for what, and what the faces mean.

    ``black rolls for the bishop on d6/a3: 1-4 d6, 5-6 a3``
    """
    where = f"{roll.one}/{roll.zero}"
    more = f" and {roll.pairs - 1} more" if roll.pairs > 1 else ""
    ones, zeros = (faces_in_words(roll.faces(coin)) for coin in (1, 0))
    return (
        f"{players[roll.colour]} rolls for the {kind_name(book, roll.kind)} on {where}{more}: "
        f"{ones} {roll.one}, {zeros} {roll.zero}"
    )


def faces_in_words(faces: tuple[int, ...]) -> str:
    """Faces as players say them: even, odd, a 6, 1-4."""
    if faces == (2, 4, 6):
        return "even"
    if faces == (1, 3, 5):
        return "odd"
    return str(faces[0]) if len(faces) == 1 else f"{faces[0]}-{faces[-1]}"


def rolled(book: Book, players: Sequence[str], asked: Sequence[Roll], answers: Sequence[Answer]) -> tuple[str, ...]:
    """What each roll decided, with the face if a die was thrown."""
    return tuple(_decided(book, players, roll, answer) for roll, answer in zip(asked, answers, strict=False))


def _decided(book: Book, players: Sequence[str], roll: Roll, answer: Answer) -> str:
    face = (answer.details or {}).get("face")
    thrown = f"a {face}" if face else faces_in_words(roll.faces(answer.value))
    square = roll.one if answer.value else roll.zero
    others = f", and with it {roll.pairs - 1} more" if roll.pairs > 1 else ""
    return f"{players[roll.colour]} rolled {thrown}: the {kind_name(book, roll.kind)} is on {square}{others}"


def story(book: Book, before: State, move: Move, after: Position) -> str:
    """What the dice decided, and what became of the attempt."""
    parts = list(after.rolled)
    if attempt_of(book, before, move) is not None:
        taken = sum(unit is not None for unit in before.units) > sum(unit is not None for unit in after.state.units)
        parts.append("the capture succeeded" if taken else "nothing was captured")
    elif move.kind == TUNNEL:
        there = after.state.men[book.numbers[move.squares[1]]] is not None
        parts = [f"{parts[0].split(':')[0]}: it tunnelled" if there else f"{parts[0].split(':')[0]}: it stays"]
    return "; ".join(parts)


def describe(book: Book, players: Sequence[str], state: State, move: Move) -> str:
    """One line before a move: what it is, who rolls, and the exact chances."""
    rolls = rolls_of(book, state, move)
    parts = [roll_in_words(book, players, roll) for roll in rolls]
    attempt = attempt_of(book, state, move)
    if attempt is not None:
        found = endings(book.variant, state.men, attempt)
        success = sum((end.chance for end in found if end.captured), Fraction(0))
        parts.append(f"the capture succeeds with {percent(float(success), 1)}")
        if book.variant.no_box and len(rolls) > 1:
            parts.append("the second roll only if the attacker is there")
    elif move.kind == TUNNEL:
        parts.append("it tunnels with 16.7%, or stays")
    if parts:
        return "; ".join(parts)
    return WORDS.get(move.kind, _captures)(book, state, move)


def _captures(book: Book, state: State, move: Move) -> str:
    return "rolls nothing"


def _splits(book: Book, state: State, move: Move) -> str:
    _, first, second = move.squares[:3]
    z = move.facing[0] != move.facing[1]
    if not z:
        return f"50% on {first}, 50% on {second}"
    if book.variant.hadamard:
        return f"50% on {first}, 50% on {second}, with a phase"
    better, other = (first, second) if move.facing[0] == "o" else (second, first)
    return f"66.7% on {better}, 33.3% on {other}"


def _joins(book: Book, state: State, move: Move) -> str:
    """Which halves go together from now on."""
    end = outcomes(book, state, move)[0].state
    new, joined = (unit_at(end.men, book.numbers[move.squares[k]]) for k in (1, 3))
    name = book.names.__getitem__
    share = odds(book.variant, new)
    return (
        f"{name(new.major)} goes with {name(joined.major)} ({percent(float(share), 1)}), "
        f"{name(new.minor)} with {name(joined.minor)} ({percent(float(1 - share), 1)}); one roll decides all"
    )


def _inverts(book: Book, state: State, move: Move) -> str:
    return f"the marks turn round: {move.squares[0]} and {move.squares[1]} exchange their parts"


def _flips(book: Book, state: State, move: Move) -> str:
    return "one mark turns round: equal becomes phase, phase becomes equal; no roll can show it"


def _interferes(book: Book, state: State, move: Move) -> str:
    """Where a Hadamard move certainly puts the piece."""
    end = outcomes(book, state, move)[0].state
    if end.offer is not None:
        return "the opponent is asked to agree"
    stays = next(name for name in move.squares if end.men[book.numbers[name]] is not None)
    return f"the piece is certainly on {stays}"


def _answers(book: Book, state: State, move: Move) -> str:
    return "the offered move is made" if move.kind == AGREE else "the offered move is not made"


WORDS = {
    SPLIT: _splits,
    JOIN: _joins,
    INVERT: _inverts,
    Z: _flips,
    HADAMARD: _interferes,
    AGREE: _answers,
    DECLINE: _answers,
    REMOTE: _captures,
}
