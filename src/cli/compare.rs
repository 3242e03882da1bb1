//! `kenga compare`: what the difference between settings is, and whether it is real.

use std::path::PathBuf;

use super::io::exit::CommandResult;
use super::io::output::{TableForm, print};
use super::io::progress::Counter;
use super::io::{input, terminal};
use crate::answers::{ComparisonOrder, compared, keep_puzzles};
use crate::experiment::on_all_cores;
use crate::report::TableFormat;
use crate::report::compare::{as_json, comparisons, in_words, settings};
use crate::study::Metric;
use clap::builder::TypedValueParser;

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
    keep_puzzles(&mut study, &args.puzzles)?;
    let arms = study.arms(&by);
    let Args { metric, alpha, ref baseline, .. } = *args;
    let order = ComparisonOrder { metric, alpha, baseline: baseline.as_deref() };
    let found = on_all_cores(|| compared(&study, &arms, &order, &input::unfinished(&args.dirs)))?;
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
