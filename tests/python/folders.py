#!/usr/bin/env python3
"""Whether results folders keep their promises: killed, stopped, or edited by somebody who knows the format.

    python3 tests/python/folders.py target/debug/kenga
    python3 tests/python/folders.py target/debug/kenga --quick
    python3 tests/python/folders.py target/debug/kenga --only tamper --edits 10000 --seed 7

kill     A program is killed at a random time, at a change of its folder, or within a write; sometimes the system crashes too: the
         ledger has its line, and another file has lost its end. The same command, repeated until it has ended, gives the bytes of a
         program that nobody disturbed, and `validate` refutes no folder in between.
moments  A program is stopped, and its folder is copied. `validate` refutes neither, and the copy is finished to the same bytes.
tamper   A file is edited; checksums and ledger stay as they were, or are made again. Either `validate --replay all` names the edit,
         or the edit changes no claim. Commands that write checksums refuse the folder or mend it. Readers say that it differs
         from its checksums.

An edit changes no claim if kenga makes exactly these files of the manifest and the puzzles in the folder: that is tried. Neither
the numbers of timing.csv, nor runs that failed, nor files that are not kenga's are claims. The script needs Linux.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import folder_edits
from folder_lab import KINDS, Lab, below, claims, differences, limit_files, resume, states, watch

# Files of which the ledger shows what a crash of the system has lost. The others are written whole before the first run.
ROWS = re.compile(r"(runs|convergence|migrations|groups|operators|populations|failures|costs|terms)\.csv(\.gz)?")


def kill(lab, step, duration, out, rng):
    """Starts a command and kills it somewhere; whether it was killed before it had ended."""
    process = lab.start(step.args)
    method = rng.choice(["time", "change", "write"])
    if method == "write":
        limit_files(process, rng.randint(1, 6000))
    elif method == "change":
        watch(process, out, 1 + int(rng.expovariate(1 / 8)))
        process.kill()
    else:
        time.sleep(rng.uniform(0, duration))
        process.kill()
    return process.wait() < 0


def lose_an_end(out, rng):
    """The last bytes of a file beside a ledger are lost, or zeros; whether there is such a file."""
    # Files of retries are on the disk before they count.
    ledgers = [path for path in out.rglob("ledger.csv") if not path.with_name("checksums.txt").exists() and "/." not in str(path)]
    paths = [path for ledger in ledgers for path in ledger.parent.iterdir() if ROWS.fullmatch(path.name) and path.stat().st_size]
    if not paths:
        return False
    path = rng.choice(sorted(paths))
    text = path.read_bytes()
    kept = len(text) - rng.randint(1, min(200, len(text)))
    # Bytes that never came to the disk begin where a write began.
    if rng.random() < 0.5 and path.suffix == ".csv":
        kept = text.rfind(b"\n", 0, kept) + 1
        text = text[:kept] + b"\0" * (len(text) - kept)
    else:
        text = text[:kept]
    path.write_bytes(text)
    return True


def check_kills(lab, kind, number):
    """Makes a folder whose programs are killed again and again."""
    rng = random.Random(f"{lab.seed} kill {kind.name} {number}")
    out = lab.place / f"kill-{kind.name}-{number}"
    what = "killed"
    steps = kind.steps(out)
    for index, (step, duration) in enumerate(zip(steps, kind.durations)):
        # The shards of the last round mend what others have lost, and nobody mends after them.
        is_mended = not kind.shards or index < len(steps) - 1 - kind.shards
        for _ in range(rng.choice([0, 0, 1, 2] if kind.shards else [1, 2, 3, 4])):
            # A merge that has ended is not repeated.
            if (out / "merged").exists():
                break
            if not kill(lab, step, duration, out, rng):
                continue
            lab.count("kills")
            # A crash may leave what no kill leaves, until it is mended.
            if what == "killed" and rng.random() < 0.3:
                lab.holds(kind, out, what, "0")
            if is_mended and rng.random() < 0.3 and lose_an_end(out, rng):
                lab.count("kills with a power loss")
                what = "killed, with a power loss"
        lab.finish(kind, step, out, what)
    lab.compare(kind, out, what)


def check_moments(lab, kind, number):
    """Stops a program now and then; the folder as it is then is finished elsewhere."""
    rng = random.Random(f"{lab.seed} moments {kind.name} {number}")
    out = lab.place / f"moments-{kind.name}-{number}"
    copies = []
    for index, step in enumerate(kind.steps(out)):
        process = lab.start(step.args)
        while len(copies) < 6 and watch(process, out, 1 + int(rng.expovariate(1 / 6))):
            process.send_signal(signal.SIGSTOP)
            while process.poll() is None and " T " not in Path(f"/proc/{process.pid}/stat").read_text():
                pass
            copies.append((out.with_name(f"moment-{kind.name}-{number}-{len(copies)}"), index))
            shutil.copytree(out, copies[-1][0])
            lab.holds(kind, out, "while a program writes", "2", (0, 3))
            process.send_signal(signal.SIGCONT)
        process.wait()
    shutil.rmtree(out)
    for copy, index in copies:
        lab.count("moments")
        lab.holds(kind, copy, "at a moment", "all")
        for step in kind.steps(copy)[index:]:
            lab.finish(kind, step, copy, "at a moment")
        lab.compare(kind, copy, "at a moment")


class Trial:
    """One edit of a folder, and what commands make of it."""

    def __init__(self, lab, state, others, number):
        self.lab, self.state = lab, state
        self.rng = random.Random(f"{lab.seed} {state.kind.name} {state.name} {number}")
        self.base = lab.place / f"edit-{state.kind.name}-{state.name}-{number}"
        self.folder = self.base / state.kind.inside()
        self.was, self.changed = claims(state.folder()), []
        while not self.changed:
            shutil.rmtree(self.base, ignore_errors=True)
            shutil.copytree(state.base, self.base, ignore=shutil.ignore_patterns("merged"))
            edit = folder_edits.edit(self.folder, others, self.rng)
            if edit is None:
                continue
            self.path, operation = edit
            self.forgery = self.forge(self.path.parent)
            self.now = claims(self.folder)
            self.changed = differences(self.was, self.now) or [self.path.name] * (self.path.name == "timing.csv")
        self.title = f"{state.kind.name} {state.name}, edit {number}: {self.path.relative_to(self.folder)}: {operation}{self.forgery}"

    def forge(self, folder):
        """Makes what vouches for an edited file fit again, or removes it; what was done."""
        choices = [""]
        if (folder / "checksums.txt").exists():
            choices += [", sums", ", no sums"]
        if (folder / "ledger.csv").exists():
            choices += [", ledger"] * 2
        forgery = self.rng.choice(choices)
        if forgery == ", ledger":
            folder_edits.book_again(folder)
        if forgery == ", no sums":
            (folder / "checksums.txt").unlink()
        elif forgery and (folder / "checksums.txt").exists():
            folder_edits.sum_again(folder)
        return forgery

    def fail(self, what, folder=None):
        self.lab.fail(f"{self.title}: {what}", folder or self.base)

    def judge(self):
        code, text = self.validate(self.folder, "0")
        self.holds = code == 0
        if self.holds:
            code, text = self.validate(self.folder, "all")
        if code == 0:
            self.lab.count(f"edits that change no claim: {self.judge_passed(text)}")
        else:
            self.lab.count("edits refuted" if code == 1 else "edits refused")
            if code == 3 or not re.search(r"\w\.(json|csv|txt|toml)|manifest|validation/|(run|setting|candidate) \d|holds no results", text):
                self.fail(f"exit code {code} names no file: {text}")
            if self.path.name not in text:
                self.lab.count("edits named by another file")
        self.judge_reader()
        self.judge_merge()
        # Checksums that differ are refused at once, as a third of these trials shows.
        if self.state.is_whole() and not self.forgery and self.rng.random() < 0.7:
            self.lab.count("edits that nobody resumed")
        else:
            self.judge_resume()
        shutil.rmtree(self.base)

    def validate(self, folder, replay):
        return self.lab.run(["validate", folder, "--replay", replay, "--programs", "programs"])

    def judge_passed(self, text):
        """Why an edit that `validate` does not name changes no claim."""
        if all(Path(name).name in ["timing.csv", *folder_edits.MORE_FILES] and name not in self.was for name in self.changed):
            return "times, and files that are not kenga's"
        if not self.state.is_whole() or "checksums.txt" not in self.now:
            self.judge_unfinished(text)
            return "the folder has not ended"
        if self.state.kind.is_tuning and self.changed == ["failures.csv"]:
            return "failures of a tuning"
        if self.state.name == "failed" and {"failures.csv"} & set(self.changed):
            return "runs that failed"
        remade = self.remake()
        if remade is None or differences(remade, self.now):
            self.fail(f"every claim holds, and kenga makes other files: {text}")
        return "kenga makes these files"

    def judge_unfinished(self, text):
        """Every claim holds only if a kill explains what is missing."""
        if "every claim holds" not in text:
            return
        # These are written when all runs have ended.
        gone = [name for name in self.was if name not in self.now and not re.search(r"checksums|\.toml|validation/|\.kenga", name)]
        if gone:
            self.fail(f"every claim holds, and {gone[0]} is gone: {text}")
        rows, checked = self.now.get("runs.csv", b"").count(b"\n") - 1, re.search(r"(\d+) runs? checked", text)
        if not self.state.kind.is_tuning and rows > int(checked[1]) + 1:
            self.fail(f"every claim holds, and {rows - int(checked[1])} rows of runs.csv are not used: {text}")

    def remake(self):
        """The files that kenga makes of the manifest and the puzzles; None if it cannot."""
        lab, out = self.lab, self.lab.place / f"remade-{self.base.name}"
        shutil.rmtree(out, ignore_errors=True)
        if self.state.kind.is_tuning:
            out.mkdir()
            for name in {"manifest.json", "puzzles.jsonl", "held-out.jsonl"} & self.now.keys():
                (out / name).write_bytes(self.now[name])
            code, _ = lab.run(resume(out, True))
            return claims(out) if code == 0 else None
        try:
            config = json.loads(self.now.get("manifest.json", b""))["config"]
        except (ValueError, KeyError):
            return None
        text = "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in config.items())
        puzzles = [] if "problem" in config else ["--puzzle", self.folder / "puzzles.jsonl"]
        kind = replace(self.state.kind, name=out.name, config=text, puzzles=puzzles, grows=False, durations=[])
        return claims(out / kind.inside()) if lab.make(kind, out) is None else None

    def judge_reader(self):
        """A reader says that a folder differs from its checksums, or refuses it."""
        listed = self.was.get("checksums.txt", b"").decode().split()
        differs = not self.forgery and "checksums.txt" not in self.changed and bool(set(self.changed) & set(listed))
        # All other edits may at least not crash it.
        if not differs and self.rng.random() < 0.7:
            return
        page = self.lab.place / f"page-{self.base.name}"
        readers = [["report", self.folder, "-o", page], ["compare", self.folder], ["export", self.folder, "--to", "csv", "-o", page]]
        args = readers[0] if self.state.kind.is_tuning else self.rng.choice(readers)
        code, text = self.lab.run(args)
        if differs:
            self.lab.count("readers of a folder that differs from its checksums")
            # A reader that leaves rows out says so instead.
            if code == 0 and "checksums" not in text and "not used" not in text:
                self.fail(f"{args[0]} does not say that the folder differs from its checksums: {text}")

    def judge_resume(self):
        """A command that finishes folders refuses this one, or makes what nobody disturbed."""
        base = self.lab.place / f"resumed-{self.base.name}"
        shutil.copytree(self.base, base)
        folder = base / self.state.kind.inside()
        code, text = self.lab.run(resume(folder, self.state.kind.is_tuning))
        after, whole = claims(folder, "notes.txt"), below(self.lab.whole[self.state.kind.name], self.state.kind.inside())
        before = claims(self.folder, "notes.txt")
        changed = [name for name in before if after.get(name) != before[name] and not name.startswith(".kenga")]
        if code != 0:
            self.lab.count("edits that a command refuses to finish")
            # A folder that has not ended may be cut back or continued before the edit is seen.
            lost = [name for name in changed if self.state.is_whole() or not is_beginning(before[name], after.get(name, b""))]
            if lost:
                self.fail(f"refused, and {', '.join(lost)} changed: {text}", base)
        elif not differences(after, whole) or self.state.kind.name == "race-shards" and is_start(after, whole):
            self.lab.count("edits that a command mends")
        elif self.changed == ["checksums.txt"]:
            self.lab.count("edits of the checksums alone, resumed")
        elif not self.holds and "checksums.txt" in self.now and self.remake() != after:
            self.fail(f"it was refuted, and resuming finished it: {text}", base)
        elif "checksums.txt" in self.now and self.state.name != "failed" and changed:
            self.fail(f"it had ended, and resuming changed {', '.join(changed)}", base)
        else:
            self.judge_written(folder, "resumed")
        shutil.rmtree(base)

    def judge_merge(self):
        """A merge refuses an edited shard, or makes what nobody disturbed."""
        if not self.state.kind.shards:
            return
        out = self.base / "again"
        code, text = self.lab.run(["sweep", "merge", f"{self.state.kind.name}.json", self.base / "shards", "--out", out])
        if code != 0:
            self.lab.count("edits that a merge refuses")
            if out.exists() or self.state.is_whole() and self.folder.name not in text:
                self.fail(f"a merge refuses and writes, or names no shard: {text}")
        elif is_start(claims(out), below(self.lab.whole[self.state.kind.name], "merged")):
            self.lab.count("edits that a merge mends")
        elif not self.holds:
            self.fail(f"it was refuted, and a merge took it: {text}")
        else:
            self.judge_written(out, "merged")

    def judge_written(self, folder, what):
        """A folder that a command has certified holds, as far as is known without replays."""
        code, text = self.validate(folder, "0")
        if code != 0:
            self.fail(f"{what} and certified, and it does not hold: {text}", folder)
        self.lab.count(f"edits that only a replay can see, {what}")


def is_beginning(text, other):
    return text.startswith(other) or other.startswith(text)


def is_start(files, whole):
    """Whether files are those of a race of which some blocks are missing at the end."""
    return all(whole.get(name, b"").startswith(text) for name, text in files.items() if name != "checksums.txt")


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items() if inner is not None) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def check_edits(lab, pool, wanted):
    edited = states(lab)
    trials = []
    for number in range(wanted):
        for state in edited:
            # Programs take long to start.
            if number % 3 == 0 or not state.kind.name.endswith("own"):
                others = [other.folder() for other in edited if other.kind is not state.kind]
                trials.append((lab, state, others, number))
    list(pool.map(lambda trial: Trial(*trial).judge(), trials[:wanted]))
    lab.counts["edits"] += wanted


def check_rounds(lab, pool, check, counted, wanted):
    """Lets every kind of folder be checked until so much was counted."""
    for number in itertools.count():
        if lab.counts[counted] >= wanted:
            break
        list(pool.map(lambda kind: lab.counts[counted] < wanted and check(lab, kind, number), KINDS))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kenga", type=Path)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--moments", type=int)
    parser.add_argument("--edits", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["kill", "moments", "tamper"])
    parser.add_argument("--quick", action="store_true", help="30 kills, 10 moments and 200 edits; otherwise 500, 60 and 3500")
    args = parser.parse_args()
    kills, moments, edits = (30, 10, 200) if args.quick else (500, 60, 3500)
    os.nice(10)
    place = Path(tempfile.mkdtemp(prefix="kenga-folders-"))
    lab = Lab(args.kenga.resolve(), place, args.seed)
    for kind in KINDS:
        out = place / f"whole-{kind.name}"
        problem = lab.make(kind, out)
        if problem:
            sys.exit(f"{kind.name}: {problem}")
        lab.whole[kind.name] = claims(out)
        lab.holds(kind, out, "as it is", "all")
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        if args.only in (None, "kill"):
            check_rounds(lab, pool, check_kills, "kills", args.kills or kills)
        if args.only in (None, "moments"):
            check_rounds(lab, pool, check_moments, "moments", args.moments or moments)
        if args.only in (None, "tamper"):
            check_edits(lab, pool, args.edits or edits)
    for what, count in sorted(lab.counts.items()):
        print(f"{count:6} {what}")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(lab.failures)} failures, seed {args.seed}, {usage.ru_utime + usage.ru_stime + time.process_time():.0f} s of CPU")
    if lab.failures:
        sys.exit(f"the folders are in {place}/failures")
    shutil.rmtree(place)


if __name__ == "__main__":
    main()
