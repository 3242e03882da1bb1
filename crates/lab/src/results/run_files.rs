//! The table of the files that every run appends its rows to.
//!
//! A new file is a new entry: the ledger, resuming, merging, checksums and replays walk the table.

use std::io::{self, Write as _};
use std::path::Path;

use crc32fast::Hasher;

use super::appender::Appender;
use super::files::{
    CONVERGENCE, COSTS, FAILURES, GROUPS, MIGRATIONS, OPERATORS, POPULATIONS, RUNS, TERMS, TIMING,
};
use super::ledger::Ledger;
use super::rows::{
    ConvergenceRow, CostRow, CsvRow, FailureRow, GroupRow, MigrationRow, OperatorRow, PopulationRow, RunRow,
    TermRow, TimingRow, convergence_header, csv_text, header, operator_header, run_header,
};
use super::run_reader::{Write, is_packed, packed};
use crate::experiment::{Config, Plan, RunRecord};
use kenga_core::budget::StopReason;

/// A file of a folder that runs append to: one of [`RUN_FILES`], or of a tuning.
#[derive(Clone, Debug)]
pub(crate) struct RowFile {
    /// Its name where it is not packed.
    pub(crate) name: &'static str,
    /// Its name in the folder.
    pub(crate) stored: &'static str,
    /// Its header line.
    pub(crate) header: Vec<u8>,
}

/// The rows of a run that are held as text at a time.
const AT_ONCE: usize = 4096;

/// A file that every run appends its rows to.
pub(super) struct RunFile {
    /// Its name.
    pub(super) name: &'static str,
    /// Its name where the configuration asks for gzip; `None` where it is never packed.
    pub(super) packed: Option<&'static str>,
    /// Its header line.
    pub(super) header: fn(&Plan) -> Vec<u8>,
    /// Whether the plan asks for it.
    is_kept: fn(&Plan) -> bool,
    /// Hands over the rows of a run, many at a time.
    rows: fn(&RunRecord, &Plan, Write<'_>) -> io::Result<()>,
    /// The result of a replay whose rows differ, in words; `None` where they may (times, failures), and of `runs.csv`, whose
    /// columns a replay compares one by one.
    pub(super) refuted: Option<&'static str>,
}

/// All of them, in the order in which a run is written.
static RUN_FILES: [RunFile; 10] = [
    RunFile {
        name: CONVERGENCE,
        packed: Some("convergence.csv.gz"),
        header: |plan| convergence_header(&plan.config),
        is_kept: |_| true,
        rows: |record, plan, write| {
            let mut rows =
                record.samples.iter().map(|sample| ConvergenceRow { run: record.id.run, sample: *sample });
            loop {
                let text = ConvergenceRow::text(rows.by_ref().take(AT_ONCE), &plan.config);
                if text.is_empty() {
                    return Ok(());
                }
                write(&text)?;
            }
        },
        refuted: Some("a different convergence"),
    },
    RunFile {
        name: TIMING,
        packed: None,
        header: |_| header::<TimingRow>(),
        is_kept: |_| true,
        rows: |record, _, write| write(&csv_text([TimingRow::new(record)], false)),
        refuted: None,
    },
    RunFile {
        name: MIGRATIONS,
        packed: Some("migrations.csv.gz"),
        header: |_| header::<MigrationRow>(),
        is_kept: |plan| plan.config.record_migrations,
        rows: |record, _, write| {
            for part in record.migrations.chunks(AT_ONCE) {
                let rows = part.iter().map(|migration| MigrationRow::new(record.id.run, migration));
                write(&csv_text(rows, false))?;
            }
            Ok(())
        },
        refuted: Some("different migrants"),
    },
    RunFile {
        name: GROUPS,
        packed: Some("groups.csv.gz"),
        header: |_| header::<GroupRow>(),
        is_kept: |plan| plan.config.record_groups,
        rows: |record, plan, write| {
            let puzzle = &plan.puzzles[record.id.puzzle];
            let rows = record.broken.iter().map(|broken| GroupRow::new(record.id.run, puzzle, broken));
            write(&csv_text(rows, false))
        },
        refuted: Some("different broken groups"),
    },
    RunFile {
        name: OPERATORS,
        packed: Some("operators.csv.gz"),
        header: |plan| operator_header(&plan.config),
        is_kept: |plan| plan.config.record_operators,
        rows: |record, plan, write| {
            let (run, with_group) = (record.id.run, plan.config.shows_group_term);
            let rows = record.operators.uses().iter().map(|used| OperatorRow::new(run, used, with_group));
            write(&csv_text(rows, false))
        },
        refuted: Some("different operator counts"),
    },
    RunFile {
        name: POPULATIONS,
        packed: Some("populations.csv.gz"),
        header: |_| header::<PopulationRow>(),
        is_kept: |plan| !plan.config.record_populations.is_never(),
        rows: |record, plan, write| {
            let digits = plan.puzzles[record.id.puzzle].digits();
            for population in &record.populations {
                let mut rows = PopulationRow::of(record.id.run, population, digits);
                loop {
                    let text = csv_text(rows.by_ref().take(AT_ONCE), false);
                    if text.is_empty() {
                        break;
                    }
                    write(&text)?;
                }
            }
            Ok(())
        },
        refuted: Some("different populations"),
    },
    RunFile {
        name: COSTS,
        packed: None,
        header: |_| header::<CostRow>(),
        is_kept: Plan::reports_cost,
        rows: |record, _, write| {
            // The problem may fail where the algorithm reports its cost.
            let has_cost = !matches!(record.stop, StopReason::Failed | StopReason::Seconds);
            let cost = record.cost.filter(|_| has_cost);
            write(&csv_text([CostRow { run: record.id.run, cost }], false))
        },
        refuted: Some("a different cost"),
    },
    RunFile {
        name: TERMS,
        packed: None,
        header: |_| header::<TermRow>(),
        is_kept: Plan::has_terms,
        rows: |record, plan, write| {
            let names = &plan.setting(record.id.setting).config.terms;
            write(&csv_text(TermRow::all(record, names), false))
        },
        refuted: Some("different terms"),
    },
    RunFile {
        name: FAILURES,
        packed: None,
        header: |_| header::<FailureRow>(),
        is_kept: Plan::can_fail,
        rows: |record, plan, write| write(&csv_text(FailureRow::of(record, plan), false)),
        refuted: None,
    },
    RunFile {
        name: RUNS,
        packed: None,
        header: |plan| run_header(&plan.settings.keys),
        is_kept: |_| true,
        rows: |record, plan, write| write(&csv_text([RunRow::new(record, plan)], false)),
        refuted: None,
    },
];

impl RunFile {
    /// All rows of a run.
    pub(super) fn text(&self, record: &RunRecord, plan: &Plan) -> Vec<u8> {
        let mut text = Vec::new();
        (self.rows)(record, plan, &mut |rows| text.write_all(rows)).expect("memory does not fail");
        text
    }

    /// Appends the rows of a run, hashes them, and returns the number of bytes.
    ///
    /// # Errors
    /// When not all of them could be appended.
    pub(super) fn append(
        &self,
        record: &RunRecord,
        plan: &Plan,
        to: &mut dyn Appender,
        hash: &mut Hasher,
    ) -> io::Result<u64> {
        if is_packed(Path::new(self.file(&plan.config))) {
            // One member a run: it can be cut off without unpacking the others.
            let member = packed(|write| (self.rows)(record, plan, write))?;
            hash.update(&member);
            return to.append(&member).map(|()| member.len() as u64);
        }
        let mut bytes = 0;
        (self.rows)(record, plan, &mut |rows| {
            bytes += rows.len() as u64;
            hash.update(rows);
            to.append(rows)
        })?;
        Ok(bytes)
    }

    /// The file as it stands in the folder of a plan.
    pub(super) fn row_file(&self, plan: &Plan) -> RowFile {
        RowFile { name: self.name, stored: self.file(&plan.config), header: (self.header)(plan) }
    }

    /// Its name in the folder.
    pub(super) fn file(&self, config: &Config) -> &'static str {
        self.packed.filter(|_| config.record_gzip).unwrap_or(self.name)
    }
}

/// The files that a plan asks for.
pub(super) fn run_files_of(plan: &Plan) -> impl Iterator<Item = &'static RunFile> {
    RUN_FILES.iter().filter(|file| (file.is_kept)(plan))
}

/// Those of them that have a column in the ledger: all but the times, which are others at every repetition.
pub(super) fn ledger_files(plan: &Plan) -> impl Iterator<Item = &'static RunFile> {
    run_files_of(plan).filter(|file| file.name != TIMING)
}

/// An empty ledger of a plan's files.
pub(super) fn empty_ledger(plan: &Plan) -> Ledger {
    let mut names = Vec::new();
    for file in ledger_files(plan) {
        names.push(file.file(&plan.config));
    }
    Ledger::new(names)
}

/// The names that these files may have.
pub(super) fn run_file_names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for file in &RUN_FILES {
        names.push(file.name);
        names.extend(file.packed);
    }
    names
}

/// The file of this name.
pub(super) fn run_file(name: &str) -> Option<&'static RunFile> {
    RUN_FILES.iter().find(|file| file.name == name)
}
