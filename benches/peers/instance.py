"""A puzzle in kenga's canonical JSON as cells, digits, distinct groups and clues."""

import math

MOST_TUPLES = 20_000
MOST_STEPS = 2_000_000


class TooMany(Exception):
    """More tuples or steps than allowed."""


def usual_boxes(size):
    """The most square boxes, wider than high."""
    rows = max(rows for rows in range(1, math.isqrt(size) + 1) if size % rows == 0)
    return rows, size // rows


class Instance:
    def __init__(self, puzzle):
        kind = puzzle.get("kind", "kenken")
        self.distinct, self.clues = [], []
        if kind == "kakuro":
            runs = [(run.get("target", run.get("sum")), list(map(tuple, run["cells"]))) for run in puzzle["runs"]]
            self.cells = sorted({cell for _, cells in runs for cell in cells})
            for target, cells in runs:
                self.clue("+", target, cells, distinct=True)
        else:
            self.square(puzzle, kind)
        size = 9 if kind == "kakuro" else puzzle["size"]
        self.digits = sorted(puzzle.get("digits", range(1, size + 1)))
        for row, column, digit in puzzle.get("givens", []):
            self.clues.append(("=", digit, [(row, column)]))
        for group in puzzle.get("groups", []):
            if group["distinct"]:
                self.distinct.append(list(map(tuple, group["cells"])))
        lines = {cell: set() for cell in self.cells}
        for index, group in enumerate(self.distinct):
            for cell in group:
                lines[cell].add(index)
        self.lines = lines

    def square(self, puzzle, kind):
        size = range(puzzle["size"])
        self.cells = [(row, column) for row in size for column in size]
        self.distinct += [[(row, column) for column in size] for row in size]
        self.distinct += [[(row, column) for row in size] for column in size]
        if kind in ("sudoku", "killer"):
            rows, cols = puzzle.get("box") or usual_boxes(puzzle["size"])
            boxes = {}
            for row, column in self.cells:
                boxes.setdefault((row // rows, column // cols), []).append((row, column))
            self.distinct += boxes.values()
        for cage in puzzle.get("cages", []):
            repeats = cage.get("repeats", kind != "killer")
            self.clue(cage.get("op", "+"), cage["target"], list(map(tuple, cage["cells"])), not repeats)

    def clue(self, op, target, cells, distinct):
        self.clues.append(("=" if len(cells) == 1 else op, target, cells))
        if distinct and len(cells) > 1:
            self.distinct.append(cells)

    def tuples(self, op, target, cells):
        """Every way in which cells make a target, lines considered; None when there are too many."""
        clashes = [
            [earlier for earlier in range(index) if self.lines[cells[earlier]] & self.lines[cell]]
            for index, cell in enumerate(cells)
        ]
        found, prefix, steps = [], [], 0

        def extend():
            nonlocal steps
            if len(prefix) == len(cells):
                if holds(op, target, prefix):
                    found.append(tuple(prefix))
                if len(found) > MOST_TUPLES:
                    raise TooMany
                return
            taken = {prefix[earlier] for earlier in clashes[len(prefix)]}
            for digit in self.digits:
                if digit in taken:
                    continue
                steps += 1
                if steps > MOST_STEPS:
                    raise TooMany
                prefix.append(digit)
                if may_hold(op, target, prefix, len(cells) - len(prefix), self.digits):
                    extend()
                prefix.pop()

        try:
            extend()
        except TooMany:
            return None
        return found

    def for_gecode(self):
        """What gecode_exact reads; None when a clue that is no sum or product has too many tuples."""
        index = {cell: number for number, cell in enumerate(self.cells)}
        words = [len(self.cells), len(self.digits), *self.digits, len(self.distinct)]
        for group in self.distinct:
            words += [len(group), *(index[cell] for cell in group)]
        words.append(len(self.clues))
        for op, target, cells in self.clues:
            tuples = self.tuples(op, target, cells)
            cells = [index[cell] for cell in cells]
            if tuples is not None:
                words += ["t", len(cells), *cells, len(tuples), *(digit for one in tuples for digit in one)]
            elif op in ("+", "*"):
                words += [op, len(cells), *cells, target]
            else:
                return None
        return " ".join(map(str, words))


def may_hold(op, target, prefix, rest, digits):
    """Whether a prefix may still be completed; yes in doubt."""
    low, high = digits[0], digits[-1]
    if op in ("+", "mean"):
        target *= len(prefix) + rest if op == "mean" else 1
        return sum(prefix) + rest * low <= target <= sum(prefix) + rest * high
    product = math.prod(prefix)
    if op == "*" and target:
        return product != 0 and target % product == 0 and target <= product * high**rest
    if op == "-":
        return sum(prefix) + rest * low <= 2 * high - target
    if op == "/" and target:
        return product != 0 and product * target <= high * high
    return True


def holds(op, target, digits):
    total, product = sum(digits), math.prod(digits)
    if op == "-":
        return any(2 * digit - total == target for digit in digits)
    if op == "/":
        return any(
            (others := math.prod(digits[:i] + digits[i + 1 :])) and others * target == digit
            for i, digit in enumerate(digits)
        )
    if op == "?":
        pair = len(digits) == 2 and (holds("-", target, digits) or holds("/", target, digits))
        return total == target or product == target or pair
    if op in ("%", "^"):
        remainder = lambda a, b: b != 0 and a % b == target
        power = lambda a, b: a**b == target
        rule = remainder if op == "%" else power
        return rule(*digits) or rule(*reversed(digits))
    return target == {
        "+": lambda: total,
        "mean": lambda: total / len(digits),
        "*": lambda: product,
        "=": lambda: digits[0],
        "min": lambda: min(digits),
        "max": lambda: max(digits),
        "gcd": lambda: math.gcd(*digits),
        "lcm": lambda: math.lcm(*digits),
    }[op]()
