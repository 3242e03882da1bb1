"""Tables as columns of NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

import numpy as np

from . import _html, _kenga

if TYPE_CHECKING:
    import pandas
    import polars
    from numpy.typing import NDArray


#: The most rows that a notebook shows.
_SHOWN = 20


class Columns(Dict[str, "NDArray[Any]"]):
    """A table: a dict from the name of a column to its values, all of one length.

    Counts are ``int64``; columns that may lack values are ``float64`` with NaN for those, or texts with None.

    >>> table = Columns(run=np.array([0, 1]), best=np.array([3.0, np.nan]))
    >>> len(table["run"]), table.rows
    (2, 2)
    >>> table.where(table["run"] == 1)["run"]
    array([1])
    """

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()))) if self else 0

    def where(self, mask: NDArray[np.bool_]) -> Columns:
        """The rows for which a mask, ``bool[rows]``, is true."""
        return Columns({name: column[mask] for name, column in self.items()})

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow C stream, for whatever reads one: ``pyarrow.RecordBatchReader.from_stream(table)``.

        Counts are ``int64``, other numbers ``double`` with null for NaN, texts ``large_string``.
        """
        return _kenga.arrow_stream([(name, _plain(column)) for name, column in self.items()])

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a frame of pandas, which must be installed; what is unknown is NaN."""
        import pandas

        return pandas.DataFrame(dict(self))

    def to_polars(self) -> polars.DataFrame:
        """The table as a frame of polars, which must be installed; what is unknown is null."""
        import polars

        return polars.DataFrame(_Stream(self))

    def _repr_html_(self) -> str:
        shown = [{name: column[row] for name, column in self.items()} for row in range(min(self.rows, _SHOWN))]
        return _html.table(shown) + (f"<p>{self.rows} rows</p>" if self.rows > _SHOWN else "")

    def __repr__(self) -> str:
        return f"<Columns of {self.rows} rows: {', '.join(self)}>"


class _Stream:
    """A table of which nothing is seen but the Arrow C stream."""

    def __init__(self, table: Columns) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def _columns(found: dict[str, Any]) -> Columns:
    """The columns of the extension module, whose texts are lists."""
    return Columns({name: _objects(column) if isinstance(column, list) else column for name, column in found.items()})


def _rows(rows: list[dict[str, Any]]) -> Columns:
    """The columns of rows that have the same keys, with None for what is unknown."""
    return Columns({name: _column([row[name] for row in rows]) for name in (rows[0] if rows else ())})


def _column(values: list[Any]) -> NDArray[Any]:
    """A column of flags, counts, numbers with NaN for None, or texts."""
    kinds = {type(value) for value in values if value is not None}
    if None not in values and kinds in ({bool}, {int}):
        return np.array(values)
    if kinds <= {int, float}:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return _objects(values)


def _objects(texts: list[Any]) -> NDArray[Any]:
    column = np.empty(len(texts), dtype=object)
    column[:] = texts
    return column


def _plain(column: NDArray[Any]) -> NDArray[Any] | list[Any]:
    """A column as the extension module takes it."""
    types = {"i": np.int64, "u": np.int64, "f": np.float64, "b": np.bool_}
    return column.astype(types[column.dtype.kind]) if column.dtype.kind in types else column.tolist()
