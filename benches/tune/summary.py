"""The tables of `compare.py`: python summary.py results.jsonl...

Of every tuner the mean over its tunings of what its best solves and costs on the held-out puzzles, with a 95 % interval over tunings
(Student), by seed what each solves, and the ratio of its cost to that of kenga over the seeds that both have (of the logarithms).
"""

import json
import math
import statistics
import sys
from collections import defaultdict

# Student's quantiles for 97.5 %, by degrees of freedom.
STUDENT = [math.inf, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]


def interval(values):
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, math.nan, math.nan
    half = STUDENT[min(len(values) - 1, 10)] * statistics.stdev(values) / math.sqrt(len(values))
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


def times_kenga(of, own):
    """The ratio of the costs to those of kenga, over the seeds that both have; the default has no seed."""
    cost = lambda one: one["held_out"]["mean"]
    is_default = next(iter(of.values()))["tuner"] == "default"
    pairs = [(next(iter(of.values())), one) for one in own.values()] if is_default else [(of[s], own[s]) for s in of if s in own]
    logs = [math.log(max(cost(a), 1e-9) / max(cost(b), 1e-9)) for a, b in pairs]
    if len(logs) < 2:
        return "–"
    mean, low, high = map(math.exp, interval(logs))
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def row(tuner, of, own):
    cost = [one["held_out"]["mean"] for one in of.values()]
    solved = [100 * one["held_out"]["solved"] / one["held_out"]["runs"] for _, one in sorted(of.items())]
    whole = lambda value: f"{value:.0f}"
    return [
        f"`{tuner}`",
        "" if tuner == "default" else str(len(of)),
        spread(solved, whole, 100),
        "" if tuner == "default" else " ".join(map(whole, solved)),
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
