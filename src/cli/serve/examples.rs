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
            config: include_str!(concat!("../../../configs/", $config, ".toml")),
            puzzle: $puzzle,
        }
    };
}

pub(super) static CONFIGURATIONS: [Example; 7] = [
    example!("ga", "ga", SIX, "sixteen islands on a 6x6"),
    example!("lesson", "lesson", FOUR, "a plain genetic algorithm on a 4x4, slow enough to be watched"),
    example!("pyevolve-4x4", "pyevolve-4x4", FOUR, "the original algorithm on a 4x4"),
    example!("genetic-cells", "genetic-cells", SIX, "a genetic algorithm on cells, 6x6"),
    example!("memetic-6x6", "memetic", SIX, "a genetic algorithm with a local search, 6x6"),
    example!("annealing-rows", "annealing-rows", SIX, "simulated annealing on rows, 6x6"),
    example!("tabu-6x6", "tabu", SIX, "tabu search, 6x6"),
];
