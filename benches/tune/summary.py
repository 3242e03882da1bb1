"""The tables of `compare.py`: python summary.py results.jsonl...

Of every tuner the mean over its tunings of what its best solves and costs on the held-out puzzles, with a 95 % interval over tunings
(Student), by seed what each solves, of more than ten the least and the quartiles, and the ratio of its cost to that of kenga (geometric
means over tunings, with Welch's interval of the logarithms).
"""

import json
import math
import statistics
import sys
from collections import defaultdict

# Student's quantiles for 97.5 %, by degrees of freedom; beyond ten Cornish and Fisher's expansion is exact to three digits.
STUDENT = [math.inf, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]


def student(freedom):
    if freedom < len(STUDENT):
        return STUDENT[freedom]
    z = statistics.NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def interval(values):
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, math.nan, math.nan
    half = student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def words(value):
    if math.isnan(value):
        return "–"
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def spread(values, word, most=math.inf):
    """The mean with its interval, within 0 and the most that there can be."""
    mean, low, high = interval(values)
    if math.isnan(low):
        return word(mean)
    return f"{word(mean)} ({word(max(low, 0))} to {word(min(high, most))})"


def each(values, word):
    if len(values) <= 10:
        return " ".join(map(word, values))
    quartiles = " ".join(map(word, statistics.quantiles(values, method="inclusive")))
    return f"least {word(min(values))}, quartiles {quartiles}"


def times_kenga(of, own):
    """The ratio of the geometric means of the costs to that of kenga, with Welch's interval; the default is one configuration."""
    logs, others = ([math.log(max(one["held_out"]["mean"], 1e-9)) for one in some.values()] for some in (of, own))
    if len(others) < 2:
        return "–"
    parts = [(statistics.variance(some) / len(some), len(some) - 1) for some in (logs, others) if len(some) > 1]
    error = sum(variance for variance, _ in parts)
    freedom = error**2 / sum(variance**2 / degrees for variance, degrees in parts)
    middle, half = statistics.fmean(logs) - statistics.fmean(others), student(math.floor(freedom)) * math.sqrt(error)
    return f"{math.exp(middle):.2f} ({math.exp(middle - half):.2f} to {math.exp(middle + half):.2f})"


def row(tuner, of, own):
    cost = [one["held_out"]["mean"] for one in of.values()]
    solved = [100 * one["held_out"]["solved"] / one["held_out"]["runs"] for _, one in sorted(of.items())]
    whole = lambda value: f"{value:.0f}"
    return [
        f"`{tuner}`",
        "" if tuner == "default" else str(len(of)),
        spread(solved, whole, 100),
        "" if tuner == "default" else each(solved, whole),
        spread(cost, words),
        "1" if tuner == "kenga" else times_kenga(of, own),
        "" if tuner == "default" else words(statistics.fmean(one["used"] for one in of.values())),
    ]


def main():
    found = defaultdict(lambda: defaultdict(dict))
    for file in sys.argv[1:]:
        for line in open(file):
            one = json.loads(line)
            found[one["scenario"]][one["tuner"]][one["seed"]] = one
    for scenario, tuners in found.items():
        print(f"\n{scenario}\n")
        print("| tuner | tunings | solved, % | each | cost | times kenga | calls used |")
        print("|---|---|---|---|---|---|---|")
        for tuner, of in tuners.items():
            print("| " + " | ".join(row(tuner, of, tuners.get("kenga", {}))) + " |")


if __name__ == "__main__":
    main()
