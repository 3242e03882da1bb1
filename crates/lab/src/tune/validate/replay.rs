//! Replays: recorded runs of a tuning, made again.

use super::super::{Candidate, RunBatch, RunRequest, TargetRunner, TuneRun};
use super::audit::IdleRunner;
use super::{Check, Replaying};
use crate::results::{Finding, FindingKind, RUNS};

impl Check<'_> {
    /// Makes runs again, evenly spread from the first to the last, until an interrupt.
    pub(super) fn replay(
        &mut self,
        runs: &[TuneRun],
        candidates: &[Candidate],
        compares_costs: bool,
        idle: &mut IdleRunner<'_>,
        replaying: Replaying<'_>,
    ) {
        let mut known: Vec<&TuneRun> = runs.iter().collect();
        // Rows that do not hold may name candidates that were never born.
        known.retain(|run| run.candidate < candidates.len());
        let failed = known.len();
        known.retain(|run| !run.has_failed());
        self.found.all.failed += (failed - known.len()) as u64;
        let starts_programs = candidates.iter().any(|candidate| candidate.config.starts_programs);
        if starts_programs && replaying.programs.is_none() {
            self.found.all.not_started += known.len() as u64;
            return;
        }
        let (mut chosen, mut requests): (Vec<&TuneRun>, Vec<RunRequest>) = (Vec::new(), Vec::new());
        for place in replaying.replay.places(known.len()) {
            chosen.push(known[place]);
            requests.push(known[place].request());
        }
        let mut again: Vec<TuneRun> = Vec::with_capacity(chosen.len());
        let batch = RunBatch { first: 0, iteration: 0, requests: &requests, candidates, compares_costs };
        // Where a signal ends them, those that were made are compared.
        let _ = idle.local.make(&batch, &mut |run| {
            again.push(run);
            true
        });
        let replayed = again.len() as u64;
        for (run, again) in chosen.iter().zip(again) {
            let again = TuneRun { run: run.run, iteration: run.iteration, ..again };
            if **run == again {
                continue;
            }
            let mut problem = format!("run {} gives something else when replayed", run.run);
            let mut kind = FindingKind::Refuted;
            if starts_programs {
                // The program may have changed since, or not follow its seed: kenga cannot tell that from a wrong row.
                kind = FindingKind::NotReproducible;
                if let Some(failure) = &again.failure {
                    problem = format!("run {} fails when replayed: {}", run.run, failure.reason);
                }
            }
            self.found.all.findings.push(Finding { kind, file: RUNS.into(), line: run.run + 2, problem });
        }
        self.found.all.replayed += replayed;
    }
}
