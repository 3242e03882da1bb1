"""A travelling salesman: the length of a round tour of random points.

Options: `seed`, from which the points are drawn. The number of points is that of the genes.

    python3 tsp.py 12 1        # the shortest tour of 12 points of seed 1, by an exact method: seconds for up to 15 points
"""

import json
import math
import random
import sys


def points(count, seed):
    draw = random.Random(seed)
    return [(draw.random(), draw.random()) for _ in range(count)]


def length(tour, towns):
    return sum(math.dist(towns[tour[i - 1]], towns[tour[i]]) for i in range(len(tour)))


def shortest(towns):
    """The length of the shortest round tour (M. Held, R. M. Karp 1962, doi:10.1137/0110015)."""
    start, others = len(towns) - 1, range(len(towns) - 1)
    if not others:
        return 0.0
    # The shortest way from the start through a set of towns, the last of which is known: sets are bits of a number.
    ways = {(1 << town, town): math.dist(towns[start], towns[town]) for town in others}
    for visited in range(1, 1 << len(others)):
        for last in others:
            rest = visited & ~(1 << last)
            if rest and rest != visited:
                ways[visited, last] = min(
                    ways[rest, town] + math.dist(towns[town], towns[last]) for town in others if rest >> town & 1
                )
    everywhere = (1 << len(others)) - 1
    return min(ways[everywhere, last] + math.dist(towns[last], towns[start]) for last in others)


if len(sys.argv) == 3:
    print(f"{shortest(points(int(sys.argv[1]), int(sys.argv[2]))):.6f}")
    sys.exit()
for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" in message:
        lengths = [length(tour, towns) for tour in message["evaluate"]]
        print(json.dumps({"fitness": lengths}), flush=True)
    else:
        towns = points(message["genes"], message["options"]["seed"])
