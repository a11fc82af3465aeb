"""A socket from its `hello` to its end: each message is answered, refused, or one too many."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket

from qchess.errors import IllegalMoveError, QchessError
from qchess.reading import shown
from qchess.web import looking
from qchess.web.acts import act, add_nonce, take_name
from qchess.web.clients import FAILED, NO_TABLE, NOT_ALLOWED, TOO_SLOW, Client
from qchess.web.store import DamagedError, StoreError
from qchess.web.turns import StaleError, play
from qchess.web.wire import Message, kinds, parse
from qchess.web.workers import WorkError

if TYPE_CHECKING:
    from qchess.web.hall import Hall
    from qchess.web.tables import Table

log = logging.getLogger("qchess.web")
#: read-only messages: they are handled beside the socket, and may be sent less often
LOOKS = {
    "odds": looking.odds,
    "preview": looking.preview,
    "again": looking.again,
    "danger": looking.danger,
    "look": looking.look,
    "circuit": looking.circuit,
    "register": looking.register,
    "analyse": looking.analyse,
}
#: pages send many of these: one for each selected piece, one for each step through the history
CHEAP = ("odds", "look")


class Session:
    """One socket at one table."""

    def __init__(self, hall: Hall, socket: WebSocket, address: str) -> None:
        self.hall, self.socket = hall, socket
        self.client = Client(socket, address, hall.settings)
        self.known = kinds(hall.settings.move_characters)
        self.table: Table | None = None

    async def run(self) -> None:
        """Serve the socket until it ends."""
        writing = asyncio.create_task(self.client.write())
        reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
            if self.client.closed is not None and self.client.closed[0] == TOO_SLOW:
                self._close(*self.client.closed, "slow")
        finally:
            if self.table is not None:
                self.table.leave(self.client)
            reading.cancel()
            await self.client.leave()
            await asyncio.gather(reading, writing, return_exceptions=True)

    async def _read(self) -> None:
        """Read messages, the first of them within a time limit."""
        try:
            text = await asyncio.wait_for(self._receive(), self.hall.settings.hello_seconds)
        except TimeoutError:
            self._close(NOT_ALLOWED, "no hello in time", "silent")
            return
        while text is not None:
            await self._heard(text)
            if self.client.closed is not None:
                return
            text = await self._receive()

    async def _receive(self) -> str | bytes | None:
        """Return the next message; None at the end."""
        await asyncio.sleep(0)  # messages that lie there are read without a pause: answers and others get their turn
        message = await self.socket.receive()
        if message["type"] != "websocket.receive":
            return None
        text: str | bytes | None = message.get("text")
        return text if text is not None else message.get("bytes", b"")

    async def _heard(self, source: str | bytes) -> None:
        """Handle a message, within the limits."""
        self.hall.metrics.count("messages")
        if not self.client.messages.take(time.monotonic()):
            self._refuse("", None, "too many messages; wait a moment", "too many messages")
            return
        try:
            self.hall.doors.enter("heard", len(source))
            message = parse(source, self.known, self.hall.settings.message_bytes)
        except QchessError as error:
            self._refuse("", None, str(error), "no message")
            return
        if self.table is None:
            await self._hello(message)
            return
        await self._asked(self.table, message)

    async def _hello(self, message: Message) -> None:
        """Admit the client to its table, and to its seat if it has the secret."""
        if message.kind != "hello":
            self._close(NOT_ALLOWED, "send hello first", "no hello")
            return
        try:
            table = await self.hall.find(message["game"])
        except QchessError as error:
            lost = isinstance(error, DamagedError)  # else it may be another time, and the page comes back
            self._close(NOT_ALLOWED if lost else FAILED, str(error), "damaged" if lost else "not found")
            return
        if table is None:
            self._close(NO_TABLE, "there is no such table", "no table")
            return
        if (seat := message["seat"]) is not None:
            self.client.player = next((p for p, held in table.seats.items() if held.opens(seat)), None)
            if self.client.player is None:
                self._close(NOT_ALLOWED, "this link does not open a seat at this table", "wrong seat")
                return
        if self.client.player is not None and message["name"]:
            try:
                await take_name(table, self.client.player, message["name"])
            except StoreError as error:  # who cannot be named may still play
                log.warning("the name of %s at table %s was not saved: %s", self.client.player, table.name, error)
        self.table = table
        table.enter(self.client)

    async def _asked(self, table: Table, message: Message) -> None:
        """Answer one message."""
        if message.kind in LOOKS:
            self._looked(table, message)
        elif message.kind == "hello":
            self._refuse(message.kind, None, "hello was already sent", "hello again")
        elif not self._player():
            self._refuse(message.kind, message["id"], "spectators cannot play", "watcher")
        elif table.is_heavy or table.lock.locked():
            if not self.client.spawn(lambda: self._guarded(table, message)):
                self._refuse(message.kind, message["id"], "your earlier moves are still being processed", "busy")
        else:
            await self._guarded(table, message)

    def _looked(self, table: Table, message: Message) -> None:
        """Answer a read-only question."""
        if message.kind not in CHEAP and not self.client.looks.take(time.monotonic()):
            self._refuse(message.kind, None, "too many requests of this kind; wait a moment", "too many looks")
        elif not self.client.spawn(lambda: self._guarded(table, message)):
            self._refuse(message.kind, None, "your earlier requests are still being processed", "busy")

    def _player(self) -> str:
        return self.client.player or ""

    async def _guarded(self, table: Table, message: Message) -> None:
        """Handle a message, and report why if it is refused."""
        try:
            await self._done(table, message)
        except StaleError as error:
            self._refuse(message.kind, message["id"], str(error), "stale", stale=True)
            self.client.send(table.state(self.client.player))
        except IllegalMoveError as error:
            self._refuse(message.kind, message["id"], error.plain, "illegal")
        except (WorkError, StoreError) as error:
            self._refuse(message.kind, message["id"], str(error), type(error).__name__)
        except QchessError as error:
            self._refuse(message.kind, message["id"], str(error), "not possible")

    async def _done(self, table: Table, message: Message) -> None:
        player = self._player()
        if message.kind == "move":
            self.hall.doors.enter("move")
            known = await _whole(table, lambda: play(table, player, message["id"], message["ply"], message["text"]))
            if known is not None:
                self.client.send(known or table.state(self.client.player))
        elif message.kind == "act":
            await _whole(table, lambda: act(table, player, message["id"], message["what"]))
        elif message.kind == "nonce":
            await _whole(table, lambda: add_nonce(table, player, message["id"], message["words"]))
        else:
            self.client.send(await LOOKS[message.kind](table, self.client.player, message))

    # -- refusing ---------------------------------------------------------------------------------------------

    def _refuse(self, kind: str, name: str | None, why: str, sort: str, *, stale: bool = False) -> None:
        """Refuse with the reason; a client that ignores refusals is disconnected."""
        self.hall.metrics.count("refused", sort)
        log.info("refused %s from %s: %s (%s)", kind or "a message", self.client.address, shown(why), sort)
        self.client.refusals += 1
        if self.client.refusals > self.hall.settings.patience:
            self._close(NOT_ALLOWED, "too many refused messages", "flood")
            return
        answer = {"kind": "refused", "of": kind, "why": " ".join(why.split())[:300]}
        self.client.send({**answer, **({"id": name} if name else {}), **({"stale": True} if stale else {})})

    def _close(self, code: int, why: str, sort: str) -> None:
        self.hall.metrics.count("closed", sort)
        log.warning("closed the socket of %s: %s", self.client.address, why)
        self.client.close(code, why)


async def _whole(table: Table, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Finish a change of a table even if its socket disconnects meanwhile."""
    if not table.is_heavy and table.hall.keeping.store.quick and not table.lock.locked():
        return await work()  # nothing in it waits, so nothing can cut it short
    return await asyncio.shield(table.hall.spawn(work()))
