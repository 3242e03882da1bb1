"""DEAP's eaSimple in kenga: tournaments of 3, two-point crossover, reset mutation. Needs `pip install deap`."""

import json
import random
import sys

from deap import algorithms, base, creator, tools

creator.create("Fitness", base.Fitness, weights=(-1.0,))
creator.create("Individual", list, fitness=creator.Fitness)


class Done(Exception):
    """kenga says that the run is done."""


def ask(**request):
    """Send a request to kenga; return its answer."""
    print(json.dumps(request, separators=(",", ":")), flush=True)
    answer = json.loads(sys.stdin.readline())
    if "done" in answer:
        raise Done
    return answer


def evaluate_all(_function, individuals):
    """The map of DEAP that evaluates: one request for all."""
    individuals = list(individuals)
    return [(fitness,) for fitness in ask(evaluate=individuals)["fitness"]] if individuals else []


def mutate(individual, candidates, rate):
    """Any candidate in each gene, with a small probability."""
    for gene, digits in enumerate(candidates):
        if random.random() < rate:
            individual[gene] = random.choice(digits)
    return (individual,)


class Log(tools.Statistics):
    """Logs every generation in kenga."""

    def compile(self, population):
        ask(population=population)
        return {}


def run(task):
    """One run, until kenga says that it is done."""
    random.seed(task["seed"])
    candidates, options = task["candidates"], task["options"]
    toolbox = base.Toolbox()
    toolbox.register("map", evaluate_all)
    toolbox.register("evaluate", lambda individual: None)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", mutate, candidates=candidates, rate=options.get("mutation", 1 / task["genes"]))
    toolbox.register("select", tools.selTournament, tournsize=options.get("tournament", 3))
    genomes = ([random.choice(digits) for digits in candidates] for _ in range(options.get("population", 100)))
    population = [creator.Individual(genome) for genome in genomes]
    crossover = options.get("crossover", 0.9)
    try:
        algorithms.eaSimple(population, toolbox, crossover, 1.0, sys.maxsize, Log(), verbose=False)
    except Done:
        pass


if __name__ == "__main__":
    for greeting in sys.stdin:
        run(json.loads(greeting))
