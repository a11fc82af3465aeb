"""Wrong names, settings, accounts and broken lines: one sentence, which says what was expected and what came.

It is the same at both doors, the command line and ``qchess.new``. Nothing is begun, and nothing is kept.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.playing import keeping

Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
KNOWN = "known are sparse, cirq, aer"

NAMES = [
    ("sparce", "did you mean 'sparse'?", "no backend is called 'sparce'"),
    ("", KNOWN, "no backend is called ''"),
    (",shots=5", KNOWN, "no backend is called ''"),
    ("sparse-shots:x", "did you mean 'sparse-shots'?", "no backend is called 'sparse-shots:x'"),
    ("aer:mpz", "did you mean 'aer:mps'?", "no backend is called 'aer:mpz'"),
    ("imb:torino", "ibm:<processor>", "no backend is called 'imb:torino'"),
    ("ibm", "ibm:<processor>", "no backend is called 'ibm'"),
    ("ibm-fake:", "ibm-fake:<name>", "no backend is called 'ibm-fake:'"),
    ("google:", "google:<processor>", "no backend is called 'google:'"),
    ("queued:", "queued:<device>", "no backend is called 'queued:'"),
    ("queued:30:", KNOWN, "no backend is called ''"),
    ("queued:nobody", KNOWN, "no backend is called 'nobody'"),
    ("queued:sparse", "name a device, such as 'aer-shots'", "backend 'sparse' does not run circuits"),
    ("queued:-3:sparse-shots", KNOWN, "no backend is called '-3:sparse-shots'"),
    ("queued:queued:sparse-shots", "a device without a queue after queued:", "got 'queued:sparse-shots'"),
    ("queued:30:queued:5:sparse-shots", "a device without a queue after queued:", "got 'queued:5:sparse-shots'"),
    ("queued:²:sparse-shots", KNOWN, "no backend is called '²:sparse-shots'"),
]
SETTINGS = [
    ("sparse-shots,", "options follow a backend's name as ',KEY=VALUE'", "got ''"),
    ("sparse-shots,shots", "options follow a backend's name as ',KEY=VALUE'", "got 'shots'"),
    ("sparse-shots,=5", "options follow a backend's name as ',KEY=VALUE'", "got '=5'"),
    ("sparse-shots,shots=10,shots=20", "expected each setting once", "got shots=10 and shots=20"),
    ("queued:sparse-shots,shotz=5", "did you mean 'shots'?", "no option of backend 'sparse-shots' is called 'shotz'"),
    ("sparse-shots,shotz=5", "did you mean 'shots'?", "no option of backend 'sparse-shots' is called 'shotz'"),
    ("sparse,shots=5", "known are branch_limit", "no option of backend 'sparse' is called 'shots'"),
    ("sparse,branch_limit=many", "a branch limit is a whole number from 1 on", "got 'many'"),
    ("sparse-shots,seed=3", "known are strategy, shots", "is called 'seed'"),
    ("sparse-shots,sampler=aer", "known are strategy, shots", "is called 'sampler'"),
    ("queued:sparse-shots,name=x", "queued:<device> takes its name once", "got 'queued:sparse-shots' and name='x'"),
    ("queued:sparse-shots,preflight=5", "ask 'sparse-shots' without a queue", "takes no preflight"),
    ("sparse-shots,shots=", "a whole number of shots for each question", "got ''"),
    ("sparse-shots,shots=0", "a whole number of shots for each question", "got 0"),
    ("sparse-shots,shots=ten", "a whole number of shots for each question", "got 'ten'"),
    ("sparse-shots,shots=1e3", "a whole number of shots for each question", "got 1000.0"),
    ("sparse-shots,shots=True", "a whole number of shots for each question", "got True"),
    ("sparse-shots,strategy=replya", "strategy is one of reprepare, replay", "got 'replya'"),
    ("sparse-shots,level=best", "level is one of naive, exact, aware", "got 'best'"),
    ("sparse-shots,on_failure=ignore", "on_failure is one of raise, fallback", "got 'ignore'"),
    ("sparse-shots,surplus=burn", "surplus is one of keep, refuse", "got 'burn'"),
    ("sparse-shots,parts=no", "parts is one of allow, refuse", "got 'no'"),
    ("sparse-shots,coins=heads", "coins is one of allow, refuse", "got 'heads'"),
    ("sparse-shots,timeout=0", "timeout is a number of seconds or None", "got 0"),
    ("sparse-shots,timeout=soon", "timeout is a number of seconds or None", "got 'soon'"),
    ("sparse-shots,timeout=inf", "timeout is a number of seconds or None", "got 'inf'"),
    ("sparse-shots,least_fidelity=2", "a number from 0 to below 1", "got 2"),
    ("sparse-shots,least_fidelity=high", "a number from 0 to below 1", "got 'high'"),
    ("sparse-shots,least_fidelity=None", "a number from 0 to below 1", "got None"),
    ("sparse-shots,preflight=-1", "preflight is a number of shots, or 0 for none", "got -1"),
    ("sparse-shots,mitigation=many", "mitigation is a number of shots, or 0 for none", "got 'many'"),
    ("sparse-shots,budget_shots=many", "budget_shots is a number of shots, or None for no limit", "got 'many'"),
    ("sparse-shots,readout_twirling=yes", "read-out twirling is True, False, or None", "got 'yes'"),
    ("sparse-shots,shots=101,readout_twirling=True", "their number is even", "got 101"),
    ("sparse-shots,fallback=dice", "fallback is a source of answers", "got 'dice'"),
]
#: a fake is made in a process of its own
FAKES = [
    ("ibm-fake:nairoby", "did you mean 'nairobi'?", "no fake of an IBM processor is called 'nairoby'"),
    ("ibm-fake:nairobi,gate=cz", "known are mode, decoupling", "is called 'gate'"),
]
#: what is refused alike of a processor and of its fake, before anybody is asked
IBM_SETTINGS = [
    ("placement=maybe", "placement is True or False", "got 'maybe'"),
    ("twirling=maybe", "twirling is True or False", "got 'maybe'"),
    ("mode=fast", "a job is sent by one of job, session, batch", "got 'fast'"),
    ("decoupling=XY9", "decoupling is one of XX, XpXm, XY4, or None", "got 'XY9'"),
    ("max_execution_time=0", "max_execution_time is a whole number of seconds from 1 to 10800", "got 0"),
    ("account=mine,channel=ibm_cloud", "saved with its channel", "the account 'mine'"),
    ("channel=carrier_pigeon", "channel is one of ibm_quantum_platform, ibm_cloud, local", "got 'carrier_pigeon'"),
    ("decupling=XY4", "did you mean 'decoupling'?", "is called 'decupling'"),
    ("mode=session,budget_seconds=40", "take mode=batch", "IBM counts a session's time between jobs too"),
]
IBM = [
    ("ibm:least-busy", "save one once with QiskitRuntimeService.save_account", "no IBM account is saved"),
    ("ibm:ibm_x,account=yours", "is saved on this machine", "no IBM account named 'yours'"),
    ("ibm:ibm_x,account=7", "is saved on this machine", "no IBM account named '7'"),
    *[
        (f"{door},{setting}", expected, came)
        for door in ("ibm:ibm_x", "ibm-fake:nairobi", "queued:ibm-fake:nairobi")
        for setting, expected, came in IBM_SETTINGS
    ],
]
#: whatever would be opened, started or asked
DEVICES = [
    "aer-shots", "aer-noisy", "queued:aer-noisy", "ibm-fake:nairobi", "ibm:ibm_x", "google-qvm:rainbow",
    "google:rainbow",
]  # fmt: skip
#: what no device takes
NEVER = [
    ("shotz=5", "did you mean 'shots'?", "is called 'shotz'"),
    ("seed=3", "known are", "is called 'seed'"),
    ("shots=0", "a whole number of shots for each question", "got 0"),
    ("strategy=replya", "strategy is one of reprepare, replay", "got 'replya'"),
    ("timeout=soon", "timeout is a number of seconds or None", "got 'soon'"),
    ("shots=101,readout_twirling=True", "their number is even", "got 101"),
    ("budget_shots=-1", "budget_shots is a number of shots, or None", "got -1"),
    ("budget_seconds=long", "budget_seconds is a number of seconds, or None", "got 'long'"),
]
GOOGLE = [
    ("google-qvm:willow", "did you mean 'willow_pink'?", "no virtual Google processor is called 'willow'"),
    ("google-qvm:rainbow,gate=cx", "cz or sqrt_iswap", "got 'cx'"),
    ("google-qvm:rainbow,placement=maybe", "placement is True or False", "got 'maybe'"),
    ("google:willow_pink", "set GOOGLE_CLOUD_PROJECT", "no Google Cloud project is configured"),
]
CRN = "crn:v1:bluemix:public:quantum-computing:us-east:a/0123456789abcdef:11111111-2222-3333-4444-555555555555::"


def refused(backend: str, capsys: Output) -> str:
    """The sentence with which both doors refuse a backend."""
    assert main(["play", "quantum-chess", "--backend", backend]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    said = err.removeprefix("qchess: ").rstrip("\n")
    with pytest.raises(qchess.QchessError) as error:
        qchess.new("quantum-chess", backend=backend)
    assert " ".join(str(error.value).split()) == said
    assert list(keeping.kept()) == []
    return said


def judged(backend: str, expected: str, came: str, capsys: Output) -> None:
    said = refused(backend, capsys)
    assert expected in said
    assert came in said


@pytest.mark.parametrize(("backend", "expected", "came"), NAMES)
def test_a_wrong_name_is_one_sentence(backend: str, expected: str, came: str, capsys: Output) -> None:
    judged(backend, expected, came, capsys)


@pytest.mark.parametrize(("backend", "expected", "came"), SETTINGS)
def test_a_wrong_setting_is_one_sentence(backend: str, expected: str, came: str, capsys: Output) -> None:
    judged(backend, expected, came, capsys)


@pytest.mark.parametrize(
    ("backend", "package", "extra"),
    [
        ("ibm-fake:nairobi", "qiskit_ibm_runtime", "ibm"),
        ("ibm:least-busy", "qiskit_ibm_runtime", "ibm"),
        ("google-qvm:rainbow", "cirq_google", "google"),
        ("google:rainbow", "cirq_google", "google"),
    ],
)
def test_a_missing_package_is_one_sentence(
    backend: str, package: str, extra: str, capsys: Output, monkeypatch: Patch
) -> None:  # fmt: skip
    monkeypatch.setitem(sys.modules, package, None)
    judged(backend, f"pip install 'qchess[{extra}]'", f"needs {package}", capsys)


# -- IBM ---------------------------------------------------------------------------------------------


@pytest.fixture
def accounts(monkeypatch: Patch, tmp_path: Path) -> Any:
    """IBM's own class for saved accounts, with a file of its own and nothing in the environment."""
    runtime = pytest.importorskip("qiskit_ibm_runtime", reason="needs the extra `ibm`")
    file = str(tmp_path / "accounts")
    monkeypatch.setattr("qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE", file)
    for variable in ("TOKEN", "CHANNEL", "INSTANCE", "URL"):
        monkeypatch.delenv(f"QISKIT_IBM_{variable}", raising=False)
    return runtime.QiskitRuntimeService


def answering(monkeypatch: Patch, status: int, error: Exception | None = None) -> None:
    """Every request is answered with this status, or ends with this error."""
    import requests

    def send(adapter: Any, request: Any, **_: Any) -> Any:
        if error is not None:
            raise error
        made = requests.Response()
        made.request, made.url, made.status_code = request, request.url, status
        made._content = b'{"errorMessage": "no such key"}'
        made.headers["Content-Type"] = "application/json"
        return made

    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", send)


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "expected", "came"), FAKES)
def test_a_fake_that_there_is_not_is_one_sentence(backend: str, expected: str, came: str, capsys: Output) -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="needs the extra `ibm`")
    judged(backend, expected, came, capsys)


@pytest.mark.parametrize(("backend", "expected", "came"), IBM)
def test_what_ibm_does_not_have_is_one_sentence(
    backend: str, expected: str, came: str, accounts: Any, capsys: Output, monkeypatch: Patch
) -> None:
    if "," in backend and backend.startswith("ibm:"):
        accounts.save_account(token="m" * 44, instance=CRN, name="mine")
    answering(monkeypatch, 500)
    judged(backend, expected, came, capsys)


@pytest.mark.parametrize(
    ("status", "expected", "came"),
    [
        (400, "save a new one", "IBM refuses this account: its token is unknown"),
        (401, "save a new one", "IBM refuses this account: its token is unknown"),
        (403, "save a new one", "IBM refuses this account: its token is unknown"),
        (500, "IBM's service reports an error", "500"),
        (503, "IBM's service reports an error", "503"),
    ],
)
def test_what_ibm_answers_is_one_sentence(
    status: int, expected: str, came: str, accounts: Any, capsys: Output, monkeypatch: Patch
) -> None:
    accounts.save_account(token="t" * 44, instance=CRN, set_as_default=True)
    answering(monkeypatch, status)
    judged("ibm:ibm_x", expected, came, capsys)


@pytest.mark.parametrize("broken", ["ConnectionError", "ConnectTimeout", "ReadTimeout", "SSLError", "ProxyError"])
def test_a_broken_line_to_ibm_is_one_sentence(
    broken: str, accounts: Any, capsys: Output, monkeypatch: Patch
) -> None:  # fmt: skip
    import requests

    accounts.save_account(token="t" * 44, instance=CRN, set_as_default=True)
    answering(monkeypatch, 0, getattr(requests.exceptions, broken)("the wire\nis cut"))
    judged("ibm:ibm_x", "IBM's service cannot be reached", "the wire is cut", capsys)


# -- every device ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("setting", "expected", "came"), NEVER)
@pytest.mark.parametrize("device", DEVICES)
def test_a_wrong_setting_is_seen_before_a_device_is_opened(
    device: str, setting: str, expected: str, came: str, capsys: Output, monkeypatch: Patch
) -> None:
    def opened(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is opened for a wrong setting")

    for package in next(row for row in backends.catalogue.rows() if row.holds(device.removeprefix("queued:"))).needs:
        pytest.importorskip(package, reason=f"{device} needs {package}")
    monkeypatch.setattr("qchess.circuits.child.subprocess.Popen", opened)
    for vendor in ("ibm", "google"):
        monkeypatch.setattr(f"qchess.backends.{vendor}.vendor.processor", opened)
    judged(f"{device},{setting}", expected, came, capsys)


# -- Google ------------------------------------------------------------------------------------------


@pytest.fixture
def google() -> Any:
    return pytest.importorskip("cirq_google", reason="needs the extra `google`")


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "expected", "came"), GOOGLE)
def test_what_google_does_not_have_is_one_sentence(
    backend: str, expected: str, came: str, google: Any, capsys: Output, monkeypatch: Patch
) -> None:
    for variable in ("GOOGLE_CLOUD_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS"):
        monkeypatch.delenv(variable, raising=False)
    judged(backend, expected, came, capsys)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (404, "Google has no processor 'rainbow' for this project"),
        (401, "Google does not let this project use the processor 'rainbow'"),
        (403, "Google does not let this project use the processor 'rainbow'"),
        (500, "Google's service cannot be reached"),
        (503, "Google's service cannot be reached"),
        (418, "Google's processor 'rainbow' could not be looked up"),
        (0, "Google's service cannot be reached"),
    ],
)
def test_what_google_answers_is_one_sentence(
    code: int, expected: str, google: Any, capsys: Output, monkeypatch: Patch
) -> None:
    from cirq_google.engine.engine_client import EngineException

    class Engine:
        def get_processor(self, name: str) -> None:
            words = "the vendor's\nwords"
            raise EngineException(words, code) if code else TimeoutError(words)

    monkeypatch.setattr("cirq_google.get_engine", Engine)
    judged("google:rainbow", expected, "the vendor's words", capsys)
