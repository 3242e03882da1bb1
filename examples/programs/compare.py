"""The algorithms of compare.toml once more, as functions of the package: the same seeds, budgets and puzzles.

    pip install ./python deap pymoo
    python examples/programs/compare.py results/functions
"""

import sys
from pathlib import Path

import deap_ga
import ga
import kenga
import pymoo_ga

PUZZLES = Path(__file__).resolve().parents[2] / "puzzles"
CONFIG = {
    "puzzles": [PUZZLES / "original" / "4x4.txt", PUZZLES / "keen-5x5.jsonl"],
    "seed": 1,
    "replicates": 50,
    "budget": {"evaluations": 40_000, "generations": 1_000_000},
    "record": {"every": 100},
}


def main(out, runs=50):
    """Make the folders, or what is missing of them, and compare all."""
    folders = [kenga.run({**CONFIG, "preset": "pyevolve"}, runs=runs, out=out / "pyevolve", resume=True)]
    for module in (ga, deap_ga, pymoo_ga):
        function = module.search
        folders.append(kenga.run(CONFIG, algorithm=function, runs=runs, out=out / module.__name__, resume=True))
    print(kenga.compare(folders))
    for folder in folders:
        rows = folder.runs
        cpu_s = rows["cpu_s"].sum()
        print(f"{folder.path.name}: {rows['evaluations'].sum() / cpu_s:.3g} evaluations a second of CPU time ({cpu_s:.0f} s)")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "results/functions"), *map(int, sys.argv[2:]))
