#!/usr/bin/env python3
"""Whether the documentation tells the truth: every path that it names exists, and its commands run as they are written.

    python3 tests/python/docs.py paths
    python3 tests/python/docs.py commands target/debug/kenga
    python3 tests/python/docs.py commands target/debug/kenga docs/craft.md

A block marked `sh` is commands. A block marked `console` is commands after `$ `, each followed by what it prints; `…` stands
for anything. The blocks of a page are one script, run in order in a copy of the repository that only this page has. Comments
before a block, which readers do not see, change that:

    <!-- not run: it takes minutes -->                      the block is left out, and listed with the reason
    <!-- smaller: --count 100000 becomes --count 100 -->    the same command at a scale that takes seconds

Anywhere on a page, `<!-- needs: curl, jq -->` leaves out the page where one of these programs is not installed.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Seconds after which the commands of a page have failed, on a machine with much other work too.
TIMEOUT_S = 600

# Folders of the repository, with which a path in a code span begins.
FOLDERS = r"(?:crates|src|tests|docs|configs|puzzles|examples|benches|python|fuzz|\.ci)/[\w./-]*[\w/]"

# What looks like a path and stands for any name.
PLACEHOLDERS = {"configs/NAME.toml"}

# What the blocks of a page need of the repository.
COPIED = ["benches", "configs", "docs", "examples", "puzzles", "tests/python"]

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NOTES = re.compile(r"(?:^<!-- (?:not run|smaller): [^\n]* -->\n\s*)+\Z", re.MULTILINE)
NEEDS = re.compile(r"<!-- needs: (.*?) -->")

# How an unmarked block of commands begins.
COMMAND = re.compile(r"\s*(?:\$ |(?:kenga|cargo|python3?|pip) (?! ))")

# Commands with exit code 1 where they ran and the answer is no, as for a puzzle without a solution.
MAY_SAY_NO = ("kenga solve", "kenga check", "kenga generate")

# Before the commands of a page. What fails is written to file descriptor 3, the end of standard error with it.
PREAMBLE = r"""
set -o pipefail
note_failure() { printf 'exit %s: %s\n%s\n\036' "$1" "$2" "$(tail -n 5 "$STDERR")" >&3; }
trap 'note_failure $? "$BASH_COMMAND"' ERR
"""


@dataclass
class Command:
    """A command of a `console` block and what the page says that it prints."""

    text: str
    printed: str = ""


@dataclass
class Block:
    """A block of commands."""

    line: int
    text: str
    is_console: bool
    not_run: str | None = None
    smaller: list[tuple[str, str]] = field(default_factory=list)

    def commands(self):
        """The commands of a `console` block."""
        found = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                found.append(Command(line.removeprefix("$ ")))
            elif found and found[-1].text.endswith("\\") and not found[-1].printed:
                found[-1].text += "\n" + line
            elif found:
                found[-1].printed += line + "\n"
        return found

    def count(self):
        """How many commands it has: its lines, less those that continue one."""
        if self.is_console:
            return len(self.commands())
        lines = re.sub(r"<<'(\w+)'\n.*?^\1$", "", self.text.replace("\\\n", " "), flags=re.DOTALL | re.MULTILINE).splitlines()
        return sum(1 for line in lines if re.match(r"(?!done|fi\b)[\w./(~]", line))


def pages():
    folders = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "puzzles").rglob("*.md"), *(ROOT / "benches").rglob("*.md")]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(folders)]


def missing_paths(page, text):
    """The paths that a page names and that do not exist. Blocks are left to `commands`."""
    text = FENCE.sub("", text)
    named = []
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target and not target.startswith("mailto:"):
            named.append((target, page.parent / target))
    for span in re.findall(r"`([^`\n]+)`", text):
        for path in re.findall(rf"(?<![\w./-]){FOLDERS}(?![\w./*{{-])", span):
            here = page.parent / path
            named.append((path, here if here.exists() else ROOT / path))
    return [name for name, path in named if name not in PLACEHOLDERS and not path.exists()]


def check_paths():
    found = [(page, name) for page in pages() for name in missing_paths(page, page.read_text())]
    for page, name in found:
        print(f"{page.relative_to(ROOT)}: {name} is not there")
    print(f"{len(pages())} pages, {len(found)} paths that are not there")
    return not found


def blocks_of(text):
    """The blocks of commands of a page, and the lines of blocks that look like commands and are not marked."""
    blocks, unmarked = [], []
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 1
        if fence[1] not in ("sh", "console"):
            if not fence[1] and COMMAND.match(fence[2]):
                unmarked.append(line)
            continue
        block = Block(line, fence[2], fence[1] == "console")
        notes = NOTES.search(text[: fence.start()])
        for note in re.findall(r"<!-- (.*?) -->", notes[0]) if notes else []:
            kind, what = note.split(": ", 1)
            if kind == "not run":
                block.not_run = what
            else:
                block.smaller.append(tuple(what.split(" becomes ", 1)))
        blocks.append(block)
    return blocks, unmarked


def copy_tree(folder):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *COPIED],
        cwd=ROOT, check=True, capture_output=True,
    ).stdout
    for name in listed.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def smaller(text, block):
    """A command at the scale that the page's comments give."""
    for old, new in block.smaller:
        text = text.replace(old, new)
    return text


def script_of(blocks):
    """The script of a page, and the commands whose output it marks by their numbers."""
    lines, shown = [PREAMBLE], []
    for block in blocks:
        if not block.is_console:
            lines.append(smaller(block.text, block))
            continue
        for command in block.commands():
            # The output of this command begins here, and that of others that are not compared behind it.
            lines += [f"printf '\\036{len(shown)}\\n'; exec 4>&2 2>&1", smaller(command.text, block), "exec 2>&4; printf '\\036-\\n'"]
            shown.append(command)
    return "\n".join(lines), shown


def is_printed(expected, text):
    """Whether a command printed what the page says; `…` stands for anything, and white space is that of any width."""
    def plain(text):
        return re.sub(r"\s+", " ", text).strip()

    parts = [re.escape(part) for part in plain(expected).split("…")]
    return re.fullmatch(".*?".join(parts), plain(text), re.DOTALL) is not None


def run_script(script, folder, kenga):
    """Runs the commands of a page; gives what was printed, and the failures."""
    out, err, failures = (folder / name for name in (".stdout", ".stderr", ".failures"))
    environment = {**os.environ, "PATH": f"{kenga.parent}{os.pathsep}{os.environ['PATH']}", "STDERR": str(err)}
    # However wide the terminal and slow the machine is.
    environment.pop("COLUMNS", None)
    environment["KENGA_PROGRESS"] = "0"
    command = ["bash", "-c", f"exec 3>{failures.name}\n{script}"]
    with open(out, "wb") as stdout, open(err, "ab") as stderr:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
            start_new_session=True,
        )
        timed_out = []
        try:
            process.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            timed_out = [f"the page took more than {TIMEOUT_S} s"]
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()
    # A compound command fails with the command in it, and says so once more.
    found = list(dict.fromkeys(failures.read_text(errors="replace").split("\036")[:-1])) + timed_out
    return out.read_text(errors="replace"), [one for one in found if not says_no(one)]


def says_no(failure):
    return failure.startswith(tuple(f"exit 1: {command} " for command in MAY_SAY_NO))


def run_page(blocks, kenga):
    """Runs the blocks of a page in order; gives what failed."""
    script, shown = script_of(blocks)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        copy_tree(folder)
        printed, failed = run_script(script, folder, kenga)
    outputs = dict(part.split("\n", 1) for part in printed.split("\036")[1:])
    for number, command in enumerate(shown):
        text = outputs.get(str(number), "")
        if command.printed.strip() and not is_printed(command.printed, text):
            failed.append(f"`{command.text}` does not print what the page shows, but\n{text}")
    return failed


@dataclass
class Tally:
    """What became of the commands of all pages."""

    ran: int = 0
    failed: int = 0
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, page, block, why):
        print(f"  not run    {page}:{block.line}: {why}")
        self.left_out[why] = self.left_out.get(why, 0) + block.count()


def cpu_s():
    """The CPU time of the commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_page(name, kenga, tally):
    text = (ROOT / name).read_text()
    blocks, unmarked = blocks_of(text)
    for line in unmarked:
        print(f"  FAILED     {name}:{line}: a block of commands is marked sh or console")
        tally.failed += 1
    needs = NEEDS.search(text)
    missing = [program for program in needs[1].split(", ") if not shutil.which(program)] if needs else []
    run = []
    for block in blocks:
        why = f"{missing[0]} is not installed" if missing and not block.not_run else block.not_run
        if why:
            tally.leave_out(name, block, why)
        else:
            run.append(block)
    if not run:
        return
    began = cpu_s()
    failed = run_page(run, kenga)
    count = sum(block.count() for block in run)
    print(f"  ran        {name}: {count} commands in {cpu_s() - began:.1f} s of CPU time", flush=True)
    for what in failed:
        print(f"  FAILED     {name}: " + what.strip().replace("\n", "\n             "))
    tally.ran += count
    tally.failed += len(failed)


def check_commands(kenga, names):
    tally = Tally()
    for name in names or [str(page.relative_to(ROOT)) for page in pages()]:
        check_page(name, kenga, tally)
    print(f"{tally.ran} commands ran, {tally.failed} failed, {sum(tally.left_out.values())} were not run:")
    for why, count in sorted(tally.left_out.items(), key=lambda pair: -pair[1]):
        print(f"  {count:4}  {why}")
    return tally.failed == 0


def main():
    # The commands end with this script.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if sys.argv[1:] == ["paths"]:
        return check_paths()
    if sys.argv[1:2] == ["commands"] and len(sys.argv) > 2:
        return check_commands(Path(sys.argv[2]).resolve(), sys.argv[3:])
    print(__doc__)
    return False


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
