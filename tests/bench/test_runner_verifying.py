"""What a state has to show before its time may count, on one of eight qubits that two keys share."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from qchess.bench.running.verifying import Expected, verify

EQUAL = 0.5**0.5
KNOWN = {0b00000000: EQUAL + 0j, 0b11110000: EQUAL * 1j}
#: three flips from either known key, so that no stranger that is looked at stands here
FAR = 0b01010101


def verdict(held: dict[int, complex], expected: Expected, *, whole: bool = True):
    def read(keys: Sequence[int]) -> list[complex]:
        return [held.get(key, 0j) for key in keys]

    weight = sum(abs(amplitude) ** 2 for amplitude in held.values())
    return verify(expected, read, weight if whole else None, tolerance=1e-9)


def test_what_is_right_up_to_a_phase_is_right() -> None:
    assert verdict({key: -1j * amplitude for key, amplitude in KNOWN.items()}, Expected(8, KNOWN, True)).right


def test_weight_where_nobody_looks_shows_in_the_total() -> None:
    leaky = {**KNOWN, FAR: 0.01 + 0j}
    told = verdict(leaky, Expected(8, KNOWN, True))
    assert not told.right
    assert told.elsewhere == pytest.approx(1e-4)
    assert verdict(leaky, Expected(8, KNOWN, True), whole=False).right, "without a norm it cannot be seen"


def test_strangers_are_one_flip_or_two_neighbouring_ones_away_and_hold_nothing() -> None:
    strangers = set(Expected(8, KNOWN, True).strangers())
    flips = [1 << k for k in range(8)] + [3 << k for k in range(7)]
    assert strangers <= {key ^ flip for key in KNOWN for flip in flips} - KNOWN.keys()
    assert any(key & ~0b11110000 == 0 and key.bit_count() == 3 for key in strangers), "bits are taken away, too"
    assert not Expected(8, KNOWN, False).strangers()


def test_of_a_sample_the_total_says_nothing() -> None:
    (first, second) = KNOWN
    assert verdict(KNOWN, Expected(8, {first: KNOWN[first], second: KNOWN[second]}, False)).right
    assert verdict({**KNOWN, FAR: 0.01 + 0j}, Expected(8, KNOWN, False)).elsewhere == 0


@pytest.mark.parametrize(
    ("held", "kind"),
    [
        ({key: amplitude.conjugate() for key, amplitude in KNOWN.items()}, "conjugated"),
        ({int(f"{key:08b}"[::-1], 2): amplitude for key, amplitude in KNOWN.items()}, "order"),
        ({key: 1.1 * amplitude for key, amplitude in KNOWN.items()}, "norm"),
        ({key: amplitude * float("nan") for key, amplitude in KNOWN.items()}, "not finite"),
    ],
)
def test_a_wrong_state_is_told_how_it_is_wrong(held: dict[int, complex], kind: str) -> None:
    assert verdict(held, Expected(8, KNOWN, True)).kind == kind


@pytest.mark.parametrize(("norm", "kind"), [(1.005, ""), (0.995, ""), (1.02, "norm"), (46.0, "norm")])
def test_an_approximate_method_may_miss_the_norm_by_what_it_may_leave_out(norm: float, kind: str) -> None:
    def read(keys: Sequence[int]) -> list[complex]:
        return [KNOWN.get(key, 0j) for key in keys]

    assert verify(Expected(8, KNOWN, True), read, norm, tolerance=1e-9, approximate=True).kind == kind
