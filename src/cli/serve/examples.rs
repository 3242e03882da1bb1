//! Configurations of `configs/` that the pages begin with.

use kenga_serve::Example;

const FOUR: &str = include_str!("../../../puzzles/original/4x4.txt");
const SIX: &str = include_str!("../../../puzzles/original/6x6.txt");

pub(super) static CONFIGURATIONS: [Example; 7] = [
    Example {
        name: "ga",
        about: "sixteen islands on a 6x6",
        config: include_str!("../../../configs/ga.toml"),
        puzzle: SIX,
    },
    Example {
        name: "lesson",
        about: "a plain genetic algorithm on a 4x4, slow enough to be watched",
        config: include_str!("../../../configs/lesson.toml"),
        puzzle: FOUR,
    },
    Example {
        name: "pyevolve-4x4",
        about: "the original algorithm on a 4x4",
        config: include_str!("../../../configs/pyevolve-4x4.toml"),
        puzzle: FOUR,
    },
    Example {
        name: "genetic-cells",
        about: "a genetic algorithm on cells, 6x6",
        config: include_str!("../../../configs/genetic-cells.toml"),
        puzzle: SIX,
    },
    Example {
        name: "memetic-6x6",
        about: "a genetic algorithm with a local search, 6x6",
        config: include_str!("../../../configs/memetic.toml"),
        puzzle: SIX,
    },
    Example {
        name: "annealing-rows",
        about: "simulated annealing on rows, 6x6",
        config: include_str!("../../../configs/annealing-rows.toml"),
        puzzle: SIX,
    },
    Example {
        name: "tabu-6x6",
        about: "tabu search, 6x6",
        config: include_str!("../../../configs/tabu.toml"),
        puzzle: SIX,
    },
];
