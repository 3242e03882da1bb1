"""Makes the puzzles of puzzles/fresh, on which nothing was tuned, and others like them by another seed.

    python3 make.py keen 9u 100 > keen.jsonl             100 of Keen's, 9x9 unreasonable; Debian: apt install sgt-puzzles
    python3 make.py cages 9x4-6 10 > cages.jsonl         10 of ours, 9x9, cages of 4 to 6 cells, one solution each
    python3 make.py cages 12x3-5+ 10 > cages.jsonl       one solution or more
    python3 make.py fresh                                all files of puzzles/fresh
    python3 make.py keen 9u 100 --seed mine              others

Every puzzle is drawn from a seed of its own, so that it is the same on every machine: Keen takes it in its game ID
(`sgt-keen --generate 1 9du#fresh-0`), ours is given to Python's generator. `KEEN` and `KENGA` name other programs than
/usr/games/sgt-keen and target/release/kenga.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
KENGA = os.environ.get("KENGA", str(ROOT / "target/release/kenga"))
KEEN = os.environ.get("KEEN", "/usr/games/sgt-keen")

DIFFICULTIES = "enhxu"
# Files of puzzles/fresh: what is in them, and how many of each.
FRESH = {
    "keen-4x4": [("keen", f"4{d}", 20) for d in DIFFICULTIES],
    "keen-5x5": [("keen", f"5{d}", 10) for d in DIFFICULTIES],
    "keen-6x6": [("keen", f"6{d}", 20) for d in DIFFICULTIES],
    "keen-7x7": [("keen", f"7{d}", 10) for d in DIFFICULTIES],
    "keen-8x8": [("keen", f"8{d}", 10) for d in DIFFICULTIES],
    "keen-9x9": [("keen", f"9{d}", 10) for d in "enh"],
    "keen-9x9-extreme": [("keen", "9x", 100)],
    "keen-9x9-unreasonable": [("keen", "9u", 100)],
    "big-cages": [("cages", kind, 10) for kind in ("9x2-5", "9x4-6", "12x2-4", "12x3-5+", "15x2-4+")],
}
# Decisions of the exact solver after which a puzzle is dropped for the next.
NODES = 20_000


def kenga(words, text):
    """What kenga prints of puzzles on standard input, line by line; what a puzzle without an answer leads to is no error."""
    done = subprocess.run([KENGA, *words], input=text, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def keen(kind, seeds):
    """One puzzle of Keen for every seed."""
    params = f"{kind[0]}d{kind[1]}"
    words = lambda seed: [KEEN, "--generate", "1", f"{params}#{seed}"]
    made = [subprocess.run(words(seed), check=True, capture_output=True, text=True).stdout for seed in seeds]
    ids = [f"{params}:{one.strip().split(':', 1)[1]}" for one in made]
    for seed, keen_id, puzzle in zip(seeds, ids, kenga(["convert", "-", "--to", "json"], "\n".join(ids))):
        yield puzzle | {"id": f"{kind}-{seed}", "keen_id": keen_id, "source": f"sgt-keen --generate 1 {params}#{seed}"}


def latin_square(size, rng):
    """Rows of random perfect matchings between columns and the digits that they lack."""
    lacking, square = [set(range(1, size + 1)) for _ in range(size)], []
    for _ in range(size):
        column_of = {}

        def place(column, tried):
            for digit in rng.sample(sorted(lacking[column]), len(lacking[column])):
                if digit not in tried:
                    tried.add(digit)
                    if digit not in column_of or place(column_of[digit], tried):
                        column_of[digit] = column
                        return True
            return False

        for column in rng.sample(range(size), size):
            place(column, set())
        row = [0] * size
        for digit, column in column_of.items():
            row[column] = digit
            lacking[column].remove(digit)
        square.append(row)
    return square


def neighbours(cell):
    r, c = cell
    return [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]


def grow(free, start, wanted, rng):
    """A connected cage of up to so many free cells."""
    cage = [start]
    free.remove(start)
    while len(cage) < wanted:
        around = sorted({one for cell in cage for one in neighbours(cell) if one in free})
        if not around:
            break
        cage.append(rng.choice(around))
        free.remove(cage[-1])
    return cage


def clue(cage, square, rng):
    """A clue that the square satisfies: of two cells any operator that can, of more a sum or a product."""
    digits = sorted((square[r][c] for r, c in cage), reverse=True)
    product = 1
    for digit in digits:
        product *= digit
    ways = [("+", sum(digits)), ("*", product)]
    if len(cage) == 1:
        ways = [("=", digits[0])]
    if len(cage) == 2:
        ways.append(("-", digits[0] - digits[1]))
        if digits[0] % digits[1] == 0:
            ways.append(("/", digits[0] // digits[1]))
    op, target = rng.choice(ways)
    return {"op": op, "target": target, "cells": [list(cell) for cell in sorted(cage)]}


def without(cage, cell, square, rng):
    """A cage without one of its cells, which becomes a given; what falls apart becomes cages of its own."""
    free = {tuple(one) for one in cage["cells"]} - {cell}
    parts = [[cell]]
    while free:
        parts.append(grow(free, min(free), len(free), rng))
    return [clue(part, square, rng) for part in parts]


def caged(size, low, high, unique, rng):
    """A puzzle with a solution; if wanted with one alone, or nothing where the exact solver gives up.

    While there are two solutions, a cell in which they differ becomes a given.
    """
    square = latin_square(size, rng)
    free, cages = {(r, c) for r in range(size) for c in range(size)}, []
    for cell in sorted(free):
        if cell in free:
            cages.append(clue(grow(free, cell, rng.randint(low, high), rng), square, rng))
    while True:
        puzzle = {"id": "drawn", "size": size, "cages": cages}
        if not unique:
            return puzzle
        answer = kenga(["solve", "-", "--json", "--node-limit", str(NODES)], json.dumps(puzzle))[0]
        if answer["status"] == "unique":
            return puzzle
        if answer["status"] != "multiple":
            return None
        one, other = answer["solutions"][:2]
        differ = [(r, c) for r in range(size) for c in range(size) if one[r][c] != other[r][c]]
        cell = rng.choice(differ)
        place = next(i for i, cage in enumerate(cages) if list(cell) in cage["cells"])
        cages = [*cages[:place], *without(cages[place], cell, square, rng), *cages[place + 1 :]]


def cages(kind, seeds):
    """One puzzle of ours for every seed; a seed whose puzzle is not decided gives a further one."""
    *numbers, several = re.fullmatch(r"(\d+)x(\d+)-(\d+)(\+?)", kind).groups()
    size, low, high = map(int, numbers)
    for seed in seeds:
        draw = 0
        while (puzzle := caged(size, low, high, not several, random.Random(f"{kind} {seed} {draw}"))) is None:
            draw += 1
        source = f"benches/claims/make.py cages {kind}, seed {seed}"
        yield puzzle | {"id": f"{kind}-{seed}", "source": source}


def make(family, kind, count, seed):
    seeds = [f"{seed}-{index}" for index in range(count)]
    puzzles = list({"keen": keen, "cages": cages}[family](kind, seeds))
    if not kind.endswith("+"):
        answers = kenga(["solve", "-", "--json"], "\n".join(map(json.dumps, puzzles)))
        assert [answer["status"] for answer in answers] == ["unique"] * count, "a puzzle has not one solution"
    return [json.dumps(puzzle, separators=(",", ":")) + "\n" for puzzle in puzzles]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=["keen", "cages", "fresh"])
    parser.add_argument("kind", nargs="?", help="9u: size and difficulty (e n h x u); 12x3-5: size and cells of a cage")
    parser.add_argument("count", nargs="?", type=int)
    parser.add_argument("--seed", default="fresh")
    given = parser.parse_args()
    if given.family != "fresh":
        if given.count is None:
            parser.error("say what kind, and how many")
        sys.stdout.writelines(make(given.family, given.kind, given.count, given.seed))
        return
    for name, parts in FRESH.items():
        with open(ROOT / f"puzzles/fresh/{name}.jsonl", "w") as file:
            file.writelines(line for part in parts for line in make(*part, given.seed))


if __name__ == "__main__":
    main()
