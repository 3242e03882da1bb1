//! The rows of the files that `[record]` asks for: `migrations.csv`, `groups.csv` and `operators.csv`.

use serde::{Deserialize, Serialize};

use super::Row;
use crate::experiment::{Broken, Migration, Use};
use crate::puzzle::Puzzle;

/// A row of `migrations.csv`: a migrant that has settled.
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
    /// The island that it came to.
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
    /// Who built it: `row`, `column`, `region`, `entry`, `cage`.
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
    /// Children that it had a part in, or moves that were made.
    pub applied: u64,
    /// Of those, better than the individual that they take after.
    pub better: u64,
    /// Of those, better than both parents.
    pub best: u64,
    /// By how much the better ones were better, all together.
    pub gain: u64,
    /// By how much the count terms of the better ones that shrank did.
    pub count: u64,
    /// The same of row terms.
    pub row: u64,
    /// The same of column terms.
    pub column: u64,
    /// The same of region terms.
    pub region: u64,
    /// The same of cage terms.
    pub cage: u64,
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
    pub fn new(run: u64, puzzle: &Puzzle, broken: &Broken) -> Self {
        let group = &puzzle.groups()[broken.group];
        let (name, role) = (puzzle.group_name(group), group.role.to_string());
        Self { run, group: name, role, violation: broken.violation }
    }
}

impl OperatorRow {
    /// The row of an operator.
    pub fn new(run: u64, used: &Use) -> Self {
        let [count, row, column, region, cage] = used.repaired;
        let (family, operator) = (used.family.to_owned(), used.name.clone());
        let Use { applied, better, best, gain, .. } = *used;
        Self { run, family, operator, applied, better, best, gain, count, row, column, region, cage }
    }
}

impl Row for MigrationRow {}

impl Row for GroupRow {}

impl Row for OperatorRow {}
