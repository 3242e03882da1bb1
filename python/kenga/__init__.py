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

Everything that kenga refuses is a :class:`kenga.Error`, a ``ValueError`` with kenga's own message; a fault of its own is a
:class:`kenga.InternalError`. :mod:`kenga.names` has the names that it knows as types.
"""

from importlib import import_module as _import_module

from ._kenga import Error as Error
from ._kenga import InternalError as InternalError
from ._kenga import __version__ as __version__

# Checkers know the name. The module `typing` would take as long as all else that the command `kenga` loads.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import names as names
    from .commands import Finding as Finding
    from .commands import Tuning as Tuning
    from .commands import Validation as Validation
    from .commands import export as export
    from .commands import features as features
    from .commands import generate as generate
    from .commands import landscape as landscape
    from .commands import tune as tune
    from .commands import validate as validate
    from .experiment import Algorithm as Algorithm
    from .experiment import run as run
    from .folder import Comparison as Comparison
    from .folder import Folder as Folder
    from .folder import Populations as Populations
    from .folder import Report as Report
    from .folder import compare as compare
    from .folder import open as open
    from .folder import report as report
    from .frames import Columns as Columns
    from .ladder import Grade as Grade
    from .ladder import Hint as Hint
    from .ladder import Step as Step
    from .members import list as list
    from .problem import Problem as Problem
    from .puzzle import Puzzle as Puzzle
    from .puzzle import Verdict as Verdict
    from .puzzle import read as read
    from .solver import Answer as Answer
    from .solver import solve as solve
    from .sweeps import Plan as Plan
    from .sweeps import sweep as sweep
    from .task import TERMS as TERMS
    from .task import Best as Best
    from .task import Point as Point
    from .task import RunOver as RunOver
    from .task import Task as Task

#: Where everything else is. It is loaded when it is first asked for: the command `kenga` needs none of it, nor NumPy.
_MODULES = {
    "commands": "Finding Tuning Validation export features generate landscape tune validate",
    "experiment": "Algorithm run",
    "folder": "Comparison Folder Populations Report compare open report",
    "frames": "Columns",
    "ladder": "Grade Hint Step",
    "members": "list",
    "problem": "Problem",
    "puzzle": "Puzzle Verdict read",
    "solver": "Answer solve",
    "sweeps": "Plan sweep",
    "task": "TERMS Best Point RunOver Task",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}

#: What `from kenga import *` brings: not `kenga.list` and `kenga.open`, which would hide those of Python.
__all__ = [
    "TERMS", "Algorithm", "Answer", "Best", "Columns", "Comparison", "Error", "Finding", "Folder", "Grade", "Hint",
    "InternalError", "Plan", "Point", "Populations", "Problem", "Puzzle", "Report", "RunOver", "Step", "Task", "Tuning",
    "Validation", "Verdict", "__version__", "compare", "export", "features", "generate", "landscape", "names", "read",
    "report", "run", "solve", "sweep", "tune", "validate",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "names":
        return _import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> "list[str]":  # type: ignore[valid-type]
    return sorted({*__all__, *_HOME})
