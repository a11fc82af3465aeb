"""Studies, lessons and classes: what the server answers, over real sockets."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

import qchess
from qchess.lessons.lesson import courses
from qchess.lessons.walk import Walk
from qchess.web.serving import Serving
from qchess.web.studies.asking import lesson, study
from tests.patience import PATIENCE
from tests.web.patient import PATIENT

LINE = [{"text": "b1^a3c3"}, {"text": "d7-d5"}]
CHESS = {"game": "quantum-chess", "line": LINE}


@pytest.fixture(scope="module")
def server():
    with Serving(PATIENT) as serving:
        yield serving


def ask(server, path, data=None, method=None):
    """The status and the JSON of an answer."""
    body = None if data is None else json.dumps(data).encode()
    headers = {"content-type": "application/json"} if body else {}
    request = urllib.request.Request(server.url + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


# -- a line, and what is asked after it ------------------------------------------------------------------------


def test_the_board_after_a_line_comes_with_its_moves(server):
    status, state = ask(server, "/api/study", {**CHESS, "ask": {"kind": "state"}})
    assert status == 200
    assert (state["ply"], state["player"], state["you"]) == (2, "white", "all")
    assert state["view"]["men"]["c3"][0]["probability"] == pytest.approx(0.5)
    assert any(move["text"] == "c3-d5" for move in state["moves"])


def test_the_teacher_sets_an_outcome_and_it_is_marked_so(server):
    for value in (0, 1):
        told = {"kind": "play", "text": "c3-d5", "answers": {"hit": value}}
        _, played = ask(server, "/api/study", {**CHESS, "ask": told})
        assert (played["entry"]["text"], played["entry"]["set"]) == (f"c3-d5.m{value}", True)
        assert played["entry"]["answers"] == {"hit": value}
        assert played["state"]["ply"] == 3
    _, drawn = ask(server, "/api/study", {**CHESS, "ask": {"kind": "play", "text": "c3-d5"}})
    assert drawn["entry"]["set"] is False
    assert drawn["entry"]["answers"]["hit"] in (0, 1)


def test_drawn_outcomes_are_drawn_anew_each_time():
    found = set()
    for seed in range(20):
        game = qchess.new(seed=seed)
        found.add(study(game, LINE, {"kind": "play", "text": "c3-d5"})["entry"]["text"])
    assert found == {"c3-d5.m0", "c3-d5.m1"}


def test_odds_circuits_registers_and_an_opinion_are_told_after_a_line(server):
    _, odds = ask(server, "/api/study", {**CHESS, "ask": {"kind": "odds", "square": "c3"}})
    assert odds["moves"]
    _, circuit = ask(server, "/api/study", {**CHESS, "ask": {"kind": "circuit", "of": "game"}})
    assert circuit["plies"]
    _, register = ask(server, "/api/study", {**CHESS, "ask": {"kind": "register", "square": "a3"}})
    assert register["squares"] == ["a3", "c3"]
    _, opinion = ask(server, "/api/study", {**CHESS, "ask": {"kind": "analyse", "agent": "greedy"}})
    assert opinion["candidates"]
    status, refused = ask(server, "/api/study", {**CHESS, "ask": {"kind": "analyse", "agent": "mcts@9000s"}})
    assert (status, "agent of this server" in refused["error"]) == (400, True)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"game": "ludo", "ask": {"kind": "state"}}, "ludo"),
        ({"line": [{"text": "b1-b9"}], "ask": {"kind": "state"}}, "move 1"),
        ({"line": [{"text": "b1^a3c3"}, {"text": "d7-d5"}, {"text": "c3-d5"}], "ask": {"kind": "state"}}, "answer"),
        ({"line": "b1", "ask": {"kind": "state"}}, "'line'"),
        ({"line": [], "ask": {"kind": "dance"}}, "kind of a question"),
        ({"line": [], "ask": 3}, "'ask'"),
        ({"options": {"fen": "nonsense"}, "ask": {"kind": "state"}}, "nonsense"),
        ({"line": [], "ask": {"kind": "play", "text": "e2-e4", "answers": {"hit": 1}}}, "hit"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_sentence(server, data, why):
    status, told = ask(server, "/api/study", {"game": "quantum-chess", **data})
    assert status == 400
    assert why in told["error"]


def test_positions_are_set_up_as_each_game_writes_them(server):
    status, found = ask(server, "/api/study/setups")
    assert status == 200
    by_name = {game["name"]: game for game in found["games"]}
    assert (by_name["quantum-chess"]["position"], by_name["quantum-chess"]["setup"]) == ("fen", "setup")
    assert by_name["niels-chess"]["position"] == "nfen"
    options = {"fen": "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "setup": "b1^a3c3"}
    _, state = ask(server, "/api/study", {"game": "quantum-chess", "options": options, "ask": {"kind": "state"}})
    assert state["view"]["men"]["a3"][0]["probability"] == pytest.approx(0.5)
    preset = by_name["quantum-checkers"]["presets"][0]["options"]
    _, state = ask(server, "/api/study", {"game": "quantum-checkers", "options": preset, "ask": {"kind": "state"}})
    assert state["ply"] == 0


# -- files, and sharing ---------------------------------------------------------------------------------------


def test_a_line_becomes_a_file_and_a_file_a_line(server):
    game = qchess.new(seed=1)
    for move in ("b1^a3c3", "d7-d5", "c3-d5"):
        game.play(move)
    _, opened = ask(server, "/api/study/open", {"text": game.record().to_json()})
    assert [move["text"] for move in opened["line"]] == [played.text for played in game.history]
    assert opened["line"][2]["answers"] == {"hit": game.history[2].answers[0].value}
    for form, begin in (("pgn", "["), ("json", "{"), ("html", "<!doctype"), ("animated", "<svg"), ("svg", "<svg")):
        told = {"game": opened["game"], "options": opened["options"], "line": opened["line"]}
        _, record = ask(server, "/api/study", {**told, "ask": {"kind": "record", "form": form}})
        assert record["text"].startswith(begin)
        if form in ("pgn", "json"):
            _, again = ask(server, "/api/study/open", {"text": record["text"]})
            assert [move["text"] for move in again["line"]] == [move["text"] for move in opened["line"]]
    status, refused = ask(server, "/api/study", {**CHESS, "ask": {"kind": "record", "form": "doc"}})
    assert (status, "pgn" in refused["error"]) == (400, True)


TREE = {
    "title": "A <b>split</b>", "game": "quantum-chess", "options": {},
    "nodes": [
        {"comment": "Look.", "arrows": [{"start": "b1", "end": "a3"}]},
        {"parent": 0, "text": "b1^a3c3", "by": "white", "answers": None},
        {"parent": 0, "text": "e2-e4", "by": "white", "comment": "or so"},
    ],
}  # fmt: skip


def test_a_study_is_shared_by_name_and_changed_with_its_key_alone(server):
    status, made = ask(server, "/api/studies", {"study": TREE})
    assert status == 201
    _, found = ask(server, f"/api/studies/{made['name']}")
    assert found["study"]["title"] == "A <b>split</b>"
    assert [node["text"] for node in found["study"]["nodes"]] == ["", "b1^a3c3", "e2-e4"]
    changed = {**TREE, "title": "Another"}
    assert ask(server, "/api/studies", {"study": changed, "name": made["name"], "key": "no"})[0] == 403
    assert ask(server, "/api/studies", {"study": changed, "name": made["name"], "key": made["key"]})[0] == 200
    assert ask(server, f"/api/studies/{made['name']}")[1]["study"]["title"] == "Another"
    assert ask(server, "/api/studies/nothinghere")[0] == 404
    assert ask(server, f"/api/tables/{made['name']}/record.json")[0] == 404, "a study is no table"


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": [{}, {"parent": 5, "text": "e2-e4"}]},
        {"nodes": [{}, {"parent": 1, "text": "e2-e4"}]},
        {"nodes": [{"comment": "x" * 5000}]},
        {"nodes": [{"arrows": [{"start": "b1", "end": "<script>"}]}]},
        {"title": 7},
        {"game": "ludo"},
        {"options": {"fen": "nonsense"}},
    ],
)
def test_a_study_holds_nothing_but_what_a_study_has(server, wrong):
    assert ask(server, "/api/studies", {"study": {**TREE, **wrong}})[0] == 400


def test_requests_that_no_page_of_ours_makes_are_refused(server):
    request = urllib.request.Request(server.url + "/api/study", b"{}", {"content-type": "text/plain"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=PATIENCE)
    assert refused.value.code == 415
    refused.value.close()


# -- lessons --------------------------------------------------------------------------------------------------


def test_the_lessons_are_those_of_the_terminal(server):
    _, found = ask(server, "/api/lessons")
    assert {course["game"] for course in found["courses"]} == set(courses())
    assert [each["name"] for each in found["courses"][0]["lessons"]]


@pytest.mark.parametrize("game", sorted(courses()))
def test_every_lesson_is_walked_through_by_what_the_learner_said_alone(game):
    for each in courses()[game].lessons:
        walk, said = Walk(each, seed=7), []
        rules = walk.game.rules
        while walk.awaits != "nothing":
            said.append("1" if walk.awaits == "prediction" else walk.step.moves[0])
            heard = walk.answer(said[-1])
        found = lesson(qchess.new(rules.name), each.name, 7, said)
        assert (found["awaits"], tuple(found["says"])) == ("nothing", heard)
        assert found["state"]["ply"] == len(walk.game.history)


def test_a_learner_is_told_what_to_do_and_may_be_wrong(server):
    start = {"game": "quantum-chess", "lesson": "split", "seed": 3}
    _, first = ask(server, "/api/lessons", start)
    assert (first["awaits"], len(first["question"]["choices"])) == ("prediction", 3)
    status, refused = ask(server, "/api/lessons", {**start, "said": ["9"]})
    assert (status, "1 to 3" in refused["error"]) == (400, True)
    _, wrong = ask(server, "/api/lessons", {**start, "said": ["1", "e1-e2"]})
    assert (wrong["awaits"], wrong["says"]) == ("move", ["That move is legal, but the task here is: b1^a3c3"])


# -- classes ---------------------------------------------------------------------------------------------------


class Page:
    """One page of a class."""

    def __init__(self, server, name, client, key=None, called=None):
        from websockets.sync.client import connect

        address = server.url.replace("http", "ws") + f"/ws/class/{name}"
        self.stack = ExitStack()
        # a page that stops reading holds up its own goodbye, so all that comes is taken
        line = connect(address, origin=server.url, max_queue=None, open_timeout=PATIENCE, ping_timeout=PATIENCE)
        self.socket = self.stack.enter_context(line)
        self.says(kind="hello", client=client, **({"key": key} if key else {}), **({"name": called} if called else {}))

    def says(self, **message):
        self.socket.send(json.dumps(message))

    def until(self, holds):
        """The first message for which something holds."""
        while True:
            message = json.loads(self.socket.recv(timeout=PATIENCE))
            if holds(message):
                return message

    def close(self):
        self.stack.close()


@pytest.fixture
def room(server):
    _, made = ask(server, "/api/classes", {"title": "Monday"})
    opened = []

    def enter(client, key=None, called=None):
        page = Page(server, made["name"], client, key, called)
        opened.append(page)
        return page

    yield enter, made["key"]
    for page in opened:
        page.close()


def test_a_class_sees_the_teachers_board_and_its_answers_are_counted(room):
    enter, key = room
    teacher = enter("teacher", key)
    students = [enter(f"student {k}") for k in range(5)]
    teacher.until(lambda m: m["students"] == 5)
    teacher.says(kind="show", **CHESS, comment="Look at c3.", arrows=[{"start": "c3", "end": "d5"}])
    for page in students:
        shown = page.until(lambda m: m.get("shown"))["shown"]
        assert shown["state"]["view"]["men"]["c3"][0]["probability"] == pytest.approx(0.5)
        assert (shown["comment"], shown["state"]["moves"], shown["state"]["you"]) == ("Look at c3.", [], None)
    teacher.says(kind="ask", **CHESS, move="c3-d5")
    asked = [page.until(lambda m: m["question"])["question"] for page in students]
    assert all("exact" not in question and "counts" not in question for question in asked)
    assert asked[0]["text"].startswith("White plays knight c3 takes d5. How likely is this outcome? ")
    assert "likely" not in asked[0]["text"].partition("?")[2]
    for page, guess in zip(students, (50, 25, 50, 90, 55), strict=True):
        page.says(kind="answer", value=guess)
    students[0].says(kind="answer", value=40)  # whoever answers again changes the answer
    counted = teacher.until(lambda m: (m["question"] or {}).get("counts") == [0, 0, 1, 0, 1, 2, 0, 0, 0, 1])
    assert counted["question"]["answered"] == 5
    teacher.says(kind="reveal")
    told = students[1].until(lambda m: (m["question"] or {}).get("over"))["question"]
    assert (told["exact"], told["median"], told["mine"]) == (0.5, 50, 25)
    students[2].says(kind="answer", value=1)
    assert "over" in students[2].until(lambda m: m["kind"] == "refused")["why"]


def test_only_the_teacher_is_told_the_names_of_who_is_here(room):
    enter, key = room
    teacher, ann, quiet = enter("teacher", key), enter("1", called=" Ann  B "), enter("2")
    assert teacher.until(lambda m: m["students"] == 2)["names"] == ["Ann B"]
    for page, name in ((ann, "Ann B"), (quiet, "")):
        told = page.until(lambda m: m["students"] == 2)
        assert (told["name"], "names" in told) == (name, False)
    ann.close()
    assert teacher.until(lambda m: m["students"] == 1)["names"] == []
    assert "'name'" in enter("3", called="x" * 41).until(lambda m: m["kind"] == "refused")["why"]


def test_a_class_is_asked_with_choices_too(room):
    enter, key = room
    teacher, student = enter("teacher", key), enter("one")
    teacher.says(kind="ask", text="Who stands better?", choices=["White", "Black"])
    student.until(lambda m: m.get("question"))
    student.says(kind="answer", value=1)
    assert teacher.until(lambda m: m["question"] and m["question"]["answered"])["question"]["counts"] == [0, 1]
    student.says(kind="answer", value=2)
    assert "choice" in student.until(lambda m: m["kind"] == "refused")["why"]
    teacher.says(kind="clear")
    assert student.until(lambda m: m["kind"] == "class" and m["question"] is None)


def test_only_the_teacher_shows_and_asks_and_only_who_has_the_key_is_the_teacher(room):
    enter, _key = room
    student = enter("one")
    student.until(lambda m: m["kind"] == "class")
    for kind in ("show", "ask", "reveal", "clear"):
        student.says(kind=kind, **CHESS)
        assert student.until(lambda m: m["kind"] == "refused")["why"] == "only the teacher may do this"
    from websockets.exceptions import ConnectionClosed

    with pytest.raises(ConnectionClosed):
        enter("two", "wrong key").until(lambda m: False)


def test_a_question_is_about_a_move_that_measures(room):
    enter, key = room
    teacher = enter("teacher", key)
    teacher.says(kind="ask", game="quantum-chess", line=[], move="e2-e4")
    assert "measures nothing" in teacher.until(lambda m: m["kind"] == "refused")["why"]
    teacher.says(kind="show", game="quantum-chess", line=[{"text": "e2-e5"}])
    assert "e2-e5" in teacher.until(lambda m: m["kind"] == "refused")["why"]


@pytest.mark.slow
def test_a_class_of_sixty_hears_a_board_within_two_seconds(room):
    enter, key = room
    teacher = enter("teacher", key)
    students = [enter(f"student {k}") for k in range(60)]
    teacher.until(lambda m: m["students"] == 60)
    teacher.says(kind="show", **CHESS)
    with ThreadPoolExecutor(60) as pool:
        found = list(pool.map(lambda page: page.until(lambda m: m.get("shown")), students))
    assert len(found) == 60
