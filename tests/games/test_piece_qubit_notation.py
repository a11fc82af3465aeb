"""How piece-qubit chess is written: PQ-FEN, moves, the replay form, JSON, boards and descriptions."""

from __future__ import annotations

import json
import random
import textwrap
from collections import Counter
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits import Registers
from qchess.errors import IllegalMoveError, ImpossibleOutcomeError, InvalidMoveError
from qchess.games.piece_qubit_chess import PieceQubitChess, jsonform, replay, write_replay
from qchess.games.piece_qubit_chess.generators import generators, state_of
from qchess.games.piece_qubit_chess.movement import attacked, legal
from qchess.games.piece_qubit_chess.states import LONE, amplitudes_of, normed, preparation
from qchess.playing.agents.searchmodel import RulesModel, one_by_one
from qchess.playing.game import Game
from qchess.rules import Result
from qchess.showing.view import Man

P4 = "7k/8/4n3/8/8/8/8/K4B2 w - - - 0 text"
KINGLESS = "rnbq1bnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQ1BNR w = - - 0 text"


def new(position: str | dict[str, Any], **options: Any) -> Game:
    return qchess.new("piece-qubit-chess", seed=1, position=position, **options)


def rules(game: Game) -> PieceQubitChess:
    assert isinstance(game.rules, PieceQubitChess)
    return game.rules


def pqfen(game: Game) -> str:
    return rules(game).pqfen(game.position)


def random_game(seed: int, plies: int, position: str | None = None) -> Game:
    game = Game(PieceQubitChess(position=position), seed=seed)
    rng = random.Random(seed)
    while len(game.history) < plies and not game.result:
        game.play(rng.choice(game.rules.moves(game.position)))
    return game


# -- positions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_every_position_of_a_game_reads_back_from_its_pqfen_and_its_json(seed: int) -> None:
    game = random_game(seed, 60, KINGLESS)
    while game.history:
        text = pqfen(game)
        again = new(text)
        assert pqfen(again) == text
        data = rules(game).json(game.position)
        same = new(json.loads(json.dumps(data))).position
        assert same.key()[:-1] == game.position.key()[:-1]
        assert same.registers.same_as(game.position.registers)
        game.undo()


@pytest.mark.parametrize(
    "text",
    [
        "7k/8/4n3/8/8/8/8/K4B2 w - e6:(0.6,0.8i) - 7 text",
        "7k/8/4n3/8/8/8/8/K4B2 b - f1:+Z,e6:(0.6,-0.48+0.64i) - 7 code",
        "7k/8/4n3/8/8/8/8/K4B2 w - - f1,e6:(0.6,0,0,0.8i) 0 text+entangler=none",
        "7k/8/4n3/8/8/8/8/K4B2 w +a1 - e6,f1:+ZZ,-XY 0 text",
        "r3k2r/8/8/3P(R)4/8/8/4P3/R3K3 w =-a1,h8 - - 0 text+max_plies=40",
        "r3k2r/8/8/8/8/8/4P3/R3K3 w - e2:-Z - 0 text",
    ],
)
def test_a_pqfen_reads_back_as_it_was_written(text: str) -> None:
    game = new(text)
    assert pqfen(game) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("7k/8/8/8/8/8/8/K7 w - - 0 text", "seven fields"),
        ("7k/8/8/8/8/8/K7 w - - - 0 text", "a board of 8 by 8 squares, got 8 by 7"),
        ("7k/8/8/8/8/8/9/K7 w - - - 0 text", "ranks of one length"),
        ("7k/8/8/8/8/8/8/KX6 w - - - 0 text", "expected a piece"),
        ("7k/8/8/8/8/8/8/KN(R)6 w - - - 0 text", "only a Q-pawn's second type"),
        ("7k/8/8/8/8/8/8/K7 x - - - 0 text", "the side to be one of w, b"),
        ("7k/8/8/8/8/8/8/K7 w ? - - 0 text", "for the unmoved pieces"),
        ("7k/8/8/8/8/8/8/K7 w - b2:+Z - 0 text", "squares with a piece"),
        ("7k/8/8/8/8/8/8/K7 w - a1:+Z - 0 text", "none a king"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - e6:(1,1) - 0 text", "norm 1"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - e6:+Q - 0 text", "amplitudes in parentheses"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - e6:(a,b) - 0 text", "an amplitude such as"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - e6:+Z f1,e6:+XX,+ZZ 0 text", "each state is of other pieces"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - - f1,e6:+XX,+ZI 0 text", "must commute"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - - f1,e6:+XX,-XX 0 text", "must be independent"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - - f1,e6:+ZI,+IX 0 text", "no determined member"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - - f1:+X 0 text", "2 to 7 pieces"),
        ("7k/8/4n3/8/8/8/8/K4B2 w - - - 0 house", "a profile is one of"),
    ],
)
def test_a_pqfen_that_is_none_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=why):
        new(text)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"pieces": []}, "none a king or absent"),
        ({"ply": -1}, "'ply' to be an integer from 0"),
        ({"side": "x"}, "'side' to be one of w, b"),
        ({"systems": [{"members": ["wBf"]}]}, "'amps' to be a list"),
        ({"systems": [{"members": ["wBf"], "amps": [[1, 0]]}]}, "expected 2 amplitudes"),
        ({"systems": [{"members": ["wBf"], "amps": [[float("nan"), 0], [0, 0]]}]}, "a part of an amplitude"),
    ],
)
def test_a_position_in_json_that_is_none_is_refused_with_the_reason(change: dict[str, Any], why: str) -> None:
    game = new(P4.replace("- - 0", "f1:-X - 0"))
    with pytest.raises(InvalidMoveError, match=why):
        new(rules(game).json(game.position) | change)


@pytest.mark.parametrize("size", [8, 24, 100_000])
def test_a_system_is_refused_by_its_size_before_its_state_is_made(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for maker in ("state_of", "from_pairs"):
        monkeypatch.setattr(jsonform, maker, lambda *_: pytest.fail("a state is made"))
    data = rules(game := new(P4)).json(game.position)
    words = [f"+{'I' * k}X{'I' * (size - 1 - k)}" for k in range(min(size, 30))]
    names = [f"p{k}" for k in range(size)]
    for state in ({"generators": words}, {"amps": [[1, 0]] * size}):
        with pytest.raises(InvalidMoveError, match="'members' to be a list of at most 7"):
            new(data | {"systems": [{"members": names, **state}]})
    with pytest.raises(InvalidMoveError, match="2 to 7 pieces"):
        state_of(words, size)


def test_an_eight_piece_system_is_refused() -> None:
    squares = ",".join(f"{file}3" for file in "abcdefgh")
    words = ",".join("I" * k + "X" + "I" * (7 - k) for k in range(8))
    with pytest.raises(InvalidMoveError, match="2 to 7 pieces"):
        new(f"k7/8/8/8/8/NNNNNNNN/8/K7 w - - {squares}:{words} 0 text")


# -- states -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LONE)
def test_each_lone_state_is_prepared_from_0_by_its_gates(name: str) -> None:
    registers = new(f"7k/8/4n3/8/8/8/8/K4B2 w - e6:{name} - 0 text").position.registers
    assert amplitudes_of(registers, ("bNe",)) == pytest.approx(normed(LONE[name], name))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_any_state_is_prepared_by_a_program_so_that_its_past_is_a_circuit(size: int) -> None:
    rng = random.Random(size)
    raw = [complex(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(2**size)]
    norm = sum(abs(a) ** 2 for a in raw) ** 0.5
    amplitudes = normed([a / norm for a in raw], "test")
    members = tuple(f"wN{k}" for k in range(size))
    registers = Registers(backends.engine("sparse")).run(preparation(members, amplitudes)).registers
    assert amplitudes_of(registers, members) == pytest.approx(amplitudes)


def test_generators_name_a_state_and_give_it_back() -> None:
    half = 0.5
    book = normed([(1 + 1j) / 2, 0, 0, (1 - 1j) / 2], "P4")
    assert generators(book, 2) == ("+ZZ", "-XY")
    assert state_of(("+ZZ", "-XY"), 2) == pytest.approx(book)
    assert generators(normed([-half, half, half, half], "P1"), 2) == ("-XZ", "-ZX")
    assert generators(normed([0.6, 0.8j], "no stabilizer state"), 1) is None


# -- moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["c4-e6", "c4e6", "c4xe6", "Bc4-e6", " c4-e6 "])
def test_a_move_may_be_written_in_several_ways(text: str) -> None:
    game = new(P4)
    game.play("f1-c4")
    game.play("h8-h7")
    assert game.play(text, outcome=[0]).text == "c4-e6.mc4B,e6N"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("c4-", "expected a move"),
        ("c4-e6.m", "after .m expected"),
        ("c4-e6.mc4B,c4B,e6N", "each square once"),
        ("c4-e6.mc4B", "measures c4, e6"),
        ("c4-e6.mc4R,e6N", "is B or P"),
        ("c4-d5.md5N", "measures nothing"),
    ],
)
def test_a_move_whose_record_does_not_fit_is_refused(text: str, why: str) -> None:
    game = new(P4)
    game.play("f1-c4")
    game.play("h8-h7")
    with pytest.raises(InvalidMoveError, match=why):
        game.play(text)


def test_an_illegal_move_is_refused_with_what_was_possible() -> None:
    game = qchess.new("piece-qubit-chess")
    with pytest.raises(IllegalMoveError, match="a Knight or Pawn goes from b1 to c3, a3, not to b3"):
        game.play("b1-b3")
    with pytest.raises(IllegalMoveError, match=r"a Rook or Pawn cannot leave a1$"):
        game.play("a1-a3")
    with pytest.raises(IllegalMoveError, match="on b1 stands a N"):
        game.play("Bb1-c3")
    with pytest.raises(IllegalMoveError, match="there stands nothing"):
        game.play("e4-e5")


def test_a_forced_outcome_of_probability_0_is_refused_and_changes_nothing() -> None:
    game = new(P4)
    game.play("f1-c4")
    game.play("h8-h7")
    before = game.position
    with pytest.raises(ImpossibleOutcomeError):
        game.play("c4-e6.mc4B,e6P")
    assert game.position is before


# -- records ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [None, KINGLESS])
def test_the_replay_form_plays_the_same_game_again(position: str | None) -> None:
    game = random_game(3, 80, position)
    text = write_replay(game)
    assert text.startswith("position startpos moves" if position is None else f"position pqfen {position} moves")
    again = replay(text)
    assert write_replay(again) == text
    assert again.position == game.position
    assert hash(again.position) == hash(game.position)


def test_a_replay_that_hides_a_measurement_is_refused() -> None:
    with pytest.raises(InvalidMoveError, match="no answer was given: write the answer with the move"):
        replay(f"position pqfen {P4} moves f1-c4 h8-h7 c4-e6")
    with pytest.raises(InvalidMoveError, match="expected 'position startpos"):
        replay("startpos moves f1-c4")


def test_a_record_rebuilds_the_rules_and_the_game() -> None:
    game = random_game(2, 30, KINGLESS.replace("text", "text+entangler=none"))
    record = qchess.Record.from_json(game.record().to_json())
    assert qchess.replay(record).position == game.position


# -- what players see -------------------------------------------------------------------------------


def test_the_board_shows_both_types_of_a_piece_with_their_odds_and_the_systems() -> None:
    game = qchess.new("piece-qubit-chess")
    game.play("b1-c3")
    view = game.rules.view(game.position, game.history[-1].move)
    assert [man.symbol for man in view.men["c3"]] == ["N", "P"]
    assert [man.probability for man in view.men["c3"]] == pytest.approx([0.5, 0.5])
    assert view.men["e2"] == (Man("K", 1.0),)
    assert [man.symbol for man in view.men["b8"]] == ["n", "p"]
    assert view.groups == (("c3", "d1"),)
    assert view.links == (("c3", "d1", 1.0),)
    assert view.marked == ("b1", "c3")
    assert view.notes == (
        "black to move, ply 1", "white kings: e1 e2", "black kings: e8", "system of 2: c3 d1",
    )  # fmt: skip
    assert "K" in str(game)
    assert game._repr_svg_().startswith("<svg")


@pytest.mark.parametrize(
    ("moves", "move", "told"),
    [
        ([], "b1-c3", "area: d1 Queen 50%/Pawn 50%, a2 Pawn, e2 Pawn; a2 Pawn -> Rook, e2 Pawn -> King; "
         "system of 2, 8 collapse"),
        ([], "e2-e4", "only the move"),
        (["f1-c4", "h8-h7"], "c4-e6", "measures: Bishop on c4 and Knight on e6 50%, Pawn on c4 and Pawn on e6 50%"),
    ],
)  # fmt: skip
def test_a_move_is_described_before_it_is_played(moves: list[str], move: str, told: str) -> None:
    game = new(P4) if moves else qchess.new("piece-qubit-chess")
    for text in moves:
        game.play(text)
    assert game.rules.describe(game.position, game.rules.read(game.position, move)[0]) == told


def test_a_collapse_is_announced_with_its_size() -> None:
    position = textwrap.dedent("""\
        k7/8/p6p/3n3p/7P/1n5P/7P/K4B2 w - -
        f1,h2,h3,h4:-YYXX,+ZZII,+IZZI,+IIZZ;d5,h5,h6:-YYX,+ZZI,+IZZ 0 text""").replace("\n", " ")
    game = new(position)
    told = game.rules.describe(game.position, game.rules.read(game.position, "f1-c4")[0])
    assert told.startswith(
        "area: b3 Knight 50%/Pawn 50%, d5 Knight 50%/Pawn 50%, a6 Pawn; measures 8 pieces, 8 outcomes"
    )
    assert told.endswith("a system of 8 would form and collapses")


def test_standing_well_is_material_in_the_mean_and_kings_in_safety() -> None:
    game = qchess.new("piece-qubit-chess")
    assert game.rules.evaluate(game.position) == {"white": 0.0, "black": 0.0}
    for move in ("f2-f3", "e7-e5", "g2-g4", "d8-h4"):
        game.play(move)
    assert game.rules.evaluate(game.position)["black"] > 20
    game.play("a2-a3")
    assert game.rules.evaluate(game.position) == {"white": -1000.0, "black": 1000.0}


@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 5))])
def test_a_list_of_moves_is_weighed_to_the_last_bit_as_its_outcomes_are(seed: int) -> None:
    ways = Counter[int]()
    for plies in (3, 9, 14):
        game = random_game(seed, plies)
        if game.result:
            continue
        found, moves = RulesModel(game.rules), game.rules.moves(game.position)
        ends = list(found.ends(game.position, moves))
        assert ends == [one_by_one(found, game.position, move) for move in moves]
        ways.update(map(len, ends))
    assert ways[1] > 20
    assert max(ways) >= 4, "no move measured two pieces"


def test_a_capture_that_measures_is_weighed_with_its_verdicts_to_the_last_bit() -> None:
    position = "k7/8/1N6/4p3/8/4R3/P1n5/K7 w - - b6,c2,e3:-YYX,+ZZI,+IZZ 0 text"
    rules = PieceQubitChess(position=position)
    start = Game(rules, seed=0).position
    found, moves = RulesModel(rules), rules.moves(start)
    ends = list(found.ends(start, moves))
    assert ends == [one_by_one(found, start, move) for move in moves]
    results = {end.result for ways in ends if len(ways) > 1 for end in ways}
    assert results >= {None, Result(None, "both lost"), Result("white", "last king lost")}


# -- attacks ----------------------------------------------------------------------------------------


def test_a_square_is_attacked_exactly_if_an_enemy_may_capture_there() -> None:
    seen = set()
    for seed in range(8):
        game = random_game(seed, 20)
        position = game.position
        for square, king in position.board.items():
            enemies = ((s, p) for s, p in position.board.items() if p.colour != king.colour)
            expected = any(square in legal(position.board, s, p, position.types(p)) for s, p in enemies)
            assert attacked(position.board, square, king.colour, position.types) == expected
            seen.add(expected)
        assert game.result is None or not game.moves()
    assert seen == {True, False}
