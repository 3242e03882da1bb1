//! Configurations of `configs/` that the pages begin with.

use kenga_serve::Example;

const FOUR: &str = include_str!("../../../puzzles/original/4x4.txt");
const SIX: &str = include_str!("../../../puzzles/original/6x6.txt");

/// A file of `configs/` with a puzzle of its own.
macro_rules! example {
    ($name:literal, $config:literal, $puzzle:expr, $about:literal) => {
        Example {
            name: $name,
            about: $about,
            config: include_str!(concat!("../../../configs/", $config)),
            puzzle: $puzzle,
        }
    };
}

pub(super) static CONFIGURATIONS: [Example; 7] = [
    example!("ga", "ga.toml", SIX, "sixteen islands on a 6x6"),
    example!("lesson", "lesson.toml", FOUR, "a plain genetic algorithm on a 4x4, slow enough to be watched"),
    example!("pyevolve-4x4", "pyevolve-4x4.toml", FOUR, "the original algorithm on a 4x4"),
    example!("genetic-cells", "genetic-cells.toml", SIX, "a genetic algorithm on cells, 6x6"),
    example!("memetic-6x6", "memetic.toml", SIX, "a genetic algorithm with a local search, 6x6"),
    example!("annealing-rows", "annealing-rows.toml", SIX, "simulated annealing on rows, 6x6"),
    example!("tabu-6x6", "tabu.toml", SIX, "tabu search, 6x6"),
];
