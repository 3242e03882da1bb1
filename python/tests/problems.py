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


def strange(genomes, way):
    """Values that are none."""
    if way == "raise":
        raise RuntimeError("out of sorts")
    return {"nan": np.full(len(genomes), np.nan), "few": np.zeros(1), "fraction": np.full(len(genomes), 0.5)}[way]
