"""How a person solves a puzzle: its grade, the steps, the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from . import _html


@dataclass(frozen=True)
class Grade:
    """How hard a puzzle is for a person.

    Tier, score and sum are None where the techniques do not lead to a solution.
    """

    #: ``unique`` (solved), ``multiple``, ``unsolvable``, or ``beyond`` (the techniques do not lead to the end).
    status: str
    #: ``easy``, ``normal``, ``hard``, ``extreme`` or ``unreasonable``.
    tier: Optional[str]
    #: The score of the hardest step.
    score: Optional[float]
    #: The sum of the scores of all steps.
    sum: Optional[float]
    #: How many steps were taken.
    steps: int
    #: How often a technique was found to apply; what it shows at once counts once.
    rounds: int
    #: How many steps each technique took, the cheapest first.
    techniques: dict[str, int]

    def _repr_html_(self) -> str:
        told = {"status": self.status, "tier": self.tier, "score": self.score, "steps": self.steps}
        return _html.pairs({**told, **self.techniques})


@dataclass(frozen=True)
class Step:
    """What a technique concludes, and from what. Cells are ``(row, column)``, from 0."""

    #: The name of the technique, as ``kenga list techniques`` has it.
    technique: str
    #: How hard it is.
    score: float
    #: What changes and why, in a sentence.
    words: str
    #: The round, from 1.
    round: int
    #: The cell that is filled in, and its digit.
    fills: Optional[tuple[tuple[int, int], int]]
    #: The cells that lose candidates, and which.
    removes: list[tuple[tuple[int, int], list[int]]]
    #: The cells whose candidates it rests on.
    cells: list[tuple[int, int]]
    #: The groups whose rules it rests on: ``"row B"``.
    groups: list[str]


@dataclass(frozen=True)
class Hint:
    """What helps with a partly filled grid."""

    #: ``step``, ``mistake``, ``contradiction``, ``unsolvable``, ``solved``, or ``beyond`` (no technique leads on).
    kind: str
    #: As little as helps: where to look, and what for.
    nudge: str
    #: All of it, a line a step.
    words: str
    #: The cell of the first mistake.
    mistake: Optional[tuple[int, int]]
    #: The steps to the next digit; the last fills a cell.
    steps: list[Step]
