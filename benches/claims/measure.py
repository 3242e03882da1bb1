"""What README and docs claim of puzzles in general, measured on puzzles/fresh, on which nothing was tuned.

    python3 benches/claims/measure.py                    every table
    python3 benches/claims/measure.py original islands   some of them
    python3 benches/claims/measure.py coverage           how often its intervals hold what they should, simulated

All intervals are about the *next puzzle* of the kind, not about these puzzles: runs of one puzzle are not independent.
The share has Wilson's interval with the number of runs that independent ones would need to say as much, p (1 - p) over
the variance of the mean of the puzzles' shares (L. Kish 1965, Survey Sampling; E. L. Korn, B. I. Graubard 1998). Where
fewer than ten puzzles show the rarer of the two outcomes, that variance is no more than a guess: one failure in one run
of one puzzle looks like independent runs. There it is the number of puzzles. Medians and differences have the percentiles of
2000 samples of whole puzzles. Calls are evaluations and moves to the solution; a run that does not solve is longer than all. Every solution
was checked by the referee. `KENGA` names another binary than target/release/kenga; `--puzzles N` takes the first N of
every file, `--jobs` runs at once.
"""

import argparse
import csv
import math
import os
import random
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
KENGA = os.environ.get("KENGA", str(ROOT / "target/release/kenga"))
Z = 1.959963984540054
# Puzzles that must show the rarer outcome before their variance is believed.
TELLING = 10

SMALL = ["keen-4x4", "keen-5x5", "keen-6x6", "keen-7x7", "keen-8x8", "keen-9x9"]
NINE = ["keen-9x9-extreme", "keen-9x9-unreasonable"]
CELLS = ["algorithm.island.encoding=cells", "algorithm.island.mutation=swap"]
BIG = [("9x9, cages of 2 to 5", "9x2-5"), ("9x9, 4 to 6", "9x4-6"), ("12x12, 2 to 4", "12x2-4"),
       ("12x12, 3 to 5", "12x3-5+"), ("15x15, 2 to 4", "15x2-4+")]


def tables():
    """(table, title, rows); a row is (label, configuration, files, runs of every puzzle, what is set, start of ids)."""
    yield "original", "The original, preset pyevolve", [
        ("4x4", "pyevolve-4x4", ["keen-4x4"], 5, [], ""),
        ("6x6", "pyevolve-4x4", ["keen-6x6"], 1, [], ""),
    ]
    yield "islands", "configs/ga.toml, 6x6", [
        ("as it is", "ga", ["keen-6x6"], 1, [], ""),
        ("one population", "ga", ["keen-6x6"], 1, ["algorithm.count=1"], ""),
        ("cells", "ga", ["keen-6x6"], 1, CELLS, ""),
    ]
    for table, title, files, runs in [
        ("small", "Keen, 4x4 to 8x8 and easy to hard 9x9", SMALL, 5),
        ("nine", "Keen, 9x9 extreme and unreasonable", NINE, 10),
    ]:
        yield table, title, [(name, name, files, runs, [], "") for name in ("portfolio", "tabu", "memetic")]
    yield "big", "Big cages, portfolio after propagation, at most 100 million moves a run", [
        (label, "portfolio", ["big-cages"], 1, ["propagate=true", "budget.moves=100_000_000"], f"{kind}-")
        for label, kind in BIG
    ]
    yield "annealing", "Annealing on rows, 9x9 extreme and unreasonable", [
        (f"{moves:_}".replace("_", " ") + " moves", "annealing-rows", NINE, 1, [f"budget.moves={moves}"], "")
        for moves in (200_000, 2_000_000, 20_000_000)
    ]
    yield "genetic", "Genetic algorithms without local search, 9x9 unreasonable", [
        (name, f"genetic-{name}", ["keen-9x9-unreasonable"], 2, [], "") for name in ("cages", "cells", "rows")
    ]
    rates = lambda file: [
        (f"crossover {rate}", "pyevolve-4x4", [file], 5, [f"algorithm.crossover.rate={rate}"], "") for rate in (0.9, 0.5, 0.0)
    ]
    yield "crossover-4x4", "The original with other rates of crossover, 4x4", rates("keen-4x4")
    yield "crossover-5x5", "The same, 5x5", rates("keen-5x5")


def run(config, files, runs, sets, ids, given):
    """Calls to the solution, infinite where there is none, of the runs of every puzzle."""
    with tempfile.TemporaryDirectory() as place:
        puzzles = [
            line
            for file in files
            for line in [
                line for line in open(ROOT / f"puzzles/fresh/{file}.jsonl") if line.startswith(f'{{"id":"{ids}')
            ][: given.puzzles]
        ]
        (Path(place) / "puzzles.jsonl").write_text("".join(puzzles))
        words = [KENGA, "run", "--config", ROOT / f"configs/{config}.toml", "--puzzle", f"{place}/puzzles.jsonl"]
        words += ["--runs", str(runs), "--jobs", str(given.jobs), "--quiet", "--out", f"{place}/out"]
        words += [word for one in ["exact.nodes=0", "record.every=0", *sets] for word in ("--set", one)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        found = {}
        for row in csv.DictReader(open(f"{place}/out/runs.csv")):
            solved = row["solved"] == "true"
            assert not solved or row["verified"] == "true", "a claim is refuted"
            calls = int(row["evaluations_to_best"]) + int(row["moves_to_best"]) if solved else math.inf
            found.setdefault(row["puzzle"], []).append(calls)
        return found


def shares(found):
    """The share of runs that solve, puzzle by puzzle."""
    return {puzzle: sum(map(math.isfinite, runs)) / len(runs) for puzzle, runs in found.items()}


def wilson(share, n):
    centre = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, centre - half), min(1.0, centre + half)


def next_puzzle(each, runs):
    """The share of runs that solve, and its interval for the next puzzle, from that of each, all with as many runs."""
    k, mean = len(each), sum(each) / len(each)
    variance = sum((one - mean) ** 2 for one in each) / (k - 1) / k
    telling = min(sum(one > 0 for one in each), sum(one < 1 for one in each))
    independent = k
    if telling >= TELLING and variance > 0:
        independent = min(runs, mean * (1 - mean) / variance)
    return mean, *wilson(mean, independent)


def coverage():
    """Draws puzzles with shares of their own, and runs of each; how often the interval holds the mean of all puzzles."""
    rng = random.Random(1)
    print("| puzzles x runs | share of a puzzle | mean | interval holds it |\n|---|---|---|---|")
    for k, runs in [(50, 5), (100, 5), (200, 10), (100, 1)]:
        for label, mean, share in [
            ("0.5 in 1 of 100, else 1", 0.995, lambda: 0.5 if rng.random() < 0.01 else 1.0),
            ("0 in 1 of 100, else 1", 0.99, lambda: 0.0 if rng.random() < 0.01 else 1.0),
            ("0.5 in 1 of 10, else 1", 0.95, lambda: 0.5 if rng.random() < 0.1 else 1.0),
            ("beta(0.5, 0.5)", 0.5, lambda: rng.betavariate(0.5, 0.5)),
            ("beta(6, 3)", 2 / 3, lambda: rng.betavariate(6, 3)),
            ("0.9 of all", 0.9, lambda: 0.9),
        ]:
            held = 0
            for _ in range(1000):
                drawn = [share() for _ in range(k)]
                each = [sum(rng.random() < one for _ in range(runs)) / runs for one in drawn]
                _, low, high = next_puzzle(each, k * runs)
                held += low <= mean <= high
            print(f"| {k} x {runs} | {label} | {100 * mean:.1f} % | {held / 10:.1f} % |", flush=True)


def median(values):
    values = sorted(values)
    return values[(len(values) - 1) // 2]


def resampled(items, statistic):
    """The 2.5th and 97.5th percentile of a statistic of samples of the items."""
    rng = random.Random(1)
    drawn = sorted(statistic(rng.choices(items, k=len(items))) for _ in range(2000))
    return drawn[49], drawn[1949]


def counted(value):
    return f"{value:,.0f}".replace(",", " ") if math.isfinite(value) else "never"


def line(label, found, base):
    puzzles = list(found.values())
    every = [calls for runs in puzzles for calls in runs]
    solved = sum(map(math.isfinite, every))
    share, low, high = (100 * value for value in next_puzzle(list(shares(found).values()), len(every)))
    middle = resampled(puzzles, lambda drawn: median(calls for runs in drawn for calls in runs))
    always = sum(one == 1 for one in shares(found).values())
    ninetieth = sorted(every)[math.ceil(0.9 * len(every)) - 1]
    difference = ""
    if base is not None and base.keys() == found.keys():
        ours, theirs = shares(found), shares(base)
        each = [100 * (ours[puzzle] - theirs[puzzle]) for puzzle in ours]
        ends = resampled(each, lambda drawn: sum(drawn) / len(drawn))
        difference = f"{sum(each) / len(each):+.1f} ({ends[0]:+.1f} to {ends[1]:+.1f})"
    print(
        f"| {label} | {solved} of {len(every)} | {share:.1f} % ({low:.1f} to {high:.1f}) | {always} of {len(puzzles)} | "
        f"{counted(median(every))} ({counted(middle[0])} to {counted(middle[1])}) | {counted(ninetieth)} | {difference} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", help=" ".join([*(name for name, _, _ in tables()), "coverage"]))
    parser.add_argument("--puzzles", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    if "coverage" in given.tables:
        coverage()
        return
    for name, title, rows in tables():
        if given.tables and name not in given.tables:
            continue
        print(f"\n{name}: {title}\n")
        print("| | runs solved | next puzzle (95 %) | puzzles always solved | calls, median (95 %) | 90 % | difference (95 %) |")
        print("|---|---|---|---|---|---|---|")
        base = None
        for label, config, files, runs, sets, ids in rows:
            found = run(config, files, runs, sets, ids, given)
            line(label, found, base)
            base = found if base is None else base


if __name__ == "__main__":
    main()
