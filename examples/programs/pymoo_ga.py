"""pymoo's GA in kenga, on indices of candidates. Needs `pip install pymoo`.

Of a problem of one's own that is a permutation: order crossover, inversions.

A program, and with the package a function: `kenga.run(…, algorithm=pymoo_ga.search)`.
"""

import numpy as np
from kenga_task import serve
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.problem import Problem
from pymoo.core.termination import NoTermination
from pymoo.operators.crossover.ox import OrderCrossover
from pymoo.operators.crossover.ux import UniformCrossover
from pymoo.operators.mutation.inversion import InversionMutation
from pymoo.operators.mutation.pm import PolynomialMutation
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.sampling.rnd import IntegerRandomSampling, PermutationRandomSampling


class Done(Exception):
    """kenga says that the run is done."""


class Puzzle(Problem):
    """Minimise the fitness over the index of a candidate in every gene."""

    def __init__(self, task):
        self.task, self.candidates = task, [np.array(digits) for digits in task.candidates]
        last = np.array([len(digits) - 1 for digits in task.candidates])
        super().__init__(n_var=task.genes, n_obj=1, xl=np.zeros_like(last), xu=last, vtype=int)

    def genomes(self, indices):
        """The genomes of a matrix of indices."""
        digits = [digits[column] for digits, column in zip(self.candidates, np.asarray(indices, dtype=int).T)]
        return np.stack(digits, axis=1).tolist()

    def log(self, indices):
        """Log a complete generation."""
        self.task.log(self.genomes(indices))
        if self.task.done:
            raise Done

    def _evaluate(self, x, out, *args, **kwargs):
        fitness = self.task.evaluate(self.genomes(x))
        if self.task.done:
            raise Done
        out["F"] = np.array(fitness)


def operators(task):
    """What makes individuals of the encoding."""
    crossover, options = task.options.get("crossover", 0.9), task.options
    if task.encoding == "permutation":
        return {
            "sampling": PermutationRandomSampling(),
            "crossover": OrderCrossover(prob=crossover),
            "mutation": InversionMutation(prob=options.get("mutation", 0.3)),
        }
    rate = options.get("mutation", 1 / task.genes)
    return {
        "sampling": IntegerRandomSampling(),
        "crossover": UniformCrossover(prob=crossover),
        "mutation": PolynomialMutation(prob=1.0, prob_var=rate, eta=1.0, vtype=float, repair=RoundingRepair()),
    }


def search(task):
    """One run, until kenga says that it is done."""
    options, problem = task.options, Puzzle(task)
    size = options.get("population", 100)
    algorithm = GA(pop_size=size, eliminate_duplicates=True, **operators(task))
    algorithm.setup(problem, termination=NoTermination(), seed=task.seed, verbose=False)
    try:
        while True:
            algorithm.next()
            problem.log(algorithm.pop.get("X"))
    except Done:
        pass


if __name__ == "__main__":
    serve(search)
