"""Puzzles: read, written, drawn and checked."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _kenga
from ._kenga import Error
from .ladder import Grade, Hint, Step

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .names import FormatName, TierName

    #: A text such as ``"1 2/2 1"``, or digits by row and column with -1 or None for an empty cell.
    Grid = Union[str, ArrayLike]

#: The suffixes of files of puzzles: a text that ends with one is a path.
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".txt", ".kk", ".toml", ".csv")


@dataclass(frozen=True)
class Verdict:
    """What the referee found: true where the grid is a solution.

    Cells are ``(row, column)``, from 0.
    """

    #: The grid is a solution.
    is_solution: bool
    #: Cells without a digit.
    missing: list[tuple[int, int]]
    #: Cells with a digit that the puzzle does not have there.
    foreign: list[tuple[int, int]]
    #: Every rule that is broken, in words: ``"row A: 4 stands in A1 and A2"``.
    failures: list[str]

    def __bool__(self) -> bool:
        return self.is_solution

    @property
    def is_consistent(self) -> bool:
        """The digits that are there break no rule."""
        return not self.foreign and not self.failures


class Puzzle:
    """A puzzle: KenKen, Sudoku, Killer or Kakuro. In a notebook it shows itself as a picture.

    >>> [puzzle] = Puzzle.read("4:b_a4_a_6aa,m8s1a6s1m4a3d2")
    >>> puzzle
    Puzzle('text', 4x4)
    >>> bool(puzzle.check("4 1 2 3/1 4 3 2/2 3 1 4/3 2 4 1"))
    True
    >>> puzzle.check([[4, 1, 2, 4], [1, None, 3, 2], [2, 3, 1, 4], [3, 2, 4, 1]]).failures
    ['row A: 4 stands in A1 and A4', 'column 4: 4 stands in A4 and C4', 'cage 1− at A4: 4, 2 do not make 1−']
    """

    __slots__ = ("_puzzle",)

    def __init__(self, puzzle: _kenga.Puzzle) -> None:
        self._puzzle = puzzle

    @staticmethod
    def read(source: str | bytes | os.PathLike[str]) -> list[Puzzle]:
        """Reads every puzzle of a file or of a text, in any format that kenga knows.

        A ``Path`` is a file. A ``str`` is a file if there is one with this name, and else a text. :func:`kenga.read` reads
        one puzzle after the other, and can go on behind a bad one.

        :raises Error: for a text that is no puzzle, with the place in it
        :raises OSError: for a file that cannot be read
        """
        return list(read(source))

    @property
    def id(self) -> str:
        """Its name: of the text, or made from the name of the file."""
        return self._puzzle.id

    @property
    def kind(self) -> str:
        """``kenken``, ``sudoku``, ``killer`` or ``kakuro``."""
        return self._puzzle.kind

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._puzzle.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self._puzzle.cols

    @property
    def digits(self) -> list[int]:
        """The digits that cells may hold, ascending."""
        return self._puzzle.digits

    def text(self, format: FormatName = "json") -> str:
        """The puzzle in one of the formats of ``kenga convert``; ``json`` is the canonical one, in one line.

        :raises Error: where the format is unknown or cannot hold the puzzle
        """
        return self._puzzle.text(format)

    def check(self, grid: Grid) -> Verdict:
        """Has a grid judged by the referee; empty cells are ``-1`` or ``None``, in a text ``.``.

        :raises Error: for a grid of another shape, or one that cannot be read
        """
        return Verdict(*self._puzzle.check(self._array(grid)))

    def grade(self, up_to: TierName = "unreasonable") -> Grade:
        """Says how hard the puzzle is for a person: the tier and score of the hardest step that it needs.

        Other threads of Python go on meanwhile, and Ctrl-C ends it; so it is with :meth:`explain` and :meth:`hint`.

        :param up_to: the hardest tier whose techniques are used: ``easy``, ``normal``, ``hard``, ``extreme``, ``unreasonable``
        :raises Error: for a tier that is not known

        >>> [puzzle] = Puzzle.read("4:b_a4_a_6aa,m8s1a6s1m4a3d2")
        >>> grade = puzzle.grade()
        >>> grade.tier, grade.score, grade.steps
        ('normal', 2.0, 23)
        """
        status, tier, score, sum, steps, rounds, techniques = self._puzzle.grade(up_to)
        return Grade(status, tier, score, sum, steps, rounds, dict(techniques))

    def explain(self, up_to: TierName = "unreasonable") -> list[Step]:
        """Solves the puzzle as a person does, and returns every step with its reason.

        The steps end early where no technique up to the tier leads on; ``grade(up_to).status`` says why.

        :raises Error: for a tier that is not known

        >>> [puzzle] = Puzzle.read("4:b_a4_a_6aa,m8s1a6s1m4a3d2")
        >>> puzzle.explain()[0].words
        'D1 is 3: it is given'
        """
        return [Step(*step) for step in self._puzzle.explain(up_to)]

    def hint(self, grid: Grid) -> Hint:
        """Says what helps with a partly filled grid: its first mistake, or the steps to the next digit.

        :raises Error: for a grid of another shape, or one that cannot be read

        >>> [puzzle] = Puzzle.read("4:b_a4_a_6aa,m8s1a6s1m4a3d2")
        >>> puzzle.hint("4 . . ./2 . . ./. . . ./3 . . .").words
        'B1 is wrong'
        """
        kind, nudge, words, mistake, steps = self._puzzle.hint(self._array(grid))
        return Hint(kind, nudge, words, mistake, [Step(*step) for step in steps])

    def svg(self, grid: Grid | None = None) -> str:
        """Draws the puzzle, with the digits of a grid if one is given."""
        return self._puzzle.svg(None if grid is None else self._array(grid))

    def _array(self, grid: Grid) -> NDArray[np.int16]:
        if isinstance(grid, str):
            return self._puzzle.parse(grid)
        array: NDArray[Any] = np.asarray(grid)
        if array.dtype == object:
            array = np.array([[-1 if cell is None else cell for cell in row] for row in array.tolist()])
        if array.ndim != 2 or array.dtype.kind not in "iu":
            raise Error(f"a grid is a list of {self.rows} rows of {self.cols} digits, -1 or None for an empty cell")
        if array.size and (array.min() < -1 or array.max() > 255):
            raise Error(f"{array.min() if array.min() < -1 else array.max()} is no digit")
        return np.ascontiguousarray(array, dtype=np.int16)

    def _repr_html_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"Puzzle({self.id!r}, {self.rows}x{self.cols})"

    def __eq__(self, other: object) -> bool:
        """Two puzzles are equal if they have the same cells and rules, whatever their ids."""
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self._puzzle.canonical() == other._puzzle.canonical()

    def __hash__(self) -> int:
        return hash(self._puzzle.canonical())

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _from_json, (self.text(),)


def read(source: str | bytes | os.PathLike[str], *, errors: str = "raise") -> Iterator[Puzzle]:
    """Reads the puzzles of a file or of a text, one after the other, in any format that kenga knows.

    :param source: as for :meth:`Puzzle.read`
    :param errors: what becomes of a record that is no puzzle: ``raise`` raises its error, and the next call of ``next`` reads
        on behind it; ``warn`` leaves it out with a warning, ``skip`` without one
    :raises Error: for a record that is no puzzle, with its line
    :raises OSError: for a file that cannot be read

    >>> corpus = '{"size": 1, "cages": [{"op": "=", "target": 1, "cells": [[0, 0]]}]}\\n{"size": 0}\\n'
    >>> [puzzle.rows for puzzle in read(corpus, errors="skip")]
    [1]
    """
    if errors not in ("raise", "warn", "skip"):
        raise Error(f"errors is {errors!r}; known: raise, warn, skip")
    if isinstance(source, bytes):
        return _Puzzles("text", source, errors)
    if isinstance(source, str) and not _is_path(source):
        return _Puzzles("text", source.encode(), errors)
    return _Puzzles(os.fspath(source), Path(source).read_bytes(), errors)


def single(source: Puzzle | str | os.PathLike[str]) -> Puzzle:
    """A puzzle, or the only one of a file or of a text.

    :raises Error: for a text that is no puzzle, and for several puzzles
    :raises OSError: for a file that cannot be read
    """
    if isinstance(source, Puzzle):
        return source
    if not isinstance(source, (str, bytes, os.PathLike)):
        raise Error(f"a puzzle is a kenga.Puzzle, a text or the path of a file, not {type(source).__name__}")
    puzzles = read(source)
    puzzle = next(puzzles, None)
    if puzzle is None:
        raise Error("there is no puzzle in it")
    if next(puzzles, None) is not None:
        raise Error("there are several puzzles in it: kenga.read(...) gives them one after the other")
    return puzzle


class _Puzzles:
    """The iterator of :func:`read`. A generator could not go on behind an error."""

    def __init__(self, name: str, text: bytes, errors: str) -> None:
        self._records, self._errors = _kenga.Reader(name, text), errors

    def __iter__(self) -> Iterator[Puzzle]:
        return self

    def __next__(self) -> Puzzle:
        while True:
            try:
                return Puzzle(next(self._records))
            except Error as bad:
                if self._errors == "raise":
                    raise
                if self._errors == "warn":
                    warnings.warn(str(bad), stacklevel=2)


def _is_path(text: str) -> bool:
    if "\n" in text or text.lstrip().startswith(("{", "[")):
        return False
    try:
        return text.endswith(_SUFFIXES) or Path(text).is_file()
    except OSError:
        return False


def _from_json(text: str) -> Puzzle:
    [puzzle] = Puzzle.read(text)
    return puzzle
