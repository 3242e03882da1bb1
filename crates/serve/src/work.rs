//! Work on a fixed number of threads, so that long work does not keep short work waiting.
//!
//! ```text
//! every job begins in the quick lane; one that is not done after a moment is cut,
//! and begins anew in the slow lane, which has fewer threads: a core stays free
//! ```
//!
//! A job is a pure function of its request, so that beginning anew changes nothing but the time. Its interrupt is raised when
//! nobody waits for it any more. One that does not look at it is given up a moment later: its request is answered, and
//! another thread takes the place of the one that it keeps.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::lock;
use super::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;

/// The bounds of the quick lane.
const QUICK: LaneLimits =
    LaneLimits { waiting: 64, time: Duration::from_millis(50), grace: Duration::from_millis(50) };

/// The bounds of the slow lane: a little longer than a job takes that limits itself.
const SLOW: LaneLimits =
    LaneLimits { waiting: 16, time: Duration::from_secs(31), grace: Duration::from_secs(1) };

/// Seconds for a job that limits itself, and may answer something then.
pub(super) const SECONDS: f64 = 30.0;

/// The most jobs of a lane that were given up and still run.
const GIVEN_UP: usize = 32;

/// The interrupt of a job whose time is up; any other stands for a job that nobody waits for.
const LATE: usize = 1;

/// What answers a request; it may be called again from the start.
pub(super) type Job = Arc<dyn Fn(&Interrupt) -> Result<Value, Refusal> + Send + Sync>;

/// The threads.
pub(super) struct WorkerThreads {
    quick: Arc<Lane>,
    slow: Arc<Lane>,
}

/// What a server is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Jobs on threads.
    pub(super) running: usize,
    /// Jobs that wait for a thread.
    pub(super) waiting: usize,
}

impl WorkerThreads {
    /// Starts the threads: one for each core in the quick lane, at least two, and one fewer in the slow.
    ///
    /// # Errors
    /// The system starts no thread.
    pub(super) fn start(cores: usize, runtime: &Handle) -> io::Result<Self> {
        let quick = Lane::start(cores.max(2), QUICK, runtime)?;
        let slow = Lane::start(cores.saturating_sub(1).max(1), SLOW, runtime)?;
        Ok(Self { quick, slow })
    }

    /// Does a job. Dropped, it stops the job.
    ///
    /// # Errors
    /// The job's own refusal; too much is waiting; the job takes too long.
    pub(super) async fn done(&self, job: Job) -> Result<Value, Refusal> {
        match self.quick.run(Arc::clone(&job)).await? {
            Some(answer) => answer,
            None => self.done_slowly(job).await,
        }
    }

    /// Does a job that is long as a rule, or that cannot be cut.
    pub(super) async fn done_slowly(&self, job: Job) -> Result<Value, Refusal> {
        if let Some(answer) = self.slow.run(job).await? {
            return answer;
        }
        let message =
            format!("this takes longer than {SECONDS} s, the most that this server works on a request");
        let help = "ask for less, or use the command line, which has no such limit";
        Err(Refusal::new(Code::TimeLimit, message, help))
    }

    /// What is being done.
    pub(super) fn load(&self) -> Load {
        let mut load = Load::default();
        for lane in [&self.quick, &self.slow] {
            load.running += lane.running.load(Ordering::Relaxed);
            load.waiting += lane.queue().len();
        }
        load
    }
}

/// What a lane takes on.
struct LaneLimits {
    /// Jobs that wait for a thread.
    waiting: usize,
    /// How long a job may run.
    time: Duration,
    /// How long it may take to notice that its time is up.
    grace: Duration,
}

/// Threads with a queue.
struct Lane {
    tasks: Mutex<VecDeque<QueuedJob>>,
    ready: Condvar,
    running: AtomicUsize,
    /// Jobs that were given up and still run.
    given_up: AtomicUsize,
    bounds: LaneLimits,
}

/// A job in a queue.
struct QueuedJob {
    job: Job,
    interrupt: Interrupt,
    reply: Arc<Reply>,
}

/// Where the answer of a job goes.
struct Reply {
    /// Taken by whichever comes first: the end of the job, or the end of its time.
    sender: Mutex<Option<oneshot::Sender<JobAnswer>>>,
    /// Another thread has taken the place of the one that the job keeps.
    is_replaced: AtomicBool,
}

/// What comes of a job; none when its time was up.
type JobAnswer = Option<Result<Value, Refusal>>;

/// Raises an interrupt when it is dropped: nobody waits any more.
struct Waiting(Interrupt);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.raise(Interrupt::ABANDONED);
    }
}

impl Lane {
    fn start(threads: usize, bounds: LaneLimits, runtime: &Handle) -> io::Result<Arc<Self>> {
        let (running, given_up) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let lane = Self { tasks: Mutex::default(), ready: Condvar::new(), running, given_up, bounds };
        let lane = Arc::new(lane);
        for _ in 0..threads {
            lane.start_thread(runtime)?;
        }
        Ok(lane)
    }

    /// Starts a thread that works until another one has taken its place.
    fn start_thread(self: &Arc<Self>, runtime: &Handle) -> io::Result<()> {
        let (lane, runtime) = (Arc::clone(self), runtime.clone());
        Builder::new().name("work".to_owned()).spawn(move || while lane.work(lane.next(), &runtime) {})?;
        Ok(())
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<QueuedJob>> {
        lock(&self.tasks)
    }

    /// Waits for a task that somebody waits for, and counts it as running.
    fn next(&self) -> QueuedJob {
        let mut queue = self.queue();
        loop {
            match queue.pop_front() {
                Some(task) if task.interrupt.is_raised() => {}
                Some(task) => {
                    self.running.fetch_add(1, Ordering::Relaxed);
                    return task;
                }
                None => queue = self.ready.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Does a task within the limit; false where another thread has meanwhile taken the place of this one. A job that
    /// panics is a bug; it takes down neither the thread nor the server.
    fn work(self: &Arc<Self>, task: QueuedJob, runtime: &Handle) -> bool {
        let QueuedJob { job, interrupt, reply } = task;
        let (lane, late, waiting) = (Arc::clone(self), interrupt.clone(), Arc::clone(&reply));
        // The job is not asked to look at a clock: the interrupt that it looks at anyway is raised by a timer of the runtime.
        let timer = runtime.spawn(async move {
            sleep(lane.bounds.time).await;
            late.raise(LATE);
            sleep(lane.bounds.grace).await;
            lane.give_up(&waiting);
        });
        let answer = catch_unwind(AssertUnwindSafe(|| job(&interrupt)));
        timer.abort();
        self.running.fetch_sub(1, Ordering::Relaxed);
        let Some(sender) = lock(&reply.sender).take() else {
            self.given_up.fetch_sub(1, Ordering::Relaxed);
            return !reply.is_replaced.load(Ordering::Relaxed);
        };
        // After a panic nothing is sent: whoever waits sees that the channel is closed.
        if let Ok(answer) = answer {
            let is_late = interrupt.signal() == LATE;
            // The client may be gone.
            let _ = sender.send(if is_late { None } else { Some(answer) });
        }
        true
    }

    /// Answers the request of a job that goes on though its time is up, and has another thread do what its thread would do.
    fn give_up(self: &Arc<Self>, reply: &Reply) {
        let mut sender = lock(&reply.sender);
        let Some(waiting) = sender.take() else { return };
        self.given_up.fetch_add(1, Ordering::Relaxed);
        // Where the system starts no thread, this one goes on with the next job when it can.
        let is_replaced = self.start_thread(&Handle::current()).is_ok();
        reply.is_replaced.store(is_replaced, Ordering::Relaxed);
        drop(sender);
        // The client may be gone.
        let _ = waiting.send(None);
    }

    /// Has a job done; none when its time was up.
    ///
    /// # Errors
    /// Too much is waiting, or the job has failed.
    async fn run(&self, job: Job) -> Result<Option<Result<Value, Refusal>>, Refusal> {
        let waiting = Waiting(Interrupt::default());
        let (sender, answer) = oneshot::channel();
        let reply = Reply { sender: Mutex::new(Some(sender)), is_replaced: AtomicBool::new(false) };
        // The lock is not held while the answer is waited for.
        {
            let mut queue = self.queue();
            // What nobody waits for any more must not keep others out.
            queue.retain(|task| !task.interrupt.is_raised());
            let given_up = self.given_up.load(Ordering::Relaxed);
            if queue.len() >= self.bounds.waiting || given_up >= GIVEN_UP {
                let message = format!("{} requests are waiting already", queue.len() + given_up);
                return Err(Refusal::new(Code::Busy, message, "ask again in a second"));
            }
            queue.push_back(QueuedJob { job, interrupt: waiting.0.clone(), reply: Arc::new(reply) });
        }
        self.ready.notify_one();
        let answer = answer.await.map_err(|_| Refusal::bug());
        drop(waiting);
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_job_that_does_not_stop_is_given_up_and_the_next_one_is_done() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let limits =
            LaneLimits { waiting: 1, time: Duration::from_millis(1), grace: Duration::from_millis(1) };
        let lane = Lane::start(1, limits, runtime.handle()).expect("a thread");
        let (stop, stopped) = channel::<()>();
        let stopped = Mutex::new(stopped);
        let deaf: Job = Arc::new(move |_| {
            // It ends when the test does.
            let _ = lock(&stopped).recv();
            Ok(Value::Null)
        });
        assert!(matches!(runtime.block_on(lane.run(deaf)), Ok(None)), "no answer, in time");
        let obedient: Job = Arc::new(|interrupt| {
            while !interrupt.is_raised() {
                std::thread::yield_now();
            }
            Ok(Value::Null)
        });
        assert!(matches!(runtime.block_on(lane.run(obedient)), Ok(None)), "it ends when it is told to");
        // The first still runs; on a slow machine the second was given up, too, before it ended.
        assert_ne!(lane.given_up.load(Ordering::Relaxed), 0);
        // Of this one the timer may be faster on a slow machine.
        while !matches!(
            runtime.block_on(lane.run(Arc::new(|_| Ok(Value::Bool(true))))),
            Ok(Some(Ok(Value::Bool(true))))
        ) {}
        drop(stop);
    }
}
