"""A file as users write it, which type checkers read and nothing runs."""
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import kenga
from kenga import Folder, Problem, Puzzle, Task


def ones(genomes: NDArray[np.int64], weight: int = 1) -> NDArray[np.int64]:
    total: NDArray[np.int64] = genomes.sum(axis=1) * weight
    return total


def search(task: Task) -> None:
    population = task.random(10)
    while not task.done:
        fitness = task.evaluate(population)
        task.log(population[np.argsort(fitness)])
        population = task.random(10)


problem = Problem(ones, genes=8, values=[0, 1], maximise=True, optimum=8, dtype="uint8")
folder: Folder = kenga.run({"budget": {"evaluations": 100}}, algorithm=search, problem=problem, out="results/mine")
puzzle: Puzzle = kenga.Puzzle.read(Path("mine.txt"))[0]
answer: kenga.Answer = kenga.solve("mine.txt", seconds=1.0)
best = kenga.Task(problem, evaluations=10).best
print(0 if best is None else best.value, answer.solutions[0].shape, puzzle.grade(up_to="hard").tier)
comparison = kenga.compare([folder, "results/theirs"], metric="best_fitness", targets=[10, 1], anytime="log")
names: list[str] = [member["name"] for member in kenga.list("crossover")]
plan: kenga.Plan = kenga.sweep.plan("sweep.toml", "plan.json")
print(comparison.verdict, names, plan.runs, kenga.open("results/mine").runs["value"], kenga.TERMS, kenga.__version__)
try:
    kenga.validate(folder, replay="all")
except (kenga.Error, kenga.RunOver):
    kenga.report(folder).save("page.html")
