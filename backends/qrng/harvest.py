"""Harvests: bits from H on every qubit of a machine, in bulk, tested before use."""

from __future__ import annotations

import hashlib
import math
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qchess.backends.budget import Budget
from qchess.backends.devices.sampler import Sampler, Shots, complete
from qchess.backends.devices.validation import trusted, words_of
from qchess.backends.qrng.extraction import BLOCK, REPEATED, Bits, extract, extracted_length, min_entropy, repeated
from qchess.backends.qrng.health import START_UP, HealthError, Monitor, alpha_of, remark
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import h
from qchess.circuits.program import Program, read

#: most qubits in use at once; more do not help a simulator, and only part of a chip is good
WIDTH = 16
#: most shots of one job; machines refuse more
SHOTS = 10_000
#: distance between the seeds of jobs: a simulator may draw each shot with the seed plus its number
APART = 1_000_003


@dataclass(frozen=True, slots=True)
class Harvest:
    """Bits with their provenance."""

    bits: Bits
    provenance: Mapping[str, Any]


def coins(width: int) -> Program:
    """Return the circuit: H on each of `width` qubits, all read."""
    qubits = [f"c{k}" for k in range(width)]
    return Program(*(h(q) for q in qubits), read("coins", *qubits))


def harvest(
    sampler: Sampler, count: int, *, seed: int | None = None, entropy: float = 0.9, extraction: bool = False,
    budget: Budget | None = None,
) -> Harvest:  # fmt: skip
    """Return at least `count` bits of a machine that passed the health tests, in the order measured.

    `entropy` is the claimed min-entropy of a raw bit; a source with less raises a `HealthError`, and none of its bits
    is kept. With `extraction` a Toeplitz matrix reduces the bits to the estimated entropy, and raw bits are taken until
    that is enough. A `budget` must cover all shots before the first is requested.

    Bits that passed but are further from even than chance explains are kept; the provenance has a `remark` on them.
    """
    width, wanted = _width(sampler), _wanted(count, entropy, extraction)
    with (budget or Budget(sampler.name)).spending(_given(sampler, math.ceil(wanted / width))) as run:
        raw, jobs, facts = _raw(sampler, wanted, seed)
        run.used = len(raw) // width
    Monitor(entropy, alpha_of(len(raw))).require(raw, sampler.name)
    _fresh(raw, entropy, sampler.name)
    estimate = min_entropy(raw, width)
    if estimate < entropy - 0.1:
        raise BackendError(f"{sampler.name} claims {entropy} bits of entropy a bit; {estimate:.3f} were found")
    provenance: dict[str, Any] = {
        "source": sampler.name,
        "quantum": sampler.capabilities.quantum,
        "jobs": jobs,
        "raw": len(raw),
        "shots": len(raw) // width,
        "health": f"passed repetition count and adaptive proportion for {entropy} bits of entropy a bit",
        "min_entropy": round(estimate, 4),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        **facts,
    }
    if (uneven := remark(raw, width)) is not None:
        provenance["remark"] = uneven
    if not extraction:
        return Harvest(raw, provenance)
    blocks = len(raw) // BLOCK
    matrix = np.unpackbits(np.frombuffer(secrets.token_bytes(blocks * BLOCK // 4), dtype=np.uint8)).reshape(blocks, -1)
    held = min(estimate, entropy)
    length = extracted_length(BLOCK, held)
    provenance["extraction"] = f"Toeplitz {BLOCK} to {length}, a matrix for each block, drawn by the system"
    provenance["matrix"] = hashlib.sha256(matrix.tobytes()).hexdigest()[:16]
    return Harvest(extract(raw, held, matrix), provenance)


def shots_for(sampler: Sampler, count: int, *, entropy: float = 0.9, extraction: bool = False) -> int:
    """Return how many shots a harvest of `count` bits needs."""
    return math.ceil(_wanted(count, entropy, extraction) / _width(sampler))


def _wanted(count: int, entropy: float, extraction: bool) -> int:
    """Return how many raw bits `count` bits are made of."""
    if count < 1:
        raise BackendError(f"expected at least one bit to harvest, got {count!r}")
    if not extraction:
        return max(count, START_UP)
    return BLOCK * math.ceil(count / extracted_length(BLOCK, entropy * 0.95)) + BLOCK


def _width(sampler: Sampler) -> int:
    """Return how many qubits of a machine are used at once."""
    return min(WIDTH, sampler.capabilities.max_qubits or WIDTH)


def _given(sampler: Sampler, shots: int) -> int:
    """Return how many shots come if this many are requested, job by job."""
    whole, rest = divmod(shots, SHOTS)
    given = complete(sampler).shots_given
    return whole * given(SHOTS) + (given(rest) if rest else 0)


def _fresh(raw: Bits, entropy: float, source: str) -> None:
    """Raise an error if two blocks are equal: then a machine repeats old shots."""
    size = math.ceil(REPEATED / entropy)
    if (same := repeated(raw, size)) is not None:
        later, first = (number * size for number in same)
        raise HealthError(f"{source} gave the same {size} bits twice, from bit {first} and from bit {later} on")


def _raw(sampler: Sampler, count: int, seed: int | None) -> tuple[Bits, list[str], dict[str, Any]]:
    """Return raw bits, job by job, until there are enough."""
    width = _width(sampler)
    circuit = coins(width)
    parts: list[Bits] = []
    jobs: dict[str, None] = {}
    facts: dict[str, Any] = {}
    found = 0
    while found < count:
        shots = min(SHOTS, math.ceil((count - found) / width))
        job_seed = None if seed is None else (seed + APART * len(parts)) % 2**31
        told = _job(sampler, circuit, shots, job_seed)
        if told.sequence is None:
            raise BackendError(
                f"{sampler.name} only counts its shots, so their order is lost; "
                "random bits need a machine that returns its shots one by one"
            )
        if not told.sequence:
            raise BackendError(f"{sampler.name} returned no shot")
        numbers = np.array([outcome[0] for outcome in told.sequence], dtype=np.int64)
        parts.append((numbers[:, None] >> np.arange(width) & 1).astype(np.uint8).ravel())
        found += len(parts[-1])
        if told.provenance.job is not None:
            jobs[told.provenance.job] = None
        facts = {"calibrated": told.provenance.calibrated, "seed": told.provenance.seed}
    return np.concatenate(parts), list(jobs), {key: value for key, value in facts.items() if value is not None}


def _job(sampler: Sampler, circuit: Program, shots: int, seed: int | None) -> Shots:
    """Return the shots of one job; a vendor's error becomes one of ours, with its text first."""
    try:
        [told] = trusted(sampler.run([circuit], shots, seed), [circuit])
    except Exception as error:
        raise BackendError(f"{words_of(error)}; {sampler.name} gave no bits") from error
    return told
