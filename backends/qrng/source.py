"""Answers drawn with random bits of a supply: play any game with quantum dice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qchess.backends.budget import Budget
from qchess.backends.devices.sampler import Sampler
from qchess.backends.qrng.pool import Pool
from qchess.backends.qrng.supply import MachineStock, PoolStock, Stock, Supply
from qchess.circuits.engine import AnswerSource, Sample
from qchess.circuits.errors import BackendError
from qchess.circuits.running import Pause
from qchess.circuits.sources import chosen

#: the bits used for a question; odds are exact to one part in 2^53
BITS = 53
#: the settings of every device that this source uses, or refuses with its own reason
BUDGETS = {"budget_shots", "budget_seconds"}


class QrngSource(AnswerSource):
    """Draws each answer with the exact odds and fresh bits, and records which bits they were."""

    def __init__(self, supply: Supply, text: str | None = None) -> None:
        self.supply = supply
        #: the name from which `outcomes` makes this source again, for records
        self.text = text
        self.name = f"qrng {supply.name}"

    def draw(self, pause: Pause) -> Sample:
        """Return one answer."""
        runs = self.supply.runs(BITS)
        text = "".join(str(bit) for bits, _ in runs for bit in bits.tolist())
        origins = [origin for _, origin in runs]
        details = {"bits": text, "origins": [_told(origin) for origin in origins]}
        return Sample(chosen(pause, int(text, 2) * 2.0**-BITS), named(origins[-1]), details)


def named(origin: Mapping[str, Any]) -> str:
    """Return the name of the bits: quantum only if a physical machine measured them.

    >>> named({"source": "aer-shots", "quantum": False})
    'dice simulated by aer-shots'
    """
    if origin.get("quantum"):
        return f"quantum dice of {origin['source']}"
    if "instead" in origin:
        return f"dice of {origin['source']}"
    return f"dice simulated by {origin.get('source', 'an unnamed source')}"


def _told(origin: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("source", "quantum", "jobs", "health", "min_entropy", "remark", "extraction", "pool", "batch", "start",
            "instead")  # fmt: skip
    return {key: origin[key] for key in kept if origin.get(key) not in (None, [])}


def outcomes(text: str, *, seed: int | None = None, on_failure: str = "raise") -> QrngSource:
    """Return the source named by ``qrng:...``: a pool's file, a sampler, or ``FILE@SAMPLER``, which fills the file.

    `seed` is used by simulators only.
    """
    place = text.removeprefix("qrng:")
    if not place:
        raise BackendError("qrng: is followed by a pool's file, a sampler's name, or FILE@SAMPLER")
    return QrngSource(Supply(_stock(place, seed), on_failure=on_failure), f"qrng:{_lasting(place)}")


def _lasting(place: str) -> str:
    """Return the place as a path that works from any folder."""
    file, at, machine = place.rpartition("@")
    if at or Path(place).is_file():
        return f"{Path(file or place).absolute()}{at}{machine if at else ''}"
    return place


def names_pool(place: str) -> bool:
    """Tell whether the text after ``qrng:`` names a pool's file (perhaps missing), not only a device."""
    word = Path(place.partition(",")[0])
    return "@" in place or Path(place).is_file() or (":" not in place and bool(word.suffix or len(word.parts) > 1))


def budgeted(name: str) -> tuple[Sampler, Budget | None]:
    """Return the sampler of the named backend, and the budget in the name, if any."""
    from qchess.backends.catalogue import get, settings_in
    from qchess.backends.devices.adapters import device_settings
    from qchess.backends.devices.source import DeviceSource

    idle = [key for key in settings_in(name) if key in device_settings() - BUDGETS]
    if idle:
        raise BackendError(
            f"random bits use only budget_shots and the settings of a chip; leave the other settings out "
            f"of {name!r}: {', '.join(idle)}"
        )
    backend = get(name)
    source = backend.source()
    budget = source.budget if isinstance(source, DeviceSource) else None
    if budget is not None and budget.seconds is not None:
        told = f"random bits use budget_shots, not budget_seconds={budget.seconds:g}"
        raise BackendError(f"{told}; leave it out of {name!r}")
    return backend.sampler(), budget


def _stock(place: str, seed: int | None) -> Stock:
    file, at, machine = place.rpartition("@")
    if at:
        device, budget = budgeted(machine)
        return PoolStock(Pool(file), device, budget=budget)
    if Path(place).is_file():
        return PoolStock(Pool(place))
    if names_pool(place):
        filled = f"qchess dice --fill BITS --outcomes qrng:{place}@DEVICE"
        raise BackendError(f"there is no pool {place!r}; {filled} makes one")
    device, budget = budgeted(place)
    return MachineStock(device, seed=seed, budget=budget)
