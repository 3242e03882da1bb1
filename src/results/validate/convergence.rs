//! Rows of `convergence.csv`, judged by themselves and by the row of their run.

use super::super::files::{CONVERGENCE, RUNS};
use super::super::rows::{ConvergenceRow, RunRow};
use super::{Check, ResultsError};
use crate::experiment::Every;
use crate::fitness::Terms;

impl Check<'_> {
    /// Checks every run's rows.
    pub(super) fn convergence(&mut self, rows: &[(u64, RunRow)]) -> Result<(), ResultsError> {
        let shown = self.of_runs::<ConvergenceRow>(CONVERGENCE, Self::problem_of_run)?;
        self.found.samples += shown.rows;
        let recorded = !self.plan.config.record_every.is_never();
        let silent = |row: &RunRow| row.generations > 0 && !shown.runs.contains(&row.run);
        for (line, row) in rows.iter().filter(|(_, row)| recorded && silent(row)) {
            self.refute(RUNS, *line, format!("run {} has no convergence", row.run));
        }
        Ok(())
    }

    /// The first line of a run's rows that does not hold, and why. The generations of islands stand side by side however
    /// long each took, so that one that is shown later may have come first: when the best was found and when the run died,
    /// their rows do not tell.
    fn problem_of_run(&self, row: &RunRow, samples: &[(u64, ConvergenceRow)]) -> Option<(u64, String)> {
        let mut before: Option<&ConvergenceRow> = None;
        for (line, sample) in samples {
            if let Some(problem) = self.problem_of_sample(row, sample, before) {
                return Some((*line, problem));
            }
            before = Some(sample);
        }
        let (line, last) = samples.last()?;
        if last.generation != row.generations {
            let problem =
                format!("it ends at generation {}, the run at {}", last.generation, row.generations);
            return Some((*line, problem));
        }
        if self.runner.islands(self.plan.id(row.run)).is_some() {
            return None;
        }
        self.problem_of_best(row, samples).or_else(|| self.problem_of_death(row, samples))
    }

    /// Where every generation is shown, a run dies at the end of one.
    fn problem_of_death(&self, row: &RunRow, samples: &[(u64, ConvergenceRow)]) -> Option<(u64, String)> {
        let dead_at = row.dead_at.filter(|_| self.plan.config.record_every == Every::Generations(1))?;
        let (line, _) = samples.last()?;
        let dies = samples.iter().any(|(_, sample)| sample.evaluations == dead_at);
        (!dies).then(|| (*line, format!("no generation ends at {dead_at} evaluations, where it is dead")))
    }

    /// The best is found no later than the first generation that shows it; it may have been found before, lost with the
    /// child that had it, and found again.
    fn problem_of_best(&self, row: &RunRow, samples: &[(u64, ConvergenceRow)]) -> Option<(u64, String)> {
        let (line, sample) = samples.iter().find(|(_, sample)| sample.best == row.best_fitness)?;
        let is_late = row.evaluations_to_best > sample.evaluations || row.moves_to_best > sample.moves;
        is_late.then(|| {
            let claimed = row.evaluations_to_best;
            (*line, format!("this generation shows the best, evaluations_to_best says {claimed}"))
        })
    }

    fn problem_of_sample(
        &self,
        row: &RunRow,
        sample: &ConvergenceRow,
        before: Option<&ConvergenceRow>,
    ) -> Option<String> {
        let every = self.plan.config.record_every;
        let weighted = terms(sample).map(|terms| terms.weighted(&self.config(self.plan.id(row.run)).weights));
        let best = f64::from(sample.best);
        // What a column that was left out would say cannot be wrong.
        let mean = sample.mean.unwrap_or(best);
        let worst = sample.worst.map_or(mean, f64::from);
        let shares = [sample.diversity, sample.entropy];
        let spread = mean + 1e-5 >= best
            && mean - 1e-5 <= worst
            && shares.iter().flatten().all(|share| (0.0..=1.0).contains(share));
        let grows = |before: &ConvergenceRow| {
            before.generation < sample.generation && before.evaluations <= sample.evaluations
        };
        if let Some(weighted) = weighted.filter(|weighted| *weighted != sample.best) {
            return Some(format!("the terms weigh {weighted}, best says {}", sample.best));
        }
        if sample.best < row.best_fitness {
            return Some(format!("best {} is below best_fitness {}", sample.best, row.best_fitness));
        }
        if !spread {
            return Some("best, mean, worst, diversity and entropy do not go together".to_owned());
        }
        if sample.evaluations > row.evaluations
            || sample.moves > row.moves
            || sample.generation > row.generations
        {
            return Some("it lies beyond the end of the run".to_owned());
        }
        if !every.may_record(sample.generation) && sample.generation != row.generations {
            return Some(format!("generation {} is not one that is recorded", sample.generation));
        }
        let follows = before.map_or(sample.generation == 0, grows);
        (!follows).then(|| "generations and evaluations do not grow from generation 0".to_owned())
    }
}

/// The terms of the best; `None` where one of them was left out.
fn terms(sample: &ConvergenceRow) -> Option<Terms> {
    let ConvergenceRow { count, row, column, region, cage, .. } = *sample;
    Some(Terms { count: count?, row: row?, column: column?, region: region?, cage: cage? })
}
