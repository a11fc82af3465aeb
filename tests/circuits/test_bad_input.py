"""Bad input gets one clear error that says what was expected, what came and where; nothing changes."""

import pytest

import qchess
from qchess import backends
from qchess.backends import FixedAnswers
from qchess.backends.catalogue import Row
from qchess.circuits import (
    BackendError,
    Gate,
    ImpossibleOutcomeError,
    MissingExtraError,
    Operation,
    Program,
    ProgramError,
    Registers,
    StateTooLargeError,
    UnknownBackendError,
    ask,
    cnot,
    h,
    iswap,
    read,
    split,
    when,
    where,
    x,
)

ENGINES = ["sparse", "cirq", "aer"]


def test_an_unknown_backend_lists_the_known_ones_and_guesses() -> None:
    with pytest.raises(
        UnknownBackendError, match=r"no backend is called 'spars'; known are sparse, cirq, aer.*'sparse'"
    ):
        backends.get("spars")
    with pytest.raises(qchess.QchessError):
        qchess.new("quantum-chess", backend="nowhere")


def test_a_qubit_used_twice_in_one_operation() -> None:
    with pytest.raises(ProgramError, match="ISWAP uses qubit 'a' twice"):
        iswap("a", "a")
    with pytest.raises(ProgramError, match="names a control twice"):
        x("a").when({"b": 1}).when({"b": 0})


def test_a_control_that_is_the_target() -> None:
    with pytest.raises(ProgramError, match="'a' as control and as target"):
        cnot("a", "a")
    with pytest.raises(ProgramError, match="must be 0 or 1, got 2"):
        x("a").when({"b": 2})


def test_a_gate_that_is_none() -> None:
    with pytest.raises(ProgramError, match="unknown gate 'CCX'; the vocabulary is ISWAP, SWAP"):
        Gate("CCX")
    with pytest.raises(ProgramError, match="H takes no parameter"):
        Gate("H", 0.5)
    with pytest.raises(ProgramError, match="finite parameter, got nan"):
        x("a", float("nan"))
    with pytest.raises(ProgramError, match=r"acts on 2 qubits, got \['a'\]"):
        Operation(Gate("SWAP"), ("a",))
    with pytest.raises(ProgramError, match="named by a non-empty string, got 3"):
        x(3)  # type: ignore[arg-type]


def test_a_program_of_other_things_or_with_one_name_twice() -> None:
    with pytest.raises(ProgramError, match="made of operations and questions, got 'x'"):
        Program("x")  # type: ignore[arg-type]
    with pytest.raises(ProgramError, match="each answer needs its own name"):
        Program(ask("m", where({"a": 1})), ask("m", where({"b": 1})))
    with pytest.raises(ProgramError, match="needs distinct qubits"):
        read("m", "a", "a")
    with pytest.raises(ProgramError, match="only operations can be inverted"):
        Program(ask("m", where({"a": 1}))).inverse()


def test_a_branch_on_an_answer_nobody_asked_for() -> None:
    program = Program(when("m", {1: Program(x("a"))}))
    assert program.unbound == ("m",)
    with pytest.raises(ProgramError, match="waits for the answer 'm', which was not asked"):
        Registers(backends.engine()).run(program)


@pytest.mark.parametrize("name", ENGINES)
def test_a_forced_impossible_answer(name: str) -> None:
    board = Registers(backends.engine(name), ["s"]).run(split("s", "a", "b")).registers
    with pytest.raises(ImpossibleOutcomeError, match="the answer 1 to 'm' has probability 0; the certain answer is 0"):
        board.run(Program(ask("m", where({"a": 1, "b": 1}))), FixedAnswers([1]))
    assert board.probability("a") == pytest.approx(0.5)


def test_an_open_question_without_a_source_and_a_list_that_runs_out() -> None:
    board = Registers(backends.engine()).apply(h("a"))
    question = Program(ask("m", where({"a": 1})))
    with pytest.raises(BackendError, match="no source answers it"):
        board.run(question)
    with pytest.raises(BackendError, match=r"the question 'm' is open .* no answer was given"):
        board.run(question, FixedAnswers([]))


@pytest.mark.parametrize("name", ENGINES)
def test_the_branch_limit_is_announced_before_it_bites(name: str) -> None:
    board = Registers(backends.engine(name, branch_limit=4)).apply(h("a"), h("b"))
    with pytest.raises(StateTooLargeError, match="nothing was changed"):
        board.apply(x("c").when({"a": 1}), x("d").when({"b": 1, "c": 0}), iswap("c", "e", 0.5), iswap("d", "f", 0.5))
    assert board.probability(where({"a": 1, "b": 1})) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("iswap a", "line 1"),
        ("x a\nfly b", "line 2"),
        ("ask m a=1", "line 1"),
        ("x a if b=7", "line 1"),
        ("when m\n  x a", "line"),
    ],
)
def test_malformed_program_text_names_the_line(text: str, complaint: str) -> None:
    with pytest.raises(ProgramError, match=complaint):
        Program.parse(text)


def test_a_missing_package_names_the_extra_to_install() -> None:
    row = Row("chip", "a chip", "nowhere:make", needs=("a_package_that_is_not_there",), extra="chips")
    assert not row.installed
    with pytest.raises(
        MissingExtraError, match=r"needs a_package_that_is_not_there; install it with: pip install 'qchess\[chips\]'"
    ):
        row.make()


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_is_asked_for_a_qubit_it_does_not_hold(name: str) -> None:
    engine = backends.engine(name)
    state = engine.prepare(("a", "b"), {1: 1})
    for ask_it in (
        lambda: engine.apply(state, x("z")),
        lambda: engine.probability(state, where({"z": 1})),
        lambda: engine.distribution(state, ("z",)),
    ):
        with pytest.raises(BackendError, match="'z'"):
            ask_it()


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("sparse", {"brunch_limit": 8}, "no option of backend 'sparse' is called 'brunch_limit'.*did you mean"),
        ("aer:mps", {"method": "statevector"}, "no option of backend 'aer:mps' is called 'method'"),
        ("sparse-shots", {"nonsense": 1}, "no option of backend 'sparse-shots' is called 'nonsense'"),
        ("aer-shots", {"noisy": True}, "no option of backend 'aer-shots' is called 'noisy'"),
        ("sparse-shots", {"timeout": -1}, "timeout"),
        ("sparse-shots", {"shots": "many"}, "a whole number of shots"),
        ("sparse", {"branch_limit": 0}, "branch limit"),
        ("cirq", {"branch_limit": "many"}, "branch limit"),
    ],
)
def test_an_option_that_a_backend_cannot_have(name: str, options: dict[str, object], complaint: str) -> None:
    with pytest.raises(BackendError, match=complaint):
        backends.get(name, **options)
