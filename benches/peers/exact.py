"""Exact solvers side by side: CPU time to a first solution and to the proof that there is no other.

    python exact.py                              the project's own puzzles
    python exact.py CORPUS.jsonl --match 9du     some puzzles of a corpus in kenga's canonical JSON

Every peer gets the same puzzles, one at a time, on one thread. See README.md for what is counted.
"""

import argparse
import json
import multiprocessing
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from instance import Instance

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEFAULT = [ROOT / "puzzles" / name for name in ("keen-sample.jsonl", "wide-ops.jsonl")]


def cadical(line, kenga, _limit):
    """CaDiCaL 1.9.5 on the clauses that kenga writes."""
    from pysat.formula import CNF
    from pysat.solvers import Cadical195

    text = subprocess.run(
        [kenga, "convert", "-", "--to", "dimacs"], input=line, capture_output=True, text=True, check=True
    ).stdout
    digits = [int(words.rsplit(" ", 1)[1]) for words in text.splitlines() if words.startswith("c cell ")]
    clauses = CNF(from_string=text).clauses
    start = time.process_time()
    solver = Cadical195(bootstrap_with=clauses)
    built = time.process_time()
    count, first = 0, None
    while count < 2 and solver.solve():
        count += 1
        first = first or time.process_time()
        model = set(solver.get_model())
        solver.add_clause([-variable for variable in digits if variable in model])
    return result(count, start, built, first, time.process_time())


def cp_sat(line, _kenga, _limit):
    """OR-tools CP-SAT: AllDifferent, sums as linear constraints, other clues as tables where not too long."""
    from ortools.sat.python import cp_model

    instance = Instance(json.loads(line))
    start = time.process_time()
    model = cp_model.CpModel()
    domain = cp_model.Domain.from_values(instance.digits)
    cells = {cell: model.new_int_var_from_domain(domain, "") for cell in instance.cells}
    for group in instance.distinct:
        model.add_all_different([cells[cell] for cell in group])
    for op, target, group in instance.clues:
        variables = [cells[cell] for cell in group]
        if op in ("+", "mean"):
            model.add(sum(variables) == target * (len(group) if op == "mean" else 1))
            continue
        tuples = instance.tuples(op, target, group)
        if tuples is not None:
            model.add_allowed_assignments(variables, tuples)
        elif op == "*":
            model.add_multiplication_equality(model.new_constant(target), variables)
        else:
            return {"skipped": f"{op} over {len(group)} cells"}
    built = time.process_time()
    count, first, solver = 0, None, cp_model.CpSolver()
    solver.parameters.num_workers = 1
    while count < 2 and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        count += 1
        first = first or time.process_time()
        variables = list(cells.values())
        model.add_forbidden_assignments(variables, [[solver.value(variable) for variable in variables]])
    return result(count, start, built, first, time.process_time())


def gecode(line, _kenga, limit):
    """Gecode: domain-consistent AllDifferent and tables, branching by accumulated failure count."""
    instance = Instance(json.loads(line))
    text = instance.for_gecode()
    if text is None:
        return {"skipped": "a clue with too many tuples"}
    try:
        done = subprocess.run([HERE / "gecode_exact"], input=text, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"over": True}
    done.check_returncode()
    out = done.stdout
    count, build, first, proof = out.split()
    times = {"build": float(build), "first": float(first) if int(count) else None, "proof": float(proof)}
    return {"count": int(count), **times}


PEERS = {"gecode": gecode, "cadical": cadical, "cp-sat": cp_sat}


def result(count, start, built, first, end):
    """Milliseconds: building, then solving alone."""
    ms = lambda since, until: (until - since) * 1000
    return {
        "count": count,
        "build": ms(start, built),
        "first": ms(built, first) if first else None,
        "proof": ms(built, end),
    }


def work(peer, kenga, limit, pipe):
    PEERS[peer]('{"size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}', kenga, limit)  # imports, once
    pipe.send("ready")
    while True:
        try:
            pipe.send(PEERS[peer](pipe.recv(), kenga, limit))
        except EOFError:
            return
        except Exception as error:  # of one puzzle; the others go on
            pipe.send({"skipped": f"{type(error).__name__}: {error}"})


class Worker:
    """A process that solves for one peer; ended and started anew when a puzzle takes too long."""

    def __init__(self, peer, kenga, limit):
        self.peer, self.kenga, self.limit, self.process = peer, kenga, limit, None

    def start(self):
        self.pipe, child = multiprocessing.Pipe()
        arguments = (self.peer, self.kenga, self.limit, child)
        self.process = multiprocessing.Process(target=work, args=arguments, daemon=True)
        self.process.start()
        child.close()
        assert self.pipe.recv() == "ready"

    def solve(self, line):
        if self.process is None:
            self.start()
        self.pipe.send(line)
        if self.pipe.poll(self.limit + 1):  # a peer with a limit of its own comes first
            return self.pipe.recv()
        self.stop()
        return {"over": True}

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def by_kenga(kenga, lines, limit):
    command = [kenga, "solve", "-", "--json", "--jobs", "1", "--time-limit", str(limit)]
    out = subprocess.run(command, input="".join(lines), capture_output=True, text=True).stdout
    results = {}
    for answer in map(json.loads, out.splitlines()):
        compiled, first = answer["compile_us"] / 1000, answer["first_us"]
        over = answer["status"] in ("solved", "undecided")
        results[answer["id"]] = {
            "over": over,
            "count": answer["count"],
            "build": 0.0,
            "first": None if first is None else compiled + first / 1000,
            "proof": compiled + answer["search_us"] / 1000,
        }
    return results


def median_max(values):
    return f"{statistics.median(values):.3g} / {max(values):.3g}" if values else "-"


def table(name, results):
    """A row a peer. Ratios are taken puzzle by puzzle, over those that both have finished."""
    kenga = results["kenga"]
    puzzles = "puzzle" if len(kenga) == 1 else "puzzles"
    print(f"\n{name}: {len(kenga)} {puzzles}; milliseconds and ratios to kenga, median / max\n")
    ratios = "first, x kenga | proof, x kenga | building + proof, x kenga"
    print(f"| | first solution | proof | building | {ratios} | over | skipped |")
    print("|---" * 9 + "|")
    for peer, rows in results.items():
        done = {key: row for key, row in rows.items() if not row.get("over") and "skipped" not in row}
        column = lambda field: [row[field] for row in done.values() if row[field] is not None]
        both = [(row, kenga[key]) for key, row in done.items() if not kenga[key]["over"]]
        ratio = lambda field: [
            row[field] / own[field] for row, own in both if row[field] is not None and own[field] is not None
        ]
        over = sum(bool(row.get("over")) for row in rows.values())
        skipped = sum("skipped" in row for row in rows.values())
        building = "within" if peer == "kenga" else median_max(column("build"))
        whole = [(row["build"] + row["proof"]) / own["proof"] for row, own in both]
        cells = [median_max(column("first")), median_max(column("proof")), building]
        cells += [median_max(ratio("first")), median_max(ratio("proof")), median_max(whole), str(over), str(skipped)]
        print(f"| {peer} | {' | '.join(cells)} |")


def disagreements(results):
    """Puzzles on which a peer that finished found another number of solutions (0, 1, 2 for more) than kenga."""
    found = []
    for peer, rows in results.items():
        for key, row in rows.items():
            own = results["kenga"][key]
            finished = not row.get("over") and "skipped" not in row and not own["over"]
            if finished and row["count"] != own["count"]:
                found.append(f"{key}: kenga found {own['count']}, {peer} {row['count']}")
            if "skipped" in row:
                print(f"{key}: {peer}: {row['skipped']}", file=sys.stderr)
    return found


def puzzles(path, match):
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()):
        puzzle = json.loads(line)
        puzzle.setdefault("id", f"line {number + 1}")
        if re.search(match, puzzle["id"]):
            yield puzzle["id"], json.dumps(puzzle) + "\n"


def available(wanted):
    peers = []
    for peer in wanted:
        if peer == "gecode" and not (HERE / "gecode_exact").exists():
            print("gecode is left out: build gecode_exact first (README.md)", file=sys.stderr)
        else:
            peers.append(peer)
    return peers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", default=DEFAULT, help="JSON lines")
    parser.add_argument("--match", default="", help="only puzzles whose id this regular expression finds")
    parser.add_argument("--limit", type=float, default=20, help="seconds a puzzle and peer [20]")
    parser.add_argument("--peers", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--kenga", default=str(ROOT / "target/release/kenga"), help="the binary")
    arguments = parser.parse_args()
    wrong = []
    for corpus in arguments.corpora:
        lines = dict(puzzles(corpus, arguments.match))
        results = {"kenga": by_kenga(arguments.kenga, lines.values(), arguments.limit)}
        for peer in available(arguments.peers):
            worker = Worker(peer, arguments.kenga, arguments.limit)
            results[peer] = {key: worker.solve(line) for key, line in lines.items()}
            worker.stop()
        title = Path(corpus).name + (f" ({arguments.match})" if arguments.match else "")
        table(title, results)
        wrong += disagreements(results)
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
