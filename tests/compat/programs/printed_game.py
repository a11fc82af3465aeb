"""A game with letters for the pieces, printed after every move."""

from qchess.compat import KNIGHT, PAWN, AsciiBoard, CirqBoard, Move, MoveType, MoveVariant

BASIC = MoveVariant.BASIC
GAME = [
    Move("b1", "a3", target2="c3", move_type=MoveType.SPLIT_JUMP, move_variant=BASIC),
    Move("e7", "e5", move_type=MoveType.PAWN_TWO_STEP, move_variant=BASIC),
    Move("c2", "c4", move_type=MoveType.PAWN_TWO_STEP, move_variant=BASIC),
    Move("g8", "f6", move_type=MoveType.JUMP, move_variant=BASIC),
]


def main() -> list[str]:
    board = AsciiBoard(board=CirqBoard(0))
    board.reset()
    pictures = [str(board)]
    for move in GAME:
        assert board.apply(move)
        pictures.append(str(board))
    assert board.piece("a3") == board.piece("c3") == KNIGHT
    assert board.piece("c2") == board.piece("c4") == PAWN
    assert board.piece("f6") == -KNIGHT
    assert board.white_moves
    assert len(set(pictures)) == len(pictures)
    return pictures
