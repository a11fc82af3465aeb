"""Plots: amplitudes with their phases, mutual information, Bloch vectors, a game over time."""

from __future__ import annotations

import cmath
import colorsys
import math
from collections.abc import Mapping
from typing import Any

from qchess.circuits.operations import Qubit
from qchess.playing.game import Game
from qchess.study.entropies import entropies, mutual_information
from qchess.study.pairs import bloch
from qchess.study.paper import INK, SERIES, Plot, figure, settings
from qchess.study.subject import StudyError, group, registers_of
from qchess.study.timeline import Timeline, timeline

#: more branches than the first number are not drawn; more than the second have no names
MOST_BARS, MOST_NAMES = 400, 32
#: names of more letters are written vertically
SHORT = 6
#: the phases in a legend, in turns
PHASES = ((0.0, "0"), (0.25, "¼"), (0.5, "½"), (0.75, "¾"))


def phase_rgb(phase: float) -> tuple[float, float, float]:
    """Return the colour of a phase in turns, as in all charts."""
    return colorsys.hls_to_rgb(phase % 1, 0.48, 0.7)


def turn_of(amplitude: complex) -> float:
    """Return the phase of an amplitude in turns; rounding errors count as 0."""
    return round(cmath.phase(amplitude) / (2 * math.pi), 9) % 1.0


# -- amplitudes --------------------------------------------------------------------------------------------


def amplitudes(where: Any, *squares: Qubit, title: str = "", most: int = MOST_BARS) -> Plot:
    """Draw the branches of a register as bars: height is probability, colour is phase.

    `squares` name the register and come first in its branches' names; without any, there must be at most one register.
    If nothing is uncertain there is one amplitude, of the certain squares.
    """
    order, table = _branches(where, squares)
    found = sorted(table.items())
    shown = sorted(sorted(found, key=lambda branch: -abs(branch[1]))[:most]) if len(found) > most else found
    named = len(shown) <= MOST_NAMES
    names = [_branch_name(key, order) for key, _ in shown] if named else []
    longest = max(map(len, names), default=0)
    with settings():
        picture = figure(2.6 + (0.07 * longest if longest > SHORT else 0), _width(len(shown)))
        axes = picture.subplots()
        heights = [abs(amplitude) ** 2 for _, amplitude in shown]
        colours = [phase_rgb(turn_of(amplitude)) for _, amplitude in shown]
        axes.bar(range(len(shown)), heights, color=colours, width=0.8 if named else 1.0)
        axes.set(ylabel="probability", xlim=(-0.7, len(shown) - 0.3))
        axes.set_title(title or _amplitudes_title(len(found), len(shown), len(order)))
        axes.grid(axis="y")
        if named:
            axes.set_xticks(range(len(shown)), names, rotation=90 if longest > SHORT else 0)
        else:
            axes.set_xticks([])
            axes.set_xlabel(f"the branches, by what {order[0]} ... {order[-1]} say")
        _phase_legend(axes)
    return Plot(picture)


def _branches(where: Any, squares: tuple[Qubit, ...]) -> tuple[tuple[Qubit, ...], dict[int, complex]]:
    """Return the squares of one register, the named ones first, and the amplitude of each of its branches."""
    world, named = registers_of(where), group(where, *squares)
    held = world.held(named or world.uncertain)
    if len(held) > 1 and named:
        raise StudyError(f"{held[0][1][0]!r} and {held[1][1][0]!r} are in different registers")
    if len(held) > 1:
        raise StudyError(f"expected a square of a register, there are {len(held)}")
    certain = sum(1 << k for k, qubit in enumerate(named) if world.known(qubit))
    if not held:
        return named, {certain: world.phase}
    register = held[0][0]
    order = (*named, *(qubit for qubit in register.qubits if qubit not in named))
    bits = [1 << order.index(qubit) for qubit in register.qubits]
    table = register.amplitudes()
    return order, {
        certain + sum(bit for k, bit in enumerate(bits) if key >> k & 1): value for key, value in table.items()
    }


def _width(bars: int) -> float:
    """Return the width of the picture; few bars make it narrow."""
    return min(7.4, 2.6 + 0.42 * bars)


def _branch_name(key: int, order: tuple[Qubit, ...]) -> str:
    return " ".join(qubit for k, qubit in enumerate(order) if key >> k & 1) or "none"


def _amplitudes_title(branches: int, shown: int, qubits: int) -> str:
    told = f"{branches} branches on {qubits} squares" if branches > 1 else "one branch: nothing is open"
    return told if shown == branches else f"{told}; the {shown} likeliest"


def _phase_legend(axes: Any) -> None:
    """Draw the colours of the phases."""
    from matplotlib.patches import Patch

    handles = [Patch(color=phase_rgb(phase), label=label) for phase, label in PHASES]
    axes.figure.legend(
        handles=handles, title="phase, in turns", title_fontsize=8, ncols=len(PHASES), loc="outside lower center",
        handlelength=0.9, columnspacing=1.0,
    )  # fmt: skip


# -- squares -----------------------------------------------------------------------------------------------


def information_matrix(where: Any, *squares: Qubit, title: str = "") -> Plot:
    """Draw the mutual information of each two squares, in bits; the diagonal is twice the entropy of the square."""
    world = registers_of(where)
    order = group(where, *squares) or tuple(qubit for each in world.each for qubit in sorted(each.qubits))
    if not order:
        raise StudyError("nothing is in superposition, so no two squares are correlated")
    mixed = entropies(world)
    size = len(order)
    with settings():
        from matplotlib.patches import Rectangle

        side = min(7.4, 1.6 + 0.24 * size)
        picture = figure(side, max(3.6, side + 0.9))  # the title needs room
        axes = picture.subplots()
        for i, a in enumerate(order):
            for j, b in enumerate(order[: i + 1]):
                value = 2 * mixed.get(a, 0.0) if a == b else mutual_information(world, a, b)
                for spot in {(j, i), (i, j)} if value > 1e-9 else ():
                    axes.add_patch(Rectangle((spot[0] - 0.5, spot[1] - 0.5), 1, 1, color=SERIES[0],
                                             alpha=min(1.0, value / 2), linewidth=0))  # fmt: skip
        axes.set(xlim=(-0.5, size - 0.5), ylim=(size - 0.5, -0.5), aspect="equal")
        axes.set_xticks(range(size), order, rotation=90)
        axes.set_yticks(range(size), order)
        axes.set_title(title or "mutual information (full colour: 2 bits)")
        for spine in axes.spines.values():
            spine.set_visible(True)
    return Plot(picture)


def bloch_vectors(where: Any, *squares: Qubit, title: str = "") -> Plot:
    """Draw the Bloch vectors of some squares (default: of all in superposition), seen from the side of +y.

    Up is empty, down is full; pure states reach the circle. A component towards the viewer shows as a ring.
    """
    world = registers_of(where)
    order = group(where, *squares) or world.uncertain
    columns = min(6, max(1, len(order)))
    rows = max(1, math.ceil(len(order) / columns))
    with settings():
        picture = figure(1.35 * rows + 0.4, 1.22 * columns + 0.2)
        grid = picture.subplots(rows, columns, squeeze=False)
        for axes in grid.flat:
            axes.set_axis_off()
        for axes, qubit in zip(grid.flat, order, strict=False):
            _disc(axes, qubit, *bloch(world, qubit))
        picture.suptitle(
            title or "Bloch vectors: up is empty, down is full, right is +x", fontsize=10, x=0.01, ha="left"
        )
    return Plot(picture)


def _disc(axes: Any, name: str, x: float, y: float, z: float) -> None:
    from matplotlib.patches import Circle

    axes.add_patch(Circle((0, 0), 1, fill=False, color=INK, alpha=0.4, linewidth=0.8))
    axes.plot([-1, 1], [0, 0], color=INK, alpha=0.15, linewidth=0.6)
    axes.plot([0, 0], [-1, 1], color=INK, alpha=0.15, linewidth=0.6)
    axes.plot([0, x], [0, z], color=SERIES[0], linewidth=2)
    axes.plot([x], [z], "o", color=SERIES[0], markersize=5)
    axes.add_patch(Circle((0, 0), abs(y), fill=False, color=SERIES[1], linewidth=1.4, alpha=min(1.0, 2 * abs(y))))
    axes.set(xlim=(-1.12, 1.12), ylim=(-1.12, 1.12), aspect="equal")
    axes.set_title(name, loc="center", fontsize=8)


# -- a game ------------------------------------------------------------------------------------------------


def over_time(game: Game[Any, Any] | Timeline, *, title: str = "") -> Plot:
    """Draw a game's registers, branches, entropy and two-qubit gates over the turns; questions as thin lines."""
    told = game if isinstance(game, Timeline) else timeline(game)
    plies = [moment.ply for moment in told.moments]
    with settings():
        picture = figure(6.6)
        panels = picture.subplots(4, 1, sharex=True)
        _registers_panel(panels[0], plies, told)
        _branches_panel(panels[1], plies, told)
        _entropy_panel(panels[2], plies, told)
        _gates_panel(panels[3], plies, told)
        for axes in panels:
            for moment in told.moments:
                if moment.answers:
                    axes.axvline(moment.ply, color=SERIES[1], alpha=0.35, linewidth=0.8, zorder=0)
            axes.grid(axis="y")
        panels[0].set_title(title or f"{told.title}, turn by turn; thin lines: measurements")
        panels[-1].set_xlabel("turn")
        panels[-1].set_xlim(-0.5, max(plies) + 0.5)
    return Plot(picture)


def _registers_panel(axes: Any, plies: list[int], told: Timeline) -> None:
    lines = {
        "squares open": [moment.open for moment in told.moments],
        "largest register": [max(map(len, moment.registers), default=0) for moment in told.moments],
        "registers": [len(moment.registers) for moment in told.moments],
    }
    _steps(axes, plies, lines, "squares")


def _branches_panel(axes: Any, plies: list[int], told: Timeline) -> None:
    lines = {
        "of all together": [float(math.prod(moment.branches)) for moment in told.moments],
        "of the largest register": [float(moment.largest) for moment in told.moments],
    }
    _steps(axes, plies, lines, "branches")
    axes.set_yscale("log", base=10)


def _entropy_panel(axes: Any, plies: list[int], told: Timeline) -> None:
    lines = {
        "entropies of all squares": [moment.entanglement for moment in told.moments],
        "information of a read-out": [moment.readout for moment in told.moments],
    }
    _steps(axes, plies, lines, "bits")


def _gates_panel(axes: Any, plies: list[int], told: Timeline) -> None:
    axes.bar(plies, [moment.two_qubit_gates for moment in told.moments], color=SERIES[2], width=0.8)
    axes.set_ylabel("two-qubit gates")


def _steps(axes: Any, plies: list[int], lines: Mapping[str, list[Any]], label: str) -> None:
    for number, (name, values) in enumerate(lines.items()):
        axes.step(plies, values, where="mid", color=SERIES[(0, 1, 3)[number]], label=name, linewidth=1.5)
    axes.set_ylabel(label)
    axes.legend(loc="upper left", ncols=len(lines))
