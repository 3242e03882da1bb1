"""Experiments."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Iterator, Optional, Tuple

from . import _kenga, _toml, program
from ._kenga import Error
from .folder import Folder
from .problem import Problem
from .problem import serve as serve_problem
from .puzzle import Puzzle
from .task import Task

#: Told how many runs have ended, how many there are, and how many are solved.
Progress = Callable[[int, int, int], object]

#: An algorithm: it asks a task for evaluations until the run is over, and may log populations.
Algorithm = Callable[[Task], object]

#: What makes the runs: given the function that is told of progress, it returns the folder and how many runs failed.
_Work = Callable[[Optional[Progress]], Tuple[str, int]]

#: Answers a program's requests, the second, with a function, the first; the answers go to the third.
_Serve = Callable[[Callable[..., Any], IO[bytes], IO[bytes]], None]

#: Kills the programs of an experiment when this process is killed.
_GUARDIAN = [sys.executable, "-c", "from kenga._kenga import run_guardian; run_guardian()"]


def run(
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    jobs: int | None = None,
    puzzles: Iterable[Puzzle] | Puzzle | None = None,
    seed: int | None = None,
    runs: int | None = None,
    set: Mapping[str, Any] | None = None,
    algorithm: Algorithm | str | None = None,
    problem: Problem | None = None,
    progress: bool | Progress = True,
) -> Folder:
    """Runs an experiment, as ``kenga run`` and with the same folder to the byte.

    Other threads of Python go on meanwhile. Ctrl-C leaves a valid folder, which ``resume=True`` continues.

    :param config: a TOML file, or the same as a dict: ``{"budget": {"evaluations": 10_000}, "algorithm": {...}}``. Files of
        puzzles are relative to the file, with a dict to the current folder. With ``resume=True`` it may be absent
    :param out: the results folder; when absent ``results/NAME`` after the file, or ``results/run``, with ``-2`` and so on
        where there is one
    :param resume: finish what is in ``out``, and try failed runs again; begin it if there is nothing
    :param jobs: threads; one per core when absent. Results never depend on it
    :param puzzles: in place of those of the configuration
    :param seed: as ``set={"seed": ...}``
    :param runs: replicates of every puzzle and setting
    :param set: values over the configuration by dotted path: ``{"algorithm.population": 40}``
    :param algorithm: a function that makes a run of a :class:`kenga.Task`, in place of an algorithm of kenga's; the
        configuration then has ``encoding``, ``options``, ``closure`` and ``timeout`` in ``algorithm``. A function of a module,
        or its name as ``"module:name"``, runs in processes of its own, one for each job, and can be resumed and replayed
        without this call. Any other function, such as one of a notebook, runs here, one run after the other
    :param problem: a problem of your own in place of puzzles; resuming its folder needs it again, if its function is in no module
    :param progress: shows a bar of tqdm where that is installed; or a function that is called from time to time with how
        many runs have ended, how many there are, and how many are solved
    :returns: the folder; a warning says how many runs have failed, if any
    :raises Error: for what kenga refuses
    """
    functions = [_Function(given, serve) for given, serve in _given(algorithm, problem)]
    assignments = [] if algorithm is None else _stand_in(functions[0].name)
    assignments += [] if problem is None else problem._assignments(functions[-1].name)
    assignments += [f"{key}={_toml._value(value, key)}" for key, value in (set or {}).items()]
    assignments += [f"seed={seed}"] if seed is not None else []
    assignments += [f"replicates={runs}"] if runs is not None else []
    if jobs is not None and jobs < 1:
        raise Error(f"jobs is {jobs}, but must be at least 1")
    here = [function for function in functions if function.name is None]
    if len(here) > 1:
        raise Error("an algorithm and a problem that are in no module would wait for each other: put one in a module")
    if here:
        if jobs not in (None, 1):
            raise Error("a function that is in no module runs in this process alone: put it in a module, or leave jobs out")
        jobs = 1
    experiment = _experiment(config, out, resume, puzzles, assignments)
    folder = os.fspath(Path(out) if out is not None else _default(config))

    def work(look: Progress | None) -> tuple[str, int]:
        return experiment.run(folder, out is None, resume, jobs, _GUARDIAN, look)

    with _Bar(progress) as look, _variable(program.SYS_PATH, os.pathsep.join(map(os.path.abspath, sys.path))):
        path, failed = _serve(here[0], work, look) if here else work(look)
    made = Folder(path)
    if failed:
        warnings.warn(_failures(made, failed), stacklevel=2)
    return made


def _experiment(
    config: str | os.PathLike[str] | Mapping[str, Any] | None,
    out: str | os.PathLike[str] | None,
    resume: bool,
    puzzles: Iterable[Puzzle] | Puzzle | None,
    assignments: list[str],
) -> _kenga.Experiment:
    given = [puzzles] if isinstance(puzzles, Puzzle) else puzzles
    inner = None if given is None else [puzzle._puzzle for puzzle in given]
    if config is None:
        if not resume or out is None:
            raise Error("an experiment needs a configuration, or the folder to resume: run(out=..., resume=True)")
        return _kenga.Experiment.of_folder(os.fspath(out), assignments, None)
    if isinstance(config, Mapping):
        return _kenga.Experiment.read("config", _toml.dumps(config), None, assignments, inner)
    path = Path(config)
    text = path.read_text(encoding="utf-8")
    return _kenga.Experiment.read(os.fspath(path), text, os.fspath(path.parent), assignments, inner)


def _default(config: str | os.PathLike[str] | Mapping[str, Any] | None) -> Path:
    named = config is not None and not isinstance(config, Mapping)
    return Path("results") / (Path(config).stem if named else "run")  # type: ignore[arg-type]


def _failures(folder: Folder, failed: int) -> str:
    reasons = folder.failures["reason"]
    runs = "run has" if failed == 1 else "runs have"
    return f"{failed} {runs} failed: {reasons[0]}; see Folder.failures, and resume=True to try again"


class _Function:
    """A function that kenga asks, and what it is asked with."""

    def __init__(self, function: Callable[..., Any] | str, serve: _Serve) -> None:
        self._function, self._serve = function, serve
        #: By which another process can import it; None where it cannot.
        self.name = _importable(function)

    def answer(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        """Answers requests in this process."""
        assert callable(self._function)  # What has a name is asked in another process.
        self._serve(self._function, requests, answers)


def _given(algorithm: Algorithm | str | None, problem: Problem | None) -> Iterator[tuple[Any, _Serve]]:
    """The functions that a call names, the algorithm first."""
    if algorithm is not None:
        yield algorithm, _serve_algorithm
    if problem is not None:
        if not isinstance(problem, Problem):
            raise Error(f"a problem is a kenga.Problem, not a {type(problem).__name__}")
        yield problem.function, serve_problem


def _serve_algorithm(algorithm: Algorithm, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Serves an algorithm in this process, which measures the CPU time of its own thread alone."""
    program.serve(algorithm, requests, answers, time.thread_time)


def _importable(function: Callable[..., Any] | str) -> str | None:
    """The name of a function that another process can import; None where it cannot."""
    if isinstance(function, str):
        try:
            program.load(function)
        except (ImportError, ValueError) as bad:
            raise Error(str(bad)) from bad
        return function
    if not callable(function):
        raise Error(f"an algorithm or a problem is a function or the name of one, not a {type(function).__name__}")
    name = f"{getattr(function, '__module__', None)}:{getattr(function, '__qualname__', '')}"
    try:
        is_same = not name.startswith("__main__:") and program.load(name) is function
    except (ImportError, ValueError):
        return None
    return name if is_same else None


def _stand_in(name: str | None) -> list[str]:
    """What makes a program of the function."""
    command = [sys.executable, "-m", "kenga.program", name or program.ELSEWHERE]
    return ['algorithm.name="program"', f"algorithm.command={_toml._value(command, 'command')}", "algorithm.reuse=true"]


def _serve(function: _Function, work: _Work, look: Progress | None) -> tuple[str, int]:
    """Does the work on another thread, and makes its runs with a function here.

    kenga starts a process for the function, which lends its streams to this one. What the function raises ends the work.
    """
    if not hasattr(socket, "recv_fds"):
        raise Error("this system cannot run a function that is in no module: put it in a module")
    ends, made, failure = threading.Event(), [], []

    def tell(*state: int) -> None:
        if ends.is_set():
            raise InterruptedError
        if look is not None:
            look(*state)

    def do() -> None:
        try:
            made.append(work(tell))
        except BaseException as bad:
            failure.append(bad)

    def leave() -> None:
        ends.set()
        worker.join()

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = os.path.join(folder, "function")
        listener.bind(path)
        listener.listen()
        listener.settimeout(0.05)
        with _variable(program.SOCKET, path):
            worker = threading.Thread(target=do, name="kenga.run")
            worker.start()
            try:
                while worker.is_alive():
                    _serve_next(function, listener, leave)
            finally:
                leave()
    if failure:
        raise failure[0]
    return made[0]


def _serve_next(function: _Function, listener: socket.socket, leave: Callable[[], None]) -> None:
    """Waits a moment for a process that wants the function, and serves it."""
    try:
        line, _ = listener.accept()
    except socket.timeout:
        return
    with ExitStack() as held:
        held.enter_context(line)
        try:
            line.setblocking(True)
            _, streams, _, _ = socket.recv_fds(line, 1, 2)
            if len(streams) == 2:
                requests = held.enter_context(os.fdopen(streams[0], "rb"))
                answers = held.enter_context(os.fdopen(streams[1], "wb"))
                function.answer(requests, answers)
        except BaseException:
            # Before the streams close: a run that is cut must not look like one that has given up.
            leave()
            raise


@contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    """Sets a variable of the environment meanwhile."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class _Bar:
    """A bar of tqdm, a function, or nothing."""

    def __init__(self, progress: bool | Progress) -> None:
        self._progress = progress
        self._bar: Any = None

    def __enter__(self) -> Optional[Progress]:
        if callable(self._progress):
            return self._progress
        if not self._progress:
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        self._bar = tqdm(unit="run", leave=False)
        return self._show

    def _show(self, ended: int, total: int, solved: int) -> None:
        if total != (self._bar.total or 0):
            self._bar.reset(total)
        if ended != self._bar.n:
            if solved:
                self._bar.set_postfix_str(f"{solved} solved", refresh=False)
            self._bar.update(ended - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
