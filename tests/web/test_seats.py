"""A seat at a table: who opens it, and how often it changes its name."""

from __future__ import annotations

from qchess.web.seats import MOST_NAMES, Seat, hashed


def test_a_seat_changes_its_name_three_times_and_keeps_the_last() -> None:
    seat = Seat()
    for number in range(MOST_NAMES + 2):
        seat = seat.named(f"Ada {number}")
    assert (seat.name, seat.names) == ("Ada 2", MOST_NAMES)


def test_no_name_and_the_same_name_are_no_change() -> None:
    seat = Seat(name="Ada", names=1)
    assert seat.named("") is seat.named("Ada") is seat


def test_a_seat_opens_to_its_own_secret_and_only_if_a_human_sits_there() -> None:
    assert Seat(key=hashed("secret")).opens("secret")
    assert not Seat(key=hashed("secret")).opens("guess")
    assert not Seat("greedy", hashed("secret")).opens("secret")
