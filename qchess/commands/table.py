"""A table to play at: seats are taken, every change is kept, and an end of whatever kind loses nothing."""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.circuits.engine import SlowSource, Ticket
from qchess.commands import places
from qchess.commands.common import forgiving, outcomes, wants_colour, with_device_options
from qchess.errors import InvalidMoveError
from qchess.playing.keeping import named
from qchess.reading import file_text

if TYPE_CHECKING:
    from qchess.playing.agents import Agent
    from qchess.playing.game import Game
    from qchess.playing.keeping import Keeper
    from qchess.playing.record import Record
    from qchess.terminal.screen import Screen

HUMAN = "human"
#: who sits first and second if nobody is named
USUAL = (HUMAN, "greedy")
INTERRUPTED = 130
#: the last moves that are shown when a game goes on
RECALLED = 3


def play(
    game: Game[Any, Any], args: argparse.Namespace, file: Path | None = None, *,
    opened: Path | None = None, first: Callable[[Screen], None] | None = None,
) -> int:  # fmt: skip
    """Plays at the terminal and keeps the game: in the file, or else by itself in the user's folder.

    A game that goes on was `opened` from a file, which is named with the last moves.
    `first` is called before anything is played, when nobody else can have the file any more.
    """
    from qchess.terminal.session import Terminal

    seats = _seats(game, args)
    programs = {player: _program(name) for player, name in seats.items() if name != HUMAN}
    game.players.update(seats)
    screen = screen_of(args)
    keeper = None if _is_stream(file) else _keeper(game, file, args, opened is not None, screen)
    terminal = Terminal(
        game,
        programs,
        screen=screen,
        rng=_rng(game),
        guide=_guide(game, screen, args.seed),
        plies=args.plies,
        keep=_Trouble(keeper, screen).tell,
    )
    try:
        if opened:
            _recall(game, opened, keeper, screen)
        if first:
            first(screen)
        terminal.run()
    except KeyboardInterrupt:
        screen.say("\nInterrupted.")
        return INTERRUPTED
    finally:
        if keeper:
            keeper.close()
        if _is_stream(file):
            assert file is not None, "no file is no stream"
            file.write_text(game.record().to_json() + "\n", encoding="utf-8")
        elif keeper and game.history:
            screen.say(_farewell(game, keeper, file))
    return 0


def resume(args: argparse.Namespace, name: str | None) -> int:
    """Goes on with the game of a file, or with the one that was played last."""
    from qchess.playing.record import Record
    from qchess.playing.replaying import replay

    file = named(name) if name else places.latest(going_on=True)
    text = file_text(file, "a game")
    if not text.lstrip().startswith("{"):
        return play(
            _from_pgn(text, file, args), args, opened=file
        )  # a PGN file stays as it is; the game is kept by itself
    record = Record.from_json(text)
    asked, rules = getattr(args, "game", None), getattr(args, "rules", None)
    if asked and ":" in asked:
        asked, rules = None, asked
    if asked not in (None, record.game):
        raise InvalidMoveError(f"{str(file)!r} holds a game of {record.game}, not of {asked}")
    if getattr(args, "preset", None) or getattr(args, "option", None):
        raise InvalidMoveError("--preset and --option are for a new game; a game that goes on has its own options")
    trust = places.trusted(record, file, args)
    game = replay(places.with_rules(record, rules), backend=_backend(args, record), seed=args.seed, trust=trust)
    game.source = outcomes(args) or game.source
    if not args.ask_again:
        _refuse_to_leave_a_job(game, record)
        return play(game, args, file, opened=file)
    if game.pending is None:
        raise InvalidMoveError("the game waits for no answer; leave --ask-again out")
    return play(game, args, file, opened=file, first=lambda screen: _ask_again(game, record, screen))


def _backend(args: argparse.Namespace, record: Record) -> str | None:
    """The backend that was named, or the record's if only its settings were; None where nothing was said."""
    named: str | None = args.backend
    if args.strategy is None and args.shots is None:
        return named
    return with_device_options(named or record.backend, args)


def _refuse_to_leave_a_job(game: Game[Any, Any], record: Record) -> None:
    """An error where the game waits for the job of another device than the one it is to go on with."""
    if game.pending is None or game.pending.ticket is None:
        return
    its_own = game.backend.name.partition(",")[0] == record.backend.partition(",")[0]
    if its_own and isinstance(game.source, SlowSource):
        return
    raise InvalidMoveError(
        f"{game.pending} from {_job(game.pending.ticket, record)}: go on with that backend to wait for it (as without "
        f"--backend and --outcomes), or add --ask-again to cancel the job and ask anew on {game.backend.name}"
    )


def _ask_again(game: Game[Any, Any], record: Record, screen: Screen) -> None:
    """Gives up the job that the game waits for; where it cannot be cancelled, that is said, and the game goes on."""
    from qchess import backends
    from qchess.backends.devices.queued import QueuedSource

    if game.pending and game.pending.ticket is not None:
        job = _job(game.pending.ticket, record)
        try:
            source = backends.get(record.backend).source(record.seed)
            if isinstance(source, QueuedSource):
                source.sampler.cancel(game.pending.ticket)
            screen.say(f"Nobody waits any more for {job}.")
        except Exception as error:  # noqa: BLE001 (a vendor may raise anything; the game goes on without the job)
            screen.say(f"Nobody waits any more for {job}, but it could not be cancelled: {error}")
    game.ask_again()


def _job(ticket: Ticket, record: Record) -> str:
    """What players call the job of a ticket."""
    named = ticket.get("job") or ", ".join(map(str, ticket.get("jobs", ())))
    return f"{ticket.get('device', record.backend)}" + (f" (job {named})" if named else "")


def _from_pgn(text: str, file: Path, args: argparse.Namespace) -> Game[Any, Any]:
    from qchess.games.quantum_chess import pgn
    from qchess.playing.replaying import replay

    records = pgn.loads(text)
    if len(records) != 1:
        raise InvalidMoveError(f"expected a file with one game, got {len(records)}")
    trust = places.trusted(records[0], file, args)
    return replay(records[0], backend=args.backend, seed=args.seed, trust=trust)


def _recall(game: Game[Any, Any], opened: Path, keeper: Keeper | None, screen: Screen) -> None:
    """Names the file that the game was opened from and the one that keeps it, and shows the last moves."""
    played = game.history
    moves = f"{len(played)} move{'' if len(played) == 1 else 's'}"
    screen.say(f"Going on after {moves} with {opened}")
    if keeper and keeper.path != opened.resolve():
        screen.say(f"That file stays as it is. The game is saved in {keeper.path}")
    elif keeper:
        screen.say("The game is saved there after each move.")
    for number, turn in list(enumerate(played, 1))[-RECALLED:]:
        screen.paragraphs(f"{number:3}. {turn.player} plays {turn}", indent="     ")


def _rng(game: Game[Any, Any]) -> random.Random:
    """The agents' dice, which are not those of the game; a game that goes on does not begin with them anew."""
    played = f" from {len(game.history)}" if game.history else ""
    return random.Random(None if game.seed is None else f"agents {game.seed}{played}")


# -- who and where ----------------------------------------------------------------------------------


def _seats(game: Game[Any, Any], args: argparse.Namespace) -> dict[str, str]:
    """Who sits where: as named now, as in the record, or as usual; white is the first, whatever a game calls him."""
    players = game.rules.players
    named = dict(zip(players, (args.white, args.black), strict=False))
    usual = dict(zip(players, USUAL, strict=False))
    if args.black and len(players) < len(USUAL):
        raise InvalidMoveError(f"nobody sits at 'black' in this game; its players are {', '.join(players)}")
    return {p: named.get(p) or _known(game.players.get(p)) or usual.get(p, HUMAN) for p in players}


def _known(player: Any) -> str | None:
    return player if isinstance(player, str) else None


def _program(name: str) -> Agent:
    """An agent by its name, or the one behind an address."""
    if not name.startswith(("http://", "https://")):
        from qchess.playing import agents

        return agents.get(name)
    from qchess.games.quantum_chess.protocols.remote_player import RemotePlayer

    return RemotePlayer(name, token=os.environ.get("QCHESS_TOKEN"))


def screen_of(args: argparse.Namespace) -> Screen:
    """The terminal that these arguments ask for."""
    from qchess.terminal.screen import Screen
    from qchess.wording import COLUMNS, width

    forgiving(sys.stdin, sys.stdout)
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # not on every system; with it, arrow keys edit the line
            import readline  # noqa: F401
    columns = args.columns or width() or COLUMNS
    environment: Mapping[str, str] = os.environ
    return Screen(colour=wants_colour(args.colour, sys.stdout, dict(environment)), columns=max(20, columns))


def _guide(game: Game[Any, Any], screen: Screen, seed: int | None) -> Any:
    """The lessons of the game, if it has some."""
    from qchess.lessons.lesson import courses
    from qchess.terminal.teacher import Teacher

    found = courses().get(game.rules.name)
    return Teacher(found, screen, seed=seed) if found else None


# -- what is kept -----------------------------------------------------------------------------------


def _keeper(
    game: Game[Any, Any], file: Path | None, args: argparse.Namespace, goes_on: bool, screen: Screen
) -> Keeper | None:
    """Whoever writes the game after each change. A file that was named must do; the user's own folder may fail."""
    from qchess.playing.keeping import Keeper, new_file

    if file:
        if not file.parent.is_dir():
            raise InvalidMoveError(f"there is no folder {str(file.parent)!r} to keep the game in")
        if file.is_dir():
            raise InvalidMoveError(f"expected a file to keep the game in; {str(file)!r} is a folder")
        return Keeper(game, file.resolve(), goes_on=goes_on, over=getattr(args, "force", False))
    try:
        return Keeper(game, new_file(game.rules.name))
    except OSError as error:
        screen.say(f"This game cannot be kept: {error}. It goes on all the same; --record FILE keeps it elsewhere.")
        return None


def _is_stream(file: Path | None) -> bool:
    """Whether a file is none that can hold a game, such as /dev/stdout."""
    return file is not None and file.exists() and not (file.is_file() or file.is_dir())


class _Trouble:
    """Says once when the game cannot be written any more, and once when it can again."""

    def __init__(self, keeper: Keeper | None, screen: Screen) -> None:
        self.keeper, self.screen, self.told = keeper, screen, False

    def tell(self) -> None:
        """Looks whether the last change was written."""
        if self.keeper is None or bool(self.keeper.trouble) == self.told:
            return
        self.told = not self.told
        if self.told:
            self.screen.say(f"The game could not be written ({self.keeper.trouble}). It goes on, and is tried again.")
        else:
            self.screen.say("The game is written again, with all its moves.")


def _own_folder() -> Path:
    from qchess.playing.keeping import folder

    return folder()


def _farewell(game: Game[Any, Any], keeper: Keeper, file: Path | None) -> str:
    if keeper.trouble:
        return f"The game could not be written: {keeper.trouble}. `record` shows it as a line to be copied."
    if file and file.parent != _own_folder():
        again, command = ("see it again", "replay") if game.result else ("go on", "resume")
        return f"Record written to {file}; {again} with: qchess {command} {file}"
    if game.result:
        return "The game is kept; qchess games --saved lists it."
    return "The game is kept; go on with it: qchess resume"
