"""Experiments."""

from __future__ import annotations

import os
import selectors
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from functools import partial
from typing import Any, Iterator, Optional, Tuple, Union

from . import _kenga, _toml, program
from ._kenga import Error
from ._process import speaking
from .folder import Folder
from .problem import Asked, Problem
from .puzzle import Puzzle, _is_path, read
from .task import Task

#: Told how many runs have ended, how many there are, and how many are solved.
Progress = Callable[[int, int, int], object]

#: An algorithm: it asks a task for evaluations until the run is over, and may log populations.
Algorithm = Callable[[Task], object]

#: What makes the runs: given the function that is told of progress, it returns the folder and how many runs failed.
_Work = Callable[[Optional[Progress]], Tuple[str, int]]

#: Puzzles, or their files or texts.
Puzzles = Union[Puzzle, str, "os.PathLike[str]", Iterable[Union[Puzzle, str, "os.PathLike[str]"]]]

#: Kills the programs of an experiment when this process is killed.
_GUARDIAN = [sys.executable, "-c", "from kenga._kenga import run_guardian; run_guardian()"]


def run(
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    jobs: int | None = None,
    puzzles: Puzzles | None = None,
    seed: int | None = None,
    runs: int | None = None,
    set: Mapping[str, Any] | None = None,
    algorithm: Algorithm | str | None = None,
    problem: Problem | None = None,
    programs: str | os.PathLike[str] | None = None,
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
    :param puzzles: in place of those of the configuration: puzzles, or their files or texts
    :param seed: as ``set={"seed": ...}``
    :param runs: replicates of every puzzle and setting
    :param set: values over the configuration by dotted path: ``{"algorithm.population": 40}``
    :param algorithm: a function that makes a run of a :class:`kenga.Task`, in place of an algorithm of kenga's; the
        configuration then has ``encoding``, ``options``, ``closure`` and ``timeout`` in ``algorithm``. A function of a module,
        or its name as ``"module:name"``, runs in processes of its own, one for each job, and can be resumed and replayed
        without this call. Any other function, such as one of a notebook, runs here, one run after the other
    :param problem: a problem of your own in place of puzzles; resuming its folder needs it again, if its function is in no module
    :param programs: the folder where the programs of a configuration are started; that of the file when absent
    :param progress: shows a bar of tqdm where that is installed; or a function that is called from time to time with how
        many runs have ended, how many there are, and how many are solved
    :returns: the folder; a warning says how many runs have failed, if any
    :raises Error: for what kenga refuses
    """
    if problem is not None and not isinstance(problem, Problem):
        raise Error(f"a problem is a kenga.Problem, not a {type(problem).__name__}")
    name = None if algorithm is None else program.name_of(algorithm, "an algorithm")
    assignments = [] if algorithm is None else _stand_in(name)
    assignments += [] if problem is None else problem._assignments()
    assignments += [f"{key}={_toml._value(value, key)}" for key, value in (set or {}).items()]
    for key, value, least in (("seed", seed, 0), ("runs", runs, 1), ("jobs", jobs, 1)):
        if value is not None and value < least:
            raise Error(f"{key} is {value}, but must be at least {least}")
    assignments += [f"seed={seed}"] if seed is not None else []
    assignments += [f"replicates={runs}"] if runs is not None else []
    searches = algorithm if callable(algorithm) and name is None else None
    asked = problem._asked(time.thread_time) if problem and problem._name is None else None
    if searches or asked:
        if jobs not in (None, 1):
            raise Error("a function that is in no module runs in this process alone: put it in a module, or leave jobs out")
        jobs = 1
    with speaking():
        experiment = _experiment(config, out, resume, puzzles, assignments)
    folder = os.fspath(Path(out) if out is not None else _default(config))

    def work(look: Progress | None) -> tuple[str, int]:
        beside = None if programs is None else os.fspath(programs)
        return experiment.run(folder, out is None, resume, jobs, _GUARDIAN, beside, look)

    with speaking(), _Bar(progress) as look, _variable(program.SYS_PATH, os.pathsep.join(map(os.path.abspath, sys.path))):
        path, failed = _serve(searches, asked, work, look) if searches or asked else work(look)
    made = Folder(path)
    if failed:
        warnings.warn(_failures(made, failed), stacklevel=2)
    return made


def _experiment(
    config: str | os.PathLike[str] | Mapping[str, Any] | None,
    out: str | os.PathLike[str] | None,
    resume: bool,
    puzzles: Puzzles | None,
    assignments: list[str],
) -> _kenga.Experiment:
    inner = None if puzzles is None else [puzzle._puzzle for puzzle in _read_all(puzzles)]
    if config is None:
        if not resume or out is None:
            raise Error("an experiment needs a configuration, or the folder to resume: run(out=..., resume=True)")
        return _kenga.Experiment.of_folder(os.fspath(out), assignments, None)
    if isinstance(config, Mapping):
        return _kenga.Experiment.read("<arguments>", _toml.dumps(config), None, assignments, inner)
    path = Path(config)
    text = path.read_text(encoding="utf-8")
    return _kenga.Experiment.read(os.fspath(path), text, os.fspath(path.parent), assignments, inner)


def _read_all(puzzles: Puzzles) -> list[Puzzle]:
    """Puzzles, those of files and texts too."""
    every: list[Puzzle] = []
    for one in [puzzles] if isinstance(puzzles, (Puzzle, str, os.PathLike)) else puzzles:
        every += [one] if isinstance(one, Puzzle) else read(one)
    return every


def _default(config: str | os.PathLike[str] | Mapping[str, Any] | None) -> Path:
    named = config is not None and not isinstance(config, Mapping)
    return Path("results") / (Path(config).stem if named else "run")  # type: ignore[arg-type]


def _failures(folder: Folder, failed: int) -> str:
    reasons = folder.failures["reason"]
    runs = "run has" if failed == 1 else "runs have"
    return f"{failed} {runs} failed: {reasons[0]}; see Folder.failures, and resume=True to try again"


def _stand_in(name: str | None) -> list[str]:
    """What makes a program of the function."""
    command = [sys.executable, "-m", "kenga.program", name or program.ELSEWHERE]
    return ['algorithm.name="program"', f"algorithm.command={_toml._value(command, 'command')}", "algorithm.reuse=true"]


def _serve(
    searches: Algorithm | None, asked: Asked | None, work: _Work, look: Progress | None
) -> tuple[str, int]:
    """Does the work on another thread, and answers here what it asks of functions. What they raise ends the work."""
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

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener, ExitStack() as held:
        path = os.path.join(folder, "function")
        listener.bind(path)
        listener.listen()
        exchange = _Exchange(searches, asked, listener, held)
        with _variable(program.SOCKET, path):
            worker = threading.Thread(target=do, name="kenga.run")
            worker.start()
            try:
                while worker.is_alive():
                    exchange.turn()
            finally:
                # Before the streams close: a run that is cut must not look like one that has given up.
                leave()
    if failure:
        raise failure[0]
    return made[0]


class _Exchange:
    """Answers what kenga asks of an algorithm and a problem of this process, on the thread of its caller.

    kenga starts a process for each, which lends its streams to this one. Where an algorithm waits for an answer, kenga may ask
    the problem for it: so the problem is answered meanwhile.
    """

    def __init__(
        self, searches: Algorithm | None, asked: Asked | None, listener: socket.socket, held: ExitStack
    ) -> None:
        self._searches, self._asked, self._listener, self._held = searches, asked, listener, held
        #: What waits for a run of the algorithm.
        self._waiting: list[_Lent] = []
        self._selector = held.enter_context(selectors.DefaultSelector())
        self._selector.register(listener, selectors.EVENT_READ, self._accept)

    def turn(self) -> None:
        """Waits a moment for what kenga asks, and answers it."""
        self._wait()
        while self._waiting and self._searches:
            lent = self._waiting.pop(0)
            self._selector.register(lent, selectors.EVENT_READ)
            program.serve(self._searches, lent, lent.answers, self._clock)
            self._selector.unregister(lent)
            lent.close()

    def _clock(self) -> float:
        """The CPU time of the algorithm: that of the thread without the problem, which kenga is told of with its values."""
        return time.thread_time() - (self._asked.total_s if self._asked else 0.0)

    def _wait(self) -> bool:
        """Waits a moment, and answers what is asked of the problem; true if there is something for the algorithm to read."""
        is_answered = False
        for key, _ in self._selector.select(0.05):
            if key.data is None:
                is_answered = True
            else:
                key.data()
        return is_answered

    def _accept(self) -> None:
        """Takes the streams of a process that wants a function."""
        line, _ = self._listener.accept()
        self._held.enter_context(line)
        line.setblocking(True)
        kind, streams, _, _ = socket.recv_fds(line, 1, 2)
        if len(streams) < 2:
            return
        lent = _Lent(line, streams, self._wait if kind == program.ALGORITHM else None)
        self._held.callback(lent.close)
        if kind == program.ALGORITHM:
            self._waiting.append(lent)
        else:
            self._selector.register(lent, selectors.EVENT_READ, partial(self._answer, lent))

    def _answer(self, lent: _Lent) -> None:
        """Answers the next request to the problem, and takes the greeting before it."""
        assert self._asked is not None
        answer = None
        while answer is None:
            line = lent.readline()
            if not line:
                self._selector.unregister(lent)
                return lent.close()
            answer = self._asked.answer(line)
        # kenga may have cut the run: then its stream ends next.
        with suppress(OSError):
            lent.answers.write(answer)
            lent.answers.flush()


class _Lent:
    """The standard streams of a process that kenga has started for a function of this one."""

    def __init__(self, line: socket.socket, streams: list[int], wait: Callable[[], bool] | None) -> None:
        self._line, self._number, self._wait = line, streams[0], wait
        #: Behind the line that was read last.
        self._rest = b""
        self.answers = os.fdopen(streams[1], "wb")

    def fileno(self) -> int:
        return self._number

    def readline(self) -> bytes:
        """The next line; empty if there is none any more. What else is asked meanwhile is answered."""
        pieces = [self._rest]
        while b"\n" not in pieces[-1]:
            while self._wait and not self._wait():
                pass
            pieces.append(os.read(self._number, 1 << 16))
            if not pieces[-1]:
                return b""
        line, _, self._rest = b"".join(pieces).partition(b"\n")
        return line

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def close(self) -> None:
        if not self.answers.closed:
            os.close(self._number)
            # Of an answer that nobody reads something may be left.
            with suppress(OSError):
                self.answers.close()
            self._line.close()


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
