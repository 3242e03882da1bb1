"""A laboratory for genetic algorithms and other metaheuristics that knows the answer.

>>> import kenga
>>> [puzzle] = kenga.Puzzle.read("4:b_a4_a_6aa,m8s1a6s1m4a3d2")
>>> answer = kenga.solve(puzzle)
>>> answer.status
'unique'
>>> answer.solutions[0]
array([[4, 1, 2, 3],
       [1, 4, 3, 2],
       [2, 3, 1, 4],
       [3, 2, 4, 1]], dtype=int16)

Everything that kenga refuses is a :class:`kenga.Error`, a ``ValueError`` with kenga's own message.
"""

from ._kenga import Error, __version__
from .experiment import Algorithm, run
from .folder import Comparison, Folder, Report, compare, open, report
from .frames import Columns
from .ladder import Grade, Hint, Step
from .puzzle import Puzzle, Verdict, read
from .solver import Answer, solve
from .task import TERMS, Best, RunOver, Task

__all__ = [
    "Algorithm",
    "Answer",
    "Best",
    "Columns",
    "Comparison",
    "Error",
    "Folder",
    "Grade",
    "Hint",
    "Puzzle",
    "Report",
    "RunOver",
    "Step",
    "TERMS",
    "Task",
    "Verdict",
    "__version__",
    "compare",
    "open",
    "read",
    "report",
    "run",
    "solve",
]
