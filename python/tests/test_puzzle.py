"""Puzzles: read, written, drawn, checked, solved."""

import pickle
import signal
import threading
import time

import numpy as np
import pytest

import kenga

SOLUTION = [[4, 1, 2, 3], [1, 4, 3, 2], [2, 3, 1, 4], [3, 2, 4, 1]]


def test_the_version_is_that_of_kenga():
    assert kenga.__version__.count(".") == 2


def test_a_puzzle_is_read_from_a_path_its_name_or_a_text(small, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(small.text("keen"))
    [named], [read], [text] = (kenga.Puzzle.read(source) for source in (str(path), path, small.text()))
    assert named == read == text == small
    assert (small.id, small.rows, small.cols, small.digits, small.kind) == ("4x4", 4, 4, [1, 2, 3, 4], "kenken")


def test_a_puzzle_is_solved_from_its_path_or_its_text(small, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(small.text("keen"))
    for source in (path, str(path), small.text(), "4:b_a4_a_6aa,m8s1a6s1m4a3d2"):
        answer = kenga.solve(source)
        assert answer.status == "unique" and answer.solutions[0].tolist() == SOLUTION and answer.puzzle == small
    (tmp_path / "two.jsonl").write_text(small.text() + small.text().replace("4x4", "other"))
    for source, error, said in (
        (tmp_path / "two.jsonl", kenga.Error, "several puzzles"),
        (tmp_path / "none.txt", FileNotFoundError, "none.txt"),
        ("hello", kenga.Error, "no known puzzle format"),
        (3, kenga.Error, "a text or the path of a file, not int"),
    ):
        with pytest.raises(error, match=said):
            kenga.solve(source)


def test_a_text_may_hold_many_puzzles(small):
    assert kenga.Puzzle.read(small.text() + small.text().replace("4x4", "other")) == [small, small]


def test_equal_puzzles_are_equal_and_can_be_pickled(small):
    assert pickle.loads(pickle.dumps(small)) == small and len({small, pickle.loads(pickle.dumps(small))}) == 1
    assert small != "4x4"


def test_a_bad_text_is_refused_with_its_place():
    with pytest.raises(kenga.Error, match="size") as caught:
        kenga.Puzzle.read('{"id": "x", "size": "four", "cages": []}')
    assert isinstance(caught.value, ValueError) and "╭─" in str(caught.value)


def test_a_bad_record_of_many_can_be_left_out(small, tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(small.text() + '{"size": "four"}\n' + small.text().replace("4x4", "other"))
    puzzles = kenga.read(corpus)
    assert next(puzzles).id == "4x4"
    with pytest.raises(kenga.Error, match="corpus.jsonl:2:"):
        next(puzzles)
    assert [puzzle.id for puzzle in puzzles] == ["other"]
    assert [puzzle.id for puzzle in kenga.read(str(corpus), errors="skip")] == ["4x4", "other"]
    with pytest.warns(UserWarning, match="size"):
        assert len(list(kenga.read(corpus.read_bytes(), errors="warn"))) == 2
    with pytest.raises(kenga.Error, match="size"):
        kenga.Puzzle.read(corpus)
    with pytest.raises(kenga.Error, match="errors is 'ignore'; known: raise, warn, skip"):
        kenga.read(corpus, errors="ignore")


def test_a_file_that_is_not_there_is_an_oserror():
    with pytest.raises(FileNotFoundError):
        kenga.Puzzle.read("nowhere.txt")


def test_an_unknown_format_names_the_known_ones(small):
    with pytest.raises(kenga.Error, match="there is no format `ken`; known: .*keen"):
        small.text("ken")


def test_a_grid_is_judged(small):
    assert small.check(SOLUTION) and small.check(np.array(SOLUTION, dtype=np.uint8))
    assert small.check("4 1 2 3/1 4 3 2/2 3 1 4/3 2 4 1")
    wrong = small.check([[4, 4, 2, 9], [1, None, 3, 2], [2, 3, 1, 4], [3, 2, 4, 1]])
    assert not wrong and not wrong.is_consistent
    assert (wrong.missing, wrong.foreign) == ([(1, 1)], [(0, 3)])
    assert "row A: 4 stands in A1 and A2" in wrong.failures


@pytest.mark.parametrize(
    "grid", [[[1, 2], [2, 1]], [1, 2], [[1.5] * 4] * 4, [[300] * 4] * 4, [[-2] * 4] * 4, [["x"] * 4] * 4, "1 2/2 1"]
)
def test_what_is_no_grid_is_refused(small, grid):
    with pytest.raises(kenga.Error):
        small.check(grid)


def test_a_notebook_shows_a_picture(small):
    assert "<svg" in small._repr_html_() and ">8×</text>" in small.svg()
    assert small.svg(SOLUTION).count("<text") == small.svg().count("<text") + 15


def test_the_solution_is_the_only_one(small):
    answer = kenga.solve(small)
    assert (answer.status, answer.count, answer.count_is_exact) == ("unique", 1, True)
    assert answer.solutions[0].dtype == np.int16 and answer.solutions[0].tolist() == SOLUTION


def test_limits_leave_it_open(open_puzzle):
    answer = kenga.solve(open_puzzle, count=50, keep=3)
    assert (answer.status, answer.count, answer.count_is_exact, len(answer.solutions)) == ("multiple", 50, False, 3)
    assert kenga.solve(open_puzzle, count=10**12, seconds=0.05, keep=0).status == "multiple"
    with pytest.raises(kenga.Error, match="count is 0, but must be at least 1"):
        kenga.solve(open_puzzle, count=0)


def test_a_puzzle_is_graded(small, open_puzzle):
    grade = small.grade()
    assert (grade.status, grade.tier, grade.score, grade.steps) == ("unique", "normal", 2.0, 23)
    assert sum(grade.techniques.values()) == 23 and list(grade.techniques)[0] == "last_cell"
    beyond = small.grade(up_to="easy")
    assert (beyond.status, beyond.tier, beyond.score, beyond.sum) == ("beyond", None, None, None)
    assert open_puzzle.grade().status == "multiple"
    with pytest.raises(kenga.Error, match="up_to is 'hrad'; known: easy, normal, hard, extreme, unreasonable"):
        small.grade("hrad")


def test_every_step_to_the_solution_is_explained(small, open_puzzle):
    steps = small.explain()
    assert len(steps) == small.grade().steps and steps[0].words == "D1 is 3: it is given"
    grid = [[None] * 4 for _ in range(4)]
    for step in steps:
        assert step.fills or step.removes
        if step.fills:
            (row, column), digit = step.fills
            grid[row][column] = digit
    assert grid == SOLUTION
    lost = steps[1]
    assert lost.technique == "one_combination" and lost.removes == [((0, 1), [3]), ((0, 2), [3])]
    assert "cage 8× at A1" in lost.groups
    assert len(small.explain(up_to="easy")) < len(steps) and open_puzzle.explain() == []


def test_hints_lead_to_the_solution(small):
    grid = [[None] * 4 for _ in range(4)]
    while (hint := small.hint(grid)).kind == "step":
        assert hint.nudge.startswith(("look at ", "D1 is given: ")) and hint.words.splitlines() == [step.words for step in hint.steps]
        (row, column), digit = hint.steps[-1].fills
        grid[row][column] = digit
    assert (hint.kind, hint.words, grid) == ("solved", "the grid is solved", SOLUTION)
    grid[1][1] = 2
    wrong = small.hint(grid)
    assert (wrong.kind, wrong.mistake, wrong.nudge, wrong.words) == ("mistake", (1, 1), "row B has a mistake", "B2 is wrong")
    with pytest.raises(kenga.Error, match="shape"):
        small.hint([[1, 2], [2, 1]])


def test_other_threads_go_on(open_puzzle):
    ticks = []
    thread = threading.Thread(target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(5)])
    thread.start()
    kenga.solve(open_puzzle, count=10**12, seconds=1.0, keep=0)
    assert len(ticks) == 5
    thread.join()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer signal")
def test_ctrl_c_ends_it(open_puzzle):
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            kenga.solve(open_puzzle, count=10**12, keep=0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 10
