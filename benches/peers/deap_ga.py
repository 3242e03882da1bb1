"""The original's genetic algorithm on DEAP, cell-coded: evaluations a CPU second of the whole loop.

    python deap_ga.py puzzles/4x4.json puzzles/6x6.json puzzles/9x9.json
"""

import argparse
import json
import random
import time

from deap import base, creator, tools

POPULATION = 80
CROSSOVER_RATE = 0.9
MUTATION_RATE = 0.02
OFFSET = 1000


class Fitness:
    """count + row pairs + column pairs + 10 x unsatisfied cages, counting its calls."""

    def __init__(self, puzzle):
        n = self.n = puzzle["size"]
        self.calls = 0
        self.digits = range(1, n + 1)
        self.rows = [slice(row * n, row * n + n) for row in range(n)]
        self.columns = [slice(column, n * n, n) for column in range(n)]
        self.lines = self.rows + self.columns
        self.pairs, self.sums, self.products = [], [], []
        for cage in puzzle["cages"]:
            cells = [row * n + column for row, column in cage["cells"]]
            if len(cells) == 2:
                self.pairs.append((*cells, self.satisfying(cage["op"], cage["target"])))
            elif cage["op"] == "*":
                self.products.append((cells, cage["target"]))
            elif cage["op"] == "+" or len(cells) == 1:
                self.sums.append((cells, cage["target"]))
            else:
                raise ValueError(f"{cage['op']} over {len(cells)} cells")

    def satisfying(self, op, target):
        """The pairs of digits that satisfy a cage of two cells."""
        holds = {
            "+": lambda a, b: a + b == target,
            "*": lambda a, b: a * b == target,
            "-": lambda a, b: abs(a - b) == target,
            "/": lambda a, b: a == b * target or b == a * target,
        }[op]
        return frozenset((a, b) for a in self.digits for b in self.digits if holds(a, b))

    def __call__(self, genes):
        self.calls += 1
        n = self.n
        fitness = 0
        for digit in self.digits:
            fitness += abs(genes.count(digit) - n)
        for cells in self.lines:
            line = genes[cells]
            different = set(line)
            if len(different) < n:
                for digit in different:
                    times = line.count(digit)
                    fitness += times * (times - 1) // 2
        for a, b, satisfying in self.pairs:
            if (genes[a], genes[b]) not in satisfying:
                fitness += 10
        for cells, target in self.sums:
            total = 0
            for cell in cells:
                total += genes[cell]
            if total != target:
                fitness += 10
        for cells, target in self.products:
            total = 1
            for cell in cells:
                total *= genes[cell]
            if total != target:
                fitness += 10
        return fitness


creator.create("Score", base.Fitness, weights=(1.0,))
creator.create("Individual", list, fitness=creator.Score)


def clone(individual):
    """A copy of the genes: DEAP's default, copy.deepcopy, takes many times as long."""
    return creator.Individual(individual)


def toolbox_for(fitness):
    n = fitness.n
    toolbox = base.Toolbox()
    toolbox.register("digit", random.randint, 1, n)
    toolbox.register("individual", tools.initRepeat, creator.Individual, toolbox.digit, n * n)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", lambda genes: (OFFSET - fitness(genes),))
    toolbox.register("select", tools.selRoulette)
    toolbox.register("mate", tools.cxOnePoint)
    toolbox.register("mutate", tools.mutShuffleIndexes, indpb=MUTATION_RATE)
    toolbox.register("clone", clone)
    return toolbox


def evaluate_all(population, toolbox):
    for individual, score in zip(population, map(toolbox.evaluate, population)):
        individual.fitness.values = score


def score_of(individual):
    return individual.fitness.wvalues


def step(population, toolbox):
    """One generation: eighty children, all of them evaluated, the old best kept."""
    best = max(population, key=score_of)
    offspring = [toolbox.clone(parent) for parent in toolbox.select(population, POPULATION)]
    for first, second in zip(offspring[::2], offspring[1::2]):
        if random.random() < CROSSOVER_RATE:
            toolbox.mate(first, second)
    for child in offspring:
        toolbox.mutate(child)
    evaluate_all(offspring, toolbox)
    if score_of(best) > max(map(score_of, offspring)):
        worst = min(range(POPULATION), key=lambda index: score_of(offspring[index]))
        offspring[worst] = best
    return offspring


def measure(path, generations, seed):
    with open(path, encoding="utf-8") as file:
        fitness = Fitness(json.load(file))
    toolbox = toolbox_for(fitness)
    random.seed(seed)
    start = time.process_time()
    population = toolbox.population(n=POPULATION)
    evaluate_all(population, toolbox)
    for _ in range(generations):
        population = step(population, toolbox)
    return {"evaluations": fitness.calls, "cpu_s": time.process_time() - start}


def check(path):
    """Fails unless the puzzle's solution has fitness 0, and every grid one digit away what that digit breaks."""
    with open(path, encoding="utf-8") as file:
        puzzle = json.load(file)
    fitness = Fitness(puzzle)
    genes = [digit for row in puzzle["solution"] for digit in row]
    assert fitness(genes) == 0
    for cell, digit in enumerate(genes):
        other = genes[:cell] + [digit % puzzle["size"] + 1] + genes[cell + 1 :]
        # One digit too few, one too many, a pair in the row, one in the column; a cage unless it holds by chance.
        assert fitness(other) in (4, 4 + 10), (path, cell)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("puzzles", nargs="+", metavar="PUZZLE")
    parser.add_argument("--generations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="a JSON object a puzzle")
    parser.add_argument("--check", action="store_true", help="check the fitness instead")
    arguments = parser.parse_args()
    for path in arguments.puzzles:
        if arguments.check:
            check(path)
            continue
        sample = measure(path, arguments.generations, arguments.seed)
        if arguments.json:
            print(json.dumps(sample))
        else:
            rate = sample["evaluations"] / sample["cpu_s"] / 1000
            print(f"{path}: {rate:.1f} thousand evaluations a CPU second")


if __name__ == "__main__":
    main()
