"""A store for the event loop: quick operations are done at once, others on one thread, in order."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from qchess.web.store.protocol import DamagedError, Kept, Latest, Row, Store

log = logging.getLogger("qchess.web")
T = TypeVar("T")


class Keeping:
    """Stores rows with as little waiting as possible."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._thread = None if store.quick else ThreadPoolExecutor(1, thread_name_prefix="qchess store")
        #: the number of stored rows, and the seconds that took
        self.rows, self.seconds = 0, 0.0
        #: the games already reported as damaged
        self._damaged: set[str] = set()

    async def open(self, game: str, head: Mapping[str, Any]) -> None:
        """Begin a game."""
        await self._do(lambda: self.store.open(game, head))

    async def add(self, game: str, row: Row) -> None:
        """Store a row; it is stored when this returns."""
        start = time.perf_counter()
        await self._do(lambda: self.store.add(game, row))
        self.rows += 1
        self.seconds += time.perf_counter() - start

    async def read(self, game: str) -> Kept | None:
        """Return all that is stored of a game, or None."""
        try:
            found = await self._do(lambda: self.store.read(game))
        except DamagedError as error:
            self.tell(game, str(error))
            raise
        if found is not None and found.damaged:
            numbers = ", ".join(str(number) for number in found.damaged[:5])
            self.tell(game, f"the game {game!r} is damaged in the store: row {numbers} cannot be read")
        return found

    def tell(self, game: str, what: str) -> None:
        """Log once that a game is damaged."""
        if game not in self._damaged:
            self._damaged.add(game)
            log.error("%s", what)

    async def latest(self, game: str, before: int | None = None) -> Latest | None:
        """Return only the head and the last row, or the last before a number; None if nothing is stored."""
        return await self._do(lambda: self.store.latest(game, before))

    async def games(self, most: int) -> Sequence[str]:
        """Return the names of the latest games."""
        return await self._do(lambda: self.store.games(most))

    async def _do(self, work: Callable[[], T]) -> T:
        if self._thread is None:
            return work()
        # what was begun is ended, even if whoever asked is gone: it is kept or not, never unknown to the table
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))

    def close(self) -> None:
        """Finish and close the store."""
        if self._thread is not None:
            self._thread.shutdown(wait=True)
        self.store.close()
