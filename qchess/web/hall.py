"""All tables of a server: opened, found, restored from the store on first use, and forgotten."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from qchess.backends import ready
from qchess.backends.catalogue import reaches_out, settings_in, with_settings
from qchess.errors import (
    BackendError,
    InvalidMoveError,
    MissingExtraError,
    QchessError,
    StateTooLargeError,
    UnknownBackendError,
    UnknownGameError,
)
from qchess.games import rules
from qchess.playing.game import Game
from qchess.reading import shown
from qchess.web import seats, seeds
from qchess.web.clocks import Clocks, Control, now
from qchess.web.happening import happened
from qchess.web.limits import HOUR, Doors
from qchess.web.metrics import Metrics
from qchess.web.seats import Seat
from qchess.web.settings import Settings
from qchess.web.store import DamagedError, Keeping, Kept, Store, StoreError
from qchess.web.store.rows import require_table
from qchess.web.studies.making import Begun, Maker, begun
from qchess.web.tablerequest import TableRequest
from qchess.web.tables import Table
from qchess.web.turns import go_on
from qchess.web.work import ReplayResult
from qchess.web.workers import Held, Job, Priority, WorkerPool, WorkError

log = logging.getLogger("qchess.web")
#: the first letters of a stored study's head
STUDY = '{"study":'
#: seconds between checks for unwatched tables
ROUND = 30.0


#: errors of a stored game that do not mean damage
NOT_HERE = (MissingExtraError, StateTooLargeError, StoreError, UnknownBackendError, UnknownGameError, WorkError)


class FullError(QchessError):
    """The server is full."""


class Hall:
    """The tables of one server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.keeping = settings, Keeping(store)
        self.pool = WorkerPool(settings)
        self.metrics = Metrics()
        hourly = settings.tables_per_hour
        self.doors = Doors(self.metrics.count, table=(hourly / HOUR, hourly), move=settings.moves)
        self.tables: dict[str, Table] = {}
        self.closing = False
        #: the address that others open; None: only this machine reaches the server
        self.address: str | None = None
        self._loading: dict[str, asyncio.Future[Table | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._watch()

    def _watch(self) -> None:
        self.metrics.watch("tables", lambda: len(self.tables))
        self.metrics.watch("sockets", lambda: sum(len(table.clients) for table in self.tables.values()))
        for priority in Priority:
            kind = priority.name.lower()
            self.metrics.watch(f'waiting{{of="{kind}"}}', partial(self.pool.waiting_as, priority))
            self.metrics.watch(f'work_seconds{{of="{kind}"}}', partial(self.pool.ledger.seconds.__getitem__, kind))
            self.metrics.watch(f'work_bytes{{of="{kind}"}}', partial(self.pool.ledger.bytes.__getitem__, kind))
        self.metrics.watch("waiting_questions", lambda: self.pool.waiting)
        self.metrics.watch("questions_withdrawn", lambda: self.pool.withdrawn)
        self.metrics.watch("questions_that_gave_way", lambda: self.pool.gave_way)
        self.metrics.watch("warm", lambda: float(self.pool.warm))
        self.metrics.watch("workers_killed", lambda: self.pool.killed)
        self.metrics.watch("rows", lambda: self.keeping.rows)
        self.metrics.watch("rows_seconds", lambda: self.keeping.seconds)

    # -- opening ----------------------------------------------------------------------------------------------

    async def open(self, wanted: TableRequest) -> tuple[Table, dict[str, str]]:
        """Open a table; returns it with the secrets of its humans' seats, shown only once."""
        self._require_room()
        made = wanted.rules()
        opened, secrets = self._seats(made.players, wanted.seats)
        head = {
            "game": made.name,
            "options": made.options(),
            "backend": self._backend(wanted.backend),
            "shown": wanted.backend,
            "seed": seeds.fresh(),
            "clock": wanted.clock.values(),
            "public": wanted.public,
            "takebacks": wanted.takebacks,
            "name": wanted.name,
            "made": round(time.time(), 2),
        }
        return await self._opened(head, opened), secrets

    async def again(self, table: Table) -> str:
        """Open a table for a rematch: the same game, each player one seat further, the same secrets."""
        self.doors.enter("table")
        self._require_room()
        players = table.game.rules.players
        moved = {player: replace(table.seats[players[k - 1]], names=0) for k, player in enumerate(players)}
        head = {**table.head, "seed": seeds.fresh(), "made": round(time.time(), 2), "before": table.name}
        return (await self._opened(head, moved)).name

    def _require_room(self) -> None:
        if len(self.tables) >= self.settings.tables:
            raise FullError("this server has no room for another table; try again later")

    def _seats(self, players: tuple[str, ...], wanted: Mapping[str, str]) -> tuple[dict[str, Seat], dict[str, str]]:
        if unknown := sorted(set(wanted) - set(players)):
            raise InvalidMoveError(
                f"there is no seat {unknown[0]!r} in this game; its players are {', '.join(players)}"
            )
        opened, secrets = {}, {}
        for player in players:
            who = wanted.get(player, seats.HUMAN)
            if who == seats.HUMAN:
                secrets[player], key = seats.fresh()
                opened[player] = Seat(key=key)
            else:
                opened[player] = Seat(who)
        return opened, secrets

    def _backend(self, name: str) -> str:
        """Return the backend's name with this server's limit, if it has one."""
        limited = with_settings(name, {"branch_limit": self.settings.branches})
        if "branch_limit" in settings_in(name):
            raise BackendError(f"this server sets the branch_limit of a table itself; got {name!r}")
        try:
            ready.backend(limited)
        except BackendError:
            ready.backend(name)
            return name
        return limited

    async def _opened(self, head: dict[str, Any], opened: dict[str, Seat]) -> Table:
        name = seats.table_name()
        start, board = await self._begun(name, head)
        table = self._table(name, head, opened, start)
        table.board = board
        await self.keeping.open(name, {**head, "seats": seats.kept(opened)})
        self.tables[name] = table
        self.metrics.count("opened")
        go_on(table)
        return table

    async def _begun(self, name: str, head: Mapping[str, Any]) -> Begun:
        """Return the first position of a table; set-ups with options from outside are done in a worker."""
        asked = {"game": head["game"], "options": head["options"], "seconds": self.settings.opening_seconds}
        if head["options"] == rules(head["game"]).options():
            return begun(Maker(head["backend"], head["seed"]), **asked)
        job = Job("begun", None, head["seed"], asked, head["backend"])
        found: Begun = await self.pool.ask(job, self.settings.work_seconds, Priority.AGENT, table=name)
        return found

    def _table(self, name: str, head: Mapping[str, Any], opened: dict[str, Seat], start: Any) -> Table:
        made = rules(head["game"], **head["options"])
        backend = ready.backend(head["backend"])
        game: Game[Any, Any] = Game(made, backend, source=seeds.source(backend, head["seed"]), start=start)
        game.players.update({player: seat.who for player, seat in opened.items()})
        clocks = Clocks.fresh(Control.of(head["clock"]), made.players)
        table = Table(self, name, head, game, opened, clocks)
        table.quick, table.queued = seeds.is_quick(backend), seeds.is_queued(backend, head["seed"])
        return table

    # -- finding ----------------------------------------------------------------------------------------------

    async def find(self, name: str) -> Table | None:
        """Return the table of this name, restored from the store if needed; None if there is none."""
        if (table := self.tables.get(name)) is not None:
            return table
        if (loading := self._loading.get(name)) is None:
            loading = self._loading[name] = asyncio.ensure_future(self._load(name))
            loading.add_done_callback(lambda _: self._loading.pop(name, None))
        return await asyncio.shield(loading)

    async def _load(self, name: str) -> Table | None:
        latest = await self.keeping.latest(name)
        if latest is None or latest.head.startswith(STUDY):  # studies are long, and are not read here
            return None
        kept = await self.keeping.read(name)
        if kept is None:
            return None
        self._require_room()
        try:
            if kept.damaged:
                raise DamagedError(f"row {kept.damaged[0]} is missing")
            require_table(kept)
            return await self._restored(name, kept)
        except QchessError as error:
            if isinstance(error, NOT_HERE) and not isinstance(error, DamagedError):
                raise
            self.keeping.tell(name, f"the game {name!r} cannot be restored from the store: {error}")
            raise DamagedError("the saved data of this game is damaged; it cannot be shown") from error

    async def _restored(self, name: str, kept: Kept) -> Table:
        self._require_offered(name, str(kept.head["backend"]))
        loaded = await self._loaded(name, kept)
        table = self._table(name, kept.head, seats.restored(kept.head["seats"]), loaded.state.start)
        table.game.follow(loaded.state)
        for row, told in zip(kept.rows, loaded.told, strict=True):
            happened(table, row, told)
        table.rows, table.board = list(kept.rows), loaded.board
        self.tables[name] = table
        self.metrics.count("loaded")
        go_on(table)
        return table

    def _require_offered(self, table: str, backend: str) -> None:
        """Refuse a stored table whose backend opens more than simulators, unless this server offers it."""
        told = ",".join(part for part in backend.split(",") if not part.startswith("branch_limit="))
        if self.settings.backends and told not in self.settings.backends and reaches_out(told):
            raise UnknownBackendError(f"the table {table!r} needs {shown(told)}, which this server does not offer")

    async def _loaded(self, name: str, kept: Kept) -> ReplayResult:
        """Return a stored table's game and the results of its rows, from a worker."""
        head, rows = kept.head, [row.entry for row in kept.rows]
        asked = {"game": head["game"], "options": head["options"], "rows": rows, "secret": head["seed"]}
        job = Job("loaded", None, head["seed"], asked, head["backend"])
        found: ReplayResult = await self.pool.ask(job, 6 * self.settings.work_seconds, Priority.AGENT, table=name)
        return found

    async def views(self, table: Table) -> bytes:
        """Return a table's game for showing, as JSON: the view after every move, and the moves between."""
        rules_ = table.game.rules
        told = {"title": rules_.title, "players": rules_.players, "history": table.history, "result": table.result}
        found: bytes = await self._of_whole(table, "viewed", told={"game": table.name, **told})
        return found

    async def exported(self, table: Table, form: str) -> str | None:
        """Return a table's game as a file; None if it has no such form."""
        players = {player: seat.who for player, seat in table.seats.items()}
        asked: dict[str, Any] = {"form": form, "players": players, "over": bool(table.result)}
        found: str | None = await self._of_whole(table, "exported", secret=str(table.head["seed"]), **asked)
        return found

    async def _of_whole(self, table: Table, question: str, **asked: Any) -> Any:
        """Return a worker's answer about a whole game, which it replays."""
        entries = [row.entry for row in table.rows]
        held = Held.of(table.game, str(table.head["backend"]), 0)
        job = Job(question, held, table.secret, {"rows": entries, "secret": table.secret, **asked})
        return await self.pool.ask(job, 6 * self.settings.work_seconds, Priority.LOOK, table=table.name)

    # -- forgetting -------------------------------------------------------------------------------------------

    def forget(self, table: Table) -> None:
        """Forget a table; its clients reconnect and find it as stored."""
        if self.tables.get(table.name) is table:
            del self.tables[table.name]
        table.close()
        for client in tuple(table.clients):
            client.close(1012, "the table is being read again")

    async def mind(self) -> None:
        """Forget tables that nobody has watched for long, repeatedly."""
        while True:
            await asyncio.sleep(min(ROUND, self.settings.idle_seconds))
            latest = now() - self.settings.idle_seconds
            for table in [table for table in self.tables.values() if table.is_idle and table.touched < latest]:
                self.forget(table)

    # -- what runs besides ------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a task that belongs to no socket; its errors are logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, QchessError):
            log.error("a task of the hall failed", exc_info=error)
            self.metrics.count("errors")

    async def close(self) -> None:
        """End all tasks; what was announced is stored already."""
        self.closing = True
        try:
            for table in self.tables.values():
                table.close()
            self.pool.close()
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            self.keeping.close()


__all__ = ["FullError", "Hall"]
