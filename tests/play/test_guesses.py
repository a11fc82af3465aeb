"""What a developer tries first with a game: it works, or one sentence says what is called otherwise."""

from __future__ import annotations

import copy
import pickle
import random
import re
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends, circuits
from qchess.errors import NoSuchGameError, QchessError
from tests.study import test_guesses as students

GAMES = list(qchess.games.names())
#: what somebody who knows python-chess, chess.js, OpenSpiel or Qiskit types, and what it is, as text
DEVELOPER_WORKS = {
    "qchess.new().moves() == g.moves()": "True",
    "qchess.new(game='quantum-chess', seed=7).seed": "7",
    "'quantum-chess' in qchess.games.names()": "True",
    "repr(m)": "\"Move('b1-a3')\"",
    "str(m)": "'b1-a3'",
    "m.uci()": "'b1-a3'",
    "m.san()": "'b1-a3'",
    "copy.deepcopy(m) == m and pickle.loads(pickle.dumps(m)) == m": "True",
    "copy.copy(g).fen == g.fen": "True",
    "pickle.loads(pickle.dumps(p)) == p": "True",
    "hasattr(g, 'piece_at'), hasattr(g, '_repr_html_'), hasattr(m, '__array__')": "(False, False, False)",
    "len(g.legal_moves)": "22",
    "g.legal_moves() == g.legal_moves": "True",
    "g.legal_moves.count() == len(g.moves())": "True",
    "list(g.legal_moves)[0]": "Move('b1-a3')",
    "g.legal_moves[0]": "Move('b1-a3')",
    "random.Random(1).choice(g.legal_moves)": "Move('a2-a3')",
    "next(iter(g.legal_moves))": "Move('b1-a3')",
    "[str(move) for move in g.legal_moves] == g.moves()": "True",
    "f.push('e2-e4').text": "'e2-e4'",
    "f.push_san('Nf3').text": "'g1-f3'",
    "f.pop().text": "'d7-d5'",
    "f.undo_move().text": "'d7-d5'",
    "f.make_move('Nf3').text": "'g1-f3'",
    "f.move('e2-e4').text": "'e2-e4'",
    "f.play('e2-e4').text": "'e2-e4'",
    "f.move_stack == f.history": "True",
    "f.history[-1].text": "'d7-d5'",
    "f.copy() is f": "False",
    "f.fork() is f": "False",
    "g.is_game_over()": "False",
    "g.is_over": "False",
    "g.game_over()": "False",
    "g.outcome()": "None",
    "g.result": "None",
    "g.fen[:8]": "'rnbqkbnr'",
    "g.fen() == g.fen": "True",
    "g.record().to_json()[:1]": "'{'",
    "g['e2']": "{'P': 1.0}",
    "g.turn": "'white'",
    "g.current_player()": "'white'",
    "len(g.history)": "0",
    "len(g.outcomes('b1^a3c3'))": "1",
    '[(way.answers["hit"], round(way.probability, 6)) for way in half.outcomes("c3-d5")]': "[(1, 0.5), (0, 0.5)]",
    "g.legal_actions() == g.moves()": "True",
    "g.is_terminal()": "False",
    "p.size()": "2",
    "p.dagger() == p.inverse()": "True",
    "sorted(r.amplitudes())": "[1, 2]",
    "g.clone() is g": "False",
    "random.Random(3).choice(g.legal_moves) in g.legal_moves": "True",
    "g.turn_of('e4').move": "Move('e2-e4')",
    "'Nc3' in g.legal_moves, 'e2-e5' in g.legal_moves": "(True, False)",
    "dir(qchess).count('new')": "1",
}
#: the same where a sentence says what to use here
DEVELOPER_MEETS = {
    "qchess.Board()": "qchess.new('quantum-chess', fen=...) is a game with its",
    "qchess.open": "qchess.load('game.json') opens a game that save() has",
    "qchess.new('chess')": "; did you mean 'quantum-chess'?",
    "qchess.new(gamee=1)": "got gamee; did you mean 'game'?",
    "qchess.Game()": "Game(rules, backend, seed, source, start) needs 'rules'",
    "g.play()": "play(move, outcome) needs 'move'",
    "Registers(engine, ful=['a'])": "Registers(engine, full) takes no 'ful'; did you mean 'full'?",
    "r.run()": "run(program, source, most) needs 'program'",
    "r.run(p, sorce=1)": "takes no 'sorce'; did you mean 'source'?",
    "r.run(p, most='a')": "expected most as a number of branches, or None; got 'a'",
    "r.amplitudes(odrer=('a3',))": "amplitudes(order) takes no 'odrer'; did you mean 'order'?",
    "r.amplitudes(1, 2)": "amplitudes(order) was given 2 arguments without a name",
    "p.compile(levl='naive')": "takes no 'levl'; did you mean 'level'?",
    "p.draw(columns='x')": "expected columns as a whole number, or None; got 'x'",
    "p.renamed(3)": "new names come by the old ones, such as {'a3': 'b5'}; got 3",
    "qchess.make('quantum-chess')": "qchess.new('quantum-chess') is a new game",
    "qchess.load_game('quantum-chess')": "qchess.new('quantum-chess') is a new game",
    "qchess.list_games()": "qchess.games.names() are the games there are",
    "qchess.pgn": "pgn.loads(text) reads PGN as records",
    "qchess.from_fen('8/8')": "qchess.new('quantum-chess', fen=...) begins with a FEN",
    "qchess.Move.from_uci('e2e4')": "moves are texts",
    "qchess.legal_moves": "qchess.new('quantum-chess').legal_moves",
    "qchess.Program": "qchess.circuits has programs",
    "qchess.engine": "agents choose moves (from qchess.playing import agents)",
    "qchess.nothing": "qchess has no 'nothing'",
    "m.from_square": "str(move) names the squares, such as e2-e4",
    "m.text": "str(move) is its text",
    "m.outcomes()": "game.outcomes(move) lists all ways it can end",
    "g.is_legal('e2-e4')": "'e2-e4' in game.legal_moves says whether a move is legal",
    "g.generate_legal_moves()": "'e2-e4' in game.legal_moves says whether a move is legal",
    "g.parse_san('e4')": "turn_of('e2-e4').move is the move that a text names",
    "f.peek()": "history[-1] is the last move played, history has all",
    "g.is_check()": "check is no rule of Quantum Chess: a king may be taken",
    "g.is_checkmate()": "result is how the game ended",
    "g.board_fen()": "fen is the position as text",
    "g.pgn()": "pgn.dumps(game) is PGN (from qchess.games.quantum_chess import pgn)",
    "g.to_json()": "record().to_json() is the game as text",
    "g.piece_at('e2')": "game['e2'] has each piece that may stand on e2",
    "g.piece_map()": "game['e2'] has each piece that may stand on e2",
    "g.ply()": "len(game.history) is the number of moves",
    "g.ascii()": "print(game) shows the board, svg() draws it",
    "g.returns()": "result is how the game ended",
    "g.step('e2-e4')": "play('e2-e4') plays a move, result is how the game ended",
    "g.reset()": "qchess.new(...) is a new game",
    "g.best_move()": "agents choose moves (from qchess.playing import agents)",
    "g.play('e2-e5')": "'e2-e5' is not legal: the pawn from e2 does not reach e5",
    "g.play('hello')": "expected a move such as 'e2-e4', 'b1^a3c3', 'a3c3^b5' or",
    "f.set_piece_at('e2', 'Q')": "qchess.new('quantum-chess', fen=...) begins with the men of",
    "p.append(h('a3'))": "programs are values: program + x('a3') is a new one",
    "p.h('a3')": "program + h(...) is a new one",
    "p.cx('a', 'b')": "program + cx(...) is a new one",
    "p.simulate()": "Registers(engine).run(program, source) runs it",
    "p.compile(known=3)": "known maps names of qubits to 0 or 1",
    "p.compile(['exact'])": "a compile level is one of naive, exact, aware, got ['exact']",
    "Registers()": "registers live on an engine",
    "Registers('aer')": "registers live on an engine",
    "Registers(3)": "registers live on an engine",
    "Registers(g)": "registers live on an engine",
    "Registers(engine, 3)": "full is a tuple or list of names",
    "r.run(3)": "registers run a Program",
    "r.run('h a3')": "registers run a Program",
    "r.run([h('a3')])": "registers run a Program",
    "r.run(h('a3'))": "registers run a Program",
    "r.run(Program(read('m', 'a3')), 7)": "questions are answered by a source",
    "r.amplitudes('a3')": "an order is a tuple or list of names",
    "r.amplitudes(3)": "an order is a tuple or list of names",
    "r.probability(3)": "a probability is of a qubit's name or of a predicate",
    "r.project('a3')": "a predicate is found true or false",
    "r.num_qubits": "len(uncertain) is the number of qubits in superposition",
    "r.measure()": "run(Program(read('m', 'a3')), source) measures",
    "qchess.Game('quantum-chess')": "expected a game's rules",
    "g.load('x.json')": "qchess.load('game.json') opens a game that save() has",
    "g.engine": "agents choose moves (from qchess.playing import agents)",
    "g.random_move()": "random.choice(game.legal_moves) is a random move",
    "g.to_dict()": "record().to_json() is the game as text",
    "m.parse('e2-e4')": "turn_of('e2-e4').move of a game is the move that a text",
}
#: what a student of physics or chemistry types in a notebook, besides the table of `tests.study`
STUDENT_WORKS = {
    "g.probability('e2')": "1.0",
    "g.entanglement.number_of_edges()": "0",
    "g.qubit('a3')": "'a3'",
    "g.circuit()": "Program()",
    "g.circuit('b1^a3c3').num_qubits": "3",
    "callable(g.widget)": "True",
    "g.rules.title": "'Quantum Chess'",
    "round(qchess.study.entropy(half, 'a3'), 6)": "1.0",
    "qchess.study.entropies(half).keys() >= {'a3'}": "True",
    "abs(round(qchess.study.bloch(half, 'a3').z, 6))": "0.0",
    "round(qchess.study.purity(half, 'a3'), 6)": "0.5",
    "round(r.probability('a3'), 6)": "0.5",
    "p.draw()[:2]": "'b1'",
    "[way.position.ply for way in half.outcomes('c3-d5')]": "[3, 3]",
    "round(half.chances('c3-d5')[(('hit', 1),)], 6)": "0.5",
    "half['a3']": "{'N': 0.5}",
    "half.position.registers.register_of('a3')": "('a3', 'c3')",
    "half.position.registers.branches()": "(2,)",
    "sum(half.position.registers.sample(100, 1).values())": "100",
    "half.circuit(whole=True).num_qubits": "6",
    "half.entanglement.number_of_edges()": "1",
    "len(half.history)": "2",
}
#: the same where a sentence says what to use here
STUDENT_MEETS = {
    "g.entropy()": "qchess.study.entropy(game, 'a3')",
    "g.statevector()": "position.registers.statevector() is the dense vector of",
    "g.draw()": "print(game) shows the board",
    "g.plot()": "print(game) shows the board",
    "g.show()": "print(game) shows the board",
    "g.wavefunction()": "position.registers.statevector() is the dense vector of",
    "g.density_matrix()": "qchess.study.reduced(game, 'a3', 'c3')",
    "g.amplitudes()": "position.registers.amplitudes(order) has them",
    "g.probabilities()": "probability('a3') is how likely a square is full",
    "g.superposition": "position.registers.statevector() is the dense vector of",
    "g.entangled('a3')": "'c3' in game.position.registers.register_of('a3');",
    "g.is_entangled('a3', 'c3')": "'c3' in game.position.registers.register_of('a3');",
    "g.sample(10)": "position.registers.sample(1000, rng) counts read-outs",
    "g.counts()": "position.registers.sample(1000, rng) counts read-outs",
    "g.shots": "position.registers.sample(1000, rng) counts read-outs",
    "g.qubits": "position.registers.uncertain has what is open",
    "g.program()": "circuit('b1^a3c3') is a move's program",
    "g.unitary()": "circuit('b1^a3c3').unitary() is the matrix of a move that",
    "g.depth()": "circuit(whole=True).depth() is the depth of the whole game",
    "g.bloch('a3')": "qchess.study.bloch(game, 'a3')",
    "g.help": "game.rules.title names the game",
    "qchess.plot": "print(game) shows a board",
    "qchess.draw(g)": "print(game) shows a board",
    "qchess.entropy(g)": "qchess.study has the figures of a state",
    "qchess.bloch": "qchess.study has the figures of a state",
    "qchess.show": "print(game) shows a board",
    "qchess.simulate()": "qchess.new('quantum-chess').play(move) plays a move",
    "qchess.Statevector": "game.position.registers.statevector() is the dense vector",
    "qchess.QuantumCircuit(2)": "qchess.circuits has programs",
    "qchess.get_backend('aer')": "qchess.backends.names() lists the backends",
    "qchess.run()": "qchess.new('quantum-chess').play(move) plays a move",
    "qchess.h('a3')": "qchess.circuits has programs",
    "qchess.study.plot(g)": "board(game), amplitudes(game",
    "qchess.study.draw": "board(game), amplitudes(game",
    "qchess.study.bloch_sphere": "bloch_vectors(game, 'a3')",
    "qchess.study.trace": "reduced(game, 'a3', 'b5')",
    "qchess.study.measure": "measurements(game.record()) lists what was measured",
    "qchess.study.curves()": "curves(lines, points, title, across, up, log, high) needs 'lines'",
    "qchess.study.curves({'a': ([1], [2])}, high='x')": "expected high as a number of inches; got 'x'",
    "qchess.study.curves({'a': ([1], [2])}, hihg=3)": "takes no 'hihg'; did you mean 'high'?",
    "qchess.study.curves(3)": "expected lines by name",
    "qchess.study.curves([1, 2, 3])": "expected lines by name",
    "qchess.study.curves({'a': 3})": "expected lines by name",
    "qchess.study.curves({'a': [1, 2, 3]})": "expected lines by name",
    "qchess.study.curves({'a': ([1, 2], [3])})": "expected lines by name",
    "qchess.study.curves({'a': ([1], ['b'])})": "expected lines by name",
    "qchess.study.curves({'a': ([1], [3])}, log='z')": "expected logarithmic axes of x, y, xy; got 'z'",
    "qchess.study.counts([1, 2])": "expected a number for each name",
    "qchess.study.statevector(g)": "game.position.registers.statevector() is the dense vector",
    "qchess.study.wigner": "a qubit has no Wigner function here",
    "qchess.study.histogram({'a': 1})": "counts({'yes': 3, 'no': 5})",
    "r.draw()": "qchess.study.amplitudes(registers",
    "r.plot()": "qchess.study.amplitudes(registers",
    "r.state": "statevector(order) is the dense vector",
    "r.wavefunction": "statevector(order) is the dense vector",
    "r.measure_all()": "run(Program(read('m', 'a3')), source) measures",
    "r.entropy()": "qchess.study.entropy(registers, 'a3')",
    "r.bloch('a3')": "qchess.study.bloch(registers, 'a3')",
    "p.plot()": "print(program) and draw() show the circuit",
    "p.show()": "print(program) and draw() show the circuit",
    "p.state": "Registers(engine).run(program).registers.statevector(order)",
    "qchess.study.measure(g)": "measurements(game.record()) lists what was measured",
}


@pytest.mark.parametrize("name", GAMES)
def test_texts_can_be_looked_up_among_the_legal_moves(name: str) -> None:
    game = qchess.new(name, seed=1)
    legal, texts = game.legal_moves, game.moves()
    assert legal == list(legal)
    assert legal.count() == len(legal) == len(texts)
    for move, text in list(zip(legal, texts, strict=True))[:: max(1, len(texts) // 20)]:
        assert text in legal
        assert move in legal
        assert game.turn_of(move) in legal
        assert legal.count(move) == 1
    for nonsense in ("", "no move", "z9z8", 3, None, object()):
        assert nonsense not in legal
    assert repr(legal).startswith(f"<{len(legal)} legal moves: {texts[0]}, ")
    game.resign()
    assert (list(game.legal_moves), game.moves(), texts[0] in game.legal_moves) == ([], [], False)


@pytest.mark.parametrize("name", GAMES)
def test_moves_of_a_square_and_of_a_kind_are_all_moves(name: str) -> None:
    game = qchess.new(name, seed=1)
    kinds = [game.moves(kind=kind) for kind in ("move", "split", "merge", "other")]
    assert sorted(text for texts in kinds for text in texts) == sorted(game.moves())
    squares = game.rules.view(game.position).squares
    begun = {text for square in squares for text in game.moves(square)}
    assert begun == set(game.moves())
    with pytest.raises(QchessError, match="did you mean 'b1'"):
        game.moves("B1")
    with pytest.raises(QchessError, match="one of move, split, merge, other; got 'jump'"):
        game.moves(kind="jump")


def test_moves_of_a_knight() -> None:
    game = qchess.new("quantum-chess", seed=1)
    assert game.moves("b1") == ["b1-a3", "b1-c3", "b1^a3c3"]
    assert game.moves("b1", kind="split") == ["b1^a3c3"]
    assert game.moves("e4") == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"game": "quantum-chess", "nonsense": 1}, "profile, fen, setup, strict, castling"),
        ({"game": "piece-qubit-chess", "nonsense": 1}, "known are profile, position, setup"),
        ({"game": "quantum-checkers", "nonsense": 1}, "known are level, size, rows, profile, position"),
        ({"game": "niels-chess", "nonsense": 1}, "expected options among nfen, "),
        ({"game": "quantum-tic-tac-toe", "nonsense": 1}, "quantum-tic-tac-toe takes collapse; got 'nonsense'"),
        ({"preset": "poket"}, "did you mean 'pocket'"),
        ({"backend": "qiskit"}, "'aer' is Qiskit's simulator"),
        ({"backend": "IBM"}, "name one as ibm:<processor>"),
        ({"backend": "chess"}, "a game is named first"),
    ],
)
def test_what_a_new_game_does_not_take_is_named_with_what_it_takes(options: dict[str, Any], said: str) -> None:
    with pytest.raises(QchessError, match=said):
        qchess.new(**options)


def test_a_preset_is_a_small_board_and_takes_more_options() -> None:
    game = qchess.new("quantum-chess", preset="pocket", castling=False)
    assert game.fen.startswith("rnbqk/ppppp/5/PPPPP/RNBQK")
    assert game.rules.options()["castling"] is False


def test_a_file_that_is_not_there_and_what_is_no_record_are_named(tmp_path: Path) -> None:
    for load in (qchess.load, qchess.replay):
        with pytest.raises(NoSuchGameError, match=r"there is no file .*game\.save\(.* writes one"):
            load(tmp_path / "nofile")
    with pytest.raises(FileNotFoundError):
        qchess.load(tmp_path / "nofile")
    with pytest.raises(QchessError, match=r"expected a game record \(JSON\), got 'x\.txt'"):
        qchess.replay("x.txt")
    with pytest.raises(QchessError, match="expected a game record, its JSON or its file; got 3"):
        qchess.replay(3)  # type: ignore[arg-type]
    game = qchess.new(seed=1)
    game.save(tmp_path / "game.json")
    assert qchess.replay(tmp_path / "game.json").record() == qchess.load(tmp_path / "game.json").record()


@pytest.fixture(scope="module")
def named() -> dict[str, Any]:
    """What the guesses may name: games at the start and with half a knight, a move, a program, registers."""
    half = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "d7-d5"):
        half.play(move)
    engine, program = backends.engine(), circuits.split("b1", "a3", "c3")
    game = qchess.new("quantum-chess", seed=1)
    return {
        **{name: getattr(circuits, name) for name in circuits.__all__}, "qchess": qchess, "engine": engine, "g": game,
        "random": random, "copy": copy, "pickle": pickle, "p": program, "half": half, "m": game.legal_moves[0],
        "r": circuits.Registers(engine, ["b1"]).run(program).registers,
    }  # fmt: skip


def test_there_are_enough_guesses_and_no_other_table_has_them() -> None:
    theirs = students.WORKS.keys() | students.HINTED.keys()
    assert len(DEVELOPER_WORKS) + len(DEVELOPER_MEETS) >= 66
    assert len(STUDENT_WORKS) + len(STUDENT_MEETS) >= 46
    for works, meets in ((DEVELOPER_WORKS, DEVELOPER_MEETS), (STUDENT_WORKS, STUDENT_MEETS)):
        assert not works.keys() & meets.keys()
        assert not (works.keys() | meets.keys()) & theirs


def test_what_people_type_works(named: dict[str, Any]) -> None:
    for guess, expected in {**DEVELOPER_WORKS, **STUDENT_WORKS}.items():
        found = eval(guess, {**named, "f": named["half"].fork(seed=1)})
        assert repr(found) == expected, guess


def test_a_call_that_does_not_fit_is_a_type_error_too_and_other_type_errors_pass(named: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as caught:
        named["r"].run()
    assert isinstance(caught.value, QchessError)
    fails = circuits.errors.door(lambda number: number + "a")
    with pytest.raises(TypeError, match="unsupported operand") as caught:
        fails(1)
    assert not isinstance(caught.value, QchessError)


def test_what_people_type_meets_a_sentence_that_names_ours(named: dict[str, Any]) -> None:
    for guess, expected in {**DEVELOPER_MEETS, **STUDENT_MEETS}.items():
        with pytest.raises((ValueError, AttributeError), match=re.escape(expected)):
            eval(guess, {**named, "f": named["half"].fork(seed=1)})


BOARDS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in GAMES),
    ("quantum-chess", {"preset": "pocket"}),
    ("quantum-checkers", {"size": 12}),
]


@pytest.mark.parametrize(("name", "options"), BOARDS)
def test_a_move_prints_as_people_write_it(name: str, options: dict[str, Any]) -> None:
    game, dice = qchess.new(name, seed=1, **options), random.Random(1)
    for _ in range(4):
        for move in dice.sample(game.legal_moves, min(5, len(game.legal_moves))):
            assert repr(move) == f"Move({str(move)!r})"
            assert str(move) in game.legal_moves
            assert game.turn_of(str(move)).move == move
            for other in (pickle.loads(pickle.dumps(move)), copy.deepcopy(move)):
                assert (other, repr(other), hash(other)) == (move, repr(move), hash(move))
        played = game.play(dice.choice(game.legal_moves))
        assert played.text.startswith(str(played.move))


def test_the_names_that_matter_are_completed_and_no_others(named: dict[str, Any]) -> None:
    for thing in (named["g"], named["p"], named["r"], qchess):
        names = [name for name in dir(thing) if name != "__version__"]
        assert 20 <= len(names) <= 35
        for name in names:
            found = getattr(type(thing), name, None)
            assert not name.startswith("_")
            assert hasattr(thing, name)
            assert found.__doc__ or not (callable(found) or isinstance(found, property)), name
    assert {"legal_moves", "play", "undo", "outcomes", "result", "svg", "fork"} <= set(dir(named["g"]))
