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

from ._kenga import Error, InternalError, __version__

# Checkers know the name. The module `typing` would take as long as all else that the command `kenga` loads.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import names
    from .commands import (
        Finding,
        Tuning,
        Validation,
        export,
        features,
        generate,
        landscape,
        tune,
        validate,
    )
    from .experiment import Algorithm, run
    from .folder import Comparison, Folder, Populations, Report, compare, open, report
    from .frames import Columns
    from .ladder import Grade, Hint, Step
    from .members import list
    from .problem import Problem
    from .puzzle import Puzzle, Verdict, read
    from .solver import Answer, solve
    from .sweeps import sweep
    from .task import TERMS, Best, Point, RunOver, Task

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
    "sweeps": "sweep",
    "task": "TERMS Best Point RunOver Task",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = ["Error", "InternalError", "__version__", "names", *_HOME]


def __getattr__(name: str) -> object:
    if name == "names":
        return _import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> "list[str]":  # type: ignore[valid-type]
    return sorted(__all__)
