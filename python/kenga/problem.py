"""Problems of your own: functions that say what genomes are worth.

>>> import kenga
>>> def ones(genomes):
...     return genomes.sum(axis=1)
>>> problem = kenga.Problem(ones, genes=20, values=[0, 1], maximise=True, optimum=20)
>>> config = {"budget": {"evaluations": 5_000}, "algorithm": {"name": "genetic"}}
>>> folder = kenga.run(config, problem=problem, out="results/ones")  # doctest: +SKIP

``python -m kenga.problem MODULE:NAME`` speaks the protocol of problems in docs/protocol.md for a function of a module. In a
configuration it may stand by itself::

    [problem]
    command = ["python3", "-m", "kenga.problem", "my_tsp:lengths"]
    permutation = 12
    resolution = 1e-6
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from . import _kenga, _toml, program
from ._kenga import Error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

#: The version of the protocol that is spoken here.
PROTOCOL = 1

#: What genomes are worth: of a batch a value for each genome; options are keywords.
Objective = Callable[..., "ArrayLike"]

#: The least and the greatest value.
_Range = Sequence[int]

#: How the type of the arrays stands in a command.
_DTYPE = "--dtype="


class Problem:
    """A problem: a function, and what its genomes are.

    The function gets a batch of genomes, ``int64[m, genes]``, and the options as keywords. It returns ``m`` finite numbers,
    which depend on these alone.

    :param function: a function of a module, or its name as ``"module:name"``, works in processes of its own, one for each job,
        and its runs can be resumed and replayed without this object. Any other function, such as one of a notebook, works
        in this process, for one run after the other
    :param genes: how many genes there are, each one of ``values``
    :param values: the least and the greatest value of every gene, 0 to 255; or such a pair for each gene
    :param permutation: in place of ``genes`` and ``values``: genomes are permutations of so many numbers, from 0 on
    :param permutations: the lengths of several permutations
    :param optimum: the best value there is, where it is known: a run that finds it is solved
    :param bound: a value that none passes, where the best is not known; 0 when absent
    :param maximise: whether the highest value is best
    :param terms: names of what a value consists of; the function then returns the values and an array ``[m, terms]``, and
        ``folder.runs`` has those of the best of every run, ``"terms.NAME"``
    :param resolution: the unit in which fitness counts, for values that are not whole numbers
    :param options: keywords of the function; a sweep may vary them: ``{"sweep": {"problem.options.k": [0, 2, 6]}}``
    :param instances: for each instance, by its name, options and genomes of its own
    :param dtype: of the genomes that the function gets. Numbers of ``uint8`` wrap around: 1 - 3 is 254
    :raises Error: for what is no problem
    """

    def __init__(
        self,
        function: Objective | str,
        *,
        genes: int | None = None,
        values: _Range | Sequence[_Range] | None = None,
        permutation: int | None = None,
        permutations: Sequence[int] | None = None,
        optimum: float | None = None,
        bound: float | None = None,
        maximise: bool = False,
        resolution: float | None = None,
        terms: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        instances: Mapping[str, Mapping[str, Any]] | None = None,
        dtype: DTypeLike = np.int64,
    ) -> None:
        self.function, self._dtype = function, _number_type(dtype)
        told = {
            "genes": genes,
            "values": values,
            "permutation": permutation,
            "permutations": permutations,
            "optimum": optimum,
            "bound": bound,
            "maximise": maximise,
            "resolution": resolution,
            "terms": terms,
            "options": options,
            "instances": instances,
        }
        self._told = {key: value for key, value in told.items() if value is not None}
        self._terms = [*(terms or ())]
        #: The name by which other processes can import the function; None where they cannot.
        self._name = program.name_of(function, "a problem")
        try:
            self._instances = _kenga.instances(self._config({}))
        except Error as bad:
            message = str(bad).split("\n")[0].replace("[problem]: ", "").replace("[problem]", "kenga.Problem")
            raise Error(f"{message}; see help(kenga.Problem)") from None

    def __repr__(self) -> str:
        told = ", ".join(f"{key}={value!r}" for key, value in self._told.items())
        name = self.function if isinstance(self.function, str) else getattr(self.function, "__qualname__", "function")
        return f"Problem({name}, {told})"

    def _assignments(self) -> list[str]:
        """What sets it over a configuration."""
        command = [sys.executable, "-m", "kenga.problem", self._name or program.ELSEWHERE]
        if self._dtype != np.int64:
            command.append(_DTYPE + self._dtype.name)
        told = {"name": "program", "command": command, "reuse": True, **self._told}
        return [f"problem.{key}={_toml._value(value, key)}" for key, value in told.items()]

    def _config(self, config: Mapping[str, Any]) -> str:
        """The text of a configuration for it."""
        plain = {"budget.evaluations": 1, "algorithm.name": "program", "algorithm.command": ["python"], **config}
        lines = [f"{key}={_toml._value(value, key)}" for key, value in plain.items() if value is not None]
        return "\n".join(lines + self._assignments())

    def _session(
        self, instance: str | None, seed: int, replicate: int, evaluations: int | None, generations: int | None
    ) -> Session:
        """A run of an instance in this process."""
        names = self._instances
        if instance is None and len(names) > 1:
            raise Error(f"the problem has several instances: name one, such as instance={names[0]!r}")
        if instance not in (None, *names):
            raise Error(f"there is no instance {instance!r}; known: {', '.join(names)}")
        place = 0 if instance is None else names.index(instance)
        # A configuration needs a bound; the session leaves it out.
        budget = {"budget.evaluations": 1 if evaluations is None else evaluations, "budget.generations": generations}
        text = self._config({"seed": seed, **budget})
        inner = _kenga.Session.of_problem(text, place, replicate, evaluations is not None)
        return Session(inner, self._asked(), json.loads(inner.options), self._terms)

    def _asked(self, clock: Callable[[], float] | None = None) -> Asked:
        """The function, to be asked in this process."""
        function = program.load(self.function) if isinstance(self.function, str) else self.function
        return Asked(function, self._dtype, clock)


def _number_type(dtype: DTypeLike) -> np.dtype[Any]:
    """A type of NumPy's that holds 0 to 255.

    :raises Error: for another
    """
    try:
        known = np.dtype(dtype)
    except TypeError:
        known = np.dtype(bool)
    if known.kind not in "iuf" or not np.can_cast(np.uint8, known):
        raise Error(f"dtype is {dtype!r}: expected a type of numbers that holds 0 to 255, such as int64 or uint8")
    return known


class Asked:
    """A function that is asked what genomes are worth."""

    def __init__(self, function: Objective, dtype: np.dtype[Any], clock: Callable[[], float] | None = None) -> None:
        self._function, self._dtype, self._clock = function, dtype, clock
        self._options: dict[str, Any] = {}
        self._terms: list[str] = []
        #: Seconds by the clock since the greeting, and in all.
        self._used_s = self.total_s = 0.0

    def values(self, genomes: ArrayLike, options: Mapping[str, Any], terms: int) -> tuple[NDArray[np.float64], Any]:
        """The values of genomes, ``float64[m]``, and ``float64[m, terms]`` where there are terms, else None.

        :raises ValueError: for what the function should not have returned
        """
        genomes = np.array(genomes, dtype=self._dtype)
        returned: Any = self._function(genomes, **options)
        if not terms:
            return _checked(returned, genomes), None
        values, parts = returned
        return _checked(values, genomes), _checked(parts, genomes, (terms,))

    def answer(self, line: bytes) -> bytes | None:
        """The answer to a line of the protocol; None to a greeting, which has none. What the function does wrong is raised."""
        message = json.loads(line)
        if "evaluate" not in message:
            if message["problem"] != PROTOCOL:
                raise ValueError(f"this kenga speaks version {PROTOCOL} of the protocol, not {message['problem']}")
            self._options, self._terms, self._used_s = message["options"], message.get("terms", []), 0.0
            return None
        began = self._clock() if self._clock else 0.0
        values, parts = self.values(message["evaluate"], self._options, len(self._terms))
        answer = {"fitness": values.tolist()}
        if parts is not None:
            answer["terms"] = parts.tolist()
        if self._clock:
            used_s = self._clock() - began
            self._used_s, self.total_s = self._used_s + used_s, self.total_s + used_s
            answer["cpu_s"] = round(self._used_s, 6)
        return json.dumps(answer).encode() + b"\n"


def serve(function: Objective, requests: IO[bytes], answers: IO[bytes], dtype: DTypeLike = np.int64) -> None:
    """Answers for run after run, until there is no request any more. What the function does wrong is raised."""
    asked = Asked(function, _number_type(dtype))
    for line in requests:
        answer = asked.answer(line)
        if answer is not None:
            answers.write(answer)
            answers.flush()


class Session:
    """A run of a problem in this process, with the interface of the extension's ``Session``."""

    def __init__(
        self, inner: _kenga.Session, asked: Asked, options: Mapping[str, Any], terms: Sequence[str]
    ) -> None:
        self._inner, self._asked, self._options, self._terms = inner, asked, options, terms

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def evaluate(self, genomes: NDArray[np.uint8], with_terms: bool) -> tuple[NDArray[np.int64], Any]:
        if with_terms and not self._terms:
            raise Error("the problem has no terms: name them, kenga.Problem(..., terms=[...])")
        # Nothing is counted where the function fails.
        self._inner.check(genomes)
        genomes = genomes[: self._inner.left]
        values, parts = self._values(genomes)
        fitness = self._inner.count(genomes, values)
        return fitness, parts[: len(fitness)] if with_terms else None

    def log(self, population: NDArray[np.uint8]) -> int:
        self._inner.check(population)
        return self._inner.log(population, self._values(population)[0])

    def convergence(self) -> dict[str, Any]:
        columns = self._inner.convergence()
        values = [self._inner.value(best) for best in columns["best"].tolist()]
        return {**columns, "value": np.array(values, dtype=np.float64)}

    def _values(self, genomes: NDArray[np.uint8]) -> tuple[NDArray[np.float64], Any]:
        if len(genomes) == 0:
            return np.empty(0), np.empty((0, len(self._terms)))
        return self._asked.values(genomes, self._options, len(self._terms))


def _checked(values: ArrayLike, genomes: NDArray[Any], each: tuple[int, ...] = ()) -> NDArray[np.float64]:
    """The numbers of genomes, of this shape each; an error says what is wrong with them."""
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (len(genomes), *each):
        expected = f"{len(genomes)} numbers for {len(genomes)} genomes" if not each else f"{(len(genomes), *each)} for its terms"
        raise ValueError(f"the function of the problem returned an array of shape {found.shape}: expected {expected}")
    wrong = np.argwhere(~np.isfinite(found))
    if len(wrong):
        place = tuple(wrong[0])
        raise ValueError(f"the function of the problem gave {found[place]} for {genomes[place[0]].tolist()}: expected a finite number")
    return found


def main(arguments: list[str]) -> None:
    """Serves the function that an argument names; another may be the type of its arrays."""
    dtypes = [argument.removeprefix(_DTYPE) for argument in arguments if argument.startswith(_DTYPE)]
    names = [argument for argument in arguments if not argument.startswith(_DTYPE)]
    usage = f"python -m kenga.problem MODULE:NAME [{_DTYPE}int64]"
    program.main(names, partial(serve, dtype=(dtypes or ["int64"])[-1]), usage, program.PROBLEM)


if __name__ == "__main__":
    main(sys.argv[1:])
