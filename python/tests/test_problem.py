"""Functions as problems of experiments."""

import importlib
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import kenga
import problems
from test_algorithm import EXAMPLES
from test_experiment import files

CONFIG = {"budget": {"evaluations": 3_000}, "replicates": 2, "algorithm": {"name": "genetic", "population": 20}}
ONES = {"genes": 16, "values": [0, 1], "maximise": True, "optimum": 16}

# Where processes of their own find the module `problems`.
HERE = Path(__file__).parent

here_only = pytest.mark.skipif(not hasattr(socket, "recv_fds"), reason="needs sockets that pass files")


def run(problem, folder, config=CONFIG, **arguments):
    return kenga.run(config, problem=problem, out=folder, progress=False, **arguments)


def test_a_function_of_a_module_makes_the_same_folder_for_any_number_of_jobs(tmp_path):
    one = run(kenga.Problem(problems.ones, **ONES), tmp_path / "one", jobs=1)
    two = run(kenga.Problem("problems:ones", **ONES), tmp_path / "two", jobs=2)
    assert files(one) == files(two) and one.has_ended
    assert one.runs["solved"].all() and (one.runs["best_fitness"] == 0).all()
    assert one.configs[0]["problem"]["command"][1:] == ["-m", "kenga.problem", "problems:ones"]


@here_only
def test_a_function_of_no_module_makes_the_same_runs(tmp_path):
    batches = []

    def mine(genomes):
        assert genomes.dtype == np.int64 and genomes.shape[1] == 16 and genomes.max() <= 1
        batches.append(len(genomes))
        return [int(genome.sum()) for genome in genomes]

    here = run(kenga.Problem(mine, **ONES), tmp_path / "here")
    there = run(kenga.Problem(problems.ones, **ONES), tmp_path / "there")
    assert max(batches) > 1
    same = [name for name in files(here) if name.endswith(".csv")]
    assert same and all(files(here)[name] == files(there)[name] for name in same)


@here_only
def test_terms_of_the_best_are_columns_of_the_runs(tmp_path):
    def parted(genomes):
        parts = np.stack([genomes[:, :4].sum(axis=1), genomes[:, 4:].sum(axis=1) / 2], axis=1)
        return parts.sum(axis=1), parts

    shape = {"genes": 12, "values": [0, 3], "resolution": 0.5, "terms": ["head", "tail"]}
    runs = run(kenga.Problem(parted, **shape), tmp_path / "one", {**CONFIG, "budget": {"evaluations": 300}}).runs
    assert (runs["terms.head"] + runs["terms.tail"] == runs["best_fitness"] / 2).all()
    with pytest.raises(ValueError, match=r"expected \(20, 2\) for its terms"):
        run(kenga.Problem(lambda genomes: (genomes[:, 0], genomes[:, :3]), **shape), tmp_path / "bad")


def test_permutations_options_and_instances_are_told(tmp_path):
    problem = kenga.Problem(
        problems.lengths, permutation=8, resolution=1e-6, instances={"first": {"seed": 1}, "second": {"seed": 2}}
    )
    config = {**CONFIG, "sweep": {"algorithm.population": [10, 30]}}
    folder = run(problem, tmp_path / "tours", config)
    assert set(folder.runs["puzzle"]) == {"first", "second"} and folder.runs.rows == 8
    best = folder.runs["best_fitness"] * 1e-6
    assert ((best > 1) & (best < 4)).all() and not folder.runs["solved"].any()
    # Every value is that of the genome that the folder keeps.
    tour = np.array([[int(gene) for gene in folder.runs["grid"][0].split()]], dtype=np.uint8)
    assert abs(problems.lengths(tour, seed=1)[0] - best[0]) < 1e-5


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("raise", "out of sorts"),
        ("nan", "gave nan for ["),
        ("few", "returned an array of shape (1,): expected 20 numbers"),
        ("fraction", "0.5 is not a whole number"),
    ],
)
def test_values_that_are_none_fail_the_run_and_say_why(tmp_path, way, said):
    problem = kenga.Problem(problems.strange, genes=4, values=[0, 1], options={"way": way})
    with pytest.warns(UserWarning, match="2 runs have failed"):
        folder = run(problem, tmp_path / "failed")
    failures = folder.failures
    assert said in failures["reason"][0] + (failures["stderr"][0] or "")


@here_only
def test_what_a_function_here_raises_ends_the_work_which_can_be_resumed(tmp_path):
    calls = []

    def tired(genomes):
        calls.append(len(genomes))
        if len(calls) == 30:
            raise RuntimeError("tired")
        return genomes.sum(axis=1)

    with pytest.raises(RuntimeError, match="tired"):
        run(kenga.Problem(tired, genes=40, values=[0, 1]), tmp_path / "one")
    problem = kenga.Problem(problems.ones, genes=40, values=[0, 1])
    again = run(kenga.Problem(tired, genes=40, values=[0, 1]), tmp_path / "one", resume=True)
    whole = run(problem, tmp_path / "whole")
    assert files(again)["runs.csv"] == files(whole)["runs.csv"]


def test_what_is_no_problem_is_refused(tmp_path):
    with pytest.raises(kenga.Error, match="a problem is a kenga.Problem"):
        run(problems.ones, tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        (3, ONES, "a problem is a function or the name of one, not int"),
        ("nowhere:f", ONES, "No module named 'nowhere'"),
        ("problems:nothing", ONES, "the module 'problems' has no 'nothing'"),
        (problems.ones, {}, "its genomes are not said: set `genes` and `values`, or `permutation`"),
        (problems.ones, {"genes": 3}, "`genes` needs `values`, such as [0, 1]"),
        (problems.ones, {"genes": 3, "values": [0, 300]}, "`values` is [0,300]: the least and the greatest value are expected"),
        (problems.ones, {**ONES, "permutation": 3}, "its genomes are said twice"),
        (problems.ones, {"genes": 3, "values": [0, 1], "maximise": True}, "`optimum` or `bound`, and neither is set"),
        (problems.ones, {**ONES, "resolution": -1}, "`resolution` takes a number above 0, not -1"),
        (problems.ones, {**ONES, "options": {"k": {1, 2}}}, "k is a set"),
        (problems.ones, {**ONES, "dtype": "int8"}, "dtype is 'int8': expected a type of numbers that holds 0 to 255"),
    ],
)
def test_a_bad_problem_is_refused_when_it_is_made_in_the_words_of_python(function, arguments, said):
    with pytest.raises(kenga.Error) as refused:
        kenga.Problem(function, **arguments)
    assert said in str(refused.value)
    assert not any(foreign in str(refused.value) for foreign in ("--", "[problem]", "╭", "\n"))


QUEENS = {"permutation": 8, "optimum": 0}


@here_only
def test_genomes_are_numbers_that_do_not_wrap_around(tmp_path):
    def attacks(genomes):
        return problems.attacks(genomes)

    config = {"budget": {"evaluations": 300}, "replicates": 4, "algorithm": {"name": "genetic", "population": 20}}
    for name, function in (("there", problems.attacks), ("here", attacks)):
        runs = run(kenga.Problem(function, **QUEENS), tmp_path / name, config).runs
        queens = [[int(gene) for gene in grid.split()] for grid in runs["grid"]]
        true = [sum(abs(a - b) == j - i for j, a in enumerate(one) for i, b in enumerate(one[:j])) for one in queens]
        assert runs["best_fitness"].tolist() == true and runs["solved"].tolist() == [attacks == 0 for attacks in true]
    assert kenga.Task(kenga.Problem(attacks, **QUEENS)).evaluate([[3, 1, 0, 2, 4, 5, 6, 7]]).tolist() == [11]


@here_only
def test_another_type_of_numbers_is_had_where_it_is_asked_for(tmp_path):
    config = {"budget": {"evaluations": 20}, "algorithm": {"name": "genetic", "population": 10}}
    for dtype, width in (({}, 8), ({"dtype": "uint8"}, 1), ({"dtype": np.float32}, 4)):
        for name, function in (("here", lambda genomes: problems.widths(genomes)), ("there", problems.widths)):
            problem = kenga.Problem(function, genes=3, values=[0, 1], **dtype)
            folder = run(problem, tmp_path / f"{name}-{width}", config)
            assert folder.runs["value"].tolist() == [width]
            assert kenga.Task(problem).evaluate([[0, 0, 1]]).tolist() == [width]
    assert "--dtype=uint8" in kenga.open(tmp_path / "there-1").configs[0]["problem"]["command"]


@here_only
def test_the_cpu_time_of_a_function_here_is_counted_once(tmp_path):
    def slow(genomes):
        began = time.thread_time()
        while time.thread_time() < began + 0.02:
            pass
        return genomes.sum(axis=1)

    def few(task):
        while not task.done:
            task.evaluate(task.random(2))

    problem = kenga.Problem(slow, genes=8, values=[0, 9], bound=-1)
    config = {"budget": {"evaluations": 40}, "replicates": 2, "algorithm": {"name": "genetic", "population": 2}}
    theirs = run(problem, tmp_path / "theirs", config).runs
    assert (theirs["cpu_s"] >= 0.4).all() and (theirs["cpu_s"] < 4).all()
    mine = run(problem, tmp_path / "mine", {**config, "algorithm": {}}, algorithm=few).runs
    # 20 batches of 0.02 s, and what processes take to start.
    assert (mine["cpu_s"] >= 0.4).all() and mine["cpu_s"][1] < 0.75


def test_the_module_says_how_it_is_used():
    said = subprocess.run([sys.executable, "-m", "kenga.problem"], capture_output=True, text=True)
    assert said.returncode != 0 and "usage: python -m kenga.problem MODULE:NAME [--dtype=int64]" in said.stderr


CLIMB = {"budget": {"evaluations": 400}, "replicates": 3}
TOURS = {"permutation": 8, "resolution": 1e-6}


@pytest.mark.parametrize(
    ("function", "told"), [(problems.ones, ONES), (problems.lengths, TOURS)], ids=["values", "permutation"]
)
def test_a_function_searches_a_problem_that_is_a_function(tmp_path, function, told):
    problem = kenga.Problem(function, **told)
    folder = run(problem, tmp_path / "mine", CLIMB, algorithm=problems.climb)
    assert folder.failures.rows == 0 and set(folder.runs["stop_reason"]) <= {"solved", "evaluations"}
    assert kenga.validate(folder, replay="all", programs=HERE).holds
    theirs = run(problem, tmp_path / "theirs", {**CONFIG, "budget": CLIMB["budget"]})
    compared = kenga.compare([folder, theirs])
    assert len(compared.data["settings"]) == 2 and compared.verdict


# What other packages warn of is theirs.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "package"), [("ga", "json"), ("deap_ga", "deap"), ("pymoo_ga", "pymoo")])
def test_the_examples_search_problems_too(tmp_path, monkeypatch, name, package):
    pytest.importorskip(package)
    monkeypatch.syspath_prepend(EXAMPLES)
    search = importlib.import_module(name).search
    for kind, problem in {"ones": kenga.Problem(problems.ones, **ONES), "tours": kenga.Problem(problems.lengths, **TOURS)}.items():
        if (name, kind) == ("ga", "tours"):
            continue
        config = {"budget": {"evaluations": 2_000}, "replicates": 2}
        folder = run(problem, tmp_path / kind, config, algorithm=search)
        assert folder.failures.rows == 0
        assert folder.runs["best_fitness"][0] < folder.convergence["best"][0], "it gets better than its first generation"


@here_only
def test_one_of_algorithm_and_problem_may_be_in_no_module(tmp_path):
    def mine(task):
        assert task.puzzle is None and "problem" in repr(task)
        with pytest.raises(kenga.Error, match="has no grid"):
            task.grid([0] * 16)
        problems.climb(task)
        with pytest.raises(kenga.Error, match=r"see Folder.convergence"):
            task.convergence  # noqa: B018

    def ones(genomes):
        return genomes.sum(axis=1)

    one = run(kenga.Problem(problems.ones, **ONES), tmp_path / "one", CLIMB, algorithm=mine)
    two = run(kenga.Problem(ones, **ONES), tmp_path / "two", CLIMB, algorithm=problems.climb)
    assert files(one)["runs.csv"] == files(two)["runs.csv"]
    three = run(kenga.Problem(ones, **ONES), tmp_path / "three", CLIMB, algorithm=mine)
    assert files(one)["runs.csv"] == files(three)["runs.csv"] and three.runs["solved"].any()
    assert files(one)["convergence.csv"] == files(three)["convergence.csv"]


NOTEBOOK = """
import kenga, numpy as np

def distance(genomes, target=3):
    return np.abs(genomes - target).sum(axis=1)

def climb(task):
    parent = task.random(1)
    fitness = task.evaluate(parent)
    while not task.done:
        child = parent.copy()
        child[0, task.rng.integers(task.genes)] += task.rng.choice([-1, 1])
        child = child.clip(0, 9)
        found = task.evaluate(child)
        if len(found) and found[0] <= fitness[0]:
            parent, fitness = child, found

problem = kenga.Problem(distance, genes=6, values=[0, 9], optimum=0, options={"target": 7})
config = {"budget": {"evaluations": 500}, "replicates": 3}
mine = kenga.run(config, algorithm=climb, problem=problem, out="mine", progress=False)
theirs = kenga.run(config, problem=problem, out="theirs", set={"algorithm.name": "genetic"}, progress=False)
task = kenga.Task(problem, evaluations=500)
climb(task)
print(mine.runs["solved"].all(), mine.failures.rows, len(kenga.compare([mine, theirs]).data["settings"]))
print(task.done, task.best.genome.tolist(), task.best.value)
"""


@here_only
def test_a_notebook_has_an_algorithm_and_a_problem_of_its_own(tmp_path):
    (tmp_path / "notebook.py").write_text(NOTEBOOK)
    command = [sys.executable, "-W", "error", "notebook.py"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert ended.stdout == "True 0 2\nsolved [7, 7, 7, 7, 7, 7] 0.0\n", ended.stderr


@here_only
def test_what_a_problem_here_raises_within_an_algorithm_here_ends_the_work(tmp_path):
    calls = []

    def tired(genomes):
        calls.append(len(genomes))
        if len(calls) == 30:
            raise RuntimeError("tired")
        return genomes.sum(axis=1)

    def mine(task):
        problems.climb(task)

    problem = kenga.Problem(tired, genes=40, values=[0, 1])
    with pytest.raises(RuntimeError, match="tired"):
        run(problem, tmp_path / "one", CLIMB, algorithm=mine)
    again = run(problem, tmp_path / "one", CLIMB, algorithm=mine, resume=True)
    whole = run(kenga.Problem(problems.ones, genes=40, values=[0, 1]), tmp_path / "whole", CLIMB, algorithm=problems.climb)
    assert files(again)["runs.csv"] == files(whole)["runs.csv"]


def test_a_task_asks_a_problem(tmp_path):
    def parted(genomes, factor):
        assert genomes.dtype == np.int64
        batches.append(len(genomes))
        parts = np.stack([genomes[:, 0], genomes[:, 1:].sum(axis=1)], axis=1) * factor
        return parts.sum(axis=1), parts

    batches = []
    shape = {"genes": 3, "values": [0, 9], "resolution": 0.5, "bound": -10, "terms": ["head", "tail"]}
    task = kenga.Task(kenga.Problem(parted, **shape, options={"factor": 0.5}), evaluations=5, seed=2)
    assert (task.puzzle, task.encoding, task.genes, task.left, task.cells.shape) == (None, "values", 3, 5, (0, 2))
    assert [gene.tolist() for gene in task.candidates] == [[*range(10)]] * 3
    fitness, terms = task.terms([[2, 4, 0], [9, 9, 9]])
    assert fitness.tolist() == [26, 47] and terms.tolist() == [[1.0, 2.0], [4.5, 9.0]] and fitness.dtype == np.int64
    assert (task.best.fitness, task.best.value, task.best.genome.tolist()) == (26, 3.0, [2, 4, 0])
    [point] = task.submit([[0, 0, 1]])
    assert point.answer() == 21 and task.log([[2, 4, 0], [0, 0, 1]]) == 0
    assert task.convergence["value"].tolist() == [0.5] and task.convergence["best"].tolist() == [21]
    # The function is not asked for more than the budget has.
    assert len(task.evaluate(np.zeros((9, 3), dtype=int))) == 2 and batches == [2, 1, 2, 2] and task.done == "evaluations"
    with pytest.raises(kenga.RunOver):
        task.evaluate([[0, 0, 0]])
    with pytest.raises(kenga.Error, match="has no grid"):
        task.grid([0, 0, 0])


def test_what_a_problem_does_wrong_costs_a_task_nothing():
    for way, error, said in (
        ("raise", RuntimeError, "out of sorts"),
        ("nan", ValueError, "gave nan for"),
        ("few", ValueError, "expected 2 numbers for 2 genomes"),
        ("fraction", kenga.Error, "0.5 is not a whole number"),
    ):
        task = kenga.Task(kenga.Problem(problems.strange, genes=4, values=[0, 1], options={"way": way}), evaluations=10)
        with pytest.raises(error, match=said):
            task.evaluate(task.random(2))
        assert (task.left, task.best, task.done) == (10, None, None)
    for genomes, said in (([[1] * 3], "a genome has 4 digits, not 3"), ([[1, 1, 1, 2]], "its candidates are 0, 1"), ([[-1] * 4], "-1 is no digit")):
        with pytest.raises(kenga.Error, match=said):
            task.evaluate(genomes)


def test_a_task_has_an_instance_of_a_problem_and_the_seed_of_its_run(tmp_path):
    problem = kenga.Problem(
        problems.lengths, resolution=1e-6, instances={"small": {"permutation": 5}, "large": {"permutation": 8, "seed": 2}}
    )
    task = kenga.Task(problem, instance="large", seed=4)
    tours = task.random(3)
    assert task.encoding == "permutation" and [len(line) for line in task.lines] == [8]
    assert task.evaluate(tours).tolist() == (problems.lengths(tours, seed=2) * 1e6).round().astype(int).tolist()
    seeds = []
    run(problem, tmp_path / "runs", {**CLIMB, "replicates": 1, "seed": 4}, algorithm=lambda task: seeds.append(task.seed) or problems.climb(task))
    assert seeds == [kenga.Task(problem, instance=name, seed=4).seed for name in ("small", "large")]
    for arguments, said in (
        ({}, "several instances: name one, such as instance='small'"),
        ({"instance": "huge"}, "no instance 'huge'; known: small, large"),
        ({"instance": "large", "encoding": "rows"}, "encoding is about puzzles"),
        ({"instance": "large", "evaluations": 0}, "evaluations"),
    ):
        with pytest.raises(kenga.Error, match=said):
            kenga.Task(problem, **arguments)
