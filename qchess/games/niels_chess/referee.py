"""The referee: people play on a wooden board with real dice, and enter their moves and throws.

It knows whose turn it is, refuses illegal moves with a reason, says who throws which die and what each face means, and
what becomes of the pieces. The game is saved after every line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from qchess.errors import IllegalMoveError, InvalidMoveError, QchessError
from qchess.games.niels_chess import notation, scene
from qchess.games.niels_chess.dice import RealDice
from qchess.games.niels_chess.move import JOIN, SPLIT, Move
from qchess.games.niels_chess.rules import NielsChess, NielTurn
from qchess.games.niels_chess.units import DIAGONALS
from qchess.playing.game import Game, Played

HELP = """\
a move              b1c3, b1^a3c3 (both marks face the opponent), b1^a3oc3p, f4^f4oh6p&e5, X:a1a5
1 ... 6             the face that lies up, when a die was asked for
moves [SQUARE]      how many moves each piece has, or all of one piece
odds MOVE           which dice would be thrown, and the chance of success
board, nfen         the board with its marks; the position as text
undo, resign, quit  take the last move back; give up; leave, to go on later"""
FACE = re.compile(r"\s*([0-9]+)\s*")


class Referee:
    """One game between people, entered line by line."""

    def __init__(
        self, game: Game[Any, Any], stdin: Iterable[str], stdout: TextIO, keep: Callable[[], None] = lambda: None
    ) -> None:
        if not isinstance(game.rules, NielsChess):
            raise InvalidMoveError(f"the referee can watch Niel's Chess and Niel's Xiangqi, not {game.rules.name}")
        self.game, self.rules = game, game.rules
        self.dice = RealDice()
        game.source = self.dice
        self.lines, self.stdout, self.keep = iter(stdin), stdout, keep
        self.commands: dict[str, Callable[[str], None]] = {
            "board": lambda _: self.say(str(self.game)),
            "help": lambda _: self.say(HELP),
            "moves": self._moves,
            "nfen": lambda _: self.say(self.rules.nfen(self.game.position)),
            "odds": self._odds,
            "undo": lambda _: self.say(f"taken back: {self.game.undo().text}"),
            "resign": lambda _: self.say(f"{self.game.resign()}"),
        }

    def say(self, text: str) -> None:
        """Print lines."""
        print(text, file=self.stdout, flush=True)

    def run(self) -> None:
        """Read lines until the game or the input ends."""
        self.say(str(self.game))
        while self.game.result is None:
            line = self._asked()
            if line is None or line.strip() in ("quit", "exit"):
                return
            try:
                self._heard(line.strip())
            except QchessError as error:
                self.say(f"No: {' '.join(str(error).split())}")
            self.keep()
        self.say(f"Game over. {self.game.result}.")

    def _asked(self) -> str | None:
        """Return the next line, after a prompt for what is expected."""
        print(f"{self.prompt()} ", end="", file=self.stdout, flush=True)
        return next(self.lines, None)

    def prompt(self) -> str:
        """Return what is expected: a face of somebody's die, or a move."""
        waiting = self.game.pending
        if waiting is None:
            return f"{self.game.player}>"
        turn: NielTurn = waiting.turn  # type: ignore[assignment]
        roll = turn.rolls[len(waiting.pause.answers)]
        return f"[{scene.roll_in_words(self.rules.book, self.rules.players, roll)}] die>"

    def _heard(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if self.game.pending is not None and word not in ("board", "help", "nfen"):
            self._face(line)
        elif word in self.commands:
            self.commands[word](rest.strip())
        elif FACE.fullmatch(line):
            raise InvalidMoveError("no die is needed now; type a move, or help")
        elif line:
            self._play(line)

    # -- moves and dice ------------------------------------------------------------------------------------

    def _play(self, text: str) -> None:
        """Play an entered move; a remote collapse may be entered together with the move that follows it."""
        for stage in notation.stages(text):
            turn = self.rules.read_turn(self.game.position, stage)
            if turn.move.kind == JOIN and not turn.move.option:
                turn = self.rules.read_turn(self.game.position, self._with_diagonal(turn.move, stage))
            self.game.begin(turn)
            if self.game.pending is None:
                self._tell(self.game.history[-1])

    def _face(self, line: str) -> None:
        found = FACE.fullmatch(line)
        if not found:
            raise IllegalMoveError(f"a die must be thrown first: type its face, 1 to 6, not {line!r}")
        if not 1 <= int(found[1]) <= 6:
            raise InvalidMoveError(f"expected a face from 1 to 6, got {line!r}")
        self.dice.told = int(found[1])
        waited = self.game.pending
        played = self.game.collect()
        if played is not None:
            self._tell(played)
        elif self.game.pending is waited:
            raise InvalidMoveError("the die was not read; type the face again")

    def _with_diagonal(self, move: Move, text: str) -> str:
        """Ask the opponent for a diagonal, if both are free."""
        state, book = self.game.position.state, self.rules.book
        joined = state.men[book.numbers[move.squares[3]]]
        if joined is None or joined.diag or len(book.free_diagonals(state.men)) < len(DIAGONALS):
            return text
        opponent = self.rules.players[1 - state.turn]
        while True:
            print(f"[{opponent} turns the marks of both halves onto the diagonal + or -] ", end="", file=self.stdout)
            self.stdout.flush()
            line = next(self.lines, "+").strip()
            if line in DIAGONALS:
                return f"{move._replace(option=line)}"
            self.say("No: a diagonal is + (to the right) or - (to the left)")

    def _tell(self, played: Played) -> None:
        """Print the changes for the players' board."""
        self.say(f"{played.player}: {played.text}")
        for line in self.game.position.rolled:
            self.say(f"  {line}")
        for line in changes(self.rules, self.game.positions[-2].state.men, self.game.position.state.men):
            self.say(f"  {line}")
        state = self.game.position.state
        if self.game.result is None and state.pending < 0 and self.rules.book.in_check(state.men, state.turn):
            self.say(f"  {self.game.player} is in check")

    # -- looking ------------------------------------------------------------------------------------------------

    def _moves(self, square: str) -> None:
        moves = [move for move in self.game.legal_moves if move.squares]
        if square:
            listed = [str(move) for move in moves if move.start == square]
            self.say("  ".join(listed) or f"no piece on {square} may move")
            return
        for start in dict.fromkeys(move.start for move in moves):
            mine = [move for move in moves if move.start == start]
            splits = len({frozenset(move.squares[1:3]) for move in mine if move.kind == SPLIT})
            joins = sum(move.kind == JOIN for move in mine)
            plain = len(mine) - joins - sum(move.kind == SPLIT for move in mine)
            self.say(f"{start}: {plain} moves, {splits} superpositions, {joins} entanglements")

    def _odds(self, text: str) -> None:
        self.say(self.rules.describe(self.game.position, text))


def changes(rules: NielsChess, before: Any, after: Any) -> list[str]:
    """Return the changes on the board, unit by unit: taken off, put on, turned."""
    from qchess.games.niels_chess.nfen import unit_text

    old, new = ({unit for unit in men if unit is not None} for men in (before, after))
    off = [f"- {unit_text(rules.book, unit)}" for unit in sorted(old - new)]
    return off + [f"+ {unit_text(rules.book, unit)}" for unit in sorted(new - old)]
