"""Problems for tests, in a module that other processes import."""

import numpy as np


def ones(genomes):
    """How many genes are one."""
    return genomes.sum(axis=1)


def lengths(genomes, seed=1):
    """The lengths of round trips through points of a square."""
    points = np.random.default_rng(seed).random((genomes.shape[1], 2))
    route = points[genomes]
    return np.linalg.norm(route - np.roll(route, 1, axis=1), axis=2).sum(axis=1)


def attacks(genomes):
    """How many pairs of queens attack each other, a queen in each row; as one writes it who thinks of numbers."""
    total = np.zeros(len(genomes))
    for one in range(genomes.shape[1]):
        for two in range(one):
            total += np.abs(genomes[:, one] - genomes[:, two]) == one - two
    return total


def widths(genomes):
    """How many bytes a number of theirs has."""
    return np.full(len(genomes), genomes.dtype.itemsize)


def strange(genomes, way):
    """Values that are none."""
    if way == "raise":
        raise RuntimeError("out of sorts")
    return {"nan": np.full(len(genomes), np.nan), "few": np.zeros(1), "fraction": np.full(len(genomes), 0.5)}[way]


def climb(task):
    """Changes one gene, or exchanges two, and keeps what is not worse."""
    parent = task.random(1)
    fitness = task.evaluate(parent)
    task.log(parent)
    while not task.done:
        child = parent.copy()
        if task.lines:
            one, two = task.rng.choice(task.lines[0], 2, replace=False)
            child[0, [one, two]] = child[0, [two, one]]
        else:
            gene = task.rng.integers(task.genes)
            child[0, gene] = task.rng.choice(task.candidates[gene])
        found = task.evaluate(child)
        if len(found) and found[0] <= fitness[0]:
            parent, fitness = child, found
        task.log(parent)
