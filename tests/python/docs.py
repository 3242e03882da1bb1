#!/usr/bin/env python3
"""Whether the documentation tells the truth: every path that it names exists, and its commands run as they are written.

    python3 tests/python/docs.py paths
    python3 tests/python/docs.py commands target/debug/kenga

`commands` takes the blocks of a page in order, in a copy of the tree that all blocks of the page share. A command is left
out where its line, or the paragraph before its block, says in words of MARKS that it takes long or needs what is not here.
Every command that did not run is printed, and the pages that are not run yet are listed with the number of their commands.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What tells a reader, and this script, that a command is not one to try in passing.
MARKS = re.compile(r"takes (?:minutes|hours|an hour)|needs (?:a terminal|a cluster|R|Slurm)|until Ctrl-C")

# Pages whose commands are run. Every other page with commands is listed in the output.
PAGES = ["README.md", "docs/programs.md"]

# Seconds after which a command without a mark has failed.
TIMEOUT_S = 60

# Folders of the repository, with which a path in a code span begins.
FOLDERS = r"(?:crates|src|tests|docs|configs|puzzles|examples|benches|python|fuzz|\.ci)/[\w./-]*[\w/]"

# What looks like a path and stands for any name.
PLACEHOLDERS = {"configs/NAME.toml"}

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def missing_paths(page, text):
    """The paths that a page names and that do not exist. Blocks are left to `commands`."""
    text = FENCE.sub("", text)
    named = []
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target and not target.startswith("mailto:"):
            named.append((target, page.parent / target))
    for span in re.findall(r"`([^`\n]+)`", text):
        for path in re.findall(rf"(?<![\w./-]){FOLDERS}(?![\w./*{{-])", span):
            named.append((path, ROOT / path))
    return [name for name, path in named if name not in PLACEHOLDERS and not path.exists()]


def check_paths():
    found = [(page, name) for page in pages() for name in missing_paths(page, page.read_text())]
    for page, name in found:
        print(f"{page.relative_to(ROOT)}: {name} is not there")
    print(f"{len(pages())} pages, {len(found)} paths that are not there")
    return not found


def commands_of(text):
    """The lines of a page that begin with `kenga`, each with whether a mark stands at it."""
    for block in FENCE.finditer(text):
        before = text[: block.start()].rstrip().rsplit("\n\n", 1)[-1]
        for line in block[2].replace("\\\n", " ").splitlines():
            line = line.removeprefix("$ ")
            if line.startswith("kenga "):
                # What the command does stands behind three spaces or a `#`.
                command = re.split(r"\s{3,}|\s+#\s", line, maxsplit=1)[0]
                yield command, bool(MARKS.search(line) or MARKS.search(before))


def copy_tree(folder):
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in tracked.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def run_page(name, kenga):
    """Runs the commands of a page in order; says how many failed."""
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        copy_tree(folder)
        path = f"{kenga.parent}{os.pathsep}{os.environ['PATH']}"
        for command, is_marked in commands_of((ROOT / name).read_text()):
            if is_marked:
                print(f"  left out   {command}")
                continue
            try:
                ended = subprocess.run(
                    ["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S,
                )
                code, said = ended.returncode, ended.stderr
            except subprocess.TimeoutExpired:
                code, said = "timeout", f"it took more than {TIMEOUT_S} s and has no mark"
            # These two end with 1 where they ran and the answer is no, as for a puzzle without a solution.
            is_well = code == 0 or code == 1 and command.startswith(("kenga solve ", "kenga check "))
            failed += not is_well
            print(f"  {'ran' if is_well else 'FAILED':9}  {command}", flush=True)
            if not is_well:
                print(f"             exit {code}: {said.strip()[-400:]}")
    return failed


def check_commands(kenga, names):
    failed = 0
    for name in names:
        print(name)
        failed += run_page(name, kenga)
    for page in pages():
        name, count = str(page.relative_to(ROOT)), sum(1 for _ in commands_of(page.read_text()))
        if count and name not in names:
            print(f"not run    {name}: {count} commands")
    print(f"{failed} commands failed")
    return failed == 0


def main():
    if sys.argv[1:] == ["paths"]:
        return check_paths()
    if sys.argv[1:2] == ["commands"] and len(sys.argv) > 2:
        return check_commands(Path(sys.argv[2]).resolve(), sys.argv[3:] or PAGES)
    print(__doc__)
    return False


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
