"""Sweeps that are planned first, run in shards, and merged, as ``kenga sweep``.

>>> import kenga
>>> plan = kenga.sweep.plan("sweep.toml", out="plan.json")  # doctest: +SKIP
>>> kenga.sweep.run(plan, shard=(0, 2), out="shards"), kenga.sweep.run(plan, shard=(1, 2), out="shards")  # doctest: +SKIP
>>> folder = kenga.sweep.merge(plan, "shards", out="results/all")  # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._process import Config, Inputs, Lines, Puzzles, assignments, call, options
from .folder import Folder, Folders, _paths

__all__ = ["Plan", "merge", "plan", "run"]


@dataclass(frozen=True)
class Plan:
    """Every setting, puzzle and run of an experiment, fixed in a file."""

    #: The file.
    path: Path
    #: As ``kenga sweep plan --json``: settings, puzzles, replicates, runs, and the forecast in words.
    data: dict[str, Any]

    @property
    def runs(self) -> int:
        """The number of runs."""
        runs: int = self.data["runs"]
        return runs

    def __fspath__(self) -> str:
        return os.fspath(self.path)


def plan(
    config: Config,
    out: str | os.PathLike[str],
    *,
    puzzles: Puzzles = (),
    seed: int | None = None,
    runs: int | None = None,
    set: Mapping[str, Any] | None = None,
    pilot: int = 24,
    detect: float | None = None,
    power: float | None = None,
    programs: str | os.PathLike[str] | None = None,
    force: bool = False,
    jobs: int | None = None,
    progress: bool | Lines = True,
) -> Plan:
    """Fixes the settings, puzzles and runs of an experiment in a file.

    :param config: a TOML file, or the same as a dict
    :param out: the file to write
    :param puzzles: in place of those of the configuration
    :param seed: what all randomness derives from
    :param runs: replicates of every puzzle and setting
    :param set: values over the configuration by dotted path
    :param pilot: runs of a pilot that forecasts the cost, in at most 10 seconds; 0 for none
    :param detect: the difference that the forecast should say the runs for; ``power`` is how surely it is seen
    :param programs: where the programs of a configuration are started
    :param force: overwrite the file
    :param jobs: threads; one per core when absent
    :param progress: as for :func:`kenga.tune`
    :raises Error: for what kenga refuses
    """
    with Inputs() as inputs:
        given = {
            "config": inputs.config(config), "out": out, "puzzle": inputs.puzzles(puzzles), "seed": seed, "runs": runs,
            "set": assignments(set), "pilot": pilot, "detect": detect, "power": power, "programs": programs,
            "force": force, "jobs": jobs,
        }  # fmt: skip
        data = json.loads(call(["sweep", "plan", *options(given), "--json"], inputs.text, progress).output)
    return Plan(Path(out), data)


def run(
    plan: Plan | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    shard: tuple[int, int] | None = None,
    resume: bool = False,
    programs: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: bool | Lines = True,
) -> Folder:
    """Makes all runs of a plan, or those of a shard.

    :param plan: or its file
    :param out: the results folder; for shards the folder that they share
    :param shard: its number, from 0, and how many there are
    :param resume: continue the folder if it exists
    :param programs: where the programs of a configuration are started
    :param jobs: threads; one per core when absent
    :param progress: as for :func:`kenga.tune`
    :returns: the folder that was written; a warning says how many runs have failed, if any
    :raises Error: for what kenga refuses
    """
    of = None if shard is None else f"{shard[0]}/{shard[1]}"
    given = {"shard": of, "out": out, "resume": resume, "programs": programs, "jobs": jobs}
    said = call(["sweep", "run", *options(given), "--json", "--", os.fspath(plan)], None, progress)
    folder = Folder(out if shard is None else Path(out, f"shard-{shard[0]}-of-{shard[1]}"))
    if said.code == 1:
        warnings.warn(f"{folder.failures.rows} runs have failed; see Folder.failures, and resume=True to try again", stacklevel=2)
    return folder


def merge(plan: Plan | str | os.PathLike[str], shards: Folders, out: str | os.PathLike[str]) -> Folder:
    """Merges the shards of a plan into one folder, with the bytes that one run of everything has.

    :param plan: or its file
    :param shards: folders of shards, or folders that hold them
    :param out: the results folder
    :raises Error: for shards that are missing, unfinished, changed or of another plan
    """
    call(["sweep", "merge", *options({"out": out}), "--", os.fspath(plan), *_paths(shards)], None, False)
    return Folder(out)
