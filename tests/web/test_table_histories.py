"""Histories of tables by chance: all that players, servers, devices and stores do, in any order and at any time.

The laws: somebody can always move, or the game is over and says why. The clock of whoever waits for the server stands.
What was acknowledged is kept, also by another server. What is refused changes nothing. Who is at a table knows it all.

A history is a number: `python -m tests.web.test_table_histories 17` tells it.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from qchess.errors import IllegalMoveError, InvalidMoveError, QchessError
from qchess.web import acts, looking, seeds, tables, turns
from qchess.web.clocks import Clocks, Control, now
from qchess.web.hall import FullError, Hall
from qchess.web.settings import Settings
from qchess.web.store import StoreError
from qchess.web.tablerequest import TableRequest
from qchess.web.tables import Table
from qchess.web.turns import StaleError
from qchess.web.wire import Message
from qchess.web.workers import WorkError
from tests.web.histories import LATE, SHOTS, Late, Loop, Page, Rows, SlowKeeping, Workers, difference, standing

COUNTS = [60, pytest.param(int(os.environ.get("QCHESS_HISTORIES", "300")), marks=pytest.mark.long)]
USUAL = Settings(backends=(), slow=1e9, opening_seconds=60.0, idle_seconds=1e9, collect=(1.0, 30.0))
SMALL = {"size": 4, "rows": 1}
CLOCKS = (Control(), Control("fischer", 60, 5), Control("delay", 60, 10), Control("fischer", 900, 10))
#: what refuses an act because of what was asked, and not because of the server's trouble
ILLEGAL = (IllegalMoveError, InvalidMoveError, StaleError)
TROUBLE = (WorkError, StoreError, FullError)
#: seconds that no worker, device or store of a history takes
LONG = 2000.0


class History:
    """One table, from its opening to its end."""

    def __init__(self, number: int, loop: Loop) -> None:
        self.rng, self.loop = random.Random(f"history {number}"), loop
        self.told: list[str] = []
        self.store = Rows()
        self.workers = Workers(self.rng)
        Late.jobs, Late.trouble = {}, 0
        self.settings = replace(USUAL, plies=self.rng.choice((5, 1000, 1000)))
        self.slow = self.rng.random() < 0.3
        self.flying: set[asyncio.Task[Any]] = set()
        self.pages: list[Page] = []
        self.sent: list[tuple[Page, str, Callable[[], Coroutine[Any, Any, Any]]]] = []
        self.names = 0

    def say(self, what: str) -> None:
        """Notes what happens, and when."""
        self.told.append(f"{now():9.1f} {what}")

    # -- the table ----------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """A table by chance, and its people."""
        computer = self.rng.random() < 0.5
        self.seats = {"white": "human", "black": "greedy" if computer else "human"}
        if computer and self.rng.random() < 0.3:
            self.seats = {"white": "greedy", "black": "human"}
        self.clock = self.rng.choice(CLOCKS)
        backend, takebacks = self.rng.choice(("sparse", SHOTS, LATE)), self.rng.random() < 0.9
        order = TableRequest("quantum-checkers", SMALL, backend, self.seats, self.clock, takebacks=takebacks)
        self.say(f"{order.backend} {self.seats} {self.clock} plies {self.settings.plies} slow store {self.slow}")
        self.hall = self.new_hall()
        self.table, secrets = await self.hall.open(order)
        self.pages = [Page(player, secret) for player, secret in secrets.items()] + [Page(None)]
        self.enter()

    def new_hall(self) -> Hall:
        hall = Hall(self.settings, self.store)
        hall.pool.close()
        hall.pool = self.workers  # type: ignore[assignment]
        self.store.quick = not self.slow
        if self.slow:
            hall.keeping = SlowKeeping(self.store)
        return hall

    def enter(self) -> None:
        for page in self.pages:
            page.closed = None
            self.table.enter(page)  # type: ignore[arg-type]

    async def find(self, name: str) -> Table:
        found = await self.hall.find(name)
        assert found is not None, "the table is gone"
        return found

    # -- what is so ---------------------------------------------------------------------------------------------

    @property
    def waits_for_a_person(self) -> bool:
        """Whether nothing goes on by itself, but for clocks."""
        table = self.table
        thinks = not table.result and not table.seats[table.player].is_human
        return not (self.flying or table.lock.locked() or table.pending or thinks)

    def left(self, clocks: Clocks, at: float) -> list[float]:
        return [round(clocks.left(player, at), 3) for player in ("white", "black")]

    def check(self) -> None:
        """What holds at any time."""
        table = self.table
        assert not self.hall.metrics.counts["errors", ""], "a task of the hall failed"
        if table.result:
            lost = table.result["reason"] == "no move in time"
            assert not lost or self.workers.ended > 1, "a computer player lost as the server had no time"
            assert table.result["reason"], "a game is over and nobody says why"
            assert table.clocks.running is None, "a clock runs after the end"
        if table.pending and not table.lock.locked():
            assert table.clocks.running is None, "a clock runs while a device is waited for"
        for player, who in self.table.seats.items():
            if not who.is_human and table.clocks.running != player and self.clock.kind != "none":
                moves = sum(row.entry["kind"] == "move" and row.entry["by"] == player for row in table.rows)
                extra = self.clock.extra * moves if self.clock.kind == "fischer" else 0.0
                used = self.clock.seconds + extra - table.clocks.remaining[player]
                assert used <= self.workers.worked + 0.1, f"{player} was charged {used:.1f} s, and worked less"
        if self.waits_for_a_person:
            for page in self.pages:
                page.check(self.table)

    # -- what happens -------------------------------------------------------------------------------------------

    async def step(self) -> None:
        """One thing that happens, now or with the next."""
        happening = self.rng.choices(list(HAPPENINGS), list(HAPPENINGS.values()))[0]
        await happening(self)
        await asyncio.sleep(self.rng.choice((0, 0, 0.2, 3.0, 12.0)))
        self.check()

    async def move(self) -> None:
        """Whoever is to move does."""
        page = next((page for page in self.pages if page.player == self.table.player), None)
        if page is not None and (moves := page.read()["moves"]):
            asking = [move for move in moves if move["measures"]] or moves
            text = self.rng.choice(self.rng.choice((moves, asking)))["text"]
            await self.play(page, text, page.state["ply"])

    async def wrong_move(self) -> None:
        """Somebody sends what is no move here."""
        page = self.somebody()
        moves = page.read()["moves"] or [{"text": "a1-b2"}]
        text = self.rng.choice(("a1-a1", "nonsense", "c3^d4a1", self.rng.choice(moves)["text"] + ".m1"))
        await self.play(page, text, max(0, self.table.ply - self.rng.choice((0, 0, 0, 1))))

    async def act(self) -> None:
        """Somebody does something else than moving."""
        over = ("rematch", "rematch", "ask-takeback", "offer-draw")
        usual = ("ask-takeback", "accept-takeback") * 3 + ("decline-takeback", "offer-draw", "decline-draw", "rematch")
        await self.act_as(self.somebody(), self.rng.choice(over if self.table.result else usual))

    async def last_act(self) -> None:
        """Somebody ends the game."""
        await self.act_as(self.somebody(), self.rng.choice(("resign", "accept-draw", "accept-draw")))

    async def act_as(self, page: Page, what: str) -> None:
        name = self.name()
        await self.attempt(page, name, f"act {what}", lambda: acts.act(self.table, page.player or "", name, what))

    async def again(self) -> None:
        """Something comes once more, as after a reconnection."""
        if self.sent:
            page, what, work = self.rng.choice(self.sent)
            await self.attempt(page, "", f"again {what}", work)

    async def reconnect(self) -> None:
        """A page loses its socket, and comes back, perhaps under a name."""
        page = self.rng.choice(self.pages)
        self.table.leave(page)  # type: ignore[arg-type]
        await asyncio.sleep(self.rng.choice((0, 1.0)))
        if page.player and self.rng.random() < 0.5:
            name = self.rng.choice(("Ann", "Bob"))
            await self.attempt(page, "", f"name {name}", lambda: acts.take_name(self.table, page.player or "", name))
        self.table.enter(page)  # type: ignore[arg-type]

    async def ask(self) -> None:
        """Somebody asks what changes nothing."""
        ply = self.rng.choice((-1, 0))
        question = self.rng.choice(("odds", "view", "analyse"))
        others = {"analyse": lambda: looking.analyse(self.table, None, Message("analyse", {"ply": 0}))}
        work = others.get(question, lambda: self.table.ask(question, ply=ply))
        await self.attempt(self.somebody(), "", f"ask {question}", work)

    async def restart(self) -> None:
        """The server ends, in the middle of whatever it does, and another begins."""
        self.say("restart")
        quiet, before, clocks = (
            not self.flying and not self.table.lock.locked(),
            standing(self.table),
            self.table.clocks,
        )
        moving = not self.waits_for_a_person
        shown = [page.read()["history"] for page in self.pages]
        await self.hall.close()
        self.flying.clear()
        self.hall = self.new_hall()
        self.table = await self.find(self.table.name)
        for told in shown:  # the last that was kept may be news, or a takeback
            known = self.table.history
            assert told[: len(known)] == known[: len(told)], "another server knows other moves than were told"
        assert before["result"] in (None, self.table.result), "another server does not know that the game is over"
        if quiet and not (moving and standing(self.table)["ply"] != before["ply"]):
            after = standing(self.table)
            assert after == before, f"another server knows {difference(after, before)}"
            at = now()
            for player in ("white", "black"):
                assert self.table.clocks.left(player, at) >= clocks.left(player, at) - 0.01, "a restart costs time"
        self.enter()

    async def flag(self) -> None:
        """Nobody does anything for long."""
        self.say("nobody does anything")
        await asyncio.sleep(self.rng.choice((30.0, 100.0, LONG)))

    async def trouble(self) -> None:
        """Something will fail: a worker, a device, or the store."""
        what = self.rng.choice(("full", "killed", "store", "device", "server full"))
        self.say(f"trouble: {what}")
        if what == "store":
            self.store.trouble = self.rng.choice((1, 1, 3))
        elif what == "device":
            Late.trouble = 1
        elif what == "server full":
            self.hall.settings = replace(self.settings, tables=0)
        else:
            self.workers.trouble = [what]

    async def next_table(self) -> None:
        """All go on at the table of the rematch."""
        if self.table.offers.next and not self.flying:
            self.say("at the next table")
            self.hall.settings = self.settings  # a server that is full does not tell a table again either
            for page in self.pages:
                self.table.leave(page)  # type: ignore[arg-type]
            self.table = await self.find(self.table.offers.next)
            for page in self.pages:
                page.player = next((p for p, seat in self.table.seats.items() if seat.opens(page.secret)), None)
            self.sent.clear()
            self.workers.worked = 0.0
            self.enter()

    # -- acts and what becomes of them --------------------------------------------------------------------------

    def somebody(self) -> Page:
        return self.rng.choice([page for page in self.pages if page.player])

    def name(self) -> str:
        self.names += 1
        return f"n{self.names}"

    async def play(self, page: Page, text: str, ply: int) -> None:
        name = self.name()
        work = lambda: turns.play(self.table, page.player or "", name, ply, text)  # noqa: E731
        await self.attempt(page, name, f"move {text} at {ply}", work)

    async def attempt(self, page: Page, name: str, what: str, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Lets somebody act; where nothing else happens meanwhile, what becomes of it is looked at."""
        self.say(f"{page.player}: {what}")
        alone = self.waits_for_a_person
        before, clocks, began = standing(self.table), self.table.clocks, now()
        table, rows = self.table, self.store.counts[self.table.name]
        task = self.hall.spawn(work())
        self.flying.add(task)
        task.add_done_callback(self.flying.discard)
        task.add_done_callback(lambda done: self.say(f"  {what}: {outcome(done)}"))
        if self.rng.random() < 0.25:
            return  # the next thing happens meanwhile
        await asyncio.wait({task})
        self.flying.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        assert error is None or isinstance(error, QchessError), f"{what}: {error!r}"
        if error is None and name:
            self.sent.append((page, what, work))
        if what.startswith("again move") and table is self.table and not self.table.result:
            assert error is None, f"{what}, which was played, was refused: {error}"
            assert task.result() is not None, f"{what} was played twice"
        if not alone or table is not self.table or "name " in what:
            return
        flagged = (self.table.result or {}).get("reason") == "time" and not before["result"]
        if error is not None and not flagged:
            self.look_at_refusal(what, error, before, clocks, began, rows)
        elif what.startswith("move ") and not flagged and before["ply"] + (not self.table.pending) == self.table.ply:
            self.look_at_move(page.player or "", clocks, began)
        elif what.startswith("again ") and not flagged:
            after = standing(self.table)
            assert after == before, f"{what} changed {difference(after, before)}"

    def look_at_refusal(
        self, what: str, error: BaseException, before: dict[str, Any], clocks: Clocks, began: float, rows: int
    ) -> None:
        """What is refused changes nothing; the server's own trouble costs nobody time."""
        after = standing(self.table)
        assert after == before, f"{what} was refused ({error}) and changed {difference(after, before)}"
        assert self.store.counts[self.table.name] == rows, f"{what} was refused ({error}) and kept a row"
        lost = now() - began if isinstance(error, TROUBLE) and not what.startswith("ask") else 0.0
        for later in (0.0, 5.0, 50.0):
            is_left, was = self.left(self.table.clocks, now() + later), self.left(clocks, now() + later - lost)
            assert is_left == was, f"{what} was refused ({error}), and the clocks are at {is_left}, not {was}"

    def look_at_move(self, player: str, clocks: Clocks, began: float) -> None:
        """The clock stood from the moment when the move came."""
        table = self.table
        extra = self.clock.extra if self.clock.kind == "fischer" and not table.pending else 0.0
        expected = round(clocks.left(player, began) + extra, 3) if self.clock.kind != "none" else 0.0
        is_left = round(table.clocks.remaining[player], 3)
        assert is_left == expected, f"{player} moved with {expected} s, and has {is_left} s"

    # -- the end ------------------------------------------------------------------------------------------------

    async def end(self) -> None:
        """Trouble is over: somebody can move, or the game is over; and another server knows the same."""
        self.store.trouble = Late.trouble = 0
        self.workers.trouble.clear()
        self.hall.settings = self.settings
        self.say("the end")
        for _ in range(100):
            if self.waits_for_a_person:
                break
            await asyncio.sleep(LONG / 100)
        self.check()
        assert self.waits_for_a_person, f"nobody can move: {self.table.player} ({self.seats}), {self.table.pending}"
        if not self.table.result:
            before = self.table.ply
            await self.move()
            while self.flying:
                await asyncio.wait(self.flying)
            await asyncio.sleep(LONG / 100)
            moved = self.table.ply != before or self.table.pending
            assert moved or self.table.result, f"{self.table.player} cannot move"
        await asyncio.sleep(LONG)
        self.check()
        await self.restart()
        await self.hall.close()


#: what happens, and how often
HAPPENINGS: dict[Callable[[History], Coroutine[Any, Any, None]], int] = {
    History.move: 12, History.wrong_move: 3, History.act: 5, History.last_act: 1, History.again: 2,
    History.reconnect: 2, History.ask: 1, History.restart: 2, History.flag: 1, History.trouble: 3,
    History.next_table: 2,
}  # fmt: skip


def outcome(task: asyncio.Task[Any]) -> str:
    if task.cancelled():
        return "cut off"
    error = task.exception()
    return f"{type(error).__name__}: {error}" if error else "done"


async def tell(history: History) -> None:
    await history.open()
    for _ in range(history.rng.choice((5, 10, 20))):
        await history.step()
    await history.end()


def run(number: int) -> tuple[str, list[str]]:
    """What is wrong in a history, if anything, and all that happened in it."""
    loop = Loop()
    history = History(number, loop)
    chance = random.Random(f"chance {number}")
    fresh, patience = seeds.fresh, tables.PATIENCE
    seeds.fresh, tables.PATIENCE = lambda: f"{chance.getrandbits(128):032x}", 60.0
    try:
        loop.run_until_complete(tell(history))
    except AssertionError as error:
        return str(error) or "an assertion", history.told
    finally:
        seeds.fresh, tables.PATIENCE = fresh, patience
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
    return "", history.told


@pytest.mark.parametrize("count", COUNTS)
def test_no_table_stands_still_and_nobody_loses_by_what_the_server_does(count: int) -> None:
    with ThreadPoolExecutor(1) as threads:  # while a browser is driven, this one has a loop already
        for number in range(count):
            wrong, told = threads.submit(run, number).result()
            assert not wrong, "\n".join([f"history {number}: {wrong}", *told[-30:]])


if __name__ == "__main__":
    for word in sys.argv[1:]:
        wrong, told = run(int(word))
        sys.stdout.write("\n".join([*told, wrong or "nothing is wrong", ""]))
