//! Experiments: as `kenga run`, with the same folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kenga::budget::Interrupt;
use kenga::experiment::{
    ConfigDraft, Halt, Plan, RemainingRuns, RunRecord, Runner, Shard, Watch, cores, perform, perform_race,
};
use kenga::puzzle::formats::{Ids, Reader};
use kenga::results::{
    FailureRow, Folder, FolderRows, ResultsError, RunRow, free_folder, read_plan, round_of_shard,
};
use kenga::search::algorithms::{Programs, run_guardian as wait_and_kill};
use pyo3::prelude::*;

use crate::error::{error, report};
use crate::puzzle::Puzzle;
use crate::wait::wait;

/// What is to be run.
#[pyclass(module = "kenga._kenga")]
pub(crate) struct Experiment {
    plan: Plan,
    shard: Shard,
    /// Where programs are started.
    beside: Option<PathBuf>,
}

/// How far an experiment is.
#[derive(Default)]
struct Progress {
    /// The runs that are to be made.
    total: AtomicU64,
    ended: AtomicU64,
    solved: AtomicU64,
}

impl Watch for Progress {
    fn ended(&self, record: &RunRecord) {
        self.ended.fetch_add(1, Ordering::Relaxed);
        self.solved.fetch_add(u64::from(record.is_success()), Ordering::Relaxed);
    }
}

#[pymethods]
impl Experiment {
    /// The experiment of a configuration, with what is set over it; `beside` is the folder that its files are relative to.
    #[staticmethod]
    fn read(
        name: &str,
        text: &str,
        beside: Option<PathBuf>,
        assignments: Vec<String>,
        puzzles: Option<Vec<PyRef<'_, Puzzle>>>,
    ) -> PyResult<Self> {
        let mut draft = ConfigDraft::read(name, text).map_err(|bad| report(&bad))?;
        for assignment in &assignments {
            draft.set(assignment).map_err(|bad| report(&bad))?;
        }
        let settings = draft.settings().map_err(|bad| report(&bad))?;
        let puzzles = match puzzles {
            Some(puzzles) => distinct(puzzles.iter().map(|puzzle| (*puzzle.0).clone()).collect())?,
            None => match settings.instances().map_err(error)? {
                Some(instances) => instances,
                None => {
                    let files = settings.all[0].config.puzzles();
                    read_files(
                        files.iter().map(|file| beside.as_deref().unwrap_or(Path::new("")).join(file)),
                    )?
                }
            },
        };
        if puzzles.is_empty() {
            let message = "there is no puzzle to run: name files in `puzzles`, or give puzzles beside the configuration";
            return Err(error(message));
        }
        Ok(Self { plan: Plan::new(settings, puzzles), shard: Shard::WHOLE, beside })
    }

    /// The experiment of a folder, with what is set over it: at most more replicates.
    #[staticmethod]
    fn of_folder(folder: PathBuf, assignments: Vec<String>, beside: Option<PathBuf>) -> PyResult<Self> {
        let (plan, shard) = read_plan(&folder).map_err(|bad| report(&bad))?;
        let mut settings = plan.settings;
        for assignment in &assignments {
            let mut draft = ConfigDraft::default();
            draft.set(assignment).map_err(|bad| report(&bad))?;
            if let Some(difference) = settings.extend(&draft) {
                return Err(report(&ResultsError::OtherConfig { path: folder, difference }));
            }
        }
        let plan = Plan { costs: plan.costs, ..Plan::new(settings, plan.puzzles) };
        Ok(Self { plan, shard, beside })
    }

    /// Makes the runs in a folder that does not exist or is empty, those that are missing in one to be resumed, or, where
    /// `free`, in the first free one with this name; returns the folder and how many runs have failed. `look` is called from
    /// time to time with how many runs have ended, how many there are, and how many are solved.
    #[expect(clippy::too_many_arguments, reason = "the interface of a private module, called by name")]
    fn run(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        free: bool,
        resume: bool,
        jobs: Option<usize>,
        guardian: Vec<String>,
        programs: Option<PathBuf>,
        look: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(PathBuf, u64)> {
        let (interrupt, progress) = (Interrupt::default(), Progress::default());
        let guardian = guardian.into_iter().map(Into::into).collect();
        let programs = Arc::new(Programs::new(programs.or_else(|| self.beside.clone()), guardian));
        let tell = |_: Python<'_>| {
            let Some(look) = &look else { return Ok(()) };
            let [ended, total, solved] = [&progress.ended, &progress.total, &progress.solved]
                .map(|number| number.load(Ordering::Relaxed));
            look.call1((ended, total, solved)).map(drop)
        };
        let jobs = jobs.unwrap_or_else(cores);
        let made = wait(
            py,
            &interrupt,
            || {
                let runner =
                    Runner::prepare(&self.plan, jobs, &interrupt).map_err(|bad| error(bad.in_full()))?;
                if interrupt.is_raised() {
                    return Err(error("interrupted"));
                }
                let runner = runner.with_programs(programs);
                let folder = self.open(folder, free, resume).map_err(|bad| report(&bad))?;
                self.perform(&runner, folder, jobs, &progress, &interrupt)
            },
            tell,
        )??;
        tell(py)?;
        Ok(made)
    }
}

impl Experiment {
    fn open(&self, folder: PathBuf, free: bool, resume: bool) -> Result<Folder, ResultsError> {
        let folder = if free { free_folder(&folder)? } else { folder };
        if resume && folder.exists() {
            return Folder::resume(&folder, &self.plan, self.shard);
        }
        Folder::begin(&folder, &self.plan, self.shard)
    }

    /// Makes the remaining runs of an open folder.
    fn perform(
        &self,
        runner: &Runner<'_>,
        mut folder: Folder,
        jobs: usize,
        progress: &Progress,
        interrupt: &Interrupt,
    ) -> PyResult<(PathBuf, u64)> {
        folder.prepare(&self.plan, runner).map_err(|bad| report(&bad))?;
        let done: BTreeSet<u64> = folder.done().clone();
        let mut round = None;
        if self.plan.is_part_of_race(self.shard) {
            round = Some(round_of_shard(&self.plan, self.shard, folder.path()).map_err(|bad| report(&bad))?);
        }
        let remaining =
            RemainingRuns { share: self.plan.share(self.shard), done: &done, race: round.as_ref() };
        let path = folder.path().to_owned();
        progress.total.store(self.plan.share(self.shard).count(), Ordering::Relaxed);
        progress.ended.store(done.len() as u64, Ordering::Relaxed);
        let mut solved = 0;
        let rows = FolderRows::open(&path, &self.plan, self.shard).map_err(|bad| report(&bad))?;
        rows.each(|row: RunRow| solved += u64::from(row.is_success())).map_err(|bad| report(&bad))?;
        progress.solved.store(solved, Ordering::Relaxed);
        let halt = {
            let mut sink = folder.sink(&self.plan);
            match self.plan.settings.race.filter(|_| round.is_none()) {
                None => perform(runner, jobs, &remaining, &mut sink, progress, interrupt),
                Some(_) => {
                    let known = rows.race_calls().map_err(|bad| report(&bad))?;
                    perform_race(runner, jobs, &known, &mut sink, progress, interrupt).map(|(halt, _)| halt)
                }
            }
        };
        if halt.map_err(|bad| error(bad.in_full()))? == Halt::Complete {
            folder.finish().map_err(|bad| report(&bad))?;
        }
        let mut failed = 0;
        if self.plan.can_fail() {
            let rows = FolderRows::open(&path, &self.plan, self.shard).map_err(|bad| report(&bad))?;
            rows.each(|_: FailureRow| failed += 1).map_err(|bad| report(&bad))?;
        }
        Ok((path, failed))
    }
}

/// Puzzles whose ids differ.
fn distinct(puzzles: Vec<kenga::puzzle::Puzzle>) -> PyResult<Vec<kenga::puzzle::Puzzle>> {
    let mut ids = BTreeSet::new();
    match puzzles.iter().find(|puzzle| !ids.insert(&puzzle.id)) {
        Some(twin) => Err(error(format!("two puzzles have the id `{}`", twin.id))),
        None => Ok(puzzles),
    }
}

/// Every puzzle of some files.
fn read_files(files: impl Iterator<Item = PathBuf>) -> PyResult<Vec<kenga::puzzle::Puzzle>> {
    let (mut ids, mut puzzles) = (Ids::default(), Vec::new());
    for file in files {
        let name = file.to_string_lossy();
        let bytes = fs::read(&file).map_err(|problem| error(format!("cannot read {name}: {problem}")))?;
        let mut reader = Reader::new(&name, bytes);
        while let Some(puzzle) = reader.next(&mut ids) {
            puzzles.push(puzzle.map_err(|bad| report(&bad))?);
        }
    }
    Ok(puzzles)
}

/// Kills what is left of programs when standard input ends.
#[pyfunction]
pub(crate) fn run_guardian(py: Python<'_>) {
    py.detach(|| wait_and_kill(std::io::stdin().lock()));
}
