"""A game at the terminal: reads moves and small commands, shows the board, lets agents reply.

Streams are arguments, nothing is global: a test plays a game by handing over its lines. Whatever is
typed that is no move and no command is answered with one line that helps, and changes nothing.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from qchess.errors import IllegalMoveError, InvalidMoveError, QchessError
from qchess.playing.agents import Agent, Choice, PlayerError, Task, explained
from qchess.playing.game import Game, Played
from qchess.playing.record import Record
from qchess.showing.boardtext import draw

#: a longer line is no move; a longer answer is cut
LONGEST_LINE, LONGEST_ANSWER = 120, 300
#: how many moves `moves` shows before it asks for a narrower question
MOST_MOVES = 160
BOLD, RED, DIM = "1", "31", "2"
OVER = "game over"
HELP = """\
a move              as in the list, such as {example}
moves [TEXT]        the legal moves, all or those with TEXT in them
odds MOVE           what the move would ask, and how likely each answer is
board               the board with its odds
circuit [MOVE]      the circuit of a move, or of the superposition on the board
history, record     the moves so far with their answers; the record as one line
undo, redo          take your last move back with the reply to it; play it again as it was
why                 what the agent weighed for its last move
resign, quit        give up; leave the program"""


class Terminal:
    """One game, its players and two streams."""

    def __init__(
        self,
        game: Game[Any, Any],
        agents: Mapping[str, Agent] | None = None,
        *,
        rng: random.Random | None = None,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        colour: bool = False,
        plies: int | None = None,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """`keep` is called after whatever changes the game, so that its record can be saved."""
        self.game = game
        self.agents = dict(agents or {})
        self.rng = rng or random.Random()
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.colour = colour
        self.plies = plies
        self.keep = keep
        self.unicode = "utf" in (getattr(self.stdout, "encoding", None) or "utf-8").lower()
        self.commands: dict[str, Callable[[str], None]] = {
            "board": self._board, "circuit": self._circuit, "help": self._help, "history": self._history,
            "moves": self._moves, "odds": self._odds, "quit": self._quit, "record": self._record,
            "redo": self._redo, "resign": self._resign, "undo": self._undo, "why": self._why,
        }  # fmt: skip
        self.commands |= {"?": self._help, "exit": self._quit}  # what people try first
        self.leaving = False
        #: what an agent chose last, and why
        self.choice: Choice | None = None

    def run(self) -> None:
        """Plays until the player leaves or the input ends; agents among themselves, until the game is over."""
        self._board("")
        if self._human_plays():
            self._play_on()
        else:
            while not self.game.result and not self._enough():
                self._reply(self.agents[self.game.player])
            self._board("")
            self._tell_end()

    def _play_on(self) -> None:
        """Plays with a person, who may still look around and take moves back when the game is over."""
        if not self.game.result:
            self._say(f"Type a move, such as {self._example()}, or: help, moves, odds MOVE, undo, quit.", DIM)
        self._tell_end()
        while not self.leaving and not self._enough():
            if self.game.player in self.agents and not self.game.result:
                self._reply(self.agents[self.game.player])
            else:
                self._turn()

    def _changed(self) -> None:
        """The game is another one now: it is kept, and a person hears if it ended."""
        self.keep()
        if self._human_plays():
            self._tell_end()

    def _tell_end(self) -> None:
        if self.game.result:
            self._say(f"Game over: {self.game.result}.", BOLD)
            if self._human_plays() and not self._enough():
                self._say("Type undo to take the last move back, or: board, history, record, quit.", DIM)

    # -- turns ----------------------------------------------------------------------------------------

    def _reply(self, agent: Agent) -> None:
        try:
            told = self.game.record().moves()
            self.choice = agent.choose(Task(self.game.rules, self.game.position, self.rng, history=told))
        except PlayerError as fault:
            self._say(one_line(str(fault)))
            self.game.forfeit(fault.reason)
            self._changed()
            return
        self._announce(self.game.play(self.choice.move), by=agent.name)

    def _turn(self) -> None:
        """One line of the player: a command, or else a move."""
        line = self._read(f"{OVER if self.game.result else self.game.player}> ")
        if line is None:
            self.leaving = True
            return
        word, _, rest = line.strip().partition(" ")
        try:
            if len(line) > LONGEST_LINE:
                raise InvalidMoveError(f"a move is short, that line has {len(line)} characters")
            if word.lower() in self.commands:
                self.commands[word.lower()](rest.strip())
            elif word:
                self._play(line.strip())
            else:
                self._say(f"Type a move, such as {self._example()}, or help.", DIM)
        except InvalidMoveError as error:
            self._say(f"{one_line(error)} (help lists the commands)", RED)
        except QchessError as error:
            self._say(one_line(error), RED)

    def _play(self, text: str) -> None:
        """Plays a typed move. Players choose moves, never answers: an answer written with it is dropped."""
        if result := self.game.result:
            raise IllegalMoveError(f"the game is over: {result}; undo takes the last move back, quit leaves")
        move = self._found(text)
        open_question = len(self.game.chances(move)) > 1
        if open_question:
            self._say(f"odds: {self._described(move)}", DIM)
        self._announce(self.game.play(move))

    def _found(self, text: str) -> Any:
        """The legal move that a text names, without an answer that may be written with it."""
        move, answers = self.game.rules.read(self.game.position, text)
        if answers is not None:
            self._say(f"The answer written in {text!r} is ignored: nobody chooses answers.", RED)
        return move

    def _described(self, move: Any) -> str:
        return one_line(self.game.rules.describe(self.game.position, move))

    def _announce(self, played: Played, by: str = "") -> None:
        who = f"{played.player} ({by})" if by else played.player
        self._say(f"{who} plays {played}", BOLD)
        if self._human_plays():
            self._board("")
        self._changed()

    def _example(self) -> str:
        """A move to show how moves are written: a legal one while there is any."""
        return next(iter(self.game.moves()), None) or next((p.text for p in self.game.history), "b1-c3")

    # -- commands -------------------------------------------------------------------------------------

    def _board(self, _: str) -> None:
        last = self.game.history[-1].move if self.game.history else None
        view = self.game.rules.view(self.game.position, last)
        self._say(f"\n{draw(view, colour=self.colour, unicode=self.unicode)}\n")

    def _circuit(self, text: str) -> None:
        program = self.game.circuit(self._found(text) if text else None)
        self._say(program.draw() if len(program) else "No square is in superposition: the circuit is empty.")

    def _help(self, _: str) -> None:
        self._say(HELP.format(example=self._example()))

    def _why(self, _: str) -> None:
        """What the agent weighed for its last move."""
        if not self.choice:
            self._say("No agent has moved yet.")
            return
        self._say("\n".join(explained(self.choice)) or "It gave no reason.")

    def _history(self, _: str) -> None:
        played = [f"{number:3}. {entry.player}: {entry}" for number, entry in enumerate(self.game.history, 1)]
        self._say("\n".join(played) or "Nothing was played yet.")

    def _moves(self, text: str) -> None:
        found = [move for move in self.game.moves() if text in move]
        if self.game.result:
            self._say(f"No move is left: the game is over, {self.game.result}.")
            return
        if not found:
            self._say(f"No legal move has {text!r} in it; moves alone lists all.", RED)
            return
        shown = found[:MOST_MOVES]
        width = max(map(len, shown)) + 2
        columns = max(1, 78 // width)
        rows = [shown[start : start + columns] for start in range(0, len(shown), columns)]
        self._say("\n".join("".join(move.ljust(width) for move in row).rstrip() for row in rows))
        if len(found) > len(shown):
            self._say(f"... and {len(found) - len(shown)} more; narrow it, such as: moves {found[-1][:2]}", DIM)

    def _odds(self, text: str) -> None:
        if not text:
            raise InvalidMoveError(f"odds of which move? such as: odds {self._example()}")
        self._say(self._described(self._found(text)))

    def _quit(self, _: str) -> None:
        self.leaving = True

    def _record(self, _: str) -> None:
        self._say(one_line_record(self.game.record()))

    def _redo(self, _: str) -> None:
        """Plays what was taken back again, up to the player's next turn."""
        again = [self.game.redo()]
        while self.game.player in self.agents:
            try:
                again.append(self.game.redo())
            except IllegalMoveError:
                break  # nothing more was taken back: the agent thinks anew
        for played in again:
            self._say(f"{played.player} again plays {played}", BOLD)
        self._board("")
        self._changed()

    def _resign(self, _: str) -> None:
        self.game.resign()
        self._changed()

    def _undo(self, _: str) -> None:
        """Takes back the player's last move, and the agents' replies to it."""
        players = [played.player for played in self.game.history]
        mine = [ply for ply, player in enumerate(players) if player not in self.agents]
        if not mine:
            raise IllegalMoveError("there is no move of yours to take back")
        while len(self.game.history) > mine[-1]:
            self._say(f"Taken back: {self.game.undo()}")
        self._board("")
        self._changed()

    # -- streams --------------------------------------------------------------------------------------

    def _read(self, prompt: str) -> str | None:
        """The next line, or None at the end of the input."""
        if self.stdin is sys.stdin and self.stdin.isatty():
            try:
                return input(prompt)  # with the line editing of a terminal
            except EOFError:
                return None
        self.stdout.write(prompt)
        self.stdout.flush()
        line = self.stdin.readline()
        self.stdout.write("\n" if not line else "")
        return line.rstrip("\n") if line else None

    def _say(self, text: str, code: str = "") -> None:
        self.stdout.write(f"\x1b[{code}m{text}\x1b[0m\n" if self.colour and code else f"{text}\n")
        self.stdout.flush()

    def _human_plays(self) -> bool:
        return any(player not in self.agents for player in self.game.rules.players)

    def _enough(self) -> bool:
        return self.plies is not None and len(self.game.history) >= self.plies


def one_line_record(record: Record) -> str:
    """A record as one line that can be copied."""
    return json.dumps(json.loads(record.to_json()))


def one_line(message: object) -> str:
    """A message as one printable line."""
    text = " ".join(str(message).split())
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return text if len(text) <= LONGEST_ANSWER else text[: LONGEST_ANSWER - 4] + " ..."
