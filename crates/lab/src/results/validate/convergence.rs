//! Checks of the rows of `convergence.csv` against each other and the run's row.

use super::super::rows::{ConvergenceRow, Numbered, RowProblem, RunRow};
use super::{Check, first_problem, problem_at};
use crate::experiment::{RecordEvery, Sample, measure};
use kenga_core::fitness::Terms;

// Measures that are judged.
const MEAN: usize = measure("mean");
const WORST: usize = measure("worst");
const DIVERSITY: usize = measure("diversity");
const ENTROPY: usize = measure("entropy");
const TERMS: [usize; 5] =
    [measure("count"), measure("row"), measure("column"), measure("region"), measure("cage")];
const GROUP: usize = measure("group");

impl Check<'_> {
    pub(super) fn lacks_convergence(&self, row: &RunRow) -> Option<&'static str> {
        let has_samples = row.generations > 0 && !self.plan.config.record_every.is_never();
        has_samples.then_some("no convergence")
    }

    /// The first line of a run's rows that does not hold, and why. The generations of islands are recorded together however
    /// long each took, so that their rows do not tell when the best was found and when the run died.
    pub(super) fn problem_of_convergence(
        &self,
        row: &RunRow,
        samples: &[Numbered<ConvergenceRow>],
    ) -> Option<RowProblem> {
        let problem = first_problem(samples, |before, is| {
            self.problem_of_sample(row, &is.sample, before.map(|before| &before.sample))
        });
        if problem.is_some() {
            return problem;
        }
        let Numbered { line, row: ConvergenceRow { sample: last, .. } } = samples.last()?;
        if last.generation != row.generations {
            let problem =
                format!("it ends at generation {}, the run at {}", last.generation, row.generations);
            return problem_at(*line, problem);
        }
        if self.runner.islands(self.plan.id(row.run)).is_some() {
            return None;
        }
        self.problem_of_best(row, samples).or_else(|| self.problem_of_death(row, samples))
    }

    /// A run dies at the end of a generation, which is recorded where every one is.
    fn problem_of_death(&self, row: &RunRow, samples: &[Numbered<ConvergenceRow>]) -> Option<RowProblem> {
        let (dead_at, last) = (row.dead_at?, samples.last()?);
        let dies = samples.iter().any(|numbered| numbered.row.sample.evaluations == dead_at);
        if dies || self.plan.config.record_every != RecordEvery::Generations(1) {
            return None;
        }
        problem_at(last.line, format!("no generation ends at {dead_at} evaluations, where it is dead"))
    }

    /// The best is found no later than the first generation that shows it; it may have been found before, lost, and found
    /// again.
    fn problem_of_best(&self, row: &RunRow, samples: &[Numbered<ConvergenceRow>]) -> Option<RowProblem> {
        let first = samples.iter().find(|numbered| Some(numbered.row.sample.best) == row.best_fitness)?;
        let Sample { evaluations, moves, .. } = first.row.sample;
        if row.evaluations_to_best <= Some(evaluations) && row.moves_to_best <= Some(moves) {
            return None;
        }
        let claimed = row.evaluations_to_best.unwrap_or(0);
        problem_at(first.line, format!("this generation shows the best, evaluations_to_best says {claimed}"))
    }

    fn problem_of_sample(&self, row: &RunRow, sample: &Sample, before: Option<&Sample>) -> Option<String> {
        let every = self.plan.config.record_every;
        let terms = terms(sample, self.plan.config.shows_group_term);
        let weighted = terms.map(|terms| terms.weighted(&self.config(self.plan.id(row.run)).weights));
        let best = f64::from(sample.best);
        // A column that was left out cannot be wrong.
        let mean = sample.value(MEAN).unwrap_or(best);
        let worst = sample.value(WORST).unwrap_or(mean);
        let shares = [sample.value(DIVERSITY), sample.value(ENTROPY)];
        // Means have six decimals.
        let spread = mean + 1e-5 >= best
            && mean - 1e-5 <= worst
            && shares.iter().flatten().all(|share| (0.0..=1.0).contains(share));
        if let Some(weighted) = weighted
            && weighted != sample.best
        {
            return Some(format!("the terms weigh {weighted}, best says {}", sample.best));
        }
        if let Some(best) = row.best_fitness
            && sample.best < best
        {
            return Some(format!("best {} is below best_fitness {best}", sample.best));
        }
        if !spread {
            return Some("best, mean, worst, diversity and entropy contradict each other".to_owned());
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
        let follows = match before {
            None => sample.generation == 0,
            Some(before) => before.generation < sample.generation && before.evaluations <= sample.evaluations,
        };
        if follows {
            None
        } else {
            Some("generations and evaluations do not grow from generation 0".to_owned())
        }
    }
}

/// The terms of the best; `None` where one of them was left out. That of groups is 0 where no puzzle `has_groups`.
fn terms(sample: &Sample, has_groups: bool) -> Option<Terms> {
    let group = if has_groups { sample.value(GROUP)? as u32 } else { 0 };
    let mut terms = [0; TERMS.len()];
    for (term, place) in terms.iter_mut().zip(TERMS) {
        *term = sample.value(place)? as u32;
    }
    let [count, row, column, region, cage] = terms;
    Some(Terms { count, row, column, region, cage, group })
}
