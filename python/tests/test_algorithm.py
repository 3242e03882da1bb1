"""Functions as algorithms of experiments."""

import csv
import importlib
import os
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import kenga
import searches
from conftest import PUZZLES
from test_experiment import files

CONFIG = {
    "puzzles": [str(PUZZLES / "original" / "4x4.txt"), str(PUZZLES / "original" / "6x6.txt")],
    "replicates": 2,
    "budget": {"evaluations": 600},
    "algorithm": {"encoding": "rows", "options": {"population": 10}},
}

here_only = pytest.mark.skipif(not hasattr(socket, "recv_fds"), reason="needs sockets that pass files")


EXAMPLES = PUZZLES.parent / "examples" / "programs"


def run_of(config, folder, **arguments):
    return kenga.run(config, out=folder, progress=False, **arguments)


def run(function, folder, **arguments):
    return run_of(CONFIG, folder, algorithm=function, **arguments)


def columns(folder):
    """What two ways to run a function have in common: all but the command in the manifest."""
    return {name: text for name, text in files(folder).items() if name.endswith(".csv")}


def test_a_function_of_a_module_makes_the_same_folder_for_any_number_of_jobs(tmp_path):
    one, two = run(searches.climb, tmp_path / "one", jobs=1), run("searches:climb", tmp_path / "two", jobs=2)
    assert files(one) == files(two) and one.has_ended and one.runs.rows == 4
    assert one.configs[0]["algorithm"]["command"][1:] == ["-m", "kenga.program", "searches:climb"]
    runs, convergence = one.runs, one.convergence
    assert set(runs["stop_reason"]) <= {"solved", "evaluations"} and (runs["evaluations"] <= 600).all()
    assert convergence.rows > 40 and (convergence["diversity"][:1] > 0).all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_function_reports_what_its_runs_cost(tmp_path, jobs):
    priced = {**CONFIG, "algorithm": {"encoding": "cells", "reports_cost": True, "options": {"price": 2.5}}}
    folder = run_of(priced, tmp_path / "priced", algorithm=searches.priced, jobs=jobs)
    costs = folder.runs["cost"]
    assert ((costs >= 2.5) & (costs <= 6.5)).all() and len(set(costs)) > 1
    free = {**priced, "algorithm": {**priced["algorithm"], "options": {}}}
    with pytest.warns(UserWarning, match="failed"):
        failed = run_of(free, tmp_path / "failed", algorithm=searches.priced, jobs=jobs)
    assert failed.failures.rows == 4 and np.isnan(failed.runs["cost"]).all()


@here_only
@pytest.mark.parametrize("encoding", ["cells", "rows", "cages"])
def test_a_function_of_no_module_makes_the_same_runs(tmp_path, encoding):
    def mine(task):
        seen.append((task.puzzle.id, task.encoding, task.left, task.seed))
        searches.climb(task) if encoding != "cages" else searches.endless(task)

    seen, over = [], {"algorithm.encoding": encoding}
    here = run(mine, tmp_path / "here", set=over)
    there = run(searches.climb if encoding != "cages" else searches.endless, tmp_path / "there", set=over)
    assert columns(here) == columns(there)
    assert [puzzle for puzzle, *_ in seen] == ["4x4", "6x6"] * 2 and {left for _, _, left, _ in seen} == {600}
    assert len({seed for *_, seed in seen}) == 4
    with pytest.raises(kenga.Error, match="runs in this process alone"):
        run(mine, tmp_path / "none", jobs=2)


@here_only
def test_a_task_of_an_experiment_is_that_of_ones_own(tmp_path, small):
    def look(task):
        own = kenga.Task(small, task.encoding, evaluations=600)
        if task.puzzle != small:
            task.evaluate(task.random(1))
            return
        assert (task.genes, task.weights, task.cages) == (own.genes, own.weights, own.cages)
        assert (task.cells == own.cells).all() and [len(c) for c in task.candidates] == [len(c) for c in own.candidates]
        assert [line.tolist() for line in task.lines] == [line.tolist() for line in own.lines]
        assert [(g.tolist(), t.tolist()) for g, t in task.tuples] == [(g.tolist(), t.tolist()) for g, t in own.tuples]
        genomes = own.random(30)
        for one in (task, own):
            one.terms(genomes), one.evaluate(genomes), one.evaluate([])
        assert all((a == b).all() for a, b in zip(task.terms(genomes), own.terms(genomes)))
        assert (task.left, task.evaluations, task.done) == (own.left, own.evaluations, own.done) == (510, 90, None)
        assert task.best.fitness == own.best.fitness and task.best.evaluations == own.best.evaluations
        assert (task.best.genome == own.best.genome).all()
        assert (task.log(genomes), task.log(genomes)) == (0, 1) == (own.log(genomes), own.log(genomes))
        compared.append(task.encoding)

    compared = []
    for encoding in ("cells", "rows", "cages"):
        run(look, tmp_path / encoding, set={"algorithm.encoding": encoding}, runs=1)
    assert compared == ["cells", "rows", "cages"]


@here_only
@pytest.mark.parametrize("encoding", ["cells", "rows", "cages"])
def test_a_task_of_an_experiment_has_the_convergence_of_its_folder(tmp_path, encoding):
    def look(task):
        assert task.convergence.rows == 0
        searches.climb(task) if encoding != "cages" else log_three(task)
        logs.append(task.convergence)

    def log_three(task):
        for _ in range(3):
            population = task.random(30)
            task.evaluate(population)
            task.log(population)

    logs, over = [], {"algorithm.encoding": encoding, "fitness.cages": "gap", "fitness.weights.cage": 3}
    convergence = run(look, tmp_path / "logged", set=over).convergence
    assert len(logs) == 4
    for number, log in enumerate(logs):
        rows = convergence.where(convergence["run"] == number)
        assert log.rows == rows.rows >= 3
        for name, column in log.items():
            assert np.allclose(column, rows[name], atol=1e-6), name


@here_only
def test_the_cpu_time_of_a_function_here_is_counted(tmp_path):
    def busy(task):
        began = time.thread_time()
        while time.thread_time() < began + 0.3:
            task.evaluate(task.random(1))
        task.stop()

    assert (run(busy, tmp_path / "busy", runs=1, set={"budget.evaluations": 10**9}).runs["cpu_s"] >= 0.29).all()


# What other packages warn of is theirs.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, package", [("ga", "json"), ("deap_ga", "deap"), ("pymoo_ga", "pymoo")])
def test_an_example_is_a_program_and_a_function(tmp_path, monkeypatch, name, package):
    pytest.importorskip(package)
    monkeypatch.syspath_prepend(EXAMPLES)
    config = {**CONFIG, "algorithm": {"options": {"population": 10}}}
    function = run_of(config, tmp_path / "function", algorithm=importlib.import_module(name).search)
    command = [sys.executable, str(EXAMPLES / f"{name}.py")]
    config["algorithm"] = {**config["algorithm"], "name": "program", "command": command}
    program = run_of(config, tmp_path / "program")
    assert columns(function) == columns(program)
    assert program.failures.rows == 0 and program.convergence.rows > 40


def test_a_class_may_hold_the_function(tmp_path):
    one, two = run(searches.climb, tmp_path / "one"), run(searches.Searches.search, tmp_path / "two")
    assert columns(one) == columns(two)


def test_a_run_that_is_over_ends_the_function(tmp_path):
    folder = run(searches.endless, tmp_path / "endless")
    assert folder.failures.rows == 0 and set(folder.runs["evaluations"]) == {600}


@here_only
def test_runs_that_a_function_solves_at_once_are_marked(tmp_path, small):
    solution = kenga.solve(small).solutions[0].astype(np.uint8).reshape(1, -1)

    def knowing(task):
        task.evaluate(solution)

    config = {**CONFIG, "algorithm": {"encoding": "cells"}}
    folders = [run_of(config, tmp_path / "knowing", algorithm=knowing, puzzles=small)]
    folders.append(run_of(config, tmp_path / "climb", algorithm=searches.climb, puzzles=small))
    compared = kenga.compare(folders)
    assert compared.data["solved_at_once"] == 2
    for text in (str(compared), kenga.report(folders).page):
        assert "2 runs of a program were solved at once, within 100 evaluations" in " ".join(text.split())


def test_a_function_that_asks_for_nothing_fails(tmp_path):
    with pytest.warns(UserWarning, match="4 runs have failed: .*without an evaluation"):
        runs = run(searches.silent, tmp_path / "silent").runs
    assert set(runs["stop_reason"]) == {"failed"} and np.isnan(runs["best_fitness"]).all()


@pytest.mark.parametrize("function, said", [(searches.broken, "it ended before the run did"), (searches.lying, "gene")])
def test_a_function_of_a_module_that_fails_fails_its_run(tmp_path, function, said):
    with pytest.warns(UserWarning, match=f"4 runs have failed: .*{said}"):
        folder = run(function, tmp_path / "failed")
    assert folder.has_ended and set(folder.runs["stop_reason"]) == {"failed"}
    if function is searches.broken:
        assert "ZeroDivisionError: a mistake of mine" in folder.failures["stderr"][0]


@here_only
def test_what_a_function_here_raises_ends_the_experiment(tmp_path):
    def mine(task):
        task.evaluate(task.random(1))
        raise ZeroDivisionError("a mistake of mine")

    with pytest.raises(ZeroDivisionError, match="a mistake of mine"):
        run(mine, tmp_path / "mine")
    assert not kenga.open(tmp_path / "mine").has_ended


@here_only
def test_ctrl_c_ends_a_function_here_and_the_folder_can_be_resumed(tmp_path):
    def slow(task):
        seeds.append(task.seed)
        while not task.done:
            task.evaluate(task.random(5))
            if cut_at == len(seeds):
                raise KeyboardInterrupt

    seeds, cut_at = [], 2
    with pytest.raises(KeyboardInterrupt):
        run(slow, tmp_path / "cut")
    assert [run["run"] for run in csv.DictReader((tmp_path / "cut" / "runs.csv").read_text().splitlines())] == ["0"]
    cut_at = 0
    resumed = run(slow, tmp_path / "cut", resume=True)
    assert resumed.has_ended and columns(resumed) == columns(run(slow, tmp_path / "whole"))


def test_what_is_no_function_is_refused(tmp_path):
    for algorithm, said in (
        ("searches", "does not name a function"),
        ("searches:climbs", "the module 'searches' has no 'climbs'"),
        ("nowhere:climb", "No module named 'nowhere'"),
        ("searches:np", "is no function"),
        (3, "an algorithm is a function or the name of one, not int"),
    ):
        with pytest.raises(kenga.Error, match=said):
            run(algorithm, tmp_path / "none")


@pytest.mark.skipif("KENGA" not in os.environ, reason="KENGA does not name the program")
def test_the_program_replays_a_function_of_a_module(tmp_path):
    run(searches.climb, tmp_path / "made")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    command = [os.environ["KENGA"], "validate", tmp_path / "made", "--replay", "all", "--programs", tmp_path]
    told = subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout
    assert "not replayed" not in told, told
