//! Runs made again, and compared byte by byte.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::super::files::RUNS;
use super::super::growing::{Growing, kept};
use super::super::rows::{RunRow, csv_text};
use super::super::whole::{Grown, number, records};
use super::{Check, Finding, Replay};
use crate::budget::Interrupt;
use crate::experiment::Watch;

impl Check<'_> {
    /// Makes runs again on `jobs` threads; first and last are among them. An interrupt leaves the rest.
    pub(super) fn replay(
        &mut self,
        rows: &[(u64, RunRow)],
        grown: &Grown,
        replay: Replay,
        jobs: usize,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) {
        let clock = |run: u64| self.config(self.plan.id(run)).budget.seconds.is_some();
        let cut = |row: &RunRow| clock(row.run) && row.was_cut_by_the_clock();
        let known = |row: &&(u64, RunRow)| row.1.run < self.plan.runs() && !cut(&row.1);
        let replayable: Vec<&(u64, RunRow)> = rows.iter().filter(known).collect();
        let kept: Vec<(&Growing, Lines<'_>)> =
            kept(&self.plan.config).map(|file| (file, by_run(grown.text(file.name)))).collect();
        let wanted = match replay {
            Replay::All => replayable.len(),
            Replay::Some(count) => replayable.len().min(usize::try_from(count).unwrap_or(usize::MAX)),
        };
        let chosen: Vec<&(u64, RunRow)> =
            (0..wanted).map(|index| replayable[spread(index, wanted, replayable.len())]).collect();
        let again = |(line, row): &&(u64, RunRow)| self.again(*line, row, &kept, watch, interrupt);
        let made: Vec<Option<Vec<Finding>>> = match rayon::ThreadPoolBuilder::new().num_threads(jobs).build()
        {
            Ok(pool) => pool.install(|| chosen.par_iter().map(again).collect()),
            Err(_) => chosen.iter().map(again).collect(),
        };
        for findings in made.into_iter().flatten() {
            self.found.replayed += 1;
            self.found.findings.extend(findings);
        }
    }

    /// What a run made again refutes; `None` when it was interrupted.
    fn again(
        &self,
        line: u64,
        row: &RunRow,
        kept: &[(&Growing, Lines<'_>)],
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Option<Vec<Finding>> {
        let record = self.runner.run_one(row.run, None, watch, interrupt)?;
        let again = RunRow::new(&record, self.plan);
        let mut findings = Vec::new();
        if again != *row {
            let now = String::from_utf8_lossy(&csv_text(&[again], false)).trim_end().to_owned();
            let problem = format!("run {} made again gives {now}", row.run);
            findings.push(Finding { file: RUNS, line, problem });
        }
        for (file, kept) in kept {
            let Some(problem) = file.refuted else { continue };
            let now = (file.rows)(&record, self.plan);
            if let Some(line) = first_other(kept.get(&row.run).map_or(&[], Vec::as_slice), &now) {
                let problem = format!("run {} made again {problem}", row.run);
                findings.push(Finding { file: file.name, line, problem });
            }
        }
        Some(findings)
    }
}

/// The lines of a file by run, each with its number.
type Lines<'a> = BTreeMap<u64, Vec<(u64, &'a [u8])>>;

fn by_run(text: &[u8]) -> Lines<'_> {
    let mut lines = Lines::new();
    for (line, record) in (1..).zip(records(text)).skip(1) {
        lines.entry(number(record, 0).unwrap_or(u64::MAX)).or_default().push((line, record));
    }
    lines
}

/// The first line of a run's kept rows that is not as it is now, if any; its last line where rows are missing.
fn first_other(kept: &[(u64, &[u8])], now: &[u8]) -> Option<u64> {
    let other = kept.iter().zip(records(now)).find(|((_, was), is)| was != is).map(|((line, _), _)| *line);
    let missing = || (kept.len() != records(now).count()).then(|| kept.last().map_or(0, |(line, _)| *line));
    other.or_else(missing)
}

/// The place of the `index`-th of `wanted` choices spread over `all`, the first and the last among them.
fn spread(index: usize, wanted: usize, all: usize) -> usize {
    if wanted < 2 { 0 } else { index * (all - 1) / (wanted - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_spread_from_the_first_to_the_last() {
        let chosen =
            |wanted: usize, all| (0..wanted).map(|index| spread(index, wanted, all)).collect::<Vec<_>>();
        assert_eq!(chosen(3, 100), [0, 49, 99]);
        assert_eq!(chosen(4, 4), [0, 1, 2, 3]);
        assert_eq!(chosen(1, 9), [0]);
    }
}
