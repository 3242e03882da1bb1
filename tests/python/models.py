"""Solves the integer programs of `kenga convert --to lp` with HiGHS and compares with what `kenga check` says.

    cargo build --release
    python -m venv /somewhere/venv && /somewhere/venv/bin/pip install highspy==1.15.1
    /somewhere/venv/bin/python tests/python/models.py target/release/kenga puzzles/corpus/keen.jsonl [--every N] [--time-limit S]

Every N-th puzzle of each file is solved; where the file says that it has one solution or none (`nsol`, `exact_count`), a
second program that denies the first solution is solved too. Exits 1 when an answer is wrong.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import highspy


def kenga(*words, text=None):
    return subprocess.run([str(ARGS.kenga), *map(str, words)], input=text, capture_output=True, text=True)


def solve(program, time_limit):
    """The variables that are 1, nothing where there is no solution; raises TimeoutError."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("time_limit", float(time_limit))
    if highs.readModel(str(program)) != highspy.HighsStatus.kOk:
        raise RuntimeError("HiGHS does not read the program")
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    if status != highspy.HighsModelStatus.kOptimal:
        raise TimeoutError(highs.modelStatusToString(status))
    values = highs.getSolution().col_value
    return [highs.getColName(index)[1] for index, value in enumerate(values) if value > 0.5]


def held(names):
    return [name for name in names if name.startswith("x_")]


def grid(names, puzzle):
    """The grid of a solution as `kenga check` reads it, and its cells."""
    digits = {tuple(name[2:].rsplit("_", 1))[0]: name.rsplit("_", 1)[1] for name in held(names)}
    size = puzzle.get("size")
    rows, cols = puzzle.get("rows", size), puzzle.get("cols", size)
    return "/".join(" ".join(digits.get(cell(row, col), ".") for col in range(cols)) for row in range(rows))


def cell(row, col):
    letters = ""
    row += 1
    while row:
        row, letter = divmod(row - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{col + 1}"


def denied(program, names):
    """The same program without this solution."""
    cells = held(names)
    row = " + ".join(cells).replace(" + ", "\n + ")
    return program.replace("Binaries\n", f" {row} <= {len(cells) - 1}\nBinaries\n", 1)


def judge(puzzle, into):
    source, program = into / "puzzle.json", into / "puzzle.lp"
    source.write_text(json.dumps(puzzle), encoding="utf-8")
    written = kenga("convert", source, "--to", "lp")
    if written.returncode:
        return "not written: " + written.stderr
    program.write_text(written.stdout, encoding="utf-8")
    first = solve(program, ARGS.time_limit)
    known = puzzle.get("exact_count", puzzle.get("nsol"))
    if first is None:
        return "right" if known in (0, None) else "no solution, but it has one"
    if known == 0:
        return "a solution, but it has none"
    if kenga("check", source, "--grid", grid(first, puzzle)).returncode:
        return "not a solution: " + grid(first, puzzle)
    if known is not None:
        program.write_text(denied(written.stdout, first), encoding="utf-8")
        second = solve(program, ARGS.time_limit)
        if (second is not None) != (known > 1):
            return f"{known} solutions, but a second one was {'found' if second else 'not found'}"
    return "right"


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        for corpus in ARGS.corpus:
            puzzles = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines() if line][:: ARGS.every]
            counts = {"right": 0, "undecided": 0, "wrong": 0}
            for puzzle in puzzles:
                try:
                    verdict = judge(puzzle, pathlib.Path(temporary))
                except TimeoutError:
                    verdict = "undecided"
                counts[verdict if verdict in counts else "wrong"] += 1
                if verdict not in counts:
                    print(f"{corpus.name} {puzzle.get('id')}: {verdict}")
            print(f"{corpus.name}: " + ", ".join(f"{count} {word}" for word, count in counts.items()), flush=True)
            wrong += counts["wrong"]
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kenga", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--time-limit", type=float, default=60)
    ARGS = parser.parse_args()
    ARGS.kenga = ARGS.kenga.resolve()
    sys.exit(main())
