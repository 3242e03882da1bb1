//! `kenga compare`: what the difference between settings is, and whether it is real.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use miette::miette;

use super::io::exit::CommandResult;
use super::io::output::{TableForm, print};
use super::io::progress::Counter;
use super::io::{input, terminal};
use crate::experiment::on_all_cores;
use crate::report::TableFormat;
use crate::report::compare::{as_json, comparisons, in_words, settings};
use crate::study::{CompareError, Metric, Question, Study, compare_arms};
use crate::text::nearest;

/// Compare the settings of a sweep, or of several results folders
///
/// Prints a table of settings with intervals, tests that fit the data, and a verdict in words: what is shown, what is not,
/// and how many runs would show it. Two settings are compared on the puzzles, seeds and replicates that both have. Numbers
/// over several puzzles are means over puzzles. Failed runs are censored: they rank behind all solved ones.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga compare results/sweep
  kenga compare results/sweep --by algorithm.mutation.rate
  kenga compare results/ga results/tabu --by algorithm
  kenga compare results/sweep --by algorithm.population --baseline 80
  kenga compare results/sweep --puzzle 4x4
  kenga compare results/sweep --csv     two tables, a blank line between
  kenga compare results/sweep --json | jq -r .verdict[]")]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Group settings by the value of this key; repeatable
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
    /// What to compare: calls, evaluations, moves, cpu_s, best_fitness, distance
    #[arg(long, value_name = "METRIC", default_value = "calls", value_parser = metrics(), hide_possible_values = true)]
    metric: Metric,
    /// Use only this puzzle; repeatable
    #[arg(long = "puzzle", value_name = "ID")]
    puzzles: Vec<String>,
    /// Significance level, over all pairs together
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = input::parse_share)]
    alpha: f64,
    /// Compare every setting with this one only
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    #[command(flatten)]
    form: TableForm,
}

fn metrics() -> impl TypedValueParser<Value = Metric> {
    input::one_of(Metric::ALL, |metric| [metric.name(), ""])
}

pub(super) fn run(args: &Args) -> CommandResult {
    let progress = Counter::start("comparing", None);
    let (mut study, by) = input::study(&args.dirs, &args.by)?;
    let known: Vec<&str> = study.puzzles().into_iter().map(|puzzle| &*puzzle.id).collect();
    if let Some(id) = args.puzzles.iter().find(|id| !known.contains(&id.as_str())) {
        let help = format!("known: {}", known.join(", "));
        return Err(miette!(help = help, "the results have no puzzle `{id}`"));
    }
    if !args.puzzles.is_empty() {
        study.keep_puzzles(&args.puzzles);
    }
    let arms = study.arms(&by);
    let question =
        Question::new(&study, &arms, args.metric, args.alpha).from_baseline(args.baseline.as_deref());
    let found = on_all_cores(|| compare_arms(&study, &arms, &question)).map_err(|error| {
        let names = arms.iter().map(|arm| arm.name.as_str());
        miette!(help = help(&error, &study, names, &args.dirs), "{error}")
    })?;
    drop(progress);
    let view = terminal::view();
    print(&match args.form.format() {
        TableFormat::Json => format!("{}\n", as_json(&found)),
        TableFormat::Text => in_words(&found, &view),
        format => {
            format!(
                "{}\n{}",
                settings(&found).render(format, &view),
                comparisons(&found).render(format, &view)
            )
        }
    })
}

fn help<'a>(
    error: &CompareError,
    study: &Study,
    names: impl Iterator<Item = &'a str>,
    dirs: &[PathBuf],
) -> String {
    match error {
        CompareError::OneSide(_) if study.keys.is_empty() => {
            "compare needs two settings: name a second folder, or one with a sweep; `kenga report` shows one setting on all its puzzles".to_owned()
        }
        CompareError::OneSide(_) => {
            format!("the settings differ in {}: compare by one of these keys, or without --by", study.keys.join(", "))
        }
        CompareError::NoRun(_) => input::unfinished(dirs),
        CompareError::NoValue { .. } | CompareError::NoneMade(_) => "choose another metric".to_owned(),
        CompareError::NoBaseline(name) => {
            let known = nearest(name, names);
            format!("did you mean `{}`?", known[0])
        }
    }
}
