//! `kenga sweep plan`: settings and runs, fixed in a file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{Report, miette};
use serde_json::json;

use super::forecast::{self, PlannedQuestion, PowerArgs, pilot};
use crate::cli::experiment::{ConfigArgs, Jobs, Overrides, ProgramsArgs, cells, columns, no_config};
use crate::cli::io::exit::{CommandResult, Exit, print_note, wrote};
use crate::cli::io::input::whole;
use crate::cli::io::output::{Output, Overwrite, TableForm, write_file};
use crate::cli::io::{signals, terminal};
use kenga_lab::experiment::Plan;
use kenga_lab::results::{earlier_costs, plan_text, read_plan_text};
use kenga_lab::study::RunSubject;
use kenga_report::{Cell, Column, Table, TableFormat, duration, several, wrap};

/// Fix the settings, puzzles and runs of a sweep in a file
///
/// Prints the settings, the number of runs, their cost as estimated by a short pilot, and how many runs of each setting
/// would show the smallest difference that matters, in a comparison corrected for all pairs of settings. The plan keeps the
/// question, so that `kenga compare --plan` asks what was fixed before the runs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep plan sweep.toml -o plan.json
  kenga sweep plan sweep.toml --runs 100 -o plan.json
  kenga sweep plan sweep.toml --smallest 1.5 --power 0.9
  kenga sweep plan sweep.toml --by rate --baseline 0.1 -o plan.json
  kenga sweep plan sweep.toml --csv            every setting

Shards that take equally long, by the runs of a pilot:
  kenga run sweep.toml --runs 2 -o pilot
  kenga sweep plan sweep.toml --runs 100 --costs pilot -o plan.json")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    overrides: Overrides,
    /// The file to write, or `-` for standard output; without it no plan is written
    #[arg(short, long, value_name = "PLAN", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Runs of the pilot that estimates the cost, in at most 10 s; 0 for none
    #[arg(long, value_name = "N", default_value = "24", value_parser = whole(0..=u64::MAX))]
    pilot: u64,
    /// Deal the runs to shards by the CPU time that those of an earlier results folder took, such as a pilot's
    #[arg(long, value_name = "DIR")]
    costs: Option<PathBuf>,
    #[command(flatten)]
    wanted: PowerArgs,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    programs: ProgramsArgs,
    #[command(flatten)]
    form: TableForm,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let config = args.config.named().ok_or_else(|| no_config("sweep plan"))?;
    let (mut plan, exit) = args.overrides.plan(config)?;
    if let Some(folder) = &args.costs {
        plan.costs = Some(Arc::new(earlier_costs(&plan, folder)?));
    }
    let question = PlannedQuestion::new(&plan, &args.wanted)?;
    let text = with_question(plan_text(&plan), &question);
    let format = args.form.format();
    let mut output = Output::lock();
    if args.out.as_deref() == Some(Path::new("-")) {
        if format != TableFormat::Text {
            let help = "name a file for the plan: `--out FILE`";
            return Err(miette!(
                help = help,
                "the plan and the table cannot both be written to standard output"
            ));
        }
        output.write(&text)?;
        output.flush()?;
        return Ok(exit);
    }
    let file = match args.out.as_deref() {
        Some(path) if is_new(path, &text, args.force)? => Some(path),
        _ => None,
    };
    let view = terminal::view();
    let is_one = format == TableFormat::Text && plan.settings.keys.is_empty();
    if format != TableFormat::Json && !is_one {
        output.write(&settings(&plan).render(format, &view))?;
    }
    let jobs = args.jobs.count();
    let mut words = size(&plan, jobs);
    tell(&mut output, &words, format, view.width)?;
    if args.pilot > 0 {
        let interrupt = signals::interrupt()?;
        let programs = args.programs.beside(Some(config));
        let pilot = pilot(&plan, args.pilot, jobs, programs, &interrupt)?;
        if interrupt.is_raised() {
            return Ok(Exit::Signal(interrupt.signal()));
        }
        let mut forecast = String::new();
        if plan.costs.is_none() {
            forecast += &forecast::cost(&plan, &pilot, jobs);
        }
        // A race looks after every block: it needs other numbers of runs.
        if plan.settings.race.is_none() {
            forecast += &forecast::power(&plan, &pilot, &question);
        }
        tell(&mut output, &forecast, format, view.width)?;
        words += &forecast;
    }
    if format == TableFormat::Json {
        output.write(&as_json(&plan, &words))?;
    }
    // Last, so that a pilot that is interrupted leaves no plan.
    if let Some(path) = file {
        write_file(path, &text, if args.force { Overwrite::Always } else { Overwrite::Never })?;
        wrote(&path.display().to_string());
    }
    output.flush()?;
    Ok(exit)
}

/// Says sentences at once: among the tables for people, beside them for programs; JSON has them at its end.
fn tell(output: &mut Output, words: &str, format: TableFormat, width: usize) -> Result<(), Report> {
    match format {
        TableFormat::Text => output.write(&wrap(words, width))?,
        TableFormat::Json => {}
        _ => print_note(words.trim_end()),
    }
    Ok(())
}

/// The file does not hold the plan yet, or is to be overwritten.
///
/// # Errors
/// A file that holds something else.
fn is_new(path: &Path, text: &str, force: bool) -> Result<bool, Report> {
    if force || !path.is_file() {
        return Ok(true);
    }
    let known = fs::read(path).unwrap_or_default();
    let what = match String::from_utf8(known) {
        Ok(known) if known == text => return Ok(false),
        Ok(known) if read_plan_text("", &known).is_ok() => "is another plan",
        _ => "exists and is not a plan",
    };
    let help = "name another file, or overwrite it with --force";
    Err(miette!(help = help, "{} {what}", path.display()))
}

/// The settings, by their numbers; without a sweep there is one, which has nothing to be told apart by.
fn settings(plan: &Plan) -> Table {
    let number = Column::numbers("setting", &["setting"]);
    let mut table = Table::new([number].into_iter().chain(columns(&plan.settings)));
    for setting in 0..plan.settings.all.len() {
        table.push([Cell::count(setting as u64)].into_iter().chain(cells(&plan.settings, setting)));
    }
    table
}

/// The text of a plan with the question that `kenga compare --plan` asks; a member like the others, before the brace that ends it.
fn with_question(mut plan: String, question: &PlannedQuestion<'_>) -> String {
    plan.truncate(plan.trim_end().trim_end_matches('}').trim_end().len());
    plan + &format!(",\n  \"question\": {}\n}}\n", question.json())
}

/// How many runs there are, and why; with the costs of earlier runs also how long they take on so many threads.
fn size(plan: &Plan, jobs: usize) -> String {
    let mut text = format!(
        "{} x {} x {}: {}\n",
        several(plan.settings.all.len() as u64, "setting"),
        several(plan.puzzles.len() as u64, RunSubject::of_plan(plan).noun()),
        several(plan.config.replicates, "replicate"),
        several(plan.runs(), "run")
    );
    if let Some(race) = plan.race() {
        let race = race.in_rounds(&BTreeMap::new());
        let first = several(race.blocks().end, "block");
        text += &format!("a race may make fewer: its shards begin with the first {first}\n");
    }
    if let Some(costs) = &plan.costs {
        let seconds = costs.replicate_s() * plan.config.replicates as f64;
        text += &format!(
            "shards are dealt by the costs of earlier runs: all runs take about {} of CPU time, {} on {}\n",
            duration(seconds),
            duration(seconds / jobs as f64),
            several(jobs as u64, "thread"),
        );
    }
    text
}

fn as_json(plan: &Plan, words: &str) -> String {
    let object = json!({
        "settings": settings(plan).json(),
        "puzzles": plan.puzzles.len(),
        "replicates": plan.config.replicates,
        "runs": plan.runs(),
        "forecast": words.lines().collect::<Vec<_>>(),
    });
    format!("{object}\n")
}
