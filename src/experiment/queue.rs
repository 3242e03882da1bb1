//! Runs in parallel, delivered in the order of the plan: all of them, those of a shard, or those of a race.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::{fmt, io, thread};

use thiserror::Error;

use super::{Halt, Race, RunError, RunRecord, Runner, Sink, Watch, threads};
use crate::budget::Interrupt;

/// Makes all runs of a share, on `jobs` threads, and hands them to the sink in the order of the plan. A run that an
/// interrupt cuts is not handed over.
///
/// # Errors
/// [`RunError::Sink`] when a run could not be kept, [`RunError::Threads`].
pub fn perform(
    runner: &Runner<'_>,
    jobs: usize,
    share: &Share<'_>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<Halt, RunError> {
    let todo = usize::try_from(share.count(runner.plan().runs())).unwrap_or(usize::MAX);
    let jobs = threads::useful(jobs);
    let workers = jobs.min(todo).max(1);
    // Threads that the runs do not need serve the islands within a run.
    let spare = jobs / workers;
    let pools = (0..workers).map(|_| pool(spare)).collect::<Result<Vec<_>, _>>()?;
    let queue = Queue {
        share,
        todo,
        window: 4 * workers,
        state: Mutex::new(State { run: share.first(), ..State::default() }),
        moved: Condvar::new(),
    };
    let complete = thread::scope(|scope| {
        let mut pools = pools.iter();
        threads::start(workers, || {
            let (queue, pool) = (&queue, pools.next().expect("there are as many as workers"));
            let work = move || queue.work(|run| runner.run_one(run, pool.as_ref(), watch, interrupt));
            thread::Builder::new().spawn_scoped(scope, work).map(drop)
        })
        .map_err(RunError::Threads)?;
        // Runs that nobody can keep need not end.
        queue.deliver(sink, watch).inspect_err(|_| interrupt.raise(Interrupt::ABANDONED))
    })?;
    Ok(if complete { Halt::Complete } else { Halt::Interrupted })
}

/// Makes what is left of a race, block by block; `known` are the calls of runs that are there. The race is handed back as
/// far as it has come.
///
/// # Errors
/// As [`perform`].
///
/// # Panics
/// When the plan is no race.
pub fn perform_race(
    runner: &Runner<'_>,
    jobs: usize,
    known: &BTreeMap<u64, f64>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<(Halt, Race), RunError> {
    let mut race = Race::of(runner.plan()).expect("the plan is a race");
    let done = known.keys().copied().collect();
    let mut seen = Seen { sink, calls: known.clone() };
    while let Some(block) = race.next() {
        let share = Share { shard: Shard::WHOLE, done: &done, race: Some(&race) };
        if share.count(u64::MAX) > 0
            && perform(runner, jobs, &share, &mut seen, watch, interrupt)? == Halt::Interrupted
        {
            return Ok((Halt::Interrupted, race));
        }
        let calls: Vec<f64> = block.filter(|run| race.has(*run)).map(|run| seen.calls[&run]).collect();
        race.take(&calls);
    }
    Ok((Halt::Complete, race))
}

/// Remembers what a race needs of the runs that pass to a sink.
struct Seen<'a> {
    sink: &'a mut dyn Sink,
    calls: BTreeMap<u64, f64>,
}

impl Sink for Seen<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        self.sink.take(record)?;
        self.calls.insert(record.id.run, record.race_calls());
        Ok(())
    }
}

fn pool(threads: usize) -> Result<Option<Arc<rayon::ThreadPool>>, RunError> {
    if threads < 2 {
        return Ok(None);
    }
    threads::pool(threads).map(|pool| Some(Arc::new(pool))).map_err(RunError::Threads)
}

/// Hands runs out to workers and back in order. Workers stay within a window ahead of what is delivered, so that memory
/// is bounded however long the first run takes.
struct Queue<'a> {
    share: &'a Share<'a>,
    /// The number of runs in it.
    todo: usize,
    window: usize,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    /// Runs handed out.
    next: usize,
    /// The next run to hand out, if it is of the share.
    run: u64,
    /// Runs delivered.
    delivered: usize,
    /// Ended runs by position; a cut run leaves `None`.
    ended: BTreeMap<usize, Option<Box<RunRecord>>>,
    /// Nothing more is handed out.
    closed: bool,
}

/// A run in the hands of a worker. It is given back when this is dropped, as cut if the worker panics, so that nobody
/// waits for it for ever.
struct Claim<'a> {
    queue: &'a Queue<'a>,
    position: usize,
    record: Option<Box<RunRecord>>,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.queue.lock().ended.insert(self.position, self.record.take());
        self.queue.moved.notify_all();
    }
}

impl Queue<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the queue")
    }

    fn work(&self, run: impl Fn(u64) -> Option<RunRecord>) {
        while let Some((position, index)) = self.take() {
            let mut claim = Claim { queue: self, position, record: None };
            claim.record = run(index).map(Box::new);
        }
    }

    /// The next run and its position in the share.
    fn take(&self) -> Option<(usize, u64)> {
        let mut state = self.lock();
        loop {
            if state.closed || state.next == self.todo {
                return None;
            }
            if state.next < state.delivered + self.window {
                while !self.share.has(state.run) {
                    state.run += 1;
                }
                state.next += 1;
                state.run += 1;
                return Some((state.next - 1, state.run - 1));
            }
            state = self.moved.wait(state).expect("no thread panics while it holds the queue");
        }
    }

    /// Delivers runs in order until all are, one was cut, or the sink fails; says whether all are.
    fn deliver(&self, sink: &mut dyn Sink, watch: &dyn Watch) -> Result<bool, RunError> {
        for position in 0..self.todo {
            let Some(record) = self.wait_for(position) else {
                self.close();
                return Ok(false);
            };
            if let Err(source) = sink.take(&record) {
                self.close();
                return Err(RunError::Sink { run: record.id.run, source });
            }
            watch.ended(&record);
            self.lock().delivered += 1;
            self.moved.notify_all();
        }
        self.close();
        Ok(true)
    }

    fn wait_for(&self, position: usize) -> Option<Box<RunRecord>> {
        let mut state = self.lock();
        loop {
            if let Some(record) = state.ended.remove(&position) {
                return record;
            }
            state = self.moved.wait(state).expect("no thread panics while it holds the queue");
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }
}

/// Every `of`-th run, from the `index`-th: one of as many programs that make an experiment together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0.
    pub index: u64,
    /// Of how many; at least 1.
    pub of: u64,
}

impl Shard {
    /// All runs.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// The run is one of this shard's.
    pub fn has(self, run: u64) -> bool {
        run % self.of == self.index
    }

    /// How many of the first `runs` runs it has.
    pub fn count(self, runs: u64) -> u64 {
        runs / self.of + u64::from(runs % self.of > self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A text that names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShardError {
    /// It is not two numbers.
    #[error("K/N: the index of the shard, from 0, and how many there are, such as 0/4")]
    Unread,
    /// There are no shards.
    #[error("there is at least one shard, such as 0/1")]
    NoShards,
    /// There are fewer shards.
    #[error("the index of a shard counts from 0: of {of} the last is {last}, not {index}", last = of - 1)]
    NotOne {
        /// The index.
        index: u64,
        /// How many shards there are.
        of: u64,
    },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers =
            text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if index < of => Ok(Self { index, of }),
            Some((_, 0)) => Err(ShardError::NoShards),
            Some((index, of)) => Err(ShardError::NotOne { index, of }),
            None => Err(ShardError::Unread),
        }
    }
}

/// The runs of a shard that are not done.
#[derive(Clone, Copy, Debug)]
pub struct Share<'a> {
    /// Whose runs.
    pub shard: Shard,
    /// Those that are there.
    pub done: &'a BTreeSet<u64>,
    /// The race whose present block alone is made, if there is one.
    pub race: Option<&'a Race>,
}

impl Share<'_> {
    /// The run is to be made.
    pub fn has(&self, run: u64) -> bool {
        self.shard.has(run) && !self.done.contains(&run) && self.race.is_none_or(|race| race.has(run))
    }

    /// No run before this one is to be made.
    pub(super) fn first(&self) -> u64 {
        self.race.and_then(Race::next).map_or(0, |block| block.start)
    }

    /// How many of the first `runs` runs are to be made.
    pub fn count(&self, runs: u64) -> u64 {
        if let Some(race) = self.race {
            return race.next().map_or(0, |block| block.filter(|run| self.has(*run)).count() as u64);
        }
        let done = self.done.range(..runs).filter(|run| self.shard.has(**run)).count();
        self.shard.count(runs) - done as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_every_run_once() {
        for (runs, of) in [(0, 3), (2, 3), (7, 3), (9, 3), (5, 1)] {
            let shards: Vec<Shard> = (0..of).map(|index| Shard { index, of }).collect();
            assert!((0..runs).all(|run| shards.iter().filter(|shard| shard.has(run)).count() == 1));
            for shard in &shards {
                let has = (0..runs).filter(|run| shard.has(*run)).count() as u64;
                assert_eq!(shard.count(runs), has, "{shard} of {runs}");
            }
        }
    }

    #[test]
    fn what_is_done_is_not_to_be_made() {
        let done: BTreeSet<u64> = [1, 3, 4, 99].into();
        let share = Share { shard: Shard { index: 1, of: 2 }, done: &done, race: None };
        assert_eq!((0..8).filter(|run| share.has(*run)).collect::<Vec<_>>(), [5, 7]);
        assert_eq!(share.count(8), 2);
    }

    #[test]
    fn a_shard_is_written_as_it_is_read() {
        assert_eq!("2/5".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/5".to_owned()));
        for bad in ["5/5", "0/0", "1", "/", "-1/3", "a/b", ""] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
        let said = |text: &str| text.parse::<Shard>().expect_err("no shard").to_string();
        assert_eq!(said("0/0"), "there is at least one shard, such as 0/1");
        assert_eq!(said("5/4"), "the index of a shard counts from 0: of 4 the last is 3, not 5");
    }
}
