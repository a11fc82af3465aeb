"""Study a state in figures and pictures, all from exact amplitudes.

Every function takes a game, a position, a pause, a run, or registers. Several squares form a group, and all others are
traced out. Entropies are in bits.

>>> import qchess
>>> from qchess import study
>>> game = qchess.new('quantum-chess', seed=1)
>>> for move in ('b1^a3c3', 'a7-a6', 'c3^b5d5', 'a6-a5'):
...     played = game.play(move)
>>> round(study.entropy(game, 'a3'), 6), round(study.entropy(game, 'b5'), 6)
(1.0, 0.811278)
>>> round(study.mutual_information(game, 'a3', ('b5', 'd5')), 6)
2.0
>>> study.concurrence(game, 'a3', 'b5') > study.concurrence(game, 'b5', 'd5')
True
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from qchess.foreign import missing as _missing
from qchess.showing.bars import bars
from qchess.showing.measurements import Measurement, measurements
from qchess.showing.picture import Picture
from qchess.study.asking import Consequence, Effect, asked, information
from qchess.study.beside import beside
from qchess.study.boards import board, entangled_board
from qchess.study.charts import counts, curves
from qchess.study.entropies import entropies, entropy, mutual_information, purity, readout_entropy
from qchess.study.exercises.checking import Verdict, check
from qchess.study.linktext import entanglement_text
from qchess.study.pairs import Bloch, bloch, concurrence, entanglement
from qchess.study.paper import Plot
from qchess.study.plots import amplitudes, bloch_vectors, information_matrix, over_time
from qchess.study.reduced import reduced, spectrum
from qchess.study.sameness import fidelity, overlap
from qchess.study.states import branches, city, hinton, links_over_time, schmidt
from qchess.study.stepping.steps import Step, Steps
from qchess.study.stepping.taking import steps
from qchess.study.sweeping import sweep
from qchess.study.timeline import Moment, Timeline, timeline

__all__ = [
    "Bloch",
    "Consequence",
    "Effect",
    "Measurement",
    "Moment",
    "Picture",
    "Plot",
    "Step",
    "Steps",
    "Timeline",
    "Verdict",
    "amplitudes",
    "asked",
    "bars",
    "beside",
    "bloch",
    "bloch_vectors",
    "board",
    "branches",
    "check",
    "city",
    "concurrence",
    "counts",
    "curves",
    "entangled_board",
    "entanglement",
    "entanglement_text",
    "entropies",
    "entropy",
    "fidelity",
    "hinton",
    "information",
    "information_matrix",
    "links_over_time",
    "measurements",
    "mutual_information",
    "over_time",
    "overlap",
    "purity",
    "readout_entropy",
    "reduced",
    "schmidt",
    "spectrum",
    "steps",
    "sweep",
    "timeline",
]

if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise _missing(__name__, name)
