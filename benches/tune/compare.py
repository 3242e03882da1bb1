"""Tuners side by side: kenga tune, random search, Optuna's TPE, SMAC3 and irace, with the same budget in calls.

    python compare.py --kenga PATH --scenario ga-6x6 --budget 4_000_000 --repeats 3 --out results.jsonl

Every tuner sees the space of SCENARIO.toml beside this file, its default, its training puzzles and the cost of a run: calls to the
solution, failures counting ten budgets (or the best fitness). The others run kenga by its command line. The best of each is run on
the held-out puzzles. One JSON line a tuning; `summary.py` makes the table.
"""

import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Blocks on which tuners without a race of their own run every configuration.
BLOCKS = 10

# The same for the second random search: fewer runs tell less of a point, and leave more points.
FEW_BLOCKS = 3


class Spent(Exception):
    """The budget is spent."""


class Axis:
    def __init__(self, key, value):
        self.key, self.when = key, None
        if isinstance(value, dict) and "from" in value:
            self.low, self.high = value["from"], value["to"]
            self.log = value.get("scale") == "log"
            self.whole = isinstance(self.low, int) and isinstance(self.high, int)
            self.choices = None
        else:
            self.choices = value["values"] if isinstance(value, dict) else value
        if isinstance(value, dict) and "when" in value:
            self.when = value["when"].split()

    def holds(self, point):
        if self.when is None:
            return True
        key, operator, word = self.when
        return (str(point.get(key)) == word) == (operator == "==")

    def value(self, raw):
        """What stands in the configuration for a raw value: of a choice its index."""
        return self.choices[raw] if self.choices is not None else raw


class Scenario:
    def __init__(self, name):
        self.file = HERE / f"{name}.toml"
        self.toml = tomllib.loads(self.file.read_text())
        self.axes = [Axis(k, v) for k, v in self.toml["sweep"].items()]
        budget = self.toml["budget"]
        self.worst = budget["evaluations"] + budget["moves"]
        self.by_fitness = self.toml["tune"].get("cost") == "best_fitness"
        self.training = self.puzzles(self.toml["puzzles"])
        self.held_out = self.puzzles(self.toml["tune"]["validate"])

    def puzzles(self, files):
        return [line for f in files for line in (HERE / f).read_text().splitlines()]

    def default(self):
        """The raw values of the default."""
        point = {}
        for axis in self.axes:
            value = self.toml
            for part in axis.key.split("."):
                if isinstance(value, str):
                    value = {"name": value}
                value = value.get(part) if isinstance(value, dict) else None
            if axis.key == "propagate" and value is None:
                value = False
            if isinstance(value, dict) and "name" in value:
                value = value["name"]
            if axis.choices is not None:
                point[axis.key] = axis.choices.index(value)
            elif value is None:
                point[axis.key] = axis.low
            else:
                point[axis.key] = value
        return point

    def assignments(self, raw):
        """The configuration of raw values, as `--set` takes it; keys whose condition fails are left out."""
        point, text = {}, []
        for axis in self.axes:
            if axis.holds(point):
                point[axis.key] = axis.value(raw[axis.key])
                text.append(f"{axis.key}={toml_value(point[axis.key])}")
        return text


def toml_value(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value)


class Kenga:
    """Runs kenga, and counts calls."""

    def __init__(self, binary, scenario, budget, work):
        self.binary, self.scenario, self.budget, self.work = binary, scenario, budget, Path(work)
        self.used = self.runs = 0
        base = {k: v for k, v in scenario.toml.items() if k not in ("sweep", "tune", "puzzles")}
        self.base = self.work / "base.toml"
        self.base.write_text("".join(f"{k} = {toml_value(v)}\n" for k, v in base.items()))
        self.number = 0

    def rows(self, raw, puzzles, seed, replicates):
        self.number += 1
        files = self.work / f"p{self.number}.jsonl"
        files.write_text("\n".join(puzzles) + "\n")
        out = self.work / f"o{self.number}"
        command = [self.binary, "run", "--config", self.base, "--puzzle", files, "--seed", str(seed), "--runs", str(replicates)]
        for text in self.scenario.assignments(raw):
            command += ["--set", text]
        done = subprocess.run([*command, "--jobs", "1", "--quiet", "--out", out], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stderr}")
        with open(out / "runs.csv") as file:
            rows = list(csv.DictReader(file))
        subprocess.run(["rm", "-rf", out, files])
        return rows

    def cost(self, row):
        if self.scenario.by_fitness:
            return float(row["best_fitness"])
        if row["solved"] == "true":
            return float(int(row["evaluations_to_best"]) + int(row["moves_to_best"]))
        return 10.0 * self.scenario.worst

    def run(self, raw, puzzle, seed):
        """The cost of one training run and its calls; refuses to begin what could exceed the budget."""
        if self.used + self.scenario.worst > self.budget:
            raise Spent
        row = self.rows(raw, [self.scenario.training[puzzle]], seed, 1)[0]
        calls = int(row["evaluations"]) + int(row["moves"])
        self.used += calls
        self.runs += 1
        return self.cost(row), calls

    def blocks(self, raw, seed, report=None, count=BLOCKS):
        """The mean cost over the first blocks: each training puzzle in turn."""
        costs = []
        for block in range(count):
            costs.append(self.run(raw, block % len(self.scenario.training), seed + block // len(self.scenario.training))[0])
            if report and report(block, sum(costs) / len(costs)):
                break
        return sum(costs) / len(costs), len(costs) == count

    def validate(self, raw, replicates):
        rows = self.rows(raw, self.scenario.held_out, 987_654, replicates)
        costs = [self.cost(row) for row in rows]
        solved = sum(row["solved"] == "true" for row in rows)
        return {"mean": sum(costs) / len(costs), "solved": solved, "runs": len(rows)}


def draw(scenario, rng):
    raw = {}
    for axis in scenario.axes:
        if axis.choices is not None:
            raw[axis.key] = rng.randrange(len(axis.choices))
        else:
            low, high = (math.log(axis.low), math.log(axis.high)) if axis.log else (axis.low, axis.high)
            value = low + rng.random() * (high - low)
            value = math.exp(value) if axis.log else value
            raw[axis.key] = round(value) if axis.whole else value
    return raw


def by_random(kenga, scenario, seed, blocks=BLOCKS):
    rng, best = random.Random(seed), (math.inf, scenario.default())
    raw = scenario.default()
    try:
        while True:
            mean, _ = kenga.blocks(raw, seed, count=blocks)
            best = min(best, (mean, raw), key=lambda pair: pair[0])
            raw = draw(scenario, rng)
    except Spent:
        return best[1]


def by_optuna(kenga, scenario, seed):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True, n_startup_trials=10)
    pruner = optuna.pruners.MedianPruner(n_startup_trials=5, n_warmup_steps=2)
    study = optuna.create_study(sampler=sampler, pruner=pruner)
    study.enqueue_trial({k: v for k, v in scenario.default().items() if active(scenario, scenario.default(), k)})

    def objective(trial):
        raw, point = {}, {}
        for axis in scenario.axes:
            if not axis.holds(point):
                continue
            if axis.choices is not None:
                raw[axis.key] = trial.suggest_categorical(axis.key, list(range(len(axis.choices))))
            elif axis.whole:
                raw[axis.key] = trial.suggest_int(axis.key, axis.low, axis.high, log=axis.log)
            else:
                raw[axis.key] = trial.suggest_float(axis.key, axis.low, axis.high, log=axis.log)
            point[axis.key] = axis.value(raw[axis.key])
        trial.set_user_attr("raw", raw)

        def report(step, mean):
            trial.report(mean, step)
            if trial.should_prune():
                raise optuna.TrialPruned
            return False

        return kenga.blocks(raw, seed, report)[0]

    try:
        study.optimize(objective, n_trials=1_000_000)
    except Spent:
        pass
    done = [t for t in study.trials if t.state == optuna.trial.TrialState.COMPLETE]
    if not done:
        return scenario.default()
    return min(done, key=lambda t: t.value).user_attrs["raw"]


def active(scenario, raw, key):
    return any(text.startswith(f"{key}=") for text in scenario.assignments(raw))


def by_smac(kenga, scenario, seed):
    from ConfigSpace import Categorical, ConfigurationSpace, EqualsCondition, Float, Integer, NotEqualsCondition
    from smac import AlgorithmConfigurationFacade as Facade
    from smac import Scenario as SmacScenario
    from smac.runhistory.dataclasses import TrialValue

    space, default = ConfigurationSpace(seed=seed), scenario.default()
    made = {}
    for axis in scenario.axes:
        first = default[axis.key]
        if axis.choices is not None:
            made[axis.key] = Categorical(axis.key, list(range(len(axis.choices))), default=first)
        elif axis.whole:
            made[axis.key] = Integer(axis.key, (axis.low, axis.high), log=axis.log, default=first)
        else:
            made[axis.key] = Float(axis.key, (axis.low, axis.high), log=axis.log, default=float(first))
    space.add(*made.values())
    for axis in scenario.axes:
        if axis.when:
            key, operator, word = axis.when
            parent = next(a for a in scenario.axes if a.key == key)
            index = parent.choices.index(word)
            kind = EqualsCondition if operator == "==" else NotEqualsCondition
            space.add(kind(made[axis.key], made[key], index))
    count = len(scenario.training)
    names = [f"p{i}" for i in range(count)]
    settings = SmacScenario(
        space, n_trials=1_000_000, seed=seed, deterministic=False, instances=names,
        instance_features={name: [i] for i, name in enumerate(names)}, output_directory=kenga.work / "smac",
    )

    def asked_and_told(config, instance, seed=0):
        raise AssertionError("runs are made between ask and tell")

    facade = Facade(settings, asked_and_told, overwrite=True, logging_level=50)
    raw_of = lambda config: {axis.key: dict(config).get(axis.key, default[axis.key]) for axis in scenario.axes}
    try:
        while True:
            trial = facade.ask()
            raw = {k: v.item() if hasattr(v, "item") else v for k, v in raw_of(trial.config).items()}
            cost, _ = kenga.run(raw, int(trial.instance[1:]), trial.seed % 2**31)
            facade.tell(trial, TrialValue(cost=cost))
    except Spent:
        pass
    history = facade.runhistory
    best = facade.intensifier.get_incumbents()
    if not best:
        return default
    best = min(best, key=lambda config: history.average_cost(config))
    return {k: v.item() if hasattr(v, "item") else v for k, v in raw_of(best).items()}


def by_irace(kenga, scenario, seed):
    """irace in R, whose `maxTime` counts calls; it asks `irace_runner.py` for every run."""
    work = kenga.work
    names = {axis.key: f"x{i}" for i, axis in enumerate(scenario.axes)}
    lines = []
    for axis in scenario.axes:
        if axis.choices is not None:
            kind, domain = "c", ", ".join(str(i) for i in range(len(axis.choices)))
        else:
            kind = ("i" if axis.whole else "r") + (",log" if axis.log else "")
            domain = f"{axis.low}, {axis.high}"
        when = ""
        if axis.when:
            key, operator, word = axis.when
            parent = next(a for a in scenario.axes if a.key == key)
            when = f' | {names[key]} {operator} "{parent.choices.index(word)}"'
        lines.append(f'{names[axis.key]} "{axis.key}=" {kind} ({domain}){when}')
    (work / "parameters.txt").write_text("\n".join(lines) + "\n")
    default = scenario.default()
    point = scenario.assignments(default)
    held = [a for a in scenario.axes if any(t.startswith(f"{a.key}=") for t in point)]
    cells = [str(default[a.key]) if a in held else "NA" for a in scenario.axes]
    (work / "default.txt").write_text(" ".join(names[a.key] for a in scenario.axes) + "\n" + " ".join(cells) + "\n")
    (work / "instances.txt").write_text("".join(f"{i}\n" for i in range(len(scenario.training))))
    (work / "runner").write_text(f"#!/bin/sh\nexec {sys.executable} {HERE}/compare.py --irace-run {work} \"$@\"\n")
    os.chmod(work / "runner", 0o755)
    (work / "state.json").write_text(json.dumps({
        "binary": str(kenga.binary), "scenario": scenario.file.stem.removeprefix("tune-"), "budget": kenga.budget,
    }))
    (work / "used").write_text("0 0\n")
    code = f"""
library(irace)
parameters <- readParameters("{work}/parameters.txt", digits = 6)
scenario <- checkScenario(list(targetRunner = "{work}/runner", maxTime = {kenga.budget}, budgetEstimation = 0.05, minMeasurableTime = 1,
  trainInstancesFile = "{work}/instances.txt", trainInstancesDir = "", configurationsFile = "{work}/default.txt",
  digits = 6, seed = {seed}, logFile = "{work}/irace.Rdata", execDir = "{work}", debugLevel = 0))
best <- irace(scenario, parameters)
write.table(getFinalElites("{work}/irace.Rdata", n = 1), "{work}/best.txt", quote = FALSE, row.names = FALSE)
"""
    (work / "run.R").write_text(code)
    done = subprocess.run(["Rscript", work / "run.R"], capture_output=True, text=True)
    used, runs = (work / "used").read_text().split()
    kenga.used, kenga.runs = int(used), int(runs)
    if not (work / "best.txt").exists():
        sys.stderr.write(done.stdout[-1500:] + done.stderr[-1500:])
        return default
    head, row = [line.split() for line in (work / "best.txt").read_text().splitlines()[:2]]
    found = dict(zip(head, row))
    raw = dict(default)
    for axis in scenario.axes:
        cell = found[names[axis.key]]
        if cell not in ("NA", "<NA>"):
            raw[axis.key] = int(float(cell)) if axis.choices is not None or axis.whole else float(cell)
    return raw


def irace_run(work, arguments):
    """One run for irace: prints its cost and its calls."""
    work = Path(work)
    state = json.loads((work / "state.json").read_text())
    _, _, seed, instance, *words = arguments
    scenario = Scenario(state["scenario"])
    raw = scenario.default()
    for word in words:
        key, _, cell = word.partition("=")
        axis = next(a for a in scenario.axes if a.key == key)
        raw[key] = int(float(cell)) if axis.choices is not None or axis.whole else float(cell)
    with tempfile.TemporaryDirectory() as folder:
        kenga = Kenga(state["binary"], scenario, math.inf, folder)
        cost, calls = kenga.run(raw, int(Path(instance).name), int(seed) % 2**31)
    used, runs = map(int, (work / "used").read_text().split())
    (work / "used").write_text(f"{used + calls} {runs + 1}\n")
    print(cost, max(calls, 1))


def by_kenga(kenga, scenario, seed, more=()):
    out = kenga.work / "tuned"
    command = [
        kenga.binary, "tune", "--config", scenario.file, "--seed", str(seed), "--jobs", "1", "--json",
        "--set", f"tune.budget={kenga.budget}", "--set", "tune.validate=[]", "--set", "tune.ablation=0.0", "--out", out,
    ]
    for text in more:
        command += ["--set", text]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    told = json.loads(done.stdout)
    kenga.used, kenga.runs = told["used"], told["runs"]
    raw = scenario.default()
    for axis in scenario.axes:
        value = told["best"]["values"][axis.key]
        if value is None:
            continue
        if isinstance(value, dict) and set(value) == {"name"}:
            value = value["name"]
        raw[axis.key] = place(axis.choices, value) if axis.choices is not None else value
    return raw


def place(choices, value):
    """The index of a value: the default's may be resolved, with more keys than the list names."""
    def like(asked, is_):
        if isinstance(asked, str) and isinstance(is_, dict):
            return is_.get("name") == asked
        if isinstance(asked, dict):
            return isinstance(is_, dict) and all(k in is_ and like(v, is_[k]) for k, v in asked.items())
        if isinstance(asked, list):
            return len(asked) == len(is_) and all(map(like, asked, is_))
        return asked == is_
    return next(i for i, choice in enumerate(choices) if like(choice, value))


def by_kenga_without_surrogate(kenga, scenario, seed):
    return by_kenga(kenga, scenario, seed, ["tune.surrogate=false"])


def by_random_on_few_blocks(kenga, scenario, seed):
    return by_random(kenga, scenario, seed, FEW_BLOCKS)


TUNERS = {"kenga": by_kenga, "kenga-no-surrogate": by_kenga_without_surrogate, "random": by_random, "random-3": by_random_on_few_blocks, "optuna": by_optuna, "smac": by_smac, "irace": by_irace,
          "default": lambda kenga, scenario, seed: scenario.default()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kenga", default="kenga")
    parser.add_argument("--scenario", default="ga-6x6")
    parser.add_argument("--budget", type=lambda text: int(text.replace("_", "")), default=4_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--replicates", type=int, default=5, help="runs of every held-out puzzle")
    parser.add_argument("--tuners", default="default,kenga,random,optuna,smac,irace")
    parser.add_argument("--out", default="results.jsonl")
    parser.add_argument("--irace-run", help=argparse.SUPPRESS)
    args, rest = parser.parse_known_args()
    if args.irace_run:
        return irace_run(args.irace_run, rest)
    scenario = Scenario(args.scenario)
    for seed in range(args.first, args.first + args.repeats):
        for tuner in args.tuners.split(","):
            if tuner == "default" and seed > args.first:
                continue
            with tempfile.TemporaryDirectory() as work:
                kenga = Kenga(args.kenga, scenario, args.budget, work)
                raw = TUNERS[tuner](kenga, scenario, seed)
                line = {
                    "scenario": args.scenario, "tuner": tuner, "seed": seed, "budget": args.budget, "used": kenga.used,
                    "runs": kenga.runs, "best": scenario.assignments(raw), "held_out": kenga.validate(raw, args.replicates),
                }
            with open(args.out, "a") as file:
                file.write(json.dumps(line) + "\n")
            print(args.scenario, tuner, seed, kenga.used, kenga.runs, line["held_out"], flush=True)


if __name__ == "__main__":
    main()
