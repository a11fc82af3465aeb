"""How the pieces of Xiangqi move and attack: River, Palaces, blocked legs and eyes, cannons, facing kings.

Letters are those of positions: K king, A adviser, B elephant, N horse, R chariot, C cannon, P pawn. Red is the first
colour, on ranks 1 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qchess.boards.geometry import DIAGONAL, ORTHOGONAL, Step, geometry
from qchess.boards.movers import leaps, rays
from qchess.games.niels_chess.pieces import Wall, behind
from qchess.games.niels_chess.units import WHITE, Men, Unit, place
from qchess.games.niels_chess.variant import Variant

WIDTH, HEIGHT = 9, 10
#: a horse's move: its target, and its leg
HORSE = tuple(
    ((2 * x, y), (x, 0)) if sideways else ((y, 2 * x), (0, x)) for x in (1, -1) for y in (1, -1) for sideways in (0, 1)
)

Over = tuple[tuple[int, int], ...]


class XiangqiPieces:
    """The pieces of Xiangqi on their nine by ten points."""

    letters = "KABNRCP"
    names: Mapping[str, str] = {
        "K": "king", "A": "adviser", "B": "elephant", "N": "horse", "R": "chariot", "C": "cannon", "P": "pawn"
    }  # fmt: skip
    shown: Mapping[str, str] = {"N": "H", "B": "E"}
    #: pawns capture as they move, and there is no en passant
    strikes: tuple[tuple[tuple[int, ...], ...], ...] = ()
    tunnellers = "RCNB"
    #: half a king may be a cannon's mount, and a cannon shoots only where something stands
    free_kings = False

    def __init__(self, variant: Variant) -> None:
        self.board = board = geometry(WIDTH, HEIGHT)
        self.mount = variant.cannon_no_pair_mount
        every = range(board.size)
        self.rays = rays(board, ORTHOGONAL)
        self.palace = frozenset(k for k in every if 3 <= board.file(k) <= 5 and board.rank(k) in (0, 1, 2, 7, 8, 9))
        #: within a palace: the moves of a king and an adviser
        self.king = self._in_palace(ORTHOGONAL)
        self.adviser = self._in_palace(DIAGONAL)
        #: the moves of a horse and an elephant, and the squares that block them
        self.horse = tuple(self._over(k, HORSE) for k in every)
        eyes = tuple(((2 * x, 2 * y), (x, y)) for x, y in DIAGONAL)
        whole = tuple(self._over(k, eyes) for k in every)
        self.elephant = tuple(tuple(hop for hop in whole[k] if not self.apart(k, hop[0])) for k in every)
        #: from where a horse attacks a square, and the blocking square
        self.horse_from = tuple(
            tuple((start, leg) for start in every for to, leg in self.horse[start] if to == k) for k in every
        )
        self.pawn = tuple(tuple(self._pawn(k, colour) for k in every) for colour in (0, 1))
        self.pawn_from = tuple(
            tuple(tuple(start for start in every if k in self.pawn[colour][start]) for k in every) for colour in (0, 1)
        )

    # -- the board ------------------------------------------------------------------------------------

    def side(self, square: int) -> int:
        """Return which side's bank of the River a square is on."""
        return int(square >= 5 * WIDTH)

    def apart(self, a: int, b: int) -> bool:
        """Tell whether two squares are on different sides of the River."""
        return self.side(a) != self.side(b)

    def crossed(self, unit: Unit, square: int) -> bool:
        """Tell whether a unit on this square is across the River."""
        return self.side(square) != unit.colour

    def _in_palace(self, steps: tuple[Step, ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(to for to in reached if k in self.palace and to in self.palace)
            for k, reached in enumerate(leaps(self.board, steps))
        )

    def _over(self, square: int, hops: tuple[tuple[tuple[int, int], tuple[int, int]], ...]) -> Over:
        found = ((self.board.step(square, to), self.board.step(square, over)) for to, over in hops)
        return tuple(sorted((to, over) for to, over in found if to is not None and over is not None))

    def _pawn(self, square: int, colour: int) -> tuple[int, ...]:
        steps = [(0, 1 if colour == WHITE else -1)]
        if self.side(square) != colour:
            steps += [(1, 0), (-1, 0)]
        return tuple(sorted(to for step in steps if (to := self.board.step(square, step)) is not None))

    # -- reaching ---------------------------------------------------------------------------------------

    def reach(self, men: Men, unit: Unit, square: int) -> tuple[list[int], list[int]]:
        """Return the empty points that the unit reaches from a point, and what it could capture from there."""
        kind, colour = unit.kind, unit.colour
        empty: list[int] = []
        taken: list[int] = []
        if kind not in "RC":
            for to in self._steps(men, unit, square):
                if (other := men[to]) is None:
                    empty.append(to)
                elif other.colour != colour:
                    taken.append(to)
            return empty, taken
        for ray in self.rays[square]:
            for to in ray:
                if men[to] is None:
                    empty.append(to)
                    continue
                shot = to if kind == "R" else self._shot(men, unit, square, ray)
                if shot >= 0 and (other := men[shot]) is not None and other.colour != colour:
                    taken.append(shot)
                break
        return empty, taken

    def quiet(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the empty points that the unit reaches from a point."""
        return self.reach(men, unit, square)[0]

    def targets(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the opposing points that the unit could capture on, or attempt to; never a facing king's."""
        return self.reach(men, unit, square)[1]

    def threatens(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the opposing points that the unit attacks, including an opposing king on the open file."""
        found = self.targets(men, unit, square)
        if unit.kind == "K":
            found += [at for at in self._seen(men, square) if self._is_king(men, at, unit.colour)]
        return found

    def struck(self, men: Men, unit: Unit, to: int, here: list[int]) -> list[int]:
        """Return what either half attacks, on the board with both."""
        after, new = list(men), Unit(unit.colour, unit.kind, unit.at, to)
        place(after, new)
        return self.threatens(after, new, new.at) + self.threatens(after, new, to)

    def _steps(self, men: Men, unit: Unit, square: int) -> Sequence[int]:
        """Return where a stepping unit may go, whatever stands there."""
        kind = unit.kind
        if kind in "NB":
            hops = self.horse[square] if kind == "N" else self.elephant[square]
            return [to for to, over in hops if men[over] is None]
        if kind == "P":
            return self.pawn[unit.colour][square]
        return self.king[square] if kind == "K" else self.adviser[square]

    def _shot(self, men: Men, unit: Unit, square: int, ray: tuple[int, ...]) -> int:
        """Return what a cannon attacks along a line: the first unit behind exactly one other; or -1."""
        partner = unit.partner(square) if unit.second >= 0 and self.mount != "off" else -1
        mounted = False
        for to in ray:
            if men[to] is None:
                continue
            if to == partner:
                if self.mount == "block":
                    return -1
                continue
            if mounted:
                return to
            mounted = True
        return -1

    def _seen(self, men: Men, square: int) -> list[int]:
        """Return the nearest unit along each line."""
        found = (next((to for to in ray if men[to] is not None), -1) for ray in self.rays[square])
        return [to for to in found if to >= 0]

    def _is_king(self, men: Men, square: int, of: int) -> bool:
        """Tell whether the opposing king of a colour, or its half, is on a square."""
        other = men[square]
        return other is not None and other.kind == "K" and other.colour != of

    # -- attacking -------------------------------------------------------------------------------------

    def attackers(self, men: Men, square: int, colour: int) -> list[int]:
        """Return the points from which opponents of a colour attack its king on a point."""
        found = []
        for ray in self.rays[square]:
            seen = 0
            for at in ray:
                if (other := men[at]) is None:
                    continue
                seen += 1
                if other.colour != colour and (
                    (seen == 1 and other.kind in "RK") or (other.kind == "C" and square in self.targets(men, other, at))
                ):  # a king along a line stands on the same file
                    found.append(at)
                if seen == 3:  # a transparent partner may stand beside the mount
                    break
        found += [
            at
            for at, leg in self.horse_from[square]
            if (other := men[at]) is not None and other.kind == "N" and other.colour != colour and men[leg] is None
        ]
        return found + [
            at
            for at in self.pawn_from[1 - colour][square]
            if (other := men[at]) is not None and other.kind == "P" and other.colour != colour
        ]

    def walls(self, men: Men, squares: tuple[int, ...], colour: int) -> tuple[list[Wall], set[int]]:
        """Return the units on a king's lines and on the legs of horses, and the lines of cannons without a mount."""
        found: list[Wall] = []
        entered: set[int] = set()
        for square in squares:
            for ray in self.rays[square]:
                between: list[int] = []
                for at in ray:
                    if (other := men[at]) is None:
                        continue
                    if other.colour != colour and other.kind in "RKC":
                        spare = 0 if other.kind != "C" else 1 + (other.partner(at) in between)
                        if between:  # nothing comes between while coins fall
                            found.append((frozenset(between), spare))
                        if len(between) < spare:
                            entered.update(ray[: ray.index(at)])
                    between.append(at)
            for at, leg in self.horse_from[square]:
                if (other := men[at]) is not None and other.kind == "N" and other.colour != colour:
                    found.append((frozenset((leg,)), 0))
        return found, entered

    def cures(self, men: Men, squares: tuple[int, ...], colour: int) -> set[int]:
        """Return the lines of a king, the legs of horses around it, and its attackers."""
        found: set[int] = set()
        for square in squares:
            found.update(*self.rays[square], (leg for _, leg in self.horse_from[square]))
            found.update(self.attackers(men, square, colour))
        return found

    def barriers(self, men: Men, unit: Unit, square: int) -> list[tuple[int, int]]:
        """Return what blocks a chariot or cannon on a line, a horse on its leg, an elephant in its eye."""
        if unit.kind in "NB":
            hops = self.horse[square] if unit.kind == "N" else self.elephant[square]
            return [(over, to) for to, over in hops if men[over] is not None and men[to] is None]
        return behind(men, self.rays[square])
