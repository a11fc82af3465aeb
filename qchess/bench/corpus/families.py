"""Families that grow with n: where sparse states stay small, where they grow, and where they are no advantage.

Names of qubits: `s` is a square from which a piece starts, `t` one to which it goes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from qchess.bench.corpus.circuit import Circuit
from qchess.circuits.operations import Operation, Qubit, cnot, cz, h, iswap, ry, sqrt_x, swap, x, z
from qchess.circuits.patterns import merge, merge_slide, slide, split, split_slide
from qchess.circuits.program import Program


def splits(n: int) -> Circuit:
    """One piece that splits repeatedly: n squares, as many branches as squares, all of different weight."""
    squares = [f"s{k}" for k in range(n)]
    program = Program(*(split(squares[k], squares[k + 1], squares[k + 2]) for k in range(0, n - 2, 2)))
    tail = [z(q, (k % 7 + 1) / 8) for k, q in enumerate(squares) if k % 3 == 0]
    return Circuit(f"splits-{n}", "splits", Program(program, *tail), frozenset({"s0"}))


def linked_slides(k: int) -> Circuit:
    """k pieces split, and a piece slides between the halves of each into the way of the next.

    Five squares a link and 2^k branches in one register.
    """
    steps = []
    for link in range(k):
        s, a, b, frm, to = (f"{name}{link}" for name in ("s", "a", "b", "f", "t"))
        way = (a, f"t{link - 1}") if link else (a,)
        steps += [split(s, a, b), slide(frm, to, way)]
    full = frozenset(f"{name}{link}" for link in range(k) for name in ("s", "f"))
    return Circuit(f"linked-slides-{k}", "linked-slides", Program(*steps), full)


def interference(k: int) -> Circuit:
    """k pieces that split, slide past one another's halves, and merge again, as far as possible.

    Four squares a piece; each path of a slide is blocked by a half of the piece before.
    """
    steps = []
    for piece in range(k):
        s, a, b, t = (f"{name}{piece}" for name in "sabt")
        before = (f"a{piece - 1}",) if piece else ()
        behind = (f"b{piece - 1}",) if piece else ()
        steps += [split_slide(s, a, b, before, behind), split(a, t, s), merge_slide(b, t, a, before, ())]
    full = frozenset(f"s{piece}" for piece in range(k))
    return Circuit(f"interference-{k}", "interference", Program(*steps), full)


def dance(n: int, pieces: int, moves: int, seed: int) -> Circuit:
    """Random splits, merges and slides of some pieces on n squares."""
    dice = random.Random(f"dance {n} {pieces} {moves} {seed}")
    squares = [f"d{k}" for k in range(n)]
    program = Program(*(_step(dice, squares) for _ in range(moves)))
    full = frozenset(squares[int(k * n / pieces)] for k in range(pieces))
    return Circuit(f"dance-{n}-{pieces}-{moves}-{seed}", "dance", program, full)


def _step(dice: random.Random, squares: Sequence[Qubit]) -> Program:
    a, b, c, p, q = chosen(dice, squares, 5)
    kind = int(dice.random() * 5)
    return [
        lambda: split(a, b, c),
        lambda: merge(a, b, c),
        lambda: slide(a, b, (p,)),
        lambda: split_slide(a, b, c, (p,), (q,)),
        lambda: slide(a, b, (p, q)),
    ][kind]()


def chosen(dice: random.Random, things: Sequence[Qubit], count: int) -> list[Qubit]:
    """Return `count` different things, in the order drawn; only `random()` of the dice is used."""
    left = list(things)
    return [left.pop(int(dice.random() * len(left))) for _ in range(count)]


def systems(n: int, rounds: int, seed: int) -> Circuit:
    """Piece-qubit chess without its limit of seven: pieces in |+>, linked by CZ and acted on, repeatedly."""
    dice = random.Random(f"systems {n} {rounds} {seed}")
    pieces = [f"p{k}" for k in range(n)]
    steps: list[Operation] = [h(q) for q in pieces]
    for _ in range(rounds):
        mover, *met = chosen(dice, pieces, 3)
        act = (h, x, sqrt_x, z)[int(dice.random() * 4)]
        steps += [*(cz(mover, q) for q in met), *(act(q) for q in (mover, *met))]
    return Circuit(f"systems-{n}-{rounds}-{seed}", "systems", Program(*steps))


def gathering(n: int) -> Circuit:
    """Every piece in superposition and linked to its neighbours, then most of it undone: 2^n branches become few."""
    pieces = [f"p{k}" for k in range(n)]
    links = [cz(a, b) for a, b in pairwise(pieces)]
    back = [h(q) for k, q in enumerate(pieces) if k % 2]
    return Circuit(f"gathering-{n}", "systems", Program(*(h(q) for q in pieces), *links, *back))


def dense(n: int, layers: int) -> Circuit:
    """All basis states, all of different weight: rotations of every wire, and half moves between neighbours."""
    wires = [f"q{k}" for k in range(n)]
    return Circuit(f"dense-{n}-{layers}", "dense", Program(*_dense(wires, layers)))


def _dense(wires: Sequence[Qubit], layers: int) -> Iterator[Operation]:
    for layer in range(layers):
        yield from (ry(q, 0.5 + ((3 * k + 5 * layer) % 11) / 8) for k, q in enumerate(wires))
        first = layer % 2
        yield from (iswap(a, b, 0.5) for a, b in zip(wires[first::2], wires[first + 1 :: 2], strict=False))
        yield from (z(q, (k % 5 + 1) / 8) for k, q in enumerate(wires))


def filled(n: int, free: int) -> Circuit:
    """A share of 2^-free of all basis states: Hadamards on all wires but a few, which copy others."""
    wires = [f"q{k}" for k in range(n)]
    open_, rest = wires[: n - free], wires[n - free :]
    steps = [h(q) for q in open_]
    steps += [iswap(a, b, 0.25) for a, b in zip(open_[::2], open_[1::2], strict=False)]
    steps += [z(b, 0.375).when({a: 1}) for a, b in pairwise(open_)]
    steps += [cnot(open_[2 * k % len(open_)], q) for k, q in enumerate(rest)]
    return Circuit(f"filled-{n}-{free}", "filled", Program(*steps))


def clifford(n: int, layers: int, seed: int) -> Circuit:
    """Random Clifford gates: easy for a tableau, hard for a list of branches."""
    dice = random.Random(f"clifford {n} {layers} {seed}")
    wires = [f"q{k}" for k in range(n)]
    steps: list[Operation] = []
    for _ in range(layers):
        for q in wires:
            steps.append((h(q), sqrt_x(q), z(q, 0.5), z(q))[int(dice.random() * 4)])
        order = chosen(dice, wires, n)
        for a, b in zip(order[::2], order[1::2], strict=False):
            steps.append((cz(a, b), cnot(a, b), iswap(a, b), swap(a, b))[int(dice.random() * 4)])
    return Circuit(f"clifford-{n}-{layers}-{seed}", "clifford", Program(*steps))


def cat(n: int) -> Circuit:
    """One wire in superposition, n - 1 that copy it, the first flipped: two branches on any number of wires."""
    wires = [f"q{k}" for k in range(n)]
    links = [cnot(a, b) for a, b in pairwise(wires)]
    return Circuit(f"cat-{n}", "clifford", Program(h("q0"), *links, x("q0"), z(wires[-1], 0.5)))
