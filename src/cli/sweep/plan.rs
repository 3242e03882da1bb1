//! `kenga sweep plan`: settings and runs, fixed in a file.

use std::path::{Path, PathBuf};

use crate::cli::exit::CommandResult;
use crate::cli::experiment::Asked;
use crate::cli::output::{Output, write_file};
use crate::experiment::Plan;
use crate::report::counted;
use crate::results::plan_text;

/// How many settings are listed.
const LISTED: usize = 40;

/// Fix the settings, puzzles and runs of a sweep in a file
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep plan --config configs/sweep-smoke.toml -o plan.json
  kenga sweep plan --config configs/sweep-smoke.toml --runs 100 -o plan.json")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The file to write, or `-` for standard output; nothing is written when absent
    #[arg(short, long, value_name = "PLAN")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let (plan, exit) = args.asked.plan()?;
    let mut output = Output::lock();
    match &args.out {
        Some(path) if path == Path::new("-") => output.write(&plan_text(&plan))?,
        Some(path) => write_file(path, &plan_text(&plan))?,
        None => {}
    }
    if args.out.as_deref() != Some(Path::new("-")) {
        output.write(&in_words(&plan))?;
    }
    output.flush()?;
    Ok(exit)
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
