"""What other commands of kenga do, each in a process of its own: the options, files and bytes are those of the command line.

Other threads of Python go on meanwhile. Ctrl-C ends a command in good order, as on a terminal, and then raises
``KeyboardInterrupt``. What a command notes on standard error is a warning here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional, Tuple

from . import _cluster, _html
from ._kenga import Error
from ._process import Config, Inputs, Lines, Puzzles, assignments, call, options
from .folder import Folders, _paths, _texts
from .frames import Columns, _rows
from .problem import Problem
from .puzzle import Puzzle, read

if TYPE_CHECKING:
    from .names import EncodingName, ExportName, GeneratorName

@dataclass(frozen=True)
class Finding:
    """A claim of a folder that does not hold."""

    #: ``refuted``, or ``not reproducible`` where the program of a run does not follow its seed.
    kind: str
    #: The file in the folder, and the line in it.
    file: str
    line: Optional[int]
    #: What is wrong, in words.
    problem: str


@dataclass(frozen=True)
class Validation:
    """What was checked of a folder; true where every claim holds."""

    #: Every claim holds; None where another program is writing the folder.
    holds: Optional[bool]
    #: The claims that do not hold.
    findings: Tuple[Finding, ...]
    #: As ``kenga validate --json``: how many runs were checked and replayed, and how many are missing.
    data: dict[str, Any]

    def __bool__(self) -> bool:
        return bool(self.holds)

    def _repr_html_(self) -> str:
        told = {key: value for key, value in self.data.items() if key != "findings"}
        found = [{"file": one.file, "line": one.line, "problem": one.problem} for one in self.findings]
        return _html.pairs(told) + (_html.table(found) if found else "")


@dataclass(frozen=True)
class Tuning:
    """The best configuration of a space, and the folder that tells how it was found."""

    #: The folder: ``best.toml``, ``candidates.jsonl``, ``runs.csv``, ``decisions.csv``, ``ablation.csv``, ``validation/``.
    path: Path
    #: As ``kenga tune --json``.
    data: dict[str, Any]

    @property
    def best(self) -> dict[str, Any]:
        """The values of the best configuration, by their keys."""
        values: dict[str, Any] = self.data["best"]["values"]
        return values

    @property
    def config(self) -> Path:
        """The best configuration as a file, which :func:`kenga.run` takes."""
        return self.path / "best.toml"

    @property
    def validation(self) -> Optional[dict[str, Any]]:
        """The best compared with the default on held-out puzzles, as ``kenga compare --json``; None where that was not done."""
        found: Optional[dict[str, Any]] = self.data["validation"]
        return found

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def _repr_html_(self) -> str:
        verdict = (self.validation or {}).get("headline", "")
        return f"<p>Best of {self.data['candidates']} candidates. {_html.text(verdict)}</p>" + _html.pairs(self.best)


def tune(
    config: Config | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    puzzles: Puzzles = (),
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    client: Any = None,
    shards: int | None = None,
    jobs: int | None = None,
    progress: bool | Lines = True,
) -> Tuning:
    """Finds the best configuration of a space by iterated racing, as ``kenga tune`` and with the same folder to the byte.

    :param config: the space in ``[sweep]`` and the budget in ``[tune]``: a TOML file, or the same as a dict
    :param out: the folder; ``results/NAME`` after the file when absent
    :param resume: finish what is in ``out``; the configuration may then be absent
    :param puzzles: in place of those of the configuration
    :param seed: what all randomness derives from
    :param set: values over the configuration by dotted path
    :param client: a Dask ``Client``, the module ``ray``, or an executor of ``concurrent.futures``, whose workers make the
        runs together; they see ``config``, a file, and the folder ``OUT-shards``, where they record them
    :param shards: how many workers do so, all at the same time, with a thread each
    :param jobs: threads; one per core when absent. Results never depend on it
    :param progress: shows how far it is where tqdm is installed; or a function that is called with a line of it
    :raises Error: for what kenga refuses
    """
    if (client is None) != (shards is None):
        raise Error("a client makes the runs in shards: tune(..., client=client, shards=8)")
    if config is None and not (resume and out):
        raise Error("a tuning needs a configuration, or the folder to resume: tune(out=..., resume=True)")
    if isinstance(config, Mapping) and out is None:
        raise Error("a configuration that is a dict has no name: give the folder, tune(..., out=...)")
    with Inputs() as inputs:
        given = {
            "config": inputs.config(config), "out": out, "resume": resume, "puzzle": inputs.puzzles(puzzles),
            "seed": seed, "set": assignments(set), "jobs": jobs,
        }  # fmt: skip
        if client is not None:
            given["shards"] = _make_shards(client, shards or 0, given)
        data = json.loads(call(["tune", *options(given), "--json"], inputs.text, progress).output)
    return Tuning(Path(data["folder"]), data)


def _make_shards(client: Any, shards: int, given: Mapping[str, Any]) -> str:
    """Has workers make a tuning together; the folder that they share."""
    config, out = given["config"], given["out"]
    if config in (None, "-") or out is None or given["puzzle"]:
        raise Error("workers read the configuration and its puzzles from a file: tune('tune.toml', out=..., client=client, shards=8)")
    shared: str = os.path.abspath(out) + "-shards"
    asked = {
        "config": os.path.abspath(config), "out": shared, "seed": given["seed"], "set": given["set"],
        "wait": True, "jobs": 1,
    }  # fmt: skip
    tasks = [({**asked, "shard": f"{shard}/{shards}"},) for shard in range(shards)]
    _cluster.make(client, _make_shard, tasks)
    return shared


def _make_shard(asked: dict[str, Any]) -> None:
    """Makes a shard of a tuning, where a worker is."""
    call(["tune", *options(asked)], None, False)


def validate(
    folder: str | os.PathLike[str],
    *,
    replay: int | Literal["all"] = 3,
    programs: str | os.PathLike[str] | None = None,
    progress: bool | Lines = True,
) -> Validation:
    """Checks every claim in a folder again, as ``kenga validate``.

    :param folder: of :func:`kenga.run` or :func:`kenga.tune`
    :param replay: how many runs to repeat, spread evenly, or ``all``
    :param programs: where the programs of runs are started; without it such runs are not repeated
    :param progress: as for :func:`kenga.tune`
    :raises Error: for what is no folder of kenga's
    """
    given = options({"replay": replay, "programs": programs})
    data = json.loads(call(["validate", *given, "--json", "--", os.fspath(folder)], None, progress).output)
    return Validation(data["holds"], tuple(Finding(**found) for found in data["findings"]), data)


def export(
    folders: Folders,
    to: ExportName,
    out: str | os.PathLike[str],
    *,
    convergence: bool = False,
    force: bool = False,
) -> Path:
    """Writes results in the format of another program, as ``kenga export``; returns the file or folder.

    :param folders: of :func:`kenga.run`
    :param to: ``csv``, ``json``, ``ioh`` (IOHanalyzer) or ``optuna``
    :param out: a new file, or for ``ioh`` a new folder
    :param convergence: a row for each recorded generation in place of one for each run
    :param force: overwrite the file
    :raises Error: for what cannot be exported
    """
    given = options({"to": to, "out": out, "convergence": convergence, "force": force})
    try:
        call(["export", *given, "--", *_paths(folders)], None, False)
    except Error as bad:
        if "without parquet" not in str(bad):
            raise
        table = "convergence" if convergence else "runs"
        advice = f"pq.write_table(pa.table(folder.{table}), {os.fspath(out)!r})"
        raise Error(f"this kenga is built without parquet: import pyarrow as pa, pyarrow.parquet as pq; {advice}") from None
    return Path(out)


def generate(
    kind: GeneratorName,
    count: int = 1,
    *,
    seed: int = 1,
    hard_for: Config | None = None,
    easy_for: Config | None = None,
    effort: int | None = None,
    runs: int | None = None,
    jobs: int | None = None,
    progress: bool | Lines = True,
    **parameters: Any,
) -> list[Puzzle]:
    """Makes puzzles, as ``kenga generate``; a larger count begins with the puzzles of a smaller one.

    :param kind: what to make
    :param count: how many
    :param seed: of the random numbers
    :param hard_for: evolve puzzles that this algorithm finds hard: a configuration, or ``"exact"`` for the exact solver
    :param easy_for: of these only such as this algorithm solves nearly always, and at less cost
    :param effort: puzzles to measure for each that is made
    :param runs: fresh runs of each algorithm on each puzzle that is made
    :param jobs: threads; one per core when absent
    :param progress: as for :func:`kenga.tune`
    :param parameters: what only some kinds take, such as ``size=6``; ``kenga.list("generator")`` names them
    :returns: the puzzles; a warning says which were not found
    :raises Error: for what kenga refuses

    >>> [puzzle] = generate("kenken", size=4, progress=False)
    >>> puzzle.id, puzzle.rows
    ('kenken-4-000', 4)
    """
    with Inputs() as inputs:
        given = {
            "kind": kind, "count": count, "seed": seed, "hard_for": inputs.config_file("hard", hard_for),
            "easy_for": inputs.config_file("easy", easy_for), "effort": effort, "runs": runs, "jobs": jobs, **parameters,
        }  # fmt: skip
        said = call(["generate", *options(given)], None, progress)
    said.warn_unless_done(("puzzles:", "puzzles measured:"))
    return [*read(said.output.encode())] if said.output else []


def features(
    puzzles: Puzzles,
    *,
    family: str | Iterable[str] = (),
    landscape: bool = False,
    encoding: EncodingName | Iterable[EncodingName] = (),
    fitness: str | Iterable[str] = (),
    samples: int | None = None,
    walks: int | None = None,
    nodes: int | None = None,
    solutions: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool | Lines = True,
) -> Columns:
    """Describes puzzles in numbers, a row each, as ``kenga features``; docs/features.md says what every column is.

    :param family: only these families of columns: ``shape``, ``cages``, ``operators``, ``tuples``, ``space``, ``graph``,
        ``exact``, ``grade``
    :param landscape: also what landscapes look like, of these ``encoding`` and ``fitness`` (``binary``, ``gap``, ``weights``)
    :param samples: random genomes of a landscape
    :param walks: random walks, adaptive walks and descents, as many of each
    :param nodes: decisions of the exact solver for each puzzle; 0 leaves out what it finds
    :param solutions: solutions that are looked for, at most
    :param seed: of the samples
    :param jobs: threads; one per core when absent
    :param progress: as for :func:`kenga.tune`
    :raises Error: for what kenga refuses
    """
    given = {
        "family": _texts(family), "landscape": landscape, "encoding": _texts(encoding), "fitness": _texts(fitness),
        "samples": samples, "walks": walks, "nodes": nodes, "solutions": solutions, "seed": seed, "jobs": jobs,
    }  # fmt: skip
    with Inputs() as inputs:
        output = call(["features", *options(given), "--json", "--", *inputs.puzzles(puzzles)], None, progress).output
    return _rows([json.loads(line) for line in output.splitlines()])


def landscape(
    of: Puzzles | Problem,
    *,
    encoding: EncodingName | Iterable[EncodingName] = (),
    fitness: str | Iterable[str] = (),
    measure: str | Iterable[str] = (),
    samples: int | None = None,
    walks: int | None = None,
    length: int | None = None,
    limit: int | None = None,
    solutions: int | None = None,
    nodes: int | None = None,
    seed: int | None = None,
    runs: Folders = (),
    out: str | os.PathLike[str] | None = None,
    programs: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: bool | Lines = True,
) -> Columns:
    """Measures the fitness landscapes of puzzles or a problem, as ``kenga landscape``: a row for each landscape and quantity.

    :param of: puzzles, their files or texts, or the file of a configuration; or a :class:`kenga.Problem` whose function is in a
        module
    :param encoding: only of these encodings
    :param fitness: only of this fitness: ``binary``, ``gap``, ``weights``
    :param measure: only these measures or quantities; docs/landscape.md has them
    :param samples: random genomes
    :param walks: random walks, adaptive walks and descents, as many of each
    :param length: moves of a random walk
    :param limit: the most genomes to explore of a plateau or basin
    :param solutions: the most solutions to measure distances to
    :param nodes: decisions of the exact solver for each puzzle
    :param seed: what all randomness derives from
    :param runs: folders of runs: the rows are then how each measure correlates with their running times
    :param out: a folder for all values and figures
    :param programs: where the programs of a configuration are started; that of its file when absent
    :param jobs: threads; one per core when absent
    :param progress: as for :func:`kenga.tune`
    :raises Error: for what kenga refuses
    """
    given = {
        "encoding": _texts(encoding), "fitness": _texts(fitness), "measure": _texts(measure), "samples": samples,
        "walks": walks, "length": length, "limit": limit, "solutions": solutions, "nodes": nodes, "seed": seed,
        "runs": _paths(runs), "out": out, "programs": programs, "jobs": jobs,
    }  # fmt: skip
    with Inputs() as inputs:
        files = [inputs.problem(of)] if isinstance(of, Problem) else inputs.puzzles(of)
        output = call(["landscape", *options(given), "--json", "--", *files], None, progress).output
    return _rows(json.loads(output))
