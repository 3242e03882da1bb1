//! The rows of `runs.csv`: the recorded runs of a tuning.

use super::{Outcome, RunBatch, RunRequest, TuneError};
use crate::experiment::{Config, has_optimum};
use kenga_core::search::Failure;

const COLUMNS: &str = "run,iteration,candidate,block,puzzle,replicate,cap,solved,evaluations,moves,best_fitness,calls_to_best,capped";

/// The header line of `runs.csv`: with a column of costs where those that programs report are compared.
pub(super) fn run_columns(with_cost: bool) -> String {
    if with_cost { format!("{COLUMNS},cost\n") } else { format!("{COLUMNS}\n") }
}

/// What stands in the column `capped` of a run that failed.
const FAILED: &str = "failed";

/// A recorded run of a tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRun {
    /// Its index, from 0.
    pub run: u64,
    /// The iteration, from 1; 0 of the ablation.
    pub iteration: u64,
    /// What was asked for.
    pub request: RunRequest,
    /// What came of it.
    pub outcome: Outcome,
}

impl RecordedRun {
    /// Its row, which has the columns of [`run_columns`].
    pub(super) fn row(&self, with_cost: bool) -> String {
        let Self { run, iteration, request, outcome } = self;
        let RunRequest { candidate, block, place: (puzzle, replicate), cap } = request;
        let Outcome { solved, evaluations, moves, best_fitness, calls_to_best, is_capped, failure, cost } =
            outcome;
        let (cap, best) = (or_empty(*cap), or_empty(*best_fitness));
        let capped = if failure.is_some() { FAILED } else { word(*is_capped) };
        let cost = if with_cost { format!(",{}", or_empty(*cost)) } else { String::new() };
        format!(
            "{run},{iteration},{candidate},{block},{puzzle},{replicate},{cap},{solved},{evaluations},{moves},{best},{calls_to_best},{capped}{cost}\n"
        )
    }

    /// Why it cannot be, by itself, if the default of the tuning is `default`.
    pub(super) fn problem(&self, default: &Config) -> Option<&'static str> {
        let Self { request, outcome, .. } = self;
        let budget = &default.budget;
        let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
        if outcome.evaluations > most(budget.evaluations) || outcome.moves > most(budget.moves) {
            return Some("it cost more than the budget of a run");
        }
        if outcome.calls_to_best > outcome.calls() {
            return Some("its best came after its end");
        }
        if outcome.has_failed() {
            if request.candidate == 0 {
                return Some("the default failed, which ends a tuning");
            }
            // What broke down may have claimed anything before.
            return outcome.solved.then_some("it failed and is solved");
        }
        if outcome.is_capped && (outcome.solved || request.cap.is_none_or(|cap| outcome.calls() < cap)) {
            return Some("nothing has cut it");
        }
        // A bound that is no optimum can be reached without solving.
        let may_be_bound = || default.instances().is_some_and(|all| !all.iter().all(has_optimum));
        if outcome.solved != (outcome.best_fitness == Some(0)) && (outcome.solved || !may_be_bound()) {
            return Some("it is solved exactly where its best fitness is 0");
        }
        None
    }

    /// What came of it, if it is the run that is due at a place of a batch; a run may cost `worst` calls.
    ///
    /// # Errors
    /// [`TuneError::UnexpectedRun`].
    pub(super) fn due_outcome(
        self,
        batch: &RunBatch<'_>,
        place: usize,
        worst: u64,
    ) -> Result<Outcome, TuneError> {
        let (run, iteration, request) = (batch.run(place), batch.iteration, &batch.requests[place]);
        let can_be = self.problem(&batch.candidates[0].config).is_none();
        // The budget is only kept if no run cost more than was set aside for it.
        let calls = self.outcome.evaluations.checked_add(self.outcome.moves);
        let is_possible = can_be && calls.is_some_and(|calls| calls <= worst);
        if (self.run, self.iteration, &self.request) == (run, iteration, request) && is_possible {
            return Ok(self.outcome);
        }
        let RunRequest { candidate, block, .. } = request;
        let due = format!(
            "candidate {candidate} on block {block} in iteration {iteration}, of {worst} calls at most"
        );
        Err(TuneError::UnexpectedRun { run, due })
    }

    /// The run of a row; `None` for what is none, or whose calls cannot be counted.
    pub(super) fn read(row: &str, with_cost: bool) -> Option<Self> {
        let (row, cost) = if with_cost { row.rsplit_once(',')? } else { (row, "") };
        let cells: Vec<&str> = row.split(',').collect();
        let [
            run,
            iteration,
            candidate,
            block,
            puzzle,
            replicate,
            cap,
            solved,
            evaluations,
            moves,
            best,
            at,
            capped,
        ] = cells[..]
        else {
            return None;
        };
        let optional = |cell: &str| if cell.is_empty() { Some(None) } else { cell.parse().ok().map(Some) };
        let request = RunRequest {
            candidate: candidate.parse().ok()?,
            block: block.parse().ok()?,
            place: (puzzle.parse().ok()?, replicate.parse().ok()?),
            cap: optional(cap)?,
        };
        let outcome = Outcome {
            solved: solved.parse().ok()?,
            evaluations: evaluations.parse().ok()?,
            moves: moves.parse().ok()?,
            best_fitness: optional(best)?.map(u32::try_from).transpose().ok()?,
            calls_to_best: at.parse().ok()?,
            is_capped: capped == word(true),
            failure: (capped == FAILED).then(Failure::default),
            cost: optional_cost(cost)?,
        };
        if ![word(true), word(false), FAILED].contains(&capped) {
            return None;
        }
        // Whoever adds them up later trusts that they can be added.
        outcome.evaluations.checked_add(outcome.moves)?;
        Some(Self { run: run.parse().ok()?, iteration: iteration.parse().ok()?, request, outcome })
    }
}

/// The cost in a cell; `None` inside for an empty one.
fn optional_cost(cell: &str) -> Option<Option<f64>> {
    if cell.is_empty() {
        return Some(None);
    }
    cell.parse().ok().filter(|cost: &f64| cost.is_finite()).map(Some)
}

fn word(flag: bool) -> &'static str {
    if flag { "true" } else { "false" }
}

/// A value as a cell of a table.
pub(super) fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written_and_others_are_refused() {
        for row in [
            "0,1,0,4,2,0,,true,17,3,0,20,false\n",
            "9,0,7,1,0,5,40,false,41,0,,0,true\n",
            "9,0,7,1,0,5,,false,0,0,,0,failed\n",
        ] {
            let read = RecordedRun::read(row.trim_end(), false).expect("a sound row");
            assert_eq!(read.row(false), row);
            for cost in ["", "-0.25", "1e300"] {
                let row = format!("{},{cost}", row.trim_end());
                let read = RecordedRun::read(&row, true).expect("a sound row");
                assert_eq!(RecordedRun::read(read.row(true).trim_end(), true), Some(read), "{row}");
            }
        }
        for bad in ["0,1,0,4,2,0,,true,17,3,0,20,false", "0,1,0,4,2,0,,true,17,3,0,20,false,inf"] {
            assert_eq!(RecordedRun::read(bad, true), None, "{bad}");
        }
        let beyond = "0,1,0,4,2,0,,true,18446744073709551615,3,0,20,false";
        for bad in [
            "",
            "0,1",
            "0,1,0,4,2,0,,true,17,3,0,20,false,1",
            "0,1,0,4,2,0,,true,-1,3,0,20,false",
            "0,1,0,4,2,0,,true,1,3,0,4,no",
            beyond,
        ] {
            assert_eq!(RecordedRun::read(bad, false), None, "{bad}");
        }
    }
}
