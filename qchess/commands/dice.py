"""``qchess dice``: throws dice with bits that a device measured, and keeps pools of such bits."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any

from qchess.commands.common import Commands, add_json, print_json
from qchess.errors import BackendError

if TYPE_CHECKING:
    from qchess.backends.qrng.supply import Supply

#: how many dice one throw has at most
MOST = 100_000
EXAMPLES = """examples:
  qchess dice 3d6                                 three dice, from a simulator
  qchess dice 2d20 --outcomes qrng:bits.pool      from a pool on disk; no bit is used twice
  qchess dice --fill 100000 --outcomes qrng:bits.pool@ibm:least-busy
  qchess dice --coin 0.25 --outcomes qrng:aer-noisy 20x"""


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "dice", help="dice from measured qubits", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("throw", nargs="?", default="1d6", metavar="NdS", help="N dice of S sides (1d6); Nx for coins")
    parser.add_argument(
        "--outcomes", default="qrng:sparse-shots", metavar="qrng:...", help="a pool, a device, or POOL@DEVICE"
    )
    parser.add_argument(
        "--coin", type=float, metavar="P", help="throw coins that a device prepares to show 1 with chance P"
    )
    parser.add_argument("--fill", type=int, metavar="BITS", help="measure so many bits into the pool")
    parser.add_argument("--extract", action="store_true", help="press raw bits by a Toeplitz matrix when filling")
    parser.add_argument("--seed", type=int, help="for simulators only")
    parser.add_argument("--on-failure", choices=("raise", "wait", "os"), default="raise", help="when there are no bits")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fills a pool, throws coins, or throws dice; says where the bits came from."""
    told = _fill(args) if args.fill is not None else _coins(args) if args.coin is not None else _dice(args)
    if args.json:
        print_json(told)
    elif args.fill is not None:
        print(f"{told['added']} bits from {told['source']} added to {told['pool']}; it holds {told['available']}")
    else:
        print(f"{' '.join(map(str, told['thrown']))}  ({told['source']})")
    for remark in () if args.json else told["remarks"]:
        print(f"remark: {remark}")
    return 0


def _dice(args: argparse.Namespace) -> dict[str, Any]:
    from qchess.backends.qrng.dice import dice
    from qchess.backends.qrng.source import named, outcomes

    count, sides = _throw(args.throw, r"(\d*)d(\d+)", "NdS, such as 3d6")
    supply: Supply = outcomes(args.outcomes, seed=args.seed, on_failure=args.on_failure).supply
    thrown = dice(supply.bits, count, sides).tolist()
    return {"thrown": thrown, "sides": sides, "source": named(supply.latest), "bits": supply.drawn,
            "remarks": supply.remarks, "provenance": dict(supply.latest)}  # fmt: skip


def _coins(args: argparse.Namespace) -> dict[str, Any]:
    import numpy as np

    from qchess.backends.qrng import coin, remark
    from qchess.backends.qrng.source import budgeted, named, names_pool

    count, _ = _throw(args.throw, r"(\d+)()x", "Nx, such as 20x", plain="1d6")
    if names_pool(place := args.outcomes.removeprefix("qrng:")):
        raise BackendError(f"--coin wants --outcomes qrng:DEVICE, which prepares the coins; got {args.outcomes!r}")
    machine, budget = budgeted(place)
    origin = {"source": machine.name, "quantum": machine.capabilities.quantum}
    thrown = coin(machine, args.coin, count, seed=args.seed, budget=budget)
    uneven = remark(np.array(thrown, dtype=np.uint8), probability=args.coin)
    return {"thrown": thrown, "probability": args.coin, "source": named(origin),
            "remarks": [] if uneven is None else [uneven]}  # fmt: skip


def _fill(args: argparse.Namespace) -> dict[str, Any]:
    from qchess.backends.qrng.harvest import harvest, shots_for
    from qchess.backends.qrng.pool import Pool
    from qchess.backends.qrng.source import budgeted

    file, at, machine = args.outcomes.removeprefix("qrng:").rpartition("@")
    if not at:
        raise BackendError(f"--fill wants --outcomes qrng:POOL@DEVICE, got {args.outcomes!r}")
    source, budget = budgeted(machine)
    print(f"{source.name} is asked for {shots_for(source, args.fill, extraction=args.extract)} shots", file=sys.stderr)
    pool = Pool(file)  # where none can be, nothing is measured
    found = harvest(source, args.fill, seed=args.seed, extraction=args.extract, budget=budget)
    pool.add(found)
    return {"added": len(found.bits), "source": source.name, "pool": file, "available": pool.available(),
            "remarks": [told for key, told in found.provenance.items() if key == "remark"],
            "provenance": dict(found.provenance)}  # fmt: skip


def _throw(text: str, pattern: str, wanted: str, plain: str | None = None) -> tuple[int, int]:
    """The numbers of a throw as people write it."""
    if text == plain:
        return 1, 0
    found = re.fullmatch(pattern, text)
    if not found:
        raise BackendError(f"a throw is {wanted}; got {text!r}")
    count = int(found[1]) if found[1] and len(found[1]) < 10 else MOST + 1 if found[1] else 1
    if not 1 <= count <= MOST:
        raise BackendError(f"a throw is of 1 to {MOST} at once, got {text!r}")
    return count, int(found[2] or 0)
