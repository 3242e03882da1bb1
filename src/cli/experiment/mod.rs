//! What `run` and `sweep` share: the plan that the arguments ask for, its runs, and the summary.
//!
//! **Invariant**: options reach the configuration as `--set` does, so that a folder records all that decides its runs; what
//! does not, such as `--jobs`, changes no byte of it.

mod config_text;
mod failures;
mod live;
mod pace;
mod race;
mod summary;
mod tuning;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{Report, miette};

use super::io::exit::{CommandResult, Exit, print_error, print_note};
use super::io::input::{beside, resume, whole};
use super::io::output::{TableForm, print};
use super::io::progress::Counter;
use super::io::puzzles::{Colors, Puzzles};
use super::io::signals;
use super::{GUARDIAN, own_command};
use failures::Failures;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::algorithms::Programs;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::{
    ConfigDraft, Halt, Plan, RemainingRuns, RunError, Runner, Settings, Shard, Threads, cores, in_order,
};
use kenga_lab::results::{Folder, ResultsError, RunTally, StopError, make_runs, read_plan};
use kenga_report::several;
use live::Live;
use summary::Ending;

pub(super) use config_text::ConfigText;
pub(super) use race::{round_words, settings_left};
pub(super) use summary::{cells, columns};
pub(super) use tuning::tuning_of;

/// The configuration of a command: `FILE`, or `--config FILE`.
#[derive(clap::Args)]
pub(super) struct ConfigArgs {
    /// The configuration, a TOML file; `-` is standard input
    #[arg(value_name = "FILE", conflicts_with = "config")]
    file: Option<String>,
    /// The same as FILE
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
}

impl ConfigArgs {
    /// The file, if one is named.
    pub(super) fn named(&self) -> Option<&str> {
        self.file.as_deref().or(self.config.as_deref())
    }
}

/// The error of a command that needs a configuration.
pub(super) fn no_config(command: &str) -> Report {
    let help = format!("name a TOML file, as in `kenga {command} sweep.toml`; `kenga init` writes one");
    miette!(help = help, "there is no configuration to {}", command.rsplit(' ').next().unwrap_or(command))
}

/// What the command line lays over a configuration.
#[derive(clap::Args, Default)]
pub(super) struct Overrides {
    /// Run these puzzles instead of those of the configuration; repeatable
    #[arg(long = "puzzle", value_name = "FILE")]
    puzzles: Vec<String>,
    /// The seed that all randomness derives from
    #[arg(long, value_name = "N", value_parser = whole(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Replicates of every puzzle and setting
    #[arg(long, value_name = "N", visible_alias = "replicates", visible_short_alias = 'n', value_parser = whole(1..=1_000_000_000_u64))]
    runs: Option<u64>,
    /// Set a key of the configuration, such as `algorithm.population=40`; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// The folder that `--resume [DIR]` and `--out DIR` name together to be resumed, if one is named.
pub(super) fn resumed(
    resume: &Option<Option<PathBuf>>,
    out: &Option<PathBuf>,
) -> Result<Option<PathBuf>, Report> {
    match (resume, out) {
        (Some(Some(resume)), Some(out)) if resume != out => {
            let (resume, out, help) = (resume.display(), out.display(), "name the folder once");
            Err(miette!(help = help, "--resume {resume} and --out {out} name two folders"))
        }
        (Some(Some(path)), _) | (Some(None), Some(path)) => Ok(Some(path.clone())),
        _ => Ok(None),
    }
}

/// The folder that results of a configuration go to when none is named.
pub(super) fn base(config: &str) -> PathBuf {
    let stem = Path::new(config).file_stem().and_then(|stem| stem.to_str());
    Path::new("results").join(stem.filter(|stem| *stem != "-").unwrap_or("stdin"))
}

impl Overrides {
    /// Those of `--set` alone.
    pub(super) fn setting(set: &[String]) -> Self {
        Self { set: set.to_vec(), ..Self::default() }
    }

    /// The plan of a configuration, and [`Exit::BadInput`] when some of the puzzles could not be read.
    pub(super) fn plan(&self, config: &str) -> Result<(Plan, Exit), Report> {
        let help = "a configuration is a TOML file; `kenga init` writes one";
        let text = ConfigText::read(config, help)?;
        let settings = self.settings(&text)?;
        for note in &settings.notes {
            print_note(&format!("note: {note}"));
        }
        if let Some(instances) = settings.instances().map_err(|problem| miette!("{problem}"))? {
            if !self.puzzles.is_empty() {
                let help = "take out --puzzle, or [problem]";
                return Err(miette!(help = help, "an experiment on a problem of your own has no puzzles"));
            }
            return Ok((Plan::new(settings, instances), Exit::Done));
        }
        let files = settings.all[0].config.puzzles();
        let (puzzles, exit) = puzzles_of(config, &text, &files, &self.puzzles)?;
        Ok((Plan::new(settings, puzzles), exit))
    }

    /// The plan that a folder keeps, with the replicates that are asked for. What else is given must agree with it.
    ///
    /// # Errors
    /// What [`read_plan`] refuses, and a key that disagrees.
    pub(super) fn folder_plan(&self, folder: &Path) -> Result<(Plan, Shard), Report> {
        let (plan, shard) = read_plan(folder)?;
        let mut settings = plan.settings;
        for assignment in self.assignments() {
            // One by one, so that the error names the first key that disagrees.
            let mut draft = ConfigDraft::default();
            draft.set(&assignment)?;
            if let Some(difference) = settings.extend(&draft) {
                return Err(ResultsError::OtherConfig { path: folder.to_owned(), difference }.into());
            }
        }
        let plan = Plan { costs: plan.costs, ..Plan::new(settings, plan.puzzles) };
        if !self.puzzles.is_empty() {
            let (puzzles, _) = puzzles_of("-", &ConfigText::default(), &[], &self.puzzles)?;
            // Files may have moved or be written otherwise: the puzzles themselves must be the same.
            if !puzzles.iter().map(Puzzle::canonical_text).eq(plan.puzzles.iter().map(Puzzle::canonical_text))
            {
                let path = folder.to_owned();
                return Err(ResultsError::OtherInput { path, what: "puzzles", file: "puzzles.jsonl" }.into());
            }
        }
        Ok((plan, shard))
    }

    /// What the arguments set, as `--set` does.
    fn assignments(&self) -> Vec<String> {
        let mut all = self.set.clone();
        all.extend(self.seed.map(|seed| format!("seed={seed}")));
        all.extend(self.runs.map(|runs| format!("replicates={runs}")));
        all
    }

    /// The settings with all that the arguments lay over them.
    fn settings(&self, config: &ConfigText) -> Result<Settings, Report> {
        let mut draft = ConfigDraft::read(&config.name, &config.text)?;
        for assignment in self.assignments() {
            draft.set(&assignment)?;
        }
        Ok(draft.settings()?)
    }
}

/// The puzzles of files that a configuration, `config`, names, relative to it, or of others in their place.
pub(super) fn puzzles_of(
    config: &str,
    text: &ConfigText,
    files: &[String],
    others: &[String],
) -> Result<(Vec<Puzzle>, Exit), Report> {
    // A file that is missing is an error of its own: the puzzles of the others are run nevertheless.
    let mut missing = Exit::Done;
    let mut there = others.to_vec();
    if others.is_empty() {
        for (file, path) in files.iter().zip(beside(config, files)) {
            match text.missing(file, &path) {
                None => there.push(path),
                Some(report) => {
                    print_error(&report);
                    missing = Exit::BadInput;
                }
            }
        }
    }
    let mut input = Puzzles::new(&there, Colors::AS_STATED, None);
    let puzzles: Vec<Puzzle> = input.by_ref().collect();
    let exit = input.finish()?.and(missing);
    if puzzles.is_empty() && exit == Exit::Done {
        let help = "name files in `puzzles = [\"…\"]` of the configuration, or with --puzzle";
        return Err(miette!(help = help, "there is no puzzle to run"));
    }
    if puzzles.is_empty() {
        return Err(miette!("no puzzle could be read"));
    }
    if exit != Exit::Done {
        let count = several(puzzles.len() as u64, "puzzle");
        print_note(&format!("note: some puzzles could not be read: running {count}"));
    }
    Ok((puzzles, exit))
}

/// How runs are executed and reported.
#[derive(clap::Args)]
pub(super) struct ExecutionArgs {
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    programs: ProgramsArgs,
    /// Print a line of statistics to standard error every N generations of every run
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    statistics: Option<u64>,
    /// Print no progress and no summary
    #[arg(long, conflicts_with = "TableForm")]
    quiet: bool,
    #[command(flatten)]
    form: TableForm,
}

/// A folder that is there.
pub(super) fn existing(folder: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(folder);
    if folder.is_dir() { Ok(folder) } else { Err("there is no such folder".to_owned()) }
}

/// Programs that are started in a folder, or in the current one.
pub(super) fn programs_in(folder: Option<PathBuf>) -> Arc<Programs> {
    // The guardian is this program once more: it ends the programs when kenga is killed.
    let mut guardian = own_command().unwrap_or_default();
    if !guardian.is_empty() {
        guardian.push(GUARDIAN.into());
    }
    Arc::new(Programs::new(folder, guardian))
}

/// Results that may wait, for each thread, for an earlier one.
pub(super) const AHEAD: usize = 16;

/// How many threads work.
#[derive(clap::Args)]
pub(super) struct Jobs {
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole(1..=u16::MAX))]
    jobs: Option<u16>,
}

/// Where the programs of algorithms and problems are started.
#[derive(clap::Args)]
pub(super) struct ProgramsArgs {
    /// Start programs (`command` in `[algorithm]` or `[problem]`) in DIR [default: the folder of the configuration or plan file, if one
    /// is named, else the current one]
    #[arg(long = "programs", value_name = "DIR", value_parser = existing)]
    folder: Option<PathBuf>,
}

impl ProgramsArgs {
    /// The place of programs; `file` is the configuration or the plan.
    pub(super) fn beside(&self, file: Option<&str>) -> Arc<Programs> {
        programs_in(self.folder(file))
    }

    fn folder(&self, file: Option<&str>) -> Option<PathBuf> {
        if self.folder.is_some() {
            return self.folder.clone();
        }
        // Commands of a configuration are meant from its own folder.
        let beside = file.filter(|file| *file != "-").and_then(|file| Path::new(file).parent());
        beside.map(Path::to_owned)
    }

    /// The command that continues a folder of a plan, its programs where they are now.
    fn resume(&self, file: Option<&str>, plan: &Plan, path: &Path) -> String {
        if plan.starts_programs() { self.kept_in(resume(path), file) } else { resume(path) }
    }

    /// A command on a file of another folder, with programs where they are now.
    pub(super) fn started_in(&self, command: String, file: Option<&str>) -> String {
        let folder = self.folder(file).filter(|folder| *folder != Path::new(""));
        format!("{command} --programs {}", quoted_path(&folder.unwrap_or_else(|| PathBuf::from("."))))
    }

    /// A command with programs where they are now.
    pub(super) fn kept_in(&self, command: String, file: Option<&str>) -> String {
        match self.folder(file).filter(|folder| *folder != Path::new("")) {
            Some(folder) => format!("{command} --programs {}", quoted_path(&folder)),
            None => command,
        }
    }
}

impl Jobs {
    pub(super) fn count(&self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }

    /// Works on items until an interrupt, and hands over what comes of them in their order.
    ///
    /// # Errors
    /// The first error of `emit`; no further item is then taken.
    pub(super) fn in_order<T, R: Send>(
        &self,
        items: impl Iterator<Item = T> + Send,
        interrupt: &Interrupt,
        work: impl Fn(T) -> R + Sync,
        emit: impl FnMut(R) -> Result<(), Report>,
    ) -> Result<(), Report> {
        let threads = Threads { jobs: self.count(), ahead: AHEAD };
        in_order(items.take_while(|_| !interrupt.is_raised()), threads, work, emit)
    }
}

/// The error of a plan that cannot be run.
pub(super) fn unrunnable(error: &RunError) -> Report {
    let help = "choose an encoding and weights that fit the puzzle; see `kenga list encoding`";
    miette!(help = help, "{error}")
}

/// The error of an experiment that stopped, and the command that goes on with it.
fn stopped(error: StopError, path: &Path, continue_command: &str) -> Report {
    match error {
        StopError::Folder(error) => error.into(),
        StopError::Run(error) => {
            let help = format!(
                "{} is intact; fix the problem, then continue with: {continue_command}",
                path.display()
            );
            miette!(help = help, "the experiment stopped: {}", error.in_full())
        }
    }
}

/// Executes the runs of a shard in the folder that `open` gives, and reports them. `file` is the configuration or the plan.
pub(super) fn execute(
    plan: &Plan,
    shard: Shard,
    execution: &ExecutionArgs,
    file: Option<&str>,
    open: impl FnOnce() -> Result<Folder, Report>,
) -> CommandResult {
    let interrupt = signals::interrupt()?;
    let jobs = execution.jobs.count();
    let runner = {
        let is_shown = !execution.quiet && execution.statistics.is_none();
        let _progress = is_shown.then(|| Counter::start("solving the puzzles exactly", None));
        Runner::prepare_shard(plan, shard, jobs, &interrupt).map_err(|error| unrunnable(&error))?
    };
    let runner = runner.with_programs(execution.programs.beside(file));
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    // Only now: a plan that cannot be run leaves no folder.
    let mut folder = open()?;
    let retried = folder.tries_again();
    if retried > 0 {
        let (are, first) = if retried == 1 { ("is", "it") } else { ("are", "the first of them") };
        let behind = match plan.settings.race {
            Some(_) => format!(", and all runs of the race after {first}"),
            None => String::new(),
        };
        print_note(&format!("note: {} {are} tried again{behind}", several(retried, "failed run")));
    }
    let continue_command = execution.programs.resume(file, plan, folder.path());
    let live = |remaining: &RemainingRuns<'_>, ended: RunTally| {
        Live::start(execution, plan, remaining, ended.solved)
    };
    let halt = make_runs(&mut folder, &runner, shard, jobs, live, &interrupt);
    let halt = halt.map_err(|error| stopped(error, folder.path(), &continue_command))?;
    let failures = Failures::read(plan, shard, folder.path())?;
    let refuted = RunTally::of(folder.path(), plan, shard)?.refuted;
    let is_here = execution.programs.folder(file).is_none();
    let ending =
        Ending { halt, shard, failures: &failures, refuted, continue_command: &continue_command, is_here };
    let done = print(&summary::text(execution, plan, &runner, folder.path(), &ending)?)?;
    Ok(match halt {
        // Every run has ended, but not every one has a result.
        Halt::Complete if failures.runs() + refuted > 0 => Exit::No,
        Halt::Complete => done,
        Halt::Interrupted => Exit::Signal(interrupt.signal()),
    })
}
