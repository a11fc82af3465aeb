"""A budget holds whatever happens: what is sent is reserved before, settled after, and never more than allowed."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import textwrap
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qchess
from qchess import backends
from qchess.backends import budget
from qchess.backends.budget import Budget, BudgetError
from qchess.backends.devices import jobqueue
from qchess.backends.devices.jobqueue import JobQueue
from qchess.backends.devices.preflight import preflight
from qchess.backends.devices.primitive import PrimitiveSampler
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.source import DeviceError, DeviceSource
from qchess.backends.ibm.jobs import IbmJobs
from qchess.circuits.errors import LostJobError
from qchess.errors import BackendError
from tests.backends.test_devices_queued import FEN, LINE, Account, Primitive, half_piece
from tests.backends.test_devices_tried import CIRCUIT, asked, tired
from tests.forks import Forks
from tests.kills import kills


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def standing() -> dict[str, Any]:
    """What is written down of the one device that has a budget."""
    [told] = budget.standing()
    return told


def figures() -> tuple[int, int, int]:
    """Its shots spent, reserved and left."""
    told = standing()
    return told["spent"], told["reserved"], told["left"]


# -- laws ----------------------------------------------------------------------------------------------------


STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("reserve", "settle", "lost")), st.integers(1, 60)))


@settings(max_examples=25)
@given(STEPS)
def test_no_order_of_events_sends_more_than_the_budget(tmp_path_factory: pytest.TempPathFactory, steps: Any) -> None:
    place = tmp_path_factory.mktemp("budgets")
    sent: Counter[str] = Counter()
    lost = 0
    for key, what, shots in steps:
        kept = Budget("device", 100, place)  # each step by a process of its own
        if what == "reserve":
            try:
                sent[key] = max(sent[key], kept.reserve(key, shots) or 0)
            except BudgetError:
                assert sent.total() + lost + shots > 100
        elif what == "settle" and key in sent:
            sent[key] = min(sent[key], shots)
            kept.settle(key, sent[key])
        elif what == "lost" and key in sent:
            kept.lost(key)
            lost += sent.pop(key)
        assert sent.total() + lost + (kept.left() or 0) == 100


def takes(place: str) -> None:
    for number in range(20):
        try:
            Budget("device", 25, Path(place)).reserve(f"{os.getpid()} {number}", 1)
        except BudgetError:
            return


def test_processes_at_once_reserve_no_more_than_the_budget(tmp_path: Path) -> None:
    others = [multiprocessing.Process(target=takes, args=(str(tmp_path),)) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    entries = json.loads((tmp_path / "device.json").read_text())
    assert len(entries) == 26  # and the limit
    assert Budget("device", 25, tmp_path).left() == 0


# -- questions that are answered at once ---------------------------------------------------------------------


def game(device: str) -> Any:
    made = qchess.new("quantum-chess", backend=device, seed=5, fen=FEN)
    for move in LINE:
        made.play(move)
    return made


def test_a_question_too_many_is_one_sentence_and_the_game_goes_on_with_a_larger_budget(tmp_path: Path) -> None:
    game("sparse-shots,budget_shots=150").play("c3-d5")
    assert figures() == (100, 0, 50)
    refused = game("sparse-shots,budget_shots=150")
    before = refused.record().to_json()
    with pytest.raises(DeviceError) as told:
        refused.play("c3-d5")
    assert str(told.value) == (
        "the budget of sparse-shots is too small: 100 of 150 shots are spent or reserved, and this would take 100 "
        "more; go on with budget_shots=200 or more, or with another backend"
    )
    assert refused.record().to_json() == before
    assert figures() == (100, 0, 50)
    answer = game("sparse-shots,budget_shots=200").play("c3-d5").answers[0]
    assert answer.details["budget"] == {"shots": 200, "left": 0}


def test_a_device_without_a_budget_writes_nothing_down(state: Path) -> None:
    assert "budget" not in game("sparse-shots").play("c3-d5").answers[0].details
    assert not state.exists()


@pytest.mark.parametrize("wrong", [-1, 1.5, True, "many"])
def test_a_budget_that_is_no_number_of_shots_is_refused(wrong: Any) -> None:
    with pytest.raises(BackendError, match="budget_shots is a number of shots, or None"):
        backends.get("sparse-shots", budget_shots=wrong)


@pytest.mark.parametrize("text", ["", "[]", '{"a": 3}', '{"a": {"shots": "3"}}'])
def test_a_file_that_holds_no_budget_is_one_error_and_is_not_written_over(state: Path, text: str) -> None:
    file = state / "budgets" / "sparse-shots.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(BackendError, match="is not a budget file"):
        game("sparse-shots,budget_shots=150").play("c3-d5")
    assert file.read_text() == text


def test_a_run_that_fails_counts_in_full_for_it_may_have_run() -> None:
    source: Any = backends.get("sparse-shots,budget_shots=150").source(1)

    def fails(*args: Any) -> Any:
        raise ConnectionError("the line broke")

    source.sampler.run = fails
    with pytest.raises(DeviceError, match="the line broke"):
        asked(source)
    assert figures() == (0, 100, 50)


# -- trials, and machines that give more ---------------------------------------------------------------------


@pytest.mark.slow
def test_trials_of_qubits_count_as_what_they_ran() -> None:
    sampler, _ = tired(1)
    details = asked(DeviceSource(sampler, shots=50, preflight=400, mitigation=300, seed=1, budget_shots=9000)).details
    assert figures() == (details["shots_run"], 0, 9000 - details["shots_run"])
    assert details["budget"]["left"] == 9000 - details["shots_run"]


@pytest.mark.slow
def test_a_trial_that_the_budget_does_not_cover_stops_before_its_next_round() -> None:
    sampler, _ = tired(1)
    one_round = preflight(tired(0)[0], [CIRCUIT]).shots // 2
    source = DeviceSource(sampler, shots=50, preflight=400, seed=1, budget_shots=one_round + 100)
    with pytest.raises(DeviceError, match=rf"{one_round} of {one_round + 100} shots are spent .* would take \d+ more"):
        asked(source)
    assert figures() == (one_round, 0, 100)


@pytest.mark.parametrize(("asked_for", "size", "rounds", "given_"), [
    (100, "auto", "auto", 128), (10, "auto", "auto", 64), (4096, "auto", "auto", 4096), (5000, "auto", "auto", 5024),
    (100, 30, "auto", 120), (100, "auto", 32, 128), (100, 5, 7, 35),
])  # fmt: skip
def test_a_machine_that_twirls_is_reserved_what_it_will_give(
    asked_for: int, size: Any, rounds: Any, given_: int
) -> None:
    twirling = SimpleNamespace(enable_gates=True, shots_per_randomization=size, num_randomizations=rounds)
    primitive = SimpleNamespace(options=SimpleNamespace(twirling=twirling))
    sampler = PrimitiveSampler(primitive, name="twirls")
    assert sampler.shots_given(asked_for) == given_
    twirling.enable_gates = False
    assert sampler.shots_given(asked_for) == asked_for


def test_what_a_machine_that_twirls_gives_is_what_its_vendor_works_out() -> None:
    reason = "qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'"
    vendors = pytest.importorskip("qiskit_ibm_runtime.executor.calculate_twirling_shots", reason=reason)
    twirling = SimpleNamespace(enable_measure=True)
    sampler = PrimitiveSampler(SimpleNamespace(options=SimpleNamespace(twirling=twirling)), name="twirls")
    for size in ("auto", 1, 30, 64):
        for rounds in ("auto", 1, 7, 32):
            twirling.shots_per_randomization, twirling.num_randomizations = size, rounds
            for shots in (1, 63, 100, 2049, 10_000):
                number, each = vendors.calculate_twirling_shots(shots, rounds, size)
                assert sampler.shots_given(shots) == number * each


# -- jobs, and processes that are killed ---------------------------------------------------------------------


def at_ibm(shots: int) -> tuple[Primitive, QueuedSource]:
    account = Account()
    primitive = Primitive(account)
    sampler = IbmJobs(primitive, account, name="ibm:somewhere")
    return primitive, QueuedSource(sampler, seed=1, budget_shots=shots)


def test_a_job_is_reserved_once_however_often_it_is_handed_in_and_settled_once() -> None:
    primitive, source = at_ibm(150)
    ticket = source.submit(half_piece())
    assert source.submit(half_piece())["key"] == ticket["key"]
    assert figures() == (0, 100, 50)
    primitive.state = "DONE"
    for _ in range(2):
        draw = source.collect(half_piece(), ticket)
        assert draw is not None
        assert draw.details["budget"] == {"shots": 150, "left": 50}
        assert figures() == (100, 0, 50)
    with pytest.raises(DeviceError, match="100 of 150 shots are spent"):
        source.named("another").submit(half_piece())
    assert len(source.sampler._service.known) == 1  # type: ignore[attr-defined]


def test_a_job_that_was_lost_counts_and_another_under_its_key_is_reserved_anew() -> None:
    primitive, source = at_ibm(250)
    ticket = source.submit(half_piece())
    primitive.state = "ERROR"
    with pytest.raises(LostJobError, match="the fridge"):
        source.collect(half_piece(), ticket)
    assert figures() == (100, 0, 150)
    assert source.submit(half_piece())["key"] == ticket["key"]
    assert figures() == (100, 100, 50)


def test_a_job_that_failed_before_its_ticket_was_kept_counts() -> None:
    primitive, source = at_ibm(250)
    source.submit(half_piece())  # and the process ends
    primitive.state = "ERROR"
    again = source.submit(half_piece())
    assert again["job"] == "job1"
    assert figures() == (100, 100, 50)
    with pytest.raises(DeviceError, match=r"200 of 250 shots are spent .* would take 100 more"):
        source.submit(half_piece())  # this one failed, too
    assert figures() == (200, 0, 50)
    with pytest.raises(LostJobError, match="the fridge"):  # a copy of the game has kept the ticket
        source.collect(half_piece(), again)
    assert figures() == (200, 0, 50)


def test_a_job_of_the_local_queue_that_failed_before_its_ticket_was_kept_counts(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JobQueue, "_attend", lambda queue, job: None)  # the worker is this process
    source: Any = backends.get("queued:sparse-shots,budget_shots=450").source(seed=3)

    def failed() -> Any:
        ticket = source.submit(half_piece())
        order = state / "jobs" / ticket["job"] / "order.json"
        order.write_text(order.read_text().replace("sparse-shots", "no-such-device"))
        jobqueue.work(str(order.parent))
        return ticket

    failed()  # and the process ends
    ticket = failed()
    assert figures() == (100, 100, 250)
    for _ in range(2):  # two copies of a game have this ticket
        with pytest.raises(LostJobError, match="no-such-device"):
            source.collect(half_piece(), ticket)
        assert figures() == (200, 0, 250)
    source.submit(half_piece())
    source.sampler.cancel(ticket)
    ticket = source.submit(half_piece())
    assert figures() == (300, 100, 50)
    jobqueue.work(str(state / "jobs" / ticket["job"]))
    assert source.collect(half_piece(), ticket).details["budget"] == {"shots": 450, "left": 50}
    assert figures() == (400, 0, 50)


DIES = """
    import os, signal, sys, time
    import qchess
    from pathlib import Path
    from qchess.backends.budget import Budget
    from qchess.backends.devices.jobqueue import JobQueue
    from qchess.playing.keeping import Keeper

    path, where, when = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    owner = Budget if where in ("reserve", "settle") else JobQueue
    if where != "nowhere":
        usual = getattr(owner, where)

        def fatal(self, *args):
            if when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            came = usual(self, *args)
            if came is not None or where == "settle":
                os.kill(os.getpid(), signal.SIGKILL)

        setattr(owner, where, fatal)
    started = path.exists()
    how = {"backend": sys.argv[4], "fen": sys.argv[5]}
    made = qchess.load(path, trust=True) if started else qchess.new("quantum-chess", **how)
    try:
        with Keeper(made, path, goes_on=started):
            if made.pending is None:
                for move in sys.argv[6:]:
                    made.play(move)
            while made.pending is not None and made.collect() is None:
                time.sleep(0.02)
    except qchess.BackendError as error:
        print(error)
"""
#: before and after each step of a question
MOMENTS = [(what, when) for what in ("reserve", "submit", "collect", "settle") for when in ("before", "after")]


@pytest.mark.slow
def test_processes_killed_at_every_step_lose_no_job_pay_none_twice_and_exceed_no_budget(
    tmp_path: Path, state: Path, request: pytest.FixtureRequest
) -> None:
    count, forks = kills(4), Forks(tmp_path, "numpy")
    request.addfinalizer(forks.close)
    device = f"queued:sparse-shots,budget_shots={100 * count + 50}"
    script = textwrap.dedent(DIES)
    for number in range(count):
        path = tmp_path / f"game{number}.json"
        where, when = MOMENTS[(2 * number + number // 4) % len(MOMENTS)]
        others = [device, FEN, *LINE, "c3-d5"]
        assert forks.run(script, str(path), where, when, *others).returncode == -signal.SIGKILL
        assert 100 * number <= standing_total(number) <= 100 * (number + 1)
        assert forks.run(script, str(path), "nowhere", "-", *others).returncode == 0
        assert json.loads(path.read_text())["pending"] is None
        assert figures() == (100 * (number + 1), 0, 100 * (count - number - 1) + 50)
    paid = [len((job / "paid").read_text().splitlines()) for job in (state / "jobs").iterdir()]
    assert paid == [1] * count
    refused = forks.run(script, str(tmp_path / "last.json"), "nowhere", "-", device, FEN, *LINE, "c3-d5").stdout
    assert f"{100 * count} of {100 * count + 50} shots are spent" in refused
    assert len(list((state / "jobs").iterdir())) == count


def standing_total(number: int) -> int:
    """What is spent or reserved; before the first question nothing may be written down."""
    told = list(budget.standing())
    assert told or number == 0
    return sum(one["spent"] + one["reserved"] for one in told)
