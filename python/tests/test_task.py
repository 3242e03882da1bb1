"""Tasks: ask and tell."""

import asyncio
import copy
import json
import pickle
import threading

import numpy as np
import pytest

import kenga
from conftest import PUZZLES


@pytest.fixture(params=["cells", "rows", "cages"])
def task(small, request) -> kenga.Task:
    return kenga.Task(small, request.param, seed=7, evaluations=1000)


def test_a_batch_has_a_fitness_each(task):
    fitness = task.evaluate(task.random(10))
    assert (fitness.shape, fitness.dtype, task.left, task.evaluations) == ((10,), np.int32, 990, 10)
    assert task.best.fitness == fitness.min() and task.best.genome.dtype == task.random(1).dtype == np.int64


def test_fitness_is_the_weighted_sum_of_its_terms(task):
    fitness, terms = task.terms(task.random(20))
    weights = np.array([task.weights[term] for term in kenga.TERMS])
    assert terms.shape == (20, len(kenga.TERMS)) and (terms @ weights == fitness).all()


def test_random_genomes_are_genomes(small):
    [larger] = kenga.Puzzle.read(PUZZLES / "original" / "6x6.txt")
    [sudoku] = kenga.Puzzle.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    for puzzle in (small, larger, sudoku):
        for encoding in ("cells", "rows", "cages"):
            for propagate in (False, True):
                task = kenga.Task(puzzle, encoding, propagate=propagate)
                assert len(task.evaluate(task.random(50))) == 50 or task.solved


def test_a_budget_is_never_exceeded(open_puzzle):
    task = kenga.Task(open_puzzle, evaluations=25)
    assert [len(task.evaluate(task.random(10))) for _ in range(3)] == [10, 10, 5]
    assert (task.left, task.done, task.solved) == (0, "evaluations", False)
    with pytest.raises(kenga.RunOver, match="the run is over: evaluations"):
        task.evaluate(task.random(1))
    assert task.log(task.random(3)) is None


def test_nothing_is_evaluated_after_a_solution(small):
    task = kenga.Task(small)
    solution = kenga.solve(small).solutions[0].reshape(1, -1)
    genomes = np.concatenate([task.random(3), solution, task.random(3)])
    assert len(task.evaluate(genomes)) == 4
    assert (task.done, task.solved, task.best.fitness, task.best.evaluations, task.left) == ("solved", True, 0, 4, None)
    assert small.check(task.grid(task.best.genome))


def test_the_seed_decides_the_starts(small):
    one, same, other = (kenga.Task(small, seed=3, replicate=replicate) for replicate in (0, 0, 1))
    assert one.seed == same.seed != other.seed
    assert (one.random(5) == same.random(5)).all()


def test_what_is_told_of_the_genes_is_what_may_be_sent(small):
    task = kenga.Task(small)
    assert task.genes == 16 and task.cells.tolist()[5] == [1, 1]
    assert [candidates.tolist() for candidates in task.candidates][:1] == [[1, 2, 3, 4]]
    assert [len(candidates) for candidates in task.candidates].count(1) == 1
    assert not task.lines and not task.tuples
    rows, cages = kenga.Task(small, "rows"), kenga.Task(small, "cages")
    assert [line.tolist() for line in rows.lines][0] == [0, 1, 2, 3]
    assert cages.tuples[0][0].tolist() == [0, 1, 2] and cages.tuples[0][1].dtype == np.int64
    # Differences of digits are those of numbers.
    assert (task.candidates[0] - 4).tolist() == [-3, -2, -1, 0]


@pytest.mark.parametrize(
    "genomes, said",
    [
        ([[1] * 15], "a genome has 16 digits, not 15"),
        ([[9] * 16], "gene 0 of genome 0 is 9; its candidates are 1, 2, 3, 4"),
        ([[300] * 16], "300 is no digit"),
        ([[-1] * 16], "-1 is no digit"),
        ([[1.0] * 16], "whole numbers"),
        ([1] * 16, "of the shape"),
    ],
)
def test_a_genome_that_is_none_is_refused(small, genomes, said):
    task = kenga.Task(small, evaluations=10)
    with pytest.raises(kenga.Error, match=said):
        task.evaluate(genomes)
    assert task.left == 10


def test_any_array_of_whole_numbers_will_do(small):
    task = kenga.Task(small)
    genomes = task.random(6)
    expected = task.evaluate(genomes).tolist()
    for same in (genomes.tolist(), genomes.astype(np.int64), np.asfortranarray(genomes), genomes[::-1][::-1]):
        assert task.evaluate(same).tolist() == expected
    assert task.evaluate([]).tolist() == []


def test_digits_need_not_be_consecutive():
    cells = [[row, column] for row in range(3) for column in range(3)]
    text = {"id": "even", "size": 3, "digits": [2, 4, 6], "cages": [{"op": "+", "target": 36, "cells": cells}]}
    [puzzle] = kenga.Puzzle.read(json.dumps(text))
    task = kenga.Task(puzzle)
    assert task.evaluate([[2, 4, 6, 4, 6, 2, 2, 4, 6]]).tolist() == [3]
    for digit in (0, 1, 3, 5, 7, 8, 40, 255):
        genome = [2, 4, 6, 4, 6, 2, 6, 2, digit]
        with pytest.raises(kenga.Error, match=f"gene 8 of genome 1 is {digit}; its candidates are 2, 4, 6"):
            task.evaluate([[2] * 9, genome])
    assert task.evaluations == 1


def test_lines_and_tuples_are_held(small):
    with pytest.raises(kenga.Error, match="twice in the genes"):
        kenga.Task(small, "rows").evaluate([[1] * 12 + [3, 2, 4, 1]])
    with pytest.raises(kenga.Error, match="has none of their tuples"):
        kenga.Task(small, "cages").evaluate([[1] * 12 + [3, 1, 1, 4]])


def test_populations_are_logged(small):
    task = kenga.Task(small, "rows", evaluations=100)
    population = task.random(10)
    task.evaluate(population)
    assert (task.log(population), task.log(population)) == (0, 1)
    log = task.convergence
    assert log["generation"].tolist() == [0, 1] and log["evaluations"].tolist() == [10, 10]
    assert log["best"][0] == task.best.fitness and 0 < log["diversity"][0] <= 1


def test_what_was_not_evaluated_is_not_logged(small):
    task = kenga.Task(small)
    task.evaluate(task.random(1))
    with pytest.raises(kenga.Error, match="but the best that was evaluated is"):
        task.log(kenga.solve(small).solutions[0].reshape(1, -1))


def test_a_run_can_give_up(small):
    task = kenga.Task(small)
    task.stop()
    assert task.done == "stalled"


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({"encoding": "row"}, "row"),
        ({"weights": {"cages": 3}}, "cages"),
        ({"evaluations": 0}, "evaluations"),
        ({"cages": "gaps"}, "gaps"),
        ({"replicate": -1}, "replicate"),
        ({"seed": -1}, "seed"),
        ({"instance": "one"}, "a puzzle has no instances"),
    ],
)
def test_what_a_configuration_refuses_is_refused(small, arguments, said):
    with pytest.raises(kenga.Error, match=said):
        kenga.Task(small, **arguments)


def test_a_task_takes_the_text_or_the_file_of_a_puzzle(small):
    text, file = "4:b_a4_a_6aa,m8s1a6s1m4a3d2", PUZZLES / "original" / "4x4.txt"
    for source in (text, file, str(file)):
        assert kenga.Task(source, "rows").puzzle == small
    with pytest.raises(kenga.Error, match="not int"):
        kenga.Task(3)


def test_a_task_is_not_pickled_and_says_so(small):
    for work in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="make it where it is asked"):
            work(kenga.Task(small))


def test_an_encoding_has_parameters(small):
    free = kenga.Task(small, {"name": "cells", "givens": "free"})
    assert all(len(candidates) == 4 for candidates in free.candidates)
    assert "4x4" in repr(free)


def test_threads_may_share_a_task(open_puzzle):
    task = kenga.Task(open_puzzle, evaluations=40_000)
    genomes, raised, evaluated = task.random(500), [], []

    def work():
        try:
            while not task.done:
                evaluated.append(len(task.evaluate(genomes)))
                task.log(genomes)
                assert task.left is not None and task.best is not None and task.convergence.rows >= 0
        except kenga.RunOver:
            pass
        except BaseException as bad:
            raised.append(bad)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == [] and sum(evaluated) == task.evaluations == 40_000


def test_points_come_back_in_any_order_and_count_once(open_puzzle):
    task = kenga.Task(open_puzzle, evaluations=10)
    genomes = task.random(5)
    points = task.submit(genomes)
    assert (task.evaluations, task.waiting, [point.fitness for point in points]) == (0, 5, [None] * 5)
    assert [points[place].answer() for place in (3, 0, 3, 4, 0)] == [points[place].fitness for place in (3, 0, 3, 4, 0)]
    assert (task.evaluations, task.left, task.waiting) == (3, 7, 2)
    assert task.answers["point"].tolist() == [3, 0, 4] and task.answers["evaluations"].tolist() == [1, 2, 3]
    assert task.answers["fitness"].tolist() == [points[place].fitness for place in (3, 0, 4)]
    # As good as a batch, and its best is the run's.
    assert kenga.Task(open_puzzle).evaluate(genomes[[3, 0, 4]]).tolist() == task.answers["fitness"].tolist()
    assert task.best.fitness == min(task.answers["fitness"])
    [later] = task.submit(genomes[:1])
    assert later.number == 5 and later.answer() == points[0].fitness and task.evaluations == 4


def test_points_are_copies_that_nobody_changes(open_puzzle):
    task = kenga.Task(open_puzzle)
    genomes = task.random(2)
    points, kept = task.submit(genomes), genomes.copy()
    genomes[:] = 1
    assert (points[1].genome == kept[1]).all() and points[1].answer() == kenga.Task(open_puzzle).evaluate(kept)[1]
    with pytest.raises(ValueError, match="read-only"):
        points[0].genome[0] = 1
    assert "waiting" in repr(points[0]) and "fitness" in repr(points[1])
    assert task.submit([]) == [] and kenga.Task(open_puzzle).answers.rows == 0


def test_points_that_wait_reserve_nothing_and_never_exceed_the_budget(open_puzzle):
    task = kenga.Task(open_puzzle, evaluations=3)
    points = task.submit(task.random(5))
    assert len(task.evaluate(task.random(1))) == 1
    answered = [points[place].answer() for place in (4, 1)]
    for point in (points[0], points[2], points[0]):
        with pytest.raises(kenga.RunOver, match="the run is over: evaluations"):
            point.answer()
    # What came back before stays; what waits counts nowhere.
    assert [points[4].answer(), points[1].answer()] == answered
    assert (task.evaluations, task.waiting, task.answers.rows, points[0].evaluation) == (3, 3, 2, None)
    with pytest.raises(kenga.RunOver):
        task.submit(task.random(1))


def test_a_run_may_end_while_points_wait(small):
    task = kenga.Task(small, evaluations=100)
    waiting = task.submit(task.random(2))
    [solution] = task.submit(kenga.solve(small).solutions[0].reshape(1, -1))
    assert solution.answer() == 0 and task.done == "solved" and task.best.evaluations == 1
    with pytest.raises(kenga.RunOver, match="solved"):
        waiting[0].answer()
    task = kenga.Task(small)
    waiting = task.submit(task.random(1))
    task.stop()
    with pytest.raises(kenga.RunOver, match="stalled"):
        waiting[0].answer()
    assert task.evaluations == 0


def test_a_point_that_is_no_genome_is_refused_when_it_is_handed_over(small):
    task = kenga.Task(small, "rows", evaluations=10)
    good = task.random(1)[0].tolist()
    for genomes, said in (
        ([good, [9] * 16], "gene 0 of genome 1 is 9"),
        ([good, [1] * 12 + [3, 2, 4, 1]], "twice in the genes"),
        ([good[:15]], "a genome has 16 digits, not 15"),
        ([good, [1.5] * 16], "whole numbers"),
    ):
        with pytest.raises(kenga.Error, match=said):
            task.submit(genomes)
    assert (task.waiting, task.evaluations) == (0, 0)


def test_many_threads_ask_for_the_same_points(open_puzzle):
    task = kenga.Task(open_puzzle, evaluations=1500)
    points, raised, told = task.submit(task.random(2000)), [], []

    def work(seed):
        order = np.random.default_rng(seed).permutation(len(points))
        for place in order:
            try:
                told.append((int(place), points[place].answer()))
            except kenga.RunOver:
                pass
            except BaseException as bad:
                raised.append(bad)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = task.answers
    assert raised == [] and (task.evaluations, answers.rows, task.waiting) == (1500, 1500, 500)
    assert answers["evaluations"].tolist() == list(range(1, 1501)) and len(set(answers["point"])) == 1500
    assert dict(told) == dict(zip(answers["point"].tolist(), answers["fitness"].tolist()))


def test_an_asyncio_optimiser_takes_answers_as_they_come(open_puzzle):
    task = kenga.Task(open_puzzle, evaluations=40)
    came = []

    async def worker(number):
        while not task.done:
            [point] = task.submit(task.random(1))
            # As long as the point would take elsewhere.
            await asyncio.sleep(0.001 * (number + 1))
            came.append((point.number, await point))

    async def search():
        return await asyncio.gather(*(worker(number) for number in range(4)), return_exceptions=True)

    over = asyncio.run(search())
    assert all(one is None or isinstance(one, kenga.RunOver) for one in over)
    answers = task.answers
    assert came == list(zip(answers["point"].tolist(), answers["fitness"].tolist())) and len(came) == 40
    assert answers["point"].tolist() != sorted(answers["point"]) and task.evaluations == 40
