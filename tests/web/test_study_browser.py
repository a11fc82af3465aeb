"""What the study half of the web board does in a browser."""

import pytest

import qchess
from qchess.showing import viewjson
from qchess.web.studies.circuits import circuit
from qchess.web.studies.registers import register
from tests.web.hands import until
from tests.web.study_page import page_of

SCRIPTS = "".join(f'<script type="module" src="/static/{name}.js"></script>' for name in ("board", "circuit"))
BOTH = f"<qc-board></qc-board><qc-circuit></qc-circuit>{SCRIPTS}"


@pytest.fixture
def game():
    game = qchess.new(seed=1)
    for move in ("b1^a3c3", "g8^f6h6", "c3^d5b5"):
        game.play(move)
    return game


@pytest.fixture
def panel(browser, game):
    """A board and a circuit panel over a game in this process."""

    def ask(message):
        kind = message.pop("kind")
        return circuit(game, **message) if kind == "circuit" else register(game, message["square"], message["ply"])

    page = page_of(browser, BOTH)
    page.expose_function("askGame", ask)
    page.evaluate(
        """async (view) => {
            const [circuit, board] = [document.querySelector('qc-circuit'), document.querySelector('qc-board')];
            await customElements.whenDefined('qc-circuit');
            await customElements.whenDefined('qc-board');
            window.lights = [];
            board.view = view;
            circuit.addEventListener('qc-light', (event) => window.lights.push(event.detail));
            circuit.ask = window.askGame;
            circuit.refresh();
        }""",
        viewjson.view(game.rules.view(game.position)),
    )
    page.wait_for_selector("qc-circuit .step")
    yield page
    assert page.errors == []
    page.close()


def test_the_circuit_of_the_last_move_comes_with_the_counts_of_its_levels(panel):
    assert panel.locator("qc-circuit .caption").inner_text().startswith("3. White: c3^d5b5")
    assert panel.locator("qc-circuit .step").count() == 2
    rows = panel.locator("qc-circuit tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["program", "naive", "exact", "aware"]
    panel.get_by_role("button", name="exact").click()
    until(panel, "document.querySelector('qc-circuit').shown.level === 'exact'")
    assert panel.locator("qc-circuit .step").count() > 2


@pytest.mark.slow
def test_a_gate_lights_up_its_wires_and_squares_and_its_turn(panel):
    panel.get_by_role("radio", name="Game").click()
    until(panel, "document.querySelector('qc-circuit').shown.of === 'game'")
    last = panel.locator("qc-circuit .step").last
    last.hover()
    light = panel.evaluate("window.lights.at(-1)")
    assert light["ply"] == 3
    assert set(light["squares"]) == {"c3", "b5"}
    lit = panel.locator("qc-circuit .qubit.lit").evaluate_all("all => all.map(w => w.dataset.qubit)")
    assert set(lit) == {"c3", "b5"}
    assert panel.locator("qc-circuit .step.lit").count() == 2, "both gates of the third turn"


@pytest.mark.slow
def test_a_square_and_a_move_light_up_wires_and_gates(panel):
    panel.get_by_role("radio", name="Game").click()
    until(panel, "document.querySelector('qc-circuit').shown.of === 'game'")
    panel.evaluate("Object.assign(document.querySelector('qc-circuit'), {lit: ['f6'], litPly: 2})")
    assert panel.locator("qc-circuit .qubit.lit").evaluate_all("all => all.map(w => w.dataset.qubit)") == ["f6"]
    assert panel.locator("qc-circuit .step.lit").count() == 3, "a full square is put there, and split"


def test_the_register_under_the_pointer_is_shown_with_its_amplitudes_and_entropies(panel):
    panel.get_by_role("radio", name="Register").click()
    panel.evaluate("document.querySelector('qc-circuit').square = 'b5'")
    panel.wait_for_selector("qc-circuit .bars .branch")
    assert panel.locator("qc-circuit .bars .branch").count() == 3
    assert panel.locator("qc-circuit .qentropy rect").count() == 9
    assert panel.locator("qc-circuit .bars .dial").count() == 3


@pytest.mark.slow
def test_gates_are_reached_by_the_keyboard_and_have_names(panel):
    panel.locator("qc-circuit .picture").focus()
    panel.keyboard.press("ArrowRight")
    focused = "document.querySelector('qc-circuit').shadowRoot.activeElement.getAttribute('aria-label')"
    assert panel.evaluate(focused) == "iSWAP^0.5 on c3, d5, turn 3"
    assert panel.evaluate("window.lights.at(-1).squares") == ["c3", "d5"]


@pytest.mark.slow
def test_the_circuit_is_copied_as_code(panel):
    panel.get_by_role("button", name="OpenQASM").click()
    text = panel.locator("qc-circuit textarea")
    text.wait_for()
    assert text.input_value().startswith("OPENQASM 3.0;")


@pytest.mark.slow
def test_answers_that_overtake_each_other_find_their_questions(panel):
    found = panel.evaluate("""async () => {
        const { Asker } = await import('/static/circuit.js');
        const asker = new Asker(() => undefined);
        const asked = { kind: 'circuit', of: 'register', ply: 3, level: 'program' };
        const all = asker.ask(asked), one = asker.ask({ ...asked, square: 'a3' });
        asker.take({ ...asked, square: 'a3', svg: 'one' });
        asker.take({ ...asked, square: null, svg: 'all' });
        return [(await all).svg, (await one).svg];
    }""")
    assert found == ["all", "one"]


@pytest.mark.slow
def test_a_picture_keeps_its_look_where_styles_in_pages_are_forbidden(panel):
    wire = panel.locator("qc-circuit .wire").first
    assert wire.evaluate("wire => getComputedStyle(wire).strokeWidth") == "1.4px"
    assert panel.locator("qc-circuit svg style").count() == 0
