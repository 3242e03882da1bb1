//! The rows of `convergence.csv`.

use serde::{Deserialize, Serialize};

use super::{Row, csv_text, known_six_decimals};
use crate::experiment::{Config, Sample};

/// A row of `convergence.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConvergenceRow {
    /// Index of the run.
    pub run: u64,
    /// The generation, from 0.
    pub generation: u64,
    /// Evaluations spent.
    pub evaluations: u64,
    /// Moves spent.
    pub moves: u64,
    /// Lowest fitness of the population.
    pub best: u32,
    /// Mean fitness. What follows is `None` where `[record] columns` leaves it out.
    #[serde(default, serialize_with = "known_six_decimals")]
    pub mean: Option<f64>,
    /// Highest fitness.
    #[serde(default)]
    pub worst: Option<u32>,
    /// Standard deviation of fitness.
    #[serde(default, serialize_with = "known_six_decimals")]
    pub std: Option<f64>,
    /// Mean over cells of the share of pairs of individuals that differ, 0 to 1.
    #[serde(default, serialize_with = "known_six_decimals")]
    pub diversity: Option<f64>,
    /// Count term of the best, unweighted.
    #[serde(default)]
    pub count: Option<u32>,
    /// Row term of the best, unweighted.
    #[serde(default)]
    pub row: Option<u32>,
    /// Column term of the best, unweighted.
    #[serde(default)]
    pub column: Option<u32>,
    /// Region term of the best, unweighted.
    #[serde(default)]
    pub region: Option<u32>,
    /// Cage term of the best, unweighted.
    #[serde(default)]
    pub cage: Option<u32>,
    /// Cells in which the best differs from the nearest known solution; `None` also where none is known.
    #[serde(default)]
    pub distance: Option<u32>,
    /// Mean over cells of the Shannon entropy of digits, 0 to 1.
    #[serde(default, serialize_with = "known_six_decimals")]
    pub entropy: Option<f64>,
}

impl ConvergenceRow {
    /// The row of a sample.
    pub fn new(run: u64, sample: &Sample) -> Self {
        Self {
            run,
            generation: sample.generation,
            evaluations: sample.evaluations,
            moves: sample.moves,
            best: sample.best,
            mean: Some(sample.mean),
            worst: Some(sample.worst),
            std: Some(sample.std),
            diversity: Some(sample.diversity),
            count: Some(sample.terms.count),
            row: Some(sample.terms.row),
            column: Some(sample.terms.column),
            region: Some(sample.terms.region),
            cage: Some(sample.terms.cage),
            distance: sample.distance,
            entropy: Some(sample.entropy),
        }
    }
}

impl Row for ConvergenceRow {
    const COLUMNS: &'static [&'static str] = &[
        "run",
        "generation",
        "evaluations",
        "moves",
        "best",
        "mean",
        "worst",
        "std",
        "diversity",
        "count",
        "row",
        "column",
        "region",
        "cage",
        "distance",
        "entropy",
    ];

    fn text(rows: &[Self], config: &Config) -> Vec<u8> {
        convergence_text(rows, config)
    }
}

/// The header line of `convergence.csv`.
pub(in crate::results) fn convergence_header(config: &Config) -> Vec<u8> {
    let columns: Vec<&str> =
        ConvergenceRow::COLUMNS.iter().copied().filter(|name| config.keeps(name)).collect();
    (columns.join(",") + "\n").into_bytes()
}

/// Rows of `convergence.csv` with the columns that the configuration keeps.
pub(in crate::results) fn convergence_text(
    rows: impl IntoIterator<Item = impl Serialize>,
    config: &Config,
) -> Vec<u8> {
    let text = csv_text(rows, false);
    let kept: Vec<bool> = ConvergenceRow::COLUMNS.iter().map(|name| config.keeps(name)).collect();
    if kept.iter().all(|kept| *kept) {
        return text;
    }
    // Numbers alone: no field is in quotes.
    let mut selected = Vec::with_capacity(text.len());
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let fields = line.split(|byte| *byte == b',').zip(&kept).filter(|(_, kept)| **kept);
        for (index, (field, _)) in fields.enumerate() {
            if index > 0 {
                selected.push(b',');
            }
            selected.extend_from_slice(field);
        }
        selected.push(b'\n');
    }
    selected
}
