"""UQCI, the Universal Quantum Chess Interface: an engine on standard input and output.

    > position startpos moves b1^a3c3
    > go
    < bestmove e7e5

Outcomes come with the moves of ``position``; ``bestmove`` never carries one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TextIO

from qchess import backends
from qchess.backends.catalogue import reaches_out
from qchess.errors import BackendError, InvalidMoveError, QchessError
from qchess.games.quantum_chess import Move, MoveVariant, Position, QuantumChess
from qchess.games.quantum_chess.move import KINGS
from qchess.games.quantum_chess.profile import PROFILES
from qchess.games.quantum_chess.protocols.gameview import MOST_BRANCHES, MOST_MOVES
from qchess.playing import agents
from qchess.playing.game import Game
from qchess.playing.replaying import replayed

NULL_MOVE = "0000"
LONGEST_LINE = 64 * 1024
#: words of ``go``; the moves after ``searchmoves`` end at one of them
GO_WORDS = (
    "searchmoves", "ponder", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime",
    "infinite",
)  # fmt: skip
#: those with a number that is used here
COUNTED = ("wtime", "btime", "winc", "binc", "movestogo", "nodes", "movetime")
#: the number of moves that the clock should last for, and the most milliseconds for a move
USUAL_MOVES, LONGEST_THOUGHT = 25, 60_000
_NUMBER = re.compile(r"-?[0-9]{1,12}")
_CLAIMS = {MoveVariant.CAPTURE: "x", MoveVariant.EXCLUDED: "w"}
Lines = Iterator[str]


def write(rules: QuantumChess, position: Position, move: Move) -> str:
    """Return a move in the engines' dialect: no dash, ``x`` for a capture, ``w`` for an excluded move."""
    names = position.geometry.names
    sources, targets = ("".join(names[k] for k in squares) for squares in (move.sources, move.targets))
    claim = _CLAIMS.get(rules.kind(position, move).variant, "")
    return f"{sources}{'^' if len(move.squares) == 3 else ''}{claim}{targets}{move.promotion}"


class Engine:
    """An engine: lines in, lines out.

    >>> engine = Engine('random', seed=1)
    >>> list(engine.answer('isready'))
    ['readyok']
    """

    def __init__(
        self, agent: str = "greedy", *, seed: int | None = None, backend: str = "sparse", profile: str = "standard"
    ) -> None:
        self.agent, self.backend, self.profile = agents.get(agent), backends.get(backend), profile
        self._started_with, self.rng = backend, random.Random(seed)
        self.game = self._game("startpos")
        self.leaving = False
        #: the answer held back until ``stop`` or ``ponderhit``
        self._held: str | None = None
        self.commands: Mapping[str, Callable[[list[str]], Lines]] = {
            "uci": self._uci, "isready": self._isready, "ucinewgame": self._new_game, "setoption": self._set_option,
            "position": self._position, "go": self._go, "stop": self._release, "ponderhit": self._release,
            "quit": self._quit,
        }  # fmt: skip

    def run(self, stdin: TextIO, stdout: TextIO) -> None:
        """Answer every line until ``quit`` or the end of the input."""
        while not self.leaving and (line := stdin.readline(LONGEST_LINE)):
            stdout.writelines(answer + "\n" for answer in self.answer(line))
            stdout.flush()

    def answer(self, line: str) -> Lines:
        """Return the answer to one line. Unknown words are skipped until a known one comes."""
        words = line.split()
        while words and words[0] not in self.commands:
            words.pop(0)
        if not words:
            return
        try:
            yield from self.commands[words[0]](words[1:])
        except QchessError as error:
            yield f"info string error: {' '.join(str(error).split())}"

    # -- commands -------------------------------------------------------------------------------------------

    def _uci(self, words: list[str]) -> Lines:
        yield "id name qchess"
        yield "id author the qchess authors"
        yield f"option name Player type combo default {self.agent.name}{_variants(agents.names())}"
        inside = [name for name in backends.names() if not reaches_out(name)]
        yield f"option name Backend type combo default {self.backend.name}{_variants(inside)}"
        yield f"option name Rules type combo default {self.profile}{_variants(PROFILES)}"
        yield "option name Seed type string default <empty>"
        yield "uciok"

    def _isready(self, words: list[str]) -> Lines:
        yield "readyok"

    def _new_game(self, words: list[str]) -> Lines:
        self.game = self._game("startpos")
        yield from ()

    def _set_option(self, words: list[str]) -> Lines:
        """``setoption name N value V``"""
        if words[:1] != ["name"] or "value" not in words:
            raise InvalidMoveError(f"expected 'setoption name ... value ...', got {' '.join(words)!r}")
        at = words.index("value")
        name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        if name == "player":
            self.agent = agents.get(value)
        elif name == "backend":
            if value != self._started_with and reaches_out(value):
                raise BackendError(f"{value!r} opens more than simulators; start with: qchess uqci --backend {value}")
            self.backend = backends.get(value)
        elif name == "rules":
            QuantumChess(value)
            self.profile = value
        elif name == "seed":
            self.rng = random.Random(value.encode("utf-8", "surrogatepass"))
        else:
            raise InvalidMoveError(f"expected an option among Player, Backend, Rules, Seed; got {name!r}")
        yield from ()

    def _position(self, words: list[str]) -> Lines:
        """``position [fen F | startpos] [setup ...] [moves ...]``; an invalid one keeps the old one."""
        start = " ".join(words) if words[:1] in (["fen"], ["startpos"]) else " ".join(["startpos", *words])
        self.game = self._game(start)
        yield from ()

    def _go(self, words: list[str]) -> Lines:
        """Choose a move in the given time; depths are accepted, but agents have none."""
        rules, position = self._rules(), self.game.position
        moves = [] if self.game.result else [move for move in rules.moves(position) if move != KINGS]
        if "searchmoves" in words:
            moves = self._only(words[words.index("searchmoves") + 1 :]) if moves else moves
        best = NULL_MOVE
        if moves:
            budget, told = _budget(words, position.player), self.game.record().moves()
            task = agents.Task(rules, position, self.rng, budget, only=moves, history=told)
            best = write(rules, position, self.agent.choose(task).move)
            yield f"info depth 1 nodes {len(moves)} pv {best}"
        if "infinite" in words or "ponder" in words:
            self._held = f"bestmove {best}"
        else:
            yield f"bestmove {best}"

    def _release(self, words: list[str]) -> Lines:
        if self._held is not None:
            yield self._held
        self._held = None

    def _quit(self, words: list[str]) -> Lines:
        self.leaving = True
        yield from ()

    # -- details --------------------------------------------------------------------------------------------

    def _game(self, position: str) -> Game[Any, Any]:
        rules, moves = QuantumChess.from_position(position, profile=self.profile, max_branches=MOST_BRANCHES)
        if len(moves) > MOST_MOVES:
            raise InvalidMoveError(f"expected at most {MOST_MOVES} moves, got {len(moves)}")
        return replayed(rules, moves, self.backend)

    def _rules(self) -> QuantumChess:
        assert isinstance(self.game.rules, QuantumChess), "an engine plays Quantum Chess"
        return self.game.rules

    def _only(self, words: list[str]) -> list[Move]:
        """Return the moves allowed by ``searchmoves``."""
        named = []
        for word in words:
            if word in GO_WORDS:
                break
            named.append(self._rules().read(self.game.position, word)[0])
        if not named:
            raise InvalidMoveError("expected moves after 'searchmoves'")
        return named


def _budget(words: Sequence[str], player: str) -> agents.Budget:
    """Return how long to think: as given, or a share of the clock and most of the increment."""
    told = {word: int(number) for word, number in pairwise(words) if word in COUNTED and _NUMBER.fullmatch(number)}
    clock, more = told.get(f"{player[0]}time"), told.get(f"{player[0]}inc", 0)
    if "movetime" in told:
        milliseconds = told["movetime"]
    elif clock is not None:
        moves = max(1, told.get("movestogo", USUAL_MOVES))
        milliseconds = min(clock // 2, clock // moves + more * 4 // 5)
    else:
        milliseconds = LONGEST_THOUGHT
    nodes = told.get("nodes")
    return agents.Budget(None if nodes is None else max(1, nodes), max(0, min(milliseconds, LONGEST_THOUGHT)) / 1000)


def _variants(names: Sequence[str] | Mapping[str, object]) -> str:
    return "".join(f" var {name}" for name in names)
