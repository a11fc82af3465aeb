"""Stabilizer generators: a system's state as signed Pauli words, one letter per member.

Every state reached from the usual start has them. The choice is unique: words with the fewest Ys first, then in
alphabetical order, each if independent of those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qchess.circuits.precision import SAME
from qchess.errors import InvalidMoveError
from qchess.games.piece_qubit_chess.position import LIMIT
from qchess.games.piece_qubit_chess.states import Amplitudes, as_table, normed

#: (power, flips, signs): the word i^power X^flips Z^signs, as masks; the first letter is the highest bit
Word = tuple[int, int, int]
_LETTERS = {(0, 0): "I", (1, 0): "X", (0, 1): "Z", (1, 1): "Y"}
_MASKS = {letter: masks for masks, letter in _LETTERS.items()}


def generators(amplitudes: Amplitudes, n: int) -> tuple[str, ...] | None:
    """Return the chosen generators of a state of n pieces, or None if it is not a stabilizer state."""
    words = [_write(word, n) for word in _stabilizers(as_table(amplitudes), n)]
    if len(words) != 2**n:
        return None
    chosen: list[str] = []
    basis: list[int] = []
    for word in sorted(words, key=lambda word: (word.count("Y"), word[1:])):
        _, flips, signs = _read(word, n)
        rest = _reduced(flips << n | signs, basis)
        if rest:
            basis.append(rest)
            chosen.append(word)
    return tuple(chosen)


def _stabilizers(table: dict[int, complex], n: int) -> Iterator[Word]:
    """Yield every word that leaves the state unchanged: X^flips Z^signs up to a power of i."""
    origin = min(table)
    for flips in (origin ^ key for key in table):
        for signs in range(2**n):
            factor = _eigenvalue(table, origin, flips, signs)
            if factor is not None:
                yield factor, flips, signs


def _eigenvalue(table: dict[int, complex], origin: int, flips: int, signs: int) -> int | None:
    """Return the power of i for which i^power X^flips Z^signs leaves the state unchanged, or None."""
    ratio = table[origin ^ flips] / (table[origin] * _sign(origin, signs))
    power = next((k for k in range(4) if abs(ratio - 1j**k) < SAME * 1e3), None)
    if power is None:
        return None
    for key, a in table.items():
        other = table.get(key ^ flips)
        if other is None or abs(other - 1j**power * _sign(key, signs) * a) > SAME * 1e3:
            return None
    return power


def _sign(key: int, signs: int) -> int:
    return -1 if (key & signs).bit_count() & 1 else 1


def _write(word: Word, n: int) -> str:
    """Return the word with its sign. XZ = -iY, so each Y takes a factor i out of the power."""
    power, flips, signs = word
    letters = "".join(_LETTERS[flips >> k & 1, signs >> k & 1] for k in reversed(range(n)))
    return "+-"[(power - letters.count("Y")) % 4 // 2] + letters


def _read(text: str, n: int) -> Word:
    """Parse the result of `_write`."""
    if len(text) != n + 1 or text[0] not in "+-" or not set(text[1:]) <= set("IXYZ"):
        raise InvalidMoveError(f"expected a generator such as '+XZ' with {n} letters, got {text!r}")
    masks = [_MASKS[letter] for letter in text[1:]]
    flips, signs = (sum(mask[side] << n - 1 - k for k, mask in enumerate(masks)) for side in (0, 1))
    return (text.count("Y") + 2 * (text[0] == "-")) % 4, flips, signs


def _reduced(word: int, basis: Sequence[int]) -> int:
    """Return the word reduced by the basis; 0 if it depends on it."""
    for element in basis:
        word = min(word, word ^ element)
    return word


def state_of(words: Sequence[str], n: int) -> Amplitudes:
    """Return the state that all these generators leave unchanged; for as many pieces as the rules allow in a system."""
    if n >= LIMIT:
        raise InvalidMoveError(f"a system has 2 to {LIMIT - 1} pieces, got {n}")
    if len(words) != n:
        raise InvalidMoveError(f"a system of {n} pieces needs {n} generators, got {list(words)}")
    read = [_read(word, n) for word in words]
    _check_group(read, words, n)
    for start in range(2**n):
        state = {start: 1 + 0j}
        for word in read:
            state = _projected(state, word)
        norm = sum(abs(a) ** 2 for a in state.values()) ** 0.5
        if norm > SAME:
            return normed([state.get(key, 0j) / norm for key in range(2**n)], "/".join(words))
    raise InvalidMoveError(f"no state has the generators {list(words)}")


def _check_group(read: Sequence[Word], words: Sequence[str], n: int) -> None:
    basis: list[int] = []
    for k, (_, flips, signs) in enumerate(read):
        for other, (_, flips2, signs2) in zip(words, read[:k], strict=False):
            if ((flips & signs2).bit_count() + (signs & flips2).bit_count()) & 1:
                raise InvalidMoveError(f"generators must commute, {words[k]} and {other} do not")
        rest = _reduced(flips << n | signs, basis)
        if not rest:
            raise InvalidMoveError(f"generators must be independent, {words[k]} follows from {list(words[:k])}")
        basis.append(rest)


def _projected(state: dict[int, complex], word: Word) -> dict[int, complex]:
    """Return the part of a state that the word leaves unchanged: (1 + word)/2 applied to it."""
    power, flips, signs = word
    after = {key: a / 2 for key, a in state.items()}
    for key, a in state.items():
        after[key ^ flips] = after.get(key ^ flips, 0j) + 1j**power * _sign(key, signs) * a / 2
    return {key: a for key, a in after.items() if abs(a) > SAME}
