"""An NK landscape: every gene adds a share that depends on itself and on the next K genes, around the end.

Options: `k`, how many other genes a share depends on, and `seed`, from which the shares are drawn.

Source: S. A. Kauffman, E. D. Weinberger 1989, The NK model of rugged fitness landscapes, doi:10.1016/S0022-5193(89)80019-0.
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" not in message:
        genes, k = message["genes"], message["options"]["k"]
        draw = random.Random(message["options"]["seed"])
        shares = [[draw.random() for _ in range(2 ** (k + 1))] for _ in range(genes)]
        continue
    means = []
    for genome in message["evaluate"]:
        around = genome + genome[:k]
        total = 0.0
        for gene in range(genes):
            bits = 0
            for other in around[gene : gene + k + 1]:
                bits = 2 * bits + other
            total += shares[gene][bits]
        means.append(total / genes)
    print(json.dumps({"fitness": means}), flush=True)
