"""Plots of results folders, with matplotlib where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._kenga import Error
from .frames import Columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from .folder import Folder

#: The most places of a curve: more are not told apart on a page.
_PLACES = 500


def plot_convergence(folder: Folder, y: str | None, x: str, ax: Axes | None) -> Axes:
    """See :meth:`kenga.Folder.plot_convergence`."""
    ax = _axes(ax)
    rows = _with_calls(folder.convergence)
    y = y or ("value" if "value" in rows else "best")
    for name in (x, y):
        if name not in rows:
            raise Error(f"the convergence has no column {name!r}; there are {', '.join(rows)}")
    of_run = dict(zip(folder.runs["run"].tolist(), folder.runs["setting"].tolist()))
    places = np.unique(rows[x])
    places = places[np.linspace(0, len(places) - 1, min(_PLACES, len(places))).astype(int)] if len(places) else places
    settings = np.array([of_run[run] for run in rows["run"].tolist()])
    for setting, label in _labels(folder):
        curves = []
        for run in np.unique(rows["run"][settings == setting]):
            one = rows.where(rows["run"] == run)
            curves.append(_steps(one[x], one[y].astype(float), places))
        if curves:
            # A run has no value before its first.
            known = ~np.isnan(curves).any(axis=0)
            low, middle, high = np.percentile(np.array(curves)[:, known], [25, 50, 75], axis=0)
            [line] = ax.plot(places[known], middle, label=label)
            ax.fill_between(places[known], low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    return _labelled(ax, x, y)


def plot_solved(folder: Folder, x: str, ax: Axes | None) -> Axes:
    """See :meth:`kenga.Folder.plot_solved`."""
    ax = _axes(ax)
    runs = _with_calls(folder.runs)
    if x not in runs:
        raise Error(f"the runs have no column {x!r}; there are {', '.join(runs)}")
    end = runs[x].max(initial=0)
    for setting, label in _labels(folder):
        of_setting = runs.where(runs["setting"] == setting)
        spent = np.sort(of_setting[x][of_setting["solved"]])
        shares = np.arange(len(spent) + 1) / max(of_setting.rows, 1)
        ax.step(np.concatenate([[0], spent, [end]]), np.concatenate([shares, shares[-1:]]), where="post", label=label)
    ax.set_ylim(0, 1.02)
    return _labelled(ax, x, "share of runs solved")


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise Error('matplotlib is not installed: pip install "kenga[plots]"') from None
    return pyplot.subplots()[1]


def _with_calls(rows: Columns) -> Columns:
    return Columns({**rows, "calls": rows["evaluations"] + rows["moves"]})


def _labels(folder: Folder) -> list[tuple[int, str]]:
    """Of each setting its number, and the values that tell it from the others."""
    settings = folder.settings
    keys = [key for key in settings if key != "setting"]
    labels = []
    for place, setting in enumerate(settings["setting"].tolist()):
        values = [f"{key.rpartition('.')[2]}={settings[key][place]}" for key in keys]
        labels.append((setting, ", ".join(values) or folder.path.name))
    return labels


def _steps(at: NDArray[Any], values: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """The last value at or before each place; NaN before the first."""
    last = np.searchsorted(at, places, side="right") - 1
    return np.where(last >= 0, values[np.maximum(last, 0)], np.nan)


def _labelled(ax: Axes, x: str, y: str) -> Axes:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if ax.get_legend_handles_labels()[0]:
        ax.legend()
    return ax
