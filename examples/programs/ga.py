"""A genetic algorithm in plain Python: tournaments, uniform crossover, reset mutation, the best survives.

kenga starts it as examples/programs/ga.toml says. With the package, `kenga.run(…, algorithm=ga.search)` runs it too.
"""

import random

from kenga_task import serve


def tournament(population):
    """The genome of the better one of two individuals."""
    return min(random.sample(population, 2))[1]


def child(population, candidates, rate):
    """Every gene from either of two parents, or, with a small probability, any of its candidates."""
    parents = zip(tournament(population), tournament(population))
    genes = [random.choice(pair) for pair in parents]
    return [random.choice(digits) if random.random() < rate else gene for gene, digits in zip(genes, candidates)]


def search(task):
    """One run, until kenga says that it is done."""
    random.seed(task.seed)
    candidates, options = [[int(digit) for digit in digits] for digits in task.candidates], task.options
    size, rate = options.get("population", 100), options.get("mutation", 1 / task.genes)
    population, genomes = [], [[random.choice(digits) for digits in candidates] for _ in range(size)]
    while True:
        fitness = task.evaluate(genomes)
        if task.done:
            return
        # Individuals are pairs of fitness and genome; lower is better.
        best = [min(population)] if population else []
        population = best + list(zip(map(int, fitness), genomes))
        task.log([genome for _, genome in population])
        if task.done:
            return
        genomes = [child(population, candidates, rate) for _ in range(size - 1)]


if __name__ == "__main__":
    serve(search)
