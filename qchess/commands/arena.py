"""``qchess arena``: tournaments of agents, and what their result files say."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess import writing
from qchess.commands import places
from qchess.commands.common import Commands, add_json, add_workers, option, print_json, whole
from qchess.errors import InvalidMoveError
from qchess.reading import file_text

if TYPE_CHECKING:
    from qchess.arena.plan import Plan
    from qchess.arena.tournament import Outcome

PLAYER = "AGENT[@SIMULATIONS or @SECONDSs][:OPTION=VALUE,...], such as greedy, mcts@800 or mcts@1s"


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("arena", help="tournaments of agents, with ratings")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    play = actions.add_parser("play", help="play a tournament, or go on with one that was interrupted")
    play.add_argument("game", metavar="GAME", help="a name from `qchess games`")
    play.add_argument("players", nargs="+", metavar="PLAYER", help=PLAYER)
    play.add_argument(
        "--out",
        "-o",
        "--output",
        dest="out",
        type=Path,
        required=True,
        metavar="FILE",
        help="the result file, one line a game",
    )
    play.add_argument("--rounds", type=whole(1), default=10, metavar="N", help="rounds; in each every pair plays twice")
    play.add_argument("--system", choices=("round-robin", "gauntlet"), default="round-robin")
    play.add_argument("--seed", type=int, default=0, metavar="N", help="random seed")
    play.add_argument("--plies", type=whole(1), default=400, metavar="N", help="longer games are called draws")
    play.add_argument("--openings", type=Path, metavar="FILE", help="one opening a line: moves with their answers")
    play.add_argument("--random-plies", type=whole(0), default=0, metavar="N", help="begin with so many random moves")
    play.add_argument("--option", action="append", default=[], type=option, metavar="KEY=VALUE", help="a rule option")
    play.add_argument(
        "--test", type=_hypotheses, metavar="WORSE,BETTER",
        help="stop a match of two once the first player's score is decided, such as 0.5,0.55",
    )  # fmt: skip
    add_workers(play)
    add_json(play)
    play.set_defaults(run=run)
    show = actions.add_parser("show", help="the standings of a result file")
    show.add_argument("file", type=Path, metavar="FILE")
    add_json(show)
    writing.add_output(show, writing.PRINTED)
    show.set_defaults(run=show_file)


def _hypotheses(text: str) -> tuple[float, float]:
    try:
        worse, better = map(float, text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected two scores such as 0.5,0.55; got {text!r}") from error
    return worse, better


def run(args: argparse.Namespace) -> int:
    """Plays the tournament and prints its standings."""
    from qchess.arena.plan import Plan
    from qchess.arena.progress import Bars
    from qchess.arena.sequential import SequentialTest
    from qchess.arena.tournament import run as play

    if (args.workers > 1 or args.cluster) and any(map(places.is_place, (args.game, *args.players))):
        raise InvalidMoveError(
            "games and agents of your own are played by one worker; leave --workers and --cluster out"
        )
    for player in args.players:
        places.agent(player)
    places.game(args.game)
    plan = Plan(
        game=args.game, players=tuple(args.players), rounds=args.rounds, system=args.system, seed=args.seed,
        options=dict(args.option), plies=args.plies, random_plies=args.random_plies, openings=_openings(args.openings),
    )  # fmt: skip
    test = SequentialTest(*args.test) if args.test else None
    with Bars(args.out) as bars:
        told = bars.of(args.game)
        outcome = play(plan, args.out, workers=args.workers, cluster=args.cluster, test=test, told=told)
    _print(plan, outcome, args.json)
    return 0


@writing.printed
def show_file(args: argparse.Namespace) -> int:
    """Prints the standings of a result file, finished or not."""
    from qchess.arena.resultfile import read
    from qchess.arena.standings import standings
    from qchess.arena.tournament import Outcome

    plan, lines = read(args.file)
    _print(plan, Outcome(lines, standings(plan.players, lines), None), args.json)
    return 0


def _openings(file: Path | None) -> tuple[tuple[str, ...], ...]:
    lines = file_text(file, "openings, one a line").splitlines() if file else []
    return tuple(tuple(line.split()) for line in lines if line.strip() and not line.startswith("#"))


def _print(plan: Plan, outcome: Outcome, as_json: bool) -> None:
    from qchess.arena.standings import table

    total = sum(1 for _ in plan.fixtures())
    if as_json:
        data: dict[str, Any] = {"of": total, "verdict": outcome.verdict, **outcome.standings.data()}
        print_json(data)
        return
    print(f"{plan.game}: {outcome.standings.games} of {total} games, seed {plan.seed}")
    print(table(outcome.standings))
    if outcome.verdict:
        print(f"The test has decided: the better score is {outcome.verdict}.")
