"""Opens every export of `kenga export` with the packages it is for, and compares with runs.csv and convergence.csv.

    cargo build --release --features parquet
    python -m venv /somewhere/venv && /somewhere/venv/bin/pip install -r tests/python/requirements.txt
    /somewhere/venv/bin/python tests/python/exports.py target/release/kenga [FOLDER]...

Makes a sweep of its own, and one with odd puzzle ids, unless folders are named. Parquet is left out where kenga was built
without it, R where there is no Rscript; both are said.
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

import iohinspector
import numpy as np
import optuna
import pandas as pd
import polars as pl
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend

ROOT = pathlib.Path(__file__).resolve().parents[2]
ODD = ["a b", "a/b", "../a", "\"quoted\"", "it's", "größe Ω", "1e5", "exit()", "__import__('os')._exit(1)", "x,y\nz", "A B"]
SAME = ["run", "puzzle", "setting", "replicate", "solved", "verified", "evaluations", "moves", "generations",
        "best_fitness", "evaluations_to_best", "moves_to_best", "stop_reason", "grid"]


def kenga(*words):
    done = subprocess.run([str(KENGA), *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)


def source(folder):
    """runs.csv as it is: ids as text, nothing taken for unknown."""
    runs = pd.read_csv(folder / "runs.csv", dtype={"puzzle": str, "grid": str}, keep_default_na=False, na_values={"distance": ""})
    runs["calls"] = runs.evaluations + runs.moves
    runs["to_best"] = runs.evaluations_to_best + runs.moves_to_best
    swept = list(runs.columns)[4 : list(runs.columns).index("solved")]
    return runs, swept


def same_table(table, runs, swept):
    """Every row and the columns that both have; calls to the solution are those to the best where it solves."""
    assert len(table) == len(runs), (len(table), len(runs))
    for column in SAME + swept:
        assert list(table[column]) == list(runs[column]), column
    assert list(table["calls"]) == list(runs.calls)
    known = [None if not solved else calls for solved, calls in zip(runs.solved, runs.to_best)]
    found = [None if calls is None or math.isnan(calls) else calls for calls in table["calls_to_solution"]]
    assert found == known


def csv(folder, out, runs, swept):
    kenga("export", folder, "--to", "csv", "-o", out / "runs.csv")
    text = {"puzzle": str, "grid": str}
    same_table(pd.read_csv(out / "runs.csv", dtype=text), runs, swept)
    same_table(pl.read_csv(out / "runs.csv", schema_overrides={"puzzle": pl.String}), runs, swept)


def convergence(folder, out, runs, _swept):
    kenga("export", folder, "--to", "csv", "--convergence", "-o", out / "generations.csv")
    table = pd.read_csv(out / "generations.csv", dtype={"puzzle": str})
    rows = pd.read_csv(folder / "convergence.csv")
    for column in rows.columns:
        assert table[column].equals(rows[column]), column
    assert (table.calls == rows.evaluations + rows.moves).all()
    assert (table.best_so_far == rows.groupby("run").best.cummin()).all()
    owner = runs.set_index("run").loc[rows.run]
    assert list(table.puzzle) == list(owner.puzzle) and list(table.replicate) == list(owner.replicate)


def json_lines(folder, out, runs, swept):
    kenga("export", folder, "--to", "json", "-o", out / "runs.jsonl")
    rows = [json.loads(line) for line in open(out / "runs.jsonl", encoding="utf-8")]
    same_table(pd.DataFrame(rows, dtype=object), runs, swept)
    assert all(type(row["solved"]) is bool and type(row["calls"]) is int for row in rows)
    same_table(pl.read_ndjson(out / "runs.jsonl", infer_schema_length=None), runs, swept)


def parquet(folder, out, runs, swept):
    try:
        kenga("export", folder, "--to", "parquet", "-o", out / "runs.parquet")
    except RuntimeError as error:
        if "built without" in str(error):
            return "not built"
        raise
    table = pl.read_parquet(out / "runs.parquet")
    same_table(table, runs, swept)
    assert table.schema["solved"] == pl.Boolean and table.schema["calls"] == pl.Int64
    assert table.schema["cpu_s"] == pl.Float64 and table.schema["puzzle"] == pl.String
    same_table(pd.read_parquet(out / "runs.parquet"), runs, swept)
    kenga("export", folder, "--to", "parquet", "--convergence", "-o", out / "generations.parquet")
    rows = pd.read_csv(folder / "convergence.csv")
    assert pl.read_parquet(out / "generations.parquet")["best"].to_list() == rows.best.to_list()


def ioh(folder, out, runs, swept):
    kenga("export", folder, "--to", "ioh", "-o", out / "ioh")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        manager = iohinspector.DataManager()
        manager.add_folder(str(out / "ioh"))
        assert len(manager.overview) == len(runs)
        samples = pd.read_csv(folder / "convergence.csv")
        seen = []
        for data in manager.data_sets:
            about = data.overview
            mine = runs[(runs.puzzle == about["puzzle"][0]) & (runs.setting == about["setting"][0])]
            assert len(mine) == len(about) > 0 and not data.function.maximization
            for key in swept:
                assert about[key][0] == mine[key].iloc[0]
            assert about["evals"].to_list() == list(np.maximum(mine.calls, 1))
            assert about["best_y"].to_list() == list(mine.best_fitness)
            (scenario,) = data.scenarios
            assert scenario.dimension == sum(cell != "." for cell in mine.grid.iloc[0].replace("/", " ").split())
            points = scenario.load(monotonic=False, maximize=False).to_pandas()
            for number, (_, run) in enumerate(mine.iterrows(), 1):
                curve = points[points.run_id == number]
                x, y = curve.evaluations.to_numpy(), curve.raw_y.to_numpy()
                assert x[0] == 1 and x[-1] == max(run.calls, 1)
                assert (np.diff(x.astype(int)) > 0).all() and (np.diff(y) <= 0).all()
                assert y[-1] == run.best_fitness
                assert x[np.argmax(y == run.best_fitness)] == max(run.to_best, 1) or run.calls == 0
                # At every recorded call the curve is the best so far.
                recorded = samples[samples.run == run.run]
                at = np.searchsorted(x, recorded.evaluations + recorded.moves, side="right") - 1
                best_so_far = recorded.best.cummin().to_numpy()
                reached = (recorded.evaluations + recorded.moves).to_numpy() >= run.to_best
                assert (y[at] == np.where(reached, run.best_fitness, best_so_far)).all()
            seen += list(mine.run)
        assert sorted(seen) == list(runs.run)
        assert manager.load(True, False).height > 0


def journal(folder, out, runs, swept):
    kenga("export", folder, "--to", "optuna", "-o", out / "journal.log")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    storage = JournalStorage(JournalFileBackend(str(out / "journal.log")))
    study = optuna.load_study(study_name=folder.name, storage=storage)
    groups = dict(list(runs.groupby("setting")))
    assert len(study.trials) == len(groups)
    for trial in study.trials:
        mine = groups[trial.user_attrs["setting"]]
        assert trial.state == optuna.trial.TrialState.COMPLETE
        assert trial.params == {key: mine[key].iloc[0] for key in swept}
        par_10 = np.where(mine.solved, mine.to_best, 10 * mine.calls)
        assert math.isclose(trial.value, par_10.mean())
        assert trial.user_attrs["runs"] == len(mine) and trial.user_attrs["solved"] == mine.solved.sum()
        assert math.isclose(trial.user_attrs["success_rate"], mine.solved.mean())
        median = np.sort(np.where(mine.solved, mine.to_best, np.inf))[[(len(mine) - 1) // 2, len(mine) // 2]].mean()
        shown = trial.user_attrs["median_calls_to_solution"]
        assert (math.inf if shown is None else shown) == median
        for replicate, value in trial.intermediate_values.items():
            assert math.isclose(value, par_10[(mine.replicate <= replicate).to_numpy()].mean())
        assert max(trial.intermediate_values) == mine.replicate.max()
    assert study.best_trial.value == min(trial.value for trial in study.trials)


def r(folder, out, runs, swept):
    if not shutil.which("Rscript"):
        return "no Rscript"
    code = """
        a <- commandArgs(TRUE)
        x <- read.csv(a[1], check.names = FALSE, colClasses = c(puzzle = "character"))
        y <- read.csv(a[2], check.names = FALSE, colClasses = c(puzzle = "character"))
        stopifnot(nrow(x) == nrow(y), is.numeric(x$cpu_s))
        for (name in intersect(names(x), names(y))) stopifnot(identical(x[[name]], y[[name]]))
        stopifnot(identical(is.na(x$calls_to_solution), !as.logical(x$solved)))
    """
    done = subprocess.run(["Rscript", "-e", code, out / "runs.csv", folder / "runs.csv"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def sweep(into):
    kenga("run", "--config", ROOT / "configs/sweep-smoke.toml", "--runs", 40, "--out", into / "sweep", "--quiet")
    return into / "sweep"


def odd(into):
    """Ids that no file system takes, a sweep of members and of a key that some settings leave out, no population."""
    lines = [{"id": name, "size": 2, "cages": [{"op": "+", "target": 6, "cells": [[0, 0], [0, 1], [1, 0], [1, 1]]}]} for name in ODD]
    lines += [json.loads(open(ROOT / "puzzles/family/kakuro-6x6.json").read())]
    (into / "odd.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    (into / "odd.toml").write_text(
        'puzzles = ["odd.jsonl"]\nreplicates = 3\n[budget]\nevaluations = 300\n'
        '[sweep]\nalgorithm.crossover = ["two_point", { name = "uniform", rate = 0.5 }]\n"algorithm.population" = [4, 10]\n'
    )
    kenga("run", "--config", into / "odd.toml", "--out", into / "odd", "--quiet")
    return into / "odd"


def main(folders):
    with tempfile.TemporaryDirectory() as temporary:
        into = pathlib.Path(temporary)
        for folder in folders or [sweep(into), odd(into)]:
            runs, swept = source(folder)
            out = into / f"exports of {folder.name}"
            out.mkdir()
            for check in (csv, convergence, json_lines, parquet, ioh, journal, r):
                left_out = check(folder, out, runs, swept)
                print(f"{folder.name}: {check.__name__}: {left_out or 'equal'}")


if __name__ == "__main__":
    KENGA = pathlib.Path(sys.argv[1]).resolve()
    main([pathlib.Path(folder).resolve() for folder in sys.argv[2:]])
