"""``qchess experiment``: the paper's three experiments on quantum checkers, beside its figures."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.commands.common import Commands, add_workers, whole, wholes

if TYPE_CHECKING:
    from qchess.games.quantum_checkers.experiments.tournaments import Places


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("experiment", help="the experiments of the quantum checkers paper")
    actions = parser.add_subparsers(metavar="EXPERIMENT", required=True)
    complexity = _action(actions, "complexity", "length and draws of random games by size and level", run_complexity)
    complexity.add_argument("--sizes", type=wholes(0), default=(5, 6, 7, 8, 10, 12, 14), metavar="N,N,...")
    complexity.add_argument("--games", type=whole(1), default=1000, metavar="N", help="games a cell")
    complexity.add_argument("--profile", default="cheqqers_2025_03", help="the rules; those of the published figures")
    complexity.add_argument(
        "--draws", choices=("both", "on", "off"), default="both", help="with the draw rule or without"
    )
    mcts = _action(actions, "mcts", "the search against a random player", run_strength)
    mcts.add_argument("--agents", type=_words, default=("mcts-paper", "mcts"), metavar="AGENT,...")
    mcts.add_argument("--simulations", type=whole(1), default=800, metavar="N", help="simulations a move")
    mcts.add_argument("--games", type=whole(1), default=100, metavar="N", help="games a colour")
    mcts.add_argument("--size", type=whole(4, 26), default=5, metavar="N")
    mcts.add_argument("--rows", type=whole(1, 12), default=1, metavar="N")
    trueskill = _action(actions, "trueskill", "ratings of a random player and three searches", run_ladder)
    trueskill.add_argument("--agent", default="mcts-paper", metavar="AGENT", help="the search: mcts-paper or mcts")
    trueskill.add_argument("--budgets", type=wholes(0), default=(200, 400, 800), metavar="N,N,...")
    trueskill.add_argument(
        "--size", type=whole(4, 26), default=5, metavar="N", help="5 (one row) and 8 (three) were published"
    )
    trueskill.add_argument("--rows", type=whole(1, 12), metavar="N")
    trueskill.add_argument("--rounds", type=whole(1), metavar="N", help="25 on 5x5, 5 on 8x8 unless given")
    for action in (mcts, trueskill):
        action.add_argument("--profile", help="the rules; each agent's own unless given")


def _action(actions: Commands, name: str, about: str, run: Callable[[argparse.Namespace], int]) -> Any:
    action = actions.add_parser(name, help=about)
    action.add_argument(
        "--out", "-o", "--output", dest="out", type=Path, required=True, metavar="FOLDER",
        help="what was played already is kept there",
    )  # fmt: skip
    action.add_argument("--levels", type=wholes(0), default=(0, 1, 2, 3), metavar="N,N,...")
    action.add_argument("--seed", type=int, default=0, metavar="N", help="random seed")
    action.add_argument("--no-plots", action="store_true", help="without matplotlib (extra viz)")
    add_workers(action)
    action.set_defaults(run=run)
    return action


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def run_complexity(args: argparse.Namespace) -> int:
    """Experiment 1."""
    from qchess.games.quantum_checkers.experiments import complexity, plots, reports, verdicts

    draws = {"both": (True, False), "on": (True,), "off": (False,)}[args.draws]
    setting = complexity.Setting(args.sizes, args.levels, args.games, args.profile, draws, args.seed)
    with _Here(args) as places:
        cells = complexity.run(
            setting, args.out / "complexity.jsonl", workers=args.workers, cluster=args.cluster,
            told=lambda done, total: places.told("complexity", done, total),
        )  # fmt: skip
    rows = [asdict(cell) for cell in cells]
    text, table = verdicts.complexity(cells, args.profile), complexity.table(cells)
    reports.write(args.out, "complexity", {"setting": asdict(setting), "cells": rows}, table, text, rows)
    if not args.no_plots:
        plots.complexity(cells, args.out / "complexity")
        plots.branching(cells, args.out / "branching")
        plots.entanglement(cells, args.out / "entanglement")
    print(f"{text}\n\n{table}")
    return 0


def run_strength(args: argparse.Namespace) -> int:
    """Experiment 2."""
    from qchess.arena.standings import score_data
    from qchess.games.quantum_checkers.experiments import plots, reports, tournaments

    with _Here(args) as places:
        scores = tournaments.strength(
            places, agents=args.agents, levels=args.levels, simulations=args.simulations, games=args.games,
            size=args.size, rows=args.rows, profile=args.profile, seed=args.seed,
        )  # fmt: skip
    rows = [{"agent": a, "level": level, "as": colour, **score_data(s)} for (a, level, colour), s in scores.items()]
    text, table = tournaments.strength_text(scores), tournaments.strength_table(scores)
    setting = {name: getattr(args, name) for name in ("simulations", "games", "size", "rows", "profile", "seed")}
    reports.write(args.out, "strength", {"setting": setting, "scores": rows}, table, text, rows)
    if not args.no_plots:
        plots.strength(scores, args.out / "strength")
    print(f"{text}\n\n{table}")
    return 0


def run_ladder(args: argparse.Namespace) -> int:
    """Experiment 3."""
    from qchess.games.quantum_checkers.experiments import plots, reports, tournaments

    with _Here(args) as places:
        found = tournaments.ladder(
            places, agent=args.agent, levels=args.levels, size=args.size, rows=args.rows, rounds=args.rounds,
            budgets=args.budgets, profile=args.profile, seed=args.seed,
        )  # fmt: skip
    name = f"trueskill-{args.agent}-{args.size}x{args.size}"
    rows = [{"level": level, **row} for level, s in found.items() for row in s.data()["players"]]
    text, table = tournaments.ladder_text(found, args.size), tournaments.ladder_table(found, args.size)
    setting = {key: getattr(args, key) for key in ("agent", "budgets", "size", "rows", "rounds", "profile", "seed")}
    data = {"setting": setting, "levels": tournaments.ladder_data(found)}
    reports.write(args.out, name, data, table, text, rows)
    if not args.no_plots:
        plots.ratings({level: s.ratings for level, s in found.items()}, args.size, args.out / name)
    print(f"{text}\n\n{table}")
    return 0


class _Here:
    """Where the games of a command are played, with a bar for each tournament; what is refused leaves no folder."""

    def __init__(self, args: argparse.Namespace) -> None:
        from qchess.arena.progress import Bars

        self.args, self.bars, self.is_new = args, Bars(args.out), not args.out.exists()

    def __enter__(self) -> Places:
        from qchess.games.quantum_checkers.experiments.tournaments import Places

        self.args.out.mkdir(parents=True, exist_ok=True)
        return Places(self.args.out, self.args.workers, self.args.cluster, self.bars.tell)

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.bars.__exit__(kind, *error)
        if self.is_new and kind is not None and not any(self.args.out.iterdir()):
            self.args.out.rmdir()
