"""Replay a game: one way for records, PGN, servers and tests.

Each move is read and checked before anything is asked, answers are matched by name, and missing ones are never drawn.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from qchess import backends
from qchess.backends.catalogue import reaches_out
from qchess.circuits.engine import Answer, NamingSource, Source
from qchess.circuits.precision import WRITTEN
from qchess.circuits.running import Pause
from qchess.circuits.sources import FixedAnswers, Refused, Seeded
from qchess.errors import (
    BackendError,
    InvalidMoveError,
    MissingExtraError,
    NoSuchGameError,
    QchessError,
    UnknownBackendError,
)
from qchess.playing.game import Game, GameState, GivenAnswers, Pending
from qchess.playing.keeping import is_own
from qchess.playing.record import Entry, Record, Waiting
from qchess.playing.state import Played
from qchess.reading import file_text, place, shown
from qchess.rules import Rules, Turn

#: answers only what is given with the moves
NOTHING_DRAWN = FixedAnswers((), hint="write the answer with the move")
#: a move as text or as its turn, perhaps with its answers
Line = str | Turn[Any] | Entry | tuple[str | Turn[Any], GivenAnswers | None]


class BackendWarning(UserWarning):
    """A record's backend is not available, and its game goes on with another."""


def replay_moves(
    game: Game[Any, Any],
    lines: Iterable[Line],
    *,
    source: Source = NOTHING_DRAWN,
    between: Callable[[], None] | None = None,
    told: Callable[[int], object] | None = None,
) -> None:
    """Play given moves in a game; `source` answers what is missing, and by default refuses to.

    `between` is called before each move, and may raise to stop; `told` is called after each with the number played.
    """
    its_own, game.source = game.source, source
    try:
        for number, line in enumerate(lines, 1):
            if between:
                between()
            move, answers = _parts(line)
            try:
                played = game.play(move, outcome=answers)
                if isinstance(line, Entry):
                    _compare(game, line, played)
            except ValueError as error:
                text = move if isinstance(move, str) else game.rules.write(game.position, move.move)
                raise InvalidMoveError(f"move {number}, {text!r}: {error}") from error
            if told:
                told(number)
    finally:
        game.source = its_own


def _compare(game: Game[Any, Any], entry: Entry, played: Played) -> None:
    """Raise an error where a turn of a record contradicts itself or the rules."""
    found = {answer.name: answer for answer in played.answers}
    for told in entry.answers:
        exact = found[told.name].probability if told.name in found else told.probability
        if abs(told.probability - exact) > WRITTEN:
            raise InvalidMoveError(
                f"the record gives {told.name!r} = {told.value} the probability {told.probability:g}, "
                f"and the rules give {exact:g}"
            )
    if played.text == entry.move:
        return
    written = game.rules.read_turn(played.before, entry.move).told or {}
    for name, value in written.items():
        if name in found and found[name].value != value:
            raise InvalidMoveError(
                f"the move's text says {name!r} = {value}, and the record's answer is {found[name].value}"
            )


def _parts(line: Line) -> tuple[str | Turn[Any], GivenAnswers | None]:
    if isinstance(line, str | Turn):
        return line, None
    return (line.move, line.answers) if isinstance(line, Entry) else line


def replayed(
    rules: Rules[Any, Any],
    moves: Iterable[Line],
    backend: backends.Backend | None = None,
    *,
    between: Callable[[], None] | None = None,
) -> Game[Any, Any]:
    """Return the game of these moves, with their answers; nothing is ever drawn in it."""
    game: Game[Any, Any] = Game(rules, backend, source=NOTHING_DRAWN)
    replay_moves(game, moves, between=between)
    return game


def squares(record: Record) -> list[Mapping[str, str]]:
    """Return for each turn of a record the squares of qubits with other names, as far as it can be replayed."""
    from qchess.games import rules

    found: list[Mapping[str, str]] = []
    try:
        game: Game[Any, Any] = Game(rules(record.game, **record.options), source=NOTHING_DRAWN)
        found.append(game.rules.squares(game.position))
        for line in record.entries:
            replay_moves(game, [line])
            found.append(game.rules.squares(game.position))
    except QchessError:
        pass  # whoever plays it on is told why; here the names of the qubits do as well
    return found


def replay(
    record: Record | str | Path,
    *,
    backend: Any = None,
    seed: int | str | None = None,
    trust: bool = False,
    told: Callable[[int, int], object] | None = None,
) -> Game[Any, Any]:
    """Return the game of a record, on any backend; it may be played on, and waits for what it waited for.

    A record that was read opens no device and no pool by its own word: its game can be seen, and a new question raises
    an error until you name a `backend` or `trust` the record. Games that this account kept are trusted.

    `told` is called after each move with the numbers of moves played and in total.
    """
    from qchess.games import rules

    if isinstance(record, Path):
        trust = trust or is_own(record)
        text = _text_of(record)
        with place(record):
            record = Record.from_json(text)
    if isinstance(record, str):
        record = Record.from_json(record)
    if not isinstance(record, Record):
        raise InvalidMoveError(f"expected a game record, its JSON or its file; got {record!r}")
    trust = trust or record.own or waits_here(record)
    chosen = backends.of(backend) if backend is not None else _its_backend(record, trust)
    going_on = record.seed if seed is None else seed
    source = _its_outcomes(record, trust, backend is not None) if seed is None else None
    if going_on is None and source is None and chosen.make_source is Seeded:
        source = chosen.source()  # older records have no seed, and get none
    game: Game[Any, Any] = Game(rules(record.game, **record.options), chosen, seed=going_on, source=source)
    game.players.update(record.players)
    if seed is None and record.nonces and record.seal:
        game.take_nonces(record.nonces)
    try:
        replay_moves(game, record.entries, told=partial(_passed_on, told, len(record.entries)) if told else None)
    except InvalidMoveError as error:
        raise InvalidMoveError(f"the record ends at {error}") from error
    if record.result and game.result and record.result != game.result:
        raise InvalidMoveError(f"the record says '{record.result}', but its moves end with '{game.result}'")
    ended = game.result or record.result  # people may end a game where no rule does
    answers = {**game.state.answers, **record.standing}
    state = game.state._replace(ended=ended, answers=answers, asked=record.asked)
    game.state = waiting_again(game, state, record.pending) if record.pending and not ended else state
    game.keep_dice(record, state.ply)
    return game


def _passed_on(told: Callable[[int, int], object], total: int, done: int) -> None:
    told(done, total)


def waits_here(record: Record) -> bool:
    """Tell whether a record waits for a job that this account handed in, at a simulator with a queue."""
    from qchess.backends.devices.jobqueue import handed_in

    ticket = record.pending.ticket if record.pending else None
    base, *settings = record.backend.split(",")
    device = base.rpartition(":")[2]
    if not base.startswith("queued:") or not ticket or ticket.get("device") != base or record.outcomes is not None:
        return False
    return not reaches_out(",".join([device, *settings])) and handed_in(ticket)


def asked_for(record: Record) -> str:
    """Return in words what a record would open outside this machine's simulators; empty if nothing."""
    if waits_here(record):
        return ""
    asked = [f"the backend {shown(record.backend)}"] if reaches_out(record.backend) else []
    return " and ".join([*asked, *([f"the answers of {shown(record.outcomes)}"] if record.outcomes else [])])


def _refused(record: Record) -> Refused:
    return Refused(
        f"the game's record asks for {asked_for(record)}, which no record opens by itself; name a backend, as "
        f"replay(..., backend='sparse'), or allow what it asks for with trust=True",
        record.outcomes,
    )


def _its_backend(record: Record, trust: bool) -> backends.Backend:
    if not trust and reaches_out(record.backend):
        return backends.Backend(record.backend, backends.engine(), lambda _: _refused(record))
    try:
        return backends.get(record.backend)
    except (UnknownBackendError, MissingExtraError) as error:
        warnings.warn(
            BackendWarning(f"the record was played on {record.backend!r}; it goes on with 'sparse' ({error})")
        )
        return backends.get("sparse")


def _its_outcomes(record: Record, trust: bool, named: bool) -> Source | None:
    """Return the source of a record's answers, if not its backend; nothing is drawn twice from it."""
    if record.outcomes is None:
        return None
    if not trust:
        return None if named else _refused(record)
    from qchess.backends.qrng.source import outcomes

    seed = None if record.seed is None else Random(f"{record.seed} {len(record.entries)}").getrandbits(31)
    try:
        return outcomes(record.outcomes, seed=seed)
    except BackendError as error:
        warnings.warn(
            BackendWarning(f"answers were drawn from {record.outcomes!r}; they go on from the backend ({error})")
        )
        return None


def waiting_again(game: Game[Any, Any], state: GameState[Any], waiting: Waiting) -> GameState[Any]:
    """Return a state of the game in the waiting turn of a record, begun again with its answers so far."""
    turn = game.rules.read_turn(state.position, waiting.move)
    at = game.rules.begin(state.position, turn)
    told: Sequence[Answer] = waiting.answers
    source = FixedAnswers(told)
    while isinstance(at, Pause) and at.step.name != waiting.question:
        at = at.resume(source.draw(at))
    if not isinstance(at, Pause):
        raise InvalidMoveError(f"the record waits for {waiting.question!r}, which {waiting.move!r} does not ask")
    unnamed = waiting.ticket is None and isinstance(game.source, NamingSource)
    names = {state.point(waiting.move, at): ""} if unnamed else {}  # written before questions had names
    return state._replace(pending=Pending(turn, waiting.move, at, waiting.ticket), asked={**names, **state.asked})


def load(path: str | Path, *, backend: Any = None, trust: bool = False) -> Game[Any, Any]:
    """Return the game in a file that `Game.save` wrote; see `replay` for what `trust` allows."""
    return replay(Path(path), backend=backend, trust=trust)


def _text_of(path: Path) -> str:
    if not path.exists():
        raise NoSuchGameError(f"there is no file {str(path)!r}; game.save({str(path)!r}) writes one")
    return file_text(path, "a game record")
