"""The catalogue: turns a backend's name into an engine and a source of answers.

A new backend is one new file and one row here. A vendor's library is loaded only when its row is used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from inspect import Parameter, signature
from typing import Any

from qchess.backends import registry
from qchess.backends.devices.sampler import BaseSampler, complete
from qchess.backends.options import named, with_options
from qchess.backends.registry import Registry
from qchess.circuits.engine import Engine, Source
from qchess.circuits.engine import complete as complete_source
from qchess.circuits.errors import BackendError, MissingExtraError, UnknownBackendError, unknown_name
from qchess.circuits.sources import Seeded

SourceMaker = Callable[[Any], Source]


@dataclass(frozen=True, slots=True)
class Backend:
    """A named backend: an engine for the amplitudes, and a source of answers."""

    name: str
    engine: Engine
    make_source: SourceMaker = Seeded

    def source(self, seed: int | str | None = None) -> Source:
        """Return a new source of answers; the same seed gives the same answers."""
        return self.make_source(seed)

    def sampler(self) -> BaseSampler:
        """Return the sampler whose shots answer; raises if there is none."""
        found = complete_source(self.source()).sampler
        if found is None:
            raise BackendError(
                f"backend {self.name!r} does not run circuits shot by shot; name a device, such as 'aer-shots'"
            )
        return complete(found)


@dataclass(frozen=True, slots=True)
class Row(registry.Row):
    """A backend's row; its maker makes a backend or an engine."""

    options: tuple[tuple[str, Any], ...] = ()
    needs: tuple[str, ...] = ()
    extra: str = ""
    #: for a family such as ``ibm:<processor>``: the maker's option that takes the text after the colon
    member: str = ""

    def holds(self, name: str) -> bool:
        """Tell whether this row makes the backend of that name."""
        family, colon, member = name.partition(":")
        return name == self.name or bool(self.member and colon and member and self.name.startswith(f"{family}:<"))

    def named(self, name: str) -> dict[str, str]:
        """Return the option that the name gives after its colon: of ``ibm-fake:nairobi`` the processor."""
        return {self.member: name.partition(":")[2]} if self.member else {}

    @property
    def installed(self) -> bool:
        """Tell whether the packages it needs are installed."""
        return all(find_spec(package) is not None for package in self.needs)

    def make(self, **options: Any) -> Backend:
        """Make the backend of this row."""
        missing = [package for package in self.needs if find_spec(package) is None]
        if missing:
            hint = f"pip install 'qchess[{self.extra}]'" if self.extra else f"pip install {' '.join(missing)}"
            raise MissingExtraError(f"backend {self.name!r} needs {', '.join(missing)}; install it with: {hint}")
        maker, settled = self.loaded(), dict(self.options)
        if options:
            check_options(self.name, maker, options, settled)
        made = maker(**settled, **options)
        if not isinstance(made, Backend):
            return Backend(self.name, made)
        # whatever was chosen belongs to the name, also what only the sampler heard of
        chosen = {key: value for key, value in options.items() if key != self.member}
        return replace(made, name=with_settings(made.name.partition(",")[0], chosen))


def check_options(
    backend: str, maker: Callable[..., Any], given: Iterable[str],
    settled: Collection[str] = (), others: Collection[str] = (),
) -> None:  # fmt: skip
    """Refuse options that are already set, and unknown ones (neither the maker's nor in `others`)."""
    parameters = signature(maker).parameters.values()
    passes_on = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters)
    taken = [p.name for p in parameters if p.name not in settled and p.kind is not Parameter.VAR_KEYWORD]
    known = [*others, *taken]
    for option in given:
        if option in settled or not (option in known or passes_on):
            raise BackendError(unknown_name(f"option of backend {backend!r}", option, known))


CATALOGUE = (
    Row("sparse", "our exact sparse engine (default)", "qchess.backends.sparse.engine:SparseEngine"),
    Row("cirq", "Cirq, dense state vectors", "qchess.backends.dense.cirq_engine:CirqEngine", needs=("cirq",)),
    Row("aer", "Qiskit Aer, dense state vectors", "qchess.backends.dense.aer_engine:AerEngine", needs=("qiskit_aer",)),
    Row(
        "aer:mps",
        "Qiskit Aer, matrix product states",
        "qchess.backends.dense.aer_engine:AerEngine",
        (("method", "matrix_product_state"),),
        needs=("qiskit_aer",),
    ),
    Row(
        "sparse-shots",
        "our exact engine; answers from its own shots, as on a device",
        "qchess.backends.sparse.sampler:sparse_device",
    ),
    Row(
        "aer-shots",
        "our exact engine; answers from Aer's shots, without noise",
        "qchess.backends.devices.adapters:aer_device",
        (("noisy", False),),
        needs=("qiskit_aer",),
    ),
    Row(
        "aer-noisy",
        "our exact engine; answers from shots of a noisy chip, simulated by Aer",
        "qchess.backends.devices.adapters:aer_device",
        needs=("qiskit_aer",),
    ),
    Row(
        "queued:<device>",
        "a local device behind a queue of jobs that outlive the process; queued:30:aer-noisy takes 30 s a job",
        "qchess.backends.devices.adapters:queued_device",
        member="name",
    ),
    Row(
        "ibm-fake:<name>",
        "our exact engine; answers from a local fake of an IBM processor, such as ibm-fake:nairobi",
        "qchess.backends.ibm.devices:fake_device",
        needs=("qiskit_ibm_runtime", "qiskit_aer"),
        extra="ibm",
        member="name",
    ),
    Row(
        "ibm:<processor>",
        "our exact engine; answers from an IBM processor; ibm:least-busy takes the shortest queue",
        "qchess.backends.ibm.devices:processor_device",
        needs=("qiskit_ibm_runtime",),
        extra="ibm",
        member="name",
    ),
    Row(
        "google-qvm:<processor>",
        "our exact engine; answers from Google's virtual machine, such as google-qvm:willow_pink",
        "qchess.backends.google.devices:virtual_device",
        needs=("cirq_google",),
        extra="google",
        member="name",
    ),
    Row(
        "google:<processor>",
        "our exact engine; answers from a Google processor",
        "qchess.backends.google.devices:processor_device",
        needs=("cirq_google",),
        extra="google",
        member="name",
    ),
)

#: what computes on this machine alone; the settings that write files all the same
INSIDE = ("sparse", "cirq", "aer", "aer:mps", "sparse-shots", "aer-shots", "aer-noisy")
WRITING = ("budget_shots", "budget_seconds")
#: devices that are simulated wherever they are opened, by the names before their colons
SIMULATED = ("sparse-shots", "aer-shots", "aer-noisy", "ibm-fake", "google-qvm")
#: names that people try first -> our names
HINTS = {
    "qiskit": "'aer' is Qiskit's simulator, 'ibm-fake:nairobi' a noisy chip, 'ibm:least-busy' a real one",
    "ibm": "name one as ibm:<processor>, such as 'ibm:least-busy', or a noisy chip as 'ibm-fake:nairobi'",
    "google": "name one as google:<processor>, such as 'google:willow_pink', or a noisy chip as 'google-qvm:rainbow'",
    "chess": "a game is named first, as in qchess.new('quantum-chess', backend='sparse')",
    "default": "'sparse' is the default",
    "simulator": "'sparse' is exact, 'cirq' and 'aer' are the vendors' simulators",
}
BACKENDS = Registry("backend", "qchess.backends", CATALOGUE, Row, BackendError, UnknownBackendError, HINTS)
register, rows, names = BACKENDS.register, BACKENDS.rows, BACKENDS.names


def get(name: str = "sparse", **options: Any) -> Backend:
    """Return the backend of that name; options go to its engine (``branch_limit=...``) or its device (``shots=...``).

    >>> get('sparse').engine.name
    'sparse'
    """
    base, settings = named(name, "backend", BackendError)
    row, given = BACKENDS.find(base), {**settings, **options}
    if row.member in given:
        raise BackendError(f"{row.name} takes its {row.member} once, after the colon; got "
                           f"{base!r} and {row.member}={given[row.member]!r}")  # fmt: skip
    return row.make(**row.named(base), **given)


def settings_in(name: str) -> dict[str, Any]:
    """Return the options in a backend's name, each given once."""
    return named(name, "backend", BackendError)[1]


#: the name of a backend with settings, from which `get` makes it again
with_settings = with_options


def reaches_out(name: str) -> bool:
    """Tell whether a backend would open more than simulators on this machine, such as a device, a queue or a budget.

    >>> reaches_out("aer-noisy,shots=500"), reaches_out("queued:aer-noisy"), reaches_out("sparse-shots,budget_shots=5")
    (False, True, True)
    """
    base, *settings = name.split(",")
    if base in INSIDE:
        return any(setting.partition("=")[0].strip() in WRITING for setting in settings)
    return any(row.holds(base) and row.installed for row in BACKENDS.each())


def engine(name: str = "sparse", **options: Any) -> Engine:
    """Return only the engine of a backend."""
    return get(name, **options).engine
