#!/usr/bin/env python3
"""What ground truth in the log costs: the CPU time of runs with it on and with it off, one after the other.

    cargo build --release
    python3 benches/ground_truth.py                     every configuration and every switch: the table of benches/README.md
    python3 benches/ground_truth.py ga tabu             some configurations
    python3 benches/ground_truth.py --switch operators  one switch: operators, every, dead, groups, all
    python3 benches/ground_truth.py --rounds 15

Each figure is the median, over the rounds, of the CPU time of a whole process (user and system, as getrusage has it,
rows written and puzzle solved exactly) with the switch on, divided by that of the process with it off which ran just
before or after it. Both make the same runs, which is checked. Needs nothing but kenga and Python 3.9.
"""

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KENGA = os.environ.get("KENGA", ROOT / "target/release/kenga")

# Runs of about a second: name, configuration, puzzle if another, what is set beside it.
LARGE, NINE = "large-25x25.json", "throughput-9x9.json"
RUNS = [
    ("pyevolve", "configs/pyevolve-4x4", "original/6x6.txt", ["replicates=12"]),
    ("genetic-cells", "configs/pyevolve-4x4", NINE, ["replicates=4", 'algorithm.mutation="reset"', 'algorithm.crossover="cage"']),
    ("ga", "configs/ga", NINE, ["replicates=1", "budget.evaluations=3_000_000"]),
    ("islands", "benches/islands", None, ["budget.evaluations=3_000_000"]),
    ("genetic-rows", "configs/genetic-rows", None, ["replicates=4", "budget.evaluations=200_000"]),
    ("memetic", "configs/memetic", LARGE, ["replicates=1", "budget.moves=20_000_000"]),
    ("tabu", "configs/tabu", LARGE, ["replicates=1", "budget.moves=20_000_000"]),
    ("breakout", "configs/tabu", LARGE, ["replicates=1", "budget.moves=20_000_000", 'algorithm={ name = "breakout" }']),
    ("iterated", "configs/tabu", LARGE, ["replicates=1", "budget.moves=20_000_000", 'algorithm={ name = "iterated" }']),
    ("annealing, rows", "configs/annealing-rows", None, ["replicates=4", "budget.moves=5_000_000"]),
    ("annealing, cages", "configs/annealing-rows", LARGE, ["replicates=1", 'algorithm.encoding="cages"']),
    ("portfolio", "configs/portfolio", LARGE, ["replicates=1", "budget.moves=20_000_000"]),
]

# Name, what is set to have it, and not to have it.
SWITCHES = [
    ("operators", ["record.operators=true"], ["record.operators=false"]),
    ("every", ["record.every=1"], ["record.every=0"]),
    ("dead", ['exact.dead="note"'], ['exact.dead="off"']),
    ("groups", ["record.groups=true"], ["record.groups=false"]),
]
OFF = ["record.operators=false", "record.every=0", 'exact.dead="off"', "record.groups=false"]
ALL = ("all", ["record.operators=true", "record.every=1", 'exact.dead="note"', "record.groups=true"], OFF)


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(config, puzzle, sets):
    """The CPU seconds of one process, and the runs that it made."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        command = [KENGA, "run", "--config", ROOT / f"{config}.toml", "--jobs", "1", "--quiet", "--out", out]
        if puzzle:
            command += ["--puzzle", ROOT / "puzzles" / puzzle]
        for one in sets:
            command += ["--set", one]
        before = cpu()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        used = cpu() - before
        rows = [row.split(",") for row in (out / "runs.csv").read_text().splitlines()]
        # Whether it is dead is known only where somebody looks.
        dead = rows[0].index("dead_at")
        return used, [row[:dead] + row[dead + 1 :] for row in rows]


def cost(config, puzzle, sets, on, off, rounds):
    times = []
    for number in range(rounds):
        pair = [(True, on), (False, off)]
        made = {kind: run(config, puzzle, sets + OFF + switch) for kind, switch in (pair if number % 2 else pair[::-1])}
        assert made[True][1] == made[False][1], "the runs differ"
        times.append((made[True][0], made[False][0]))
    ratio = statistics.median(on / off for on, off in times)
    return ratio, statistics.median(off for _, off in times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--switch", action="append")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    switches = [switch for switch in [*SWITCHES, ALL] if not args.switch or switch[0] in args.switch]
    print("| | CPU s, off | " + " | ".join(name for name, _, _ in switches) + " |")
    print("|---|---|" + "---|" * len(switches))
    for name, config, puzzle, sets in RUNS:
        if args.names and name not in args.names:
            continue
        costs = [cost(config, puzzle, sets, on, off, args.rounds) for _, on, off in switches]
        off = statistics.median(off for _, off in costs)
        shown = " | ".join(f"{100 * (ratio - 1):+.1f} %" for ratio, _ in costs)
        print(f"| {name} | {off:.2f} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
