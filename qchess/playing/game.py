"""A game being played: a thin shell around pure rules.

Positions are stored, never inverted: undo restores the old position, redo the new one with its outcome, and an answer
once given stands. A game with slow answers may wait for one, even while no process holds it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, Self

from qchess import backends
from qchess.circuits.engine import Answer, NamingSource, Sample, SlowSource, Source, Ticket
from qchess.circuits.errors import BackendError, LostJobError, door
from qchess.circuits.running import Pause, Run
from qchess.circuits.sources import FixedAnswers, Seeded, Throw
from qchess.errors import IllegalMoveError, InvalidMoveError, MissingExtraError, QchessError
from qchess.playing.basegame import BaseGame, M
from qchess.playing.state import GameState, P, Pending, Played, point, points
from qchess.rules import Result, Rules, Turn

#: the answers given with a move: by name, in order, or with their sources
GivenAnswers = Mapping[str, int] | Sequence[int] | Sequence[Answer]
#: its old name
Outcome = GivenAnswers
#: seconds between two checks for a slow answer: at first, and at most
FIRST_LOOK, LONGEST_LOOK = 0.01, 5.0
#: what every new game takes, besides the options of its rules
OPTIONS = ("game", "backend", "seed", "source", "preset")


class Game(BaseGame[P, M]):
    """One game, on one backend.

    >>> import qchess
    >>> game = qchess.new('quantum-chess', seed=1)
    >>> game.play('b1^a3c3').text
    'b1^a3c3'
    >>> game.probability('a3')
    0.5
    """

    @door
    def __init__(
        self,
        rules: Rules[P, M],
        backend: backends.Backend | None = None,
        *,
        seed: int | str | None = None,
        source: Source | None = None,
        start: P | None = None,
    ) -> None:
        """Make a game that begins by its rules, or in `start`, one of their positions."""
        if not isinstance(rules, Rules):
            raise QchessError(f"expected a game's rules; qchess.new('quantum-chess') is a new game; got {rules!r}")
        super().__init__(rules, backend, source, seed, start)

    @door
    def add_nonce(self, player: str, words: str) -> None:
        """Let a player add words of their own to the seed, before the first answer: then nobody alone chose the dice.

        The seal shows that the seed was there before the words; each later call replaces the player's words.
        """
        self.mix(player, words, self.rules.players, begun=self.is_answered)
        self._changed()

    @door
    def play(self, move: str | M | Turn[M], *, outcome: GivenAnswers | None = None) -> Played:
        """Play a legal move, and wait for its answers if they are slow.

        `outcome` gives the answers: for replay and study, never for players.
        """
        if outcome is None and (played := self._play_at_once(move)) is not None:
            return played
        self.begin(move, outcome=outcome)
        return self.wait()

    def _play_at_once(self, what: object) -> Played | None:
        """Play a listed move, or a text looked at in the list, by the game's core; None if it must be begun."""
        rules, state, source = self.rules, self.state, self._source
        position = state.position
        move: Any = self._looked_at(what) if isinstance(what, str) else what if rules.is_move(what) else None
        if move is None or state.pending or self.result or type(source) is not Seeded:
            return None
        if move is what and not rules.checks_at_once:
            rules.check(position, move)
        asked: dict[str, str] = {}
        made = rules.at_once(position, move, partial(self._throw, source, what, move, asked))
        if made is None:
            return None
        settled, answers = made
        text = what if isinstance(what, str) else rules.write(position, move)
        told = rules.tell_at_once(position, move, text, answers, settled)
        self._end_turn(later := state.after(rules, move, text, told, answers, settled, asked))
        return later.moves[-1]

    def _throw(
        self, source: Seeded, what: object, move: M, asked: dict[str, str], question: str, so_far: Sequence[Answer] = ()
    ) -> Throw:
        """Throw the number that answers a move's question at this point of the game, unless its answer stands."""
        text = what if isinstance(what, str) else self.rules.write(self.position, move)
        where = asked[question] = point(self.state.here, text, so_far, question)
        stands = self.state.answers.get(where)
        return source.at(where).throw() if stands is None else Throw.of(stands)

    def wait(self) -> Played:
        """Wait for the answers of a begun turn, perhaps from an earlier process, and end it."""
        look = FIRST_LOOK
        while (played := self.collect()) is None:
            time.sleep(look)
            look = min(LONGEST_LOOK, 2 * look)
        return played

    def begin(self, move: str | M | Turn[M], *, outcome: GivenAnswers | None = None) -> None:
        """Begin a turn; `collect` ends it, once its answers are there.

        A move that would be too large for any possible answer is refused here, before anything is asked.
        """
        self._refuse_if_over("no move can be played")
        self._refuse_if_waiting("no other move can be played")
        turn = self.turn_of(move)
        text = self.rules.write(self.position, turn)
        if isinstance(move, str) and ".m" in move and outcome is turn.told is None and not turn.program.answers:
            raise InvalidMoveError(f"{text} asks nothing, so it has no outcome; got {move!r}")
        told = _told(turn, outcome)
        at = self.rules.begin(self.position, turn)
        if told is not None:
            at = _answered(at, told)
            self._stand(text, at)
        self._go_on(turn, text, at)

    def collect(self) -> Played | None:
        """Go on with the begun turn; None while its answer is not there yet."""
        waiting = self.pending
        if waiting is None:
            return self.state.plies[-1]
        if waiting.ticket is None:
            self._go_on(waiting.turn, waiting.text, waiting.pause)
        else:
            drawn = self._looked_up(waiting, waiting.ticket)
            if drawn is None:
                return None
            where = self.point(waiting.text, waiting.pause)
            state, others = self.state.given({where: drawn}), _without(self.asked, where)
            self.state = state._replace(pending=replace(waiting, ticket=None), asked=others)
            self._go_on(waiting.turn, waiting.text, waiting.pause)
        return None if self.pending else self.state.plies[-1]

    def ask_again(self) -> None:
        """Give up the job that the game waits for: the next `collect` asks the game's own backend anew.

        The job will not be found again; cancel it first if you can.
        """
        if (waiting := self.pending) is None:
            raise IllegalMoveError("the game waits for no answer; there is nothing to ask again")
        where = self.point(waiting.text, waiting.pause)  # under its old name the job would be found again
        self.state = self.state._replace(asked=_without(self.asked, where))
        self.stop_at(waiting.turn, waiting.text, waiting.pause)
        self._changed()

    def _looked_up(self, waiting: Pending, ticket: Ticket) -> Sample | None:
        """Return the answer of a ticket, if it is there; the ticket of a lost job is dropped, for another try."""
        if not isinstance(self.source, SlowSource):
            raise BackendError(
                f"{waiting}, and {self.backend.name} cannot collect it; go on with the backend that has the question, "
                "or give its job up with ask_again()"
            )
        try:
            found = self.source.collect(waiting.pause, ticket)
        except LostJobError:
            self._become(self.state._replace(pending=replace(waiting, ticket=None)))
            raise
        return found

    def _go_on(self, turn: Turn[M], text: str, at: Run | Pause) -> None:
        """Answer the turn's questions until it ends, or until a slow source has been asked."""
        while isinstance(at, Pause):
            where = self.point(text, at)
            if at.answers or self.pending:
                self.state = self.state._replace(pending=Pending(turn, text, at))  # what was answered stands
            if (drawn := self.state.answers.get(where)) is None:
                if self._source.slow:
                    self._submit(turn, text, at, where)
                    return
                drawn = self._source.at(where).draw(at)
                self.state = self.state.given({where: drawn})
            at = at.resume(drawn)
        self._finish(turn, text, at)

    def _submit(self, turn: Turn[M], text: str, at: Pause, where: str) -> None:
        """Submit a question. It is recorded first, so that a resuming process finds the paid job.

        A retry after a failed submission finds it too; no other question does, since each has its own name.
        """
        before = self.pending
        self.stop_at(turn, text, at)
        self._changed()
        source: Any = self._source.at(where)
        if where in self.asked and isinstance(self.source, NamingSource):
            source = source.named(self.asked[where])
        try:
            self.state = self.state._replace(pending=Pending(turn, text, at, source.submit(at)))
        except QchessError:
            self.state = self.state._replace(pending=before)
            raise
        finally:
            self._changed()

    def stop_at(self, turn: Turn[M], text: str, at: Pause) -> None:
        """Let the game wait at a question to be submitted, under its own name if the source takes one."""
        named = {self.point(text, at): secrets.token_hex(8)} if isinstance(self.source, NamingSource) else {}
        self.state = self.state._replace(pending=Pending(turn, text, at), asked={**named, **self.asked})

    def _stand(self, text: str, run: Run) -> None:
        """Make given answers stand, as if they had been drawn."""
        told = [Sample(answer.value, answer.source, answer.details) for answer in run.answers]
        self.state = self.state.given(dict(zip(points(self.state.here, text, run.answers), told, strict=True)))

    def _finish(self, turn: Turn[M], text: str, run: Run) -> None:
        position = self.position
        settled = self.rules.settle(position, turn, run)
        told = self.rules.tell(position, turn, {answer.name: answer.value for answer in run.answers})
        self._ended_turn = turn if turn.position is position else replace(turn, position=position)
        self._end_turn(self.state.after(self.rules, turn.move, text, told, run.answers, settled))

    def _end_turn(self, state: GameState[P]) -> None:
        """Take the state after a move, and note where its answers came from."""
        self.state = state
        self.note_dice(state.ply, state.moves[-1].answers)
        self._changed()

    def undo(self) -> Played:
        """Take the last move back: the old position returns, measured or not. Answers stand."""
        self._refuse_if_waiting("no move can be taken back")
        if not (state := self.state).ply:
            raise IllegalMoveError("there is no move to take back; this is the start")
        self._become(state.back())
        return state.moves[state.ply - 1]

    def redo(self) -> Played:
        """Replay the move last taken back, with the same outcome."""
        self._refuse_if_waiting("no move can be played again")
        if (state := self.state).ply == len(state.moves):
            raise IllegalMoveError("there is no move to play again")
        self._become(state.forward())
        return state.moves[state.ply]

    def fork(self, seed: int | str | None = None, *, source: Source | None = None) -> Self:
        """Return a second game that goes on from here with new dice: the way to measure again."""
        made = type(self)(self.rules, self.backend, seed=seed, source=source, start=self.state.start)
        made.state = self.state.fork()
        made.keep_dice(self, self.state.ply)
        return made

    def cut(self, ply: int = -1) -> GameState[P]:
        """Return the state now, or after `ply` moves when nothing was asked yet, without its past: small to send."""
        return self.state.cut(ply, self.numbered(ply))

    def follow(self, later: GameState[P]) -> None:
        """Take over what was played elsewhere since the present state was cut."""
        for turn, played in enumerate(later.plies, self.state.ply + 1):
            self.note_dice(turn, played.answers)
        self._become(self.state.then(later))

    def resign(self) -> Result:
        """Let the player to move resign."""
        return self.forfeit("resignation")

    def forfeit(self, reason: str) -> Result:
        """Let the player to move lose for a reason outside the rules; moves taken back are dropped."""
        return self.end(self.rules.forfeited(self.position, self.player, reason))

    def end(self, result: Result) -> Result:
        """End the game outside the rules: by agreement, or by a resignation out of turn."""
        self._refuse_if_over("it cannot be given up any more")
        self._become(self.state.end(result))
        return result

    def _refuse_if_over(self, so: str) -> None:
        if result := self.result:
            raise IllegalMoveError(f"the game is over ({result}); {so}")

    def _refuse_if_waiting(self, so: str) -> None:
        if self.pending:
            raise IllegalMoveError(f"{self.pending}; {so}")

    def _become(self, state: GameState[P]) -> None:
        self.state = state
        self._changed()

    def _changed(self) -> None:
        for listener in self.on_change:
            listener()

    def save(self, path: str | Path) -> None:
        """Write the record to a file atomically; refuses to overwrite anything but this game."""
        from qchess.playing.keeping import save

        save(self, Path(path))

    def widget(self, *, below: str | None = None, **players: str) -> Any:
        """Return a board for a notebook that shows and plays this game: ``game.widget(black="greedy")``.

        It needs the extra `notebooks`. Each player is a person at the board, unless an agent is named. The board is
        seen from the side of `below`.
        """
        from importlib import import_module

        try:
            module = import_module("qchess.web.widget")  # a front end: no game needs to know that it is there
        except ModuleNotFoundError as error:
            if error.name not in ("anywidget", "traitlets"):
                raise
            raise MissingExtraError(
                "a board in a notebook needs the package anywidget: pip install 'qchess[notebooks]'"
            ) from error
        return module.BoardWidget(self, below=below, **players)


def _told(turn: Turn[Any], outcome: GivenAnswers | None) -> FixedAnswers | None:
    """Return the source of the answers given with a move; raises if one has no question."""
    if outcome is None:
        return None if turn.told is None else FixedAnswers(turn.told, "record")
    named = outcome if isinstance(outcome, Mapping) else [told.name for told in outcome if isinstance(told, Answer)]
    unknown = sorted(set(named) - set(turn.program.answers)) if named else []
    if unknown:
        asked = ", ".join(map(repr, turn.program.answers)) or "nothing"
        raise InvalidMoveError(f"an answer is told to {unknown[0]!r}, and the move asks {asked}")
    return FixedAnswers(outcome, "forced")


def _without(asked: Mapping[str, str], where: str) -> dict[str, str]:
    """Return the names of submitted questions but one."""
    return {point: name for point, name in asked.items() if point != where}


def _answered(at: Run | Pause, told: FixedAnswers) -> Run:
    """Return the run with the given answers; nothing else is asked."""
    while isinstance(at, Pause):
        at = at.resume(told.draw(at))
    told.confirm(at.answers)
    return at


def new(
    game: str = "quantum-chess",
    *,
    backend: Any = "sparse",
    seed: int | str | None = None,
    source: Source | None = None,
    preset: str | None = None,
    **options: Any,
) -> Game[Any, Any]:
    """Return a new game: ``new('quantum-chess', backend='cirq', seed=7, fen='...')``; ``preset='pocket'`` is small."""
    from qchess.games import presets, rules

    if preset is not None:
        options = {**presets.options(game, preset), **options}
    try:
        chosen = rules(game, **options)
    except InvalidMoveError as error:
        near = [own for name in options for own in get_close_matches(name, OPTIONS, 1)]
        if near:
            raise InvalidMoveError(f"{error}; did you mean {near[0]!r}?") from error
        raise
    return Game(chosen, backends.of(backend), seed=seed, source=source)


__all__ = ["FIRST_LOOK", "LONGEST_LOOK", "Game", "GameState", "GivenAnswers", "Outcome", "Pending", "Played", "new"]
