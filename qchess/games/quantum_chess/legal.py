"""Which moves are legal. Only the status of single squares counts: empty, full, or neither.

There is no check and no pin. Targets are masks of squares; the generator and the check of a single
move ask the same functions for them.
"""

from __future__ import annotations

from itertools import combinations

from qchess.games.quantum_chess.castling import KING_HOME, open_castlings
from qchess.games.quantum_chess.kinds import victim_square
from qchess.games.quantum_chess.move import PROMOTIONS, Move, merges, promotions, splits, standard_moves
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Law
from qchess.games.quantum_chess.reach import reach
from qchess.geometry import squares


def legal_moves(law: Law, position: Position) -> list[Move]:
    """Every legal move once: standard moves, then splits, then merges, each pair of squares ascending."""
    men = position.men
    found: list[Move] = []
    for square in squares(men.own):
        found += _standard(law, position, square)
    if law.quantum:
        for square in squares(men.own & ~men.of.get("P", 0) & ~men.of.get("p", 0)):
            found += splits(square, split_targets(law, position, square))
        found += _merges(law, position)
    return found


def has_move(law: Law, position: Position) -> bool:
    """Whether the side to move has a legal move."""
    mine = squares(position.men.own)
    return any(standard_targets(law, position, square) for square in mine) or bool(legal_moves(law, position))


def _standard(law: Law, position: Position, square: int) -> tuple[Move, ...]:
    if position.board[square] not in "Pp":
        return standard_moves(square, standard_targets(law, position, square))
    targets = _pawn_targets(law, position, square)
    last = targets & last_rank(position)
    if not last or not law.promotion:
        return standard_moves(square, targets)
    choices = PROMOTIONS if law.profile.promotion_omitted else (*PROMOTIONS, "")
    return standard_moves(square, targets ^ last) + promotions(square, last, choices)


def _merges(law: Law, position: Position) -> list[Move]:
    found: list[Move] = []
    for symbol in "NBRQK" if position.white_to_move else "nbrqk":
        where = position.men.of.get(symbol, 0)
        if where & (where - 1):
            quiet = _quiet(position, symbol)
            sources = [(square, _quantum_reach(law, position, square) & quiet) for square in squares(where)]
            for (first, near), (second, far) in combinations(sources, 2):
                if near & far:
                    found += merges(first, second, near & far)
    return found


# -- targets, as masks --------------------------------------------------------------------------------


def standard_targets(law: Law, position: Position, square: int) -> int:
    """Where the piece of the side to move on this square may go."""
    symbol = position.board[square]
    if symbol in "Pp":
        return _pawn_targets(law, position, square)
    men = position.men
    targets = _reached(position, square) & ~(men.own & men.full)
    return targets | _castling_targets(position, square) if symbol in "Kk" else targets


def split_targets(law: Law, position: Position, square: int) -> int:
    """The squares between which the piece on this square may be split."""
    symbol = position.board[square]
    if symbol in "Pp":
        return 0
    return _quantum_reach(law, position, square) & _quiet(position, symbol)


def merge_targets(law: Law, position: Position, first: int, second: int) -> int:
    """The squares onto which the pieces of one symbol on these two squares may be merged."""
    symbol = position.board[first]
    if symbol in "Pp":
        return 0
    both = _quantum_reach(law, position, first) & _quantum_reach(law, position, second)
    return both & _quiet(position, symbol)


def last_rank(position: Position) -> int:
    """The rank on which pawns of the side to move are promoted."""
    return position.geometry.rank_masks[-1 if position.white_to_move else 0]


def _quiet(position: Position, symbol: str) -> int:
    """The squares that are empty or of this symbol."""
    men = position.men
    return position.geometry.everything & ~(men.own | men.enemy) | men.of[symbol]


def _quantum_reach(law: Law, position: Position, square: int) -> int:
    symbol = position.board[square]
    reached = _reached(position, square)
    if law.profile.castle_square_splits and symbol in "Kk":
        reached |= _castling_targets(position, square)
    return reached


def _reached(position: Position, square: int) -> int:
    """What the piece reaches; splits, merges and standard moves all ask, so it is worked out once."""
    found = position.reached.get(square)
    if found is None:
        found = reach(position.geometry).of(position.board[square], square, position.men.full)
        position.reached[square] = found
    return found


def _castling_targets(position: Position, square: int) -> int:
    if not position.rights or square != KING_HOME[position.board[square]]:
        return 0
    men = position.men
    castlings = open_castlings(position.rights, men.full, position.white_to_move, position.geometry)
    return sum(1 << castling.king[1] for castling in castlings)


def _pawn_targets(law: Law, position: Position, square: int) -> int:
    """One step ahead unless surely blocked, two from the start rank, and what can be taken."""
    board, men, white = position.geometry, position.men, position.white_to_move
    ahead = board.width if white else -board.width
    targets = 0
    if 0 <= square + ahead < board.size and not men.full >> square + ahead & 1:
        targets = 1 << square + ahead
        start = 1 if white else board.height - 2
        two = square + 2 * ahead
        if square // board.width == start and 0 <= two < board.size and not men.full >> two & 1:
            targets |= 1 << two
    prey = men.enemy
    if position.en_passant is not None and _pawn_to_pass(law, position, position.en_passant):
        prey |= 1 << position.en_passant
    return targets | reach(board).pawn_attacks[white][square] & prey


def _pawn_to_pass(law: Law, position: Position, target: int) -> bool:
    """Whether there is a pawn to be taken behind the en passant square; in some profiles nobody looks."""
    behind = position.board[victim_square(position, target)]
    return law.profile.en_passant_always or behind == ("p" if position.white_to_move else "P")
