"""A budget of seconds of use: a job is held to what is reserved for it, and settled by what the vendor tells."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.backends import budget
from qchess.backends.budget import Budget, BudgetError
from qchess.backends.devices.adapters import device
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.source import DeviceError
from qchess.backends.ibm.jobs import IbmJobs
from qchess.circuits.errors import LostJobError
from qchess.errors import BackendError
from tests.backends.test_devices_queued import FEN, Account, Primitive, half_piece


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def figures(unit: str = "seconds of use") -> tuple[float, float, float]:
    """What is spent, reserved and left of the one device that has a budget."""
    [told] = [told for told in budget.standing() if told["unit"] == unit]
    return told["spent"], told["reserved"], told["left"]


class Holding(Primitive):
    """The same stand-in; it notes to how many seconds of use each job is held."""

    def __init__(self, account: Account) -> None:
        super().__init__(account)
        self.options.max_execution_time = None
        self.held: list[int | None] = []

    def run(self, circuits: list[Any], shots: int) -> Any:
        self.held.append(self.options.max_execution_time)
        return super().run(circuits, shots)


def at_ibm(longest: int | None = None, **limits: Any) -> tuple[Holding, QueuedSource]:
    account = Account()
    primitive = Holding(account)
    sampler = IbmJobs(primitive, account, name="ibm:somewhere")
    sampler.longest = primitive.options.max_execution_time = longest
    return primitive, QueuedSource(sampler, seed=1, **limits)


def collected(source: QueuedSource, ticket: Any) -> dict[str, Any]:
    draw = source.collect(half_piece(), ticket)
    assert draw is not None
    return dict(draw.details)


# -- laws ----------------------------------------------------------------------------------------------------


EVENTS = ("reserve", "told", "untold", "lost")
STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(EVENTS), st.integers(1, 30)))


@settings(max_examples=25)
@given(STEPS, st.sampled_from([(1, 10_800), (7, 7)]))
def test_no_order_of_events_uses_more_seconds_than_the_budget(
    tmp_path_factory: pytest.TempPathFactory, steps: Any, range_: tuple[int, int]
) -> None:
    place = tmp_path_factory.mktemp("budgets")
    used: Counter[str] = Counter()
    lost = 0
    for key, what, seconds in steps:
        kept = Budget("device", None, place, seconds=40, job_seconds=range_)  # each step by a process of its own
        if what == "reserve" and key not in used:
            try:
                kept.reserve(key, 10)
                used[key] = kept.bound(key)["seconds"]
            except BudgetError:
                assert used.total() + lost + range_[0] > 40
        elif what in ("told", "untold") and key in used:
            used[key] = min(used[key], seconds) if what == "told" else used[key]
            kept.settle(key, 10, used[key] if what == "told" else None)
        elif what == "lost" and key in used:
            kept.lost(key)
            lost += used.pop(key)
        assert used.total() + lost + kept.told()["seconds_left"] == 40


# -- jobs ----------------------------------------------------------------------------------------------------


def test_a_job_is_held_to_what_is_left_and_settled_by_what_it_used() -> None:
    primitive, source = at_ibm(budget_seconds=40)
    ticket = source.submit(half_piece())
    assert ticket["details"]["budget"] == {"seconds": 40, "seconds_left": 0}
    assert source.submit(half_piece())["job"] == ticket["job"]
    with pytest.raises(DeviceError) as told:
        source.named("another").submit(half_piece())
    assert str(told.value) == (
        "the budget of ibm:somewhere is too small: 40 of 40 seconds of use are spent or reserved, and this would take "
        "1 more; go on with budget_seconds=41 or more, or with another backend"
    )
    primitive.state, primitive.used = "DONE", 2.5
    for _ in range(2):
        assert collected(source, ticket)["budget"] == {"seconds": 40, "seconds_left": 37.5}
        assert figures() == (2.5, 0, 37.5)
    source.named("another").submit(half_piece())
    assert primitive.held == [40, 37]
    assert primitive.options.max_execution_time is None
    assert figures() == (2.5, 37, 0.5)
    with pytest.raises(DeviceError, match=r"39\.5 of 40 seconds of use .* go on with budget_seconds=40\.5 or more"):
        source.named("a third").submit(half_piece())


def test_where_a_time_is_set_each_job_is_held_to_that_and_several_wait_at_once() -> None:
    primitive, source = at_ibm(longest=30, budget_seconds=70, budget_shots=1000)
    first, second = (source.named(name).submit(half_piece()) for name in ("one", "two"))
    with pytest.raises(
        DeviceError, match=r"60 of 70 seconds of use .* would take 30 more; .* budget_seconds=90 or more"
    ):
        source.named("three").submit(half_piece())
    assert figures("shots") == (0, 200, 800)  # what was refused has reserved nothing
    primitive.state, primitive.used = "DONE", 4.0
    assert collected(source, first)["budget"] == {"shots": 1000, "left": 800, "seconds": 70, "seconds_left": 36}
    assert collected(source, second)["budget"]["seconds_left"] == 62
    source.named("three").submit(half_piece())
    assert primitive.held == [30, 30, 30]
    assert primitive.options.max_execution_time == 30


def test_a_preview_says_to_how_many_seconds_its_job_would_be_held(state: Path) -> None:
    for longest, limits, said in (
        (None, {"budget_seconds": 40}, "reserves 40 seconds of use of the budget"),
        (30, {"budget_seconds": 40, "budget_shots": 500}, "reserves 100 shots and 30 seconds of use of the budget"),
        (30, {}, "ended after 30 seconds of use"),
    ):
        primitive, source = at_ibm(longest, **limits)
        sampler: Any = source.sampler
        sampler.note(max_execution_time=longest)
        game = qchess.new("quantum-chess", backend=device(sampler, **limits), fen=FEN)
        game.play("b1^a3c3")
        game.play("e8-e7")
        assert str(game.preview("c3-d5")).endswith(f", {said}")
        assert (primitive.held, state.exists()) == ([], False)


def test_no_job_is_held_to_more_than_the_vendor_takes() -> None:
    primitive, source = at_ibm(budget_seconds=50_000)
    source.submit(half_piece())
    assert primitive.held == [10_800]
    assert figures() == (0, 10_800, 39_200)


def test_seconds_that_were_not_worked_out_yet_stay_reserved_until_the_next_question_asks_for_them() -> None:
    primitive, source = at_ibm(budget_seconds=40)
    ticket = source.submit(half_piece())
    primitive.state = "DONE"
    assert collected(source, ticket)["budget"] == {"seconds": 40, "seconds_left": 0}
    with pytest.raises(DeviceError, match="40 of 40 seconds of use are spent or reserved"):
        source.named("another").submit(half_piece())
    primitive.used = 3.0
    source.named("another").submit(half_piece())
    assert primitive.held == [40, 37]
    assert figures() == (3, 37, 0)


@pytest.mark.parametrize("told", [float("nan"), -1.0, True, "2", [2]])
def test_what_is_no_number_of_seconds_leaves_the_reservation(told: Any) -> None:
    primitive, source = at_ibm(budget_seconds=40)
    ticket = source.submit(half_piece())
    primitive.state, primitive.used = "DONE", told
    assert collected(source, ticket)["budget"] == {"seconds": 40, "seconds_left": 0}
    assert figures() == (0, 40, 0)


def test_a_job_that_failed_counts_with_all_that_it_might_have_used() -> None:
    primitive, source = at_ibm(longest=10, budget_seconds=25)
    ticket = source.submit(half_piece())
    primitive.state = "ERROR"
    with pytest.raises(LostJobError, match="the fridge"):
        source.collect(half_piece(), ticket)
    assert figures() == (10, 0, 15)
    source.submit(half_piece())
    assert figures() == (10, 10, 5)


def test_a_question_that_is_waited_for_is_held_as_well() -> None:
    primitive, source = at_ibm(longest=10, budget_seconds=25)
    primitive.state = "DONE"
    assert source.draw(half_piece()).details["budget"] == {"seconds": 25, "seconds_left": 15}
    assert primitive.held == [10]


def test_a_question_asked_under_shots_alone_is_not_counted_in_seconds_until_it_is_asked_under_seconds() -> None:
    _, source = at_ibm(budget_shots=300)
    source.submit(half_piece())
    assert figures("shots") == (0, 100, 200)
    again = QueuedSource(source.sampler, seed=1, budget_seconds=40)
    again.submit(half_piece())
    assert figures() == (0, 40, 0)
    assert figures("shots") == (0, 100, 200)


# -- files, lines and refusals -------------------------------------------------------------------------------


def test_a_file_from_before_there_were_seconds_is_read_on(state: Path) -> None:
    file = state / "budgets" / "ibm%3Asomewhere.json"
    file.parent.mkdir(parents=True)
    before = {
        "qa": {"shots": 100},
        "qb": {"shots": 50, "open": True},
        "qb lost 1": {"shots": 20},
        "limit": {"shots": 400},
    }
    file.write_text(json.dumps(before))
    assert figures("shots") == (120, 50, 230)
    _, source = at_ibm(budget_shots=400, budget_seconds=40)
    assert source.submit(half_piece())["details"]["budget"] == {
        "shots": 400, "left": 130, "seconds": 40, "seconds_left": 0,
    }  # fmt: skip
    assert {key: json.loads(file.read_text())[key] for key in ("qa", "qb", "qb lost 1")} == {
        key: before[key] for key in ("qa", "qb", "qb lost 1")
    }


def test_the_command_that_lists_jobs_has_a_line_for_each_limit(capsys: pytest.CaptureFixture[str]) -> None:
    primitive, source = at_ibm(longest=10, budget_seconds=25, budget_shots=300)
    ticket = source.submit(half_piece())
    primitive.state, primitive.used = "DONE", 2.5
    collected(source, ticket)
    source.named("another").submit(half_piece())
    assert main(("jobs",)) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "budget of ibm:somewhere: 100 of 300 shots left; 100 spent, 100 reserved",
        "budget of ibm:somewhere: 12.5 of 25 seconds of use left; 2.5 spent, 10 reserved",
    ]


@pytest.mark.parametrize("device", ["sparse-shots", "queued:sparse-shots"])
def test_a_device_that_ends_no_job_in_time_refuses_a_budget_of_seconds(device: str) -> None:
    ends = device.removeprefix("queued:")  # what ends jobs, or does not
    with pytest.raises(
        BackendError, match=f"^{ends} takes no budget_seconds, because it cannot end a job after .* budget_shots$"
    ):
        backends.get(f"{device},budget_seconds=40")


@pytest.mark.parametrize("trial", ["preflight", "mitigation"])
def test_trials_and_a_budget_of_seconds_exclude_one_another(trial: str) -> None:
    with pytest.raises(BackendError, match=r"^budget_seconds=40 does not cover the tests of preflight and mitigation"):
        at_ibm(budget_seconds=40, **{trial: 100})


def test_a_session_takes_no_budget_of_seconds() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'")
    with pytest.raises(BackendError, match="IBM counts a session's time between jobs too; take mode=batch"):
        backends.get("ibm:ibm_x,mode=session,budget_seconds=40")


@pytest.mark.parametrize("wrong", [-1, True, "many", float("nan"), float("inf")])
def test_a_budget_that_is_no_number_of_seconds_is_refused(wrong: Any) -> None:
    with pytest.raises(BackendError, match="budget_seconds is a number of seconds, or None"):
        at_ibm(budget_seconds=wrong)


@pytest.mark.parametrize(
    "text", ['{"a": {"shots": 3, "seconds": "4"}}', '{"a": {"seconds": 4}}', '{"limit": {"seconds": -1}}']
)
def test_a_file_whose_seconds_are_none_is_one_error(state: Path, text: str) -> None:
    file = state / "budgets" / "ibm%3Asomewhere.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(DeviceError, match="is not a budget file"):
        at_ibm(budget_seconds=40)[1].submit(half_piece())
    assert file.read_text() == text
