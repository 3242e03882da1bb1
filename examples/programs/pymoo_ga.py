"""pymoo's GA in kenga, on indices of candidates. Needs `pip install pymoo`."""

import json
import sys

import numpy as np
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.problem import Problem
from pymoo.core.termination import NoTermination
from pymoo.operators.crossover.ux import UniformCrossover
from pymoo.operators.mutation.pm import PolynomialMutation
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.sampling.rnd import IntegerRandomSampling


class Done(Exception):
    """kenga says that the run is done."""


def ask(**request):
    """Send a request to kenga; return its answer."""
    print(json.dumps(request, separators=(",", ":")), flush=True)
    answer = json.loads(sys.stdin.readline())
    if "done" in answer:
        raise Done
    return answer


class Puzzle(Problem):
    """Minimise the fitness over the index of a candidate in every gene."""

    def __init__(self, candidates):
        self.candidates = [np.array(digits) for digits in candidates]
        last = np.array([len(digits) - 1 for digits in candidates])
        super().__init__(n_var=len(candidates), n_obj=1, xl=np.zeros_like(last), xu=last, vtype=int)

    def genomes(self, indices):
        """The genomes of a matrix of indices."""
        digits = [digits[column] for digits, column in zip(self.candidates, np.asarray(indices, dtype=int).T)]
        return np.stack(digits, axis=1).tolist()

    def _evaluate(self, x, out, *args, **kwargs):
        out["F"] = np.array(ask(evaluate=self.genomes(x))["fitness"])


def run(task):
    """One run, until kenga says that it is done."""
    options, problem = task["options"], Puzzle(task["candidates"])
    rate = options.get("mutation", 1 / task["genes"])
    algorithm = GA(
        pop_size=options.get("population", 100),
        sampling=IntegerRandomSampling(),
        crossover=UniformCrossover(prob=options.get("crossover", 0.9)),
        mutation=PolynomialMutation(prob=1.0, prob_var=rate, eta=1.0, vtype=float, repair=RoundingRepair()),
        eliminate_duplicates=True,
    )
    algorithm.setup(problem, termination=NoTermination(), seed=task["seed"], verbose=False)
    try:
        while True:
            algorithm.next()
            ask(population=problem.genomes(algorithm.pop.get("X")))
    except Done:
        pass


if __name__ == "__main__":
    for greeting in sys.stdin:
        run(json.loads(greeting))
