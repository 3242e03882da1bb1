"""Functions as problems of experiments."""

import importlib
import socket
import subprocess
import sys
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
        assert genomes.dtype == np.uint8 and genomes.shape[1] == 16 and genomes.max() <= 1
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
    with pytest.raises(kenga.Error, match="set `genes` and `values`"):
        run(kenga.Problem(problems.ones), tmp_path / "none")
    with pytest.raises(kenga.Error, match="would wait for each other"):
        run(kenga.Problem(lambda genomes: 0, **ONES), tmp_path / "none", algorithm=lambda task: None)
    assert not (tmp_path / "none").exists()


def test_the_module_says_how_it_is_used():
    said = subprocess.run([sys.executable, "-m", "kenga.problem"], capture_output=True, text=True)
    assert said.returncode != 0 and "usage: python -m kenga.problem MODULE:NAME" in said.stderr


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
    with pytest.raises(kenga.Error, match="would wait for each other"):
        run(kenga.Problem(ones, **ONES), tmp_path / "both", CLIMB, algorithm=mine)
