//! `kenga sweep plan`: settings and runs, fixed in a file.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use miette::Diagnostic;
use thiserror::Error;

use super::pilot::{Pilot, pilot};
use crate::cli::compare::parse_share;
use crate::cli::exit::CommandResult;
use crate::cli::experiment::Asked;
use crate::cli::output::Output;
use crate::cli::signals;
use crate::cli::sink::write_file;
use crate::experiment::Plan;
use crate::report::{counted, duration};
use crate::results::plan_text;
use crate::stats::{Aim, Z_95};

/// How many settings are listed.
const LISTED: usize = 40;

/// Fix the settings, puzzles and runs of a sweep in a file
///
/// Prints the settings, how many runs there are, what they cost by a short pilot, and how many runs of every setting would
/// show a difference of the size that matters.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep plan --config configs/sweep-smoke.toml -o plan.json
  kenga sweep plan --config configs/sweep-smoke.toml --runs 100 -o plan.json
  kenga sweep plan --config configs/sweep-smoke.toml --detect 0.2 --power 0.9")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The file to write, or `-` for standard output; nothing is written when absent
    #[arg(short, long, value_name = "PLAN")]
    out: Option<PathBuf>,
    /// Runs of a pilot that estimates what all runs cost, in at most 10 s; 0 for none
    #[arg(long, value_name = "N", default_value = "24")]
    pilot: u64,
    /// The difference between two shares of solved runs that the experiment should show
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = parse_share)]
    detect: f64,
    /// The chance to show it
    #[arg(long, value_name = "P", default_value = "0.8", value_parser = parse_share)]
    power: f64,
    /// The chance to claim a difference where there is none
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = parse_share)]
    alpha: f64,
    /// Threads; all cores when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// A race cannot be planned.
#[derive(Debug, Error, Diagnostic)]
#[error("a race decides while it runs which runs there are, so that no plan can fix them")]
#[diagnostic(help("make it with `kenga run`, or choose another method"))]
struct Raced;

pub(super) fn run(args: &Args) -> CommandResult {
    let (plan, exit) = args.asked.plan()?;
    if plan.settings.race.is_some() {
        return Err(Raced.into());
    }
    let mut output = Output::lock();
    match &args.out {
        Some(path) if path == Path::new("-") => output.write(&plan_text(&plan))?,
        Some(path) => write_file(path, &plan_text(&plan), None)?,
        None => {}
    }
    if args.out.as_deref() != Some(Path::new("-")) {
        output.write(&in_words(&plan))?;
        if args.pilot > 0 {
            let interrupt = signals::interrupt()?;
            let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
            let pilot = pilot(&plan, args.pilot, jobs, &interrupt)?;
            output.write(&forecast(&plan, &pilot, jobs))?;
            output.write(&power(args, &pilot))?;
        }
    }
    output.flush()?;
    Ok(exit)
}

/// What all runs cost, by those of the pilot.
fn forecast(plan: &Plan, pilot: &Pilot, jobs: usize) -> String {
    let times: Vec<f64> = pilot.ended.iter().map(|run| run.cpu_s).collect();
    let runs = plan.runs() as f64;
    if times.is_empty() {
        return "pilot: no run ended in 10 s, so that nothing is known of the cost\n".to_owned();
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
    let error = (squares / times.len().saturating_sub(1).max(1) as f64 / times.len() as f64).sqrt();
    let (low, high) = ((mean - Z_95 * error).max(0.0) * runs, (mean + Z_95 * error) * runs);
    let solved = pilot.ended.iter().filter(|run| run.solved).count();
    let mut text = format!(
        "pilot: {} runs, {solved} solved; all runs take about {} of CPU time ({} to {}), {} on {jobs} threads\n",
        times.len(),
        duration(mean * runs),
        duration(low),
        duration(high),
        duration(mean * runs / jobs as f64)
    );
    if pilot.cut > 0 {
        text += &format!("pilot: {} longer runs did not end in 10 s: it takes more than that\n", pilot.cut);
    }
    text
}

/// How many runs of every setting show the difference that is asked for.
fn power(args: &Args, pilot: &Pilot) -> String {
    let aim = Aim { alpha: args.alpha, power: args.power };
    let solved = pilot.ended.iter().filter(|run| run.solved).count() as f64;
    // Between none and all: the rule of succession.
    let base = (solved + 1.0) / (pilot.ended.len() as f64 + 2.0);
    let other = if base + args.detect < 1.0 { base + args.detect } else { base - args.detect };
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let shown = |runs: Option<u64>| runs.map_or_else(|| "no number of".to_owned(), counted);
    format!(
        "to show {} against {} solved with {} power at {}: {} runs a setting, {} where half of the luck is shared by pairs\n\
         to show that one of two runs is faster in {} of cases: {} runs a setting\n",
        percent(base),
        percent(other),
        percent(args.power),
        percent(args.alpha),
        shown(aim.runs_for_shares(base, other)),
        shown(aim.pairs_for_shares(base, other, 0.5)),
        percent(0.5 + args.detect / 2.0),
        shown(aim.runs_for_a12(0.5 + args.detect / 2.0))
    )
}

fn in_words(plan: &Plan) -> String {
    let settings = plan.settings.all.len();
    let mut text: String = (0..settings.min(LISTED))
        .map(|setting| match plan.settings.in_words(setting) {
            words if words.is_empty() => String::new(),
            words => format!("setting {setting}: {words}\n"),
        })
        .collect();
    if settings > LISTED {
        text += &format!("and {} more\n", counted((settings - LISTED) as u64));
    }
    text + &format!(
        "{} settings x {} puzzles x {} replicates: {} runs\n",
        counted(settings as u64),
        counted(plan.puzzles.len() as u64),
        counted(plan.config.replicates),
        counted(plan.runs())
    )
}
