"""The ablation of configs/genetic-*.toml: one factor at a time, the tables of README.md here.

    python genetic.py cages                     every row of one encoding
    python genetic.py cells population          the rows whose name contains a word
    python genetic.py rows --runs 2             fewer runs of every puzzle

A row is one command, `kenga run`, which is printed to standard error; the runs of all puzzles are pooled. `KENGA` names
another binary than target/release/kenga. Nothing but the standard library is needed.
"""

import argparse
import csv
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
KENGA = os.environ.get("KENGA", str(ROOT / "target/release/kenga"))
PUZZLES = "puzzles/keen-9x9-held-out.jsonl"
ENCODINGS = ("cages", "cells", "rows")
# Evaluations where most runs were expected to fail.
SHORT = {"cages": 500_000, "cells": 100_000, "rows": 100_000}

MUTATION = {
    "cages": ["conflict"],
    "cells": ["conflict", "missing_digit", "reset", "swap"],
    "rows": ["conflict", "missing_digit", "swap", "row_swap"],
}
CROSSOVER = {
    "cages": ["conflict", "cage"],
    "cells": ["conflict", "uniform", "single_point", "two_point", "row", "cage"],
    "rows": ["conflict", "row", "partially_mapped", "order", "cycle"],
}


def rows(encoding):
    """(name, settings, runs of every puzzle) of every row."""
    few = [f"budget.evaluations={SHORT[encoding]}"]
    yield "base", [], 10
    for name in ("generational", "plus", "crowding", "restricted_tournament", "age_layers"):
        yield f"replacement {name}", [f"replacement={name}"], 5
    yield "duplicates allowed", ["duplicates=allow"], 5
    yield "population 1", ["population=1"], 10
    yield "population 3", ["population=3"], 5
    yield "population 50", ["population=50"], 5
    yield "mutation, conflicting 0", ["mutation.conflicting=0.0"], 5
    yield "mutation, conflicting 1", ["mutation.conflicting=1.0"], 5
    for name in MUTATION[encoding]:
        yield f"mutation {name}", [f"mutation={name}", *few], 1
    for name in CROSSOVER[encoding]:
        yield f"crossover {name}, rate 0.5", [f'crossover={{ name = "{name}", rate = 0.5 }}'], 5
    yield "selection tournament", ["selection=tournament"], 5
    yield "selection roulette", ["selection=roulette"], 5
    yield "selection roulette, niching sharing", ["selection=roulette", "niching=sharing"], 5
    yield "restart none", ["restart=none"], 5
    yield "restart after 20 000 stalled", ["restart=stalled"], 5
    yield "saw every 20", ["weights.every=20"], 5
    yield "saw every 1000", ["weights.every=1000"], 5
    yield "weights none", ["weights=none", *few], 1
    yield "weights none, cage 10", ["weights=none", "fitness.weights.cage=10", *few], 1
    if encoding == "cells":
        yield "weights none, cage gap", ["weights=none", "fitness.cages=gap", *few], 1
    yield "weights none, population 200", ["weights=none", "population=200", *few], 1
    niche = ["weights=none", "population=200", 'crossover={ name = "conflict", rate = 0.9 }', "restart=stalled", *few]
    yield "niche steady_state", niche, 1
    for name in ("crowding", "restricted_tournament", "age_layers"):
        yield f"niche {name}", [*niche, f"replacement={name}"], 1


def command(encoding, settings, runs, seed):
    """The command of a row, without the folder of its results."""
    full = [one if one.startswith(("fitness.", "budget.")) else f"algorithm.{one}" for one in settings]
    words = [KENGA, "run", "--config", f"configs/genetic-{encoding}.toml", "--puzzle", PUZZLES, "--jobs", "1"]
    words += ["--runs", str(runs)]
    words += ["--seed", str(seed)] if seed else []
    return words + [word for one in full for word in ("--set", one)]


def measure(words):
    """Evaluations to the solution by (puzzle, replicate), infinite where there is none; CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*words, "--quiet", "--out", f"{folder}/out"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/out/runs.csv", newline="") as file:
            found = {
                (row["puzzle"], row["replicate"]): float(row["evaluations_to_best"]) if row["solved"] == "true" else math.inf
                for row in csv.DictReader(file)
            }
        with open(f"{folder}/out/timing.csv", newline="") as file:
            return found, sum(float(row["cpu_s"]) for row in csv.DictReader(file))


def wilson(hits, n):
    """Wilson's 95 % interval of a share."""
    z = 1.959963984540054
    share, spread = hits / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def median(values):
    """The median and its 95 % interval from order statistics, as `kenga run` gives them."""
    values, n = sorted(values), len(values)
    low, high = values[(n - 1) // 2], values[n // 2]
    below, rank = 0, 0
    while rank < n and (below := below + math.comb(n, rank)) <= 2**n // 40:
        rank += 1
    return (low if low == high else (low + high) / 2), values[rank - 1], values[n - rank]


def counted(value):
    return f"{int(value):,}".replace(",", " ") if math.isfinite(value) else "never"


def percent(share):
    return f"{100 * share:.0f}"


def line(name, found, base):
    """A row of the table."""
    values = sorted(found.values())
    solved = sum(map(math.isfinite, values))
    low, high = wilson(solved, len(values))
    middle, from_, to = median(values)
    ninetieth = values[math.ceil(0.9 * len(values)) - 1]
    pairs = [(found[key], base[key]) for key in found if key in base and found[key] != base[key]]
    sooner = ""
    if pairs and base is not found:
        wins = sum(ours < theirs for ours, theirs in pairs)
        ends = wilson(wins, len(pairs))
        sooner = f"{wins} of {len(pairs)}: {percent(wins / len(pairs))} % ({percent(ends[0])} to {percent(ends[1])})"
    return (
        f"| {name} | {solved} of {len(values)}: {percent(solved / len(values))} % ({percent(low)} to {percent(high)}) "
        f"| {counted(middle)} ({counted(from_)} to {counted(to)}) | {counted(ninetieth)} | {sooner} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoding", choices=ENCODINGS)
    parser.add_argument("words", nargs="*", help="only rows whose name contains one of them")
    parser.add_argument("--runs", type=int, help="runs of every puzzle")
    parser.add_argument("--seed", type=int)
    given = parser.parse_args()
    print("| | solved (95 %) | evaluations to solve, median (95 %) | 90th percentile | sooner than the base (95 %) |")
    print("|---|---|---|---|---|", flush=True)
    base = None
    for name, settings, runs in rows(given.encoding):
        if base is not None and given.words and not any(word in name for word in given.words):
            continue
        words = command(given.encoding, settings, given.runs or runs, given.seed)
        found, seconds = measure(words)
        base = found if base is None else base
        print(f"{seconds:6.1f} s  {' '.join(words)}", file=sys.stderr, flush=True)
        print(line(name, found, base), flush=True)


if __name__ == "__main__":
    main()
