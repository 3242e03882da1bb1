"""DEAP's eaSimple in kenga: tournaments of 3, two-point crossover, reset mutation. Needs `pip install deap`.

Of a problem of one's own that is a permutation: ordered crossover, mutation by exchanges.

A program, and with the package a function: `kenga.run(…, algorithm=deap_ga.search)`.
"""

import random
import sys

from deap import algorithms, base, creator, tools
from kenga_task import serve

creator.create("Fitness", base.Fitness, weights=(-1.0,))
creator.create("Individual", list, fitness=creator.Fitness)


class Done(Exception):
    """kenga says that the run is done."""


def evaluate_all(task, individuals):
    """The fitness of individuals, asked for in one request."""
    fitness = task.evaluate(individuals) if individuals else []
    if task.done:
        raise Done
    return [(int(value),) for value in fitness]


def mutate(individual, candidates, rate):
    """Any candidate in each gene, with a small probability."""
    for gene, digits in enumerate(candidates):
        if random.random() < rate:
            individual[gene] = random.choice(digits)
    return (individual,)


def genome(encoding, candidates):
    """A random genome."""
    if encoding == "permutation":
        return random.sample(range(len(candidates)), len(candidates))
    return [random.choice(digits) for digits in candidates]


class Log(tools.Statistics):
    """Logs every generation in kenga."""

    def __init__(self, task):
        super().__init__()
        self.task = task

    def compile(self, population):
        self.task.log(population)
        if self.task.done:
            raise Done
        return {}


def search(task):
    """One run, until kenga says that it is done."""
    random.seed(task.seed)
    candidates, options = [[int(digit) for digit in digits] for digits in task.candidates], task.options
    toolbox = base.Toolbox()
    toolbox.register("map", lambda _function, individuals: evaluate_all(task, list(individuals)))
    toolbox.register("evaluate", lambda individual: None)
    rate = options.get("mutation", 1 / task.genes)
    if task.encoding == "permutation":
        toolbox.register("mate", tools.cxOrdered)
        toolbox.register("mutate", tools.mutShuffleIndexes, indpb=rate)
    else:
        toolbox.register("mate", tools.cxTwoPoint)
        toolbox.register("mutate", mutate, candidates=candidates, rate=rate)
    toolbox.register("select", tools.selTournament, tournsize=options.get("tournament", 3))
    genomes = (genome(task.encoding, candidates) for _ in range(options.get("population", 100)))
    population = [creator.Individual(genome) for genome in genomes]
    crossover = options.get("crossover", 0.9)
    try:
        algorithms.eaSimple(population, toolbox, crossover, 1.0, sys.maxsize, Log(task), verbose=False)
    except Done:
        pass


if __name__ == "__main__":
    serve(search)
