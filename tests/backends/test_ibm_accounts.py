"""What is asked of IBM is checked before anybody far away is asked, and what is opened is closed."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from qchess import backends
from qchess.backends.ibm import vendor
from qchess.backends.ibm.devices import processor_sampler
from qchess.backends.ibm.settings import CHANNELS, SEQUENCES
from qchess.errors import BackendError

runtime: Any = pytest.importorskip(
    "qiskit_ibm_runtime", reason="qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'"
)

requests: Any = pytest.importorskip("requests", reason="requests comes with qiskit-ibm-runtime")
CRN = "crn:v1:bluemix:public:quantum-computing:us-east:a/0123456789abcdef:11111111-2222-3333-4444-555555555555::"

#: a program that plays through IBM's own class of sessions on a local fake, says each close, and just ends
PROGRAM = """
import qiskit_ibm_runtime as runtime
from qchess.backends.ibm import devices, vendor

def close(session):
    print("closed")

runtime.Session.close = close
fake = vendor.fake("manila")
fake.service = None
vendor.processor = lambda name, **account: fake
sampler = devices.processor_sampler("x", mode="{mode}")
print("ends")
"""


def test_the_sequences_are_those_of_the_installed_package_and_another_is_one_sentence() -> None:
    from qiskit_ibm_runtime.options import DynamicalDecouplingOptions

    hint = get_type_hints(DynamicalDecouplingOptions)["sequence_type"]
    known = {word for one in (hint, *get_args(hint)) for word in get_args(one) if isinstance(word, str)}
    assert known == set(SEQUENCES)
    with pytest.raises(BackendError, match=r"^decoupling is one of XX, XpXm, XY4, or None; got 'XY9'$"):
        backends.get("ibm:ibm_x,decoupling=XY9")


def test_the_channels_are_those_of_the_installed_package() -> None:
    from qiskit_ibm_runtime.accounts import ChannelType

    known = {word for one in get_args(ChannelType) for word in get_args(one)}
    assert known == set(CHANNELS)


@pytest.mark.parametrize("wrong", ["0", "10801", "2.5", "True", "long"])
def test_a_time_that_ibm_holds_no_job_to_is_one_sentence(wrong: str) -> None:
    said = rf"^max_execution_time is a whole number of seconds from 1 to 10800, or None; got '?{wrong}'?$"
    with pytest.raises(BackendError, match=said):
        backends.get(f"ibm:ibm_x,max_execution_time={wrong}")


def test_the_time_after_which_ibm_ends_a_job_is_handed_on_and_part_of_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from qiskit_ibm_runtime.options_models.converters import sampler_option_to_executor_options

    fake = vendor.fake("manila")
    fake.service = None
    monkeypatch.setattr(vendor, "processor", lambda name, **account: fake)
    usual, held = processor_sampler("x"), processor_sampler("x", max_execution_time=30)
    assert usual.settings == {"mode": "job", "decoupling": None, "twirling": False, "placement": True}  # old keys hold
    assert held.settings == {**usual.settings, "max_execution_time": 30}
    assert "max_execution_time" not in usual.told(None)
    assert held.told(None)["max_execution_time"] == 30
    for sampler, seconds in ((usual, None), (held, 30)):  # what the vendor's own sampler sends
        sent = sampler_option_to_executor_options(sampler._primitive.options)
        assert sent.max_execution_time == seconds


@pytest.mark.parametrize("mode", ["job", "session", "batch"])
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_session_or_batch_is_closed_once_with_its_sampler(
    mode: str, by_hand: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    close = runtime.Session.close

    def counted(session: Any) -> None:
        closed.append(type(session).__name__.lower())
        close(session)

    fake = vendor.fake("manila")
    fake.service = None
    monkeypatch.setattr(runtime.Session, "close", counted)
    monkeypatch.setattr(vendor, "processor", lambda name, **account: fake)
    sampler: Any = processor_sampler("x", mode=mode)
    assert not closed
    if by_hand:
        sampler.close()
        sampler.close()
        assert closed == [mode] * (mode != "job")
    del sampler
    gc.collect()
    assert closed == [mode] * (mode != "job")


def test_a_session_that_cannot_be_closed_is_a_warning() -> None:
    class Session:
        def close(self) -> None:
            raise ConnectionError("the line broke")

    with pytest.warns(UserWarning, match=r"IBM's session was not closed; .* \(ConnectionError: the line broke\)"):
        vendor.close(Session())


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["session", "batch"])
def test_a_program_that_just_ends_closes_its_session(mode: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(mode=mode)], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split() == ["ends", "closed"]


@pytest.fixture
def accounts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """IBM's own class for saved accounts, with a file of its own and nothing in the environment."""
    file = str(tmp_path / "accounts")
    monkeypatch.setattr("qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE", file)
    for variable in ("TOKEN", "CHANNEL", "INSTANCE", "URL"):
        monkeypatch.delenv(f"QISKIT_IBM_{variable}", raising=False)
    return runtime.QiskitRuntimeService


def answering(monkeypatch: pytest.MonkeyPatch, status: int) -> list[str]:
    """Answers every request with this status, 0 for none at all; the list grows by what was sent."""
    sent: list[str] = []

    def send(adapter: Any, request: Any, **_: Any) -> Any:
        body = request.body.decode() if isinstance(request.body, bytes) else request.body
        sent.append(f"{request.url} {body}")
        if not status:
            raise requests.ConnectionError("no way there")
        made = requests.Response()
        made.request, made.url, made.status_code = request, request.url, status
        made._content = b'{"errorMessage": "no such key"}'
        made.headers["Content-Type"] = "application/json"
        return made

    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", send)
    return sent


@pytest.mark.parametrize(
    ("status", "told"),
    [(400, "refuses this account: its token"), (401, "refuses this account: its token"), (0, "cannot be reached")],
)
def test_a_refused_token_is_told_from_a_service_that_is_away(
    status: int, told: str, monkeypatch: pytest.MonkeyPatch, accounts: Any
) -> None:
    accounts.save_account(token="t" * 44, instance=CRN, set_as_default=True)
    answering(monkeypatch, status)
    with pytest.raises(BackendError, match=told):
        backends.get("ibm:ibm_x")


def test_the_account_that_is_named_is_the_one_that_is_opened(monkeypatch: pytest.MonkeyPatch, accounts: Any) -> None:
    accounts.save_account(token="u" * 44, instance=CRN, set_as_default=True)
    accounts.save_account(token="m" * 44, instance=CRN, name="mine")
    for text, token in (("ibm:ibm_x", "u"), ("ibm:ibm_x,account=mine", "m")):
        sent = answering(monkeypatch, 401)
        with pytest.raises(BackendError, match="refuses this account"):
            backends.get(text)
        assert any(token * 44 in one for one in sent)
        assert not any(other * 44 in one for one in sent for other in {"u", "m"} - {token})


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("account=yours", "no IBM account named 'yours' is saved on this machine"),
        ("account=mine,channel=ibm_cloud", "'mine' was saved with its channel, and IBM ignores any other"),
        (
            "channel=carrier_pigeon",
            "channel is one of ibm_quantum_platform, ibm_cloud, local, or None; got 'carrier_pigeon'",
        ),
    ],
)
def test_a_wrong_setting_of_an_account_is_one_sentence(
    settings: str, told: str, accounts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.save_account(token="m" * 44, instance=CRN, name="mine")
    answering(monkeypatch, 0)
    with pytest.raises(BackendError, match=told):
        backends.get(f"ibm:ibm_x,{settings}")


def test_instance_channel_and_region_reach_ibms_own_class(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, str]] = []

    def service(**chosen: str) -> Any:
        given.append(chosen)
        raise ConnectionError("that is far enough")

    monkeypatch.setattr(runtime, "QiskitRuntimeService", service)
    for text in ("ibm:ibm_x", f"ibm:ibm_x,instance={CRN},region=us-east,channel=ibm_cloud"):
        with pytest.raises(BackendError, match="cannot be reached"):
            backends.get(text)
    assert given == [{}, {"instance": CRN, "region": "us-east", "channel": "ibm_cloud"}]
