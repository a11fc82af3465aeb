"""The registers of a game in words: pieces, squares, and the two squares with the most mutual information."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from qchess.circuits.precision import SAME
from qchess.playing.game import Game
from qchess.showing.registers import sign
from qchess.showing.view import View, is_uncertain
from qchess.study.subject import require_game
from qchess.wording import COLUMNS, folded, percent

#: how many pairs of a register are named, and the least mutual information of one, in bits
PAIRS, LEAST = 3, 0.01
NOTHING = "Nothing is entangled."
_CHESS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
_DRAUGHTS = {"M": "man", "O": "man", "K": "king"}
_NOUNS: Mapping[str, Mapping[str, str]] = {"chess": _CHESS, "draughts": _DRAUGHTS}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_MANY = {"man": "men"}


def entanglement_text(game: Game[Any, Any], *, unicode: bool = True, columns: int = COLUMNS) -> str:
    """Return a paragraph for each register: its shape on the board, its pieces with their squares, its closest pairs.

    Closeness is mutual information: 1 bit if a read-out of one square determines the other, 2 for a Bell pair.

    >>> import qchess
    >>> game = qchess.new('quantum-chess', seed=1)
    >>> played = game.play('b1^a3c3')
    >>> print(entanglement_text(game))
    ● white: one knight in two places, a3 50%, c3 50%.
      Closest pairs, in bits: a3 c3 2.
    """
    from qchess.study.pairs import entanglement

    require_game(game)
    view, squares = game.view(), game.rules.squares(game.position)
    pairs: dict[int, list[tuple[float, str, str]]] = {}
    for a, b, data in entanglement(game).edges(data=True):
        first, second = sorted((squares.get(a, a), squares.get(b, b)))
        number = view.group_of(first)
        if number is not None and view.group_of(second) == number and data["mutual_information"] >= LEAST:
            pairs.setdefault(number, []).append((data["mutual_information"], first, second))
    lines: list[str] = []
    for number, group in enumerate(view.groups):
        mark = sign(view.registers[number] if view.registers else number, unicode)
        lines += folded(f"{mark} {'; '.join(_men(view, group))}.", columns, "  ")
        closest = sorted(pairs.get(number, ()), key=lambda pair: (-round(pair[0], 6), pair[1:]))
        if closest:
            told = ", ".join(f"{a} {b} {round(bits, 2):g}" for bits, a, b in closest[:PAIRS])
            more = f", and {len(closest) - PAIRS} weaker pairs" if len(closest) > PAIRS else ""
            lines += folded(f"  Closest pairs, in bits: {told}{more}.", columns, "  ")
        else:
            lines.append("  No two of these squares know of each other; only more of them together do.")
    grouped = {square for group in view.groups for square in group}
    for register in game.position.registers.each:
        lone = tuple(name for q in register.qubits if (name := squares.get(q, q)) in view.men and name not in grouped)
        if lone and len(register.qubits) > 1:
            lines += folded(f"{'; '.join(_men(view, lone))}: entangled with nothing on the board.", columns, "  ")
    return "\n".join(lines) or NOTHING


def _men(view: View, group: tuple[str, ...]) -> Iterator[str]:
    """Yield the pieces of a register with their squares."""
    places: dict[tuple[int, str], list[tuple[str, float]]] = {}
    for square in sorted(group):
        for man in view.men.get(square, ()):
            if is_uncertain((man,)):
                places.setdefault((view.side(man), man.symbol), []).append((square, man.probability))
    last = None
    for (side, symbol), where in sorted(places.items(), key=lambda item: item[0][0]):
        who = "" if side == last else f"{view.players[side]}: "
        last = side
        yield f"{who}{_named(view, symbol, where)}{', ' if len(where) > 1 else ' on '}" + ", ".join(
            f"{square} {percent(p)}" for square, p in where
        )


def _named(view: View, symbol: str, where: list[tuple[str, float]]) -> str:
    """Return how many pieces these are and in how many places, as far as certain."""
    noun = _NOUNS.get(view.drawings, {}).get(symbol.upper(), symbol.upper())
    total = sum(p for _, p in where)
    if len(where) == 1:
        return noun
    count, places = round(total), f"in {_number(len(where))} places"
    several = _MANY.get(noun, f"{noun}s")
    if count and abs(total - count) < SAME * 100:
        return f"{_number(count)} {noun if count == 1 else several} {places}"
    return f"{several} {places}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
