"""What is asked of IBM is checked before anybody far away is asked."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from qchess import backends
from qchess.backends.ibm.devices import SEQUENCES
from qchess.errors import BackendError

pytest.importorskip("qiskit_ibm_runtime", reason="qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'")


def test_the_sequences_are_those_of_the_installed_package_and_another_is_one_sentence() -> None:
    from qiskit_ibm_runtime.options import DynamicalDecouplingOptions

    hint = get_type_hints(DynamicalDecouplingOptions)["sequence_type"]
    known = {word for one in (hint, *get_args(hint)) for word in get_args(one) if isinstance(word, str)}
    assert known == set(SEQUENCES)
    with pytest.raises(BackendError, match=r"^decoupling is one of XX, XpXm, XY4, or None; got 'XY9'$"):
        backends.get("ibm:ibm_x,decoupling=XY9")
