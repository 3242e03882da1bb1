"""Results folders."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np

from . import _html, _kenga
from ._kenga import Error
from ._process import options, speaking
from .frames import Columns, _columns
from .puzzle import Puzzle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from numpy.typing import NDArray

    from .names import MetricName

Folders = Union["Folder", str, "os.PathLike[str]", Iterable[Union["Folder", str, "os.PathLike[str]"]]]


class Folder:
    """A results folder that ``kenga run`` or :func:`kenga.run` has written; see docs/folder.md for its columns.

    Of an experiment that goes on, or was interrupted, it shows the runs that have ended.
    """

    #: Its path.
    path: Path

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._describe()

    def _describe(self) -> tuple[list[_kenga.Puzzle], int, bool, list[str]]:
        return _kenga.describe(os.fspath(self.path))

    @property
    def runs(self) -> Columns:
        """A row for each run that has ended: the columns of ``runs.csv``, then ``cpu_s`` and ``wall_s``; of a problem of
        your own ``value``, the best in its units; and ``cost`` where runs report one.

        What may be unknown is ``float64`` with NaN: ``best_fitness``, ``evaluations_to_best``, ``moves_to_best``,
        ``dead_at``, ``distance``, ``cpu_s``, ``wall_s``, ``value``.
        """
        return _columns(_kenga.runs(os.fspath(self.path)))

    @property
    def convergence(self) -> Columns:
        """A row for each recorded generation of the runs that have ended: the columns of ``convergence.csv``, and of a problem
        of your own ``value``, which is ``best`` in its units."""
        return _columns(_kenga.convergence(os.fspath(self.path)))

    @property
    def settings(self) -> Columns:
        """A row for each setting: ``setting``, and the keys that are swept."""
        return _columns(_kenga.settings(os.fspath(self.path)))

    @property
    def failures(self) -> Columns:
        """A row for each run that failed, with the reason: the columns of ``failures.csv``."""
        return _columns(_kenga.failures(os.fspath(self.path)))

    @property
    def populations(self) -> Populations:
        """A row for each individual of the whole populations that ``[record] populations`` asks for: the columns of
        ``populations.csv``, and their genomes as an array.

        :raises Error: where the configuration does not ask for them
        """
        if not any(config["record"].get("populations") for config in self.configs):
            raise Error(f"{self.path} has no whole populations: run the experiment with populations = 1 in [record]")
        columns, digits, ends = _kenga.populations(os.fspath(self.path))
        return Populations(_columns(columns), digits, ends)

    @property
    def puzzles(self) -> list[Puzzle]:
        """The puzzles of the experiment."""
        return [Puzzle(puzzle) for puzzle in self._describe()[0]]

    @property
    def configs(self) -> list[dict[str, Any]]:
        """The configuration of each setting, with all defaults."""
        return [json.loads(config) for config in self._describe()[3]]

    @property
    def planned(self) -> int:
        """How many runs the experiment has; a race may end with fewer."""
        return self._describe()[1]

    @property
    def has_ended(self) -> bool:
        """Every run has ended."""
        return self._describe()[2]

    def plot_convergence(
        self,
        y: str | None = None,
        x: Literal["calls", "evaluations", "moves", "generation"] = "calls",
        ax: Axes | None = None,
    ) -> Axes:
        """Plots a column of :attr:`convergence`: of each setting the median over its runs, and their quartiles as a band.

        A run that has ended keeps its last value. matplotlib must be installed.

        :param y: the column; when absent ``best``, or ``value`` of a problem of your own
        :param x: what is spent; calls are evaluations and moves
        :param ax: where to plot; a new figure when absent
        :raises Error: without matplotlib, and for a column that there is not
        """
        from .plots import plot_convergence

        return plot_convergence(self, y, x, ax)

    def plot_solved(self, x: Literal["calls", "evaluations", "moves"] = "calls", ax: Axes | None = None) -> Axes:
        """Plots of each setting the share of its runs that are solved by then. matplotlib must be installed.

        :param x: what is spent; calls are evaluations and moves
        :param ax: where to plot; a new figure when absent
        :raises Error: without matplotlib
        """
        from .plots import plot_solved

        return plot_solved(self, x, ax)

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def _repr_html_(self) -> str:
        runs, settings = self.runs, self.settings
        rows = []
        for place, setting in enumerate(settings["setting"]):
            solved = runs["solved"][runs["setting"] == setting]
            rows.append({**{key: column[place] for key, column in settings.items()}, "runs": len(solved), "solved": solved.sum()})
        ended = "" if self.has_ended else ", not ended"
        return f"<p>{_html.text(self.path)}: {runs.rows} of {self.planned} runs{ended}</p>{_html.table(rows)}"

    def __repr__(self) -> str:
        return f"Folder({os.fspath(self.path)!r})"


class Populations(Columns):
    """The individuals of whole populations, a row each: run, generation, island, fitness, genome (a text of digits)."""

    def __init__(self, columns: Columns, digits: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        super().__init__(columns)
        self._digits, self._ends = digits, ends

    @property
    def genomes(self) -> NDArray[np.int64]:
        """The genome of every row, ``int64[rows, genes]``.

        :raises Error: where genomes have different numbers of genes; take the rows of one puzzle then, with :meth:`where`
        """
        lengths = np.diff(self._ends, prepend=0)
        if self.rows == 0:
            return np.empty((0, 0), dtype=np.int64)
        if lengths.min() != lengths.max():
            raise Error(f"genomes have {lengths.min()} to {lengths.max()} genes: take the rows of the runs of one puzzle")
        return self._digits.reshape(self.rows, int(lengths[0])).astype(np.int64)

    def where(self, mask: NDArray[np.bool_]) -> Populations:
        """The rows for which a mask, ``bool[rows]``, is true, with their genomes."""
        lengths = np.diff(self._ends, prepend=0)
        return Populations(super().where(mask), self._digits[np.repeat(mask, lengths)], np.cumsum(lengths[mask]))


class Comparison:
    """What differs between settings, and whether that is real. In words it is its ``str``."""

    #: As ``kenga compare --json``: settings, pairs with intervals and p-values, verdict, and the tables that were asked for.
    data: dict[str, Any]

    def __init__(self, data: dict[str, Any], words: str) -> None:
        self.data, self._words = data, words

    @property
    def verdict(self) -> list[str]:
        """The verdict, a sentence each."""
        return list(self.data["verdict"])

    def _repr_html_(self) -> str:
        rows = []
        for side in self.data["settings"]:
            rows.append({"setting": side["name"], "runs": side["runs"], "solved": side["solved"], "share": side["share"]})
        return _html.table(rows) + "".join(f"<p>{_html.text(sentence)}</p>" for sentence in self.verdict)

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        return self._words


class Report:
    """A report: one page of HTML with nothing to load, which a notebook shows, and its figures."""

    #: The page.
    page: str
    #: The figures as SVG and PDF, by the name of the file.
    figures: dict[str, bytes]

    def __init__(self, page: str, figures: dict[str, bytes]) -> None:
        self.page, self.figures = page, figures

    def save(self, path: str | os.PathLike[str], figures: str | os.PathLike[str] | None = None) -> None:
        """Writes the page, and the figures into a folder if one is given."""
        Path(path).write_text(self.page, encoding="utf-8")
        if figures is not None:
            Path(figures).mkdir(parents=True, exist_ok=True)
            for name, content in self.figures.items():
                (Path(figures) / name).write_bytes(content)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.page)}" style="width: 100%; height: 45em; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<Report with {len(self.figures)} files of figures>"


def open(folder: str | os.PathLike[str]) -> Folder:
    """Opens a results folder.

    :raises Error: for what is no results folder, or is damaged
    """
    return Folder(folder)


def compare(
    folders: Folders,
    *,
    by: str | Iterable[str] = (),
    metric: MetricName | None = None,
    puzzles: str | Iterable[str] = (),
    alpha: float = 0.05,
    baseline: str | None = None,
    smallest: float = 1.25,
    group: str | None = None,
    features: str | os.PathLike[str] | None = None,
    plan: str | os.PathLike[str] | None = None,
    rope: str | float | None = None,
    anytime: Literal["linear", "log-calls", "log-fitness", "log"] | None = None,
    worst: float | None = None,
    targets: Iterable[float] = (),
    budgets: Iterable[int] = (),
    columns: str | Iterable[str] = (),
    csv: bool = False,
    markdown: bool = False,
    latex: bool = False,
) -> Comparison:
    """Compares the settings of folders, as ``kenga compare`` and with its options.

    :param by: keys that group settings, such as ``algorithm.mutation.rate``
    :param metric: what is compared; when absent ``calls``, or ``best_fitness`` where the best value of a problem of your
        own is unknown
    :param puzzles: ids; all puzzles when there is none
    :param alpha: the significance level, over all pairs together
    :param baseline: the name of a setting with which all others are compared
    :param smallest: the smallest ratio of two costs that matters, for power and equivalence
    :param group: families of puzzles that are the sample of their kind: ``kind``, ``size``, a key of their ``meta``, or a
        column of ``features``
    :param features: a file that ``kenga features -o FILE`` has written
    :param plan: of :func:`kenga.sweep.plan`: asks what it has fixed, in place of ``by``, ``metric``, ``baseline``, ``alpha``
        and ``smallest``
    :param rope: adds the probabilities that a setting is better, practically the same or worse: what counts as the same, of
        times a percentage such as ``"5%"``, of values, fitness and distance a difference such as ``1``
    :param anytime: adds the area over the convergence curve, on these axes
    :param worst: the fitness, or value of a problem of your own, from which on that area counts nothing
    :param targets: adds the calls to attain these fitnesses or values
    :param budgets: adds the best fitness or value within these numbers of calls
    :param columns: the words are only the tables that have some of these columns, with these alone
    :param csv: the words are tables of comma-separated values
    :param markdown: the words are tables in Markdown
    :param latex: the words are tables in LaTeX
    :raises Error: where there is nothing to compare
    """
    given = {
        "by": _texts(by), "metric": metric, "puzzle": _texts(puzzles), "alpha": alpha, "baseline": baseline,
        "smallest": smallest, "group": group, "features": features, "plan": plan, "rope": rope, "anytime": anytime,
        "worst": worst, "targets": [*targets], "budgets": [*budgets], "columns": _texts(columns), "csv": csv,
        "markdown": markdown, "latex": latex,
    }  # fmt: skip
    # A plan excludes these, unless they have their defaults.
    for name, default in (("alpha", 0.05), ("smallest", 1.25)):
        if given[name] == default:
            del given[name]
    with speaking():
        data, words = _kenga.compare([*options(given), "--", *_paths(folders)])
    return Comparison(json.loads(data), words)


def report(folders: Folders, *, by: str | Iterable[str] = (), title: str | None = None) -> Report:
    """Makes the report on folders, as ``kenga report``; the same results give the same bytes.

    :param by: keys that group settings
    :param title: of the page; the names of the folders when absent
    :raises Error: where no run has ended
    """
    page, figures = _kenga.report_page(_paths(folders), _texts(by), title)
    return Report(page, dict(figures))


def _paths(folders: Folders) -> list[str]:
    if isinstance(folders, (Folder, str, os.PathLike)):
        folders = [folders]
    return [os.fspath(folder) for folder in folders]


def _texts(texts: str | Iterable[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)
