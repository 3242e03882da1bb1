"""A knapsack: the worth of what is packed, 0 where that is too heavy.

Options: `seed`, from which weights and worths are drawn. A gene is 1 where its thing is packed; half of all weight fits.
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" not in message:
        draw = random.Random(message["options"]["seed"])
        things = [(draw.randint(1, 100), draw.randint(1, 100)) for _ in range(message["genes"])]
        room = sum(weight for weight, _ in things) // 2
        continue
    worths = []
    for genome in message["evaluate"]:
        packed = [thing for thing, gene in zip(things, genome) if gene]
        fits = sum(weight for weight, _ in packed) <= room
        worths.append(sum(worth for _, worth in packed) if fits else 0)
    print(json.dumps({"fitness": worths}), flush=True)
