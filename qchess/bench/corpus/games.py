"""The corpus's circuits from games: moves, histories of registers and boards, and games with questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from qchess.bench.case import SIZES, TRACKS
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.corpus.histories import Bounds, richest
from qchess.bench.corpus.plays import Play, record
from qchess.bench.corpus.tracks import Sizes, on
from qchess.bench.corpus.turns import single_moves
from qchess.bench.corpus.unfolding import unfolded
from qchess.games import presets

Maker = partial[Circuit]
S, M, L = SIZES
CHESS, PIECES, CHECKERS, NIELS, XIANGQI, RINGS = GAMES = (
    "quantum-chess", "piece-qubit-chess", "quantum-checkers", "niels-chess", "niels-xiangqi", "quantum-tic-tac-toe",
)  # fmt: skip


def listed(only: str = "") -> Iterator[tuple[Circuit | Maker, Sizes]]:
    """Yield every circuit from games with its tracks; games that cannot match `only` are not played."""
    for game in GAMES:
        if _may_have(only, *(f"move-{game}-{form}" for form in ("0", "0-flagged", "0-asked"))):
            yield from moves(game)
    for maker, tracks in (*chess(), *others(), *asked(), *recorded()):
        play: Play = maker.args[0]
        if _may_have(only, *(f"{kind}-{play.name}-0" for kind in ("history", "board", "game"))):
            yield maker, tracks


def _may_have(only: str, *names: str) -> bool:
    """Tell whether a case of such a circuit may have the text in its name, whatever its numbers."""
    return any(_unnumbered(only) in _unnumbered(f"{name}-{track}") for name in names for track in TRACKS)


def _unnumbered(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def moves(game: str) -> Iterator[tuple[Circuit, Sizes]]:
    """Yield moves of a game, from short to long: one in the small corpus, one more in the standard one."""
    for k, circuit in enumerate(_moves(game)):
        yield circuit, on({2: S, 3: M}.get(k, L), L, L, L)


@cache
def _moves(game: str) -> tuple[Circuit, ...]:
    plays = [Play(game, style, seed) for style in ("random", "splitting") for seed in (1, 2, 3)]
    return tuple(single_moves(plays, 5, 8))


def chess() -> Iterator[tuple[Maker, Sizes]]:
    """Yield registers of quantum chess, quiet and with recorded answers; they grow with the game."""

    def quiet(seed: int, wires: int, plies: int = 60) -> Maker:
        return partial(richest, Play(CHESS, "quiet", seed, plies), Bounds(wires, 2**17, 1000))

    def questioned(style: str, seed: int, wires: int, plies: int = 60) -> Maker:
        return partial(richest, Play(CHESS, style, seed, plies), Bounds(wires, 2**18, 1000), asked=True)

    yield quiet(1, 12), on(S, S, M, S)
    yield quiet(2, 16), on(M, M, M, L)
    yield quiet(1, 20), on(M, M, L, L)
    yield quiet(2, 24), on(M, L, L, L)
    yield quiet(2, 30), on(M, M, L, L)
    yield quiet(5, 50, 120), on(M, L)
    yield quiet(8, 50, 120), on(L)
    yield questioned("greedy", 1, 12), on(S, S, M, M)
    yield questioned("random", 2, 15), on(M, M, L, M)
    yield questioned("random", 1, 20), on(M, M, L, L)
    yield questioned("greedy", 1, 24), on(M, L)
    yield questioned("random", 1, 30), on(M, L)
    yield questioned("random", 2, 40, 120), on(L)
    yield questioned("random", 6, 40, 120), on(L)


def others() -> Iterator[tuple[Maker, Sizes]]:
    """Yield boards of the other games, whose registers are small, and the largest registers of quantum checkers."""
    yield partial(richest, Play(PIECES, "random", 3), Bounds(10), board=True), on(S, L)
    yield partial(richest, Play(PIECES, "random", 1), Bounds(16), board=True), on(M, M, L, L)
    yield partial(richest, Play(PIECES, "quiet", 1), Bounds(20, 2**18), board=True), on(L)
    yield partial(richest, Play(CHECKERS, "random", 11, 120), Bounds(9)), on(S, M, L, S)
    yield partial(richest, Play(CHECKERS, "random", 8, 120), Bounds(9), asked=True), on(M, M, L, L)
    yield partial(richest, Play(CHECKERS, "splitting", 3), Bounds(12), board=True), on(M, L, L, M)
    yield partial(richest, Play(NIELS, "greedy", 3), Bounds(12), board=True), on(S, M, L, L)
    yield partial(richest, Play(NIELS, "random", 1), Bounds(18), board=True), on(M, M, L, L)
    yield partial(richest, Play(NIELS, "quiet", 3), Bounds(30), board=True), on(L, L)
    yield partial(richest, Play(XIANGQI, "random", 3), Bounds(12), board=True), on(M, M, L, L)
    yield partial(richest, Play(XIANGQI, "random", 1), Bounds(16), board=True), on(M, L, L, M)
    yield partial(richest, Play(XIANGQI, "quiet", 3), Bounds(24), board=True), on(L, L)
    yield partial(richest, Play(RINGS, "random", 1), Bounds(9), board=True), on(M, M, L, L)


def asked() -> Iterator[tuple[Maker, Sizes]]:
    """Yield games with real feed-forward."""
    duel = Play(CHESS, "random", 1, options=presets.options(CHESS, "duel"), title="quantum-chess-duel-1")
    yield partial(unfolded, duel, Bounds(16), 64), on(M, M, L, L)
    yield partial(unfolded, Play(CHESS, "random", 3), Bounds(16), 64), on(M, L, L, L)
    yield partial(unfolded, Play(PIECES, "random", 2), Bounds(12), 64), on(S, M, L, L)
    yield partial(unfolded, Play(PIECES, "random", 1), Bounds(16), 64), on(M, L)
    small = Play(CHECKERS, "random", 2, options=presets.options(CHECKERS, "small"), title="quantum-checkers-small-2")
    yield partial(unfolded, small, Bounds(12), 64), on(S, S, M, L)
    yield partial(unfolded, Play(CHECKERS, "random", 2), Bounds(16), 64), on(M, L, L, L)
    yield partial(unfolded, Play(XIANGQI, "random", 2), Bounds(16), 64), on(M, M, L, L)
    yield partial(unfolded, Play(RINGS, "random", 1), Bounds(9), 64), on(M, M, L, L)


def recorded() -> Iterator[tuple[Maker, Sizes]]:
    """Yield the project's golden playthroughs: their boards, and as much of each as fits one program."""
    for name, kind, tracks in (
        ("niels-chess-hadamard-remote", "asked", on(M, M, L, L)),
        ("niels-chess-indefinite-mate", "asked", on(M, L, L, L)),
        ("niels-xiangqi-random", "asked", on(M, L, L, M)),
        ("piece-qubit-chess-code", "asked", on(M, L)),
        ("piece-qubit-chess-promotion-and-collapse", "board", on(M, L)),
        ("quantum-checkers-cheqqers-2025-03", "asked", on(M, L, L, L)),
        ("quantum-checkers-level-3", "asked", on(M, L, L, L)),
        ("quantum-chess-greedy", "asked", on(M, L, L, L)),
        ("quantum-chess-random", "asked", on(M, M, M, L)),
        ("quantum-chess-random", "board", on(M, L, L, L)),
        ("quantum-chess-sdk", "asked", on(M, L, L, L)),
        ("quantum-chess-special-moves", "asked", on(S, M, L, L)),
        ("quantum-tic-tac-toe-measured", "asked", on(M, L, L, L)),
    ):
        play = record(name)
        play = replace(play, title=f"recorded-{name}")
        if kind == "asked":
            yield partial(unfolded, play, Bounds(16), 64), tracks
        else:
            yield partial(richest, play, Bounds(16), board=True), tracks
