"""Changed inputs by the thousand to every parser: what comes out is a value or an error of ours, soon and small.

The default run gives each parser 100 inputs; ``pytest -m long`` gives it as many as ``QCHESS_FUZZ`` says, else 2,000.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

import qchess
from qchess import games
from qchess.circuits.forms import programtext
from qchess.commands.common import option
from qchess.compat import Move
from qchess.errors import QchessError
from qchess.games.niels_chess import NielsChess
from qchess.games.piece_qubit_chess import PieceQubitChess, game_records, notation
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.quantum_checkers import pdn
from qchess.games.quantum_chess import QuantumChess, fen, pgn
from qchess.games.quantum_chess.protocols import choice, gameview
from qchess.games.quantum_chess.protocols.remote_player import RemotePlayer
from qchess.games.quantum_chess.protocols.uqci import Engine
from qchess.servers import wire
from tests.fuzz import mutating

#: how many inputs each parser is given: a few, and in the long form as many as ``QCHESS_FUZZ`` says
COUNTS = [100, pytest.param(int(os.environ.get("QCHESS_FUZZ", "500")), marks=pytest.mark.long)]
SECONDS, BYTES = 1.0, 200 * 1024 * 1024
Read = Callable[[Any], object]

CHESS = qchess.new("quantum-chess", seed=4)
for _move in ("b1^a3c3", "d7-d5", "c3-d5", "g8^f6h6", "e2-e4", "f6-e4"):
    CHESS.play(_move)
PIECES = qchess.new("piece-qubit-chess", seed=4)
for _move in ("b1-c3", "g8-f6", "g2-g3", "b7-b6", "f1-g2", "c8-b7"):
    PIECES.play(_move)
RECORDS = [{**json.loads(game.record().to_json()), "tags": {"Event": "A test"}} for game in (CHESS, PIECES)]
PGN = pgn.dumps(CHESS, White="Ada", Black="Emmy", Event='A "test"')
PQ_RULES = PIECES.rules
assert isinstance(PQ_RULES, PieceQubitChess)
PQ_FEN = PQ_RULES.pqfen(PIECES.position)
PQ_LOOSE = "7k/8/4n3/8/8/8/8/K4B2 w - e6:(0.6,0.8i) - 0 text+entangler=none"
PQ_JSON = PQ_RULES.json(PIECES.position)
PQ_AMPS = PieceQubitChess(position=PQ_LOOSE)
PQ_AMPS_JSON = PQ_AMPS.json(PQ_AMPS.start(qchess.backends.engine("sparse")))


def some_way_into(name: str, plies: int) -> qchess.Game:
    """A game after some random moves."""
    game, rng = qchess.new(name, seed=3), random.Random(3)
    for _ in range(plies):
        game.play(rng.choice(game.moves()))
    return game


CHECKERS, NIELS, MARKS = (
    some_way_into("quantum-checkers", 20), some_way_into("niels-chess", 10), some_way_into("quantum-tic-tac-toe", 3),
)  # fmt: skip
assert isinstance(NIELS.rules, NielsChess)
NFEN = NIELS.rules.nfen(NIELS.position)
PROGRAM = """iswap^0.5 b1 a3
iswap b1 c3 if c2=0 d2=1
ry(0.5) q
ask hit: b1=1 c1=0 or d4=1
read m: a3 c3
discard x1
when hit
  1:
    swap t x1
"""
VIEW = {"view": gameview.write(CHESS), "clock": None}


def replayed_record(text: str) -> object:
    return qchess.replay(qchess.Record.from_json(text))


def position_string(text: str) -> object:
    rules, _ = QuantumChess.from_position(text)
    return rules.start(qchess.backends.engine("sparse"))


def rules_option(text: str) -> object:
    try:
        key, found = option(text)
    except argparse.ArgumentTypeError:  # what argparse turns into its own message
        return None
    return games.rules("quantum-chess", **{key: found}), games.rules("piece-qubit-chess", **{key: found})


def pq_position(position: Any) -> object:
    return PieceQubitChess(position=position).start(qchess.backends.engine("sparse"))


def a_choice(data: Any) -> object:
    assert isinstance(CHESS_RULES, QuantumChess)
    return choice.read(CHESS_RULES, CHESS.position, data)


def engine_line(line: str) -> object:
    return list(Engine("random", seed=1).answer(line))


CHESS_RULES = CHESS.rules
assert isinstance(CHESS_RULES, QuantumChess)


class Inputs(NamedTuple):
    """Good inputs of a parser, how one of them is changed by chance, and all that it becomes by a rule."""

    sources: tuple[Any, ...]
    change: Callable[[Any, random.Random], Any]
    faults: Callable[[Any], Iterable[Any]]

    def changed(self, rng: random.Random) -> Any:
        """One of the inputs with a few changes."""
        return self.change(rng.choice(self.sources), rng)


def move_of(game: qchess.Game) -> tuple[Read, Inputs]:
    """What reads a move in this position, and the legal moves with those that were played."""
    texts = [*game.moves(), *(played.text for played in game.history)]
    return lambda text: game.rules.read(game.position, text), of(*texts)


def of(*sources: str) -> Inputs:
    """Texts."""
    return Inputs(sources, mutating.text, mutating.without_a_word)


def json_of(*sources: Any) -> Inputs:
    """Values, written as JSON."""
    return Inputs(sources, mutating.json_text, lambda source: map(json.dumps, mutating.with_another_field(source)))


def value_of(*sources: Any) -> Inputs:
    """Values of JSON, as a Python caller would hand them in."""
    return Inputs(sources, mutating.value, mutating.with_another_field)


def body_of(source: Any) -> Inputs:
    """A value as the bytes of a request."""
    change, faults = json_of(source)[1:]
    return Inputs((source,), lambda *given: sent(change(*given)), lambda given: map(sent, faults(given)))


def sent(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


PARSERS: dict[str, tuple[Read, Inputs]] = {
    "record": (replayed_record, json_of(*RECORDS)),
    "pgn": (pgn.loads, of(PGN, "1. b1^a3c3 d7-d5 (1... e7-e5) 2. c3-d5.m0 {blocked} $4 ; rest\n *")),
    "fen": (fen.parse, of(fen.START, "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1", "4k/5/5/5/K4 b - - 7 30")),
    "position": (
        position_string,
        of("position startpos setup b1^a3c3 moves d7-d5 c3-d5.m0", f"position fen {fen.START} moves e2e4"),
    ),
    "pqfen": (pq_position, of(PQ_FEN, PQ_LOOSE)),
    "pq-json": (pq_position, value_of(PQ_JSON, PQ_AMPS_JSON)),
    "pq-replay": (
        game_records.replay,
        of(game_records.write_replay(PIECES), f"position pqfen {PQ_LOOSE} moves f1-g2 e6-c5"),
    ),
    "pq-move": (notation.parse, of("b8-c6", "Nb8xc6.mc4B,e6N")),
    "pq-profile": (Profile.parse, of("text+entangler=none+max_plies=400", "code+setup=standard")),
    "pdn": (pdn.loads, of(pdn.dumps(CHECKERS), "W:Wc3,Kd4:Bf6")),
    "checkers-position": (
        lambda text: qchess.new("quantum-checkers", position=text),
        of("W:Wc3,Kd4:Bf6", "B:Wa1,b2:BKh8,f6"),
    ),
    "checkers-move": move_of(CHECKERS),
    "nfen": (lambda text: qchess.new("niels-chess", nfen=text), of(NFEN, NFEN.rsplit(" ", 3)[0])),
    "niels-move": move_of(NIELS),
    "tic-tac-toe-move": move_of(MARKS),
    "program": (programtext.parse, of(PROGRAM)),
    "long-form": (
        Move.from_string,
        of("b1^a3c3:SPLIT_JUMP:BASIC", "a1a5.m1:SLIDE:CAPTURE", "e2f1q:PAWN_CAPTURE:CAPTURE"),
    ),
    "option": (
        rules_option,
        of(
            "self=1",
            "fen=4k3/8/8/8/8/8/8/4K3",
            "max_ply=5",
            'setup=["b1^a3c3"]',
            "quantum=false",
            'position={"side": "w"}',
            "name=x",
            "profile=text+entangler=none",
        ),
    ),
    "body": (wire.parse, body_of(VIEW)),
    "view": (lambda data: gameview.read(data, seconds=SECONDS), value_of(VIEW["view"])),
    "choice": (a_choice, value_of(*(choice.write(move) for move in CHESS_RULES.moves(CHESS.position)[::7]))),
    "address": (RemotePlayer, of("http://127.0.0.1:8001/move", "https://[::1]:443/a?b=c#d")),
    "uqci": (
        engine_line,
        of(
            "position startpos moves b1^a3c3 d7d5 c3xd5.m0",
            "go searchmoves b1^a3c3 e2e4 depth 3",
            "setoption name Seed value 3",
            "setoption name Backend value sparse",
            "go infinite",
        ),
    ),
}


def outcome(read: Read, given: Any) -> tuple[bool, float]:
    """Whether the input was read, and how long the processor took; an error that is not ours goes through.

    A dear input is tried twice more: when a machine stands still, whoever runs just then is charged with it.
    """
    cheapest = math.inf
    for _ in range(3):
        start, good = time.thread_time(), True
        try:
            read(given)
        except QchessError:
            good = False
        cheapest = min(cheapest, time.thread_time() - start)
        if cheapest < SECONDS:
            break
    return good, cheapest


@pytest.mark.filterwarnings("ignore::qchess.playing.replaying.BackendWarning")  # a record may name any backend
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_reads_or_refuses_whatever_it_is_given(name: str, count: int) -> None:
    read, inputs = PARSERS[name]
    rng = random.Random(f"{name} {count}")
    slowest, worst, read_well, before = 0.0, None, 0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(count):
        given = inputs.changed(rng)
        try:
            good, seconds = outcome(read, given)
        except BaseException as error:
            error.add_note(f"{name} was given {str(given)[:600]!r}")
            raise
        read_well += good
        if seconds > slowest:
            slowest, worst = seconds, given
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert grown < BYTES, (grown, str(worst)[:600])
    assert slowest < SECONDS, (slowest, str(worst)[:600])
    assert 0 < read_well < count or name == "uqci"  # mutations that all pass, or none, would test nothing
    said = f"{name}: {count} inputs, {read_well} read, slowest {1000 * slowest:.1f} ms, {grown / 2**20:.0f} MB in all"
    sys.stderr.write(said + "\n")


@pytest.mark.filterwarnings("ignore::qchess.playing.replaying.BackendWarning")
@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_reads_or_refuses_every_input_with_one_word_or_field_gone_or_of_another_type(name: str) -> None:
    read, inputs = PARSERS[name]
    for given in {str(each): each for source in inputs.sources for each in inputs.faults(source)}.values():
        try:
            outcome(read, given)
        except BaseException as error:
            error.add_note(f"{name} was given {str(given)[:600]!r}")
            raise


#: inputs made to be slow or large: what is deep, long, wide, or all backtracking
HARD: dict[str, list[Any]] = {
    "record": [
        "[" * 50_000,
        '{"a":' * 50_000,
        "1" * 50_000,
        json.dumps({"format": RECORDS[0]["format"], "x": "y" * 10**6}),
    ],
    "pgn": [
        "1. e2-e4 {" + " " * 50_000 + "}",
        "1. e2-e4 {" + "a=" * 50_000 + "}",
        "1. e2-e4 " + "(" * 50_000,
        "9" * 50_000,
        '[RuleOptions "' + "[" * 50_000 + '"]\n1. e2-e4',
        "1. e2-e4 {a=" + " b" * 50_000 + "}",
        '[Event "' + "\\" * 100_001 + '"]',
        "$" + "1" * 50_000,
    ],
    "fen": ["8/" * 50_000, "9" * 50_000, "k" * 50_000, "8/8/8/8/8/8/8/8 w - - " + "9" * 9000 + " 1"],
    "position": ["position fen " + "k" * 50_000, "position startpos setup " + "b1^a3c3 " * 20_000],
    "pqfen": [
        "7k/8/8/8/8/8/8/K7 w - " + "," * 90_000 + " - 0 text",
        "7k/8/8/8/8/8/8/K7 w - " + "(" * 90_000 + " - 0 text",
        "7k/8/4n3/8/8/8/8/K4B2 w - e6:(1e200,1e200) - 0 text",
        "7k/8/4n3/8/8/8/8/K4B2 w - e6:(1e308+1e308i,0) - 0 text",
        "7k/8/8/8/8/8/8/K7 w - - - " + "9" * 5000 + " text",
        "7k/8/8/8/8/8/8/K7 w - - - 0 text+max_plies=" + "9" * 5000,
        "7k/8/8/8/8/8/8/K7 w - - - 0 text+self=1",
    ],
    "pq-json": [
        PQ_JSON
        | {
            "systems": [
                {
                    "members": [f"p{k}" for k in range(24)],
                    "generators": ["+" + "I" * k + "X" + "I" * (23 - k) for k in range(24)],
                }
            ]
        },
        PQ_JSON | {"systems": [{"members": ["a"] * 10**6, "amps": [[1, 0]]}]},
        PQ_JSON | {"pieces": PQ_JSON["pieces"] * 10_000},
        {"pieces": 5},
        [],
        "text",
        7,
    ],
    "pq-replay": ["position startpos moves " + "b1-c3 " * 50_000],
    "program": [
        "ask a: " + " or ".join(f"q{k}=1" for k in range(5_000)),
        "x " + "a" * 10**6,
        "(" * 50_000,
        "\n".join(" " * k + "when a" for k in range(1000)),
        "when a\n" + "\n".join(f"  {'9' * 5000}:" for _ in range(3)),
        "when a\n  " + "9" * 5000 + ":",
        "x^" + "9" * 400 + " a",
    ],
    "option": ["self=1", "name=1", "maker=1", "fen=[[[[" + "[" * 5000, "max_ply=" + "9" * 5000, "x" * 10**6 + "=1"],
    "body": [b"[" * 60_000, b'{"a":' * 10_000, b"1" * 60_000, b'{"a":1e999}', b"\xff" * 60_000],
    "address": [
        "http://127.0.0.1:99999999/move",
        "http://127.0.0.1:-1/",
        "http://127.0.0.1:8 001/",
        "http://[::1/move",
        "http://a b/",
        "http://",
        "ftp://127.0.0.1/",
        "http://127.0.0.1:x/",
        "http://\x00/",
        "http://h/\r\nX: y",
        "http://127.0.0.1:0/move",
        "http://" + "a" * 50_000,
    ],
}


@pytest.mark.parametrize("name", HARD)
def test_what_is_made_to_be_slow_or_large_is_refused_soon_and_cheaply(name: str) -> None:
    read, _ = PARSERS[name]
    for given in HARD[name]:
        _, seconds = outcome(read, given)
        assert seconds < SECONDS, (seconds, str(given)[:100])
        tracemalloc.start()
        try:
            outcome(read, given)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < BYTES, (peak, str(given)[:100])
