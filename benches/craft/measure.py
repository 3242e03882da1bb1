"""Ten thousand generated puzzles over all kinds and tiers: one solution each, and no step of an explanation that does not follow.

    python3 benches/craft/measure.py [--kenga PATH] [--folder DIR] [--sample N]

Writes puzzles.jsonl into DIR (10 to 15 minutes of CPU in all), then has every puzzle solved, graded and explained with
`--verify`, and a sample of N (1,000) proved unique by CaDiCaL, where the package python-sat is there.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import pathlib
import random
import subprocess

TIERS = ["easy", "normal", "hard", "extreme", "unreasonable"]

# How many of each order, and its options.
ORDERS = [(150, f"kenken --size {size} --difficulty {tier}") for tier in TIERS for size in range(4, 10)]
ORDERS += [(60, f"kenken --size {size}") for size in (3, 10, 12, 15)]
ORDERS += [(150, f"killer --size 9 --difficulty {tier}") for tier in TIERS]
ORDERS += [(100, f"sudoku --size 9 --difficulty {tier}") for tier in TIERS if tier != "normal"]
ORDERS += [(100, f"futoshiki --size 6 --difficulty {tier}") for tier in TIERS]
ORDERS += [(200, f"kakuro --rows 8 --cols 8 --difficulty {tier}") for tier in TIERS[:2]]
ORDERS += [(1000, "sudoku --size 9"), (200, "sudoku --size 16"), (300, "killer --size 6")]
ORDERS += [(600, "kakuro --rows 10 --cols 10"), (500, "futoshiki --size 5")]
ORDERS += [(400, f"kenken --size {size} --symmetry rotate") for size in (5, 7)]


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def is_unique_by_sat(kenga, line, solver):
    model = run(kenga, "convert", "-", "--to", "dimacs", text=line).stdout.splitlines()
    clauses = [[int(word) for word in row.split()[:-1]] for row in model if row and row[0] not in "cp"]
    cells = {int(row.split()[-1]) for row in model if row.startswith("c cell ")}
    with solver(bootstrap_with=clauses) as sat:
        if not sat.solve():
            return False
        sat.add_clause([-literal for literal in sat.get_model() if literal in cells])
        return not sat.solve()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kenga", default="target/release/kenga")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("results/craft"))
    parser.add_argument("--sample", type=int, default=1000)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for count, order in ORDERS:
        made = run(args.kenga, "generate", "--kind", *order.split(), "--count", str(count)).stdout.splitlines()
        print(f"{order}: {len(made)} of {count}", flush=True)
        lines += made
    corpus = args.folder / "puzzles.jsonl"
    corpus.write_text("".join(line + "\n" for line in lines))
    solved = [json.loads(line) for line in run(args.kenga, "solve", str(corpus), "--json").stdout.splitlines()]
    print(len(solved), "puzzles:", dict(collections.Counter(answer["status"] for answer in solved)))
    graded = [json.loads(line) for line in run(args.kenga, "grade", str(corpus), "--json").stdout.splitlines()]
    print("tiers:", dict(collections.Counter(grade["tier"] or grade["status"] for grade in graded)))
    steps = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        explain = functools.partial(run, args.kenga, "explain", "-", "--json", "--verify")
        for told in pool.map(lambda line: explain(text=line).stdout, lines):
            steps.update(json.loads(told.splitlines()[-1])["verified"])
    print("steps:", steps["yes"], "follow,", steps["no"], "do not,", steps["undecided"], "undecided")
    try:
        from pysat.solvers import Cadical153
    except ImportError:
        return
    sample = random.Random(1).sample(lines, min(args.sample, len(lines)))
    unique = sum(is_unique_by_sat(args.kenga, line, Cadical153) for line in sample)
    print(f"CaDiCaL: {unique} of {len(sample)} unique")


if __name__ == "__main__":
    main()
