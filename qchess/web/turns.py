"""Playing at a table: a move is checked, worked out, kept, taken over, announced; in this order.

Who sends a move again gets what was answered. A turn whose answer takes long waits in the store, not in a process.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

from qchess.errors import IllegalMoveError, QchessError
from qchess.playing.carrying import take_over
from qchess.web.clocks import Clocks
from qchess.web.endings import end
from qchess.web.store import StoreError, TakenError
from qchess.web.work import Went
from qchess.web.workers import SpentError, Weight, WorkError

if TYPE_CHECKING:
    from qchess.web.tables import Table

log = logging.getLogger("qchess.web")
#: seconds until a computer player is asked again that the server had no time for, at first and at most
PAUSE, LONGEST_PAUSE = 1.0, 30.0


class StaleError(QchessError):
    """A move was chosen in a position that is not the present one."""


async def play(table: Table, player: str, name: str, ply: int, text: str) -> dict[str, Any] | None:
    """Plays a move; what was answered before if it comes again, else None, as everybody is told."""
    arrived = time.monotonic()
    async with table.lock:
        if (known := table.answered.get(f"{player}:{name}")) is not None:
            table.hall.metrics.count("resends")
            return known
        _refuse(table, player, ply)
        if table.clocks.running == player and table.clocks.left(player, arrived) <= 0:
            raise IllegalMoveError("the time is over")
        if table.quick or table.queued:
            went = await _begun(table, text)
        else:
            went = await _asked(table, player, text, arrived)
        await _keep(table, went, table.clocks.stop(arrived), player, f"{player}:{name}")
        table.hall.metrics.moved(time.monotonic() - arrived)
    return None


async def _begun(table: Table, text: str) -> Went:
    """A turn that ends at once, or whose first question will be handed in."""
    question = "prepare" if table.queued else "begin"
    went: Went = await table.ask(question, weight=Weight.PLAY, text=text, secret=table.secret)
    return went


async def _asked(table: Table, player: str, text: str, arrived: float) -> Went:
    """A turn that a device answers while we wait; the clock stands still, and everybody is told."""
    table.clocks = table.clocks.stop(arrived)
    table.pending = _waits(table, player, text)
    table.tell({"kind": "waiting", **table.pending, "since": 0.0})
    seconds = table.hall.settings.device_seconds
    try:
        went: Went = await table.ask("begin", seconds=seconds, weight=Weight.AGENT, text=text, secret=table.secret)
    except QchessError:
        table.pending = None
        table.clocks = table.clocks.start(player, time.monotonic()) if table.ply else table.clocks
        table.tell_state()
        raise
    return went


def _refuse(table: Table, player: str, ply: int) -> None:
    """Raises unless this player may move now, from this ply."""
    if table.result:
        raise IllegalMoveError(f"the game is over: {table.result['reason']}")
    if ply != table.ply:
        raise StaleError(f"the move was chosen in position {ply}, and this is position {table.ply}")
    if player != table.player:
        raise IllegalMoveError(f"it is {table.player}'s turn")
    if table.pending:
        raise IllegalMoveError(f"{table.pending['text']} waits for its answer")
    if table.ply >= table.hall.settings.plies:
        raise IllegalMoveError(f"a game of this server has at most {table.hall.settings.plies} moves")


def _waits(table: Table, player: str, text: str, question: str = "") -> dict[str, Any]:
    return {
        "ply": table.ply,
        "by": player,
        "text": text,
        "question": question,
        "since": time.time(),
        "backend": table.head["shown"],
    }


async def _keep(table: Table, went: Went, clocks: Clocks, player: str, client: str | None) -> None:
    """Keeps what became of a turn, takes it over, and announces it."""
    if went.told is not None:
        clocks = clocks.moved(player)
    row = {**went.row, "by": player, "clocks": clocks.kept(time.monotonic())}
    try:
        await table.keep(row, client)
    except TakenError:
        table.hall.forget(table)  # another process plays at this table; what it kept is read anew
        raise
    except StoreError:
        table.hall.metrics.count("store_errors")
        raise
    take_over(table.game, went.steps)
    table.clocks = clocks
    if went.told is None:
        _announce_waiting(table, player, went)
    else:
        _announce_move(table, player, client, went)


def _announce_waiting(table: Table, player: str, went: Went) -> None:
    new = table.pending is None
    table.pending = _waits(table, player, went.row["move"], went.row["question"])
    if new:
        table.offers.draw = table.offers.takeback = None
        table.tell({"kind": "waiting", **table.pending, "since": 0.0})
        table.hall.spawn(await_answer(table))


def _announce_move(table: Table, player: str, client: str | None, went: Went) -> None:
    assert went.told is not None, "a move that was played is told"
    assert went.board is not None, "a move that was played leads to a board"
    table.board, table.result, table.pending = went.board, went.board.result, None
    table.offers.draw = table.offers.takeback = None
    told = {"ply": table.ply + 1, **went.told}
    table.history.append(told)
    if not table.result:
        table.clocks = table.clocks.start(table.player, time.monotonic())
    sent = client or _begun_as(table)
    answer = {"kind": "moved", **told, "id": sent.partition(":")[2] if sent else None}
    if sent:
        table.answered[sent] = {**answer, "repeated": True}
    table.mind_the_clock()
    table.tell_moved({**answer, "view": table.board.view, **table.standing()})
    go_on(table)


def _begun_as(table: Table) -> str | None:
    """The name under which the turn that has ended now was begun: that of its first waiting row."""
    found = None
    for row in reversed(table.rows[:-1]):
        if row.entry["kind"] != "waiting":
            break
        found = row.client or found
    return found


def go_on(table: Table) -> None:
    """Lets a computer player think, if it is its turn."""
    if table.result or table.pending:
        return
    if not table.seats[table.player].is_human:
        table.hall.spawn(think(table))


# -- computer players -------------------------------------------------------------------------------------------


async def think(table: Table) -> None:
    """A computer player's turn: it chooses in a worker, and loses the game if it cannot."""
    player, ply = table.player, table.ply
    who = table.seats[player].who
    table.tell({"kind": "thinking", "player": player, "who": who})
    try:
        text = await _chosen(table, who, ply)
        await play(table, player, f"{who} {ply}", ply, text)
    except StaleError:
        return  # a takeback came first
    except StoreError as error:
        table.tell({"kind": "notice", "text": f"The move of {who} could not be kept: {error}"})
    except QchessError as error:
        if table.hall.closing or table.ply != ply or table.result:
            return
        log.warning("%s gave no move at table %s: %s", who, table.name, error)
        async with table.lock:
            if not table.result and table.ply == ply:
                await end(table, table.game.rules.forfeited(table.game.position, player, "no move in time"))


async def _chosen(table: Table, who: str, ply: int) -> str:
    """The move of a computer player, however long it waits for a worker; who spends its time is asked once more."""
    arguments: dict[str, Any] = {"agent": who, "seed": f"agents {table.secret} {ply}"}
    arguments |= {"seconds": table.hall.settings.agent_seconds, "weight": Weight.AGENT, "elsewhere": who != "random"}
    pause, spent = PAUSE, False
    while True:
        _stand(table, ply)
        try:
            return str(await table.ask("choose", begun=lambda: _run(table, ply), **arguments))
        except SpentError:
            if spent:
                raise
            spent = True
        except WorkError:
            if table.hall.closing:
                raise
            _stand(table, ply)
            table.tell({"kind": "notice", "text": f"This server has no time for {who} just now; it is asked again."})
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)
        if not _thinks(table, ply):
            raise StaleError("the game went on without it")


def _thinks(table: Table, ply: int) -> bool:
    """Whether the game still waits for what is chosen in this position."""
    return table.ply == ply and not table.result and table.hall.tables.get(table.name) is table


def _stand(table: Table, ply: int) -> None:
    """Lets the clock stand while a computer player waits for the server."""
    if _thinks(table, ply) and table.clocks.running is not None:
        table.clocks = table.clocks.stop(time.monotonic())
        table.mind_the_clock()


def _run(table: Table, ply: int) -> None:
    """Lets the clock run again, as a computer player begins to think."""
    if ply and _thinks(table, ply) and table.clocks.running is None:
        table.clocks = table.clocks.start(table.player, time.monotonic())
        table.mind_the_clock()


# -- answers that take long -------------------------------------------------------------------------------------


async def await_answer(table: Table) -> None:
    """Looks for the answer that a turn waits for, more and more seldom, until it is there or the game is over."""
    settings = table.hall.settings
    pause, longest = settings.collect
    while table.pending and not table.result and not table.hall.closing:
        try:
            if await _collected(table):
                continue  # it went on: to its end, or to the next question
        except WorkError:
            log.warning("no word from %s at table %s", table.head["shown"], table.name)
        except TakenError:
            return
        except QchessError as error:
            table.tell({"kind": "notice", "text": f"{table.head['shown']}: {error}. It is asked again."})
            pause = longest
        await asyncio.sleep(pause)
        pause = min(longest, 1.5 * pause)


async def _collected(table: Table) -> bool:
    """Whether the waiting turn went on."""
    went: Went | None = await table.ask(
        "collect", seconds=table.hall.settings.work_seconds, weight=Weight.AGENT, elsewhere=True, secret=table.secret
    )
    if went is None:
        return False
    async with table.lock:
        if not table.pending or table.result:
            return True
        await _keep(table, went, table.clocks, table.pending["by"], None)
    return True
