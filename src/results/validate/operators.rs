//! Rows of `operators.csv`, judged by themselves; what they count only a run made again can tell.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::super::files::{OPERATORS, RUNS};
use super::super::rows::{OperatorRow, RunRow};
use super::{Check, ResultsError};

impl Check<'_> {
    /// Checks every run's operators: all runs of a setting have the same.
    pub(super) fn operators(&mut self, rows: &[(u64, RunRow)]) -> Result<(), ResultsError> {
        let of_settings: RefCell<BTreeMap<u64, Vec<(String, String)>>> = RefCell::default();
        let judge = |check: &Self, row: &RunRow, of_run: &[(u64, OperatorRow)]| {
            let names = of_run.iter().map(|(_, used)| (used.family.clone(), used.operator.clone()));
            let names: Vec<(String, String)> = names.collect();
            let mut of_settings = of_settings.borrow_mut();
            let known = of_settings.entry(row.setting).or_insert_with(|| names.clone());
            let is_distinct = names.iter().collect::<BTreeSet<_>>().len() == names.len();
            // Of a portfolio a run that is solved early has not come to all of its stages.
            let is_alike = is_distinct && (*known == names || check.has_stages(row));
            let found = of_run.iter().find_map(|(line, used)| Some((*line, problem_of(row, used)?)));
            let other = || {
                (!is_alike)
                    .then(|| (of_run[0].0, "other runs of its setting have other operators".to_owned()))
            };
            found.or_else(other)
        };
        let shown = self.of_runs(OPERATORS, judge)?;
        let of_settings = of_settings.into_inner();
        let silent = |row: &RunRow| of_settings.contains_key(&row.setting) && !shown.runs.contains(&row.run);
        for (line, row) in rows.iter().filter(|(_, row)| silent(row)) {
            self.refute(RUNS, *line, format!("run {} has no operators", row.run));
        }
        Ok(())
    }

    /// The algorithm of a run is a portfolio, or holds one.
    fn has_stages(&self, row: &RunRow) -> bool {
        let config = self.config(self.plan.id(row.run));
        config
            .resolved
            .get("algorithm")
            .is_some_and(|algorithm| algorithm.to_string().contains("\"portfolio\""))
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
