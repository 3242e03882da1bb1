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
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from . import _toml, program

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: The version of the protocol that is spoken here.
PROTOCOL = 1

#: What genomes are worth: of a batch a value for each genome; options are keywords.
Objective = Callable[..., "ArrayLike"]

#: The least and the greatest value.
_Range = Sequence[int]


class Problem:
    """A problem: a function, and what its genomes are.

    The function gets a batch of genomes, ``uint8[m, genes]``, and the options as keywords. It returns ``m`` finite numbers,
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
    ) -> None:
        self.function = function
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

    def __repr__(self) -> str:
        told = ", ".join(f"{key}={value!r}" for key, value in self._told.items())
        name = self.function if isinstance(self.function, str) else getattr(self.function, "__qualname__", "function")
        return f"Problem({name}, {told})"

    def _assignments(self, name: str | None) -> list[str]:
        """What sets it over a configuration; ``name`` is that of the function, if other processes can import it."""
        command = [sys.executable, "-m", "kenga.problem", name or program.ELSEWHERE]
        told = {"name": "program", "command": command, "reuse": True, **self._told}
        return [f"problem.{key}={_toml._value(value, key)}" for key, value in told.items()]


def serve(function: Objective, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answers for run after run, until there is no request any more. What the function does wrong is raised."""
    options: dict[str, Any] = {}
    terms: list[str] = []
    for line in requests:
        message = json.loads(line)
        if "evaluate" not in message:
            if message["problem"] != PROTOCOL:
                raise ValueError(f"this kenga speaks version {PROTOCOL} of the protocol, not {message['problem']}")
            options, terms = message["options"], message.get("terms", [])
            continue
        genomes = np.array(message["evaluate"], dtype=np.uint8)
        found: Any = function(genomes, **options)
        answer = {}
        if terms:
            found, parts = found
            answer["terms"] = _checked(parts, genomes, (len(terms),)).tolist()
        answer["fitness"] = _checked(found, genomes).tolist()
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _checked(values: ArrayLike, genomes: NDArray[np.uint8], each: tuple[int, ...] = ()) -> NDArray[np.float64]:
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


if __name__ == "__main__":
    program.main(sys.argv[1:], serve, "kenga.problem")
