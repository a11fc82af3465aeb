"""The worked examples of the rule book (section 15), the counts of its laws, and the switches of its variants."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import qchess
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.niels_chess import BOARDS, NielsChess, NielsXiangqi, Position, State, Variant
from qchess.games.niels_chess.effects import outcomes
from qchess.games.niels_chess.keys import effective
from qchess.games.niels_chess.listing import legal_moves
from qchess.games.niels_chess.nfen import write

PLAIN = NielsChess()
Ends = dict[str, Fraction]


def start(nfen: str, **switches: Any) -> tuple[NielsChess, Position]:
    rules = (
        NielsXiangqi(nfen, **switches)
        if "xiangqi" in switches and switches.pop("xiangqi")
        else NielsChess(nfen, **switches)
    )
    return rules, rules.start(qchess.backends.engine())


def ends(nfen: str, *moves: str, **switches: Any) -> Ends:
    """Every position that the last move leads to, with its chance; the moves before it ask nothing."""
    rules, position = start(nfen, **switches)
    for text in moves[:-1]:
        (way,) = rules.outcomes(position, rules.read(position, text)[0])
        position = way.position
    last = rules.read(position, moves[-1])[0]
    exact = {end.rolls: end.chance for end in outcomes(rules.book, position.state, last)}
    return {rules.nfen(way.position): exact[tuple(way.answers.values())] for way in rules.outcomes(position, last)}


def refused(nfen: str, *moves: str, **switches: Any) -> str:
    """Why the last move is not legal."""
    rules, position = start(nfen, **switches)
    for text in moves[:-1]:
        position = rules.step(position, rules.read(position, text)[0])[0]
    with pytest.raises(IllegalMoveError) as error:
        rules.read(position, moves[-1])
    return str(error.value)


# -- E1 to E10 --------------------------------------------------------------------------------------------------


def test_a_split_puts_a_knight_on_two_squares() -> None:
    start = BOARDS["8x8"]
    assert ends(start, "b1^a3c3") == {"rnbqkbnr/pppppppp/8/8/8/N1N5/PPPPPPPP/R1BQKBNR b KQkq - 1 1 a3oc3o": 1}
    assert ends(start, "e2^e2e4") == {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKBNR b KQkq e3 0 1 e4oe2o": 1}


def test_a_queen_takes_the_better_half_of_a_bishop_two_times_in_three() -> None:
    assert ends("7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p", "d1d6") == {
        "7k/8/3Q4/8/8/8/8/7K b - - 0 1 -": Fraction(2, 3),
        "7k/8/3Q4/8/8/b7/8/7K b - - 1 1 -": Fraction(1, 3),
    }


PAIRS = "7k/1n6/8/5n2/1R6/8/8/1R5K w - - 0 1 b1ob4p,b7of5o"


def test_a_pair_attempts_a_pair_with_two_coins() -> None:
    assert ends(PAIRS, "b4b7") == {
        "7k/1R6/8/8/8/8/8/7K b - - 0 1 -": Fraction(1, 6),
        "7k/1n6/8/8/8/8/8/1R5K b - - 1 1 -": Fraction(1, 3),
        "7k/1R6/8/5n2/8/8/8/7K b - - 1 1 -": Fraction(1, 6),
        "7k/8/8/5n2/8/8/8/1R5K b - - 1 1 -": Fraction(1, 3),
    }
    rules, position = start(PAIRS)
    assert rules.read(position, "b4b7.d23")[1] == {"roll1": 1, "roll2": 1}


def test_without_a_box_an_attacker_that_is_elsewhere_stops_the_attempt() -> None:
    assert ends(PAIRS, "b4b7", no_box=True) == {
        "7k/1n6/8/5n2/8/8/8/1R5K b - - 1 1 b7of5o": Fraction(2, 3),
        "7k/1R6/8/8/8/8/8/7K b - - 0 1 -": Fraction(1, 6),
        "7k/1R6/8/5n2/8/8/8/7K b - - 1 1 -": Fraction(1, 6),
    }


def test_a_remote_collapse_is_two_turns_of_one_player() -> None:
    game = qchess.new("niels-chess", nfen=PAIRS, remote_collapse=True, seed=0)
    game.play("M:b1b4", outcome=[0])
    assert (game.player, game.position.state.pending) == ("white", game.rules.book.numbers["b4"])  # type: ignore[attr-defined]
    assert set(game.chances("b4b7").values()) == {0.5}
    assert all(text.startswith("b4") for text in game.moves())
    game.play("b4b7.d2")
    assert game.player == "black"


JOIN = "7k/8/2r5/6r1/1N6/8/8/K7 w - - 0 1 c6og5o"


@pytest.mark.parametrize(("facing", "captured"), [("b4^b4od3o&c6", True), ("b4^b4pd3p&c6", False)])
def test_the_facing_of_a_joining_pair_decides_what_goes_with_what(facing: str, captured: bool) -> None:
    rules, position = start(JOIN)
    joined = rules.step(position, rules.read(position, facing)[0])[0]
    white = Position(joined.registers, joined.state._replace(turn=0), joined.players)
    found = [rules.nfen(way.position).split()[0] for way in rules.outcomes(white, rules.read(white, "b4c6")[0])]
    expected = ["7k/8/2N5/8/8/8/8/K7", "7k/8/8/6r1/8/3N4/8/K7"]
    assert sorted(found) == sorted(expected if captured else ["7k/8/2r5/8/8/3N4/8/K7", "7k/8/2N5/6r1/8/8/8/K7"])


def test_one_roll_settles_a_group_of_three() -> None:
    three = ("k6r/8/8/4q3/5B2/8/1q6/4R1K1 w - - 0 1 e5ob2p", "f4^f4oh6p&e5", "h8^h8oh7p&h6")
    assert list(ends(*three)) == ["k6r/7r/7B/4q3/5B2/8/1q6/4R1K1 w - - 2 2 e5ob2p@+,f4oh6p@+,h8oh7p@+"]
    assert ends(*three, "e1e5") == {
        "k6r/8/8/4R3/5B2/8/8/6K1 b - - 0 2 -": Fraction(2, 3),
        "k7/7r/7B/4R3/8/8/1q6/6K1 b - - 3 2 -": Fraction(1, 3),
    }


SHIELD = "rn2r2k/B7/8/8/8/4B3/8/4K3 w - - 0 1 e3oa7p"


def test_a_half_that_shields_its_king_may_not_be_risked_by_its_own_side() -> None:
    assert "own king" in refused(SHIELD, "a7b8")
    assert "own king" in refused(SHIELD, "e3f4")
    assert len(ends(SHIELD, "a7b6")) == 1
    theirs = ends(SHIELD.replace(" w ", " b "), "a8a7")
    assert sorted(theirs.values()) == [Fraction(1, 3), Fraction(2, 3)]


INDEFINITE = "3k4/3R4/8/8/8/8/7R/4K3 b - - 0 1 d7oh2o"


def test_a_king_may_join_the_pair_that_attacks_it() -> None:
    assert "own king" in refused(INDEFINITE, "d8^d8oc8o&d7")
    joined = "d8^d8pc8p&d7"
    assert ends(INDEFINITE, joined, "d7d8") == {
        "2kR4/8/8/8/8/8/8/4K3 b - - 2 2 -": Fraction(1, 2),
        "3k4/8/8/8/8/8/7R/4K3 b - - 2 2 -": Fraction(1, 2),
    }


def test_an_attack_of_one_third_that_nothing_removes_is_mate() -> None:
    rules, position = start("1k2R3/ppp5/8/8/8/8/4R3/6K1 b - - 0 1 e2oe8p")
    assert str(rules.result(position)) == "White wins: checkmate"


PASSING = "7k/8/8/5p2/5p2/8/6P1/K7 w - - 0 1 f4of5o"


def test_taking_in_passing_between_pairs() -> None:
    assert set(ends(PASSING, "g2^g4g2", "f4g3").values()) == {Fraction(1, 4)}
    on_the_square, in_passing = (ends(PASSING, "g2^g3g4", text) for text in ("f4g3", "f4g3.ep"))
    assert "7k/8/8/8/6P1/6p1/8/K7 w - - 0 2 -" in on_the_square
    assert "7k/8/8/8/8/6p1/6P1/K7 w - - 0 2 -" in in_passing


WAVES = "7k/8/1R6/8/8/8/1R6/K7 w - - 0 1 b2ob6o"


def test_interference_brings_a_pair_back_for_certain() -> None:
    assert ends(WAVES, "H:b2b6", hadamard=True) == {"7k/8/8/8/8/8/1R6/K7 b - - 1 1 -": 1}
    assert ends(WAVES, "Z:b2b6", hadamard=True) == {"7k/8/1R6/8/8/8/1R6/K7 b - - 1 1 b2ob6p": 1}
    phase = WAVES.replace("b6o", "b6p")
    assert ends(phase, "H:b2b6", hadamard=True) == {"7k/8/1R6/8/8/8/8/K7 b - - 1 1 -": 1}
    assert "would change nothing" in refused(WAVES, "X:b2b6")
    assert list(ends(phase, "X:b2b6")) == ["7k/8/1R6/8/8/8/1R6/K7 b - - 1 1 b2pb6o"]


CANNON = "2bakab2/9/7n1/9/9/9/9/7C1/9/3K5 w - - 0 1"


def test_xiangqi_asks_for_the_river_and_lets_a_half_be_a_mount() -> None:
    assert "River" in refused(CANNON, "h3^h4h5", xiangqi=True)
    assert len(ends(CANNON, "h3^h6h3", xiangqi=True)) == 1
    split = "2bakab2/9/7n1/9/7C1/9/9/7C1/9/3K5 w - - 0 1 h6oh3o"
    assert list(ends(split, "h3h8", xiangqi=True).values()) == [Fraction(1, 2)] * 2
    assert "not in reach" in refused(split, "h3h8", xiangqi=True, cannon_no_pair_mount="block")


def test_kings_of_one_group_may_face_each_other_with_zero_chance() -> None:
    kings = "3k1k3/9/9/9/9/9/9/9/4K4/9 w - - 0 1 d10of10o"
    assert "own king" in refused(kings, "e2^d2f2", xiangqi=True)
    assert "own king" in refused(kings, "e2^e2pd2p&d10", xiangqi=True)
    assert len(ends(kings, "e2^e2d2&d10", xiangqi=True)) == 1


# -- counts -------------------------------------------------------------------------------------------------------

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"


def perft(rules: NielsChess, state: State, depth: int) -> int:
    """The number of lines without superposition and entanglement."""
    moves = [move for move in legal_moves(rules.book, state) if move.kind == "move"]
    if depth == 1:
        return len(moves)
    return sum(perft(rules, outcomes(rules.book, state, move)[0].state, depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (PLAIN, [20, 400, 8902]),
        (NielsChess(KIWIPETE), [48, 2039]),
        (NielsChess(ENDGAME), [14, 191, 2812]),
        (NielsChess(PROMOTIONS), [6, 264, 9467]),
        (NielsXiangqi(), [44, 1920]),
    ],
    ids=["start", "kiwipete", "endgame", "promotions", "xiangqi"],
)
def test_without_quantum_moves_the_counts_are_those_of_chess(rules: NielsChess, counts: list[int]) -> None:
    """Perft counts that everybody knows (chess positions 1 to 4; Xiangqi)."""
    state = rules.start(qchess.backends.engine()).state
    assert [perft(rules, state, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "depth", "count"),
    [
        (PLAIN, 4, 197281),
        (NielsChess(KIWIPETE), 3, 97862),
        (NielsChess(ENDGAME), 4, 43238),
        (NielsXiangqi(), 3, 79666),
    ],
    ids=["start", "kiwipete", "endgame", "xiangqi"],
)
def test_the_deep_counts_are_those_of_chess(rules: NielsChess, depth: int, count: int) -> None:
    assert perft(rules, rules.start(qchess.backends.engine()).state, depth) == count


@pytest.mark.parametrize(
    ("switches", "quiet", "splits"),
    [
        ({}, 20, 30),
        ({"board": "4x4"}, 6, 0),
        ({"board": "4x5"}, 4, 4),
        ({"board": "4x5-micro"}, 12, 19),
        ({"board": "4x6"}, 8, 12),
        ({"board": "5x6"}, 7, 8),
        ({"board": "5x6-attack"}, 12, 18),
        ({"xiangqi": True}, 44, 45),
    ],
)
def test_every_start_has_the_moves_that_the_rule_book_counts(switches: dict[str, Any], quiet: int, splits: int) -> None:
    """Section 10 for the boards, section 6 for the 8x8 board and Xiangqi: moves and pairs of squares."""
    rules = NielsXiangqi() if switches.pop("xiangqi", False) else NielsChess(**switches)
    moves = rules.moves(rules.start(qchess.backends.engine()))
    pairs = {(move.start, frozenset(move.squares[1:])) for move in moves if move.kind == "split"}
    assert (sum(move.kind == "move" for move in moves), len(pairs)) == (quiet, splits)


def test_the_start_has_144_superpositions_as_marked_and_90_in_effect() -> None:
    state = PLAIN.start(qchess.backends.engine()).state
    splits = [move for move in legal_moves(PLAIN.book, state) if move.kind == "split"]
    assert len(splits) == 144
    assert len({effective(PLAIN.book, outcomes(PLAIN.book, state, move)[0].state) for move in splits}) == 90


# -- switches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("excluded", ["tunnelling", "no_box", "remote_collapse", "qrng"])
def test_the_deterministic_game_excludes_chance(excluded: str) -> None:
    switches: dict[str, Any] = {excluded: True}
    with pytest.raises(InvalidMoveError, match=f"excludes '{excluded}'"):
        Variant(deterministic=True, **switches)


def test_only_a_pawn_is_promoted_not_a_king_that_castles_nor_what_tunnels() -> None:
    for text in ("e1g1=Q", "e1f1=Q"):
        assert "only a pawn that reaches the last rank is promoted" in refused("4k3/8/8/8/8/8/8/4K2R w K - 0 1", text)
    behind = "4k3/8/8/8/8/p7/R7/4K3 w - - 0 1"
    assert "has no promotion, got 'Q'" in refused(behind, "a2a4=Q.t", tunnelling=True)


@pytest.mark.parametrize(
    ("switches", "reason"),
    [
        ({"drop_river": True}, "belongs to Xiangqi only"),
        ({"xiangqi": True, "board": "4x5"}, "belongs to chess only"),
        ({"xiangqi": True, "repetition": "threefold"}, "'perpetual_check' in Xiangqi"),
        ({"hplus_consent": True}, "needs 'hadamard_plus'"),
        ({"tunnel_barrier": "any"}, "needs 'tunnelling'"),
        ({"double_step": "twice"}, "one of home, never_after_split, off"),
        ({"slow": "yes"}, "is like False"),
    ],
)
def test_a_switch_that_means_nothing_is_refused_with_the_reason(switches: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidMoveError, match=reason):
        Variant(**switches)


def test_the_simplified_game_has_two_facings_and_no_inversion() -> None:
    rules = NielsChess(simplified=True)
    moves = rules.moves(rules.start(qchess.backends.engine()))
    assert {move.facing for move in moves if move.kind == "split"} == {"oo", "op"}
    assert "Simplified" in refused("7k/8/1R6/8/8/8/1R6/K7 w - - 0 1 b2ob6p", "X:b2b6", simplified=True)


def test_a_hadamard_move_of_a_group_may_need_consent() -> None:
    group = "7k/7r/8/8/1R6/8/1R5r/K7 w - - 0 1 b2ob4o@+,h2oh7o@+"
    game = qchess.new("niels-chess", nfen=group, hadamard_plus=True, hplus_consent=True, seed=0)
    game.play("H:b2b4")
    assert (game.player, game.moves()) == ("black", ["agree", "decline"])
    game.play("decline")
    assert game.player == "white"
    assert "H:b2b4" not in game.moves()
    game.undo()
    game.play("agree")
    assert write(game.rules.book, game.position.state) == "7k/8/8/8/8/8/1R5r/K7 b - - 1 1 -"  # type: ignore[attr-defined]


def test_suicide_loses_where_the_switch_says_so() -> None:
    facing = "3k5/9/9/9/9/9/P8/9/4K4/9 w - - 0 1"
    assert "own king" in refused(facing, "e2d2", xiangqi=True)
    game = qchess.new("niels-xiangqi", nfen=facing, suicide_loses=True)
    game.play("e2d2")
    assert str(game.result) == "Black wins: the king was left in check"


def test_three_times_the_same_position_is_a_draw_where_asked_for() -> None:
    game = qchess.new("niels-chess", repetition="threefold")
    for move in ("b1c3", "b8c6", "c3b1", "c6b8") * 2:
        assert game.result is None
        game.play(move)
    assert str(game.result) == "Draw: the same position came three times"


def test_a_cannon_attacks_the_pair_that_it_joins_over_its_own_other_half() -> None:
    rules, position = start("3k5/1r5r1/9/9/9/9/9/1C7/9/4K4 w - - 0 1 b9oh9o", xiangqi=True)
    joining = [move for move in rules.moves(position) if rules.write(position, move).endswith("&b9")]
    assert {"b3^b3ob6o&b9", "b3^b8ob3o&b9"} <= {rules.write(position, move) for move in joining}
    for move in joining:
        rules.check(position, move)


@pytest.mark.parametrize(
    ("before", "cycle"),
    [
        ((), ("f1e1", "e10f10", "e1f1", "f10e10")),
        (("f1f2", "e10e9"), ("f2e2", "e9f9", "e2f2", "f9e9")),
    ],
)
def test_perpetual_check_loses_in_xiangqi_whatever_came_before_the_cycle(
    before: tuple[str, ...], cycle: tuple[str, ...]
) -> None:
    chase = "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1"
    game = qchess.new("niels-xiangqi", nfen=chase, repetition="perpetual_check")
    for move in before + cycle * 3:
        if game.result is not None:
            break
        game.play(move)
    assert str(game.result) == "Black wins: perpetual check"


@pytest.mark.parametrize(
    ("nfen", "xiangqi", "told"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", False, "White wins: checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False, "Draw: stalemate"),
        ("3k5/3RR4/9/9/9/9/9/9/9/4K4 b - - 0 1", True, "Red wins: checkmate"),
        ("3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1", True, "Red wins: stalemate"),
    ],
)
def test_who_cannot_move_is_mated_or_stalemated_which_loses_in_xiangqi_alone(
    nfen: str, xiangqi: bool, told: str
) -> None:
    rules, position = start(nfen, xiangqi=xiangqi) if xiangqi else start(nfen)
    assert not list(rules.moves(position))
    assert str(rules.result(position)) == told
