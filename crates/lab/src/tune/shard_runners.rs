//! A tuning that several programs make together, and the one that gathers what they have made.
//!
//! ```text
//! every shard
//!     repeats the tuning from the runs that all shards have recorded
//!     where runs are due that are not recorded: a round
//!         makes those of them that are its own
//!         ends, or waits until the others have made theirs
//! ```
//!
//! Every shard comes to the same decisions, as they follow from the runs alone. So does who gathers the runs in the folder of
//! the tuning, which has the bytes of one that a single program has made.

use std::thread::sleep;
use std::time::Duration;

use super::{Journal, LocalRunner, RunBatch, ShardRuns, TargetRunner, TuneError, TuneRun, TuneShard};
use crate::experiment::Config;

/// How long a shard waits before it looks again for the runs of the others: at first, and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(500)];

/// Makes the runs of a shard.
pub struct ShardRunner<'a> {
    /// Makes them.
    pub local: LocalRunner<'a>,
    /// Where they are recorded.
    pub shard: TuneShard,
    /// The runs of all shards.
    pub recorded: ShardRuns<'a>,
    /// How long it waits for a shard that no program is making; `None` where it waits for none.
    pub patience: Option<Duration>,
}

impl TargetRunner for ShardRunner<'_> {
    fn admit(&mut self, config: &Config, words: &str) -> Result<(), String> {
        self.local.admit(config, words)
    }

    fn make(&mut self, batch: &RunBatch<'_>, take: &mut dyn FnMut(TuneRun) -> bool) -> Result<(), TuneError> {
        if let Some(failed) = self.make_own(batch)? {
            // The default has failed, which ends the tuning.
            take(failed);
            return Ok(());
        }
        self.wait_for_others(batch)?;
        for place in 0..batch.requests.len() {
            if !take(self.recorded.get(batch, place)?) {
                break;
            }
        }
        Ok(())
    }
}

impl ShardRunner<'_> {
    /// Makes the runs of a round that are the shard's, and records them, but for a failed run of the default, which it
    /// returns.
    fn make_own(&mut self, batch: &RunBatch<'_>) -> Result<Option<TuneRun>, TuneError> {
        let Self { local, shard, recorded, .. } = self;
        let (mut own, mut requests) = (Vec::new(), Vec::new());
        for (place, request) in batch.requests.iter().enumerate() {
            let run = batch.run(place);
            if shard.has(run) && !recorded.has(run) {
                own.push(run);
                requests.push(request.clone());
            }
        }
        let mut runs = own.into_iter();
        let mut failed_default = None;
        let mut lost = None;
        let end = local.make(&RunBatch { requests: &requests, ..*batch }, &mut |made| {
            let run = runs.next().expect("there is a run for each request");
            let made = TuneRun { run, ..made };
            if made.candidate == 0 && made.has_failed() {
                failed_default = Some(made);
                return false;
            }
            if let Err(error) = shard.add(&made) {
                lost = Some(error);
                return false;
            }
            recorded.add(made);
            true
        });
        if let Some(error) = lost {
            return Err(error.into());
        }
        if failed_default.is_some() {
            return Ok(failed_default);
        }
        end.map(|()| None)
    }

    /// Waits until all runs of a round are recorded.
    fn wait_for_others(&mut self, batch: &RunBatch<'_>) -> Result<(), TuneError> {
        let due = batch.requests.len();
        let [mut pause, longest] = PAUSES;
        let mut waited = Duration::ZERO;
        loop {
            let missing: Vec<u64> = batch.runs().filter(|run| !self.recorded.has(*run)).collect();
            if missing.is_empty() {
                return Ok(());
            }
            if self.local.interrupt.is_raised() {
                return Err(TuneError::Interrupted);
            }
            let others = TuneError::OtherShards { due, missing: missing.len() };
            let Some(patience) = self.patience else { return Err(others) };
            // A shard that a program is making may have a long run: patience begins when no program makes any of them.
            if missing.iter().any(|run| self.recorded.is_being_made(*run)) {
                waited = Duration::ZERO;
            } else if waited >= patience {
                return Err(others);
            }
            sleep(pause);
            waited += pause;
            pause = longest.min(pause * 2);
            self.recorded.read_new()?;
        }
    }
}

/// Takes the runs that shards have recorded, and makes the others.
pub struct GatheringRunner<'a> {
    /// Makes them.
    pub local: LocalRunner<'a>,
    /// The runs of all shards.
    pub recorded: ShardRuns<'a>,
}

impl TargetRunner for GatheringRunner<'_> {
    fn admit(&mut self, config: &Config, words: &str) -> Result<(), String> {
        self.local.admit(config, words)
    }

    fn make(&mut self, batch: &RunBatch<'_>, take: &mut dyn FnMut(TuneRun) -> bool) -> Result<(), TuneError> {
        let due = batch.requests.len();
        let mut place = 0;
        while place < due {
            if self.recorded.has(batch.run(place)) {
                if !take(self.recorded.get(batch, place)?) {
                    return Ok(());
                }
                place += 1;
                continue;
            }
            let mut end = place + 1;
            while end < due && !self.recorded.has(batch.run(end)) {
                end += 1;
            }
            self.local.make(&batch.part(place..end), take)?;
            place = end;
        }
        Ok(())
    }
}

/// The journal of a shard: what follows from the runs is written by who gathers them.
pub struct NoJournal;

impl Journal for NoJournal {}
