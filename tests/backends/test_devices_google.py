"""A question on a Google processor is a job: found by its name, paid once, collected by whichever process comes later.

The processor is the vendor's own: its local engine in this process, and, in the slow tests, its client against
a service in another one, which runs the jobs on the virtual machine.
"""

from __future__ import annotations

import json
import signal
import subprocess
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qchess import backends
from qchess.backends.budget import standing
from qchess.circuits import BackendError, Pause, Program, Registers, ask, full, read, split
from qchess.circuits.errors import LostJobError
from qchess.playing.preview import preview_of
from tests.backends.lateness import collected
from tests.forks import Forks
from tests.kills import kills
from tests.patience import PATIENCE, wait_until

GOOGLE = "cirq-google is not installed: pip install 'qchess[google]'"
HERE = Path(__file__).parent
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
MOVES = ("b1^a3c3", "e8-e7", "c3-d5")


def half_piece() -> Pause:
    board = Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers
    return paused(board, Program(ask("m", full("a"))))


def two_halves() -> Pause:
    moves = split("s", "a", "b") + split("t", "c", "d")
    return paused(Registers(backends.engine(), full=["s", "t"]).run(moves).registers, Program(read("r", "a", "c")))


def paused(board: Registers, program: Program) -> Pause:
    at = board.start(program)
    assert isinstance(at, Pause)
    return at


def drawn(source: Any, at: Pause, ticket: Any) -> Any:
    return collected(lambda: source.collect(at, ticket))


class Local:
    """The vendor's local engine with its virtual machine, whose jobs wait for `gate`, and fail if told so."""

    def __init__(self) -> None:
        import cirq
        import cirq_google
        from cirq_google import engine
        from cirq_google.engine.local_simulation_type import LocalSimulationType

        from qchess.backends.google import vendor

        here, self.gate, self.broken, self.runs = self, threading.Event(), "", 0

        class Machine(cirq.Sampler):
            def run_sweep(self, program: Any, params: Any, repetitions: int = 1) -> Any:
                here.gate.wait(PATIENCE)
                here.runs += 1
                if here.broken:
                    raise RuntimeError(here.broken)
                return simulator.run_sweep(program, params, repetitions)

        device, figures = vendor.virtual("rainbow")
        simulator = cirq.DensityMatrixSimulator(noise=cirq_google.NoiseModelFromGoogleNoiseProperties(figures), seed=5)
        found = engine.load_median_device_calibration("rainbow")
        processor = engine.SimulatedLocalProcessor(
            processor_id="rainbow", sampler=Machine(), device=device, calibrations={1: found},
            simulation_type=LocalSimulationType.ASYNCHRONOUS,
        )  # fmt: skip
        self.engine = engine.SimulatedLocalEngine([processor])


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Local]:
    pytest.importorskip("cirq_google", reason=GOOGLE)
    here = Local()
    monkeypatch.setattr("cirq_google.get_engine", lambda: here.engine)
    yield here
    here.gate.set()


def source(seed: int = 3, **options: Any) -> Any:
    """As another process has it: nothing is shared but the vendor's engine; each circuit is one job, not twirled."""
    return backends.get("google:rainbow", shots=100, **{"readout_twirling": False, **options}).source(seed)


def test_a_question_is_a_job_that_waits_is_found_again_and_is_collected_elsewhere(local: Local) -> None:
    asking, at = source(), half_piece()
    assert asking.sampler.queued
    ticket = asking.submit(at)
    assert json.loads(json.dumps(ticket)) == ticket
    assert asking.sampler.job_status(ticket)["state"] in ("waits", "runs")
    assert asking.collect(at, ticket) is None
    again = source().submit(half_piece())
    assert again["jobs"] == ticket["jobs"]
    local.gate.set()
    draw = drawn(source(), half_piece(), again)
    assert local.runs == 1
    assert draw.details["jobs"] == ticket["jobs"]
    assert draw.details["picked"] == "the first valid shot"
    assert draw.details["returned"] == 100
    first = drawn(asking, at, ticket)
    assert draw.value == first.value
    # where it went is told by the ticket of whoever handed it in
    assert len(first.details["machine"][0]["physical"]) == 2
    assert draw.details["found"] == "the job had been sent before"
    assert {"machine", "calibrated"}.isdisjoint(draw.details)
    assert source().named("another question").submit(half_piece())["jobs"] != ticket["jobs"]
    assert draw.details["shots_run"] == 100
    assert source().sampler.job_status(ticket) == {"state": "done"}


def test_each_circuit_of_a_question_is_a_job_and_all_of_them_are_waited_for(local: Local) -> None:
    local.gate.set()
    told = preview_of(source(), two_halves(), "move", Program(), {})
    ticket = source().submit(two_halves())
    assert len(set(ticket["jobs"])) == told.jobs == 2
    draw = drawn(source(), two_halves(), ticket)
    assert local.runs == 2
    assert draw.details["jobs"] == ticket["jobs"]
    assert draw.details["asked"] == draw.details["returned"] == 200


def test_a_twirled_question_is_two_jobs_of_half_the_shots_and_one_answer(local: Local) -> None:
    local.gate.set()
    ticket = source(readout_twirling=None).submit(half_piece())
    assert len(set(ticket["jobs"])) == 2
    draw = drawn(source(readout_twirling=None), half_piece(), ticket)
    assert local.runs == 2
    assert draw.details["readout_twirling"] is True
    assert draw.details["asked"] == draw.details["returned"] == draw.details["shots_run"] == 100
    assert draw.details["kept"] > 70  # turned back: else half of them would show another number of pieces


def test_a_job_that_was_handed_in_before_shots_were_twirled_is_found_and_read_as_it_is(local: Local) -> None:
    before = source(readout_twirling=False).submit(half_piece())
    after = source(readout_twirling=None).submit(half_piece())
    local.gate.set()
    assert after["jobs"] == before["jobs"]
    draw = drawn(source(readout_twirling=None), half_piece(), after)
    assert local.runs == 1
    assert "readout_twirling" not in draw.details


def test_another_seed_is_another_game_and_has_a_job_of_its_own(local: Local) -> None:
    assert source(3).submit(half_piece())["jobs"] != source(4).submit(half_piece())["jobs"]


def test_a_job_that_failed_says_why_and_is_handed_in_anew(local: Local) -> None:
    local.broken = "the fridge is warm"
    local.gate.set()
    ticket = source().submit(half_piece())
    with pytest.raises(LostJobError, match=r"Google's job q\w+-0 gave no shots: .*the fridge is warm"):
        drawn(source(), half_piece(), ticket)
    local.broken = ""
    other = source().submit(half_piece())
    assert other["jobs"] == [f"{ticket['jobs'][0]}-1"]
    assert drawn(source(), half_piece(), other).value in (0, 1)


def test_a_job_that_failed_before_its_ticket_was_kept_counts_against_the_budget(
    local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    local.gate.set()
    local.broken = "the fridge"
    asking = source(budget_shots=450)
    names = asking.submit(two_halves())["jobs"]  # and the process ends
    key = names[0].removesuffix("-0")
    wait_until(lambda: asking.sampler.ended(key) == names, "both circuits failed")
    local.broken = ""
    again = source(budget_shots=450).submit(two_halves())
    assert again["jobs"] == [f"{name}-1" for name in names]
    [told] = standing()
    assert (told["spent"], told["reserved"], told["left"]) == (200, 200, 50)
    assert drawn(source(budget_shots=450), two_halves(), again).details["budget"] == {"shots": 450, "left": 50}


def test_a_cancelled_or_unknown_job_gives_no_shots(local: Local) -> None:
    asking = source()
    ticket = asking.submit(half_piece())
    asking.sampler.cancel(ticket)
    assert asking.sampler.job_status(ticket) == {"state": "cancelled"}
    assert asking.sampler.job_status({**ticket, "jobs": [*ticket["jobs"], "q0"]}) == {"state": "gone"}
    with pytest.raises(LostJobError, match="gave no shots: cancelled"):
        asking.collect(half_piece(), ticket)
    with pytest.raises(LostJobError, match="Google has no job 'q0' of ours"):
        asking.collect(half_piece(), {**ticket, "jobs": ["q0"]})


def test_who_chose_a_fallback_gets_it_when_the_job_is_lost_or_cannot_be_handed_in(
    local: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qchess.backends.devices.source import FallbackWarning
    from qchess.backends.google import vendor

    asking = source(on_failure="fallback")
    ticket = asking.submit(half_piece())
    asking.sampler.cancel(ticket)
    with pytest.warns(FallbackWarning, match=r"gave no shots: cancelled.*seed 3 answered 'm' instead"):
        assert asking.collect(half_piece(), ticket).value in (0, 1)

    def refused(*_: object) -> None:
        raise ConnectionError("no route to the fridge")

    monkeypatch.setattr(vendor, "hand_in", refused)
    ticket = json.loads(json.dumps(asking.submit(two_halves())))
    with pytest.warns(FallbackWarning, match=r"ConnectionError: no route to the fridge.* answered 'r' instead"):
        assert asking.collect(two_halves(), ticket).source == "seed 3, instead of device google:rainbow"


def test_the_calibration_is_that_of_the_time_when_the_job_was_handed_in(local: Local) -> None:
    ticket = source().submit(half_piece())
    local.gate.set()
    later = source()
    later.least_fidelity = 0.999  # by today's figures it would not be sent; it was, and is read
    draw = drawn(later, half_piece(), {**ticket, "calibrated": "2026-11-01"})
    assert draw.details["calibrated"] == "2026-11-01"


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        ("EngineException", 404, r"Google has no processor 'rainbow' for this project \(EngineException: the vendor"),
        ("EngineException", 403, "Google does not let this project use the processor 'rainbow'"),
        ("EngineException", 503, "Google's service cannot be reached"),
        ("EngineException", 418, r"Google's processor 'rainbow' could not be looked up \(EngineException: the vendor"),
        ("TimeoutError", None, r"Google's service cannot be reached.*TimeoutError: the vendor's words"),
        ("DefaultCredentialsError", None, r"no Google Cloud project is configured.*the vendor's words"),
    ],
)
def test_a_processor_that_cannot_be_had_is_told_from_a_service_that_is_away(
    local: Local, monkeypatch: pytest.MonkeyPatch, error: str, code: int | None, told: str
) -> None:
    from cirq_google.engine.engine_client import EngineException
    from google.auth.exceptions import DefaultCredentialsError

    kinds = {"TimeoutError": TimeoutError, "DefaultCredentialsError": DefaultCredentialsError}
    raised = EngineException("the vendor's words", code) if code else kinds[error]("the vendor's words")

    def refused(name: str) -> None:
        raise raised

    monkeypatch.setattr(local.engine, "get_processor", refused)
    with pytest.raises(BackendError, match=told):
        backends.get("google:rainbow")


def test_without_a_project_the_vendors_own_words_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cirq_google", reason=GOOGLE)

    def none() -> None:
        raise OSError("GOOGLE_CLOUD_PROJECT is not set")

    monkeypatch.setattr("cirq_google.get_engine", none)
    with pytest.raises(BackendError, match=r"no Google Cloud project .* \(OSError: GOOGLE_CLOUD_PROJECT is not set\)"):
        backends.get("google:rainbow")


# -- the vendor's client, and a service in another process -----------------------------------------------------------

#: what each process loads of others
PACKAGES = ("grpc.aio", "cirq_google")
#: what each process does first: the project is at the service's address
THERE = """
    import os, sys
    sys.path.insert(0, {here!r})
    import cirq_google
    from quantum_engine_service import engine
    cirq_google.get_engine = lambda: engine({address!r})
    import qchess
    from pathlib import Path
"""
SERVES = """
    import sys
    sys.path.insert(0, {here!r})
    from pathlib import Path
    from quantum_engine_service import serve
    port_file, processor, wait, life = sys.argv[1:]
    serve(Path(port_file), processor, float(wait), float(life))
"""


class Service:
    """The service, and whoever is started to use it."""

    def __init__(self, folder: Path, wait: float) -> None:
        self.port, self.forks, self.killed = folder / "port", Forks(folder, *PACKAGES), False
        self.process = self.forks.start(code_of(SERVES), str(self.port), "rainbow", str(wait), "900")
        wait_until(self.port.exists, "the service listens")
        self.address = f"127.0.0.1:{self.port.read_text()}"

    def jobs(self) -> list[str]:
        """What it was asked so far; it tells this again and again."""
        told = self.port.with_suffix(".jobs")
        for _ in range(2):  # the first that comes may have been written before this was asked
            told.unlink(missing_ok=True)
            wait_until(told.exists, "the service tells something")
        return told.read_text().split()

    def python(self, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A process that plays on the service's processor; the vendor's client alone would try for an hour."""
        return self.forks.run(code_of(THERE, address=self.address) + textwrap.dedent(code), *arguments)


def code_of(text: str, **words: str) -> str:
    return textwrap.dedent(text.format(here=str(HERE), **words))


@pytest.fixture(scope="module")
def services() -> Iterator[list[Service]]:
    """The services that were started, the newest last."""
    started: list[Service] = []
    yield started
    for each in started:
        each.forks.close()


@pytest.fixture
def service(services: list[Service], tmp_path: Path) -> Service:
    """A service that runs, with jobs of other tests perhaps."""
    pytest.importorskip("cirq_google", reason=GOOGLE)
    if not services or services[-1].killed:
        services.append(Service(tmp_path, wait=2.0))
    return services[-1]


BEGINS = """
    game = qchess.new("quantum-chess", backend="google:rainbow,shots=60,readout_twirling=False", fen=sys.argv[2])
    for move in sys.argv[3:-1]:
        game.play(move)
    game.begin(sys.argv[-1])
    game.save(sys.argv[1])
    print(game.collect())
"""
COLLECTS = """
    game = qchess.load(sys.argv[1], trust=True)
    played = game.wait()
    print(played.answers[0].value, *played.answers[0].details["jobs"])
"""


@pytest.mark.slow
def test_a_game_closed_while_google_works_is_collected_by_a_later_process(service: Service, tmp_path: Path) -> None:
    file, before = str(tmp_path / "game.json"), service.jobs()
    began = service.python(BEGINS, file, FEN, *MOVES)
    assert began.stdout == "None\n", began.stderr
    [job] = json.loads(Path(file).read_text())["pending"]["ticket"]["jobs"]
    ended = service.python(COLLECTS, file)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split()[1:] == [job]
    assert service.jobs() == [*before, f"projects/here/programs/{job}/jobs/{job}"]


DIES = """
    import signal
    from qchess.backends.google import vendor
    from qchess.playing.keeping import Keeper

    path, dies = Path(sys.argv[1]), sys.argv[2] == "dies"
    if dies:
        hand_in = vendor.hand_in

        def fatal(*args):
            hand_in(*args)
            os.kill(os.getpid(), signal.SIGKILL)

        vendor.hand_in = fatal
    started = path.exists()
    on = {"backend": "google:rainbow,shots=60,readout_twirling=False", "fen": sys.argv[3]}
    game = qchess.load(path, trust=True) if started else qchess.new("quantum-chess", **on)
    with Keeper(game, path, goes_on=started):
        if game.pending is None:
            for move in sys.argv[4:]:
                game.play(move)
        else:
            game.wait()
"""


@pytest.mark.slow
def test_a_process_killed_between_submit_and_record_finds_its_job_at_google(service: Service, tmp_path: Path) -> None:
    before = len(service.jobs())
    for number in range(before, before + kills(1)):
        path = tmp_path / f"game{number}.json"
        died = service.python(DIES, str(path), "dies", FEN, *MOVES)
        assert died.returncode == -signal.SIGKILL, died.stderr
        assert json.loads(path.read_text())["pending"]["ticket"] is None
        assert len(service.jobs()) == number + 1
        lives = service.python(DIES, str(path), "lives", FEN, *MOVES)
        assert lives.returncode == 0, lives.stderr
        told = json.loads(path.read_text())
        assert told["entries"][-1]["answers"][0]["source"] == "device google:rainbow"
        assert len(service.jobs()) == number + 1


@pytest.mark.slow
def test_a_wrong_processor_and_a_service_that_is_away_are_told_apart(service: Service) -> None:
    tried = """
        import signal
        for name in ("google:weber", "google:rainbow"):
            try:
                qchess.new("quantum-chess", backend=name)
            except qchess.BackendError as error:
                print(error)
            os.kill(int(sys.argv[1]), signal.SIGKILL)
    """
    service.killed = True
    wrong, away = service.python(tried, str(service.process)).stdout.splitlines()
    assert "Google has no processor 'weber' for this project" in wrong
    assert "Google's service cannot be reached (TimeoutError: " in away
