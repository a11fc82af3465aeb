"""Stand-ins for accounts, made of the vendors' own fakes: what is asked of an account is answered in this process."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest


class IbmAccount:
    """An account with IBM whose one processor is a fake, run by IBM's own sampler.

    A job waits until `state` is something else. Who looks at one that waits is interrupted, as by Ctrl-C.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from qchess.backends.ibm import vendor

        self.known: list[Any] = []
        self.state = "QUEUED"
        self.machine = vendor.fake("nairobi")
        self.machine.service = self
        self.machine.status = lambda: SimpleNamespace(operational=True)
        self._made = vendor.new_sampler
        monkeypatch.setattr(vendor, "service", lambda **_: self)
        monkeypatch.setattr(vendor, "new_sampler", self.sampler)

    def least_busy(self, operational: bool, simulator: bool) -> Any:
        return self.machine

    def backend(self, name: str) -> Any:
        assert name == self.machine.name
        return self.machine

    def sampler(self, mode: Any) -> Any:
        """IBM's own sampler, whose jobs the account keeps."""
        made = self._made(mode)
        run = made.run

        def kept(circuits: Any, **options: Any) -> Any:
            ran = run(circuits, **options)
            told = {name: getattr(ran, name) for name in ("job_id", "result", "usage", "metrics", "creation_date")}
            tags = list(made.options.environment.job_tags)
            self.known.append(SimpleNamespace(status=self.status, tags=tags, **told))
            return ran

        made.run = kept
        return made

    def status(self) -> str:
        if self.state == "QUEUED":
            raise KeyboardInterrupt
        return self.state

    def jobs(self, job_tags: list[str], limit: int) -> list[Any]:
        return [job for job in self.known if set(job_tags) <= set(job.tags)][:limit]

    def job(self, name: str) -> Any:
        [found] = [job for job in self.known if job.job_id() == name]
        return found


def google_engine(processor: str) -> Any:
    """Google's own local engine with its virtual machine, whose jobs run by themselves."""
    import cirq
    import cirq_google
    from cirq_google import engine
    from cirq_google.engine.local_simulation_type import LocalSimulationType

    from qchess.backends.google import vendor

    device, figures = vendor.virtual(processor)
    noise = cirq_google.NoiseModelFromGoogleNoiseProperties(figures)
    machine = engine.SimulatedLocalProcessor(
        processor_id=processor,
        sampler=cirq.DensityMatrixSimulator(noise=noise, seed=5),
        device=device,
        calibrations={1: engine.load_median_device_calibration(processor)},
        simulation_type=LocalSimulationType.ASYNCHRONOUS,
    )
    return engine.SimulatedLocalEngine([machine])
