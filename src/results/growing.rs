//! The table of growing files: those that every run adds its rows to.
//!
//! A file more is an entry more: resuming, merging, checksums and replays walk the table.

use crate::experiment::{Config, Plan, RunRecord};

use super::asked::{GroupRow, MigrationRow, OperatorRow};
use super::files::{CONVERGENCE, GROUPS, MIGRATIONS, OPERATORS, RUNS, TIMING};
use super::rows::{ConvergenceRow, RunRow, TimingRow, csv_text, header, run_header};

/// A growing file.
pub(super) struct Growing {
    /// Its name.
    pub(super) name: &'static str,
    /// Its header line, where these keys are swept.
    pub(super) header: fn(&[String]) -> Vec<u8>,
    /// The configuration asks for it.
    pub(super) is_kept: fn(&Config) -> bool,
    /// The rows of a run.
    pub(super) rows: fn(&RunRecord, &Plan) -> Vec<u8>,
    /// What a run made again does that has other rows; `None` where rows may be others.
    pub(super) refuted: Option<&'static str>,
    /// Of a run that is not whole in it only a torn line tells.
    pub(super) only_tears_tell: bool,
}

/// Every growing file in the order in which a run is written.
static GROWING: [Growing; 6] = [
    Growing {
        name: CONVERGENCE,
        header: |_| header::<ConvergenceRow>(),
        is_kept: |_| true,
        rows: |record, _| {
            let row = |sample| ConvergenceRow::new(record.id.run, sample);
            text(record.samples.iter().map(row))
        },
        refuted: Some("converges otherwise"),
        only_tears_tell: false,
    },
    Growing {
        name: TIMING,
        header: |_| header::<TimingRow>(),
        is_kept: |_| true,
        rows: |record, _| {
            text([TimingRow { run: record.id.run, cpu_s: record.cpu_s, wall_s: record.wall_s }].into_iter())
        },
        refuted: None,
        only_tears_tell: false,
    },
    Growing {
        name: MIGRATIONS,
        header: |_| header::<MigrationRow>(),
        is_kept: |config| config.record_migrations,
        rows: |record, _| {
            let row = |migration| MigrationRow::new(record.id.run, migration);
            text(record.migrations.iter().map(row))
        },
        refuted: Some("has other migrants"),
        only_tears_tell: true,
    },
    Growing {
        name: GROUPS,
        header: |_| header::<GroupRow>(),
        is_kept: |config| config.record_groups,
        rows: |record, plan| {
            let puzzle = &plan.puzzles[record.id.puzzle];
            text(record.broken.iter().map(|broken| GroupRow::new(record.id.run, puzzle, broken)))
        },
        refuted: Some("breaks other groups"),
        only_tears_tell: true,
    },
    Growing {
        name: OPERATORS,
        header: |_| header::<OperatorRow>(),
        is_kept: |config| config.record_operators,
        rows: |record, _| {
            let row = |used| OperatorRow::new(record.id.run, used);
            text(record.operators.uses().iter().map(row))
        },
        refuted: Some("used its operators otherwise"),
        only_tears_tell: true,
    },
    Growing {
        name: RUNS,
        header: run_header,
        is_kept: |_| true,
        rows: |record, plan| text([RunRow::new(record, plan)].into_iter()),
        refuted: None,
        only_tears_tell: false,
    },
];

/// The growing files that a configuration asks for.
pub(super) fn kept(config: &Config) -> impl Iterator<Item = &'static Growing> {
    GROWING.iter().filter(|file| (file.is_kept)(config))
}

/// The growing file of this name.
pub(super) fn named(name: &str) -> Option<&'static Growing> {
    GROWING.iter().find(|file| file.name == name)
}

fn text<T: serde::Serialize>(rows: impl Iterator<Item = T>) -> Vec<u8> {
    csv_text(&rows.collect::<Vec<T>>(), false)
}
