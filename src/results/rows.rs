//! The rows of the CSV files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

use crate::budget::StopReason;
use crate::experiment::{Plan, RunRecord, Sample, Truth, race_calls};
use crate::puzzle::Puzzle;

use super::ResultsError;

/// A row of `runs.csv`; an empty field is unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Index of the run.
    pub run: u64,
    /// Id of the puzzle.
    pub puzzle: String,
    /// Index of the setting.
    pub setting: u64,
    /// Index of the replicate.
    pub replicate: u64,
    /// The values of the swept keys, one column a key; empty for a key that is left out of the setting.
    #[serde(skip_deserializing)]
    pub swept: Vec<String>,
    /// Fitness 0 was reached.
    pub solved: bool,
    /// It was, and the referee agreed.
    pub verified: bool,
    /// What solved it: `search`, or `propagation` before it began.
    pub solved_by: Option<String>,
    /// Evaluations spent.
    pub evaluations: u64,
    /// Moves spent.
    pub moves: u64,
    /// Generations completed.
    pub generations: u64,
    /// Lowest fitness.
    pub best_fitness: u32,
    /// Evaluations spent when it was found.
    pub evaluations_to_best: u64,
    /// Moves spent when it was found.
    pub moves_to_best: u64,
    /// A [`StopReason`] by name.
    pub stop_reason: String,
    /// Evaluations at which the run is known to have lost every solution.
    pub dead_at: Option<u64>,
    /// Cells in which the best differs from the nearest known solution.
    pub distance: Option<u32>,
    /// The best.
    pub grid: String,
}

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
    /// Mean fitness.
    #[serde(serialize_with = "six_decimals")]
    pub mean: f64,
    /// Highest fitness.
    pub worst: u32,
    /// Standard deviation of fitness.
    #[serde(serialize_with = "six_decimals")]
    pub std: f64,
    /// Mean over cells of the share of pairs of individuals that differ, 0 to 1.
    #[serde(serialize_with = "six_decimals")]
    pub diversity: f64,
    /// Count term of the best, unweighted.
    pub count: u32,
    /// Row term of the best, unweighted.
    pub row: u32,
    /// Column term of the best, unweighted.
    pub column: u32,
    /// Region term of the best, unweighted.
    pub region: u32,
    /// Cage term of the best, unweighted.
    pub cage: u32,
    /// Cells in which the best differs from the nearest known solution.
    pub distance: Option<u32>,
    /// Mean over cells of the Shannon entropy of digits, 0 to 1.
    #[serde(serialize_with = "six_decimals")]
    pub entropy: f64,
}

/// A row of `timing.csv`: all that a clock has to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimingRow {
    /// Index of the run.
    pub run: u64,
    /// Seconds of CPU time.
    #[serde(serialize_with = "six_decimals")]
    pub cpu_s: f64,
    /// Seconds of wall time.
    #[serde(serialize_with = "six_decimals")]
    pub wall_s: f64,
}

/// A row of `puzzles.csv`: exact facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleRow {
    /// Id of the puzzle.
    pub puzzle: String,
    /// Cells that hold digits.
    pub cells: usize,
    /// Digits.
    pub digits: usize,
    /// Solutions found.
    pub solutions: Option<usize>,
    /// There are no others.
    pub solutions_exact: Option<bool>,
    /// Cells in which all solutions agree.
    pub backbone: Option<usize>,
    /// Decisions of the exact solver.
    pub nodes: Option<u64>,
    /// Candidates over all cells after propagation.
    pub candidates: Option<u32>,
}

/// What solved a puzzle, as in the column `solved_by`.
pub(super) fn solver_of(by_propagation: bool) -> &'static str {
    if by_propagation { "propagation" } else { "search" }
}

impl RunRow {
    /// The row of a finished run of a plan.
    pub fn new(record: &RunRecord, plan: &Plan) -> Self {
        Self {
            run: record.id.run,
            puzzle: plan.puzzles[record.id.puzzle].id.clone(),
            setting: record.id.setting,
            replicate: record.id.replicate,
            swept: plan.setting(record.id.setting).labels.clone(),
            solved: record.solved,
            verified: record.verified,
            solved_by: record.solved.then(|| solver_of(record.by_propagation).to_owned()),
            evaluations: record.spent.evaluations,
            moves: record.spent.moves,
            generations: record.spent.generations,
            best_fitness: record.best_fitness,
            evaluations_to_best: record.best_at.evaluations,
            moves_to_best: record.best_at.moves,
            stop_reason: record.stop.name().to_owned(),
            dead_at: record.dead_at,
            distance: record.distance,
            grid: record.grid.to_string(),
        }
    }

    /// What a race compares of it.
    fn race_calls(&self) -> f64 {
        race_calls(self.solved, self.evaluations_to_best + self.moves_to_best)
    }

    /// The clock ended the run, so that it cannot be made again.
    pub fn was_cut_by_the_clock(&self) -> bool {
        self.stop_reason == StopReason::Seconds.name()
    }
}

/// What a race compares, by run.
pub fn raced(rows: &[RunRow]) -> BTreeMap<u64, f64> {
    rows.iter().map(|row| (row.run, row.race_calls())).collect()
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
            mean: sample.mean,
            worst: sample.worst,
            std: sample.std,
            diversity: sample.diversity,
            count: sample.terms.count,
            row: sample.terms.row,
            column: sample.terms.column,
            region: sample.terms.region,
            cage: sample.terms.cage,
            distance: sample.distance,
            entropy: sample.entropy,
        }
    }
}

impl PuzzleRow {
    /// The row of a puzzle; `asked` says whether the exact solver was.
    pub fn new(puzzle: &Puzzle, cells: usize, truth: &Truth, asked: bool) -> Self {
        Self {
            puzzle: puzzle.id.clone(),
            cells,
            digits: puzzle.digits().len(),
            solutions: asked.then_some(truth.solutions.len()),
            solutions_exact: asked.then_some(truth.exact),
            backbone: truth.backbone(),
            nodes: asked.then_some(truth.nodes),
            candidates: asked.then_some(truth.candidates),
        }
    }
}

/// Writes a real number with six decimals, trailing zeros left out.
fn six_decimals<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let text = format!("{number:.6}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    struct Shown<'a>(&'a str);
    impl fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }
    serializer.collect_str(&Shown(short))
}

/// A kind of row with a fixed header.
pub(super) trait Row: Serialize + DeserializeOwned {
    /// The columns.
    const COLUMNS: &'static [&'static str];
}

/// The columns of `runs.csv` before the swept keys.
const BEFORE_SWEPT: [&str; 4] = ["run", "puzzle", "setting", "replicate"];

/// Those behind them.
const BEHIND_SWEPT: [&str; 13] = [
    "solved",
    "verified",
    "solved_by",
    "evaluations",
    "moves",
    "generations",
    "best_fitness",
    "evaluations_to_best",
    "moves_to_best",
    "stop_reason",
    "dead_at",
    "distance",
    "grid",
];

/// The header line of `runs.csv`, with the keys that are swept.
pub(super) fn run_header(keys: &[String]) -> Vec<u8> {
    let columns = BEFORE_SWEPT.into_iter().chain(keys.iter().map(String::as_str)).chain(BEHIND_SWEPT);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns).expect("memory does not fail");
    writer.into_inner().expect("memory does not fail")
}

/// Reads the rows of `runs.csv`, each with its line.
///
/// # Errors
/// [`ResultsError::Damaged`] naming the line.
pub(super) fn read_runs(path: &Path, text: &[u8]) -> Result<Vec<(u64, RunRow)>, ResultsError> {
    let columns = BEFORE_SWEPT.len() + BEHIND_SWEPT.len();
    read(path, text, |record, row: &mut RunRow| {
        let swept = record.len().saturating_sub(columns);
        row.swept = record.iter().skip(BEFORE_SWEPT.len()).take(swept).map(str::to_owned).collect();
    })
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
}

impl Row for TimingRow {
    const COLUMNS: &'static [&'static str] = &["run", "cpu_s", "wall_s"];
}

/// The header line of a kind of row.
pub(super) fn header<T: Row>() -> Vec<u8> {
    (T::COLUMNS.join(",") + "\n").into_bytes()
}

/// Rows as CSV text, with or without the header.
pub(super) fn csv_text<T: Serialize>(rows: &[T], with_header: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(with_header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("rows are flat and memory does not fail");
    }
    writer.into_inner().expect("memory does not fail")
}

/// Reads the rows of a CSV text, each with its line.
///
/// # Errors
/// [`ResultsError::Damaged`] naming the line.
pub(super) fn read_rows<T: DeserializeOwned>(
    path: &Path,
    text: &[u8],
) -> Result<Vec<(u64, T)>, ResultsError> {
    read(path, text, |_, _| {})
}

/// Reads rows and lets `complete` take from the record what the columns of a row do not name.
fn read<T: DeserializeOwned>(
    path: &Path,
    text: &[u8],
    complete: impl Fn(&csv::StringRecord, &mut T),
) -> Result<Vec<(u64, T)>, ResultsError> {
    let mut reader = csv::Reader::from_reader(text);
    let headers = reader.headers().cloned().unwrap_or_default();
    let damaged = |line: u64, problem: String| {
        let at = format!(", line {line}");
        ResultsError::Damaged { path: path.to_owned(), at, problem }
    };
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record
            .map_err(|error| damaged(error.position().map_or(0, csv::Position::line), error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let mut row = record.deserialize(Some(&headers)).map_err(|error| damaged(line, error.to_string()))?;
        complete(&record, &mut row);
        rows.push((line, row));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(cpu_s: f64) -> TimingRow {
        TimingRow { run: 3, cpu_s, wall_s: 1.0 }
    }

    #[test]
    fn reals_have_up_to_six_decimals() {
        let text = csv_text(&[timing(0.123_456_789), timing(2.5), timing(0.0), timing(10.0)], true);
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text, "run,cpu_s,wall_s\n3,0.123457,1\n3,2.5,1\n3,0,1\n3,10,1\n");
    }

    #[test]
    fn headers_name_the_fields_in_their_order() {
        let text = csv_text(&[timing(0.5)], true);
        assert!(text.starts_with(&header::<TimingRow>()));
    }

    #[test]
    fn rows_round_trip_and_damage_is_named_by_line() {
        let path = Path::new("timing.csv");
        let rows = read_rows::<TimingRow>(path, b"run,cpu_s,wall_s\n3,0.5,1\n").expect("sound rows");
        assert_eq!(rows, [(2, timing(0.5))]);
        let error =
            read_rows::<TimingRow>(path, b"run,cpu_s,wall_s\n3,0.5,1\n4,x,1\n").expect_err("a bad row");
        assert!(error.to_string().starts_with("timing.csv, line 3: "), "{error}");
    }
}
