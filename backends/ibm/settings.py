"""The settings of IBM's processors and of their local fakes: allowed values, and what a fake does with each.

A fake applies what changes the circuit or its shots. The rest is checked as for a processor, and the fake reports it
as not done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from qchess.backends.devices.adapters import check_device_options, check_truths
from qchess.backends.devices.sampler import UNTIMED
from qchess.backends.ibm.jobs import SECONDS
from qchess.circuits.errors import BackendError

MODES = ("job", "session", "batch")
#: the pulse sequences for waiting qubits that IBM knows
SEQUENCES = ("XX", "XpXm", "XY4")
#: the channels that IBM knows
CHANNELS = ("ibm_quantum_platform", "ibm_cloud", "local")
#: the settings that choose an account and how it is used
ACCOUNT = ("account", "instance", "channel", "region")

#: remarks on settings that a fake does not apply, or that do not help it
ON_A_FAKE = {
    "mode": "not done: a fake has no other users",
    # IBM's sampler writes waiting into the circuit only for decoupling, and the fake's noise is in what is written
    "decoupling": "used, but cannot help: a fake's idle qubits lose nothing",
    "max_execution_time": UNTIMED,
    **dict.fromkeys(ACCOUNT, "not done: a fake needs no account"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a processor or fake, checked before anything is sent.

    `decoupling` is a pulse sequence for waiting qubits, such as ``"XY4"``; `twirling` turns systematic errors of gates
    and read-outs into random ones. Both are off by default. After `max_execution_time` seconds of use IBM ends a job.
    `account`, `instance`, `channel` and `region` choose a saved account.
    """

    mode: str = "job"
    decoupling: str | None = None
    twirling: bool = False
    placement: bool = True
    max_execution_time: int | None = None
    account: str | None = None
    instance: str | None = None
    channel: str | None = None
    region: str | None = None

    def __post_init__(self) -> None:
        check_truths(twirling=self.twirling, placement=self.placement)
        if self.mode not in MODES:
            raise BackendError(f"a job is sent by one of {', '.join(MODES)}, got {self.mode!r}")
        for name, given, known in (
            ("decoupling", self.decoupling, SEQUENCES), ("channel", self.channel, CHANNELS),
        ):  # fmt: skip
            if given not in (None, *known):
                raise BackendError(f"{name} is one of {', '.join(known)}, or None; got {given!r}")
        if self.max_execution_time is not None and not _whole(self.max_execution_time, *SECONDS):
            whole = "a whole number of seconds from {} to {}".format(*SECONDS)
            raise BackendError(f"max_execution_time is {whole}, or None; got {self.max_execution_time!r}")
        if self.account is not None and self.channel is not None:
            raise BackendError(f"the account {self.account!r} was saved with its channel, and IBM ignores any other")

    @property
    def of_account(self) -> dict[str, str | None]:
        """Return the settings that choose the account."""
        return {name: getattr(self, name) for name in ACCOUNT}

    def chosen(self) -> dict[str, Any]:
        """Return the settings that differ from their defaults."""
        return {one.name: value for one in fields(self) if (value := getattr(self, one.name)) != one.default}

    def on_a_fake(self) -> dict[str, str]:
        """Return remarks on the chosen settings that a fake does not apply or that do not help it."""
        return {name: ON_A_FAKE[name] for name in self.chosen() if name in ON_A_FAKE}

    def configure(self, options: Any) -> None:
        """Set the options of IBM's sampler that change the circuit."""
        options.dynamical_decoupling.enable = self.decoupling is not None
        if self.decoupling is not None:
            options.dynamical_decoupling.sequence_type = self.decoupling
        options.twirling.enable_gates = options.twirling.enable_measure = self.twirling


def settled(backend: str, options: Mapping[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """Split the options of a backend into IBM's settings and the others; all must be known."""
    names = [one.name for one in fields(Settings)]
    check_device_options(backend, options, names)
    if options.get("mode") == "session" and options.get("budget_seconds") is not None:
        raise BackendError(
            "budget_seconds holds jobs, and IBM counts a session's time between jobs too; take mode=batch"
        )
    ours = Settings(**{name: options[name] for name in names if name in options})
    return ours, {name: value for name, value in options.items() if name not in names}


def _whole(number: object, least: int, most: int) -> bool:
    return type(number) is int and least <= number <= most
