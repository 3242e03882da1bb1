//! Rows of `migrations.csv`, judged by themselves and by the row of their run.

use super::super::files::MIGRATIONS;
use super::super::rows::{MigrationRow, RunRow};
use super::{Check, ResultsError};

impl Check<'_> {
    /// Checks every run's migrants.
    pub(super) fn migrations(&mut self) -> Result<(), ResultsError> {
        self.found.migrations += self.of_runs::<MigrationRow>(MIGRATIONS, Self::problem_of_migrants)?.rows;
        Ok(())
    }

    /// The first line of a run's migrants that does not hold, and why.
    fn problem_of_migrants(&self, row: &RunRow, migrants: &[(u64, MigrationRow)]) -> Option<(u64, String)> {
        let islands = self.runner.islands(self.plan.id(row.run));
        let mut before: Option<&MigrationRow> = None;
        for (line, migrant) in migrants {
            if let Some(problem) = problem_of_migrant(row, islands, migrant, before) {
                return Some((*line, problem));
            }
            before = Some(migrant);
        }
        None
    }
}

fn problem_of_migrant(
    row: &RunRow,
    islands: Option<usize>,
    migrant: &MigrationRow,
    before: Option<&MigrationRow>,
) -> Option<String> {
    let MigrationRow { barrier, evaluations, moves, from, to, fitness, .. } = *migrant;
    let is_there = |island: usize| islands.is_none_or(|islands| island < islands);
    if from == to || !is_there(from) || !is_there(to) {
        return Some(format!("nobody goes from island {from} to island {to}"));
    }
    if fitness < row.best_fitness {
        return Some(format!("fitness {fitness} is below best_fitness {}", row.best_fitness));
    }
    if evaluations > row.evaluations || moves > row.moves {
        return Some("it lies beyond the end of the run".to_owned());
    }
    let follows = before.is_none_or(|before| before.evaluations <= evaluations && before.moves <= moves);
    (barrier == 0 || !follows)
        .then(|| "barriers, evaluations and moves do not grow from barrier 1".to_owned())
}
