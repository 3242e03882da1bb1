"""Does crossover help? An analysis of a sweep's runs.csv that shares no code with kenga.

    kenga run --config docs/configs/crossover-question.toml --out results/crossover
    python tests/python/crossover_question.py results/crossover/runs.csv

Success rates with Wilson intervals; the Wilcoxon signed-rank test on calls to the solution, paired by replicate (the same
start for all settings), where a run without a solution is slower than every run with one and two such runs are equal;
p-values after Holm over all comparisons.
"""

import itertools
import sys

import numpy as np
import pandas as pd
from scipy.stats import binomtest, rankdata, wilcoxon

KEY = "algorithm.crossover.rate"
ALPHA = 0.05


def holm(p_values):
    """Holm's step-down adjustment, in the order given."""
    order = np.argsort(p_values)
    adjusted, running = np.empty(len(p_values)), 0.0
    for place, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = running
    return adjusted


def differences(a, b):
    """Pairs of calls, infinite without a solution, as differences; inf - inf is no difference."""
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(a - b, nan=0.0, posinf=np.inf, neginf=-np.inf)


def signed_rank(a, b, zeros):
    """The two-sided p-value; infinite differences tie as the largest."""
    d = differences(a, b)
    if not d.any():
        return 1.0
    # Ranks in place of the differences: the same test, and infinity has one.
    d = np.sign(d) * rankdata(np.abs(d))
    return wilcoxon(d, zero_method=zeros, correction=False, method="asymptotic").pvalue


def main(path):
    runs = pd.read_csv(path)
    calls = runs.evaluations_to_best + runs.moves_to_best
    runs["calls"] = np.where(runs.solved, calls, np.inf)
    rates = sorted(runs[KEY].unique())

    print(f"{'puzzle':<14} {'rate':>5} {'solved':>11} {'share (95 % Wilson)':>24} {'median calls':>13}")
    for (puzzle, rate), group in runs.groupby(["puzzle", KEY]):
        solved, count = int(group.solved.sum()), len(group)
        interval = binomtest(solved, count).proportion_ci(method="wilson")
        share = f"{solved / count:.3f} ({interval.low:.3f} to {interval.high:.3f})"
        median = np.sort(group.calls)[[(count - 1) // 2, count // 2]].mean()
        shown = "never" if np.isinf(median) else f"{median:.0f}"
        print(f"{puzzle:<14} {rate:>5} {f'{solved} of {count}':>11} {share:>24} {shown:>13}")

    rows = []
    for puzzle, group in runs.groupby("puzzle"):
        table = group.pivot(index="replicate", columns=KEY, values="calls")
        for low, high in itertools.combinations(rates, 2):
            a, b = table[low].to_numpy(), table[high].to_numpy()
            d = differences(a, b)
            p = [signed_rank(a, b, zeros) for zeros in ("pratt", "wilcox")]
            rows.append([puzzle, low, high, int((d < 0).sum()), int((d > 0).sum()), int((d == 0).sum()), *p])
    columns = ["puzzle", "a", "b", "a_faster", "b_faster", "ties", "p", "p_without_ties"]
    tests = pd.DataFrame(rows, columns=columns)
    tests["p_holm"] = holm(tests.p.to_numpy())
    print()
    print(tests.to_string(index=False, float_format=lambda p: f"{p:.3g}"))

    print()
    for test in tests.itertuples():
        faster, slower = (test.b, test.a) if test.b_faster > test.a_faster else (test.a, test.b)
        verdict = f"{faster} needs fewer calls than {slower}" if test.p_holm < ALPHA else "no difference shown"
        print(f"{test.puzzle}, {test.a} against {test.b}: {verdict} (p = {test.p_holm:.2g} after Holm)")
    helps = [
        test.puzzle
        for test in tests.itertuples()
        if test.a == 0 and test.p_holm < ALPHA and test.b_faster > test.a_faster
    ]
    where = ", ".join(f"{puzzle} ({helps.count(puzzle)} of {len(rates) - 1} rates)" for puzzle in dict.fromkeys(helps))
    print(f"Does crossover help? {'Yes, on ' + where if helps else 'Not shown.'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
