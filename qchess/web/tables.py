"""A table: one game, its seats, its clocks, and its clients.

Pages see only what is stored: the game changes after the store has the row. `turns` plays, `acts` does everything else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qchess.circuits.kernels import OutOfTimeError, deadline
from qchess.playing.game import Game
from qchess.web import seeds
from qchess.web.clients import Client
from qchess.web.clocks import Clocks, now
from qchess.web.happening import end_on_time
from qchess.web.jsontext import JsonText, encoded, json_text
from qchess.web.questions import QUESTIONS
from qchess.web.seats import Seat
from qchess.web.settings import level_of
from qchess.web.store import Row, StoreError, TakenError
from qchess.web.work import Board, result_values
from qchess.web.workers import Held, Job, Priority

if TYPE_CHECKING:
    from qchess.web.hall import Hall

#: how long work on the server's loop may take before a worker does it, in seconds
PATIENCE = 0.1
#: up to this many branches no move needs a compiled kernel, which may have to be compiled first
UNCOMPILED = 8
#: sent instead of the moves to clients that do not get them
NO_MOVES = json_text([])


@dataclass(frozen=True, slots=True)
class Offers:
    """The unanswered offers of the players."""

    draw: str | None = None
    takeback: str | None = None
    rematch: Sequence[str] = ()
    #: the table of the rematch
    next: str | None = None

    def values(self) -> dict[str, Any]:
        """Return the offers as JSON values."""
        return {"draw": self.draw, "takeback": self.takeback, "rematch": list(self.rematch), "next": self.next}


class Table:
    """One game with its seats."""

    def __init__(
        self,
        hall: Hall,
        name: str,
        head: Mapping[str, Any],
        game: Game[Any, Any],
        seats: dict[str, Seat],
        clocks: Clocks,
    ) -> None:
        self.hall, self.name, self.head = hall, name, head
        self.game, self.seats, self.clocks = game, seats, clocks
        #: what was played, as pages show it, and the board after it
        self.history: list[dict[str, Any]] = []
        self.board: Board
        #: the answer that a move waits for, from a device; and its client's name, if stored
        self.pending: dict[str, Any] | None = None
        self.begun: str | None = None
        #: how many moves were played and taken back: each position of a table has its own number
        self.turn = 0
        self.offers = Offers()
        #: what each player added to the seed
        self.nonces: dict[str, str] = {}
        #: the stored rows, and the answers by client name
        self.rows: list[Row] = []
        self.answered: dict[str, dict[str, Any]] = {}
        self.clients: set[Client] = set()
        #: serialises the events of a table
        self.lock = asyncio.Lock()
        self.touched = now()
        #: True: work on the server's loop took long
        self.slow = False
        #: True: its registers were once so large that kernels may be used
        self.grown = False
        self.quick, self.queued = True, False
        #: True: the server has work: a computer player thinks, or an answer is waited for
        self.driven = False
        self.closed = False
        self._flag: asyncio.TimerHandle | None = None
        self._said = False

    # -- what it is -------------------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """Return how many moves were played, stored and announced."""
        return len(self.history)

    @property
    def player(self) -> str:
        """Return whose turn it is."""
        return self.board.player

    @property
    def result(self) -> dict[str, Any] | None:
        """Return how the game ended, as pages show it: by the rules, or because people ended it."""
        ended = self.game.state.ended
        return self.board.result if ended is None else result_values(ended)

    @property
    def secret(self) -> str:
        """Return the secret seed of the answers, with the words of the players in it."""
        return seeds.of_table(str(self.head["seed"]), self.nonces)

    @property
    def seal(self) -> str | None:
        """Return what is shown of the seed from the start."""
        return seeds.seal_of(str(self.head["seed"]))

    @property
    def is_idle(self) -> bool:
        """Tell whether nobody is here and nothing is in progress."""
        running = self.clocks.running is not None or self.driven
        return not self.clients and not running and not self.lock.locked()

    @property
    def is_full(self) -> bool:
        """Tell whether the game has as many moves as this server allows."""
        return self.ply >= self.hall.settings.plies

    @property
    def waits_for_person(self) -> bool:
        """Tell whether the game waits for a person's move."""
        going = self.result or self.pending or self.is_full
        return not going and self.seats[self.player].is_human

    # -- work -------------------------------------------------------------------------------------------------

    async def ask(
        self,
        question: str,
        *,
        ply: int = -1,
        seconds: float | None = None,
        priority: Priority = Priority.LOOK,
        elsewhere: bool | None = None,
        begun: Callable[[], None] | None = None,
        **arguments: Any,
    ) -> Any:
        """Answer a question about the game: here if quick, else in a worker process, from `begun` on."""
        ledger = self.hall.pool.ledger
        if not (self.is_heavy if elsewhere is None else elsewhere) and ledger.is_here(priority, now()):
            start = time.thread_time()
            try:
                with deadline(PATIENCE):
                    return QUESTIONS[question](self.game.at(self.game.cut(ply)), **arguments)
            except OutOfTimeError:
                self.slow = True
            finally:
                took = time.thread_time() - start
                ledger.charge_here(self.name, priority, took, now())
                self.slow = self.slow or took > self.hall.settings.slow
        job = Job(question, Held.of(self.game, str(self.head["backend"]), ply), self.secret, arguments)
        more: Any = {"table": self.name, "begun": begun}
        answer, took = await self.hall.pool.timed(job, seconds or self.hall.settings.work_seconds, priority, **more)
        if question == "begin":
            self.slow = took > self.hall.settings.slow
        return answer

    @property
    def is_heavy(self) -> bool:
        """Tell whether work on this game belongs in a worker: shots answer, or even reading a move may take long."""
        return not self.quick or self.is_large

    @property
    def is_large(self) -> bool:
        """Tell whether this game is large, or was slow."""
        self.grown = self.grown or self.board.together > UNCOMPILED
        if self.grown and not self.hall.pool.warm:
            return True
        return self.slow or self.board.branches > self.hall.settings.light

    async def keep(self, entry: dict[str, Any], client: str | None = None) -> Row:
        """Store what happened; nothing happens without being stored."""
        row = Row(len(self.rows), client, {**entry, "at": round(time.time(), 2)})
        try:
            await self.hall.keeping.add(self.name, row)
        except TakenError:
            self.hall.forget(self)  # another process plays at this table; what it kept is read anew
            raise
        except StoreError:
            self.hall.metrics.count("store_errors")
            raise
        self.rows.append(row)
        return row

    def waits(self, player: str, text: str, question: str, since: float) -> dict[str, Any]:
        """Return what pages show of a move that waits for its answer."""
        asked = {"ply": self.ply, "by": player, "text": text, "question": question}
        return {**asked, "since": since, "backend": self.head["shown"]}

    def waiting(self) -> dict[str, Any]:
        """Return a message that a move waits, with the clocks."""
        assert self.pending is not None, "a move waits"
        since = round(time.time() - self.pending["since"], 1)
        return {"kind": "waiting", **self.pending, "since": since, "clocks": self.clocks.values(now())}

    # -- who is here ------------------------------------------------------------------------------------------

    def enter(self, client: Client) -> None:
        """Admit a client, and send it the whole state."""
        self.clients.add(client)
        self.touched = now()
        client.send(self.state(client.player))
        self._somebody_moved()

    def leave(self, client: Client) -> None:
        """Remove a client."""
        self.clients.discard(client)
        self.touched = now()
        self._somebody_moved()

    def _somebody_moved(self) -> None:
        """Announce who is here, once for simultaneous changes."""
        if not self._said:
            self._said = True
            asyncio.get_running_loop().call_later(0.05, self._tell_seats)

    def _tell_seats(self) -> None:
        self._said = False
        self.tell({"kind": "seats", **self._seated()})

    def _seated(self) -> dict[str, Any]:
        present = {client.player for client in self.clients}
        seats = {
            player: {
                "who": seat.who,
                "name": seat.name or level_of(seat.who),
                "present": not seat.is_human or player in present,
            }
            for player, seat in self.seats.items()
        }
        return {"seats": seats, "watchers": sum(client.player is None for client in self.clients)}

    # -- what everybody is told -------------------------------------------------------------------------------

    def tell(self, message: dict[str, Any]) -> None:
        """Send everybody the same message."""
        text = encoded(message)
        for client in tuple(self.clients):
            client.send(text)

    def tell_moved(self, message: dict[str, Any]) -> None:
        """Announce a move; the player to move also gets the legal moves."""
        others = encoded({**message, "moves": NO_MOVES})
        mine = encoded({**message, "moves": self._moves()})
        for client in tuple(self.clients):
            client.send(mine if client.player == self.player else others)

    def tell_offers(self) -> None:
        """Announce the offers."""
        self.tell({"kind": "offer", "offers": self.offers.values()})

    def tell_state(self) -> None:
        """Send everybody the whole state."""
        told: dict[str | None, str] = {}
        for client in tuple(self.clients):
            if client.player not in told:
                told[client.player] = encoded(self.state(client.player))
            client.send(told[client.player])

    def _moves(self) -> JsonText:
        return NO_MOVES if self.result or self.pending else self.board.moves

    def standing(self) -> dict[str, Any]:
        """Return what a move changes besides the board."""
        return {
            "player": self.player,
            "clocks": self.clocks.values(now()),
            "result": self.result,
            "offers": self.offers.values(),
        }

    def state(self, player: str | None) -> dict[str, Any]:
        """Return the whole state, as one player or a spectator sees it."""
        return {
            "kind": "state",
            "game": self.name,
            "title": self.game.rules.title,
            "name": self.head.get("name", ""),
            "rules": {"name": self.game.rules.name, "options": self.head["options"]},
            "backend": self.head["shown"],
            "seal": self.seal,
            "nonces": dict(self.nonces),
            "players": list(self.game.rules.players),
            **self._seated(),
            "you": player,
            "ply": self.ply,
            "view": self.board.view,
            "moves": self._moves() if player == self.player else NO_MOVES,
            "history": self.history,
            "pending": self.pending and {**self.pending, "since": round(time.time() - self.pending["since"], 1)},
            "takebacks": bool(self.head.get("takebacks", True)),
            **self.standing(),
        }

    # -- time -------------------------------------------------------------------------------------------------

    def mind_the_clock(self, soonest: float = 0.001) -> None:
        """Watch the running clock: when its time is over, the game ends."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        left = self.clocks.seconds_until_flag(now())
        if left is not None and not self.result and not self.closed:
            self._flag = asyncio.get_running_loop().call_later(max(0.0, left) + soonest, self._time_is_over)

    def _time_is_over(self) -> None:
        self.hall.spawn(end_on_time(self))

    def close(self) -> None:
        """Stop the table's tasks."""
        self.closed = True
        if self._flag is not None:
            self._flag.cancel()
