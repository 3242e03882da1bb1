//! Runs in parallel, handed over in the order of the plan.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use crate::budget::Interrupt;

use super::{Halt, Race, RunError, RunRecord, Runner, Shard, Share, Sink, Watch, threads};

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
