"""The table of `compare.py`: python summary.py results.jsonl

Of every tuner the mean over its tunings of what its best costs on the held-out puzzles, with a 95 % interval over tunings (Student), and
its ratio to kenga over the seeds that both have (of the logarithms).
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


def main():
    found = defaultdict(dict)
    for line in open(sys.argv[1]):
        one = json.loads(line)
        found[one["scenario"], one["tuner"]][one["seed"]] = one
    print("| scenario | tuner | tunings | solved, % | cost on held-out puzzles (95 %) | times kenga (95 %) | calls used |")
    print("|---|---|---|---|---|---|---|")
    for (scenario, tuner), of in found.items():
        cost = lambda one: one["held_out"]["mean"]
        mean, low, high = interval([cost(one) for one in of.values()])
        solved = statistics.fmean(100 * one["held_out"]["solved"] / one["held_out"]["runs"] for one in of.values())
        own = found[scenario, "kenga"]
        logs = [math.log(max(cost(of[s]), 1e-9) / max(cost(own[s]), 1e-9)) for s in of if s in own]
        if tuner == "default" and own:
            default = cost(next(iter(of.values())))
            logs = [math.log(default / cost(one)) for one in own.values()]
        times = "1" if tuner == "kenga" else "–"
        if tuner != "kenga" and logs:
            a, b, c = map(math.exp, interval(logs)) if len(logs) > 1 else (math.exp(logs[0]), math.nan, math.nan)
            times = f"{a:.2f} ({b:.2f} to {c:.2f})"
        used = statistics.fmean(one["used"] for one in of.values())
        print(f"| {scenario} | {tuner} | {len(of)} | {solved:.0f} | {words(mean)} ({words(low)} to {words(high)}) | {times} | {words(used)} |")


if __name__ == "__main__":
    main()
