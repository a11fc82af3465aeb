"""The plots to compare with the paper's Figs. 7 to 10."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qchess.arena.ratings import Rating
from qchess.arena.statistics import Score
from qchess.games.quantum_checkers.experiments import published
from qchess.games.quantum_checkers.experiments.complexity import Cell
from qchess.games.quantum_checkers.experiments.drawing import COLOURS, MARKERS, figure, save


def complexity(cells: Sequence[Cell], path: Path) -> list[Path]:
    """Plot three panels over the board size: length with draws, draw rate, length without draws (Fig. 7)."""
    panels: list[tuple[str, bool, Callable[[Cell], float], Callable[[Cell], float], Callable[[Any], float | None]]] = [
        ("mean plies, draws on", True, lambda c: c.plies, lambda c: c.error, lambda p: p.plies),
        ("draws, %", True, lambda c: 100 * c.draw_rate, _rate_error, lambda p: p.draws and 100 * p.draws),
        (
            "mean plies, draws off",
            False,
            lambda c: c.plies,
            lambda c: c.error,
            lambda p: p.plies if p.reliable else None,
        ),
    ]
    made, axes = figure(3, 1, (6.5, 10))
    for axis, (title, draws, value, error, told) in zip(axes[:, 0], panels, strict=True):
        _lines(axis, [c for c in cells if c.draws == draws], value, error)
        for (size, level), cell in published.COMPLEXITY[draws].items():
            if (shown := told(cell)) is not None:
                axis.plot(size, shown, MARKERS[level], mfc="none", mec=COLOURS[level], ms=9, alpha=0.6)
        axis.set(ylabel=title, xlabel="size of the board")
    axes[0, 0].set_title("Random games; hollow: published values; bars: standard errors", fontsize="medium")
    axes[0, 0].legend(fontsize="small")
    return save(made, path)


def branching(cells: Sequence[Cell], path: Path) -> list[Path]:
    """Plot the mean number of legal moves over the board size."""
    made, axes = figure(1, 1, (6.5, 4))
    _lines(axes[0, 0], [c for c in cells if c.draws], lambda c: c.branching, lambda c: 0.0)
    axes[0, 0].set(ylabel="legal moves a ply", xlabel="size of the board")
    axes[0, 0].legend(fontsize="small")
    return save(made, path)


def entanglement(cells: Sequence[Cell], path: Path) -> list[Path]:
    """Plot the entanglement of random games: plies with an entangled pair, and the largest table of amplitudes."""
    made, axes = figure(2, 1, (6.5, 7))
    looked = [cell for cell in cells if cell.draws and cell.entangled is not None]
    _lines(axes[0, 0], looked, lambda c: 100 * (c.entangled or 0.0), lambda c: 0.0)
    _lines(axes[1, 0], looked, lambda c: c.largest or 0.0, lambda c: 0.0)
    axes[0, 0].set(ylabel="plies with entangled pieces, %", xlabel="size of the board")
    axes[1, 0].set(ylabel="most amplitudes of a register, mean", xlabel="size of the board")
    axes[0, 0].legend(fontsize="small")
    return save(made, path)


def _rate_error(cell: Cell) -> float:
    return float(100 * (cell.draw_rate * (1 - cell.draw_rate) / cell.games) ** 0.5)


def _lines(axis: Any, cells: Sequence[Cell], value: Callable[[Cell], float], error: Callable[[Cell], float]) -> None:
    for level in sorted({cell.level for cell in cells}):
        row = [cell for cell in cells if cell.level == level]
        axis.errorbar(
            [cell.size for cell in row], [value(cell) for cell in row], [error(cell) for cell in row],
            color=COLOURS[level], marker=MARKERS[level], ms=4, capsize=3, lw=1.2, label=f"level {level}",
        )  # fmt: skip


def strength(scores: Mapping[tuple[str, int, str], Score], path: Path) -> list[Path]:
    """Plot won, drawn and lost games against a random player, by agent, level and colour (Fig. 8)."""
    agents = list(dict.fromkeys(agent for agent, _, _ in scores))
    made, axes = figure(1, len(agents), (5.5 * len(agents), 4))
    for axis, agent in zip(axes[0], agents, strict=True):
        rows = [(level, colour, score) for (name, level, colour), score in scores.items() if name == agent]
        bottom = [0.0] * len(rows)
        for what, colour in (("wins", "#009E73"), ("draws", "#BBBBBB"), ("losses", "#D55E00")):
            parts = [100 * getattr(score, what) / score.games for _, _, score in rows]
            axis.bar(range(len(rows)), parts, bottom=bottom, color=colour, label=what)
            bottom = [low + part for low, part in zip(bottom, parts, strict=True)]
        axis.set_xticks(range(len(rows)), [f"{colour[0].upper()}\n{level}" for level, colour, _ in rows])
        axis.set(title=f"{agent} against random", ylabel="games, %", xlabel="as White or Black, at level")
    axes[0, -1].legend(fontsize="small", loc="lower right")
    return save(made, path)


def ratings(found: Mapping[int, Mapping[str, Rating]], size: int, path: Path) -> list[Path]:
    """Plot ratings with deviations by level, with the published ones hollow beside them (Figs. 9 and 10)."""
    made, axes = figure(1, 1, (7.5, 4.5))
    axis, told = axes[0, 0], published.RATINGS.get(size, {})
    players = list(next(iter(found.values())))
    for k, player in enumerate(players):
        places = [level + (k - len(players) / 2 + 0.5) * 0.2 for level in found]
        rated = [found[level][player] for level in found]
        axis.errorbar(places, [r.mu for r in rated], [r.sigma for r in rated], fmt=MARKERS[k % 4],
                      color=COLOURS[k % 4], capsize=3, label=player)  # fmt: skip
        for place, level in zip(places, found, strict=True):
            if level in told and k < len(told[level]):
                axis.errorbar(
                    place + 0.06, *told[level][k], fmt=MARKERS[k % 4], color=COLOURS[k % 4], mfc="none", alpha=0.5
                )
    axis.set_xticks(list(found), [f"level {level}" for level in found])
    axis.set(title=f"TrueSkill on {size}x{size}; hollow: published", ylabel="mu, with sigma")
    axis.legend(fontsize="small")
    return save(made, path)
