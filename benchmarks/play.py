"""Times random self-play and lists of legal moves: ``python -m benchmarks.play [--game NAME] [--json]``.

Random games go three roads: as users write them (`new`, `moves`, `play`), through the rules (`moves`, `step`), and
through the playouts of the compiled core, where a game has one. Beside each rate stands how many games came to their
end within 200 plies, and how many outgrew the branches that the engine or the core may hold. Nothing is timed before
one game was replayed from its record to the identical state, nor before the compiled kernels are loaded. Rates are
those of all games together and of the median game, on one core. The last row is the time of a choice of the agent
`mcts`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any, NamedTuple

import qchess
from benchmarks.engine import engine_actions, registers_actions
from benchmarks.machine import machine, timings
from qchess import backends
from qchess.games import rules as rules_of
from qchess.playing import agents
from qchess.rules import Rules

#: how long a game may be
PLIES = 200
#: of a choice of the strong agent
SIMULATIONS = 200
#: a middle game of Niel's Chess from random play: ten pairs, seven of them in two groups
NIELS_MIDDLE = (
    "rnbqkbnr/p1pnb1pp/8/1B1p1pN1/3PppPp/PPP1PN1P/PPPBQPP1/RNB2K1R w - - 0 14 a3pa2o@+,b3pb2p,b8pd7p,c1od2p@+,"
    "c3pc2o@+,e7of8p@+,f4pf5p@-,g4og2o@-,g5pf3o,h4ph7p@-"
)


class Course(NamedTuple):
    """How one game went: how far, how long it took, and whether it ended or outgrew its branches within `PLIES`."""

    plies: int
    seconds: float
    ended: bool
    outgrown: bool = False


def played(name: str, seed: int, **options: Any) -> Course:
    """One random game as users play it."""
    rng = random.Random(seed)
    began = time.perf_counter()
    game = qchess.new(name, seed=seed, **options)
    try:
        while len(game.history) < PLIES and not game.is_over:
            game.play(rng.choice(game.moves()))
    except qchess.StateTooLargeError:
        return Course(len(game.history), time.perf_counter() - began, ended=False, outgrown=True)
    return Course(len(game.history), time.perf_counter() - began, game.is_over)


def played_out(rules: Rules[Any, Any], games: int, seed: int = 1) -> dict[str, Any] | None:
    """Plies a second of a batch of random games in the compiled core, if the game has one here."""
    core = rules.core()
    if core is None:
        return None
    packed = core.pack(rules.start(backends.engine("sparse")))
    core.playouts(packed, games, 0, PLIES)
    began = time.perf_counter()
    batch = core.batch(packed, games, seed, PLIES) if hasattr(core, "batch") else None
    found = batch.playouts if batch else core.playouts(packed, games, seed, PLIES)
    seconds = time.perf_counter() - began
    report = {"games": games, "ended": found.games - found.unfinished, "plies": found.plies}
    outgrown = {"outgrown": batch.too_large} if batch else {}
    return {**report, **outgrown, "plies_per_second": round(found.plies / seconds)}


def choices(rules: Rules[Any, Any]) -> dict[str, Any]:
    """Seconds of the processor for a choice of `mcts` after so many random plies, the median of five games."""
    agent, medians = agents.get("mcts"), {}
    for plies in (0, 16, 24, 32):
        taken = []
        for seed in range(5):
            task = agents.Task(rules, middle(rules, plies, seed), random.Random(seed), agents.Budget(SIMULATIONS))
            began = time.process_time()
            agent.choose(task)
            taken.append(time.process_time() - began)
        medians[f"after {plies} plies"] = round(statistics.median(taken), 4)
    return {"simulations": SIMULATIONS, **medians}


def middle(rules: Rules[Any, Any], plies: int, seed: int) -> Any:
    """The position after so many random plies, or the last one before in which there is a choice."""
    rng, source = random.Random(seed), backends.Seeded(seed)
    found = position = rules.start(backends.engine("sparse"))
    for _ in range(plies):
        position, _ = rules.step(position, rng.choice(rules.moves(position)), source)
        if rules.result(position):
            break
        if len(rules.moves(position)) > 1:
            found = position
    return found


def one_game(rules: Rules[Any, Any], seed: int) -> Course:
    """One random game through the rules."""
    rng = random.Random(seed)
    source = backends.Seeded(rng)
    position = rules.start(backends.engine("sparse"))
    began = time.perf_counter()
    plies = 0
    while plies < PLIES and rules.result(position) is None:
        move = rng.choice(rules.moves(position))
        try:
            position, _ = rules.step(position, move, source)
        except qchess.StateTooLargeError:
            return Course(plies, time.perf_counter() - began, ended=False, outgrown=True)
        plies += 1
    return Course(plies, time.perf_counter() - began, rules.result(position) is not None)


def rate(game: Callable[[int], Course], games: int, seed: int = 1) -> dict[str, Any]:
    """Plies a second over several games, each played by its seed: the median game, and all of them together."""
    game(seed)
    found = [game(seed + k) for k in range(games)]
    plies = sum(course.plies for course in found)
    return {
        "games": games,
        "ended": sum(course.ended for course in found),
        "outgrown": sum(course.outgrown for course in found),
        "plies": plies,
        "plies_per_second": round(plies / sum(course.seconds for course in found)),
        "median_game": round(statistics.median(course.plies / course.seconds for course in found)),
    }


def lists(rules: Rules[Any, Any], position: Any) -> dict[str, Any]:
    """Lists of legal moves a second, each read to its end, of a position that nobody has looked at before."""
    fresh = _forgetful(position)
    taken = timings(lambda: [*rules.moves(fresh())], seconds=1)
    cost = statistics.median(timings(fresh, seconds=0.2))
    return {
        "moves": len(rules.moves(position)),
        "branches": max(position.registers.branches(), default=1),
        "lists_per_second": round(1 / max(1e-9, statistics.median(taken) - cost)),
    }


def _forgetful(position: Any) -> Any:
    """Makes copies of a position without what it, or anybody else, remembers of it."""
    values = [(row.name, getattr(position, row.name)) for row in fields(position)]
    named = [(name, value) for name, value in values if hasattr(value, "_replace")]
    return lambda: replace(position, **{name: value._replace() for name, value in named})


def wide_position(rules: Rules[Any, Any], branches: int = 1000, seed: int = 1) -> Any:
    """A position with a register of so many branches, from random moves that measure nothing."""
    rng = random.Random(seed)
    for _ in range(50):
        position = rules.start(backends.engine("sparse"))
        for _ in range(150):
            size = max(position.registers.branches(), default=1)
            if size >= branches or rules.result(position):
                break
            moves = rules.moves(position)
            quiet = [m for m in rng.sample(moves, min(20, len(moves))) if not rules.compile(position, m).answers]
            if not quiet:
                break
            position, _ = rules.step(position, rng.choice(quiet))
        if branches <= size <= 2 * branches and rules.result(position) is None:
            return position
    raise SystemExit(f"no position of {branches} branches was found")


def load_kernels() -> None:
    """Uses every kernel once, on a register of 64 branches."""
    engine = backends.engine("sparse")
    for actions in (engine_actions(engine, 64), registers_actions(engine, 64)):
        for action in actions.values():
            action()


def check_replay(name: str, seed: int, **options: Any) -> None:
    """One seeded game, replayed from its record: nothing is timed unless it ends in the same state."""
    rng = random.Random(seed)
    game = qchess.new(name, seed=seed, **options)
    for _ in range(60):
        moves = game.moves()
        if not moves:
            break
        game.play(rng.choice(moves))
    again = qchess.replay(game.record().to_json())
    if not again.position.registers.same_as(game.position.registers):
        raise SystemExit("the replay differs from the game; nothing is timed")


def main() -> None:
    """Runs the benchmark and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="quantum-chess")
    parser.add_argument("--profile", help="the profile of the rules; the game's own if none is named")
    parser.add_argument("--games", type=int, default=60, help="games per rate")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chosen = {"profile": options.profile} if options.profile else {}
    check_replay(options.game, seed=1, **chosen)
    load_kernels()
    report: dict[str, Any] = {"machine": machine(), "game": options.game, **chosen}
    rules = rules_of(options.game, **chosen)
    report["new, moves, play"] = rate(partial(played, options.game, **chosen), options.games)
    report["rules"] = rate(partial(one_game, rules), options.games)
    report["core"] = played_out(rules, max(1000, options.games))
    report["lists at the start"] = lists(rules, rules.start(backends.engine("sparse")))
    if options.game == "quantum-chess":
        classical = rules_of(options.game, quantum=False, **chosen)
        report["new, moves, play, quantum moves off"] = rate(
            partial(played, options.game, quantum=False, **chosen), options.games
        )
        report["rules, quantum moves off"] = rate(partial(one_game, classical), options.games)
        report["core, quantum moves off"] = played_out(classical, max(1000, options.games))
        report["lists at 1,000 branches"] = lists(rules, wide_position(rules))
    if options.game == "niels-chess":
        middle = rules_of(options.game, nfen=NIELS_MIDDLE)
        report["lists with ten pairs in two groups"] = lists(middle, middle.start(backends.engine("sparse")))
    report["a choice of mcts, seconds"] = choices(rules)
    print(json.dumps(report, indent=1) if options.json else _table(report))


def _table(report: dict[str, Any]) -> str:
    where = report["machine"]
    lines = [f"{report['game']} on {where['processor']}, Python {where['python']}"]
    lines += [f"{name}: {value}" for name, value in report.items() if name not in ("machine", "game")]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
