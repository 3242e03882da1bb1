"""Kinds of results folders, for folders.py: their configurations, the commands that make them, and a place where commands run."""

import collections
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

PUZZLES = {
    "4x4.txt": "4:b_a4_a_6aa,m8s1a6s1m4a3d2",
    "other.txt": "4:b_a4_a_6aa,m6s1a6s1m4a3d2",
}
ISLANDS = """
puzzles = ["4x4.txt"]
seed = 3
replicates = 3
budget.evaluations = 100
record = { every = 4, groups = true, operators = true, migrations = true, populations = 5 }
[algorithm]
name = "islands"
count = 2
interval = 20
island = { population = 4, encoding = "rows", selection = "tournament" }
"""
SWEEP = ISLANDS + """[sweep]
"algorithm.interval" = [20, 30]
"algorithm.island.mutation.rate" = [0.1, 0.2]
"""
# Two settings are dropped.
RACE = ISLANDS.replace("replicates = 3", "replicates = 9") + """[sweep]
method = { name = "race", of = "grid", first = 6, alpha = 0.5 }
propagate = [false, true]
"algorithm.interval" = [20, 30]
"""
OWN = """
seed = 3
replicates = 2
budget = { evaluations = 60, moves = 1 }
record = { operators = true, populations = 2 }
[problem]
command = ["python3", "-S", "-I", "problem.py"]
genes = 12
values = [0, 2]
reuse = true
terms = ["wrong", "more"]
[problem.instances]
small = { more = 3 }
large = { more = 70 }
"""
OWN_SWEEP = OWN + """[sweep]
algorithm = [
    { name = "genetic", population = 10, label = "mine" },
    { name = "program", command = ["python3", "-S", "-I", "search.py"], reports_cost = true, reuse = true, label = "theirs" },
]
"""
SPACE = """[algorithm]
name = "genetic"
population = 20
[sweep]
"algorithm.population" = { from = 4, to = 30, scale = "log" }
"algorithm.mutation.rate" = { from = 0.01, to = 1, scale = "log" }
[tune]
"""
TUNE = 'puzzles = ["4x4.txt"]\nseed = 3\nreplicates = 2\nbudget = { evaluations = 60, moves = 1 }\n' + SPACE
TUNE += 'budget = 1_500\nvalidate = ["other.txt"]\n'
OWN_TUNE = OWN + SPACE + 'budget = 2_000\nvalidate = ["large"]\n'

PROBLEM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" not in message:
        more = message["options"]["more"]
        continue
    parts = [[sum(gene != 1 for gene in genome), more] for genome in message["evaluate"]]
    print(json.dumps({"fitness": [sum(part) for part in parts], "terms": parts}), flush=True)
"""
# Random search. Beside a file `bad` it breaks down at every other of its starts.
SEARCH = """
import json, os, sys
for line in sys.stdin:
    task = json.loads(line)
    number = task["seed"]
    if os.path.exists("bad") and number % 2 == 0:
        sys.exit("it breaks")
    answer = {}
    while "done" not in answer:
        genomes = []
        for _ in range(20):
            number = number * 69069 % 2**32 + 1
            genomes.append([numbers[(number >> place) % len(numbers)] for place, numbers in enumerate(task["candidates"])])
        for request in {"evaluate": genomes}, {"population": genomes}:
            print(json.dumps(request), flush=True)
            answer = json.loads(sys.stdin.readline())
            if "done" in answer:
                break
    print(json.dumps({"cost": number % 1000 / 8}), flush=True)
"""
PROGRAMS = {"programs/problem.py": PROBLEM, "programs/search.py": SEARCH}
PROGRAMS |= {"failing/problem.py": PROBLEM, "failing/search.py": SEARCH, "failing/bad": ""}

# So many rounds end the race, however its shards are killed.
ROUNDS = 3


@dataclass
class Step:
    """A command, and its exit code when it has ended."""

    args: list
    code: int = 0


@dataclass
class Kind:
    """A way to make a folder."""

    name: str
    config: str
    shards: int = 0
    is_tuning: bool = False
    # Programs break down first, and are mended.
    fails_first: bool = False
    # Replicates are added to those that are there.
    grows: bool = False
    puzzles: list = field(default_factory=list)
    # Seconds that each step takes.
    durations: list = field(default_factory=list)

    def inside(self):
        """Where in the folder those files are that are edited."""
        return f"shards/shard-1-of-{self.shards}" if self.shards else ""

    def steps(self, out):
        """The commands that make the folder `out`; each can be killed and repeated."""
        common = ["--resume", "--quiet", "--programs", "programs"]
        if self.shards:
            shard = ["sweep", "run", f"{self.name}.json", "--out", f"{out}/shards", *common, "--shard"]
            runs = [Step([*shard, f"{index}/{self.shards}"]) for index in range(self.shards)]
            return runs * ROUNDS + [Step(["sweep", "merge", f"{self.name}.json", f"{out}/shards", "--out", f"{out}/merged"])]
        make = ["tune" if self.is_tuning else "run", f"{self.name}.toml", *self.puzzles, "--out", out, *common]
        if self.fails_first:
            return [Step([*make[:-1], "failing"], 1), Step(resume(out))]
        if self.grows:
            return [Step([*make, "--runs", "1"]), Step([*resume(out), "--runs", "3"])]
        return [Step(make)]


KINDS = [
    Kind("plain", ISLANDS),
    Kind("grown", ISLANDS, grows=True),
    Kind("sweep", SWEEP),
    Kind("gzip", SWEEP.replace("every = 4", "gzip = true")),
    Kind("race", RACE),
    Kind("own", OWN_SWEEP, fails_first=True),
    Kind("shards", SWEEP, shards=3),
    Kind("race-shards", RACE, shards=2),
    Kind("tune", TUNE, is_tuning=True),
    Kind("tune-own", OWN_TUNE, is_tuning=True),
]


def resume(folder, is_tuning=False):
    return ["tune" if is_tuning else "run", "--resume", folder, "--quiet", "--programs", "programs"]


def claims(folder, *ignored):
    """The files of a folder with their bytes, without the times, which differ at every repetition."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in ("timing.csv", *ignored)]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def below(files, folder):
    """The files in a folder inside."""
    return {name.removeprefix(f"{folder}/"): text for name, text in files.items() if name.startswith(f"{folder}/" if folder else "")}


def differences(files, others):
    return sorted(name for name in files.keys() | others.keys() if files.get(name) != others.get(name))


class Lab:
    """A place with configurations and programs, and the counts of what was tried in it."""

    def __init__(self, kenga, place, seed):
        self.kenga, self.place, self.seed = kenga, place, seed
        self.whole = {}
        self.counts, self.failures, self.lock = collections.Counter(), [], threading.Lock()
        for name, text in {**PUZZLES, **PROGRAMS}.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text(text)

    def start(self, args, stream=subprocess.DEVNULL):
        args = [self.kenga, *map(str, args)]
        return subprocess.Popen(args, cwd=self.place, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream and subprocess.STDOUT, text=True)

    def run(self, args):
        """Runs a command to its end: its exit code, and all that it printed on one line."""
        process = self.start(args, subprocess.PIPE)
        try:
            text = process.communicate(timeout=120)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            text = process.communicate()[0]
        text = " ".join(text.split())
        if process.returncode not in (0, 1, 2, 3):
            folder = next((arg for arg in args if isinstance(arg, Path) and arg.is_dir()), self.place / "programs")
            self.fail(f"exit code {process.returncode}: kenga {' '.join(map(str, args))}: {text[:600]}", folder)
        return process.returncode, text

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def fail(self, what, folder):
        """Notes a failure, and keeps the folder in which it is seen."""
        with self.lock:
            kept = self.place / "failures" / str(len(self.failures))
            self.failures.append(what)
            print(f"FAILED {what}\n    {kept}", flush=True)
            shutil.copytree(folder, kept)

    def make(self, kind, out):
        """Makes a folder that nobody disturbs; the failure of a command, if one fails."""
        config = self.place / f"{kind.name}.toml"
        config.write_text(kind.config)
        if kind.shards:
            code, text = self.run(["sweep", "plan", config, *kind.puzzles, "--pilot", "0", "--out", f"{kind.name}.json"])
            if code != 0:
                return text
        for step in kind.steps(out):
            began = time.monotonic()
            code, text = self.run(step.args)
            kind.durations.append(time.monotonic() - began)
            if code != step.code:
                return f"exit code {code}, not {step.code}: {text}"
        return None

    def finish(self, kind, step, out, what):
        """Runs a command to its end."""
        code, text = self.run(step.args)
        # A merge that was killed after its last change is done.
        if code != step.code and "already exists" not in text:
            self.fail(f"{kind.name}, {what}: exit code {code}, not {step.code}: {text}", out)

    def compare(self, kind, out, what):
        """A folder has the bytes of one that nobody disturbed."""
        names = differences(claims(out), self.whole[kind.name])
        if names:
            self.fail(f"{kind.name}, {what}: these files have other bytes at the end: {', '.join(names)}", out)
        self.count("folders with the bytes of one that nobody disturbed")
        shutil.rmtree(out)

    def holds(self, kind, folder, what, replay, codes=(0,)):
        """No folder of results that has been begun is refuted."""
        for path in folder / kind.inside(), folder / "merged":
            if (path / "manifest.json").exists():
                code, text = self.run(["validate", path, "--replay", replay])
                if code not in codes:
                    self.fail(f"{kind.name}, {what}: validate exits with {code}: {text}", folder)


def watch(process, folder, changes):
    """Waits until a folder has changed so often, or the process has ended; whether the process is still there."""
    before = None
    while process.poll() is None:
        try:
            now = [(path, name, os.stat(os.path.join(path, name)).st_size) for path, _, names in os.walk(folder) for name in names]
        except FileNotFoundError:
            continue
        if now != before:
            before, changes = now, changes - 1
        if changes < 0:
            return True
    return False


def limit_files(process, size):
    """The system kills a process within the write that makes one of its files larger."""
    try:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
    except ProcessLookupError:
        pass


@dataclass
class State:
    """A folder that is edited, with all that lies beside it."""

    kind: Kind
    name: str
    base: Path

    def folder(self):
        return self.base / self.kind.inside()

    def runs(self):
        """How many runs are listed."""
        path = self.folder() / "runs.csv"
        return path.read_bytes().count(b"\n") - 1 if path.exists() else 0

    def is_whole(self):
        return (self.folder() / "checksums.txt").exists()


def states(lab):
    """Folders that have ended, whose programs have failed, and that were killed or interrupted."""
    made = []
    for kind in KINDS:
        # Its folder is that of another kind.
        if kind.grows:
            continue
        made.append(State(kind, "whole", lab.place / f"whole-{kind.name}"))
        if kind.fails_first:
            made.append(State(kind, "failed", lab.place / f"failed-{kind.name}"))
            lab.run(kind.steps(made[-1].base)[0].args)
        for name in "killed", "interrupted":
            state = State(kind, name, lab.place / f"{name}-{kind.name}")
            if any(disturb(lab, state, random.Random(f"{lab.seed} {name} {kind.name} {attempt}")) for attempt in range(15)):
                made.append(state)
                lab.holds(kind, state.base, name, "all")
            else:
                lab.count(f"{kind.name} was not {name} in 15 attempts")
    return made


def disturb(lab, state, rng):
    """Makes a folder that has runs and has not ended; whether that came about."""
    shutil.rmtree(state.base, ignore_errors=True)
    steps = state.kind.steps(state.base)
    if state.kind.shards:
        lab.run(steps.pop(0).args)
    process = lab.start(steps[0].args)
    if state.name == "killed":
        whole = below(lab.whole[state.kind.name], state.kind.inside())
        largest = max(len(text) for name, text in whole.items() if re.search(r"\.csv|candidates", name))
        limit_files(process, int(largest * rng.uniform(0.3, 0.95)))
    else:
        wanted = rng.randint(1, 3)
        while process.poll() is None and state.runs() < wanted:
            pass
        process.send_signal(signal.SIGINT)
    process.wait()
    return state.runs() > 0 and not state.is_whole()
