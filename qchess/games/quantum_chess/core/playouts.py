"""Batches of random games: each starts in one position and is played to its end in place."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import COUNT, KIND, POSITION, SUMS, VARIANT, State, Whole
from qchess.games.quantum_chess.core.lists import move_at, survey
from qchess.games.quantum_chess.core.measuring import DRAW, below, seeded
from qchess.games.quantum_chess.core.playing import GOING_ON, ending, play

# the places in `batch`: what is wanted (plies and branches a game at most),
GAMES, PLIES_EACH, BRANCHES, SEED, HAND_BACK = 0, 1, 2, 3, 4
# how far it is (`WORK` is what a call may still do, in branches touched),
DONE, PLAYING, WORK = 5, 6, 7
# and how often each kind of move was played, in each variant
KINDS = 8
BATCH = KINDS + 4 * 14
#: how a game may end besides the endings of `playing`
UNFINISHED, TOO_LARGE = 7, 8
#: why a call returned: all games are done, its work is, or a game has outgrown the branches and is handed back
ALL_DONE, OUT_OF_WORK, HANDED_BACK = 0, 1, 2
#: what a ply costs besides its branches
FIXED_WORK = 64


@helper
def play_games(state: State, root: State, batch: Whole, lengths: Whole, endings: Whole) -> int:
    """Plays on until all games are done, the work is, or a game is handed back; notes each game's plies and ending."""
    while batch[DONE] < batch[GAMES]:
        number = batch[DONE]
        if batch[PLAYING] == 0:
            begin(state, root, batch)
            lengths[number] = 0
        ended = _play_on(state, batch, lengths)
        if ended == GOING_ON:
            return OUT_OF_WORK
        endings[number] = ended
        batch[PLAYING] = 0
        batch[DONE] += 1
        if ended == TOO_LARGE and batch[HAND_BACK]:
            return HANDED_BACK
    return ALL_DONE


@helper
def begin(state: State, root: State, batch: Whole) -> None:
    """Puts the root in place, and seeds the next game."""
    restore(state, root)
    seeded(state.game, batch[SEED], batch[DONE])
    batch[PLAYING] = 1


@helper
def restore(state: State, root: State) -> None:
    """Puts the root in place."""
    for k in range(POSITION):
        state.game[k] = root.game[k]
    for k in range(SUMS):
        state.sums[k] = root.sums[k]
    for k in range(root.game[COUNT]):
        state.squares[k], state.captured[k] = root.squares[k], root.captured[k]
        state.re[k], state.im[k] = root.re[k], root.im[k]


@helper
def _play_on(state: State, batch: Whole, lengths: Whole) -> int:
    """Plays one game to its end, and says which; `GOING_ON` where the work was done before."""
    game, number = state.game, batch[DONE]
    while batch[WORK] > 0:
        moves = survey(game)
        ended = ending(game, moves)
        if ended != GOING_ON:
            return ended
        if lengths[number] >= batch[PLIES_EACH] or moves == 0:
            return UNFINISHED
        if game[COUNT] > batch[BRANCHES]:
            return TOO_LARGE
        play(state, move_at(game, below(game, moves)), DRAW)
        batch[KINDS + 4 * game[KIND] + game[VARIANT]] += 1
        lengths[number] += 1
        batch[WORK] -= game[COUNT] + FIXED_WORK
    return GOING_ON
