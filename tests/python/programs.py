"""Runs the example programs that need packages, and the one that needs none, and replays what they did.

    cargo build --release
    python -m venv /somewhere/venv && /somewhere/venv/bin/pip install -r tests/python/requirements.txt
    /somewhere/venv/bin/python tests/python/programs.py target/release/kenga
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "programs"
KENGA = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "release" / "kenga").resolve()


def kenga(*words):
    done = subprocess.run([str(KENGA), *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


with tempfile.TemporaryDirectory() as folder:
    for name in ["ga", "deap_ga", "pymoo_ga"]:
        out = pathlib.Path(folder) / name
        command = json.dumps([sys.executable, f"{name}.py"])
        budget = ["--runs", 3, "--set", "budget.evaluations=3000", "--set", "algorithm.reuse=true"]
        kenga("run", "--config", EXAMPLES / "ga.toml", "--set", f"algorithm.command={command}", *budget, "--out", out)
        kenga("validate", out, "--replay", "all", "--programs", EXAMPLES)
        runs, convergence = rows(out / "runs.csv"), rows(out / "convergence.csv")
        assert len(runs) == 3, name
        for run in runs:
            of_run = [row for row in convergence if row["run"] == run["run"]]
            assert run["solved"] == "true" or run["evaluations"] == "3000", (name, run)
            assert len(of_run) == int(run["generations"]) + 1 > 10, (name, run)
            best = [int(row["best"]) for row in of_run]
            assert best[-1] < best[0], (name, "it does not get better")
            assert float(of_run[-1]["diversity"]) < float(of_run[0]["diversity"]), (name, "it does not converge")
        print(f"{name}: {len(runs)} runs, {len(convergence)} generations, replayed")
