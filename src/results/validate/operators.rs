//! Rows of `operators.csv`, judged by themselves; what they count only a run made again can tell.

use super::super::files::OPERATORS;
use super::super::rows::{OperatorRow, RunRow};
use super::{Check, ResultsError};

impl Check<'_> {
    /// Checks every run's operators. Which operators a run has, only the run made again can tell: a portfolio that is solved
    /// early has not come to all of its stages, and one name may stand for several operators.
    pub(super) fn operators(&mut self) -> Result<(), ResultsError> {
        self.of_runs(OPERATORS, |_: &Self, row, of_run: &[(u64, OperatorRow)]| {
            of_run.iter().find_map(|(line, used)| Some((*line, problem_of(row, used)?)))
        })?;
        Ok(())
    }
}

fn problem_of(row: &RunRow, used: &OperatorRow) -> Option<String> {
    let makes_moves = used.family == "move";
    if !makes_moves && !["crossover", "mutation", "improve"].contains(&used.family.as_str()) {
        return Some(format!("there is no family {}", used.family));
    }
    if makes_moves && used.applied > row.moves {
        return Some(format!("{} was applied more often than moves were looked at", used.operator));
    }
    if !makes_moves && used.applied > row.evaluations {
        return Some(format!("{} was applied to more children than were evaluated", used.operator));
    }
    let counts = used.best <= used.better && used.better <= used.applied && used.better <= used.gain;
    (!counts).then(|| "applied, better, best and gain do not go together".to_owned())
}
