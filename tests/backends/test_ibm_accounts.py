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
from qchess.backends.ibm.devices import SEQUENCES, processor_sampler
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
vendor.processor = lambda name: fake
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
    monkeypatch.setattr(vendor, "processor", lambda name: fake)
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

    with pytest.warns(UserWarning, match=r"IBM's session was not closed, .* \(ConnectionError: the line broke\)"):
        vendor.close(Session())


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["session", "batch"])
def test_a_program_that_just_ends_closes_its_session(mode: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(mode=mode)], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split() == ["ends", "closed"]


@pytest.mark.parametrize(
    ("status", "told"),
    [(400, "refuses this account: its token"), (401, "refuses this account: its token"), (0, "cannot be reached")],
)
def test_a_refused_token_is_told_from_a_service_that_is_away(
    status: int, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = str(tmp_path / "x")
    monkeypatch.setattr("qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE", file)
    for variable in ("TOKEN", "CHANNEL", "INSTANCE", "URL"):
        monkeypatch.delenv(f"QISKIT_IBM_{variable}", raising=False)
    runtime.QiskitRuntimeService.save_account(token="t" * 44, instance=CRN, set_as_default=True)

    def send(adapter: Any, request: Any, **_: Any) -> Any:
        if not status:
            raise requests.ConnectionError("no way there")
        made = requests.Response()
        made.request, made.url, made.status_code = request, request.url, status
        made._content = b'{"errorMessage": "no such key"}'
        made.headers["Content-Type"] = "application/json"
        return made

    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", send)
    with pytest.raises(BackendError, match=told):
        backends.get("ibm:ibm_x")
