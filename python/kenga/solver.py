"""The exact solver."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._kenga import Error
from .puzzle import Puzzle, single

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import NDArray


#: The most solutions that a notebook shows.
_DRAWN = 2


@dataclass(frozen=True)
class Answer:
    """What the exact solver found."""

    #: ``unique`` (one solution and no other), ``multiple``, ``unsolvable``, ``solved`` (one was found, and a limit came
    #: before another was found or excluded) or ``undecided`` (a limit came before the first).
    status: str
    #: The first solutions, ``int16[rows, cols]`` each; -1 stands in black cells.
    solutions: list[NDArray[np.int16]] = field(repr=False)
    #: How many were found.
    count: int
    #: There are no others.
    count_is_exact: bool
    #: Decisions of the search.
    nodes: int
    #: Seconds of CPU time.
    cpu_s: float = field(compare=False)
    #: The puzzle.
    puzzle: Puzzle = field(repr=False, compare=False)

    def _repr_html_(self) -> str:
        more = "" if self.count_is_exact else " or more"
        drawn = "".join(self.puzzle.svg(grid) for grid in self.solutions[:_DRAWN])
        return f"<p>{self.status}: {self.count}{more} found, {self.nodes} decisions</p>{drawn}"


def solve(
    puzzle: Puzzle | str | os.PathLike[str],
    count: int = 2,
    *,
    keep: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
) -> Answer:
    """Solves a puzzle exactly. Other threads of Python go on meanwhile, and Ctrl-C ends it.

    :param puzzle: the puzzle, or its text or file in any format that kenga knows
    :param count: how many solutions to look for; the default tells whether the first is the only one
    :param keep: how many of them to return; all that are looked for when absent, at most 1000
    :param nodes: the most decisions
    :param seconds: the most seconds of wall time
    :raises Error: for a number below its least

    >>> answer = solve("." * 16, count=1000, keep=1)
    >>> answer.count, answer.count_is_exact, answer.status
    (288, True, 'multiple')
    >>> answer.solutions[0].shape
    (4, 4)
    """
    for name, value, least in (("count", count, 1), ("keep", keep, 0), ("nodes", nodes, 0), ("seconds", seconds, 0)):
        if value is not None and not value >= least:
            raise Error(f"{name} is {value}, but must be at least {least}")
    puzzle, kept = single(puzzle), min(count, 1000) if keep is None else keep
    return Answer(*puzzle._puzzle.solve(count, kept, nodes, seconds), puzzle)
