"""``qchess learn``: lessons at the terminal, one phenomenon each."""

from __future__ import annotations

import argparse

from qchess.commands.common import Commands
from qchess.commands.play import add_screen


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("learn", help="lessons, one phenomenon each")
    parser.add_argument("game", nargs="?", metavar="GAME", help="a name from `qchess games`; without one, all lessons")
    parser.add_argument("lesson", nargs="?", default="", metavar="LESSON", help="a lesson by name or number")
    parser.add_argument("--list", action="store_true", help="list the lessons, and which are done")
    parser.add_argument("--seed", type=int, metavar="N", help="random seed")
    parser.add_argument("--backend", default="sparse", metavar="B", help="a name from `qchess backends`")
    add_screen(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Gives the lesson asked for, or those that are still to be done."""
    from qchess.commands.table import INTERRUPTED, screen_of
    from qchess.lessons.lesson import course, courses
    from qchess.terminal.teacher import Teacher

    screen = screen_of(args)
    chosen = [course(args.game)] if args.game else list(courses().values())
    teachers = [Teacher(each, screen, seed=args.seed, backend=args.backend) for each in chosen]
    if args.list or not args.game:
        for teacher in teachers:
            screen.say(f"qchess learn {teacher.course.game}")
            teacher.contents()
        return 0
    try:
        teachers[0].teach(args.lesson)
    except KeyboardInterrupt:
        screen.say("\nInterrupted.")
        return INTERRUPTED
    return 0
