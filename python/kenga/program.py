"""Functions as programs: `python -m kenga.program MODULE:NAME` speaks docs/protocol.md for a function of yours.

:func:`kenga.run` starts it. In a configuration it may stand by itself::

    [algorithm]
    name = "program"
    command = ["python3", "-m", "kenga.program", "my_ga:search"]
    reuse = true
"""

from __future__ import annotations

import array
import importlib
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Protocol

import numpy as np

from . import _kenga, _toml
from .puzzle import Puzzle
from .task import TERMS, RunOver, Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The version of the protocol that is spoken here.
PROTOCOL = 1

#: In place of a function: one of another process, which listens at the socket that this variable names.
ELSEWHERE = "--elsewhere"
SOCKET = "KENGA_FUNCTION_SOCKET"

#: What a process sends there first: which function it wants.
ALGORITHM, PROBLEM = b"a", b"p"

#: Where the function is looked for, before everything else.
SYS_PATH = "KENGA_FUNCTION_PATH"

#: The longest line that is sent, in bytes; kenga refuses those of more than 64 MiB.
_LONGEST = 32 << 20

#: Of each digit its character.
_CHARACTERS = np.frombuffer(b"0123456789abcdefghijklmnopqrstuvwxyz", dtype=np.uint8)


class Lines(Protocol):
    """What lines are read from, each with its end; an empty one is the end of all."""

    def readline(self) -> bytes: ...

    def __iter__(self) -> Iterator[bytes]: ...


def name_of(function: Callable[..., Any] | str, what: str) -> str | None:
    """The name by which another process can import a function; None where it cannot. ``what`` the function is, for errors.

    :raises Error: for what is no function, and no name of one
    """
    if isinstance(function, str):
        try:
            load(function)
        except (ImportError, ValueError) as bad:
            raise _kenga.Error(str(bad)) from bad
        return function
    if not callable(function):
        raise _kenga.Error(f"{what} is a function or the name of one, not {type(function).__name__}")
    name = f"{getattr(function, '__module__', None)}:{getattr(function, '__qualname__', '')}"
    try:
        is_same = not name.startswith("__main__:") and load(name) is function
    except (ImportError, ValueError):
        return None
    return name if is_same else None


def load(name: str) -> Callable[..., Any]:
    """The function that ``module:name`` names; the name may have dots.

    :raises ValueError: for another text
    :raises ImportError: where there is no such module or function
    """
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise ValueError(f"{name!r} does not name a function: expected MODULE:NAME, such as my_ga:search")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise ImportError(f"the module {module!r} has no {path!r}") from None
    if not callable(found):
        raise ImportError(f"{name!r} is no function")
    return found  # type: ignore[no-any-return]


def serve(
    function: Callable[[Task], object],
    requests: Lines,
    answers: IO[bytes],
    clock: Callable[[], float] | None = None,
) -> None:
    """Makes run after run with a function, until there is no greeting any more.

    What the function does wrong is raised; that a run is over is not. A clock of CPU time, in seconds, is given where the
    process that kenga has started is not this one.
    """
    for greeting in requests:
        session = _Session(json.loads(greeting), requests, answers, clock)
        task = _task(session)
        try:
            function(task)
        except RunOver:
            pass
        task.stop()
        if session.is_gone:
            return
        if session.told.get("reports_cost"):
            session.report(task.cost)


def _task(session: _Session) -> Task:
    """The task of a greeting."""
    task, told = Task.__new__(Task), session.told
    task._session = session  # type: ignore[assignment]
    task.puzzle = None if session.is_of_own_problem else Puzzle.read(json.dumps(told["puzzle"]))[0]
    task._id = told["puzzle"]["id"]
    task.encoding, task.options = told["encoding"], told["options"]
    # A problem of the user's own has no cells, and no terms.
    task.cells = np.array(told.get("cells", ()), dtype=np.int64).reshape(-1, 2)
    task.candidates = [np.array(digits, dtype=np.int64) for digits in told["candidates"]]
    task.lines = [np.array(genes, dtype=np.int64) for genes in told.get("lines", ())]
    task.tuples = [
        (np.array(part["genes"], dtype=np.int64), np.array(part["tuples"], dtype=np.int64))
        for part in told.get("tuples", ())
    ]
    fitness = told.get("fitness", {"weights": {}, "cages": ""})
    task.weights, task.cages = fitness["weights"], fitness["cages"]
    task._begin(told["seed"])
    return task


class _Session:
    """A run that kenga's process keeps, with the interface of the extension's ``Session``."""

    def __init__(
        self,
        told: dict[str, Any],
        requests: Lines,
        answers: IO[bytes],
        clock: Callable[[], float] | None,
    ) -> None:
        if told["protocol"] != PROTOCOL:
            raise ValueError(f"this kenga speaks version {PROTOCOL} of the protocol, not {told['protocol']}")
        self.told, self._requests, self._answers = told, requests, answers
        self.is_of_own_problem = told["puzzle"].get("kind") == "problem"
        self.left: int | None = told["budget"]["evaluations"]
        self.done: str | None = None
        self.evaluations = 0
        self.best: tuple[int, NDArray[np.uint8], int] | None = None
        self.is_gone = False
        self._clock, self._began = clock, clock() if clock else 0.0
        self._log: _Log | None = None

    def check(self, genomes: NDArray[np.uint8]) -> None:
        """Refuses genomes of another length; whether the encoding has them kenga's process says of those that are sent."""
        genes = self.told["genes"]
        if genomes.shape[1] != genes:
            raise _kenga.Error(f"a genome has {genes} digits, not {genomes.shape[1]}")

    def evaluate(
        self, genomes: NDArray[np.uint8], with_terms: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.int32] | None]:
        parts = []
        step = max(1, _LONGEST // (genomes.shape[1] + 3))
        for start in range(0, len(genomes), step):
            if not self.done:
                parts.append(self._evaluate(genomes[start : start + step], with_terms))
        if not parts:
            return np.empty(0, np.int32), np.empty((0, len(TERMS)), np.int32) if with_terms else None
        fitness = np.concatenate([fitness for fitness, _ in parts])
        return fitness, np.concatenate([terms for _, terms in parts]) if with_terms else None

    def _evaluate(self, genomes: NDArray[np.uint8], with_terms: bool) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        answer = self._ask(b'{"evaluate":%s%s}' % (_texts(genomes), b',"terms":true' if with_terms else b""))
        # The units of a problem of your own may be more than those of any puzzle.
        fitness: NDArray[Any] = np.array(answer.get("fitness", ()), dtype=np.int64 if self.is_of_own_problem else np.int32)
        terms = np.array(answer.get("terms") or (), dtype=np.int32).reshape(-1, len(TERMS))
        if len(fitness):
            place = int(fitness.argmin())
            if self.best is None or fitness[place] < self.best[0]:
                self.best = int(fitness[place]), genomes[place].copy(), self.evaluations + place + 1
        self.evaluations += len(fitness)
        self.left = answer.get("left", self.left)
        return fitness, terms

    def log(self, population: NDArray[np.uint8]) -> int | None:
        number: int | None = self._ask(b'{"population":%s}' % _texts(population)).get("generation")
        if number is not None and not self.is_of_own_problem:
            self._log = self._log or _Log(self.told)
            self._log.add(population, self.evaluations)
        return number

    def value(self, fitness: float) -> float | None:
        """Unknown: kenga tells an algorithm the fitness alone."""
        return None

    def convergence(self) -> dict[str, Any]:
        if self.is_of_own_problem:
            raise _kenga.Error("of a problem of your own kenga measures the generations: see Folder.convergence after the run")
        return (self._log or _Log(self.told)).columns()

    def stop(self) -> None:
        self._ask(b'{"stop":true}')

    def report(self, cost: float | None) -> None:
        """Tells kenga what the run has cost; it answers nothing."""
        if cost is None:
            raise ValueError("`reports_cost = true`, and the function has set no task.cost")
        try:
            self._answers.write(json.dumps({"cost": float(cost)}).encode() + b"\n")
            self._answers.flush()
        except OSError:
            self.is_gone = True

    def _ask(self, request: bytes) -> dict[str, Any]:
        """Sends a request and reads its answer; kenga that is gone ends the run."""
        if self._clock:
            request = request[:-1] + b',"cpu_s":%.6f}' % (self._clock() - self._began)
        try:
            self._answers.write(request + b"\n")
            self._answers.flush()
            line = self._requests.readline()
        except OSError:
            line = b""
        if not line:
            # It was interrupted, or has ended this run for what was sent.
            self.is_gone, self.done = True, "failed"
            raise RunOver("kenga has ended the run")
        answer: dict[str, Any] = json.loads(line)
        self.done = answer.get("done")
        return answer


class _Log:
    """The generations of a run that kenga's process keeps, measured here: the protocol does not send them back."""

    def __init__(self, told: dict[str, Any]) -> None:
        # Whatever the run has for an encoding: its genomes are genomes of this one.
        encoding = {"name": "cells", "givens": "free"}
        algorithm = {"name": "program", "command": ["python"], "encoding": encoding}
        config = {"budget": {"evaluations": 1}, "fitness": told["fitness"], "algorithm": algorithm}
        [puzzle] = Puzzle.read(json.dumps(told["puzzle"]))
        self._session = _kenga.Session(puzzle._puzzle, _toml.dumps(config), 0, False)
        self._evaluations: list[int] = []

    def add(self, population: NDArray[np.uint8], evaluations: int) -> None:
        self._session.evaluate(population, False)
        self._session.log(population)
        self._evaluations.append(evaluations)

    def columns(self) -> dict[str, Any]:
        return {**self._session.convergence(), "evaluations": np.array(self._evaluations, dtype=np.int64)}


def _texts(genomes: NDArray[np.uint8]) -> bytes:
    """The genomes as JSON: texts of one character a digit, or lists where a digit has none."""
    if genomes.size and genomes.max() >= len(_CHARACTERS):
        return json.dumps(genomes.tolist()).encode()
    count, genes = genomes.shape
    text = np.full((count, genes + 3), ord('"'), dtype=np.uint8)
    text[:, 1:-2] = _CHARACTERS[genomes]
    text[:, -1] = ord(",")
    return b"[%s]" % text.tobytes()[:-1]


def _lend(kind: bytes) -> None:
    """Lends the standard streams to the process whose function is wanted, and waits until it needs them no more."""
    if SOCKET not in os.environ:
        sys.exit("the function was in another process, such as a notebook: run the experiment there")
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.environ[SOCKET])
        line.sendmsg([kind], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1]))])
        os.close(0)
        os.close(1)
        line.recv(1)


def main(
    arguments: list[str],
    serve: Callable[[Callable[..., Any], IO[bytes], IO[bytes]], None] = serve,
    usage: str = "python -m kenga.program MODULE:NAME",
    kind: bytes = ALGORITHM,
) -> None:
    """Serves the function that the one argument names."""
    if len(arguments) != 1:
        sys.exit(f"usage: {usage}")
    if arguments[0] == ELSEWHERE:
        return _lend(kind)
    sys.path[:0] = [path for path in os.environ.get(SYS_PATH, "").split(os.pathsep) if path]
    # What the function prints must not come between the answers.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        serve(load(arguments[0]), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(sys.argv[1:])
