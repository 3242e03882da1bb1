//! Rows whose columns never vary: those of `puzzles.csv`, `timing.csv`, `migrations.csv`, `groups.csv`,
//! `operators.csv`, `costs.csv`, `terms.csv` and `failures.csv`.

use serde::{Deserialize, Serialize};

use super::{PlainRow, header_of, six_decimals};
use crate::experiment::{BrokenGroup, Config, Plan, RunId, RunRecord, Runner};
use crate::results::files::{COSTS, FACTS, FAILURES, GROUPS, MIGRATIONS, OPERATORS, TERMS, TIMING};
use kenga_core::budget::StopReason;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::{Failure, Migration, OperatorUse};

/// A row of `puzzles.csv`: exact facts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl PuzzleRow {
    /// The rows of a plan's puzzles.
    pub fn all(plan: &Plan, runner: &Runner<'_>) -> Vec<Self> {
        (0..plan.puzzles.len()).map(|index| Self::new(plan, runner, index)).collect()
    }

    fn new(plan: &Plan, runner: &Runner<'_>, index: usize) -> Self {
        let (puzzle, truth) = (&plan.puzzles[index], runner.truth(index));
        // Without nodes nothing was asked of the solver: its columns are empty, not 0.
        let asked = plan.config.exact.nodes > 0;
        Self {
            puzzle: puzzle.id.clone(),
            cells: runner.problem(index).cells(),
            digits: puzzle.digits().len(),
            solutions: asked.then_some(truth.solutions.len()),
            solutions_exact: asked.then_some(truth.all_known),
            backbone: truth.backbone(),
            nodes: asked.then_some(truth.nodes),
            candidates: asked.then_some(truth.candidates),
        }
    }
}

/// A row of `timing.csv`, the only file that depends on a clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

impl TimingRow {
    /// The row of a finished run.
    pub fn new(record: &RunRecord) -> Self {
        Self { run: record.id.run, cpu_s: record.cpu_s, wall_s: record.wall_s }
    }
}

/// A row of `migrations.csv`: a migrant that an island accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigrationRow {
    /// Index of the run.
    pub run: u64,
    /// The number of the barrier, from 1.
    pub barrier: u64,
    /// Evaluations that all islands had spent.
    pub evaluations: u64,
    /// Moves that all islands had spent.
    pub moves: u64,
    /// The island that it left.
    pub from: usize,
    /// The island that it joined.
    pub to: usize,
    /// Its fitness.
    pub fitness: u32,
}

/// A row of `groups.csv`: a group that the best of a run breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRow {
    /// Index of the run.
    pub run: u64,
    /// The group, such as `row 1` or `cage 8* at A1`.
    pub group: String,
    /// Its role: `row`, `column`, `region`, `entry`, `cage`.
    pub role: String,
    /// Its violation, unweighted.
    pub violation: u32,
}

/// A row of `operators.csv`: the usage and the gain of an operator in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorRow {
    /// Index of the run.
    pub run: u64,
    /// `crossover`, `mutation`, `improve` or `move`.
    pub family: String,
    /// Its name.
    pub operator: String,
    /// Children that it took part in, or moves that were made.
    pub applied: u64,
    /// Those better than the parent that they resemble.
    pub better: u64,
    /// Those better than both parents.
    pub best: u64,
    /// The sum of the improvements of the better ones.
    pub gain: u64,
    /// The sum of the reductions of count terms by the better ones.
    pub count: u64,
    /// The same for row terms.
    pub row: u64,
    /// The same for column terms.
    pub column: u64,
    /// The same for region terms.
    pub region: u64,
    /// The same for cage terms.
    pub cage: u64,
    /// The same for group terms; absent where no puzzle has such groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u64>,
}

/// A row of `costs.csv`: what a run has cost, as its algorithm reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CostRow {
    /// Index of the run.
    pub run: u64,
    /// The cost; lower is better. Empty where the setting reports none, the run failed, or the clock cut it.
    pub cost: Option<f64>,
}

/// A row of `terms.csv`: a term of the value of a run's best genome.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TermRow {
    /// Index of the run.
    pub run: u64,
    /// The name of the term.
    pub term: String,
    /// The term; empty where it is not known: the run failed, it evaluated nothing, or the program gave no terms before the
    /// clock ran out.
    pub value: Option<f64>,
}

impl TermRow {
    /// The rows of a finished run, one for each name.
    pub fn all(record: &RunRecord, names: &[String]) -> Vec<Self> {
        let mut rows = Vec::with_capacity(names.len());
        for (place, term) in names.iter().enumerate() {
            let value = record.terms.get(place).copied();
            rows.push(Self { run: record.id.run, term: term.clone(), value });
        }
        rows
    }
}

/// A row of `failures.csv`: why a run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureRow {
    /// Index of the run.
    pub run: u64,
    /// Id of the puzzle.
    pub puzzle: String,
    /// Index of the setting.
    pub setting: u64,
    /// Index of the replicate.
    pub replicate: u64,
    /// What the program did, in a sentence.
    #[serde(with = "foreign")]
    pub reason: String,
    /// The last lines that it wrote to standard error.
    #[serde(with = "foreign")]
    pub stderr: String,
}

/// A text of a program's, which the file holds as a [`cell`](kenga_core::text::cell).
mod foreign {
    use kenga_core::text::{cell, from_cell};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        cell(text).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        String::deserialize(deserializer).map(|text| from_cell(&text).to_owned())
    }
}

impl FailureRow {
    /// The row of a finished run; none unless it failed.
    pub fn of(record: &RunRecord, plan: &Plan) -> Option<Self> {
        if record.stop != StopReason::Failed {
            return None;
        }
        let RunId { run, replicate, puzzle, setting } = record.id;
        let Failure { reason, stderr } = record.failure.clone().expect("a run that fails says why");
        Some(Self { run, puzzle: plan.puzzles[puzzle].id.clone(), setting, replicate, reason, stderr })
    }
}

impl MigrationRow {
    /// The row of a migrant.
    pub fn new(run: u64, migration: &Migration) -> Self {
        let Migration { barrier, spent, from, to, fitness } = *migration;
        Self { run, barrier, evaluations: spent.evaluations, moves: spent.moves, from, to, fitness }
    }
}

impl GroupRow {
    /// The row of a group of a puzzle.
    pub fn new(run: u64, puzzle: &Puzzle, broken: &BrokenGroup) -> Self {
        let group = &puzzle.groups()[broken.group];
        let (name, role) = (puzzle.group_key(group), group.role.to_string());
        Self { run, group: name, role, violation: broken.violation }
    }
}

impl OperatorRow {
    /// The row of an operator, with a column of the group term where asked for.
    pub fn new(run: u64, used: &OperatorUse, with_group: bool) -> Self {
        let [count, row, column, region, cage, group] = used.repaired;
        let group = with_group.then_some(group);
        let (family, operator) = (used.family.to_owned(), used.name.clone());
        let OperatorUse { applied, better, best, gain, .. } = *used;
        Self { run, family, operator, applied, better, best, gain, count, row, column, region, cage, group }
    }
}

/// The header line of `operators.csv`.
pub(in crate::results) fn operator_header(config: &Config) -> Vec<u8> {
    header_of(OperatorRow { group: config.shows_group_term.then_some(0), ..OperatorRow::default() })
}

impl PlainRow for PuzzleRow {
    const FILE: &'static str = FACTS;
}

impl PlainRow for TimingRow {
    const FILE: &'static str = TIMING;
}

impl PlainRow for CostRow {
    const FILE: &'static str = COSTS;
}

impl PlainRow for TermRow {
    const FILE: &'static str = TERMS;
}

impl PlainRow for FailureRow {
    const FILE: &'static str = FAILURES;
}

impl PlainRow for MigrationRow {
    const FILE: &'static str = MIGRATIONS;
}

impl PlainRow for GroupRow {
    const FILE: &'static str = GROUPS;
}

impl PlainRow for OperatorRow {
    const FILE: &'static str = OPERATORS;
}
