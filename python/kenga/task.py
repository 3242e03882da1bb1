"""Runs that a function of yours makes: ask and tell with NumPy arrays."""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _kenga, _toml
from ._kenga import Error
from .frames import Columns
from .puzzle import Puzzle, single

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from numpy.typing import ArrayLike, NDArray

    from .names import EncodingName
    from .problem import Problem

#: The terms of fitness, in the order of the columns of :meth:`Task.terms`.
TERMS = ("count", "row", "column", "region", "cage", "group")


class RunOver(Exception):
    """A run that is over was asked for more. :func:`kenga.run` takes it as the end of the function."""


@dataclass(frozen=True)
class Best:
    """The best individual of a run."""

    #: Its fitness; 0 solves the puzzle.
    fitness: int
    #: Its digits, ``int64[genes]``.
    genome: NDArray[np.int64]
    #: The evaluations that had been spent when it was found, its own included.
    evaluations: int
    #: Its value, where the task is about a :class:`kenga.Problem` and no experiment; else None.
    value: float | None = None


class Point:
    """A genome that was handed to a :class:`Task` and waits until it is asked for its answer; see :meth:`Task.submit`.

    ``await point`` is :meth:`answer` after other coroutines have had their turn.
    """

    #: Its number among the points of its task, from 0.
    number: int
    #: Its digits, ``int64[genes]``, a copy that cannot be changed.
    genome: NDArray[np.int64]
    #: Its fitness; None while it waits.
    fitness: int | None
    #: The evaluations that had been spent when it was answered, its own included; None while it waits.
    evaluation: int | None

    def __init__(self, task: Task, number: int, genome: NDArray[np.int64]) -> None:
        genome.flags.writeable = False
        self._task, self.number, self.genome = task, number, genome
        self.fitness = self.evaluation = None

    def answer(self) -> int:
        """Its fitness. kenga evaluates it when it is first asked for, and never again.

        :raises RunOver: when the run was over before; the point counts nowhere
        """
        return self._task._answer(self)

    def __await__(self) -> Generator[Any, None, int]:
        yield from asyncio.sleep(0).__await__()
        return self.answer()

    def __repr__(self) -> str:
        return f"<Point {self.number}, {'waiting' if self.fitness is None else f'fitness {self.fitness}'}>"


class Task:
    """A run on a puzzle or a problem that you ask for evaluations; kenga keeps its budget and its best. Threads may share it.

    A *genome* is one digit for each gene, ``int64[genes]``; a population is ``int64[m, genes]``, and any other array of
    whole numbers will do. Genes are the cells that hold digits, row by row. Fitness is lower for better genomes and 0 for a
    solution.

    >>> [puzzle] = Puzzle.read("4:b_a4_a_6aa,m8s1a6s1m4a3d2")
    >>> task = Task(puzzle, encoding="rows", seed=1, evaluations=1000)
    >>> population = task.random(100)
    >>> fitness = task.evaluate(population)
    >>> fitness.shape, fitness.dtype, task.left
    ((100,), dtype('int32'), 900)
    >>> while not task.done:
    ...     fitness = task.evaluate(task.random(400))
    >>> task.done, task.left, len(fitness)
    ('evaluations', 0, 100)
    >>> task.grid(task.best.genome).shape
    (4, 4)

    On a :class:`kenga.Problem` fitness is the distance of the value from its ``optimum``, ``bound`` or 0, in units of its
    ``resolution``. Its function is called here, for the genomes that the budget reaches, and once more for those that are
    logged; what it raises counts for nothing.

    >>> import kenga
    >>> task = Task(kenga.Problem(lambda genomes: genomes.sum(axis=1), genes=5, values=[0, 9]), evaluations=100)
    >>> task.evaluate([[1, 2, 3, 4, 5], [0, 0, 1, 0, 0]]), task.best.value
    (array([15,  1]), 1.0)

    :param puzzle: the puzzle, or its text or file; or a :class:`kenga.Problem`
    :param encoding: which genomes there are, ``cells`` (any digit anywhere), ``rows`` (permutations) or ``cages`` (each cage
        one of its tuples), or a table with its parameters: ``{"name": "cells", "givens": "free"}``; ``cells`` when absent.
        A problem has its own
    :param seed: with ``replicate`` and the puzzle it decides :attr:`seed`, from which :attr:`rng` draws
    :param replicate: the number of the run
    :param evaluations: the budget; unbounded when absent
    :param generations: the most populations that are logged after the first; unbounded when absent
    :param cages: how an unsatisfied clue is measured, ``binary`` or ``gap``
    :param weights: of the terms, as ``{"cage": 5}``
    :param propagate: whether propagation first removes candidates
    :param options: what a configuration has in ``[algorithm.options]``
    :param instance: the name of an instance, where a problem has several
    :raises Error: for what kenga refuses in a configuration, and an encoding that cannot hold the puzzle
    """

    #: The puzzle; None where the task is about a :class:`kenga.Problem`.
    puzzle: Puzzle | None
    #: The name of the encoding.
    encoding: str
    #: The number of genes.
    genes: int
    #: Of each gene its cell, ``int64[genes, 2]``: row and column, from 0. Of a :class:`kenga.Problem` there are none.
    cells: NDArray[np.int64]
    #: Of each gene the digits that it may hold, ``int64[k]``; one where it is fixed.
    candidates: list[NDArray[np.int64]]
    #: With ``rows``: lists of genes that hold every digit once. With ``permutation``: the genes of each permutation.
    lines: list[NDArray[np.int64]]
    #: With ``cages``: genes, and the tuples of digits one of which they hold together, ``int64[k, len(genes)]``.
    tuples: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
    #: The weights of the terms; a :class:`kenga.Problem` has none.
    weights: dict[str, int]
    #: How an unsatisfied clue is measured; empty with a :class:`kenga.Problem`.
    cages: str
    #: A whole number below 2^32, different for every puzzle and replicate. A run that draws from nothing else can be
    #: repeated.
    seed: int
    #: What the configuration tells the algorithm.
    options: dict[str, Any]
    #: What the run costs, lower is better: set it in an algorithm with ``reports_cost = true``, at any time before it returns.
    cost: float | None
    #: Random numbers that derive from :attr:`seed`.
    rng: np.random.Generator

    def __init__(
        self,
        puzzle: Puzzle | Problem | str | os.PathLike[str],
        encoding: EncodingName | Mapping[str, Any] | None = None,
        *,
        seed: int = 1,
        replicate: int = 0,
        evaluations: int | None = None,
        generations: int | None = None,
        cages: str | None = None,
        weights: Mapping[str, int] | None = None,
        propagate: bool = False,
        options: Mapping[str, Any] | None = None,
        instance: str | None = None,
    ) -> None:
        from .problem import Problem

        if replicate < 0:
            raise Error(f"replicate is {replicate}, but must be at least 0")
        self.options = dict(options or {})
        if isinstance(puzzle, Problem):
            of_puzzle = {"encoding": encoding, "cages": cages, "weights": weights, "propagate": propagate or None}
            for name, value in of_puzzle.items():
                if value is not None:
                    raise Error(f"{name} is about puzzles: leave it out with a kenga.Problem")
            session = puzzle._session(instance, seed, replicate, evaluations, generations)
            self._set(session, None, session.id, "permutation" if session.lines else "values")
            self.cells, self.weights, self.cages = np.empty((0, 2), np.int64), {}, ""
            return
        if instance is not None:
            raise Error("a puzzle has no instances")
        puzzle = single(puzzle)
        encoding = "cells" if encoding is None else encoding
        config = {
            "seed": seed,
            "propagate": propagate,
            # A configuration needs a bound; the session leaves it out.
            "budget": {"evaluations": 1 if evaluations is None else evaluations, "generations": generations},
            "fitness": {"cages": cages, "weights": weights},
            "algorithm": {"name": "program", "command": ["python"], "encoding": encoding},
        }
        inner = _kenga.Session(puzzle._puzzle, _toml.dumps(config), replicate, evaluations is not None)
        self._set(inner, puzzle, puzzle.id, encoding if isinstance(encoding, str) else encoding.get("name", "cells"))
        self.cells, self.weights, self.cages = inner.cells, inner.weights, inner.cages

    def _set(self, session: Any, puzzle: Puzzle | None, name: str, encoding: str) -> None:
        """Sets what a session tells."""
        self._session: _kenga.Session = session
        self.puzzle, self._id, self.encoding = puzzle, name, encoding
        self.candidates, self.lines, self.tuples = session.candidates, session.lines, session.tuples
        self._begin(session.seed)

    def _begin(self, seed: int) -> None:
        """Sets what follows from the rest."""
        self.genes, self.seed, self.rng = len(self.candidates), seed, np.random.default_rng(seed)
        # A run does one thing after the other: the session refuses a second thread.
        self._lock = threading.RLock()
        self.cost = None
        self._submitted = 0
        self._answered: list[Point] = []

    def evaluate(self, genomes: ArrayLike) -> NDArray[np.int32]:
        """The fitness of genomes, ``int64[m, genes] -> int32[k]``; ``int64[k]`` of a problem of your own.

        A budget is never exceeded: only the first ``k <= m`` genomes are evaluated, as many as are left, and none after one
        that solves the puzzle.

        :raises Error: for genomes that the encoding does not have; nothing is evaluated then
        :raises RunOver: when the run was over before
        """
        return self._evaluate(self._array(genomes), False)[0]

    def terms(self, genomes: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """As :meth:`evaluate`, with the violations of each genome term by term, unweighted: ``int32[k]`` and
        ``int32[k, 6]``, whose columns are count, row, column, region, cage and group. Of a :class:`kenga.Problem` with
        ``terms`` they are those of its function, ``float64[k, terms]``.
        """
        fitness, terms = self._evaluate(self._array(genomes), True)
        assert terms is not None
        return fitness, terms

    def submit(self, genomes: ArrayLike) -> list[Point]:
        """Hands genomes over, ``int64[m, genes]``, a :class:`Point` each: they wait, in no order, until each is asked for its
        answer, by any thread or coroutine.

        A point that waits is not evaluated and costs nothing; nothing is reserved for it, so that more may wait than are left.

        :raises Error: for genomes that the encoding does not have; none is handed over then. In an experiment kenga's process
            checks them when they are answered
        :raises RunOver: when the run was over before
        """
        array = self._array(genomes)
        with self._lock:
            self._go_on()
            self._session.check(array)
            first, self._submitted = self._submitted, self._submitted + len(array)
        return [Point(self, first + place, genome.astype(np.int64)) for place, genome in enumerate(array)]

    @property
    def waiting(self) -> int:
        """How many points wait for their answer."""
        with self._lock:
            return self._submitted - len(self._answered)

    @property
    def answers(self) -> Columns:
        """The points that were answered, in the order of their answers: point, evaluations, fitness."""
        with self._lock:
            answered = list(self._answered)
        rows = [(point.number, point.evaluation, point.fitness) for point in answered]
        table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return Columns(point=table[:, 0], evaluations=table[:, 1], fitness=table[:, 2])

    def log(self, population: ArrayLike) -> int | None:
        """Logs a complete generation, ``int64[m, genes]``, and returns its number; the first is 0, the initial population.

        It becomes a row of :attr:`convergence`, and in an experiment of ``convergence.csv``. A run that is over logs nothing
        and returns None.

        :raises Error: where an individual is better than all that was evaluated
        """
        genomes = self._array(population)
        with self._lock:
            return None if self._session.done else self._session.log(genomes)

    def stop(self) -> None:
        """Gives up: the run is over."""
        with self._lock:
            if not self._session.done:
                self._session.stop()

    @property
    def left(self) -> int | None:
        """How many evaluations are left; None where nothing bounds them."""
        with self._lock:
            return self._session.left

    @property
    def done(self) -> str | None:
        """Why the run is over: ``solved``, ``evaluations``, ``generations``, ``stalled``, ``dead``; None while it goes on."""
        with self._lock:
            return self._session.done

    @property
    def evaluations(self) -> int:
        """How many evaluations were spent."""
        with self._lock:
            return self._session.evaluations

    @property
    def solved(self) -> bool:
        """A genome that solves the puzzle was evaluated."""
        best = self.best
        return best is not None and best.fitness == 0

    @property
    def best(self) -> Best | None:
        """The best individual that was evaluated, the first of equals; None before the first evaluation."""
        with self._lock:
            best = self._session.best
        if best is None:
            return None
        fitness, genome, evaluations = best
        return Best(fitness, genome.astype(np.int64), evaluations, self._session.value(fitness))

    @property
    def convergence(self) -> Columns:
        """What was logged, a row a generation: generation, evaluations, best, worst, mean, std, diversity, entropy; of a
        :class:`kenga.Problem` ``value`` too, which is ``best`` in its units."""
        with self._lock:
            return Columns(self._session.convergence())

    def random(self, count: int) -> NDArray[np.int64]:
        """Random genomes of the encoding, ``int64[count, genes]``, drawn from :attr:`rng`."""
        genomes = np.empty((count, self.genes), dtype=np.int64)
        placed = np.zeros(self.genes, dtype=bool)
        for genes, tuples in self.tuples:
            genomes[:, genes] = tuples[self.rng.integers(len(tuples), size=count)]
            placed[genes] = True
        for genes in self.lines:
            free = np.array([gene for gene in genes if len(self.candidates[gene]) > 1], dtype=np.int64)
            fixed = np.array([self.candidates[gene][0] for gene in genes if len(self.candidates[gene]) == 1])
            every = self.puzzle.digits if self.puzzle else self.candidates[genes[0]]
            digits = np.setdiff1d(every, fixed).astype(np.int64)
            genomes[:, free] = self.rng.permuted(np.tile(digits, (count, 1)), axis=1)
            placed[free] = True
        for gene in np.flatnonzero(~placed):
            genomes[:, gene] = self.rng.choice(self.candidates[gene], size=count)
        return genomes

    def grid(self, genome: ArrayLike) -> NDArray[np.int16]:
        """The grid of a genome, ``int64[genes] -> int16[rows, cols]``, with -1 in black cells.

        :raises Error: for a problem of your own, which has none
        """
        if self.puzzle is None:
            raise Error("a problem of your own has no grid")
        grid = np.full((self.puzzle.rows, self.puzzle.cols), -1, dtype=np.int16)
        grid[self.cells[:, 0], self.cells[:, 1]] = genome
        return grid

    def __repr__(self) -> str:
        state = self.done or (f"{self.left} evaluations left" if self.left is not None else "unbounded")
        return f"<Task on {self._id!r}, {self.encoding}, {state}>"

    def __reduce__(self) -> Any:
        raise TypeError("a kenga.Task is a run in this process and cannot be pickled: make it where it is asked")

    def _evaluate(
        self, genomes: NDArray[np.uint8], with_terms: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.int32] | None]:
        with self._lock:
            self._go_on()
            return self._session.evaluate(genomes, with_terms)

    def _go_on(self) -> None:
        if self._session.done:
            raise RunOver(f"the run is over: {self._session.done}")

    def _answer(self, point: Point) -> int:
        with self._lock:
            # Whoever asks second finds what the first was told.
            if point.fitness is None:
                [fitness] = self._evaluate(self._array(point.genome.reshape(1, -1)), False)[0].tolist()
                point.evaluation, point.fitness = self.evaluations, fitness
                self._answered.append(point)
            return point.fitness

    def _array(self, genomes: ArrayLike) -> NDArray[np.uint8]:
        array = np.asarray(genomes)
        if array.dtype == np.uint8 and array.ndim == 2:
            return array
        if array.size == 0:
            return np.empty((0, self.genes), dtype=np.uint8)
        if array.ndim != 2 or array.dtype.kind not in "iu":
            raise Error(f"genomes are an array of whole numbers of the shape (m, {self.genes})")
        wide = array.astype(np.int64, copy=False)
        # One pass over all: the least and the greatest would take two.
        if np.bitwise_or.reduce(wide, axis=None) & ~255:
            raise Error(f"{wide[(wide < 0) | (wide > 255)][0]} is no digit")
        return wide.astype(np.uint8)
