"""What several tests need."""

from pathlib import Path

import pytest

import kenga

PUZZLES = Path(__file__).parents[2] / "puzzles"


@pytest.fixture
def small() -> kenga.Puzzle:
    """The 4x4 of 2012, which has one solution."""
    [puzzle] = kenga.Puzzle.read(PUZZLES / "original" / "4x4.txt")
    return puzzle


@pytest.fixture
def open_puzzle() -> kenga.Puzzle:
    """An empty Sudoku: it has more solutions than anybody lists."""
    [puzzle] = kenga.Puzzle.read("." * 81)
    return puzzle
