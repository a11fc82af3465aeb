"""What ``import qchess`` loads, seen from a fresh interpreter outside the checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = (
    "cirq", "cirq_google", "matplotlib", "networkx", "numba", "pandas", "qiskit", "qiskit_aer", "qiskit_ibm_runtime",
    "dask", "distributed", "scipy", "sympy",
)  # fmt: skip


def loaded_by(statement: str, cwd: Path) -> set[str]:
    """The top-level modules in memory after one statement in a new interpreter."""
    report = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); {statement}; print(*{{m.split('.')[0] for m in sys.modules}})"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", report],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


STATEMENTS = (
    "import qchess",
    "import qchess.circuits",
    "import qchess.backends",
    "import qchess; qchess.new('quantum-chess', seed=7).play('b1^a3c3')",
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_importing_qchess_loads_no_vendor_and_nothing_heavy(statement: str, tmp_path: Path) -> None:
    loaded = loaded_by(statement, tmp_path)
    assert "qchess" in loaded
    assert not loaded & set(HEAVY)


def test_the_check_itself_sees_a_heavy_import(tmp_path: Path) -> None:
    assert "networkx" in loaded_by("import qchess, networkx", tmp_path)
