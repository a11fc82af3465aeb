"""A move is read, checked and worked out once, however many doors it goes through: counted at each, in each game.

The ledger holds what is counted today. Who saves something lowers it; nothing makes it rise again.
"""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import qchess
from qchess.circuits import registers, running
from qchess.games.niels_chess.referee import Referee
from qchess.games.piece_qubit_chess import turn as pieces
from qchess.games.quantum_chess import move as moves_of_chess
from qchess.games.quantum_chess import rules, turn
from qchess.games.quantum_chess.protocols import gameview
from qchess.games.quantum_chess.protocols.move_server import MoveServer
from qchess.games.quantum_chess.protocols.uqci import Engine
from qchess.lessons.lesson import Case, Lesson, Step
from qchess.lessons.walk import Walk
from qchess.playing.agents import Choice, Task
from qchess.playing.record import Entry, entry_values
from qchess.playing.replaying import replayed
from qchess.rules import Turn
from qchess.terminal.hints import hint
from qchess.terminal.screen import Screen
from qchess.terminal.session import Terminal
from qchess.web import work
from tests.patience import PATIENCE

#: the moves before, none of which asks anything, and one that asks
MOVES = {
    "quantum-chess": ("b1^a3c3", "d7-d5", "c3-d5"),
    "piece-qubit-chess": ("b1-c3", "g8-h6", "a1-b1"),
    "quantum-checkers": ("e3^d4f4", "d6^c5e5", "f4-d6"),
    "niels-chess": ("b1^a3c3", "d7d5", "c3d5"),
    "niels-xiangqi": ("h3^h6oh3p", "h8h3"),
    "quantum-tic-tac-toe": ("a1b1", "a1b1"),
}
#: what is counted at a door: turns worked out, moves checked, programs started
Counts = tuple[int, int, int]


class Counted:
    """A game before its move that asks; what is counted from then on."""

    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        *self.before, self.text = MOVES[name]
        self.game = qchess.new(name, seed=1)
        for text in self.before:
            self.game.play(text)
        assert len(self.game.chances(self.text)) > 1, "the move asks"
        self.move, _ = self.game.rules.read(self.game.position, self.text)
        self.told = self.fresh().play(self.text)
        self.count = Counter[str]()
        kind = type(self.game.rules)
        for where, what in ((kind, "turn"), (kind, "check"), (registers, "start"), (running, "start")):
            monkeypatch.setattr(where, what, self._counting(what, getattr(where, what)))
        monkeypatch.setattr(work, "ODDS_SECONDS", PATIENCE)

    def _counting(self, what: str, true: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*given: Any, **named: Any) -> Any:
            # who has a turn works none out, and a text is read first: then its move comes here
            self.count[what] += not any(isinstance(one, Turn | str) for one in given)
            return true(*given, **named)

        return counting

    def fresh(self) -> qchess.Game:
        """The game before the move, to be played on."""
        return self.game.fork(seed=1)

    def waiting(self) -> qchess.Game:
        """The game in the middle of the move."""
        game = self.fresh()
        work.prepare(game, self.text)
        return game

    def lesson(self) -> Walk:
        """A lesson whose one task is the move."""
        step = Step("Play it.", (self.text,), (Case("Good."),))
        options = self.game.rules.options()
        return Walk(Lesson(self.game.rules.name, "", "", (), (step,), options, tuple(self.before)), seed=1)

    def shown(self) -> dict[str, Any]:
        """The game after the move, as a move server is asked about it."""
        game = self.fresh()
        game.play(self.text)
        return {"view": gameview.write(game), "clock": None}

    def said(self, *lines: str, welcome: bool = False) -> None:
        """Lines typed at a terminal; what its welcome takes counts if asked for."""
        Terminal(self.fresh(), screen=Typed(lambda: None if welcome else self.count.clear(), *lines, "quit")).run()

    def refereed(self, *lines: str) -> None:
        """Lines typed to a referee."""
        Referee(self.fresh(), lines, io.StringIO()).run()


class Typed(Screen):
    """A screen at which lines are typed once somebody waits for them."""

    def __init__(self, awaited: Callable[[], None], *lines: str) -> None:
        super().__init__(stdout=io.StringIO())
        self.awaited, self.lines = awaited, iter(lines)

    def read(self, prompt: str) -> str | None:
        self.awaited()
        self.awaited = lambda: None
        return next(self.lines)


class Adviser:
    """An agent that always advises one move."""

    name = "adviser"

    def __init__(self, move: Any) -> None:
        self.move = move

    def choose(self, task: Task) -> Choice:
        return Choice(self.move)


def row(at: Counted) -> dict[str, Any]:
    """The move as a store keeps it."""
    return {"kind": "move", **entry_values(Entry(at.told.player, at.told.text, at.told.answers))}


#: at each door: what is there before, and what is counted
DOORS: dict[str, tuple[Callable[[Counted], Any], Callable[[Counted, Any], Any]]] = {
    "Rules.step": (Counted.fresh, lambda at, game: game.rules.step(game.position, at.move, game.source)[0].registers),
    "Rules.outcomes": (Counted.fresh, lambda at, game: [*game.rules.outcomes(game.position, at.move)]),
    "Game.play(text)": (Counted.fresh, lambda at, game: game.play(at.text)),
    "Game.play(move)": (Counted.fresh, lambda at, game: (game.play(at.move), game.position.registers)),
    "Game.chances": (Counted.fresh, lambda at, game: game.chances(at.text)),
    "the terminal's welcome": (Counted.fresh, lambda at, _: at.said(welcome=True)),
    "a line at the terminal": (Counted.fresh, lambda at, _: at.said(at.text)),
    "odds at the terminal": (Counted.fresh, lambda at, _: at.said(f"odds {at.text}")),
    "a hint": (Counted.fresh, lambda at, game: hint(game, random.Random(1), Adviser(at.move))),
    "work.begin": (Counted.fresh, lambda at, game: work.begin(game, at.text)),
    "work.prepare": (Counted.fresh, lambda at, game: work.prepare(game, at.text)),
    "work.collect": (Counted.waiting, lambda at, game: work.collect(game)),
    "work.odds": (Counted.fresh, lambda at, game: work.odds(game, text=at.text)),
    "work.preview": (Counted.fresh, lambda at, game: work.preview(game, at.text)),
    "work.replay": (Counted.fresh, lambda at, game: work.replay(game, [row(at)])),
    "a lesson": (Counted.lesson, lambda at, walk: walk.answer(at.text)),
    "replayed": (Counted.fresh, lambda at, _: replayed(at.game.rules, [*at.before, at.told.text])),
    "the referee": (Counted.fresh, lambda at, _: at.refereed(at.text, "4", "4")),
    "UQCI": (
        lambda at: Engine(),
        lambda at, engine: [*engine.answer(f"position startpos moves {' '.join([*at.before, at.told.text])}")],
    ),
    "POST /move": (Counted.shown, lambda at, view: MoveServer("random", seed=1, seconds=PATIENCE).answer(view)),
}
#: at each door: turns worked out, moves checked, programs started; in the order of `MOVES`, where a game has the door
LEDGER = """
Rules.step              1 0 1  1 0 1  1 0 1  1 0 1  1 0 1  1 0 1
Rules.outcomes          1 0 1  1 0 1  1 0 1  1 0 1  1 0 1  1 0 1
Game.play(text)         1 0 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1
Game.play(move)         1 0 1  1 1 1  1 0 1  1 1 1  1 1 1  1 1 1
Game.chances            1 0 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1
the terminal's welcome  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0
a line at the terminal  1 0 2  1 1 2  1 1 3  1 1 2  1 1 2  1 1 2
odds at the terminal    1 0 0  1 1 0  1 1 1  0 1 0  0 1 0  1 1 0
a hint                  1 0 0  1 0 0  1 0 1  1 0 0  1 0 0  1 0 0
work.begin              1 0 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1
work.prepare            1 0 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1
work.collect            0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0
work.odds               1 0 1  1 1 1  1 1 2  1 1 1  1 1 1  1 1 1
work.preview            1 0 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1
work.replay             1 0 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1
a lesson                1 0 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1
replayed                3 0 3  3 3 4  3 3 3  3 3 3  2 2 2  2 2 2
the referee             -      -      -      1 1 1  1 1 1  -
UQCI                    3 0 3  -      -      -      -      -
POST /move              3 0 3  -      -      -      -      -
"""


def ledger() -> dict[tuple[str, str], Counts]:
    """The ledger by door and game."""
    found: dict[tuple[str, str], Counts] = {}
    for row in LEDGER.strip().splitlines():
        door, *cells = re.split("  +", row.strip())
        for name, cell in zip(MOVES, cells, strict=True):
            if cell != "-":
                turns, checks, starts = map(int, cell.split())
                found[door, name] = turns, checks, starts
    return found


def counted(door: str, name: str, monkeypatch: pytest.MonkeyPatch) -> Counts:
    """What is counted at a door."""
    at = Counted(name, monkeypatch)
    before, through = DOORS[door]
    there = before(at)
    at.count.clear()
    through(at, there)
    return at.count["turn"], at.count["check"], at.count["start"]


def judged(door: str, name: str, now: Counts) -> str:
    """What is wrong with what is counted; nothing if it is as in the ledger."""
    before = ledger()[door, name]
    if now == before:
        return ""
    counts = [f"{one} {what}" for one, what in zip(now, ("turns", "checks", "starts"), strict=True)]
    said = f"{name} at {door}: {', '.join(counts)}; the ledger has {before}"
    return said if any(one > other for one, other in zip(now, before, strict=True)) else f"{said}: lower the ledger"


@pytest.mark.parametrize(("door", "name"), ledger())
def test_a_move_is_worked_out_no_more_and_no_less_often_than_the_ledger_says(
    door: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_core = door == "Game.play(move)" and name in ("quantum-chess", "quantum-checkers")
    if by_core and rules.QuantumChess().core() is None:
        pytest.skip("the core finds the move in its list; without machine code it is checked")
    assert not judged(door, name, counted(door, name, monkeypatch))


def test_every_door_is_in_the_ledger() -> None:
    assert {door for door, _ in ledger()} == set(DOORS)


def test_a_second_turn_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = rules.QuantumChess
    true = kind.settle

    def settle(self: Any, position: Any, turn: Any, run: Any) -> Any:
        return true(self, position, self.turn(position, turn.move), run)

    monkeypatch.setattr(kind, "settle", settle)
    now = counted("Game.play(text)", "quantum-chess", monkeypatch)
    assert judged("Game.play(text)", "quantum-chess", now).endswith(
        "2 turns, 0 checks, 1 starts; the ledger has (1, 0, 1)"
    )
    assert judged("Game.play(text)", "quantum-chess", (0, 0, 1)).endswith("lower the ledger")


# -- within a turn -------------------------------------------------------------------------------------------


@pytest.fixture
def classified(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function that classifies a move was called."""
    counts = Counter[str]()

    def count(module: Any, name: str) -> None:
        true = getattr(module, name)

        def counting(*arguments: Any) -> Any:
            counts[name] += 1
            return true(*arguments)

        monkeypatch.setattr(module, name, counting)

    count(turn, "kind")
    count(rules, "kind")
    count(moves_of_chess, "castling_of")
    count(pieces, "influence")
    return counts


@pytest.mark.parametrize(
    ("name", "options", "moves"),
    [
        ("quantum-chess", {}, MOVES["quantum-chess"]),
        ("quantum-chess", {"fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}, ("e1-g1", "e8-c8")),
        ("quantum-chess", {"fen": "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"}, ("a7-a8R",)),
        ("piece-qubit-chess", {}, ("b1-c3", "g8-h6", "c3-d5")),
    ],
)
def test_a_turn_classifies_its_move_once(
    name: str, options: dict[str, Any], moves: tuple[str, ...], classified: Counter[str]
) -> None:
    game = qchess.new(name, seed=1, **options)
    for text in moves:
        move, _ = game.rules.read(game.position, text)
        assert game.position.registers
        classified.clear()
        after, _ = game.rules.step(game.position, move, game.source)
        assert after.registers, "a position after a ply of the core is made at the first look"
        assert max(classified.values(), default=0) <= 1, (text, classified)
        assert classified["kind"] == (name == "quantum-chess")
        game.play(move)


def test_no_game_steps_in_a_way_of_its_own() -> None:
    for name in qchess.games.names():
        own = vars(type(qchess.games.rules(name)))
        assert not {"step", "outcomes", "begin", "compile", "chances"} & own.keys()
