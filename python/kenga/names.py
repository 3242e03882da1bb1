"""The names that kenga knows, as types. python/tests/names.py writes this file from the tables of `kenga list`.

>>> from typing import get_args
>>> "tournament" in get_args(SelectionName)
True
"""

from typing import Literal

#: What `kenga list` lists.
FamilyName = Literal[  # fmt: skip
    "algorithm", "encoding", "problem", "selection", "scaling", "niching", "crossover", "mutation", "replacement",
    "weights", "restart", "topology", "schedule", "sweep_method", "generator", "configuration", "preset", "technique",
]

#: The members of the family `algorithm`.
AlgorithmName = Literal[  # fmt: skip
    "genetic", "memetic", "estimation", "islands", "random", "hill_climbing", "iterated", "annealing", "tabu",
    "breakout", "portfolio", "program",
]

#: The members of the family `encoding`.
EncodingName = Literal[  # fmt: skip
    "cells", "rows", "cages", "values", "permutation",
]

#: The members of the family `problem`.
ProblemName = Literal[  # fmt: skip
    "program",
]

#: The members of the family `selection`.
SelectionName = Literal[  # fmt: skip
    "roulette", "stochastic_universal", "tournament", "rank", "truncation", "best_ties", "uniform",
]

#: The members of the family `scaling`.
ScalingName = Literal[  # fmt: skip
    "none", "linear", "sigma", "boltzmann", "power",
]

#: The members of the family `niching`.
NichingName = Literal[  # fmt: skip
    "none", "sharing",
]

#: The members of the family `crossover`.
CrossoverName = Literal[  # fmt: skip
    "single_point", "two_point", "uniform", "row", "cage", "order", "position_based", "partially_mapped", "cycle",
    "conflict", "adaptive", "random_mate",
]

#: The members of the family `mutation`.
MutationName = Literal[  # fmt: skip
    "swap", "reset", "flip", "row_swap", "inversion", "insertion", "scramble", "conflict", "redraw", "force",
    "missing_digit", "adaptive",
]

#: The members of the family `replacement`.
ReplacementName = Literal[  # fmt: skip
    "generational", "plus", "mu_comma_lambda", "steady_state", "crowding", "restricted_tournament", "age_layers",
]

#: The members of the family `weights`.
WeightsName = Literal[  # fmt: skip
    "none", "saw",
]

#: The members of the family `restart`.
RestartName = Literal[  # fmt: skip
    "none", "fixed", "geometric", "luby", "stalled",
]

#: The members of the family `topology`.
TopologyName = Literal[  # fmt: skip
    "ring", "bidirectional_ring", "torus", "hypercube", "star", "complete", "edges", "isolated",
]

#: The members of the family `schedule`.
ScheduleName = Literal[  # fmt: skip
    "linear", "geometric", "cosine", "step",
]

#: The members of the family `sweep_method`.
SweepMethodName = Literal[  # fmt: skip
    "grid", "random", "latin_hypercube", "sobol", "race",
]

#: The members of the family `generator`.
GeneratorName = Literal[  # fmt: skip
    "kenken", "killer", "sudoku", "kakuro", "quasigroup", "futoshiki", "queens-graph", "mycielski", "random-graph",
]

#: The members of the family `preset`.
PresetName = Literal[  # fmt: skip
    "pyevolve", "values", "permutation",
]

#: The members of the family `technique`.
TechniqueName = Literal[  # fmt: skip
    "last_cell", "one_combination", "naked_single", "hidden_single", "combinations", "cell_combinations", "pointing",
    "naked_pair", "hidden_pair", "naked_triple", "hidden_triple", "naked_quad", "hidden_quad", "x_wing", "swordfish",
    "jellyfish", "chain", "claiming", "line_sum", "two_cages", "prime_placement", "lines_sum", "cage_split", "parity",
    "line_product", "digit_count", "sum_table", "trial", "cell_forcing", "line_forcing", "nested", "trial_in_trial",
    "deep_trial",
]

#: The formats that puzzles are written in.
FormatName = Literal[  # fmt: skip
    "fpuzzles_link", "sudokupad_link", "fpuzzles", "json", "puzz_link", "unequal", "keen", "futoshiki", "pls", "col",
    "sudoku", "cage_list", "clue_grid", "kakuro_grid", "kakuro_tokens", "cage_ids",
]

#: The formats that results are exported to.
ExportName = Literal[  # fmt: skip
    "csv", "json", "parquet", "ioh", "optuna",
]

#: What settings are compared by.
MetricName = Literal[  # fmt: skip
    "calls", "evaluations", "moves", "cpu_s", "best_fitness", "distance", "cost",
]

#: How hard a puzzle is for a person.
TierName = Literal[  # fmt: skip
    "easy", "normal", "hard", "extreme", "unreasonable",
]
