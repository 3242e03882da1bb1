"""A search of your own, in plain Python. kenga starts it as program.toml says,
one process a run.

It reads a line of JSON, the greeting. Then every line that it writes is a
request, and every line that it reads is the answer, until an answer has "done".
`kenga guide protocol` describes all requests, for programs in any language.
"""

import json
import random
import sys


def ask(**request):
    """Send a request to kenga; return its answer. The program ends when the run is over."""
    print(json.dumps(request), flush=True)
    answer = json.loads(sys.stdin.readline())
    if "done" in answer:
        sys.exit(0)
    return answer


def mutated(genome, candidates, rate):
    """A copy in which each gene gets another of its digits with a probability."""
    return [random.choice(digits) if random.random() < rate else gene for gene, digits in zip(genome, candidates)]


def main():
    """The best of the parent and its children is the next parent. Lower fitness is better; 0 is solved."""
    run = json.loads(sys.stdin.readline())
    random.seed(run["seed"])
    candidates, options = run["candidates"], run["options"]
    parent = [random.choice(digits) for digits in candidates]
    fitness = ask(evaluate=[parent])["fitness"][0]
    while True:
        children = [mutated(parent, candidates, options["rate"]) for _ in range(options["children"])]
        for child, value in zip(children, ask(evaluate=children)["fitness"]):
            if value <= fitness:
                parent, fitness = child, value
        # kenga records the generation in convergence.csv.
        ask(population=[parent])


main()
