"""What other commands do: tuned, planned, validated, exported, generated, measured."""

import csv
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent import futures
from pathlib import Path

import numpy as np
import pytest

import kenga
import problems
from conftest import PUZZLES
from test_experiment import CONFIG, SWEEP, files

TUNE = {
    "puzzles": [str(PUZZLES / "original" / "4x4.txt")],
    "replicates": 2,
    "budget": {"evaluations": 500, "moves": 1},
    "algorithm": {"name": "genetic", "encoding": "rows", "population": 40, "mutation": {"name": "row_swap", "rate": 0.02}},
    "record": {"every": 0},
    "sweep": {"algorithm.population": [10, 20, 40], "algorithm.mutation.rate": {"from": 0.01, "to": 1.0, "scale": "log"}},
    "tune": {"budget": 60_000, "validate": [str(PUZZLES / "keen-5x5.jsonl")]},
}


def read(path):
    """The files of a folder and of those in it, but for times."""
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file() and file.name != "timing.csv"}


def test_a_space_is_tuned(tmp_path):
    told = []
    tuned = kenga.tune(TUNE, out=tmp_path / "one", jobs=1, progress=told.append)
    assert tuned.path == tmp_path / "one" and set(tuned.best) == {"algorithm.population", "algorithm.mutation.rate"}
    assert tuned.data["used"] <= 60_000 and tuned.config.exists() and "candidates" in tuned._repr_html_()
    assert all(isinstance(line, str) for line in told)
    again = kenga.tune(TUNE, out=tmp_path / "two", jobs=2, progress=False)
    assert again.best == tuned.best and read(again.path) == read(tuned.path)
    assert kenga.tune(out=tmp_path / "one", resume=True, progress=False).data == tuned.data
    assert kenga.validate(tuned, progress=False)


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({}, "a tuning needs a configuration"),
        ({"config": TUNE}, "give the folder"),
        ({"config": CONFIG, "out": "none"}, "has no \\[tune\\]"),
        ({"config": {**TUNE, "tune": {"budget": 0}}, "out": "none"}, "budget"),
        ({"config": TUNE, "out": "none", "seed": -1}, "`-1` for `seed`: expected a whole number"),
        ({"config": TUNE, "out": "none", "set": {"algorithm.popluation": 3}}, "^unknown key `popluation` in algorithm `genetic`\n *help"),
        ({"config": {**TUNE, "algorithm": {"name": "genetics"}}, "out": "none"}, "^there is no algorithm named `genetics`\n *help"),
        ({"config": "nowhere.toml"}, "^cannot read nowhere.toml"),
    ],
)
def test_what_tune_refuses_is_an_error(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kenga.Error, match=said):
        kenga.tune(progress=False, **arguments)
    assert not (tmp_path / "none").exists()


def test_a_tuning_is_made_by_the_workers_of_a_client(tmp_path):
    text = kenga._toml.dumps(TUNE)
    (tmp_path / "tune.toml").write_text(text)
    alone = kenga.tune(tmp_path / "tune.toml", out=tmp_path / "alone", progress=False)
    with futures.ThreadPoolExecutor(3) as client:
        shared = {"out": tmp_path / "together", "client": client, "shards": 3, "progress": False}
        together = kenga.tune(tmp_path / "tune.toml", **shared)
        assert together.best == alone.best and read(together.path) == read(alone.path)
        recorded = [path.read_text().count("\n") - 1 for path in tmp_path.glob("together-shards/*/runs.csv")]
        assert len(recorded) == 3 and min(recorded) > 0 and sum(recorded) == together.data["runs"]
        with pytest.raises(kenga.Error, match="from a file"):
            kenga.tune(TUNE, **shared)
        with pytest.raises(kenga.Error, match="client=client, shards=8"):
            kenga.tune(tmp_path / "tune.toml", client=client)


def test_a_race_is_made_round_by_round(tmp_path):
    race = {**SWEEP, "replicates": 30, "sweep": {**SWEEP["sweep"], "method": "race"}}
    plan = kenga.sweep.plan(race, tmp_path / "plan.json", pilot=0, progress=False)
    with futures.ThreadPoolExecutor(2) as client:
        merged = kenga.sweep(plan).map(client, tmp_path / "big", shards=3)
    assert files(merged) == files(kenga.run(race, out=tmp_path / "alone", progress=False))


def test_shards_of_a_plan_merge_to_the_whole(tmp_path):
    plan = kenga.sweep.plan(SWEEP, tmp_path / "plan.json", pilot=0, progress=False)
    assert (plan.runs, len(plan.data["settings"])) == (12, 4)
    for shard in range(2):
        folder = kenga.sweep.run(plan, tmp_path / "shards", shard=(shard, 2), progress=False)
        assert folder.has_ended and folder.runs.rows == 6
    merged = kenga.sweep.merge(plan, tmp_path / "shards", tmp_path / "merged")
    assert files(merged) == files(kenga.sweep.run(plan.path, tmp_path / "all", progress=False))
    assert files(merged) == files(kenga.run(SWEEP, out=tmp_path / "run", progress=False))
    with pytest.raises(kenga.Error, match="2/2"):
        kenga.sweep.run(plan, tmp_path / "shards", shard=(2, 2), progress=False)


def mapped(client, tmp_path):
    """A sweep by the workers of a client: first whole, then what is missing."""
    plan = kenga.sweep.plan(SWEEP, tmp_path / "plan.json", pilot=0, progress=False)
    whole = kenga.sweep.run(plan, tmp_path / "all", progress=False)
    merged = kenga.sweep(plan).map(client, tmp_path / "big", shards=5)
    assert files(merged) == files(whole)
    shutil.rmtree(tmp_path / "big" / "shards" / "shard-3-of-5")
    shutil.rmtree(tmp_path / "big" / "merged")
    made = [path.stat().st_mtime_ns for path in (tmp_path / "big" / "shards").glob("*/runs.csv")]
    assert files(kenga.sweep(plan.path).map(client, tmp_path / "big")) == files(whole)
    assert set(made) < {path.stat().st_mtime_ns for path in (tmp_path / "big" / "shards").glob("*/runs.csv")}
    assert files(kenga.sweep(plan).map(client, tmp_path / "big")) == files(whole)
    with pytest.raises(kenga.Error, match="has shards of 5, not of 6"):
        kenga.sweep(plan).map(client, tmp_path / "big", shards=6)


def test_shards_are_made_by_an_executor(tmp_path):
    with futures.ThreadPoolExecutor(2) as client:
        mapped(client, tmp_path)
        with pytest.raises(kenga.Error, match="nowhere"):
            kenga.sweep("nowhere.json").map(client, tmp_path / "none", shards=2)


# What Dask and Ray warn of is theirs.
@pytest.mark.filterwarnings("ignore")
def test_shards_are_made_by_dask(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            mapped(client, tmp_path)


@pytest.mark.filterwarnings("ignore")
def test_shards_are_made_by_ray(tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        mapped(ray, tmp_path)
    finally:
        ray.shutdown()


def test_claims_are_checked(tmp_path):
    folder = kenga.run(CONFIG, out=tmp_path / "made", progress=False)
    found = kenga.validate(folder, replay="all", progress=False)
    assert found and found.holds and found.findings == () and found.data["replayed"] == 3
    listed = folder.path / "runs.csv"
    listed.write_text(listed.read_text().replace(",true,true,", ",true,false,", 1))
    refuted = kenga.validate(folder, progress=False)
    assert not refuted and refuted.findings[0].kind == "refuted"
    assert {finding.file for finding in refuted.findings} == {"checksums.txt", "runs.csv"}
    assert "runs.csv" in refuted._repr_html_()
    with pytest.raises(kenga.Error, match="replay"):
        kenga.validate(folder, replay=-1, progress=False)


def test_results_are_exported(tmp_path):
    folder = kenga.run(CONFIG, out=tmp_path / "made", progress=False)
    exported = kenga.export(folder, "csv", tmp_path / "runs.csv")
    assert len([*csv.DictReader(exported.read_text().splitlines())]) == 3
    generations = kenga.export([folder], "csv", tmp_path / "all.csv", convergence=True)
    assert generations.read_text().count("\n") == folder.convergence.rows + 1
    with pytest.raises(kenga.Error, match="runs.csv"):
        kenga.export(folder, "csv", tmp_path / "runs.csv")
    kenga.export(folder, "csv", tmp_path / "runs.csv", force=True)
    assert kenga.export(folder, "ioh", tmp_path / "ioh").is_dir()


def test_without_parquet_an_error_says_how_python_writes_it(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = kenga.run(CONFIG, out=tmp_path / "made", progress=False)
    file = tmp_path / "runs.parquet"
    with pytest.raises(kenga.Error, match="built without parquet") as refused:
        kenga.export(folder, "parquet", file)
    line = str(refused.value).rpartition("; ")[2]
    exec(line, {"pa": arrow, "pq": parquet, "folder": folder})
    assert parquet.read_table(file).num_rows == 3


def test_puzzles_are_generated():
    three = kenga.generate("kenken", 3, size=4, seed=7, progress=False)
    assert [puzzle.id for puzzle in three] == ["kenken-4-000", "kenken-4-001", "kenken-4-002"]
    assert kenga.generate("kenken", size=4, seed=7, progress=False) == three[:1] and kenga.solve(three[0]).status == "unique"
    assert kenga.generate("kenken", size=6, operators="+-", progress=False)[0].rows == 6
    with pytest.raises(kenga.Error, match="kenken takes no holes"):
        kenga.generate("kenken", holes=0.5, progress=False)
    with pytest.raises(kenga.Error, match="kenkn"):
        kenga.generate("kenkn", progress=False)


def test_puzzles_are_evolved_against_an_algorithm():
    algorithm = {"budget": {"evaluations": 300, "moves": 300}, "algorithm": {"name": "hill_climbing", "encoding": "rows"}}
    [puzzle] = kenga.generate("kenken", size=4, hard_for=algorithm, effort=3, runs=2, progress=False)
    assert puzzle.id == "kenken-4-hard-hill_climbing-000"


def test_puzzles_are_described(small):
    table = kenga.features(small, family=["shape", "exact"], progress=False)
    assert (table.rows, table["id"].tolist(), table["cells"].dtype) == (1, ["4x4"], np.int64)
    assert kenga.features("4:b_a4_a_6aa,m8s1a6s1m4a3d2", family="shape", progress=False)["cells"] == [16]
    two = kenga.features([small, PUZZLES / "original" / "6x6.txt"], family="shape", progress=False)
    assert sorted(two["id"]) == ["4x4", "6x6"] and "<td>6x6</td>" in two._repr_html_()


def test_landscapes_are_measured(small):
    table = kenga.landscape(
        small, encoding="rows", fitness="gap", measure="density_mean", samples=50, walks=5, length=20, progress=False
    )
    assert table.rows == 1 and table["encoding"][0] == "rows" and table["value"].dtype == np.float64
    with pytest.raises(kenga.Error, match="density"):
        kenga.landscape(small, measure="densty", progress=False)


def test_the_landscape_of_a_problem_is_measured():
    problem = kenga.Problem(problems.ones, genes=8, values=[0, 1])
    table = kenga.landscape(problem, measure="autocorrelation", walks=3, length=20, progress=False)
    assert table.rows > 0 and set(table["encoding"]) == {"values"} and not np.isnan(table["value"]).all()
    with pytest.raises(kenga.Error, match="put it in a module"):
        kenga.landscape(kenga.Problem(lambda genomes: genomes, genes=8, values=[0, 1]), progress=False)


def test_other_threads_go_on_and_ctrl_c_leaves_a_tuning_that_can_be_resumed(tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    config = {**TUNE, "tune": {"budget": 3_000_000}, "budget": {"evaluations": 20_000, "moves": 1}, "seed": 3}
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 2.0)
    ticks = []
    thread = threading.Thread(target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(5)])
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            kenga.tune(config, out=tmp_path / "cut", jobs=1, progress=False)
            time.sleep(60)
    finally:
        signal.signal(signal.SIGALRM, before)
    thread.join()
    assert len(ticks) == 5 and not (tmp_path / "cut" / "checksums.txt").exists()
    assert kenga.validate(tmp_path / "cut", progress=False).data["complete"] is False


def test_ctrl_c_is_not_lost_while_a_command_begins(tmp_path, monkeypatch, small):
    # As where Python runs a callback, whose exceptions go nowhere.
    swallow = "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    [None for _ in range(1000)]\nexcept KeyboardInterrupt:\n    pass\n"
    (tmp_path / "sitecustomize.py").write_text(swallow)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(KeyboardInterrupt):
        kenga.features(small, family="shape", progress=False)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_a_command_ends_with_the_process_that_began_it(tmp_path):
    folder = tmp_path / "left"
    config = {**TUNE, "tune": {"budget": 10**9}}
    code = f"import kenga; kenga.tune({config!r}, out={str(folder)!r}, progress=False)"
    parent = subprocess.Popen([sys.executable, "-W", "ignore", "-c", code])
    while parent.poll() is None and not (folder / "runs.csv").exists():
        time.sleep(0.02)
    assert _processes(f"--out={folder}")
    parent.kill()
    parent.wait()
    for _ in range(500):
        if not _processes(f"--out={folder}"):
            return
        time.sleep(0.02)
    pytest.fail("the tuning goes on")


def _processes(argument):
    """The processes with an argument."""
    found = []
    for listed in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if argument.encode() in listed.read_bytes().split(b"\0"):
                found.append(listed.parent.name)
        except OSError:
            pass
    return found


@pytest.mark.skipif("KENGA" not in os.environ, reason="KENGA does not name the program")
def test_the_bytes_of_generated_puzzles_are_those_of_the_program():
    said = subprocess.run([os.environ["KENGA"], "generate", "--kind", "sudoku", "--seed", "5"], capture_output=True, text=True)
    [puzzle] = kenga.generate("sudoku", seed=5, progress=False)
    assert puzzle.text() == said.stdout
