"""Experiment 1: length and draw rate of random games by board size and level (Fig. 7)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from qchess.arena.statistics import z_of_means, z_of_proportions
from qchess.errors import InvalidMoveError
from qchess.games.quantum_checkers.book import Options
from qchess.games.quantum_checkers.experiments import published
from qchess.games.quantum_checkers.experiments.randomgames import Job, Played, jobs, play
from qchess.playing.journal import Journal
from qchess.playing.spread import spread

#: the rules behind the published figures
PROFILE = "cheqqers_2025_03"


@dataclass(frozen=True, slots=True)
class Setting:
    """What the experiment plays."""

    sizes: tuple[int, ...] = published.SIZES
    levels: tuple[int, ...] = published.LEVELS
    games: int = 1000
    profile: str = PROFILE
    draws: tuple[bool, ...] = (True, False)
    seed: int = 0

    def __post_init__(self) -> None:
        if self.games < 2:
            raise InvalidMoveError(f"expected at least 2 games a cell; got {self.games!r}")
        Options.parse(self.profile)  # one that is none is refused before anything is played

    def jobs(self) -> list[Job]:
        """Return all the work, cell by cell, the longest first so that workers finish together."""
        cells = [(size, level, draws) for draws in sorted(self.draws) for size in sorted(self.sizes, reverse=True)
                 for level in sorted(self.levels, reverse=True)]  # fmt: skip
        return [job for cell in cells for job in jobs(*cell, self.profile, self.seed, self.games)]


@dataclass(frozen=True, slots=True)
class Cell:
    """The figures of one cell, and their distance from the published ones in standard errors."""

    size: int
    level: int
    draws: bool
    games: int
    plies: float
    deviation: float
    error: float
    draw_rate: float
    white: float
    black: float
    branching: float
    captures: float
    #: the part of plies with some entangled pieces, and the most amplitudes of one register in a game
    entangled: float | None = None
    largest: float | None = None
    published: float | None = None
    z: float | None = None
    published_draw_rate: float | None = None
    z_draw_rate: float | None = None
    reliable: bool = False


def run(
    setting: Setting,
    path: Path,
    *,
    workers: int = 1,
    cluster: str | None = None,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> list[Cell]:
    """Play what is missing in the journal, and return every cell."""
    work = setting.jobs()
    head = json.dumps({"experiment": "complexity", **asdict(setting)}, sort_keys=True)
    with Journal(path, head) as journal:
        done = dict(map(_read, journal.lines))
        todo = [job for job in work if job not in done]
        told(len(done), len(work))
        for job, games in spread(play, todo, workers=workers, cluster=cluster):
            journal.add(_line(job, games))
            done[job] = games
            told(len(done), len(work))
        journal.finish(_line(job, done[job]) for job in work)
    return cells(done)


def _line(job: Job, games: Sequence[Played]) -> str:
    return json.dumps([job, [list(game) for game in games]])


def _read(line: str) -> tuple[Job, list[Played]]:
    job, games = json.loads(line)
    return Job(*job), [Played(*game) for game in games]


def cells(done: dict[Job, list[Played]]) -> list[Cell]:
    """Return the figures of every cell, in the order of the published tables."""
    found: dict[tuple[bool, int, int], list[Played]] = {}
    for job, games in sorted(done.items()):
        found.setdefault((not job.draws, job.size, job.level), []).extend(games)
    return [_cell(size, level, not endless, games) for (endless, size, level), games in sorted(found.items())]


def _cell(size: int, level: int, draws: bool, games: Sequence[Played]) -> Cell:
    lengths = [game.plies for game in games]
    deviation = stdev(lengths)
    share = partial(_share, games)
    cell = Cell(
        size, level, draws, len(games), fmean(lengths), deviation, deviation / math.sqrt(len(games)),
        share(None), share("white"), share("black"),
        fmean((game.branching for game in games), weights=lengths), fmean(game.captures for game in games),
        _known((game.entangled for game in games), lengths), _known(game.largest for game in games),
    )  # fmt: skip
    return _compared(cell)


def _known(values: Iterable[float | None], weights: Sequence[int] | None = None) -> float | None:
    """Return the mean of what the core has measured; None if games were played by the rules."""
    found = [value for value in values if value is not None]
    if not found:
        return None
    return fmean(found, weights)


def _share(games: Sequence[Played], winner: str | None) -> float:
    return sum(game.winner == winner for game in games) / len(games)


def _compared(cell: Cell) -> Cell:
    """Return the cell beside its published figures, if there are any."""
    told = published.COMPLEXITY[cell.draws].get((cell.size, cell.level))
    if not told:
        return cell
    beside: dict[str, Any] = asdict(cell) | {
        "published": told.plies,
        "z": z_of_means(cell.plies, cell.error, told.plies, told.error),
        "reliable": told.reliable,
    }
    if told.draws is not None:
        drawn, others = cell.draw_rate * cell.games, told.draws * published.GAMES
        beside |= {
            "published_draw_rate": told.draws,
            "z_draw_rate": z_of_proportions(drawn, cell.games, others, published.GAMES),
        }
    return Cell(**beside)


def table(found: Iterable[Cell]) -> str:
    """Return the cells as text, beside the published values."""
    lines = [
        "  n  level  draws     plies (se)       published      z   draw rate  published      z   white   branching"
    ]
    for c in found:
        told = f"{c.published:8.2f}{' ' if c.reliable else '*'} {c.z:+6.2f}" if c.published is not None else " " * 16
        rate = f"{c.published_draw_rate:9.3f}  {c.z_draw_rate:+6.2f}" if c.z_draw_rate is not None else " " * 17
        lines.append(
            f"{c.size:3}  {c.level:5}  {'on' if c.draws else 'off':>5}  {c.plies:8.2f} ({c.error:5.2f})  {told}  "
            f"   {c.draw_rate:6.3f}  {rate}  {c.white:6.3f}  {c.branching:8.2f}"
        )
    return "\n".join(lines)
