//! A short pilot: a few runs of a plan, made to see what all of them cost and how many it takes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use miette::Report;

use crate::budget::{Clock, Interrupt};
use crate::cli::experiment::Unrunnable;
use crate::cli::progress::Counter;
use crate::experiment::{Plan, RunRecord, Runner, useful};

/// Seconds of wall time that a pilot may take.
const PATIENCE_S: f64 = 10.0;

/// What the runs of a pilot have shown.
pub(super) struct Pilot {
    /// Runs that ended.
    pub(super) ended: Vec<RunRecord>,
    /// Runs that the pilot had no time to end.
    pub(super) cut: usize,
}

/// Makes `count` runs, spread evenly over the plan, as long as patience lasts.
pub(super) fn pilot(plan: &Plan, count: u64, jobs: usize, interrupt: &Interrupt) -> Result<Pilot, Report> {
    let stop = Interrupt::default();
    let runner = {
        let _progress = Counter::start("solving the puzzles exactly", None);
        Runner::prepare(plan, jobs, interrupt).map_err(Unrunnable)?
    };
    let chosen: Vec<u64> = chosen(count.min(plan.runs()), plan.runs()).collect();
    let counter = Counter::start("pilot runs", Some(chosen.len() as u64));
    let (clock, done) = (Clock::start(), AtomicBool::new(false));
    let ended = thread::scope(|scope| {
        let watch = || {
            while !done.load(Ordering::Relaxed) && clock.wall_s() < PATIENCE_S && !interrupt.is_raised() {
                thread::sleep(Duration::from_millis(20));
            }
            stop.raise(Interrupt::ABANDONED);
        };
        // Where the system starts no more threads, this one works alone, and for as long as it takes.
        let _ = thread::Builder::new().spawn_scoped(scope, watch);
        let shares = chosen.chunks(chosen.len().div_ceil(useful(jobs)).max(1));
        let make = |share: &[u64]| -> Vec<RunRecord> {
            share.iter().map_while(|run| runner.run_one(*run, None, &counter, &stop)).collect()
        };
        let start =
            |share| thread::Builder::new().spawn_scoped(scope, move || make(share)).map_err(|_| share);
        let workers: Vec<_> = shares.map(start).collect();
        let ended = workers.into_iter().flat_map(|worker| match worker {
            Ok(worker) => worker.join().expect("a run does not panic"),
            Err(share) => make(share),
        });
        let ended: Vec<RunRecord> = ended.collect();
        done.store(true, Ordering::Relaxed);
        ended
    });
    Ok(Pilot { cut: chosen.len() - ended.len(), ended })
}

/// Some of the runs of a plan, spread over all.
fn chosen(count: u64, runs: u64) -> impl Iterator<Item = u64> {
    let step = u128::from(step(runs));
    (0..u128::from(count)).map(move |index| (index * step % u128::from(runs)) as u64)
}

/// The step from one run of a pilot to the next: about the golden section of all runs, and with no divisor in common with
/// their number, so that settings, puzzles and replicates take turns and no run comes twice.
fn step(runs: u64) -> u64 {
    let golden = (runs as f64 * 0.618_033_988_749_895) as u64;
    (golden.max(1)..).find(|step| common_divisor(*step, runs) == 1).unwrap_or(1)
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn settings_take_turns_and_no_run_comes_twice() {
        for runs in [1, 2, 3, 8, 96, 1000, 4802] {
            let chosen: BTreeSet<u64> = chosen(runs, runs).collect();
            assert_eq!(chosen.len() as u64, runs);
        }
        let settings: BTreeSet<u64> = chosen(8, 96).map(|run| run % 8).collect();
        assert_eq!(settings.len(), 8);
    }
}
