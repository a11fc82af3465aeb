"""The worked examples P1 to P12 of the rule book of piece-qubit chess, each with its board."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

import qchess
from qchess.errors import IllegalMoveError
from qchess.games.piece_qubit_chess import PieceQubitChess
from qchess.playing.game import Game

#: types or records, each with its probability
Outcomes = dict[str, Any]


def set_up(board: str, side: str = "w", lone: str = "-", systems: str = "-", profile: str = "text") -> Game:
    """A game from a drawn board: rank 8 first, a dot for an empty square, ``P(R)`` for a pawn {Pawn, Rook}."""
    ranks = [line.split() for line in board.strip().splitlines()]
    fen = "/".join("".join("1" if man == "." else man for man in rank) for rank in ranks)
    return qchess.new("piece-qubit-chess", seed=1, position=f"{fen} {side} - {lone} {systems} 0 {profile}")


def pqfen(game: Game) -> str:
    assert isinstance(game.rules, PieceQubitChess)
    return game.rules.pqfen(game.position)


def state(game: Game) -> tuple[str, str]:
    """The fields `lone` and `systems` of the position."""
    fields = pqfen(game).split()
    return fields[3], fields[4]


def outcomes(game: Game, move: str) -> Outcomes:
    """Every way the move can be recorded, with its probability."""
    rules, position = game.rules, game.position
    chosen, _ = rules.read(position, move)
    turn = rules.turn(position, chosen)
    return {rules.tell(position, turn, dict(a)): pytest.approx(p) for a, p in game.chances(move).items()}


def odds(game: Game, square: str) -> Outcomes:
    """The probability of each type that the piece may be."""
    return {type_: pytest.approx(p) for type_, p in game.position.odds(game.position.board[square]).items()}


def to(game: Game, square: str) -> set[str]:
    """Where the piece may go."""
    return {move.end for move in game.rules.moves(game.position) if move.start == square}


HALF = 0.5
OFFICERS = [f"{colour}{kind}" for colour in "wb" for kind in ("Ra", "Nb", "Bc", "Qd", "Bf", "Ng", "Rh")]


# -- P1 and P2: from the start --------------------------------------------------------------------


def test_P1_a_knight_flips_the_pawns_it_meets_and_entangles_the_queen() -> None:
    game = qchess.new("piece-qubit-chess")
    game.play("a2-a3")
    game.play("b8-c6")
    assert pqfen(game) == ("r1bqkbnr/pppppppp/2n5/8/8/P7/1PPPPPPP/RNBQKBNR w = a7:-Z,e7:-Z c6,d8:-XZ,-ZX 2 text")
    assert sorted(game.position.kings("black")) == ["e7", "e8"]
    game.play("h2-h3")
    assert to(game, "e7") == {"d6", "e6", "f6"}


def test_P1_the_circuit_of_Nb1_c3_before_and_after() -> None:
    game = qchess.new("piece-qubit-chess")
    assert game.circuit().draw() == "\n\n".join(f"{name}: ─H─" for name in OFFICERS)
    assert game.circuit("b1-c3").draw() == textwrap.dedent("""\
        wPa: ─X───

        wPe: ─X───

        wQd: ─Z─X─
              │
        wNb: ─●─X─""")
    game.play("b1-c3")
    assert game.position.registers.circuit("wNb").draw() == textwrap.dedent("""\
        wNb: ─H─●─X─
                │
        wQd: ─H─Z─X─""")
    amplitudes = game.position.registers.register("wNb").amplitudes(("wQd", "wNb"))
    turn = amplitudes[3] / 0.5  # the book's vector is 1/2 (-1, 1, 1, 1), up to a global phase
    assert [amplitudes[k] / turn for k in range(4)] == [pytest.approx(a) for a in (-0.5, 0.5, 0.5, 0.5)]


def test_P2_a_knight_that_meets_one_pawn_makes_no_system() -> None:
    game = qchess.new("piece-qubit-chess")
    game.play("g1-h3")
    assert state(game) == ("f2:-Z", "-")
    assert odds(game, "f2") == {"B": 1.0}
    game = qchess.new("piece-qubit-chess")
    game.play("e2-e4")
    assert state(game) == ("-", "-")


# -- P3 to P8: acting and entangling ----------------------------------------------------------------

P3 = """
. . . .    . . . k
. . . .    . . . .
. . . . p(Q) . . .
. . . .    . . . .
. . . .    . . . .
. . . .    . . . .
. . . .    . . . .
K . . .    . B . ."""


def test_P3_the_square_root_of_not_twice_is_not() -> None:
    game = set_up(P3)
    game.play("f1-c4")
    assert state(game) == ("e6:-Y", "-")
    assert odds(game, "e6") == {"P": HALF, "Q": HALF}
    game.play("h8-h7")
    game.play("c4-d5")
    assert state(game) == ("e6:-Z", "-")


def test_P3_without_the_clause_on_determined_states_the_second_action_entangles() -> None:
    game = set_up(P3, profile="text+avoid_determined=link")
    for move in ("f1-c4", "h8-h7", "c4-d5"):
        game.play(move)
    assert game.position.systems == (("wBf", "bPe"),)
    assert odds(game, "e6") == {"P": HALF, "Q": HALF}


P4 = """
. . . . . . . k
. . . . . . . .
. . . . n . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
K . . . . B . ."""


def test_P4_a_bishop_and_a_knight_become_fully_correlated() -> None:
    game = set_up(P4)
    game.play("f1-c4")
    assert state(game) == ("-", "c4,e6:+ZZ,-XY")
    game.play("h8-h7")
    assert outcomes(game, "c4-e6") == {"c4-e6.mc4B,e6N": HALF, "c4-e6.mc4P,e6P": HALF}


def test_P4_without_the_entangler_the_four_outcomes_are_equal() -> None:
    game = set_up(P4, profile="text+entangler=none")
    game.play("f1-c4")
    assert game.position.systems == (("wBf", "bNe"),)
    game.play("h8-h7")
    assert outcomes(game, "c4-e6") == dict.fromkeys(
        ("c4-e6.mc4B,e6N", "c4-e6.mc4P,e6N", "c4-e6.mc4B,e6P", "c4-e6.mc4P,e6P"), 0.25
    )


def test_P5_a_mixed_rook_measures_the_far_partner_too() -> None:
    game = set_up(P4.replace("\n. . . . . . . .\nK", "\n. . . . . . R .\nK"))
    game.play("f1-c4")
    game.play("h8-h7")
    assert outcomes(game, "g2-e2") == {
        f"g2-e2.mg2{rook},c4{bishop},e6{knight}": 0.25 for rook in "RP" for bishop, knight in ("BN", "PP")
    }
    game.play("g2-e2.mg2P,c4P,e6P")
    assert game.position.systems == ()
    assert state(game)[0] == "e2:-Z,c4:-Z,e6:-Z"


P6 = """
k . . . . . n .
. . . . . . . .
. . . . . . . .
. . . q . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
K . . . . . . ."""


@pytest.mark.parametrize(("profile", "knight"), [("text", {"N": 0.5, "P": 0.5}), ("text+entangler=none", {"N": 1.0})])
def test_P6_entangling_shows_when_the_queen_moves(profile: str, knight: Outcomes) -> None:
    game = set_up(P6, "b", profile=profile)
    game.play("g8-f6")
    if profile == "text":
        assert state(game)[1] == "f6,d5:-XZ,-ZX"  # 1/2 (-1, 1, 1, 1)
    game.play("a1-b1")
    game.play("d5-d2")
    assert odds(game, "f6") == knight
    if profile == "text":
        assert state(game)[1] == "f6,d2:-XZ,-ZX"  # 1/2 (1, -1, -1, -1), the same state
    else:
        assert odds(game, "d2") == {"Q": 1.0}
        assert game.position.systems == ()


P7 = """
. .    . . . . . k
. .    . . . . . .
. .    . . . . n .
. .    . . . . . .
. .    . . . . . .
. P(R) . . . N . .
. .    . . . . . .
K .    . Q . . . ."""


def test_P7_a_queen_acts_on_her_own_colour_only_and_moves_back_to_even_odds() -> None:
    game = set_up(P7)
    game.play("d1-d3")
    assert state(game) == ("b3:+X,d3:+Z,f3:+Z", "-")
    assert odds(game, "g6") == {"N": HALF, "P": HALF}
    game.play("h8-g8")
    game.play("d3-d4")
    assert odds(game, "d4") == {"Q": HALF, "P": HALF}


def test_P8_a_queen_entangles_a_pawn_that_stays_mixed() -> None:
    game = set_up(P7.replace("N", ".").replace("n", "."), lone="b3:-Y")
    game.play("d1-d3")
    assert state(game) == ("-", "d3,b3:+ZX,+XY")
    registers = game.position.registers
    amplitudes = registers.register("wQd").amplitudes(("wPb", "wQd"))
    turn = amplitudes[0] / 0.5
    assert [amplitudes[k] / turn for k in range(4)] == [pytest.approx(a) for a in (0.5, 0.5, -0.5j, 0.5j)]


# -- P9: the limit ----------------------------------------------------------------------------------

P9 = """
k .    . . . . . .
. .    . . . . . .
p .    . . . . . p
. .    . n . . . p
. .    . . . . . P
. n    . . . . . P
. .    . . . . . P
K .    . . . B . ."""
GROUPS = "f1,h2,h3,h4:-YYXX,+ZZII,+IZZI,+IIZZ;d5,h5,h6:-YYX,+ZZI,+IZZ"


def test_P9_a_system_of_eight_is_measured_and_nothing_else_happens() -> None:
    game = set_up(P9, systems=GROUPS)
    assert list(game.chances("f1-c4").values()) == [pytest.approx(1 / 8)] * 8
    game.play("f1-c4")
    assert game.position.systems == ()
    assert odds(game, "a6") == {"P": 1.0}
    assert all(len(game.position.odds(piece)) == 1 for piece in game.position.board.values())


def test_P9_a_piece_that_would_be_determined_does_not_count() -> None:
    game = set_up(P9, lone="b3:+Y", systems=GROUPS)
    assert not game.play("f1-c4").measured
    assert [len(system) for system in game.position.systems] == [7]
    assert state(game)[0] == "b3:+Z,a6:-Y"


def test_P9_in_the_other_order_the_determined_are_acted_on_first() -> None:
    game = set_up(P9, systems=GROUPS, profile="text+collapse_order=after_determined")
    assert game.play("f1-c4").measured
    assert game.position.systems == ()
    assert odds(game, "a6") == {"P": HALF, "R": HALF}


# -- P10: promotion ---------------------------------------------------------------------------------

P10 = """
. {} . . . . . .
. . P(R) . . . . .
. . . . B . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
K . . . . . . k"""


@pytest.mark.parametrize("bishop", ["B", "P"])
def test_P10_a_quiet_promotion_measures_the_partner_and_makes_a_new_queen(bishop: str) -> None:
    game = set_up(P10.format("."), systems="c7,e6:+XX,+ZZ")
    assert outcomes(game, "c7-c8") == {"c7-c8.me6B": HALF, "c7-c8.me6P": HALF}
    game.play(f"c7-c8.me6{bishop}")
    assert odds(game, "e6") == {bishop: 1.0}
    queen = game.position.board["c8"]
    assert (queen.kind, queen.second, queen.moved, queen.id) == ("Q", "P", True, "wPc")
    assert odds(game, "c8") == {"Q": HALF, "P": HALF}
    assert state(game) == ("e6:+Z" if bishop == "B" else "e6:-Z", "-")


@pytest.mark.parametrize(("found", "kind", "after"), [("P", "Q", {"Q": 0.5, "P": 0.5}), ("R", "P", {"R": 1.0})])
def test_P10_a_capture_promotes_only_what_was_found_as_pawn(found: str, kind: str, after: Outcomes) -> None:
    game = set_up(P10.format("r").replace("B", "."), lone="c7:+X,b8:+Z")
    assert outcomes(game, "c7-b8") == {"c7-b8.mc7P": HALF, "c7-b8.mc7R": HALF}
    game.play(f"c7-b8.mc7{found}")
    assert game.position.board["b8"].kind == kind
    assert odds(game, "b8") == after


# -- P11 and P12 --------------------------------------------------------------------------------------

P11 = """
. . . . . . . k
. . . . . . . .
. . . . . . . .
. . . . . . . .
. b . . . . . .
. . . . . . . .
. . . N . . . .
. . . . K . . ."""


def test_P11_opening_the_line_of_a_mixed_bishop_loses_at_once() -> None:
    game = set_up(P11)
    game.play("d2-f3")
    assert str(game.result) == "Black wins: a white king was left in check"
    game = set_up(P11)
    game.play("e1-e2")
    assert game.result is None


def test_P11_a_knight_that_flips_its_own_pawn_to_an_attacked_king_loses() -> None:
    board = """
    . . . . r . . k
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . P . . .
    K N . . . . . ."""
    game = set_up(board, lone="e8:+Z")
    game.play("b1-c3")
    assert odds(game, "e2") == {"K": 1.0}
    assert str(game.result) == "Black wins: a white king was left in check"


P12 = """
. . . . . . . k
. n . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
K R . . . . . ."""


def test_P12_a_rooks_capture_stands_even_if_it_is_found_as_pawn() -> None:
    game = set_up(P12, lone="b7:+Z")
    assert outcomes(game, "b1-b7") == {"b1-b7.mb1R": HALF, "b1-b7.mb1P": HALF}
    game.play("b1-b7.mb1P")
    assert game.position.board["b7"].id == "wRb"
    assert odds(game, "b7") == {"P": 1.0}
    with pytest.raises(IllegalMoveError, match="needs a piece of black"):
        game.play("b7-b8")
    assert set(outcomes(set_up(P12), "b1-b7")) == {f"b1-b7.mb1{r},b7{n}" for r in "RP" for n in "NP"}
