"""``qchess circuit``: the circuit behind a move, drawn, exported and counted."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess import writing
from qchess.commands.common import Commands, add_game_options, played_game, print_json, require_game
from qchess.errors import InvalidMoveError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qchess.circuits.compiling.compiler import Compiled
    from qchess.circuits.program import Program
    from qchess.playing.game import Game
    from qchess.playing.preview import Preview, SentCircuit

FORMS = ("text", "svg", "cirq", "qiskit", "qasm2", "qasm3", "lines", "json")
#: cirq, qiskit, qasm2 and lines are named with --to
SUFFIXES = {".txt": "text", ".svg": "svg", ".qasm": "qasm3", ".json": "json"}
#: what vendors' circuits can be written in
SENT_FORMS = ("text", "cirq", "qiskit", "qasm2", "qasm3", "json")
LEVELS = ("naive", "exact", "aware")
#: what is told of each circuit, where a device gets several
FIGURES = ("two_qubit_gates", "depth", "expected_fidelity", "kept_expected")
COUNTS = ("two-qubit gates", "two-qubit depth", "depth", "ancillas")


class Shown(NamedTuple):
    """A circuit to be shown: its program, what is known before it runs, and a line about it."""

    program: Program
    known: Mapping[str, int]
    caption: str


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "circuit",
        help="the circuit of a move",
        description="Without a game: a small demonstration. With one: the circuit of the last move. "
        "With a device as the backend: the circuits that it would get for the move; nothing is sent.",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="a name from `qchess games`")
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="moves with their answers; the last one is shown")
    parser.add_argument("--state", action="store_true", help="instead, the circuit of the superposition they lead to")
    parser.add_argument("--to", choices=FORMS, metavar="FORM", help=f"one of {', '.join(FORMS)}")
    parser.add_argument("--json", action="store_const", const="json", dest="to", help="the same as --to json")
    writing.add_output(parser, SUFFIXES)
    parser.add_argument("--level", choices=LEVELS, metavar="L", help=f"compiled: {', '.join(LEVELS)}")
    parser.add_argument("--stats", action="store_true", help="count the gates of every level (text and json)")
    add_game_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the circuit in the form asked for, or writes it to the file of ``-o``."""
    args.to = writing.form_of(args, SUFFIXES, "text")
    return writing.capture(args, _print)


def _print(args: argparse.Namespace) -> int:
    if args.stats and args.to not in ("text", "json"):
        raise InvalidMoveError(f"--stats goes with --to text or json, got --to {args.to}")
    game = _game(args) if args.game else None
    if game and not args.state and (told := _of_device(game, args)):
        _print_sent(told, args.to)
        return 0
    shown = _of_game(game, args) if game else demonstration()
    compiled = _compiled(shown, args.level) if args.level else None
    program = compiled.program if compiled else shown.program
    if args.to == "json":
        print_json(_data(shown, program, args.stats))
        return 0
    if args.to == "text":
        print(f"{shown.caption}\n")
    print(_written(program, args.to).rstrip("\n"))
    if compiled and args.to == "text":
        print("".join(f"\n{q} ends on wire {wire}" for q, wire in compiled.layout.items() if q != wire), end="")
    if args.stats:
        print(f"\n{_table(shown)}")
    return 0


def demonstration() -> Shown:
    """A knight splits over two squares, and somebody asks for one of them."""
    from qchess.circuits.operations import x
    from qchess.circuits.patterns import split
    from qchess.circuits.predicates import full
    from qchess.circuits.program import Program, ask

    program = Program(x("b1"), split("b1", "a3", "c3"), ask("there", full("c3")))
    caption = "A knight on b1 splits to a3 and c3; is it on c3? " + _odds(program)
    return Shown(program, dict.fromkeys(program.qubits, 0), caption)


def _odds(program: Program) -> str:
    from qchess import backends
    from qchess.circuits.chances import chances
    from qchess.circuits.registers import Registers

    found = chances(Registers(backends.engine()), program)
    return ", ".join(f"{name} = {value} with probability {p:.4g}" for ((name, value),), p in found.items())


def _game(args: argparse.Namespace) -> Game[Any, Any]:
    """The game before the move that is shown, or after all moves."""
    require_game(args)
    if not args.moves and not args.state:
        raise InvalidMoveError("the circuit of which move? name the moves, the last one is shown; or give --state")
    return played_game(args, args.moves if args.state else args.moves[:-1])


def _of_game(game: Game[Any, Any], args: argparse.Namespace) -> Shown:
    """The circuit of the last move, or of the superposition after it."""
    if args.state:
        program = game.circuit()
        caption = f"What is in superposition after {' '.join(args.moves) or 'no move'}, from empty squares:"
        return Shown(program, dict.fromkeys(program.qubits, 0), caption)
    program = game.circuit(args.moves[-1])
    values = ((q, game.position.registers.known(q)) for q in program.qubits)
    return Shown(program, {q: v for q, v in values if v is not None}, f"{game.player} plays {args.moves[-1]}:")


def _of_device(game: Game[Any, Any], args: argparse.Namespace) -> tuple[Preview, ...]:
    """What the backend would be sent for the last move; nothing where it is no device."""
    from qchess.backends.devices.source import DeviceSource
    from qchess.circuits.sources import Seeded

    device = game.backend.source(args.seed)
    if not isinstance(device, DeviceSource):
        return ()
    if args.level or args.stats:
        raise InvalidMoveError("--level and --stats are not for devices; a device's level is one of its settings, "
                               f"such as --backend {args.backend},level=naive")  # fmt: skip
    if args.to not in SENT_FORMS:
        raise InvalidMoveError(f"a device's circuit goes with --to {', '.join(SENT_FORMS)}; got --to {args.to}")
    game.source = device
    return game.previews(args.moves[-1], answers=None if args.seed is None else Seeded(args.seed))


def _print_sent(previews: Sequence[Preview], form: str) -> None:
    """Prints each circuit that would be sent; as text also where it goes and what is expected of it."""
    from qchess.playing.preview import in_all

    if form == "json":
        print_json([_sent_data(told) for told in previews])
        return
    parts = []
    for told in previews:
        for k, one in enumerate(told.circuits):
            parts += [_head(told, k)] if form == "text" else []
            parts.append(_sent_written(one, form).rstrip("\n"))
    if form == "text" and len(previews) > 1:
        parts.append(in_all(previews))
    print("\n\n".join(filter(None, parts)))


def _head(told: Preview, k: int) -> str:
    """The squares with the qubits they lie on; where there are several circuits, also the figures of this one."""
    one, lines = told.circuits[k], [] if k else [str(told)]
    if len(told.circuits) > 1:
        figures = {**one.machine, **one.figures}
        shown = "".join(f", {name.replace('_', ' ')} {figures[name]}" for name in FIGURES if name in figures)
        lines.append(f"circuit {k + 1} of {len(told.circuits)}{shown}")
    if one.places:
        lines.append(", ".join(f"{square} on qubit {spot}" for square, spot in one.places.items()))
    return "\n".join(lines)


def _sent_written(one: SentCircuit, form: str) -> str:
    if form == "text":
        return one.text()
    if form == "cirq":
        return str(one.to_cirq())
    if form == "qiskit":
        return str(one.to_qiskit().draw("text", fold=-1, idle_wires=False))
    return one.qasm(int(form[-1]))


def _sent_data(told: Preview) -> dict[str, Any]:
    return {
        "caption": str(told),
        "move": told.move,
        "question": told.question,
        "kept_expected": told.kept_expected,
        "jobs": told.jobs,
        "queue": told.queue,
        "reserves": dict(told.reserves),
        "trials": dict(told.trials),
        "details": dict(told.details),
        "circuits": [{"places": dict(one.places), "qasm3": one.qasm(3)} for one in told.circuits],
    }


def _compiled(shown: Shown, level: str) -> Compiled:
    return shown.program.compile(level, known=shown.known, prepare=False)


def _written(program: Program, form: str) -> str:
    """The program in a form; Cirq and Qiskit load only when theirs is asked for."""
    if form == "cirq":
        return str(program.to_cirq())
    if form == "qiskit":
        return str(program.to_qiskit().draw("text", fold=-1))
    if form in ("qasm2", "qasm3"):
        return program.qasm(int(form[-1]))
    if form == "lines":
        return program.text()
    return program.svg() if form == "svg" else program.draw()


def _counts(shown: Shown, level: str) -> dict[str, int]:
    compiled = _compiled(shown, level)
    values = (compiled.two_qubit_count(), compiled.two_qubit_depth(), compiled.depth(), len(compiled.ancillas))
    return dict(zip(COUNTS, values, strict=True))


def _table(shown: Shown) -> str:
    heads = "".join(f"  {name}" for name in COUNTS)
    rows = [
        f"{level:6}" + "".join(f"  {counts[name]:>{len(name)}}" for name in COUNTS)
        for level, counts in ((level, _counts(shown, level)) for level in LEVELS)
    ]
    return "\n".join([f"{'level':6}{heads}", *rows])


def _data(shown: Shown, program: Program, stats: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "caption": shown.caption,
        "qubits": program.qubits,
        "answers": program.answers,
        "known": dict(shown.known),
        "lines": program.text().splitlines(),
    }
    if stats:
        data["stats"] = {level: _counts(shown, level) for level in LEVELS}
    return data
