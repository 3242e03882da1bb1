//! Runs made again, and compared byte by byte.

use rayon::prelude::*;
use serde::Serialize;

use super::super::files::{CONVERGENCE, MIGRATIONS, RUNS};
use super::super::rows::{ConvergenceRow, MigrationRow, RunRow, csv_text};
use super::{ByRun, Check, Finding, Kept, Replay};
use crate::budget::Interrupt;
use crate::experiment::Watch;

impl Check<'_> {
    /// Makes runs again on `jobs` threads; first and last are among them. An interrupt leaves the rest.
    pub(super) fn replay(
        &mut self,
        kept: &Kept<'_>,
        replay: Replay,
        jobs: usize,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) {
        let clock = |run: u64| self.config(self.plan.id(run)).budget.seconds.is_some();
        let cut = |row: &RunRow| clock(row.run) && row.was_cut_by_the_clock();
        let known = |row: &&(u64, RunRow)| row.1.run < self.plan.runs() && !cut(&row.1);
        let replayable: Vec<&(u64, RunRow)> = kept.rows.iter().filter(known).collect();
        let wanted = match replay {
            Replay::All => replayable.len(),
            Replay::Some(count) => replayable.len().min(usize::try_from(count).unwrap_or(usize::MAX)),
        };
        let chosen: Vec<&(u64, RunRow)> =
            (0..wanted).map(|index| replayable[spread(index, wanted, replayable.len())]).collect();
        let again = |(line, row): &&(u64, RunRow)| self.again(*line, row, kept, watch, interrupt);
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
        kept: &Kept<'_>,
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
        let samples = record.samples.iter().map(|sample| ConvergenceRow::new(row.run, sample)).collect();
        if let Some(line) = first_other(&kept.samples, row.run, samples) {
            let problem = format!("run {} made again converges otherwise", row.run);
            findings.push(Finding { file: CONVERGENCE, line, problem });
        }
        let migrants = record.migrations.iter().map(|migrant| MigrationRow::new(row.run, migrant)).collect();
        if let Some(line) = first_other(&kept.migrations, row.run, migrants) {
            let problem = format!("run {} made again has other migrants", row.run);
            findings.push(Finding { file: MIGRATIONS, line, problem });
        }
        Some(findings)
    }
}

/// The first line of a run's kept rows that is not as it is now, if any; its last line where rows are missing.
fn first_other<T: Serialize>(kept: &ByRun<'_, T>, run: u64, now: Vec<T>) -> Option<u64> {
    let kept = match kept.binary_search_by_key(&run, |(run, _)| *run) {
        Ok(index) => kept[index].1,
        Err(_) => &[],
    };
    let text = |row: &T| csv_text(&[row], false);
    let other =
        kept.iter().zip(&now).find(|((_, was), is)| text(was) != text(is)).map(|((line, _), _)| *line);
    let missing = (kept.len() != now.len()).then(|| kept.last().map_or(0, |(line, _)| *line));
    other.or(missing)
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
