"""``qchess replay`` plays a record again, on any backend; ``qchess verify`` checks what it says of its answers."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from qchess import writing
from qchess.commands import places
from qchess.commands.common import Commands, add_backend, add_json, entry_data, print_json, result_data
from qchess.wording import folded, percent, width

if TYPE_CHECKING:
    from qchess.proving.witness import Checked, Verified

#: how a finding is said
SAID = {"proved": "follows from the seed", "certain": "was certain", "told": "told", "wrong": "WRONG"}


def add(commands: Commands) -> None:
    """Describes both commands."""
    parser = commands.add_parser("replay", help="play a record again, on any backend")
    places.add_record(parser)
    add_backend(parser, help="another backend than the record's")
    add_json(parser)
    writing.add_output(parser, writing.PRINTED)
    parser.set_defaults(run=run)
    checked = commands.add_parser("verify", help="check the answers and the odds of a record")
    places.add_record(checked)
    add_json(checked)
    writing.add_output(checked, writing.PRINTED)
    checked.set_defaults(run=verified)


@writing.printed
def run(args: argparse.Namespace) -> int:
    """Shows what every turn came to, the last board and the result."""
    from qchess.arena.progress import Bars
    from qchess.playing.record import Record
    from qchess.playing.replaying import replay

    record = Record.from_json(places.text_of(args, "a game record"))
    told = places.with_rules(record, args.rules)
    with Bars() as bars:
        game = replay(told, backend=args.backend, told=bars.of("replay"))
    if args.json:
        record, view = game.record(), game.view()
        print_json({
            "game": record.game,
            "options": record.options,
            "backend": record.backend,
            "turns": [entry_data(entry) for entry in record.entries],
            "board": {**asdict(view), "signs": [[*squares, sign] for squares, sign in view.signs.items()]},
            "result": result_data(game.result),
        })  # fmt: skip
        return 0
    print(f"{game.rules.title} on {game.backend.name}")
    for number, played in enumerate(game.history, 1):
        print(*folded(f"{number:3}. {played.player}: {played}", width(), "     "), sep="\n")
    print(f"\n{game}\n\n{game.result or 'The game goes on.'}")
    return 0


@writing.printed
def verified(args: argparse.Namespace) -> int:
    """Says what was found out; the exit code is 1 if something contradicts the record."""
    from qchess.games import rules
    from qchess.playing.record import Record
    from qchess.proving.witness import verify

    record = Record.from_json(places.text_of(args, "a game record"))
    told = places.with_rules(record, args.rules)
    found = verify(told, rules(told.game, **told.options))
    if args.json:
        print_json(_data(found))
    else:
        for line in _lines(found, len(record.entries)):
            print(*folded(line, width(), "     "), sep="\n")
    return 0 if found.holds else 1


def _lines(found: Verified, turns: int) -> list[str]:
    lines = [_line(each) for each in found.answers]
    for name, fair in found.fairness().items():
        lines.append(
            f"{name}: the likelier answer came {fair.likelier} times in {fair.questions}, {fair.expected:.1f} were to "
            f"be expected; so odd a number comes in {percent(fair.p_value, 1)} of all games."
        )
    lines += [f"Wrong: {fault}." for fault in found.faults]
    counts = {name: sum(each.finding == name for each in found.answers) for name in SAID}
    kinds = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    counted = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in ((turns, "turn"), (len(found.answers), "answer"))]
    lines.append(f"{', '.join(counted)}{f': {kinds}' if kinds else ''}.")
    lines.append("Nothing contradicts the record." if found.holds else "The record is not true.")
    return lines


def _line(each: Checked) -> str:
    answer = each.answer
    how = f"{SAID[each.finding]}{f' {each.why}' if each.finding == 'told' and each.why else ''}"
    why = f": {each.why}" if each.finding == "wrong" else ""
    return (
        f"{each.turn:3}. {each.move}: {answer.name} = {answer.value}, {percent(answer.probability)} likely, {how}{why}."
    )


def _data(found: Verified) -> dict[str, object]:
    return {
        "holds": found.holds,
        "faults": list(found.faults),
        "answers": [
            {
                "turn": each.turn,
                "move": each.move,
                "name": each.answer.name,
                "value": each.answer.value,
                "probability": each.answer.probability,
                "source": each.answer.source,
                "finding": each.finding.value,
                "why": each.why,
            }
            for each in found.answers
        ],
        "fairness": {
            name: {"questions": fair.questions, "likelier": fair.likelier, "expected": fair.expected, "p": fair.p_value}
            for name, fair in found.fairness().items()
        },
    }
