"""What happens at a table besides moves: clocks, offers, takebacks, rematches, and tables replayed from the store."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.web.clocks import Clocks, Control
from qchess.web.serving import Serving
from tests.patience import PATIENCE
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, opened, record

#: a knight in two places meets a queen: what is asked comes out one way or the other
MEETING = {"fen": "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1"}


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with Serving(PATIENT) as started:
        yield started


class Pair:
    """Both players of a table."""

    def __init__(self, server: Serving, game: str = "quantum-chess", **order: Any) -> None:
        table = opened(server.url, game, **order)
        self.game = table["game"]
        self.white, self.black = (Player(server.url, self.game, table["seats"][who]) for who in ("white", "black"))

    async def __aenter__(self) -> Pair:
        await self.white.connect()
        await self.black.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.white.leave()
        await self.black.leave()

    async def play(self, *moves: str) -> None:
        """Plays moves by turns, and waits until both have heard of each."""
        for text in moves:
            mover = self.white if self.white.state["player"] == "white" else self.black
            answer = await mover.move(text)
            assert answer["kind"] == "moved", answer
            await self.both(answer["ply"])

    async def both(self, ply: int) -> None:
        await self.white.until_ply(ply)
        await self.black.until_ply(ply)


# -- seats ------------------------------------------------------------------------------------------------------


def test_everybody_hears_who_comes_and_who_goes(server: Serving) -> None:
    async def heard() -> None:
        async with Pair(server) as pair:

            async def seats(present: bool, watchers: int) -> None:
                """Listens until white is told so; whoever comes within a moment of another is told with them."""
                while (message := await pair.white.until("seats"))["watchers"] != watchers or (
                    message["seats"]["black"]["present"] != present
                ):
                    pass

            await seats(True, 0)
            async with Player(server.url, pair.game):
                await seats(True, 1)
            await seats(True, 0)
            await pair.black.leave()
            await seats(False, 0)

    apart(heard())


# -- ends -------------------------------------------------------------------------------------------------------


def test_a_player_gives_up_also_when_it_is_not_their_turn(server: Serving) -> None:
    async def given_up() -> Any:
        async with Pair(server) as pair:
            await pair.black.act("resign")
            return (await pair.white.until("state"))["result"]

    assert apart(given_up()) == {
        "winner": "white",
        "reason": "resignation",
        "sentence": "White wins: the opponent resigned.",
    }


def test_a_draw_is_offered_declined_offered_again_and_agreed(server: Serving) -> None:
    async def agreed() -> Any:
        async with Pair(server) as pair:
            await pair.white.act("accept-draw")
            assert "no draw is offered" in (await pair.white.until("refused"))["why"]
            await pair.white.act("offer-draw")
            assert (await pair.black.until("offer"))["offers"]["draw"] == "white"
            await pair.black.act("decline-draw")
            assert (await pair.black.until("offer"))["offers"]["draw"] is None
            await pair.black.act("offer-draw")
            await pair.white.until("offer")
            await pair.white.act("accept-draw")
            ended = (await pair.black.until("state"))["result"]
            assert (await pair.white.move("b1^a3c3"))["kind"] == "refused"
            return ended

    assert apart(agreed()) == {"winner": None, "reason": "agreement", "sentence": "Draw: both players agreed."}


def test_a_past_question_is_asked_again_for_whoever_looks_on_while_the_game_runs(server: Serving) -> None:
    async def heard() -> Any:
        async with Pair(server, options=MEETING) as pair, Player(server.url, pair.game) as watcher:
            await pair.play("c3^b5e4", "d5-d6", "e4-d6")
            await watcher.until_ply(3)
            told = []
            for number in (None, 0, 0, *range(1, 9)):
                await watcher.send({"kind": "again", "ply": 3, **({} if number is None else {"round": number})})
                told.append(await watcher.until("again"))
            refused = []
            for ply in (0, 1, 4):
                await watcher.send({"kind": "again", "ply": ply})
                refused.append((await watcher.until("refused"))["why"])
            return told, refused, pair.white.state["ply"]

    (plain, first, same, *others), refused, ply = apart(heard())
    assert (plain["round"], ply) == (None, 3)
    assert [way["probability"] for way in plain["outcomes"]] == pytest.approx([0.5, 0.5])
    assert "times" not in plain["outcomes"][0]
    assert sum(way["times"] for way in first["outcomes"]) == first["times"] == 100
    assert first == same
    # two rounds are as often the same as two hundreds of tosses of a coin, 1 in 18; nine are not, 1 in 2 x 10^9
    assert any(other["outcomes"] != first["outcomes"] for other in others)
    assert "before position 0" in refused[0]
    assert "no question that was open" in refused[1]
    assert "no position 4 yet" in refused[2]


def test_an_offer_ends_with_the_next_move(server: Serving) -> None:
    async def moved() -> Any:
        async with Pair(server) as pair:
            await pair.black.act("offer-draw")
            await pair.white.until("offer")
            await pair.play("b1^a3c3")
            return pair.white.state["offers"]["draw"]

    assert apart(moved()) is None


@pytest.mark.slow
def test_whoever_has_no_time_left_loses(server: Serving) -> None:
    async def flagged() -> Any:
        async with Pair(server, clock={"kind": "fischer", "seconds": 1, "extra": 0}) as pair:
            assert pair.white.state["clocks"]["running"] is None
            await pair.play("b1^a3c3")
            assert pair.white.state["clocks"]["running"] == "black"
            return (await pair.white.until("state"))["result"]

    assert apart(flagged()) == {
        "winner": "white",
        "reason": "time",
        "sentence": "White wins: the opponent ran out of time.",
    }


# -- taking back ------------------------------------------------------------------------------------------------


def test_what_is_taken_back_and_played_again_meets_the_same_answer(server: Serving) -> None:
    async def again() -> list[str]:
        async with Pair(server, options=MEETING) as pair:
            await pair.play("c3^a4e4", "d5-d6", "e4-d6")
            answers = [pair.white.history[-1]["text"]]
            for _ in range(4):
                await pair.white.act("ask-takeback")
                assert (await pair.black.until("offer"))["offers"]["takeback"] == "white"
                await pair.black.act("accept-takeback")
                await pair.white.until("state")
                await pair.black.until("state")
                assert pair.white.state["ply"] == 2
                await pair.play("e4-d6")
                answers.append(pair.white.history[-1]["text"])
            return answers

    answers = apart(again())
    assert answers[0].startswith("e4-d6.m")
    assert len(set(answers)) == 1


def test_a_takeback_may_be_declined_and_a_table_may_have_none(server: Serving) -> None:
    async def declined() -> tuple[int, str]:
        async with Pair(server) as pair:
            await pair.play("b1^a3c3")
            await pair.white.act("ask-takeback")
            await pair.black.until("offer")
            await pair.black.act("decline-takeback")
            await pair.white.until("offer")
            assert (await pair.white.until("offer"))["offers"]["takeback"] is None
            ply = pair.white.state["ply"]
        async with Pair(server, takebacks=False) as pair:
            await pair.play("b1^a3c3")
            await pair.white.act("ask-takeback")
            return ply, (await pair.white.until("refused"))["why"]

    assert apart(declined()) == (1, "moves cannot be taken back at this table")


# -- playing again ----------------------------------------------------------------------------------------------


def test_a_rematch_changes_seats_and_keeps_the_links(server: Serving) -> None:
    async def rematch() -> str:
        async with Pair(server) as pair:
            await pair.white.act("rematch")
            assert "not over" in (await pair.white.until("refused"))["why"]
            await pair.white.act("resign")
            await pair.black.until("state")
            await pair.white.act("rematch")
            assert (await pair.black.until("offer"))["offers"]["rematch"] == ["white"]
            await pair.black.act("rematch")
            offers = (await pair.black.until("offer"))["offers"]
            async with Player(server.url, offers["next"], pair.white.seat) as moved:
                return str(moved.state["you"])

    assert apart(rematch()) == "black"


# -- replayed from the store -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("full", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_table_is_told_again_from_its_store_with_all_that_happened(tmp_path: Path, full: bool) -> None:
    store = str(tmp_path / "games.sqlite")
    with Serving(PATIENT, store=store, full=full) as server:
        pair = Pair(server, options=MEETING, clock={"kind": "fischer", "seconds": 600, "extra": 5})
        before, told = apart(_taken_back(server, pair))
    with Serving(PATIENT, store=store, full=full) as server:
        after = apart(_seen_again(server, pair))
        assert record(server.url, pair.game) == told
        rows = server.hall.keeping.store.read(pair.game)
    for key in ("view", "history", "ply", "player", "result"):
        assert after[key] == before[key], key
    assert rows is not None
    kept = [row.entry["clocks"] for row in rows.rows if row.entry.get("clocks")][-1]
    left = after["clocks"]["remaining"]
    assert left["white"] == before["clocks"]["remaining"]["white"] == kept["white"]
    assert left["black"] <= kept["black"]  # whose clock runs
    assert after["seats"]["white"]["name"] == "Ann"


async def _taken_back(server: Serving, pair: Pair) -> tuple[dict[str, Any], str]:
    """A game with a measurement that was taken back and played again."""
    pair.white.name = "Ann"
    async with pair:
        await pair.play("c3^a4e4", "d5-d6", "e4-d6")
        await pair.white.act("ask-takeback")
        await pair.black.until("offer")
        await pair.black.act("accept-takeback")
        await pair.black.until("state")
        await pair.white.until("state")
        await pair.play("e4-d6")
        told = await asyncio.to_thread(record, server.url, pair.game)
        return pair.white.state | {"history": pair.white.history}, told


async def _seen_again(server: Serving, pair: Pair) -> dict[str, Any]:
    async with Player(server.url, pair.game, pair.white.seat) as white:
        return white.state


@pytest.mark.slow
def test_a_long_game_is_told_again_by_a_worker(tmp_path: Path) -> None:
    store = str(tmp_path / "games.sqlite")
    with Serving(PATIENT, store=store) as server:
        pair = Pair(server, "quantum-checkers")

        async def played() -> dict[str, Any]:
            rng = random.Random(4)
            async with pair:
                while not pair.white.state["result"] and pair.white.state["ply"] < 45:
                    mover = pair.white if pair.white.state["player"] == "white" else pair.black
                    await pair.play(rng.choice(mover.state["moves"])["text"])
                return pair.white.position

        before = apart(played())
    with Serving(PATIENT, store=store) as server:

        async def seen() -> dict[str, Any]:
            async with Player(server.url, pair.game) as watcher:
                return watcher.position

        assert apart(seen()) == before
        again = qchess.replay(record(server.url, pair.game))
        assert [played.text for played in again.history] == [entry["text"] for entry in before["history"]]


@pytest.mark.slow
def test_a_table_that_nobody_watches_is_forgotten_and_found_again() -> None:
    with Serving(replace(PATIENT, idle_seconds=0.2)) as server:
        table = opened(server.url, "quantum-checkers")

        async def idle() -> tuple[int, int]:
            while server.hall.tables:
                await asyncio.sleep(0.05)
            async with Player(server.url, table["game"], table["seats"]["white"]) as white:
                return len(server.hall.tables), white.state["ply"]

        assert apart(asyncio.wait_for(idle(), PATIENCE)) == (1, 0)


@pytest.mark.slow
def test_a_computer_player_that_cannot_choose_loses_and_nobody_waits(tmp_path: Path) -> None:
    with Serving(replace(PATIENT, agents=(), agent_seconds=0.05)) as server:
        table = opened(server.url, seats={"white": "mcts@60s"})

        async def ended() -> Any:
            async with Player(server.url, table["game"], table["seats"]["black"]) as black:
                while black.state["result"] is None:
                    await black.hear()
                return black.state["result"]

        assert apart(ended()) == {
            "winner": "black",
            "reason": "no move in time",
            "sentence": "Black wins: the opponent made no move in time.",
        }
        assert server.hall.pool.killed >= 2


# -- clocks as values -------------------------------------------------------------------------------------------


def test_fischer_adds_after_each_move_and_only_to_who_moved() -> None:
    clocks = Clocks.fresh(Control("fischer", 60, 5), ("white", "black")).start("white", 100.0)
    after = clocks.stop(110.0).moved("white").start("black", 110.0)
    assert (after.left("white", 120.0), after.left("black", 120.0)) == (55.0, 50.0)
    assert after.seconds_until_flag(120.0) == 50.0


def test_delay_takes_the_first_seconds_of_each_move_for_free() -> None:
    clocks = Clocks.fresh(Control("delay", 60, 5), ("white", "black")).start("white", 0.0)
    assert clocks.left("white", 4.0) == 60.0
    assert clocks.left("white", 15.0) == 50.0
    assert clocks.seconds_until_flag(0.0) == 65.0
    assert clocks.stop(15.0).moved("white").left("white", 99.0) == 50.0


@pytest.mark.parametrize("kind", ["fischer", "delay"])
def test_no_clock_runs_for_two_seconds_after_an_answer_and_then_it_does(kind: str) -> None:
    fresh = Clocks.fresh(Control(kind, 60, 5), ("white", "black"))
    free, extra = (5.0, 0.0) if kind == "delay" else (0.0, 5.0)
    black = fresh.start("white", 90.0).stop(90.0).moved("white").answered(100.0).start("black", 100.0)
    assert black.left("black", 102.0 + free) == 60.0
    assert black.seconds_until_flag(100.0) == 62.0 + free
    assert black.values(100.5)["stands"] == 1.5  # type: ignore[index]
    assert "stands" not in black.values(102.0)  # type: ignore[operator]
    # a reply within them comes to the other page no earlier: its clock begins to run with them over
    white = black.stop(100.5).moved("black").start("white", 100.5)
    assert (white.left("black", 200.0), white.left("white", 112.0)) == (60.0 + extra, 50.0 + free + extra)


def test_without_clocks_nothing_runs() -> None:
    clocks = Clocks.fresh(Control(), ("white", "black")).start("white", 0.0)
    assert (clocks.running, clocks.values(5.0), clocks.kept(5.0)) == (None, None, None)


def test_kept_clocks_are_restored_and_stand_still() -> None:
    clocks = Clocks.fresh(Control("fischer", 60, 5), ("white", "black")).start("white", 0.0)
    kept = json.loads(json.dumps(clocks.kept(20.0)))
    restored = Clocks.fresh(Control("fischer", 60, 5), ("white", "black")).restored(kept)
    assert (restored.left("white", 1e9), restored.running) == (40.0, None)
