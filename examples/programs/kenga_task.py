"""A run of kenga for a program in plain Python: the part of the package's `kenga.Task` that the examples use.

An algorithm is a function of a task. `serve` makes a program of it; `kenga.run(…, algorithm=search)` of the package runs the
same function. Copy this file beside your program. docs/protocol.md describes what the two say to each other.
"""

import json
import sys


class Task:
    """A run, as kenga's greeting describes it."""

    def __init__(self, greeting):
        self.seed, self.genes = greeting["seed"], greeting["genes"]
        self.candidates, self.options = greeting["candidates"], greeting["options"]
        self.encoding = greeting["encoding"]
        self.done = None

    def evaluate(self, genomes):
        """The fitness of genomes, of only as many as the budget reaches."""
        return self._ask(evaluate=genomes)["fitness"]

    def log(self, population):
        """Log a complete generation."""
        self._ask(population=population)

    def _ask(self, **request):
        """Send a request to kenga; return its answer. When one has `done`, the run is over."""
        if self.done:
            raise RuntimeError("the run is over: " + self.done)
        print(json.dumps(request, separators=(",", ":")), flush=True)
        answer = json.loads(sys.stdin.readline())
        self.done = answer.get("done")
        return answer


def serve(search):
    """Make one run after the other. A greeting is a run: one, or, with `reuse = true`, as many as kenga sends."""
    for greeting in sys.stdin:
        search(Task(json.loads(greeting)))
