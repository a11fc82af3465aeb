"""States as text: the six stabilizer states of a lone piece, generators of a system, or amplitudes.

A system's amplitudes are listed with the first member most significant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from qchess import reading
from qchess.circuits import Operation, Program, Qubit, Registers, h, ry, sqrt_x, x, z
from qchess.circuits.precision import SAME, WRITTEN
from qchess.errors import InvalidMoveError
from qchess.games.piece_qubit_chess.position import LIMIT

Amplitudes = tuple[complex, ...]

#: the largest part of an amplitude
MOST = 1 + WRITTEN
_HALF = 0.5**0.5
LONE: dict[str, Amplitudes] = {
    "+Z": (1, 0),
    "-Z": (0, 1),
    "+X": (_HALF, _HALF),
    "-X": (_HALF, -_HALF),
    "+Y": (_HALF, _HALF * 1j),
    "-Y": (_HALF, -_HALF * 1j),
}
#: how each is made from 0; sqrt-X takes 0 to -Y and 1 to +Y
_MAKERS = {"+Z": (), "-Z": (x,), "+X": (h,), "-X": (x, h), "+Y": (x, sqrt_x), "-Y": (sqrt_x,)}


def normed(amplitudes: Sequence[complex], where: str) -> Amplitudes:
    """Return the amplitudes with norm exactly 1 and the first of them real and positive."""
    norm = math.sqrt(sum(abs(a) ** 2 for a in amplitudes))
    if not abs(norm - 1) <= WRITTEN:  # so that not-a-number is refused as well
        raise InvalidMoveError(f"amplitudes need norm 1, got norm {norm:.6g} for {where}")
    first = next(a for a in amplitudes if abs(a) > SAME)
    turn = abs(first) / first / norm
    return tuple(complex(a) * turn for a in amplitudes)


def named(amplitudes: Sequence[complex]) -> str | None:
    """Return the name of a lone state, up to a global phase, if it is one of the six."""
    for name, state in LONE.items():
        overlap = sum(a.conjugate() * b for a, b in zip(map(complex, state), amplitudes, strict=True))
        if abs(overlap) > 1 - SAME:
            return name
    return None


def amplitudes_of(registers: Registers, members: Sequence[Qubit]) -> Amplitudes:
    """Return the amplitudes of pieces that are entangled with no others; the first member most significant."""
    n = len(members)
    result = {sum((registers.known(m) or 0) << n - 1 - k for k, m in enumerate(members)): 1 + 0j}
    for register, mine in registers.held(members):
        shifts = [n - 1 - members.index(m) for m in mine]
        part = register.amplitudes(mine)
        lifted = {sum((key >> j & 1) << shift for j, shift in enumerate(shifts)): a for key, a in part.items()}
        result = {key | more: a * b for key, a in result.items() for more, b in lifted.items()}
    return normed([result.get(key, 0j) for key in range(2**n)], "/".join(members))


# -- making states ----------------------------------------------------------------------------------


def preparation(members: Sequence[Qubit], amplitudes: Amplitudes) -> Program:
    """Return the program that makes this state from 0...0, by name if it has one.

    Each qubit in turn is rotated by RY under every value of those before it; then each branch gets its phase. So the
    past of a set-up position is an ordinary circuit.
    """
    if len(members) == 1 and (name := named(amplitudes)):
        return Program(*(maker(members[0]) for maker in _MAKERS[name]))
    turns = (step for k in range(len(members)) for step in _turns(members, k, amplitudes))
    return Program(*turns, *_phases(members, amplitudes))


def _turns(members: Sequence[Qubit], k: int, amplitudes: Amplitudes) -> Iterator[Operation]:
    """Yield the rotations of member k, one for each value of the members before it."""
    size = len(amplitudes) >> k
    for value in range(2**k):
        part = amplitudes[value * size : (value + 1) * size]
        low, high = (math.sqrt(sum(abs(a) ** 2 for a in half)) for half in (part[: size // 2], part[size // 2 :]))
        if high > SAME:
            turn = ry(members[k], 2 * math.atan2(high, low)) if low > SAME else x(members[k])
            yield turn.when({m: value >> k - 1 - j & 1 for j, m in enumerate(members[:k])})


def _phases(members: Sequence[Qubit], amplitudes: Amplitudes) -> Iterator[Operation]:
    """Yield the phase of each branch. The branch 0...0 has none: the first amplitude is real."""
    for values, amplitude in zip(product((0, 1), repeat=len(members)), amplitudes, strict=True):
        t = math.atan2(amplitude.imag, amplitude.real) / math.pi
        if abs(amplitude) > SAME and abs(t) > SAME and any(values):
            others = dict(zip(members, values, strict=True))
            one = next(member for member, value in others.items() if value)
            del others[one]
            yield z(one, t).when(others)


# -- amplitudes as text -----------------------------------------------------------------------------


def write_amplitudes(amplitudes: Amplitudes) -> str:
    """Return the amplitudes in parentheses: ``(0.6,0.8i)``."""
    return f"({','.join(map(_write_number, amplitudes))})"


def _write_number(a: complex) -> str:
    real, imaginary = (f"{part:.15g}" if abs(part) > 1e-15 else "0" for part in (a.real, a.imag))
    if imaginary == "0":
        return real
    return f"{imaginary}i" if real == "0" else f"{real}{'' if imaginary.startswith('-') else '+'}{imaginary}i"


def read_amplitudes(text: str, members: Sequence[str]) -> Amplitudes:
    """Parse the result of `write_amplitudes`, for these members."""
    parts = text.removeprefix("(").removesuffix(")").split(",")
    if not (text.startswith("(") and text.endswith(")")) or len(parts) != size(members):
        raise InvalidMoveError(
            f"expected {size(members)} amplitudes in parentheses for {list(members)}, got {reading.shown(text)}"
        )
    return normed([_read_number(part) for part in parts], "/".join(members))


def _read_number(text: str) -> complex:
    try:
        number = complex(text.strip().replace("i", "j"))
    except ValueError as error:
        shown = reading.shown(text)
        raise InvalidMoveError(f"expected an amplitude such as 0.5, -0.8i or 0.5+0.5i, got {shown}") from error
    return _amplitude(number.real, number.imag)


def from_pairs(pairs: Sequence[Any], members: Sequence[str]) -> Amplitudes:
    """Return amplitudes from pairs of real and imaginary part."""
    if len(pairs) != size(members):
        raise InvalidMoveError(f"expected {size(members)} amplitudes for {list(members)}, got {len(pairs)}")
    parts = [reading.items(pair, "an amplitude", 2) for pair in pairs]
    if any(len(pair) != 2 for pair in parts):
        raise InvalidMoveError("expected each amplitude as its real and its imaginary part")
    return normed([_amplitude(*pair) for pair in parts], "/".join(members))


def _amplitude(real: Any, imaginary: Any) -> complex:
    """Return an amplitude of the right size; a larger one could not even be squared."""
    return complex(*(reading.number(part, "a part of an amplitude", -MOST, MOST) for part in (real, imaginary)))


def size(members: Sequence[str]) -> int:
    """Return how many amplitudes a system has; raises for one that no rules allow, before making anything."""
    if not 1 <= len(members) < LIMIT:
        raise InvalidMoveError(f"a system has 2 to {LIMIT - 1} pieces, got {len(members)}")
    return int(2 ** len(members))


def as_table(amplitudes: Amplitudes) -> dict[int, complex]:
    """Return the nonzero amplitudes, by index."""
    return {key: a for key, a in enumerate(amplitudes) if abs(a) > SAME}
