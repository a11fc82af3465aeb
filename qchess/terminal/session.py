"""A game at the terminal: reads moves and small commands, shows the board, lets agents reply.

Streams are arguments, nothing is global: a test plays a game by handing over its lines. Whatever is
typed that is no move and no command is answered with one line that helps, and changes nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

from qchess.circuits.engine import SlowSource
from qchess.errors import IllegalMoveError, InvalidMoveError, QchessError
from qchess.playing.agents import Agent, Choice, PlayerError, Task, explained
from qchess.playing.game import Game, Played
from qchess.playing.record import Record
from qchess.playing.sentences import sentence, sentences, warning
from qchess.rules import Turn
from qchess.showing import shots
from qchess.showing.view import is_uncertain
from qchess.terminal import typed
from qchess.terminal.bypiece import by_piece
from qchess.terminal.examples import HELP_WIDE, examples, first, help_rows, shaped
from qchess.terminal.hints import hint
from qchess.terminal.screen import BOLD, DIM, RED, Screen, one_line

#: a longer line is no move
LONGEST_LINE = 120
#: how many moves `moves` shows before it asks for a narrower question
MOST_MOVES = 160
OVER = "game over"
#: what is said below a text that pushes the board off a small screen
ENTER = "Press Enter to see the board."
ODDS_WORD = "50 behind a letter: the piece is there with probability 50%."
TYPES_WORD = "50 behind a letter: the piece is what its letter says with probability 50%."
SHAPES_WORD = "Squares with the same {sign} belong together; legend tells more."


class Guide(Protocol):
    """What explains a game: its rules and signs in a few lines, and its lessons."""

    @property
    def rules(self) -> Sequence[str]:
        """The rules in short."""

    @property
    def legend(self) -> Sequence[str]:
        """What the signs on the board mean."""

    def teach(self, name: str) -> None:
        """Gives the lesson of this name, or goes on with the next one."""


class Terminal:
    """One game, its players and a screen."""

    def __init__(
        self,
        game: Game[Any, Any],
        agents: Mapping[str, Agent] | None = None,
        *,
        screen: Screen | None = None,
        rng: random.Random | None = None,
        guide: Guide | None = None,
        plies: int | None = None,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """`keep` is called after whatever changes the game, so that its record can be saved."""
        self.game = game
        self.agents = dict(agents or {})
        self.screen = screen or Screen()
        self._rng = rng
        self.guide = guide
        self.plies = plies
        self.keep = keep
        self.commands: dict[str, Callable[[str], None]] = {
            "board": self._board, "circuit": self._circuit, "entanglement": self._entanglement, "flip": self._flip,
            "help": self._help, "hint": self._hint, "history": self._history, "learn": self._learn,
            "legend": self._legend, "moves": self._moves, "nonce": self._nonce, "odds": self._odds,
            "quit": self._quit, "record": self._record, "redo": self._redo, "resign": self._resign,
            "rules": self._rules, "shots": self._shots, "undo": self._undo, "why": self._why,
        }  # fmt: skip
        self.leaving = False
        self.flipped = False
        self._shown: Any = None
        self._told: set[str] = set()
        #: what an agent chose last, and why
        self.choice: Choice | None = None

    @cached_property
    def rng(self) -> random.Random:
        """What agents and hints draw from."""
        return self._rng or random.Random()

    def run(self) -> None:
        """Plays until the player leaves or the input ends; agents among themselves, until the game is over."""
        if self.game.pending:
            self._say(f"{self.game.pending}; Ctrl-C leaves, and the answer is collected later.", DIM)
            if self.game.pending.ticket is None:
                self._foretell(self.game.pending.turn)
            self._announce(self.game.pending.turn)
        if self._humans():
            self._welcome()
            self._tell_end()
            while not self.leaving and not self._enough():
                if self.game.player in self.agents and not self.game.result:
                    self._reply(self.agents[self.game.player])
                else:
                    self._turn()
            return
        self._show_board()
        while not self.game.result and not self._enough():
            self._reply(self.agents[self.game.player])
        if self._shown is not self.game.position:
            self._show_board()
        self._tell_end()

    def _welcome(self) -> None:
        """Who plays, what is new in this game, and what can be typed."""
        against = ", ".join(f"{agent.name} plays {player}" for player, agent in self.agents.items())
        self._say(f"{self.game.rules.title}: you play {' and '.join(self._humans())}"
                  + (f", {against}." if against else "."), BOLD)  # fmt: skip
        if self.game.result:
            return
        if self.game.seal and not self.game.history:
            self._say(f"Dice seal: {self.game.seal}", DIM)
        split = shaped(self.game.moves(), "a split")
        new = f"What is new: a piece may go to two squares at once, such as {split}. " if split else ""
        learn = "New here? Type: learn. Else" if self.guide else "Type"
        self.screen.paragraphs(f"{new}{learn} a move, such as {first(self.game)}, or: help, rules, hint, quit.")

    def _changed(self) -> None:
        """The game is another one now: it is kept, and a person hears if it ended."""
        self.keep()
        if self._humans():
            self._tell_end()

    def _tell_end(self) -> None:
        if self.game.result:
            if self._humans():
                self._show_if_new()
            self._say(f"Game over. {self.game.result}.", BOLD)
            if self._humans() and not self._enough():
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
        self._announce(self.game.turn_of(self.choice.move), by=agent.name)

    def _turn(self) -> None:
        """One line of the player: a command, or else a move."""
        self._show_if_new()
        line = self.screen.read(f"{OVER if self.game.result else self.game.player}> ")
        if line is None:
            self.leaving = True
            return
        line = typed.meant(line)
        word, _, rest = line.partition(" ")
        command = self.commands.get(word.lower())
        try:
            if len(line) > LONGEST_LINE:
                raise InvalidMoveError(f"a move is short, that line has {len(line)} characters")
            if command:
                command(rest.strip())
            elif said := typed.answered(self.game, line):
                self._say(said)
            elif word:
                self._play(line)
            else:
                self._show_board()
                if not self.game.result:
                    self._say(f"Type a move, such as {first(self.game)}, or help.", DIM)
                self._tell_end()
        except InvalidMoveError as error:
            self._say(f"{one_line(error)} (help lists the commands)", RED)
        except QchessError as error:
            self._say(one_line(getattr(error, "plain", error)), RED)
            if self.game.pending:
                self._say(f"Type {self.game.pending.text} again to go on with it.", DIM)

    def _play(self, text: str) -> None:
        """Plays a typed move. Players choose moves, never answers: an answer written with it is dropped."""
        if result := self.game.result:
            raise IllegalMoveError(f"the game is over ({result}); undo takes the last move back, quit leaves")
        turn = self._found(text)
        if turn.program.answers and len(self.game.chances(turn)) > 1:
            self._say(f"odds: {self._described(turn)}", DIM)
        self._announce(turn)

    def _played(self, turn: Turn[Any]) -> Played:
        """Plays a turn; one whose answer failed to come goes on."""
        if self.game.pending and self.game.pending.turn.move == turn.move:
            return self.game.wait()
        if not self.game.pending:
            self._foretell(turn)
        return self.game.play(turn)

    def _foretell(self, turn: Turn[Any]) -> None:
        """Says once what a device with a queue will be sent, before its first question."""
        if "sent" in self._told or not isinstance(self.game.source, SlowSource):
            return
        with suppress(QchessError):  # what cannot be sent is refused when it is
            told = self.game.preview(turn)
            if told.jobs:
                self._told.add("sent")
                self.screen.paragraphs(f"Each question goes to {told.queue} as a job. This one: {told.size}.", code=DIM)

    def _found(self, text: str) -> Turn[Any]:
        """The turn that a text names, without an answer that may be written with it."""
        turn = typed.turn(self.game, text)
        if turn.told is None:
            return turn
        self._say(f"The answer written in {text!r} is ignored: nobody chooses answers.", RED)
        return replace(turn, told=None)

    def _described(self, move: Any) -> str:
        return sentences(one_line(self.game.rules.describe(self.game.position, move)))

    def _announce(self, turn: Turn[Any], by: str = "") -> None:
        """Plays, and says what the move came to, with what a device gave for its answers."""
        before = self.game.position
        played = self._played(turn)
        who = f"{played.player} ({by})" if by else played.player
        self._say(f"{who} plays {played.plain}", BOLD)
        for line in shots.lines(played.answers):
            self._say(f"  {line}", DIM)
        if said := sentence(self.game.rules, before, turn, played.answers, self.game.position):
            self.screen.paragraphs(f"  {said}", indent="  ")
        self._changed()

    # -- the board ------------------------------------------------------------------------------------

    def _show_if_new(self) -> None:
        """The board, once a turn."""
        if self._shown is not self.game.position:
            self._show_board()
            self._explain_once()
            if self.game.player not in self.agents:
                self._warn()

    def _show_board(self) -> None:
        self.screen.board(self.game.view(), self._below())
        self._shown = self.game.position

    def _warn(self) -> None:
        """Says how the king of a person who is to move could be captured."""
        if not self.game.result and (said := warning(self.game.rules, self.game.position)):
            self._say(said, RED)

    def _below(self) -> str | None:
        """Who sits at the lower side: the only person who plays, or the first player; the other one after `flip`."""
        players, humans = self.game.rules.players, self._humans()
        mine = humans[0] if len(humans) == 1 else players[0]
        if self.flipped:
            return next(player for player in players if player != mine)
        return mine

    def _explain_once(self) -> None:
        """The first odds on the board get a word, and so do the first shapes of registers."""
        view = self.game.view()
        if "odds" not in self._told and any(map(is_uncertain, view.men.values())):
            self._told.add("odds")
            types = any(len(men) > 1 for men in view.men.values())
            self.screen.paragraphs(TYPES_WORD if types else ODDS_WORD, code=DIM)
        if "shapes" not in self._told and view.lettered:
            self._told.add("shapes")
            sign = "shape" if self.screen.unicode else "capital behind the number"
            self.screen.paragraphs(SHAPES_WORD.format(sign=sign), code=DIM)

    # -- commands -------------------------------------------------------------------------------------

    def _board(self, _: str) -> None:
        self._show_board()

    def _flip(self, _: str) -> None:
        self.flipped = not self.flipped
        self._show_board()

    def _circuit(self, text: str) -> None:
        program = self.game.circuit(self._found(text) if text else None)
        self._say(
            program.draw(self.screen.columns)
            if len(program)
            else "No square is in superposition: the circuit is empty."
        )

    def _entanglement(self, _: str) -> None:
        from qchess.study.linktext import entanglement_text

        self.screen.write(entanglement_text(self.game, unicode=self.screen.unicode, columns=self.screen.columns))

    def _help(self, text: str) -> None:
        shown = examples(self.game)
        rows = help_rows(self.game, shown)
        if text:
            found = typed.about(text, rows, self.guide.rules if self.guide else ())
            self._say("\n".join(found) or f"The help has nothing on {text!r}; help alone lists the commands.")
            return
        self.screen.table("\n".join(rows), HELP_WIDE)
        if shown:
            self.screen.paragraphs("Legal now: " + ", ".join(f"{name} {move}" for name, move in shown.items()) + ".")
        self._say(ENTER, DIM)

    def _hint(self, _: str) -> None:
        if self.game.result:
            raise IllegalMoveError("the game is over; there is nothing to advise")
        move, reason = hint(self.game, self.rng)
        self._say(one_line(f"Perhaps {move}. {reason}"))

    def _why(self, _: str) -> None:
        """What the agent weighed for its last move."""
        if not self.choice:
            self._say("No agent has moved yet.")
            return
        self._say("\n".join(explained(self.choice)) or "It gave no reason.")

    def _history(self, _: str) -> None:
        if not self.game.history:
            self._say("Nothing was played yet.")
        for number, played in enumerate(self.game.history, 1):
            self.screen.paragraphs(f"{number:3}. {played.player}: {played}", indent="     ")

    def _learn(self, name: str) -> None:
        if self.guide is None:
            raise InvalidMoveError("this game has no lessons yet")
        self.guide.teach(name)
        self._say(f"Back to the game. {ENTER}", DIM)

    def _legend(self, _: str) -> None:
        if self.guide is None:
            raise InvalidMoveError("this game has no legend yet")
        self.screen.paragraphs(*self.guide.legend, indent="    ")

    def _rules(self, _: str) -> None:
        if self.guide is None:
            raise InvalidMoveError("this game has no rules in short yet")
        self.screen.paragraphs(*self.guide.rules, indent="   ")
        self._say(ENTER, DIM)

    def _moves(self, text: str) -> None:
        found = [move for move in self.game.moves() if text in move] or typed.of_piece(self.game, text)
        if self.game.result:
            self._say(f"No move is left. {self.game.result}.")
            return
        if not found:
            self._say(f"No legal move has {text!r} in it; moves alone lists all.", RED)
            return
        if not text and len(found) > MOST_MOVES:
            self._say("\n".join(by_piece(found)))
            self._say(f"{len(found)} moves; those of one piece: moves {found[-1][:2]}", DIM)
            return
        shown = found[:MOST_MOVES]
        width = max(map(len, shown)) + 2
        columns = max(1, (self.screen.columns - 2) // width)
        rows = [shown[start : start + columns] for start in range(0, len(shown), columns)]
        self._say("\n".join("".join(move.ljust(width) for move in row).rstrip() for row in rows))
        if len(found) > len(shown):
            self._say(f"... and {len(found) - len(shown)} more; narrow it, such as: moves {found[-1][:2]}", DIM)

    def _nonce(self, words: str) -> None:
        """Mixes words of the player to move into the seed of the dice."""
        if not words:
            raise InvalidMoveError("which words are to be mixed into the dice? such as: nonce a rainy day")
        self.game.add_nonce(self.game.player, words)
        self.keep()
        self._say(f"The dice follow from these words of {self.game.player} too. The record keeps them.")

    def _odds(self, text: str) -> None:
        if not text:
            raise InvalidMoveError(f"odds of which move? such as: odds {first(self.game)}")
        # a text is enough where moves are more than texts: some games describe a move without its turn
        try:
            said = self._described(text if self.game.rules.move_type else self._found(text))
        except QchessError:
            said = self._described(self._found(text))  # in words, perhaps
        self._say(said)

    def _quit(self, _: str) -> None:
        self.leaving = True

    def _record(self, _: str) -> None:
        self.screen.write(one_line_record(self.game.record()))

    def _redo(self, _: str) -> None:
        """Plays what was taken back again, up to the player's next turn."""
        again = [self.game.redo()]
        while self.game.player in self.agents:
            try:
                again.append(self.game.redo())
            except IllegalMoveError:
                break  # nothing more was taken back: the agent thinks anew
        for played in again:
            self._say(f"{played.player} again plays {played.plain}", BOLD)
            if said := played.sentence:
                self.screen.paragraphs(f"  {said}", indent="  ")
        self._changed()

    def _resign(self, _: str) -> None:
        self.game.resign()
        self._changed()

    def _shots(self, _: str) -> None:
        """What a device read for the last answer it gave."""
        for played in reversed(self.game.history):
            if told := shots.tables(played.answers, self.game.rules.squares(played.before)):
                self._say("\n".join([f"{played.player} played {played.plain}", *told]))
                return
        self._say("No device has answered in this game.")

    def _undo(self, _: str) -> None:
        """Takes back the player's last move, and the agents' replies to it."""
        players = [played.player for played in self.game.history]
        mine = [ply for ply, player in enumerate(players) if player not in self.agents]
        if not mine:
            raise IllegalMoveError("there is no move of yours to take back")
        while len(self.game.history) > mine[-1]:
            self._say(f"Taken back: {self.game.undo().plain}")
        self._changed()

    def _say(self, text: str, code: str = "") -> None:
        self.screen.say(text, code)

    def _humans(self) -> list[str]:
        return [player for player in self.game.rules.players if player not in self.agents]

    def _enough(self) -> bool:
        return self.plies is not None and len(self.game.history) >= self.plies


def one_line_record(record: Record) -> str:
    """A record as one line that can be copied."""
    return json.dumps(json.loads(record.to_json()))
