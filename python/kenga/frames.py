"""Tables as columns of NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

import numpy as np

if TYPE_CHECKING:
    import pandas
    import polars
    from numpy.typing import NDArray


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

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a frame of pandas, which must be installed."""
        import pandas

        return pandas.DataFrame(dict(self))

    def to_polars(self) -> polars.DataFrame:
        """The table as a frame of polars, which must be installed."""
        import polars

        return polars.DataFrame({name: _series(column) for name, column in self.items()})

    def __repr__(self) -> str:
        return f"<Columns of {self.rows} rows: {', '.join(self)}>"


def _columns(found: dict[str, Any]) -> Columns:
    """The columns of the extension module, whose texts are lists."""
    return Columns({name: _objects(column) if isinstance(column, list) else column for name, column in found.items()})


def _objects(texts: list[Any]) -> NDArray[Any]:
    column = np.empty(len(texts), dtype=object)
    column[:] = texts
    return column


def _series(column: NDArray[Any]) -> Any:
    return column.tolist() if column.dtype == object else column
