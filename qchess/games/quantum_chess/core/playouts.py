"""Batches of random games: each starts in one position and is played to its end in place."""

from __future__ import annotations

from qchess.games.quantum_chess.core.dice import below, seeded
from qchess.games.quantum_chess.core.layout import (
    COUNT,
    KIND,
    POSITION,
    SUMS,
    VARIANT,
    State,
    Whole,
)
from qchess.games.quantum_chess.core.lists import move_at, survey
from qchess.games.quantum_chess.core.measuring import DRAW
from qchess.games.quantum_chess.core.playing import GOING_ON, ending, play

# the places in `batch`: what is wanted,
GAMES, PLIES_EACH, BRANCHES, SEED, HAND_BACK = 0, 1, 2, 3, 4
# how far it is (`WORK` is what this call may still do, in branches touched),
DONE, PLAYING, PLAYED, WORK = 5, 6, 7, 8
# what came of it: games by ending, unfinished, too large; plies in all, and by kind and variant
ENDINGS, UNFINISHED, TOO_LARGE, PLIES, KINDS = 9, 16, 17, 18, 20
BATCH = KINDS + 4 * 14
#: why a call returned: all games are done, its work is, or a game has outgrown the branches and is handed back
ALL_DONE, OUT_OF_WORK, HANDED_BACK = 0, 1, 2
#: what a ply costs besides its branches
FIXED_WORK = 64


def play_games(state: State, root: State, batch: Whole) -> int:
    """Plays on until all games are done, the work is, or a game has to be handed back."""
    while batch[DONE] < batch[GAMES]:
        if batch[PLAYING] == 0:
            begin(state, root, batch)
        why = _play_on(state, batch)
        if why != ALL_DONE:
            return why
        batch[PLAYING] = 0
        batch[DONE] += 1
    return ALL_DONE


def begin(state: State, root: State, batch: Whole) -> None:
    """Puts the root in place, and seeds the next game."""
    state.game[:POSITION] = root.game[:POSITION]
    state.sums[:SUMS] = root.sums[:SUMS]
    for k in range(root.game[COUNT]):
        state.squares[k], state.captured[k] = root.squares[k], root.captured[k]
        state.re[k], state.im[k] = root.re[k], root.im[k]
    seeded(state.game, batch[SEED], batch[DONE])
    batch[PLAYING], batch[PLAYED] = 1, 0


def _play_on(state: State, batch: Whole) -> int:
    """Plays one game to its end."""
    game = state.game
    while True:
        if batch[WORK] <= 0:
            return OUT_OF_WORK
        moves = survey(game)
        ended = ending(game, moves)
        if ended != GOING_ON:
            batch[ENDINGS + ended] += 1
            return ALL_DONE
        if batch[PLAYED] >= batch[PLIES_EACH] or moves == 0:
            batch[UNFINISHED] += 1
            return ALL_DONE
        if game[COUNT] > batch[BRANCHES]:
            if batch[HAND_BACK]:
                return HANDED_BACK
            batch[TOO_LARGE] += 1
            return ALL_DONE
        play(state, move_at(game, below(game, moves)), DRAW)
        batch[KINDS + 4 * game[KIND] + game[VARIANT]] += 1
        batch[PLAYED] += 1
        batch[PLIES] += 1
        batch[WORK] -= game[COUNT] + FIXED_WORK
