//! `GET examples`: configurations to begin with.

use serde_json::{Value, json};

use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "examples",
    "configurations with puzzles, to be played or changed",
    &[],
    answers,
    Run::Show(run),
)
.open();

const FOUR: &str = include_str!("../../../../puzzles/original/4x4.txt");
const SIX: &str = include_str!("../../../../puzzles/original/6x6.txt");

/// Name, words, configuration and puzzle of each.
const EXAMPLES: [[&str; 4]; 7] = [
    ["ga", "sixteen islands on a 6x6", include_str!("../../../../configs/ga.toml"), SIX],
    [
        "lesson",
        "a plain genetic algorithm on a 4x4, slow enough to be watched",
        include_str!("../../../../configs/lesson.toml"),
        FOUR,
    ],
    [
        "pyevolve-4x4",
        "the original algorithm on a 4x4",
        include_str!("../../../../configs/pyevolve-4x4.toml"),
        FOUR,
    ],
    [
        "genetic-cells",
        "a genetic algorithm on cells, 6x6",
        include_str!("../../../../configs/genetic-cells.toml"),
        SIX,
    ],
    [
        "memetic-6x6",
        "a genetic algorithm with a local search, 6x6",
        include_str!("../../../../configs/memetic.toml"),
        SIX,
    ],
    [
        "annealing-rows",
        "simulated annealing on rows, 6x6",
        include_str!("../../../../configs/annealing-rows.toml"),
        SIX,
    ],
    ["tabu-6x6", "tabu search, 6x6", include_str!("../../../../configs/tabu.toml"), SIX],
];

fn run(asked: &Asked, _: &Shared) -> Result<Value, Refusal> {
    request::read(asked, &[])?;
    let example = |[name, about, config, puzzle]: [&str; 4]| json!({"name": name, "about": about, "config": config, "puzzle": puzzle});
    Ok(EXAMPLES.map(example).into())
}

fn answers() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["name", "about", "config", "puzzle"],
            "properties": {"name": text, "about": text, "config": text, "puzzle": text},
        },
    })
}
