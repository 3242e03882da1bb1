"""Evaluations a second of CPU time from Python, in batches of bytes and of int64: `python evaluate.py [PUZZLE...]`."""

import sys
import time
from pathlib import Path

import kenga

PUZZLES = Path(__file__).parents[2] / "puzzles"
BATCHES = (10, 100, 1000, 10_000)
EVALUATIONS = 2_000_000
ROUNDS = 5


def rate(puzzle, encoding, dtype, batch):
    """The median over rounds, in millions a second."""
    task = kenga.Task(puzzle, encoding)
    # Bytes are not converted.
    genomes = task.random(batch).astype(dtype)
    while task.best is None or task.solved:
        task = kenga.Task(puzzle, encoding)
        task.evaluate(genomes)
    rates = []
    for _ in range(ROUNDS):
        began, count = time.process_time(), max(1, EVALUATIONS // batch // ROUNDS)
        for _ in range(count):
            task.evaluate(genomes)
        rates.append(count * batch / (time.process_time() - began) / 1e6)
    return sorted(rates)[ROUNDS // 2]


def main():
    kenken = [PUZZLES / "original" / "4x4.txt", PUZZLES / "original" / "6x6.txt", PUZZLES / "throughput-9x9.json"]
    files = sys.argv[1:] or kenken
    for file in files:
        puzzle = kenga.Puzzle.read(file)[0]
        for encoding in ("cells", "rows", "cages"):
            for dtype in ("uint8", "int64"):
                rates = "  ".join(f"{batch}: {rate(puzzle, encoding, dtype, batch):6.2f}" for batch in BATCHES)
                print(f"{puzzle.id:12} {encoding:6} {dtype} millions a second in batches of  {rates}", flush=True)


if __name__ == "__main__":
    main()
