"""The help, and moves to show how moves are written: legal now, one of each shape that the game has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from qchess.errors import QchessError
from qchess.playing.game import Game

_SQUARE = r"[a-z]\d+"
SHAPES = {
    "a split": re.compile(rf"{_SQUARE}\^(?:{_SQUARE}[op]?){{2}}"),
    "a merge": re.compile(rf"(?:{_SQUARE}){{2}}\^{_SQUARE}"),
}
PLAIN = re.compile(rf"(?P<start>{_SQUARE})-?(?P<end>{_SQUARE})")
HELP = """\
a move              such as {move}{known}
moves [TEXT]        the legal moves, all or those with TEXT in them
odds MOVE           what it would ask or change, and how likely each answer is
hint                what an agent would play, and why
board, flip         the board with its odds; the board from the other side
legend, rules       what the signs on the board mean; the rules in short
learn [LESSON]      lessons, one thing at a time
circuit [MOVE]      the circuit of a move, or of the superposition on the board
entanglement        which pieces hang together, and how closely
history, record     the moves with their answers; the record as one line
undo, redo          take your last move back, with the reply; play it again
why                 what the agent weighed for its last move
resign, quit        give up; leave the program"""
DEVICE_HELP = "shots               how often a device read which bits for its last answer"
SEALED_HELP = "nonce WORDS         mix words of yours into the dice, before the first answer"
#: where the second column of the help begins
HELP_WIDE = 20
#: so many moves are asked for their chances, to find one that asks a question
ASKED = 120


def examples(game: Game[Any, Any]) -> dict[str, str]:
    """What is legal now, by what it shows: ``a move``, ``a split``, ``a merge``, ``a question``."""
    moves = game.moves()
    shown = {"a move": next(iter(moves), None), **{name: shaped(moves, name) for name in SHAPES}}
    shown["a question"] = _asking(game)
    return {name: move for name, move in shown.items() if move is not None}


def shaped(moves: Sequence[str], name: str) -> str | None:
    """The first move that is ``a split`` or ``a merge``."""
    return next((move for move in moves if SHAPES[name].fullmatch(move)), None)


def known(game: Game[Any, Any]) -> list[str]:
    """Legal moves as chess players write them, a pawn's and an officer's, where the game reads that."""
    men, found = game.view().men, dict[bool, str]()
    for move in game.moves()[:ASKED]:
        if (plain := PLAIN.fullmatch(move)) and plain["start"] in men:
            letter = men[plain["start"]][0].symbol.upper()
            text = plain["end"] if letter == "P" else f"{letter}{plain['end']}"
            if letter.isalpha() and _means(game, text, move):
                found.setdefault(letter == "P", text)
    return [found[kind] for kind in (True, False) if kind in found]


def _means(game: Game[Any, Any], text: str, move: str) -> bool:
    """Whether a text is read as this move."""
    try:
        return game.rules.write(game.position, game.rules.read_turn(game.position, text)) == move
    except QchessError:
        return False


def _asking(game: Game[Any, Any]) -> str | None:
    """A move whose answer is open, if one is found soon."""
    rules, position = game.rules, game.position
    for move in list(rules.moves(position))[:ASKED]:
        turn = rules.turn(position, move)
        if turn.program.answers and len(rules.chances(position, turn)) > 1:
            return rules.write(position, turn)
    return None


def first(game: Game[Any, Any]) -> str:
    """Some move as text: a legal one while there is any."""
    return next(iter(game.moves()), None) or next((played.text for played in game.history), "b1-c3")


def help_rows(game: Game[Any, Any], shown: Mapping[str, str]) -> list[str]:
    """Return the rows of the help, with a move of the game that is legal now, also in short."""
    from qchess.backends.devices.source import DeviceSource

    more = f"\n{DEVICE_HELP}" if isinstance(game.source, DeviceSource) else ""
    more += f"\n{SEALED_HELP}" if game.seal else ""
    spelled = ", ".join(known(game))
    move = shown.get("a move") or first(game)
    return (HELP.format(move=move, known=f", or short: {spelled}" if spelled else "") + more).splitlines()
