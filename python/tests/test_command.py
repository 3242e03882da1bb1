"""The command `kenga` that the package brings."""

import os
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
from pathlib import Path

import pytest

import kenga
from conftest import PUZZLES

SCRIPT = Path(sysconfig.get_path("scripts")) / "kenga"

CONFIG = f"""
puzzles = ["{PUZZLES / "original" / "6x6.txt"}"]
replicates = 2000
[budget]
evaluations = 2000
[exact]
nodes = 1000
[algorithm]
name = "genetic"
encoding = "cells"
"""


@pytest.fixture(params=["script", "module"])
def command(request) -> "list[str]":
    if request.param == "module":
        return [sys.executable, "-m", "kenga"]
    if not SCRIPT.exists():
        pytest.skip("the package is not installed")
    return [str(SCRIPT)]


def told(command, *arguments, **options):
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=100, **options)


def test_the_command_is_whole(command, tmp_path):
    assert told(command, "--version").stdout == f"kenga {kenga.__version__}\n"
    help = told(command, "--help").stdout
    for name in ("run", "sweep", "tune", "serve", "watch", "report", "completions"):
        assert f"\n  {name} " in help, name
    solved = told(command, "solve", PUZZLES / "original" / "4x4.txt", "--json")
    assert (solved.returncode, solved.stderr) == (0, "") and '"status":"unique"' in solved.stdout


def test_exit_codes_are_those_of_the_help(command, tmp_path):
    (tmp_path / "none.txt").write_text('{"size": 2, "cages": [{"op": "+", "target": 9, "cells": [[0, 0], [0, 1], [1, 0], [1, 1]]}]}')
    assert told(command, "solve", tmp_path / "none.txt").returncode == 1
    assert told(command, "solve", tmp_path / "nowhere.txt").returncode == 2
    refused = told(command, "runs")
    assert refused.returncode == 2 and "Traceback" not in refused.stderr and "kenga" in refused.stderr


def test_a_closed_pipe_is_no_error(command):
    line = f"{' '.join(command)} list --json | head -1"
    assert told(["bash", "-o", "pipefail", "-c", line]).stderr == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_folder_that_can_be_resumed(command, number, tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    run = [*command, "run", "--config", "config.toml", "--out", "cut", "--jobs", "1"]
    rows = tmp_path / "cut" / "runs.csv"
    with subprocess.Popen(run, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None and not (rows.exists() and rows.read_text().count("\n") > 2):
            time.sleep(0.02)
        child.send_signal(number)
        _, said = child.communicate(timeout=60)
    assert child.returncode == 128 + number and "Traceback" not in said, said
    assert 0 < kenga.open(tmp_path / "cut").runs.rows < 2000
    assert told(command, "validate", tmp_path / "cut", "--replay", "1").returncode == 0


def test_the_server_answers_until_ctrl_c(command, tmp_path):
    serve = [*command, "serve", "--port", "0"]
    with subprocess.Popen(serve, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        address = child.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=20) as page:
            assert b"<html" in page.read()
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=20) == ("", "") and child.returncode == 130


def test_ctrl_c_ends_a_command_that_does_not_watch_for_it(command):
    # A shell without job control starts what it puts in the background with the signal ignored.
    def heed():
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    pipe = subprocess.PIPE
    with subprocess.Popen([*command, "check", "-", "--grid", "1"], stdin=pipe, stderr=pipe, preexec_fn=heed) as child:
        time.sleep(1.0)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=20) in (-signal.SIGINT, 130) and b"Traceback" not in child.stderr.read()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_programs_end_when_the_command_is_killed(command, tmp_path):
    (tmp_path / "slow.sh").write_text("#!/bin/sh\necho $$ > pid\nexec sleep 100\n")
    config = f'puzzles = ["{PUZZLES / "original" / "4x4.txt"}"]\nreplicates = 1\nbudget.evaluations = 10\n'
    (tmp_path / "config.toml").write_text(config + '[algorithm]\nname = "program"\ncommand = ["sh", "slow.sh"]\n')
    child = subprocess.Popen([*command, "run", "--config", "config.toml"], cwd=tmp_path, stderr=subprocess.DEVNULL)
    pid = tmp_path / "pid"
    for _ in range(1000):
        # The program, and the guardian that is started after it.
        if pid.exists() and len(_children(child.pid)) == 2:
            break
        time.sleep(0.02)
    time.sleep(0.2)
    child.kill()
    child.wait(timeout=20)
    alive = Path("/proc", pid.read_text().strip())
    for _ in range(500):
        if not alive.exists():
            break
        time.sleep(0.02)
    assert not alive.exists()


def _children(pid):
    return [one for task in Path(f"/proc/{pid}/task").glob("*/children") for one in task.read_text().split()]


def test_jobs_of_a_cluster_start_the_command_again(command, tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    told(command, "sweep", "plan", "--config", "config.toml", "-o", "plan.json", "--pilot", "0", cwd=tmp_path)
    script = told(command, "sweep", "submit", "plan.json", "--to", "slurm", "--shards", "2", "-o", "out", "--dry-run", cwd=tmp_path).stdout
    [line] = [line for line in script.splitlines() if " sweep run " in line and "--shard auto/2" in line]
    starts = line.removeprefix("exec ").partition(" sweep run")[0]
    assert told(["sh", "-c", f"{starts} --version"]).stdout == f"kenga {kenga.__version__}\n"


def test_nothing_is_loaded_that_the_command_does_not_need():
    code = "import sys; import kenga.__main__; print('numpy' in sys.modules)"
    assert told([sys.executable, "-c", code]).stdout == "False\n"


@pytest.mark.skipif(os.name != "posix", reason="needs the device /dev/null")
def test_standard_error_is_empty():
    code = "import kenga.program; import kenga; kenga.Puzzle.read('4:b_a4_a_6aa,m8s1a6s1m4a3d2')"
    ended = told([sys.executable, "-W", "error", "-c", code])
    assert (ended.returncode, ended.stderr) == (0, "")
    asked = told([sys.executable, "-W", "error", "-m", "kenga.program", "json:dumps"], input="")
    assert (asked.returncode, asked.stderr) == (0, "")
