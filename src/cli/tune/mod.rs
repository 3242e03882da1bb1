//! `kenga tune`: the best configuration of a space, found by iterated racing.
//!
//! **Invariant**: a tuning that was interrupted and resumed has the bytes of one that was not.

mod request;
mod shard;
mod validation;
mod verdict;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use miette::{Report, miette};

use super::experiment::{ConfigArgs, Jobs, ProgramsArgs, base, no_config, resumed};
use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::whole;
use super::io::output::print;
use super::io::progress::{Counter, ProgressDisplay};
use super::io::signals;
use super::sweep::parse_shard;
use kenga_core::budget::Interrupt;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::{CappedRuns, Shard};
use kenga_lab::results::{FolderKind, ResultsError, free_folder, latest_folder};
use kenga_lab::tune::{
    GatheringRunner, Journal, LocalRunner, ShardRuns, TargetRunner, TuneError, TuneFolder, TuneProgress,
    Tuned, Tuner,
};
use kenga_report::{counted, decimal};
use request::TuneRequest;
use validation::validate;
pub(in crate::cli) use validation::validated;
use verdict::{BEST, TuneVerdict};

/// Find the best configuration within a budget, by iterated racing
///
/// The axes and conditions of [sweep] are the space, [tune] has the budget. Candidates are raced on the puzzles of the
/// configuration; those shown to be worse are dropped, and new ones are drawn around the best. The best and the default are
/// then run on held-out puzzles. Writes a folder (candidates.jsonl, runs.csv, decisions.csv, ablation.csv, best.toml,
/// validation/), the same bytes for any number of jobs and after any interruption.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga tune tune.toml
  kenga tune tune.toml --set tune.budget=50_000_000 --jobs 8
  kenga tune --resume results/tune                         finish it
  kenga run results/tune/best.toml --puzzle book.jsonl
  kenga report results/tune -o tune.html                   its history

By 16 programs that are started together, and gathered:
  srun -n 16 kenga tune tune.toml --shard auto --wait -o results/shards
  kenga tune tune.toml --shards results/shards -o results/tune")]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// Tune on these puzzles instead of those of the configuration; repeatable
    #[arg(long = "puzzle", value_name = "FILE")]
    puzzles: Vec<String>,
    /// The seed that all randomness derives from
    #[arg(long, value_name = "N", value_parser = whole(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Set a key of the configuration, such as `tune.budget=1_000_000`; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The folder to write [default: results/NAME, then results/NAME-2 and so on]
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: Option<PathBuf>,
    /// Continue DIR, the folder of --out, or the latest one of this configuration; start it if there is none
    #[arg(long, value_name = "DIR")]
    resume: Option<Option<PathBuf>>,
    /// Make the runs of the K-th of N shards (K counts from 0) that are due now, and record them in a folder of DIR. `auto`
    /// and `auto/N` take K from the job array or the launcher, as `kenga sweep run` does. The same command goes on
    #[arg(long, value_name = "K/N", value_parser = parse_shard, requires = "out", conflicts_with_all = ["resume", "shards", "json"])]
    shard: Option<Shard>,
    /// Wait for the runs of the other shards, and go on to the end. For a shard that no program is making it waits at most
    /// SECONDS, or 600 without a number
    #[arg(long, value_name = "SECONDS", requires = "shard", num_args = 0..=1, require_equals = true, default_missing_value = "600", value_parser = whole(0..=u64::from(u32::MAX)))]
    wait: Option<u64>,
    /// Exit with 3 where runs of other shards are missing, not with 0
    #[arg(long, requires = "shard")]
    require_all: bool,
    /// Take the runs that the shards in DIR have recorded; only those that they lack are made
    #[arg(long, value_name = "DIR")]
    shards: Option<PathBuf>,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    programs: ProgramsArgs,
    /// Print no progress and no summary
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object in place of the summary
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let resumed = resumed(&args.resume, &args.out)?;
    let (request, exit) = requested(args, resumed.as_deref())?;
    note(args, &request.notes);
    let interrupt = signals::interrupt()?;
    let runs = prepared(args, &request, &interrupt);
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    note(args, &unsolvable(&runs));
    let local = LocalRunner { runs, jobs: args.jobs.count(), interrupt: &interrupt };
    if let Some(shard) = args.shard {
        return shard::run(args, &request, shard, local);
    }
    let recorded = match &args.shards {
        Some(shared) => Some(ShardRuns::read(shared, &request.manifest, &request.options)?),
        None => None,
    };
    let mut folder = folder(args, resumed, &request)?;
    let path = folder.path().to_owned();
    let tuned = match recorded {
        Some(recorded) => tune(args, &request, &mut GatheringRunner { local, recorded }, &mut folder),
        None => tune(args, &request, &mut { local }, &mut folder),
    };
    let tuned = match tuned {
        Ok(tuned) => tuned,
        Err(TuneError::Interrupted) => {
            print_note(&again(args, &request, &path));
            return Ok(Exit::Signal(interrupt.signal()));
        }
        Err(error) => return Err(stopped(error, &path, &resume(args, &request, &path))),
    };
    // Before the held-out runs, which take long: whoever stops them has the best nevertheless.
    folder.write_configs(&request.manifest, &tuned.best().config, request.space.default())?;
    let Some(held_out) = validate(args, &request, &tuned, &path, &interrupt)? else {
        print_note(&again(args, &request, &path));
        return Ok(Exit::Signal(interrupt.signal()));
    };
    folder.finish()?;
    let mut run_best = format!("kenga run --config {}", quoted_path(&path.join(BEST)));
    if request.space.default().starts_programs {
        run_best = args.programs.started_in(run_best, args.config.named());
    }
    let verdict =
        TuneVerdict { request: &request, tuned: &tuned, held_out: &held_out, path: &path, run_best };
    if args.json {
        print(&format!("{}\n", verdict.json()))?;
    } else if !args.quiet {
        print(&verdict.text())?;
    }
    Ok(exit)
}

/// The tuning that the command line asks for, by its configuration or its folder, and the exit code of a success.
fn requested(args: &Args, resumed: Option<&Path>) -> Result<(TuneRequest, Exit), Report> {
    if let Some(config) = args.config.named() {
        return TuneRequest::read(config, args);
    }
    if let Some(path) = resumed {
        return Ok((TuneRequest::of_folder(path, args)?, Exit::Done));
    }
    if args.resume.is_none() {
        return Err(no_config("tune"));
    }
    let help =
        "name it, as in `kenga tune --resume DIR`, or name the configuration: `kenga tune FILE --resume`";
    Err(miette!(help = help, "--resume needs a folder"))
}

/// The puzzles, ready for the runs of candidates.
fn prepared(args: &Args, request: &TuneRequest, interrupt: &Interrupt) -> CappedRuns {
    let is_shown = !args.quiet && !request.options.has_own_problem;
    let _progress = is_shown.then(|| Counter::start("solving the puzzles exactly", None));
    let exact = &request.space.default().exact;
    let runs = CappedRuns::prepare(request.manifest.puzzles.clone(), exact, args.jobs.count(), interrupt);
    runs.with_programs(args.programs.beside(args.config.named()))
}

/// Prints what a person should know.
fn note(args: &Args, notes: &[String]) {
    if !args.quiet {
        for note in notes {
            print_note(&format!("note: {note}"));
        }
    }
}

/// A note on training puzzles without a solution, if there are any.
fn unsolvable(runs: &CappedRuns) -> Vec<String> {
    let ids: Vec<&str> = runs.unsolvable().map(|puzzle| puzzle.id.as_str()).collect();
    if ids.is_empty() {
        return Vec::new();
    }
    vec![format!("no candidate can solve these puzzles, which have no solution: {}", ids.join(", "))]
}

/// The folder to write: a new one, or one to continue.
fn folder(args: &Args, resumed: Option<PathBuf>, request: &TuneRequest) -> Result<TuneFolder, Report> {
    let base = base(args.config.named().unwrap_or("-"));
    let mut known = resumed;
    if known.is_none() && args.resume.is_some() {
        known = latest_folder(&base, |path| FolderKind::of(path) == FolderKind::Tuning);
    }
    Ok(match (known, &args.out) {
        (Some(path), _) => match FolderKind::of(&path) {
            FolderKind::Tuning => TuneFolder::resume(&path, &request.manifest, args.jobs.count())?,
            FolderKind::Experiment => return Err(ResultsError::NoTuning { path }.into()),
            FolderKind::Other => TuneFolder::begin(&path, &request.manifest)?,
        },
        (None, Some(path)) => TuneFolder::begin(path, &request.manifest)?,
        (None, None) => TuneFolder::begin(&free_folder(&base)?, &request.manifest)?,
    })
}

fn tune(
    args: &Args,
    request: &TuneRequest,
    runner: &mut dyn TargetRunner,
    journal: &mut dyn Journal,
) -> Result<Tuned, TuneError> {
    let line = Arc::new(Mutex::new("tuning".to_owned()));
    let shown = Arc::clone(&line);
    let _display = (!args.quiet).then(|| {
        ProgressDisplay::show(move || vec![shown.lock().unwrap_or_else(PoisonError::into_inner).clone()])
    });
    let budget = request.options.budget;
    let mut watch = |progress: &TuneProgress| {
        *line.lock().unwrap_or_else(PoisonError::into_inner) = in_line(progress, budget);
    };
    let puzzles = request.manifest.puzzles.len();
    Tuner::new(&request.space, &request.options, puzzles, runner, journal, &mut watch).tune()
}

/// The line of progress.
fn in_line(progress: &TuneProgress, budget: u64) -> String {
    let share = decimal(progress.used as f64 / budget as f64 * 100.0, 1);
    let phase = match progress.iteration {
        0 => "ablation".to_owned(),
        iteration => format!("iteration {iteration}, {} alive", progress.alive),
    };
    format!(
        "tuning: {share} % of {} calls, {} runs; {phase}; best: candidate {}",
        counted(budget),
        counted(progress.runs),
        progress.best
    )
}

/// A command that starts the programs of the tuning, if there are any, where they are now.
fn with_programs(args: &Args, request: &TuneRequest, command: String) -> String {
    if !request.space.default().starts_programs {
        return command;
    }
    args.programs.kept_in(command, args.config.named())
}

fn resume(args: &Args, request: &TuneRequest, path: &Path) -> String {
    with_programs(args, request, format!("kenga tune --resume {}", quoted_path(path)))
}

fn again(args: &Args, request: &TuneRequest, path: &Path) -> String {
    format!("Interrupted: finished runs are kept. Continue with:\n  {}", resume(args, request, path))
}

fn stopped(error: TuneError, path: &Path, again: &str) -> Report {
    match error {
        TuneError::DefaultFailed(failure) => {
            let reason = &failure.reason;
            let said = failure.stderr.lines().map(|line| format!("\n  {line}")).collect::<String>();
            let help =
                format!("all others are compared with it: mend the program, then continue with: {again}");
            miette!(help = help, "the configuration without [sweep] fails: {reason}{said}")
        }
        TuneError::Folder(error) => error.into(),
        error @ TuneError::UnexpectedRun { .. } => {
            let help = "the folder was changed, or another version wrote it: tune again in another folder";
            miette!(help = help, "{}: {error}", path.display())
        }
        error => {
            let help = "limit the space by `when` or `where`; see `kenga list encoding`";
            miette!(help = help, "{error}")
        }
    }
}
