"""How hard the puzzles of puzzles/adversarial.jsonl are for each algorithm in this folder, beside random ones of the same sizes.

    python3 benches/adversarial/measure.py [--kenga PROGRAM] [--runs N] [--jobs N] [--out DIR]

From the root of the repository. Runs the algorithms on the set and on as many random puzzles of each size, and prints two tables in
Markdown: families by algorithms, the mean share of runs that solve and the mean PAR-10 in calls; and how many times more a family costs
than random puzzles, with a 95 % interval over puzzles. The folder has all runs.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import random
import subprocess
import tomllib

SET = "puzzles/adversarial.jsonl"
CONFIGS = sorted(pathlib.Path(__file__).parent.glob("*.toml"))
RANDOM = "random"


def lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def family(puzzle):
    """What a puzzle was evolved for."""
    meta = puzzle.get("meta", {})
    if "hard_for" not in meta:
        return RANDOM
    easy = meta.get("easy_for", {}).get("name")
    return f"{meta['hard_for']['name']} > {easy}" if easy else meta["hard_for"]["name"]


def random_puzzles(kenga, sizes, out):
    """As many random puzzles of each size, in a file."""
    path = out / "random.jsonl"
    made = []
    for size, count in sorted(sizes.items()):
        command = [kenga, "generate", "--kind", "kenken", "--size", str(size), "--count", str(count), "--seed", "17"]
        made.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    path.write_text("".join(made))
    return path


def decisions(kenga, path):
    """What the exact solver takes to prove each puzzle's solution the only one, at least 1."""
    ended = subprocess.run([kenga, "solve", "--json", path], check=True, capture_output=True, text=True)
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert all(answer["status"] == "unique" for answer in answers)
    return {answer["id"]: (1.0, max(1, answer["nodes"])) for answer in answers}


def measured(config, args, puzzles):
    """The share of runs that solve and PAR-10 of a configuration on every puzzle of some files."""
    bounds = tomllib.loads(config.read_text())["budget"]
    budget = bounds.get("evaluations", 0) + bounds.get("moves", 0)
    costs = collections.defaultdict(list)
    for path in puzzles:
        folder = args.out / f"{config.stem}-{pathlib.Path(path).stem}"
        command = [args.kenga, "run", "--config", config, "--puzzle", path, "--runs", str(args.runs), "--out", folder]
        subprocess.run([*command, "--resume", "--quiet", "--jobs", str(args.jobs)], check=True)
        for row in csv.DictReader((folder / "runs.csv").open()):
            calls = int(row["evaluations"]) + int(row["moves"])
            costs[row["puzzle"]].append((row["solved"] == "true", calls))
    return {puzzle: of(runs, budget) for puzzle, runs in costs.items()}


def of(runs, budget):
    solved = [calls for is_solved, calls in runs if is_solved]
    par10 = (sum(solved) + 10 * budget * (len(runs) - len(solved))) / len(runs)
    return len(solved) / len(runs), max(1.0, par10)


def short(number):
    for unit, letter in ((1e6, " M"), (1e3, " k")):
        if number >= unit:
            return f"{number / unit:.3g}{letter}"
    return f"{number:.3g}"


def mean(values):
    return sum(values) / len(values)


def ratio(ours, theirs, draws=2000):
    """How many times more: the mean difference of logarithms within sizes, its interval by resampling puzzles."""
    rng = random.Random(1)

    def difference(pick):
        parts = [len(ours[size]) * (mean(pick(ours[size])) - mean(pick(theirs[size]))) for size in ours]
        return sum(parts) / sum(map(len, ours.values()))

    resampled = sorted(difference(lambda values: rng.choices(values, k=len(values))) for _ in range(draws))
    ends = resampled[draws * 25 // 1000], resampled[draws * 975 // 1000 - 1]
    return tuple(short(10**value) for value in (difference(lambda values: values), *ends))


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kenga", default="kenga")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/adversarial"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    evolved = lines(SET)
    plain = random_puzzles(args.kenga, collections.Counter(puzzle["size"] for puzzle in evolved), args.out)
    puzzles = evolved + lines(plain)
    costs = {config.stem: measured(config, args, (SET, plain)) for config in CONFIGS}
    costs["exact"] = decisions(args.kenga, SET) | decisions(args.kenga, plain)
    families = list(dict.fromkeys(map(family, puzzles)))
    members = {name: [puzzle for puzzle in puzzles if family(puzzle) == name] for name in families}

    print(f"\nShare of {args.runs} runs that solve, and PAR-10 in calls; of the exact solver decisions.\n")
    rows = []
    for name, all_of in members.items():
        row = [name, " ".join(map(str, sorted({puzzle["size"] for puzzle in all_of}))), str(len(all_of))]
        for of_algorithm in costs.values():
            shares, calls = zip(*(of_algorithm[puzzle["id"]] for puzzle in all_of))
            row.append(f"{100 * mean(shares):.0f} %, {short(mean(calls))}")
        rows.append(row)
    table(["hard for > easy for", "sizes", "puzzles", *costs], rows)

    print("How many times more it costs than a random puzzle of the same size (geometric means, 95 % over puzzles).\n")
    rows = []
    for name in families:
        if name == RANDOM:
            continue
        row = [name]
        for of_algorithm in costs.values():
            sides = [collections.defaultdict(list), collections.defaultdict(list)]
            sizes = {puzzle["size"] for puzzle in members[name]}
            for side, group in zip(sides, (members[name], members[RANDOM])):
                for puzzle in (one for one in group if one["size"] in sizes):
                    side[puzzle["size"]].append(math.log10(of_algorithm[puzzle["id"]][1]))
            value, low, high = ratio(*sides)
            row.append(f"{value} ({low} to {high})")
        rows.append(row)
    table(["hard for > easy for", *costs], rows)


if __name__ == "__main__":
    main()
