"""The public name of the replacement for Unitary's `CirqBoard`; see `qchess.games.quantum_chess.unitary`."""

from qchess.games.quantum_chess.unitary import *  # noqa: F403
from qchess.games.quantum_chess.unitary import __all__ as __all__
