"""A table and all that can happen to it, in a time of its own: nobody sleeps, and where all wait it is later at once.

The hall, the table, its acts and the store are the real ones. Workers answer here after a while, or not at all; a
device answers later; the store fails when it is told to. Pages put together what they are told, as those in a browser.
"""

from __future__ import annotations

import asyncio
import json
import random
import selectors
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from qchess import backends
from qchess.backends.catalogue import Backend, Row, register
from qchess.backends.sparse.engine import SparseEngine
from qchess.circuits.engine import Sample
from qchess.circuits.running import Pause
from qchess.circuits.sources import Seeded
from qchess.errors import BackendError
from qchess.web.jsontext import encoded
from qchess.web.limits import Ledger
from qchess.web.questions import QUESTIONS
from qchess.web.store import SqliteStore, StoreError
from qchess.web.store.keeping import Keeping
from qchess.web.tables import Table
from qchess.web.workers import Job, SpentError, WorkError, _game

SHOTS, LATE = "shots-of-a-test", "late-in-a-test"
#: what a player of a device waits for, in seconds
LATENESS = (1.0, 40.0, 300.0)


class Jumping(selectors.DefaultSelector):
    """Waits for nothing: where nobody has anything to do, it is later at once."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if not found:
            assert timeout is not None, "everybody waits for ever"
            self.now += max(0.0, timeout)
        return found


class Loop(asyncio.SelectorEventLoop):
    """A loop whose time is its own."""

    def __init__(self) -> None:
        self.jumping = Jumping()
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.now


# -- devices ----------------------------------------------------------------------------------------------------


class Shots:
    """A device that answers at once; the same question at the same point has the same answer."""

    def __init__(self, seed: Any = None) -> None:
        self.dice = Seeded(str(seed))

    def at(self, line: str) -> Shots:
        there = type(self)()
        there.dice = self.dice.at(line)
        return there

    def draw(self, pause: Pause) -> Sample:
        return Sample(self.dice.draw(pause).value, "shots")


class Late(Shots):
    """A device behind a queue."""

    #: the jobs, by the names of their questions: when they are done
    jobs: dict[str, float] = {}  # noqa: RUF012
    trouble = 0
    asked = ""

    def named(self, name: str) -> Late:
        self.asked = name
        return self

    def submit(self, pause: Pause) -> dict[str, Any]:
        late = LATENESS[len(self.jobs) % len(LATENESS)]
        self.jobs.setdefault(self.asked, asyncio.get_running_loop().time() + late)
        return {"key": self.asked, "value": self.draw(pause).value}

    def collect(self, pause: Pause, ticket: Mapping[str, Any]) -> Sample | None:
        if Late.trouble:
            Late.trouble -= 1
            raise BackendError("the device is away")
        done = self.jobs[ticket["key"]] <= asyncio.get_running_loop().time()
        return Sample(ticket["value"], "late") if done else None


def shots() -> Backend:
    return Backend(SHOTS, SparseEngine(), Shots)


def late() -> Backend:
    return Backend(LATE, SparseEngine(), Late)


for name, maker in ((SHOTS, "shots"), (LATE, "late")):
    if name not in backends.names():
        register(Row(name, "answers of a test", f"tests.web.histories:{maker}"))


# -- workers and stores -----------------------------------------------------------------------------------------


class Workers:
    """In the place of a pool: what is asked is answered here, after a wait and some work, or not at all."""

    warm, waiting, killed = True, 0, 0

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.ledger = rng, Ledger()
        #: how the next questions end that begin with a word: in an error
        self.trouble: list[str] = []
        #: the seconds for which players were worked on, and how often their work was ended
        self.worked, self.ended = 0.0, 0
        #: what was asked, and how often
        self.asked: Counter[str] = Counter()

    async def ask(self, job: Job, seconds: float, priority: Any = None, **more: Any) -> Any:
        return (await self.timed(job, seconds, priority, **more))[0]

    async def timed(
        self, job: Job, seconds: float, priority: Any = None, begun: Callable[[], None] | None = None, **more: Any
    ) -> tuple[Any, float]:
        wait, work = self.rng.choice((0.0, 0.5, 20.0)), self.rng.choice((0.0, 0.1, 2.0))
        self.asked[job.question] += 1
        trouble = self.trouble.pop() if self.trouble and job.question not in ("begun", "loaded", "viewed") else ""
        await asyncio.sleep(wait)
        if trouble == "full":
            raise WorkError("too many questions wait; ask again later")
        if begun is not None:
            begun()
        if job.question == "choose":
            self.worked += work
        await asyncio.sleep(work)
        if trouble:
            self.ended += 1
            raise SpentError("this took too long or was too large, and was stopped")
        asked = dict(job.arguments)
        if "agent" in asked:
            asked["agent"] = "random"  # who moves first is no question of the table
        return QUESTIONS[job.question](_game(job), **asked), work

    def close(self) -> None:
        """Nothing runs."""


class Rows(SqliteStore):
    """A store that outlives its server, and fails when it is told to."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.trouble = 0
        #: how many rows each game has
        self.counts: Counter[str] = Counter()

    def add(self, game: str, row: Any) -> None:
        if self.trouble:
            self.trouble -= 1
            raise StoreError("the disk is full")
        super().add(game, row)
        self.counts[game] += 1

    def close(self) -> None:
        """It is opened again."""


class SlowKeeping(Keeping):
    """Keeps rows in a store that takes its time."""

    async def _do(self, work: Callable[[], Any]) -> Any:
        await asyncio.sleep(0.25)
        return work()


# -- pages ------------------------------------------------------------------------------------------------------


class Page:
    """Somebody at a table, and all it was told."""

    def __init__(self, player: str | None, secret: str = "") -> None:
        self.player, self.secret = player, secret
        self.state: dict[str, Any] = {}
        self.closed: tuple[int, str] | None = None
        self._raw: list[str] = []

    def send(self, message: dict[str, Any] | str) -> None:
        self._raw.append(message if isinstance(message, str) else encoded(message))

    def close(self, code: int, why: str) -> None:
        self.closed = (code, why)

    def read(self) -> dict[str, Any]:
        """What the page shows after all it was told."""
        for text in self._raw:
            self._note(json.loads(text))
        self._raw.clear()
        return self.state

    def check(self, table: Table) -> None:
        """Whoever is at a table knows what the table knows."""
        assert self.closed is None, f"a page was closed: {self.closed}"
        shown, is_so = self.read(), json.loads(encoded(table.state(self.player)))
        for key in ("ply", "player", "view", "history", "result", "offers", "pending", "moves"):
            assert shown[key] == is_so[key], f"{self.player} is shown {key} {shown[key]}, not {is_so[key]}"
        if shown["clocks"]:
            assert shown["clocks"]["running"] == is_so["clocks"]["running"], "another clock is shown running"

    def _note(self, message: dict[str, Any]) -> None:
        kind = message.pop("kind")
        if kind == "state":
            self.state = message
        elif kind == "moved" and not message.get("repeated"):
            history = self.state["history"]
            assert message["ply"] == len(history) + 1, f"told of ply {message['ply']} after {len(history)}"
            keys = ("ply", "by", "text", "sentence", "man", "takes", "provenance", "shots")
            history.append({key: message[key] for key in keys if key in message})
            changed = ("ply", "view", "moves", "player", "clocks", "result", "offers")
            self.state.update({key: message[key] for key in changed}, pending=None)
        elif kind in ("offer", "seats"):
            self.state.update(message)
        elif kind == "waiting":
            self.state["pending"] = message
        self.state["clocks"] = message.get("clocks", self.state.get("clocks"))


# -- what is compared -------------------------------------------------------------------------------------------


def standing(table: Table) -> dict[str, Any]:
    """All that a refused act leaves as it is, and that a new server finds again, but for the clocks."""
    pending = table.pending and {key: table.pending[key] for key in ("ply", "by", "text", "question")}
    assert len(table.game.history) == table.ply, "the game and what was told of it are not the same"
    return {
        "ply": table.ply,
        "history": [dict(told) for told in table.history],
        "board": (table.board.player, table.board.view, "" if table.result or pending else table.board.moves),
        "result": table.result,
        "pending": pending,
        "offers": {**table.offers.values(), "rematch": list(table.offers.rematch)},
        "seats": {player: (seat.who, seat.name, seat.names) for player, seat in table.seats.items()},
        "rows": len(table.rows),
    }


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """What is not the same in two standings."""
    return "; ".join(f"{key}: {one[key]!r} and {other[key]!r}" for key in one if one[key] != other[key])[:600]
