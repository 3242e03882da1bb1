"""A travelling salesman: the length of a round tour of random points.

Options: `seed`, from which the points are drawn. The number of points is that of the genes.
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


for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" in message:
        lengths = [length(tour, towns) for tour in message["evaluate"]]
        print(json.dumps({"fitness": lengths}), flush=True)
    else:
        towns = points(message["genes"], message["options"]["seed"])
