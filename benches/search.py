#!/usr/bin/env python3
"""The searches on whole corpora: what they solve, in how many calls, in how much CPU time of one thread.

    cargo build --release
    python3 benches/search.py                        the tables of benches/README.md; takes about an hour
    python3 benches/search.py keen                   one of them: keen, size9, big-cages, large-unique, large, annealing
    python3 benches/search.py keen --runs 2          with fewer replicates

Needs nothing but kenga and Python 3.9. Times are of the run alone, its tables included; puzzles are compiled before.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KENGA = os.environ.get("KENGA", ROOT / "target/release/kenga")
CORPUS = ROOT / "puzzles/corpus"


def share(solved, runs, z=1.959963984540054):
    """Wilson's 95 % interval, in percent."""
    p, n = solved / runs, runs
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{100 * max(0, centre - half):.1f} to {100 * min(1, centre + half):.1f}"


def run(name, puzzles, runs, sets):
    """Runs one configuration on some puzzles; its runs, each with its CPU milliseconds."""
    with tempfile.TemporaryDirectory() as place:
        file, out = Path(place) / "puzzles.jsonl", Path(place) / "out"
        file.write_text("".join(json.dumps(puzzle) + "\n" for puzzle in puzzles))
        command = [KENGA, "run", "--config", ROOT / f"configs/{name}.toml", "--puzzle", file, "--runs", str(runs)]
        command += ["--jobs", "1", "--quiet", "--out", out, "--set", "exact.nodes=0"]
        for one in sets:
            command += ["--set", one]
        subprocess.run(command, check=True)
        cpu = {row["run"]: 1e3 * float(row["cpu_s"]) for row in csv.DictReader(open(out / "timing.csv"))}
        return [row | {"ms": cpu[row["run"]]} for row in csv.DictReader(open(out / "runs.csv"))]


def line(label, rows):
    solved = [row for row in rows if row["solved"] == "true"]
    assert all(row["verified"] == "true" for row in solved), "a claim is refuted"
    ms = sorted(row["ms"] for row in rows)
    calls = sorted(
        int(row["evaluations_to_best"]) + int(row["moves_to_best"]) if row["solved"] == "true" else math.inf
        for row in rows
    )
    spent = sum(int(row["evaluations"]) + int(row["moves"]) for row in rows)
    at = lambda values, p: values[min(len(values) - 1, int(p * len(values)))]
    shown = lambda value: "never" if math.isinf(value) else f"{value:,.0f}".replace(",", " ")
    print(
        f"| {label} | {len(solved)} of {len(rows)} ({share(len(solved), len(rows))}) | {shown(at(calls, 0.5))} | "
        f"{shown(at(calls, 0.9))} | {at(ms, 0.5):.2f} | {at(ms, 0.9):.1f} | {ms[-1]:.0f} | {spent / sum(ms) / 1e3:.1f} |",
        flush=True,
    )


def table(title):
    print(f"\n{title}\n\n| | solved (95 %) | calls, median | 90 % | ms, median | 90 % | max | M calls/s |")
    print("|---|---|---|---|---|---|---|---|")


def corpus(name, wanted=lambda puzzle: True):
    puzzles = (json.loads(text) for text in open(CORPUS / f"{name}.jsonl"))
    return [puzzle for puzzle in puzzles if wanted(puzzle)]


def size9(puzzle):
    return puzzle["size"] == 9 and puzzle.get("diff") in ("x", "u")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--runs", type=int, default=10)
    args = parser.parse_args()
    wanted = lambda name: not args.tables or name in args.tables
    algorithms = ["portfolio", "tabu", "memetic"]
    for name, title, kept in [
        ("keen", "All puzzles of keen.jsonl", lambda puzzle: True),
        ("size9", "Those of 9x9, extreme and unreasonable", size9),
    ]:
        if wanted(name):
            table(title)
            for algorithm in algorithms:
                line(algorithm, run(algorithm, corpus("keen", kept), args.runs, []))
    if wanted("big-cages"):
        table("big-cages.jsonl, after propagation")
        for algorithm in algorithms:
            line(algorithm, run(algorithm, corpus("big-cages"), args.runs, ["propagate=true"]))
    if wanted("large-unique"):
        table("large-unique.jsonl, after propagation, at most 400 million moves a run")
        sets = ["propagate=true", "budget.moves=400_000_000"]
        for size in sorted({puzzle["size"] for puzzle in corpus("large-unique")}):
            rows = run("portfolio", corpus("large-unique", lambda puzzle: puzzle["size"] == size), args.runs, sets)
            line(f"{size}x{size}", rows)
    if wanted("large"):
        table("large.jsonl, after propagation, at most 800 million moves a run, one run each")
        sets = ["propagate=true", "budget.moves=800_000_000"]
        for puzzle in corpus("large"):
            line(puzzle["id"], run("portfolio", [puzzle], 1, sets))
    if wanted("annealing"):
        table("Annealing on rows, 9x9 extreme and unreasonable, by the moves that it is given")
        for moves in ("200_000", "2_000_000", "20_000_000"):
            rows = run("annealing-rows", corpus("keen", size9), args.runs, [f"budget.moves={moves}"])
            line(moves.replace("_", " "), rows)


if __name__ == "__main__":
    main()
