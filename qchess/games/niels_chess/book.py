"""The rule book of one variant: its board and pieces, and the conditions shared by the classes of moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from qchess.boards.geometry import Geometry
from qchess.games.niels_chess.coins import possible
from qchess.games.niels_chess.pieces import ChessPieces, Pieces
from qchess.games.niels_chess.units import DIAGONALS, WHITE, Men, State, Unit, king, tandem
from qchess.games.niels_chess.variant import Variant
from qchess.games.niels_chess.xiangqi import XiangqiPieces

PROMOTIONS = ("Q", "R", "B", "N")
#: every possible facing of a superposition
FACINGS = ("oo", "op", "po", "pp")


class Book:
    """The rules of one variant on one board."""

    def __init__(self, variant: Variant, board: Geometry, pieces: Pieces) -> None:
        self.variant = variant
        self.board = board
        self.pieces = pieces
        self.names = board.names
        self.numbers = board.numbers
        #: by colour: the squares on which a pawn promotes
        top = tuple(range(board.size - board.width, board.size))
        self.last = (frozenset(), frozenset()) if variant.xiangqi else (frozenset(top), frozenset(range(board.width)))
        #: the possible facings of a superposition, and the possible first marks' bits of a joining pair
        self.facings = ("oo", "op") if variant.simplified else FACINGS
        #: the letters of the marks: red and blue, in Xiangqi blue and green
        self.first_mark, self.second_mark = "bg" if variant.xiangqi else "rb"
        self.turns = (0,) if variant.simplified else (0, 1)
        #: what listed the moves of the last state
        self.listed: object = None

    # -- check ------------------------------------------------------------------------------------------

    def exposed(self, men: Men, king: Unit) -> bool:
        """Tell whether a king could be captured: a half of it is attacked with a probability above zero."""
        simple = not king.diag and not self.variant.deterministic
        for square in king.squares:
            attackers = self.pieces.attackers(men, square, king.colour)
            if attackers and simple:
                return True
            for at in attackers:
                attacker = men[at]
                if attacker is not None and possible(self.variant, attacker, at, king, square):
                    return True
        return False

    def in_check(self, men: Men, colour: int) -> bool:
        """Tell whether the king of a colour could be captured."""
        own = king(men, colour)
        return own is not None and self.exposed(men, own)

    def attacked(self, men: Men, square: int, colour: int) -> bool:
        """Tell whether an opponent of a colour attacks a square, for castling over it."""
        stand_in = Unit(colour, "K", square)
        return any(
            other is not None and possible(self.variant, other, at, stand_in, square)
            for at in self.pieces.attackers(men, square, colour)
            for other in (men[at],)
        )

    # -- superposition and entanglement -----------------------------------------------------------------

    def promotes(self, unit: Unit, *squares: int) -> bool:
        """Tell whether a pawn that arrives on these squares must be promoted."""
        return unit.kind == "P" and not self.last[unit.colour].isdisjoint(squares)

    def farther(self, unit: Unit, a: int, b: int) -> int:
        """Return the square of two that is farther from a pawn's start."""
        return max(a, b) if unit.colour == WHITE else min(a, b)

    def marks_fixed(self, unit: Unit) -> bool:
        """Tell whether the first mark must be on the farther half."""
        return unit.kind == "P" and not self.variant.xiangqi

    def may_split(self, unit: Unit, a: int, b: int) -> bool:
        """Tell whether River and Palace allow a superposition on these squares."""
        return self._at_home(unit) and (not self._needs_river(unit) or self._apart(unit, a) or self._apart(unit, b))

    def may_join(self, unit: Unit, arrival: int) -> bool:
        """Tell whether River and Palace allow an entanglement by way of this square."""
        return self._at_home(unit) and (not self._needs_river(unit) or self._apart(unit, arrival))

    def _at_home(self, unit: Unit) -> bool:
        """Check the departure alone: pieces of the Palace start there, pawns have crossed."""
        if not self.variant.xiangqi or self.variant.drop_river:
            return True
        if unit.kind in "AKB":
            return unit.at in self.pieces.palace
        return unit.kind != "P" or self._apart(unit, unit.at, unit.colour)

    def _needs_river(self, unit: Unit) -> bool:
        return self.variant.xiangqi and not self.variant.drop_river and unit.kind in "NCR"

    def _apart(self, unit: Unit, square: int, side: int | None = None) -> bool:
        """Tell whether a square lies across the River from the unit, or from its own side."""
        half = self.board.size // 2
        return (square >= half) != (unit.at >= half if side is None else bool(side))

    def diagonal(self, men: Men, joined: Unit) -> str | None:
        """Return the diagonal of a joined pair: its own, else the first free one; None if there is none."""
        if joined.diag:
            return joined.diag
        return next(iter(self.free_diagonals(men)), None)

    def free_diagonals(self, men: Men) -> list[str]:
        """Return the diagonals without marks."""
        used = {unit.diag for unit in men if unit is not None and unit.diag}
        return [diag for diag in DIAGONALS if diag not in used]

    # -- moves of marks ---------------------------------------------------------------------------------

    def one_away(self, men: Men, pair: Unit) -> bool:
        """Tell whether one half could go to the other's square if that were empty, ignoring safety."""
        emptied = list(men)
        emptied[pair.at] = emptied[pair.second] = None
        if pair.second in self.pieces.quiet(emptied, pair, pair.at):
            return True
        one_way = pair.kind == "P" or self.variant.xiangqi  # the other pieces of chess could go back
        return one_way and pair.at in self.pieces.quiet(emptied, pair, pair.second)

    def differs(self, pair: Unit) -> bool:
        """Tell whether inverting a pair makes a real difference."""
        return bool(pair.diag) or (bool(pair.z) and not self.variant.hadamard)

    def group_away(self, men: Men, pair: Unit) -> bool:
        """Tell whether every pair that shares this one's coin is one move away."""
        return all(self.one_away(men, member) for member in tandem(men, pair))

    # -- castling ---------------------------------------------------------------------------------------

    def castlings(self, state: State) -> Iterator[tuple[int, int, int, int]]:
        """Yield castlings by rights and board: king's start and end, rook's start and end; ignoring safety."""
        men, colour = state.men, state.turn
        own = king(men, colour) if state.castling else None
        if own is None or own.is_pair:
            return
        for letter in state.castling:
            if letter.isupper() == (colour == WHITE):
                rook, step = self.corner(letter), 1 if letter in "Kk" else -1
                passed = range(own.at + step, rook, step)
                if all(men[square] is None for square in passed):
                    yield own.at, own.at + 2 * step, rook, own.at + step

    def corner(self, letter: str) -> int:
        """Return the rook's square of a castling right."""
        first = 0 if letter.isupper() else self.board.size - self.board.width
        return first + (self.board.width - 1 if letter in "Kk" else 0)

    def castles_safely(self, men: Men, colour: int, start: int, end: int) -> bool:
        """Tell whether the king's start, crossed and final squares are free from attack."""
        step = 1 if end > start else -1
        return not any(self.attacked(men, square, colour) for square in (start, start + step, end))


@lru_cache(maxsize=16)
def pieces_of(variant: Variant, board: Geometry) -> Pieces:
    """Return how the pieces of a variant go on a board; the same tables each time."""
    return XiangqiPieces(variant) if variant.xiangqi else ChessPieces(board, variant)
