"""A genetic algorithm in plain Python: tournaments, uniform crossover, reset mutation, the best survives.

kenga starts it as examples/programs/ga.toml says; docs/protocol.md describes what they say to each other.
"""

import json
import random
import sys


def ask(**request):
    """Send a request to kenga; return its answer."""
    print(json.dumps(request, separators=(",", ":")), flush=True)
    return json.loads(sys.stdin.readline())


def tournament(population):
    """The genome of the better one of two individuals."""
    return min(random.sample(population, 2))[1]


def child(population, candidates, rate):
    """Every gene from either of two parents, or, with a small probability, any of its candidates."""
    parents = zip(tournament(population), tournament(population))
    genes = [random.choice(pair) for pair in parents]
    return [random.choice(digits) if random.random() < rate else gene for gene, digits in zip(genes, candidates)]


def run(task):
    """One run, until kenga says that it is done."""
    random.seed(task["seed"])
    candidates, options = task["candidates"], task["options"]
    size, rate = options.get("population", 100), options.get("mutation", 1 / task["genes"])
    population, genomes = [], [[random.choice(digits) for digits in candidates] for _ in range(size)]
    while True:
        answer = ask(evaluate=genomes)
        if "done" in answer:
            return
        # Individuals are pairs of fitness and genome; lower is better.
        best = [min(population)] if population else []
        population = best + list(zip(answer["fitness"], genomes))
        if "done" in ask(population=[genome for _, genome in population]):
            return
        genomes = [child(population, candidates, rate) for _ in range(size - 1)]


if __name__ == "__main__":
    # A greeting is a run: one, or, with `reuse = true`, as many as kenga sends.
    for greeting in sys.stdin:
        run(json.loads(greeting))
