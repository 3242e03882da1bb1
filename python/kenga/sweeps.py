"""Sweeps that are planned first, run in shards, and merged, as ``kenga sweep``. The package has them as ``kenga.sweep``.

>>> import kenga
>>> plan = kenga.sweep.plan("sweep.toml", out="plan.json")  # doctest: +SKIP
>>> kenga.sweep.run(plan, shard=(0, 2), out="shards"), kenga.sweep.run(plan, shard=(1, 2), out="shards")  # doctest: +SKIP
>>> folder = kenga.sweep.merge(plan, "shards", out="results/all")  # doctest: +SKIP

Or by the workers of Dask, of Ray, or of ``concurrent.futures``:

>>> folder = kenga.sweep(plan).map(client, out="results/big", shards=100)  # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _cluster
from ._kenga import Error
from ._process import Config, Inputs, Lines, Puzzles, assignments, call, options
from .folder import Folder, Folders, _paths

__all__ = ["Plan", "Shards", "Sweep", "merge", "plan", "run", "sweep"]


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


class Shards:
    """The shards of a plan, to be made by the workers of a cluster."""

    def __init__(self, plan: Plan | str | os.PathLike[str]) -> None:
        self._plan = Path(plan).absolute()

    def map(
        self,
        client: Any,
        out: str | os.PathLike[str],
        *,
        shards: int | None = None,
        programs: str | os.PathLike[str] | None = None,
        jobs: int = 1,
    ) -> Folder:
        """Has the workers of ``client`` make the shards that are missing, waits for all of them, and merges them.

        A worker that is lost loses nothing but time: its shard is continued, by another one or by the same call again. A
        race is made round by round until it is over.

        :param client: a Dask ``Client``, the module ``ray``, or an executor of ``concurrent.futures``
        :param out: a folder that all workers see: it has the shards in ``shards`` and the whole in ``merged``
        :param shards: how many, each a task; those that ``out`` has, or else 32
        :param programs: where the programs of a configuration are started
        :param jobs: threads of a task
        :returns: the merged folder
        :raises Error: for what kenga refuses
        """
        whole = Path(out).absolute()
        shared = whole / "shards"
        of, left, _ = _there(shared)
        if of is None:
            of = 32 if shards is None else shards
            left = list(range(of))
        elif shards not in (None, of):
            raise Error(f"{os.fspath(out)} has shards of {of}, not of {shards}")
        beside = None if programs is None else os.path.abspath(programs)
        merged = whole / "merged"
        if not left and (merged / "checksums.txt").exists():
            return Folder(merged)
        while left:
            _cluster.make(client, _task, [(str(self._plan), str(shared), shard, of, beside, jobs) for shard in left])
            _, left, is_race = _there(shared)
            # What has failed is tried again by another call.
            if not is_race:
                break
        return merge(self._plan, shared, merged)


def _there(shared: Path) -> tuple[int | None, list[int], bool]:
    """How many shards a folder is for, which of them are to be made, and whether they are those of a race."""
    if not any(shared.glob("shard-*-of-*")):
        return None, [], False
    rows = json.loads(call(["sweep", "status", "--json", "--", os.fspath(shared)], None, False).output)
    names = [(*map(int, row["shard"].split("/")), row["state"]) for row in rows]
    return names[0][1], [shard for shard, _, state in names if state != "finished"], "round" in rows[0]


def _task(plan: str, shared: str, shard: int, of: int, programs: str | None, jobs: int) -> int:
    """Makes a shard, where a worker is."""
    run(plan, shared, shard=(shard, of), resume=True, programs=programs, jobs=jobs, progress=False)
    return shard


class Sweep:
    """Plans, runs and merges sweeps: :func:`plan`, :func:`run`, :func:`merge`. Called, it has a plan's :class:`Shards`."""

    plan = staticmethod(plan)
    run = staticmethod(run)
    merge = staticmethod(merge)

    def __call__(self, plan: Plan | str | os.PathLike[str]) -> Shards:
        return Shards(plan)


#: What ``kenga.sweep`` is.
sweep = Sweep()
