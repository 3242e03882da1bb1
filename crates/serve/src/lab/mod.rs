//! The experiments behind a server: what lies in its folder, and those that it runs itself.
//!
//! ```text
//! one experiment at a time, on one thread fewer than there are cores; the others wait in a queue
//! ```
//!
//! **Invariant**: a folder is begun before its experiment waits, and stays locked from then on: what a server leaves behind,
//! however it ends, any other program can resume. The order of the queue may change freely.

mod experiment;
mod folders;
mod request;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::limits::check_plan;
use super::lock;
use super::refusal::{Code, Refusal};
use experiment::{Experiment, Phase};
pub(super) use folders::ExperimentStatus;
use folders::Known;
use kenga_core::text::printable;
use kenga_lab::experiment::{Halt, Plan, RemainingRuns, Runner, Shard, cores};
use kenga_lab::results::{Folder, ResultsError, RunTally, ServedFolder, free_folder, make_runs, read_plan};
pub(super) use request::{ExperimentRequest, REQUEST, read_request, read_settings};

/// The name of a results folder when none is given.
const NAME: &str = "experiment";

/// The most experiments that wait.
const ROOM: usize = 64;

/// How long the end of a server waits for its experiment.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// The experiments of a server.
pub(super) struct Lab {
    served: ServedFolder,
    queue: Mutex<JobQueue>,
    /// Something waits, or has ended.
    changed: Condvar,
    /// What was read of folders.
    known: Mutex<Known>,
}

/// What is to be done.
#[derive(Default)]
struct JobQueue {
    waiting: VecDeque<QueuedExperiment>,
    running: Option<Arc<Experiment>>,
    /// Why experiments have stopped, by folder.
    problems: BTreeMap<String, String>,
    is_ending: bool,
}

impl JobQueue {
    /// The experiment that runs, and those that wait.
    fn experiments(&self) -> impl Iterator<Item = &Arc<Experiment>> {
        self.running.iter().chain(self.waiting.iter().map(|next| &next.experiment))
    }
}

/// An experiment with its open folder.
struct QueuedExperiment {
    experiment: Arc<Experiment>,
    plan: Plan,
    shard: Shard,
    folder: Folder,
}

impl Lab {
    /// The experiments of a folder, which may not be there yet.
    ///
    /// # Errors
    /// [`ResultsError::NoFolder`] for a file.
    pub(super) fn new(folder: &Path) -> Result<Self, ResultsError> {
        let (queue, changed, known) = (Mutex::default(), Condvar::new(), Mutex::default());
        Ok(Self { served: ServedFolder::new(folder)?, queue, changed, known })
    }

    /// Starts the thread that runs experiments.
    pub(super) fn start_worker(self: &Arc<Self>) -> io::Result<()> {
        let lab = Arc::clone(self);
        Builder::new().name("lab".to_owned()).spawn(move || {
            while let Some(next) = lab.next() {
                lab.run(next);
            }
        })?;
        Ok(())
    }

    /// The folder with the results folders.
    pub(super) fn served(&self) -> &ServedFolder {
        &self.served
    }

    /// Begins a folder, and has its runs made. Without a name it is the first that is free.
    ///
    /// # Errors
    /// A name that cannot be used, or that of a folder that is there; a folder that cannot be written; too many wait.
    pub(super) fn start(&self, name: Option<&str>, plan: Plan) -> Result<Arc<Experiment>, Refusal> {
        // Before the folder is begun: one that is refused leaves nothing behind.
        self.refuse_when_full()?;
        let path = match name {
            Some(name) => self.served.new_folder(name)?,
            None => free_folder(&self.served.new_folder(NAME)?)?,
        };
        let name = name.map_or_else(|| last_part(&path), str::to_owned);
        // Its folder may have been removed while it runs: then the name is free on the disk, and not here.
        self.refuse_running(&name)?;
        let folder = Folder::begin(&path, &plan, Shard::WHOLE)?;
        self.wait(name, plan, Shard::WHOLE, folder)
    }

    /// Has the runs made that a folder lacks, with more replicates if they are asked for.
    ///
    /// # Errors
    /// No results folder; one that another program writes or that this server cannot run; too many wait.
    pub(super) fn resume(&self, name: &str, replicates: Option<u64>) -> Result<Arc<Experiment>, Refusal> {
        self.refuse_when_full()?;
        let path = self.served.find(name)?;
        self.refuse_running(name)?;
        let (plan, shard) = read_plan(&path)?;
        let plan = request::extended(plan, replicates)?;
        // The folder may be another's, or the command line's, which starts programs.
        check_plan(&plan)?;
        let folder = Folder::resume(&path, &plan, shard)?;
        self.wait(name.to_owned(), plan, shard, folder)
    }

    /// Stops an experiment that this server runs, or takes it out of the queue. What was written can be resumed.
    pub(super) fn stop(&self, name: &str) -> Result<(), Refusal> {
        self.served.place(name)?;
        let mut queue = self.queue();
        if let Some(running) = &queue.running
            && running.name == name
        {
            running.stop();
            return Ok(());
        }
        let Some(place) = queue.waiting.iter().position(|next| next.experiment.name == name) else {
            let help = "its own program can stop it, as with Ctrl-C";
            return Err(Refusal::new(Code::NotRunning, format!("this server does not run `{name}`"), help));
        };
        // With it goes the lock of its folder: it can be resumed at once.
        queue.waiting.remove(place);
        Ok(())
    }

    /// An experiment that this server runs, or that waits for it, and how many stand before it.
    pub(super) fn here(&self, name: &str) -> Option<(Arc<Experiment>, usize)> {
        let queue = self.queue();
        for (before, experiment) in queue.experiments().enumerate() {
            if experiment.name == name {
                return Some((Arc::clone(experiment), before));
            }
        }
        None
    }

    /// The folders whose experiments this server runs, or which wait for it.
    pub(super) fn names(&self) -> Vec<String> {
        self.queue().experiments().map(|experiment| experiment.name.clone()).collect()
    }

    /// Refuses a name under which something runs here, or waits.
    fn refuse_running(&self, name: &str) -> Result<(), Refusal> {
        if self.here(name).is_none() {
            return Ok(());
        }
        Err(Refusal::new(Code::Locked, format!("`{name}` is running already"), "stop it first"))
    }

    fn refuse_when_full(&self) -> Result<(), Refusal> {
        if self.queue().waiting.len() < ROOM {
            return Ok(());
        }
        Err(Refusal::new(Code::Busy, format!("{ROOM} experiments are waiting already"), "stop one first"))
    }

    /// Why the experiment of a folder has stopped here.
    fn problem(&self, name: &str) -> Option<String> {
        self.queue().problems.get(name).cloned()
    }

    /// Stops all experiments, and waits a moment for the one that runs.
    pub(super) fn end(&self) {
        let mut queue = self.queue();
        // Nothing begins any more, not even what a request that is under way adds to the queue.
        queue.is_ending = true;
        queue.waiting.clear();
        if let Some(running) = &queue.running {
            running.stop();
        }
        self.changed.notify_all();
        drop(self.changed.wait_timeout_while(queue, SHUTDOWN_TIMEOUT, |queue| queue.running.is_some()));
    }

    fn queue(&self) -> MutexGuard<'_, JobQueue> {
        lock(&self.queue)
    }

    fn wait(
        &self,
        name: String,
        plan: Plan,
        shard: Shard,
        folder: Folder,
    ) -> Result<Arc<Experiment>, Refusal> {
        // Read before the queue is locked: a long folder takes a while.
        let ended = RunTally::of(folder.path(), &plan, shard)?;
        let experiment = Arc::new(Experiment::new(name, &plan, shard, ended));
        let mut queue = self.queue();
        if queue.is_ending {
            return Err(Refusal::new(Code::Stopping, "the server is ending", ""));
        }
        queue.problems.remove(&experiment.name);
        queue.waiting.push_back(QueuedExperiment {
            experiment: Arc::clone(&experiment),
            plan,
            shard,
            folder,
        });
        self.changed.notify_all();
        Ok(experiment)
    }

    /// Waits for an experiment to run; none when the server ends.
    fn next(&self) -> Option<QueuedExperiment> {
        let mut queue = self.queue();
        loop {
            if queue.is_ending {
                return None;
            }
            if let Some(next) = queue.waiting.pop_front() {
                queue.running = Some(Arc::clone(&next.experiment));
                return Some(next);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Runs an experiment to its end. One that panics is a bug; it does not take down the server.
    fn run(&self, next: QueuedExperiment) {
        let experiment = Arc::clone(&next.experiment);
        let problem = match catch_unwind(AssertUnwindSafe(|| execute(next))) {
            Ok(Ok(halt)) => {
                experiment.ended(halt);
                None
            }
            Ok(Err(problem)) => Some(printable(&problem).into_owned()),
            Err(_) => Some("kenga has a bug here; its standard error says more".to_owned()),
        };
        // Under the lock: nobody sees the experiment gone from the queue and its problem not yet told.
        let mut queue = self.queue();
        if let Some(problem) = problem {
            experiment.failed(&problem);
            queue.problems.insert(experiment.name.clone(), problem);
        }
        queue.running = None;
        self.changed.notify_all();
    }
}

/// Makes the runs of an experiment, as `kenga run` does.
///
/// # Errors
/// Why it has stopped, in words.
fn execute(next: QueuedExperiment) -> Result<Halt, String> {
    let QueuedExperiment { experiment, plan, shard, mut folder } = next;
    // A core is left to requests.
    let (threads, interrupt) = (cores().saturating_sub(1).max(1), &experiment.interrupt);
    experiment.enter(Phase::Preparing);
    let runner = Runner::prepare(&plan, threads, interrupt).map_err(|error| error.in_full())?;
    // Exact facts that were cut short must not be written as if they were all.
    if interrupt.is_raised() {
        return Ok(Halt::Interrupted);
    }
    make_runs(
        &mut folder,
        &runner,
        shard,
        threads,
        |remaining: &RemainingRuns<'_>, ended| experiment.follow(remaining, ended),
        interrupt,
    )
    .map_err(|error| error.in_full())
}

fn last_part(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
