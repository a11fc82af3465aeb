"""Preview: what a device would be sent for a question, and what is expected of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from qchess.backends.devices.orders import Order
from qchess.backends.devices.sampler import Sampler, ShowingSampler, Shown
from qchess.backends.devices.sifting import expected
from qchess.backends.devices.twirling import machine
from qchess.circuits.operations import Qubit


class Foreseen(NamedTuple):
    """What would be sent for a question, in the form of its record, and each circuit as the machine gets it."""

    details: dict[str, Any]
    circuits: tuple[Shown, ...]
    #: for each circuit the machine's qubit on which each board qubit is read, if known
    places: tuple[dict[Qubit, str], ...]
    #: the budget that would be reserved, by unit
    reserves: Mapping[str, int]


def previewed(
    sampler: Sampler, ordered: Order, details: Mapping[str, Any], reserves: Mapping[str, int]
) -> Foreseen:  # fmt: skip
    """Return what a sampler would be sent for an order; `details` is what is known already."""
    shown = sampler.show(ordered.circuits) if isinstance(sampler, ShowingSampler) else None
    found = [Shown(circuit) for circuit in ordered.circuits] if shown is None else shown
    twirled = bool(details.get("readout_twirling"))
    circuits = tuple(replace(one, details=machine(one.details, twirled)) for one in found)
    told = [dict(one.details) for one in circuits if one.details]
    known = dict(enumerate(details.get("expected_fidelities", ())))
    figures = [expected(made, known.get(k)) for k, made in enumerate(ordered.recipes)]
    places = (dict(zip(made.qubits, one.reads.get(made.reading, ()), strict=False))
              for made, one in zip(ordered.recipes, circuits, strict=True))  # fmt: skip
    more = {"machine": told, "figures": figures} if told else {"figures": figures}
    return Foreseen({**details, **more}, circuits, tuple(places), reserves)
