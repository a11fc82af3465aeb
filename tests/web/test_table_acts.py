"""Acts that once stopped a table or moved a clock, each told in a time of its own (`tests.web.histories`)."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from qchess import backends
from qchess.backends import ready
from qchess.errors import BackendError, IllegalMoveError, InvalidMoveError
from qchess.web import seeds
from qchess.web.acts import act, add_nonce, take_name
from qchess.web.clocks import SHOWN, Control, now
from qchess.web.hall import Hall
from qchess.web.settings import Settings
from qchess.web.store import Row, StoreError
from qchess.web.store.sqlite import SqliteStore
from qchess.web.tablerequest import TableRequest
from qchess.web.tables import Table
from qchess.web.turns import play
from tests.web.histories import LATE, SHOTS, Late, Loop, Rows, Workers

SETTINGS = Settings(backends=(), slow=1e9, opening_seconds=60.0, idle_seconds=1e9, collect=(1.0, 30.0))
SMALL = {"size": 4, "rows": 1}
#: seconds after which nothing is under way
LATER = 500.0


@pytest.fixture(autouse=True)
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table draws the same."""
    monkeypatch.setattr(seeds, "fresh", lambda: "a seed")


def told(scene: Coroutine[Any, Any, None]) -> None:
    """Tells a scene to its end, in a thread of its own: while a browser is driven, this one has a loop already."""
    loop = Loop()
    try:
        with ThreadPoolExecutor(1) as threads:
            threads.submit(loop.run_until_complete, scene).result()
    finally:
        loop.close()


def new_hall(store: Rows, settings: Settings = SETTINGS) -> Hall:
    hall = Hall(settings, store)
    hall.pool.close()
    hall.pool = Workers(random.Random(1))  # type: ignore[assignment]
    return hall


async def opened(hall: Hall, backend: str = "sparse", black: str = "human", clock: Control | None = None) -> Table:
    order = TableRequest("quantum-checkers", SMALL, backend, {"black": black}, clock or Control())
    return (await hall.open(order))[0]


async def move(table: Table, name: str, text: str = "a1-b2") -> None:
    await play(table, table.player, name, table.ply, text)


def legal(table: Table) -> list[str]:
    """The legal moves."""
    return [table.game.rules.write(table.game.position, legal) for legal in table.game.legal_moves]


def question(table: Table) -> str:
    """A legal move that asks something, if there is one."""
    asks = (text for text in legal(table) if table.game.rules.read_turn(table.game.position, text).program.answers)
    return next(asks, "")


async def again(hall: Hall, table: Table) -> tuple[Hall, Table]:
    """Another server that holds the same store."""
    await hall.close()
    assert isinstance(hall.keeping.store, Rows)
    hall = new_hall(hall.keeping.store, hall.settings)
    found = await hall.find(table.name)
    assert found is not None
    return hall, found


def ending(table: Table) -> tuple[Any, Any]:
    """Who won a table, and why."""
    result = table.result or {}
    return result.get("winner"), result.get("reason")


def test_a_device_is_opened_once_for_all_tables_with_the_limit_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = Mock(wraps=backends.get)
    monkeypatch.setattr(ready, "_kept", lru_cache(opening))

    async def scene() -> None:
        hall = new_hall(Rows())
        first, second = await opened(hall, "sparse-shots"), await opened(hall, "sparse-shots")
        assert first.game.backend is second.game.backend
        opening.assert_called_once_with(f"sparse-shots,branch_limit={SETTINGS.branches}")
        with pytest.raises(BackendError, match="this server sets the branch_limit of a table itself"):
            await opened(hall, "sparse,branch_limit=2000000000")
        assert len(hall.tables) == 2
        await hall.close()

    told(scene())


def test_a_computer_answers_again_after_every_takeback() -> None:
    async def scene() -> None:
        hall = new_hall(Rows())
        table = await opened(hall, black="greedy", clock=Control("fischer", 600, 5))
        answers = []
        for number in range(3):
            await move(table, f"move {number}")
            await asyncio.sleep(50.0)
            answers.append([entry["text"] for entry in table.history])
            await act(table, "white", f"back {number}", "ask-takeback")
            assert table.ply == 0
        assert answers[0] == answers[1] == answers[2], "the same move meets the same answer"
        assert len(answers[0]) == 2
        await hall.close()

    told(scene())


def test_a_takeback_while_a_computer_thinks_does_not_give_it_a_move_of_another_position() -> None:
    async def scene() -> None:
        hall = new_hall(Rows())
        table = await opened(hall, black="greedy")
        for number, text in enumerate(("a1-b2", "c1-d2", "c1^b2d2")):
            await move(table, f"move {number}", text)
            await asyncio.sleep(0)  # it has begun to think of this position
            assert table.driven
            if number < 2:
                await act(table, "white", f"back {number}", "ask-takeback")
        await asyncio.sleep(LATER)
        assert (table.ply, table.result) == (2, None)
        assert hall.pool.asked["choose"] == 2, "what was chosen for the first position was played in the last"  # type: ignore[attr-defined]
        await hall.close()

    told(scene())


def test_a_table_that_an_older_server_left_standing_goes_on() -> None:
    async def scene() -> None:
        store = Rows()
        table = await opened(hall := new_hall(store), black="greedy")
        hall.forget(table)
        game = {"kind": "move", "answers": [], "at": 0.0}
        rows: list[tuple[str, dict[str, Any]]] = [
            ("white:m1", {**game, "player": "white", "move": "a1-b2", "by": "white"}),
            ("black:greedy 1", {**game, "player": "black", "move": "b4-a3", "by": "black"}),
            ("white:m2", {"kind": "undo", "plies": 2, "by": "white", "at": 0.0}),
            ("white:m3", {**game, "player": "white", "move": "a1-b2", "by": "white"}),
        ]
        for number, (client, entry) in enumerate(rows):
            store.add(table.name, Row(number, client, entry))
        hall, table = await again(hall, table)
        assert (table.ply, table.player) == (1, "black")
        await asyncio.sleep(LATER)
        assert (table.ply, table.player) == (2, "white")
        await hall.close()

    told(scene())


@pytest.mark.parametrize("backend", ["sparse", SHOTS, LATE])
def test_who_sends_wrong_moves_loses_the_time_that_they_take(backend: str) -> None:
    async def scene() -> None:
        hall = new_hall(Rows())
        table = await opened(hall, backend, clock=Control("delay", 20, 5))
        await move(table, "first")
        await asyncio.sleep(0)
        for _ in range(60):
            if table.result:
                break
            with pytest.raises((IllegalMoveError, InvalidMoveError)):
                await play(table, "black", f"wrong {now()}", 1, "b4-b3")
            await asyncio.sleep(2.0)
        left = table.clocks.left("black", now())
        assert ending(table) == ("white", "time"), f"{left} of 20 s are left"
        await hall.close()

    told(scene())


def test_a_move_that_could_not_be_kept_can_be_played_again_and_costs_no_time() -> None:
    async def scene() -> None:
        store = Rows()
        table = await opened(hall := new_hall(store), SHOTS, clock=Control("fischer", 60, 0))
        await move(table, "first")
        await asyncio.sleep(7.0)
        store.trouble = 1
        with pytest.raises(StoreError, match="disk"):
            await move(table, "second", "b4-a3")
        assert table.pending is None
        assert table.clocks.left("black", now()) == pytest.approx(53.0)
        await move(table, "second", "b4-a3")
        assert table.ply == 2
        await hall.close()

    told(scene())


def test_an_answer_gives_two_seconds_to_whoever_waits_for_it_and_a_move_without_one_none() -> None:
    async def scene() -> None:
        hall = new_hall(Rows())
        options, clock = {"fen": "k7/8/8/3p4/8/8/8/KN6 w - - 0 1"}, Control("fischer", 60, 0)
        table = (await hall.open(TableRequest("quantum-chess", options, "sparse", {}, clock)))[0]
        for ply, text in enumerate(("b1^a3c3", "a8-a7", "c3-d5", "a7-a8", "a1-b1")):
            await play(table, table.player, f"move {ply}", ply, text)
            await asyncio.sleep(0.5 if ply == 3 else 7.0)
        # black was given two seconds, and white what was left of them; the others were given nothing
        assert table.clocks.remaining["black"] == pytest.approx(60.0 - 7.0 - (7.0 - SHOWN))
        assert table.clocks.remaining["white"] == pytest.approx(60.0 - 7.0 - 0.5)
        await hall.close()

    told(scene())


def test_a_computer_is_told_with_its_level() -> None:
    async def scene() -> None:
        hall = new_hall(Rows())
        for who, level in (("greedy", "Casual"), ("mcts@0.5s", "")):
            table = await opened(hall, black=who)
            assert table.state(None)["seats"]["black"] == {"who": who, "name": level, "present": True}
        await hall.close()

    told(scene())


def test_a_flag_that_could_not_be_kept_falls_as_soon_as_it_can() -> None:
    async def scene() -> None:
        store = Rows()
        table = await opened(hall := new_hall(store), clock=Control("fischer", 10, 0))
        await move(table, "first")
        store.trouble = 3
        await asyncio.sleep(20.0)
        assert store.trouble == 0
        assert ending(table) == ("white", "time")
        await hall.close()

    told(scene())


def test_a_game_of_as_many_moves_as_a_server_allows_ends_and_says_so() -> None:
    async def scene() -> None:
        hall = new_hall(Rows(), replace(SETTINGS, plies=2))
        table = await opened(hall)
        await move(table, "first")
        await move(table, "second", "b4-a3")
        await asyncio.sleep(0)
        assert ending(table) == (None, "no end after 2 moves")
        assert (await again(hall, table))[1].result == table.result

    told(scene())


@pytest.mark.parametrize("what", ["offer-draw", "ask-takeback"])
def test_nobody_answers_what_they_have_offered_or_asked_themselves(what: str) -> None:
    async def scene() -> None:
        table = await opened(hall := new_hall(Rows()))
        await move(table, "first")
        await act(table, "white", "offer", what)
        offered, about = table.offers, what.partition("-")[2]
        for number, answer in enumerate((f"accept-{about}", f"decline-{about}", what)):
            with pytest.raises(IllegalMoveError):
                await act(table, "white", f"own {number}", answer)
            assert (table.offers, table.ply, table.game.result) == (offered, 1, None)
        await act(table, "black", "yes", f"accept-{about}")
        assert (table.ply == 0) is (about == "takeback")
        assert (table.game.result is None) is (about == "takeback")
        await hall.close()

    told(scene())


def test_what_waits_and_what_is_offered_is_known_to_the_next_server() -> None:
    async def scene() -> None:
        Late.jobs = {}
        store = Rows()
        table = await opened(hall := new_hall(store), LATE)
        await act(table, "white", "offer", "offer-draw")
        hall, table = await again(hall, table)
        assert table.offers.draw == "white"
        await act(table, "black", "no", "decline-draw")
        while not (asks := question(table)):
            await move(table, f"move {table.turn}", "c1^b2d2" if not table.ply else legal(table)[-1])
        await move(table, f"move {table.turn}", asks)
        assert table.pending is not None
        await take_name(table, "white", "Ann")
        hall, table = await again(hall, table)
        assert table.pending is not None
        assert table.pending["text"] == asks
        turn, ply = table.turn, table.ply
        repeated = await play(table, table.player, f"move {turn}", ply, asks)
        assert repeated is not None
        assert repeated["kind"] == "waiting"
        await asyncio.sleep(LATER)
        assert table.ply == ply + 1
        answered = [answer for answer in table.game.history[-1].answers if answer.source == "late"]
        assert len(Late.jobs) == len(answered) > 0, "the same question was paid for twice"
        await hall.close()

    told(scene())


def test_a_copy_of_a_store_cannot_draw_anew_and_keeps_the_words_of_the_players(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(seeds, "fresh", lambda: f"drawn-{1:032x}")

    async def scene(words: str) -> set[tuple[str, str]]:
        """What the same move comes to in four copies of one store, with the words that each has."""
        file = tmp_path / f"{len(words)}.db"
        hall = new_hall(SqliteStore(file))  # type: ignore[arg-type]
        order = TableRequest("quantum-chess", {"fen": "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"}, "sparse", {}, Control())
        table = (await hall.open(order))[0]
        await add_nonce(table, "white", "1", words)
        await add_nonce(table, "white", "1", "sent again under the same name")
        for number, text in enumerate(("b1^a3c3", "e8-e7")):
            await move(table, f"move {number}", text)
        name = table.name
        await hall.close()
        found = set()
        for number in range(4):
            shutil.copy(file, copy := tmp_path / f"{len(words)}-{number}.db")
            hall = new_hall(SqliteStore(copy))  # type: ignore[arg-type]
            again = await hall.find(name)
            assert again is not None
            await move(again, f"a name of its own {number}", "c3-d5")
            with pytest.raises(IllegalMoveError, match="words come before the first answer"):
                await add_nonce(again, "white", "2", "x")
            await act(again, "white", f"back {number}", "ask-takeback")
            await act(again, "black", f"yes {number}", "accept-takeback")
            with pytest.raises(IllegalMoveError, match="words come before the first answer"):
                await add_nonce(again, "black", "3", "taken back is answered all the same")
            await move(again, f"once more {number}", "c3-d5")
            found.add((again.history[-1]["text"], again.nonces["white"]))
            await hall.close()
        return found

    every: set[str] = set()

    async def scenes() -> None:
        for number in range(1, 13):
            ((text, words),) = await scene("x" * number)
            assert words == "x" * number
            every.add(text)

    told(scenes())
    assert every == {"c3-d5.m0", "c3-d5.m1"}, "the words of the players change the answers"
