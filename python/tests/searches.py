"""Algorithms for tests, in a module that other processes import."""

import numpy as np

import kenga


def climb(task: kenga.Task) -> None:
    """A population of which the better half has children that differ in one gene, or in two of a row."""
    size = task.options.get("population", 20)
    population = task.random(size)
    fitness = task.evaluate(population)
    task.log(population)
    while not task.done:
        order = np.argsort(fitness, kind="stable")[: size // 2]
        children = population[order]
        for child in children:
            if task.lines:
                line = task.lines[task.rng.integers(len(task.lines))]
                free = [gene for gene in line if len(task.candidates[gene]) > 1]
                one, two = task.rng.choice(free, 2, replace=False)
                child[[one, two]] = child[[two, one]]
            else:
                gene = task.rng.integers(task.genes)
                child[gene] = task.rng.choice(task.candidates[gene])
        found = task.evaluate(children)
        if task.done:
            break
        population = np.concatenate([population[order], children])
        fitness = np.concatenate([fitness[order], found])
        task.log(population)


def priced(task: kenga.Task) -> None:
    """Says at once what it costs, unless its options say nothing of a price, and asks on when the run is over."""
    if "price" in task.options:
        task.cost = task.options["price"] + task.seed % 5
    endless(task)


def endless(task: kenga.Task) -> None:
    """Asks on when the run is over."""
    print("this is no answer")
    while True:
        task.evaluate(task.random(7))


def silent(task: kenga.Task) -> None:
    """Asks for nothing."""


def broken(task: kenga.Task) -> None:
    """Raises an error."""
    task.evaluate(task.random(3))
    raise ZeroDivisionError("a mistake of mine")


def lying(task: kenga.Task) -> None:
    """Sends a genome that is none."""
    task.evaluate(np.full((1, task.genes), 9))


class Searches:
    """A class with a function."""

    @staticmethod
    def search(task: kenga.Task) -> None:
        """As climb."""
        climb(task)
